package sqlite

import (
	"path/filepath"
	"testing"

	"millwright/core/service/storetest"
)

func TestVersionTellsOfAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	storetest.Versions(t, openTest(t, path), openTest(t, path))
}

// A connection may break; the next one counts from anywhere.
func TestVersionAfterItsConnectionBroke(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	before, err := s.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.versions.conn.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Version(t.Context()); err == nil {
		t.Errorf("version %q through a closed connection", v)
	}
	if after, err := s.Version(t.Context()); err != nil || after == before {
		t.Errorf("version %q, then %q, %v; want another", before, after, err)
	}
}
