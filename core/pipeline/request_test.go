package pipeline_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

func asked(t *testing.T, text string) *pipeline.PlanRequest {
	t.Helper()
	r, err := pipeline.ReadPlanRequest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestRequestChangesParams sends each field, and compares the parameters and the key of the plan.
func TestRequestChangesParams(t *testing.T) {
	base := &pipeline.PlanParams{Config: machining.BuiltInCutConfig(), Tools: machining.BuiltInTools()}
	key := func(p *pipeline.PlanParams) string {
		return params(func(r *pipeline.Params) { r.Cutting = p }).Key(pipeline.Plan)
	}
	c := base.Config
	seen := map[string]string{}
	for _, row := range []struct {
		text, tags string
		ok         func(p *pipeline.PlanParams) bool
		same       bool // as without a request
	}{
		{`{}`, "", func(p *pipeline.PlanParams) bool { return len(p.Replaced) == 0 }, true},
		{`{"quantity":10,"setups":[],"doneRegions":[],"material":null}`, "", func(p *pipeline.PlanParams) bool { return p.Quantity == 0 }, true},
		{`{"material":"mild steel s235, 1018"}`, "", func(p *pipeline.PlanParams) bool {
			m := p.Config.Material
			return m.ISOGroup == "P" && m.Yield == 350 && m.PricePerKgCents == 0 && p.Config.Machine == c.Machine
		}, false},
		{`{"material":{"name":"Brass","isoGroup":"N","specificCuttingForce":800,"density":8.5}}`, "",
			func(p *pipeline.PlanParams) bool {
				m := p.Config.Material
				return m.Name == "Brass" && m.Density == 8.5 && m.PricePerKgCents == 0 && m.ForceExponent == 0.25
			}, false},
		{`{"stock":{"allowance":{"z":5}}}`, "", func(p *pipeline.PlanParams) bool {
			return p.Config.Stock.Allowance == machining.Extent{X: 2, Y: 2, Z: 5} && p.Config.Stock.Kind == "box"
		}, false},
		{`{"stock":{"kind":"cylinder","size":{"x":50,"y":50,"z":80}}}`, "", func(p *pipeline.PlanParams) bool {
			return *p.Config.Stock.Size == machining.StockSize{X: 50, Y: 50, Z: 80}
		}, false},
		{`{"machine":{"name":"Old mill","maxSpindleRpm":4000}}`, "", func(p *pipeline.PlanParams) bool {
			m := p.Config.Machine
			return m.Name == "Old mill" && m.MaxSpindleRPM == 4000 && m.Travel == c.Machine.Travel
		}, false},
		{`{"quantity":250}`, "", func(p *pipeline.PlanParams) bool { return p.Quantity == 250 }, false},
		{`{"setups":[{"direction":{"x":0,"y":0,"z":-2},"workholding":"none"}]}`, "", func(p *pipeline.PlanParams) bool {
			return slices.Equal(p.Setups, []planning.FixedSetup{{Direction: geom.Vec3{Z: -1}, Workholding: "none"}})
		}, false},
		{`{"doneRegions":[7,2,7]}`, "", func(p *pipeline.PlanParams) bool { return slices.Equal(p.DoneRegions, []int{2, 7}) }, false},
		{`{"fallbackTools":true}`, "", func(p *pipeline.PlanParams) bool { return p.FallbackTools }, false},
		{`{}`, "b a", func(p *pipeline.PlanParams) bool { return slices.Equal(p.ExcludedTags, []string{"a", "b"}) }, false},
	} {
		p, err := base.With(asked(t, row.text), strings.Fields(row.tags))
		if err != nil || !row.ok(p) {
			t.Errorf("%s: %+v, %v", row.text, p, err)
			continue
		}
		if same := key(p) == key(base); same != row.same {
			t.Errorf("%s: the plan has the key of one without a request: %v", row.text, same)
		}
		if other, taken := seen[key(p)]; taken && !row.same {
			t.Errorf("%s has the key of %s", row.text, other)
		}
		seen[key(p)] = row.text
	}
	text, err := json.Marshal(base)
	if err != nil || strings.Contains(string(text), "quantity") || len(base.Replaced) > 0 {
		t.Errorf("the parameters that requests began with are %.80s, %v", text, err)
	}
}

// TestRequestsAreChecked: each error names the field and points to it.
func TestRequestsAreChecked(t *testing.T) {
	base := &pipeline.PlanParams{Config: machining.BuiltInCutConfig()}
	for text, want := range map[string][2]string{
		`{"material":"Aluminum 6016"}`: {"/material", `material "Aluminum 6016" is not known; is "Aluminium 6061-T6" meant?`},
		`{"material":"Unobtainium"}`:   {"/material", `use one of "Aluminium 6061-T6", "Mild steel S235, 1018"`},
		`{"material":{"name":"x","isoGroup":"Q","specificCuttingForce":800}}`: {"/material/isoGroup",
			"material.isoGroup must be one of"},
		`{"material":{"name":"x"}}`:              {"/material/isoGroup", "material.isoGroup is missing."},
		`{"material":7}`:                         {"/material", "material must be a JSON object."},
		`{"stock":{"size":{"x":0,"y":1,"z":1}}}`: {"/stock/size/x", "stock.size.x must be more than 0"},
		`{"stock":{"kind":"cylinder","size":{"x":3,"y":1,"z":1}}}`: {"/stock/size/x",
			"stock.size.x and y of a cylinder are its diameter"},
		`{"stock":{"kind":"nearNet","size":{"x":3,"y":1,"z":1}}}`: {"/stock/size", "stock.size must be null if"},
		`{"machine":{"maxRpm":5}}`:                                {"/machine/maxRpm", "machine.maxRpm is not a field"},
		`{"machine":{"travel":{"z":-5}}}`:                         {"/machine/travel/z", "machine.travel.z must be more than 0"},
		`{"quantity":-1}`:                                         {"/quantity", "quantity must lie between 1 and 10000, not -1."},
		`{"setups":[{"direction":{"x":0,"y":0,"z":0}}]}`:          {"/setups/0", "setups[0].direction has no length."},
		`{"setups":[{"direction":{"x":0,"y":0,"z":1},"workholding":"magnet"}]}`: {"/setups/0",
			"setups[0].workholding must be one of vise, fixture, none."},
		`{"doneRegions":[3,-3]}`: {"/doneRegions/1", "doneRegions[1] must be at least 0, not -3."},
	} {
		_, err := base.With(asked(t, text), nil)
		var invalid *machining.ValidationError
		if !errors.As(err, &invalid) || len(invalid.Faults) != 1 && want[0] != "/material/isoGroup" ||
			invalid.Faults[0].Pointer != want[0] || !strings.Contains(invalid.Faults[0].Message, want[1]) {
			t.Errorf("%s: %+v, want %q", text, invalid, want)
		}
	}
	if _, err := pipeline.ReadPlanRequest([]byte(`{"setup":[]}`)); err == nil {
		t.Error("an unknown field is ignored")
	}
}

// TestRequestReachesPlan: the planner gets the terms of a request, and the features that it excludes.
func TestRequestReachesPlan(t *testing.T) {
	tr := tree(&given{model: build.Box(geom.Vec3{X: 30, Y: 20, Z: 10})})
	plan := func(change func(*pipeline.PlanParams)) *planning.Plan {
		t.Helper()
		p := &pipeline.PlanParams{Config: machining.BuiltInCutConfig(), Tools: machining.BuiltInTools()}
		change(p)
		files := source()
		r := params(func(r *pipeline.Params) { r.Cutting = p })
		if _, err := tr.Make(t.Context(), r, []pipeline.Name{pipeline.Plan}, files, nil); err != nil {
			t.Fatal(err)
		}
		out := &planning.Plan{}
		if err := json.Unmarshal(files[pipeline.Plan], out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	down := planning.FixedSetup{Direction: geom.Vec3{Z: -1}, Workholding: machining.WorkholdingNone}
	p := plan(func(p *pipeline.PlanParams) { p.Setups, p.DoneRegions = []planning.FixedSetup{down}, []int{0} })
	if s := &p.Setups[0]; s.Frame.Z.Z > -0.9 || s.Clamping.Kind != machining.WorkholdingNone ||
		!slices.Equal(p.Finished, []int{0}) {
		t.Errorf("first setup %+v, finished %v", s.Frame, p.Finished)
	}
	plain := plan(func(*pipeline.PlanParams) {})
	if len(plain.Unmachinable) > 0 {
		t.Fatalf("unmachinable: %+v", plain.Unmachinable)
	}
	files, summary := source(), pipeline.Analysis{}
	if _, err := tr.Make(t.Context(), params(nil), []pipeline.Name{pipeline.Summary}, files, nil); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(files[pipeline.Summary], &summary); err != nil {
		t.Fatal(err)
	}
	tags := func(p *pipeline.PlanParams) { p.ExcludedTags = []string{summary.Features[0].FeatureTag} }
	if p = plan(tags); len(p.Unmachinable) == 0 || p.Unmachinable[0].Reason != "not_requested" {
		t.Errorf("unmachinable: %+v", p.Unmachinable)
	}
}
