package portal_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/export/setupsheet"
	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

func TestProgramsOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, "^TestProgramOf") }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// readyPart is a part of the caller whose analysis has ended, with one face.
func (w *world) readyPart(c account.Caller) part.Part {
	w.t.Helper()
	p := w.Completed(c)
	j, fence := w.Lease(p)
	r := part.AnalysisReport{
		ID: record.NewID(), TeamID: p.TeamID, PartID: p.ID, JobID: j.ID, CreatedAt: w.Clock.Now(),
		Objects: map[pipeline.Name]object.Ref{}, Analysis: pipeline.Analysis{Shape: pipeline.Shape{Format: "step"}},
	}
	w.must(w.Store.Commit(w.t.Context(), fence, worker.Outcome{Report: &r}, w.Clock.Now()))
	p, err := w.Parts.Get(w.t.Context(), c, p.ID)
	w.must(err)
	return p
}

// onePlan is a plan of one setup with one operation, and its motion.
func onePlan() (*program.PlanSummary, *toolpath.Set) {
	stock := geom.BoxOf(geom.Vec3{Z: -20}, geom.Vec3{X: 60, Y: 40})
	left := []completeness.Entry{{
		Feature: -1, Regions: []int{4, 5}, Volume: 80, Height: 2, Reason: completeness.SharpCorner,
		Detail: "A concave edge that no round tool makes.", Remedy: "Wire EDM.",
	}}
	plan := &program.PlanSummary{FeatureIDs: []string{}, Plan: planning.Plan{
		Workpiece: geom.World, Stock: stock, Warnings: []fault.Warning{},
		Tools: []planning.Tool{{Number: 7, Stickout: 30, Tool: machining.BuiltInTools()[0]}},
		Unmachinable: []planning.Unmachinable{
			{Feature: -1, Regions: []int{4, 5}, Reason: completeness.SharpCorner, Detail: left[0].Detail},
		},
		Account: completeness.New(completeness.Found, left, 1e4, 1e3),
		Setups: []planning.Setup{{
			Frame: geom.World, Before: stock, Safe: 5,
			Clamping: planning.Clamping{Kind: machining.WorkholdingVise, Text: "In a vise, 3 mm deep."},
			Operations: []planning.Operation{
				{ID: "1.1", Strategy: planning.Face, Features: []int{}, Regions: []int{1}, Bottom: -1},
			},
		}},
	}}
	return plan, &toolpath.Set{Paths: [][]toolpath.Path{{{MoveCount: 1}}}, Setups: []motion.Setup{{
		Frame: geom.World, Operations: []motion.Operation{{
			ID: "1.1", SpindleRPM: 1000, Start: geom.Vec3{Z: 5},
			Moves: []motion.Move{{Kind: motion.Cut, To: geom.Vec3{X: 10, Z: 5}, Feed: 100}},
		}},
	}}}
}

const hostile = `<img src=x onerror=alert(1)>`

// program makes a program as a worker does, with findings and the given files. Without files it is as of an earlier
// release.
func (w *world) program(
	c account.Caller, p part.Part, config string, files bool, found ...verify.Finding,
) program.Created {
	w.t.Helper()
	plan, paths := onePlan()
	return w.programOf(c, p, config, files, plan, paths, found...)
}

