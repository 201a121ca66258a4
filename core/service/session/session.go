// Package session lets users of a team into the portal: a one-time link becomes a session, and a session acts as a key
// that has no text.
//
// Tokens of links and sessions are 32 random bytes. The store contains only their SHA-256.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// Lifetimes.
const (
	LinkLife    = 15 * time.Minute
	IdleLife    = 12 * time.Hour     // without a request
	SessionLife = 7 * 24 * time.Hour // with requests
)

const (
	tokenBytes = 32
	agentKept  = 200 // bytes of a browser's name
)

// The error codes of this package, which only the portal returns.
const (
	LinkUsed  apierr.Code = "link_used"  // the link was used, or is too old
	NoSession apierr.Code = "no_session" // there is none, or it has ended
)

// Hash is the SHA-256 of a token.
type Hash [sha256.Size]byte

func newToken(random io.Reader) (string, Hash, error) {
	var secret [tokenBytes]byte
	if _, err := io.ReadFull(random, secret[:]); err != nil {
		return "", Hash{}, fmt.Errorf("read randomness for a token: %w", err)
	}
	text := base64.RawURLEncoding.EncodeToString(secret[:])
	return text, hashOf(text), nil
}

func hashOf(token string) Hash { return sha256.Sum256([]byte(token)) }

// wellFormed reports whether a text has the length of a token; other texts never reach the store.
func wellFormed(token string) bool {
	return len(token) == base64.RawURLEncoding.EncodedLen(tokenBytes)
}

// Link is a link for one sign-in.
type Link struct {
	Hash      Hash
	UserID    string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
}

// Session is the stored part of a browser's sign-in.
type Session struct {
	Hash      Hash
	KeyID     string // of the portal key by which it acts
	CreatedAt time.Time
	SeenAt    time.Time // written once a minute
	ExpiresAt time.Time
	Agent     string // name of the browser
}

// IdleUntil returns the time at which the session ends without another request.
func (s Session) IdleUntil() time.Time {
	until := s.SeenAt.Add(IdleLife)
	if until.After(s.ExpiresAt) {
		return s.ExpiresAt
	}
	return until
}

// Current is a valid session with its user and team. Key has the version of the team, as KeyByHash sets it.
type Current struct {
	Session
	Key  account.Key
	User account.User
	Team account.Team
}

// ErrLinkUsed means that a link was used before, or has expired.
var ErrLinkUsed = errors.New("the link has been used or has expired")

// Store keeps links and sessions.
type Store interface {
	CreateLink(ctx context.Context, l Link) error
	// SignIn marks a link as used, adds the portal key of its user unless one exists that is not revoked, and adds the
	// session with that key, all together. It sets team and creator of the key, and the key of the session. Errors:
	// record.ErrNotFound for an unknown link, ErrLinkUsed.
	SignIn(ctx context.Context, link Hash, now time.Time, key account.Key, s Session) error
	// Session returns a session by its hash, whether it is valid or not.
	Session(ctx context.Context, hash Hash) (Current, error)
	EndSession(ctx context.Context, hash Hash) error // nil for an unknown session
	// RecordSeen sets the time of the last request of sessions, if it is later than the stored one.
	RecordSeen(ctx context.Context, seen map[Hash]time.Time) error
	// SignedInOnce reports whether there ever was a session.
	SignedInOnce(ctx context.Context) (bool, error)
	// PurgeSessions removes links and sessions that expired before a time.
	PurgeSessions(ctx context.Context, before time.Time) error
}

// Service is the use cases of sessions. It is safe for concurrent use.
type Service struct {
	store    Store
	accounts *account.Service
	clock    record.Clock
	random   io.Reader

	mu   sync.Mutex
	seen map[Hash]time.Time // not written yet
}

// New returns the use cases. The tokens are generated from random; nil: crypto/rand.
func New(store Store, accounts *account.Service, clock record.Clock, random io.Reader) *Service {
	if random == nil {
		random = rand.Reader
	}
	return &Service{store: store, accounts: accounts, clock: clock, random: random, seen: map[Hash]time.Time{}}
}

func (s *Service) now() time.Time { return record.TruncateTime(s.clock.Now()) }

