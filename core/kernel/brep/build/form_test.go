package build_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestForms: every form is the same surface, point by point, with the normal on the same side of the face.
func TestForms(t *testing.T) {
	solids := map[string]*brep.Model{
		"cylinder": build.Cylinder(2, 5, build.Style{}), "frustum": build.Frustum(3, 1, 5, build.Style{}),
		"sphere": build.Sphere(2, build.Style{}), "torus": build.Torus(5, 2, build.TorusWhole),
	}
	for name, m := range solids {
		for _, f := range []struct {
			name   string
			form   build.Form
			degree [2]int // of u and v, above the degrees of the shortest form
		}{
			{"shortest", build.Form{}, [2]int{}},
			{"swapped", build.Form{Swapped: true}, [2]int{}},
			{"u reversed", build.Form{ReverseU: true}, [2]int{}},
			{"v reversed", build.Form{ReverseV: true}, [2]int{}},
			{"all turned", build.Form{Swapped: true, ReverseU: true, ReverseV: true}, [2]int{}},
			{"elevated", build.Form{Elevate: 3}, [2]int{3, 3}},
			{"knots", build.Form{Insert: 3}, [2]int{}},
			{"unclamped", build.Form{Insert: 2, Unclamped: true}, [2]int{}},
			{"everything", build.Form{Swapped: true, ReverseV: true, Elevate: 1, Insert: 1, Unclamped: true},
				[2]int{1, 1}},
		} {
			d, err := build.FreeformAs(m, 0.5, f.form)
			if err != nil {
				t.Fatalf("%s %s: %v", name, f.name, err)
			}
			for i := range d.Faces {
				b, ok := d.Faces[i].Surface.(*surface.BSpline)
				if !ok {
					continue
				}
				want := m.Faces[i].Surface
				if far := apart(b, want); far > 1e-12 {
					t.Errorf("%s %s: %g mm off", name, f.name, far)
				}
				u, v := b.Domain()
				at, n := b.At(u.At(0.4), v.At(0.4)), b.Normal(u.At(0.4), v.At(0.4))
				foot, _ := want.Invert(at)
				if same := want.Normal(foot.X,
					foot.Y).Dot(n) > 0; same != (d.Faces[i].Reversed == m.Faces[i].Reversed) {
					t.Errorf("%s %s: the normal is on the other side", name, f.name)
				}
				p, q := b.Degrees()
				if f.form.Swapped {
					p, q = q, p
				}
				if p-f.degree[0] != 2 || q-f.degree[1] > 2 || q-f.degree[1] < 1 {
					t.Errorf("%s %s: degrees %d and %d", name, f.name, p, q)
				}
			}
		}
	}
}

// apart returns the largest distance of points of b from a surface.
func apart(b *surface.BSpline, want surface.Surface) (far float64) {
	u, v := b.Domain()
	for i := range 41 {
		for j := range 41 {
			_, d := want.Invert(b.At(u.At(float64(i)/40), v.At(float64(j)/40)))
			far = max(far, d)
		}
	}
	return far
}

// TestCubicError checks that the error of approximated circles is at most CubicError and not much less.
func TestCubicError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(0.1, 100).Draw(t, "r")
		n := rapid.IntRange(4, 16).Draw(t, "cubics in a turn")
		m := build.Cylinder(r, 5, build.Style{})
		d, err := build.FreeformAs(m, 0, build.Form{Cubic: n})
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Faces {
			b, ok := d.Faces[i].Surface.(*surface.BSpline)
			if !ok {
				continue
			}
			far := 0.0
			u, v := b.Domain()
			for k := range 400 {
				_, off := m.Faces[i].Surface.Invert(b.At(u.At(float64(k)/400), v.Lo))
				far = max(far, off)
			}
			const rounding = 1e-14
			want := r * build.CubicError(n)
			if far > want*1.01+rounding*r || far < want*0.7-rounding*r {
				t.Fatalf("off by %g, want %g", far, want)
			}
			if w := b.WeightRatio(); math.Abs(w-1) > 0 {
				t.Fatalf("weights differ by %g", w)
			}
		}
	})
}
