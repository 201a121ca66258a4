package program_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

func TestCreate(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	rung := len(w.Rung)
	made := w.create(p, "")
	if made.Status != program.Processing || made.Plan.Status != program.Processing || made.Set != nil ||
		made.PartID != p.ID || made.Plan.ReportID != p.ReportID ||
		made.Plan.CutConfigID != machining.BuiltInCutConfigID {
		t.Errorf("Create = %+v", made)
	}
	if got := w.program(made.ProgramDetail); text(t, got) != text(t, made.ProgramDetail) {
		t.Errorf("Get = %s\nwant  %s", text(t, got), text(t, made.ProgramDetail))
	}
	j, err := w.Jobs.Get(t.Context(), w.Acme, made.JobID)
	if err != nil || j.Product != job.Program || j.Status != job.Queued || j.Class != job.Medium ||
		j.Input.PlanID != made.PlanID {
		t.Errorf("its job: %+v, %v", j, err)
	}
	if wakes := w.Rung[rung:]; !slices.Equal(wakes, []job.WakeUp{{JobID: j.ID, Product: job.Program}}) {
		t.Errorf("rung: %v, want for the job", wakes)
	}
	after := w.part(p.ID)
	project, err := w.Catalog.GetProject(t.Context(), w.Acme, after.ProjectID)
	if err != nil || project.Name != "Bracket Ø5" || after.JobID != p.JobID || after.CurrentProgramID != "" {
		t.Errorf("part %+v in project %+v, %v; want one of its own, and its job and current program as before", after,
			project, err)
	}
	second := w.create(p, machining.LargeCutConfigID)
	if second.ProjectID != project.ID || !slices.Equal(w.part(p.ID).ProgramIDs, []string{made.ID, second.ID}) {
		t.Errorf("the second program %+v, want it in the project of the first", second)
	}
	list, err := w.Programs.List(t.Context(), w.Acme, p.ID, record.Page{PageSize: 1})
	if err != nil || list.Total != 2 || len(list.Items) != 1 || list.Items[0].ID != second.ID {
		t.Errorf("List = %+v, %v; want the newest of two", list, err)
	}
	used, err := w.Accounts.Usage(t.Context(), "acme", time.Time{})
	if err != nil || len(used.Totals) != 1 || used.Totals[0].Operation != "program" || used.Totals[0].Count != 2 {
		t.Errorf("metered: %+v, %v; want two programs", used.Totals, err)
	}
}

func TestCreateRefuses(t *testing.T) {
	w := newWorld(t)
	p, early := w.readyPart(), w.Uploaded(w.Acme)
	theirs, _ := w.newConfig(w.Rival, "")
	for _, c := range []struct {
		name string
		of   account.Caller
		in   program.CreateInput
		want apierr.Code
	}{
		{"unknown part", w.Acme, program.CreateInput{PartID: record.NewID()}, apierr.NotFound},
		{"another team's part", w.Rival, program.CreateInput{PartID: p.ID}, apierr.NotFound},
		{"unknown cut config", w.Acme, program.CreateInput{PartID: p.ID, CutConfigID: record.NewID()}, apierr.NotFound},
		{"another team's cut config", w.Acme, program.CreateInput{PartID: p.ID, CutConfigID: theirs}, apierr.NotFound},
		{"a part that is not ready", w.Acme, program.CreateInput{PartID: early.ID}, apierr.PartNotReady},
	} {
		_, err := w.Programs.Create(t.Context(), c.of, c.in)
		apptest.WantCode(t, c.name, err, c.want)
	}
	paced := w.Other(app.Config{Parts: part.Config{CreateInterval: 2 * time.Second}})
	in := program.CreateInput{PartID: p.ID}
	if made, err := paced.Programs.Create(t.Context(), w.Acme, in); err != nil || made.Slot == nil {
		t.Errorf("the first: %+v, %v", made, err)
	}
	_, err := paced.Programs.Create(t.Context(), w.Acme, in)
	apptest.WantCode(t, "before the next slot", err, apierr.RateLimited)
	full := w.Other(app.Config{Jobs: job.Config{MaxQueuedOfTeam: 1}})
	_, err = full.Programs.Create(t.Context(), w.Acme, in)
	apptest.WantCode(t, "while too many jobs wait", err, apierr.RateLimited)
	if got := w.part(p.ID).ProgramIDs; len(got) != 1 {
		t.Errorf("programs %v, want the one that was not refused", got)
	}
}

