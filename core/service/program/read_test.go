package program_test

import (
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

// TestProgramReadsAsItWasMade edits the cut config of a program, and deletes it and its tools, before the program is
// made and after.
func TestProgramReadsAsItWasMade(t *testing.T) {
	for _, c := range []struct{ name, when string }{{"while it waits", "before"}, {"once it is ready", "after"}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			config, library := w.newConfig(w.Acme, "")
			made := w.create(w.readyPart(), config).ProgramDetail
			if c.when == "after" {
				w.finish(made, "linuxcnc")
			}
			read := func() string {
				plan, cutting, err := w.Programs.Cutting(t.Context(), w.Acme.TeamID, made.PlanID)
				w.must(err)
				return text(t, w.program(made)) + text(t, plan) + text(t, cutting)
			}
			before := read()
			if strings.Count(before, `"diameter":6,`) == 0 {
				t.Fatalf("the snapshot has no tools: %s", before)
			}
			_, err := w.Catalog.UpdateCutConfig(t.Context(), w.Acme, config,
				machining.ReadPatch([]byte(`{"hourlyRateCents":1}`)), nil)
			w.must(err)
			for _, end := range []func() error{
				func() error { return w.Catalog.DeleteToolLibrary(t.Context(), w.Acme, library, nil) },
				func() error { return w.Catalog.DeleteCutConfig(t.Context(), w.Acme, config, nil) },
			} {
				w.must(end())
				if after := read(); after != before {
					t.Errorf("it reads %s\nbefore   %s", after, before)
				}
			}
		})
	}
}

// TestFailedProgramLeavesItsPart lets one program of a part fail verification and another pass.
func TestFailedProgramLeavesItsPart(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	bad := w.create(p, "").ProgramDetail
	w.finish(bad, "linuxcnc", verify.Finding{Kind: verify.Gouge, Operation: "1-1", Depth: 0.2})
	good := w.create(p, "").ProgramDetail
	w.finish(good, "linuxcnc")
	if got := w.part(p.ID); got.Status != part.Ready || got.FailureCode != "" || got.ReportID != p.ReportID {
		t.Errorf("the part: %+v", got)
	}
	if got := w.program(bad); got.Status != program.Failed || got.Failure.Code != fault.VerificationFailed ||
		got.Set == nil {
		t.Errorf("the bad one: %+v", got.Program)
	}
	in := program.GcodeInput{PartID: p.ID, ProgramID: bad.ID, Setup: 1}
	_, err := w.Programs.Gcode(t.Context(), w.Acme, in)
	apptest.WantCode(t, "g-code of a program that failed", err, apierr.ProgramNotReady)
	in.ProgramID = good.ID
	code, err := w.Programs.Gcode(t.Context(), w.Acme, in)
	if err != nil || !strings.Contains(code.Text, "G1 X10") || code.FileName != "bracket-1.ngc" {
		t.Errorf("g-code of the other: %+v, %v", code, err)
	}
	if got := w.program(good); got.Status != program.Ready || len(got.Result.Digests) != 1 {
		t.Errorf("the good one: %+v", got.Program)
	}
	in.ProgramID = record.NewID()
	_, err = w.Programs.Gcode(t.Context(), w.Acme, in)
	apptest.WantCode(t, "g-code of no program", err, apierr.NotFound)
	_, err = w.Programs.Get(t.Context(), w.Rival, p.ID, good.ID)
	apptest.WantCode(t, "another team's program", err, apierr.NotFound)
}

// TestDeletedPartTakesItsPrograms checks that neither records nor motion of the programs remain.
func TestDeletedPartTakesItsPrograms(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	done := w.create(p, "").ProgramDetail
	motion := w.finish(done, "linuxcnc")
	waiting := w.create(p, "").ProgramDetail
	if !w.hasObject(motion) {
		t.Fatal("the motion is not stored")
	}
	w.must(w.Parts.Delete(t.Context(), w.Acme, p.ID))
	for _, of := range []program.ProgramDetail{done, waiting} {
		_, err := w.Programs.Get(t.Context(), w.Acme, p.ID, of.ID)
		apptest.WantCode(t, "program", err, apierr.NotFound)
		_, err = w.Programs.Plan(t.Context(), w.Acme, of.PlanID)
		apptest.WantCode(t, "plan", err, apierr.NotFound)
		if _, err := w.Store.Cutting(t.Context(), w.Acme.TeamID, of.PlanID); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("its cut config: %v, want ErrNotFound", err)
		}
		if j, err := w.Jobs.Get(t.Context(), w.Acme, of.JobID); err == nil {
			t.Errorf("its job is there: %+v", j)
		}
	}
	if w.hasObject(motion) {
		t.Error("the motion is still stored")
	}
	if _, err := w.Catalog.GetProject(t.Context(), w.Acme, done.ProjectID); err != nil {
		t.Errorf("the project it was in: %v", err)
	}
}

