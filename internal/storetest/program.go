package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

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

// readyPart is a part with a result.
func (f *fixture) readyPart() part.Part {
	f.t.Helper()
	p, job, fence := f.leased()
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: new(f.report(job))}, f.tick()))
	return f.getPart(p.ID)
}

// ordered is a plan with its job, and with a program where the product is one.
func (f *fixture) ordered(p part.Part, product job.Product) program.JobOrder {
	f.tick()
	j := f.job(p, product)
	o := program.JobOrder{Job: j, Cutting: []byte(`{"config":{"name":"Alu"},"tools":null}`), Plan: &program.Plan{
		ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, ReportID: p.ReportID, JobID: j.ID,
		CutConfigID: "c", Name: "Größe", Snapshot: "d1", Status: program.Processing, CreatedAt: f.now, UpdatedAt: f.now,
	}}
	o.Job.Input.PlanID = o.Plan.ID
	if product == job.Program {
		o.Program = &program.Program{
			ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, PlanID: o.Plan.ID, JobID: j.ID,
			Status: program.Processing, CreatedAt: f.now, UpdatedAt: f.now,
		}
	}
	return o
}

func (f *fixture) place(o program.JobOrder) program.JobOrder {
	f.t.Helper()
	placed, err := f.store.Place(f.ctx, o, program.CreateOptions{})
	f.must(err)
	return placed
}

// planned returns the outcome of a job for an order.
func planned(o program.JobOrder, now time.Time) *program.Outcome {
	out := &program.Outcome{PlanID: o.Plan.ID, Made: program.PlanSummary{
		Plan: planning.Plan{
			Workpiece: geom.World, Tools: []planning.Tool{}, Unmachinable: []planning.Unmachinable{},
			Setups: []planning.Setup{{Frame: geom.World, Safe: 12.25}}, Warnings: []fault.Warning{},
		},
		FeatureIDs: []string{"f1", "f2"},
	}}
	if o.Job.Product == job.Plan {
		return out
	}
	out.Set = &program.ToolpathSet{
		JobID: o.Job.ID, PlanID: o.Plan.ID, TeamID: o.Job.TeamID, PartID: o.Job.PartID, CreatedAt: now,
		Result: program.SetResult{
			Paths: [][]toolpath.Path{{{MoveCount: 3, CutLength: 1.5}}}, Proof: verify.Report{StockVolume: 7, Digest: "x"},
			Objects: map[pipeline.Name]object.Ref{pipeline.Paths: {Bucket: "results", Key: "k/" + o.Job.ID}},
		},
	}
	if o.Program != nil {
		out.Verdict = &program.ProgramOutcome{Result: program.Result{
			Title: "bracket", Post: "linuxcnc", Digests: []string{"00ff"}, Warnings: []fault.Warning{{Code: "c", Message: "m."}},
		}}
	}
	return out
}

func testPlace(t *testing.T, f *fixture) {
	p := f.readyPart()
	o := f.ordered(p, job.Program)
	user := f.newUser(f.team, "ann")
	key := f.newKey(f.team, user)
	project := catalog.Project{
		ID: uuid.NewString(), TeamID: f.team.ID, Name: "bracket", CreatedAt: f.now, UpdatedAt: f.now,
	}
	placed, err := f.store.Place(f.ctx, o, program.CreateOptions{MeterTo: key.ID, Project: project})
	f.must(err)
	o.Program.ProjectID = project.ID
	if !reflect.DeepEqual(placed, o) {
		t.Errorf("Place = %+v\nwant    %+v", placed, o)
	}
	want := program.ProgramDetail{Program: *o.Program, Plan: *o.Plan}
	got, err := f.store.Program(f.ctx, f.team.ID, p.ID, o.Program.ID)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Program = %+v, %v\nwant      %+v", got, err, want)
	}
	if plan, err := f.store.Plan(f.ctx, f.team.ID, o.Plan.ID); err != nil || !reflect.DeepEqual(plan, *o.Plan) {
		t.Errorf("Plan = %+v, %v\nwant   %+v", plan, err, *o.Plan)
	}
	if text, err := f.store.Cutting(f.ctx, f.team.ID, o.Plan.ID); err != nil || string(text) != string(o.Cutting) {
		t.Errorf("Cutting = %s, %v, want it byte for byte", text, err)
	}
	if j := f.getJob(o.Job.ID); j.Input.PlanID != o.Plan.ID || j.Product != job.Program {
		t.Errorf("job = %+v, want one of the plan", j)
	}
	after := f.getPart(p.ID)
	if after.ProjectID != project.ID || !slices.Equal(after.ProgramIDs, []string{o.Program.ID}) ||
		after.CurrentProgramID != "" || after.JobID != p.JobID || !after.UpdatedAt.Equal(o.Job.CreatedAt) {
		t.Errorf("part = %+v, want it in the project with the program", after)
	}
	usage, err := f.store.Usage(f.ctx, f.team.ID, o.Job.CreatedAt)
	if want := []account.UsageTotal{{Operation: "program", KeyID: key.ID, Count: 1}}; err != nil || !reflect.DeepEqual(usage, want) {
		t.Errorf("Usage = %+v, %v, want %+v", usage, err, want)
	}
	second := f.ordered(p, job.Program)
	other := project
	other.ID = uuid.NewString()
	if placed, err = f.store.Place(f.ctx, second, program.CreateOptions{Project: other}); err != nil ||
		placed.Program.ProjectID != project.ID {
		t.Errorf("the second program: %+v, %v, want it in the project of the first", placed.Program, err)
	}
	if _, err := f.store.Project(f.ctx, f.team.ID, other.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("a second project was made: %v", err)
	}
	if _, err := f.store.Place(f.ctx, second, program.CreateOptions{}); !errors.Is(err, record.ErrExists) {
		t.Errorf("the same again: %v, want ErrExists", err)
	}
}

