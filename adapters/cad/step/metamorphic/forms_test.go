package metamorphic

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
)

// built are parts with closed faces and poles in every form in which CAD systems write them.
func built() map[string]*brep.Model {
	out := map[string]*brep.Model{
		"box":     build.Box(geom.Vec3{X: 3, Y: 4, Z: 5}),
		"rounded": build.Prism("rounded", build.Rounded(20, 10, 2), 5, build.Style{}),
	}
	for _, s := range build.Styles() {
		name := func(what string) string { return fmt.Sprintf("%s, seams %d, poles %d", what, s.Seams, s.Poles) }
		out[name("cylinder")] = build.Cylinder(2, 5, s)
		out[name("frustum")] = build.Frustum(3, 1, 5, s)
		out[name("cone")] = build.Frustum(3, 0, 5, s)
		out[name("cone on its apex")] = build.Frustum(0, 3, 5, s)
		out[name("tube")] = build.Tube(1, 2, 3, s)
		out[name("sphere")] = build.Sphere(2, s)
		out[name("hemispheres")] = build.Hemispheres(2, s)
		out[name("apple")] = build.Apple(1, 2, s)
		out[name("lemon")] = build.Lemon(1, 2, s)
		out[name("plate")] = build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, s,
			build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
			build.Hole{Center: geom.Vec2{X: 25, Y: 20}, Profile: build.Blind(6, 5, math.Pi/2)})
	}
	for f := range build.TorusForms {
		out[fmt.Sprintf("torus %d", f)] = build.Torus(5, 2, f)
	}
	return out
}

// TestFormsOfSeamsAndPoles writes each part with all flags chosen at random and expects the same part, with a
// mesh that is closed.
func TestFormsOfSeamsAndPoles(t *testing.T) {
	for name, m := range built() {
		want, err := mass.Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(rt *rapid.T) {
			flag := rapid.Bool()
			w := &steptest.Text{Flip: func() bool { return flag.Draw(rt, "flag") }}
			w.Part(w.Model(m)...)
			text := w.File()
			got, err := step.Read(context.Background(), strings.NewReader(text), int64(len(text)), step.Options{})
			if err != nil {
				rt.Fatalf("%s: %v", name, err)
			}
			if len(got.Faces) != len(m.Faces) || len(got.Edges) != len(m.Edges) || len(got.Solids) != len(m.Solids) {
				rt.Fatalf("%s: %d faces, %d edges, want %d and %d", name, len(got.Faces), len(got.Edges), len(m.Faces),
					len(m.Edges))
			}
			for _, p := range brep.Check(got) {
				rt.Errorf("%s: %s", name, p.Message)
			}
			p, err := mass.Compute(context.Background(), got)
			if err != nil || math.Abs(p.Volume/want.Volume-1) > exact || math.Abs(p.Area/want.Area-1) > exact {
				rt.Errorf("%s: volume %g, area %g, want %g and %g; %v", name, p.Volume, p.Area, want.Volume,
					want.Area, err)
			}
			if d := p.Bounds.Min.Dist(want.Bounds.Min) + p.Bounds.Max.Dist(want.Bounds.Max); d > 1e-6 {
				rt.Errorf("%s: bounds %v, want %v", name, p.Bounds, want.Bounds)
			}
		})
	}
}

// TestFormsGiveClosedMeshes meshes the healed model, once for each form.
func TestFormsGiveClosedMeshes(t *testing.T) {
	for name, m := range built() {
		w := &steptest.Text{}
		w.Part(w.Model(m)...)
		text := w.File()
		got, err := step.Read(context.Background(), strings.NewReader(text), int64(len(text)), step.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := repair.Model(context.Background(), got); err != nil {
			t.Fatal(err)
		}
		if len(got.Faces) != len(m.Faces) || len(got.Solids) != len(m.Solids) {
			t.Errorf("%s: healing left %d faces, %d solids", name, len(got.Faces), len(got.Solids))
		}
		r, err := tessellate.Mesh(context.Background(), got, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Report.Watertight || len(r.Warnings) > 0 {
			t.Errorf("%s: %+v, %v", name, r.Report, r.Warnings)
		}
	}
}
