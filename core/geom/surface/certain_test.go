package surface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
)

// drawPatch returns a random B-spline surface of any kind that makes closest points hard: high degrees,
// kinks (knots of full multiplicity), weights of three decades, doubled points, collapsed sides and
// corners, sheets that pass each other closely.
func drawPatch(t *rapid.T) *BSpline {
	side := func(name string) (degree int, knots []float64) {
		degree = rapid.SampledFrom([]int{1, 2, 3, 3, 3, 5, 8}).Draw(t, name+" degree")
		knots = make([]float64, degree+1)
		at := 0.0
		for range rapid.IntRange(0, 2).Draw(t, name+" inner knots") {
			at += rapid.Float64Range(0.2, 2).Draw(t, name+" step")
			for range rapid.IntRange(1, degree).Draw(t, name+" multiplicity") {
				knots = append(knots, at)
			}
		}
		at += rapid.Float64Range(0.2, 2).Draw(t, name+" step")
		for range degree + 1 {
			knots = append(knots, at)
		}
		return degree, knots
	}
	p, ku := side("u")
	q, kv := side("v")
	nu, nv := len(ku)-p-1, len(kv)-q-1
	size := rapid.SampledFrom([]float64{1, 10, 100}).Draw(t, "size")
	wave := rapid.SampledFrom([]float64{0.02, 0.3, 1}).Draw(t, "waves") * size
	c := rapid.Float64Range(-1, 1)
	net := make([]geom.Vec3, 0, nu*nv)
	fold := rapid.SampledFrom([]float64{1, 1e-3, 0}).Draw(t, "fold") // a sheet over itself
	for i := range nu {
		for j := range nv {
			x, y := float64(i)/float64(nu-1), float64(j)/float64(nv-1)
			if fold < 1 {
				x = math.Abs(2*x-1) + fold*x
			}
			net = append(net, geom.Vec3{X: size*x + wave*c.Draw(t, "x"), Y: size*y + wave*c.Draw(t, "y"),
				Z: wave * c.Draw(t, "z")})
		}
	}
	collapse(t, net, nu, nv)
	var weights []float64
	if decades := rapid.SampledFrom([]float64{0, 0, 0.3, 1.5}).Draw(t, "decades"); decades > 0 {
		for range net {
			weights = append(weights, math.Pow(10, decades*c.Draw(t, "weight")))
		}
	}
	s, err := NewBSpline(p, q, ku, kv, net, weights)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// collapse makes sides or corners of a net one point.
func collapse(t *rapid.T, net []geom.Vec3, nu, nv int) {
	which := rapid.SampledFrom([]string{"none", "none", "side", "two sides", "corner", "opposite sides"})
	switch which.Draw(t, "collapsed") {
	case "side":
		for j := range nv {
			net[j] = net[0]
		}
	case "two sides":
		for j := range nv {
			net[j] = net[0]
		}
		for i := range nu {
			net[i*nv] = net[0]
		}
	case "opposite sides":
		for j := range nv {
			net[j], net[(nu-1)*nv+j] = net[0], net[(nu-1)*nv]
		}
	case "corner":
		net[1], net[nv] = net[0], net[0]
	}
}

// TestInvertFindsItsOwnPoints: the distance of a point made by At is what certain allows.
func TestInvertFindsItsOwnPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawPatch(t)
		for range 5 {
			u, v := s.u.At(drawShare(t, "u")), s.v.At(drawShare(t, "v"))
			p := s.At(u, v)
			uv, dist := s.Invert(p)
			if d := s.At(uv.X, uv.Y).Dist(p); !(d <= certain) || math.Abs(d-dist) > certain {
				t.Fatalf("the point at %v, %v is inverted to %v, %g away (said: %g), allowed %g", u, v, uv, d, dist,
					certain)
			}
		}
	})
}

// drawShare returns a place in a range, often at or next to an end.
func drawShare(t *rapid.T, name string) float64 {
	if rapid.Bool().Draw(t, name+" near an end") {
		x := math.Pow(10, -rapid.Float64Range(0, 12).Draw(t, name+" digits"))
		if rapid.Bool().Draw(t, name+" at the start") {
			return x
		}
		return 1 - x
	}
	return rapid.Float64Range(0, 1).Draw(t, name)
}

// TestInvertIsNearest: no point of a grid, nor one reached from it, is nearer than the bound of Invert allows.
func TestInvertIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawPatch(t)
		c := rapid.Float64Range(-1, 1)
		p := s.At(s.u.At(drawShare(t, "u")), s.v.At(drawShare(t, "v")))
		off := geom.Vec3{X: c.Draw(t, "dx"), Y: c.Draw(t, "dy"), Z: c.Draw(t, "dz")}
		p = p.AddScaled(s.size*math.Pow(10, -rapid.Float64Range(0, 7).Draw(t, "off")), off)
		_, dist := s.Invert(p)
		if want := densely(s, p); dist > want+max(2*tieSlack*want, certain) {
			t.Fatalf("%v: found a point %g away, there is one at %g", p, dist, want)
		}
	})
}

// TestTrimmedInvertIsNearest compares the closest point of a part of a B-spline with points of a grid.
func TestTrimmedInvertIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawPatch(t)
		part := func(dom geom.Interval, name string) geom.Interval {
			lo := rapid.Float64Range(0, 0.9).Draw(t, name)
			return geom.Interval{Lo: dom.At(lo), Hi: dom.At(lo + rapid.Float64Range(0.05, 1-lo).Draw(t, name+" length"))}
		}
		s, err := NewTrimmed(b, part(b.u, "u"), part(b.v, "v"), rapid.Bool().Draw(t, "sense u"), true)
		if err != nil {
			t.Fatal(err)
		}
		c := rapid.Float64Range(-1, 1)
		p := b.At(b.u.At(drawShare(t, "at u")), b.v.At(drawShare(t, "at v")))
		p = p.AddScaled(b.size*rapid.SampledFrom([]float64{0, 1e-4, 0.1, 1}).Draw(t, "off"),
			geom.Vec3{X: c.Draw(t, "dx"), Y: c.Draw(t, "dy"), Z: c.Draw(t, "dz")})
		uv, dist := s.Invert(p)
		if !s.U.Contains(uv.X, 1e-12*s.U.Length()) || !s.V.Contains(uv.Y, 1e-12*s.V.Length()) {
			t.Fatalf("%v is inverted to %v, outside %v × %v", p, uv, s.U, s.V)
		}
		if d := s.At(uv.X, uv.Y).Dist(p); math.Abs(d-dist) > certain {
			t.Fatalf("%v: distance %g, but the point found is %g away", p, dist, d)
		}
		const n = 40
		for i := range n + 1 {
			for j := range n + 1 {
				u, v := s.U.At(float64(i)/n), s.V.At(float64(j)/n)
				if d := s.At(u, v).Dist(p); dist > d+max(2*tieSlack*d, certain) {
					t.Fatalf("%v: found a point %g away, that at %v, %v is %g away", p, dist, u, v, d)
				}
			}
		}
	})
}
