package tensor

import (
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// every lists all cells of a net.
func every(n *Net) []Cell {
	var s Search
	n.LeafGrid().Search(geom.Vec3{}, &s)
	var out []Cell
	for {
		c, ok := s.Next(math.Inf(1))
		if !ok {
			return out
		}
		out = append(out, c)
	}
}

func TestCellsTileTheDomain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		cells := every(n)
		if len(cells) != n.LeafGrid().Count() {
			t.Fatalf("a search without bound gives %d cells of %d", len(cells), n.LeafGrid().Count())
		}
		area := 0.0
		for _, c := range cells {
			area += c.U.Length() * c.V.Length()
		}
		if want := n.U.Domain().Length() * n.V.Domain().Length(); math.Abs(area-want) > 1e-9*want {
			t.Fatalf("the cells cover %v of %v", area, want)
		}
	})
}

func TestCellsLieInOnePiece(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		for _, c := range every(n) {
			if n.U.Piece(c.U.Lo) != n.U.Piece(c.U.Hi) || n.V.Piece(c.V.Lo) != n.V.Piece(c.V.Hi) {
				t.Fatalf("cell %v × %v reaches into the next piece", c.U, c.V)
			}
		}
	})
}

func TestCellBendsBoundSecondDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		cells := every(n)
		c := cells[rapid.IntRange(0, len(cells)-1).Draw(t, "cell")]
		x := rapid.Float64Range(0, 0.999999) // the end of a range may round up to the next piece
		var j Jet
		n.D2(c.U.At(x.Draw(t, "x")), c.V.At(x.Draw(t, "y")), &j)
		hu, hv := c.U.Length(), c.V.Length()
		for _, r := range []struct {
			name       string
			got, bound float64
		}{
			{"Suu", hu * hu * j.Duu.Norm(), float64(c.UU)},
			{"Suv", hu * hv * j.Duv.Norm(), float64(c.UV)},
			{"Svv", hv * hv * j.Dvv.Norm(), float64(c.VV)},
		} {
			if r.got > r.bound*(1+1e-6)+1e-9 {
				t.Fatalf("|%s| on a cell is %v, above its bound %v", r.name, r.got, r.bound)
			}
		}
	})
}

func TestBendOfKnownPatches(t *testing.T) {
	rows := []struct {
		name string
		p, q int
		pts  []geom.Vec3
		want DerivBound
	}{
		{"plane", 1, 1, []geom.Vec3{{}, {Y: 3}, {X: 2}, {X: 2, Y: 3}}, DerivBound{}},
		{"saddle", 1, 1, []geom.Vec3{{}, {Y: 3}, {X: 2}, {X: 2, Y: 3, Z: 1}}, DerivBound{UV: 1}},
		{"parabola in u", 2, 1, []geom.Vec3{{}, {Y: 3}, {X: 1, Z: 1}, {X: 1, Y: 3, Z: 1}, {X: 2}, {X: 2, Y: 3}},
			DerivBound{UU: 4}},
		{"parabola in v", 1, 2, []geom.Vec3{{}, {Y: 1, Z: 1}, {Y: 2}, {X: 3}, {X: 3, Y: 1, Z: 1}, {X: 3, Y: 2}},
			DerivBound{VV: 4}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			net := bspline.LiftNet(r.pts, nil)
			hull := hullOf(net)
			got := bend(net, r.q+1, &hull)
			off := math.Abs(float64(got.UU-r.want.UU)) + math.Abs(float64(got.UV-r.want.UV)) +
				math.Abs(float64(got.VV-r.want.VV))
			if off > 1e-5 {
				t.Errorf("bend = %+v, want %+v", got, r.want)
			}
		})
	}
}

func TestSearchGivesAllNearCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		c := rapid.Float64Range(-20, 40)
		p := geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z") / 3}
		reach := rapid.Float64Range(0.1, 30).Draw(t, "reach")
		var s Search
		n.LeafGrid().Search(p, &s)
		found := map[[2]float64]bool{}
		for {
			cell, ok := s.Next(reach * reach)
			if !ok {
				break
			}
			key := [2]float64{cell.U.Lo, cell.V.Lo}
			if found[key] {
				t.Fatalf("the cell at %v comes twice", key)
			}
			found[key] = true
		}
		for _, cell := range every(n) {
			for i := range 9 {
				q := n.At(cell.U.At(float64(i%3)/2), cell.V.At(float64(i/3)/2))
				if q.Dist(p) < reach*(1-1e-9) && !found[[2]float64{cell.U.Lo, cell.V.Lo}] {
					t.Fatalf("cell %v × %v comes within %v of %v but was left out", cell.U, cell.V, q.Dist(p), p)
				}
			}
		}
	})
}

