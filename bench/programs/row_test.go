package programs

import (
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/target"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/pipeline"
)

func TestFeaturesAreMadeOrNamed(t *testing.T) {
	p := &planning.Plan{
		Setups: []planning.Setup{
			{Operations: []planning.Operation{{Features: []int{0, 2}}, {Features: []int{2}}}}, {Operations: []planning.Operation{{}}},
		},
		Unmachinable: []planning.Unmachinable{
			{Feature: 2, Reason: completeness.SharpCorner}, {Feature: 4, Reason: completeness.Undercut}, {Feature: -1, Reason: completeness.Undercut},
		},
	}
	r := Row{Features: 6}
	r.cover(p)
	if r.Planned != 2 || r.Named != 2 || !slices.Equal(r.Forgotten, []int{2, 4, 6}) || r.Reasons["undercut"] != 2 {
		t.Errorf("%+v", r)
	}
}

func TestProofsAreCounted(t *testing.T) {
	var r Row
	r.prove(&verify.Report{
		MaxGouge: 0.2, RapidCollisions: 2, FixtureCollisions: 1,
		Findings: []verify.Finding{{Kind: verify.Gouge}, {Kind: verify.RapidCollision}},
	})
	if r.Gouges != 1 || r.Collisions != 3 || r.Failure != "verification_failed" {
		t.Errorf("%+v", r)
	}
}

func TestRowReadsAccount(t *testing.T) {
	var r Row
	r.account(completeness.New(completeness.Found, []completeness.Entry{
		{Volume: 10, Height: 1, Area: 5, Reason: completeness.PathLeft}, {Volume: 1, Height: 1, Reason: completeness.PathLeft},
		{Volume: 30, Height: 1, Reason: completeness.OutOfReach},
	}, 100, 50))
	if r.PathLeft != 1 || r.Account != "incomplete" || math.Abs(r.Removed-0.59) > 1e-9 || r.AreaShare != 0.9 {
		t.Errorf("%+v", r)
	}
}

func TestTimeIsOfItsStage(t *testing.T) {
	r := Row{Meters: 4}
	r.cost(&pipeline.Run{Made: []pipeline.Built{
		{Name: pipeline.Model, Took: 1e6}, {Name: pipeline.Plan, Took: 2e6}, {Name: pipeline.Drafting, Took: 4e6}, {Name: "replay", Took: 9e6},
		{Name: pipeline.Proof, Took: 1e6},
	}})
	if r.ReadMs != 1 || r.PlanMs != 2 || r.PathsMs != 4 || r.ProofMs != 10 || r.PerMs != 4 {
		t.Errorf("%+v", r)
	}
}

func TestJudge(t *testing.T) {
	m := machining.BuiltInCutConfig().Machine
	small, large := machining.Extent{X: 390, Y: 100, Z: 600}, machining.Extent{X: 500, Y: 500, Z: 500}
	for _, c := range []struct {
		name  string
		row   Row
		stock machining.Extent
		want  string // in what is broken; "": nothing
	}{
		{"sound", Row{Meters: 3, ProofMs: 4999}, small, ""},
		{"long", Row{Meters: 900, ProofMs: 8900}, small, ""},
		{"slow", Row{Meters: 900, PlanMs: 5000, ProofMs: 4001}, small, "9001 ms of computing for 900.0 m"},
		{"too large", Row{Failure: "does_not_fit_machine"}, large, ""},
		{"refused without need", Row{Failure: "does_not_fit_machine"}, small, "though its stock does"},
		{"taken without room", Row{}, large, "does not fit"},
		{"no plan", Row{Failure: "no_setup"}, small, "failed: no_setup"},
		{"gouge", Row{Failure: "verification_failed", Gouges: 1, MaxGouge: 0.02}, small, "1 gouges, 0.020 mm"},
		{"collision", Row{Failure: "verification_failed", Collisions: 1}, small, "1 collisions"},
		{"path", Row{PathLeft: 2}, small, "2 places that the plan makes"},
		{"travel", Row{Failure: "verification_failed", Beyond: 2}, small, "2 moves beyond"},
		{"left", Row{Target: &target.Target{}, Removed: 1, Replayed: 0.98}, small, "made, the replay removes 98.0 %"},
		{"too deep", Row{Target: &target.Target{}, Removed: 1, Replayed: 1.02}, small, "the replay removes 102.0 %"},
		{"forgotten", Row{Forgotten: []int{3}}, small, "1 features neither"},
	} {
		c.row.Judge(c.stock, &m)
		got := strings.Join(c.row.Broken, "; ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
