package service_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"millwright/core/service"
)

func (w *world) newKey(in service.CreateKeyInput) service.CreatedKey {
	w.t.Helper()
	in.Team, in.Name = "acme", "ci"
	key, err := w.CreateKey(w.t.Context(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return key
}

func TestCreateKey(t *testing.T) {
	w := newWorld(t)
	got := w.newKey(service.CreateKeyInput{})
	if !strings.HasPrefix(got.Text, "mw_live_") || len(got.Text) != len("mw_live_")+43+6 {
		t.Errorf("key text %q has the wrong shape", got.Text)
	}
	k := got.Key
	if k.Hash != sha256.Sum256([]byte(got.Text)) || k.Prefix != got.Text[:16] ||
		k.Access != service.FullAccess || k.TeamID != w.acme.TeamID || k.CreatorID == "" ||
		k.ExpiresAt != nil || k.RevokedAt != nil {
		t.Errorf("key = %+v", k)
	}
	again := w.newKey(service.CreateKeyInput{})
	if again.Text == got.Text || again.Key.CreatorID != k.CreatorID {
		t.Errorf("second key = %+v; want another text of the same creator", again)
	}
	narrow := w.newKey(service.CreateKeyInput{User: "ann", Access: &service.AccessGrid{DFM: service.LevelRead}})
	want := service.AccessGrid{Core: service.LevelRead, DFM: service.LevelRead}
	if narrow.Key.Access != want || narrow.Key.CreatorID == k.CreatorID {
		t.Errorf("narrow key = %+v; want core read always on, another creator", narrow.Key)
	}
	past := start.Add(-time.Second)
	for _, c := range []struct {
		name string
		in   service.CreateKeyInput
	}{
		{"no team", service.CreateKeyInput{Name: "x"}},
		{"blank name", service.CreateKeyInput{Team: "acme", Name: " "}},
		{"expired", service.CreateKeyInput{Team: "acme", Name: "x", ExpiresAt: &past}},
	} {
		_, err := w.CreateKey(t.Context(), c.in)
		wantCode(t, c.name, err, service.CodeInvalidRequest)
	}
}

func TestKeyStates(t *testing.T) {
	w := newWorld(t)
	expires := start.Add(time.Hour)
	active := w.newKey(service.CreateKeyInput{AllowedOrigins: []string{"https://example.com"}})
	expiring := w.newKey(service.CreateKeyInput{ExpiresAt: &expires})
	revoked := w.newKey(service.CreateKeyInput{})
	if _, err := w.RevokeKey(t.Context(), revoked.Key.ID); err != nil {
		t.Fatal(err)
	}
	unknown := w.newKey(service.CreateKeyInput{}).Text
	other := newWorld(t) // knows none of these keys
	for _, c := range []struct {
		name   string
		at     time.Time
		text   string
		status service.KeyStatus
		code   service.Code
	}{
		{"active", start, active.Text, service.KeyActive, ""},
		{"just before expiry", expires.Add(-time.Microsecond), expiring.Text, service.KeyActive, ""},
		{"at expiry", expires, expiring.Text, service.KeyExpired, service.CodeExpiredKey},
		{"revoked", start, revoked.Text, service.KeyRevoked, service.CodeRevokedKey},
		{"none", start, "", service.KeyInvalid, service.CodeMissingKey},
		{"nonsense", start, "Bearer x", service.KeyInvalid, service.CodeInvalidKey},
		{"a prefix only", start, active.Key.Prefix, service.KeyInvalid, service.CodeInvalidKey},
	} {
		w.clock.Advance(c.at.Sub(w.clock.Now()))
		got, err := w.ValidateKey(t.Context(), c.text)
		if want := (service.KeyValidation{Valid: c.code == "", Status: c.status}); err != nil || got != want {
			t.Errorf("%s: ValidateKey = %+v, %v; want %+v", c.name, got, err, want)
		}
		caller, err := w.Authenticate(t.Context(), c.text)
		if c.code != "" {
			wantCode(t, c.name, err, c.code)
		} else if err != nil || caller.TeamID != w.acme.TeamID || caller.KeyID == "" || caller.UserID == "" {
			t.Errorf("%s: Authenticate = %+v, %v", c.name, caller, err)
		}
	}
	_, err := other.Authenticate(t.Context(), unknown)
	wantCode(t, "key of another service", err, service.CodeInvalidKey)
	if c, err := w.Authenticate(t.Context(), active.Text); err != nil || len(c.AllowedOrigins) != 1 {
		t.Errorf("Authenticate = %+v, %v; want the key's origin", c, err)
	}
}

func TestListAndRevokeKeys(t *testing.T) {
	w := newWorld(t)
	key := w.newKey(service.CreateKeyInput{})
	keys, err := w.ListKeys(t.Context(), "acme")
	if err != nil || len(keys) != 2 || keys[1].ID != key.Key.ID {
		t.Fatalf("ListKeys = %+v, %v; want the first key and the new one", keys, err)
	}
	_, err = w.ListKeys(t.Context(), "nobody")
	wantCode(t, "keys of an unknown team", err, service.CodeNotFound)
	_, err = w.RevokeKey(t.Context(), uuid.NewString())
	wantCode(t, "unknown key", err, service.CodeNotFound)
	first, err := w.RevokeKey(t.Context(), key.Key.ID)
	if err != nil || first.RevokedAt == nil {
		t.Fatalf("RevokeKey = %+v, %v", first, err)
	}
	w.clock.Advance(time.Hour)
	again, err := w.RevokeKey(t.Context(), key.Key.ID)
	if err != nil || !again.RevokedAt.Equal(*first.RevokedAt) {
		t.Errorf("second RevokeKey = %+v, %v; want the first time kept", again, err)
	}
}

// countingStore counts the look-ups of keys.
type countingStore struct {
	service.Store
	lookUps atomic.Int64
}

func (s *countingStore) KeyByHash(ctx context.Context, hash [32]byte) (service.Key, error) {
	s.lookUps.Add(1)
	return s.Store.KeyByHash(ctx, hash)
}

// TestChangedKeyNeverReachesTheStore changes one or more characters of a key: its checksum must tell.
func TestChangedKeyNeverReachesTheStore(t *testing.T) {
	w := newWorld(t)
	text := w.newKey(service.CreateKeyInput{}).Text
	store := &countingStore{Store: w.store}
	s, err := service.New(service.Ports{Store: store, Objects: w.objects}, service.Config{})
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil || got.Status != service.KeyInvalid {
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
		s, err := service.New(service.Ports{
			Store: w.store, Objects: w.objects, Random: filled(c.fill),
		}, service.Config{})
		if err != nil {
			t.Fatal(err)
		}
		key, err := s.CreateKey(t.Context(), service.CreateKeyInput{Team: "acme", Name: c.name})
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
	dfm := func(l service.Level) service.AccessGrid { return service.AccessGrid{DFM: l} }
	for _, c := range []struct {
		name  string
		grid  service.AccessGrid
		area  service.Area
		write bool
		want  service.Code
	}{
		{"full writes core", service.FullAccess, service.AreaCore, true, ""},
		{"full writes quoting", service.FullAccess, service.AreaQuoting, true, ""},
		{"write includes read", dfm(service.LevelWrite), service.AreaDFM, false, ""},
		{"core read is always on", service.AccessGrid{}, service.AreaCore, false, ""},
		{"core write is not", service.AccessGrid{}, service.AreaCore, true, service.CodeReadOnlyKey},
		{"read reads", dfm(service.LevelRead), service.AreaDFM, false, ""},
		{"read does not write", dfm(service.LevelRead), service.AreaDFM, true, service.CodeReadOnlyKey},
		{"none reads not", dfm(service.LevelWrite), service.AreaQuoting, false, service.CodeProductMismatch},
		{"none writes not", dfm(service.LevelWrite), service.AreaQuoting, true, service.CodeProductMismatch},
		{"unknown area", service.FullAccess, "billing", false, service.CodeProductMismatch},
	} {
		err := service.Caller{Access: c.grid}.Allow(c.area, c.write)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		wantCode(t, c.name, err, c.want)
		if !strings.Contains(err.Error(), string(c.area)) || !strings.Contains(err.Error(), "it may read") {
			t.Errorf("%s: %v must name the area and what the key may do", c.name, err)
		}
	}
}

func TestAccessGridText(t *testing.T) {
	grid := service.AccessGrid{Core: service.LevelWrite, DFM: service.LevelRead}
	text, err := json.Marshal(grid)
	if want := `{"core":"write","dfm":"read","quoting":"none"}`; err != nil || string(text) != want {
		t.Errorf("Marshal = %s, %v; want %s", text, err, want)
	}
	var back service.AccessGrid
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

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"short", "part.step", "part.step"},
		{"empty", "", ""},
		{"as long as may be", strings.Repeat("x", 80), strings.Repeat("x", 80)},
		{"longer", strings.Repeat("x", 81), strings.Repeat("x", 80) + "…"},
		{"cut in a character", strings.Repeat("x", 79) + "é", strings.Repeat("x", 79) + "…"},
		{"not text at all", strings.Repeat("\xff", 90), strings.Repeat("\xff", 76) + "…"},
		{"a key", keyOfOnes, "mw_live_…"},
		{"a key among others", "?a=" + keyOfZeros + "&b=" + keyOfOnes + "/", "?a=mw_live_…&b=mw_live_…/"},
		{"a key twice", keyOfOnes + keyOfOnes, "mw_live_…mw_live_…"},
		{"half a key", keyOfOnes[:20], "mw_live_…"},
		{"a key at the cut", strings.Repeat("x", 70) + keyOfOnes, strings.Repeat("x", 70) + "mw_live_…"},
	} {
		if got := service.Excerpt(c.text); got != c.want {
			t.Errorf("%s: Excerpt = %q, want %q", c.name, got, c.want)
		}
	}
}
