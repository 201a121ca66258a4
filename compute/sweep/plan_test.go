package sweep

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

func planInput(t *testing.T, frame geom.Frame, moves ...motion.Segment) *Input {
	t.Helper()
	l := dexel.Lattice{Origin: geom.Vec3{X: -50, Y: -40, Z: -20}, Step: 0.5, Count: [3]int{200, 160, 60}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	return &Input{Stock: stock, Tool: toolprofile.EndMill(10, 1, 40), Frame: frame, Moves: moves}
}

// TestPlan checks that the slabs of a plan form the tool, that legs follow each other along the move, and that the legs
// are listed at every tile near the tool.
func TestPlan(t *testing.T) {
	from := geom.Vec3{X: 20, Z: -5}
	turn := motion.Segment{From: from, To: from.Add(geom.Vec3{Z: -2}), Turn: 2 * math.Pi}
	tilt := geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 0.2, Z: 1}, geom.Vec3{X: 1})
	for name, frame := range map[string]geom.Frame{"upright": geom.World, "tilted": tilt} {
		in := planInput(t, frame, turn, motion.Segment{From: turn.To, To: geom.Vec3{Y: 10}})
		for a := range 3 {
			p, err := newPlan(in, a, 10000)
			if err != nil {
				t.Fatal(err)
			}
			last := &p.Slabs[len(p.Slabs)-1]
			if p.Slabs[0].Z0 != 0 || p.Slabs[0].R0 != 4 || last.Z1 != 40 || last.R1 != 5 {
				t.Errorf("%s, bundle %d: slabs from %v to %v", name, a, p.Slabs[0], *last)
			}
			at := turn.From
			for i, l := range p.Legs {
				if l.From.Dist(at) > 1e-9 {
					t.Fatalf("%s, bundle %d: leg %d starts at %v, want %v", name, a, i, l.From, at)
				}
				at = at.Add(l.By)
				checkReached(t, p, i, l)
			}
			if n := len(p.Legs); p.Move[n-1] != 1 || p.Move[n-2] != 0 || at.Dist(in.Moves[1].To) > 1e-9 {
				t.Errorf("%s, bundle %d: %d legs of moves %v end at %v", name, a, n, p.Move[n-2:], at)
			}
		}
	}
	if _, err := newPlan(planInput(t, geom.World, turn), 2, 3); err == nil {
		t.Error("more legs than allowed were planned")
	}
}

// checkReached looks up the tile of the ray through the middle of a leg, a little above the tip.
func checkReached(t *testing.T, p *plan, leg int, l planLeg) {
	t.Helper()
	d := l.From.AddScaled(0.5, l.By).Add(geom.Vec3{Z: 0.5}).Sub(p.Origin)
	i := int(math.Round(d.Dot(p.Right) / p.Right.Norm2()))
	j := int(math.Round(d.Dot(p.Up) / p.Up.Norm2()))
	if i < 0 || i >= p.columns || j < 0 || j >= p.rows {
		return
	}
	tile := j/tileSide*p.across + i/tileSide
	if legs := p.Leg[p.Start[tile]:p.Start[tile+1]]; !slices.Contains(legs, int32(leg)) || !slices.IsSorted(legs) {
		t.Errorf("tile %d at ray (%d, %d) lists legs %v, leg %d passes it", tile, i, j, legs, leg)
	}
}
