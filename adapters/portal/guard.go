package portal

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/problem"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/session"
)

// The error codes of the portal beside those of the API and of package session.
const (
	crossOrigin  apierr.Code = "cross_origin"
	insecure     apierr.Code = "insecure_transport"
	nameMismatch apierr.Code = "name_mismatch"
	notFound                 = apierr.NotFound
	notAllowed               = apierr.NotAllowed
)

// statusOf maps those codes to HTTP. They have no page below /problems.
var statusOf = map[apierr.Code]int{
	crossOrigin:       http.StatusForbidden,
	insecure:          http.StatusForbidden,
	nameMismatch:      http.StatusUnprocessableEntity,
	session.LinkUsed:  http.StatusGone,
	session.NoSession: http.StatusUnauthorized,
}

// refuse answers a request with a problem.
func (p *portal) refuse(w http.ResponseWriter, r *http.Request, code apierr.Code, detail string) {
	p.fail(w, r, apierr.Errorf(code, "%s", detail))
}

// problemOf returns the problem of an error of a use case.
func (p *portal) problemOf(err error) *problem.Problem {
	var refused *apierr.Error
	if errors.As(err, &refused) && statusOf[refused.Code] != 0 {
		out := problem.New(statusOf[refused.Code], string(refused.Code), refused.Detail)
		out.Type = "about:blank"
		return out
	}
	return httpapi.ProblemOf(err, p.use.Health)
}

// fail answers a request with the problem of an error of a use case.
func (p *portal) fail(w http.ResponseWriter, r *http.Request, err error) {
	out := p.problemOf(err)
	if out.Cause != nil {
		p.config.Logger.Error("request failed", "request", httpapi.RequestID(r.Context()), "error", out.Cause)
	}
	out.At(p.config.BaseURL).In(httpapi.RequestID(r.Context())).Write(w)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(body) // the client has gone when this fails
}

// policyWith returns the Content-Security-Policy of every response. Only files of the portal run, with one policy for
// trusted types, and nobody may frame the pages.
func policyWith(uploads string) string {
	connect := strings.TrimSpace("'self' " + uploads)
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src " + connect +
		"; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types millwright"
}

// permissions denies the features of browsers that the pages do not use.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), " +
	"microphone=(), midi=(), payment=(), usb=(), serial=(), hid=()"

// strictTransport makes browsers use https for a year.
const strictTransport = "max-age=31536000"

func (p *portal) setHeaders(h http.Header, r *http.Request) {
	h.Set("Content-Security-Policy", p.policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Permissions-Policy", permissions)
	if p.transport(r) == overTLS {
		h.Set("Strict-Transport-Security", strictTransport)
	}
}

// transport is the way of a request from the browser to the service, or to the proxy before it.
type transport int

const (
	inClear transport = iota // a cookie could be read on the way
	onLoopback
	overTLS
)

func (p *portal) transport(r *http.Request) transport {
	u, err := url.Parse(p.base(r))
	if err != nil {
		return inClear
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	switch {
	case u.Scheme == "https":
		return overTLS
	case host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback():
		return onLoopback
	}
	return inClear
}

// cookieName returns the name of the session's cookie. Browsers accept the prefix only from https, with Path=/ and
// without Domain, so another host or a page in clear cannot set the cookie.
func (t transport) cookieName() string {
	if t == overTLS {
		return "__Host-millwright"
	}
	return "millwright"
}

// token returns the token of the session's cookie, "" without one. In clear there is none.
func (p *portal) token(r *http.Request) string {
	t := p.transport(r)
	if t == inClear {
		return ""
	}
	sent := r.CookiesNamed(t.cookieName())
	if len(sent) != 1 {
		return ""
	}
	return sent[0].Value
}

// setCookie gives the browser a token until a time; the zero time removes it.
func (p *portal) setCookie(w http.ResponseWriter, r *http.Request, token string, until time.Time) {
	t := p.transport(r)
	c := &http.Cookie{
		Name: t.cookieName(), Value: token, Path: "/", Secure: t == overTLS, HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	}
	if until.IsZero() {
		c.MaxAge = -1
	} else {
		c.MaxAge = int(until.Sub(p.now()) / time.Second)
	}
	http.SetCookie(w, c)
}

// signedIn passes a request to a handler if its session is valid. Otherwise it removes the cookie.
func (p *portal) signedIn(next func(http.ResponseWriter, *http.Request, session.Current)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token := p.token(r)
		c, err := p.use.Sessions.Authenticate(r.Context(), token)
		if err != nil {
			var refused *apierr.Error
			if token != "" && errors.As(err, &refused) {
				p.setCookie(w, r, "", time.Time{})
			}
			p.fail(w, r, err)
			return
		}
		httpapi.NoteCaller(r.Context(), c.Key.Caller())
		next(w, r, c)
	}
}

// jsonOnly refuses bodies that are neither JSON nor octets, as files of tools are: a form of another site can send only
// other types without a preflight.
func (p *portal) jsonOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		known := kind == "application/json" || kind == "application/octet-stream"
		if r.ContentLength != 0 && !isRead(r) && (err != nil || !known) {
			p.refuse(w, r, apierr.MediaType, "Send the body as Content-Type: application/json.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// bodyLimit is the maximum size of the bodies of the portal's own operations, bytes.
const bodyLimit = 64 << 10

// read decodes the body of a request, and answers a request whose body is not as expected.
func (p *portal) read(w http.ResponseWriter, r *http.Request, into any) bool {
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, bodyLimit))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("more than one value")
		}
	}
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		p.refuse(w, r, apierr.PayloadTooLarge, "The body is too large.")
	case err != nil:
		p.refuse(w, r, apierr.InvalidRequest, "The body is not the JSON that is expected here: "+
			strings.TrimPrefix(err.Error(), "json: ")+".")
	}
	return err == nil
}
