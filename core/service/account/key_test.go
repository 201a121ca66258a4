package account_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
)

func (w *world) newKey(in account.CreateKeyInput) account.CreatedKey {
	w.t.Helper()
	in.Team, in.Name = "acme", "ci"
	key, err := w.Accounts.CreateKey(w.t.Context(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return key
}

func TestCreateKey(t *testing.T) {
	w := newWorld(t)
	got := w.newKey(account.CreateKeyInput{})
	if !strings.HasPrefix(got.Text, "mw_live_") || len(got.Text) != len("mw_live_")+43+6 {
		t.Errorf("key text %q has the wrong shape", got.Text)
	}
	k := got.Key
	if k.Hash != sha256.Sum256([]byte(got.Text)) || k.Prefix != got.Text[:16] ||
		k.Access != account.FullAccess || k.TeamID != w.Acme.TeamID || k.CreatorID == "" ||
		k.ExpiresAt != nil || k.RevokedAt != nil {
		t.Errorf("key = %+v", k)
	}
	again := w.newKey(account.CreateKeyInput{})
	if again.Text == got.Text || again.Key.CreatorID != k.CreatorID {
		t.Errorf("second key = %+v; want another text of the same creator", again)
	}
	narrow := w.newKey(account.CreateKeyInput{User: "ann", Access: &account.AccessGrid{DFM: account.LevelRead}})
	want := account.AccessGrid{Core: account.LevelRead, DFM: account.LevelRead}
	if narrow.Key.Access != want || narrow.Key.CreatorID == k.CreatorID {
		t.Errorf("narrow key = %+v; want core read always on, another creator", narrow.Key)
	}
	past := apptest.Start.Add(-time.Second)
	for _, c := range []struct {
		name string
		in   account.CreateKeyInput
	}{
		{"no team", account.CreateKeyInput{Name: "x"}},
		{"blank name", account.CreateKeyInput{Team: "acme", Name: " "}},
		{"expired", account.CreateKeyInput{Team: "acme", Name: "x", ExpiresAt: &past}},
	} {
		_, err := w.Accounts.CreateKey(t.Context(), c.in)
		apptest.WantCode(t, c.name, err, apierr.InvalidRequest)
	}
}

func TestKeyStates(t *testing.T) {
	w := newWorld(t)
	expires := apptest.Start.Add(time.Hour)
	active := w.newKey(account.CreateKeyInput{AllowedOrigins: []string{"https://example.com"}})
	expiring := w.newKey(account.CreateKeyInput{ExpiresAt: &expires})
	revoked := w.newKey(account.CreateKeyInput{})
	if _, err := w.Accounts.RevokeKey(t.Context(), revoked.Key.ID); err != nil {
		t.Fatal(err)
	}
	unknown := w.newKey(account.CreateKeyInput{}).Text
	other := newWorld(t) // without these keys
	for _, c := range []struct {
		name   string
		at     time.Time
		text   string
		status account.KeyStatus
		code   apierr.Code
	}{
		{"active", apptest.Start, active.Text, account.KeyActive, ""},
		{"just before expiry", expires.Add(-time.Microsecond), expiring.Text, account.KeyActive, ""},
		{"at expiry", expires, expiring.Text, account.KeyExpired, apierr.ExpiredKey},
		{"revoked", apptest.Start, revoked.Text, account.KeyRevoked, apierr.RevokedKey},
		{"none", apptest.Start, "", account.KeyInvalid, apierr.MissingKey},
		{"nonsense", apptest.Start, "Bearer x", account.KeyInvalid, apierr.InvalidKey},
		{"a prefix only", apptest.Start, active.Key.Prefix, account.KeyInvalid, apierr.InvalidKey},
	} {
		w.Clock.Advance(c.at.Sub(w.Clock.Now()))
		got, err := w.Accounts.ValidateKey(t.Context(), c.text)
		if want := (account.KeyValidation{Valid: c.code == "", Status: c.status}); err != nil || got != want {
			t.Errorf("%s: ValidateKey = %+v, %v; want %+v", c.name, got, err, want)
		}
		caller, err := w.Accounts.Authenticate(t.Context(), c.text)
		if c.code != "" {
			apptest.WantCode(t, c.name, err, c.code)
		} else if err != nil || caller.TeamID != w.Acme.TeamID || caller.KeyID == "" || caller.UserID == "" {
			t.Errorf("%s: Authenticate = %+v, %v", c.name, caller, err)
		}
	}
	_, err := other.Accounts.Authenticate(t.Context(), unknown)
	apptest.WantCode(t, "key of another service", err, apierr.InvalidKey)
	if c, err := w.Accounts.Authenticate(t.Context(), active.Text); err != nil || len(c.AllowedOrigins) != 1 {
		t.Errorf("Authenticate = %+v, %v; want the key's origin", c, err)
	}
}

func TestListAndRevokeKeys(t *testing.T) {
	w := newWorld(t)
	key := w.newKey(account.CreateKeyInput{})
	keys, err := w.Accounts.ListKeys(t.Context(), "acme")
	if err != nil || len(keys) != 2 || keys[1].ID != key.Key.ID {
		t.Fatalf("ListKeys = %+v, %v; want the first key and the new one", keys, err)
	}
	_, err = w.Accounts.ListKeys(t.Context(), "nobody")
	apptest.WantCode(t, "keys of an unknown team", err, apierr.NotFound)
	_, err = w.Accounts.RevokeKey(t.Context(), uuid.NewString())
	apptest.WantCode(t, "unknown key", err, apierr.NotFound)
	first, err := w.Accounts.RevokeKey(t.Context(), key.Key.ID)
	if err != nil || first.RevokedAt == nil {
		t.Fatalf("RevokeKey = %+v, %v", first, err)
	}
	w.Clock.Advance(time.Hour)
	again, err := w.Accounts.RevokeKey(t.Context(), key.Key.ID)
	if err != nil || !again.RevokedAt.Equal(*first.RevokedAt) {
		t.Errorf("second RevokeKey = %+v, %v; want the first time kept", again, err)
	}
}

// countingStore counts the look-ups of keys.
type countingStore struct {
	account.KeyStore
	lookUps atomic.Int64
}

func (s *countingStore) KeyByHash(ctx context.Context, hash [32]byte) (account.Key, error) {
	s.lookUps.Add(1)
	return s.KeyStore.KeyByHash(ctx, hash)
}

// TestChangedKeyNeverReachesTheStore changes one or more characters of a key. The checksum must detect it.
func TestChangedKeyNeverReachesTheStore(t *testing.T) {
	w := newWorld(t)
	text := w.newKey(account.CreateKeyInput{}).Text
	store := &countingStore{KeyStore: w.Store}
	s := account.New(w.Store, store, w.Clock, rand.Reader)
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+ é"
	rapid.Check(t, func(rt *rapid.T) {
		changed := []rune(text)
		for range rapid.IntRange(1, 3).Draw(rt, "changes") {
			at := rapid.IntRange(0, len(changed)-1).Draw(rt, "at")
			changed[at] = rapid.SampledFrom([]rune(alphabet)).Draw(rt, "to")
		}
		if string(changed) == text {
			return
		}
		got, err := s.ValidateKey(context.Background(), string(changed))
		if err != nil || got.Status != account.KeyInvalid {
			rt.Errorf("ValidateKey(%q) = %+v, %v", string(changed), got, err)
		}
	})
	if n := store.lookUps.Load(); n != 0 {
		t.Errorf("%d changed keys reached the store", n)
	}
	if got, err := s.ValidateKey(t.Context(), text); err != nil || !got.Valid || store.lookUps.Load() != 1 {
		t.Errorf("the unchanged key: %+v, %v, %d look-ups", got, err, store.lookUps.Load())
	}
}

const (
	keyOfZeros = "mw_live_00000000000000000000000000000000000000000003y3lvC"
	keyOfOnes  = "mw_live_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp126oueE"
)

// TestKeyTextOfKnownBytes pins the format: 32 bytes of 0xff are the largest number, and the checksum of
// this text was computed with Python's zlib.crc32.
func TestKeyTextOfKnownBytes(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name string
		fill byte
		want string
	}{
		{"zeros", 0x00, keyOfZeros}, {"ones", 0xff, keyOfOnes},
	} {
		key, err := account.New(w.Store, w.Store, w.Clock, filled(c.fill)).CreateKey(t.Context(),
			account.CreateKeyInput{Team: "acme", Name: c.name})
		if err != nil || key.Text != c.want {
			t.Errorf("%s: key %q, %v; want %q", c.name, key.Text, err, c.want)
		}
	}
}

// filled is an endless source of one byte.
type filled byte

func (f filled) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f)
	}
	return len(p), nil
}

