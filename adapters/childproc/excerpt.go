package childproc

import (
	"strings"
	"sync"
)

// keptEnd is how much of each end of the standard error is kept, in bytes. A Go crash names its cause
// first and prints stacks after it; a kernel that warns for long and then fails says so at the end.
const keptEnd = 4 << 10

// excerpt keeps the beginning and the end of what is written to it.
type excerpt struct {
	mu      sync.Mutex
	head    []byte
	tail    []byte
	skipped bool
}

// Write implements io.Writer; it always takes everything.
func (e *excerpt) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(p)
	if room := keptEnd - len(e.head); room > 0 {
		take := min(room, len(p))
		e.head = append(e.head, p[:take]...)
		p = p[take:]
	}
	e.tail = append(e.tail, p...)
	if extra := len(e.tail) - keptEnd; extra > 0 {
		e.tail = append(e.tail[:0], e.tail[extra:]...)
		e.skipped = true
	}
	return n, nil
}

// String returns both ends, with a mark where something is left out.
func (e *excerpt) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	middle := ""
	if e.skipped {
		middle = "\n[…]\n"
	}
	if text := strings.TrimSpace(string(e.head) + middle + string(e.tail)); text != "" {
		return text
	}
	return "(nothing on its standard error)"
}
