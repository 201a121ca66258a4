package planning

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/geom"
)

func boxOf(t *testing.T, part string) (*heightField, geom.Box) {
	t.Helper()
	g := featuretest.Graph(t, part)
	box := geom.BoxOf(g.Mesh.Points...)
	return newRelief(g, 0, geom.World, box), box
}

// TestReliefIsNeverTooLow: every point of the part lies below what the raster says over it.
func TestReliefIsNeverTooLow(t *testing.T) {
	for _, part := range []string{"bosses", "torus", "turned_part"} {
		r, _ := boxOf(t, part)
		random := rand.New(rand.NewPCG(1, 2))
		for p := range r.g.Patches {
			r.g.EachTriangle(int32(p), func(a, b, c geom.Vec3) bool {
				u, v := random.Float64(), random.Float64()
				if u+v > 1 {
					u, v = 1-u, 1-v
				}
				at := a.AddScaled(u, b.Sub(a)).AddScaled(v, c.Sub(a))
				if over := r.over(at); over < at.Z-1e-9 {
					t.Fatalf("%s: %g mm over %v", part, over, at)
				}
				return true
			})
		}
	}
}

// TestWithinAgainstBruteForce: the reported maximum within a distance of some patches is not lower than the true one,
// and not higher than the maximum within a slightly larger distance.
func TestWithinAgainstBruteForce(t *testing.T) {
	r, _ := boxOf(t, "bosses")
	for _, p := range []int32{0, 6, 15} {
		around := r.around([]int32{p})
		var foot []geom.Vec2
		r.g.EachPoint(p, func(pt, _ geom.Vec3) { foot = append(foot, geom.Vec2{X: pt.X, Y: pt.Y}) })
		for _, distance := range []float64{0, 2, 7, 25} {
			high := math.Inf(-1)
			for _, pt := range r.g.Mesh.Points {
				for _, f := range foot {
					if f.Dist(geom.Vec2{X: pt.X, Y: pt.Y}) <= distance {
						high = max(high, pt.Z)
					}
				}
			}
			if got := r.within(around, distance); got < high-1e-9 || got > slices.Max(r.top)+1e-9 {
				t.Errorf("patch %d, %g mm: %g, the part is as high as %g", p, distance, got, high)
			}
		}
	}
}

// TestAroundIsExact: of the cells, what is within so many steps of those under patches is as high as a search among all
// of them says, also where nothing is higher than the patches themselves.
func TestAroundIsExact(t *testing.T) {
	r, _ := boxOf(t, "bosses")
	for _, patches := range [][]int32{{0}, {6}, {15}, {6, 15}, nil} {
		var foot [][2]int
		for _, p := range patches {
			r.g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
				r.triangle([3]geom.Vec3{r.frame.LocalDir(a), r.frame.LocalDir(b), r.frame.LocalDir(c)},
					func(i int, _ float64) {
						foot = append(foot, [2]int{i % r.nx, i / r.nx})
					})
				return true
			})
		}
		slices.SortFunc(foot, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		foot = slices.Compact(foot)
		around := r.around(patches)
		for _, k := range []int{0, 1, 7, 40, r.nx + r.ny} {
			high := math.Inf(-1)
			for i, z := range r.top {
				if z > high && (k == r.nx+r.ny || slices.ContainsFunc(foot, func(f [2]int) bool {
					return math.Hypot(float64(f[0]-i%r.nx), float64(f[1]-i/r.nx)) < float64(k+1)
				})) {
					high = z
				}
			}
			if got := around[min(k, len(around)-1)]; got != high {
				t.Errorf("patches %v, %d steps: %g, want %g", patches, k, got, high)
			}
		}
	}
}

// TestEnvelopeIsExact: the transform of a line is the least over all of its feet.
func TestEnvelopeIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + random.IntN(40)
		var feet []int
		var f []float64
		for i := range n {
			if random.IntN(3) > 0 {
				feet, f = append(feet, i), append(f, float64(random.IntN(50)))
			}
		}
		got := make([]float64, n)
		newEnvelope(feet).transform(f, got)
		for i := range got {
			want := math.Inf(1)
			for k, at := range feet {
				want = min(want, f[k]+float64((i-at)*(i-at)))
			}
			if got[i] != want {
				t.Fatalf("%v at %v: place %d is %g, want %g", f, feet, i, got[i], want)
			}
		}
	}
}

