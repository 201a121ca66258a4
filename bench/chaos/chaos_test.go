package chaos

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/objects/s3/s3test"
	"millwright.dev/millwright/adapters/queue/redis/redistest"
	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/bench/teststack"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

// smallPart is a block with a hole, which is programmed in a quarter of a second.
const smallPart = "../../adapters/cad/step/testdata/through_hole.step"

// TestEveryJobEndsOnceOnRealProcesses is a small run; `go run ./bench chaos` makes large ones.
func TestEveryJobEndsOnceOnRealProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	binary := built(t)
	for _, c := range []struct {
		stack string
		jobs  int
		every time.Duration
	}{{teststack.Single, 50, 2 * time.Second}, {teststack.Many, 100, time.Second}} {
		t.Run(c.stack, func(t *testing.T) {
			requires(t, c.stack)
			log := &strings.Builder{}
			r, err := Run(t.Context(), Config{
				Program: binary, File: smallPart, Dir: t.TempDir(),
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
			if r.Audit.Programs["ready"] == 0 || r.Audit.Gcode < r.Audit.Programs["ready"] {
				t.Error("no program was made, or not all g-code of them was read")
			}
			for _, f := range r.Faults {
				if f.Count == 0 {
					t.Errorf("%s never struck", f.Fault)
				}
			}
		})
	}
}

func built(t *testing.T) string {
	t.Helper()
	binary, err := teststack.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// requires skips where the servers of a stack are not installed.
func requires(t *testing.T, stack string) {
	t.Helper()
	if stack == teststack.Many {
		pgtest.Require(t)
		redistest.Require(t)
		s3test.Require(t)
	}
}

// TestProgramOutlivesTheDeathOfEveryProcess kills all processes at once while a program is asked for, waits or is made,
// and starts them again: each program is there once, and ends well.
func TestProgramOutlivesTheDeathOfEveryProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	binary := built(t)
	for _, name := range []string{teststack.Single, teststack.Many} {
		t.Run(name, func(t *testing.T) {
			requires(t, name)
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
			defer cancel()
			s, err := start(ctx, Config{Program: binary, Dir: t.TempDir(), Stack: name, Workers: 2, Log: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.close)
			u := s.readyUpload(ctx, t)
			const least, most = 8, 128 // deaths
			wasHit := func() bool {
				jobs, err := s.allJobs(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for _, j := range jobs {
					if j.Attempt > 1 {
						return true
					}
				}
				return false
			}
			deaths := 0
			for ; deaths < least || deaths < most && !wasHit(); deaths++ {
				i, name := deaths%least, fmt.Sprint("program", deaths)
				s.await(ctx, t, func() (bool, error) { return true, s.answers(ctx) })
				asked := make(chan error, 1)
				go func() { asked <- u.program(ctx, name) }()
				switch {
				case deaths >= least: // it is made faster than anybody looks
					pause(ctx, time.Duration(deaths)*time.Millisecond/4)
				case i%2 == 1: // while it is made, else while it is asked for
					s.awaitRunning(ctx, t, asked)
					fallthrough
				default:
					pause(ctx, time.Duration(i)*10*time.Millisecond)
				}
				for _, p := range s.processes() {
					p.Kill()
				}
				for _, p := range s.processes() {
					if err := p.Start(ctx); err != nil {
						t.Fatal(err)
					}
				}
				if err := <-asked; err != nil {
					t.Fatal(err)
				}
				s.awaitEnd(ctx, t)
			}
			s.settle(ctx)
			a, err := s.audit(ctx, u.submission)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", a)
			if a.Repeated == 0 {
				t.Error("no program was being made when the processes died")
			}
			if want := 2 + 1 + deaths; !a.Clean() || a.Accepted != want || a.Jobs != want || a.Programs["ready"] != 1+deaths {
				t.Errorf("audit = %+v, want %d jobs and %d programs", a, want, 1+deaths)
			}
		})
	}
}

// readyUpload is a part that is ready, with its program.
func (s *stack) readyUpload(ctx context.Context, t *testing.T) *upload {
	t.Helper()
	file, err := os.ReadFile(smallPart)
	if err != nil {
		t.Fatal(err)
	}
	u := &upload{stack: s, submission: newSubmission(), file: file}
	if err := u.send(ctx); err != nil {
		t.Fatal(err)
	}
	first, err := u.ready(ctx)
	if err == nil {
		err = u.programmed(ctx, first)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.awaitEnd(ctx, t)
	return u
}

// awaitEnd waits until no job waits or runs.
func (s *stack) awaitEnd(ctx context.Context, t *testing.T) {
	t.Helper()
	s.await(ctx, t, func() (bool, error) { n, err := s.unfinished(ctx); return n == 0, err })
}

// awaitRunning waits until a job runs, or has been asked for and ended before anybody looked.
func (s *stack) awaitRunning(ctx context.Context, t *testing.T, asked <-chan error) {
	t.Helper()
	s.await(ctx, t, func() (bool, error) {
		isAsked := len(asked) > 0
		if n, err := s.count(ctx, job.Running); n > 0 || err != nil || !isAsked {
			return n > 0, err
		}
		n, err := s.unfinished(ctx)
		return n == 0, err
	})
}

// await asks until the answer is yes.
func (s *stack) await(ctx context.Context, t *testing.T, ask func() (bool, error)) {
	t.Helper()
	for {
		yes, err := ask()
		if err == nil && yes {
			return
		}
		if !pause(ctx, 10*time.Millisecond) {
			t.Fatalf("it does not come to it: %v", err)
		}
	}
}

// TestAuditFindsWhatIsWrong runs nothing: an audit that cannot fail proves nothing.
func TestAuditFindsWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	s := &stack{Stack: &teststack.Stack{Buckets: dir}}
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

// TestAuditFindsPrograms has a program that nobody works on, and clients that were told of it, of another, or of none.
func TestAuditFindsPrograms(t *testing.T) {
	on, err := teststack.Embedded(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = on.Close() })
	key, err := on.MakeKey(t.Context(), teststack.KeyRequest{Team: "chaos"})
	if err != nil {
		t.Fatal(err)
	}
	use, err := app.New(app.On(on.Store, on.Objects), app.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := part.Part{ID: record.NewID(), TeamID: key.Key.TeamID, FileName: "a.step", Status: part.Ready}
	if err := on.Store.CreatePart(t.Context(), p, part.CreateTerms{}); err != nil {
		t.Fatal(err)
	}
	who := account.Caller{TeamID: p.TeamID, KeyID: key.Key.ID, UserID: key.Key.CreatorID}
	made, err := use.Programs.Create(t.Context(), who, program.CreateInput{PartID: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	s := &stack{Stack: on, team: p.TeamID}
	for _, c := range []struct {
		name            string
		programs, plans []string
		want            Audit
	}{
		{"nobody asked for it", nil, nil, Audit{Stuck: 1, Duplicate: 1}},
		{"it is not the current one", []string{made.ID}, nil, Audit{Stuck: 1, Duplicate: 1}},
		{"another is lost", []string{made.ID, record.NewID()}, nil, Audit{Stuck: 1, Duplicate: 1, Lost: 1}},
		{"a plan is lost", []string{made.ID}, []string{record.NewID()}, Audit{Stuck: 1, Duplicate: 1, Lost: 1}},
	} {
		sent := newSubmission()
		sent.jobs[made.JobID], sent.programs[p.ID], sent.plans[p.ID] = p.ID, c.programs, c.plans
		a := Audit{Programs: map[string]int{}}
		if err := s.auditPrograms(t.Context(), &a, sent, map[string]job.Job{}); err != nil {
			t.Fatal(err)
		}
		if a.Stuck != c.want.Stuck || a.Duplicate != c.want.Duplicate || a.Lost != c.want.Lost || a.Clean() {
			t.Errorf("%s: %+v, want %+v", c.name, a, c.want)
		}
	}
	a := Audit{Programs: map[string]int{}}
	done := made.ProgramDetail
	done.Status = program.Ready
	// without toolpaths; next to a failed job
	for _, j := range []job.Job{{Status: job.Succeeded}, {Status: job.Failed}} {
		if err := s.auditProgram(t.Context(), &a, &done, j); err != nil {
			t.Fatal(err)
		}
	}
	if a.Broken != 2 {
		t.Errorf("audit = %+v, want two broken programs", a)
	}
}

func TestUnknownStack(t *testing.T) {
	if _, err := Run(t.Context(), Config{Stack: "other", Limit: time.Minute, Dir: t.TempDir()}); err == nil {
		t.Error("an unknown stack runs")
	}
}
