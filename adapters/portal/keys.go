package portal

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/session"
)

// keyBody is a key as the pages see it.
type keyBody struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	Prefix     string             `json:"prefix"`
	Kind       account.KeyKind    `json:"kind"`
	Grid       account.AccessGrid `json:"grid"`
	Origins    []string           `json:"origins"`
	CreatedBy  string             `json:"createdBy"` // name of the user
	CreatedAt  time.Time          `json:"createdAt"`
	ExpiresAt  *time.Time         `json:"expiresAt"`
	LastUsedAt *time.Time         `json:"lastUsedAt"`
	RevokedAt  *time.Time         `json:"revokedAt"` // null until then
	Replaces   *string            `json:"replaces"`
	ReplacedBy *string            `json:"replacedBy"`
	EndsAt     *time.Time         `json:"endsAt"` // null if it was not rolled, and once it has ended
	State      string             `json:"state"`
}

// ending is the state of a rolled key that is still valid.
const ending = "ending"

func bodyOf(k account.Key, users []account.User, now time.Time) keyBody {
	b := keyBody{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Kind: k.Kind, Grid: k.Access, Origins: k.AllowedOrigins,
		CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
		Replaces: orNull(k.Replaces), ReplacedBy: orNull(k.ReplacedBy), State: string(k.StatusAt(now)),
	}
	if i := slices.IndexFunc(users, func(u account.User) bool { return u.ID == k.CreatorID }); i >= 0 {
		b.CreatedBy = users[i].Name
	}
	if b.EndsAt = k.EndsAt(now); b.EndsAt != nil {
		b.RevokedAt = nil
		if k.StatusAt(now) == account.KeyActive {
			b.State = ending
		}
	}
	return b
}

func orNull(id string) *string {
	if id == "" {
		return nil
	}
	return &id
}

// answerKeys answers with what shape makes of the bodies of keys.
func (p *portal) answerKeys(
	w http.ResponseWriter, r *http.Request, status int, c session.Current, shape func([]keyBody) any,
	keys ...account.Key,
) {
	users, err := p.use.Accounts.TeamUsers(r.Context(), c.Team.ID)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	bodies := make([]keyBody, len(keys))
	for i, k := range keys {
		bodies[i] = bodyOf(k, users, p.now())
	}
	answer(w, status, shape(bodies))
}

func first(b []keyBody) any { return b[0] }

// keysBody is the keys of a team.
type keysBody struct {
	Keys []keyBody `json:"keys"`
}

func (p *portal) listKeys(w http.ResponseWriter, r *http.Request, c session.Current) {
	keys, err := p.use.Accounts.TeamKeys(r.Context(), c.Team.ID)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	slices.Reverse(keys)
	p.answerKeys(w, r, http.StatusOK, c, func(b []keyBody) any {
		return keysBody{b}
	}, keys...)
}

// maxExpiryDays bounds the life of a key that has an expiry, so that the time can be represented.
const maxExpiryDays = 36500

// newKeyBody is the key that a person asks for.
type newKeyBody struct {
	Name          string              `json:"name"`
	Grid          *account.AccessGrid `json:"grid"`
	Origins       []string            `json:"origins" required:"false"`
	ExpiresInDays *int                `json:"expiresInDays" required:"false"` // null: never
}

// madeKeyBody is a new key with its text.
type madeKeyBody struct {
	Key  keyBody `json:"key"`
	Text string  `json:"text"`
}

func (p *portal) createKey(w http.ResponseWriter, r *http.Request, c session.Current) {
	var in newKeyBody
	if !p.read(w, r, &in) {
		return
	}
	if in.Grid == nil {
		p.refuse(w, r, apierr.InvalidRequest, "The key's grid is missing.")
		return
	}
	key := account.CreateKeyInput{
		Team: c.Team.Name, User: c.User.Name, Name: in.Name, Access: in.Grid, AllowedOrigins: in.Origins,
	}
	if in.ExpiresInDays != nil {
		if *in.ExpiresInDays < 1 || *in.ExpiresInDays > maxExpiryDays {
			p.refuse(w, r, apierr.InvalidRequest, "A key expires after 1 to 36500 days, or never (null).")
			return
		}
		key.ExpiresAt = new(p.now().Add(time.Duration(*in.ExpiresInDays) * account.Day))
	}
	made, err := p.use.Accounts.CreateKey(r.Context(), key)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.answerKeys(w, r, http.StatusCreated, c, func(b []keyBody) any {
		return madeKeyBody{b[0], made.Text}
	}, made.Key)
}

