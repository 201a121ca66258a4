package compute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

var sides = []geom.Vec3{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}, {Z: -1}, {Z: 1}}

// share returns the area-weighted visible share of every region for every direction.
func share(t testing.TB, m *mesh.Mesh, dirs []geom.Vec3) [][]float64 {
	t.Helper()
	vis, err := OnCPU(2).Visible(context.Background(), m, dirs)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float64, len(dirs))
	for d := range dirs {
		for _, r := range m.Regions {
			seen, all := 0.0, 0.0
			for i := r.Start; i < r.End; i++ {
				k := m.Triangles[i]
				a := m.Points[k[0]]
				area := m.Points[k[1]].Sub(a).Cross(m.Points[k[2]].Sub(a)).Norm() / 2
				all += area
				seen += area * float64(vis[d][i])
			}
			out[d] = append(out[d], seen/all)
		}
	}
	return out
}

func TestVisibleBox(t *testing.T) {
	s := &solid{}
	s.box(geom.Vec3{X: 1000, Y: -3}, geom.Vec3{X: 1040, Y: 20, Z: 30})
	got := share(t, &s.Mesh, sides)
	for d := range sides {
		for f := range 6 {
			want := 1.0 // walls parallel to the direction are free on the outside
			if f == d^1 {
				want = 0
			}
			if got[d][f] != want {
				t.Errorf("face %d along %v: visible %g, want %g", f, sides[d], got[d][f], want)
			}
		}
	}
}

// bore makes a disc 40 wide and 20 high with a bore from the top: through when floor is 0, else
// that deep. A neck narrower than the bore closes its top to that radius.
func bore(n int, radius, depth, neck, twist float64) (s *solid, wall, floor, ledge int) {
	s, floor, ledge = &solid{}, -1, -1
	const outer, height, lip = 20.0, 20.0, 4.0
	ob, ot := s.ring(n, outer, 0, 0), s.ring(n, outer, height, 0)
	s.band(ob, ot, false)
	top := height
	if neck > 0 {
		top -= lip
	}
	wt := s.ring(n, radius, top, 0)
	if neck > 0 {
		nb, nt := s.ring(n, neck, top, 0), s.ring(n, neck, height, 0)
		s.band(nb, nt, true)
		ledge = s.annulus(wt, nb, false)
		s.annulus(ot, nt, true)
	} else {
		s.annulus(ot, wt, true)
	}
	wb := s.ring(n, radius, height-depth, twist)
	wall = s.band(wb, wt, true)
	if depth < height {
		floor = s.disc(wb, true)
		s.disc(ob, false)
	} else {
		s.annulus(ob, wb, false)
	}
	return s, wall, floor, ledge
}

func TestVisibleBore(t *testing.T) {
	up, down, side := geom.Vec3{Z: 1}, geom.Vec3{Z: -1}, geom.Vec3{X: 1}
	twist := math.Pi / 24 // facets tilt against the axis by their sagitta
	rows := []struct {
		name                string
		depth, neck, twist  float64
		wallUp, wallDown    float64
		floorUp, ledgeDown  float64
		hasFloor, hasLedges bool
	}{
		{name: "through", depth: 20, wallUp: 1, wallDown: 1},
		{name: "through, twisted facets", depth: 20, twist: twist, wallUp: 1, wallDown: 1},
		{name: "blind", depth: 12, wallUp: 1, floorUp: 1, hasFloor: true},
		{name: "blind, twisted facets", depth: 12, twist: twist, wallUp: 1, floorUp: 1, hasFloor: true},
		{name: "undercut blind", depth: 12, neck: 4, floorUp: 16.0 / 64, hasFloor: true, hasLedges: true},
		{name: "undercut through", depth: 20, neck: 4, wallDown: 1, ledgeDown: 1, hasLedges: true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, wall, floor, ledge := bore(24, 8, row.depth, row.neck, row.twist)
			got := share(t, &s.Mesh, []geom.Vec3{up, down, side})
			if got[0][wall] != row.wallUp || got[1][wall] != row.wallDown {
				t.Errorf("wall visible %g from above, %g from below, want %g, %g",
					got[0][wall], got[1][wall], row.wallUp, row.wallDown)
			}
			if got[2][wall] != 0 {
				t.Errorf("wall visible %g from the side, want 0", got[2][wall])
			}
			// The floor below a neck is cut by the neck's shadow: the share is exact to the samples.
			if row.hasFloor && (math.Abs(got[0][floor]-row.floorUp) > 0.02 || got[1][floor] != 0) {
				t.Errorf("floor visible %g from above, %g from below, want %g, 0", got[0][floor], got[1][floor],
					row.floorUp)
			}
			if row.hasLedges && (got[0][ledge] != 0 || got[1][ledge] != row.ledgeDown) {
				t.Errorf("ledge visible %g from above, %g from below, want 0, %g", got[0][ledge], got[1][ledge],
					row.ledgeDown)
			}
		})
	}
}

