package parallel

import "sync"

// Memo keeps what was made for keys. Several goroutines may use one: what one of them makes the others wait for. The
// zero Memo is empty.
type Memo[K comparable, V any] struct {
	mutex sync.Mutex
	known map[K]*kept[V]
}

type kept[V any] struct {
	once  sync.Once
	value V
	err   error
}

// Get returns what make has returned for the key, errors too. It is called once for each key, and must not ask for the
// same one.
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
