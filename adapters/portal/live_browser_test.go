package portal_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/worker"
)

// newLiveWorld opens a world with the built pages. Its clock starts at the time of the machine and runs at its pace. It
// keeps the time that Advance adds: a job that became due stays due.
func newLiveWorld(t *testing.T) *world {
	t.Helper()
	w := newWorldOf(t, "", portal.Static{Index: portal.Index(), Hash: portal.Hash(), Files: portal.Assets()})
	begin := time.Now()
	w.Clock.Advance(begin.Sub(w.Clock.Now())) // before addresses are signed
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticks := time.NewTicker(20 * time.Millisecond)
		defer ticks.Stop()
		for last := begin; ; {
			select {
			case <-ticks.C:
				now := time.Now()
				w.Clock.Advance(now.Sub(last))
				last = now
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return w
}

// pages is the server as browsers see it, with links of a person of a team.
func (w *world) pages(team, user string) browsertest.Server {
	return browsertest.Server{
		Origin: w.server.URL,
		Link:   func() string { return w.server.URL + "/portal/welcome#token=" + w.link(team, user) },
	}
}

// TestLiveWorldMakesPrograms makes programs, each a minute later, while the clock runs.
func TestLiveWorldMakesPrograms(t *testing.T) {
	w := newLiveWorld(t)
	for range 10 {
		before := w.Clock.Now()
		w.program(w.Acme, w.readyPart(w.Acme), "", true)
		if now := w.Clock.Now(); now.Before(before.Add(time.Minute)) {
			t.Fatalf("the clock went from %v to %v, want at least a minute", before, now)
		}
	}
}

// visit is a page that is signed in.
func (w *world) visit(b *browsertest.Browser, scripts ...string) *browsertest.Tab {
	w.t.Helper()
	tab := b.Tab(w.t, w.server.URL)
	for _, s := range scripts {
		tab.Inject(s)
	}
	browsertest.SignIn(tab, w.pages("acme", "ann"))
	return tab
}

// counted counts the streams of events that a page opens, and its reads of jobs.
const counted = `{ const Real = EventSource, real = fetch; window.streams = 0; window.polls = 0;
	window.EventSource = class extends Real { constructor(to) { super(to); streams++; } };
	window.fetch = (to, init) => { if (/\/v1\/jobs\/[^/?]+(\?|$)/.test(String(to))) polls++; return real(to, init); }; }`

// noStreams refuses every stream.
const noStreams = `window.EventSource = class { static CLOSED = 2; readyState = 2; addEventListener() {} close() {}
	set onerror(run) { setTimeout(run); } };`

// TestLiveJobsInABrowser follows a part from the queue to its result: by the stream of its job, also when the
// connection breaks, and by reads where streams are refused. It also stops jobs.
func TestLiveJobsInABrowser(t *testing.T) {
	browser := browsertest.Start(t)
	t.Run("cancel", func(t *testing.T) { jobsAreCancelled(t, browser) })
	for name, c := range map[string]struct {
		script  string
		streams bool
	}{"stream": {"", true}, "reads": {noStreams, false}} {
		t.Run(name, func(t *testing.T) {
			w := newLiveWorld(t)
			tab := w.visit(browser, c.script, counted)
			p := w.Completed(w.Acme)
			tab.Open("/portal/parts/" + p.ID)
			tab.WaitText("First analysis: waits")
			tab.WaitText("It is the next of your team.")
			_, fence := w.Lease(p)
			tab.WaitText("First analysis: runs")
			w.progress(fence, 40)
			tab.WaitText("40 % done")
			w.server.CloseClientConnections()
			w.progress(fence, 70)
			tab.WaitText("70 % done")
			report := part.AnalysisReport{
				ID: uuid.NewString(), TeamID: p.TeamID, PartID: p.ID, JobID: p.JobID, CreatedAt: w.Clock.Now(),
				Objects:  map[pipeline.Name]object.Ref{},
				Analysis: pipeline.Analysis{Shape: pipeline.Shape{Format: "step"}},
			}
			w.must(w.Store.Commit(t.Context(), fence, worker.Outcome{Report: &report}, w.Clock.Now()))
			tab.Wait(`document.querySelector(".badge")?.textContent === "Ready"`)
			streams, polls := browsertest.Eval[int](tab, "streams"), browsertest.Eval[int](tab, "polls")
			if c.streams && (streams != 1 || polls != 0) || !c.streams && polls < 4 {
				t.Errorf("the page opened %d streams and read the job %d times", streams, polls)
			}
		})
	}
}

func (w *world) progress(f job.FencingToken, percent int) {
	w.t.Helper()
	now := w.Clock.Now()
	w.must(w.Store.Heartbeat(w.t.Context(), f, now.Add(time.Minute), &percent, now))
}

// jobsAreCancelled stops the first job of a part and that of a program by their buttons.
func jobsAreCancelled(t *testing.T, browser *browsertest.Browser) {
	t.Helper()
	w := newLiveWorld(t)
	tab := w.visit(browser)
	p := w.Completed(w.Acme)
	tab.Open("/portal/parts/" + p.ID)
	tab.WaitText("First analysis: waits")
	tab.Click("Cancel")
	tab.WaitText("The part was not understood")
	tab.WaitText("Code cancelled")
	w.wantCancelled(p.JobID)

	ready := w.readyPart(w.Acme)
	made, err := w.Programs.Create(t.Context(), w.Acme, program.CreateInput{PartID: ready.ID})
	w.must(err)
	tab.Open("/portal/parts/" + ready.ID + "?tab=program")
	tab.WaitText("Program: waits")
	w.Lease(part.Part{JobID: made.JobID})
	tab.WaitText("Program: runs")
	tab.Click("Cancel")
	tab.WaitText("There is no program")
	w.wantCancelled(made.JobID)
}

func (w *world) wantCancelled(id string) {
	w.t.Helper()
	j, err := w.Jobs.Get(w.t.Context(), w.Acme, id)
	w.must(err)
	if j.Status != job.Failed || j.FailureCode != "cancelled" {
		w.t.Errorf("the job is %s %s, want it cancelled", j.Status, j.FailureCode)
	}
}
