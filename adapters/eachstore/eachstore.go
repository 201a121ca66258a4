// Package eachstore lets the tests of a package run on every Store: on SQLite, and once more, in a second process, on
// PostgreSQL.
package eachstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"millwright/adapters/postgres"
	"millwright/adapters/postgres/pgtest"
	"millwright/adapters/sqlite"
	"millwright/core/service"
)

// choice is the environment variable that tells the second process.
const choice = "EACHSTORE_POSTGRES"

// Store is a store that a test may close.
type Store interface {
	service.Store
	Close() error
}

// Open opens an empty store, closed when the test ends.
func Open(t testing.TB) Store {
	t.Helper()
	var s Store
	var err error
	if os.Getenv(choice) != "" {
		s, err = postgres.Open(t.Context(), postgres.Options{URL: pgtest.URL(t)})
	} else {
		s, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // the test may have closed it
	return s
}

// OnPostgreSQL runs the tests of this binary that match a pattern (as go test -run takes it) in a second process,
// where Open opens PostgreSQL.
func OnPostgreSQL(t *testing.T, run string) {
	t.Helper()
	if os.Getenv(choice) != "" {
		t.Skip("this is the second process")
	}
	pgtest.Require(t)
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+run)
	if testing.Short() {
		again.Args = append(again.Args, "-test.short")
	}
	again.Env = append(os.Environ(), choice+"=1")
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("on PostgreSQL: %v\n%s", err, out)
	}
}