func TestVisibleLeaningWall(t *testing.T) {
	rows := []struct {
		name string
		lean float64 // mm the top hangs over per 100 mm of height
		want float64
	}{
		{"upright", 0, 1},
		{"drafted", -0.5, 1},
		{"rounding of the file", 1e-5, 1},
		{"overhang of a hundredth", 0.01, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := &solid{}
			s.box(geom.Vec3{}, geom.Vec3{X: 50, Y: 50, Z: 100})
			for i := range s.Points {
				if s.Points[i].X > 0 && s.Points[i].Z > 0 {
					s.Points[i].X += row.lean
				}
			}
			if got := share(t, &s.Mesh, sides)[5][1]; got != row.want {
				t.Errorf("wall leaning out by %g mm: visible %g from above, want %g", row.lean, got, row.want)
			}
		})
	}
}

// A part next to another one hides what lies in its shadow, to the sample spacing.
func TestVisiblePartly(t *testing.T) {
	s := &solid{}
	s.box(geom.Vec3{}, geom.Vec3{X: 40, Y: 40, Z: 10})
	s.box(geom.Vec3{X: 30, Y: -5, Z: 20}, geom.Vec3{X: 60, Y: 45, Z: 30})
	if got := share(t, &s.Mesh, sides)[5][5]; math.Abs(got-0.75) > 0.03 {
		t.Errorf("roof over a quarter: visible %g, want 0.75", got)
	}
}

// A convex body hides nothing of itself: a triangle is seen from where its normal points.
func TestVisibleConvexBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		m := solids.Ball(rng, rapid.IntRange(1, 3).Draw(t, "levels"), 0)
		turn := geom.Rotation(solids.Directions(rng, 1)[0], rng.Float64()*6)
		move := geom.Vec3{X: rng.Float64() * 500, Y: rng.Float64()}
		for i := range m.Points {
			m.Points[i] = turn.Point(m.Points[i]).Add(move)
		}
		dir := solids.Directions(rng, 1)[0]
		vis, err := OnCPU(1).Visible(context.Background(), m, []geom.Vec3{dir})
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range m.Triangles {
			a := m.Points[k[0]]
			c := m.Points[k[1]].Sub(a).Cross(m.Points[k[2]].Sub(a)).Unit().Dot(dir)
			if math.Abs(c) < 1e-4 {
				continue // grazing: either answer is right
			}
			want := float32(0)
			if c > 0 {
				want = 1
			}
			if vis[0][i] != want {
				t.Fatalf("triangle %d with n·d = %g: visible %g, want %g", i, c, vis[0][i], want)
			}
		}
	})
}

func TestVisibleIsDeterministic(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	m := solids.Ball(rng, 5, 0.5)
	var dirs []geom.Vec3
	for range 7 {
		dirs = append(dirs, solids.Directions(rng, 1)[0])
	}
	want, err := OnCPU(1).Visible(context.Background(), m, dirs)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2, 16} {
		got, err := OnCPU(threads).Visible(context.Background(), m, dirs)
		if err != nil {
			t.Fatal(err)
		}
		for d := range dirs {
			if !slices.Equal(got[d], want[d]) {
				t.Errorf("%d threads: direction %d differs from the result of one thread", threads, d)
			}
		}
	}
}

