package account

import (
	"context"
	"time"
)

// Store keeps teams, users and keys, and what was metered of them.
type Store interface {
	CreateTeam(ctx context.Context, t Team) error // record.ErrExists: the name is taken
	TeamByName(ctx context.Context, name string) (Team, error)
	CreateUser(ctx context.Context, u User) error // record.ErrExists: the team has a user of that name
	UserByName(ctx context.Context, teamID, name string) (User, error)
	CreateKey(ctx context.Context, k Key) error // record.ErrExists: id or hash is taken
	// KeyByHash returns a key with the version of its team, which grows with every commit that changes which jobs there
	// are, their status or progress, or which parts can be read.
	KeyByHash(ctx context.Context, hash [32]byte) (Key, error)
	ListKeys(ctx context.Context, teamID string) ([]Key, error) // oldest first
	// RevokeKey sets the revocation time once; a key revoked before keeps its first time.
	RevokeKey(ctx context.Context, id string, at time.Time) (Key, error)
	// GrantKey replaces what a key may do, and from which origins.
	GrantKey(ctx context.Context, id string, g Grant) (Key, error)
	// OriginAllowed reports whether a key that is usable at the given time allows the origin.
	OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error)
	// Usage adds up a team's metered requests from a time on, by operation and key, in that order. A request is metered
	// in the transaction that accepts it, so exactly once.
	Usage(ctx context.Context, teamID string, since time.Time) ([]UsageTotal, error)
	// Held counts what a team has of what quotas bound. Methods of other ports that take a Quota refuse what is beyond it
	// as Quota.Allow does, and write nothing then; of requests at once, no more pass than would one after the other.
	Held(ctx context.Context, teamID string) (Held, error)
}