func testPlaceRefused(t *testing.T, f *fixture) {
	p := f.readyPart()
	pace := part.RateLimit{Budget: part.BudgetPrograms, Interval: 2 * time.Second}
	first := f.ordered(p, job.Program)
	_, err := f.store.Place(f.ctx, first, program.CreateOptions{Pace: pace})
	f.must(err)
	early := f.ordered(p, job.Program) // a second later
	var soon *part.RateLimitedError
	if _, err := f.store.Place(f.ctx, early, program.CreateOptions{Pace: pace}); !errors.As(err, &soon) ||
		!soon.Opens.Equal(first.Job.CreatedAt.Add(2*time.Second)) {
		t.Errorf("before the slot: %v", err)
	}
	if _, err := f.store.Place(f.ctx, first, program.CreateOptions{Pace: pace}); !errors.Is(err, record.ErrExists) {
		t.Errorf("the first again: %v, want ErrExists", err)
	}
	unknown := f.ordered(p, job.Plan)
	unknown.Job.PartID, unknown.Plan.PartID = uuid.NewString(), uuid.NewString()
	stranger := f.ordered(p, job.Plan)
	stranger.Job.TeamID = f.newTeam("other").ID
	for name, o := range map[string]program.JobOrder{"no part": unknown, "a part of another team": stranger} {
		if _, err := f.store.Place(f.ctx, o, program.CreateOptions{}); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	for _, o := range []program.JobOrder{early, unknown, stranger} {
		if _, err := f.store.Job(f.ctx, o.Job.TeamID, o.Job.ID); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("the job of a refused order: %v", err)
		}
		if _, err := f.store.Plan(f.ctx, f.team.ID, o.Plan.ID); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("the plan of a refused order: %v", err)
		}
	}
	if ids := f.getPart(p.ID).ProgramIDs; !slices.Equal(ids, []string{first.Program.ID}) {
		t.Errorf("programs of the part: %v, want the first", ids)
	}
}

// testProgramEnds commits each product and checks the stored records.
func testProgramEnds(t *testing.T, f *fixture) {
	p := f.readyPart()
	for _, product := range []job.Product{job.Plan, job.Toolpaths, job.Program} {
		o := f.place(f.ordered(p, product))
		_, fence := f.lease(o.Job.ID)
		made := planned(o, f.tick())
		f.must(f.store.Commit(f.ctx, fence, worker.Outcome{ReportID: p.ReportID, Program: made}, f.tick()))
		plan, err := f.store.Plan(f.ctx, f.team.ID, o.Plan.ID)
		if err != nil || plan.Status != program.Ready || !reflect.DeepEqual(plan.Made, &made.Made) ||
			!plan.UpdatedAt.Equal(f.now) {
			t.Errorf("%s: Plan = %+v, %v", product, plan, err)
		}
		if j := f.getJob(o.Job.ID); j.Status != job.Succeeded || j.ReportID != p.ReportID {
			t.Errorf("%s: job = %+v", product, j)
		}
		for _, id := range []string{"", o.Job.ID} {
			set, err := f.store.Set(f.ctx, f.team.ID, o.Plan.ID, id)
			if made.Set == nil {
				if !errors.Is(err, record.ErrNotFound) {
					t.Errorf("Set of a plan alone: %+v, %v", set, err)
				}
			} else if err != nil || !reflect.DeepEqual(set, *made.Set) {
				t.Errorf("%s: Set = %+v, %v\nwant %+v", product, set, err, *made.Set)
			}
		}
		if o.Program == nil {
			continue
		}
		whole, err := f.store.Program(f.ctx, f.team.ID, p.ID, o.Program.ID)
		if err != nil || whole.Status != program.Ready || !reflect.DeepEqual(whole.Result, made.Verdict.Result) ||
			!reflect.DeepEqual(whole.Set, made.Set) || !reflect.DeepEqual(whole.Plan, plan) {
			t.Errorf("Program = %+v, %v", whole, err)
		}
	}
	plans, total, err := f.store.ListPlans(f.ctx, f.team.ID, p.ID, record.Page{Page: 1, PageSize: 2})
	if err != nil || total != 3 || len(plans) != 2 || !plans[0].CreatedAt.After(plans[1].CreatedAt) {
		t.Errorf("ListPlans = %+v, %d, %v; want the newest two of three", plans, total, err)
	}
	programs, total, err := f.store.ListPrograms(f.ctx, f.team.ID, p.ID, record.Page{Page: 1, PageSize: 2})
	if err != nil || total != 1 || len(programs) != 1 || programs[0].Plan.Made == nil || programs[0].Set == nil {
		t.Errorf("ListPrograms = %+v, %d, %v; want the one, whole", programs, total, err)
	}
}

