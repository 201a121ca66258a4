package share

import "sync"

// Cache stores immutable values by their keys: the most recently requested ones, up to a total weight.
type Cache[K comparable, V any] struct {
	mu         sync.Mutex
	most       int // weight of each generation
	young, old map[K]weighed[V]
	weight     int // of young
}

type weighed[V any] struct {
	value  V
	weight int
}

// NewMemory makes a memory for values of about a weight in all.
func NewMemory[K comparable, V any](most int) *Cache[K, V] {
	const generations = 2
	return &Cache[K, V]{most: most / generations}
}

// Get returns the value of a key, if it is stored.
func (m *Cache[K, V]) Get(key K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok := m.young[key]
	if !ok {
		if known, ok = m.old[key]; ok {
			m.put(key, known)
		}
	}
	return known.value, ok
}

// Put stores a value. A value whose weight would displace many others is not stored.
func (m *Cache[K, V]) Put(key K, value V, weight int) {
	const others = 8
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.young[key]; !known && weight <= m.most/others {
		m.put(key, weighed[V]{value, weight})
	}
}

// put forgets everything that was not asked for since the time before last when the memory was half full.
func (m *Cache[K, V]) put(key K, v weighed[V]) {
	if m.young == nil || m.weight+v.weight > m.most {
		m.young, m.old, m.weight = map[K]weighed[V]{}, m.young, 0
	}
	m.young[key] = v
	m.weight += v.weight
}
