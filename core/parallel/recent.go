package parallel

import "sync"

// Recent caches values by key within bounds. It is safe for concurrent use; goroutines that ask for an unknown key at
// the same time each compute its value.
//
// Method: two generations. When the younger one is full, it takes the place of the older one. A value that is found in
// the older one returns to the younger one.
type Recent[K comparable, V any] struct {
	most   int
	size   func(V) int
	mutex  sync.Mutex
	young  map[K]V
	old    map[K]V
	filled int // sum of the sizes in young
}

// NewRecent returns an empty cache for values whose sizes add up to most.
func NewRecent[K comparable, V any](most int, size func(V) int) *Recent[K, V] {
	return &Recent[K, V]{most: most, size: size}
}

// Get returns the value for the key, from find unless it is known. It does not keep errors.
func (r *Recent[K, V]) Get(key K, find func() (V, error)) (V, error) {
	v, isKnown := r.known(key)
	if !isKnown {
		var err error
		if v, err = find(); err != nil {
			return v, err
		}
	}
	r.keep(key, v)
	return v, nil
}

func (r *Recent[K, V]) known(key K) (V, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	v, ok := r.young[key]
	if !ok {
		v, ok = r.old[key]
	}
	return v, ok
}

func (r *Recent[K, V]) keep(key K, v V) {
	size := r.size(v)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if _, ok := r.young[key]; ok || 2*size > r.most {
		return
	}
	if r.young == nil || 2*(r.filled+size) > r.most {
		r.old, r.young, r.filled = r.young, map[K]V{}, 0
	}
	r.young[key], r.filled = v, r.filled+size
}
