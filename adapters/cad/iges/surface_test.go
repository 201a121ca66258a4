package iges

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pointAndAxes adds a point (116) and directions (123).
func pointAndAxes(d *igestest.Deck, at geom.Vec3, axes ...geom.Vec3) (ids []any) {
	ids = append(ids, d.Add(116, 0, "%s", v(at)))
	for _, a := range axes {
		ids = append(ids, d.Add(123, 0, "%s", v(a)))
	}
	return ids
}

// TestSurfaces reads each kind of surface and compares points and the side of the normal with the formulas
// of the standard, in the file's parameters.
func TestSurfaces(t *testing.T) {
	o, x, y, z := geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	round := func(u, r, h float64) geom.Vec3 {
		return o.Add(geom.Vec3{X: r * math.Cos(u), Y: r * math.Sin(u), Z: h})
	}
	for _, c := range []struct {
		name string
		add  func(d *igestest.Deck) int
		at   func(u, v float64) geom.Vec3 // in the file's parameters
		u, v geom.Interval                // of the file
	}{
		{"plane", func(d *igestest.Deck) int { return d.Add(190, 1, "%d,%d,%d", pointAndAxes(d, o, z, x)...) },
			func(u, v float64) geom.Vec3 { return o.Add(geom.Vec3{X: u, Y: v}) },
			geom.Interval{Lo: -1, Hi: 4}, geom.Interval{Lo: -1, Hi: 4}},
		{"plane by its equation", func(d *igestest.Deck) int { return d.Add(108, 0, "0.,0.,2.,6.,0,0.,0.,0.,1.") },
			func(u, v float64) geom.Vec3 { return geom.Vec3{X: u, Y: v, Z: 3} },
			geom.Interval{Lo: -1, Hi: 4}, geom.Interval{Lo: -1, Hi: 4}},
		{"cylinder", func(d *igestest.Deck) int {
			return d.Add(192, 1, "%d,%d,2.5,%d", pointAndAxes(d, o, z, x)...)
		}, func(u, v float64) geom.Vec3 { return round(u, 2.5, v) }, turn, geom.Interval{Lo: -1, Hi: 4}},
		{"cone", func(d *igestest.Deck) int {
			return d.Add(194, 1, "%d,%d,2.,45.,%d", pointAndAxes(d, o, z, x)...)
		}, func(u, v float64) geom.Vec3 { return round(u, 2+v, v) }, turn, geom.Interval{Lo: -1, Hi: 4}},
		{"sphere", func(d *igestest.Deck) int {
			return d.Add(196, 1, "%d,2.,%d,%d", pointAndAxes(d, o, z, x)...)
		}, func(u, v float64) geom.Vec3 { return round(u, 2*math.Cos(v), 2*math.Sin(v)) },
			turn, geom.Interval{Lo: -1.5, Hi: 1.5}},
		{"torus", func(d *igestest.Deck) int {
			return d.Add(198, 1, "%d,%d,5.,2.,%d", pointAndAxes(d, o, z, x)...)
		}, func(u, v float64) geom.Vec3 { return round(u, 5+2*math.Cos(v), 2*math.Sin(v)) }, turn, turn},
		{"revolution", func(d *igestest.Deck) int {
			axis := d.Add(110, 0, "%s,%s", v(o), v(o.Add(z)))
			return d.Add(120, 0, "%d,%d,0.,%.17g", axis,
				d.Add(110, 0, "%s,%s", v(o.Add(x)), v(o.Add(x.Scale(3)).Add(z))), 2*math.Pi)
		}, func(u, v float64) geom.Vec3 { return round(v, 1+2*u, u) }, geom.Interval{Hi: 1}, turn},
		{"tabulated cylinder", func(d *igestest.Deck) int {
			arc := d.Add(100, 0, "0.,0.,0.,2.,0.,0.,2.")
			return d.Add(122, 0, "%d,3.,1.,4.", arc)
		}, func(u, v float64) geom.Vec3 {
			return geom.Vec3{X: 2*math.Cos(u) + v, Y: 2*math.Sin(u) + v, Z: 4 * v}
		}, geom.Interval{Hi: math.Pi / 2}, geom.Interval{Hi: 1}},
		{"ruled between a line and an arc", func(d *igestest.Deck) int {
			a, b := d.Add(110, 0, "2.,0.,0.,0.,2.,0."), d.Add(100, 0, "5.,0.,0.,2.,0.,0.,2.")
			return d.Add(118, 1, "%d,%d,0,0", a, b)
		}, nil, geom.Interval{Hi: 1}, geom.Interval{Hi: 1}},
		{"offset", func(d *igestest.Deck) int {
			base := d.Add(192, 1, "%d,%d,2.5,%d", pointAndAxes(d, o, z, x)...)
			return d.Add(140, 0, "-1.,0.,0.,0.5,%d", base) // outward at the middle, after half a turn
		}, func(u, v float64) geom.Vec3 { return round(u, 3, v) }, turn, geom.Interval{Lo: -1, Hi: 4}},
		{"offset inwards", func(d *igestest.Deck) int {
			base := d.Add(192, 1, "%d,%d,2.5,%d", pointAndAxes(d, o, z, x)...)
			return d.Add(140, 0, "1.,0.,0.,0.5,%d", base)
		}, func(u, v float64) geom.Vec3 { return round(u, 2, v) }, turn, geom.Interval{Lo: -1, Hi: 4}},
		{"bilinear spline", func(d *igestest.Deck) int {
			return d.Add(128, 0, "1,1,1,1,0,0,1,0,0,0.,0.,2.,2.,0.,0.,3.,3.,1.,1.,1.,1.,"+
				"0.,0.,0.,2.,0.,0.,0.,3.,0.,2.,3.,1.,0.,2.,0.,3.")
		}, func(u, v float64) geom.Vec3 { return geom.Vec3{X: u, Y: v, Z: u * v / 6} }, geom.Interval{Hi: 2},
			geom.Interval{Hi: 3}},
		{"mirrored cylinder", func(d *igestest.Deck) int {
			m := matrix(d, geom.Transform{X: x.Neg(), Y: y, Z: z}, 1)
			text := fmt.Sprintf("%d,%d,2.5,%d", pointAndAxes(d, o, z, x)...)
			return d.Put(igestest.Entry{Type: 192, Form: 1, Transform: m, Parameters: text})
		}, func(u, v float64) geom.Vec3 {
			p := round(u, 2.5, v)
			return geom.Vec3{X: -p.X, Y: p.Y, Z: p.Z}
		}, turn, geom.Interval{Lo: -1, Hi: 4}},
	} {
		d := &igestest.Deck{}
		r, e := open(t, t, d, c.add(d))
		got, err := r.surface(e)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.at == nil {
			continue
		}
		for i := 1; i < 6; i++ {
			u, v := c.u.At(float64(i)/6), c.v.At(float64(i*i%7)/7)
			want := c.at(u, v)
			uv, off := got.s.Invert(want)
			if off > 1e-9 {
				t.Errorf("%s: (%.3g, %.3g) is %g mm off", c.name, u, v, off)
			}
			const h = 1e-5
			du, dv := c.at(u+h, v).Sub(c.at(u-h, v)), c.at(u, v+h).Sub(c.at(u, v-h))
			side := got.s.Normal(uv.X, uv.Y).Dot(du.Cross(dv))
			if side > 0 == got.flipped {
				t.Errorf("%s: the normal at (%.3g, %.3g) is on the wrong side, flipped %v", c.name, u, v, got.flipped)
			}
		}
	}
}

