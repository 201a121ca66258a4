package storetest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

func testParts(t *testing.T, f *fixture) {
	want := f.pendingPart(f.team)
	if got := f.getPart(want.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("Part = %+v\nwant   %+v", got, want)
	}
	size := int64(1) << 40
	want.ID, want.SizeBytes, want.FileName = uuid.NewString(), &size, "Größe Ø5 'quoted'.STEP"
	want.AutoCreateProgram = false
	f.must(f.store.CreatePart(f.ctx, want, part.CreateTerms{}))
	if got := f.getPart(want.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("Part = %+v\nwant   %+v", got, want)
	}
	if err := f.store.CreatePart(f.ctx, want, part.CreateTerms{}); !errors.Is(err, record.ErrExists) {
		t.Errorf("second part of one id: %v, want ErrExists", err)
	}
	if _, err := f.store.Part(f.ctx, f.team.ID, "no-such-id"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("unknown part: %v, want ErrNotFound", err)
	}
	if _, err := f.store.Report(f.ctx, f.team.ID, want.ID, ""); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("report of an unprocessed part: %v, want ErrNotFound", err)
	}
}

func testPartOfAnotherTeam(t *testing.T, f *fixture) {
	p, job, fence := f.leased()
	report := f.report(job)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick()))
	other := f.newTeam("other")
	if _, err := f.store.Part(f.ctx, other.ID, p.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Part of another team: %v, want ErrNotFound", err)
	}
	for _, jobID := range []string{"", job.ID} {
		if _, err := f.store.Report(f.ctx, other.ID, p.ID, jobID); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("Report(%q) of another team: %v, want ErrNotFound", jobID, err)
		}
	}
	if _, err := f.store.ReportByID(f.ctx, other.ID, report.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("ReportByID of another team: %v, want ErrNotFound", err)
	}
}

func testReportsAreKept(t *testing.T, f *fixture) {
	p, job, fence := f.leased()
	first := f.report(job)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &first}, f.tick()))
	job2, fence2 := f.lease(f.queued(p).ID)
	second := f.report(job2)
	second.Analysis.Faces = 7
	f.must(f.store.Commit(f.ctx, fence2, worker.Outcome{Report: &second}, f.tick()))

	for _, c := range []struct {
		name, jobID string
		want        part.AnalysisReport
	}{
		{"latest", "", second}, {"by first job", job.ID, first}, {"by second job", job2.ID, second},
	} {
		got, err := f.store.Report(f.ctx, f.team.ID, p.ID, c.jobID)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: Report = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
		got, err = f.store.ReportByID(f.ctx, f.team.ID, c.want.ID)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: ReportByID = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
	stranger := f.pendingPart(f.team)
	if _, err := f.store.Report(f.ctx, f.team.ID, stranger.ID, job.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("report of a job of another part: %v, want ErrNotFound", err)
	}
}
