// Package share lets requests share responses. Concurrent equal requests share one look-up of the records
// (Singleflight), and requests for immutable data share its bytes (Cache).
package share

import (
	"context"
	"errors"
	"sync"
)

// Singleflight shares look-ups between concurrent callers with an equal key. A caller gets a look-up that began after
// its call, never one already running, since the caller may know of a later change. The zero value is ready.
type Singleflight[K comparable, V any] struct {
	mu    sync.Mutex
	under map[K]*round[V] // the last round of each key; removed when no request waits for the next one
}

type round[V any] struct {
	done  chan struct{} // closed when value and err are set
	next  *round[V]     // for callers that came while this one was running
	value V
	err   error
}

// errNoAnswer is the error of a round whose look-up panicked.
var errNoAnswer = errors.New("the look that was shared has not ended")

// Ask returns the result of look, by this caller or by another caller with an equal key. look continues after its
// caller gives up, since others may wait for it.
func (r *Singleflight[K, V]) Ask(ctx context.Context, key K, look func(context.Context) (V, error)) (V, error) {
	mine := &round[V]{done: make(chan struct{}), err: errNoAnswer}
	r.mu.Lock()
	before := r.under[key]
	switch {
	case before == nil:
		if r.under == nil {
			r.under = map[K]*round[V]{}
		}
		r.under[key] = mine
		r.mu.Unlock()
	case before.next == nil:
		before.next = mine
		r.mu.Unlock()
		<-before.done
		r.mu.Lock() // until now others could join
		r.under[key] = mine
		r.mu.Unlock()
	default:
		next := before.next
		r.mu.Unlock()
		select {
		case <-next.done:
			return next.value, next.err
		case <-ctx.Done():
			return mine.value, ctx.Err()
		}
	}
	defer r.end(key, mine)
	mine.value, mine.err = look(context.WithoutCancel(ctx))
	return mine.value, mine.err
}

func (r *Singleflight[K, V]) end(key K, done *round[V]) {
	r.mu.Lock()
	if done.next == nil {
		delete(r.under, key)
	}
	r.mu.Unlock()
	close(done.done)
}
