// Package part manages parts: their files, their analyses with results and artifacts, and the rate limits on creation.
package part

import (
	"context"
	"errors"
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// Ports are the interfaces of the use cases to the outside, and the use cases of other packages that they call.
type Ports struct {
	Store   Store
	Objects object.Store
	Jobs    *job.Service
	Catalog *catalog.Service
	Clock   record.Clock
	// Trace returns the trace context of a request for the job it creates, as W3C traceparent; "" = absent.
	Trace func(context.Context) string
}

// Config are the settings of the use cases; zero values mean the defaults.
type Config struct {
	MaxUpload    int64         // bytes; default 500 MB
	AddressLife  time.Duration // life of upload and download addresses; default 15 min
	SourceBucket string        // default millwright-sources

	// CreateInterval is the time between two creations of a team, of parts and of programs each. No default:
	// 0 paces nothing.
	CreateInterval time.Duration
	Quota          account.Quota // of each team
}

// Defaults of Config.
const (
	DefaultMaxUpload    = 500_000_000
	DefaultAddressLife  = 15 * time.Minute
	DefaultSourceBucket = "millwright-sources"
)

// DefaultCreateInterval is the pace that the contract promises: 30 creations a minute, evenly.
const DefaultCreateInterval = 2 * time.Second

// withDefaults replaces zero fields by their defaults.
func (c Config) withDefaults() Config {
	if c.MaxUpload == 0 {
		c.MaxUpload = DefaultMaxUpload
	}
	if c.AddressLife == 0 {
		c.AddressLife = DefaultAddressLife
	}
	if c.SourceBucket == "" {
		c.SourceBucket = DefaultSourceBucket
	}
	return c
}

// Service is the use cases of parts. It is safe for concurrent use.
type Service struct {
	store   Store
	objects object.Store
	jobs    *job.Service
	catalog *catalog.Service
	clock   record.Clock
	trace   func(context.Context) string
	config  Config
}

// New builds the use cases on their ports.
func New(p Ports, c Config) (*Service, error) {
	if c.MaxUpload < 0 || c.AddressLife < 0 {
		return nil, errors.New("part: MaxUpload and AddressLife must not be negative")
	}
	if err := checkInterval(c.CreateInterval); err != nil {
		return nil, err
	}
	return &Service{
		store: p.Store, objects: p.Objects, jobs: p.Jobs, catalog: p.Catalog, clock: p.Clock, trace: p.Trace,
		config: c.withDefaults(),
	}, nil
}

func (s *Service) now() time.Time { return record.TruncateTime(s.clock.Now()) }
