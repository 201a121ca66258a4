// Package recall keeps answers of the REST interface in memory, to be given again while they still hold. Whether one
// holds is told by its version and time, which the caller knows; the memory only keeps to its size.
package recall

import (
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

// Question is what an answer depends on besides the records and the time: the hash of the request.
type Question [sha256.Size]byte

// Ask hashes the parts of a request. None of them holds a zero byte, which ends each: no two lists hash alike.
func Ask(parts ...string) Question {
	const usual = 512 // bytes
	text := make([]byte, 0, usual)
	for _, p := range parts {
		text = append(append(text, p...), 0)
	}
	return sha256.Sum256(text)
}

// Answer is what was answered. It is shared: nobody writes to it.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte

	TeamID, KeyID string // of the caller

	Version string    // of the records before they were read
	Until   time.Time // before this time; zero = as long as the version stands
}

// Holds reports whether the answer would be the same at a version and time.
func (a *Answer) Holds(version string, now time.Time) bool {
	return a.Version == version && (a.Until.IsZero() || now.Before(a.Until))
}

// Memory keeps the answers that were given last, up to a size. The zero value keeps nothing.
type Memory struct {
	mu         sync.Mutex
	size       int // bytes of each generation
	young, old map[Question]*Answer
	weight     int // of young
}

// largest is the part of the memory that one answer may take.
const largest = 16

// answerWeight is what an answer takes besides its body, in bytes.
const answerWeight = 1 << 10

// New makes a memory of about so many bytes.
func New(size int) *Memory {
	const generations = 2
	return &Memory{size: size / generations}
}

// Largest is the length of the longest body that is kept.
func (m *Memory) Largest() int { return m.size / largest }

// Get returns the answer that was given last, nil when none is kept.
func (m *Memory) Get(q Question) *Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.young[q]; a != nil {
		return a
	}
	a := m.old[q]
	if a != nil {
		m.put(q, a)
	}
	return a
}

// Put keeps an answer in place of an earlier one.
func (m *Memory) Put(q Question, a *Answer) {
	if len(a.Body) > m.Largest() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(q, a)
}

// put forgets everything that was not asked for since the time before last when the memory was half full.
func (m *Memory) put(q Question, a *Answer) {
	change := answerWeight + len(a.Body)
	if before := m.young[q]; before != nil {
		change -= answerWeight + len(before.Body)
	}
	if m.young == nil || m.weight+change > m.size {
		m.young, m.old, m.weight = map[Question]*Answer{}, m.young, 0
		change = answerWeight + len(a.Body)
	}
	m.young[q] = a
	m.weight += change
}
