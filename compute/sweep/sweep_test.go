package sweep_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/compute/sweep/sweeptest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector; TestSweepIsDeterministic sweeps on many threads")
	}
	sweeptest.Suite(t, primitive.OnCPU(3))
}

// cutBlock sweeps the tool over a block whose top is at z = 0 and returns the remaining stock and the removed volumes.
func cutBlock(t *testing.T, l dexel.Lattice, p toolprofile.Profile, moves ...motion.Segment) (*dexel.Stock, []float64) {
	t.Helper()
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	out, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(2), sweep.Input{
		Stock: stock, Tool: p, Frame: geom.World, Moves: moves,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Stock, out.Removed
}

// Volumes of cuts that have a closed form, on a grid of 0.05 mm. Rays sample a section of area A with an outline
// of length L to some L·step/30, as the errors of its cells cancel.
func TestSweptVolumes(t *testing.T) {
	l := dexel.Lattice{Origin: geom.Vec3{X: -10, Y: -10, Z: -6}, Step: 0.05, Count: [3]int{400, 400, 120}}
	v := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	line := func(from, to geom.Vec3) motion.Segment { return motion.Segment{From: from, To: to} }
	circle := func(radius, z float64) motion.Segment {
		at := v(0.013, radius+0.017, z)
		return motion.Segment{From: at, To: at, Turn: 2 * math.Pi, Center: geom.Vec2{X: 0.013, Y: 0.017}}
	}
	const r = 2.0
	half := 2 * math.Pi / 3 * r * r * r
	for _, row := range []struct {
		name string
		tool toolprofile.Profile
		move motion.Segment
		want float64 // mm³
	}{
		{"plunge, flat", toolprofile.EndMill(2*r, 0, 20), line(v(0.01, 0.02, 5), v(0.01, 0.02, -3)),
			math.Pi * r * r * 3},
		{"plunge, ball", toolprofile.EndMill(2*r, r, 20), line(v(0.01, 0.02, 5), v(0.01, 0.02, -3)),
			math.Pi*r*r + half},
		{"plunge, bull nose", toolprofile.EndMill(2*r, 0.5, 20), line(v(0.01, 0.02, 5), v(0.01, 0.02, -3)),
			math.Pi*r*r*2.5 + math.Pi*(1.5*1.5*0.5+1.5*math.Pi/2*0.25+2.0/3*0.125)},
		{"slot, flat", toolprofile.EndMill(2*r, 0, 20), line(v(-12.5, 0.01, -3), v(12.5, 0.01, -3)), 20 * 2 * r * 3},
		{"slot, ball", toolprofile.EndMill(2*r, r, 20), line(v(-12.5, 0.01, -3), v(12.5, 0.01, -3)),
			20 * (2*r + math.Pi/2*r*r)},
		{"groove of a ball, sideways", toolprofile.EndMill(2*r, r, 20), line(v(0.01, -12.5, -2), v(0.01, 12.5, -2)),
			20 * math.Pi / 2 * r * r},
		{"ring, flat", toolprofile.EndMill(2*r, 0, 20), circle(5, -3), math.Pi * (49 - 9) * 3},
		{"ring, ball", toolprofile.EndMill(2*r, r, 20), circle(5, -2), 2 * math.Pi * 5 * math.Pi / 2 * r * r},
	} {
		t.Run(row.name, func(t *testing.T) {
			left, removed := cutBlock(t, l, row.tool, row.move)
			whole := 20.0 * 20 * 6
			for a, got := range left.Volume() {
				if math.Abs(whole-got-row.want) > 2e-3*row.want {
					t.Errorf("bundle %d lost %g mm³, want %g", a, whole-got, row.want)
				}
			}
			if math.Abs(removed[0]-row.want) > 1e-3*row.want {
				t.Errorf("removed %g mm³, want %g", removed[0], row.want)
			}
		})
	}
}

// A ball that moves along a line sweeps the points within its radius of that line: the ends of all rays have a
// closed form, on ramps too.
func TestBallSweepsACapsule(t *testing.T) {
	l := dexel.Lattice{Origin: geom.Vec3{X: -10, Y: -10, Z: -8}, Step: 0.25, Count: [3]int{80, 80, 64}}
	const r = 3.0
	ball := toolprofile.Profile{{To: geom.Vec2{Y: 2 * r}, Radius: r}}
	a, b := geom.Vec3{X: -4.1, Y: -3.2, Z: -6.3}, geom.Vec3{X: 5.3, Y: 2.7, Z: 1.9}
	left, _ := cutBlock(t, l, ball, motion.Segment{From: a, To: b})
	lift := geom.Vec3{Z: r}
	a, b = a.Add(lift), b.Add(lift)
	far := 0.0
	ends := 0
	for k := range 3 {
		side, other := dexel.Side(k)
		for j := range l.Count[other] {
			for i := range l.Count[side] {
				for _, s := range left.Ray(k, i, j) {
					for _, end := range []float32{s.Lo, s.Hi} {
						if end == 0 || float64(end) == float64(l.Count[k])*l.Step {
							continue
						}
						var x [3]float64
						x[k], x[side], x[other] = float64(end), (float64(i)+0.5)*l.Step, (float64(j)+0.5)*l.Step
						p := l.Origin.Add(geom.Vec3{X: x[0], Y: x[1], Z: x[2]})
						far = max(far, math.Abs(fromSegment(p, a, b)-r))
						ends++
					}
				}
			}
		}
	}
	if ends < 1000 || far > 2e-6 { // float32 rounds 20 mm to 1e-6
		t.Errorf("%d ends of rays lie up to %g mm off the capsule", ends, far)
	}
}

func fromSegment(p, a, b geom.Vec3) float64 {
	d := b.Sub(a)
	return p.Dist(a.AddScaled(min(max(p.Sub(a).Dot(d)/d.Norm2(), 0), 1), d))
}

func TestSweepIsDeterministic(t *testing.T) {
	in := sweep.Input{Stock: benchStock(t, 200), Tool: toolprofile.EndMill(8, 1, 30), Frame: geom.World}
	in.Moves = append(pocket(8)[:40], finish(8)[:900]...)
	want, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(1), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 5} {
		got, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(threads), in)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got.Removed, got.Updates) != fmt.Sprint(want.Removed, want.Updates) {
			t.Errorf("%d threads: removed and updates differ from one thread", threads)
		}
		for a := range 3 {
			if fmt.Sprint(got.Stock.Bundles[a]) != fmt.Sprint(want.Stock.Bundles[a]) {
				t.Errorf("%d threads: bundle %d differs from one thread", threads, a)
			}
		}
	}
}

