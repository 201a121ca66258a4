package postgres

// A list of jobs contains the number of matches and can start at any page. Counting or skipping a million jobs takes a
// tenth of a second. The table job_tally, which triggers update in the transactions that change jobs, contains the
// number of a team's jobs by day, product and final status. It has a few rows a day. Their sum is the total, and they
// give the day of a page's first job. Only earlier jobs of that day are skipped, in an index.
//
// Jobs that wait or run, and jobs of one part, are few, so they are counted directly.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
)

// jobFilter is a WHERE clause with its arguments.
type jobFilter struct {
	where []string
	args  []any
}

// and adds a condition; its text ends with the operator.
func (f *jobFilter) and(condition string, value any) {
	f.args = append(f.args, value)
	f.where = append(f.where, fmt.Sprintf("%s $%d", condition, len(f.args)))
}

func (f *jobFilter) String() string { return strings.Join(f.where, " AND ") }

// ListJobs implements job.Store. Page and total are read in one snapshot, so that they agree. The page's place is
// found in an index alone; then its rows are fetched.
func (s *Store) ListJobs(ctx context.Context, q job.Query) (items []job.Job, total int, err error) {
	err = s.Snapshot(ctx, func(ctx context.Context, on sql.Querier) error {
		items = []job.Job{}
		from := &jobFilter{}
		from.and("team_id =", q.TeamID)
		if q.PartID != "" {
			from.and("part_id =", q.PartID)
		}
		if q.Status != "" {
			from.and("status =", q.Status)
		}
		if q.Product != "" {
			from.and("product =", q.Product)
		}
		skip := int(q.Offset())
		if tallied(q) {
			days, err := readTally(ctx, on, q)
			if err != nil {
				return err
			}
			total = sum(days)
			var before int64
			if before, skip = place(days, skip); before > 0 {
				from.and("created_at <", before)
			}
		} else {
			total, err = sql.One(ctx, on, sql.Value[int],
				`SELECT count(*) FROM jobs WHERE `+from.String(), from.args...)
			if err != nil {
				return err
			}
		}
		if q.Offset() >= int64(total) {
			return nil
		}
		items, err = readPage(ctx, on, from, q.PageSize, skip)
		return err
	})
	return items, total, err
}

func readPage(ctx context.Context, on sql.Querier, from *jobFilter, size, skip int) ([]job.Job, error) {
	n := len(from.args)
	return sql.Collect(ctx, on, sql.ScanJob, fmt.Sprintf(`SELECT `+sql.JobColumns+`
		FROM (SELECT seq AS place FROM jobs WHERE %s
			ORDER BY created_at DESC, seq DESC LIMIT $%d OFFSET $%d) page
		CROSS JOIN LATERAL (SELECT * FROM jobs WHERE seq = page.place OFFSET 0) job
		ORDER BY created_at DESC, seq DESC`, from, n+1, n+2), append(from.args, size, skip)...)
}

// tallied reports whether the tally has the number of matching jobs.
func tallied(q job.Query) bool {
	switch q.Status {
	case "", job.Succeeded, job.Failed:
		return q.PartID == ""
	}
	return false
}

// tallyDay is the number of matching jobs that were made on a day.
type tallyDay struct {
	day int64 // from 1970 UTC
	n   int
}

// readTally returns the days that have matching jobs, newest first.
func readTally(ctx context.Context, on sql.Querier, q job.Query) ([]tallyDay, error) {
	from := &jobFilter{}
	from.and("team_id =", q.TeamID)
	from.and("status =", q.Status)
	if q.Product != "" {
		from.and("product =", q.Product)
	}
	return sql.Collect(ctx, on, func(r sql.Row) (d tallyDay, err error) { return d, r.Scan(&d.day, &d.n) },
		`SELECT day, sum(n)::bigint FROM job_tally WHERE `+from.String()+` GROUP BY day ORDER BY day DESC`,
		from.args...)
}

func sum(days []tallyDay) (total int) {
	for _, d := range days {
		total += d.n
	}
	return total
}

// place finds the day on which the job with a number of newer ones was made: that day's end (microseconds), and how
// many of the newer jobs are of that day.
func place(days []tallyDay, newer int) (end int64, skip int) {
	for _, d := range days {
		if newer < d.n {
			return (d.day + 1) * (24 * time.Hour).Microseconds(), newer
		}
		newer -= d.n
	}
	return 0, newer
}
