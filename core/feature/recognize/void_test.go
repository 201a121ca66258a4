package recognize_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// The boundary of a void is in no feature, for any shape of the void, and the outside is recognized as without it.
func TestClosedHollowsAreNoFeatures(t *testing.T) {
	ring := func(inner, outer float64) *brep.Model {
		return build.Revolve("ring", geom.World, build.Polygon(v2(inner, 0), v2(outer, 0), v2(outer, 10), v2(inner, 10)),
			build.Style{})
	}
	rows := map[string]*brep.Model{
		"box":         build.Box(geom.Vec3{X: 20, Y: 10, Z: 8}),
		"sphere":      build.Sphere(8, build.Style{}),
		"cylinder":    build.Cylinder(5, 12, build.Style{}),
		"round core":  ring(5, 10),
		"narrow ring": ring(15, 15.05),
		"square core": build.Prism("core", build.Rectangle(20, 20), 10, build.Style{}, build.Hole{
			Center: v2(10, 10), Profile: build.Through(6, 10)}),
	}
	for _, name := range featuretest.Names { // inverted: material and air exchanged
		if m, _ := featuretest.Part(t, name); len(m.Solids) == 1 && len(m.Shells) == 1 && boundsOf(m).Diagonal() > 0 {
			rows["inside out "+name] = m
		}
	}
	for name, hollow := range rows {
		for _, isOneShell := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in one shell %t", name, isOneShell), func(t *testing.T) {
				size := 2 * boundsOf(hollow).Diagonal()
				m := build.Plate(geom.Vec3{X: size, Y: size, Z: size}, build.Style{},
					build.Hole{Center: v2(4, 4), Profile: build.Through(4, size)},
					// over the cylinder
					build.Hole{Center: v2(size/2-5, size/2), Profile: build.Blind(10, size/16, math.Pi)})
				outside := len(m.Faces)
				want := counts(recognized(t, m))
				hollowOut(m, hollow)
				if isOneShell {
					joinShells(m)
				}
				res := recognized(t, m)
				for _, f := range res.Features {
					if last := f.Regions[len(f.Regions)-1]; last >= outside {
						t.Errorf("face %d of the hollow is of a %s, by the rule %q", last, f.Type, f.Rule)
					}
				}
				if got := counts(res); got != want {
					t.Errorf("found %s, want %s\n%s", got, want, dump(res))
				}
				var closed []int
				for _, u := range res.Unmachined {
					if u.Reason == feature.ReasonNotVisible {
						closed = append(closed, u.Region)
					}
				}
				if n := len(m.Faces) - outside; len(closed) != n || closed[0] != outside {
					t.Errorf("%v are not visible, want the %d faces from %d on", closed, n, outside)
				}
			})
		}
	}
}

func boundsOf(m *brep.Model) geom.Box {
	box := geom.EmptyBox()
	for i := range m.Vertices {
		box = box.Add(m.Vertices[i].Point)
	}
	return box
}

// hollowOut makes a void with the shape of another solid in the middle of a solid.
func hollowOut(m, hollow *brep.Model) {
	faces, shell := len(m.Faces), brep.ShellID(len(m.Shells))
	m.Append(hollow, geom.Translation(boundsOf(m).Center().Sub(boundsOf(hollow).Center())))
	m.Solids = m.Solids[:1]
	m.Solids[0].Shells = append(m.Solids[0].Shells, shell)
	m.Shells[shell].Solid, m.Shells[shell].IsVoid = 0, true
	for i := faces; i < len(m.Faces); i++ {
		m.Faces[i].Reversed = !m.Faces[i].Reversed
		for _, l := range m.Faces[i].Loops {
			slices.Reverse(m.Loops[l].Coedges)
			for _, c := range m.Loops[l].Coedges {
				m.Coedges[c].Reversed = !m.Coedges[c].Reversed
			}
		}
	}
	m.Link()
}

// joinShells merges the shells of a solid.
func joinShells(m *brep.Model) {
	m.Shells, m.Solids[0].Shells = m.Shells[:1], m.Solids[0].Shells[:1]
	m.Shells[0].Faces = nil
	for i := range m.Faces {
		m.Faces[i].Shell = 0
		m.Shells[0].Faces = append(m.Shells[0].Faces, brep.FaceID(i))
	}
}