// benchStock is a block of 100 × 100 × 50 mm with so many cells along x.
func benchStock(t testing.TB, cells int) *dexel.Stock {
	t.Helper()
	l := dexel.Lattice{Origin: geom.Vec3{Z: -50}, Step: 100 / float64(cells), Count: [3]int{cells, cells, cells / 2}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	return stock
}

// pocket is a zigzag on levels with a stepover of half of the diameter.
func pocket(diameter float64) (moves []motion.Segment) {
	at := geom.Vec3{X: 15, Y: 15, Z: -5}
	to := func(p geom.Vec3) { moves = append(moves, motion.Segment{From: at, To: p}); at = p }
	for level := range 4 {
		z := -5 * float64(level+1)
		to(geom.Vec3{X: at.X, Y: at.Y, Z: z})
		for k := range int(70 / (diameter / 2)) {
			y := 15 + float64(k)*diameter/2
			to(geom.Vec3{X: at.X, Y: y, Z: z})
			to(geom.Vec3{X: 100 - at.X, Y: y, Z: z})
		}
	}
	return moves
}

// finish follows a wavy surface in short ramps, as a 3D finishing path does.
func finish(diameter float64) (moves []motion.Segment) {
	height := func(x, y float64) float64 { return -12 + 4*math.Sin(x/9) + 3*math.Cos(y/11) }
	for k := range int(80 / (diameter / 8)) {
		y := 10 + float64(k)*diameter/8
		for i := range 80 {
			a, b := 10+float64(i), 11+float64(i)
			moves = append(moves, motion.Segment{
				From: geom.Vec3{X: a, Y: y, Z: height(a, y)}, To: geom.Vec3{X: b, Y: y, Z: height(b, y)},
			})
		}
	}
	return moves
}

// rings are full circles of growing radius on one level.
func rings(diameter float64) (moves []motion.Segment) {
	for k := range int(40 / (diameter / 2)) {
		at := geom.Vec3{X: 50 + float64(k+1)*diameter/2, Y: 50, Z: -8}
		moves = append(moves, motion.Segment{From: at, To: at, Turn: 2 * math.Pi, Center: geom.Vec2{X: 50, Y: 50}})
	}
	return moves
}

func BenchmarkSweep(b *testing.B) {
	tilt := geom.NewFrame(geom.Vec3{X: 10, Z: 5}, geom.Vec3{X: 0.3, Y: 0.2, Z: 0.9}, geom.Vec3{X: 1})
	for _, row := range []struct {
		name  string
		tool  toolprofile.Profile
		frame geom.Frame
		moves []motion.Segment
	}{
		{"pocket/flat", toolprofile.EndMill(8, 0, 60), geom.World, pocket(8)},
		{"pocket/bull", toolprofile.EndMill(8, 1, 60), geom.World, pocket(8)},
		{"rings/flat", toolprofile.EndMill(8, 0, 60), geom.World, rings(8)},
		{"finish/ball", toolprofile.EndMill(8, 4, 60), geom.World, finish(8)},
		{"finish/bull", toolprofile.EndMill(8, 1, 60), geom.World, finish(8)},
		{"tilted/ball", toolprofile.EndMill(8, 4, 60), tilt, finish(8)[:400]},
		{"tilted/flat", toolprofile.EndMill(8, 0, 60), tilt, finish(8)[:400]},
		{"tilted/bull", toolprofile.EndMill(8, 1, 60), tilt, finish(8)[:400]},
		{"tilted/drill", toolprofile.Drill(8, 118*math.Pi/180, 60), tilt, finish(8)[:400]},
	} {
		stock := benchStock(b, 500)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", row.name, threads), func(b *testing.B) {
				updates := int64(0)
				for b.Loop() {
					in := sweep.Input{Stock: stock, Tool: row.tool, Frame: row.frame, Moves: row.moves}
					out, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(threads), in)
					if err != nil {
						b.Fatal(err)
					}
					updates += out.Updates
				}
				b.ReportMetric(float64(updates)/b.Elapsed().Seconds()/1e6, "Mupdates/s")
			})
		}
	}
}

