// Package portal serves the pages of the service and what they need, below /portal/.
//
// A one-time link becomes a session, whose token is in a cookie. Handlers below /portal/api/ identify the caller by the
// cookie; those below /portal/api/v1/ are the public API with that caller. The public API itself never reads cookies:
// it gets a caller only from this package (httpapi.WithCaller) or from a key.
//
// What only the pages read is here and not in the public API: the display mesh of a report at an address that never
// changes, the evidence of a feature, the file that was sent, the limits of an upload, and the bundled part.
//
// The rights of keys are the areas of account.AccessGrid: a grid is {"core", "dfm", "quoting"}, each "none", "read" or
// "write", and core is at least "read".
package portal

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/adapters/httpapi/baseurl"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
)

// Root is the address of the portal below the address of the service.
const Root = "/portal"

// apiRoot is the address of the portal's operations.
const apiRoot = Root + "/api"

// UseCases is the use cases of the portal.
type UseCases struct {
	Health   record.Pinger
	Accounts *account.Service
	Sessions *session.Service
	Parts    *part.Service
	Programs *program.Service
}

// Static is the pages, built beforehand.
type Static struct {
	Index []byte // HTML of every page address; nil: no pages
	Files fs.FS  // files that the index names, at assets/HASH/NAME
	Hash  string // changes with every byte of the pages
}

// Config is the configuration of the portal.
type Config struct {
	API     http.Handler // the public API, of httpapi.New
	Static  Static
	BaseURL string // as httpapi.Config
	// Uploads is the origin of object addresses if it differs from the service's: pages may connect to it. "" = none.
	Uploads string
	Example Example
	Clock   record.Clock
	Logger  *slog.Logger
}

type portal struct {
	use    UseCases
	config Config
	files  map[string]file
	policy string // Content-Security-Policy
	origin *http.CrossOriginProtection

	described func() ([]byte, error) // the interface description
}

