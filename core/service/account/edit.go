package account

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// maxKeyName is the maximum length of a key's name, characters.
const maxKeyName = 200

// checkKeyName returns an error unless the name is usable. Error code: invalid_request.
func checkKeyName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return apierr.Errorf(apierr.InvalidRequest, "The key's name is missing.")
	case utf8.RuneCountInString(name) > maxKeyName:
		return apierr.Errorf(apierr.InvalidRequest, "A key's name has at most %d characters.", maxKeyName)
	}
	return nil
}

// KeyEdit is a change of a key; nil fields stay unchanged.
type KeyEdit struct {
	Name           *string
	Access         *AccessGrid
	AllowedOrigins []string
	ExpiresAt      *time.Time
	NeverExpires   bool // removes the time of expiry
}

func (e KeyEdit) isEmpty() bool {
	return e.Name == nil && e.Access == nil && e.AllowedOrigins == nil && e.ExpiresAt == nil && !e.NeverExpires
}

// EditKey changes a key from the next request on. A key that has expired is usable again after a later expiry.
// Portal keys do not change. Error codes: not_found, invalid_request.
func (s *Service) EditKey(ctx context.Context, keyID string, e KeyEdit) (Key, error) {
	switch {
	case e.isEmpty():
		return Key{}, apierr.Errorf(apierr.InvalidRequest,
			"Say what to change of the key: name, access, origins or expiry.")
	case e.ExpiresAt != nil && e.NeverExpires:
		return Key{}, apierr.Errorf(apierr.InvalidRequest, "A key has a time of expiry or none, not both.")
	case e.ExpiresAt != nil && !e.ExpiresAt.After(s.now()):
		return Key{}, apierr.Errorf(apierr.InvalidRequest, "The key would have expired already.")
	}
	if e.Name != nil {
		if err := checkKeyName(*e.Name); err != nil {
			return Key{}, err
		}
	}
	if e.Access != nil {
		access := e.Access.settled()
		e.Access = &access
	}
	if e.ExpiresAt != nil {
		at := record.TruncateTime(*e.ExpiresAt)
		e.ExpiresAt = &at
	}
	var err error
	if e.AllowedOrigins, err = checkOrigins(e.AllowedOrigins); err != nil {
		return Key{}, err
	}
	key, err := s.keys.EditKey(ctx, keyID, e)
	if err != nil {
		return Key{}, noKey(keyID, err)
	}
	return s.uses.overlaid(key), nil
}
