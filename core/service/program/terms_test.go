package program_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

// TestTermsAreInTheSnapshot: equal requests have equal snapshots, others have not, and the terms reach the worker.
func TestTermsAreInTheSnapshot(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	config, _ := w.newConfig(w.Acme, "")
	terms := pipeline.PlanRequest{
		Material: json.RawMessage(`"Brass CuZn39Pb3"`), Machine: json.RawMessage(`{"maxSpindleRpm":4000}`), Quantity: 3,
		Stock:  json.RawMessage(`{"size":{"x":9,"y":8,"z":7}}`),
		Setups: []pipeline.PlanSetup{{Direction: geom.Vec3{Z: -4}, Workholding: "none"}},
	}
	create := func(terms pipeline.PlanRequest) program.ProgramDetail {
		t.Helper()
		w.Clock.Advance(time.Minute)
		made, err := w.Programs.Create(t.Context(), w.Acme,
			program.CreateInput{PartID: p.ID, CutConfigID: config, PlanRequest: terms})
		w.must(err)
		return made.ProgramDetail
	}
	plain, first, second := create(pipeline.PlanRequest{}), create(terms), create(terms)
	if first.Plan.Snapshot != second.Plan.Snapshot || first.Plan.Snapshot == plain.Plan.Snapshot {
		t.Errorf("snapshots %s, %s of equal requests, %s of another", first.Plan.Snapshot, second.Plan.Snapshot,
			plain.Plan.Snapshot)
	}
	_, got, err := w.Programs.Cutting(t.Context(), w.Acme.TeamID, first.PlanID)
	w.must(err)
	if c := &got.Config; c.Material.Name != "Brass CuZn39Pb3" || c.Machine.MaxSpindleRPM != 4000 || c.Stock.Size.Z != 7 ||
		got.Quantity != 3 || len(got.Setups) != 1 || got.Setups[0].Direction != (geom.Vec3{Z: -1}) {
		t.Errorf("the worker gets %+v", got)
	}
	list, err := w.Programs.Origins(t.Context(), w.Acme, p.ID, record.Page{Page: 1, PageSize: 10})
	w.must(err)
	for _, o := range list.Items {
		if o.Currency != program.Current {
			t.Errorf("the cut config of %s counts as %s in %v", o.ID, o.Currency, o.Changes)
		}
	}
}

// TestTermsAreRefused: the error has the code, and points to the field.
func TestTermsAreRefused(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	for _, c := range []struct {
		name    string
		terms   pipeline.PlanRequest
		code    apierr.Code
		pointer string
	}{
		{"a material that nobody knows", pipeline.PlanRequest{Material: json.RawMessage(`"Cheese"`)}, apierr.InvalidRequest, "/material"},
		{"a region that the part does not have", pipeline.PlanRequest{DoneRegions: []int{7}}, apierr.InvalidRequest, "/doneRegions/0"},
		{"a feature that the part does not have", pipeline.PlanRequest{Excluded: []string{record.NewID()}}, apierr.FeatureNotFound, ""},
	} {
		in := program.CreateInput{PartID: p.ID, PlanRequest: c.terms}
		_, err := w.Programs.CreatePlan(t.Context(), w.Acme, program.CreatePlanInput{CreateInput: in})
		apptest.WantCode(t, c.name, err, c.code)
		_, err = w.Programs.CreateToolpaths(t.Context(), w.Acme, in)
		apptest.WantCode(t, c.name, err, c.code)
		_, err = w.Programs.Create(t.Context(), w.Acme, in)
		apptest.WantCode(t, c.name, err, c.code)
		var refused *apierr.Error
		if errors.As(err, &refused); c.pointer != "" && (len(refused.Faults) != 1 || refused.Faults[0].Pointer != c.pointer) {
			t.Errorf("%s: %+v", c.name, refused)
		}
	}
}
