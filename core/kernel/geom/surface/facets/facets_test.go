package facets

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// dome is a fan of triangles over a sphere of radius 10 about the origin, with the sphere's normals.
func dome(t rapid.TB, n int, carrier surface.Surface) *Surface {
	points := []geom.Vec3{{Z: 10}}
	var tris [][3]int32
	for ring := 1; ring <= n; ring++ {
		for k := range n {
			theta, phi := float64(ring)/float64(n), 2*math.Pi*float64(k)/float64(n)
			points = append(points, geom.Vec3{X: 10 * math.Sin(theta) * math.Cos(phi),
				Y: 10 * math.Sin(theta) * math.Sin(phi), Z: 10 * math.Cos(theta)})
		}
	}
	at := func(ring, k int) int32 {
		if ring == 0 {
			return 0
		}
		return int32(1 + (ring-1)*n + k%n)
	}
	for ring := range n {
		for k := range n {
			tris = append(tris, [3]int32{at(ring, k), at(ring+1, k), at(ring+1, k+1)})
			if ring > 0 {
				tris = append(tris, [3]int32{at(ring, k), at(ring+1, k+1), at(ring, k+1)})
			}
		}
	}
	normals := make([]geom.Vec3, len(points))
	for i, p := range points {
		normals[i] = p.Unit()
	}
	s, err := New(points, normals, tris, carrier)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewRefuses(t *testing.T) {
	p := []geom.Vec3{{}, {X: 1}, {Y: 1}}
	tri := [][3]int32{{0, 1, 2}}
	for name, make := range map[string]func() (*Surface, error){
		"no triangle":     func() (*Surface, error) { return New(p, nil, nil, nil) },
		"corner too high": func() (*Surface, error) { return New(p, nil, [][3]int32{{0, 1, 3}}, nil) },
		"corner negative": func() (*Surface, error) { return New(p, nil, [][3]int32{{0, 1, -1}}, nil) },
		"too few normals": func() (*Surface, error) { return New(p, p[:1], tri, nil) },
		"point not finite": func() (*Surface, error) {
			return New([]geom.Vec3{{X: math.NaN()}, {}, {}}, nil,
				tri, nil)
		},
		"point not bounded": func() (*Surface, error) {
			return New([]geom.Vec3{{X: math.Inf(1)}, {}, {}}, nil,
				tri, nil)
		},
		"no point at all":    func() (*Surface, error) { return New(nil, nil, tri, nil) },
		"normals, no points": func() (*Surface, error) { return New(nil, p, tri, nil) },
	} {
		if s, err := make(); err == nil {
			t.Errorf("%s: got %v", name, s)
		}
	}
}

// TestParametersNameTriangles evaluates every triangle at its corners, its middle and beyond.
func TestParametersNameTriangles(t *testing.T) {
	s := dome(t, 7, nil)
	u, v := s.Domain()
	if u.Hi != float64(2*len(s.Triangles())-1) || v.Hi != 1 {
		t.Errorf("domain %v, %v", u, v)
	}
	for i, tri := range s.Triangles() {
		at := 2 * float64(i)
		for _, c := range []struct{ x, y, a, b, c float64 }{
			{0, 0, 1, 0, 0}, {1, 0, 0, 1, 0}, {0, 1, 0, 0, 1}, {1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3},
		} {
			want := s.Points()[tri[0]].Scale(c.a).AddScaled(c.b, s.Points()[tri[1]]).AddScaled(c.c, s.Points()[tri[2]])
			if got := s.At(at+c.x, c.y); got.Dist(want) > 1e-12 {
				t.Fatalf("triangle %d at (%g, %g): %v, want %v", i, c.x, c.y, got, want)
			}
		}
	}
	for _, far := range []float64{-100, 1e9} {
		if p := s.At(far, 0); !p.IsFinite() {
			t.Errorf("At(%g, 0) = %v", far, p)
		}
	}
}

// TestInvertFindsTheClosest compares the search with looking at all triangles.
func TestInvertFindsTheClosest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := dome(rt, rapid.IntRange(3, 20).Draw(rt, "n"), nil)
		coord := rapid.Float64Range(-15, 15)
		p := geom.Vec3{X: coord.Draw(rt, "x"), Y: coord.Draw(rt, "y"), Z: coord.Draw(rt, "z")}
		best := math.Inf(1)
		for _, tri := range s.Triangles() {
			const n = 12 // a grid over the triangle bounds the distance from above
			a, b, c := s.Points()[tri[0]], s.Points()[tri[1]], s.Points()[tri[2]]
			for i := range n + 1 {
				for j := range n + 1 - i {
					q := a.AddScaled(float64(i)/n, b.Sub(a)).AddScaled(float64(j)/n, c.Sub(a))
					best = min(best, q.Dist(p))
				}
			}
		}
		hint := geom.Vec2{X: rapid.Float64Range(-5, 500).Draw(rt, "hint")}
		uv, dist := s.Invert(p)
		near, again := s.InvertNear(p, hint)
		u, v := s.Domain()
		if dist > best+1e-12 || math.Abs(again-dist) > 1e-12 {
			rt.Errorf("distance %g, with a hint %g, a grid finds %g", dist, again, best)
		}
		for _, q := range []geom.Vec2{uv, near} {
			if d := s.At(q.X, q.Y).Dist(p); math.Abs(d-dist) > 1e-9 {
				rt.Errorf("the point at %v is %g away, not %g", q, d, dist)
			}
			if !u.Contains(q.X, 0) || !v.Contains(q.Y, 0) {
				rt.Errorf("%v is outside the domain", q)
			}
		}
	})
}

