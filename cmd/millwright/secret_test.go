package main

import (
	"strings"
	"testing"
)

// TestPasswordOnTheCommandLine is refused by every command that takes an address, which take turns, and never repeated.
func TestPasswordOnTheCommandLine(t *testing.T) {
	const secret = "s3cr3t"
	commands := [][]string{
		{"serve", "--listen", "127.0.0.1:0"}, {"worker"}, {"usage", "--team", "t", "--since", "2026-01-01"},
		{"job", "list", "--team", "t"}, {"key", "list", "--team", "t"},
	}
	for i, c := range []struct {
		name string
		flag []string
		want string // "": not refused for a password
	}{
		{"database", []string{"--database", "postgres://u:" + secret + "@127.0.0.1:1/d"}, "MILLWRIGHT_DATABASE"},
		{"in one word", []string{"--database=postgres://u:" + secret + "@127.0.0.1:1/d"}, "--database-file"},
		{"as a setting", []string{"--database", "postgres://u@127.0.0.1:1/d?password=" + secret}, "--database-file"},
		{"of a certificate", []string{"--database", "postgres://h/d?sslpassword=" + secret}, "--database-file"},
		{"unreadable", []string{"--database", "postgres://u:" + secret + "%zz@h/d"}, "--database-file"},
		{"objects", []string{"--objects", "s3://k:" + secret + "@bucket"}, "credentials come from the environment"},
		{"queue", []string{"--queue", "redis://:" + secret + "@127.0.0.1:1/0"}, "MILLWRIGHT_QUEUE"},
		{"user only", []string{"--database", "mysql://u@127.0.0.1:1/d"}, ""},
		{"no user", []string{"--database", "mysql://127.0.0.1:1/d?application_name=a@b:c@d"}, ""},
	} {
		command := commands[i%len(commands)]
		args := append(append(command, "--data", t.TempDir()), c.flag...)
		stdout, stderr, status := millwright(t, args...)
		refused := strings.Contains(stderr, "every user of this machine can read a password")
		switch {
		case status == 0 || stdout != "" || strings.Contains(stderr, secret):
			t.Errorf("%s: %s: status %d, %q %q; want a failure that hides the password",
				command[0], c.name, status, stdout, stderr)
		case c.name != "objects" && refused != (c.want != "") || !strings.Contains(stderr, c.want):
			t.Errorf("%s: %s: %q, want %q", command[0], c.name, stderr, c.want)
		}
	}
}

// TestPasswordInTheEnvironment checks that a password in the environment is accepted; an empty variable counts as not
// set.
func TestPasswordInTheEnvironment(t *testing.T) {
	t.Setenv("MILLWRIGHT_DATABASE_FILE", "")
	t.Setenv("MILLWRIGHT_QUEUE_FILE", "")
	t.Setenv("MILLWRIGHT_OBJECTS_CREDENTIALS_FILE", "")
	t.Setenv("MILLWRIGHT_DATABASE", "mysql://u:s3cr3t@127.0.0.1:1/d")
	_, stderr, status := millwright(t, "key", "list", "--team", "t", "--data", t.TempDir())
	if status != exitFailed || !strings.Contains(stderr, "must look like postgres://") {
		t.Errorf("status %d, %q; want the address to be looked at", status, stderr)
	}
	t.Setenv("MILLWRIGHT_DATABASE", "")
	_, stderr, _ = millwright(t, "key", "list", "--team", "t", "--data", t.TempDir())
	if !strings.Contains(stderr, "there are no records in") {
		t.Errorf("nothing is set: %q, want the file in the data folder to be asked", stderr)
	}
}
