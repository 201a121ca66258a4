package httpapi

import (
	"context"

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

// keyed is Authenticate of the use cases, shared by the requests that come with a key at the same time.
func (a *api) keyed(ctx context.Context, text string) (account.Caller, error) {
	return a.callers.Ask(ctx, text, func(ctx context.Context) (account.Caller, error) {
		return a.use.Accounts.Authenticate(ctx, text)
	})
}
