package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
	"time"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// Team owns parts, jobs and keys.
type Team struct {
	ID        string
	Name      string
	CreatedAt time.Time
}

// User is a member of a team. A key states the user who created it.
type User struct {
	ID        string
	TeamID    string
	Name      string
	CreatedAt time.Time
}

// Key is an API key without its text, which is shown once and never stored.
type Key struct {
	ID             string
	TeamID         string
	CreatorID      string
	Name           string
	Prefix         string   // first characters of the text, for display
	Hash           [32]byte // SHA-256 of the whole text
	Access         AccessGrid
	AllowedOrigins []string   // never nil; empty = server to server only
	ExpiresAt      *time.Time // nil = never
	RevokedAt      *time.Time // in the future for a rolled key that is still valid
	CreatedAt      time.Time
	Kind           KeyKind
	LastUsedAt     *time.Time // nil = never; written once a minute
	Replaces       string     // id of the key that was rolled to get this one; "" = none
	ReplacedBy     string     // id of the key that this one was rolled to; "" = none
	// TeamVersion counts the changes of the team's jobs and their contents. Only KeyByHash sets it.
	TeamVersion int64
}

// KeyKind is the purpose of a key.
type KeyKind string

// The kinds. A portal key is the record by which the portal sessions of one user act. Its hash is random, so no text
// identifies it.
const (
	KeyOrdinary KeyKind = "key"
	KeyPortal   KeyKind = "portal"
)

// KeyStatus is the current validity of a key.
type KeyStatus string

// The states of a key; invalid is a text that is no key of ours.
const (
	KeyActive  KeyStatus = "active"
	KeyRevoked KeyStatus = "revoked"
	KeyExpired KeyStatus = "expired"
	KeyInvalid KeyStatus = "invalid"
)

// StatusAt returns the key's state at a time. Revocation outweighs expiry.
func (k Key) StatusAt(now time.Time) KeyStatus {
	switch {
	case k.RevokedAt != nil && !now.Before(*k.RevokedAt):
		return KeyRevoked
	case k.ExpiresAt != nil && !now.Before(*k.ExpiresAt):
		return KeyExpired
	}
	return KeyActive
}

// EndsAt returns the time at which a rolled key ends, nil if it has no such time or the time has passed.
func (k Key) EndsAt(now time.Time) *time.Time {
	if k.RevokedAt == nil || !now.Before(*k.RevokedAt) {
		return nil
	}
	return k.RevokedAt
}

// KeyValidation is the answer to whether a key text is usable now.
type KeyValidation struct {
	Valid  bool
	Status KeyStatus
}

// ValidateKey reports the state of a key text; "" is invalid.
func (s *Service) ValidateKey(ctx context.Context, text string) (KeyValidation, error) {
	key, err := s.lookUp(ctx, text)
	if errors.Is(err, record.ErrNotFound) {
		return KeyValidation{Status: KeyInvalid}, nil
	}
	if err != nil {
		return KeyValidation{}, err
	}
	status := key.StatusAt(s.now())
	return KeyValidation{Valid: status == KeyActive, Status: status}, nil
}

// Authenticate returns the caller that a key text identifies. Error codes: missing_api_key, invalid_api_key,
// revoked_api_key, expired_api_key.
func (s *Service) Authenticate(ctx context.Context, text string) (Caller, error) {
	if text == "" {
		return Caller{}, apierr.Errorf(apierr.MissingKey, "Send the API key as Authorization: Bearer <key>.")
	}
	key, err := s.lookUp(ctx, text)
	if errors.Is(err, record.ErrNotFound) {
		return Caller{}, apierr.Errorf(apierr.InvalidKey, "This is not an API key of this service.")
	}
	if err != nil {
		return Caller{}, err
	}
	now := s.now()
	switch key.StatusAt(now) {
	case KeyRevoked:
		return Caller{}, apierr.Errorf(apierr.RevokedKey, "Key %s… has been revoked.", key.Prefix)
	case KeyExpired:
		return Caller{}, apierr.Errorf(apierr.ExpiredKey, "Key %s… has expired.", key.Prefix)
	}
	s.NoteUse(key.ID, now)
	return key.Caller(), nil
}

// Caller returns the caller that the key identifies.
func (k Key) Caller() Caller {
	return Caller{
		TeamID: k.TeamID, KeyID: k.ID, UserID: k.CreatorID,
		Access: k.Access, AllowedOrigins: k.AllowedOrigins, TeamVersion: k.TeamVersion,
	}
}

// lookUp finds the record of a key text; a text with a wrong checksum never reaches the store.
func (s *Service) lookUp(ctx context.Context, text string) (Key, error) {
	if !wellFormedKey(text) {
		return Key{}, record.ErrNotFound
	}
	hash := sha256.Sum256([]byte(text))
	key, err := s.keys.KeyByHash(ctx, hash)
	if err == nil && subtle.ConstantTimeCompare(key.Hash[:], hash[:]) != 1 {
		return Key{}, record.ErrNotFound // the index of the look-up may compare only a part of the hash
	}
	return key, err
}

// CreateKeyInput is the request for a new key.
type CreateKeyInput struct {
	Team           string // name; created when the team does not exist
	User           string // name of the creator; created when the user does not exist; "" = owner
	Name           string
	Access         *AccessGrid // nil = FullAccess
	AllowedOrigins []string
	ExpiresAt      *time.Time
}

// CreatedKey is a new key and the only sight of its text.
type CreatedKey struct {
	Key  Key
	Text string
}

const ownerName = "owner"

