package parallel

import "sync"

// Memo caches values by key. It is safe for concurrent use: if one goroutine computes a value, the others wait for it.
// The zero Memo is empty.
type Memo[K comparable, V any] struct {
	mutex sync.Mutex
	known map[K]*kept[V]
}

type kept[V any] struct {
	once  sync.Once
	value V
	err   error
}

// Get returns the result of make for the key, errors too. It calls make once for each key; make must not ask for the
// same key.
func (m *Memo[K, V]) Get(key K, make func() (V, error)) (V, error) {
	m.mutex.Lock()
	k, ok := m.known[key]
	if !ok {
		if m.known == nil {
			m.known = map[K]*kept[V]{}
		}
		k = &kept[V]{}
		m.known[key] = k
	}
	m.mutex.Unlock()
	k.once.Do(func() { k.value, k.err = make() })
	return k.value, k.err
}
