package paths

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// program has every kind of move in a setup that lies on its side, and a setup that does nothing.
func program() (*planning.Plan, *toolpath.Set) {
	frame := geom.NewFrame(geom.Vec3{X: 100, Y: -20, Z: 5}, geom.Vec3{Y: -1}, geom.Vec3{X: 1})
	o := motion.Operation{
		ID: "op1", Tool: 1, SpindleRPM: 8000, Coolant: motion.Flood, Start: geom.Vec3{Z: 50},
		Cycles: []motion.Cycle{{Kind: motion.Peck, Retract: 2, Bottom: -10, Peck: 4}},
		Moves: []motion.Move{
			{Kind: motion.Rapid, To: geom.Vec3{Z: 2}},
			{Kind: motion.Plunge, To: geom.Vec3{Z: -1}, Feed: 100},
			{Kind: motion.Cut, To: geom.Vec3{X: 20.5, Z: -1}, Feed: 500},
			{Kind: motion.Ramp, To: geom.Vec3{X: 20.5, Z: -3}, Center: geom.Vec2{X: 10}, Turn: -2 * math.Pi, Feed: 400},
			{Kind: motion.Dwell, Seconds: 0.5},
			{Kind: motion.Link, To: geom.Vec3{X: 20.5, Z: 5}, Feed: 9000},
			{Kind: motion.CannedCycle, To: geom.Vec3{X: 30, Z: 5}, Feed: 80},
		},
	}
	p := &planning.Plan{
		Tools: []planning.Tool{{Number: 3}, {Number: 12}},
		Setups: []planning.Setup{
			{Frame: frame, Operations: []planning.Operation{{ID: "op1", Strategy: planning.Pocket}}},
			{Frame: geom.World},
		},
	}
	return p, &toolpath.Set{Setups: []motion.Setup{
		{Frame: frame, Operations: []motion.Operation{o}}, {Frame: geom.World},
	}}
}

// document is the decoded JSON.
type document struct {
	Units  string
	Kinds  []string
	Setups []struct {
		Frame      struct{ Origin, X, Y, Z [3]float64 }
		Operations []struct {
			OperationID string
			Tool        int
			SpindleRPM  float64
			Coolant     string
			Start       [3]float64
			Moves       []json.RawMessage
		}
	}
}

func TestJSON(t *testing.T) {
	p, set := program()
	var file bytes.Buffer
	if err := WriteJSON(&file, p, set); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(file.Bytes(), &d); err != nil {
		t.Fatalf("%v in %s", err, file.Bytes())
	}
	if d.Units != "mm" || len(d.Setups) != 2 || len(d.Setups[1].Operations) != 0 {
		t.Fatalf("read %+v", d)
	}
	s := d.Setups[0]
	if s.Frame.Origin != [3]float64{100, -20, 5} || s.Frame.Z != [3]float64{0, -1, 0} ||
		s.Frame.X != [3]float64{1, 0, 0} {
		t.Errorf("frame %+v", s.Frame)
	}
	o := s.Operations[0]
	if o.OperationID != "op1" || o.Tool != 12 || o.SpindleRPM != 8000 || o.Coolant != "flood" ||
		o.Start != [3]float64{0, 0, 50} {
		t.Errorf("operation %+v", o)
	}
	want := []string{
		"[0,0,0,2]", "[2,0,0,-1,100]", "[1,20.5,0,-1,500]", "[3,20.5,0,-3,400,10,0,-360]", "[7,0.5]",
		"[6,20.5,0,5,9000]",
	}
	for i, w := range want {
		if got := string(o.Moves[i]); got != w {
			t.Errorf("move %d is %s, want %s", i, got, w)
		}
		if name := d.Kinds[set.Setups[0].Operations[0].Moves[i].Kind]; name == "" {
			t.Errorf("move %d has no kind", i)
		}
	}
	var cycle []json.RawMessage
	var inside [][]float64
	if err := json.Unmarshal(o.Moves[6], &cycle); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(cycle[1], &inside); err != nil {
		t.Fatal(err)
	}
	steps, deepest := 0, 0.0
	set.Setups[0].Operations[0].Steps(func(s motion.Step) bool {
		if s.Move == 6 {
			steps++
		}
		return true
	})
	for _, m := range inside {
		deepest = min(deepest, m[3])
	}
	if len(inside) != steps || deepest != -10 || d.Kinds[8] != "cycle" || d.Kinds[int(motion.Link)] != "link" {
		t.Errorf("the cycle is %d moves to %g mm, want %d to -10", len(inside), deepest, steps)
	}
}

func TestGLB(t *testing.T) {
	p, set := program()
	var file bytes.Buffer
	if err := WriteGLB(&file, "paths", p, set); err != nil {
		t.Fatal(err)
	}
	var d gltf.Document
	if err := gltf.NewDecoder(&file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if len(d.Meshes) != 1 || len(d.Meshes[0].Primitives) != 1 {
		t.Fatalf("%d meshes, want one strip", len(d.Meshes))
	}
	at, err := modeler.ReadPosition(&d, d.Accessors[d.Meshes[0].Primitives[0].Attributes[gltf.POSITION]], nil)
	if err != nil {
		t.Fatal(err)
	}
	f := set.Setups[0].Frame
	far, turn := 0.0, 0.0
	for i := 1; i < len(at); i++ {
		a, b := local(f, at[i-1]), local(f, at[i])
		if a.Z > -1-1e-4 || b.Z < -3+1e-4 || a.X == b.X && a.Y == b.Y {
			continue // not of the helix
		}
		u, v := geom.Vec2{X: a.X - 10, Y: a.Y}, geom.Vec2{X: b.X - 10, Y: b.Y}
		turn += math.Atan2(u.X*v.Y-u.Y*v.X, u.X*v.X+u.Y*v.Y)
		middle := geom.Vec2{X: (u.X + v.X) / 2, Y: (u.Y + v.Y) / 2}
		far = max(far, 10.5-math.Hypot(middle.X, middle.Y))
	}
	if far > sagitta+1e-4 || far < sagitta/4 {
		t.Errorf("chords are %g mm off the helix, at most %g are meant", far, sagitta)
	}
	if math.Abs(turn) > 2*math.Pi || math.Abs(turn) < 2*math.Pi*0.9 || turn > 0 {
		t.Errorf("the helix turns by %g rad, want nearly -2π", turn)
	}
}

func local(f geom.Frame, p [3]float32) geom.Vec3 {
	return f.Local(geom.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
}

func TestMotionOfAnotherPlanIsRejected(t *testing.T) {
	p, set := program()
	few, tools := *p, *p
	few.Setups = p.Setups[:1]
	tools.Tools = p.Tools[:1]
	for name, plan := range map[string]*planning.Plan{"setups": &few, "tools": &tools} {
		if WriteJSON(&bytes.Buffer{}, plan, set) == nil || WriteGLB(&bytes.Buffer{}, "", plan, set) == nil {
			t.Errorf("fewer %s are taken", name)
		}
	}
}
