package tensor

import (
	"math"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

// opened lists the cells of a net of which every patch was halved about as often as told.
func opened(n *Net, halvings int32) (cells []*Cell, patches []*Patch) {
	var s Search
	n.Tree().Search(geom.Vec3{}, &s)
	for {
		c, p := s.Next(math.Inf(1))
		if c == nil {
			return cells, patches
		}
		if c.halvings < halvings && s.Open(c) {
			continue
		}
		cells, patches = append(cells, c), append(patches, p)
	}
}

func drawOpened(t *rapid.T) (*Net, []*Cell, []*Patch) {
	n, _ := drawNet(t)
	cells, patches := opened(n, int32(rapid.IntRange(0, 4).Draw(t, "halvings")))
	return n, cells, patches
}

func TestCellsTileTheDomain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, cells, _ := drawOpened(t)
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
		n, cells, _ := drawOpened(t)
		for _, c := range cells {
			if n.U.Piece(c.U.Lo) != n.U.Piece(c.U.Hi) || n.V.Piece(c.V.Lo) != n.V.Piece(c.V.Hi) {
				t.Fatalf("cell %v × %v reaches into the next piece", c.U, c.V)
			}
		}
	})
}

func TestCellBendsBoundSecondDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, cells, patches := drawOpened(t)
		k := rapid.IntRange(0, len(cells)-1).Draw(t, "cell")
		c, bound := cells[k], patches[k]
		x := rapid.Float64Range(0, 0.999999) // the end of a range may round up to the next piece
		var j Jet
		n.D2(c.U.At(x.Draw(t, "x")), c.V.At(x.Draw(t, "y")), &j)
		hu, hv := c.U.Length(), c.V.Length()
		d := rapid.Float64Range(-1, 1)
		n1 := geom.Vec3{X: d.Draw(t, "nx"), Y: d.Draw(t, "ny"), Z: d.Draw(t, "nz")}.Unit()
		for _, r := range []struct {
			name  string
			got   geom.Vec3
			bound Ball
		}{
			{"Suu", j.Duu.Scale(hu * hu), bound.UU},
			{"Suv", j.Duv.Scale(hu * hv), bound.UV},
			{"Svv", j.Dvv.Scale(hv * hv), bound.VV},
		} {
			tol := 1e-6*r.bound.Most + 1e-9
			if l := r.got.Norm(); l > r.bound.Most+tol {
				t.Fatalf("|%s| on a cell is %v, above its bound %v", r.name, l, r.bound.Most)
			}
			if off := r.got.Dist(r.bound.C); off > r.bound.R+tol {
				t.Fatalf("%s on a cell is %v, %v from the middle of its ball %+v", r.name, r.got, off, r.bound)
			}
			if a := math.Abs(r.got.Dot(n1)); a > r.bound.Along(n1)+tol {
				t.Fatalf("%s on a cell is %v along %v, above the bound %v", r.name, a, n1, r.bound.Along(n1))
			}
		}
	})
}

func TestBallsShrink(t *testing.T) {
	// A quarter of a cylinder: the range of Suu falls with the size of the cell, its length does not.
	h := math.Sqrt2 / 2
	n, err := New(2, 1, []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1},
		[]geom.Vec3{{X: 2}, {X: 2, Z: 5}, {X: 2, Y: 2}, {X: 2, Y: 2, Z: 5}, {Y: 2}, {Y: 2, Z: 5}},
		[]float64{1, 1, h, h, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for halvings := int32(0); halvings <= 12; halvings += 4 {
		most := 0.0
		_, patches := opened(n, halvings)
		for _, p := range patches {
			most = max(most, p.UU.R/max(p.UU.Most, 1e-300))
		}
		if !(most < 0.7*last) {
			t.Errorf("after %d halvings a ball is %v of its largest vector, before %v", halvings, most, last)
		}
		last = most
	}
}

func TestCellsHoldTheirPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, cells, patches := drawOpened(t)
		for i, c := range cells {
			p := patches[i]
			for k := range 16 {
				at := n.At(c.U.At(float64(k%4)/3), c.V.At(float64(k/4)/3))
				tol := 1e-12 * (1 + at.Norm()) // the rounding of the control points and of the point
				if d := p.slab.along(at); d < float64(p.slab.lo)-tol || d > float64(p.slab.hi)+tol {
					t.Fatalf("point %v is at %v, outside its slab %v … %v", at, d, p.slab.lo, p.slab.hi)
				}
				if distance2(&c.box, at) > tol*tol {
					t.Fatalf("point %v is outside its box %v", at, c.box)
				}
			}
			for k, at := range p.Corner {
				u, v := [2]float64{c.U.Lo, c.U.Hi}[k%2], [2]float64{c.V.Lo, c.V.Hi}[k/2]
				wantNear(t, "corner", at, n.At(u, v), 1e-9*(1+at.Norm()))
			}
		}
	})
}

