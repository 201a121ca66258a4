// Package job manages background jobs on parts, which it references by id: states, scheduling, limits on waiting jobs,
// and the operations of clients and operators.
package job

import (
	"context"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
)

// Config bounds the jobs that wait; zero values mean the defaults, and no quota.
type Config struct {
	MaxQueued       int // in all; default 200,000
	MaxQueuedOfTeam int // of one team; default 10,000
	Quota           account.Quota
}

// Service is the use cases of jobs. It is safe for concurrent use. Its only state is a count that it can take again.
type Service struct {
	store  Store
	clock  record.Clock
	ring   func(context.Context, WakeUp)
	config Config
	depth  depth
}

// New returns the use cases. They call ring for each queued job, once the job is stored.
func New(store Store, clock record.Clock, ring func(context.Context, WakeUp), c Config) *Service {
	if c.MaxQueued == 0 {
		c.MaxQueued = DefaultMaxQueued
	}
	if c.MaxQueuedOfTeam == 0 {
		c.MaxQueuedOfTeam = DefaultMaxQueuedOfTeam
	}
	return &Service{store: store, clock: clock, ring: ring, config: c}
}

// Ring notifies workers of a queued job.
func (s *Service) Ring(ctx context.Context, j Job) {
	s.ring(ctx, WakeUp{JobID: j.ID, Product: j.Product})
}

func (s *Service) now() time.Time { return record.TruncateTime(s.clock.Now()) }
