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
	if err := WriteTimed(&file, p, set, clock[:1]); err == nil {
		t.Error("the clock of another program is taken")
	}
}
