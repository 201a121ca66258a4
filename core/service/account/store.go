package account

import (
	"context"
	"time"
)

// Store keeps teams, users and their metered usage.
type Store interface {
	CreateTeam(ctx context.Context, t Team) error // record.ErrExists: the name is taken
	TeamByName(ctx context.Context, name string) (Team, error)
	Teams(ctx context.Context, limit int) ([]Team, error) // by name
	CreateUser(ctx context.Context, u User) error         // record.ErrExists: the team has a user of that name
	UserByName(ctx context.Context, teamID, name string) (User, error)
	Users(ctx context.Context, teamID string) ([]User, error) // by name
	// Usage adds up a team's metered requests from a time on, by operation and key, in that order. A request is metered
	// in the transaction that accepts it, so exactly once.
	Usage(ctx context.Context, teamID string, since time.Time) ([]UsageTotal, error)
	// UsageByDay counts a team's metered requests from since on and before until, by day (UTC), operation and key, in
	// that order.
	UsageByDay(ctx context.Context, teamID string, since, until time.Time) ([]DayUsage, error)
	// Held counts the amounts that a team uses of the resources with a quota. Methods of other ports that take a Quota
	// refuse a request as Quota.Allow does, and then write nothing. Concurrent requests together pass no more than in
	// sequence.
	Held(ctx context.Context, teamID string) (Held, error)
}

// KeyStore keeps keys.
type KeyStore interface {
	CreateKey(ctx context.Context, k Key) error // record.ErrExists: id or hash is taken
	// KeyByHash returns a key with the version of its team, which grows with every commit that changes which jobs there
	// are, their status or progress, or which parts can be read.
	KeyByHash(ctx context.Context, hash [32]byte) (Key, error)
	ListKeys(ctx context.Context, teamID string) ([]Key, error) // oldest first
	Key(ctx context.Context, teamID, id string) (Key, error)    // record.ErrNotFound for a key of another team too
	// RevokeKey sets the revocation time. A key revoked before keeps its first time, and a later time is replaced.
	RevokeKey(ctx context.Context, id string, at time.Time) (Key, error)
	// EditKey changes the given fields of a key of the API; record.ErrNotFound for a portal key.
	EditKey(ctx context.Context, id string, e KeyEdit) (Key, error)
	// RollKey stores the successor of a key (Key.Successor), and sets the revocation time of the old key, together.
	// Error: ErrNotRollable, by Key.CheckRollable at now.
	RollKey(ctx context.Context, id string, now, end time.Time, made Key) (old, successor Key, err error)
	// RecordKeyUses sets the last use of keys, by id, if it is later than the stored one. Unknown ids are ignored.
	RecordKeyUses(ctx context.Context, uses map[string]time.Time) error
	// OriginAllowed reports whether a key that is usable at the given time allows the origin.
	OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error)
}