func TestFacts(t *testing.T) {
	a := &pipeline.Analysis{
		Shape:   pipeline.Shape{Volume: 7, Area: 8},
		Regions: []pipeline.Region{{Idx: 3, Area: 20}, {Idx: 5, Area: 30}, {Idx: 6, Area: 40}},
		Recognition: pipeline.Recognition{
			Features: []pipeline.PartFeature{
				{FeatureTag: "a", RegionIdxs: []int{3}}, {FeatureTag: "b", RegionIdxs: []int{3, 5}},
				{FeatureTag: "c", RegionIdxs: []int{6}},
			},
			Holes:       []pipeline.HoleSummary{{FeatureTag: "c", Diameter: 5, Depth: 12}},
			PartSummary: pipeline.PartSummary{Setups: make(pipeline.Setups, 2)},
		},
	}
	got := program.Facts(a, map[string]*feature.Datasheet{"a": {ZMax: 9}, "b": nil}, nil)
	if len(got.Sheets) != 1 || got.Sheets[0].ZMax != 9 || got.Setups != 2 || got.Volume != 7 ||
		len(got.Unmeasured) != 2 {
		t.Fatalf("got %+v", got)
	}
	face, hole := got.Unmeasured[0], got.Unmeasured[1]
	if face.Area != 50 || face.Hole != nil || hole.Hole == nil || hole.Hole.Diameter != 5 || hole.Hole.Depth != 12 {
		t.Errorf("got %+v and %+v", face, hole)
	}
}

func TestJudge(t *testing.T) {
	w := newWorld(t)
	plan, paths := made()
	at := func(k verify.Kind) verify.Finding {
		return verify.Finding{Kind: k, Operation: "1-1", Move: 2, Depth: 0.125}
	}
	unmeasured := func(k verify.Kind) verify.Finding {
		f := at(k)
		f.Depth = 0
		return f
	}
	for _, c := range []struct {
		name     string
		post     string
		findings []verify.Finding
		code     fault.Code
		says     string
	}{
		{"proved", "linuxcnc", nil, "", ""},
		{"gouge", "linuxcnc", []verify.Finding{at(verify.Gouge)}, fault.VerificationFailed,
			"In setup 1, operation 1-1 (face), move 3: the part is cut into by 0.125 mm at (0, 0, 0) of the part."},
		{"two", "linuxcnc", []verify.Finding{at(verify.RapidCollision), at(verify.Gouge), at(verify.Gouge)},
			fault.VerificationFailed,
			"move 3: a rapid meets 0.125 mm³ of material at (0, 0, 0) of the part. There are 2 more findings."},
		{"holder", "linuxcnc", []verify.Finding{at(verify.HolderCollision)}, fault.VerificationFailed, "the holder meets 0.125 mm³"},
		{"jaws", "linuxcnc", []verify.Finding{unmeasured(verify.FixtureCollision)}, fault.VerificationFailed,
			"move 3: the tool meets what holds the part at (0, 0, 0)"},
		{"shank", "linuxcnc", []verify.Finding{unmeasured(verify.ShankCollision)}, fault.VerificationFailed,
			"move 3: the shank meets material at"},
		{"travel", "linuxcnc", []verify.Finding{at(verify.Overtravel)}, fault.VerificationFailed, "0.125 mm short of travel"},
		{"no such post", "morse", nil, fault.DoesNotFitMachine, `"morse"`},
	} {
		v := w.Programs.Judge("bracket", plan, paths, &verify.Report{Findings: c.findings}, c.post)
		switch {
		case c.code == "" && (v.Failure != nil || len(v.Result.Digests) != 1):
			t.Errorf("%s: %+v, want g-code of one setup", c.name, v)
		case c.code != "" &&
			(v.Failure == nil || v.Failure.Code != c.code || !strings.Contains(v.Failure.Reason, c.says) ||
				len(v.Result.Digests) != 0):
			t.Errorf("%s: %+v, want %s with %q and no g-code", c.name, v.Failure, c.code, c.says)
		}
	}
}

// TestFilesHaveDevicesThatAreDesigned: the devices of a program have an address only where a plan has their pieces.
func TestFilesHaveDevicesThatAreDesigned(t *testing.T) {
	w := newWorld(t)
	made := w.create(w.readyPart(), "").ProgramDetail
	w.finish(made, "linuxcnc")
	p := w.program(made)
	p.Set.Result.Objects[pipeline.Devices] = p.Set.Result.Objects[pipeline.Paths]
	files, err := w.Programs.Files(t.Context(), &p)
	if err != nil || files.Devices != "" {
		t.Errorf("a program without devices has them at %q (%v)", files.Devices, err)
	}
	p.Plan.Made.Setups[0].Clamping.Pieces = []fixture.Piece{{Name: "base"}}
	files, err = w.Programs.Files(t.Context(), &p)
	if err != nil || files.Devices == "" {
		t.Errorf("its devices have no address (%v)", err)
	}
}
