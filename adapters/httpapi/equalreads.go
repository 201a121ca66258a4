package httpapi

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/httpapi/share"
	"millwright.dev/millwright/core/service/account"
)

// Clients poll, many at the same time. Keys and records are looked up for each request, by a look-up that starts after
// the request arrives. Equal requests that wait for it share one look-up and one encoding.

// teamAsks is a read of a team. Reads of a team with equal input have equal responses, for any key.
type teamAsks[I comparable] struct {
	teamID string
	in     I
}

// shared makes equal reads share the result of handler, which is immutable from then on. handler returns unconverted
// errors of the use cases: each request gets a separate problem.
func shared[I comparable, O any](
	a *api, handler func(context.Context, *I) (*O, error),
) func(context.Context, *I) (*O, error) {
	var rounds share.Singleflight[teamAsks[I], *O]
	return func(ctx context.Context, in *I) (*O, error) {
		out, err := rounds.Ask(ctx, teamAsks[I]{caller(ctx).TeamID, *in}, func(ctx context.Context) (*O, error) {
			return handler(ctx, in)
		})
		if err != nil {
			return nil, a.fail(err)
		}
		return out, nil
	}
}

// asOf is a read of a team at one of its versions.
type asOf[I comparable] struct {
	teamAsks[I]
	version int64
}

func asked[I comparable](ctx context.Context, in *I) asOf[I] {
	return asOf[I]{teamAsks[I]{caller(ctx).TeamID, *in}, caller(ctx).TeamVersion}
}

// standing is shared with a cache for reads that are constant under one version of the team; most limits the cache in
// bytes. The version is read first, so a cached result may be newer than its version, never older.
func standing[I comparable, T any](
	a *api, most int, handler func(context.Context, *I) (*answer[T], error),
) func(context.Context, *I) (*answer[T], error) {
	kept := share.NewMemory[asOf[I], *answer[T]](most)
	look := shared(a, func(ctx context.Context, in *I) (*answer[T], error) {
		out, err := handler(ctx, in)
		if err == nil {
			kept.Put(asked(ctx, in), out, len(out.Body.text))
		}
		return out, err
	})
	return func(ctx context.Context, in *I) (*answer[T], error) {
		if known, ok := kept.Get(asked(ctx, in)); ok {
			return known, nil
		}
		return look(ctx, in)
	}
}

// answer is a response with status 200 and no specific headers.
type answer[T any] struct{ Body encoded[T] }

func answered[T any](v T) (*answer[T], error) {
	body, err := encode(v)
	return &answer[T]{body}, err
}

// keyed is Authenticate of the use cases, shared by the requests that come with a key at the same time.
func (a *api) keyed(ctx context.Context, text string) (account.Caller, error) {
	return a.callers.Ask(ctx, text, func(ctx context.Context) (account.Caller, error) {
		return a.use.Accounts.Authenticate(ctx, text)
	})
}

// encoded is the JSON of a T, which can be sent any number of times.
type encoded[T any] struct{ text []byte }

func encode[T any](v T) (encoded[T], error) {
	var text bytes.Buffer
	err := huma.DefaultJSONFormat.Marshal(&text, v)
	return encoded[T]{text.Bytes()}, err
}

// Schema implements huma.SchemaProvider.
func (encoded[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

func (e encoded[T]) json() []byte { return e.text }

// formats returns huma's formats, extended to send encoded values unchanged.
func formats() map[string]huma.Format {
	out := maps.Clone(huma.DefaultFormats)
	for name, format := range out {
		out[name] = huma.Format{Unmarshal: format.Unmarshal, Marshal: func(w io.Writer, v any) error {
			if ready, ok := v.(interface{ json() []byte }); ok {
				if answer, ok := w.(http.ResponseWriter); ok {
					answer.Header().Set("Content-Length", strconv.Itoa(len(ready.json())))
				}
				_, err := w.Write(ready.json())
				return err
			}
			return format.Marshal(w, v)
		}}
	}
	return out
}
