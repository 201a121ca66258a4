package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
)

// keyColumns are the columns that scanKey reads.
const keyColumns = `id, team_id, creator_id, name, prefix, hash, access_core, access_dfm, access_quoting,
	allowed_origins, expires_at, revoked_at, created_at, kind, last_used_at, replaces, replaced_by`

// insertKey adds a key without the index of its origins.
func insertKey(ctx context.Context, q Querier, k account.Key) error {
	origins, err := jsonText(append([]string{}, k.AllowedOrigins...))
	if err != nil {
		return err
	}
	return change(ctx, q, `INSERT INTO keys (`+keyColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		k.ID, k.TeamID, k.CreatorID, k.Name, k.Prefix, k.Hash[:],
		k.Access.Core.String(), k.Access.DFM.String(), k.Access.Quoting.String(),
		origins, microsOrNull(k.ExpiresAt), microsOrNull(k.RevokedAt), Micros(k.CreatedAt),
		k.Kind, microsOrNull(k.LastUsedAt), k.Replaces, k.ReplacedBy)
}

// scanKey reads a row of its columns.
func scanKey(r Row) (account.Key, error) {
	var k account.Key
	var hash, origins []byte
	var core, dfm, quoting string
	var expires, revoked, used *int64
	var created int64
	err := r.Scan(&k.ID, &k.TeamID, &k.CreatorID, &k.Name, &k.Prefix, &hash, &core, &dfm, &quoting,
		&origins, &expires, &revoked, &created, &k.Kind, &used, &k.Replaces, &k.ReplacedBy)
	if err != nil {
		return account.Key{}, err
	}
	if copy(k.Hash[:], hash) != len(k.Hash) {
		return account.Key{}, fmt.Errorf("key %s: hash has %d bytes", k.ID, len(hash))
	}
	for _, l := range []struct {
		level *account.Level
		text  string
	}{{&k.Access.Core, core}, {&k.Access.DFM, dfm}, {&k.Access.Quoting, quoting}} {
		if err := l.level.UnmarshalText([]byte(l.text)); err != nil {
			return account.Key{}, fmt.Errorf("key %s: %w", k.ID, err)
		}
	}
	if err := json.Unmarshal(origins, &k.AllowedOrigins); err != nil {
		return account.Key{}, fmt.Errorf("key %s: origins: %w", k.ID, err)
	}
	k.ExpiresAt, k.RevokedAt, k.CreatedAt = timeOrNil(expires), timeOrNil(revoked), Time(created)
	k.LastUsedAt = timeOrNil(used)
	return k, nil
}

