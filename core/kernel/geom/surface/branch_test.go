package surface_test

import (
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// closedProfile is a closed cubic around the point (12, 0) of the xz plane.
func closedProfile(t testing.TB) curve.Curve {
	t.Helper()
	var pts []geom.Vec3
	for i := range 11 {
		sin, cos := math.Sincos(float64(i%8) * math.Pi / 4)
		pts = append(pts, v3(12+5*cos+0.5*float64(i%2), 0, 4*sin))
	}
	k := make([]float64, 15)
	for i := range k {
		k[i] = float64(i - 3)
	}
	c, err := curve.NewBSpline(3, k, pts, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if c.Period() != 8 {
		t.Fatalf("the profile has the period %g, want 8", c.Period())
	}
	return c
}

// walks are surfaces with a closed path over their seams and the parameters it gains in one turn.
func walks(t testing.TB) map[string]struct {
	s      surface.Surface
	path   func(x float64) geom.Vec2 // x from 0 to 1 is one turn
	du, dv float64
} {
	type walk = struct {
		s      surface.Surface
		path   func(x float64) geom.Vec2
		du, dv float64
	}
	diagonal := func(du, dv float64) func(x float64) geom.Vec2 {
		return func(x float64) geom.Vec2 { return uv(0.3+du*x, 0.2+dv*x) }
	}
	const turn = 2 * math.Pi
	round := func(u, v float64) func(x float64) geom.Vec2 {
		return func(x float64) geom.Vec2 {
			sin, cos := math.Sincos(2 * math.Pi * x)
			return uv(0.4*u*cos, v*(0.5+0.2*sin))
		}
	}
	profile := closedProfile(t)
	turned := must(surface.NewRevolution(profile, geom.Vec3{}, v3(0, 0, 1)))
	pipe := must(surface.NewExtrusion(profile, v3(0.2, 1, 0)))
	askew := profile.Transform(geom.Rotation(v3(0, 0, 1), 0.2))
	skew := must(surface.NewRevolution(askew, v3(0, 1, 0), v3(0, 0, 1)))
	return map[string]walk{
		"cylinder":                {cylinder(5), diagonal(turn, 0), turn, 0},
		"torus":                   {torus(7, 2, surface.Whole), diagonal(turn, -turn), turn, -turn},
		"spindle":                 {torus(1, 2, surface.Apple), diagonal(-turn, 0), -turn, 0},
		"sphere":                  {sphere(5), diagonal(turn, 0), turn, 0},
		"lower nappe":             {cone(1, 0.5), func(x float64) geom.Vec2 { return uv(turn*x, -9) }, turn, 0},
		"revolution":              {turned, diagonal(turn, 8), turn, 8},
		"revolution out of plane": {skew, diagonal(turn, -8), turn, -8},
		"extrusion":               {pipe, diagonal(8, 0), 8, 0},
		"B-spline ring":           {ring(t, 7, 2), diagonal(4, -4), 4, -4},
		"unclamped tube":          {unclampedTube(t), round(6, 1), 0, 0},
		"offset ring":             {mustOffset(t, ring(t, 7, 2), 1), diagonal(-4, 4), -4, 4},
		"whole turn of a cylinder": {must(surface.NewTrimmed(cylinder(5), span(1, 1), span(-9, 9), false, true)),
			diagonal(turn, 0), turn, 0},
	}
}

func TestInvertNearFollowsPaths(t *testing.T) {
	for name, w := range walks(t) {
		t.Run(name, func(t *testing.T) {
			const steps, rounds = 90, 3
			start := w.path(0)
			hint, _ := w.s.InvertNear(w.s.At(start.X, start.Y), start)
			for i := range rounds*steps + 1 {
				k, x := i/steps, float64(i%steps)/steps
				q := w.path(x).Add(uv(float64(k)*w.du, float64(k)*w.dv))
				p := w.s.At(q.X, q.Y)
				got, dist := w.s.InvertNear(p, hint)
				if dist > 1e-8 || got.Dist(q) > 1e-6 {
					t.Fatalf("step %d: InvertNear(%v, %v) = %v, %g away, want %v", i, p, hint, got, dist, q)
				}
				hint = got
			}
		})
	}
}

func TestInvertFoldsIntoTheDomain(t *testing.T) {
	for name, w := range walks(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				q := w.path(rapid.Float64Range(-3, 3).Draw(t, "x"))
				q = q.Add(uv(w.du, w.dv).Scale(float64(rapid.IntRange(-3, 3).Draw(t, "rounds"))))
				p := w.s.At(q.X, q.Y)
				got, dist := w.s.Invert(p)
				if dist > 1e-7 {
					t.Fatalf("Invert(%v) = %v, %g away", p, got, dist)
				}
				inDomain(t, w.s, got)
			})
		})
	}
}

func TestBoundsAcrossSeams(t *testing.T) {
	for name, w := range walks(t) {
		t.Run(name, func(t *testing.T) {
			du, dv := w.s.Domain()
			pu, pv := w.s.Periods()
			over := func(dom geom.Interval, period float64) geom.Interval {
				if period > 0 {
					return span(dom.Hi-0.3*period, dom.Hi+0.4*period)
				}
				return span(max(dom.Lo, -1), min(dom.Hi, 3))
			}
			tight := 0.05
			if w.s.Kind() == surface.KindOffset {
				tight = 0.5
			}
			if name == "revolution out of plane" {
				tight = 0.2
			}
			checkBounds(t, w.s, over(du, pu), over(dv, pv), tight)
		})
	}
}

