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
)

func testPing(t *testing.T, f *fixture) {
	if err := f.store.Ping(f.ctx); err != nil {
		t.Errorf("Ping = %v", err)
	}
}

// testTime: a test's database is on the machine of the test.
func testTime(t *testing.T, f *fixture) {
	before := record.TruncateTime(time.Now())
	told, err := f.store.Time(f.ctx)
	if err != nil || told.Before(before) || told.After(time.Now()) {
		t.Errorf("Time = %v, %v; want it between %v and now", told, err, before)
	}
}

func testTeamsAndUsers(t *testing.T, f *fixture) {
	got, err := f.store.TeamByName(f.ctx, f.team.Name)
	if err != nil || got != f.team {
		t.Errorf("TeamByName = %+v, %v; want %+v", got, err, f.team)
	}
	again := account.Team{ID: uuid.NewString(), Name: f.team.Name, CreatedAt: f.now}
	if err := f.store.CreateTeam(f.ctx, again); !errors.Is(err, record.ErrExists) {
		t.Errorf("second team of one name: %v, want ErrExists", err)
	}
	if _, err := f.store.TeamByName(f.ctx, "nobody"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("unknown team: %v, want ErrNotFound", err)
	}

	ann := f.newUser(f.team, "ann")
	if got, err := f.store.UserByName(f.ctx, f.team.ID, "ann"); err != nil || got != ann {
		t.Errorf("UserByName = %+v, %v; want %+v", got, err, ann)
	}
	twin := account.User{ID: uuid.NewString(), TeamID: f.team.ID, Name: "ann", CreatedAt: f.now}
	if err := f.store.CreateUser(f.ctx, twin); !errors.Is(err, record.ErrExists) {
		t.Errorf("second user of one name: %v, want ErrExists", err)
	}
	other := f.newTeam("other")
	if _, err := f.store.UserByName(f.ctx, other.ID, "ann"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("user of another team: %v, want ErrNotFound", err)
	}
	f.newUser(other, "ann") // the same name in another team is somebody else
	abe := f.newUser(f.team, "abe")
	all, err := f.store.Users(f.ctx, f.team.ID)
	if err != nil || !reflect.DeepEqual(all, []account.User{abe, ann}) {
		t.Errorf("Users = %+v, %v; want those of the team by name", all, err)
	}
}

func testKeys(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	other := f.newTeam("other")
	f.newKey(other, f.newUser(other, "bob"))
	expires, revoked := f.now.Add(time.Hour), f.now.Add(time.Minute)
	full := f.newKey(f.team, user)
	narrow := full
	narrow.ID, narrow.Hash[0], narrow.CreatedAt = uuid.NewString(), full.Hash[0]+1, f.tick()
	narrow.Access = account.AccessGrid{Core: account.LevelRead, Quoting: account.LevelWrite}
	narrow.AllowedOrigins = []string{"https://example.com", "https://shop.example.com"}
	narrow.ExpiresAt, narrow.RevokedAt = &expires, &revoked
	f.must(f.store.CreateKey(f.ctx, narrow))

	for _, want := range []account.Key{full, narrow} {
		got, err := f.store.KeyByHash(f.ctx, want.Hash)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("KeyByHash = %+v, %v; want %+v", got, err, want)
		}
	}
	got, err := f.store.ListKeys(f.ctx, f.team.ID)
	if want := []account.Key{full, narrow}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("ListKeys = %+v, %v; want %+v", got, err, want)
	}
	twin := full
	twin.ID = uuid.NewString()
	if err := f.store.CreateKey(f.ctx, twin); !errors.Is(err, record.ErrExists) {
		t.Errorf("second key of one hash: %v, want ErrExists", err)
	}
	if _, err := f.store.KeyByHash(f.ctx, [32]byte{1}); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("unknown hash: %v, want ErrNotFound", err)
	}
}

func testRevokeKey(t *testing.T, f *fixture) {
	key := f.newKey(f.team, f.newUser(f.team, "ann"))
	first := f.tick()
	for _, at := range []time.Time{first, f.tick()} {
		got, err := f.store.RevokeKey(f.ctx, key.ID, at)
		if err != nil || got.RevokedAt == nil || !got.RevokedAt.Equal(first) {
			t.Fatalf("RevokeKey at %v = %+v, %v; want revoked at %v", at, got, err, first)
		}
	}
	got, err := f.store.KeyByHash(f.ctx, key.Hash)
	if err != nil || got.RevokedAt == nil || !got.RevokedAt.Equal(first) {
		t.Errorf("revoked key reads %+v, %v", got, err)
	}
	if _, err := f.store.RevokeKey(f.ctx, uuid.NewString(), first); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("unknown key: %v, want ErrNotFound", err)
	}
}

