package canonical_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/canonical"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// check is the common part of *testing.T and *rapid.T.
type check interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

func recovered(t check, m *brep.Model) canonical.Report {
	t.Helper()
	rep, err := canonical.Recover(context.Background(), m, canonical.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func measured(t check, m *brep.Model) *mass.Properties {
	t.Helper()
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sameShape compares two surfaces as sets of points, by their parameters: both lengths within tol (mm).
func sameShape(t check, name string, got, want surface.Surface, tol float64) {
	t.Helper()
	if got.Kind() != want.Kind() {
		t.Errorf("%s: kind %v, want %v", name, got.Kind(), want.Kind())
		return
	}
	axis := func(f, g geom.Frame) {
		t.Helper()
		if a := f.Z.Cross(g.Z).Norm(); a > tol {
			t.Errorf("%s: axis off by %g rad", name, a)
		}
		if d := f.Origin.Sub(g.Origin).Cross(g.Z).Norm(); d > tol {
			t.Errorf("%s: axis off by %g mm", name, d)
		}
	}
	size := func(what string, g, w float64) {
		t.Helper()
		if math.Abs(g-w) > tol {
			t.Errorf("%s: %s %.12g, want %.12g", name, what, g, w)
		}
	}
	switch w := want.(type) {
	case surface.Plane:
		g := got.(surface.Plane)
		size("height", g.Frame.Origin.Sub(w.Frame.Origin).Dot(w.Frame.Z), 0)
		size("tilt", g.Frame.Z.Cross(w.Frame.Z).Norm(), 0)
	case surface.Cylinder:
		g := got.(surface.Cylinder)
		axis(g.Frame, w.Frame)
		size("radius", g.Radius, w.Radius)
	case surface.Cone:
		g := got.(surface.Cone)
		axis(g.Frame, w.Frame)
		size("angle", math.Abs(g.HalfAngle), math.Abs(w.HalfAngle))
		size("apex", g.Singularities()[0].Point.Dist(w.Singularities()[0].Point), 0)
	case surface.Sphere:
		g := got.(surface.Sphere)
		size("centre", g.Frame.Origin.Dist(w.Frame.Origin), 0)
		size("radius", g.Radius, w.Radius)
	case surface.Torus:
		g := got.(surface.Torus)
		axis(g.Frame, w.Frame)
		size("centre", g.Frame.Origin.Dist(w.Frame.Origin), 0)
		size("major radius", g.Major, w.Major)
		size("minor radius", g.Minor, w.Minor)
		if w.Minor > w.Major && g.Part != w.Part {
			t.Errorf("%s: part %v, want %v", name, g.Part, w.Part)
		}
	}
}

// parts are solids of every kind of surface, in every style of seams and poles.
func parts() map[string]*brep.Model {
	all := map[string]*brep.Model{
		"rounded": build.Prism("rounded", build.Rounded(20, 10, 2), 5, build.Style{}),
	}
	for _, s := range build.Styles() {
		name := func(part string) string { return fmt.Sprintf("%s seams %d poles %d", part, s.Seams, s.Poles) }
		all[name("cylinder")] = build.Cylinder(2, 5, s)
		all[name("frustum")] = build.Frustum(3, 1, 5, s)
		all[name("cone")] = build.Frustum(3, 0, 5, s)
		all[name("cone on its apex")] = build.Frustum(0, 3, 5, s)
		all[name("tube")] = build.Tube(1, 2, 3, s)
		all[name("sphere")] = build.Sphere(2, s)
		all[name("hemispheres")] = build.Hemispheres(2, s)
		all[name("apple")] = build.Apple(1, 2, s)
		all[name("lemon")] = build.Lemon(1, 2, s)
		all[name("plate")] = build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, s,
			build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
			build.Hole{Center: geom.Vec2{X: 10, Y: 20}, Profile: build.Blind(6, 5, 2)})
	}
	for f := range build.TorusForms {
		all[fmt.Sprintf("torus %d", f)] = build.Torus(5, 2, f)
	}
	return all
}

// TestDisguisedSolids recovers solids whose surfaces were written as B-splines or as swept surfaces, with the same
// measures.
func TestDisguisedSolids(t *testing.T) {
	for name, m := range parts() {
		for how, disguise := range map[string]func(*brep.Model, float64) (*brep.Model, error){
			"B-spline": build.Freeform, "swept": build.Swept,
		} {
			t.Run(name+"/"+how, func(t *testing.T) {
				for _, seam := range []float64{0, 0.7, 3} {
					d, err := disguise(m, seam)
					if err != nil {
						t.Fatal(err)
					}
					before := measured(t, d)
					recovered(t, d)
					after := measured(t, d)
					for i := range d.Faces {
						sameShape(t, name, d.Faces[i].Surface, m.Faces[i].Surface, 1e-7)
						if d.Faces[i].Surface.Kind() != surface.KindPlane &&
							d.Faces[i].Reversed != m.Faces[i].Reversed {
							t.Errorf("seam %g: face %d: reversed is %v", seam, i, d.Faces[i].Reversed)
						}
					}
					if a, b := after.Volume, before.Volume; math.Abs(a-b) > 1e-6*b {
						t.Errorf("seam %g: volume %.9g, was %.9g", seam, a, b)
					}
					if a, b := after.Area, before.Area; math.Abs(a-b) > 1e-6*b {
						t.Errorf("seam %g: area %.9g, was %.9g", seam, a, b)
					}
				}
			})
		}
	}
}
