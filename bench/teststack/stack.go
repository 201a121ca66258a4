// Package teststack runs the program itself, as it is deployed, for tests and measurements from outside: it
// builds it, starts servers of it on a stack of infrastructure, and makes keys on the same records.
package teststack

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	objects "millwright.dev/millwright/adapters/objects/local"
	"millwright.dev/millwright/adapters/sql/sqlite"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record/recordtest"
)

// The stacks.
const (
	Single = "embedded"   // one machine: SQLite, a queue in the process, objects as files
	Many   = "production" // many machines: PostgreSQL, Redis, S3
)

// Stack is the infrastructure that servers run on.
type Stack struct {
	Name        string
	Flags       []string // of serve and worker
	Environment []string
	Folder      string       // for the logs of the servers
	Buckets     string       // folder with a folder for each bucket of objects
	Store       app.Store    // the same records, from outside the servers
	Objects     object.Store // the same objects
	Database    *sql.DB      // the same tables, for faults that no Store makes
	Servers     *Servers     // nil in the embedded stack
	ending      []func() error
}

// Open makes a stack by its name in a folder. The S3 server that the production stack needs is built where it is
// not there; what else is missing is said at once.
func Open(ctx context.Context, name, folder string) (*Stack, error) {
	switch name {
	case Single:
		return Embedded(ctx, folder)
	case Many:
		if err := prepare(ctx); err != nil {
			return nil, err
		}
		return Production(ctx, folder)
	}
	return nil, fmt.Errorf("there is no stack %q, only %s and %s", name, Single, Many)
}

// Embedded is the stack of one machine in a folder.
func Embedded(ctx context.Context, folder string) (*Stack, error) {
	path := filepath.Join(folder, "millwright.db")
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	s := &Stack{
		Name: Single, Flags: []string{"--data", folder}, Folder: folder, Store: store,
		ending: []func() error{store.Close},
	}
	dir := filepath.Join(folder, "objects")
	s.Buckets = filepath.Join(dir, "data")
	files, err := objects.Open(objects.Options{Dir: dir, BaseURL: "http://127.0.0.1"})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Objects, s.ending = files, append(s.ending, files.Close)
	if s.Database, err = sql.Open("sqlite", path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.ending = append(s.ending, s.Database.Close)
	return s, nil
}

// Close ends what the stack is made of; servers on it are stopped before.
func (s *Stack) Close() error {
	var errs []error
	for i := len(s.ending) - 1; i >= 0; i-- {
		errs = append(errs, s.ending[i]())
	}
	return errors.Join(errs...)
}

// KeyRequest says which key is wanted.
type KeyRequest struct {
	Team    string
	Access  *account.AccessGrid // nil: everything
	Origins []string
	Expired bool
	Revoked bool
}

// NewKey makes a key and returns its text.
func (s *Stack) NewKey(ctx context.Context, w KeyRequest) (string, error) {
	made, err := s.MakeKey(ctx, w)
	return made.Text, err
}

// MakeKey makes a key.
func (s *Stack) MakeKey(ctx context.Context, w KeyRequest) (account.CreatedKey, error) {
	ports := app.On(s.Store, s.Objects)
	in := account.CreateKeyInput{Team: w.Team, Name: "live", Access: w.Access, AllowedOrigins: w.Origins}
	if w.Expired { // made long ago for a short time
		const age = time.Hour
		past := time.Now().Add(-2 * age)
		until := past.Add(age)
		ports.Clock, in.ExpiresAt = recordtest.NewClock(past), &until
	}
	use, err := app.New(ports, app.Config{})
	if err != nil {
		return account.CreatedKey{}, err
	}
	made, err := use.Accounts.CreateKey(ctx, in)
	if err != nil {
		return account.CreatedKey{}, fmt.Errorf("make a key of %s: %w", w.Team, err)
	}
	if w.Revoked {
		_, err = use.Accounts.RevokeKey(ctx, made.Key.ID)
	}
	return made, err
}
