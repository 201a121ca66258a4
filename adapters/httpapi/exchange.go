package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/account"
)

// Exchange is a request and its response, for observers. It contains no secrets: no key text, and only the pattern of
// an address.
type Exchange struct {
	RequestID string
	Method    string
	Route     string // pattern of the operation's path; "" when no operation took the request
	Status    int
	Bytes     int64 // of the answer's body
	Took      time.Duration
	TeamID    string // "" before a key was accepted
	KeyID     string
}

// Observer receives requests for logs, metrics and traces.
type Observer interface {
	// Begin is called before a request is handled, with its id in the context; it returns the context of the request.
	Begin(r *http.Request) context.Context
	// End is called when it was answered, with the context of the request.
	End(ctx context.Context, e Exchange)
}

const requestIDHeader = problem.RequestIDHeader

type observedKey struct{}

func exchangeOf(ctx context.Context) *Exchange {
	e, _ := ctx.Value(observedKey{}).(*Exchange)
	if e == nil {
		e = &Exchange{} // for a handler without observers
	}
	return e
}

// RequestID returns the id of the request that a context belongs to, "" outside of one.
func RequestID(ctx context.Context) string { return exchangeOf(ctx).RequestID }

// Observe assigns each request an id and calls the observers.
func Observe(next http.Handler, observers ...Observer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		e := &Exchange{RequestID: requestID(r), Method: method(r)}
		w.Header().Set(requestIDHeader, e.RequestID)
		r = r.WithContext(context.WithValue(r.Context(), observedKey{}, e))
		for _, o := range observers {
			r = r.WithContext(o.Begin(r))
		}
		answer := &counted{ResponseWriter: w}
		defer func() { // also when the connection is broken off by a panic
			e.Status, e.Bytes, e.Took = answer.status, answer.bytes, time.Since(begin)
			if e.Status == 0 {
				e.Status = http.StatusOK
			}
			for _, o := range observers {
				o.End(r.Context(), *e)
			}
		}()
		next.ServeHTTP(answer, r)
		answer.send()
	})
}

// requestID is the client's, when it is 8 to 128 letters, digits, '-', '_' or '.'; else a new one.
func requestID(r *http.Request) string {
	id := r.Header.Get(requestIDHeader)
	if len(id) < 8 || len(id) > 128 {
		return rand.Text()
	}
	for _, c := range []byte(id) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' && c != '.' {
			return rand.Text()
		}
	}
	return id
}

// method is one of the known methods, so that a client cannot make up names in logs and metrics.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return r.Method
	}
	return "other"
}

// At names the route of requests that a handler outside of the API takes.
func At(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		exchangeOf(r.Context()).Route = route
		next.ServeHTTP(w, r)
	})
}

// NoteCaller records the caller of such a request.
func NoteCaller(ctx context.Context, c account.Caller) {
	e := exchangeOf(ctx)
	e.TeamID, e.KeyID = c.TeamID, c.KeyID
}

// counted is an answer that is measured. Its header waits for the body, which may know its length only then: a length
// spares client and server the chunks.
type counted struct {
	http.ResponseWriter
	status int
	sent   bool // the header
	bytes  int64
}

// Unwrap lets http.ResponseController reach the connection.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (c *counted) WriteHeader(status int) {
	switch {
	case status < http.StatusOK:
		c.ResponseWriter.WriteHeader(status)
	case c.status == 0:
		c.status = status
	}
}

// send sends the header, if that was not done.
func (c *counted) send() {
	if !c.sent && c.status != 0 {
		c.sent = true
		c.ResponseWriter.WriteHeader(c.status)
	}
}

// FlushError is used by http.ResponseController.
func (c *counted) FlushError() error {
	c.WriteHeader(http.StatusOK)
	c.send()
	return http.NewResponseController(c.ResponseWriter).Flush()
}

// Flush implements http.Flusher: the compressing handler looks for it alone.
func (c *counted) Flush() { _ = c.FlushError() } // the next write has the error

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	c.send()
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}
