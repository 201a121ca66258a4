package account

import (
	"context"
	"sync"
	"time"
)

// UseBatchInterval is the time between two writes of collected uses (StoreUses).
const UseBatchInterval = time.Minute

// keyUses collects the last use of keys until the next write. A request never waits for a write.
type keyUses struct {
	mu   sync.Mutex
	last map[string]time.Time // by id of the key
}

func (u *keyUses) note(keyID string, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == nil {
		u.last = map[string]time.Time{}
	}
	if at.After(u.last[keyID]) {
		u.last[keyID] = at
	}
}

// take returns the collected uses and begins a new collection.
func (u *keyUses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := u.last
	u.last = nil
	return out
}

// overlaid returns the key with the use that this process has not written yet.
func (u *keyUses) overlaid(k Key) Key {
	u.mu.Lock()
	at, ok := u.last[k.ID]
	u.mu.Unlock()
	if ok && (k.LastUsedAt == nil || at.After(*k.LastUsedAt)) {
		k.LastUsedAt = &at
	}
	return k
}

// NoteUse collects a use of a key.
func (s *Service) NoteUse(keyID string, at time.Time) { s.uses.note(keyID, at) }

// StoreUses writes the collected uses in one batch. It is called every UseBatchInterval, and when the process stops.
// If it fails, the uses stay collected.
func (s *Service) StoreUses(ctx context.Context) error {
	uses := s.uses.take()
	if len(uses) == 0 {
		return nil
	}
	err := s.keys.RecordKeyUses(ctx, uses)
	if err != nil {
		for id, at := range uses {
			s.uses.note(id, at)
		}
	}
	return err
}
