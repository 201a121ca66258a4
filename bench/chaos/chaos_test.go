package chaos

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright/adapters/objects/s3/s3test"
	"millwright/adapters/queue/redis/redistest"
	"millwright/adapters/sql/postgres/pgtest"
	"millwright/bench/live"
)

// TestEveryJobEndsOnceOnRealProcesses is a small run; `go run ./bench chaos` makes large ones.
func TestEveryJobEndsOnceOnRealProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	program, err := live.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stack string
		jobs  int
		every time.Duration
	}{{live.Single, 50, 2 * time.Second}, {live.Many, 100, time.Second}} {
		t.Run(c.stack, func(t *testing.T) {
			if c.stack == live.Many {
				pgtest.Require(t)
				redistest.Require(t)
				s3test.Require(t)
			}
			log := &strings.Builder{}
			r, err := Run(t.Context(), Config{
				Program: program, File: "../../adapters/cad/step/testdata/cone_truncated.step", Dir: t.TempDir(),
				Stack: c.stack, Jobs: c.jobs, Workers: 3, Seed: 20261121, Every: c.every, Rounds: 1,
				Limit: 8 * time.Minute, Log: log,
			})
			if err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			table := &strings.Builder{}
			if err := r.Print(table); err != nil {
				t.Fatal(err)
			}
			t.Logf("\n%s", table)
			if !r.Audit.Clean() || r.Audit.Accepted != c.jobs {
				t.Error("not every job ended exactly once")
			}
			for _, f := range r.Faults {
				if f.Count == 0 {
					t.Errorf("%s never struck", f.Fault)
				}
			}
		})
	}
}

// TestAuditFindsWhatIsWrong runs nothing: an audit that cannot fail proves nothing.
func TestAuditFindsWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	s := &stack{Stack: &live.Stack{Buckets: dir}}
	for _, name := range []string{
		"results/teams/t/parts/p/jobs/j/1/mesh.stl", "results/teams/t/parts/p/jobs/j/2/mesh.stl",
		"sources/teams/t/parts/p/source.step", "sources/teams/t/parts/p/upload.step",
		"sources/.own/jobs/x",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var a Audit
	if err := s.auditObjects(&a, map[string]bool{"teams/t/parts/p/jobs/j/1/mesh.stl": true}); err != nil {
		t.Fatal(err)
	}
	if a.Orphans != 1 || a.Leftovers != 1 || a.Clean() || len(a.Examples) != 2 {
		t.Errorf("audit = %+v, want one orphan and one upload", a)
	}
	for name, bad := range map[string]Audit{
		"lost": {Lost: 1}, "stuck": {Stuck: 1}, "duplicate": {Duplicate: 1}, "broken": {Broken: 1},
		"orphans": {Orphans: 1}, "leftovers": {Leftovers: 1},
	} {
		if bad.Clean() {
			t.Errorf("%s: is clean", name)
		}
	}
	if ok := (&Audit{Accepted: 2, Jobs: 2, Succeeded: 1, Failed: map[string]int{"timed_out": 1}}); !ok.Clean() {
		t.Error("jobs that succeeded or failed with a reason are not clean")
	}
}

func TestUnknownStack(t *testing.T) {
	if _, err := Run(t.Context(), Config{Stack: "other", Limit: time.Minute, Dir: t.TempDir()}); err == nil {
		t.Error("an unknown stack runs")
	}
}
