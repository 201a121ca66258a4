package canonical_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drawForm draws a form that writes B-splines exactly.
func drawForm(t *rapid.T) build.Form {
	f := build.Form{
		Swapped:  rapid.Bool().Draw(t, "swapped"),
		ReverseU: rapid.Bool().Draw(t, "reverse u"),
		ReverseV: rapid.Bool().Draw(t, "reverse v"),
		Elevate:  rapid.IntRange(0, 3).Draw(t, "elevate"),
		Insert:   rapid.IntRange(0, 3).Draw(t, "insert"),
	}
	f.Unclamped = f.Insert >= 2 && rapid.Bool().Draw(t, "unclamped") // else weights may become negative
	return f
}

func drawSolid(t *rapid.T) *brep.Model {
	style := rapid.SampledFrom(build.Styles()).Draw(t, "style")
	size := rapid.Float64Range(0.5, 200)
	a, b, h := size.Draw(t, "a"), size.Draw(t, "b"), size.Draw(t, "h")
	if rapid.Bool().Draw(t, "low") { // rings that are low for their radius are nearly spheres
		h = max(0.2, h/100)
	}
	switch rapid.IntRange(0, 6).Draw(t, "solid") {
	case 0:
		return build.Cylinder(a, h, style)
	case 1:
		return build.Frustum(max(a, b)+1, min(a, b), h, style)
	case 2:
		return build.Sphere(a, style)
	case 3:
		return build.Torus(a+b, a, build.TorusForm(rapid.IntRange(0, int(build.TorusForms)-1).Draw(t, "torus")))
	case 4:
		return build.Tube(a, a+b, h, style)
	case 5:
		return build.Hemispheres(a, style)
	}
	return build.Prism("rounded", build.Rounded(2*a+b, 2*a+h, a), h, style)
}

// moved returns the model in another place.
func moved(t *rapid.T, m *brep.Model) *brep.Model {
	coord := rapid.Float64Range(-1, 1)
	axis := geom.Vec3{X: coord.Draw(t, "ax"), Y: coord.Draw(t, "ay"), Z: 1}
	tr := geom.Translation(geom.Vec3{X: 100, Y: -50}.Scale(coord.Draw(t, "shift"))).
		Mul(geom.Rotation(axis.Unit(), rapid.Float64Range(-3, 3).Draw(t, "angle")))
	c := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	c.Append(m, tr)
	return c
}

// TestAnyFormIsRecovered writes the B-splines of a part in any form, at any position: its faces are recovered, with the
// same normals.
func TestAnyFormIsRecovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := moved(t, drawSolid(t))
		d, err := build.FreeformAs(m, rapid.Float64Range(0, 6).Draw(t, "seam"), drawForm(t))
		if err != nil {
			t.Fatal(err)
		}
		rep := recovered(t, d)
		if rep.Freeform > 0 {
			t.Errorf("%d faces stayed freeform", rep.Freeform)
		}
		for i := range d.Faces {
			sameShape(t, "face", d.Faces[i].Surface, m.Faces[i].Surface, 1e-6)
			sameSide(t, &d.Faces[i], &m.Faces[i])
		}
	})
}

// sameSide compares the outward normals of two faces on the same points.
func sameSide(t check, got, want *brep.Face) {
	t.Helper()
	out := func(f *brep.Face, p geom.Vec3) geom.Vec3 {
		uv, _ := f.Surface.Invert(p)
		if n := f.Surface.Normal(uv.X, uv.Y); !f.Reversed {
			return n
		} else {
			return n.Neg()
		}
	}
	u, v := want.Surface.Domain()
	if !u.IsFinite() {
		u = geom.Interval{Lo: -1, Hi: 1}
	}
	if !v.IsFinite() {
		v = geom.Interval{Lo: -0.1, Hi: 0.1}
	}
	p := want.Surface.At(u.At(0.3), v.At(0.45))
	if a, b := out(got, p), out(want, p); a.Dot(b) < 0.99 {
		t.Errorf("%v: the normal %v, want %v", want.Surface.Kind(), a, b)
	}
}

// TestApproximations checks that circles approximated by cubics become circles with their radius, and only within the
// tolerance. Approximations to a tenth of the tolerance are always recovered.
func TestApproximations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := math.Exp(rapid.Float64Range(-0.7, 5).Draw(t, "ln r"))
		n := rapid.IntRange(4, 40).Draw(t, "cubics")
		m := rapid.SampledFrom([]*brep.Model{build.Cylinder(r, r, build.Style{}),
			build.Frustum(r, r/2, r, build.Style{}), build.Torus(3*r, r, build.TorusWhole)}).Draw(t, "solid")
		off := r * build.CubicError(n)
		if u := m.Faces[0].Surface; u.Kind() == surface.KindTorus {
			off *= 4 // of the large circle
		}
		d, err := build.FreeformAs(m, 0, build.Form{Cubic: n})
		if err != nil {
			t.Fatal(err)
		}
		recovered(t, d)
		for i := range d.Faces {
			if m.Faces[i].Surface.Kind() == surface.KindPlane {
				continue
			}
			isKept := d.Faces[i].Surface.Kind() == surface.KindBSpline
			const finest, coarsest = 1e-5, 1e-4 // mm, the tolerances of canonical
			switch {
			case isKept && off < finest/20 && off < 1e-5*r/20:
				t.Errorf("%v off by %g mm was left freeform", m.Faces[i].Surface.Kind(), off)
			case !isKept && off > coarsest:
				t.Errorf("a B-spline %g mm off became a %v", off, d.Faces[i].Surface.Kind())
			case !isKept:
				sameShape(t, "face", d.Faces[i].Surface, m.Faces[i].Surface, 2*off+1e-6)
			}
		}
	})
}
