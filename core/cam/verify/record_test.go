package verify_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/stock/inprocess"
	"millwright.dev/millwright/core/cam/stock/inprocess/inprocesstest"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
)

// TestRecordedStockIsThatOfTheReplay compares the first and the last state of each setup with the stock of the replay.
func TestRecordedStockIsThatOfTheReplay(t *testing.T) {
	p := verifytest.Made(chord)
	proof, left, err := verify.Replay(t.Context(), verify.Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: 100, Record: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if plain, without := prove(t, p, 100); without.Recorded != nil || plain.RemovedVolume != proof.RemovedVolume {
		t.Errorf("the record changes the proof: %+v, without %+v", proof, plain)
	}
	var file bytes.Buffer
	if err := inprocess.Write(&file, proof.Digest, left.Recorded); err != nil {
		t.Fatal(err)
	}
	before := left.Stock
	for i := range p.Plan.Setups {
		index, compressed, err := inprocess.Find(file.Bytes(), i, 256)
		if err != nil {
			t.Fatal(err)
		}
		h, states, err := inprocesstest.Read(compressed)
		if err != nil || index.Motion != proof.Digest || h.Motion != proof.Digest {
			t.Fatalf("motion %s, %s, want %s; %v", index.Motion, h.Motion, proof.Digest, err)
		}
		want := []string{"part", "start"}
		for _, o := range p.Plan.Setups[i].Operations {
			want = append(want, o.ID)
		}
		if !slices.Equal(h.States, want) {
			t.Errorf("setup %d: states %q, want %q", i+1, h.States, want)
		}
		for name, c := range map[string]struct {
			state  inprocesstest.State
			volume float64
		}{
			"part":  {states[0], left.Part.Volume()[2]},
			"start": {states[1], before.Volume()[2]},
			"end":   {states[len(states)-1], left.After[i].Volume()[2]},
		} {
			got := 0.0
			for _, ray := range c.state {
				for _, s := range ray {
					got += (s[1] - s[0]) * h.Step * h.Step
				}
			}
			if math.Abs(got-c.volume) > 1e-4*c.volume {
				t.Errorf("setup %d, %s: %g mm³, want %g", i+1, name, got, c.volume)
			}
		}
		before = left.After[i]
	}
}