// programOf is program with another plan.
func (w *world) programOf(
	c account.Caller, p part.Part, config string, files bool, plan *program.PlanSummary, paths *toolpath.Set,
	found ...verify.Finding,
) program.Created {
	w.t.Helper()
	ctx := w.t.Context()
	w.Clock.Advance(time.Minute)
	made, err := w.Programs.Create(ctx, c, program.CreateInput{PartID: p.ID, CutConfigID: config})
	w.must(err)
	_, fence := w.Lease(part.Part{JobID: made.JobID})
	machine := machining.BuiltInCutConfig()
	times, err := estimate.MachiningTimes(&plan.Plan, paths, &machine.Machine)
	w.must(err)
	out := worker.Outcome{ReportID: made.Plan.ReportID, Program: &program.Outcome{
		PlanID: made.PlanID, Made: *plan, Set: &program.ToolpathSet{
			JobID: made.JobID, PlanID: made.PlanID, TeamID: made.TeamID, PartID: made.PartID, CreatedAt: w.Clock.Now(),
			Result: program.SetResult{
				Paths: paths.Paths, Proof: verify.Report{Findings: found}, Times: times,
				Objects: map[pipeline.Name]object.Ref{},
			},
		},
	}}
	result := &out.Program.Set.Result
	put := func(name pipeline.Name, data []byte) {
		ref := object.Ref{Bucket: worker.DefaultResultBucket, Key: "teams/jobs/" + made.JobID + "/" + string(name)}
		w.must(w.Objects.Put(ctx, ref, bytes.NewReader(data)))
		result.Objects[name] = ref
		out.Made = append(out.Made, part.Artifact{
			Key: made.JobID + string(name), Stage: string(name), Object: ref, Size: int64(len(data)),
		})
	}
	motion, err := paths.Encode()
	w.must(err)
	put(pipeline.Paths, motion)
	if files {
		var sheet bytes.Buffer
		w.must(setupsheet.Write(&sheet, &setupsheet.Sheet{
			Title: hostile, Config: &machine, Plan: &plan.Plan, Times: &times, Proof: &result.Proof,
		}))
		put(pipeline.SetupSheet, sheet.Bytes())
		moves, stock := playedFiles(w.t, plan, paths, &machine)
		put(pipeline.TimedMoves, moves)
		put(pipeline.InProcessStock, stock)
		put(pipeline.ProgramJSON, []byte(`{"setups":[],"tools":[{"number":7,"fluteLength":12}]}`))
	}
	verdict := w.Programs.Judge("bracket", plan, paths, &result.Proof, "linuxcnc")
	out.Program.Verdict = &verdict
	w.must(w.Store.Commit(ctx, fence, out, w.Clock.Now()))
	return made
}

type listedProgram struct {
	ID, Status, CutConfigID, CutConfigName, Currency string
	Changes                                          []string
}

func (b browser) programs(p part.Part) []listedProgram {
	b.t.Helper()
	var out struct{ Programs []listedProgram }
	b.want(http.StatusOK, "", b.do("GET", "/portal/api/parts/"+p.ID+"/programs", nil)).decode(b.t, &out)
	return out.Programs
}

// TestProgramOfCutConfig: the list says how the cut config of each program differs from the present one.
func TestProgramOfCutConfig(t *testing.T) {
	w := newWorld(t, "")
	p, b := w.readyPart(w.Acme), w.signedIn("acme", "ann")
	if got := b.programs(p); len(got) != 0 {
		t.Errorf("programs of a new part: %+v", got)
	}
	config, err := w.Catalog.CreateCutConfig(t.Context(), w.Acme, machining.ReadPatch([]byte(`{"name":"Mill 1"}`)))
	w.must(err)
	made := w.program(w.Acme, p, config.ID, true)
	w.program(w.Acme, p, "", true)
	got := b.programs(p)
	if len(got) != 2 || got[1].ID != made.ID || got[1].CutConfigName != "Mill 1" || got[1].Status != "ready" ||
		got[0].Currency != "current" || got[1].Currency != "current" || len(got[1].Changes) != 0 {
		t.Fatalf("programs %+v", got)
	}
	_, err = w.Catalog.UpdateCutConfig(t.Context(), w.Acme, config.ID,
		machining.ReadPatch([]byte(`{"name":"Mill 2","hourlyRateCents":12300}`)), nil)
	w.must(err)
	got = b.programs(p)
	if strings.Join(got[1].Changes, " ") != "hourlyRateCents name" || got[1].Currency != "changed" ||
		got[1].CutConfigName != "Mill 1" || got[0].Currency != "current" {
		t.Errorf("after a change: %+v", got)
	}
	w.must(w.Catalog.DeleteCutConfig(t.Context(), w.Acme, config.ID, nil))
	if got = b.programs(p); got[1].Currency != "deleted" || got[1].CutConfigName != "Mill 1" {
		t.Errorf("after the deletion: %+v", got)
	}
}

