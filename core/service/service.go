package service

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strconv"
	"time"
)

// Ports are what the use cases reach the outside through.
type Ports struct {
	Store   Store
	Objects Objects
	Tools   ToolReader    // nil: tool libraries cannot be made
	Clock   Clock         // nil: the wall clock
	NewID   func() string // nil: NewID
	Random  io.Reader     // source of key texts; nil: crypto/rand
	// Ring is told of each job that was queued, once that is stored; may be nil.
	Ring func(context.Context, Wake)
	// Trace gives the trace context of a request for the job that it makes, as W3C traceparent, "" for none;
	// may be nil.
	Trace func(context.Context) string
}

// Config are the settings of the use cases; zero values mean the defaults.
type Config struct {
	MaxUpload    int64         // bytes; default 500 MB
	AddressLife  time.Duration // life of upload and download addresses; default 15 min
	SourceBucket string        // default millwright-sources
	ResultBucket string        // default millwright-results

	// CreateInterval is the time between two creations of a team, of parts and of programs each. No default:
	// 0 paces nothing.
	CreateInterval time.Duration

	MaxQueued       int // jobs that may wait in all; default 200,000
	MaxQueuedOfTeam int // jobs of one team that may wait; default 10,000
}

// Defaults of Config.
const (
	DefaultMaxUpload    = 500_000_000
	DefaultAddressLife  = 15 * time.Minute
	DefaultSourceBucket = "millwright-sources"
	DefaultResultBucket = "millwright-results"
)

// DefaultCreateInterval is the pace that the contract promises: 30 creations a minute, evenly.
const DefaultCreateInterval = 2 * time.Second

// WithDefaults fills what was left zero.
func (c Config) WithDefaults() Config {
	if c.MaxUpload == 0 {
		c.MaxUpload = DefaultMaxUpload
	}
	if c.AddressLife == 0 {
		c.AddressLife = DefaultAddressLife
	}
	if c.MaxQueued == 0 {
		c.MaxQueued = DefaultMaxQueued
	}
	if c.MaxQueuedOfTeam == 0 {
		c.MaxQueuedOfTeam = DefaultMaxQueuedOfTeam
	}
	if c.SourceBucket == "" {
		c.SourceBucket = DefaultSourceBucket
	}
	if c.ResultBucket == "" {
		c.ResultBucket = DefaultResultBucket
	}
	return c
}

// Service is the use cases. It is safe for concurrent use and keeps no state of its own but a count that it can
// take again.
type Service struct {
	store   Store
	objects Objects
	tools   ToolReader
	clock   Clock
	newID   func() string
	random  io.Reader
	ring    func(context.Context, Wake)
	trace   func(context.Context) string
	config  Config
	depth   *depth
}

// New builds the use cases on their ports.
func New(p Ports, c Config) (*Service, error) {
	if p.Store == nil || p.Objects == nil {
		return nil, errors.New("service: Store and Objects are required")
	}
	if c.MaxUpload < 0 || c.AddressLife < 0 {
		return nil, errors.New("service: MaxUpload and AddressLife must not be negative")
	}
	if err := checkInterval(c.CreateInterval); err != nil {
		return nil, err
	}
	s := &Service{
		store: p.Store, objects: p.Objects, tools: p.Tools, clock: p.Clock, newID: p.NewID, random: p.Random,
		ring: p.Ring, trace: p.Trace, config: c.WithDefaults(), depth: &depth{},
	}
	if s.clock == nil {
		s.clock = SystemClock{}
	}
	if s.newID == nil {
		s.newID = NewID
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if s.ring == nil {
		s.ring = func(context.Context, Wake) {}
	}
	if s.trace == nil {
		s.trace = func(context.Context) string { return "" }
	}
	return s, nil
}

// healthPatience is how long the store may take to answer before it counts as down.
const healthPatience = 2 * time.Second

// Health reports whether the store answers.
type Health struct{ DBUp bool }

// Health asks the store whether it answers within two seconds.
func (s *Service) Health(ctx context.Context) Health {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- s.store.Ping(ctx) }()
	select {
	case err := <-answer:
		return Health{DBUp: err == nil}
	case <-ctx.Done():
		return Health{}
	}
}

func (s *Service) now() time.Time { return Stamp(s.clock.Now()) }

// quoted shows a client's own text in an error sentence, as Excerpt does.
func quoted(text string) string {
	return strconv.Quote(Excerpt(text))
}