func TestAccessGrid(t *testing.T) {
	dfm := func(l account.Level) account.AccessGrid { return account.AccessGrid{DFM: l} }
	for _, c := range []struct {
		name  string
		grid  account.AccessGrid
		area  account.Area
		write bool
		want  apierr.Code
	}{
		{"full writes core", account.FullAccess, account.AreaCore, true, ""},
		{"full writes quoting", account.FullAccess, account.AreaQuoting, true, ""},
		{"write includes read", dfm(account.LevelWrite), account.AreaDFM, false, ""},
		{"core read is always on", account.AccessGrid{}, account.AreaCore, false, ""},
		{"core write is not", account.AccessGrid{}, account.AreaCore, true, apierr.ReadOnlyKey},
		{"read reads", dfm(account.LevelRead), account.AreaDFM, false, ""},
		{"read does not write", dfm(account.LevelRead), account.AreaDFM, true, apierr.ReadOnlyKey},
		{"none reads not", dfm(account.LevelWrite), account.AreaQuoting, false, apierr.ProductMismatch},
		{"none writes not", dfm(account.LevelWrite), account.AreaQuoting, true, apierr.ProductMismatch},
		{"unknown area", account.FullAccess, "billing", false, apierr.ProductMismatch},
	} {
		err := account.Caller{Access: c.grid}.Allow(c.area, c.write)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		apptest.WantCode(t, c.name, err, c.want)
		if !strings.Contains(err.Error(), string(c.area)) || !strings.Contains(err.Error(), "it may read") {
			t.Errorf("%s: %v must name the area and what the key may do", c.name, err)
		}
	}
}

func TestAccessGridText(t *testing.T) {
	grid := account.AccessGrid{Core: account.LevelWrite, DFM: account.LevelRead}
	text, err := json.Marshal(grid)
	if want := `{"core":"write","dfm":"read","quoting":"none"}`; err != nil || string(text) != want {
		t.Errorf("Marshal = %s, %v; want %s", text, err, want)
	}
	var back account.AccessGrid
	if err := json.Unmarshal(text, &back); err != nil || back != grid {
		t.Errorf("Unmarshal = %+v, %v; want %+v", back, err, grid)
	}
	if err := json.Unmarshal([]byte(`{"core":"admin"}`), &back); err == nil {
		t.Error("an unknown level is accepted")
	}
	if want := "read and write in core and read in dfm"; grid.String() != want {
		t.Errorf("String = %q, want %q", grid, want)
	}
}
