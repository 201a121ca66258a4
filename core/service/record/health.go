package record

import (
	"context"
	"time"
)

// Pinger is a store that can be asked whether it answers.
type Pinger interface {
	Ping(ctx context.Context) error
}

// timeout is the time after which a store without an answer counts as down.
const timeout = 2 * time.Second

// Ping reports whether a store answers within two seconds.
func Ping(ctx context.Context, store Pinger) bool {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- store.Ping(ctx) }()
	select {
	case err := <-answer:
		return err == nil
	case <-ctx.Done():
		return false
	}
}
