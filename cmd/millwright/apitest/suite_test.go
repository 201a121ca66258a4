// Package apitest_test checks a running server against the interface description that it serves: every operation, its
// success and every error in its description, on every stack. An operation or an error without a case fails the suite.
//
// Cases that follow from the description alone are in generic_test.go. flow_test.go and the other files contain cases
// that need a sequence of requests; trouble_test.go breaks the server's infrastructure.
package apitest_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/bench/teststack"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
)

var program = sync.OnceValues(func() (string, error) {
	return teststack.Build(context.Background(), folder)
})

var (
	folder string // of the built program
	plate  []byte // a part with holes
	hole   []byte // a block with one, which is programmed in no time
)

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "millwright-contract-"); err != nil {
		panic(err)
	}
	for name, file := range map[string]*[]byte{"plate_holes": &plate, "through_hole": &hole} {
		if *file, err = os.ReadFile("../../../adapters/cad/step/testdata/" + name + ".step"); err != nil {
			panic(err)
		}
	}
	status := m.Run()
	_ = os.RemoveAll(folder) // a leftover in the temporary folder does no harm
	os.Exit(status)
}

// stacks are the infrastructures on which the contract must be met.
var stacks = []struct {
	name string
	open func(t *testing.T) *teststack.Stack
}{
	{name: "embedded", open: func(t *testing.T) *teststack.Stack {
		s, err := teststack.Embedded(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}},
	{name: "production", open: func(t *testing.T) *teststack.Stack {
		s, err := teststack.Production(t.Context(), t.TempDir())
		if errors.Is(err, pgtest.ErrAbsent) || errors.Is(err, exec.ErrNotFound) {
			t.Skip("NOT TESTED on PostgreSQL, Redis and S3: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}},
}

func TestContract(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT TESTED in short mode: the contract on a running server")
	}
	binary, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, stack := range stacks {
		t.Run(stack.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, binary, stack.open(t))
			w.generic(t)
			w.stories(t)
			w.pressure(t, binary)
			w.trouble(t, binary, stack.open)
			w.complete(t)
		})
	}
}

// complete wants every described answer to have been seen.
func (w *world) complete(t *testing.T) {
	if t.Failed() {
		return // missing cases follow from the failure
	}
	var missing []string
	for _, op := range w.with.Operations() {
		for status, a := range op.Answers {
			codes := a.Codes
			if len(codes) == 0 || len(a.Media) > 1 {
				codes = append(codes, "")
			}
			for _, code := range codes {
				if status == http.StatusServiceUnavailable && w.stack.Servers == nil {
					continue // nothing can be taken away from this stack
				}
				if one := (answer{op.ID, status, code}); !w.seen[one] {
					missing = append(missing, one.String())
				}
			}
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("%d described answers have no case:\n  %s", len(missing), strings.Join(missing, "\n  "))
	}
	t.Logf("%d answers of %d operations were seen and are as described", len(w.seen), len(w.with.Operations()))
}

// world is a server with the records that cases need.
type world struct {
	*client
	stack  *teststack.Stack
	server *teststack.Server
	keys   map[string]string // by name of their role
	holder account.Key       // the record of the full key
}

// Keys of a world. All but rival are of team acme.
const (
	full    = "full"
	rival   = "rival"
	revoked = "revoked"
	expired = "expired"
	reader  = "reader"  // reads in every area
	onlyRun = "onlyRun" // writes in core, nothing else
)

func newWorld(t *testing.T, binary string, stack *teststack.Stack) *world {
	t.Helper()
	t.Cleanup(func() {
		if err := stack.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{stack: stack, keys: map[string]string{}}
	w.serve(t, binary)
	r := account.LevelRead
	for name, wish := range map[string]teststack.KeyRequest{
		full: {Team: "acme"}, rival: {Team: "rival"},
		revoked: {Team: "acme", Revoked: true}, expired: {Team: "acme", Expired: true},
		reader:  {Team: "acme", Access: &account.AccessGrid{Core: r, DFM: r, Quoting: r}},
		onlyRun: {Team: "acme", Access: &account.AccessGrid{Core: account.LevelWrite}},
	} {
		made, err := stack.MakeKey(t.Context(), wish)
		if err != nil {
			t.Fatal(err)
		}
		w.keys[name] = made.Text
		if name == full {
			w.holder = made.Key
		}
	}
	return w
}

// serve starts a server on the stack and sends further requests to it.
func (w *world) serve(t *testing.T, binary string, args ...string) {
	t.Helper()
	server, err := w.stack.Serve(t.Context(), binary, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's log ends:\n%s", server.Output())
		}
		server.Stop()
	})
	before := w.client
	w.server, w.client = server, newClient(t, server.Base)
	if before != nil {
		w.seen = before.seen
	}
}

// newTeam creates a full key of a new team, whose budgets are unused.
func (w *world) newTeam(t *testing.T) string {
	t.Helper()
	key, err := w.stack.NewKey(t.Context(), teststack.KeyRequest{Team: record.NewID()})
	if err != nil {
		t.Fatal(err)
	}
	return key
}
