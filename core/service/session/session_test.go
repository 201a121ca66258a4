package session_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/session"
)

func TestOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, ".") }

type world struct {
	*apptest.World
	t        *testing.T
	sessions *session.Service
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := apptest.New(t)
	return &world{w, t, session.New(w.Store, w.Accounts, w.Clock, rand.Reader)}
}

func (w *world) signIn(team, user string) (string, session.Current) {
	w.t.Helper()
	link, _, err := w.sessions.CreateLink(w.t.Context(), team, user)
	if err != nil {
		w.t.Fatal(err)
	}
	token, c, err := w.sessions.SignIn(w.t.Context(), link, "Browser 1")
	if err != nil {
		w.t.Fatal(err)
	}
	return token, c
}

func TestLinkOpensOneSession(t *testing.T) {
	w := newWorld(t)
	link, expires, err := w.sessions.CreateLink(t.Context(), "acme", "")
	if err != nil || len(link) != 43 || !expires.Equal(apptest.Start.Add(session.LinkLife)) {
		t.Fatalf("CreateLink = %q, %v, %v", link, expires, err)
	}
	token, c, err := w.sessions.SignIn(t.Context(), link, strings.Repeat("é", 200))
	if err != nil || token == link || c.Team.Name != "acme" || c.User.Name != "owner" || len(c.Agent) != 200 {
		t.Errorf("SignIn = %+v, %v", c, err)
	}
	if !c.ExpiresAt.Equal(apptest.Start.Add(session.SessionLife)) ||
		!c.IdleUntil().Equal(apptest.Start.Add(session.IdleLife)) {
		t.Errorf("session ends at %v, idle at %v", c.ExpiresAt, c.IdleUntil())
	}
	caller := c.Key.Caller()
	if caller.TeamID != w.Acme.TeamID || caller.Access != account.FullAccess || caller.UserID != c.User.ID {
		t.Errorf("caller of the session = %+v", caller)
	}
	late, _, err := w.sessions.CreateLink(t.Context(), "acme", "")
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(session.LinkLife)
	for name, try := range map[string]struct {
		link string
		want apierr.Code
	}{
		"used": {link, session.LinkUsed}, "old": {late, session.LinkUsed},
		"unknown": {strings.Repeat("A", 43), apierr.NotFound}, "none": {"", apierr.NotFound},
		"session as link": {token, apierr.NotFound},
	} {
		_, _, err := w.sessions.SignIn(t.Context(), try.link, "")
		apptest.WantCode(t, name, err, try.want)
	}
	_, err = w.sessions.Authenticate(t.Context(), link)
	apptest.WantCode(t, "link as session", err, session.NoSession)
	_, _, err = w.sessions.CreateLink(t.Context(), " ", "")
	apptest.WantCode(t, "link of no team", err, apierr.InvalidRequest)
}

func TestSessionEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end   func(*world, string, session.Current)
		valid bool
	}{
		"before it is idle": {func(w *world, _ string, _ session.Current) {
			w.Clock.Advance(session.IdleLife - time.Microsecond)
		}, true},
		"idle": {func(w *world, _ string, _ session.Current) { w.Clock.Advance(session.IdleLife) }, false},
		"ended": {func(w *world, token string, _ session.Current) {
			w.must(w.sessions.End(w.t.Context(), token))
		}, false},
		"revoked": {func(w *world, _ string, c session.Current) {
			_, err := w.Accounts.RevokeKey(w.t.Context(), c.KeyID)
			w.must(err)
		}, false},
		"old": {func(w *world, token string, c session.Current) {
			for w.Clock.Now().Add(6 * time.Hour).Before(c.ExpiresAt) {
				w.Clock.Advance(6 * time.Hour)
				_, err := w.sessions.Authenticate(w.t.Context(), token)
				w.must(err)
			}
			w.Clock.Advance(6 * time.Hour)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			token, s := w.signIn("acme", "ann")
			other, _ := w.signIn("acme", "bob")
			c.end(w, token, s)
			_, err := w.sessions.Authenticate(t.Context(), token)
			if c.valid != (err == nil) {
				t.Errorf("Authenticate = %v, want a valid session: %v", err, c.valid)
			}
			if !c.valid {
				apptest.WantCode(t, name, err, session.NoSession)
			}
			if name == "ended" || name == "revoked" {
				if _, err := w.sessions.Authenticate(t.Context(), other); err != nil {
					t.Errorf("the session of another user: %v", err)
				}
			}
		})
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// seenStore counts the writes of times, and fails while broken.
type seenStore struct {
	session.Store
	writes int
	broken bool
}

func (s *seenStore) RecordSeen(ctx context.Context, seen map[session.Hash]time.Time) error {
	s.writes++
	if s.broken {
		return errors.New("broken")
	}
	return s.Store.RecordSeen(ctx, seen)
}

func TestSeenIsWrittenInBatches(t *testing.T) {
	w := newWorld(t)
	token, c := w.signIn("acme", "ann")
	store := &seenStore{Store: w.Store}
	s := session.New(store, w.Accounts, w.Clock, nil)
	for range 100 {
		w.Clock.Advance(time.Second)
		_, err := s.Authenticate(t.Context(), token)
		w.must(err)
	}
	if store.writes != 0 {
		t.Errorf("%d writes before the batch", store.writes)
	}
	store.broken = true
	if err := s.StoreSeen(t.Context()); err == nil {
		t.Error("StoreSeen succeeds on a broken store")
	}
	store.broken = false
	seen := w.Clock.Now()
	w.must(s.StoreSeen(t.Context()))
	w.must(s.StoreSeen(t.Context())) // nothing to write
	if got, err := w.Store.Session(t.Context(), c.Hash); err != nil || !got.SeenAt.Equal(seen) || store.writes != 2 {
		t.Errorf("seen at %v, %v after %d writes; want %v after two, one failed", got.SeenAt, err, store.writes, seen)
	}
	if key, err := w.Accounts.TeamKey(t.Context(), w.Acme.TeamID, c.KeyID); err != nil || !key.LastUsedAt.Equal(seen) {
		t.Errorf("portal key %+v, %v; want its last use at %v", key, err, seen)
	}
}

// TestSessionFollowsTheTeam: responses are cached under the version of the team, which a session must have too.
func TestSessionFollowsTheTeam(t *testing.T) {
	w := newWorld(t)
	token, before := w.signIn("acme", "ann")
	w.Completed(w.Acme)
	after, err := w.sessions.Authenticate(t.Context(), token)
	if err != nil || after.Key.Caller().TeamVersion <= before.Key.Caller().TeamVersion {
		t.Errorf("version %d, %v after a job, want more than %d", after.Key.TeamVersion, err, before.Key.TeamVersion)
	}
}

func TestPurgeKeepsValidSessions(t *testing.T) {
	w := newWorld(t)
	token, c := w.signIn("acme", "ann")
	w.Clock.Advance(time.Hour)
	w.must(w.sessions.Purge(t.Context()))
	if _, err := w.sessions.Authenticate(t.Context(), token); err != nil {
		t.Errorf("valid session after Purge: %v", err)
	}
	w.Clock.Advance(session.SessionLife + 24*time.Hour)
	w.must(w.sessions.Purge(t.Context()))
	if _, err := w.Store.Session(t.Context(), c.Hash); err == nil {
		t.Error("a session of last week is kept")
	}
	if once, err := w.sessions.SignedInOnce(t.Context()); err != nil || !once {
		t.Errorf("SignedInOnce = %v, %v", once, err)
	}
}