// CreateKey implements account.KeyStore.
func (s *Store) CreateKey(ctx context.Context, k account.Key) error {
	return s.DB.Tx(ctx, unlessThere("keys", k.ID), func(ctx context.Context, q Querier) error {
		if err := insertKey(ctx, q, k); err != nil {
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

// EditKey implements account.KeyStore.
func (s *Store) EditKey(ctx context.Context, id string, e account.KeyEdit) (key account.Key, err error) {
	err = s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		key, err = lockKey(ctx, q, id)
		if err != nil {
			return err
		}
		if key.Kind == account.KeyPortal {
			return record.ErrNotFound
		}
		if e.Name != nil {
			key.Name = text(*e.Name)
		}
		if e.Access != nil {
			key.Access = *e.Access
		}
		if e.AllowedOrigins != nil {
			key.AllowedOrigins = e.AllowedOrigins
		}
		if e.ExpiresAt != nil || e.NeverExpires {
			key.ExpiresAt = e.ExpiresAt
		}
		origins, err := jsonText(key.AllowedOrigins)
		if err != nil {
			return err
		}
		err = change(ctx, q, `UPDATE keys SET access_core = $2, access_dfm = $3, access_quoting = $4,
			allowed_origins = $5, name = $6, expires_at = $7 WHERE id = $1`, id, key.Access.Core.String(),
			key.Access.DFM.String(), key.Access.Quoting.String(), origins, key.Name, microsOrNull(key.ExpiresAt))
		if err != nil {
			return err
		}
		return indexOrigins(ctx, q, key)
	})
	return key, err
}

// lockKey reads a key that the transaction changes.
func lockKey(ctx context.Context, q Querier, id string) (account.Key, error) {
	return One(ctx, q, scanKey, `SELECT `+keyColumns+` FROM keys WHERE id = $1`+q.Lock("NO KEY UPDATE"), id)
}

// RollKey implements account.KeyStore.
func (s *Store) RollKey(
	ctx context.Context, id string, now, end time.Time, made account.Key,
) (old, successor account.Key, err error) {
	err = s.DB.Tx(ctx, unlessThere("keys", made.ID), func(ctx context.Context, q Querier) error {
		if old, err = lockKey(ctx, q, id); err != nil {
			return err
		}
		if err := old.CheckRollable(now); err != nil {
			return err
		}
		successor = old.Successor(made)
		old.RevokedAt, old.ReplacedBy = &end, successor.ID
		if err := insertKey(ctx, q, successor); err != nil {
			return err
		}
		if err := indexOrigins(ctx, q, successor); err != nil {
			return err
		}
		return change(ctx, q, `UPDATE keys SET revoked_at = $2, replaced_by = $3 WHERE id = $1`,
			id, Micros(end), successor.ID)
	})
	return old, successor, err
}

// RecordKeyUses implements account.KeyStore. Rows are locked in the order of their ids, since several processes write.
func (s *Store) RecordKeyUses(ctx context.Context, uses map[string]time.Time) error {
	rows, err := list(slices.Sorted(maps.Keys(uses)), func(id string) []any { return []any{id, Micros(uses[id])} })
	if err != nil {
		return err
	}
	return s.DB.Tx(ctx, Harmless, func(ctx context.Context, q Querier) error {
		_, err := Collect(ctx, q, Value[string], `SELECT id FROM keys WHERE id `+q.AnyOf(`
			SELECT value ->> 0 FROM `+q.List("$1")+` u`)+` ORDER BY id`+q.Lock("NO KEY UPDATE"), rows)
		if err != nil {
			return err
		}
		return change(ctx, q, `UPDATE keys SET last_used_at = u.at FROM (
			SELECT value ->> 0 AS id, CAST(value ->> 1 AS BIGINT) AS at FROM `+q.List("$1")+` l) u
			WHERE keys.id = u.id AND (keys.last_used_at IS NULL OR keys.last_used_at < u.at)`, rows)
	})
}

// OriginAllowed implements account.KeyStore.
func (s *Store) OriginAllowed(ctx context.Context, origin string, now time.Time) (bool, error) {
	return ReadRow(ctx, s.DB, Value[bool], `SELECT EXISTS (
		SELECT 1 FROM key_origins o JOIN keys k ON k.id = o.key_id WHERE o.origin = $1
		AND (k.revoked_at IS NULL OR k.revoked_at > $2) AND (k.expires_at IS NULL OR k.expires_at > $2))`,
		text(origin), Micros(now))
}

// KeyByHash implements account.KeyStore. Triggers count the changes in the transactions that make them.
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (account.Key, error) {
	var version int64
	scan := func(r Row) (account.Key, error) { return scanKey(longer{r, []any{&version}}) }
	key, err := ReadRow(ctx, s.DB, scan,
		`SELECT `+keyColumns+`, (`+selectTeamVersion+`) FROM keys WHERE hash = $1`, hash[:])
	key.TeamVersion = version
	return key, err
}

// selectTeamVersion returns the version of the team of a row of keys.
const selectTeamVersion = `SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM job_changes
	WHERE job_changes.team_id = keys.team_id`

// Key implements account.KeyStore.
func (s *Store) Key(ctx context.Context, teamID, id string) (account.Key, error) {
	return ReadRow(ctx, s.DB, scanKey, `SELECT `+keyColumns+` FROM keys WHERE team_id = $1 AND id = $2`, teamID, id)
}

// ListKeys implements account.KeyStore.
func (s *Store) ListKeys(ctx context.Context, teamID string) ([]account.Key, error) {
	return ReadRows(ctx, s.DB, scanKey,
		`SELECT `+keyColumns+` FROM keys WHERE team_id = $1 ORDER BY created_at, seq`, teamID)
}

// RevokeKey implements account.KeyStore.
func (s *Store) RevokeKey(ctx context.Context, id string, at time.Time) (key account.Key, err error) {
	err = s.DB.Write(ctx, Harmless, func(ctx context.Context, q Querier) error {
		key, err = One(ctx, q, scanKey,
			`UPDATE keys SET revoked_at = CASE WHEN revoked_at < $1 THEN revoked_at ELSE $1 END WHERE id = $2
			RETURNING `+keyColumns, Micros(at), id)
		return err
	})
	return key, err
}