func TestVisibleRefusesAndStops(t *testing.T) {
	s := &solid{}
	s.box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	for _, d := range []geom.Vec3{{}, {X: math.NaN()}, {Y: math.Inf(1)}} {
		if _, err := OnCPU(1).Visible(context.Background(), &s.Mesh, []geom.Vec3{d}); err == nil {
			t.Errorf("direction %v was accepted", d)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := OnCPU(1).Visible(ctx, &s.Mesh, sides); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled context: got error %v", err)
	}
	if vis, err := OnCPU(1).Visible(context.Background(), &mesh.Mesh{}, sides); err != nil || len(vis) != 6 {
		t.Errorf("empty mesh: got %d rows, error %v", len(vis), err)
	}
}

// A narrow roof over narrow triangles hides what lies below it, to the sample spacing.
func TestVisiblePartlyOnNarrowTriangles(t *testing.T) {
	s := &solid{}
	s.box(geom.Vec3{}, geom.Vec3{X: 40, Y: 0.5, Z: 10})
	s.box(geom.Vec3{X: 30, Y: -5, Z: 20}, geom.Vec3{X: 60, Y: 45, Z: 30})
	if got := share(t, &s.Mesh, sides)[5][5]; math.Abs(got-0.75) > 0.07 {
		t.Errorf("roof over a quarter of a rail: visible %g, want 0.75", got)
	}
}

// However a triangle is sampled, the samples stand for equal parts: their mean is the middle of it.
func TestSamplesAreBalanced(t *testing.T) {
	at := func(x, y float64) geom.Vec3 { return geom.Vec3{X: x, Y: y} }
	rows := []struct {
		name    string
		corners [3]geom.Vec3 // in a scene 100 mm wide: samples are 2.5 mm apart
		many    bool
		want    int
	}{
		{"tiny", [3]geom.Vec3{at(0, 0), at(1, 0), at(0, 1)}, false, 3},
		{"tiny, one of many", [3]geom.Vec3{at(0, 0), at(1, 0), at(0, 1)}, true, 1},
		{"large", [3]geom.Vec3{at(0, 0), at(9, 0), at(0, 9)}, true, 36},
		{"narrow", [3]geom.Vec3{at(0, 0), at(10, 0), at(10, 1)}, false, 5},
		{"narrow, other corners", [3]geom.Vec3{at(10, 1), at(0, 0), at(10, 0)}, true, 5},
		{"huge", [3]geom.Vec3{at(0, 0), at(90, 0), at(0, 90)}, false, 64},
	}
	for _, row := range rows {
		m := &mesh.Mesh{Points: row.corners[:], Triangles: [][3]int32{{0, 1, 2}}}
		l := layout{sampler: newSampler(m, 100)}
		l.many[0] = row.many
		l.triangle(0)
		if len(l.points) != row.want {
			t.Errorf("%s: %d samples, want %d", row.name, len(l.points), row.want)
		}
		sum := geom.Vec3{}
		for _, p := range l.points {
			sum = sum.Add(at(float64(p[0]), float64(p[1])))
		}
		mid := row.corners[0].Add(row.corners[1]).Add(row.corners[2]).Scale(1.0 / 3)
		if got := sum.Scale(1 / float64(len(l.points))); got.Dist(mid) > 1e-5 {
			t.Errorf("%s: mean of the samples %v, want %v", row.name, got, mid)
		}
	}
}

func BenchmarkVisible(b *testing.B) {
	benchVisible(b, solids.Ball(rand.New(rand.NewPCG(1, 1)), 6, 0.4))
}

func benchVisible(b *testing.B, m *mesh.Mesh) {
	l := layout{sampler: newSampler(m, m.Bounds().Diagonal())}
	rays := 0
	for i := range m.Triangles {
		for _, d := range sides {
			if l.corners[i][0].Dot(d) >= -grazing {
				before := len(l.points)
				l.triangle(i)
				rays += len(l.points) - before
			}
		}
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				if _, err := OnCPU(threads).Visible(context.Background(), m, sides); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rays*b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
	}
}
