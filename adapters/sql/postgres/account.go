package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// CreateTeam implements service.Accounts.
func (s *Store) CreateTeam(ctx context.Context, t service.Team) error {
	_, err := s.exec(ctx, unlessThere("teams", t.ID),
		`INSERT INTO teams (id, name, created_at) VALUES ($1, $2, $3)`, t.ID, t.Name, micros(t.CreatedAt))
	return unique(err)
}

// unlessThere is for adding a record: it took place when its id is there, which nobody else makes.
func unlessThere(table, id string) repeat {
	return unless(func(ctx context.Context, q querier) (there bool, err error) {
		name := pgx.Identifier{table}.Sanitize()
		return there, q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+name+` WHERE id = $1)`, id).Scan(&there)
	})
}

// TeamByName implements service.Accounts.
func (s *Store) TeamByName(ctx context.Context, name string) (service.Team, error) {
	return readRow(ctx, s, func(r record.Row) (t service.Team, err error) {
		var created int64
		err = r.Scan(&t.ID, &t.Name, &created)
		t.CreatedAt = fromMicros(created)
		return t, found(err)
	}, `SELECT id, name, created_at FROM teams WHERE name = $1`, name)
}

// CreateUser implements service.Accounts.
func (s *Store) CreateUser(ctx context.Context, u service.User) error {
	_, err := s.exec(ctx, unlessThere("users", u.ID),
		`INSERT INTO users (id, team_id, name, created_at) VALUES ($1, $2, $3, $4)`,
		u.ID, u.TeamID, u.Name, micros(u.CreatedAt))
	return unique(err)
}

// UserByName implements service.Accounts.
func (s *Store) UserByName(ctx context.Context, teamID, name string) (service.User, error) {
	return readRow(ctx, s, func(r record.Row) (u service.User, err error) {
		var created int64
		err = r.Scan(&u.ID, &u.TeamID, &u.Name, &created)
		u.CreatedAt = fromMicros(created)
		return u, found(err)
	}, `SELECT id, team_id, name, created_at FROM users WHERE team_id = $1 AND name = $2`, teamID, name)
}

// CreateKey implements service.Accounts.
func (s *Store) CreateKey(ctx context.Context, k service.Key) error {
	origins, err := json.Marshal(append([]string{}, k.AllowedOrigins...))
	if err != nil {
		return err
	}
	return s.inTx(ctx, unlessThere("keys", k.ID), func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx,
			`INSERT INTO keys (`+record.KeyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			k.ID, k.TeamID, k.CreatorID, k.Name, k.Prefix, k.Hash[:],
			k.Access.Core.String(), k.Access.DFM.String(), k.Access.Quoting.String(),
			origins, microsOrNull(k.ExpiresAt), microsOrNull(k.RevokedAt), micros(k.CreatedAt))
		if err != nil {
			return unique(err)
		}
		return indexOrigins(ctx, tx, k.ID)
	})
}

// indexOrigins makes key_origins say what the key's allowlist says.
func indexOrigins(ctx context.Context, tx pgx.Tx, keyID string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM key_origins WHERE key_id = $1`, keyID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO key_origins (origin, key_id) SELECT DISTINCT o.origin, k.id
		FROM keys k CROSS JOIN json_array_elements_text(k.allowed_origins) o (origin) WHERE k.id = $1`, keyID)
	return err
}

// GrantKey implements service.Accounts.
func (s *Store) GrantKey(ctx context.Context, id string, g service.Grant) (key service.Key, err error) {
	err = s.inTx(ctx, harmless, func(ctx context.Context, tx pgx.Tx) error {
		key, err = record.ScanKey(one(tx.QueryRow(ctx,
			`SELECT `+record.KeyColumns+` FROM keys WHERE id = $1 FOR NO KEY UPDATE`, id)))
		if err != nil {
			return err
		}
		if g.Access != nil {
			key.Access = *g.Access
		}
		if g.AllowedOrigins != nil {
			key.AllowedOrigins = g.AllowedOrigins
		}
		origins, err := json.Marshal(key.AllowedOrigins)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE keys SET access_core = $2, access_dfm = $3, access_quoting = $4,
			allowed_origins = $5 WHERE id = $1`, id, key.Access.Core.String(), key.Access.DFM.String(),
			key.Access.Quoting.String(), origins)
		if err != nil {
			return err
		}
		return indexOrigins(ctx, tx, id)
	})
	return key, err
}

// OriginAllowed implements service.Accounts.
func (s *Store) OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error) {
	return readRow(ctx, s, scanValue[bool], `SELECT EXISTS (
		SELECT 1 FROM key_origins o JOIN keys k ON k.id = o.key_id WHERE o.origin = $1
		AND (k.revoked_at IS NULL OR k.revoked_at > $2) AND (k.expires_at IS NULL OR k.expires_at > $2))`,
		text(origin), micros(now))
}

// KeyByHash implements service.Accounts.
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (service.Key, error) {
	return readRow(ctx, s, record.ScanKey, `SELECT `+record.KeyColumns+` FROM keys WHERE hash = $1`, hash[:])
}

// ListKeys implements service.Accounts.
func (s *Store) ListKeys(ctx context.Context, teamID string) ([]service.Key, error) {
	return readRows(ctx, s, record.ScanKey,
		`SELECT `+record.KeyColumns+` FROM keys WHERE team_id = $1 ORDER BY created_at, seq`, teamID)
}

// RevokeKey implements service.Accounts.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) (service.Key, error) {
	return readRow(ctx, s, record.ScanKey, // twice is the same as once
		`UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING `+record.KeyColumns,
		micros(at), id)
}
