package paths

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
)

// TestTimedMovesHaveTheClock: the file is the moves with their digest and the ends of the clock.
func TestTimedMovesHaveTheClock(t *testing.T) {
	p, set := program()
	p.Tools[0].Tool = machining.Tool{
		Kind: machining.BallEndMill, Diameter: 6, CornerRadius: 3, FluteLength: 12, ShankDiameter: 6, BodyLength: 30,
		OverallLength: 60,
	}
	p.Tools[1].Tool = p.Tools[0].Tool
	m := machining.BuiltInCutConfig().Machine
	clock := estimate.Clock(set, &m)
	var plain, file bytes.Buffer
	if err := WriteJSON(&plain, p, set); err != nil {
		t.Fatal(err)
	}
	if err := WriteTimed(&file, p, set, clock); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	type timed struct {
		Motion string
		Tools  []struct {
			Number   int
			Undercut bool
			Outline  [][3]float64
		}
		Setups []struct {
			Operations []struct {
				Begin   float64
				Seconds []float64
				Moves   json.RawMessage
			}
		}
	}
	var got, want timed
	if err := json.NewDecoder(z).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(plain.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	if d := motion.Digest(set.Setups); got.Motion != d || want.Motion != "" {
		t.Errorf("the digest is %q, want %q; without a clock %q", got.Motion, d, want.Motion)
	}
	o, of := got.Setups[0].Operations[0], clock[0][0]
	if string(o.Moves) != string(want.Setups[0].Operations[0].Moves) {
		t.Errorf("the moves are %s", o.Moves)
	}
	if o.Begin != of.Begin || len(o.Seconds) != len(of.Ends) {
		t.Fatalf("begins at %g s with %d ends, want %g and %d", o.Begin, len(o.Seconds), of.Begin, len(of.Ends))
	}
	for i, s := range o.Seconds {
		if math.Abs(s-of.Ends[i]) > 0.0005 {
			t.Errorf("move %d ends at %g s, want %g", i, s, of.Ends[i])
		}
	}
	// A ball on a cone-free shank: every point of the outline is on the tool.
	if len(got.Tools) != len(p.Tools) || got.Tools[0].Number != 3 || got.Tools[0].Undercut {
		t.Fatalf("tools %+v", got.Tools)
	}
	radius, far := p.Tools[0].Tool.Diameter/2, 0.0
	for _, q := range got.Tools[0].Outline {
		if q[2] == 0 {
			far = max(far, q[0])
		}
		if miss := math.Hypot(q[0], q[1]-radius) - radius; q[1] < radius-1e-3 && math.Abs(miss) > 1e-4 {
			t.Errorf("the outline of the ball has %v, %g mm off", q, miss)
		}
	}
	if n := len(got.Tools[0].Outline); math.Abs(far-radius) > 1e-4 || n < 20 {
		t.Errorf("the outline has %d points up to the radius %g, want %g", n, far, radius)
	}
	if err := WriteTimed(&file, p, set, clock[:1]); err == nil {
		t.Error("the clock of another program is taken")
	}
}
