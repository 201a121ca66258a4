package main

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
)

// onEachStore runs a test with the records in a file and in a PostgreSQL database. The environment gives the database
// to all commands that the test starts. Short mode uses only the file.
func onEachStore(t *testing.T, test func(t *testing.T)) {
	t.Run("sqlite", test)
	if testing.Short() {
		return
	}
	t.Run("postgres", func(t *testing.T) {
		t.Setenv("MILLWRIGHT_DATABASE", pgtest.URL(t))
		test(t)
	})
}

func TestDatabaseThatCannotBeOpened(t *testing.T) {
	whole(t)
	const secret = "s3cr3t/with@odd:signs"
	server := pgtest.Start(t, pgtest.Options{TCP: true})
	good, err := url.Parse(server.TCP("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := func(change func(u *url.URL)) string {
		u := *good
		u.User = url.UserPassword(pgtest.User, secret)
		change(&u)
		return u.String()
	}
	absent := filepath.Join(t.TempDir(), "absent")
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, address, file, want string }{
		{"another password", wrong(func(*url.URL) {}), "", "user or password is wrong"},
		{"no such database", server.TCP("nowhere"), "", "there is no such database; create it first"},
		{"no TLS", wrong(func(u *url.URL) { u.RawQuery = "sslmode=require" }), "", "TLS"},
		{"another scheme", "mysql://u:" + url.QueryEscape(secret) + "@h/d", "", "must look like postgres://"},
		{"unreadable", "postgres://u:" + secret + "%zz@h:port/d?sslmode=maybe", "", "cannot be read"},
		{"both", "a", empty, "give one of them"},
		{"no file", "", absent, "no such file"},
		{"empty file", "", empty, "is empty"},
	} {
		t.Setenv("MILLWRIGHT_DATABASE", c.address)
		t.Setenv("MILLWRIGHT_DATABASE_FILE", c.file)
		stdout, stderr, status := millwright(t, "key", "list", "--team", "t", "--data", t.TempDir())
		if status != exitFailed || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q; want one line with %q", c.name, status, stderr, c.want)
		}
		password, _ := good.User.Password()
		for _, form := range []string{secret, url.QueryEscape(secret), "s3cr3t", password} {
			if strings.Contains(stderr, form) {
				t.Errorf("%s: the sentence holds the password: %s", c.name, stderr)
			}
		}
	}
}

// TestAddressInAFile gives the address in a file, which keeps the password off the command line and away from child
// processes, and checks that the log does not contain it.
func TestAddressInAFile(t *testing.T) {
	whole(t)
	server := pgtest.Start(t, pgtest.Options{TCP: true})
	address, err := url.Parse(server.TCP("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := address.User.Password()
	file, data := filepath.Join(t.TempDir(), "database"), t.TempDir()
	if err := os.WriteFile(file, []byte(address.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MILLWRIGHT_DATABASE_FILE", file)
	p := serve(t, data)
	c := p.client(newKey(t, data))
	first := submit(t, c, exampleName, examplePart)
	await(t, c, first, "ready")
	if _, err := os.Stat(filepath.Join(data, "millwright.db")); !os.IsNotExist(err) {
		t.Errorf("there is a file of records beside the database: %v", err)
	}

	if err := server.Stop(pgtest.Immediate); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := c.call(ctx, "GET", "/parts/"+first, nil, nil); err == nil {
		t.Error("a part is read without a database")
	}
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := submit(t, c, exampleName, examplePart)
	await(t, c, second, "ready")
	p.kill()
	if log := p.log.String(); strings.Contains(log, password) || !strings.Contains(log, "ERROR") {
		t.Errorf("want a log with errors and without the password %s:\n%s", password, log)
	}
}

// TestDatabaseCrashesWhileItWorks crashes the database several times under a service with many parts.
func TestDatabaseCrashesWhileItWorks(t *testing.T) {
	parts := 12
	if testing.Short() {
		parts = 4
	}
	server := pgtest.Start(t, pgtest.Options{})
	t.Setenv("MILLWRIGHT_DATABASE", server.URL("postgres"))
	data := t.TempDir()
	p := serve(t, data, "--lease", "2s", "--workers", "2")
	c := p.client(newKey(t, data))
	ids := make([]string, parts)
	for i := range ids {
		ids[i] = submit(t, c, exampleName, examplePart)
	}
	for _, mode := range []pgtest.Mode{pgtest.Immediate, pgtest.Kill, pgtest.Fast} {
		if err := server.Stop(mode); err != nil {
			t.Fatal(err)
		}
		if err := server.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range ids {
		oneResult(t, c, id)
	}
}
