package worker

import "sync"

// largeJobSlots is how many more large jobs may run. A runner takes a place before it knows whether the store has a large job,
// so that another may be turned away for one that is not used; the room remembers that until the place is free.
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

// leave reports whether somebody was turned away since the last one left.
func (r *largeJobSlots) leave() (wanted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted, r.turnedAway = r.turnedAway, false
	r.free++
	return wanted
}
