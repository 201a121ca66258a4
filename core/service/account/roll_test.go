package account_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
)

func TestRollKey(t *testing.T) {
	w := newWorld(t)
	const month = 30 * 24 * time.Hour
	old := w.newKey(account.CreateKeyInput{
		Access: &account.AccessGrid{DFM: account.LevelRead}, AllowedOrigins: []string{"https://shop.example"},
		ExpiresAt: new(apptest.Start.Add(month)),
	})
	w.Clock.Advance(10 * 24 * time.Hour)
	now := w.Clock.Now()
	got, err := w.Accounts.RollKey(t.Context(), account.RollKeyInput{KeyID: old.Key.ID, Grace: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if k := got.Key; k.Name != "ci" || k.Access != old.Key.Access || len(k.AllowedOrigins) != 1 ||
		k.Replaces != old.Key.ID || k.CreatorID != old.Key.CreatorID || !k.ExpiresAt.Equal(now.Add(month)) {
		t.Errorf("successor %+v\nof %+v", k, old.Key)
	}
	if got.Text == old.Text || got.Old.ReplacedBy != got.Key.ID || !got.Old.EndsAt(now).Equal(now.Add(time.Hour)) {
		t.Errorf("rolled key %+v, want another text and an end in an hour", got)
	}
	for _, c := range []struct {
		name string
		wait time.Duration
		code apierr.Code // of the old key; the new one is always usable
	}{
		{"at once", 0, ""},
		{"at the end of the grace", time.Hour - time.Microsecond, ""},
		{"after the grace", time.Microsecond, apierr.RevokedKey},
	} {
		w.Clock.Advance(c.wait)
		_, err := w.Accounts.Authenticate(t.Context(), old.Text)
		if c.code != "" {
			apptest.WantCode(t, c.name, err, c.code)
		} else if err != nil {
			t.Errorf("%s: the old key: %v", c.name, err)
		}
		if _, err := w.Accounts.Authenticate(t.Context(), got.Text); err != nil {
			t.Errorf("%s: the new key: %v", c.name, err)
		}
	}
	if at := got.Old.EndsAt(w.Clock.Now()); at != nil {
		t.Errorf("EndsAt after the end = %v, want none", at)
	}
}

func TestRollKeyRefuses(t *testing.T) {
	w := newWorld(t)
	key, gone := w.newKey(account.CreateKeyInput{}), w.newKey(account.CreateKeyInput{})
	expiring := w.newKey(account.CreateKeyInput{ExpiresAt: new(apptest.Start.Add(time.Hour))})
	rolled := w.newKey(account.CreateKeyInput{})
	if _, err := w.Accounts.RevokeKey(t.Context(), gone.Key.ID); err != nil {
		t.Fatal(err)
	}
	day := account.RollKeyInput{KeyID: rolled.Key.ID, Grace: 24 * time.Hour}
	if _, err := w.Accounts.RollKey(t.Context(), day); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	for _, c := range []struct {
		name string
		in   account.RollKeyInput
		code apierr.Code
	}{
		{"unknown key", account.RollKeyInput{KeyID: uuid.NewString()}, apierr.NotFound},
		{"two hours", account.RollKeyInput{KeyID: key.Key.ID, Grace: 2 * time.Hour}, apierr.InvalidRequest},
		{"revoked", account.RollKeyInput{KeyID: gone.Key.ID}, apierr.InvalidRequest},
		{"expired", account.RollKeyInput{KeyID: expiring.Key.ID}, apierr.InvalidRequest},
		{"rolled before", account.RollKeyInput{KeyID: rolled.Key.ID}, apierr.InvalidRequest},
	} {
		_, err := w.Accounts.RollKey(t.Context(), c.in)
		apptest.WantCode(t, c.name, err, c.code)
	}
	if _, err := w.Accounts.RevokeKey(t.Context(), rolled.Key.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.Accounts.Authenticate(t.Context(), rolled.Text)
	apptest.WantCode(t, "rolled key whose grace was ended", err, apierr.RevokedKey)
}

func TestEditKey(t *testing.T) {
	w := newWorld(t)
	key := w.newKey(account.CreateKeyInput{ExpiresAt: new(apptest.Start.Add(time.Hour))})
	got, err := w.Accounts.EditKey(t.Context(), key.Key.ID, account.KeyEdit{
		Name: new("line 2"), AllowedOrigins: []string{"https://Shop.example:443"}, NeverExpires: true,
	})
	if err != nil || got.Name != "line 2" || got.ExpiresAt != nil || got.AllowedOrigins[0] != "https://shop.example" {
		t.Errorf("EditKey = %+v, %v", got, err)
	}
	past, later := apptest.Start, apptest.Start.Add(time.Hour)
	for _, c := range []struct {
		name string
		id   string
		edit account.KeyEdit
		code apierr.Code
	}{
		{"nothing", key.Key.ID, account.KeyEdit{}, apierr.InvalidRequest},
		{"blank name", key.Key.ID, account.KeyEdit{Name: new(" ")}, apierr.InvalidRequest},
		{"long name", key.Key.ID, account.KeyEdit{Name: new(strings.Repeat("Ø", 201))}, apierr.InvalidRequest},
		{"past", key.Key.ID, account.KeyEdit{ExpiresAt: &past}, apierr.InvalidRequest},
		{"both", key.Key.ID, account.KeyEdit{ExpiresAt: &later, NeverExpires: true}, apierr.InvalidRequest},
		{"no origin", key.Key.ID, account.KeyEdit{AllowedOrigins: []string{"*"}}, apierr.InvalidRequest},
		{"unknown key", uuid.NewString(), account.KeyEdit{NeverExpires: true}, apierr.NotFound},
	} {
		_, err := w.Accounts.EditKey(t.Context(), c.id, c.edit)
		apptest.WantCode(t, c.name, err, c.code)
	}
	_, err = w.Accounts.TeamKey(t.Context(), w.Rival.TeamID, key.Key.ID)
	apptest.WantCode(t, "key of another team", err, apierr.NotFound)
}

// useStore counts the writes of uses, and fails while broken.
type useStore struct {
	account.KeyStore
	writes int
	broken bool
}

func (s *useStore) RecordKeyUses(ctx context.Context, uses map[string]time.Time) error {
	s.writes++
	if s.broken {
		return errors.New("broken")
	}
	return s.KeyStore.RecordKeyUses(ctx, uses)
}

func TestLastUseIsWrittenInBatches(t *testing.T) {
	w := newWorld(t)
	key, idle := w.newKey(account.CreateKeyInput{}), w.newKey(account.CreateKeyInput{})
	store := &useStore{KeyStore: w.Store}
	s := account.New(w.Store, store, w.Clock, strings.NewReader(""))
	use := func() {
		t.Helper()
		w.Clock.Advance(time.Second)
		if _, err := s.Authenticate(t.Context(), key.Text); err != nil {
			t.Fatal(err)
		}
	}
	lastUse := func(from *account.Service, id string) *time.Time {
		t.Helper()
		k, err := from.TeamKey(t.Context(), w.Acme.TeamID, id)
		if err != nil {
			t.Fatal(err)
		}
		return k.LastUsedAt
	}
	for range 100 {
		use()
	}
	if store.writes != 0 {
		t.Errorf("%d writes before the batch", store.writes)
	}
	if at := lastUse(s, key.Key.ID); at == nil || !at.Equal(w.Clock.Now()) {
		t.Errorf("last use before the batch = %v, want %v", at, w.Clock.Now())
	}
	store.broken = true
	if err := s.StoreUses(t.Context()); err == nil {
		t.Error("StoreUses succeeds on a broken store")
	}
	store.broken = false
	used := w.Clock.Now()
	for range 2 { // the second has nothing to write
		if err := s.StoreUses(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if store.writes != 2 {
		t.Errorf("%d writes, want one that failed and one", store.writes)
	}
	if at := lastUse(w.Accounts, key.Key.ID); at == nil || !at.Equal(used) {
		t.Errorf("last use in another process = %v, want %v", at, used)
	}
	if at := lastUse(w.Accounts, idle.Key.ID); at != nil {
		t.Errorf("last use of an idle key = %v", at)
	}
}

func TestUsageByDayRefuses(t *testing.T) {
	w := newWorld(t)
	for name, days := range map[string]int{"backwards": -1, "too long": 400} {
		last := apptest.Start.Add(time.Duration(days) * account.Day)
		_, err := w.Accounts.UsageByDay(t.Context(), w.Acme.TeamID, apptest.Start, last)
		apptest.WantCode(t, name, err, apierr.InvalidRequest)
	}
	got, err := w.Accounts.UsageByDay(t.Context(), w.Acme.TeamID, apptest.Start, apptest.Start)
	if err != nil || len(got) != 0 {
		t.Errorf("UsageByDay = %+v, %v; want none", got, err)
	}
}
