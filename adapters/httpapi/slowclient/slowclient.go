// Package slowclient limits the time for which a slow client can occupy a connection, without a limit on the duration
// of a large transfer. Every read of a request and every write of a response has a deadline that advances with the
// bytes.
//
// A transfer ends after a pause of Limits.Idle, or when, Idle after its beginning, its average rate is below
// Limits.Rate. Only the time spent waiting for the client counts. The fixed timeouts of http.Server apply until the
// first read or write; they limit the headers.
package slowclient

import (
	"io"
	"net/http"
	"time"
)

// Limits is the minimum speed of a client.
type Limits struct {
	Idle time.Duration // longest pause
	Rate int64         // lowest average, bytes per second
}

// chunk is the most that is written under one deadline, in bytes; it must pass within Limits.Idle.
const chunk = 32 << 10

// Handler serves next with these limits on every request and answer.
func Handler(next http.Handler, l Limits) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn := http.NewResponseController(w)
		answer := &writer{ResponseWriter: w, meter: meter{limits: l, extend: conn.SetWriteDeadline}}
		if r.Body != nil && r.Body != http.NoBody {
			copied := *r
			copied.Body = &body{ReadCloser: r.Body, meter: meter{limits: l, extend: conn.SetReadDeadline}}
			r = &copied
		}
		next.ServeHTTP(answer, r)
		answer.allow() // for the bytes still buffered
	})
}

// meter measures one direction of one request.
type meter struct {
	limits Limits
	extend func(time.Time) error
	moved  int64         // bytes
	waited time.Duration // for the client
}

// allow moves the deadline for the next bytes and returns the time from which the wait counts. A
// connection without deadlines, as in tests of handlers, is not bounded.
func (m *meter) allow() time.Time {
	earned := time.Duration(float64(m.moved) / float64(m.limits.Rate) * float64(time.Second))
	now := time.Now()
	_ = m.extend(now.Add(min(m.limits.Idle, m.limits.Idle+earned-m.waited)))
	return now
}

func (m *meter) count(n int, since time.Time) {
	m.moved += int64(n)
	m.waited += time.Since(since)
}

// body is a request's body.
type body struct {
	io.ReadCloser
	meter
}

func (b *body) Read(p []byte) (int, error) {
	start := b.allow()
	n, err := b.ReadCloser.Read(p)
	b.count(n, start)
	return n, err
}

// writer is a response writer. It has no ReadFrom, so that files are sent in chunks too.
type writer struct {
	http.ResponseWriter
	meter
}

// Unwrap lets http.ResponseController reach the connection.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	w.allow()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	done := 0
	for {
		part := p[done:min(done+chunk, len(p))]
		start := w.allow()
		n, err := w.ResponseWriter.Write(part)
		w.count(n, start)
		if done += n; err != nil || done == len(p) {
			return done, err
		}
	}
}
