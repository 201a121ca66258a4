package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

func session(r *given) *pipeline.Session {
	return tree(r).NewSession(strings.NewReader("content"), int64(len("content")), "plate.step")
}

// TestSessionBuildsWhatIsStored compares the values of a session, as JSON, with the bytes that a store would get.
func TestSessionBuildsWhatIsStored(t *testing.T) {
	cutting, err := pipeline.NewPlanParams(machining.BuiltInCutConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := pipeline.Params{FileName: "plate.step", ChordTolerance: 0.05, Cutting: cutting}
	want := []pipeline.Name{
		pipeline.Properties, pipeline.Datasheets, pipeline.Summary, pipeline.Plan, pipeline.MadePlan, pipeline.Proof,
		pipeline.ProgramTime,
	}
	stored := made(t, plate(), r, want...)
	r.FileName = "other.x_t" // ignored: the session has its own name
	got, err := session(&given{model: plate()}).Build(t.Context(), r, want...)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range want {
		text, err := json.Marshal(got[n])
		if err != nil || !bytes.Equal(append(text, '\n'), stored[n]) {
			t.Errorf("%s is %v\n%s\nwant\n%s", n, err, text, stored[n])
		}
	}
}

func TestSessionBuildsOnce(t *testing.T) {
	r := &given{model: plate()}
	s := session(r)
	build := func(p pipeline.Params, n pipeline.Name) any {
		built, err := s.Build(t.Context(), p, n)
		if err != nil {
			t.Error(err)
		}
		return built[n]
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { build(pipeline.Params{}, pipeline.Features) })
	}
	all.Wait()
	cutting, err := pipeline.NewPlanParams(machining.BuiltInCutConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.Params{Cutting: cutting}
	plan := build(p, pipeline.Plan).(*planning.Plan)
	if build(p, pipeline.Plan) != plan {
		t.Error("the plan is made twice")
	}
	coarse := pipeline.Params{ChordTolerance: 0.5}
	if reflect.DeepEqual(build(coarse, pipeline.DisplayMesh), build(pipeline.Params{}, pipeline.Mesh)) {
		t.Error("a coarse mesh is that of the default tolerance")
	}
	if r.reads != 1 {
		t.Errorf("the file is read %d times", r.reads)
	}
}

func TestSessionGivesErrors(t *testing.T) {
	bad := &given{err: fault.Errorf(fault.UnreadableFile, "It is broken.")}
	s := session(bad)
	var f *fault.Error
	_, err := s.Build(t.Context(), pipeline.Params{}, pipeline.Features)
	if !errors.As(err, &f) || f.Code != fault.UnreadableFile {
		t.Errorf("a broken file gives %v", err)
	}
	bad.model, bad.err = plate(), nil // failed artifacts are not kept
	built, err := s.Build(t.Context(), pipeline.Params{}, pipeline.Features)
	if err != nil || built[pipeline.Features] == nil {
		t.Errorf("after an error: %v, %v", built, err)
	}
	for _, n := range []pipeline.Name{"nothing", pipeline.Source, pipeline.Plan} {
		if built, err := s.Build(t.Context(), pipeline.Params{}, n); err == nil {
			t.Errorf("%s is %v", n, built)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Build(ctx, pipeline.Params{}, pipeline.Datasheets); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v", err)
	}
}

func TestPlanParamsAreValid(t *testing.T) {
	config, tool := machining.BuiltInCutConfig(), machining.BuiltInTools()[0]
	got, err := pipeline.NewPlanParams(config, []machining.Tool{tool})
	if err != nil || len(got.Tools) != 1+len(machining.BuiltInTools()) || got.Tools[0].ID != tool.ID {
		t.Errorf("%d tools, %v", len(got.Tools), err)
	}
	tool.Diameter = -1
	lost, elsewhere := config, config
	lost.Post, elsewhere.ToolLibraryIDs = "mach3", []string{"5e0c8f0e-0000-4000-8000-000000000000"}
	for name, c := range map[string]struct {
		config machining.CutConfig
		tools  []machining.Tool
		want   string
	}{
		"a tool": {config, []machining.Tool{tool}, "tools[0]"}, "a post": {lost, nil, "mach3"},
		"a library": {elsewhere, nil, "5e0c8f0e"},
	} {
		if _, err := pipeline.NewPlanParams(c.config, c.tools); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
