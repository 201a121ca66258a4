package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"millwright/core/service"
)

// CreateTeam implements service.Accounts.
func (s *Store) CreateTeam(ctx context.Context, t service.Team) error {
	_, err := s.write.ExecContext(ctx, `INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)`,
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
	_, err := s.write.ExecContext(ctx, `INSERT INTO users (id, team_id, name, created_at) VALUES (?, ?, ?, ?)`,
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

const keyColumns = `id, team_id, creator_id, name, prefix, hash, access_core, access_dfm, access_quoting,
	allowed_origins, expires_at, revoked_at, created_at`

// CreateKey implements service.Accounts.
func (s *Store) CreateKey(ctx context.Context, k service.Key) error {
	origins, err := json.Marshal(k.AllowedOrigins)
	if err != nil {
		return err
	}
	_, err = s.write.ExecContext(ctx,
		`INSERT INTO keys (`+keyColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.TeamID, k.CreatorID, k.Name, k.Prefix, k.Hash[:],
		k.Access.Core.String(), k.Access.DFM.String(), k.Access.Quoting.String(),
		string(origins), microsOrNull(k.ExpiresAt), microsOrNull(k.RevokedAt), micros(k.CreatedAt))
	return unique(err)
}

// KeyByHash implements service.Accounts.
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (service.Key, error) {
	return scanKey(s.read.QueryRowContext(ctx, `SELECT `+keyColumns+` FROM keys WHERE hash = ?`, hash[:]))
}

// ListKeys implements service.Accounts.
func (s *Store) ListKeys(ctx context.Context, teamID string) ([]service.Key, error) {
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+keyColumns+` FROM keys WHERE team_id = ? ORDER BY created_at, seq`, teamID)
	return collect(rows, err, scanKey)
}

// RevokeKey implements service.Accounts.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) (service.Key, error) {
	return scanKey(s.write.QueryRowContext(ctx,
		`UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING `+keyColumns,
		micros(at), id))
}

func scanKey(r row) (service.Key, error) {
	var k service.Key
	var hash []byte
	var core, dfm, quoting, origins string
	var expires, revoked sql.NullInt64
	var created int64
	err := r.Scan(&k.ID, &k.TeamID, &k.CreatorID, &k.Name, &k.Prefix, &hash, &core, &dfm, &quoting,
		&origins, &expires, &revoked, &created)
	if err != nil {
		return service.Key{}, found(err)
	}
	if copy(k.Hash[:], hash) != len(k.Hash) {
		return service.Key{}, fmt.Errorf("key %s: hash has %d bytes", k.ID, len(hash))
	}
	for _, l := range []struct {
		level *service.Level
		text  string
	}{{&k.Access.Core, core}, {&k.Access.DFM, dfm}, {&k.Access.Quoting, quoting}} {
		if err := l.level.UnmarshalText([]byte(l.text)); err != nil {
			return service.Key{}, fmt.Errorf("key %s: %w", k.ID, err)
		}
	}
	if err := json.Unmarshal([]byte(origins), &k.AllowedOrigins); err != nil {
		return service.Key{}, fmt.Errorf("key %s: origins: %w", k.ID, err)
	}
	k.ExpiresAt, k.RevokedAt, k.CreatedAt = timeOrNil(expires), timeOrNil(revoked), fromMicros(created)
	return k, nil
}
