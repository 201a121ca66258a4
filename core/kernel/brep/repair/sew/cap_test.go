package sew

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestOpenSolids sews solids that lack faces: those whose holes are plane and small get caps, the others become
// sheets and are named.
func TestOpenSolids(t *testing.T) {
	quad := func(p ...geom.Vec3) func(*build.Builder) {
		return func(b *build.Builder) { loosePolygon(b, p...) }
	}
	box := func(strips int) func(*build.Builder) {
		return func(b *build.Builder) { looseBox(b, origin, ten, strips) }
	}
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name    string
		make    []func(*build.Builder)
		drop    []int // faces left out, the highest first
		capped  int
		volume  float64
		message string
	}{
		{"a box without its lid", []func(*build.Builder){box(0)}, nil, 1, 1000, ""},
		{"a box of which a strip is missing", []func(*build.Builder){box(4)}, []int{7}, 1, 1000, ""},
		{"two strips that do not touch", []func(*build.Builder){box(4)}, []int{8, 6}, 2, 1000, ""},
		{"strips that touch are one cap", []func(*build.Builder){box(4)}, []int{7, 6}, 1, 1000, ""},
		{"lid and bottom missing", []func(*build.Builder){box(0)}, []int{0}, 0, 0,
			"does not close (8 edges bound only one face, 80 mm long in all)"},
		{"one face", []func(*build.Builder){quad(at(0, 0, 0), at(3, 0, 0), at(0, 4, 0))}, nil, 0, 0,
			"does not close (3 edges bound only one face, 12 mm long in all)"},
		{"a bent hole", []func(*build.Builder){box(2)}, []int{6, 4}, 0, 0, "6 edges bound only one face, 50 mm"},
		{"a tube, a ring missing at either end", []func(*build.Builder){looseTube}, nil, 2, 96 * 40, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := build.New(c.name)
			for _, do := range c.make {
				do(b)
			}
			m := b.Model()
			for _, k := range c.drop {
				m.Shells = append(m.Shells[:k], m.Shells[k+1:]...)
			}
			m = asSolid(m, "part")
			r, err := Sew(t.Context(), m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Capped != c.capped || (r.Demoted == 0) != (c.message == "") ||
				(len(m.Solids) == 1) != (c.message == "") {
				t.Fatalf("%d solids: %+v", len(m.Solids), r)
			}
			said := ""
			for _, w := range m.Warnings {
				if w.Code == OpenSolid || w.Code == CappedHole {
					said += w.Message
				}
			}
			if !strings.Contains(said, c.message) || c.message != "" && !strings.Contains(said, `"part"`) ||
				said == "" {
				t.Errorf("warnings %v, want %q", m.Warnings, c.message)
			}
			if c.message != "" {
				if !m.IsSheet(0) || r.FreeAfter == 0 {
					t.Errorf("not a sheet: %+v", r)
				}
				return
			}
			for _, p := range brep.Check(m) {
				t.Errorf("%s: %s", p.Code, p.Message)
			}
			if m.Solids[0].Name != "part" {
				t.Errorf("name %q", m.Solids[0].Name)
			}
			if v := volume(t, m); math.Abs(v-c.volume) > 1e-9*v {
				t.Errorf("volume %g, want %g", v, c.volume)
			}
		})
	}
}

// TestMissingWalls takes curved walls out of solids: their rims lie in planes, and yet no plane face was there.
func TestMissingWalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      *brep.Model
		isWall func(surface.Kind) bool
	}{
		{"the bore of a tube", build.Tube(2, 3, 20, build.Styles()[0]), isCylinder},
		{"the wall of a cylinder", build.Cylinder(3, 5, build.Styles()[0]), isCylinder},
		{"the wall of a frustum", build.Frustum(3, 1, 5, build.Styles()[0]),
			func(k surface.Kind) bool { return k == surface.KindCone }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &brep.Model{Tolerance: c.m.Tolerance}
			m.Append(c.m, geom.Identity)
			sh := &m.Shells[0]
			for i, f := range sh.Faces {
				if c.isWall(m.Faces[f].Surface.Kind()) {
					sh.Faces = append(append([]brep.FaceID{}, sh.Faces[:i]...), sh.Faces[i+1:]...)
					break
				}
			}
			m.Compact()
			r, err := Sew(t.Context(), m, Options{})
			if err != nil || r.Capped != 0 || r.Demoted != 1 || len(m.Solids) != 0 {
				t.Errorf("%d solids, %v: %+v", len(m.Solids), err, r)
			}
		})
	}
}

func isCylinder(k surface.Kind) bool { return k == surface.KindCylinder }

// looseTube adds the eight upright faces of a square tube, 40 high, 10 wide outside and 2 inside.
func looseTube(b *build.Builder) {
	up := geom.Vec3{Z: 40}
	for _, w := range [2][2]float64{{0, 10}, {6, 4}} {
		square := []geom.Vec3{{X: w[0], Y: w[0]}, {X: w[1], Y: w[0]}, {X: w[1], Y: w[1]}, {X: w[0], Y: w[1]}}
		for i, o := range square {
			p := square[(i+1)%4]
			if w[0] > w[1] {
				o, p = p, o
			}
			loosePolygon(b, o, p, p.Add(up), o.Add(up))
		}
	}
}
