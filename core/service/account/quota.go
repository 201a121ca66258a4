package account

import (
	"context"
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/apierr"
)

// Quota bounds what a team may have at a time; 0 bounds nothing.
type Quota struct {
	Bytes    int64 // of the files of parts, and of what was made of them
	Projects int64
	Queued   int64 // jobs that wait for a worker; those that follow others by themselves count and are not refused
}

// Validate reports a negative bound.
func (q Quota) Validate() error {
	if q.Bytes < 0 || q.Projects < 0 || q.Queued < 0 {
		return fmt.Errorf("quotas must not be negative, got %d bytes, %d projects and %d queued jobs",
			q.Bytes, q.Projects, q.Queued)
	}
	return nil
}

// Held is how much a team has of what a Quota bounds, or asks for.
type Held struct{ Bytes, Projects, Queued int64 }

// roomIn is how soon a team over its quota may have made room.
const roomIn = time.Hour

// Allow refuses what comes to more than the quota with what is held. Of what is not asked for, nothing is refused. Error
// code: quota_exceeded.
func (q Quota) Allow(held, more Held) error {
	for _, b := range []struct {
		what              string
		limit, held, more int64
		do                string
	}{
		{"bytes stored", q.Bytes, held.Bytes, more.Bytes, "Delete parts that are no longer needed"},
		{"projects", q.Projects, held.Projects, more.Projects, "Put parts into the projects that there are"},
		{"analyses queued", q.Queued, held.Queued, more.Queued, "Wait until some have begun, or cancel some"},
	} {
		if b.limit == 0 || b.more == 0 || b.held <= b.limit-b.more {
			continue
		}
		return apierr.Errorf(apierr.QuotaExceeded,
			"The quota of the team is %d %s; it has %d, and this request needs %d more. %s, or ask for a larger quota.",
			b.limit, b.what, b.held, b.more, b.do).After(roomIn)
	}
	return nil
}

// Held returns what a team, by its name, has of what quotas bound. Error code: not_found.
func (s *Service) Held(ctx context.Context, team string) (Held, error) {
	t, err := s.Team(ctx, team)
	if err != nil {
		return Held{}, err
	}
	return s.store.Held(ctx, t.ID)
}
