package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"millwright/adapters/httpapi/recall"
	"millwright/core/service"
)

// Clients poll. An answer to a GET is given again, without asking for anything else, when the store says that nobody
// has committed anything since, and the time changes nothing about it: then it would come out the same, down to
// whether the key may read it. Each key has its own answers. Any commit, of any team, ends them all.

// recallSize bounds the answers that are kept, bytes.
const recallSize = 32 << 20

const recalledKey = "recalled"

// recalled marks an operation whose answers depend on the request, the records, and on the time only as
// holdsUntil says.
func recalled(op huma.Operation) huma.Operation {
	op.Metadata[recalledKey] = true
	return op
}

type askedKey struct{}

// asked is a request that may be answered from memory, or whose answer may be kept.
type asked struct {
	service.Moment
	until time.Time // when the answer ends to hold by itself; zero = never
}

// holdsUntil says that the answer to the request may be another one from a time on; zero says nothing.
func holdsUntil(ctx context.Context, t time.Time) {
	if a, _ := ctx.Value(askedKey{}).(*asked); a != nil && !t.IsZero() && (a.until.IsZero() || t.Before(a.until)) {
		a.until = t
	}
}

// holdsThisSecond is for answers with signed addresses, whose times are whole seconds: within the second, they
// would be signed the same.
func holdsThisSecond(ctx context.Context) {
	if a, _ := ctx.Value(askedKey{}).(*asked); a != nil {
		holdsUntil(ctx, a.Time.Truncate(time.Second).Add(time.Second))
	}
}

// recall is the middleware that answers from memory.
func (a *api) recall(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	keys := r.Header.Values("Authorization")
	if ctx.Operation().Metadata[recalledKey] == nil || len(keys) != 1 || r.RequestURI == "" {
		next(ctx)
		return
	}
	moment, err := a.service.Moment(r.Context())
	if err != nil {
		next(ctx) // which meets the same trouble, and says so
		return
	}
	question := recall.Ask(keys[0], r.RequestURI, r.Header.Get("Origin"), r.Header.Get("Accept"))
	exchange := exchangeOf(r.Context())
	if known := a.answers.Get(question); known != nil && known.Holds(moment.Version, moment.Time) {
		exchange.Route, exchange.TeamID, exchange.KeyID = ctx.Operation().Path, known.TeamID, known.KeyID
		again(w, known)
		return
	}
	request := &asked{Moment: moment}
	r = r.WithContext(context.WithValue(ctx.Context(), askedKey{}, request))
	copied := &copiedAnswer{ResponseWriter: w, most: a.answers.Largest()}
	next(humamux.NewContext(ctx.Operation(), r, copied))
	if !copied.whole() {
		return
	}
	header := w.Header().Clone()
	header.Del(requestIDHeader)
	header.Set("Content-Length", strconv.Itoa(len(copied.body)))
	a.answers.Put(question, &recall.Answer{
		Status: copied.status, Header: header, Body: copied.body,
		TeamID: exchange.TeamID, KeyID: exchange.KeyID, Version: moment.Version, Until: request.until,
	})
}

func again(w http.ResponseWriter, known *recall.Answer) {
	header := w.Header()
	for name, values := range known.Header {
		header[name] = values
	}
	w.WriteHeader(known.Status)
	_, _ = w.Write(known.Body) // an error says that the client has gone
}

// copiedAnswer keeps a copy of what is answered, unless it is too long.
type copiedAnswer struct {
	http.ResponseWriter
	most   int
	status int
	body   []byte
	failed bool
}

// whole reports whether the copy is of a success, and complete.
func (c *copiedAnswer) whole() bool {
	return !c.failed && (c.status == http.StatusOK || c.status == http.StatusAccepted)
}

// Unwrap lets http.ResponseController reach the connection.
func (c *copiedAnswer) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (c *copiedAnswer) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (c *copiedAnswer) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(p)
	if err != nil || len(c.body)+n > c.most {
		c.failed, c.body = true, nil
	}
	if !c.failed {
		c.body = append(c.body, p[:n]...)
	}
	return n, err
}
