package mass

import (
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// splined is build.Swept with profiles that are the B-splines of a form.
func splined(t testing.TB, m *brep.Model, seam float64, form build.Form) *brep.Model {
	t.Helper()
	free, err := build.FreeformAs(m, seam, form)
	if err != nil {
		t.Fatal(err)
	}
	c := build.Reseam(m, seam)
	for i := range c.Faces {
		f, ok := free.Faces[i].Surface.(*surface.BSpline)
		if !ok {
			continue
		}
		u, v := f.Domain()
		around, _ := surface.Iso(f, true, v.Lo, u)
		meridian, _ := surface.Iso(f, false, u.Lo, v)
		var err error
		switch s := c.Faces[i].Surface.(type) {
		case surface.Cylinder:
			c.Faces[i].Surface, err = surface.NewExtrusion(around, s.Frame.Z)
		case surface.Cone:
			c.Faces[i].Surface, err = surface.NewRevolution(meridian, s.Frame.Origin, s.Frame.Z)
		case surface.Sphere:
			c.Faces[i].Surface, err = surface.NewRevolution(meridian, s.Frame.Origin, s.Frame.Z)
		case surface.Torus:
			c.Faces[i].Surface, err = surface.NewRevolution(meridian, s.Frame.Origin, s.Frame.Z)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// trimmed puts a trimmed surface around all but planes, as large as the surface and read backward.
func trimmed(t testing.TB, m *brep.Model) *brep.Model {
	t.Helper()
	c := build.Reseam(m, 0)
	for i := range c.Faces {
		s := c.Faces[i].Surface
		u, v := s.Domain()
		if !u.IsFinite() || !v.IsFinite() {
			continue
		}
		var err error
		if c.Faces[i].Surface, err = surface.NewTrimmed(s, u, v, false, false); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestKnotsOfProfiles compares solids whose circles are rational B-splines, swept or in trimmed surfaces, with their
// closed forms.
func TestKnotsOfProfiles(t *testing.T) {
	for _, form := range []build.Form{{}, {Insert: 2}, {Elevate: 1, Insert: 1}, {Unclamped: true}} {
		for _, s := range solids() {
			free, err := build.FreeformAs(s.m, 0.5, form)
			if err != nil {
				t.Fatal(err)
			}
			swept := splined(t, s.m, 0.5, form)
			for kind, m := range map[string]*brep.Model{
				"swept": swept, "swept and trimmed": trimmed(t, swept), "trimmed": trimmed(t, free),
			} {
				name := fmt.Sprintf("%s %s %+v", s.name, kind, form)
				p, err := Compute(t.Context(), m)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				expect(t, solid{name, m, s.area, s.volume, s.centroid, s.box}, p, 1e-6)
			}
		}
	}
}

// TestRevolvedSplines: a solid inside a B-spline turned from axis to axis has the volume and the area of its profile by
// Pappus, be the knots even or not, smooth or not.
func TestRevolvedSplines(t *testing.T) {
	points := []geom.Vec3{{}, {X: 5}, {X: 6, Z: 3}, {X: 5, Z: 5}, {X: 3, Z: 9}, {X: 6, Z: 10}, {X: 5, Z: 13}, {Z: 14}}
	for _, c := range []struct {
		name    string
		degree  int
		knots   []float64
		weights []float64
	}{
		{"polyline at uneven speed", 1, []float64{0, 0, 1, 2, 3, 4, 5, 6, 7, 7}, nil},
		{"even knots", 2, []float64{0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6}, nil},
		{"uneven knots", 2, []float64{0, 0, 0, 0.1, 0.2, 3, 3.5, 5, 6, 6, 6}, nil},
		{"corners", 2, []float64{0, 0, 0, 1, 1, 2, 2, 4, 6, 6, 6}, nil},
		{"rational", 2, []float64{0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6}, []float64{1, 1, 0.5, 1, 2, 1, 0.7, 1}},
		{"cubic", 3, []float64{0, 0, 0, 0, 1, 2, 3, 4, 6, 6, 6, 6}, nil},
		{"quintic", 5, []float64{0, 0, 0, 0, 0, 0, 1, 2, 6, 6, 6, 6, 6, 6}, nil},
	} {
		profile, err := curve.NewBSpline(c.degree, c.knots, points, c.weights, false)
		if err != nil {
			t.Fatal(err)
		}
		turned, err := surface.NewRevolution(profile, geom.Vec3{}, geom.Vec3{Z: 1})
		if err != nil {
			t.Fatal(err)
		}
		m := &brep.Model{Solids: []brep.Solid{{Shells: []brep.ShellID{0}}},
			Shells: []brep.Shell{{Faces: []brep.FaceID{0}}},
			Faces:  []brep.Face{{Surface: turned, Reversed: true}}, Tolerance: geom.DefaultTolerance}
		m.Link()
		volume, area := pappus(profile)
		for kind, m := range map[string]*brep.Model{"whole": m, "trimmed": trimmed(t, m)} {
			p, err := Compute(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if off(p.Volume, volume) > 1e-8 || off(p.Area, area) > 1e-6 {
				t.Errorf("%s %s: volume %.12g area %.12g, want %.12g %.12g", c.name, kind, p.Volume, p.Area,
					volume, area)
			}
		}
	}
}

// pappus returns the volume inside a profile in the X-Z plane turned about Z, and the area of its surface: π∫x² dz and
// 2π∫x ds over short parts of each span.
func pappus(c *curve.BSpline) (volume, area float64) {
	const parts = 64
	knots := c.Knots().Breaks()
	for i, hi := range knots[1:] {
		h := (hi - knots[i]) / parts
		for k := range parts {
			for j, x := range gaussX {
				p, d := c.D1(knots[i] + h*(float64(k)+x))
				volume += math.Pi * gaussW[j] * h * p.X * p.X * d.Z
				area += 2 * math.Pi * gaussW[j] * h * p.X * d.Norm()
			}
		}
	}
	return volume, area
}
