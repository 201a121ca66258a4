package mutants_test

import (
	"os/exec"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/bench/mutants"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func plate() *brep.Model {
	return build.Plate(geom.Vec3{X: 50, Y: 30, Z: 12}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 15, Y: 15}, Profile: build.Through(6, 12)},
		build.Hole{Center: geom.Vec2{X: 35, Y: 15}, Profile: build.Through(14, 12)})
}

// Both judges find what is shown to do harm, and agree on the rest. More mutants are the affair of bench mutants.
func TestJudgesAgreeOnMutants(t *testing.T) {
	if _, err := exec.LookPath(replay.Interpreter); err != nil {
		t.Skipf("SKIPPED: %s, of Debian's package linuxcnc-uspace, is not installed", replay.Interpreter)
	}
	config := machining.BuiltInCutConfig()
	p, err := mutants.Planned(t.Context(), millwright.Pipeline(millwright.Options{}), plate(), &config)
	if err != nil {
		t.Fatal(err)
	}
	j := mutants.Judges{Cells: 60, Step: 0.5, Config: &config}
	seeds := []int{0, 3, 4, 6, 9, 10, 13, 14, 18, 21, 33}
	tally, err := j.Run(t.Context(), p, seeds, []int{0, 1}, func(s string) { t.Log(s) })
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range tally.Wrong {
		t.Error(w)
	}
	if tally.Harmful < 4 || tally.Found < tally.Harmful || len(tally.Kinds) < 4 || tally.Edits != 2 {
		t.Errorf("too little was tried: %+v", tally)
	}
}
