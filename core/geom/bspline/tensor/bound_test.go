package tensor

import (
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

func TestBendOfKnownPatches(t *testing.T) {
	rows := []struct {
		name string
		p, q int
		pts  []geom.Vec3
		want [3]float64 // most of UU, UV, VV
	}{
		{"plane", 1, 1, []geom.Vec3{{}, {Y: 3}, {X: 2}, {X: 2, Y: 3}}, [3]float64{}},
		{"saddle", 1, 1, []geom.Vec3{{}, {Y: 3}, {X: 2}, {X: 2, Y: 3, Z: 1}}, [3]float64{1: 1}},
		{"parabola in u", 2, 1, []geom.Vec3{{}, {Y: 3}, {X: 1, Z: 1}, {X: 1, Y: 3, Z: 1}, {X: 2}, {X: 2, Y: 3}},
			[3]float64{4}},
		{"parabola in v", 1, 2, []geom.Vec3{{}, {Y: 1, Z: 1}, {Y: 2}, {X: 3}, {X: 3, Y: 1, Z: 1}, {X: 3, Y: 2}},
			[3]float64{2: 4}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			net := bspline.LiftNet(r.pts, nil)
			hull := hullOf(net)
			got := bend(net, r.q+1, &hull, false)
			off := math.Abs(got.UU.Most-r.want[0]) + math.Abs(got.UV.Most-r.want[1]) + math.Abs(got.VV.Most-r.want[2])
			if off > 1e-5 {
				t.Errorf("bend = %+v, want %+v", got, r.want)
			}
		})
	}
}

func TestDistanceToBox(t *testing.T) {
	b := round(&geom.Box{Min: geom.Vec3{X: -1, Y: -2, Z: -3}, Max: geom.Vec3{X: 1, Y: 2, Z: 3}})
	rows := []struct {
		p    geom.Vec3
		want float64
	}{
		{geom.Vec3{}, 0},
		{geom.Vec3{X: 1, Y: 2, Z: 3}, 0},
		{geom.Vec3{X: 4}, 9},
		{geom.Vec3{Y: -4, Z: 6}, 13},
		{geom.Vec3{X: -2, Y: 3, Z: -4}, 3},
	}
	for _, r := range rows {
		if got := distance2(&b, r.p); math.Abs(got-r.want) > 1e-5*(1+r.want) {
			t.Errorf("squared distance of %v = %v, want %v", r.p, got, r.want)
		}
	}
}

func TestRoundingIsOutward(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 1e-30, -1e-30, 123456789.123, -0.1, 0.1, 1e30} {
		if lo, hi := below(x), above(x); !(float64(lo) < x && x < float64(hi)) {
			t.Errorf("%v is not strictly inside its rounded range %v … %v", x, lo, hi)
		}
	}
}

func TestExtentIsTight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		x := rapid.Float64Range(0, 1)
		side := func(dom geom.Interval, name string) geom.Interval {
			e := []float64{dom.At(x.Draw(t, name)), dom.At(x.Draw(t, name))}
			sort.Float64s(e)
			return geom.Interval{Lo: e[0], Hi: e[1]}
		}
		u, v := side(n.U.Domain(), "u"), side(n.V.Domain(), "v")
		box := n.Bounds(u, v)
		seen := geom.EmptyBox()
		const steps = 40
		for i := range steps + 1 {
			for j := range steps + 1 {
				p := n.At(u.At(float64(i)/steps), v.At(float64(j)/steps))
				if !box.Contains(p, 1e-12*(1+p.Norm())) {
					t.Fatalf("Bounds(%v, %v) = %v does not contain %v", u, v, box, p)
				}
				seen = seen.Add(p)
			}
		}
		// Between two samples the surface may rise by the square of their distance.
		slack := 0.03*box.Diagonal() + 1e-12*(1+box.Min.Norm()+box.Max.Norm())
		if d := box.Diagonal() - seen.Diagonal(); d > slack {
			t.Fatalf("Bounds(%v, %v) = %v, but the points fill only %v", u, v, box, seen)
		}
	})
}