func testEditKey(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	key, bystander := f.newKey(f.team, user), f.newKey(f.team, user)
	narrow := account.AccessGrid{Core: account.LevelRead, DFM: account.LevelWrite}
	for _, c := range []struct {
		name string
		edit account.KeyEdit
	}{
		{"access", account.KeyEdit{Access: &narrow}},
		{"origins", account.KeyEdit{AllowedOrigins: []string{"https://b.example", "https://a.example"}}},
		{"both", account.KeyEdit{Access: &account.FullAccess, AllowedOrigins: []string{}}},
		{"name", account.KeyEdit{Name: new("line 2 Ø")}},
		{"expiry", account.KeyEdit{ExpiresAt: new(f.after(time.Hour))}},
		{"no expiry", account.KeyEdit{NeverExpires: true}},
	} {
		if c.edit.Name != nil {
			key.Name = *c.edit.Name
		}
		if c.edit.Access != nil {
			key.Access = *c.edit.Access
		}
		if c.edit.AllowedOrigins != nil {
			key.AllowedOrigins = c.edit.AllowedOrigins
		}
		if c.edit.ExpiresAt != nil || c.edit.NeverExpires {
			key.ExpiresAt = c.edit.ExpiresAt
		}
		got, err := f.store.EditKey(f.ctx, key.ID, c.edit)
		if err != nil || !reflect.DeepEqual(got, key) {
			t.Errorf("%s: EditKey = %+v, %v\nwant %+v", c.name, got, err, key)
		}
		for _, want := range []account.Key{key, bystander} {
			if got, err := f.store.KeyByHash(f.ctx, want.Hash); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: KeyByHash = %+v, %v\nwant %+v", c.name, got, err, want)
			}
		}
	}
	_, err := f.store.EditKey(f.ctx, uuid.NewString(), account.KeyEdit{Access: &narrow})
	if !errors.Is(err, record.ErrNotFound) {
		t.Errorf("unknown key: %v, want ErrNotFound", err)
	}
}

func testKeyOfTeam(t *testing.T, f *fixture) {
	other := f.newTeam("other")
	key := f.newKey(f.team, f.newUser(f.team, "ann"))
	if got, err := f.store.Key(f.ctx, f.team.ID, key.ID); err != nil || !reflect.DeepEqual(got, key) {
		t.Errorf("Key = %+v, %v; want %+v", got, err, key)
	}
	if _, err := f.store.Key(f.ctx, other.ID, key.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("key of another team: %v, want ErrNotFound", err)
	}
	teams, err := f.store.Teams(f.ctx, 1)
	if err != nil || !reflect.DeepEqual(teams, []account.Team{f.team}) {
		t.Errorf("Teams = %+v, %v; want the first of two", teams, err)
	}
}

func testRollKey(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	old := f.newKey(f.team, user)
	const shop = "https://shop.example"
	edit := account.KeyEdit{AllowedOrigins: []string{shop}, ExpiresAt: new(old.CreatedAt.Add(24 * time.Hour))}
	old, err := f.store.EditKey(f.ctx, old.ID, edit)
	f.must(err)
	now := f.after(time.Hour)
	end := now.Add(time.Hour)
	made := account.Key{
		ID: uuid.NewString(), Prefix: "mw_live_hgfedcba", Hash: [32]byte{7, 7}, CreatedAt: now,
	}
	wantOld, want := old, old.Successor(made)
	wantOld.RevokedAt, wantOld.ReplacedBy = &end, made.ID
	gotOld, got, err := f.store.RollKey(f.ctx, old.ID, now, end, made)
	if err != nil || !reflect.DeepEqual(gotOld, wantOld) || !reflect.DeepEqual(got, want) {
		t.Errorf("RollKey = %+v, %+v, %v\nwant %+v, %+v", gotOld, got, err, wantOld, want)
	}
	for _, want := range []account.Key{wantOld, want} {
		if got, err := f.store.KeyByHash(f.ctx, want.Hash); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("KeyByHash = %+v, %v\nwant %+v", got, err, want)
		}
	}
	expiry := *want.ExpiresAt
	for at, want := range map[time.Time]bool{end: true, expiry.Add(-time.Second): true, expiry: false} {
		if got, err := f.store.OriginAllowed(f.ctx, shop, at); err != nil || got != want {
			t.Errorf("OriginAllowed at %v = %v, %v; want %v", at, got, err, want)
		}
	}
	again := made
	again.ID, again.Hash[0] = uuid.NewString(), 8
	if _, _, err := f.store.RollKey(f.ctx, old.ID, now, end, again); !errors.Is(err, account.ErrNotRollable) {
		t.Errorf("second roll of a key: %v, want ErrNotRollable", err)
	}
	if _, _, err := f.store.RollKey(f.ctx, uuid.NewString(), now, end, again); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("unknown key: %v, want ErrNotFound", err)
	}
	if _, err := f.store.KeyByHash(f.ctx, again.Hash); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("successor of a refused roll: %v, want ErrNotFound", err)
	}
	early := f.tick()
	if got, err := f.store.RevokeKey(f.ctx, old.ID, early); err != nil || !got.RevokedAt.Equal(early) {
		t.Errorf("RevokeKey of a rolled key = %+v, %v; want its end at %v", got, err, early)
	}
}

