package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// errLost ends an attempt whose lease was lost.
var errLost = errors.New("the lease was lost")

// attempt is one try at a job under one lease.
type attempt struct {
	*Pool
	job     job.Job
	part    part.Part
	fence   job.FencingToken
	started time.Time

	progress  atomic.Int32      // percent; -1 before it is known
	uncertain atomic.Bool       // an upload failed, which may yet take effect
	came      pipeline.Progress // the stages' latest report

	retryIn time.Duration // from its end until the job is due again
}

// Shares of the progress bar, in percent: up to downloaded for fetching the source, up to computed for
// the kernel; the rest is storing the results.
const (
	downloaded = 5
	computed   = 95
)

func (p *Pool) attempt(ctx context.Context, j job.Job, part part.Part) {
	fence := job.FencingToken{JobID: j.ID, Token: j.Token}
	a := &attempt{
		Pool: p, job: j, part: part, fence: fence, started: p.now(),
	}
	a.progress.Store(-1)
	defer func() { a.OnEvent(Event{Kind: Ended, Job: j, Took: a.now().Sub(a.started)}) }()
	made, err := a.underLease(ctx)
	defer func() {
		if a.retryIn > 0 {
			p.waiting.Go(func() { p.ringIn(ctx, a.retryIn, j) })
		}
	}()
	last, cancel := steady(ctx)
	defer cancel()
	if err == nil {
		a.commit(last, made)
		return
	}
	a.giveUp(last, err)
	if a.blameless(err) {
		p.pause(ctx, a.storagePause())
	}
}

// storageError is an error of the object store, unrelated to the job.
type storageError struct{ error }

func (t storageError) Unwrap() error { return t.error }

const (
	// patientLeases is the number of leases of one job that may end with an error of the object store. Further such
	// leases count as failed attempts. With the pauses between them, the leases span an outage of about twenty minutes.
	patientLeases = 40
	// longestPause is the longest pause of a runner after such a lease. The first is RetryTime, and each is twice as
	// long as the previous one.
	longestPause = 30 * time.Second
)

// blameless reports whether an attempt that ended with why does not count: an outage of the object store, a full disk,
// or another temporary error.
func (a *attempt) blameless(why error) bool {
	var trouble storageError
	passes := errors.As(why, &trouble) || errors.Is(why, record.ErrUnavailable)
	return passes && a.job.Token <= patientLeases
}

// storagePause is the runner's pause after a storage error: the next job would meet the same error.
func (a *attempt) storagePause() time.Duration {
	pause := a.config.RetryTime
	for range a.job.Token - 1 {
		if pause *= 2; pause >= longestPause {
			return longestPause
		}
	}
	return pause
}

// errStopping ends an attempt because the pool is asked to stop.
var errStopping = errors.New("the worker is stopping")

// underLease makes the outcome while it extends the lease. Its error is errLost, errStopping, a *fault.Error or a
// temporary error.
func (a *attempt) underLease(ctx context.Context) (Outcome, error) {
	leased, cancel := context.WithCancelCause(ctx)
	ticks, stop := a.Clock.Ticker(min(a.config.ProgressTime, a.config.HeartbeatTime))
	var beating sync.WaitGroup
	beating.Go(func() { a.beat(leased, ticks, cancel) })
	a.emit(Leased, a.job, nil)
	made, err := a.produce(leased)
	lost := errors.Is(context.Cause(leased), errLost)
	cancel(nil)
	stop()
	beating.Wait()
	switch {
	case lost:
		return Outcome{}, errLost
	case err != nil && ctx.Err() != nil:
		return Outcome{}, errStopping
	}
	return made, err
}

// beat extends the lease and stores the progress until ctx ends or the lease is lost.
func (a *attempt) beat(ctx context.Context, ticks <-chan time.Time, cancel context.CancelCauseFunc) {
	sent, last := int32(-1), a.started
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		now, percent := a.now(), a.progress.Load()
		if percent == sent && now.Sub(last) < a.config.HeartbeatTime {
			continue
		}
		var progress *int
		if percent >= 0 {
			n := int(percent)
			progress = &n
		}
		err := a.Attempts.Heartbeat(ctx, a.fence, now.Add(a.config.Lease), progress, now)
		switch {
		case err == nil:
			sent, last = percent, now
		case errors.Is(err, record.ErrFenced):
			cancel(errLost)
			return
		case ctx.Err() == nil:
			a.emit(OutageStarted, a.job, fmt.Errorf("heartbeat: %w", err))
		}
	}
}