// CreateLink returns the token of a link for a user of a team, both by name, and makes them where they do not exist.
// The user "" is the owner. Error code: invalid_request.
func (s *Service) CreateLink(ctx context.Context, team, user string) (token string, expires time.Time, err error) {
	if strings.TrimSpace(team) == "" {
		return "", time.Time{}, apierr.Errorf(apierr.InvalidRequest, "The team of the link is missing.")
	}
	_, u, err := s.accounts.EnsureUser(ctx, team, user)
	if err != nil {
		return "", time.Time{}, err
	}
	token, hash, err := newToken(s.random)
	if err != nil {
		return "", time.Time{}, err
	}
	now := s.now()
	l := Link{Hash: hash, UserID: u.ID, CreatedAt: now, ExpiresAt: now.Add(LinkLife)}
	return token, l.ExpiresAt, s.store.CreateLink(ctx, l)
}

// SignIn exchanges the token of a link for the token of a session. agent is the name of the browser. Error codes:
// not_found, link_used.
func (s *Service) SignIn(ctx context.Context, link, agent string) (token string, c Current, err error) {
	unknown := apierr.Errorf(apierr.NotFound, "This is not a link of this service; get a new one.")
	if !wellFormed(link) {
		return "", Current{}, unknown
	}
	token, hash, err := newToken(s.random)
	if err != nil {
		return "", Current{}, err
	}
	key := account.Key{
		ID: record.NewID(), Name: "portal", Kind: account.KeyPortal, Access: account.FullAccess,
		AllowedOrigins: []string{}, CreatedAt: s.now(),
	}
	if _, err := io.ReadFull(s.random, key.Hash[:]); err != nil {
		return "", Current{}, fmt.Errorf("read randomness for a portal key: %w", err)
	}
	now := s.now()
	err = s.store.SignIn(ctx, hashOf(link), now, key, Session{
		Hash: hash, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(SessionLife),
		Agent: strings.ToValidUTF8(agent[:min(len(agent), agentKept)], ""),
	})
	switch {
	case errors.Is(err, record.ErrNotFound):
		return "", Current{}, unknown
	case errors.Is(err, ErrLinkUsed):
		return "", Current{}, apierr.Errorf(LinkUsed,
			"This link has been used already, or is older than %.0f minutes; get a new one.", LinkLife.Minutes())
	case err != nil:
		return "", Current{}, err
	}
	c, err = s.Authenticate(ctx, token)
	return token, c, err
}

// Authenticate returns the session of a token. Its use is collected for the next batch. Error code: no_session.
func (s *Service) Authenticate(ctx context.Context, token string) (Current, error) {
	ended := apierr.Errorf(NoSession, "You are not signed in, or your session has ended; open a new link.")
	if !wellFormed(token) {
		return Current{}, ended
	}
	c, err := s.store.Session(ctx, hashOf(token))
	if errors.Is(err, record.ErrNotFound) {
		return Current{}, ended
	}
	if err != nil {
		return Current{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.seen[c.Hash]; at.After(c.SeenAt) {
		c.SeenAt = at
	}
	now := s.now()
	if !now.Before(c.IdleUntil()) || c.Key.StatusAt(now) != account.KeyActive {
		return Current{}, ended
	}
	s.seen[c.Hash], c.SeenAt = now, now
	s.accounts.NoteUse(c.Key.ID, now)
	return c, nil
}

// End ends the session of a token from the next request on; an unknown one has ended already.
func (s *Service) End(ctx context.Context, token string) error {
	if !wellFormed(token) {
		return nil
	}
	return s.store.EndSession(ctx, hashOf(token))
}

// StoreSeen writes the collected times of requests in one batch. It is called as account.Service.StoreUses is. If it
// fails, the times stay collected.
func (s *Service) StoreSeen(ctx context.Context) error {
	s.mu.Lock()
	seen := s.seen
	s.seen = map[Hash]time.Time{}
	s.mu.Unlock()
	if len(seen) == 0 {
		return nil
	}
	err := s.store.RecordSeen(ctx, seen)
	if err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, at := range seen {
		if at.After(s.seen[hash]) {
			s.seen[hash] = at
		}
	}
	return err
}

// Purge removes links and sessions whose end is over a day ago.
func (s *Service) Purge(ctx context.Context) error {
	return s.store.PurgeSessions(ctx, s.now().Add(-24*time.Hour))
}

// SignedInOnce reports whether anybody ever signed in.
func (s *Service) SignedInOnce(ctx context.Context) (bool, error) { return s.store.SignedInOnce(ctx) }