// testRollAtOnce rolls one key several times: one succeeds.
func testRollAtOnce(t *testing.T, f *fixture) {
	key := f.newKey(f.team, f.newUser(f.team, "ann"))
	now := f.tick()
	var rolled atomic.Int32
	f.atOnce(8, func(i int) error {
		made := account.Key{ID: uuid.NewString(), Hash: [32]byte{9, byte(i)}, CreatedAt: now}
		_, _, err := f.store.RollKey(f.ctx, key.ID, now, now, made)
		if err == nil {
			rolled.Add(1)
		}
		if errors.Is(err, account.ErrNotRollable) {
			return nil
		}
		return err
	})
	keys, err := f.store.ListKeys(f.ctx, f.team.ID)
	if err != nil || rolled.Load() != 1 || len(keys) != 2 {
		t.Errorf("%d rolls succeed, %d keys, %v; want 1 and 2", rolled.Load(), len(keys), err)
	}
}

func testKeyUses(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	a, b, c := f.newKey(f.team, user), f.newKey(f.team, user), f.newKey(f.team, user)
	first, second := f.tick(), f.tick()
	f.must(f.store.RecordKeyUses(f.ctx, map[string]time.Time{a.ID: second, b.ID: first, uuid.NewString(): first}))
	f.must(f.store.RecordKeyUses(f.ctx, map[string]time.Time{a.ID: first, b.ID: second}))
	f.must(f.store.RecordKeyUses(f.ctx, nil))
	for _, want := range []struct {
		key  account.Key
		used *time.Time
	}{{a, &second}, {b, &second}, {c, nil}} {
		got, err := f.store.Key(f.ctx, f.team.ID, want.key.ID)
		if want.key.LastUsedAt = want.used; err != nil || !reflect.DeepEqual(got, want.key) {
			t.Errorf("Key = %+v, %v\nwant %+v", got, err, want.key)
		}
	}
	f.atOnce(8, func(int) error {
		return f.store.RecordKeyUses(f.ctx, map[string]time.Time{a.ID: f.now, b.ID: f.now, c.ID: f.now})
	})
}

func testOriginAllowed(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	const shop, old, gone, late = "https://shop.example", "https://old.example", "https://gone.example",
		"https://late.example"
	allow := func(change func(*account.Key), origins ...string) account.Key {
		t.Helper()
		key := f.newKey(f.team, user)
		key.ID, key.Hash[31], key.AllowedOrigins = uuid.NewString(), key.Hash[31]+1, origins
		change(&key)
		f.must(f.store.CreateKey(f.ctx, key))
		return key
	}
	expires := f.now.Add(time.Hour)
	keep := func(*account.Key) {}
	first := allow(keep, shop, old)
	allow(func(k *account.Key) { k.ExpiresAt = &expires }, late, shop, shop)
	_, err := f.store.RevokeKey(f.ctx, allow(keep, gone).ID, f.tick())
	f.must(err)
	_, err = f.store.EditKey(f.ctx, first.ID, account.KeyEdit{AllowedOrigins: []string{shop}})
	f.must(err)
	for _, c := range []struct {
		name, origin string
		at           time.Time
		want         bool
	}{
		{"of two keys", shop, f.now, true},
		{"of none", "https://other.example", f.now, false},
		{"taken back", old, f.now, false},
		{"of a revoked key", gone, f.now, false},
		{"of a key that will expire", late, expires.Add(-time.Microsecond), true},
		{"of an expired key", late, expires, false},
		{"no origin", "", f.now, false},
	} {
		if got, err := f.store.OriginAllowed(f.ctx, c.origin, c.at); err != nil || got != c.want {
			t.Errorf("%s: OriginAllowed(%q) = %v, %v; want %v", c.name, c.origin, got, err, c.want)
		}
	}
}
