package tensor

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

// bernstein evaluates a Bézier net with q columns at (x, y) in the unit square by de Casteljau's
// algorithm, independently of the package's matrices.
func bernstein(net []bspline.Hom, q int, x, y float64) geom.Vec3 {
	line := func(pts []bspline.Hom, t float64) bspline.Hom {
		w := append([]bspline.Hom(nil), pts...)
		for n := len(w) - 1; n > 0; n-- {
			for i := range n {
				a, b := w[i], w[i+1]
				w[i] = bspline.Hom{}.AddScaled(1-t, a).AddScaled(t, b)
			}
		}
		return w[0]
	}
	var rows []bspline.Hom
	for i := 0; i < len(net); i += q {
		rows = append(rows, line(net[i:i+q], y))
	}
	return line(rows, x).Point()
}

func TestPatchesReproduceTheSurface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		part := func(dom geom.Interval, name string) geom.Interval {
			x := rapid.Float64Range(0, 1)
			a, b := dom.At(x.Draw(t, name)), dom.At(x.Draw(t, name))
			return geom.Interval{Lo: min(a, b), Hi: max(a, b)}
		}
		u, v := newStrip(n.U, part(n.U.Domain(), "u")), newStrip(n.V, part(n.V.Domain(), "v"))
		c := rapid.Float64Range(0, 1)
		x, y := c.Draw(t, "x"), c.Draw(t, "y")
		count := 0
		n.patches(&u, &v, func(i, j int, net []bspline.Hom) {
			count++
			a := u.bounds[i] + x*(u.bounds[i+1]-u.bounds[i])
			b := v.bounds[j] + y*(v.bounds[j+1]-v.bounds[j])
			want := n.At(a, b)
			wantNear(t, "point of a patch", bernstein(net, n.V.Degree()+1, x, y), want, 1e-9*(1+want.Norm()))
		})
		if count != len(u.piece)*len(v.piece) {
			t.Fatalf("%d patches, want %d × %d", count, len(u.piece), len(v.piece))
		}
	})
}

func TestStripOfPartOfTheDomain(t *testing.T) {
	k, err := bspline.NewKnots(2, 6, []float64{0, 0, 0, 1, 3, 3, 4, 4, 4})
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name   string
		iv     geom.Interval
		bounds []float64
		pieces []int32
	}{
		{"everything", geom.Interval{Hi: 4}, []float64{0, 1, 3, 4}, []int32{0, 1, 2}},
		{"inside one piece", geom.Interval{Lo: 1.5, Hi: 2}, []float64{1.5, 2}, []int32{1}},
		{"up to a knot", geom.Interval{Lo: 0.5, Hi: 1}, []float64{0.5, 1}, []int32{0}},
		{"from a knot", geom.Interval{Lo: 1, Hi: 2}, []float64{1, 2}, []int32{1}},
		{"across knots", geom.Interval{Lo: 0.5, Hi: 3.5}, []float64{0.5, 1, 3, 3.5}, []int32{0, 1, 2}},
		{"one parameter", geom.Interval{Lo: 2, Hi: 2}, []float64{2, 2}, []int32{1}},
		{"the end", geom.Interval{Lo: 4, Hi: 4}, []float64{4, 4}, []int32{2}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := newStrip(k, r.iv)
			if len(s.bounds) != len(r.bounds) || len(s.piece) != len(r.pieces) {
				t.Fatalf("bounds %v of pieces %v, want %v of %v", s.bounds, s.piece, r.bounds, r.pieces)
			}
			for i, b := range s.bounds {
				if math.Abs(b-r.bounds[i]) > 1e-15 {
					t.Errorf("bound %d is %v, want %v", i, b, r.bounds[i])
				}
			}
			for i, p := range s.piece {
				if p != r.pieces[i] {
					t.Errorf("part %d belongs to piece %d, want %d", i, p, r.pieces[i])
				}
			}
		})
	}
}

