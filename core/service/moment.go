package service

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Moment is a state of the records at a time. An answer that was worked out after one moment holds at a later one
// when the versions are the same, as far as it does not depend on the time.
type Moment struct {
	Version string
	Time    time.Time
}

// Moment returns the state of the records after it was called: every change that anybody had been told of by then is
// part of it.
func (s *Service) Moment(ctx context.Context) (Moment, error) {
	version, err := s.version.ask(ctx, s.store.Version)
	return Moment{Version: version, Time: s.now()}, err
}

// versionRounds asks for the version on behalf of all who wait for it. A caller is answered by a question that was
// put to the store after the caller came, never by one that was under way: the caller may know of a change since.
type versionRounds struct {
	mu      sync.Mutex
	current *versionRound // asked last; it may be done
	next    *versionRound // waits for it; nil: nobody does
}

type versionRound struct {
	done    chan struct{} // closed when version and err are set
	version string
	err     error
}

// versionTime bounds a question: a store that takes so long has other troubles, and a caller can do without. It is
// not the caller's own time, since others wait for the same answer.
const versionTime = time.Second

// errNoVersion is the error of a round whose question was never answered, as when the store panics.
var errNoVersion = errors.New("the store has not said its version")

func (v *versionRounds) ask(ctx context.Context, store func(context.Context) (string, error)) (string, error) {
	v.mu.Lock()
	round, before := v.next, v.current
	if round == nil {
		round = &versionRound{done: make(chan struct{}), err: errNoVersion}
		v.next = round
		v.mu.Unlock()
		v.lead(ctx, round, before, store)
		return round.version, round.err
	}
	v.mu.Unlock()
	select {
	case <-round.done:
		return round.version, round.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// lead puts the question of a round when the one before is done. Whoever comes before it is put takes part.
func (v *versionRounds) lead(
	ctx context.Context, round, before *versionRound, store func(context.Context) (string, error),
) {
	defer close(round.done)
	if before != nil {
		<-before.done
	}
	v.mu.Lock()
	v.current, v.next = round, nil
	v.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), versionTime)
	defer cancel()
	round.version, round.err = store(ctx)
}
