package job

import (
	"context"
	"sync"
	"time"

	"millwright.dev/millwright/core/service/apierr"
)

// New work is refused if more jobs wait than the workers can finish in a time that a client would accept. The limits
// protect the store. Fairness between teams follows from the order of work (work.go).

// Defaults of Config.MaxQueued and Config.MaxQueuedOfTeam: at a second a job, and eight workers, some seven hours
// and twenty minutes.
const (
	DefaultMaxQueued       = 200_000
	DefaultMaxQueuedOfTeam = 10_000
)

const (
	retryPressure = 30 * time.Second // wait suggested to a refused client
	depthLife     = 2 * time.Second  // time for which a count of the whole queue is used
)

// depth is the length of the whole queue at its last count.
type depth struct {
	mu      sync.Mutex
	jobs    int
	counted time.Time
}

// whole returns the length of the queue, at most depthLife old.
func (d *depth) whole(ctx context.Context, s *Service) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := s.clock.Now()
	if !d.counted.IsZero() && now.Sub(d.counted) < depthLife {
		return d.jobs, nil
	}
	jobs, err := s.store.CountQueued(ctx, "", s.config.MaxQueued)
	if err == nil {
		d.jobs, d.counted = jobs, now
	}
	return jobs, err
}

// Admit refuses a job if too many jobs wait. Error codes: rate_limited (jobs of the team), unavailable (all jobs).
func (s *Service) Admit(ctx context.Context, teamID string) error {
	waiting, err := s.store.CountQueued(ctx, teamID, s.config.MaxQueuedOfTeam)
	if err != nil {
		return err
	}
	if waiting >= s.config.MaxQueuedOfTeam {
		return apierr.Errorf(apierr.RateLimited,
			"Too many jobs of the team wait already (%d); try again when some are done.", waiting).After(retryPressure)
	}
	all, err := s.depth.whole(ctx, s)
	if err != nil {
		return err
	}
	if all >= s.config.MaxQueued {
		return apierr.Errorf(apierr.Unavailable, "Too many jobs wait; try again later.").After(retryPressure)
	}
	return nil
}
