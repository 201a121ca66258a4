package postgres

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// listed is a job as a reference keeps it.
type listed struct {
	job.Job
	order int // of its enqueueing
}

// TestListsMatchSortedReference creates, ends, repeats and deletes jobs of many days in random order, and compares
// every page of every list with a plain sorted slice.
func TestListsMatchSortedReference(t *testing.T) {
	s, dice := openTest(t, pgtest.URL(t)), rand.New(rand.NewPCG(5, 5))
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	start := time.Date(2026, 11, 3, 22, 0, 0, 0, time.UTC)
	var parts []part.Part
	for i := range 4 {
		team := fmt.Sprint("t", i%2)
		if i < 2 {
			must(s.CreateTeam(ctx, account.Team{ID: team, Name: team}))
		}
		p := part.Part{ID: fmt.Sprint("p", i), TeamID: team, FileName: "a.step", Status: part.Pending}
		must(s.CreatePart(ctx, p, part.CreateTerms{}))
		parts = append(parts, p)
	}
	var all []*listed
	products := []job.Product{job.PartAnalysis, job.FeatureDetails}
	for n := range 160 {
		pt := parts[dice.IntN(len(parts))]
		at := start.Add(time.Duration(dice.IntN(100)) * time.Hour) // clocks differ: not in order, some the same
		j := job.Job{
			ID: fmt.Sprint("j", n), TeamID: pt.TeamID, PartID: pt.ID, Product: products[dice.IntN(2)],
			Status: job.Queued, DueAt: start, CreatedAt: at, UpdatedAt: at,
		}
		_, err := s.Enqueue(ctx, j, part.EnqueueOptions{})
		must(err)
		all = append(all, &listed{j, n})
		how := dice.IntN(6)
		if how == 0 {
			continue
		}
		_, err = sql.Exec(ctx, s, sql.Never,
			`UPDATE jobs SET status = 'running', token = 1, attempt = 1 WHERE id = $1`, j.ID)
		must(err)
		f := job.FencingToken{JobID: j.ID, Token: 1}
		last := all[len(all)-1]
		switch how {
		case 1:
			last.Status = job.Running
		case 2:
			must(s.Fail(ctx, f, fault.Error{Code: "c"}, at))
			last.Status = job.Failed
		case 3:
			must(s.Retry(ctx, f, at, at))
		default:
			must(s.Commit(ctx, f, worker.Outcome{ReportID: "r"}, at))
			last.Status = job.Succeeded
		}
	}
	// As in retention, with the rows that refer to the jobs.
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

func queries(parts []part.Part) (out []job.Query) {
	for _, team := range []string{"t0", "t1", "t2"} {
		for _, part := range []string{"", parts[0].ID} {
			for _, status := range []job.Status{
				"", job.Queued, job.Running, job.Succeeded, job.Failed,
			} {
				for _, product := range []job.Product{"", job.PartAnalysis, job.Program} {
					out = append(out, job.Query{TeamID: team, Filter: job.Filter{
						PartID: part, Status: status, Product: product,
					}})
				}
			}
		}
	}
	return out
}

func compareLists(t *testing.T, s *Store, q job.Query, all []*listed) {
	t.Helper()
	want := []string{}
	for _, j := range all {
		if j.TeamID == q.TeamID && (q.PartID == "" || j.PartID == q.PartID) &&
			(q.Status == "" || j.Status == q.Status) &&
			(q.Product == "" || j.Product == q.Product) {
			want = append(want, j.ID)
		}
	}
	for q.Page = (record.Page{Page: 1, PageSize: 7}); ; q.Page.Page++ {
		items, total, err := s.ListJobs(t.Context(), q)
		got := []string{}
		for _, j := range items {
			got = append(got, j.ID)
		}
		from, to := min(int(q.Offset()), len(want)), min(int(q.Offset())+q.PageSize, len(want))
		if err != nil || total != len(want) || !slices.Equal(got, want[from:to]) {
			t.Fatalf("%+v: %v of %d, %v; want %v of %d", q, got, total, err, want[from:to], len(want))
		}
		if from == len(want) {
			return
		}
	}
}
