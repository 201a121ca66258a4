package program_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

func TestOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, ".") }

// world is the use cases on the embedded adapters; the test does the work of the workers.
type world struct {
	*apptest.World
	t *testing.T
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{apptest.New(t), t}
}

// readyPart is a part whose first job has ended.
func (w *world) readyPart() part.Part {
	w.t.Helper()
	p := w.Completed(w.Acme)
	j, fence := w.Lease(p)
	r := part.AnalysisReport{
		ID: record.NewID(), TeamID: p.TeamID, PartID: p.ID, JobID: j.ID, CreatedAt: w.Clock.Now(),
		Objects: map[pipeline.Name]object.Ref{}, Analysis: pipeline.Analysis{Shape: pipeline.Shape{Format: "step"}},
	}
	w.must(w.Store.Commit(w.t.Context(), fence, worker.Outcome{Report: &r}, w.Clock.Now()))
	return w.part(p.ID)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) part(id string) part.Part {
	w.t.Helper()
	p, err := w.Parts.Get(w.t.Context(), w.Acme, id)
	w.must(err)
	return p
}

// create requests a program, after moving the clock to an open slot.
func (w *world) create(p part.Part, config string) program.Created {
	w.t.Helper()
	w.Clock.Advance(time.Minute)
	made, err := w.Programs.Create(w.t.Context(), w.Acme, program.CreateInput{PartID: p.ID, CutConfigID: config})
	w.must(err)
	return made
}

func (w *world) program(p program.ProgramDetail) program.ProgramDetail {
	w.t.Helper()
	got, err := w.Programs.Get(w.t.Context(), w.Acme, p.PartID, p.ID)
	w.must(err)
	return got
}

// newConfig creates a cut config with further members and a new tool library, and returns both ids.
func (w *world) newConfig(c account.Caller, members string) (config, library string) {
	w.t.Helper()
	l, err := w.Catalog.CreateToolLibrary(w.t.Context(), c, catalog.CreateToolLibraryInput{
		Name: "Own", Data: []byte("T1 D6 ;end mill\nT2 D10 ;end mill\n"),
	})
	w.must(err)
	made, err := w.Catalog.CreateCutConfig(w.t.Context(), c,
		machining.ReadPatch([]byte(`{"name":"Own","toolLibraryIds":["`+l.ID+`"]`+members+`}`)))
	w.must(err)
	return made.ID, l.ID
}

// lease takes the job of a program, which is the only one that waits.
func (w *world) lease(jobID string) job.FencingToken {
	w.t.Helper()
	_, fence := w.Lease(part.Part{JobID: jobID})
	return fence
}

// made returns a simulated kernel result: one setup with one move.
func made() (*program.PlanSummary, *toolpath.Set) {
	plan := &program.PlanSummary{FeatureIDs: []string{}, Plan: planning.Plan{
		Workpiece: geom.World, Tools: []planning.Tool{{Number: 1, Tool: machining.BuiltInTools()[0]}},
		Unmachinable: []planning.Unmachinable{}, Warnings: []fault.Warning{}, Setups: []planning.Setup{{
			Frame: geom.World, Operations: []planning.Operation{{ID: "1-1", Strategy: planning.Face}},
		}},
	}}
	return plan, &toolpath.Set{Paths: [][]toolpath.Path{{{MoveCount: 1}}}, Setups: []motion.Setup{{
		Frame: geom.World, Operations: []motion.Operation{{
			ID: "1-1", SpindleRPM: 1000, Start: geom.Vec3{Z: 5},
			Moves: []motion.Move{{Kind: motion.Cut, To: geom.Vec3{X: 10, Z: 5}, Feed: 100}},
		}},
	}}}
}

// finish ends the job of a program as a worker does, with the given findings, and returns the location of its motion.
func (w *world) finish(p program.ProgramDetail, post string, findings ...verify.Finding) object.Ref {
	w.t.Helper()
	ctx, fence := w.t.Context(), w.lease(p.JobID)
	plan, paths := made()
	text, err := paths.Encode()
	w.must(err)
	ref := object.Ref{Bucket: worker.DefaultResultBucket, Key: "teams/jobs/" + p.JobID + "/paths"}
	w.must(w.Objects.Put(ctx, ref, strings.NewReader(string(text))))
	set := &program.ToolpathSet{
		JobID: p.JobID, PlanID: p.PlanID, TeamID: p.TeamID, PartID: p.PartID, CreatedAt: w.Clock.Now(),
		Result: program.SetResult{
			Paths: paths.Paths, Proof: verify.Report{Findings: findings},
			Objects: map[pipeline.Name]object.Ref{pipeline.Paths: ref},
		},
	}
	verdict := w.Programs.Judge("bracket", plan, paths, &set.Result.Proof, post)
	w.must(w.Store.Commit(ctx, fence, worker.Outcome{
		ReportID: p.Plan.ReportID,
		Program:  &program.Outcome{PlanID: p.PlanID, Made: *plan, Set: set, Verdict: &verdict},
		Made:     []part.Artifact{{Key: "paths", Stage: string(pipeline.Paths), Object: ref, Size: int64(len(text))}},
	}, w.Clock.Now()))
	return ref
}

// hasObject reports whether an object is stored.
func (w *world) hasObject(ref object.Ref) bool {
	_, err := w.Objects.Head(w.t.Context(), ref)
	return err == nil
}

// text is a value as JSON, to compare it by.
func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