// CreateKey makes a key, and its team and creator where they do not exist. Error code:
// invalid_request.
func (s *Service) CreateKey(ctx context.Context, in CreateKeyInput) (CreatedKey, error) {
	if strings.TrimSpace(in.Team) == "" {
		return CreatedKey{}, apierr.Errorf(apierr.InvalidRequest, "The key's team is missing.")
	}
	if err := checkKeyName(in.Name); err != nil {
		return CreatedKey{}, err
	}
	if in.ExpiresAt != nil && !in.ExpiresAt.After(s.now()) {
		return CreatedKey{}, apierr.Errorf(apierr.InvalidRequest, "The key would have expired already.")
	}
	origins, err := checkOrigins(in.AllowedOrigins)
	if err != nil {
		return CreatedKey{}, err
	}
	team, user, err := s.EnsureUser(ctx, in.Team, in.User)
	if err != nil {
		return CreatedKey{}, err
	}
	text, err := newKeyText(s.random)
	if err != nil {
		return CreatedKey{}, err
	}
	key := Key{
		ID: record.NewID(), TeamID: team.ID, CreatorID: user.ID, Name: in.Name,
		Prefix: text[:keyPrefixShown], Hash: sha256.Sum256([]byte(text)), Access: FullAccess,
		AllowedOrigins: append([]string{}, origins...), CreatedAt: s.now(), Kind: KeyOrdinary,
	}
	if in.Access != nil {
		key.Access = in.Access.settled()
	}
	if in.ExpiresAt != nil {
		at := record.TruncateTime(*in.ExpiresAt)
		key.ExpiresAt = &at
	}
	if err := s.keys.CreateKey(ctx, key); err != nil {
		return CreatedKey{}, err
	}
	return CreatedKey{Key: key, Text: text}, nil
}

// EnsureUser returns a user of a team, both by name, and makes them where they do not exist. The user "" is the owner.
func (s *Service) EnsureUser(ctx context.Context, team, user string) (Team, User, error) {
	t, err := s.ensureTeam(ctx, team)
	if err != nil {
		return Team{}, User{}, err
	}
	u, err := s.ensureUser(ctx, t, user)
	return t, u, err
}

func (s *Service) ensureTeam(ctx context.Context, name string) (Team, error) {
	team, err := s.store.TeamByName(ctx, name)
	if !errors.Is(err, record.ErrNotFound) {
		return team, err
	}
	team = Team{ID: record.NewID(), Name: name, CreatedAt: s.now()}
	if err := s.store.CreateTeam(ctx, team); errors.Is(err, record.ErrExists) {
		return s.store.TeamByName(ctx, name) // created by another process between both look-ups
	} else if err != nil {
		return Team{}, err
	}
	return team, nil
}

func (s *Service) ensureUser(ctx context.Context, team Team, name string) (User, error) {
	if name == "" {
		name = ownerName
	}
	user, err := s.store.UserByName(ctx, team.ID, name)
	if !errors.Is(err, record.ErrNotFound) {
		return user, err
	}
	user = User{ID: record.NewID(), TeamID: team.ID, Name: name, CreatedAt: s.now()}
	if err := s.store.CreateUser(ctx, user); errors.Is(err, record.ErrExists) {
		return s.store.UserByName(ctx, team.ID, name)
	} else if err != nil {
		return User{}, err
	}
	return user, nil
}

// Team returns a team by its name. Error code: not_found.
func (s *Service) Team(ctx context.Context, name string) (Team, error) {
	t, err := s.store.TeamByName(ctx, name)
	if errors.Is(err, record.ErrNotFound) {
		return Team{}, apierr.Errorf(apierr.NotFound, "There is no team %s.", usertext.Quote(name))
	}
	return t, err
}

// ListKeys returns the keys of a team by its name, oldest first. Error code: not_found.
func (s *Service) ListKeys(ctx context.Context, team string) ([]Key, error) {
	t, err := s.Team(ctx, team)
	if err != nil {
		return nil, err
	}
	return s.TeamKeys(ctx, t.ID)
}

// TeamKeys returns the keys of a team by its id, oldest first.
func (s *Service) TeamKeys(ctx context.Context, teamID string) ([]Key, error) {
	keys, err := s.keys.ListKeys(ctx, teamID)
	for i := range keys {
		keys[i] = s.uses.overlaid(keys[i])
	}
	return keys, err
}

// TeamUsers returns the users of a team by its id.
func (s *Service) TeamUsers(ctx context.Context, teamID string) ([]User, error) {
	return s.store.Users(ctx, teamID)
}

// Teams returns at most limit teams, by name.
func (s *Service) Teams(ctx context.Context, limit int) ([]Team, error) {
	return s.store.Teams(ctx, limit)
}

// TeamKey returns a key of a team. Error code: not_found.
func (s *Service) TeamKey(ctx context.Context, teamID, keyID string) (Key, error) {
	key, err := s.keys.Key(ctx, teamID, keyID)
	if err != nil {
		return Key{}, noKey(keyID, err)
	}
	return s.uses.overlaid(key), nil
}

// noKey returns the error of a look-up of a key by its id.
func noKey(keyID string, err error) error {
	if errors.Is(err, record.ErrNotFound) {
		return apierr.Errorf(apierr.NotFound, "There is no key %s.", usertext.Quote(keyID))
	}
	return err
}

// RevokeKey ends a key for good; revoking it again changes nothing. A rolled key ends at once. Error code: not_found.
func (s *Service) RevokeKey(ctx context.Context, keyID string) (Key, error) {
	key, err := s.keys.RevokeKey(ctx, keyID, s.now())
	if err != nil {
		return Key{}, noKey(keyID, fmt.Errorf("revoke key: %w", err))
	}
	return key, nil
}

// OriginAllowed reports whether any usable key allows a browser's page of this origin.
func (s *Service) OriginAllowed(ctx context.Context, origin string) (bool, error) {
	return s.keys.OriginAllowed(ctx, origin, s.now())
}