// TestDefaultCutConfigOfProgram requests programs without a cut config and checks the default: of the project, of the
// caller, of every team, in this order.
func TestDefaultCutConfigOfProgram(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	wants := func(why, config string) program.Created {
		t.Helper()
		made := w.create(p, "")
		if made.Plan.CutConfigID != config {
			t.Errorf("%s: made with %s, want %s", why, made.Plan.CutConfigID, config)
		}
		return made
	}
	first := wants("nobody has a default", machining.BuiltInCutConfigID)
	mine, _ := w.newConfig(w.Acme, `,"isDefault":true`)
	wants("the caller's default", mine)
	large := machining.LargeCutConfigID
	_, err := w.Catalog.UpdateProject(t.Context(), w.Acme,
		catalog.UpdateProjectInput{ProjectID: first.ProjectID, CutConfigID: &large})
	w.must(err)
	wants("the project's default", large)
	if named := w.create(p, mine); named.Plan.CutConfigID != mine {
		t.Errorf("made with %s, want that which is named", named.Plan.CutConfigID)
	}
}

func TestFollow(t *testing.T) {
	w := newWorld(t)
	config, _ := w.newConfig(w.Acme, "")
	gone := record.NewID()
	p := w.readyPart()
	p.ReportID = record.NewID() // of the report that makes it ready
	for _, c := range []struct {
		name string
		auto bool
		in   []string
		want []string
	}{
		{"none is wanted", false, []string{config}, nil},
		{"one of a part from before they were fixed", true, nil, []string{machining.BuiltInCutConfigID}},
		{"several", true, []string{config, machining.LargeCutConfigID}, []string{config, machining.LargeCutConfigID}},
		{"a cut config that is gone", true, []string{gone, config}, []string{gone, config}},
	} {
		p.AutoCreateProgram, p.CutConfigIDs = c.auto, c.in
		orders, err := w.Programs.Follow(t.Context(), p)
		if err != nil || len(orders) != len(c.want) {
			t.Errorf("%s: %d programs, %v; want %d", c.name, len(orders), err, len(c.want))
			continue
		}
		for i, o := range orders {
			if o.Plan.CutConfigID != c.want[i] || o.Plan.ReportID != p.ReportID || o.Program.PlanID != o.Plan.ID {
				t.Errorf("%s: %+v of %+v, want it with %s", c.name, o.Program, o.Plan, c.want[i])
			}
			if c.want[i] == gone {
				if o.Job.ID != "" || o.Program.Status != program.Failed || o.Plan.Status != program.Failed ||
					o.Program.Failure.Code != fault.Cancelled || !strings.Contains(o.Program.Failure.Reason, gone) {
					t.Errorf("%s: %+v with job %q, want it failed without one", c.name, o.Program, o.Job.ID)
				}
			} else if o.Program.Status != program.Processing || o.Job.Product != job.Program ||
				o.Program.JobID != o.Job.ID {
				t.Errorf("%s: %+v with job %+v, want it processing", c.name, o.Program, o.Job)
			}
		}
	}
}

// TestCancelAndRetry ends the job of a program and queues it again.
func TestCancelAndRetry(t *testing.T) {
	w := newWorld(t)
	p := w.readyPart()
	made := w.create(p, "").ProgramDetail
	late := w.lease(made.JobID)
	if _, err := w.Jobs.CancelOwn(t.Context(), w.Acme, made.JobID); err != nil {
		t.Fatal(err)
	}
	got := w.program(made)
	if got.Status != program.Failed || got.Failure.Code != fault.Cancelled || got.Plan.Status != program.Failed {
		t.Errorf("cancelled: %+v with plan %+v", got.Program, got.Plan)
	}
	if after := w.part(p.ID); after.Status != part.Ready || after.FailureCode != "" {
		t.Errorf("its part is %s", after.Status)
	}
	if err := w.Store.Fail(t.Context(), late, *fault.Errorf(fault.KernelError, "Late."), w.Clock.Now()); err == nil {
		t.Error("the worker that ran it could still end it")
	}
	w.Clock.Advance(time.Second)
	if j, err := w.Parts.Retry(t.Context(), w.Acme, made.JobID); err != nil || j.Status != job.Queued {
		t.Errorf("Retry = %+v, %v", j, err)
	}
	if got := w.program(made); got.Status != program.Processing || got.Failure.Code != "" {
		t.Errorf("queued again: %+v", got.Program)
	}
	w.finish(made, "linuxcnc")
	if got := w.program(made); got.Status != program.Ready || got.Plan.Status != program.Ready || got.Set == nil {
		t.Errorf("in the end: %+v", got.Program)
	}
	_, err := w.Parts.Retry(t.Context(), w.Acme, made.JobID)
	apptest.WantCode(t, "retry of a job that succeeded", err, apierr.JobFinished)
}
