package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// A million: go test ./adapters/sql/postgres -run TestPlans -v -plan.jobs=1000000
var planJobs = flag.Int("plan.jobs", 50_000, "jobs in the database whose query plans are judged")

// fillers make a database of $1 jobs from one year. One team has half of them, a thousand teams share the rest. Most
// jobs succeeded. One of 500 runs, half of these with an expired lease, and one of 100 waits.
var fillers = []string{
	`SET session_replication_role = replica`, // the rows are right; references need no check
	`INSERT INTO teams SELECT 't' || n, 'team ' || n, 1 FROM generate_series(0, 1000) n`,
	`INSERT INTO users SELECT 'u' || n, 't' || n, 'owner', 1 FROM generate_series(0, 1000) n`,
	`INSERT INTO keys (id, team_id, creator_id, name, prefix, hash, access_core, access_dfm, access_quoting,
			allowed_origins, created_at)
		SELECT 'k' || n, 't' || n / 10, 'u' || n / 10, 'n', 'p', sha256(n::text::bytea), 'write', 'write', 'write',
			'["https://a.example"]', 1 FROM generate_series(0, 10000) n`,
	`INSERT INTO key_origins SELECT 'https://' || n || '.example', 'k' || n FROM generate_series(0, 10000) n`,
	`INSERT INTO parts (id, team_id, file_name, format, size_bytes, status, failure_code, failure_reason, project_id,
			current_program_id, auto_create_program, job_id, report_id, source_bucket, source_key, created_at, updated_at)
		SELECT 'p' || n, CASE WHEN n % 2 = 0 THEN 't0' ELSE 't' || n % 1000 END, 'bracket.step', 'step', 100000, 'ready',
			'', '', '', '', true, 'j' || n * 4, 'r' || n * 4, 'sources', 'teams/t/parts/p' || n || '/source.step', 1, 1 + n
		FROM generate_series(0, $1::int / 4) n`,
	`INSERT INTO jobs (id, team_id, part_id, product, status, progress, failure_code, failure_reason, report_id,
			warnings, attempt, token, worker, lease_until, due_at, created_at, updated_at)
		SELECT 'j' || n, CASE WHEN n / 4 % 2 = 0 THEN 't0' ELSE 't' || n / 4 % 1000 END, 'p' || n / 4,
			CASE n % 4 WHEN 0 THEN 'part_processing' WHEN 1 THEN 'part_analysis' ELSE 'feature_details' END, s, 50, '', '',
			CASE s WHEN 'succeeded' THEN 'r' || n / 4 * 4 ELSE '' END, '[]', 1, 1, '',
			CASE s WHEN 'running' THEN 1000000 + n % 1000 * 1000 ELSE 0 END, 1, n * 30000000::bigint, n * 30000000::bigint
		FROM generate_series(0, $1::int - 1) n, LATERAL (SELECT CASE WHEN n % 500 = 1 THEN 'running'
			WHEN n % 100 = 2 THEN 'queued' WHEN n % 50 = 3 THEN 'failed' ELSE 'succeeded' END s) status`,
	`INSERT INTO reports (id, team_id, part_id, job_id, body, created_at)
		SELECT 'r' || right(id, -1), team_id, part_id, id, '{}', created_at FROM jobs WHERE seq % 4 = 1`,
	`INSERT INTO features (id, team_id, part_id, report_id, tag, type)
		SELECT 'f' || id, team_id, part_id, id, 'ab12', 'Face' FROM reports`,
	`INSERT INTO artefacts (part_id, team_id, key, stage, bucket, object, size)
		SELECT id, team_id, stage || team_id, stage, 'results', stage || team_id, 1
		FROM parts CROSS JOIN unnest(ARRAY['model', 'mesh', 'stl']) stage`,
	`INSERT INTO open_attempts SELECT id, token, CASE status WHEN 'running' THEN 0 ELSE 1 + seq END
		FROM jobs WHERE status = 'running' OR seq % 20 = 0`,
	`INSERT INTO usage SELECT id, team_id, 'k1', product, created_at FROM jobs`,
	`INSERT INTO requests SELECT sha256(n::text::bytea), '', 'r', 1, 0, 201, '', '', n FROM generate_series(1, $1::int / 4) n`,
	// As the triggers would, which replication does not run.
	`INSERT INTO job_tally (team_id, status, day, product, shard, n)
		SELECT team_id, counted, created_at / 86400000000, product, seq % 8, count(*)
		FROM jobs CROSS JOIN LATERAL (VALUES (''), (status)) c (counted)
		WHERE counted IN ('', 'succeeded', 'failed') GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 1, 2`,
	`VACUUM ANALYZE`,
}

