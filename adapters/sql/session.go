package sql

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
)

// CreateLink implements session.Store.
func (s *Store) CreateLink(ctx context.Context, l session.Link) error {
	hash := hex.EncodeToString(l.Hash[:])
	_, err := Exec(ctx, s.DB, unless(`SELECT 1 FROM links WHERE hash = $1`, hash),
		`INSERT INTO links (hash, user_id, created_at, expires_at, used_at) VALUES ($1, $2, $3, $4, $5)`,
		hash, l.UserID, Micros(l.CreatedAt), Micros(l.ExpiresAt), microsOrNull(l.UsedAt))
	return err
}

// SignIn implements session.Store.
func (s *Store) SignIn(
	ctx context.Context, link session.Hash, now time.Time, key account.Key, made session.Session,
) error {
	hash, linkHash := hex.EncodeToString(made.Hash[:]), hex.EncodeToString(link[:])
	again := unless(`SELECT 1 FROM sessions WHERE hash = $1`, hash)
	return s.DB.Tx(ctx, again, func(ctx context.Context, q Querier) error {
		var usable bool
		var err error
		key.CreatorID, err = One(ctx, q, func(r Row) (userID string, err error) {
			var used *int64
			var expires int64
			err = r.Scan(&userID, &expires, &used)
			usable = used == nil && Micros(now) < expires
			return userID, err
		}, `SELECT user_id, expires_at, used_at FROM links WHERE hash = $1`+q.Lock("UPDATE"), linkHash)
		if err != nil {
			return err
		}
		if !usable {
			return session.ErrLinkUsed
		}
		err = change(ctx, q, `UPDATE links SET used_at = $2 WHERE hash = $1`, linkHash, Micros(now))
		if err != nil {
			return err
		}
		keyID, err := portalKey(ctx, q, key)
		if err != nil {
			return err
		}
		return change(ctx, q,
			`INSERT INTO sessions (hash, key_id, created_at, seen_at, expires_at, agent)
			VALUES ($1, $2, $3, $4, $5, $6)`,
			hash, keyID, Micros(made.CreatedAt), Micros(made.SeenAt), Micros(made.ExpiresAt), text(made.Agent))
	})
}

// portalKey returns the id of the portal key of a user, and adds the key if the user has none. The lock of the user
// makes concurrent sign-ins of one user wait.
func portalKey(ctx context.Context, q Querier, key account.Key) (id string, err error) {
	key.TeamID, err = One(ctx, q, Value[string],
		`SELECT team_id FROM users WHERE id = $1`+q.Lock("NO KEY UPDATE"), key.CreatorID)
	if err != nil {
		return "", err
	}
	id, err = One(ctx, q, Value[string],
		`SELECT id FROM keys WHERE creator_id = $1 AND kind = 'portal' AND revoked_at IS NULL`, key.CreatorID)
	if errors.Is(err, record.ErrNotFound) {
		return key.ID, insertKey(ctx, q, key)
	}
	return id, err
}

// Session implements session.Store.
func (s *Store) Session(ctx context.Context, hash session.Hash) (session.Current, error) {
	return ReadRow(ctx, s.DB, scanSession, `SELECT `+keyColumns+`, (`+selectTeamVersion+`),
		(SELECT name FROM teams WHERE teams.id = keys.team_id),
		(SELECT created_at FROM teams WHERE teams.id = keys.team_id),
		(SELECT name FROM users WHERE users.id = creator_id),
		(SELECT created_at FROM users WHERE users.id = creator_id),
		s.session_hash, s.opened_at, s.seen_at, s.ends_at, s.agent FROM keys JOIN (
			SELECT hash AS session_hash, key_id, created_at AS opened_at, seen_at, expires_at AS ends_at, agent
			FROM sessions WHERE hash = $1) s ON s.key_id = keys.id`, hex.EncodeToString(hash[:]))
}

func scanSession(r Row) (c session.Current, err error) {
	var version, team, user, opened, seen, ends int64
	var hash string
	c.Key, err = scanKey(longer{r, []any{
		&version, &c.Team.Name, &team, &c.User.Name, &user, &hash, &opened, &seen, &ends, &c.Agent,
	}})
	if err != nil {
		return session.Current{}, err
	}
	c.Key.TeamVersion = version
	c.Team.ID, c.Team.CreatedAt = c.Key.TeamID, Time(team)
	c.User.ID, c.User.TeamID, c.User.CreatedAt = c.Key.CreatorID, c.Key.TeamID, Time(user)
	c.KeyID, c.CreatedAt, c.SeenAt, c.ExpiresAt = c.Key.ID, Time(opened), Time(seen), Time(ends)
	if n, err := hex.Decode(c.Hash[:], []byte(hash)); err != nil || n != len(c.Hash) {
		return session.Current{}, fmt.Errorf("session of key %s: the hash has %d bytes (%w)", c.KeyID, n, err)
	}
	return c, nil
}

// EndSession implements session.Store.
func (s *Store) EndSession(ctx context.Context, hash session.Hash) error {
	_, err := Exec(ctx, s.DB, Harmless, `DELETE FROM sessions WHERE hash = $1`, hex.EncodeToString(hash[:]))
	return err
}

// RecordSeen implements session.Store. Rows are locked in the order of their hashes, since several processes write.
func (s *Store) RecordSeen(ctx context.Context, seen map[session.Hash]time.Time) error {
	at := map[string]time.Time{}
	for hash, t := range seen {
		at[hex.EncodeToString(hash[:])] = t
	}
	rows, err := list(slices.Sorted(maps.Keys(at)), func(hash string) []any { return []any{hash, Micros(at[hash])} })
	if err != nil {
		return err
	}
	return s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		_, err := Collect(ctx, q, Value[string], `SELECT hash FROM sessions WHERE hash `+q.AnyOf(`
			SELECT value ->> 0 FROM `+q.List("$1")+` u`)+` ORDER BY hash`+q.Lock("NO KEY UPDATE"), rows)
		if err != nil {
			return err
		}
		return change(ctx, q, `UPDATE sessions SET seen_at = u.at FROM (
			SELECT value ->> 0 AS hash, CAST(value ->> 1 AS BIGINT) AS at FROM `+q.List("$1")+` l) u
			WHERE sessions.hash = u.hash AND sessions.seen_at < u.at`, rows)
	})
}

// SignedInOnce implements session.Store. Portal keys stay when sessions go.
func (s *Store) SignedInOnce(ctx context.Context) (bool, error) {
	return ReadRow(ctx, s.DB, Value[bool], `SELECT EXISTS (SELECT 1 FROM keys WHERE kind = 'portal')`)
}

// PurgeSessions implements session.Store.
func (s *Store) PurgeSessions(ctx context.Context, before time.Time) error {
	for _, table := range []string{"links", "sessions"} {
		statement := `DELETE FROM ` + table + ` WHERE expires_at < $1`
		if _, err := Exec(ctx, s.DB, Harmless, statement, Micros(before)); err != nil {
			return err
		}
	}
	return nil
}