// TestSpread: every cell of a row knows the nearest one with 0.
func TestSpread(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		row := make([]float64, 1+random.IntN(40))
		want := make([]float64, len(row))
		for i := range row {
			if row[i], want[i] = math.Inf(1), math.Inf(1); random.IntN(9) == 0 {
				row[i] = 0
			}
		}
		some := false
		for i := range want {
			for k, v := range row {
				if v == 0 {
					want[i], some = min(want[i], float64((i-k)*(i-k))), true
				}
			}
		}
		if got := spread(row); got != some || !slices.Equal(row, want) {
			t.Fatalf("%v, %v, want %v", row, got, want)
		}
	}
}

// TestRowHoldsWhatNoEdgeParts: of each row just the cells that all edges of a triangle leave are visited.
func TestRowHoldsWhatNoEdgeParts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	r := &heightField{step: 0.5, nx: 40, ny: 40, lo: geom.Vec2{X: -3, Y: 2}}
	for range 500 {
		var tri [3]geom.Vec3
		for k := range tri {
			tri[k] = geom.Vec3{X: -4 + 22*random.Float64(), Y: 1 + 22*random.Float64()}
		}
		turn := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Z
		if random.IntN(5) == 0 {
			tri[2], turn = tri[0].Lerp(tri[1], 0.3), 0
		}
		if random.IntN(5) == 0 { // along a row, but for rounding, half a cell from the middle of cells
			y := r.lo.Y + float64(random.IntN(40))*r.step
			tri[0].Y, tri[1].Y, tri[2].Y = y, y+1e-16*random.NormFloat64(), y
			turn = tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Z
		}
		edges := edgesOf(tri, turn, r.step/2)
		for j := range r.ny {
			y := r.lo.Y + (float64(j)+0.5)*r.step
			first, last := r.row(edges, 3, 35, y)
			for i := 3; i <= 35; i++ {
				x := r.lo.X + (float64(i)+0.5)*r.step
				isParted := false
				for k := range edges {
					isParted = isParted || edges[k].parts(x, y)
				}
				if isParted == (first <= i && i <= last) {
					t.Fatalf("%v, row %d: from %d to %d, but cell %d is parted: %v", tri, j, first, last, i, isParted)
				}
			}
		}
	}
}

func TestSides(t *testing.T) {
	names := [sides]string{"+z", "−z", "+y", "−y", "+x", "−x"}
	want := [sides]geom.Vec3{{Z: 1}, {Z: -1}, {Y: 1}, {Y: -1}, {X: 1}, {X: -1}}
	box := geom.Box{Min: geom.Vec3{X: 1, Y: 2, Z: 3}, Max: geom.Vec3{X: 10, Y: 20, Z: 30}}
	for s := side(0); s < sides; s++ {
		if s.String() != names[s] || s.dir(geom.World) != want[s] || s.opposite().dir(geom.World) != want[s].Neg() ||
			sideOf(s.axis(), s.sign() > 0) != s {
			t.Errorf("side %d: %v, %v", s, s, s.dir(geom.World))
		}
		span := s.span(box)
		if hi := max(box.Min.Dot(want[s]), box.Max.Dot(want[s])); span.Hi != hi || s.flip(s.flip(span)) != span {
			t.Errorf("%v: %+v, want up to %g", s, span, hi)
		}
	}
}

func TestMetricThreads(t *testing.T) {
	for text, want := range map[string]float64{"M6x1": 6, "M8×1.25": 8, "M10": 10, "1/4-28 UNF": 0, "Mx": 0, "": 0,
		"M2.5x0.45": 2.5} {
		if got := metric(text); got != want {
			t.Errorf("%q: %g mm, want %g", text, got, want)
		}
	}
}

func TestHolesAreInAShortOrder(t *testing.T) {
	list := inOrder([]Hole{{At: geom.Vec2{X: 9}}, {At: geom.Vec2{X: 1, Y: 5}}, {At: geom.Vec2{X: 1}},
		{At: geom.Vec2{X: 8, Y: 5}}})
	want := []geom.Vec2{{X: 1}, {X: 1, Y: 5}, {X: 8, Y: 5}, {X: 9}}
	for i := range want {
		if list[i].At != want[i] {
			t.Errorf("hole %d at %v, want %v", i, list[i].At, want[i])
		}
	}
}
