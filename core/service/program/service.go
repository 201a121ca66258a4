// Package program holds what parts are machined by: plans, their toolpaths, and programs, which are toolpaths that were
// proved and are written as g-code. Everything is made by jobs; what a job depends on besides the part, the cut config
// and its tools, is taken down when it is asked for, so that nothing that is made changes with them later.
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

// Ports are what the use cases reach the outside through, and the use cases that they stand on.
type Ports struct {
	Store   Store
	Objects object.Store
	Parts   *part.Service
	Jobs    *job.Service
	Catalog *catalog.Service
	Post    Post
	Clock   record.Clock
	Trace   func(context.Context) string // as that of part.Ports
}

// Config are the settings of the use cases.
type Config struct {
	CreateInterval time.Duration // between two programs of a team; 0 paces nothing
	AddressLife    time.Duration // life of download addresses; default that of parts
	Quota          account.Quota // of each team
	// PlanWait is how long the creation of a plan waits for it to be made; 0: it does not.
	PlanWait time.Duration
}

// DefaultPlanWait is what the contract promises.
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
