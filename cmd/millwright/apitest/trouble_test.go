package apitest_test

import (
	"net/http"
	"sync"
	"testing"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/bench/teststack"
)

// trouble breaks the infrastructure of a separate server, and calls every operation: a database that lost a table is an
// unexpected error, and a missing one is unavailable.
func (w *world) trouble(t *testing.T, binary string, open func(t *testing.T) *teststack.Stack) {
	t.Run("trouble", func(t *testing.T) {
		broken := newWorld(t, binary, open(t))
		broken.seen = w.seen
		_, err := broken.stack.Database.ExecContext(t.Context(), "ALTER TABLE keys RENAME TO keys_gone")
		if err != nil {
			t.Fatal(err)
		}
		broken.everything(t, http.StatusInternalServerError, "internal_error")
		if broken.stack.Servers == nil {
			return
		}
		if err := broken.stack.Servers.Postgres.Stop(pgtest.Immediate); err != nil {
			t.Fatal(err)
		}
		broken.everything(t, http.StatusServiceUnavailable, "unavailable")
	})
}

// everything wants every operation that needs the database to answer with the same error.
func (w *world) everything(t *testing.T, status int, code string) {
	var asking sync.WaitGroup
	for _, op := range w.with.Operations() {
		a, possible := op.Answers[status]
		if !possible {
			continue
		}
		code := code
		if len(a.Codes) == 0 { // health has a different error format
			code = ""
		}
		asking.Go(func() { w.want(t, w.as(full, to(op, unknown)), status, code) })
	}
	asking.Wait()
}
