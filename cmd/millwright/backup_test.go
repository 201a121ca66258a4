package main

import (
	"database/sql"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
)

// These tests follow the instructions for operators in deploy/README.md.

// backup is a method to save the records of a data folder and to restore them.
type backup struct {
	take    func(t *testing.T) // while the service runs
	restore func(t *testing.T) // while it does not
}

func TestBackupOfSQLite(t *testing.T) {
	data := t.TempDir()
	records, copied := filepath.Join(data, "millwright.db"), filepath.Join(t.TempDir(), "backup.db")
	backUpAndRestore(t, data, backup{
		take: func(t *testing.T) {
			db, err := sql.Open("sqlite", records)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.ExecContext(t.Context(), "VACUUM INTO '"+copied+"'")
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		},
		restore: func(t *testing.T) {
			for _, name := range []string{records + "-wal", records + "-shm"} {
				if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			if err := os.Rename(copied, records); err != nil {
				t.Fatal(err)
			}
		},
	})
}

func TestBackupOfPostgreSQL(t *testing.T) {
	dump, restore := pgtest.Program(t, "pg_dump"), pgtest.Program(t, "pg_restore")
	server := pgtest.Start(t, pgtest.Options{})
	database := func() string {
		name, err := server.Database(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return server.URL(name)
	}
	file, first := filepath.Join(t.TempDir(), "backup"), database()
	t.Setenv("MILLWRIGHT_DATABASE", first)
	backUpAndRestore(t, t.TempDir(), backup{
		take: func(t *testing.T) { run(t, dump, "-Fc", "--file", file, first) },
		restore: func(t *testing.T) {
			second := database()
			run(t, restore, "--exit-on-error", "--dbname", second, file)
			t.Setenv("MILLWRIGHT_DATABASE", second)
		},
	})
}

func run(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// backUpAndRestore backs up the records of a service during its jobs, and then the objects. It lets the service
// continue and then restores everything. Work accepted before the backup has to end well on the restored data.
func backUpAndRestore(t *testing.T, data string, b backup) {
	const parts = 8
	objects, kept := filepath.Join(data, "objects"), filepath.Join(t.TempDir(), "objects")
	p := serve(t, data, "--workers", "0")
	key := newKey(t, data)
	before := make([]string, parts)
	for i := range before {
		before[i] = submit(t, p.client(key), exampleName, examplePart)
	}
	worker := start(t, "worker", "--data", data, "--workers", "2", "--lease", "2s")
	await(t, p.client(key), before[0], "ready")
	b.take(t)
	copyObjects(t, objects, kept)

	later := submit(t, p.client(key), exampleName, examplePart)
	for _, id := range append(before, later) {
		oneResult(t, p.client(key), id) // the backup did not disturb the service
	}
	worker.kill()
	p.kill()
	b.restore(t)
	if err := errors.Join(os.RemoveAll(objects), os.Rename(kept, objects)); err != nil {
		t.Fatal(err)
	}

	p = serve(t, data, "--lease", "2s")
	c := p.client(key)
	if _, err := c.call(t.Context(), http.MethodGet, "/parts/"+later, nil, nil); err == nil ||
		!strings.Contains(err.Error(), "404") {
		t.Errorf("a part made after the backup: %v, want 404", err)
	}
	for _, id := range append(before, submit(t, c, exampleName, examplePart)) {
		oneResult(t, c, id)
		everyObject(t, c, id)
	}
	if _, err := c.call(t.Context(), http.MethodPatch, "/parts/"+before[0], nil, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the file of a part is read again", func() bool {
		list := get[jobs](t, c, "/v1/jobs?partId="+before[0])
		return list.Total == 2 && list.Items[0].Status == "succeeded" && list.Items[1].Status == "succeeded"
	})
}

// copyObjects copies as operators do. Files that are being written have names of their own until they are whole, so
// that one or the other may be gone when it is its turn.
func copyObjects(t *testing.T, from, to string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "cp", "-a", from, to).CombinedOutput()
	if err == nil {
		return
	}
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "No such file or directory") {
			t.Fatalf("copy the objects: %v: %s", err, line)
		}
	}
}

// everyObject downloads all that the result of a part names.
func everyObject(t *testing.T, c *exampleClient, part string) {
	t.Helper()
	result := get[struct{ MeshStlURL, ThumbnailURL string }](t, c, "/v1/parts/"+part)
	for _, address := range []string{result.MeshStlURL, result.ThumbnailURL} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != http.StatusOK || res.ContentLength < 100 {
			t.Errorf("%s: %s, %d bytes", address, res.Status, res.ContentLength)
		}
	}
}
