package setup_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/feature/setup"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func recognized(t testing.TB, m *brep.Model) *recognize.Recognition {
	t.Helper()
	ctx := context.Background()
	meshed, err := tessellate.Mesh(ctx, m, tessellate.Options{ChordTolerance: 0.15, AngleTolerance: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(ctx, m, meshed.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func v3(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }

// turned returns a model turned about an axis.
func turned(m *brep.Model, axis geom.Vec3, angle float64) *brep.Model {
	out := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	out.Append(m, geom.Rotation(axis, angle))
	out.Link()
	return out
}

// text formats setups as their directions, each with its number of features.
func text(setups []setup.Setup) string {
	var parts []string
	for _, s := range setups {
		d := direction.SnapDirection(s.Direction)
		parts = append(parts, fmt.Sprintf("(%.3g %.3g %.3g) %d", d.X, d.Y, d.Z, len(s.Features)))
	}
	return strings.Join(parts, ", ")
}

func TestChoose(t *testing.T) {
	block := func(x, y, z float64) *brep.Model { return build.Box(v3(x, y, z)) }
	drilled := build.Plate(v3(30, 30, 30), build.Style{}, build.Hole{Center: v2(15, 15), Profile: build.Blind(8, 10, 2)})
	rows := []struct {
		name  string
		model *brep.Model
		want  string
	}{
		{"a cube", block(20, 20, 20), "(0 0 1) 5, (0 0 -1) 1"},
		{"a block that is slimmest along y", block(50, 20, 30), "(0 1 0) 5, (0 -1 0) 1"},
		{"a plate lies flat", block(300, 200, 10), "(0 0 1) 5, (0 0 -1) 1"},
		{"walls of a block that are higher than a mill reaches", block(260, 250, 240),
			"(0 0 1) 1, (0 0 -1) 1, (0 1 0) 1, (0 -1 0) 1, (1 0 0) 1, (-1 0 0) 1"},
		{"a hole from above", drilled, "(0 0 1) 6, (0 0 -1) 1"},
		{"a hole from the side", turned(drilled, v3(0, 1, 0), math.Pi/2), "(1 0 0) 6, (0 0 1) 1"},
		// The underside is as wide as the plate and no wall, so the hole in its edge costs a third setup.
		{"a plate with a hole in its edge", turned(build.Plate(v3(20, 80, 100), build.Style{},
			build.Hole{Center: v2(10, 40), Profile: build.Blind(8, 10, 2)}), v3(0, 1, 0), math.Pi/2),
			"(0 0 1) 5, (0 0 -1) 1, (1 0 0) 1"},
		{"a ball, whose other half is unmachined", build.Sphere(10, build.Style{}), "(0 0 1) 1"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			run := recognized(t, row.model)
			if got := text(setup.Choose(run.Graph, run.Visibility, run.Features)); got != row.want {
				t.Errorf("setups %s, want %s", got, row.want)
			}
		})
	}
}

// Every feature is in one setup, which its direction or the faces that it shows to that setup allow.
func TestEveryFeatureIsInOneSetup(t *testing.T) {
	for _, name := range featuretest.Names {
		run := recognized(t, first(featuretest.Part(t, name)))
		setups := setup.Choose(run.Graph, run.Visibility, run.Features)
		count := make([]int, len(run.Features))
		for _, s := range setups {
			d := run.Visibility.Find(s.Direction)
			for _, i := range s.Features {
				count[i]++
				f := &run.Features[i]
				if direction.Same(f.Direction, s.Direction) {
					continue
				}
				own := run.Visibility.Find(f.Direction)
				for _, p := range run.Graph.PatchesOf(f.Regions) {
					if seen := run.Visibility.Share[own][p]; run.Visibility.Share[d][p] < 0.9*seen && seen > 0.1 {
						t.Errorf("%s: %s %d is made from %v, which sees %.2f of patch %d", name, f.Type, i, s.Direction,
							run.Visibility.Share[d][p], p)
					}
				}
			}
		}
		if i := slices.IndexFunc(count, func(n int) bool { return n != 1 }); i >= 0 {
			t.Errorf("%s: %s %d is in %d setups", name, run.Features[i].Type, i, count[i])
		}
	}
}

// A block with all its edges broken needs the same two setups as a plain one, with any planes left at its corners.
func TestBrokenCornersNeedNoSetup(t *testing.T) {
	half, cut := [3]float64{30, 20, 10}, 2.0
	// point of a corner on side k; bit i of the corner is its side of axis i
	at := func(corner, k int) int { return 3*corner + k }
	var points []geom.Vec3
	for corner := range 8 {
		for k := range 3 {
			var p [3]float64
			for i := range 3 {
				p[i] = half[i]
				if i != k {
					p[i] -= cut
				}
				if corner>>i&1 == 0 {
					p[i] = -p[i]
				}
			}
			points = append(points, v3(p[0], p[1], p[2]))
		}
	}
	var faces [][][]int
	add := func(ring ...int) {
		a, b, c := points[ring[0]], points[ring[1]], points[ring[2]]
		if b.Sub(a).Cross(c.Sub(b)).Dot(a) < 0 {
			slices.Reverse(ring)
		}
		faces = append(faces, [][]int{ring})
	}
	for corner := range 8 {
		add(at(corner, 0), at(corner, 1), at(corner, 2))
		for k := range 3 {
			i, j := 1<<((k+1)%3), 1<<((k+2)%3)
			if corner&(i|j) == 0 { // the side, from the first of its corners
				add(at(corner, k), at(corner|i, k), at(corner|i|j, k), at(corner|j, k))
			}
			if corner&(1<<k) == 0 { // the edge along axis k
				a, b := (k+1)%3, (k+2)%3
				add(at(corner, a), at(corner|1<<k, a), at(corner|1<<k, b), at(corner, b))
			}
		}
	}
	run := recognized(t, build.Polyhedron("block", points, faces))
	if got := setup.Choose(run.Graph, run.Visibility, run.Features); len(got) != 2 {
		t.Errorf("%d setups, want 2: %+v", len(got), got)
	}
}

func first(m *brep.Model, _ any) *brep.Model { return m }

// The orientation of a part in its file changes neither the number of its setups nor their features.
func TestSetupsTurnWithThePart(t *testing.T) {
	parts := map[string]*brep.Model{}
	want := map[string][]int{}
	names := []string{"pockets", "chamfers", "bosses"}
	sizes := func(m *brep.Model) (out []int) {
		run := recognized(t, m)
		for _, s := range setup.Choose(run.Graph, run.Visibility, run.Features) {
			out = append(out, len(s.Features))
		}
		return out
	}
	for _, name := range names {
		parts[name] = first(featuretest.Part(t, name))
		want[name] = sizes(parts[name])
	}
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(names).Draw(r, "part")
		axis := v3(rapid.Float64Range(-1, 1).Draw(r, "x"), rapid.Float64Range(-1, 1).Draw(r, "y"), 1.5)
		m := turned(parts[name], axis.Unit(), rapid.Float64Range(0, 6).Draw(r, "angle"))
		if got := sizes(m); !slices.Equal(got, want[name]) {
			r.Errorf("%s: setups make %v features, want %v", name, got, want[name])
		}
	})
}