// TestPointsInvertToThemselves takes points of the surface.
func TestPointsInvertToThemselves(t *testing.T) {
	s := dome(t, 12, nil)
	rapid.Check(t, func(rt *rapid.T) {
		i := rapid.IntRange(0, len(s.Triangles())-1).Draw(rt, "triangle")
		x := rapid.Float64Range(0, 1).Draw(rt, "x")
		y := rapid.Float64Range(0, 1-x).Draw(rt, "y")
		p := s.At(2*float64(i)+x, y)
		if uv, dist := s.Invert(p); dist > 1e-12 || s.At(uv.X, uv.Y).Dist(p) > 1e-12 {
			rt.Errorf("%v is %g off", p, dist)
		}
	})
}

func TestNormals(t *testing.T) {
	s := dome(t, 16, nil)
	for i := range s.Triangles() {
		p, n := s.At(2*float64(i)+0.3, 0.4), s.Normal(2*float64(i)+0.3, 0.4)
		if a := n.Angle(p.Unit()); a > 5e-3 || math.Abs(n.Norm()-1) > 1e-12 {
			t.Errorf("triangle %d: the normal is %g rad off that of the sphere", i, a)
		}
		_, du, dv := s.D1(2*float64(i), 0)
		if du.Cross(dv).Dot(n) <= 0 {
			t.Errorf("triangle %d: the normal is on the other side than Du × Dv", i)
		}
	}
	mean, err := New(s.Points(), nil, s.Triangles(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := mean.Normals()[0].Angle(geom.Vec3{Z: 1}); a > 1e-9 {
		t.Errorf("the mean normal of a symmetric fan is %g rad off", a)
	}
	opposed, err := New([]geom.Vec3{{}, {X: 1}, {Y: 1}}, []geom.Vec3{{Z: 1}, {Z: -1}, {}},
		[][3]int32{{0, 1, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := opposed.Normal(0.5, 0); n != (geom.Vec3{Z: 1}) {
		t.Errorf("opposed normals blend to %v, want the triangle's own", n)
	}
}

// TestTransformMovesEverything checks that a moved surface is the moved points, on both sides of a mirror.
func TestTransformMovesEverything(t *testing.T) {
	sphere := surface.Sphere{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}), Radius: 10}
	s := dome(t, 9, sphere)
	mirror := geom.Identity
	mirror.X = mirror.X.Neg()
	for name, m := range map[string]geom.Transform{
		"turned":   geom.Rotation(geom.Vec3{X: 1, Y: 2, Z: 3}.Unit(), 1).Mul(geom.Translation(geom.Vec3{X: 5})),
		"scaled":   geom.Scaling(2.5),
		"mirrored": mirror.Mul(geom.Rotation(geom.Vec3{Y: 1}, 0.3)),
	} {
		moved := s.Transform(m).(*Surface)
		for i := range s.Triangles() {
			u, v := 2*float64(i)+0.2, 0.5
			if d := moved.At(u, v).Dist(m.Point(s.At(u, v))); d > 1e-12 {
				t.Errorf("%s: triangle %d is %g off", name, i, d)
			}
			_, du, dv := moved.D1(u, v)
			if n := moved.Normal(u, v); du.Cross(dv).Dot(n) <= 0 {
				t.Errorf("%s: the normal of triangle %d is on the wrong side", name, i)
			}
		}
		u, v := moved.Domain()
		if !moved.Bounds(u, v).Contains(m.Point(s.Points()[0]), 1e-9) {
			t.Errorf("%s: the bounds miss a point", name)
		}
		for _, p := range moved.Points() {
			if _, d := moved.Carrier().Invert(p); d > 1e-9 {
				t.Fatalf("%s: a point is %g off the moved carrier", name, d)
			}
		}
		if k := surface.ShapeKind(moved); k != "Sphere" {
			t.Errorf("%s: shape kind %s", name, k)
		}
	}
	if k := surface.ShapeKind(dome(t, 3, nil)); k != "Freeform" {
		t.Errorf("shape kind without a carrier: %s", k)
	}
	if got := surface.KindFacets.String(); got != "Facets" {
		t.Errorf("name of the kind: %s", got)
	}
}

func TestBoundsOfSomeTriangles(t *testing.T) {
	s := dome(t, 6, nil)
	part := s.Bounds(geom.Interval{Lo: 4, Hi: 7}, geom.Interval{Hi: 1})
	whole := s.Bounds(s.Domain())
	for _, i := range []int{2, 3} {
		for _, v := range s.Triangles()[i] {
			if !part.Contains(s.Points()[v], 0) {
				t.Errorf("triangle %d sticks out of %v", i, part)
			}
		}
	}
	if part.Diagonal() >= whole.Diagonal() {
		t.Errorf("the box of two triangles is as large as that of all")
	}
}
