// Package program manages plans, their toolpaths, and programs. A program is verified toolpaths with their g-code. Jobs
// make all of them. The request stores a snapshot of the cut config and its tools, so later changes do not affect
// results.
package program

import (
	"context"
	"errors"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// Ports are the interfaces of the use cases to the outside, and the use cases of other packages that they call.
type Ports struct {
	Store   Store
	Objects object.Store
	Parts   *part.Service
	Jobs    *job.Service
	Catalog *catalog.Service
	Post    Post
	Clock   record.Clock
	Trace   func(context.Context) string // as in part.Ports
}

// Config are the settings of the use cases.
type Config struct {
	CreateInterval time.Duration // between two programs of a team; 0 paces nothing
	AddressLife    time.Duration // life of download addresses; default as for parts
	Quota          account.Quota // of each team
	// PlanWait is the time that the creation of a plan waits for its result; 0: no wait.
	PlanWait time.Duration
}

// DefaultPlanWait is the wait that the API contract promises.
const DefaultPlanWait = 2 * time.Second

// Service is the use cases of programs. It is safe for concurrent use.
type Service struct {
	Ports
	config Config
}

// New builds the use cases on their ports.
func New(p Ports, c Config) (*Service, error) {
	if c.AddressLife < 0 || c.PlanWait < 0 {
		return nil, errors.New("program: AddressLife and PlanWait must not be negative")
	}
	if c.AddressLife == 0 {
		c.AddressLife = part.DefaultAddressLife
	}
	return &Service{Ports: p, config: c}, nil
}

func (s *Service) now() time.Time { return record.TruncateTime(s.Clock.Now()) }
