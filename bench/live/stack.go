// Package live runs the program itself, as it is deployed, for tests and measurements from outside: it
// builds it, starts servers of it on a stack of infrastructure, and makes keys on the same records.
package live

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	objects "millwright/adapters/objects/local"
	"millwright/adapters/sqlite"
	"millwright/core/service"
	"millwright/core/service/servicetest"
)

// Stack is the infrastructure that servers run on.
type Stack struct {
	Name        string
	Flags       []string // of serve
	Environment []string
	Store       service.Store   // the same records, from outside the servers
	Objects     service.Objects // the same objects
	Database    *sql.DB         // the same tables, for faults that no Store makes
	Break       func() error    // takes the database away from the servers; nil where nothing can
	ending      []func() error
}

// Embedded is the stack of one machine in a folder: SQLite, a queue in the process, objects as files.
func Embedded(ctx context.Context, folder string) (*Stack, error) {
	path := filepath.Join(folder, "millwright.db")
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	s := &Stack{
		Name: "embedded", Flags: []string{"--data", folder}, Store: store, ending: []func() error{store.Close},
	}
	files, err := objects.Open(objects.Options{Dir: filepath.Join(folder, "objects"), BaseURL: "http://127.0.0.1"})
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

// KeyWish says which key is wanted.
type KeyWish struct {
	Team    string
	Access  *service.AccessGrid // nil: everything
	Origins []string
	Expired bool
	Revoked bool
}

// NewKey makes a key and returns its text.
func (s *Stack) NewKey(ctx context.Context, w KeyWish) (string, error) {
	made, err := s.MakeKey(ctx, w)
	return made.Text, err
}

// MakeKey makes a key.
func (s *Stack) MakeKey(ctx context.Context, w KeyWish) (service.CreatedKey, error) {
	ports := service.Ports{Store: s.Store, Objects: s.Objects}
	in := service.CreateKeyInput{Team: w.Team, Name: "live", Access: w.Access, AllowedOrigins: w.Origins}
	if w.Expired { // made long ago for a short time
		const age = time.Hour
		past := time.Now().Add(-2 * age)
		until := past.Add(age)
		ports.Clock, in.ExpiresAt = servicetest.NewClock(past), &until
	}
	svc, err := service.New(ports, service.Config{})
	if err != nil {
		return service.CreatedKey{}, err
	}
	made, err := svc.CreateKey(ctx, in)
	if err != nil {
		return service.CreatedKey{}, fmt.Errorf("make a key of %s: %w", w.Team, err)
	}
	if w.Revoked {
		_, err = svc.RevokeKey(ctx, made.Key.ID)
	}
	return made, err
}
