package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3/database"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// atVersion makes the tables as an earlier release left them and runs statements on them.
func atVersion(t *testing.T, version int64, statements ...string) string {
	t.Helper()
	url := pgtest.URL(t)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	db := stdlib.OpenDB(*config)
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	if err := sql.MigrateTo(t.Context(), database.DialectPostgres, db, folder, version); err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return url
}

// structure is every column and index of the tables, in words.
func structure(t *testing.T, s *Store) []string {
	t.Helper()
	list, err := sql.ReadRows(t.Context(), s, sql.Value[string], `
		SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(collation_name, '')
		FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestUpgradeFromEachVersion: every earlier version ends with the same tables as a new database.
func TestUpgradeFromEachVersion(t *testing.T) {
	want := structure(t, openTest(t, pgtest.URL(t)))
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(files) < 3 || len(want) < 50 {
		t.Fatalf("%d migrations and %d columns and indexes, %v", len(files), len(want), err)
	}
	for i, file := range files[:len(files)-1] {
		var version int64
		if _, err := fmt.Sscanf(file, "migrations/%d_", &version); err != nil {
			t.Fatal(err)
		}
		s := openTest(t, atVersion(t, version, `INSERT INTO teams VALUES ('t', 'team', 7)`))
		if got := structure(t, s); !slices.Equal(got, want) {
			t.Errorf("after version %d (of %d): %q\nwant %q", version, i, got, want)
		}
		if team, err := s.TeamByName(t.Context(), "team"); err != nil || team.ID != "t" {
			t.Errorf("after version %d: team %+v, %v", version, team, err)
		}
	}
}

// TestRecordsOfTheFirstVersion: their features were in reports only, and origins in keys only.
func TestRecordsOfTheFirstVersion(t *testing.T) {
	s := openTest(t, atVersion(t, 1,
		`INSERT INTO teams VALUES ('t', 'team', 0)`,
		`INSERT INTO users VALUES ('u', 't', 'owner', 0)`,
		`INSERT INTO keys (id, team_id, creator_id, name, prefix, hash, access_core, access_dfm, access_quoting,
			allowed_origins, created_at) VALUES ('k', 't', 'u', 'n', 'p', decode(repeat('00', 32), 'hex'), 'write',
			'write', 'write', '["https://a.example", "https://a.example"]', 0)`,
		`INSERT INTO parts VALUES
			('p', 't', 'a.step', 'step', 1, 'ready', '', '', '', '', true, 'j', 'r', 'b', 'k', 0, 0)`,
		`INSERT INTO jobs (id, team_id, part_id, product, status, progress, failure_code, failure_reason, report_id,
			warnings, attempt, token, worker, lease_until, due_at, woken_at, created_at, updated_at) VALUES
			('j', 't', 'p', 'part_processing', 'succeeded', 100, '', '', 'r', '[]', 1, 1, '', 0, 0, 0, 0, 0)`,
		`INSERT INTO reports (id, team_id, part_id, job_id, body, created_at) VALUES ('r', 't', 'p', 'j',
			'{"id":"r","stl":{"bucket":"b","key":"s"},"glb":{"bucket":"","key":""},
			"exports":{"3mf":{"bucket":"b","key":"m"}},"analysis":{"features":[{"featureId":"f2","featureTag":"b","featureType":"Hole"},
			{"featureId":"f1","featureTag":"a","featureType":"Face"}]}}', 0)`,
	))
	got, err := s.Features(t.Context(), "t", "r")
	if err != nil || len(got) != 2 || got[0].ID != "f2" || got[0].Tag != "b" || got[0].Type != "Hole" ||
		got[0].PartID != "p" || got[1].ID != "f1" || got[1].Datasheet != nil {
		t.Errorf("Features = %+v, %v; want f2 and f1 of the report", got, err)
	}
	r, err := s.Report(t.Context(), "t", "p", "j")
	if err != nil || len(r.Objects) != 2 || r.Objects[pipeline.STL].Key != "s" ||
		r.Objects[pipeline.ThreeMF].Key != "m" {
		t.Errorf("Report = %+v, %v; want its two objects", r, err)
	}
	job, err := s.Job(t.Context(), "t", "j")
	if err != nil || job.Input.FeatureDetails || job.Input.FeatureIDs != nil {
		t.Errorf("job = %+v, %v; want no input", job, err)
	}
	if ok, err := s.OriginAllowed(t.Context(), "https://a.example", time.Unix(1, 0)); err != nil || !ok {
		t.Errorf("OriginAllowed = %v, %v; want the origin of the old key", ok, err)
	}
}