func TestTrimmedReversedProfile(t *testing.T) {
	// A face's sense depends on the direction of the profile: reversed, the normal reverses.
	circle := curve.Circle{Frame: geom.World, Radius: 5}
	fore := must(surface.NewExtrusion(trimmedCurve(t, circle, 1, 3, false), v3(0, 0, 1)))
	back := must(surface.NewExtrusion(trimmedCurve(t, circle, 1, 3, true), v3(0, 0, 1)))
	for _, u := range []float64{1.2, 2, 2.9} {
		near(t, "point", back.At(4-u, 7), fore.At(u, 7), 1e-12)
		near(t, "normal", back.Normal(4-u, 7), fore.Normal(u, 7).Neg(), 1e-12)
	}
	got, dist := back.InvertNear(back.At(1.3, 2), uv(1.2, 1))
	if dist > 1e-9 || got.Dist(uv(1.3, 2)) > 1e-9 {
		t.Errorf("InvertNear on the reversed profile = %v, %g away", got, dist)
	}
}

func TestProfilesOfManyKinds(t *testing.T) {
	poly, err := curve.NewPolyline([]geom.Vec3{v3(4, 0, 0), v3(9, 0, 2), v3(7, 0, 8)})
	if err != nil {
		t.Fatal(err)
	}
	arc := trimmedCurve(t, curve.Circle{
		Frame: geom.Frame{Origin: v3(9, 0, 10), X: v3(0, 0, -1), Y: v3(1, 0, 0), Z: v3(0, -1, 0)}, Radius: 2,
	}, 0, 2, false)
	line := trimmedCurve(t, curve.Line{Origin: v3(4, 0, 3), Dir: v3(5, 0, 5).Unit()}, 0, 5*math.Sqrt2, false)
	joined, err := curve.NewComposite([]curve.Curve{line, arc})
	if err != nil {
		t.Fatal(err)
	}
	lifted, err := curve.NewOffset(wave(t, geom.Vec3{}, v3(1, 0, 0), v3(0, 0, 1), 5), 1, v3(0, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	wall := surface.Plane{Frame: geom.NewFrame(geom.Vec3{}, v3(0, 1, 0), v3(1, 0, 0))}
	circle := curve.Circle{Frame: geom.NewFrame(v3(8, 1, 0), v3(0, 0, 1), v3(1, 0, 0)), Radius: 3}
	on := surface.NewOnSurface(wall, trimmedCurve(t, circle, 0, 4, false))
	for name, c := range map[string]curve.Curve{
		"polyline": poly, "composite": joined, "offset": lifted, "curve on a plane": on,
	} {
		for _, s := range []surface.Surface{
			must(surface.NewExtrusion(c, v3(0.1, 1, 0.3))),
			must(surface.NewRevolution(c, geom.Vec3{}, v3(0, 0, 1))),
		} {
			t.Run(name+" "+s.Kind().String(), func(t *testing.T) {
				dom := c.Domain()
				rapid.Check(t, func(t *rapid.T) {
					x := rapid.Float64Range(dom.Lo, dom.Hi).Draw(t, "profile")
					y := rapid.Float64Range(-3, 3).Draw(t, "other")
					u, v := x, y
					if s.Kind() == surface.KindRevolution {
						u, v = y, x
					}
					p := s.At(u, v)
					if uv, dist := s.Invert(p); dist > 1e-7 {
						t.Fatalf("Invert(At(%v, %v)) = %v, %g away", u, v, uv, dist)
					}
					if uv, dist := s.InvertNear(p, uv(u+0.01, v-0.01)); dist > 1e-7 {
						t.Fatalf("InvertNear(At(%v, %v)) = %v, %g away", u, v, uv, dist)
					}
					p = p.Add(drawVec(t, 3, "off"))
					ur, vr := dom, span(-3, 3)
					if s.Kind() == surface.KindRevolution {
						ur, vr = span(-3, 3), dom
					}
					checkClosest(t, s, p, ur, vr, 1e-6)
				})
			})
		}
	}
}

func TestTablesAreBuiltOnceConcurrently(t *testing.T) {
	profile := wave(t, v3(0, 3, 0), v3(1, 0, 0), v3(0, 0, 1), 4)
	skew := must(surface.NewRevolution(profile, geom.Vec3{}, v3(0, 0, 1)))
	on := surface.NewOnSurface(sphere(5), trimmedCurve(t, curve.Line{Dir: v3(1, 0.2, 0).Unit()}, 0, 5, false))
	offset := mustOffset(t, gentle(t), 2)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			x := 0.1 + float64(i)/10
			if got, dist := skew.Invert(skew.At(x, x)); dist > 1e-8 {
				t.Errorf("revolution: Invert(At(%g, %g)) = %v, %g away", x, x, got, dist)
			}
			if got, dist := on.Invert(on.At(x)); dist > 1e-8 {
				t.Errorf("curve on a sphere: Invert(At(%g)) = %v, %g away", x, got, dist)
			}
			if got, dist := offset.Invert(offset.At(x, x)); dist > 1e-8 {
				t.Errorf("offset: Invert(At(%g, %g)) = %v, %g away", x, x, got, dist)
			}
		})
	}
	wg.Wait()
}
