package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// sheet returns a datasheet that its depth identifies, of a kind with null and nested facts.
func sheet(depth float64) feature.Datasheet {
	return feature.Datasheet{
		FeatureType: feature.Hole, ZMin: -depth, ExtendedZMax: 0.1, HasWall: true, WallishArea: 1e-9,
		ToleranceBand: feature.ToleranceBand{RadialUpper: 0.015, Source: feature.ToleranceFromPMI},
		Facts: &feature.HoleFacts{
			Kind: feature.Hole, Diameter: 9, Depth: depth, Bottom: "conical", Axis: geom.Vec3{Z: 1},
			Segments:    []feature.SegmentFacts{{Shape: "cylinder", ZMin: -depth, DiameterTop: 9}},
			Counterbore: &feature.BoreFacts{Diameter: 15, Depth: 5},
		},
	}
}

// details measures every feature of a report.
func (f *fixture) details(r part.AnalysisReport) []part.FeatureDetail {
	var out []part.FeatureDetail
	for i, made := range r.Analysis.Features {
		out = append(out, part.FeatureDetail{FeatureID: made.FeatureID, Datasheet: sheet(float64(i + 1))})
	}
	return out
}

// threeFeatures is a report with three features.
func (f *fixture) threeFeatures(job job.Job) part.AnalysisReport {
	r := f.report(job)
	r.Analysis.Features = nil
	for _, tag := range []string{"0c", "0a", "0b"} {
		r.Analysis.Features = append(r.Analysis.Features, pipeline.PartFeature{
			FeatureID: uuid.NewString(), FeatureTag: tag, FeatureType: "Hole", RegionIdxs: []int{0},
		})
	}
	return r
}

// records are the features of a report as they are to be read, with the datasheets of some.
func records(r part.AnalysisReport, measured ...part.FeatureDetail) []part.Feature {
	out := []part.Feature{}
	for _, made := range r.Analysis.Features {
		record := part.Feature{
			ID: made.FeatureID, PartID: r.PartID, ReportID: r.ID, JobID: r.JobID,
			Tag: made.FeatureTag, Type: made.FeatureType,
		}
		for i := range measured {
			if measured[i].FeatureID == made.FeatureID {
				record.Datasheet = &measured[i].Datasheet
			}
		}
		out = append(out, record)
	}
	return out
}

func (f *fixture) wantFeatures(what, reportID string, want []part.Feature) {
	f.t.Helper()
	got, err := f.store.Features(f.ctx, f.team.ID, reportID)
	if err != nil || !reflect.DeepEqual(got, want) {
		f.t.Errorf("%s: Features = %+v, %v\nwant %+v", what, got, err, want)
	}
}

func testFeatures(t *testing.T, f *fixture) {
	p, job, fence := f.leased()
	first := f.threeFeatures(job)
	measured := f.details(first)[1:]
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &first, Details: measured}, f.tick()))
	job2, fence2 := f.lease(f.queued(p).ID)
	second := f.report(job2)
	f.must(f.store.Commit(f.ctx, fence2, worker.Outcome{Report: &second}, f.tick()))

	f.wantFeatures("some are measured", first.ID, records(first, measured...))
	f.wantFeatures("none is measured", second.ID, records(second))
	f.wantFeatures("unknown report", uuid.NewString(), []part.Feature{})

	all, other := records(first, measured...), records(second)
	for _, c := range []struct {
		name string
		ids  []string
		want []part.Feature
	}{
		{"none", nil, []part.Feature{}},
		{"in the order asked", []string{all[2].ID, all[0].ID}, []part.Feature{all[2], all[0]}},
		{"of two runs", []string{other[0].ID, all[1].ID}, []part.Feature{other[0], all[1]}},
		{"unknown and odd ones", []string{"it's \"odd\"", all[0].ID, uuid.NewString(), ""},
			[]part.Feature{all[0]}},
	} {
		got, err := f.store.FeaturesByID(f.ctx, f.team.ID, c.ids)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: FeaturesByID = %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
}

