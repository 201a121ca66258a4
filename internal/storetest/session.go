package storetest

import (
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
)

func newHash() session.Hash {
	n := serial.Add(1)
	return session.Hash{0: 0xff, 30: byte(n >> 8), 31: byte(n)}
}

func (f *fixture) newLink(user account.User) session.Link {
	f.t.Helper()
	l := session.Link{Hash: newHash(), UserID: user.ID, CreatedAt: f.now, ExpiresAt: f.now.Add(session.LinkLife)}
	f.must(f.store.CreateLink(f.ctx, l))
	return l
}

// signIn returns the key and the session that a sign-in would add.
func (f *fixture) signIn() (account.Key, session.Session) {
	now := f.tick()
	key := account.Key{
		ID: uuid.NewString(), Name: "portal", Kind: account.KeyPortal, Hash: newHash(), Access: account.FullAccess,
		AllowedOrigins: []string{}, CreatedAt: now,
	}
	return key, session.Session{
		Hash: newHash(), CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(session.SessionLife), Agent: "Browser 1",
	}
}

func (f *fixture) signedIn(user account.User) session.Current {
	f.t.Helper()
	key, s := f.signIn()
	f.must(f.store.SignIn(f.ctx, f.newLink(user).Hash, f.now, key, s))
	c, err := f.store.Session(f.ctx, s.Hash)
	f.must(err)
	return c
}

func testSignIn(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	if once, err := f.store.SignedInOnce(f.ctx); once || err != nil {
		t.Errorf("SignedInOnce = %v, %v before a session", once, err)
	}
	link := f.newLink(ann)
	key, s := f.signIn()
	f.must(f.store.SignIn(f.ctx, link.Hash, f.now, key, s))
	want := session.Current{Session: s, Key: key, User: ann, Team: f.team}
	want.KeyID, want.Key.TeamID, want.Key.CreatorID = key.ID, f.team.ID, ann.ID
	if got, err := f.store.Session(f.ctx, s.Hash); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Session = %+v, %v\nwant %+v", got, err, want)
	}
	if once, err := f.store.SignedInOnce(f.ctx); !once || err != nil {
		t.Errorf("SignedInOnce = %v, %v after a session", once, err)
	}
	late := f.newLink(ann)
	for _, c := range []struct {
		name string
		link session.Hash
		at   time.Time
		want error
	}{
		{"used", link.Hash, f.now, session.ErrLinkUsed},
		{"expired", late.Hash, late.ExpiresAt, session.ErrLinkUsed},
		{"unknown", session.Hash{1}, f.now, record.ErrNotFound},
	} {
		key, s := f.signIn()
		if err := f.store.SignIn(f.ctx, c.link, c.at, key, s); !errors.Is(err, c.want) {
			t.Errorf("%s link: %v, want %v", c.name, err, c.want)
		}
		if _, err := f.store.Session(f.ctx, s.Hash); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("session of the %s link: %v, want ErrNotFound", c.name, err)
		}
	}
	if _, err := f.store.EditKey(f.ctx, key.ID, account.KeyEdit{Name: new("x")}); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("edit of a portal key: %v, want ErrNotFound", err)
	}
	_, _, err := f.store.RollKey(f.ctx, key.ID, f.now, f.now, account.Key{ID: uuid.NewString(), CreatedAt: f.now})
	if !errors.Is(err, account.ErrNotRollable) {
		t.Errorf("roll of a portal key: %v, want ErrNotRollable", err)
	}
}

// testSignInAgain: a user has one portal key, and a new one after its revocation.
func testSignInAgain(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	first, second := f.signedIn(ann), f.signedIn(ann)
	bob := f.signedIn(f.newUser(f.team, "bob"))
	if first.KeyID != second.KeyID || first.Hash == second.Hash || bob.KeyID == first.KeyID {
		t.Errorf("sessions %+v, %+v of one user and %+v of another, want one key a user", first, second, bob)
	}
	_, err := f.store.RevokeKey(f.ctx, first.KeyID, f.tick())
	f.must(err)
	if third := f.signedIn(ann); third.KeyID == first.KeyID || third.Key.RevokedAt != nil {
		t.Errorf("session after the revocation = %+v, want a new key", third)
	}
	got, err := f.store.Session(f.ctx, first.Hash)
	if err != nil || got.Key.RevokedAt == nil {
		t.Errorf("first session = %+v, %v; want the revoked key", got, err)
	}
}

func testSignInAtOnce(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	links := []session.Link{f.newLink(ann), f.newLink(ann)}
	var keys []account.Key
	var made []session.Session
	for range 8 {
		key, s := f.signIn()
		keys, made = append(keys, key), append(made, s)
	}
	var opened atomic.Int32
	f.atOnce(len(keys), func(i int) error {
		err := f.store.SignIn(f.ctx, links[i%len(links)].Hash, f.now, keys[i], made[i])
		if err == nil {
			opened.Add(1)
		}
		if errors.Is(err, session.ErrLinkUsed) {
			return nil
		}
		return err
	})
	all, err := f.store.ListKeys(f.ctx, f.team.ID)
	if err != nil || opened.Load() != 2 || len(all) != 1 {
		t.Errorf("%d sessions, %d keys, %v; want 2 sessions by two links, with 1 key", opened.Load(), len(all), err)
	}
}

func testSessions(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	a, b := f.signedIn(ann), f.signedIn(ann)
	early, late := f.tick(), f.tick()
	f.must(f.store.RecordSeen(f.ctx, map[session.Hash]time.Time{a.Hash: late, newHash(): late}))
	f.must(f.store.RecordSeen(f.ctx, map[session.Hash]time.Time{a.Hash: early, b.Hash: early}))
	f.must(f.store.RecordSeen(f.ctx, nil))
	a.SeenAt, b.SeenAt = late, early
	for _, want := range []session.Current{a, b} {
		if got, err := f.store.Session(f.ctx, want.Hash); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Session = %+v, %v\nwant %+v", got, err, want)
		}
	}
	f.queued(f.pendingPart(f.team))
	if got, err := f.store.Session(f.ctx, a.Hash); err != nil || got.Key.TeamVersion <= a.Key.TeamVersion {
		t.Errorf("version after a job = %d, %v; want more than %d", got.Key.TeamVersion, err, a.Key.TeamVersion)
	}
	f.must(f.store.EndSession(f.ctx, a.Hash))
	f.must(f.store.EndSession(f.ctx, a.Hash))
	if _, err := f.store.Session(f.ctx, a.Hash); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("ended session: %v, want ErrNotFound", err)
	}
	if _, err := f.store.Session(f.ctx, b.Hash); err != nil {
		t.Errorf("other session: %v", err)
	}
}

func testPurgeSessions(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	s := f.signedIn(ann)
	link := f.newLink(ann)
	f.must(f.store.PurgeSessions(f.ctx, s.ExpiresAt))
	if _, err := f.store.Session(f.ctx, s.Hash); err != nil {
		t.Errorf("session at its expiry: %v", err)
	}
	key, made := f.signIn()
	if err := f.store.SignIn(f.ctx, link.Hash, f.now, key, made); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("purged link: %v, want ErrNotFound", err)
	}
	f.must(f.store.PurgeSessions(f.ctx, s.ExpiresAt.Add(time.Microsecond)))
	if _, err := f.store.Session(f.ctx, s.Hash); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("session after its expiry: %v, want ErrNotFound", err)
	}
	if once, err := f.store.SignedInOnce(f.ctx); !once || err != nil {
		t.Errorf("SignedInOnce = %v, %v after the purge", once, err)
	}
}