var turn = geom.Interval{Hi: 2 * math.Pi}

func TestBadSurfaces(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(d *igestest.Deck) int
		err  string
	}{
		{"no surface", func(d *igestest.Deck) int { return d.Add(110, 0, "0.,0.,0.,1.,0.,0.") },
			"is not a readable surface"},
		{"plane without a normal", func(d *igestest.Deck) int { return d.Add(108, 0, "0.,0.,0.,1.") }, "has no normal"},
		{"cylinder without a radius", func(d *igestest.Deck) int {
			return d.Add(192, 0, "%d,%d,0.", pointAndAxes(d, geom.Vec3{}, geom.World.Z)...)
		}, "no valid radius"},
		{"cylinder without an axis", func(d *igestest.Deck) int {
			return d.Add(192, 0, "%d,%d,1.", pointAndAxes(d, geom.Vec3{}, geom.Vec3{})...)
		}, "has no length"},
		{"cone too wide", func(d *igestest.Deck) int {
			return d.Add(194, 0, "%d,%d,1.,90.", pointAndAxes(d, geom.Vec3{}, geom.World.Z)...)
		}, "no valid radius or angle"},
		{"torus without a radius", func(d *igestest.Deck) int {
			return d.Add(198, 0, "%d,%d,1.,-1.", pointAndAxes(d, geom.Vec3{}, geom.World.Z)...)
		}, "no valid radius"},
		{"axis that is no point", func(d *igestest.Deck) int {
			return d.Add(192, 0, "%d,0,1.", d.Add(123, 0, "0.,0.,1."))
		}, "where an entity 116 belongs"},
		{"revolution about nothing", func(d *igestest.Deck) int {
			l := d.Add(110, 0, "0.,0.,0.,0.,0.,0.")
			return d.Add(120, 0, "%d,%d,0.,1.", l, d.Add(110, 0, "1.,0.,0.,2.,0.,0."))
		}, "has no length"},
		{"extrusion by nothing", func(d *igestest.Deck) int {
			return d.Add(122, 0, "%d,1.,0.,0.", d.Add(110, 0, "1.,0.,0.,2.,0.,0."))
		}, "no valid geometry"},
		{"offset of itself", func(d *igestest.Deck) int { return d.Add(140, 0, "0.,0.,1.,1.,1") }, "part of itself"},
		{"patches that are not there", func(d *igestest.Deck) int { return d.Add(114, 0, "3,1,50,50,0.,1.") },
			"counts more patches than it has"},
		{"points that are not there",
			func(d *igestest.Deck) int { return d.Add(128, 0, "30000,30000,3,3,0,0,1,0,0,0.") },
			"more control points"},
	} {
		d := &igestest.Deck{}
		r, e := open(t, t, d, c.add(d))
		if _, err := r.surface(e); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
	}
}

