package plan_test

import (
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/feature/outline"
)

// TestAPartOfEachFormatIsProgrammed makes the program of a part from each format, and proves it. That of NX is the
// bracket of the Parasolid file in a container of our own: all that the corpus has of that system is a part of eight
// solids.
func TestAPartOfEachFormatIsProgrammed(t *testing.T) {
	for _, file := range []string{
		"../../damage/testdata/bracket.x_t",
		"testdata/bracket.prt",
		"corpus/step/foxtrot/cube_hole.step",
		"corpus/pairs/catpart_igs_kramakr/Plummer block.igs",
		"corpus/pairs/sldprt_step_ps2/uSD2PSX Stiffener REF2018.SLDPRT",
		"corpus/catia/kramakr/CADD_Exercise_01d.CATPart",
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if name, ok := strings.CutPrefix(file, "corpus/"); ok {
				file = filepath.Join(corpus.Dir(t), name)
			}
			prove(t, read(t, file))
		})
	}
}

// prove makes the motion of a plan with the default cut config, and replays it.
func prove(t *testing.T, in planning.Input) {
	t.Helper()
	plan, err := planning.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	machine, mill := &in.Config.Machine, compute.OnCPU(0)
	axes := machine.AxisLimits()
	const chord = 0.004 // mm, as programs are proved
	fine, err := tessellate.Mesh(t.Context(), in.Run.Graph.Model, tessellate.Options{ChordTolerance: chord})
	if err != nil || !fine.Report.Watertight {
		t.Fatalf("mesh %+v, error %v", fine.Report, err)
	}
	set, err := toolpath.Make(t.Context(), toolpath.Input{
		Plan: plan, Graph: in.Run.Graph, Samples: outline.Sample(in.Run.Graph), Mill: mill, Part: fine.Mesh,
		Chord: tessellate.DefaultChord, Travel: machine.Travel, RapidX: axes.X.RapidFeed, RapidY: axes.Y.RapidFeed,
	})
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := verify.Replay(t.Context(), verify.Input{
		Plan: plan, Set: set, Part: fine.Mesh, Mill: mill, Travel: machine.Travel,
		RapidX: axes.X.RapidFeed, RapidY: axes.Y.RapidFeed,
	})
	if err != nil {
		t.Fatal(err)
	}
	operations := 0
	for i := range set.Setups {
		operations += len(set.Setups[i].Operations)
	}
	if operations == 0 || !proof.Passes() {
		t.Errorf("%d operations, findings %+v", operations, proof.Findings)
	}
}
