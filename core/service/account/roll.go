package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// RollGraces are the permitted times for which a rolled key and its successor are both valid.
var RollGraces = []time.Duration{0, time.Hour, 24 * time.Hour}

// ErrNotRollable means that a key has been revoked or rolled, has expired, or is a portal key.
var ErrNotRollable = errors.New("the key cannot be rolled")

// RollKeyInput is the request for a successor of a key.
type RollKeyInput struct {
	KeyID  string
	UserID string        // creator of the new key; "" = the creator of the old one
	Grace  time.Duration // one of RollGraces
}

// RolledKey is a new key, the only sight of its text, and the key that it replaces.
type RolledKey struct {
	CreatedKey
	Old Key
}

// RollKey makes a key with another text and the name, grid and origins of an old one, which ends after the grace. The
// new key lives as long as the old one was made to live. Error codes: not_found, invalid_request.
func (s *Service) RollKey(ctx context.Context, in RollKeyInput) (RolledKey, error) {
	if !slices.Contains(RollGraces, in.Grace) {
		return RolledKey{}, apierr.Errorf(apierr.InvalidRequest,
			"An old key stays valid for 0, 1 or 24 hours, not for %s.", in.Grace)
	}
	text, err := newKeyText(s.random)
	if err != nil {
		return RolledKey{}, err
	}
	now := s.now()
	old, made, err := s.keys.RollKey(ctx, in.KeyID, now, now.Add(in.Grace), Key{
		ID: record.NewID(), CreatorID: in.UserID, Prefix: text[:keyPrefixShown], Hash: sha256.Sum256([]byte(text)),
		CreatedAt: now,
	})
	switch {
	case errors.Is(err, ErrNotRollable):
		return RolledKey{}, apierr.Errorf(apierr.InvalidRequest,
			"Only an active key of the API can be rolled, and only once; make a new key instead.")
	case err != nil:
		return RolledKey{}, noKey(in.KeyID, err)
	}
	return RolledKey{CreatedKey: CreatedKey{Key: made, Text: text}, Old: s.uses.overlaid(old)}, nil
}

// CheckRollable returns ErrNotRollable unless the key can be rolled at a time.
func (k Key) CheckRollable(now time.Time) error {
	if k.Kind != KeyOrdinary || k.StatusAt(now) != KeyActive || k.RevokedAt != nil || k.ReplacedBy != "" {
		return ErrNotRollable
	}
	return nil
}

// Successor completes the key that replaces k.
func (k Key) Successor(made Key) Key {
	made.TeamID, made.Name, made.Access, made.AllowedOrigins = k.TeamID, k.Name, k.Access, k.AllowedOrigins
	made.Kind, made.Replaces = k.Kind, k.ID
	if made.CreatorID == "" {
		made.CreatorID = k.CreatorID
	}
	if k.ExpiresAt != nil {
		at := made.CreatedAt.Add(k.ExpiresAt.Sub(k.CreatedAt))
		made.ExpiresAt = &at
	}
	return made
}
