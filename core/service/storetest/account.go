package storetest

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"millwright/core/service"
)

func testPing(t *testing.T, f *fixture) {
	if err := f.store.Ping(f.ctx); err != nil {
		t.Errorf("Ping = %v", err)
	}
}

func testTeamsAndUsers(t *testing.T, f *fixture) {
	got, err := f.store.TeamByName(f.ctx, f.team.Name)
	if err != nil || got != f.team {
		t.Errorf("TeamByName = %+v, %v; want %+v", got, err, f.team)
	}
	again := service.Team{ID: uuid.NewString(), Name: f.team.Name, CreatedAt: f.now}
	if err := f.store.CreateTeam(f.ctx, again); !errors.Is(err, service.ErrExists) {
		t.Errorf("second team of one name: %v, want ErrExists", err)
	}
	if _, err := f.store.TeamByName(f.ctx, "nobody"); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("unknown team: %v, want ErrNotFound", err)
	}

	ann := f.newUser(f.team, "ann")
	if got, err := f.store.UserByName(f.ctx, f.team.ID, "ann"); err != nil || got != ann {
		t.Errorf("UserByName = %+v, %v; want %+v", got, err, ann)
	}
	twin := service.User{ID: uuid.NewString(), TeamID: f.team.ID, Name: "ann", CreatedAt: f.now}
	if err := f.store.CreateUser(f.ctx, twin); !errors.Is(err, service.ErrExists) {
		t.Errorf("second user of one name: %v, want ErrExists", err)
	}
	other := f.newTeam("other")
	if _, err := f.store.UserByName(f.ctx, other.ID, "ann"); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("user of another team: %v, want ErrNotFound", err)
	}
	f.newUser(other, "ann") // the same name in another team is somebody else
}

func testKeys(t *testing.T, f *fixture) {
	user := f.newUser(f.team, "ann")
	other := f.newTeam("other")
	f.newKey(other, f.newUser(other, "bob"))
	expires, revoked := f.now.Add(time.Hour), f.now.Add(time.Minute)
	full := f.newKey(f.team, user)
	narrow := full
	narrow.ID, narrow.Hash[0], narrow.CreatedAt = uuid.NewString(), full.Hash[0]+1, f.tick()
	narrow.Access = service.AccessGrid{Core: service.LevelRead, Quoting: service.LevelWrite}
	narrow.AllowedOrigins = []string{"https://example.com", "https://shop.example.com"}
	narrow.ExpiresAt, narrow.RevokedAt = &expires, &revoked
	f.must(f.store.CreateKey(f.ctx, narrow))

	for _, want := range []service.Key{full, narrow} {
		got, err := f.store.KeyByHash(f.ctx, want.Hash)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("KeyByHash = %+v, %v; want %+v", got, err, want)
		}
	}
	got, err := f.store.ListKeys(f.ctx, f.team.ID)
	if want := []service.Key{full, narrow}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("ListKeys = %+v, %v; want %+v", got, err, want)
	}
	twin := full
	twin.ID = uuid.NewString()
	if err := f.store.CreateKey(f.ctx, twin); !errors.Is(err, service.ErrExists) {
		t.Errorf("second key of one hash: %v, want ErrExists", err)
	}
	if _, err := f.store.KeyByHash(f.ctx, [32]byte{1}); !errors.Is(err, service.ErrNotFound) {
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
	if _, err := f.store.RevokeKey(f.ctx, uuid.NewString(), first); !errors.Is(err, service.ErrNotFound) {
		t.Errorf("unknown key: %v, want ErrNotFound", err)
	}
}