// TestRuledSurfaces compares points of ruled surfaces with lines between points of their curves.
func TestRuledSurfaces(t *testing.T) {
	rails := map[string]func(d *igestest.Deck, z float64) int{
		"line":  func(d *igestest.Deck, z float64) int { return d.Add(110, 0, "0.,0.,%g,9.,1.,%g", z, z) },
		"point": func(d *igestest.Deck, z float64) int { return d.Add(116, 0, "1.,2.,%g", z) },
		"arc":   func(d *igestest.Deck, z float64) int { return d.Add(100, 0, "%g,0.,0.,3.,0.,0.,-3.", z) },
		"circle": func(d *igestest.Deck, z float64) int {
			return d.Add(100, 0, "%g,0.,0.,3.,0.,3.,0.", z)
		},
		"polyline": func(d *igestest.Deck, z float64) int {
			return d.Add(106, 11, "1,4,%g,0.,0.,2.,1.,4.,0.,9.,3.", z)
		},
		"spline": func(d *igestest.Deck, z float64) int {
			return d.Add(126, 0, "4,3,0,0,1,0,0.,0.,0.,0.,0.3,1.,1.,1.,1.,1.,1.,1.,1.,1.,"+
				"0.,0.,%g,1.,4.,%g,3.,-1.,%g,6.,2.,%g,8.,0.,%g,0.1,0.9,0.,0.,1.", z, z, z, z, z)
		},
		"rational": func(d *igestest.Deck, z float64) int {
			return d.Add(126, 0,
				"2,2,0,0,0,0,2.,2.,2.,5.,5.,5.,1.,.5,2.,0.,0.,%g,1.,4.,%g,3.,-1.,%g,2.,5.,0.,0.,1.", z, z, z)
		},
	}
	rapid.Check(t, func(rt *rapid.T) {
		kinds := rapid.SampledFrom([]string{"line", "point", "arc", "circle", "polyline", "spline", "rational"})
		first, second := kinds.Draw(rt, "first"), kinds.Draw(rt, "second")
		opposite := rapid.Bool().Draw(rt, "opposite")
		if first == "point" && second == "point" {
			return // a line
		}
		d := &igestest.Deck{}
		a, b := rails[first](d, 0), rails[second](d, 5)
		flag := 0
		if opposite {
			flag = 1
		}
		r, e := open(t, rt, d, d.Add(118, 1, "%d,%d,%d,0", a, b, flag))
		got, err := r.surface(e)
		if err != nil {
			rt.Fatal(err)
		}
		rail := func(de int, x float64) geom.Vec3 {
			c, _ := r.file.At(de)
			if c.Type == 116 {
				return geom.Vec3{X: 1, Y: 2, Z: map[int]float64{a: 0, b: 5}[de]}
			}
			pieces, err := r.curve(c)
			if err != nil {
				rt.Fatal(err)
			}
			return pieces[0].c.At(pieces[0].iv.At(x))
		}
		x, y := rapid.Float64Range(0, 1).Draw(rt, "x"), rapid.Float64Range(0, 1).Draw(rt, "y")
		other := x
		if opposite {
			other = 1 - x
		}
		want := rail(a, x).Lerp(rail(b, other), y)
		_, off := got.s.InvertNear(want, geom.Vec2{X: x, Y: y})
		tolerance := 1e-8
		if round := map[string]bool{"arc": true, "circle": true}; round[first] || round[second] {
			tolerance = 1e-5 // rails of arcs are fitted
		}
		if off > tolerance {
			rt.Fatalf("%s to %s: the point at (%g, %g) is %g mm off", first, second, x, y, off)
		}
	})
}