// New returns the handler of all addresses at and below Root. It fails if the static files cannot be read, or
// if the base URL is not an address.
func New(use UseCases, config Config) (http.Handler, error) {
	p := &portal{use: use, config: config, policy: policyWith(config.Uploads), origin: http.NewCrossOriginProtection()}
	if config.BaseURL != baseurl.Placeholder {
		u, err := url.Parse(config.BaseURL)
		if err != nil {
			return nil, err
		}
		if err := p.origin.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
			return nil, err
		}
	}
	p.described = sync.OnceValues(func() ([]byte, error) { return p.describe(p.routes()) })
	var err error
	if p.files, err = readFiles(config.Static); err != nil {
		return nil, err
	}
	p.origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.refuse(w, r, crossOrigin, "This request comes from a page of another site.")
	}))
	pages := httpapi.At(Root, http.HandlerFunc(p.page))
	guarded := p.origin.Handler(p.jsonOnly(p.operations()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.setHeaders(w.Header(), r)
		if r.URL.Path == apiRoot || strings.HasPrefix(r.URL.Path, apiRoot+"/") {
			w.Header().Set("Cache-Control", "no-store")
			guarded.ServeHTTP(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	}), nil
}

// Mount returns a handler that passes the addresses of the portal to it, redirects browsers from the root to it, and
// passes everything else to next.
func Mount(portal, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == Root || strings.HasPrefix(r.URL.Path, Root+"/"):
			portal.ServeHTTP(w, r)
		case r.URL.Path == "/" && isRead(r) && strings.Contains(r.Header.Get("Accept"), "text/html"):
			w.Header().Add("Vary", "Accept")
			w.Header().Set("Location", Root+"/")
			w.WriteHeader(http.StatusSeeOther)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// base returns the address of the service as the client of a request reaches it.
func (p *portal) base(r *http.Request) string {
	if p.config.BaseURL != baseurl.Placeholder {
		return p.config.BaseURL
	}
	return baseurl.Of(r.Context())
}

func (p *portal) now() time.Time { return record.TruncateTime(p.config.Clock.Now()) }

// route is an operation of the portal. The interface description describes each.
type route struct {
	method, path string // below apiRoot
	handle       http.HandlerFunc
}

func (p *portal) routes() []route {
	return []route{
		{http.MethodGet, "/openapi.json", p.readDescription},
		{http.MethodPost, "/session", p.signIn},
		{http.MethodGet, "/session", p.signedIn(p.readSession)},
		{http.MethodDelete, "/session", p.signOut},
		{http.MethodGet, "/keys", p.signedIn(p.listKeys)},
		{http.MethodPost, "/keys", p.signedIn(p.createKey)},
		{http.MethodPatch, "/keys/{id}", p.signedIn(p.ofTeam(p.editKey))},
		{http.MethodPost, "/keys/{id}/revoke", p.signedIn(p.ofTeam(p.revokeKey))},
		{http.MethodPost, "/keys/{id}/roll", p.signedIn(p.ofTeam(p.rollKey))},
		{http.MethodGet, "/usage", p.signedIn(p.readUsage)},
		{http.MethodGet, "/grid", p.signedIn(p.readGrid)},
		{http.MethodGet, "/limits", p.signedIn(p.readLimits)},
		{http.MethodGet, "/example", p.signedIn(p.readExample)},
		{http.MethodGet, "/parts/{id}/source", p.signedIn(p.readSource)},
		{http.MethodGet, "/reports/{id}/mesh.glb", p.signedIn(p.readMesh)},
		{http.MethodGet, "/features/{id}/why", p.signedIn(p.readWhy)},
		{http.MethodGet, "/parts/{id}/programs", p.signedIn(p.listPrograms)},
		{http.MethodGet, "/parts/{id}/programs/{program}/document", p.signedIn(p.readDocument)},
		{http.MethodGet, "/parts/{id}/programs/{program}/setups/{setup}/picture", p.signedIn(p.readPicture)},
		{http.MethodGet, "/parts/{id}/programs/{program}/moves", p.signedIn(p.readMoves)},
		{http.MethodGet, "/parts/{id}/programs/{program}/stock", p.signedIn(p.readStock)},
		{http.MethodGet, "/parts/{id}/programs/{program}/lines", p.signedIn(p.readLines)},
	}
}

// operations routes the requests below apiRoot.
func (p *portal) operations() http.Handler {
	mux := http.NewServeMux()
	allowed := map[string][]string{} // methods by path
	for _, o := range p.routes() {
		mux.Handle(o.method+" "+apiRoot+o.path, httpapi.At(apiRoot+o.path, o.handle))
		allowed[o.path] = append(allowed[o.path], o.method)
	}
	for path, methods := range allowed {
		mux.HandleFunc(apiRoot+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			p.refuse(w, r, notAllowed, "This method is not offered here; use "+strings.Join(methods, " or ")+".")
		})
	}
	public := p.signedIn(p.publicAPI)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, apiRoot+"/v1/") {
			public(w, r)
			return
		}
		if _, pattern := mux.Handler(r); pattern == "" {
			p.refuse(w, r, notFound, "There is nothing at this address.")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// publicAPI passes a request to the public API, with the session as its caller. Addresses of the API in the header of
// the response become those below this package.
func (p *portal) publicAPI(w http.ResponseWriter, r *http.Request, c session.Current) {
	if r.Method == http.MethodOptions { // the API answers preflights by the origins of keys
		p.refuse(w, r, notAllowed, "This method is not offered here.")
		return
	}
	r = r.Clone(httpapi.WithCaller(r.Context(), c.Key.Caller()))
	r.Header.Del("Authorization")
	r.Header.Del("Cookie")
	answer := &moved{ResponseWriter: w, from: p.config.BaseURL + "/v1/", to: p.config.BaseURL + apiRoot + "/v1/"}
	http.StripPrefix(apiRoot, p.config.API).ServeHTTP(answer, r)
}

// moved is a response whose header names addresses below another one.
type moved struct {
	http.ResponseWriter
	from, to string
	sent     bool
}

// Unwrap lets http.ResponseController reach the connection.
func (m *moved) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (m *moved) WriteHeader(status int) {
	if !m.sent && status >= http.StatusOK {
		m.sent = true
		for _, name := range []string{"Location", "Link"} {
			for i, value := range m.Header()[name] {
				m.Header()[name][i] = strings.ReplaceAll(value, m.from, m.to)
			}
		}
	}
	m.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (m *moved) Write(data []byte) (int, error) {
	if !m.sent {
		m.WriteHeader(http.StatusOK)
	}
	return m.ResponseWriter.Write(data)
}
