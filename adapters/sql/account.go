package sql

import (
	"context"
	"time"

	"millwright.dev/millwright/core/service/account"
)

// CreateTeam implements account.Store.
func (s *Store) CreateTeam(ctx context.Context, t account.Team) error {
	_, err := Exec(ctx, s.DB, unlessThere("teams", t.ID),
		`INSERT INTO teams (id, name, created_at) VALUES ($1, $2, $3)`, t.ID, t.Name, Micros(t.CreatedAt))
	return err
}

// TeamByName implements account.Store.
func (s *Store) TeamByName(ctx context.Context, name string) (account.Team, error) {
	return ReadRow(ctx, s.DB, func(r Row) (t account.Team, err error) {
		var created int64
		err = r.Scan(&t.ID, &t.Name, &created)
		t.CreatedAt = Time(created)
		return t, err
	}, `SELECT id, name, created_at FROM teams WHERE name = $1`, name)
}

// CreateUser implements account.Store.
func (s *Store) CreateUser(ctx context.Context, u account.User) error {
	_, err := Exec(ctx, s.DB, unlessThere("users", u.ID),
		`INSERT INTO users (id, team_id, name, created_at) VALUES ($1, $2, $3, $4)`,
		u.ID, u.TeamID, u.Name, Micros(u.CreatedAt))
	return err
}

// UserByName implements account.Store.
func (s *Store) UserByName(ctx context.Context, teamID, name string) (account.User, error) {
	return ReadRow(ctx, s.DB, func(r Row) (u account.User, err error) {
		var created int64
		err = r.Scan(&u.ID, &u.TeamID, &u.Name, &created)
		u.CreatedAt = Time(created)
		return u, err
	}, `SELECT id, team_id, name, created_at FROM users WHERE team_id = $1 AND name = $2`, teamID, name)
}

// CreateKey implements account.Store.
func (s *Store) CreateKey(ctx context.Context, k account.Key) error {
	origins, err := jsonText(append([]string{}, k.AllowedOrigins...))
	if err != nil {
		return err
	}
	return s.DB.Tx(ctx, unlessThere("keys", k.ID), func(ctx context.Context, q Querier) error {
		err := change(ctx, q,
			`INSERT INTO keys (`+keyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			k.ID, k.TeamID, k.CreatorID, k.Name, k.Prefix, k.Hash[:],
			k.Access.Core.String(), k.Access.DFM.String(), k.Access.Quoting.String(),
			origins, microsOrNull(k.ExpiresAt), microsOrNull(k.RevokedAt), Micros(k.CreatedAt))
		if err != nil {
			return err
		}
		return indexOrigins(ctx, q, k)
	})
}

// indexOrigins copies the origins of the key's allowlist to key_origins.
func indexOrigins(ctx context.Context, q Querier, k account.Key) error {
	origins, err := ids(k.AllowedOrigins)
	if err != nil {
		return err
	}
	if err := change(ctx, q, `DELETE FROM key_origins WHERE key_id = $1`, k.ID); err != nil {
		return err
	}
	return change(ctx, q, `INSERT INTO key_origins (origin, key_id) SELECT DISTINCT o.value ->> 0, k.id
		FROM keys k CROSS JOIN `+q.List("$2")+` o WHERE k.id = $1`, k.ID, origins)
}

// GrantKey implements account.Store.
func (s *Store) GrantKey(ctx context.Context, id string, g account.Grant) (key account.Key, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		key, err = One(ctx, q, scanKey, `SELECT `+keyColumns+` FROM keys WHERE id = $1`+q.Lock("NO KEY UPDATE"), id)
		if err != nil {
			return err
		}
		if g.Access != nil {
			key.Access = *g.Access
		}
		if g.AllowedOrigins != nil {
			key.AllowedOrigins = g.AllowedOrigins
		}
		origins, err := jsonText(key.AllowedOrigins)
		if err != nil {
			return err
		}
		err = change(ctx, q, `UPDATE keys SET access_core = $2, access_dfm = $3, access_quoting = $4,
			allowed_origins = $5 WHERE id = $1`, id, key.Access.Core.String(), key.Access.DFM.String(),
			key.Access.Quoting.String(), origins)
		if err != nil {
			return err
		}
		return indexOrigins(ctx, q, key)
	})
	return key, err
}

// OriginAllowed implements account.Store.
func (s *Store) OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error) {
	return ReadRow(ctx, s.DB, Value[bool], `SELECT EXISTS (
		SELECT 1 FROM key_origins o JOIN keys k ON k.id = o.key_id WHERE o.origin = $1
		AND (k.revoked_at IS NULL OR k.revoked_at > $2) AND (k.expires_at IS NULL OR k.expires_at > $2))`,
		text(origin), Micros(now))
}

// KeyByHash implements account.Store. Triggers count the changes in the transactions that make them.
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (account.Key, error) {
	var version int64
	scan := func(r Row) (account.Key, error) { return scanKey(longer{r, &version}) }
	key, err := ReadRow(ctx, s.DB, scan, `SELECT `+keyColumns+`, (SELECT CAST(coalesce(sum(n), 0) AS BIGINT)
		FROM job_changes WHERE job_changes.team_id = keys.team_id) FROM keys WHERE hash = $1`, hash[:])
	key.TeamVersion = version
	return key, err
}

// ListKeys implements account.Store.
func (s *Store) ListKeys(ctx context.Context, teamID string) ([]account.Key, error) {
	return ReadRows(ctx, s.DB, scanKey,
		`SELECT `+keyColumns+` FROM keys WHERE team_id = $1 ORDER BY created_at, seq`, teamID)
}

// RevokeKey implements account.Store.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) (key account.Key, err error) {
	err = s.DB.Write(ctx, Harmless, func(ctx context.Context, q Querier) error {
		key, err = One(ctx, q, scanKey,
			`UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING `+keyColumns, Micros(at), id)
		return err
	})
	return key, err
}
