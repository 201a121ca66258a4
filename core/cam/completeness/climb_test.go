package completeness

import (
	"math"
	"testing"
	"time"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
)

// TestClimbEndsOnARidge climbs in a slot along (1, 1, 0) toward its middle, where both walls are equally near. The step
// is chosen so that rounding moves x up by a fraction of its last bit, in long steps forward as in short steps back.
// Every step then gains, and the middle is 10¹¹ steps away.
func TestClimbEndsOnARidge(t *testing.T) {
	const (
		far   = 1500.0 // mm, x of the place; y is small and has finer bits
		half  = 2.0    // mm, from the middle of the slot to a wall
		start = 0.03   // mm, from the middle; shorter than the component of any step across the slot
	)
	bit := math.Nextafter(far, 2*far) - far
	step := 0.5 + 0.8*bit
	along, across := geom.Vec3{X: math.Sqrt2 / 2, Y: math.Sqrt2 / 2}, geom.Vec3{X: math.Sqrt2 / 2, Y: -math.Sqrt2 / 2}
	middle := geom.Vec3{X: far, Y: 10}
	walls := &mesh.Mesh{}
	for i, side := range []float64{-half, half} {
		for _, p := range [4][2]float64{{-20, -20}, {20, -20}, {20, 20}, {-20, 20}} {
			corner := middle.AddScaled(side, across).AddScaled(math.Copysign(p[0], side*p[0]), along)
			walls.Points = append(walls.Points, corner.Add(geom.Vec3{Z: p[1]}))
		}
		k := int32(4 * i)
		walls.Triangles = append(walls.Triangles, [3]int32{k, k + 2, k + 1}, [3]int32{k, k + 3, k + 2})
		walls.Regions = append(walls.Regions, mesh.Region{Start: int32(2 * i), End: int32(2*i + 2)})
	}
	in := Input{Surface: nearest.New(walls), Left: filled(dexel.Lattice{
		Origin: middle.Sub(geom.Vec3{X: 5, Y: 5, Z: 5}), Step: step, Count: [3]int{20, 20, 20},
	})}
	p := Piece{Region: 0, At: middle.AddScaled(-start, across), Height: half - start}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		in.climb(&p)
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the climb does not end in 20 s")
	}
	if p.Height < half-0.01 || p.Height > half+1e-9 {
		t.Errorf("the highest point is %.6f mm from the wall, want %g", p.Height, half)
	}
}

// filled is a stock that fills its lattice.
func filled(l dexel.Lattice) *dexel.Stock {
	s := &dexel.Stock{Lattice: l}
	for axis := range s.Bundles {
		b, c := dexel.Side(axis)
		all := &s.Bundles[axis]
		for n := range l.Count[b]*l.Count[c] + 1 {
			all.Start = append(all.Start, int32(n))
		}
		for range l.Count[b] * l.Count[c] {
			all.Spans = append(all.Spans, dexel.Span{Hi: float32(float64(l.Count[axis]) * l.Step)})
		}
	}
	return s
}