// ofTeam passes a request to a handler with its key, if the session's team owns the key.
func (p *portal) ofTeam(
	next func(http.ResponseWriter, *http.Request, session.Current, account.Key),
) func(http.ResponseWriter, *http.Request, session.Current) {
	return func(w http.ResponseWriter, r *http.Request, c session.Current) {
		key, err := p.use.Accounts.TeamKey(r.Context(), c.Team.ID, r.PathValue("id"))
		if err != nil {
			p.fail(w, r, err)
			return
		}
		next(w, r, c, key)
	}
}

// maybe is a field that may be absent, or null.
type maybe[T any] struct {
	present bool
	value   *T
}

// UnmarshalJSON implements json.Unmarshaler; it is not called for an absent field.
func (m *maybe[T]) UnmarshalJSON(data []byte) error {
	m.present = true
	return json.Unmarshal(data, &m.value)
}

// Schema implements huma.SchemaProvider.
func (m maybe[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[*T](), true, "")
}

// keyEditBody is the change of a key. Fields that are absent stay as they are.
type keyEditBody struct {
	Name      *string          `json:"name" required:"false"`
	Origins   []string         `json:"origins" required:"false"`
	ExpiresAt maybe[time.Time] `json:"expiresAt" required:"false"`
}

func (p *portal) editKey(w http.ResponseWriter, r *http.Request, c session.Current, key account.Key) {
	var in keyEditBody
	if !p.read(w, r, &in) {
		return
	}
	changed, err := p.use.Accounts.EditKey(r.Context(), key.ID, account.KeyEdit{
		Name: in.Name, AllowedOrigins: in.Origins, ExpiresAt: in.ExpiresAt.value,
		NeverExpires: in.ExpiresAt.present && in.ExpiresAt.value == nil,
	})
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.answerKeys(w, r, http.StatusOK, c, first, changed)
}

// keyNameBody repeats the name of a key.
type keyNameBody struct {
	Name string `json:"name"`
}

// revokeKey ends a key whose name the user has repeated.
func (p *portal) revokeKey(w http.ResponseWriter, r *http.Request, c session.Current, key account.Key) {
	var in keyNameBody
	if !p.read(w, r, &in) {
		return
	}
	if in.Name != key.Name {
		p.refuse(w, r, nameMismatch, "This is not the name of the key; nothing was revoked.")
		return
	}
	revoked, err := p.use.Accounts.RevokeKey(r.Context(), key.ID)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.answerKeys(w, r, http.StatusOK, c, first, revoked)
}

// graceBody is the time for which the text of a rolled key stays valid.
type graceBody struct {
	GraceHours *int `json:"graceHours"`
}

// rolledKeyBody is a new key with its text, and the one that it replaces.
type rolledKeyBody struct {
	Key  keyBody `json:"key"`
	Text string  `json:"text"`
	Old  keyBody `json:"old"`
}

func (p *portal) rollKey(w http.ResponseWriter, r *http.Request, c session.Current, key account.Key) {
	var in graceBody
	if !p.read(w, r, &in) {
		return
	}
	if in.GraceHours == nil || *in.GraceHours < 0 || *in.GraceHours > 24 {
		p.refuse(w, r, apierr.InvalidRequest, "Say for how many hours the old key stays valid: graceHours 0, 1 or 24.")
		return
	}
	rolled, err := p.use.Accounts.RollKey(r.Context(), account.RollKeyInput{
		KeyID: key.ID, UserID: c.User.ID, Grace: time.Duration(*in.GraceHours) * time.Hour,
	})
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.answerKeys(w, r, http.StatusCreated, c, func(b []keyBody) any {
		return rolledKeyBody{b[0], rolled.Text, b[1]}
	}, rolled.Key, rolled.Old)
}