// TestSnapshotsOfParts: before, each part had its own.
func TestSnapshotsOfParts(t *testing.T) {
	s := openTest(t, atVersion(t, 17,
		`INSERT INTO teams (id, name, created_at) VALUES ('t', 'team', 0), ('u', 'other', 0)`,
		`INSERT INTO parts (id, team_id, file_name, format, status, failure_code, failure_reason, project_id, current_program_id,
			auto_create_program, job_id, report_id, source_bucket, source_key, created_at, updated_at) VALUES
			('p', 't', 'a.step', 'step', 'ready', '', '', '', '', true, 'j', 'r', 'b', 'k', 0, 0),
			('q', 't', 'a.step', 'step', 'ready', '', '', '', '', true, 'j', 'r', 'b', 'k', 0, 0),
			('o', 'u', 'a.step', 'step', 'ready', '', '', '', '', true, 'j', 'r', 'b', 'k', 0, 0)`,
		`INSERT INTO cuttings VALUES ('p', 'd', '{}'), ('q', 'd', '{}'), ('q', 'e', '{}'), ('o', 'd', '{}')`,
		`INSERT INTO plans (id, team_id, part_id, report_id, job_id, cut_config_id, name, snapshot, status, failure_code,
			failure_reason, created_at, updated_at) VALUES
			('1', 't', 'p', 'r', 'j', 'c', '', 'd', 'ready', '', '', 0, 0),
			('2', 't', 'q', 'r', 'j', 'c', '', 'd', 'ready', '', '', 0, 0),
			('3', 't', 'q', 'r', 'j', 'c', '', 'e', 'ready', '', '', 0, 0),
			('4', 'u', 'o', 'r', 'j', 'c', '', 'd', 'ready', '', '', 0, 0)`,
	))
	for id, team := range map[string]string{"1": "t", "2": "t", "3": "t", "4": "u"} {
		if got, err := s.Cutting(t.Context(), team, id); err != nil || string(got) != "{}" {
			t.Errorf("what plan %s was made with: %s, %v", id, got, err)
		}
	}
	n, err := sql.ReadRow(t.Context(), s, sql.Value[int], `SELECT count(*) FROM cuttings`)
	if err != nil || n != 3 {
		t.Errorf("%d snapshots, %v; want two of one team and one of the other", n, err)
	}
}

// TestReplicasThatStartAtOnce take turns to make the tables.
func TestReplicasThatStartAtOnce(t *testing.T) {
	url := pgtest.URL(t)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			s, err := Open(t.Context(), Options{URL: url})
			if err != nil {
				t.Errorf("Open = %v", err)
				return
			}
			defer func() { _ = s.Close() }()
			if err := s.CreateTeam(t.Context(), account.Team{ID: fmt.Sprint(i), Name: fmt.Sprint(i)}); err != nil {
				t.Errorf("CreateTeam = %v", err)
			}
		})
	}
	all.Wait()
	s := openTest(t, url)
	n, err := sql.ReadRow(t.Context(), s, sql.Value[int], `SELECT count(*) FROM goose_db_version WHERE version_id > 0`)
	files, _ := fs.Glob(migrations, "migrations/*.sql") // the pattern is right
	if err != nil || n != len(files) {
		t.Errorf("%d migrations were made, %v; want each of %d once", n, err, len(files))
	}
}

