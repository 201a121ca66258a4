package record_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"millwright.dev/millwright/core/service/record"
)

// pinger is a store that answers as a function does.
type pinger func(context.Context) error

func (p pinger) Ping(ctx context.Context) error { return p(ctx) }

func TestAnswers(t *testing.T) {
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	stuck := make(chan struct{})
	defer close(stuck)
	for _, c := range []struct {
		name string
		ctx  context.Context
		ping pinger
		want bool
	}{
		{"working", t.Context(), func(context.Context) error { return nil }, true},
		{"failing", t.Context(), func(context.Context) error { return errors.New("gone") }, false},
		{"stuck", short, func(context.Context) error { <-stuck; return nil }, false}, // not even the context wakes it
	} {
		if got := record.Ping(c.ctx, c.ping); got != c.want {
			t.Errorf("%s: Answers = %v, want %v", c.name, got, c.want)
		}
	}
}
