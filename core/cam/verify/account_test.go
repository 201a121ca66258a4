package verify_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
)

// settled is the plan of a program with its account.
func settled(t *testing.T, p *verifytest.Program) *planning.Plan {
	t.Helper()
	proof, _ := prove(t, p, 150)
	if !proof.Passes() {
		t.Fatalf("%+v", proof.Findings)
	}
	features := slices.Repeat([]int{-1}, len(p.Part.Regions))
	features[verifytest.PocketWall] = 3
	return verify.Settle(p.Plan, p.Set, proof, verify.Facts{
		Removable: proof.StockVolume - proof.PartVolume, Area: 10000, FeatureOf: features,
	})
}

// unmade names faces that the plan does not make.
func unmade(reason completeness.Reason, regions ...int) func(*verifytest.Program) {
	return func(p *verifytest.Program) {
		u := planning.Unmachinable{Feature: 5, Regions: regions, Reason: reason, Detail: "So it is.", Remedy: "A file."}
		if reason == completeness.SharpCorner {
			u.Corners, u.Within = [][]int{regions}, 1
		}
		p.Plan.Unmachinable = []planning.Unmachinable{u}
	}
}

// TestAccountReportsOmittedOperation drops the operation that finishes the wall of a pocket, so that 0.2 mm remain.
// The plan's entries explain this material; the paths' declarations do not.
func TestAccountReportsOmittedOperation(t *testing.T) {
	residue := func(p *verifytest.Program) {
		p.Set.Paths[0][0].RestMaterial = []toolpath.RestMaterial{{
			Regions: []int{verifytest.PocketWall}, Height: 3, Volume: 1000, Detail: "its corners are sharp.",
		}}
	}
	for _, row := range []struct {
		name    string
		say     func(*verifytest.Program)
		reason  completeness.Reason
		feature int
		detail  string
		level   completeness.Level
	}{
		{"nothing said", func(*verifytest.Program) {}, completeness.PathLeft, 3, "No operation of the plan makes it.",
			completeness.Incomplete},
		{"a residue of the wall", residue, completeness.PathLeft, 3, "its corners are sharp", completeness.Incomplete},
		{"the wall is not made", unmade(completeness.OutOfReach, verifytest.PocketWall), completeness.OutOfReach,
			5, "So it is.",
			completeness.Incomplete},
		{"another face is not made", unmade(completeness.OutOfReach, verifytest.Sides), completeness.PathLeft, 3, "",
			completeness.Incomplete},
		{"a corner of the wall with the sides",
			unmade(completeness.SharpCorner, verifytest.PocketWall, verifytest.Sides),
			completeness.PathLeft, 3, "", completeness.Incomplete},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := verifytest.Made(chord).Clone()
			drop(t, p, "wall")
			row.say(p)
			plan := settled(t, p)
			a := plan.Account
			if a.Completeness != row.level || len(a.Left) == 0 {
				t.Fatalf("%+v", a)
			}
			e := a.Left[0]
			if e.Reason != row.reason || e.Feature != row.feature || !strings.Contains(e.Detail, row.detail) {
				t.Errorf("%+v, want %s of feature %d: %s", e, row.reason, row.feature, row.detail)
			}
			// The wall is 100 mm round with corners of 6 mm, and 10 mm high.
			want := 0.2 * (2*(36+20) - 6*(8-2*math.Pi)) * 10
			if math.Abs(e.Volume-want) > 0.05*want || math.Abs(e.Height-0.2) > 0.02 ||
				!slices.Equal(e.Regions, []int{verifytest.PocketWall}) {
				t.Errorf("%+v, want %.4g mm³ and 0.2 mm on face %d", e, want, verifytest.PocketWall)
			}
			if !slices.ContainsFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
				return u.Reason == row.reason && u.Feature == row.feature
			}) {
				t.Errorf("unmachinable: %+v", plan.Unmachinable)
			}
		})
	}
}

// TestCompleteProgramLeavesNothing checks that a machined face is not listed although the plan names it as
// unmachinable, and that the program is reported as complete.
func TestCompleteProgramLeavesNothing(t *testing.T) {
	p := verifytest.Made(chord).Clone()
	unmade(completeness.OutOfReach, verifytest.PocketWall)(p)
	plan := settled(t, p)
	if plan.Account.Completeness != completeness.Complete || len(plan.Account.Left) > 0 || len(plan.Unmachinable) > 0 {
		t.Errorf("%+v, unmachinable %+v", plan.Account, plan.Unmachinable)
	}
	if plan.Account.Made.VolumeShare < 0.9995 || plan.Account.Made.AreaShare < 0.9995 {
		t.Errorf("made %+v", plan.Account.Made)
	}
	if len(p.Plan.Unmachinable) != 1 || p.Plan.Account != nil {
		t.Error("the plan that was settled has changed")
	}
}

// TestAccountNamesUnstatedThread checks that a thread that the file does not state is named, although it has no volume.
func TestAccountNamesUnstatedThread(t *testing.T) {
	p := verifytest.Made(chord).Clone()
	unmade(completeness.ThreadNotStated, verifytest.HoleWall)(p)
	plan := settled(t, p)
	if plan.Account.Completeness != completeness.CompleteButNamed || len(plan.Account.Left) != 1 ||
		len(plan.Unmachinable) != 1 {
		t.Errorf("%+v, unmachinable %+v", plan.Account, plan.Unmachinable)
	}
}

// TestAccountIgnoresUnrequestedFeatures checks that features that were not requested are not reported as left by the
// paths.
func TestAccountIgnoresUnrequestedFeatures(t *testing.T) {
	p := verifytest.Made(chord).Clone()
	drop(t, p, "wall")
	proof, _ := prove(t, p, 150)
	features := slices.Repeat([]int{4}, len(p.Part.Regions))
	plan := verify.Settle(p.Plan, p.Set, proof, verify.Facts{
		Removable: 1e4, Area: 1e4, FeatureOf: features, Requested: func(f int) bool { return f != 4 },
	})
	if a := plan.Account; a.Completeness != completeness.CompleteButNamed ||
		a.Left[0].Reason != completeness.NotRequested {
		t.Errorf("%+v", a)
	}
}

// TestAccountIgnoresFinishedFaces checks that stock next to faces that are finished before is not reported as left.
func TestAccountIgnoresFinishedFaces(t *testing.T) {
	p := verifytest.Made(chord).Clone()
	drop(t, p, "wall")
	p.Plan.Finished = []int{verifytest.PocketWall}
	plan := settled(t, p)
	if a := plan.Account; a.Completeness != completeness.Complete || len(a.Left) > 0 {
		t.Errorf("%+v", a)
	}
}
