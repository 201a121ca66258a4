package sqlite

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// fill adds waiting jobs of so many teams, of all classes.
func fill(t testing.TB, s *Store, teams, jobs int) {
	t.Helper()
	for _, statement := range []string{
		`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $TEAMS)
			INSERT INTO teams (id, name, created_at) SELECT 't' || i, 't' || i, 0 FROM n`,
		`INSERT INTO parts SELECT 'p' || substr(id, 2), id, 'a.step', '', 1, 'processing', '', '', '', '', 1, '', '',
			'b', 'k', 0, 0, '[]', 0, '', '[]', 'a.step', 0, '[]' FROM teams`,
		`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $JOBS)
			INSERT INTO jobs (id, team_id, part_id, product, status, failure_code, failure_reason, report_id, warnings,
				attempt, token, worker, lease_until, due_at, created_at, updated_at, class)
			SELECT 'j' || i, 't' || (i % $TEAMS), 'p' || (i % $TEAMS), 'part_processing', 'queued', '', '', '', '[]',
				0, 0, '', 0, i, i, i, (i / $TEAMS) % 3 FROM n`,
	} {
		statement = strings.NewReplacer("$TEAMS", fmt.Sprint(teams), "$JOBS", fmt.Sprint(jobs)).Replace(statement)
		if _, err := s.write.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// TestWorkIsFoundByIndex checks the execution plans of the queries of idle workers.
func TestWorkIsFoundByIndex(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	fill(t, s, 3, 100)
	for _, c := range []struct{ name, query, want string }{
		{"lanes", lanes, "SCAN lanes USING INDEX lanes_in_turn"}, // in order of the index, which is read partly
		{"lease", leaseFirst,
			"SEARCH jobs USING COVERING INDEX jobs_waiting (team_id=? AND product=? AND class=? AND due_at<?)"},
	} {
		query, _, _ := strings.Cut(c.query, "RETURNING")
		args := make([]any, len(regexp.MustCompile(`\$\d`).FindAllString(query, -1)))
		plan, err := sql.Collect(t.Context(), querier{on: s.write}, func(r sql.Row) (string, error) {
			var id, parent, unused int
			var detail string
			return detail, r.Scan(&id, &parent, &unused, &detail)
		}, `EXPLAIN QUERY PLAN `+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(plan, "\n")
		if !slices.Contains(plan, c.want) || strings.Contains(text, "TEMP B-TREE") {
			t.Errorf("the plan of %s lacks %q, or sorts:\n%s", c.name, c.want, text)
		}
	}
}

// TestLanesMatchJobs makes each kind of change to jobs, and compares the lanes with the jobs.
func TestLanesMatchJobs(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	fill(t, s, 3, 9)
	read := func(query string) []string {
		lines, err := sql.ReadRows(t.Context(), s, sql.Value[string], query)
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	statuses := rapid.SampledFrom([]job.Status{
		job.Queued, job.Queued, job.Running, job.Succeeded, job.Failed,
	})
	rapid.Check(t, func(rt *rapid.T) {
		job, at := rapid.IntRange(1, 12).Draw(rt, "job"), rapid.IntRange(0, 20).Draw(rt, "at")
		status := statuses.Draw(rt, "status")
		statement := rapid.SampledFrom([]string{
			`UPDATE jobs SET status = $STATUS WHERE seq = $JOB`,
			`UPDATE jobs SET status = $STATUS, due_at = $AT WHERE seq = $JOB`,
			`UPDATE jobs SET due_at = $AT WHERE seq = $JOB`,
			`UPDATE teams SET served_at = $AT WHERE id = 't' || ($JOB % 3)`,
			`DELETE FROM jobs WHERE seq = $JOB`,
			`INSERT OR IGNORE INTO jobs (seq, id, team_id, part_id, product, status, failure_code, failure_reason,
				report_id, warnings, attempt, token, worker, lease_until, due_at, created_at, updated_at, class)
			VALUES ($JOB, 'new' || $JOB, 't' || ($JOB % 3), 'p0', 'part_analysis', 'queued', '', '', '', '[]',
				0, 0, '', 0, $AT, 0, 0, $AT % 3)`,
		}).Draw(rt, "statement")
		statement = strings.NewReplacer("$JOB", fmt.Sprint(job), "$AT", fmt.Sprint(at),
			"$STATUS", fmt.Sprintf("'%s'", status)).Replace(statement)
		if _, err := s.write.ExecContext(t.Context(), statement); err != nil {
			rt.Fatal(err)
		}
		got := read(`SELECT format('%s %s %d due %d running %d served %d turn %d', team_id, product, class, due_at,
			running, served_at, turn_at) FROM lanes ORDER BY team_id, product, class`)
		want := read(`SELECT format('%s %s %d due %d running %d served %d turn %d', j.team_id, j.product, j.class,
			min(j.due_at), (SELECT count(*) FROM jobs r WHERE r.status = 'running' AND r.team_id = j.team_id),
			t.served_at, max(t.served_at, min(j.due_at))) FROM jobs j JOIN teams t ON t.id = j.team_id
			WHERE j.status = 'queued' GROUP BY j.team_id, j.product, j.class ORDER BY 1`)
		if !slices.Equal(got, want) {
			rt.Fatalf("after %s the lanes are\n%s\nwant\n%s", statement, strings.Join(got, "\n"),
				strings.Join(want, "\n"))
		}
	})
}

// BenchmarkLeaseNext leases from many waiting jobs of few and of many teams.
func BenchmarkLeaseNext(b *testing.B) {
	for _, teams := range []int{1, 10, 100, 1000} {
		s, err := Open(b.Context(), filepath.Join(b.TempDir(), "test.db"))
		if err != nil {
			b.Fatal(err)
		}
		fill(b, s, teams, 100_000)
		now := record.TruncateTime(record.SystemClock{}.Now())
		lease := job.Lease{Worker: "w", Now: now, Until: now}
		b.Run(fmt.Sprint("teams ", teams), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.LeaseNext(b.Context(), job.WorkFilter{}, lease); err != nil {
					b.Fatal(err)
				}
			}
		})
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
