// Package worker runs jobs in the background. A Pool has two kinds of loops:
//
//   - Free runners ask the store for the next job, run the kernel on its file and commit the result under the lease's
//     fencing token. Without a job they wait for a wake-up of the queue and poll every PollTime, so that no job depends
//     on a wake-up.
//   - The reaper reclaims expired leases and deletes the objects of lost attempts.
//
// The store decides everything. A pool may die at any point; another pool's reaper recovers its jobs.
//
// An attempt without a commit keeps nothing: its objects are deleted, and the next attempt makes them again from
// committed artifacts. To keep them would need a row per artifact before the job has ended, and a second kind of
// reference that the clean-up must distinguish from orphans. It would only save the stages of killed attempts and of
// attempts that lost their store. These are rare, since a defective file is not tried again.
package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// Ports are the interfaces of a pool to the outside.
type Ports struct {
	Attempts  Attempts
	Records   Records
	Retention Retention
	Programs  Programs
	Queue     job.Queue
	Objects   object.Store
	Sandbox   pipeline.Sandbox
	Clock     record.Clock // nil: the wall clock
	OnEvent   func(Event)  // receives the pool's events from several goroutines; may be nil
}

// DefaultResultBucket is the default of Config.ResultBucket.
const DefaultResultBucket = "millwright-results"

// Config are the settings of a pool; zero values mean the defaults.
type Config struct {
	Name         string         // of this process and no other, as jobs show it; default host name and process id
	Runners      int            // concurrent jobs; default 1
	Work         job.WorkFilter // jobs that the pool takes; default all
	LargeRunners int            // concurrent jobs of the large class; default Runners
	ResultBucket string         // default DefaultResultBucket

	Lease         time.Duration // how long a silent worker keeps its job; default 20 s
	HeartbeatTime time.Duration // between extensions of the lease; default Lease/4
	ProgressTime  time.Duration // between writes of progress; default 500 ms
	ReapTime      time.Duration // between passes of the reaper; default 5 s
	PollTime      time.Duration // maximum time between polls of an idle runner without a wake-up; default 5 s
	CleanTime     time.Duration // after which objects of a lost attempt are deleted; default 10 min
	RetainTime    time.Duration // after which unused parts are deleted; 0: never
	RetryTime     time.Duration // pause after a first failed attempt, fourfold after each further; default 1 s
	MaxAttempts   int           // default 3
}

// WithDefaults replaces zero fields by their defaults.
func (c Config) WithDefaults() Config {
	if c.Name == "" {
		host, _ := os.Hostname() // without a host name, the process id is enough
		c.Name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	if c.ResultBucket == "" {
		c.ResultBucket = DefaultResultBucket
	}
	for _, n := range []struct {
		value   *int
		initial int
	}{{&c.Runners, 1}, {&c.MaxAttempts, 3}} {
		if *n.value == 0 {
			*n.value = n.initial
		}
	}
	for _, d := range []struct {
		value   *time.Duration
		initial time.Duration
	}{
		{&c.Lease, 20 * time.Second}, {&c.ProgressTime, 500 * time.Millisecond},
		{&c.ReapTime, 5 * time.Second}, {&c.PollTime, 5 * time.Second}, {&c.CleanTime, 10 * time.Minute},
		{&c.RetryTime, time.Second},
	} {
		if *d.value == 0 {
			*d.value = d.initial
		}
	}
	if c.LargeRunners == 0 {
		c.LargeRunners = c.Runners
	}
	if c.HeartbeatTime == 0 {
		c.HeartbeatTime = c.Lease / 4
	}
	return c
}

// Validate reports everything that is wrong with a filled Config.
func (c Config) Validate() error {
	var errs []error
	if c.Runners < 1 || c.LargeRunners < 1 || c.MaxAttempts < 1 {
		errs = append(errs,
			fmt.Errorf("each of Runners (%d), LargeRunners (%d) and MaxAttempts (%d) must be at least 1",
				c.Runners, c.LargeRunners, c.MaxAttempts))
	}
	if err := c.Work.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("the filter Work: %w", err))
	}
	if c.HeartbeatTime < 0 || c.HeartbeatTime >= c.Lease {
		errs = append(errs, fmt.Errorf("the heartbeat (HeartbeatTime, %v) must be shorter than Lease (%v)",
			c.HeartbeatTime, c.Lease))
	}
	for name, d := range map[string]time.Duration{
		"ProgressTime": c.ProgressTime, "ReapTime": c.ReapTime,
		"PollTime": c.PollTime, "CleanTime": c.CleanTime, "RetryTime": c.RetryTime, "RetainTime": c.RetainTime,
	} {
		if d < 0 {
			errs = append(errs, fmt.Errorf("%s (%v) must not be negative", name, d))
		}
	}
	return errors.Join(errs...)
}

