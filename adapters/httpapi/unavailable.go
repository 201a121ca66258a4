package httpapi

import (
	"context"
	"errors"
	"net"
	"syscall"

	"millwright.dev/millwright/core/service/record"
)

const (
	unavailableDetail = "The service cannot do this now; try again in a moment."
	retryAfter        = "2" // seconds, after which a restarted database mostly answers again
)

// unavailable reports whether an error is temporary, from a dependency of the service, and not from the service itself:
// the connection failed, or the store does not answer now.
func (a *api) unavailable(err error) bool { return unavailable(err, a.use.Health) }

func unavailable(err error, health record.Pinger) bool {
	if errors.Is(err, context.Canceled) {
		return false // the client has gone
	}
	var broken net.Error
	if errors.Is(err, record.ErrUnavailable) || errors.As(err, &broken) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return true
	}
	return !record.Ping(context.Background(), health)
}
