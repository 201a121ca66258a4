package sqlite

import (
	"errors"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/internal/storetest"
)

func openTest(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		return openTest(t, filepath.Join(t.TempDir(), "odd name %3f?#.db"))
	})
}

// TestLockedFile locks the file in another process, such as a backup, for longer than writers wait.
func TestLockedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s, other := openTest(t, path), openTest(t, path)
	if _, err := s.write.ExecContext(t.Context(), `PRAGMA busy_timeout = 0`); err != nil {
		t.Fatal(err)
	}
	lock, err := other.write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := part.Part{ID: "p", TeamID: "t", Status: part.Pending}
	writes := map[string]func() error{
		"a statement":    func() error { return s.CreateTeam(t.Context(), account.Team{ID: "t", Name: "t"}) },
		"a transaction":  func() error { return s.CreatePart(t.Context(), p, part.CreateTerms{}) },
		"one that reads": func() error { _, err := s.RevokeKey(t.Context(), "k", epoch); return err },
	}
	for name, write := range writes {
		if err := write(); !errors.Is(err, record.ErrUnavailable) {
			t.Errorf("%s: %v, want ErrUnavailable", name, err)
		}
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("reading a file that is locked for writers: %v", err)
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := writes["a statement"](); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
