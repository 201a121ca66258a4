package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
)

// The test binary is run again as a process that writes parts until it is killed.
const writerVar = "SQLITE_TEST_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVar); path != "" {
		err := writeForever(path)
		fmt.Fprintln(os.Stderr, "the writer was not killed:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

var epoch = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

// writeForever adds parts with a job each and prints the job's id once it is committed.
func writeForever(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	team := account.Team{ID: "team", Name: "team", CreatedAt: epoch}
	if err := s.CreateTeam(ctx, team); err != nil {
		return err
	}
	for {
		p := part.Part{
			ID: uuid.NewString(), TeamID: team.ID, FileName: "a.step", Status: part.Pending,
		}
		if err := s.CreatePart(ctx, p, part.CreateTerms{}); err != nil {
			return err
		}
		job := job.Job{
			ID: uuid.NewString(), TeamID: team.ID, PartID: p.ID, Product: job.PartProcessing,
			DueAt: epoch, CreatedAt: epoch,
		}
		if _, err := s.Enqueue(ctx, job, part.EnqueueOptions{SourceSize: 1, OnlyIfPending: true}); err != nil {
			return err
		}
		fmt.Println(job.ID)
	}
}

// TestKilledProcessLosesNothingItReported kills a writing process and looks for all it said was stored.
func TestKilledProcessLosesNothingItReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	writer := exec.Command(self)
	writer.Env = append(os.Environ(), writerVar+"="+path)
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	var reported []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		reported = append(reported, lines.Text())
		if len(reported) == 50 {
			if err := writer.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = writer.Wait() // it was killed
	if len(reported) < 50 {
		t.Fatalf("the writer reported only %d jobs", len(reported))
	}
	s := openTest(t, path)
	for _, id := range reported {
		job, err := s.Job(t.Context(), "team", id)
		if err != nil {
			t.Errorf("job %s: %v; it was reported as stored", id, err)
			continue
		}
		if p, err := s.Part(t.Context(), "team", job.PartID); err != nil || p.Status != part.Processing {
			t.Errorf("part of job %s = %+v, %v", id, p, err)
		}
	}
	var n int
	err = s.read.QueryRowContext(t.Context(), `SELECT count(*) FROM jobs
		WHERE part_id NOT IN (SELECT id FROM parts WHERE status = 'processing')`).Scan(&n)
	if err != nil || n != 0 {
		t.Errorf("%d jobs are half stored (%v)", n, err)
	}
	var check string
	err = s.read.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&check)
	if err != nil || check != "ok" {
		t.Errorf("integrity check: %s, %v", check, err)
	}
}

func TestOpenedByManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Errorf("Open = %v", err)
				return
			}
			for n := range 10 { // each has its own writer; they wait for each other
				name := fmt.Sprint(i, " ", n)
				if err := s.CreateTeam(t.Context(), account.Team{ID: name, Name: name}); err != nil {
					t.Errorf("CreateTeam = %v", err)
				}
			}
			if err := s.Close(); err != nil {
				t.Errorf("Close = %v", err)
			}
		})
	}
	all.Wait()
	s := openTest(t, path)
	for i := range 4 {
		for n := range 10 {
			if _, err := s.TeamByName(t.Context(), fmt.Sprint(i, " ", n)); err != nil {
				t.Errorf("team %d %d: %v", i, n, err)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), "test.db"))
	for _, c := range []struct {
		pragma string
		want   string
	}{
		{"journal_mode", "wal"}, {"synchronous", "2"}, {"foreign_keys", "1"}, {"busy_timeout", "10000"},
	} {
		var write, read string
		err := s.write.QueryRowContext(t.Context(), `PRAGMA `+c.pragma).Scan(&write)
		if err == nil {
			err = s.read.QueryRowContext(t.Context(), `PRAGMA `+c.pragma).Scan(&read)
		}
		if err != nil || write != c.want || read != c.want {
			t.Errorf("%s = %s for the writer, %s for readers, %v; want %s", c.pragma, write, read, err, c.want)
		}
	}
	if _, err := s.read.ExecContext(t.Context(), `DELETE FROM jobs`); err == nil {
		t.Error("a reader may write")
	}
}

func TestClosedStoreIsDown(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Ping(t.Context()) == nil {
		t.Error("Ping of a closed store succeeds")
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "no", "such", "folder.db")); err == nil {
		t.Error("Open in a folder that does not exist succeeds")
	}
}
