package cpu

import (
	"context"
	"math"
	"testing"

	"millwright/compute/kernel"
	"millwright/core/geom"
	"pgregory.net/rapid"
)

// Whatever finite figures come in, the stock stays sound, loses nothing twice and gains nothing.
func TestSweepOfWildFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, some seconds")
	}
	l := kernel.Lattice{Origin: geom.Vec3{X: -3, Y: -3, Z: -3}, Step: 0.5, Count: [3]int{12, 12, 12}}
	stock, err := kernel.NewBlock(l, l.Box())
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
		tool := kernel.EndMill(d, d/2*rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "corner"), d+size.Draw(t, "length"))
		m := kernel.Move{From: point("from"), To: point("to")}
		if rapid.Bool().Draw(t, "arc") {
			m.Turn = rapid.Float64Range(-20, 20).Draw(t, "turn")
			m.Center = geom.Vec2{X: rapid.Float64Range(-9, 9).Draw(t, "cx"), Y: rapid.Float64Range(-9, 9).Draw(t, "cy")}
			m.From.X, m.From.Y = m.Center.X+rapid.Float64Range(0, 6).Draw(t, "radius"), m.Center.Y
			end := m.At(1)
			m.To.X, m.To.Y = end.X, end.Y
		}
		frame := geom.NewFrame(point("origin").Scale(1e-3), point("z"), point("x"))
		in := kernel.SweepInput{Stock: stock, Tool: tool, Frame: frame, Moves: []kernel.Move{m}}
		out, err := New(1).Sweep(context.Background(), in)
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
		if again, err := New(1).Sweep(context.Background(), in); err != nil || again.Removed[0] != 0 {
			t.Fatalf("the same move again removed %v, %v", again.Removed, err)
		}
	})
}
