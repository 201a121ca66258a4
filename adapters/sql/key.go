package sql

import (
	"encoding/json"
	"fmt"

	"millwright.dev/millwright/core/service/account"
)

// keyColumns are the columns that scanKey reads.
const keyColumns = `id, team_id, creator_id, name, prefix, hash, access_core, access_dfm, access_quoting,
	allowed_origins, expires_at, revoked_at, created_at`

// scanKey reads a row of its columns.
func scanKey(r Row) (account.Key, error) {
	var k account.Key
	var hash, origins []byte
	var core, dfm, quoting string
	var expires, revoked *int64
	var created int64
	err := r.Scan(&k.ID, &k.TeamID, &k.CreatorID, &k.Name, &k.Prefix, &hash, &core, &dfm, &quoting,
		&origins, &expires, &revoked, &created)
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
	return k, nil
}
