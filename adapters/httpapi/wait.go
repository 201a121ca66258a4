package httpapi

import (
	"context"
	"time"

	"millwright.dev/millwright/core/service/account"
)

// Waiting delays the response to a read until the record changes: long polling in place of events. (huma sees exported
// types only.)
type Waiting struct {
	Wait int `query:"wait" minimum:"0" maximum:"30" doc:"Longest wait for a change of state, seconds; a final state is answered at once."`
}

// awaited returns a record from a use case that waits for a change. A stopping service answers at once.
func awaited[T any](
	a *api, ctx context.Context, w Waiting, id string,
	await func(ctx context.Context, c account.Caller, id string, most time.Duration) (T, error),
) (T, error) {
	lasting, cancel := context.WithCancel(ctx)
	defer cancel()
	if a.config.Stopping != nil {
		defer context.AfterFunc(a.config.Stopping, cancel)()
	}
	seen, err := await(lasting, caller(ctx), id, time.Duration(w.Wait)*time.Second)
	if err != nil && lasting.Err() != nil && ctx.Err() == nil { // it stopped while the record was read
		return await(ctx, caller(ctx), id, 0)
	}
	return seen, err
}
