// Package share lets requests share answers: those that ask the same at the same time share one look at the records
// (Rounds), and those that ask for what never changes share its bytes (Memory).
package share

import (
	"context"
	"errors"
	"sync"
)

// Singleflight looks things up on behalf of all who ask for the same at the same time. A caller is answered by a look that
// began after the caller came, never by one that was under way: the caller may know of a change since. The zero value
// is ready.
type Singleflight[K comparable, V any] struct {
	mu    sync.Mutex
	under map[K]*round[V] // asked last; the entry goes when nobody waits for the next one
}

type round[V any] struct {
	done  chan struct{} // closed when value and err are set
	next  *round[V]     // of those who came while this one was under way
	value V
	err   error
}

// errNoAnswer is the error of a round whose look panicked.
var errNoAnswer = errors.New("the look that was shared has not ended")

// Ask returns what look does, of this caller or of another one with an equal key: they share what it returns. Look
// goes on when its caller gives up, since others may wait for it.
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
