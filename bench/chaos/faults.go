package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/adapters/testserver"
	"millwright.dev/millwright/bench/teststack"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/record"
)

// The keys of the Redis adapter, which the wake-ups of other makers are written to.
const (
	wakeStream = "{millwright}:wakes"
	wakeField  = "wake"
)

// tick is the polling interval of the goroutine of the faults.
const tick = 50 * time.Millisecond

// errNotNow is the error of a fault whose target is already down.
var errNotNow = errors.New("not now")

// fault is one way to do harm. strike does it and plans how it ends, or says errNotNow.
type fault struct {
	name   string
	strike func(context.Context) error
}

// faults strike one after the other, all from one goroutine.
type faults struct {
	*stack
	rand   *rand.Rand
	kinds  []fault
	deck   []fault // the rest of this round, the next fault last
	struck map[string]int
	rounds int
	plans  []plan
	jobs   []string // some that exist, for wake-ups nobody asked for
	down   map[*testserver.Server]bool
	atOnce int // faults that may last at the same time
}

// plan is something to be done later, such as the end of a fault.
type plan struct {
	due time.Time
	do  func(context.Context) error
}

func newFaults(s *stack) *faults {
	f := &faults{
		stack: s, rand: rand.New(rand.NewPCG(s.Seed, 0)), struck: map[string]int{},
		down: map[*testserver.Server]bool{}, atOnce: 3,
	}
	if s.Name == teststack.Single {
		f.atOnce = 1 // there is one process, which has to get something done
		f.kinds = []fault{
			{"kill -9 of the process", f.kill(s.processes())},
			{"process stalled past the lease", f.stall(s.processes())},
		}
		return f
	}
	f.kinds = []fault{
		{"kill -9 of a worker", f.kill(s.workers)},
		{"kill -9 of the API", f.kill([]*testserver.Server{s.api})},
		{"kill -9 of every process", f.killAll},
		{"worker stalled past the lease", f.stall(s.workers)},
		{"Redis FLUSHALL", f.flush},
		{"Redis killed and restarted", f.outage(s.Servers.Redis.Server)},
		{"PostgreSQL crashed and restarted", f.crashPostgres},
		{"S3 unavailable", f.outage(s.Servers.S3.Server)},
		{"wake-ups doubled", f.doubleWakes},
		{"wake-ups delayed", f.delayWakes},
	}
	return f
}

// ride strikes until the clients are done, few jobs are left and every kind has struck often enough, then ends all
// that it began.
func (f *faults) ride(ctx context.Context, submitted <-chan *submission) (*submission, error) {
	var sent *submission
	next, report := time.Now().Add(f.Every), time.Now()
	for ctx.Err() == nil {
		if err := f.carryOut(ctx, time.Now()); err != nil {
			return nil, err
		}
		f.revive(ctx)
		if len(f.plans) >= f.atOnce {
			next = time.Now().Add(f.Every)
		}
		if time.Now().After(next) {
			if err := f.strike(ctx); err != nil {
				return nil, err
			}
			next = time.Now().Add(f.Every)
		}
		select {
		case sent = <-submitted:
		default:
		}
		left, known := f.left(ctx, &report)
		if sent != nil && known && left <= f.Jobs/20 && f.rounds > f.Rounds {
			break
		}
		pause(ctx, tick)
	}
	for len(f.plans) > 0 {
		if err := f.carryOut(ctx, time.Now().Add(time.Hour)); err != nil {
			return nil, err
		}
	}
	f.revive(ctx)
	if sent == nil {
		sent = <-submitted
	}
	return sent, nil
}

// left counts the jobs that have not ended, once a second; not known while the store is away.
func (f *faults) left(ctx context.Context, last *time.Time) (n int, known bool) {
	if time.Since(*last) < time.Second {
		return 0, false
	}
	*last = time.Now()
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	n, err := f.unfinished(ctx)
	if err != nil {
		return 0, false
	}
	jobs, _, err := f.Store.ListJobs(ctx, job.Query{
		TeamID: f.team, Filter: job.Filter{Page: record.Page{Page: 1, PageSize: 20}},
	})
	if err != nil {
		return 0, false
	}
	f.backlog.Store(int64(n))
	for _, j := range jobs {
		f.jobs = append(f.jobs, j.ID)
	}
	f.jobs = f.jobs[max(0, len(f.jobs)-200):]
	total := 0
	for _, n := range f.struck {
		total += n
	}
	_, _ = fmt.Fprintf(f.Log, "chaos: %d jobs wait or run, %d faults struck\n", n, total) // only progress
	return n, true
}

// strike applies the next fault of a deck. The deck contains each kind once and is reshuffled when it is empty.
func (f *faults) strike(ctx context.Context) error {
	if len(f.deck) == 0 {
		f.rounds++
		f.deck = slices.Clone(f.kinds)
		f.rand.Shuffle(len(f.deck), func(i, j int) { f.deck[i], f.deck[j] = f.deck[j], f.deck[i] })
	}
	next := f.deck[len(f.deck)-1]
	f.deck = f.deck[:len(f.deck)-1]
	err := next.strike(ctx)
	switch {
	case err == nil:
		f.struck[next.name]++
	case errors.Is(err, errNotNow):
		f.deck = slices.Insert(f.deck, 0, next) // its turn comes later in this round
	default:
		return fmt.Errorf("%s: %w", next.name, err)
	}
	return nil
}