// TestSweepOfAnyFiniteInputKeepsStockValid checks that for any finite input the stock stays valid, loses no material
// twice and gains no material.
func TestSweepOfAnyFiniteInputKeepsStockValid(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, some seconds")
	}
	l := dexel.Lattice{Origin: geom.Vec3{X: -3, Y: -3, Z: -3}, Step: 0.5, Count: [3]int{12, 12, 12}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.SampledFrom([]float64{0, 1, -1, 0.25, 3, 1e-12, -1e-9, 1e6, -1e9, math.SmallestNonzeroFloat64}),
			rapid.Float64Range(-4, 4))
		point := func(name string) geom.Vec3 {
			return geom.Vec3{X: value.Draw(t, name+"x"), Y: value.Draw(t, name+"y"), Z: value.Draw(t, name+"z")}
		}
		size := rapid.SampledFrom([]float64{1e-9, 0.1, 1, 5, 1e5})
		d := size.Draw(t, "diameter")
		tool := toolprofile.EndMill(d, d/2*rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "corner"),
			d+size.Draw(t, "length"))
		m := motion.Segment{From: point("from"), To: point("to")}
		if rapid.Bool().Draw(t, "arc") {
			m.Turn = rapid.Float64Range(-20, 20).Draw(t, "turn")
			m.Center = geom.Vec2{X: rapid.Float64Range(-9, 9).Draw(t, "cx"), Y: rapid.Float64Range(-9, 9).Draw(t, "cy")}
			m.From.X, m.From.Y = m.Center.X+rapid.Float64Range(0, 6).Draw(t, "radius"), m.Center.Y
			end := m.At(1)
			m.To.X, m.To.Y = end.X, end.Y
		}
		frame := geom.NewFrame(point("origin").Scale(1e-3), point("z"), point("x"))
		in := sweep.Input{Stock: stock, Tool: tool, Frame: frame, Moves: []motion.Segment{m}}
		out, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(1), in)
		if err != nil {
			t.Skip(err)
		}
		if err := out.Stock.Check(); err != nil {
			t.Fatal(err)
		}
		lost := 0.0
		for a, v := range out.Stock.Volume() {
			lost += (stock.Volume()[a] - v) / 3
		}
		if !(math.Abs(lost-out.Removed[0]) <= 1e-4*216) || out.Removed[0] < 0 {
			t.Fatalf("removed %g mm³, the stock lost %g", out.Removed[0], lost)
		}
		in.Stock = out.Stock
		if again, err := sweep.Primitive.Run(context.Background(), primitive.OnCPU(1), in); err != nil ||
			again.Removed[0] != 0 {
			t.Fatalf("the same move again removed %v, %v", again.Removed, err)
		}
	})
}
