package clearing_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/clearing"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/cmd/millwright/plancmd"
)

// Random pockets are cleared within the bound: a thousandth of the cut over 110 % of the target, no sample over 130 %,
// and no stud.
func TestRandomPocketsAreCleared(t *testing.T) {
	count := 50
	if testing.Short() {
		count = 4
	}
	pockets, err := clearing.Random(1, count)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pockets {
		p := &pockets[i]
		moves, _, err := p.Clear(t.Context())
		if err != nil {
			t.Errorf("pocket %d, %s: %v", i, p.Kind, err)
			continue
		}
		f := measured(t, p.Loops, p.Diameter/2, p.Arc(), moves...)
		if f.Cut == 0 || f.Over > 1e-3 || f.FarOver > 0 || f.Studs > 0 {
			t.Errorf("pocket %d, %s, stepover %.3g mm: %.0f mm cut, share over 110 %% %.2g, over 130 %% %.2g, %d studs",
				i, p.Kind, p.Stepover, f.Cut, f.Over, f.FarOver, f.Studs)
		}
	}
}

// The roughing of a pocket of a part keeps to its bound and clears all that its mill reaches, as its task says.
func TestRoughingOfAPart(t *testing.T) {
	name := filepath.Join(corpus.Dir(t), "plans", "pocketA.step")
	file, err := os.Open(name)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	model, _, err := cad.Read(t.Context(), file, info.Size(), name)
	if err != nil {
		t.Fatal(err)
	}
	cutting, err := plancmd.Cutting("builtin")
	if err != nil {
		t.Fatal(err)
	}
	p, err := clearing.Rough(t.Context(), millwright.Pipeline(millwright.Options{}), model, cutting)
	if err != nil {
		t.Fatal(err)
	}
	task := p.Task(name)
	if len(task.Pockets) != 1 || task.Pockets[0].Floor[2] != 10 || task.Pockets[0].Top != 30 ||
		math.Abs(task.Pockets[0].Bottom-10-p.Operation.LeaveAxial) > 1e-9 {
		t.Errorf("the pockets are %+v; want one from 30 to the stock to leave over 10 mm", task.Pockets)
	}
	f, err := p.Measure(&p.Motion)
	if err != nil {
		t.Fatal(err)
	}
	if f.Over > 1e-3 || f.FarOver > 0 || f.Studs > 0 || f.Left > 0.01*f.Reachable || f.Reachable < 1000 {
		t.Errorf("the figures of the roughing are %+v", f)
	}
	times := clearing.TimesOf(&p.Machine, p.Operation.Top, &p.Motion)
	sum := times.CutSeconds + times.LinkSeconds + times.EntrySeconds + times.RapidSeconds
	if times.Seconds < times.Naive || math.Abs(sum-times.Naive) > 1e-9 || times.EntrySeconds == 0 {
		t.Errorf("the times are %+v, their parts %g s", times, sum)
	}
}
