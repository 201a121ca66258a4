package mutants

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify/verifytest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// given is a reader that returns its model for any file.
type given struct{ model *brep.Model }

func (g given) Read(_ context.Context, _ io.ReaderAt, _ int64, _ string, found func(string)) (*brep.Model, error) {
	found("step")
	return g.model, nil
}

// Planned returns the program that the product makes of a part.
func Planned(
	ctx context.Context, tree *pipeline.Pipeline, model *brep.Model, config *machining.CutConfig,
) (*verifytest.Program, error) {
	files := pipelinetest.Files{pipeline.Source: []byte("part")}
	tree.Reader = given{model}
	params := pipeline.Params{
		FileName: "part.step", Cutting: &pipeline.PlanParams{Config: *config, Tools: machining.BuiltInTools()},
	}
	if _, err := tree.Make(ctx, params, []pipeline.Name{pipeline.MadePlan, pipeline.Paths}, files, nil); err != nil {
		return nil, err
	}
	p := &verifytest.Program{Plan: &planning.Plan{}, Travel: config.Machine.Travel}
	if err := json.Unmarshal(files[pipeline.MadePlan], p.Plan); err != nil {
		return nil, err
	}
	var err error
	if p.Set, err = toolpath.Decode(files[pipeline.Paths]); err != nil {
		return nil, err
	}
	const chord = 0.004 // mm, as programs are proved
	fine, err := tessellate.Mesh(ctx, model, tessellate.Options{ChordTolerance: chord, Runner: compute.OnCPU(0)})
	if err != nil {
		return nil, err
	}
	p.Part = fine.Mesh
	return p, nil
}

// Tally counts the results of mutants and of neutral edits.
type Tally struct {
	Mutants  int            `json:"mutants"`
	Harmful  int            `json:"harmful"`  // whose harm is shown by a point
	Found    int            `json:"found"`    // by both judges, harmful or not
	Neutral  int            `json:"neutral"`  // neither shown nor found by anybody
	LeftOnly int            `json:"leftOnly"` // of these, programs that leave more than the first one, says the proof
	Kinds    map[string]int `json:"kinds"`    // found, by kind of finding
	Edits    int            `json:"edits"`    // neutral ones
	Alarms   int            `json:"alarms"`
	Wrong    []string       `json:"wrong"` // findings that one judge missed, or that the judges disagree on
}

// Run judges a program, mutants and neutral edits of it by their numbers, and tells of each.
func (j *Judges) Run(
	ctx context.Context, made *verifytest.Program, mutants, edits []int, tell func(string),
) (*Tally, error) {
	t := &Tally{Kinds: map[string]int{}}
	v, err := j.Judge(ctx, made)
	if err != nil {
		return nil, err
	}
	if len(v.Proof) > 0 || !v.Replay.Sound() {
		return nil, fmt.Errorf("the program itself: %+v, %s", v.Proof, v.Replay.First)
	}
	left := v.Uncut
	for _, seed := range mutants {
		p, what, where, ok := verifytest.AnyMutant(made, seed)
		if !ok {
			continue
		}
		if v, err = j.Judge(ctx, p); err != nil {
			return nil, fmt.Errorf("mutant %d, %s in %s: %w", seed, what, where, err)
		}
		tell(t.mutant(seed, what, where, Witness(p, made), &v, left))
	}
	for _, seed := range edits {
		p := verifytest.Neutral(made, seed)
		if v, err = j.Judge(ctx, p); err != nil {
			return nil, fmt.Errorf("edit %d: %w", seed, err)
		}
		t.Edits++
		if shown := Witness(p, made); len(v.Proof) > 0 || !v.Replay.Sound() || shown != "" {
			t.Alarms++
			t.Wrong = append(t.Wrong, fmt.Sprintf("edit %d: %+v, %q, %s", seed, v.Proof, v.Replay.First, shown))
		}
	}
	return t, nil
}

// mutant counts one mutant and describes its result. Left (mm) is the rest material of the original program.
func (t *Tally) mutant(seed int, what, where, shown string, v *Verdict, left float64) string {
	t.Mutants++
	if shown != "" {
		t.Harmful++
	}
	proof, replay := len(v.touches()) > 0, !v.Replay.Sound()
	said := fmt.Sprintf("mutant %d, %s in %s: ", seed, what, where)
	switch {
	case proof && replay:
		t.Found++
		t.Kinds[what]++
		return said + "found by both"
	case !proof && !replay && shown == "":
		t.Neutral++
		if v.Uncut > left+completeness.LeastHeight {
			t.LeftOnly++
			return said + "leaves more"
		}
		return said + "neutral"
	}
	said += fmt.Sprintf("shown %q, the proof says %+v, the replay %q", shown, v.Proof, v.Replay.First)
	t.Wrong = append(t.Wrong, said)
	return said
}
