package postgres

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"millwright/adapters/sql"
	"millwright/adapters/sql/postgres/pgtest"
	"millwright/core/fault"
	"millwright/core/service"
)

// listed is a job as a reference keeps it.
type listed struct {
	service.Job
	order int // of its enqueueing
}

// TestListsAgreeWithAReference makes, ends, repeats and deletes jobs of many days in random order, and compares every
// page of every list with a plain sorted slice.
func TestListsAgreeWithAReference(t *testing.T) {
	s, dice := openTest(t, pgtest.URL(t)), rand.New(rand.NewPCG(5, 5))
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	start := time.Date(2026, 11, 3, 22, 0, 0, 0, time.UTC)
	var parts []service.Part
	for i := range 4 {
		team := fmt.Sprint("t", i%2)
		if i < 2 {
			must(s.CreateTeam(ctx, service.Team{ID: team, Name: team}))
		}
		p := service.Part{ID: fmt.Sprint("p", i), TeamID: team, FileName: "a.step", Status: service.PartPending}
		must(s.CreatePart(ctx, p, service.Pace{}))
		parts = append(parts, p)
	}
	var all []*listed
	products := []service.ProductType{service.ProductPartAnalysis, service.ProductFeatureDetails}
	for n := range 160 {
		part := parts[dice.IntN(len(parts))]
		at := start.Add(time.Duration(dice.IntN(100)) * time.Hour) // clocks differ: not in order, some the same
		j := service.Job{
			ID: fmt.Sprint("j", n), TeamID: part.TeamID, PartID: part.ID, Product: products[dice.IntN(2)],
			Status: service.JobQueued, DueAt: start, CreatedAt: at, UpdatedAt: at,
		}
		_, err := s.Enqueue(ctx, j, service.EnqueueTerms{})
		must(err)
		all = append(all, &listed{j, n})
		how := dice.IntN(6)
		if how == 0 {
			continue
		}
		_, err = sql.Exec(ctx, s, sql.Never, `UPDATE jobs SET status = 'running', token = 1, attempt = 1 WHERE id = $1`, j.ID)
		must(err)
		f := service.Fence{JobID: j.ID, Token: 1}
		last := all[len(all)-1]
		switch how {
		case 1:
			last.Status = service.JobRunning
		case 2:
			must(s.Fail(ctx, f, fault.Error{Code: "c"}, at))
			last.Status = service.JobFailed
		case 3:
			must(s.Retry(ctx, f, at, at))
		default:
			must(s.Commit(ctx, f, service.Outcome{ReportID: "r"}, at))
			last.Status = service.JobSucceeded
		}
	}
	// As retention does, with what refers to the jobs.
	_, err := sql.Exec(ctx, s, sql.Never, `DELETE FROM open_attempts`)
	must(err)
	_, err = sql.Exec(ctx, s, sql.Never, `DELETE FROM jobs WHERE created_at < $1`, sql.Micros(start.Add(20*time.Hour)))
	must(err)
	all = slices.DeleteFunc(all, func(j *listed) bool { return j.CreatedAt.Before(start.Add(20 * time.Hour)) })
	slices.SortFunc(all, func(a, b *listed) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), b.order-a.order)
	})
	for _, q := range queries(parts) {
		compareLists(t, s, q, all)
	}
}

func queries(parts []service.Part) (out []service.JobQuery) {
	for _, team := range []string{"t0", "t1", "t2"} {
		for _, part := range []string{"", parts[0].ID} {
			for _, status := range []service.JobStatus{
				"", service.JobQueued, service.JobRunning, service.JobSucceeded, service.JobFailed,
			} {
				for _, product := range []service.ProductType{"", service.ProductPartAnalysis, service.ProductProgram} {
					out = append(out, service.JobQuery{TeamID: team, JobFilter: service.JobFilter{
						PartID: part, Status: status, Product: product,
					}})
				}
			}
		}
	}
	return out
}

func compareLists(t *testing.T, s *Store, q service.JobQuery, all []*listed) {
	t.Helper()
	want := []string{}
	for _, j := range all {
		if j.TeamID == q.TeamID && (q.PartID == "" || j.PartID == q.PartID) && (q.Status == "" || j.Status == q.Status) &&
			(q.Product == "" || j.Product == q.Product) {
			want = append(want, j.ID)
		}
	}
	for q.Page, q.PageSize = 1, 7; ; q.Page++ {
		items, total, err := s.ListJobs(t.Context(), q)
		got := []string{}
		for _, j := range items {
			got = append(got, j.ID)
		}
		from, to := min((q.Page-1)*q.PageSize, len(want)), min(q.Page*q.PageSize, len(want))
		if err != nil || total != len(want) || !slices.Equal(got, want[from:to]) {
			t.Fatalf("%+v: %v of %d, %v; want %v of %d", q, got, total, err, want[from:to], len(want))
		}
		if from == len(want) {
			return
		}
	}
}