func (a *attempt) commit(ctx context.Context, made Outcome) {
	err := a.Attempts.Commit(ctx, a.fence, made, a.now())
	switch {
	case err == nil:
		a.OnEvent(Event{Kind: Committed, Job: a.job, Account: made.account()})
		for _, o := range made.Follow { // if another process has placed its own order, this wakes a worker in vain
			if o.Job.ID != "" {
				a.ringFor(ctx, o.Job)
			}
		}
	case errors.Is(err, record.ErrFenced):
		a.giveUp(ctx, errLost)
	case errors.Is(err, part.ErrObjectDeleted): // nothing is stored; the next attempt finds the current state
		a.giveUp(ctx, err)
	default:
		// The result of the commit is unknown, so neither the job nor the objects may be changed. If nothing was
		// stored, the lease expires, and the reaper reclaims the job and later deletes the objects.
		a.emit(OutageStarted, a.job, fmt.Errorf("commit: %w", err))
	}
}

// giveUp ends an attempt without a result: first the job's state, then the uploaded objects.
func (a *attempt) giveUp(ctx context.Context, why error) {
	kind, err := a.release(ctx, why)
	if errors.Is(err, record.ErrFenced) {
		kind, err = Fenced, nil
	}
	if err != nil {
		// the lease expires, and the reaper continues
		a.emit(OutageStarted, a.job, fmt.Errorf("after %w: %w", why, err))
		return
	}
	if err := a.tidy(ctx); err != nil {
		a.emit(OutageStarted, a.job, err)
	}
	a.emit(kind, a.job, why)
	if kind == Released || kind == Retried && a.retryIn == 0 {
		a.ringFor(ctx, a.job)
	}
}

func (a *attempt) release(ctx context.Context, why error) (EventKind, error) {
	var failure *fault.Error
	now := a.now()
	switch {
	case errors.Is(why, errLost):
		return Fenced, nil
	case errors.Is(why, errStopping):
		return Released, a.Attempts.GiveBack(ctx, a.fence, now)
	case errors.As(why, &failure):
		return Failed, a.fail(ctx, *failure, now)
	case a.blameless(why):
		return Retried, a.Attempts.GiveBack(ctx, a.fence, now)
	case a.job.Attempt >= a.config.MaxAttempts:
		if errors.As(why, new(storageError)) {
			a.came.Doing = "fetching and storing files"
		}
		return Failed, a.fail(ctx, *a.came.Fault("it is recorded with job " + a.job.ID +
			"; report that job, or export the part again and upload it"), now)
	}
	pause := a.config.RetryTime
	for range a.job.Attempt - 1 {
		pause *= 4
	}
	a.retryIn = pause
	return Retried, a.Attempts.Retry(ctx, a.fence, now.Add(pause), now)
}

// fail ends the job as failed and stores the detected format of the file.
func (a *attempt) fail(ctx context.Context, why fault.Error, now time.Time) error {
	why.Format = a.came.Format
	return a.Attempts.Fail(ctx, a.fence, why, now)
}

// tidy deletes the uploaded objects. An upload without an answer, or an interrupted one, may reach the store later. In
// that case the attempt is not forgotten, so that the reaper deletes its objects again later.
func (a *attempt) tidy(ctx context.Context) error {
	if a.uncertain.Load() {
		return a.deleteObjects(ctx, a.job.TeamID, a.job.PartID, a.fence)
	}
	return a.clean(ctx, a.job.TeamID, a.job.PartID, a.fence)
}

// clean deletes the objects of an attempt that has no result, for good.
func (p *Pool) clean(ctx context.Context, teamID, partID string, f job.FencingToken) error {
	if err := p.deleteObjects(ctx, teamID, partID, f); err != nil {
		return err
	}
	return p.Attempts.Forget(ctx, f)
}

func (p *Pool) deleteObjects(ctx context.Context, teamID, partID string, f job.FencingToken) error {
	// all that an attempt of any product stores
	for _, n := range (pipeline.Params{Cutting: &pipeline.PlanParams{}}).Names() {
		ref := AttemptObject(p.config.ResultBucket, teamID, partID, f, n)
		if err := p.Objects.Delete(ctx, ref); err != nil {
			return fmt.Errorf("delete %s: %w", ref.Key, err)
		}
	}
	return nil
}

// object returns the location of one of the attempt's artifacts.
func (a *attempt) object(n pipeline.Name) object.Ref {
	return AttemptObject(a.config.ResultBucket, a.job.TeamID, a.job.PartID, a.fence, n)
}