// testProgramDisproved commits a program that must not be run, and another set of the plan's toolpaths.
func testProgramDisproved(t *testing.T, f *fixture) {
	p := f.readyPart()
	o := f.place(f.ordered(p, job.Program))
	_, fence := f.lease(o.Job.ID)
	made := planned(o, f.tick())
	made.Verdict.Failure = fault.Errorf(fault.VerificationFailed, "It cuts into the part.")
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{ReportID: p.ReportID, Program: made}, f.tick()))
	whole, err := f.store.Program(f.ctx, f.team.ID, p.ID, o.Program.ID)
	want := program.Failure{Code: fault.VerificationFailed, Reason: "It cuts into the part."}
	if err != nil || whole.Status != program.Failed || whole.Failure != want || whole.Plan.Status != program.Ready ||
		whole.Set == nil {
		t.Errorf("Program = %+v, %v; want it failed, with its plan and toolpaths", whole, err)
	}
	if after := f.getPart(p.ID); after.Status != part.Ready {
		t.Errorf("a failed program made its part %s", after.Status)
	}
	again := program.JobOrder{Job: f.job(p, job.Toolpaths)}
	again.Job.Input.PlanID = o.Plan.ID
	f.place(again)
	_, fence = f.lease(again.Job.ID)
	second := planned(program.JobOrder{Job: again.Job, Plan: o.Plan}, f.tick())
	second.Made.FeatureIDs = []string{"another"}
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{ReportID: p.ReportID, Program: second}, f.tick()))
	for id, want := range map[string]string{"": again.Job.ID, again.Job.ID: again.Job.ID, o.Job.ID: o.Job.ID} {
		if set, err := f.store.Set(f.ctx, f.team.ID, o.Plan.ID, id); err != nil || set.JobID != want {
			t.Errorf("Set(%q) = %+v, %v; want that of %s", id, set, err, want)
		}
	}
	later, err := f.store.Program(f.ctx, f.team.ID, p.ID, o.Program.ID)
	if err != nil || !reflect.DeepEqual(later, whole) {
		t.Errorf("other toolpaths of its plan changed the program to %+v, %v", later, err)
	}
}

// testProgramFails has a job fail, and be queued again.
func testProgramFails(t *testing.T, f *fixture) {
	p := f.readyPart()
	o := f.place(f.ordered(p, job.Program))
	_, fence := f.lease(o.Job.ID)
	f.must(f.store.Fail(f.ctx, fence, *fault.Errorf(fault.NoTools, "No tool cuts steel."), f.tick()))
	look := func(status program.Status, why program.Failure) {
		t.Helper()
		got, err := f.store.Program(f.ctx, f.team.ID, p.ID, o.Program.ID)
		if err != nil || got.Status != status || got.Failure != why || got.Plan.Status != status ||
			got.Plan.Failure != why || !got.UpdatedAt.Equal(f.now) {
			t.Errorf("Program = %+v, %v; want it and its plan %s", got, err, status)
		}
		if after := f.getPart(p.ID); after.Status != part.Ready || after.FailureCode != "" {
			t.Errorf("the part is %s", after.Status)
		}
	}
	look(program.Failed, program.Failure{Code: fault.NoTools, Reason: "No tool cuts steel."})
	_, err := f.store.Requeue(f.ctx, o.Job.ID, account.Quota{}, f.tick())
	f.must(err)
	look(program.Processing, program.Failure{})
	_, err = f.store.Cancel(f.ctx, o.Job.ID, *fault.Errorf(fault.Cancelled, "Cancelled."), f.tick())
	f.must(err)
	look(program.Failed, program.Failure{Code: fault.Cancelled, Reason: "Cancelled."})
}