// mostPages is the largest number of pages that a list may read for any number of jobs: a few for each day of a year.
const mostPages = 1500

// bigTables grow with the work that is done; nothing that runs all the time may read them whole.
var bigTables = []string{
	"parts", "jobs", "reports", "features", "artefacts", "open_attempts", "usage", "requests", "key_origins",
	"keys",
}

func filled(t *testing.T, jobs int) string {
	t.Helper()
	url := pgtest.URL(t)
	openTest(t, url) // makes the tables
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	began := time.Now()
	for _, filler := range fillers {
		var args []any
		if strings.Contains(filler, "$1") {
			args = []any{jobs}
		}
		if _, err := conn.Exec(t.Context(), filler, args...); err != nil {
			t.Fatalf("%s: %v", filler, err)
		}
	}
	t.Logf("%d jobs were made in %.1f s", jobs, time.Since(began).Seconds())
	return url
}

// recorder notes the statements that a store sends.
type recorder struct {
	mu   sync.Mutex
	sent []sent
}

type sent struct {
	call string
	sql  string
	args []any
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, sent{sql: q.SQL, args: q.Args})
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// during returns the statements of a call, without the statements that begin and end transactions.
func (r *recorder) during(t *testing.T, call string, do func() error) []sent {
	t.Helper()
	r.mu.Lock()
	r.sent = nil
	r.mu.Unlock()
	if err := do(); err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	var out []sent
	for _, s := range r.sent {
		if word, _, _ := strings.Cut(s.sql, " "); word != "begin" && word != "commit" && word != "rollback" {
			s.call = call
			out = append(out, s)
		}
	}
	return out
}

// node is a step of a query plan.
type node struct {
	Kind     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Fetches  float64 `json:"Heap Fetches"`
	Hit      int     `json:"Shared Hit Blocks"`
	Read     int     `json:"Shared Read Blocks"`
	Plans    []node
}

func (n node) walk(visit func(node)) {
	visit(n)
	for _, p := range n.Plans {
		p.walk(visit)
	}
}

