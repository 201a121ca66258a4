package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"millwright/core/service"
)

// fill adds waiting jobs of so many teams, of all classes.
func fill(t testing.TB, s *Store, teams, jobs int) {
	t.Helper()
	for _, statement := range []string{
		`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $TEAMS)
			INSERT INTO teams (id, name, created_at) SELECT 't' || i, 't' || i, 0 FROM n`,
		`INSERT INTO parts SELECT 'p' || substr(id, 2), id, 'a.step', '', 1, 'processing', '', '', '', '', 1, '', '',
			'b', 'k', 0, 0, '[]', 0 FROM teams`,
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

// TestWorkIsFoundByIndex asks for the plans of the queries that every free worker makes.
func TestWorkIsFoundByIndex(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	fill(t, s, 3, 100)
	for name, query := range map[string]string{
		"lanes": lanes, "lease": strings.SplitN(leaseFirst, "RETURNING", 2)[0], // all but what it returns
	} {
		rows, err := s.write.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query,
			make([]any, strings.Count(query, "?"))...)
		plan, err := collect(rows, err, func(r row) (string, error) {
			var id, parent, unused int
			var detail string
			return detail, r.Scan(&id, &parent, &unused, &detail)
		})
		if err != nil {
			t.Fatal(err)
		}
		used := false
		for _, line := range plan {
			used = used || strings.Contains(line, "jobs_waiting")
			reads := strings.HasPrefix(line, "SCAN j") || strings.HasPrefix(line, "SCAN n") ||
				strings.HasPrefix(line, "SCAN t")
			// The head of the index is a scan that ends with its first row; running jobs are as many as workers.
			ends := strings.Contains(line, "jobs_waiting") || strings.Contains(line, "jobs_running_of_team")
			if reads && !ends {
				t.Errorf("%s reads a table from end to end: %s\nplan:\n%s", name, line, strings.Join(plan, "\n"))
			}
		}
		if !used {
			t.Errorf("%s does not use the index of waiting jobs:\n%s", name, strings.Join(plan, "\n"))
		}
	}
}

// BenchmarkLeaseNext leases from a million waiting jobs of few and of many teams.
func BenchmarkLeaseNext(b *testing.B) {
	for _, teams := range []int{1, 10, 100, 1000} {
		s, err := Open(b.Context(), filepath.Join(b.TempDir(), "test.db"))
		if err != nil {
			b.Fatal(err)
		}
		fill(b, s, teams, 1_000_000)
		now := service.Stamp(service.SystemClock{}.Now())
		lease := service.Lease{Worker: "w", Now: now, Until: now}
		b.Run(fmt.Sprint("teams ", teams), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.LeaseNext(b.Context(), service.WorkFilter{}, lease); err != nil {
					b.Fatal(err)
				}
			}
		})
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
