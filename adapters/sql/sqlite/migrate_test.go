package sqlite

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pressly/goose/v3/database"

	"millwright/adapters/sql"
	"millwright/core/fault"
	"millwright/core/stage"
)

// TestFeaturesOfOldReports opens a database of the first version, whose features were in reports only.
func TestFeaturesOfOldReports(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	if err := sql.MigrateTo(t.Context(), database.DialectSQLite3, db, folder, 1); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO teams VALUES ('t', 'team', 0)`,
		`INSERT INTO parts VALUES
			('p', 't', 'a.step', 'step', 1, 'ready', '', '', '', '', 1, 'j', 'r', 'b', 'k', 0, 0)`,
		`INSERT INTO jobs VALUES
			(1, 'j', 't', 'p', 'part_processing', 'succeeded', 100, '', '', 'r', '["A gap was closed."]', 1, 1, '', 0, 0, 0, 0, 0)`,
		`INSERT INTO reports VALUES (1, 'r', 't', 'p', 'j', CAST('{"id":"r",
			"stl":{"bucket":"b","key":"s"},"glb":{"bucket":"","key":""},"exports":{"3mf":{"bucket":"b","key":"m"}},"analysis":{"warnings":["A gap was closed."],"features":[
			{"featureId":"f2","featureTag":"b","featureType":"Hole"},
			{"featureId":"f1","featureTag":"a","featureType":"Face"}]}}' AS BLOB), 0)`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, path)
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
	if r, err := s.Report(t.Context(), "t", "p", "j"); err != nil || r.ID != "r" || !slices.Equal(r.Analysis.Warnings, old) || len(r.Objects) != 2 ||
		r.Objects[stage.STL].Key != "s" || r.Objects[stage.ThreeMF].Key != "m" {
		t.Errorf("Report = %+v, %v", r, err)
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