// TestParametricSurfaces compares patches in the power form (114) with their polynomials.
func TestParametricSurfaces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, n := rapid.IntRange(1, 3).Draw(rt, "m"), rapid.IntRange(1, 3).Draw(rt, "n")
		// One polynomial over the whole grid, expanded about the corner of each patch.
		var whole [3][4][4]float64
		for axis := range whole {
			for k := range whole[axis] {
				for l := range whole[axis][k] {
					whole[axis][k][l] = rapid.Float64Range(-1, 1).Draw(rt, "coefficient")
				}
			}
		}
		at := func(u, v float64) (p geom.Vec3) {
			var x [3]float64
			for axis := range whole {
				for k := range 4 {
					for l := range 4 {
						x[axis] += whole[axis][k][l] * math.Pow(v, float64(k)) * math.Pow(u, float64(l))
					}
				}
			}
			return geom.Vec3{X: x[0], Y: x[1], Z: x[2]}
		}
		var text []string
		for i := range m + 1 {
			text = append(text, fmt.Sprint(i))
		}
		for j := range n + 1 {
			text = append(text, fmt.Sprint(2*j))
		}
		for i := range m + 1 {
			for j := range n + 1 {
				for axis := range whole {
					for k := range 4 {
						for l := range 4 {
							c := 0.0
							for kk := k; kk < 4; kk++ {
								for ll := l; ll < 4; ll++ {
									c += whole[axis][kk][ll] * choose(kk, k) * choose(ll, l) *
										math.Pow(2*float64(j), float64(kk-k)) * math.Pow(float64(i), float64(ll-l))
								}
							}
							text = append(text, fmt.Sprintf("%.17g", c))
						}
					}
				}
			}
		}
		d := &igestest.Deck{}
		r, e := open(t, rt, d, d.Add(114, 0, "3,1,%d,%d,%s", m, n, strings.Join(text, ",")))
		got, err := r.surface(e)
		if err != nil {
			rt.Fatal(err)
		}
		if got.u.Hi != float64(m) || got.v.Hi != 2*float64(n) {
			rt.Fatalf("limits %v and %v", got.u, got.v)
		}
		u, v := got.u.At(rapid.Float64Range(0, 1).Draw(rt, "u")), got.v.At(rapid.Float64Range(0, 1).Draw(rt, "v"))
		if p, want := got.s.At(u, v), at(u, v); p.Dist(want) > 1e-8*(1+want.Norm()) {
			rt.Fatalf("at (%g, %g): %v, want %v", u, v, p, want)
		}
		if _, ok := got.s.(*surface.BSpline); !ok {
			rt.Fatalf("a %v", got.s.Kind())
		}
	})
}

func choose(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}
