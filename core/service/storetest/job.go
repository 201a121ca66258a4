package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"millwright/core/service"
)

func testEnqueueFirstJob(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	f.tick()
	job := f.job(part, service.ProductPartProcessing)
	got, err := f.store.Enqueue(f.ctx, job, service.EnqueueTerms{SourceSize: partSize, OnlyIfPending: true})
	f.must(err)
	want := part
	size := int64(partSize)
	want.Status, want.JobID, want.SizeBytes, want.UpdatedAt = service.PartProcessing, job.ID, &size, f.now
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Enqueue = %+v\nwant     %+v", got, want)
	}
	if got := f.getPart(part.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("part afterwards = %+v\nwant %+v", got, want)
	}
	if got := f.getJob(job.ID); !reflect.DeepEqual(got, job) {
		t.Errorf("job afterwards = %+v\nwant %+v", got, job)
	}
}

func testEnqueueOnlyIfPending(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	first := f.queued(part)
	before := f.getPart(part.ID)
	f.tick()
	second := f.job(part, service.ProductPartProcessing)
	got, err := f.store.Enqueue(f.ctx, second, service.EnqueueTerms{SourceSize: 1, OnlyIfPending: true})
	if err != nil || !reflect.DeepEqual(got, before) {
		t.Errorf("second Enqueue = %+v, %v; want the part of job %s unchanged", got, err, first.ID)
	}
	if _, err := f.store.Job(f.ctx, f.team.ID, second.ID); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("second job: %v, want ErrNotFound", err)
	}
}

func testEnqueueAtOnce(t *testing.T, f *fixture) {
	const callers = 8
	part := f.pendingPart(f.team)
	f.tick()
	ids := make([]string, callers)
	f.atOnce(callers, func(i int) error {
		p, err := f.store.Enqueue(f.ctx, f.job(part, service.ProductPartProcessing), service.EnqueueTerms{SourceSize: partSize, OnlyIfPending: true})
		ids[i] = p.JobID
		return err
	})
	slices.Sort(ids)
	if got := slices.Compact(ids); len(got) != 1 {
		t.Errorf("%d completes at once made jobs %v, want one", callers, got)
	}
	_, total, err := f.store.ListJobs(f.ctx, f.query(1, 10))
	if err != nil || total != 1 {
		t.Errorf("jobs = %d, %v; want one", total, err)
	}
}

func testEnqueueIsAtomic(t *testing.T, f *fixture) {
	job := f.queued(f.pendingPart(f.team))
	part := f.pendingPart(f.team)
	clash := f.job(part, service.ProductPartProcessing)
	clash.ID = job.ID
	if _, err := f.store.Enqueue(f.ctx, clash, service.EnqueueTerms{SourceSize: 9, OnlyIfPending: true}); !errors.Is(err, service.ErrExists) {
		t.Fatalf("job with a taken id: %v, want ErrExists", err)
	}
	if got := f.getPart(part.ID); !reflect.DeepEqual(got, part) {
		t.Errorf("part after a refused job = %+v, want it unchanged", got)
	}
}

func testEnqueueForAnotherTeam(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	job := f.job(part, service.ProductPartAnalysis)
	job.TeamID = f.newTeam("other").ID
	if _, err := f.store.Enqueue(f.ctx, job, service.EnqueueTerms{SourceSize: 1}); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Enqueue on another team's part: %v, want ErrNotFound", err)
	}
}

func testJobOfAnotherTeam(t *testing.T, f *fixture) {
	job := f.queued(f.pendingPart(f.team))
	other := f.newTeam("other")
	if _, err := f.store.Job(f.ctx, other.ID, job.ID); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("Job of another team: %v, want ErrNotFound", err)
	}
	q := f.query(1, 10)
	q.TeamID = other.ID
	if items, total, err := f.store.ListJobs(f.ctx, q); err != nil || len(items) != 0 || total != 0 {
		t.Errorf("ListJobs of another team = %v, %d, %v; want nothing", items, total, err)
	}
	q.PartID = job.PartID
	if items, total, err := f.store.ListJobs(f.ctx, q); err != nil || len(items) != 0 || total != 0 {
		t.Errorf("ListJobs of another team's part = %v, %d, %v; want nothing", items, total, err)
	}
}

func (f *fixture) query(page, size int) service.JobQuery {
	return service.JobQuery{TeamID: f.team.ID, JobFilter: service.JobFilter{Page: page, PageSize: size}}
}

func testListJobsPages(t *testing.T, f *fixture) {
	part := f.pendingPart(f.team)
	var newest []string
	for i := range 7 {
		job := f.job(part, service.ProductPartAnalysis)
		if i%2 == 0 {
			f.tick() // else: made in the same microsecond as the one before
		}
		job.CreatedAt = f.now
		_, err := f.store.Enqueue(f.ctx, job, service.EnqueueTerms{SourceSize: 1})
		f.must(err)
		newest = slices.Insert(newest, 0, job.ID)
	}
	for _, c := range []struct {
		name       string
		page, size int
		want       []string
	}{
		{"first", 1, 3, newest[:3]}, {"second", 2, 3, newest[3:6]}, {"last", 3, 3, newest[6:]},
		{"beyond", 4, 3, nil}, {"far beyond", 1 << 40, 100, nil}, {"all", 1, 100, newest},
	} {
		items, total, err := f.store.ListJobs(f.ctx, f.query(c.page, c.size))
		var got []string
		for _, j := range items {
			got = append(got, j.ID)
		}
		if err != nil || total != 7 || !slices.Equal(got, c.want) {
			t.Errorf("%s page: %v of %d, %v; want %v of 7", c.name, got, total, err, c.want)
		}
		if items == nil {
			t.Errorf("%s page is nil, want an empty list", c.name)
		}
	}
}

func testListJobsFilters(t *testing.T, f *fixture) {
	part, running, _ := f.leased()
	queued := f.queued(part)
	f.tick()
	first := f.job(f.pendingPart(f.team), service.ProductPartProcessing)
	_, err := f.store.Enqueue(f.ctx, first, service.EnqueueTerms{SourceSize: 1, OnlyIfPending: true})
	f.must(err)
	for _, c := range []struct {
		name   string
		filter service.JobFilter
		want   []string
	}{
		{"none", service.JobFilter{}, []string{first.ID, queued.ID, running.ID}},
		{"part", service.JobFilter{PartID: part.ID}, []string{queued.ID, running.ID}},
		{"status", service.JobFilter{Status: service.JobRunning}, []string{running.ID}},
		{"product", service.JobFilter{Product: service.ProductPartProcessing}, []string{first.ID}},
		{"part and status", service.JobFilter{PartID: part.ID, Status: service.JobQueued}, []string{queued.ID}},
		{"unknown part", service.JobFilter{PartID: uuid.NewString()}, nil},
		{"nothing succeeded", service.JobFilter{Status: service.JobSucceeded}, nil},
	} {
		c.filter.Page, c.filter.PageSize = 1, 100
		items, total, err := f.store.ListJobs(f.ctx, service.JobQuery{TeamID: f.team.ID, JobFilter: c.filter})
		var got []string
		for _, j := range items {
			got = append(got, j.ID)
		}
		if err != nil || !slices.Equal(got, c.want) || total != len(c.want) {
			t.Errorf("%s: %v of %d, %v; want %v", c.name, got, total, err, c.want)
		}
	}
}
