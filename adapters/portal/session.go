package portal

import (
	"net/http"
	"time"

	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/core/service/session"
)

// named is a record that the pages show by its name.
type named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// sessionBody is a session as the pages see it: without its token.
type sessionBody struct {
	User      named     `json:"user"`
	Team      named     `json:"team"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	IdleUntil time.Time `json:"idleUntil"`
	PublicURL string    `json:"publicUrl"`
}

func (p *portal) sessionBody(c session.Current) sessionBody {
	return sessionBody{
		User: named{c.User.ID, c.User.Name}, Team: named{c.Team.ID, c.Team.Name}, CreatedAt: c.CreatedAt,
		ExpiresAt: c.ExpiresAt, IdleUntil: c.IdleUntil(), PublicURL: p.config.BaseURL,
	}
}

// linkBody is the token of a one-time link.
type linkBody struct {
	Token string `json:"token"`
}

// signIn exchanges the token of a one-time link for a session. A session that the browser had before ends.
func (p *portal) signIn(w http.ResponseWriter, r *http.Request) {
	var in linkBody
	if !p.read(w, r, &in) {
		return
	}
	if p.transport(r) == inClear {
		p.refuse(w, r, insecure, "Anybody on the way could read the session here: open the portal over https "+
			"(behind a proxy: serve --public-url or --trusted-proxies), or at localhost.")
		return
	}
	token, c, err := p.use.Sessions.SignIn(r.Context(), in.Token, r.UserAgent())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	if err := p.use.Sessions.End(r.Context(), p.token(r)); err != nil {
		p.fail(w, r, err)
		return
	}
	httpapi.NoteCaller(r.Context(), c.Key.Caller())
	p.setCookie(w, r, token, c.ExpiresAt)
	answer(w, http.StatusOK, p.sessionBody(c))
}

func (p *portal) readSession(w http.ResponseWriter, _ *http.Request, c session.Current) {
	answer(w, http.StatusOK, p.sessionBody(c))
}

// signOut ends the session. It succeeds without one.
func (p *portal) signOut(w http.ResponseWriter, r *http.Request) {
	if err := p.use.Sessions.End(r.Context(), p.token(r)); err != nil {
		p.fail(w, r, err)
		return
	}
	p.setCookie(w, r, "", time.Time{})
	w.WriteHeader(http.StatusNoContent)
}