// Pool runs jobs until its context ends.
type Pool struct {
	Ports
	config Config
	bell   *Notifier
	idle   chan struct{} // a token for each runner that waits for a wake-up
	woken  chan struct{} // a token for each wake-up that came
	again  chan struct{} // a token when work may exist without a wake-up
	large  largeJobSlots

	draining chan struct{} // closed when no more jobs are to be taken
	drain    sync.Once

	waiting sync.WaitGroup // for jobs to be due again
}

// New returns a pool; Run starts it.
func New(p Ports, c Config) (*Pool, error) {
	if p.Attempts == nil || p.Records == nil || p.Retention == nil || p.Programs == nil {
		return nil, errors.New("worker: Attempts, Records, Retention and Programs are required")
	}
	if p.Queue == nil || p.Objects == nil || p.Sandbox == nil {
		return nil, errors.New("worker: Queue, Objects and Sandbox are required")
	}
	c = c.WithDefaults()
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	if p.Clock == nil {
		p.Clock = record.SystemClock{}
	}
	if p.OnEvent == nil {
		p.OnEvent = func(Event) {}
	}
	return &Pool{
		Ports: p, config: c, bell: NewNotifier(p), idle: make(chan struct{}, c.Runners),
		woken: make(chan struct{}, c.Runners), again: make(chan struct{}, 1),
		large:    largeJobSlots{free: c.LargeRunners},
		draining: make(chan struct{}),
	}, nil
}

// Notify notifies free workers of a stored job.
func (p *Pool) Notify(ctx context.Context, w job.WakeUp) { p.bell.Notify(ctx, w) }

func (p *Pool) ringFor(ctx context.Context, j job.Job) {
	p.Notify(ctx, job.WakeUp{JobID: j.ID, Product: j.Product})
}

// ringIn rings when a job that failed is due again, unless the pool stops before.
func (p *Pool) ringIn(ctx context.Context, d time.Duration, j job.Job) {
	ticks, stop := p.Clock.Ticker(d)
	defer stop()
	select {
	case <-ctx.Done():
	case <-p.draining:
	case <-ticks:
		p.ringFor(ctx, j)
	}
}

// Drain stops taking jobs and lets running jobs end; Run returns after the last one. Jobs still running when Run's
// context ends are released.
func (p *Pool) Drain() { p.drain.Do(func() { close(p.draining) }) }

// Run works until ctx ends, then releases running jobs to the queue and returns.
func (p *Pool) Run(ctx context.Context) error {
	// The other loops continue while jobs run: if a heartbeat fails, the reaper may be needed.
	rest, end := context.WithCancel(ctx)
	var runners, others sync.WaitGroup
	others.Go(func() { p.reap(rest) })
	others.Go(func() { p.receive(rest) })
	for i := range p.config.Runners {
		name := fmt.Sprintf("%s/%d", p.config.Name, i)
		runners.Go(func() { p.run(ctx, name) })
	}
	runners.Wait()
	p.waiting.Wait()
	end()
	others.Wait()
	return nil
}

// lastWords is the time limit for a write that must complete after the end of ctx.
const lastWords = 10 * time.Second

// steady returns a context that outlives ctx, for writes that must be made in any case.
func steady(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), lastWords)
}

func (p *Pool) now() time.Time { return record.TruncateTime(p.Clock.Now()) }

// pause waits for d or the end of ctx.
func (p *Pool) pause(ctx context.Context, d time.Duration) {
	ticks, stop := p.Clock.Ticker(d)
	defer stop()
	select {
	case <-ctx.Done():
	case <-ticks:
	}
}
