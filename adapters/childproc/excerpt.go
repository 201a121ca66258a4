package childproc

import (
	"strings"
	"sync"
)

// keptEnd is the length kept of each end of the standard error, in bytes. A Go crash prints its cause first and stacks
// after it; a kernel that fails after many warnings prints the cause last.
const keptEnd = 4 << 10

// excerpt keeps the beginning and the end of the written bytes.
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