func testFeaturesOfAnotherTeam(t *testing.T, f *fixture) {
	_, job, fence := f.leased()
	report := f.threeFeatures(job)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Details: f.details(report)}, f.tick()))
	other := f.newTeam("other")
	if got, err := f.store.Features(f.ctx, other.ID, report.ID); err != nil || len(got) != 0 {
		t.Errorf("Features of another team = %v, %v; want none", got, err)
	}
	ids := []string{report.Analysis.Features[0].FeatureID}
	if got, err := f.store.FeaturesByID(f.ctx, other.ID, ids); err != nil || len(got) != 0 {
		t.Errorf("FeaturesByID of another team = %v, %v; want none", got, err)
	}
}

func testCommitDetails(t *testing.T, f *fixture) {
	p, j, fence := f.leased()
	report := f.threeFeatures(j)
	all := f.details(report)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report, Details: all[:1]}, f.tick()))
	again := f.queued(p)
	partBefore := f.getPart(p.ID)
	job2, fence2 := f.lease(again.ID)
	added := []part.FeatureDetail{
		{FeatureID: all[2].FeatureID, Datasheet: sheet(30)}, {FeatureID: all[0].FeatureID, Datasheet: sheet(10)},
	}
	now := f.tick()
	f.must(f.store.Commit(f.ctx, fence2, worker.Outcome{ReportID: report.ID, Details: added}, now))

	f.wantFeatures("one new, one replaced", report.ID, records(report, added...))
	hundred := 100
	want := job2
	want.Status, want.Progress, want.ReportID = job.Succeeded, &hundred, report.ID
	want.Worker, want.LeaseUntil, want.UpdatedAt = "", time.Time{}, now
	if got := f.getJob(job2.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("job = %+v\nwant  %+v", got, want)
	}
	if got := f.getPart(p.ID); !reflect.DeepEqual(got, partBefore) {
		t.Errorf("part = %+v\nwant it unchanged: %+v", got, partBefore)
	}
	for _, jobID := range []string{"", j.ID, job2.ID} {
		got, err := f.store.Report(f.ctx, f.team.ID, p.ID, jobID)
		if err != nil || !reflect.DeepEqual(got, report) {
			t.Errorf("report by job %q = %+v, %v; want the first one unchanged", jobID, got, err)
		}
	}
	if lost, err := f.store.LostAttempts(f.ctx, f.after(leaseTime), 10); err != nil || len(lost) != 0 {
		t.Errorf("LostAttempts = %v, %v; a committed attempt is not lost", lost, err)
	}
}

func testCommitDetailsIsAtomic(t *testing.T, f *fixture) {
	p, job, fence := f.leased()
	report := f.threeFeatures(job)
	f.must(f.store.Commit(f.ctx, fence, worker.Outcome{Report: &report}, f.tick()))
	_, other, otherFence := f.leased()
	stranger := f.report(other)
	f.must(f.store.Commit(f.ctx, otherFence, worker.Outcome{Report: &stranger}, f.tick()))
	job2, fence2 := f.lease(f.queued(p).ID)
	for name, id := range map[string]string{
		"unknown feature": uuid.NewString(), "feature of another report": stranger.Analysis.Features[0].FeatureID,
	} {
		details := append(f.details(report), part.FeatureDetail{FeatureID: id, Datasheet: sheet(1)})
		err := f.store.Commit(f.ctx, fence2, worker.Outcome{ReportID: report.ID, Details: details}, f.tick())
		if !errors.Is(err, record.ErrNotFound) {
			t.Errorf("%s: CommitDetails = %v, want ErrNotFound", name, err)
		}
		if got := f.getJob(job2.ID); !reflect.DeepEqual(got, job2) {
			t.Errorf("%s: job = %+v, want it still running", name, got)
		}
		f.wantFeatures(name, report.ID, records(report))
		f.wantFeatures(name, stranger.ID, records(stranger))
	}
}

func testJobInput(t *testing.T, f *fixture) {
	p := f.pendingPart(f.team)
	for _, input := range []job.Input{
		{}, {FeatureDetails: true}, {FeatureIDs: []string{uuid.NewString(), uuid.NewString()}},
	} {
		job := f.job(p, job.FeatureDetails)
		job.Input = input
		_, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: partSize})
		f.must(err)
		if got := f.getJob(job.ID).Input; !reflect.DeepEqual(got, input) {
			t.Errorf("input = %+v, want %+v", got, input)
		}
		if leased, _ := f.lease(job.ID); !reflect.DeepEqual(leased.Input, input) {
			t.Errorf("input of the leased job = %+v, want %+v", leased.Input, input)
		}
	}
}
