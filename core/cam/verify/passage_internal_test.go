package verify

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestLongMovesAreDivided checks that segments judged at once are no longer than the tool's width if its shank is
// within the stock, and that they cover the whole path. Rapids, and moves that only the flutes cut, are not divided.
func TestLongMovesAreDivided(t *testing.T) {
	mill := planning.Tool{Tool: machining.Tool{
		Kind: machining.FlatEndMill, Diameter: 6, FluteLength: 10, ShankDiameter: 6, BodyLength: 30, OverallLength: 50,
	}}
	arc := motion.Segment{From: geom.Vec3{X: 50}, To: geom.Vec3{X: -50}, Turn: math.Pi}
	deep := arc
	deep.From.Z, deep.To.Z = -12, -14
	p := &passage{
		setup: &setup{plan: &planning.Setup{}}, tool: newTool(&mill, DefaultTolerance),
		steps: []motion.Step{
			{Segment: arc, Kind: motion.Cut}, {Segment: deep, Kind: motion.Cut}, {Segment: deep, Kind: motion.Rapid},
		},
	}
	p.divide()
	pieces, length := [3]int{}, [3]float64{}
	last := [3]geom.Vec3{arc.From, deep.From, deep.From}
	for _, b := range p.bits {
		pieces[b.step]++
		length[b.step] += b.Length()
		if b.From.Dist(last[b.step]) > 1e-9 || b.At(1).Dist(b.To) > 1e-9 {
			t.Errorf("step %d: a piece from %v to %v behind %v", b.step, b.From, b.To, last[b.step])
		}
		last[b.step] = b.To
	}
	if want := [3]int{1, 27, 1}; pieces != want {
		t.Errorf("%v pieces, want %v", pieces, want)
	}
	for i := range p.steps {
		if want := p.steps[i].Length(); math.Abs(length[i]-want) > 1e-9 {
			t.Errorf("step %d: %g mm are judged of %g", i, length[i], want)
		}
	}
}
