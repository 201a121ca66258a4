package worker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"millwright.dev/millwright/core/pipeline/pipelinetest"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/worker"
)

var errAway = errors.New("the store is away")

// awayObjects is a store of objects that can be away for reading, while reading, or for writing.
type awayObjects struct {
	object.Store
	get, read, put atomic.Bool
}

func (o *awayObjects) Get(ctx context.Context, ref object.Ref) (io.ReadCloser, object.Info, error) {
	if o.get.Load() {
		return nil, object.Info{}, errAway
	}
	body, info, err := o.Store.Get(ctx, ref)
	if err == nil && o.read.Load() {
		return broken{body}, info, nil
	}
	return body, info, err
}

func (o *awayObjects) Put(ctx context.Context, ref object.Ref, r io.Reader) error {
	if o.put.Load() {
		return errAway
	}
	return o.Store.Put(ctx, ref, r)
}

// broken is a body whose connection breaks.
type broken struct{ io.ReadCloser }

func (broken) Read([]byte) (int, error) { return 0, errAway }

// patientPool loses no lease although the clock of these tests runs fast while a slow machine writes one.
var patientPool = worker.Config{Name: "a", Lease: 24 * time.Hour}

// TestOutageOfTheObjectStore checks that jobs wait for its end, which may take much longer than three attempts.
func TestOutageOfTheObjectStore(t *testing.T) {
	for _, c := range []struct {
		name string
		away func(*awayObjects) *atomic.Bool
	}{
		{"reading", func(o *awayObjects) *atomic.Bool { return &o.get }},
		{"while reading", func(o *awayObjects) *atomic.Bool { return &o.read }},
		{"writing", func(o *awayObjects) *atomic.Bool { return &o.put }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			objects := &awayObjects{Store: w.objects}
			c.away(objects).Store(true)
			ports := w.ports(pipelinetest.Cube)
			ports.Objects = objects
			w.startPoolWith(ports, patientPool)
			part := w.uploaded("x")
			began := w.clock.Now()
			for range 10 {
				if e := w.awaitAfter(worker.Retried, part.JobID); !errors.Is(e.Err, errAway) {
					t.Fatalf("the attempt ended with %v", e.Err)
				}
			}
			if took := w.clock.Now().Sub(began); took < time.Minute {
				t.Errorf("10 attempts within %v of an outage: the pauses do not grow", took)
			}
			c.away(objects).Store(false)
			w.awaitAfter(worker.Committed, part.JobID)
			w.hasResult(part, "x")
			if j := w.job(part); j.Attempt != 1 {
				t.Errorf("job = %+v, want only the attempt that succeeded counted", j)
			}
		})
	}
}

// TestFullDiskDoesNotCountAsAttempt ends more attempts than a job has with a full disk of the sandbox.
func TestFullDiskDoesNotCountAsAttempt(t *testing.T) {
	w := newWorld(t)
	var runs atomic.Int32
	w.startPool("a", w.ports(func(ctx context.Context, req wanted, progress report) (*pipelinetest.Output, error) {
		if runs.Add(1) <= 5 {
			return nil, fmt.Errorf("kernel: %w: no space left on device", record.ErrUnavailable)
		}
		return pipelinetest.Cube(ctx, req, progress)
	}))
	p := w.uploaded("x")
	w.awaitAfter(worker.Committed, p.JobID)
	w.hasResult(p, "x")
	if j := w.job(p); j.Attempt != 1 || j.Token != 6 {
		t.Errorf("job = %+v, want only the last of 6 attempts counted", j)
	}
}

// TestEndlessOutage checks that a job without access to its objects fails in the end.
func TestEndlessOutage(t *testing.T) {
	w := newWorld(t)
	objects := &awayObjects{Store: w.objects}
	objects.put.Store(true)
	ports := w.ports(pipelinetest.Cube)
	ports.Objects = objects
	w.startPoolWith(ports, patientPool)
	part := w.uploaded("x")
	w.awaitEnd(part)
	if j := w.job(part); j.Status != job.Failed ||
		!strings.Contains(j.FailureReason, "(step: fetching and storing files)") || j.Attempt != 3 || j.Token < 40 {
		t.Errorf("job = %+v, want it failed after three counted attempts", j)
	}
}

// awaitEnd moves the clock until the part's job has ended.
func (w *world) awaitEnd(part part.Part) {
	w.t.Helper()
	for range 5000 {
		if j := w.job(part); j.Status == job.Succeeded || j.Status == job.Failed {
			return
		}
		w.letJobsEnd()
		w.clock.Advance(time.Second)
		w.events.awaitFor("", "", time.Millisecond) // no event has this kind
	}
	w.t.Fatalf("the job does not end: %+v", w.job(part))
}

// TestVanishedSource: no outage, so it counts.
func TestVanishedSource(t *testing.T) {
	w := newWorld(t)
	part := w.uploaded("x")
	if err := w.objects.Delete(t.Context(), part.Source); err != nil {
		t.Fatal(err)
	}
	w.startPoolWith(w.ports(pipelinetest.Cube), patientPool)
	w.awaitEnd(part)
	if j := w.job(part); j.Status != job.Failed || j.Attempt != 3 || j.Token != 3 {
		t.Errorf("job = %+v, want it failed after three attempts", j)
	}
}
