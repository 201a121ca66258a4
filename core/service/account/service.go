// Package account manages teams, their members and their API keys: identity, permissions and metered usage.
package account

import (
	"io"
	"time"

	"millwright.dev/millwright/core/service/record"
)

// Service is the use cases of accounts. It is safe for concurrent use.
type Service struct {
	store  Store
	keys   KeyStore
	clock  record.Clock
	random io.Reader
	uses   keyUses
}

// New returns the use cases. The texts of keys are generated from random.
func New(store Store, keys KeyStore, clock record.Clock, random io.Reader) *Service {
	return &Service{store: store, keys: keys, clock: clock, random: random}
}

func (s *Service) now() time.Time { return record.TruncateTime(s.clock.Now()) }
