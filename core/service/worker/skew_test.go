package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

// wrongClock is the clock of a machine that is ahead.
type wrongClock struct {
	record.SystemClock
	ahead time.Duration
}

func (c wrongClock) Now() time.Time { return time.Now().Add(c.ahead) }

// machine is a process with a wrong clock on the store of a world.
type machine struct {
	*app.UseCases
	clock record.Clock
}

func (w *world) machine(ahead time.Duration) machine {
	w.t.Helper()
	clock, err := record.NewSharedClock(w.t.Context(), w.store, wrongClock{ahead: ahead})
	if err != nil {
		w.t.Fatal(err)
	}
	ports := app.On(w.store, w.objects)
	ports.Clock = clock
	use, err := app.New(ports, app.Config{Parts: part.Config{CreateInterval: time.Hour}})
	if err != nil {
		w.t.Fatal(err)
	}
	return machine{use, clock}
}

// created makes a part of the caller, whose file is there.
func (m machine) created(w *world, c account.Caller) part.Part {
	w.t.Helper()
	created, err := m.Parts.Create(w.t.Context(), c, part.CreateInput{FileName: "bracket.step"})
	if err == nil {
		err = w.objects.Put(w.t.Context(), part.SourceObjects(created.Part)[1], strings.NewReader("x"))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return created.Part
}

const wrong = time.Minute

// TestWrongClocksTakeNoLeases runs the reaper of a process whose clock is three leases fast or slow, while a worker of
// another process has a job.
func TestWrongClocksTakeNoLeases(t *testing.T) {
	for _, c := range []struct {
		name          string
		holder, other time.Duration
	}{{"holder behind", -wrong, wrong}, {"holder ahead", wrong, -wrong}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			g := newGate()
			defer g.release()
			holder, other := w.machine(c.holder), w.machine(c.other)
			p := holder.created(w, w.caller)
			p, err := holder.Parts.CompleteUpload(t.Context(), w.caller, p.ID)
			if err != nil {
				t.Fatal(err)
			}
			ports := w.ports(g.kernel)
			ports.Clock = holder.clock
			w.startPool("holder", ports)
			receive(t, g.inside, "the job")
			reaped := make(chan struct{}, 100)
			ports = w.ports(pipelinetest.Cube)
			ports.Clock = other.clock
			ports.OnEvent = func(e worker.Event) {
				w.events.add(e)
				if e.Kind == worker.Reaped {
					reaped <- struct{}{}
				}
			}
			w.startPool("other", ports)
			receive(t, reaped, "a pass of the reaper")
			g.release()
			w.await(worker.Committed, p.JobID)
			if n := w.events.count(worker.Reclaimed); n > 0 {
				t.Errorf("%d leases of a healthy worker were taken back: %v", n, w.events.kinds())
			}
			if j := w.job(p); j.Attempt != 1 {
				t.Errorf("the job took %d attempts, want 1", j.Attempt)
			}
		})
	}
}

// TestRateLimitIgnoresWrongClocks has two processes refuse each other's team for the same time.
func TestRateLimitIgnoresWrongClocks(t *testing.T) {
	w := newWorld(t)
	for _, ahead := range []time.Duration{-wrong, wrong} {
		team := "ahead " + ahead.String()
		key, err := w.Accounts.CreateKey(t.Context(), account.CreateKeyInput{Team: team, Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		caller, err := w.Accounts.Authenticate(t.Context(), key.Text)
		if err != nil {
			t.Fatal(err)
		}
		w.machine(ahead).created(w, caller)
		_, err = w.machine(-ahead).Parts.Create(context.Background(), caller, part.CreateInput{FileName: "b.step"})
		var refused *part.RateLimitError
		if !errors.As(err, &refused) {
			t.Fatalf("%s: a second creation = %v, want a refusal", team, err)
		}
		if wait := refused.Refusal.RetryAfter; wait < time.Hour-wrong/2 || wait > time.Hour+wrong/2 {
			t.Errorf("%s: the wait is %s, want an hour", team, wait)
		}
	}
}
