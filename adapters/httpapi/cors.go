package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"millwright.dev/millwright/core/service/account"
)

// Browsers use the API across origins if the key allows it. A preflight carries no key: it succeeds for an origin that
// any usable key allows. The response to the request itself has Access-Control-Allow-Origin only if its own key allows
// the origin; otherwise the browser hides the response from the page. There are no cookies and no browser credentials,
// so a page without a key gains no access.
//
// Signed object addresses contain their permission and are independent of keys: they are open to every origin that any
// usable key allows. A page can use an address only if a client with a key passed it to the page.

const (
	allowedHeaders = "Authorization, Content-Type, Idempotency-Key, If-None-Match"
	exposedHeaders = "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID"
	preflightLife  = "600" // seconds that a browser may remember a preflight
)

// origins reports the origins that any usable key allows. It caches an answer for a short time, so that a page with
// many requests does not cost a look-up in the store each.
type origins struct {
	ask    func(ctx context.Context, origin string) (bool, error)
	logger *slog.Logger
	now    func() time.Time

	mu    sync.Mutex
	known map[string]knownOrigin
}

type knownOrigin struct {
	allowed bool
	until   time.Time
}

const (
	originLife    = 5 * time.Second // a key that is revoked ends its preflights within this time
	knownOrigins  = 1000
	longestOrigin = 300 // bytes; a host name has at most 253
)

func newOrigins(accounts *account.Service, logger *slog.Logger) *origins {
	return &origins{ask: accounts.OriginAllowed, logger: logger, now: time.Now, known: map[string]knownOrigin{}}
}

// allowed returns false if the store does not answer: a failed preflight can be repeated.
func (o *origins) allowed(ctx context.Context, origin string) bool {
	if origin == "" || len(origin) > longestOrigin {
		return false
	}
	now := o.now()
	o.mu.Lock()
	known, found := o.known[origin]
	o.mu.Unlock()
	if found && now.Before(known.until) {
		return known.allowed
	}
	allowed, err := o.ask(ctx, origin)
	if err != nil {
		o.logger.Error("look up the keys of an origin", "error", err)
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.known) >= knownOrigins {
		clear(o.known) // by then most are old
	}
	o.known[origin] = knownOrigin{allowed: allowed, until: now.Add(originLife)}
	return allowed
}

// preflight answers OPTIONS at a path that offers the given methods.
func (o *origins) preflight(w http.ResponseWriter, r *http.Request, methods []string) {
	offered := strings.Join(append(slices.Clone(methods), http.MethodOptions), ", ")
	h := w.Header()
	h.Set("Allow", offered)
	h.Add("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
	origin := r.Header.Get("Origin")
	if r.Header.Get("Access-Control-Request-Method") != "" && o.allowed(r.Context(), origin) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
		h.Set("Access-Control-Allow-Headers", allowedHeaders)
		h.Set("Access-Control-Max-Age", preflightLife)
	}
	w.WriteHeader(http.StatusNoContent)
}

// allowOrigin opens an answer to the page that asked, when the caller's key allows its origin.
func allowOrigin(h http.Header, r *http.Request, c account.Caller) {
	if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(c.AllowedOrigins, origin) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", exposedHeaders)
	}
}

// allowOriginOfKey is allowOrigin where no key is needed: one that is sent, and usable, counts.
func (a *api) allowOriginOfKey(h http.Header, r *http.Request) {
	text := bearer(r.Header.Values("Authorization"))
	if text == "" || r.Header.Get("Origin") == "" {
		return
	}
	if c, err := a.use.Accounts.Authenticate(r.Context(), text); err == nil {
		allowOrigin(h, r, c)
	}
}

// CrossOriginObjects opens a handler of signed object addresses to browsers: uploads by PUT, downloads by GET
// and HEAD, from every origin that a usable key allows.
func CrossOriginObjects(accounts *account.Service, logger *slog.Logger, next http.Handler) http.Handler {
	o := newOrigins(accounts, logger)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Origin")
		if r.Method == http.MethodOptions {
			o.preflight(w, r, []string{http.MethodGet, http.MethodHead, http.MethodPut})
			return
		}
		if origin := r.Header.Get("Origin"); o.allowed(r.Context(), origin) {
			w.Header().Set("Access-Control-Allow-Origin", origin)
		}
		next.ServeHTTP(w, r)
	})
}