// counts lists the faults in the order of their kinds.
func (f *faults) counts() []FaultCount {
	var out []FaultCount
	for _, k := range f.kinds {
		out = append(out, FaultCount{k.name, f.struck[k.name]})
	}
	return out
}

// later plans something after a time between least and most.
func (f *faults) later(least, most time.Duration, do func(context.Context) error) {
	d := least + time.Duration(f.rand.Int64N(int64(most-least)+1))
	f.plans = append(f.plans, plan{time.Now().Add(d), do})
}

func (f *faults) carryOut(ctx context.Context, now time.Time) error {
	due := f.plans
	f.plans = nil
	for _, p := range due {
		if p.due.After(now) {
			f.plans = append(f.plans, p)
			continue
		}
		if err := p.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// revive starts processes that have ended, as a supervisor does: killed ones, and those that could not start because a
// server was away.
func (f *faults) revive(ctx context.Context) {
	for _, p := range f.processes() {
		if !p.Running() && !f.down[p] {
			_ = p.Start(ctx) // an error: tried again at the next look
		}
	}
}

// kill ends one of the processes at once; it is started again after a moment.
func (f *faults) kill(of []*testserver.Server) func(context.Context) error {
	return func(context.Context) error {
		p := of[f.rand.IntN(len(of))]
		if !p.Running() {
			return errNotNow
		}
		f.end(p)
		return nil
	}
}

func (f *faults) end(p *testserver.Server) {
	p.Kill()
	f.down[p] = true
	f.later(100*time.Millisecond, time.Second, func(context.Context) error {
		delete(f.down, p)
		return nil
	})
}

// killAll ends all processes at once that are not down.
func (f *faults) killAll(context.Context) error {
	for _, p := range f.processes() {
		if p.Running() {
			f.end(p)
		}
	}
	return nil
}

// stall stops one of the processes until its leases expire, and then continues it.
func (f *faults) stall(of []*testserver.Server) func(context.Context) error {
	return func(context.Context) error {
		p := of[f.rand.IntN(len(of))]
		if !p.Running() {
			return errNotNow
		}
		p.Signal(syscall.SIGSTOP)
		f.later(lease+lease/2, longStall, func(context.Context) error {
			p.Signal(syscall.SIGCONT)
			return nil
		})
		return nil
	}
}

// outage kills a server and starts it again after some seconds.
func (f *faults) outage(s *testserver.Server) func(context.Context) error {
	return func(context.Context) error {
		if !s.Running() {
			return errNotNow
		}
		s.Kill()
		f.later(500*time.Millisecond, 6*time.Second, s.Start)
		return nil
	}
}

func (f *faults) flush(ctx context.Context) error {
	return f.wakes(func(c *redis.Client) error { return c.FlushAll(ctx).Err() })
}

func (f *faults) crashPostgres(ctx context.Context) error {
	if err := f.Servers.Postgres.Stop(pgtest.Immediate); err != nil {
		return err
	}
	pause(ctx, time.Duration(f.rand.Int64N(int64(2*time.Second))))
	return f.Servers.Postgres.Start(ctx)
}

// wakes calls with a connection to Redis; an error means that it is away.
func (f *faults) wakes(do func(*redis.Client) error) error {
	settings, err := redis.ParseURL(f.Servers.Redis.URL)
	if err != nil {
		return err
	}
	client := redis.NewClient(settings)
	defer func() { _ = client.Close() }()
	if err := do(client); err != nil {
		return fmt.Errorf("%w: %w", errNotNow, err)
	}
	return nil
}

// doubleWakes wakes for jobs that wait, run or have ended, several times each.
func (f *faults) doubleWakes(ctx context.Context) error {
	return f.wakes(func(c *redis.Client) error {
		for range min(50, len(f.jobs)) {
			id := f.jobs[f.rand.IntN(len(f.jobs))]
			text, err := json.Marshal(job.WakeUp{JobID: id, Product: job.PartProcessing})
			if err != nil {
				return err
			}
			for range 1 + f.rand.IntN(3) {
				args := &redis.XAddArgs{Stream: wakeStream, Values: []any{wakeField, text}}
				if err := c.XAdd(ctx, args).Err(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// delayWakes takes the oldest wake-ups out of the stream and puts them back seconds later.
func (f *faults) delayWakes(ctx context.Context) error {
	return f.wakes(func(c *redis.Client) error {
		taken, err := c.XRangeN(ctx, wakeStream, "-", "+", 50).Result()
		if err != nil {
			return err
		}
		for _, e := range taken {
			if err := c.XDel(ctx, wakeStream, e.ID).Err(); err != nil {
				return err
			}
		}
		f.later(time.Second, 5*time.Second, func(ctx context.Context) error {
			err := f.wakes(func(c *redis.Client) error {
				for _, e := range taken {
					args := &redis.XAddArgs{Stream: wakeStream, Values: e.Values}
					if err := c.XAdd(ctx, args).Err(); err != nil {
						return err
					}
				}
				return nil
			})
			if errors.Is(err, errNotNow) {
				return nil // what cannot be put back is lost, as with a queue that forgets
			}
			return err
		})
		return nil
	})
}
