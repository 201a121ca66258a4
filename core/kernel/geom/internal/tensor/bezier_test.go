package tensor

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
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
		parts := func(k *bspline.Knots, name string) []int {
			out := make([]int, k.Pieces())
			for i := range out {
				out[i] = rapid.IntRange(1, 3).Draw(t, name)
			}
			return out
		}
		u := newStrip(n.U, n.U.Domain(), parts(n.U, "parts of u"))
		v := newStrip(n.V, n.V.Domain(), parts(n.V, "parts of v"))
		c := rapid.Float64Range(0, 1)
		x, y := c.Draw(t, "x"), c.Draw(t, "y")
		count := 0
		n.patches(&u, &v, func(i, j int, net []bspline.Hom) {
			count++
			a := u.bounds[i] + x*(u.bounds[i+1]-u.bounds[i])
			b := v.bounds[j] + y*(v.bounds[j+1]-v.bounds[j])
			want := n.At(a, b)
			wantNear(t, "point of a patch", bernstein(net, n.V.Degree()+1, x, y), want, 1e-10*(1+want.Norm()))
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
		parts  []int
		bounds []float64
		pieces []int32
	}{
		{"everything", geom.Interval{Hi: 4}, nil, []float64{0, 1, 3, 4}, []int32{0, 1, 2}},
		{"inside one piece", geom.Interval{Lo: 1.5, Hi: 2}, nil, []float64{1.5, 2}, []int32{1}},
		{"up to a knot", geom.Interval{Lo: 0.5, Hi: 1}, nil, []float64{0.5, 1}, []int32{0}},
		{"from a knot", geom.Interval{Lo: 1, Hi: 2}, nil, []float64{1, 2}, []int32{1}},
		{"across knots", geom.Interval{Lo: 0.5, Hi: 3.5}, nil, []float64{0.5, 1, 3, 3.5}, []int32{0, 1, 2}},
		{"one parameter", geom.Interval{Lo: 2, Hi: 2}, nil, []float64{2, 2}, []int32{1}},
		{"the end", geom.Interval{Lo: 4, Hi: 4}, nil, []float64{4, 4}, []int32{2}},
		{"in parts", geom.Interval{Hi: 4}, []int{2, 1, 4}, []float64{0, 0.5, 1, 3, 3.25, 3.5, 3.75, 4},
			[]int32{0, 0, 1, 2, 2, 2, 2}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := newStrip(k, r.iv, r.parts)
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
	s := newStrip(k, k.Domain(), []int{3, 2, 1, 5}[:k.Pieces()])
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

func TestTurning(t *testing.T) {
	h := math.Pi / 2
	rows := []struct {
		name string
		q    int
		pts  []geom.Vec3
		u, v float64
	}{
		{"plane", 2, []geom.Vec3{{}, {Y: 3}, {X: 2}, {X: 2, Y: 3}}, 0, 0},
		{"corner in v", 3, []geom.Vec3{{}, {Y: 1}, {Y: 1, Z: 1}, {X: 1}, {X: 1, Y: 1}, {X: 1, Y: 1, Z: 1}}, 0, h},
		{"corner in u", 2, []geom.Vec3{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}}, h, 0},
		{"point", 2, make([]geom.Vec3, 4), 0, 0},
		{"doubled point", 3, []geom.Vec3{{}, {}, {Y: 1}, {X: 1}, {X: 1}, {X: 1, Y: 1}}, 0, 0},
		{"noise at a doubled point", 3,
			[]geom.Vec3{{}, {Z: 1e-8}, {Y: 1}, {X: 1}, {X: 1, Z: 1e-8}, {X: 1, Y: 1}}, 0, 0},
		// The chords along u turn from X to Y, those along v from Z to the diagonal (-1, 1, 1).
		{"twist", 2, []geom.Vec3{{}, {Z: 1}, {X: 1}, {Y: 1, Z: 1}}, math.Acos(1 / math.Sqrt(3)), h},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			u, v := turning(bspline.LiftNet(r.pts, nil), r.q)
			if math.Abs(v-r.v) > 1e-6 || math.Abs(u-r.u) > 1e-6 {
				t.Errorf("turning %v, %v, want %v, %v", u, v, r.u, r.v)
			}
		})
	}
}

func TestTreeHalves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := node{
			i1: int32(rapid.IntRange(1, 40).Draw(t, "rows")), j1: int32(rapid.IntRange(1, 40).Draw(t, "columns")),
		}
		seen := map[int32]bool{}
		cells := int32(0)
		var walk func(n node, depth int)
		walk = func(n node, depth int) {
			if seen[n.at] {
				t.Fatalf("index %d belongs to two nodes", n.at)
			}
			seen[n.at] = true
			if depth >= maxDepth {
				t.Fatalf("the tree of %d × %d cells is deeper than %d", root.i1, root.j1, maxDepth)
			}
			if n.count() == 1 {
				cells++
				return
			}
			a, b := n.halves()
			if a.count()+b.count() != n.count() || a.count() < 1 || b.count() < 1 {
				t.Fatalf("halves of %d cells have %d and %d", n.count(), a.count(), b.count())
			}
			walk(a, depth+1)
			walk(b, depth+1)
		}
		walk(root, 0)
		if cells != root.count() || int32(len(seen)) != 2*cells-1 {
			t.Fatalf("%d leaves and %d nodes for %d cells", cells, len(seen), root.count())
		}
	})
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
