package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

func testEnqueueFirstJob(t *testing.T, f *fixture) {
	p := f.pendingPart(f.team)
	f.tick()
	job := f.job(p, job.PartProcessing)
	got, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: partSize, OnlyIfPending: true})
	f.must(err)
	want := p
	size := int64(partSize)
	want.Status, want.JobID, want.SizeBytes, want.UpdatedAt = part.Processing, job.ID, &size, f.now
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Enqueue = %+v\nwant     %+v", got, want)
	}
	if got := f.getPart(p.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("part afterwards = %+v\nwant %+v", got, want)
	}
	if got := f.getJob(job.ID); !reflect.DeepEqual(got, job) {
		t.Errorf("job afterwards = %+v\nwant %+v", got, job)
	}
}

func testEnqueueOnlyIfPending(t *testing.T, f *fixture) {
	p := f.pendingPart(f.team)
	first := f.queued(p)
	before := f.getPart(p.ID)
	f.tick()
	second := f.job(p, job.PartProcessing)
	got, err := f.store.Enqueue(f.ctx, second, part.EnqueueOptions{SourceSize: 1, OnlyIfPending: true})
	if err != nil || !reflect.DeepEqual(got, before) {
		t.Errorf("second Enqueue = %+v, %v; want the part of job %s unchanged", got, err, first.ID)
	}
	if _, err := f.store.Job(f.ctx, f.team.ID, second.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("second job: %v, want ErrNotFound", err)
	}
}

func testEnqueueAtOnce(t *testing.T, f *fixture) {
	const callers = 8
	pt := f.pendingPart(f.team)
	f.tick()
	ids := make([]string, callers)
	f.atOnce(callers, func(i int) error {
		p, err := f.store.Enqueue(f.ctx, f.job(pt, job.PartProcessing),
			part.EnqueueOptions{SourceSize: partSize, OnlyIfPending: true})
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
	j := f.queued(f.pendingPart(f.team))
	p := f.pendingPart(f.team)
	clash := f.job(p, job.PartProcessing)
	clash.ID = j.ID
	if _, err := f.store.Enqueue(f.ctx, clash, part.EnqueueOptions{SourceSize: 9, OnlyIfPending: true}); !errors.Is(
		err, record.ErrExists) {
		t.Fatalf("job with a taken id: %v, want ErrExists", err)
	}
	if got := f.getPart(p.ID); !reflect.DeepEqual(got, p) {
		t.Errorf("part after a refused job = %+v, want it unchanged", got)
	}
}

func testEnqueueForAnotherTeam(t *testing.T, f *fixture) {
	p := f.pendingPart(f.team)
	job := f.job(p, job.PartAnalysis)
	job.TeamID = f.newTeam("other").ID
	if _, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: 1}); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Enqueue on another team's part: %v, want ErrNotFound", err)
	}
}

func testJobOfAnotherTeam(t *testing.T, f *fixture) {
	job := f.queued(f.pendingPart(f.team))
	other := f.newTeam("other")
	if _, err := f.store.Job(f.ctx, other.ID, job.ID); !errors.Is(err, record.ErrNotFound) {
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

func (f *fixture) query(page, size int) job.Query {
	return job.Query{TeamID: f.team.ID, Filter: job.Filter{Page: record.Page{Page: page, PageSize: size}}}
}

func testListJobsPages(t *testing.T, f *fixture) {
	p := f.pendingPart(f.team)
	var newest []string
	for i := range 7 {
		job := f.job(p, job.PartAnalysis)
		if i%2 == 0 {
			f.tick() // else: made in the same microsecond as the one before
		}
		job.CreatedAt = f.now
		_, err := f.store.Enqueue(f.ctx, job, part.EnqueueOptions{SourceSize: 1})
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
	p, running, _ := f.leased()
	queued := f.queued(p)
	f.tick()
	first := f.job(f.pendingPart(f.team), job.PartProcessing)
	_, err := f.store.Enqueue(f.ctx, first, part.EnqueueOptions{SourceSize: 1, OnlyIfPending: true})
	f.must(err)
	for _, c := range []struct {
		name   string
		filter job.Filter
		want   []string
	}{
		{"none", job.Filter{}, []string{first.ID, queued.ID, running.ID}},
		{"part", job.Filter{PartID: p.ID}, []string{queued.ID, running.ID}},
		{"status", job.Filter{Status: job.Running}, []string{running.ID}},
		{"product", job.Filter{Product: job.PartProcessing}, []string{first.ID}},
		{"part and status", job.Filter{PartID: p.ID, Status: job.Queued}, []string{queued.ID}},
		{"unknown part", job.Filter{PartID: uuid.NewString()}, nil},
		{"nothing succeeded", job.Filter{Status: job.Succeeded}, nil},
	} {
		c.filter.Page = record.Page{Page: 1, PageSize: 100}
		items, total, err := f.store.ListJobs(f.ctx, job.Query{TeamID: f.team.ID, Filter: c.filter})
		var got []string
		for _, j := range items {
			got = append(got, j.ID)
		}
		if err != nil || !slices.Equal(got, c.want) || total != len(c.want) {
			t.Errorf("%s: %v of %d, %v; want %v", c.name, got, total, err, c.want)
		}
	}
}