func TestTablesOfALaterRelease(t *testing.T) {
	url := pgtest.URL(t)
	s := openTest(t, url)
	_, err := sql.Exec(t.Context(), s, sql.Never,
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, true)`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{URL: url})
	if !errors.Is(err, sql.ErrNewer) || !strings.Contains(err.Error(), "version 1000, it knows versions up to") {
		t.Errorf("Open = %v, want ErrNewer with both versions", err)
	}
}

func TestUnsuitableDatabasesAreRejected(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	conn, err := pgx.Connect(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, statement := range []string{
		`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`,
		`CREATE ROLE guest LOGIN`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, url, want string }{
		{"encoding", server.URL("latin"), "its encoding is LATIN1; it must be UTF8"},
		{"rights", strings.Replace(server.URL("postgres"), "user="+pgtest.User, "user=guest", 1),
			"the user may not change the tables"},
	} {
		s, err := Open(t.Context(), Options{URL: c.url})
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Open = %v, want %q", c.name, err, c.want)
		}
	}
}

// TestServerThatStartsLate checks that Open waits for a server, and reports in time one that does not start.
func TestServerThatStartsLate(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{TCP: true})
	if err := server.Stop(pgtest.Fast); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{URL: server.TCP("postgres"), Wait: 200 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "not reached within 200ms") || strings.Contains(err.Error(), "\n") {
		t.Errorf("Open = %v, want one line that says how long it waited", err)
	}
	opened := make(chan error, 1)
	go func() {
		s, err := Open(t.Context(), Options{URL: server.TCP("postgres")})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Errorf("Open = %v, want it to wait for the server", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{URL: server.TCP("postgres")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with a context that is over = %v", err)
	}
}

// TestSessionSettings checks that commits are durable for any default of the server, and that every wait is bounded.
func TestSessionSettings(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	conn, err := pgx.Connect(t.Context(), server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), `ALTER SYSTEM SET synchronous_commit = off`); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), `SELECT pg_reload_conf()`); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, server.URL("postgres")+"&statement_timeout=12345&pool_max_conns=3")
	for _, c := range []struct{ name, want string }{
		{"synchronous_commit", "on"}, {"statement_timeout", "12345ms"}, {"lock_timeout", "10s"},
		{"idle_in_transaction_session_timeout", "1min"}, {"application_name", "millwright"},
	} {
		got, err := sql.ReadRow(t.Context(), s, sql.Value[string], `SELECT current_setting($1)`, c.name)
		if err != nil || got != c.want {
			t.Errorf("%s = %s, %v; want %s", c.name, got, err, c.want)
		}
	}
	if n := s.pool.Config().MaxConns; n != 3 {
		t.Errorf("%d connections at most, want the 3 of the address", n)
	}
}

// TestContextEndsACall: a call that waits for a lock ends with its context, and changes nothing.
func TestContextEndsACall(t *testing.T) {
	s := openTest(t, pgtest.URL(t))
	if err := s.CreateTeam(t.Context(), account.Team{ID: "t", Name: "t"}); err != nil {
		t.Fatal(err)
	}
	p := part.Part{ID: "p", TeamID: "t", FileName: "a.step", Status: part.Pending}
	if err := s.CreatePart(t.Context(), p, part.CreateTerms{}); err != nil {
		t.Fatal(err)
	}
	err := s.Tx(t.Context(), sql.Never, func(ctx context.Context, tx sql.Querier) error {
		if _, err := tx.Exec(ctx, `SELECT 1 FROM parts FOR UPDATE`); err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		_, err := s.Enqueue(short, job.Job{ID: "j", TeamID: "t", PartID: "p"}, part.EnqueueOptions{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Enqueue = %v, want it to end with its context", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Job(t.Context(), "t", "j"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Job = %v; want that nothing was written", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.CreatePart(over, p, part.CreateTerms{}); !errors.Is(err, context.Canceled) {
		t.Errorf("CreatePart = %v, want context.Canceled", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("Ping = %v; want the store to go on", err)
	}
}

func TestClosedStoreIsDown(t *testing.T) {
	s, err := Open(t.Context(), Options{URL: pgtest.URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Ping(t.Context()) == nil {
		t.Error("Ping of a closed store succeeds")
	}
}

// TestCrashUnderLoad crashes the server under writers that repeat failed writes, and checks that reported writes are
// stored.
func TestCrashUnderLoad(t *testing.T) {
	server := pgtest.Start(t, pgtest.Options{})
	s := openTest(t, server.URL("postgres"))
	work, stop := context.WithCancel(t.Context())
	told := make([][]string, 4)
	news := make(chan struct{})
	var all sync.WaitGroup
	for i := range told {
		all.Go(func() {
			for n := 0; work.Err() == nil; n++ {
				id := fmt.Sprintf("%d-%d", i, n)
				if s.CreateTeam(t.Context(), account.Team{ID: id, Name: id}) == nil {
					told[i] = append(told[i], id)
					select {
					case news <- struct{}{}:
					case <-work.Done():
					}
				}
			}
		})
	}
	for _, mode := range []pgtest.Mode{pgtest.Immediate, pgtest.Kill} {
		for range 100 {
			<-news
		}
		if err := server.Stop(mode); err != nil {
			t.Fatal(err)
		}
		if err := server.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		<-news
	}
	stop()
	all.Wait()
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("Ping after two crashes = %v", err)
	}
	for _, ids := range told {
		for _, id := range ids {
			if team, err := s.TeamByName(t.Context(), id); err != nil || team.ID != id {
				t.Fatalf("team %s: %+v, %v; it was told to be stored", id, team, err)
			}
		}
	}
}
