package account

import (
	"context"
	"fmt"
	"time"

	"millwright.dev/millwright/core/service/apierr"
)

// Quota is the limits of a team at a time; 0 means unlimited.
type Quota struct {
	Bytes    int64 // of the files of parts and of their artifacts
	Projects int64
	Queued   int64 // waiting jobs; jobs that follow others automatically count, but are never refused
}

// Validate reports a negative bound.
func (q Quota) Validate() error {
	if q.Bytes < 0 || q.Projects < 0 || q.Queued < 0 {
		return fmt.Errorf("quotas must not be negative, got %d bytes, %d projects and %d queued jobs",
			q.Bytes, q.Projects, q.Queued)
	}
	return nil
}

// Held is the amounts that a team uses, or requests, of the resources in a Quota.
type Held struct{ Bytes, Projects, Queued int64 }

// remainingIn is the wait suggested to a team over its quota.
const remainingIn = time.Hour

// Allow returns an error if held and more together exceed the quota. A resource with no amount in more is not checked.
// Error code: quota_exceeded.
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
			b.limit, b.what, b.held, b.more, b.do).After(remainingIn)
	}
	return nil
}

// Held returns the amounts that a team, given by name, uses of the resources with a quota. Error code: not_found.
func (s *Service) Held(ctx context.Context, team string) (Held, error) {
	t, err := s.Team(ctx, team)
	if err != nil {
		return Held{}, err
	}
	return s.store.Held(ctx, t.ID)
}
