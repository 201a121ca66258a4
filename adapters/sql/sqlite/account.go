package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	record "millwright/adapters/sql"
	"millwright/core/service"
)

// CreateTeam implements service.Accounts.
func (s *Store) CreateTeam(ctx context.Context, t service.Team) error {
	_, err := s.exec(ctx, `INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)`,
		t.ID, t.Name, micros(t.CreatedAt))
	return unique(err)
}

// TeamByName implements service.Accounts.
func (s *Store) TeamByName(ctx context.Context, name string) (service.Team, error) {
	var t service.Team
	var created int64
	err := s.read.QueryRowContext(ctx, `SELECT id, name, created_at FROM teams WHERE name = ?`, name).
		Scan(&t.ID, &t.Name, &created)
	t.CreatedAt = fromMicros(created)
	return t, found(err)
}

// CreateUser implements service.Accounts.
func (s *Store) CreateUser(ctx context.Context, u service.User) error {
	_, err := s.exec(ctx, `INSERT INTO users (id, team_id, name, created_at) VALUES (?, ?, ?, ?)`,
		u.ID, u.TeamID, u.Name, micros(u.CreatedAt))
	return unique(err)
}

// UserByName implements service.Accounts.
func (s *Store) UserByName(ctx context.Context, teamID, name string) (service.User, error) {
	var u service.User
	var created int64
	err := s.read.QueryRowContext(ctx,
		`SELECT id, team_id, name, created_at FROM users WHERE team_id = ? AND name = ?`, teamID, name).
		Scan(&u.ID, &u.TeamID, &u.Name, &created)
	u.CreatedAt = fromMicros(created)
	return u, found(err)
}

// CreateKey implements service.Accounts.
func (s *Store) CreateKey(ctx context.Context, k service.Key) error {
	origins, err := json.Marshal(k.AllowedOrigins)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO keys (`+record.KeyColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			k.ID, k.TeamID, k.CreatorID, k.Name, k.Prefix, k.Hash[:],
			k.Access.Core.String(), k.Access.DFM.String(), k.Access.Quoting.String(),
			string(origins), microsOrNull(k.ExpiresAt), microsOrNull(k.RevokedAt), micros(k.CreatedAt))
		if err != nil {
			return unique(err)
		}
		return indexOrigins(ctx, tx, k.ID)
	})
}

// indexOrigins makes key_origins say what the key's allowlist says.
func indexOrigins(ctx context.Context, tx *sql.Tx, keyID string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM key_origins WHERE key_id = ?`, keyID); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO key_origins (origin, key_id)
		SELECT o.value, k.id FROM keys k, json_each(k.allowed_origins) o WHERE k.id = ?`, keyID)
	return err
}

// GrantKey implements service.Accounts.
func (s *Store) GrantKey(ctx context.Context, id string, g service.Grant) (service.Key, error) {
	var key service.Key
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		var err error
		key, err = record.ScanKey(one(tx.QueryRowContext(ctx, `SELECT `+record.KeyColumns+` FROM keys WHERE id = ?`, id)))
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
		_, err = tx.ExecContext(ctx, `UPDATE keys SET access_core = ?, access_dfm = ?, access_quoting = ?,
			allowed_origins = ? WHERE id = ?`, key.Access.Core.String(), key.Access.DFM.String(),
			key.Access.Quoting.String(), string(origins), id)
		if err != nil {
			return err
		}
		return indexOrigins(ctx, tx, id)
	})
	return key, err
}

// OriginAllowed implements service.Accounts.
func (s *Store) OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error) {
	var allowed bool
	err := s.read.QueryRowContext(ctx, `SELECT EXISTS (
		SELECT 1 FROM key_origins o JOIN keys k ON k.id = o.key_id WHERE o.origin = ?1
		AND (k.revoked_at IS NULL OR k.revoked_at > ?2) AND (k.expires_at IS NULL OR k.expires_at > ?2))`,
		origin, micros(now)).Scan(&allowed)
	return allowed, err
}

// KeyByHash implements service.Accounts.
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (service.Key, error) {
	return record.ScanKey(one(s.read.QueryRowContext(ctx,
		`SELECT `+record.KeyColumns+` FROM keys WHERE hash = ?`, hash[:])))
}

// ListKeys implements service.Accounts.
func (s *Store) ListKeys(ctx context.Context, teamID string) ([]service.Key, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+record.KeyColumns+` FROM keys WHERE team_id = ? ORDER BY created_at, seq`, teamID)
	return collect(rows, err, record.ScanKey)
}

// RevokeKey implements service.Accounts.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) (service.Key, error) {
	key, err := record.ScanKey(one(s.write.QueryRowContext(ctx,
		`UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING `+record.KeyColumns,
		micros(at), id)))
	return key, busy(err)
}
