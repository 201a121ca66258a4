package worker

import "sync"

// largeJobSlots counts the free slots for large jobs. A runner takes a slot before it knows whether the store has a
// large job, so another runner may be refused for a slot that stays unused. turnedAway records such a refusal until a
// slot is free.
type largeJobSlots struct {
	mu         sync.Mutex
	free       int
	turnedAway bool
}

func (r *largeJobSlots) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free == 0 {
		r.turnedAway = true
		return false
	}
	r.free--
	return true
}

// leave releases a slot. It reports whether a runner was turned away since the last release.
func (r *largeJobSlots) leave() (wanted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted, r.turnedAway = r.turnedAway, false
	r.free++
	return wanted
}
