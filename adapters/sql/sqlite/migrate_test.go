package sqlite

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pressly/goose/v3/database"

	"millwright.dev/millwright/adapters/sql"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
)

// atVersion makes a database as it was at a version, with some rows, and returns its path.
func atVersion(t *testing.T, version int64, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	if err := sql.MigrateTo(t.Context(), database.DialectSQLite3, db, folder, version); err != nil {
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
	return path
}

// TestFeaturesOfOldReports opens a database of the first version, whose features were in reports only.
func TestFeaturesOfOldReports(t *testing.T) {
	s := openTest(t, atVersion(t, 1,
		`INSERT INTO teams VALUES ('t', 'team', 0)`,
		`INSERT INTO parts VALUES
			('p', 't', 'a.step', 'step', 1, 'ready', '', '', '', '', 1, 'j', 'r', 'b', 'k', 0, 0)`,
		`INSERT INTO jobs VALUES
			(1, 'j', 't', 'p', 'part_processing', 'succeeded', 100, '', '', 'r', '["A gap was closed."]', 1, 1, '', 0, 0, 0, 0, 0)`,
		`INSERT INTO reports VALUES (1, 'r', 't', 'p', 'j', CAST('{"id":"r",
			"stl":{"bucket":"b","key":"s"},"glb":{"bucket":"","key":""},"exports":{"3mf":{"bucket":"b","key":"m"}},"analysis":{"warnings":["A gap was closed."],"features":[
			{"featureId":"f2","featureTag":"b","featureType":"Hole"},
			{"featureId":"f1","featureTag":"a","featureType":"Face"}]}}' AS BLOB), 0)`,
	))
	got, err := s.Features(t.Context(), "t", "r")
	if err != nil || len(got) != 2 || got[0].ID != "f2" || got[0].Tag != "b" || got[0].Type != "Hole" ||
		got[0].PartID != "p" || got[1].ID != "f1" || got[1].Datasheet != nil {
		t.Errorf("Features = %+v, %v; want f2 and f1 of the report", got, err)
	}
	job, err := s.Job(t.Context(), "t", "j")
	old := []fault.Warning{{Code: fault.Unspecified, Message: "A gap was closed."}}
	if err != nil || job.Input.FeatureDetails || job.Input.FeatureIDs != nil || !slices.Equal(job.Warnings, old) {
		t.Errorf("job = %+v, %v; want no input, warnings %v", job, err, old)
	}
	if p, err := s.Part(t.Context(), "t", "p"); err != nil || !slices.Equal(p.Warnings, old) {
		t.Errorf("part = %+v, %v; want warnings %v", p, err, old)
	}
	if r, err := s.Report(t.Context(), "t", "p", "j"); err != nil || r.ID != "r" ||
		!slices.Equal(r.Analysis.Warnings, old) || len(r.Objects) != 2 ||
		r.Objects[pipeline.STL].Key != "s" || r.Objects[pipeline.ThreeMF].Key != "m" {
		t.Errorf("Report = %+v, %v", r, err)
	}
}

// TestSnapshotsOfParts: before, each part had its own.
func TestSnapshotsOfParts(t *testing.T) {
	s := openTest(t, atVersion(t, 17,
		`INSERT INTO teams (id, name, created_at) VALUES ('t', 'team', 0), ('u', 'other', 0)`,
		`INSERT INTO parts (id, team_id, file_name, format, status, failure_code, failure_reason, project_id, current_program_id,
			auto_create_program, job_id, report_id, source_bucket, source_key, created_at, updated_at) VALUES
			('p', 't', 'a.step', 'step', 'ready', '', '', '', '', 1, 'j', 'r', 'b', 'k', 0, 0),
			('q', 't', 'a.step', 'step', 'ready', '', '', '', '', 1, 'j', 'r', 'b', 'k', 0, 0),
			('o', 'u', 'a.step', 'step', 'ready', '', '', '', '', 1, 'j', 'r', 'b', 'k', 0, 0)`,
		`INSERT INTO cuttings VALUES ('p', 'd', x'7b7d'), ('q', 'd', x'7b7d'), ('q', 'e', x'7b7d'), ('o', 'd', x'7b7d')`,
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

// TestTablesOfALaterRelease are left alone.
func TestTablesOfALaterRelease(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	const later = `INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000, 1)`
	if _, err := s.write.ExecContext(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !errors.Is(err, sql.ErrNewer) {
		t.Errorf("Open = %v, want ErrNewer", err)
	}
}
