package sweep

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestSegmentPointsAndChecks(t *testing.T) {
	quarter := motion.Segment{From: geom.Vec3{X: 3, Y: 1}, To: geom.Vec3{X: 1, Y: 3, Z: 2}, Turn: math.Pi / 2,
		Center: geom.Vec2{X: 1, Y: 1}}
	if got, want := quarter.At(0.5), (geom.Vec3{X: 1 + math.Sqrt2, Y: 1 + math.Sqrt2, Z: 1}); got.Dist(want) > 1e-12 {
		t.Errorf("middle of a quarter turn at %v, want %v", got, want)
	}
	line := motion.Segment{From: geom.Vec3{X: 1}, To: geom.Vec3{X: 5, Z: 4}}
	if got := line.At(0.25); got != (geom.Vec3{X: 2, Z: 1}) {
		t.Errorf("a quarter of a line at %v", got)
	}
	l := dexel.Lattice{Step: 10, Count: [3]int{1, 1, 1}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Stock: stock, Tool: toolprofile.EndMill(10, 1, 20), Frame: geom.World,
		Moves: []motion.Segment{quarter, line}}
	if err := in.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(in *Input){
		"no stock":      func(in *Input) { in.Stock = nil },
		"no tool":       func(in *Input) { in.Tool = nil },
		"no frame":      func(in *Input) { in.Frame = geom.Frame{} },
		"skew frame":    func(in *Input) { in.Frame.X.Y = 0.1 },
		"left-handed":   func(in *Input) { in.Frame.X = geom.Vec3{X: -1} },
		"lost frame":    func(in *Input) { in.Frame.Origin.X = math.Inf(1) },
		"endless line":  func(in *Input) { in.Moves[1].To.X = math.Inf(1) },
		"arc elsewhere": func(in *Input) { in.Moves[0].To.X += 0.1 },
		"arc of NaN":    func(in *Input) { in.Moves[0].Turn = math.NaN() },
		"lost centre":   func(in *Input) { in.Moves[0].Center.X = math.NaN() },
	} {
		bad := in
		bad.Moves = []motion.Segment{quarter, line}
		spoil(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
