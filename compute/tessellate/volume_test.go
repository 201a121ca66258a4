package tessellate

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestVolumeIsKept meshes parts whose roundings are small beside their size.
func TestVolumeIsKept(t *testing.T) {
	rod := build.Hole{Center: geom.Vec2{X: 50, Y: 50}, Profile: build.Through(4, 20)}
	for _, tc := range []struct {
		name   string
		part   *brep.Model
		opts   Options
		refine bool
	}{
		{"long rod", build.Cylinder(1, 600, build.Style{}), Options{}, true},
		{"ring of wire", build.Torus(200, 1, build.TorusRingAround), Options{}, true},
		{"ball, coarse", build.Sphere(2, build.Style{}), Options{ChordTolerance: 0.1}, true},
		{"lens", build.Lemon(3, 5, build.Style{}), Options{ChordTolerance: 0.1}, true},
		{"thin tube", build.Tube(9.9, 10, 300, build.Style{}), Options{}, true},
		{"short cylinder", build.Cylinder(10, 10, build.Style{}), Options{}, false},
		{"drilled plate", build.Plate(geom.Vec3{X: 100, Y: 100, Z: 20}, build.Style{}, rod), Options{}, false},
		{"box", build.Box(geom.Vec3{X: 1, Y: 2, Z: 300}), Options{}, false},
	} {
		r := meshed(t, tc.part, tc.opts)
		p, err := mass.Compute(context.Background(), tc.part)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(r.Mesh.Volume()/p.Volume - 1); off > 5e-3 || !r.Report.Watertight {
			t.Errorf("%s: the mesh's volume is off by %.2g %%, watertight %v", tc.name, 100*off, r.Report.Watertight)
		}
		asked := tc.opts.ChordTolerance
		if asked == 0 {
			asked = min(DefaultChord, diameter(tc.part)/SizeShare)
		}
		if refined := r.ChordTolerance < asked; refined != tc.refine {
			t.Errorf("%s: meshed at %.3g mm, asked for %.3g mm, want it finer than asked: %v", tc.name,
				r.ChordTolerance, asked, tc.refine)
		}
	}
}

// TestVolumeOfAnyRod varies the slenderness.
func TestVolumeOfAnyRod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		radius, length := rapid.Float64Range(0.1, 5).Draw(t, "radius"), rapid.Float64Range(1, 2000).Draw(t, "length")
		m := build.Cylinder(radius, length, build.Style{})
		r, err := Mesh(context.Background(), m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		exact := math.Pi * radius * radius * length
		if off := 1 - r.Mesh.Volume()/exact; off < 0 || off > 5e-3 {
			t.Errorf("volume off by %g", off)
		}
	})
}

func meshed(t *testing.T, m *brep.Model, opts Options) *Result {
	t.Helper()
	r, err := Mesh(context.Background(), m, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
