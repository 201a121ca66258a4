package pgtest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
)

var shared = sync.OnceValues(func() (*Server, error) { return New(context.Background(), Options{}) })

// URL returns the address of an empty database on the one server that the tests of a process share. The test is skipped
// if PostgreSQL is not installed.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared()
	need(t, err)
	name, err := s.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Drop(context.Background(), name); err != nil {
			t.Error(err)
		}
	})
	return s.URL(name)
}

// Start starts a server for one test alone, which may stop and start it.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := New(t.Context(), o)
	need(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Installed returns ErrAbsent if PostgreSQL is not installed.
func Installed() error {
	_, err := programs()
	return err
}

// Require skips the test if PostgreSQL is not installed.
func Require(t testing.TB) {
	t.Helper()
	need(t, Installed())
}

// Program is the path of a program that comes with the server, such as pg_dump.
func Program(t testing.TB, name string) string {
	t.Helper()
	folder, err := programs()
	need(t, err)
	return filepath.Join(folder, name)
}

func need(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, ErrAbsent) {
		t.Skip("NOT TESTED on PostgreSQL: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