func TestRestrictionIsConvex(t *testing.T) {
	k, err := bspline.NewKnots(3, 7, []float64{-3, -2, -1, 0, 1, 1, 2.5, 3, 4, 5, 6})
	if err != nil {
		t.Fatal(err)
	}
	s := newStrip(k, geom.Interval{Lo: 0.3, Hi: 2.2})
	for i := 0; i < len(s.matrix); i += 4 {
		sum := 0.0
		for _, f := range s.matrix[i : i+4] {
			if f < 0 {
				t.Fatalf("entry %v is negative, so that the points leave the hull", f)
			}
			sum += f
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("a row sums to %v, want 1", sum)
		}
	}
}

func TestExtentOfKnownShapes(t *testing.T) {
	h := math.Sqrt2 / 2
	arc, line := []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1}
	quarter := []geom.Vec3{{X: 2}, {X: 2, Z: 5}, {X: 2, Y: 2}, {X: 2, Y: 2, Z: 5}, {Y: 2}, {Y: 2, Z: 5}}
	pit := []geom.Vec3{{Z: 1}, {Y: 1, Z: 1}, {X: 1, Z: -1}, {X: 1, Y: 1, Z: -1}, {X: 2, Z: 1}, {X: 2, Y: 1, Z: 1}}
	bump := []geom.Vec3{{}, {Y: 1}, {X: 1, Z: 4}, {X: 1, Y: 1, Z: 4}, {X: 2}, {X: 2, Y: 1}}
	whole, left := geom.Interval{Hi: 1}, geom.Interval{Hi: 0.25}
	s := math.Sqrt2
	rows := []struct {
		name   string
		pts    []geom.Vec3
		w      []float64
		u      geom.Interval
		lo, hi geom.Vec3
	}{
		{"quarter cylinder", quarter, []float64{1, 1, h, h, 1, 1}, whole, geom.Vec3{}, geom.Vec3{X: 2, Y: 2, Z: 5}},
		{"half of it", quarter, []float64{1, 1, h, h, 1, 1}, geom.Interval{Hi: 0.5},
			geom.Vec3{X: s}, geom.Vec3{X: 2, Y: s, Z: 5}},
		{"bump", bump, nil, whole, geom.Vec3{}, geom.Vec3{X: 2, Y: 1, Z: 2}},
		{"side of the bump", bump, nil, left, geom.Vec3{}, geom.Vec3{X: 0.5, Y: 1, Z: 1.5}},
		{"pit", pit, nil, whole, geom.Vec3{}, geom.Vec3{X: 2, Y: 1, Z: 1}},
		{"point", make([]geom.Vec3, 6), nil, whole, geom.Vec3{}, geom.Vec3{}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			n, err := New(2, 1, arc, line, r.pts, r.w)
			if err != nil {
				t.Fatal(err)
			}
			got := n.Bounds(r.u, whole)
			if d := got.Min.Dist(r.lo) + got.Max.Dist(r.hi); d > 1e-6*(1+r.hi.Norm()) {
				t.Errorf("Bounds = %v, want %v … %v", got, r.lo, r.hi)
			}
		})
	}
}

func TestExtentOfRidge(t *testing.T) {
	// The highest points of half a cylinder are a whole line: the search must not split for ever.
	h := math.Sqrt2 / 2
	n, err := New(2, 1, []float64{0, 0, 0, 1, 1, 2, 2, 2}, []float64{0, 0, 1, 1}, []geom.Vec3{
		{X: 2}, {X: 2, Y: 50}, {X: 2, Z: 2}, {X: 2, Y: 50, Z: 2}, {Z: 2}, {Y: 50, Z: 2},
		{X: -2, Z: 2}, {X: -2, Y: 50, Z: 2}, {X: -2}, {X: -2, Y: 50},
	}, []float64{1, 1, h, h, 1, 1, h, h, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	m := geom.Rotation(geom.Vec3{Y: 1}, 0.3) // the ridge is then no border of a patch
	got := n.Transform(m).Bounds(n.U.Domain(), n.V.Domain())
	want := geom.Vec3{X: 2, Y: 50, Z: 2}
	if got.Max.Dist(want) > 1e-5 {
		t.Errorf("highest corner %v, want %v", got.Max, want)
	}
}