func TestSearchStartsNear(t *testing.T) {
	n := sheet(t, 20)
	var s Search
	p := n.At(0.37, 0.71)
	n.LeafGrid().Search(p, &s)
	best, looks := math.Inf(1), 0
	for {
		c, ok := s.Next(best * best)
		if !ok {
			break
		}
		looks++
		best = math.Min(best, 1e-9+n.At(c.U.Mid(), c.V.Mid()).Dist(p))
		if c.U.Contains(0.37, 0) && c.V.Contains(0.71, 0) {
			best = 1e-9
		}
	}
	if looks > 6 {
		t.Errorf("%d of %d cells looked at for a point of the surface", looks, n.LeafGrid().Count())
	}
}

// sheet is a wavy bicubic sheet of n × n points over the unit square of parameters, 10 mm a point.
func sheet(t testing.TB, n int) *Net {
	t.Helper()
	k := make([]float64, n+4)
	for i := range k {
		k[i] = math.Max(0, math.Min(1, float64(i-3)/float64(n-3)))
	}
	var pts []geom.Vec3
	for i := range n {
		for j := range n {
			x, y := 10*float64(i), 10*float64(j)
			pts = append(pts, geom.Vec3{X: x, Y: y, Z: 8 * math.Sin(x/15) * math.Cos(y/20)})
		}
	}
	s, err := New(3, 3, k, k, pts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTurningDecidesTheCells(t *testing.T) {
	h := math.Sqrt2 / 2
	arc := []float64{0, 0, 0, 1, 1, 1}
	line := []float64{0, 0, 1, 1}
	rows := []struct {
		name   string
		p, q   int
		ku, kv []float64
		pts    []geom.Vec3
		w      []float64
		want   int
	}{
		{"plane", 1, 1, line, line, []geom.Vec3{{}, {Y: 3}, {X: 2}, {X: 2, Y: 3}}, nil, 1},
		{"quarter cylinder", 2, 1, arc, line,
			[]geom.Vec3{{X: 2}, {X: 2, Z: 5}, {X: 2, Y: 2}, {X: 2, Y: 2, Z: 5}, {Y: 2}, {Y: 2, Z: 5}},
			[]float64{1, 1, h, h, 1, 1}, 4},
		{"twisted strip", 1, 1, line, line, []geom.Vec3{{}, {X: 10}, {Y: 1}, {X: 10, Z: 1}}, nil, 4},
		{"point", 1, 1, line, line, make([]geom.Vec3, 4), nil, 1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			n, err := New(r.p, r.q, r.ku, r.kv, r.pts, r.w)
			if err != nil {
				t.Fatal(err)
			}
			if got := n.LeafGrid().Count(); got != r.want {
				t.Errorf("%d cells, want %d", got, r.want)
			}
		})
	}
}

func TestManyPatchesStayWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("builds 90000 cells")
	}
	n := sheet(t, 303)
	if got, want := n.LeafGrid().Count(), 300*300; got != want {
		t.Errorf("%d cells, want one for each of the %d patches", got, want)
	}
}

func TestSlabHoldsCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := drawNet(t)
		u, v := newStrip(n.U, n.U.Domain(), nil), newStrip(n.V, n.V.Domain(), nil)
		n.patches(&u, &v, func(i, j int, net []bspline.Hom) {
			s, hull := slabOf(net, n.V.Degree()+1), hullOf(net)
			b := round(&hull)
			for k := range 16 {
				a := geom.Interval{Lo: u.bounds[i], Hi: u.bounds[i+1]}.At(float64(k%4) / 3.0001)
				c := geom.Interval{Lo: v.bounds[j], Hi: v.bounds[j+1]}.At(float64(k/4) / 3.0001)
				p := n.At(a, c)
				tol := 1e-13 * (1 + p.Norm()) // the rounding of the control points and of p
				if d := s.along(p); d < float64(s.lo)-tol || d > float64(s.hi)+tol {
					t.Fatalf("point %v of patch %d, %d is at %v, outside its slab %v … %v", p, i, j, d, s.lo, s.hi)
				}
				if distance2(&b, p) > tol*tol {
					t.Fatalf("point %v of patch %d, %d is outside its box %v", p, i, j, b)
				}
			}
		})
	})
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

func BenchmarkCells(b *testing.B) {
	n := sheet(b, 40)
	b.Run("build 37 × 37 patches", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			n.buildCells()
		}
	})
	b.Run("search", func(b *testing.B) {
		p := n.At(0.4, 0.6)
		var s Search
		for range b.N {
			n.LeafGrid().Search(p, &s)
			s.Next(1e-6)
		}
	})
	b.Run("bounds", func(b *testing.B) {
		for range b.N {
			n.Bounds(n.U.Domain(), n.V.Domain())
		}
	})
}