// testFollow has programs placed by the commit that makes a part ready, and by no later one.
func testFollow(t *testing.T, f *fixture) {
	p, j, fence := f.leased()
	second, fence2 := f.lease(f.queued(p).ID)
	orders := []program.JobOrder{f.ordered(p, job.Program), f.ordered(p, job.Program)}
	orders[1].Job = job.Job{} // of a cut config that is gone
	orders[1].Plan.JobID, orders[1].Plan.Status, orders[1].Program.JobID, orders[1].Program.Status =
		"", program.Failed, "", program.Failed
	report := f.report(j)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Follow: orders}, f.tick()))
	ids := []string{orders[0].Program.ID, orders[1].Program.ID}
	look := func() {
		t.Helper()
		got := f.getPart(p.ID)
		if got.Status != part.Ready || got.CurrentProgramID != ids[0] || !slices.Equal(got.ProgramIDs, ids) ||
			got.ReportID == "" {
			t.Errorf("part = %+v, want it ready with programs %v", got, ids)
		}
	}
	look()
	if got := f.getJob(orders[0].Job.ID); got.Status != job.Queued {
		t.Errorf("the job of the first program: %+v", got)
	}
	if got, err := f.store.Program(f.ctx, f.team.ID, p.ID, ids[1]); err != nil || got.Status != program.Failed || got.Set != nil {
		t.Errorf("the second program = %+v, %v; want it failed", got, err)
	}
	report2 := f.report(second)
	f.must(f.store.Commit(f.ctx, fence2, worker.Outcome{
		Report: &report2, Follow: []program.JobOrder{f.ordered(p, job.Program)},
	}, f.tick()))
	look()
}

// testProgramsOfAnotherTeam requests the records of another team.
func testProgramsOfAnotherTeam(t *testing.T, f *fixture) {
	p := f.readyPart()
	o := f.place(f.ordered(p, job.Program))
	_, fence := f.lease(o.Job.ID)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{ReportID: p.ReportID, Program: planned(o, f.now)}, f.tick()))
	other := f.newTeam("other").ID
	mine := f.readyPart()
	page := record.Page{Page: 1, PageSize: 10}
	for name, ask := range map[string]func() error{
		"Plan":    func() error { _, err := f.store.Plan(f.ctx, other, o.Plan.ID); return err },
		"Cutting": func() error { _, err := f.store.Cutting(f.ctx, other, o.Plan.ID); return err },
		"Set":     func() error { _, err := f.store.Set(f.ctx, other, o.Plan.ID, ""); return err },
		"Program": func() error { _, err := f.store.Program(f.ctx, other, p.ID, o.Program.ID); return err },
		"Program of another part": func() error {
			_, err := f.store.Program(f.ctx, f.team.ID, mine.ID, o.Program.ID)
			return err
		},
	} {
		if err := ask(); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	if got, total, err := f.store.ListPlans(f.ctx, other, p.ID, page); err != nil || total != 0 || len(got) != 0 {
		t.Errorf("ListPlans of another team = %+v, %d, %v", got, total, err)
	}
	if got, total, err := f.store.ListPrograms(f.ctx, other, p.ID, page); err != nil || total != 0 || len(got) != 0 {
		t.Errorf("ListPrograms of another team = %+v, %d, %v", got, total, err)
	}
}

// testExpireProgram has a part expire with all that it is machined by.
func testExpireProgram(t *testing.T, f *fixture) {
	p := f.readyPart()
	o := f.place(f.ordered(p, job.Program))
	_, fence := f.lease(o.Job.ID)
	made := planned(o, f.now)
	ref := made.Set.Result.Objects[pipeline.Paths]
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{ReportID: p.ReportID, Program: made, Made: []part.Artifact{
		{Key: "k", Stage: string(pipeline.Paths), Object: ref, Size: 1},
	}}, f.tick()))
	expired, err := f.store.Expire(f.ctx, f.after(time.Hour), f.tick(), 10)
	if err != nil || len(expired) != 1 || !slices.Contains(expired[0].Results, ref) {
		t.Fatalf("Expire = %+v, %v; want the part with its toolpaths", expired, err)
	}
	if _, err := f.store.Plan(f.ctx, f.team.ID, o.Plan.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("the plan of an expired part: %v", err)
	}
	if _, err := f.store.Program(f.ctx, f.team.ID, p.ID, o.Program.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("the program of an expired part: %v", err)
	}
	if _, err := f.store.Place(f.ctx, f.ordered(p, job.Plan), program.CreateOptions{}); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("a plan of an expired part: %v", err)
	}
	f.must(f.store.DeletePart(f.ctx, p.ID, f.now))
	if _, err := f.store.Cutting(f.ctx, f.team.ID, o.Plan.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("a cut config of a deleted part: %v", err)
	}
}
