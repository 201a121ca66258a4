package main

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/object"
)

// keepSomething opens a data folder and keeps a key and an object in it. The folder is looked at before it is closed,
// while the log of the database is there.
func keepSomething(t *testing.T, data string, look func()) {
	t.Helper()
	b, err := openBackend(t.Context(), dataFlags{Data: data, MaxUpload: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if _, err = b.use.Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: "acme", Name: "test"}); err != nil {
		t.Fatal(err)
	}
	ref := object.Ref{Bucket: "millwright-sources", Key: "team/part/upload.step"}
	if err = b.objects.Put(t.Context(), ref, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	look()
}

// wantPrivate checks that only the owner has permissions on the contents of a folder, and that some names are there.
func wantPrivate(t *testing.T, data string, want ...string) {
	t.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(data, path) // it lies below
		seen[name] = true
		most := fs.FileMode(0o600)
		if d.IsDir() {
			most = 0o700
		}
		if mode := info.Mode().Perm(); mode != most && name != "." {
			t.Errorf("%s has mode %04o, want %04o", name, mode, most)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range want {
		if !seen[name] {
			t.Errorf("%s is not there: %v", name, seen)
		}
	}
}

var kept = []string{
	"millwright.db", "millwright.db-wal", "millwright.db-shm", "objects/secret",
	"objects/data/millwright-sources/team/part/upload.step",
}

// TestDataIsPrivate makes a data folder where files are open to all by default.
func TestDataIsPrivate(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	data := filepath.Join(t.TempDir(), "new", "var")
	keepSomething(t, data, func() { wantPrivate(t, data, kept...) })
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the data folder: %v, %v; want mode 0700", info.Mode(), err)
	}
}

// TestOldDataIsMadePrivate opens data that an earlier version left readable by all.
func TestOldDataIsMadePrivate(t *testing.T) {
	data := t.TempDir()
	keepSomething(t, data, func() {
		for _, path := range keptIn(data) {
			if info, err := os.Stat(path); err == nil {
				if err := os.Chmod(path, info.Mode().Perm()|0o044); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := os.Chmod(data, 0o755); err != nil {
			t.Fatal(err)
		}
		keepSomething(t, data, func() { wantPrivate(t, data, kept...) })
	})
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	warnOfOthers(log, data)
	if got := text.String(); !strings.Contains(got, "chmod o-rwx") || !strings.Contains(got, data) {
		t.Errorf("a data folder that all can read is logged as %q", got)
	}
	text.Reset()
	if err := os.Chmod(data, 0o770); err != nil {
		t.Fatal(err)
	}
	warnOfOthers(log, data)
	if text.Len() > 0 {
		t.Errorf("a data folder of a group is logged: %q", &text)
	}
}