// TestProgramOfFiles reads tools as they were and pictures, also of a program that failed.
func TestProgramOfFiles(t *testing.T) {
	w := newWorld(t, "")
	p, b := w.readyPart(w.Acme), w.signedIn("acme", "ann")
	gouge := verify.Finding{Kind: verify.Gouge, Operation: "1.1", Depth: 0.3}
	at := func(p part.Part, made program.Created, rest string) string {
		return "/portal/api/parts/" + p.ID + "/programs/" + made.ID + rest
	}
	failed := w.program(w.Acme, p, "", true, gouge)
	for _, made := range []program.Created{w.program(w.Acme, p, "", true), failed} {
		r := b.want(http.StatusOK, "", b.do("GET", at(p, made, "/document"), nil))
		if !strings.Contains(string(r.body), `"fluteLength":12`) ||
			!strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("document %s with %v", r.body, r.Header)
		}
		r = b.want(http.StatusOK, "", b.do("GET", at(p, made, "/setups/1/picture"), nil))
		if !strings.HasPrefix(string(r.body), "<svg ") || !strings.HasSuffix(string(r.body), "</svg>\n") ||
			r.Header.Get("Content-Type") != "image/svg+xml" ||
			!strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "sandbox; default-src 'none'") {
			t.Errorf("picture %.200s with %v", r.body, r.Header)
		}
		for _, setup := range []string{"0", "2", "x"} {
			b.want(http.StatusNotFound, "no_setup", b.do("GET", at(p, made, "/setups/"+setup+"/picture"), nil))
		}
	}
	old := w.program(w.Acme, p, "", false)
	rival, theirs := w.signedIn("rival", "eve"), w.readyPart(w.Rival)
	guest := browser{world: w}
	for _, rest := range []string{"/document", "/setups/1/picture"} {
		r := b.want(http.StatusConflict, "program_not_ready", b.do("GET", at(p, old, rest), nil))
		if !strings.Contains(string(r.body), "Plan the part again.") {
			t.Errorf("an old program: %s", r.body)
		}
		rival.want(http.StatusNotFound, "not_found", rival.do("GET", at(p, failed, rest), nil))
		b.want(http.StatusNotFound, "not_found", b.do("GET", at(theirs, failed, rest), nil))
		guest.want(http.StatusUnauthorized, "no_session", guest.do("GET", at(p, failed, rest), nil))
	}
	rival.want(http.StatusNotFound, "not_found", rival.do("GET", "/portal/api/parts/"+p.ID+"/programs", nil))
}

// TestProgramOfHostileName: the sheet of a part whose name is HTML has it as text, and is served in a sandbox.
func TestProgramOfHostileName(t *testing.T) {
	w := newWorld(t, "")
	p, b := w.readyPart(w.Acme), w.signedIn("acme", "ann")
	made := w.program(w.Acme, p, "", true)
	var shown struct{ SetupSheetURL string }
	b.want(http.StatusOK, "", b.do("GET", "/portal/api/v1/parts/"+p.ID+"/programs/"+made.ID, nil)).decode(t, &shown)
	res, err := http.Get(shown.SetupSheetURL)
	w.must(err)
	defer func() { _ = res.Body.Close() }()
	var text bytes.Buffer
	_, err = text.ReadFrom(res.Body)
	w.must(err)
	const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
	if got := res.Header.Get("Content-Security-Policy"); got != policy {
		t.Errorf("the sheet has the policy %q, want %q", got, policy)
	}
	const escaped = "&lt;img src=x onerror=alert(1)&gt;"
	if strings.Contains(text.String(), "<img") || !strings.Contains(text.String(), escaped) {
		t.Errorf("the sheet has the name of the part as HTML: %.400s", text.String())
	}
}
