// Package storematrix lets the tests of a package run on every Store: on SQLite, and once more, in a second process, on
// PostgreSQL.
package storematrix

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/adapters/sql/postgres"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/adapters/sql/sqlite"
	"millwright.dev/millwright/internal/storetest"
)

// choice is the environment variable that marks the second process.
const choice = "EACHSTORE_POSTGRES"

// Store is a store that a test may close.
type Store interface {
	storetest.Store
	Close() error
}

// Open opens an empty store, closed when the test ends.
func Open(t testing.TB) Store {
	t.Helper()
	return OpenSeveral(t, 1)[0]
}

// OpenSeveral opens stores on one database that is empty, as several processes do.
func OpenSeveral(t testing.TB, n int) []Store {
	t.Helper()
	address, open := filepath.Join(t.TempDir(), "test.db"), openSQLite
	if IsPostgreSQL() {
		address, open = pgtest.URL(t), openPostgreSQL
	}
	stores := make([]Store, n)
	for i := range stores {
		s, err := open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // the test may have closed it
		stores[i] = s
	}
	return stores
}

func openSQLite(ctx context.Context, path string) (Store, error) { return sqlite.Open(ctx, path) }

func openPostgreSQL(ctx context.Context, url string) (Store, error) {
	return postgres.Open(ctx, postgres.Options{URL: url})
}

// IsPostgreSQL reports whether the tests of this process run on PostgreSQL.
func IsPostgreSQL() bool { return os.Getenv(choice) != "" }

// OnPostgreSQL runs the tests of this binary that match a pattern (as go test -run takes it) in a second process,
// where Open opens PostgreSQL.
func OnPostgreSQL(t *testing.T, run string) {
	t.Helper()
	if IsPostgreSQL() {
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