func TestHalvesReproduceTheSurface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, cells, _ := drawOpened(t)
		c := cells[rapid.IntRange(0, len(cells)-1).Draw(t, "cell")]
		x := rapid.Float64Range(0, 1)
		a, b := x.Draw(t, "x"), x.Draw(t, "y")
		want := n.At(c.U.At(a), c.V.At(b))
		wantNear(t, "point", bernstein(c.points, n.V.Degree()+1, a, b), want, 1e-9*(1+want.Norm()))
	})
}

func TestPolynomialBendIsTheRationalOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := rapid.IntRange(2, 6).Draw(t, "rows"), rapid.IntRange(2, 6).Draw(t, "columns")
		c := rapid.Float64Range(-5, 5)
		var points []geom.Vec3
		for range p * q {
			points = append(points, geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")})
		}
		net := bspline.LiftNet(points, nil)
		hull := hullOf(net)
		got, want := bend(net, q, &hull, false), bend(net, q, &hull, true)
		near := func(a, b Ball) bool {
			return a.C.Dist(b.C)+math.Abs(a.R-b.R)+math.Abs(a.Most-b.Most) <= 1e-9*(1+b.Most)
		}
		if !near(got.UU, want.UU) || !near(got.UV, want.UV) || !near(got.VV, want.VV) {
			t.Fatalf("bounds of a polynomial patch %+v, want %+v", got, want)
		}
	})
}

func TestSearchGivesAllNearCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, cells, _ := drawOpened(t)
		c := rapid.Float64Range(-20, 40)
		p := geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z") / 3}
		reach := rapid.Float64Range(0.1, 30).Draw(t, "reach")
		var s Search
		n.Tree().Search(p, &s)
		found := map[*Cell]bool{}
		for {
			cell, _ := s.Next(reach * reach)
			if cell == nil {
				break
			}
			if found[cell] {
				t.Fatalf("the cell %v × %v comes twice", cell.U, cell.V)
			}
			if found[cell] = true; cell.halves != nil {
				delete(found, cell)
				s.Open(cell)
			}
		}
		for _, cell := range cells {
			for i := range 9 {
				q := n.At(cell.U.At(float64(i%3)/2), cell.V.At(float64(i/3)/2))
				if q.Dist(p) < reach*(1-1e-9) && !found[cell] {
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
	n.Tree().Search(p, &s)
	best, looks := math.Inf(1), 0
	for {
		c, _ := s.Next(best * best)
		if c == nil {
			break
		}
		looks++
		best = math.Min(best, 1e-9+n.At(c.U.Mid(), c.V.Mid()).Dist(p))
		if c.U.Contains(0.37, 0) && c.V.Contains(0.71, 0) {
			best = 1e-9
		}
	}
	if patches := n.U.Pieces() * n.V.Pieces(); looks > 6 || n.Tree().kept > patches {
		t.Errorf("%d patches looked at for a point of the surface, %d cells made, of %d patches",
			looks, n.Tree().kept, patches)
	}
}

func TestHalvingEnds(t *testing.T) {
	n := sheet(t, 5)
	var c *Cell
	for c = &n.Tree().root; ; c = &n.Tree().open(c)[0] {
		if n.Tree().open(c) == nil {
			break
		}
	}
	if c.halvings > MaxHalvings {
		t.Errorf("a patch was halved %d times, more than %d", c.halvings, MaxHalvings)
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	n := sheet(t, 5)
	cells, _ := opened(n, 16) // far more than are kept
	if most := mostKept + mostPatches*n.U.Pieces()*n.V.Pieces() + 1; n.Tree().kept > most {
		t.Errorf("%d cells kept, want %d at most", n.Tree().kept, most)
	}
	again, _ := opened(n, 16)
	if len(again) != len(cells) {
		t.Fatalf("the second walk gives %d cells, the first %d", len(again), len(cells))
	}
	for i, c := range again {
		if c.U != cells[i].U || c.V != cells[i].V || c.box != cells[i].box {
			t.Fatalf("cell %d differs between two walks: %v × %v, %v × %v", i, c.U, c.V, cells[i].U, cells[i].V)
		}
	}
}

func TestTreeIsShared(t *testing.T) {
	n := sheet(t, 8)
	want, _ := opened(sheet(t, 8), 3)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			cells, patches := opened(n, 3)
			for i, c := range cells {
				if c.U != want[i].U || c.V != want[i].V || patches[i] == nil {
					t.Errorf("cell %d is %v × %v, want %v × %v", i, c.U, c.V, want[i].U, want[i].V)
				}
			}
		})
	}
	group.Wait()
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

func BenchmarkTree(b *testing.B) {
	n := sheet(b, 40)
	b.Run("open 37 × 37 patches", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			n := sheet(b, 40)
			opened(n, 0)
		}
	})
	b.Run("search", func(b *testing.B) {
		p := n.At(0.4, 0.6)
		var s Search
		for range b.N {
			n.Tree().Search(p, &s)
			s.Next(1e-6)
		}
	})
	b.Run("bounds", func(b *testing.B) {
		for range b.N {
			n.Bounds(n.U.Domain(), n.V.Domain())
		}
	})
}