// words name the scans of a plan.
func (n node) words() string {
	var out []string
	n.walk(func(n node) {
		name := n.Index
		if name == "" {
			name = n.Relation
		}
		if name != "" && strings.Contains(n.Kind, "Scan") {
			out = append(out, strings.Replace(n.Kind, " Scan", "", 1)+" "+name)
		}
	})
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// explained is a statement with its plan.
type explained struct {
	Plan node
	Time float64 `json:"Execution Time"` // milliseconds
}

// explainSent runs a statement, rolls it back and returns its execution plan.
func explainSent(t *testing.T, conn *pgx.Conn, s sent) explained {
	t.Helper()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	how := `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `
	if strings.HasPrefix(s.sql, "INSERT") {
		how = `EXPLAIN (FORMAT JSON) ` // the row is there already
	}
	var text []byte
	err = tx.QueryRow(t.Context(), how+s.sql, s.args...).Scan(&text)
	var plans []explained
	if err == nil {
		err = json.Unmarshal(text, &plans)
	}
	if err != nil || len(plans) != 1 {
		t.Fatalf("explain %s: %v", s.sql, err)
	}
	return plans[0]
}

// generic returns the plan that the server makes without looking at the arguments, as it may once a statement was
// executed often.
func generic(t *testing.T, conn *pgx.Conn, s sent) node {
	t.Helper()
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	call := "EXPLAIN (FORMAT JSON) EXECUTE judged"
	if n := len(s.args); n > 0 {
		call += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
	}
	var text []byte
	_, err = tx.Exec(t.Context(), `SET LOCAL plan_cache_mode = force_generic_plan`)
	if err == nil {
		_, err = tx.Exec(t.Context(), `PREPARE judged AS `+s.sql, pgx.QueryExecModeSimpleProtocol)
	}
	if err == nil {
		err = tx.QueryRow(t.Context(), call, pgx.QueryExecModeSimpleProtocol).Scan(&text)
	}
	if err == nil {
		_, err = tx.Exec(t.Context(), `DEALLOCATE judged`)
	}
	var plans []explained
	if err == nil {
		err = json.Unmarshal(text, &plans)
	}
	if err != nil || len(plans) != 1 {
		t.Fatalf("generic plan of %s: %v", s.sql, err)
	}
	return plans[0].Plan
}

// tour makes every call that runs in service or in workers, on records as fillers make them.
func tour(t *testing.T, s *Store, jobs int) []sent {
	t.Helper()
	ctx, now := t.Context(), time.Unix(30*int64(jobs), 0).UTC()
	rec := s.pool.Config().ConnConfig.Tracer.(*recorder)
	var all []sent
	see := func(call string, do func() error) { all = append(all, rec.during(t, call, do)...) }
	list := func(call string, f job.Filter) {
		see("ListJobs "+call, func() error {
			_, total, err := s.ListJobs(ctx, job.Query{TeamID: "t0", Filter: f})
			if err == nil && total == 0 {
				err = fmt.Errorf("nothing matches")
			}
			return err
		})
	}
	see("Ping", func() error { return s.Ping(ctx) })
	all = nil // with it a connection was opened
	half := jobs / 2 / 20
	list("first", job.Filter{Page: record.Page{Page: 1, PageSize: 20}})
	list("middle", job.Filter{Page: record.Page{Page: half / 2, PageSize: 20}})
	list("last", job.Filter{Page: record.Page{Page: half, PageSize: 20}})
	list("succeeded first", job.Filter{Page: record.Page{Page: 1, PageSize: 20}, Status: job.Succeeded})
	list("succeeded deep", job.Filter{Page: record.Page{Page: half * 9 / 10, PageSize: 20}, Status: job.Succeeded})
	list("queued", job.Filter{Page: record.Page{Page: 1, PageSize: 20}, Status: job.Queued})
	list("product", job.Filter{Page: record.Page{Page: 1, PageSize: 20}, Product: job.PartAnalysis})
	list("status and product", job.Filter{
		Page: record.Page{Page: 1, PageSize: 20}, Status: job.Succeeded, Product: job.PartAnalysis,
	})
	list("part", job.Filter{Page: record.Page{Page: 1, PageSize: 20}, PartID: "p8"})
	list("part and status", job.Filter{Page: record.Page{Page: 1, PageSize: 20}, PartID: "p8", Status: job.Succeeded})

	p := part.Part{ID: uuid.NewString(), TeamID: "t0", Status: part.Pending, CreatedAt: now}
	see("CreatePart", func() error {
		return s.CreatePart(ctx, p,
			part.CreateTerms{RateLimit: part.RateLimit{Budget: part.BudgetParts, Interval: time.Second}})
	})
	see("Enqueue", func() error {
		job := job.Job{ID: uuid.NewString(), TeamID: "t0", PartID: p.ID, Product: job.PartProcessing}
		_, err := s.Enqueue(ctx, job, part.EnqueueOptions{SourceSize: 1, MeterTo: "k1"})
		return err
	})
	var fence job.FencingToken
	lease := func() {
		see("LeaseNext", func() error {
			j, _, err := s.LeaseNext(ctx, job.WorkFilter{}, job.Lease{Worker: "w", Now: now, Until: now})
			p.ID, p.TeamID, fence = j.PartID, j.TeamID, job.FencingToken{JobID: j.ID, Token: j.Token}
			return err
		})
	}
	lease()
	see("Heartbeat", func() error { return s.Heartbeat(ctx, fence, now, nil, now) })
	see("Retry", func() error { return s.Retry(ctx, fence, now, now) })
	lease()
	see("GiveBack", func() error { return s.GiveBack(ctx, fence, now) })
	lease()
	report := part.AnalysisReport{ID: uuid.NewString(), TeamID: "t0", PartID: p.ID, JobID: fence.JobID}
	report.Analysis.Features = []pipeline.PartFeature{{FeatureID: uuid.NewString()}, {FeatureID: uuid.NewString()}}
	details := []part.FeatureDetail{{FeatureID: report.Analysis.Features[1].FeatureID}}
	mesh := "mesh" + p.TeamID // of all parts of the team
	old := []part.Artifact{{Key: mesh, Object: object.Ref{Bucket: "results", Key: mesh}}}
	anew := []part.Artifact{{Key: "glb", Object: object.Ref{Bucket: "results", Key: "glb"}}}
	see("Artefacts", func() error { _, err := s.Artifacts(ctx, "t0", []string{"mesht0", "glb"}); return err })
	see("Commit", func() error {
		return s.Commit(ctx, fence, worker.Outcome{
			Report: &report, Details: details, Used: old, Made: anew, SourceDigest: "5d41",
		}, now)
	})
	lease()
	see("Commit details", func() error {
		return s.Commit(ctx, fence, worker.Outcome{ReportID: report.ID, Details: details}, now)
	})
	lease()
	see("Fail", func() error { return s.Fail(ctx, fence, fault.Error{Code: "c"}, now) })
	see("Requeue", func() error { _, err := s.Requeue(ctx, fence.JobID, account.Quota{}, now); return err })
	see("Cancel", func() error { _, err := s.Cancel(ctx, fence.JobID, fault.Error{Code: "c"}, now); return err })
	see("CountQueued", func() error { _, err := s.CountQueued(ctx, "t0", 1000); return err })
	see("CountQueued all", func() error { _, err := s.CountQueued(ctx, "", 1000); return err })
	see("Backlog", func() error { _, err := s.Backlog(ctx); return err })
	see("Leases", func() error { _, err := s.Leases(ctx, 100); return err })
	see("Expire", func() error { _, err := s.Expire(ctx, time.UnixMicro(9), now, 2); return err })

	why := fault.Error{Code: fault.TimedOut}
	see("TakeBack", func() error { _, err := s.TakeBack(ctx, time.UnixMicro(1_500_000), 3, why, 10); return err })
	see("TakeBack last", func() error { _, err := s.TakeBack(ctx, time.UnixMicro(1_500_000), 1, why, 10); return err })
	see("LostAttempts", func() error { _, err := s.LostAttempts(ctx, now, 100); return err })
	see("Forget", func() error { return s.Forget(ctx, fence) })

	see("Part", func() error { _, err := s.Part(ctx, "t0", "p8"); return err })
	see("Job", func() error { _, err := s.Job(ctx, "t0", "j32"); return err })
	see("Report latest", func() error { _, err := s.Report(ctx, "t0", "p8", ""); return err })
	see("Report of job", func() error { _, err := s.Report(ctx, "t0", "p8", "j32"); return err })
	see("Features", func() error { _, err := s.Features(ctx, "t0", "r32"); return err })
	see("FeaturesByID", func() error { _, err := s.FeaturesByID(ctx, "t0", []string{"fr32", "fr0"}); return err })
	see("KeyByHash", func() error { _, err := s.KeyByHash(ctx, sha256.Sum256([]byte("1"))); return err })
	see("ListKeys", func() error { _, err := s.ListKeys(ctx, "t7"); return err })
	see("OriginAllowed", func() error { _, err := s.OriginAllowed(ctx, "https://7.example", now); return err })
	see("Usage", func() error { _, err := s.Usage(ctx, "t7", now.Add(-now.Sub(time.Unix(0, 0))/2)); return err })
	see("ClaimRequest", func() error {
		_, err := s.ClaimRequest(ctx,
			idempotency.Reservation{Scope: sha256.Sum256([]byte("7")), KeepUntil: now, Now: time.UnixMicro(1)})
		return err
	})
	see("AnswerRequest", func() error {
		known, err := s.ClaimRequest(ctx, idempotency.Reservation{Scope: sha256.Sum256([]byte("new")), KeepUntil: now})
		if err != nil {
			return err
		}
		return s.AnswerRequest(ctx, known.FencingToken, idempotency.StoredResponse{Body: []byte{}})
	})
	see("PurgeRequests", func() error { _, err := s.PurgeRequests(ctx, time.UnixMicro(50), 100); return err })
	return all
}

// TestPlans checks that no frequent statement scans a large table, neither with a custom plan nor with a generic one.
// Statements that grow with the number of jobs read only an index.
func TestPlans(t *testing.T) {
	url := filled(t, *planJobs)
	s, err := open(t.Context(), Options{URL: url}, func(c *pgxpool.Config) { c.ConnConfig.Tracer = &recorder{} })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	seen := map[string]bool{}
	statements := tour(t, s, *planJobs)
	for _, stmt := range statements {
		done := explainSent(t, conn, stmt)
		for kind, plan := range map[string]node{"": done.Plan, "generic ": generic(t, conn, stmt)} {
			plan.walk(func(n node) {
				if n.Kind == "Seq Scan" && slices.Contains(bigTables, n.Relation) {
					t.Errorf("%s: the %splan reads %s whole:\n%s", stmt.call, kind, n.Relation, stmt.sql)
				}
				many := n.Rows*n.Loops > 2000
				if kind == "" && many && strings.HasSuffix(n.Kind, "Scan") && n.Kind != "Index Only Scan" {
					t.Errorf("%s: %s of %s has %.0f rows:\n%s", stmt.call, n.Kind, n.Relation, n.Rows, stmt.sql)
				}
			})
		}
		pages := done.Plan.Hit + done.Plan.Read
		if strings.HasPrefix(stmt.call, "ListJobs") && pages > mostPages {
			t.Errorf("%s: %d pages were read:\n%s", stmt.call, pages, stmt.sql)
		}
		sql := strings.Join(strings.Fields(stmt.sql), " ")
		if key := stmt.call + sql; !seen[key] {
			seen[key] = true
			t.Logf("%-28s %8.2f ms %7d pages  %-60.60s %s",
				stmt.call, done.Time, pages, sql, done.Plan.words())
		}
	}
	if len(seen) < 60 {
		t.Errorf("the tour sent only %d statements", len(seen))
	}
}
