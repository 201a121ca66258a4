// Package app puts the use cases of the service on their ports: once, for the program and for tests.
package app

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"slices"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/service/session"
	"millwright.dev/millwright/core/service/worker"
)

// Store is a database that keeps all records, as each of the adapters does.
type Store interface {
	record.Pinger
	record.Timekeeper
	account.Store
	account.KeyStore
	session.Store
	idempotency.Store
	job.Store
	catalog.CutConfigs
	catalog.ToolLibraries
	catalog.Holders
	catalog.Projects
	part.Store
	program.Store
	worker.Attempts
	worker.Records
	worker.Retention
}

// Ports are the implementations of the ports that the use cases need.
type Ports struct {
	Health        record.Pinger
	Accounts      account.Store
	Keys          account.KeyStore
	Requests      idempotency.Store
	Jobs          job.Store
	CutConfigs    catalog.CutConfigs
	ToolLibraries catalog.ToolLibraries
	Holders       catalog.Holders
	Projects      catalog.Projects
	Parts         part.Store
	Programs      program.Store
	Objects       object.Store
	Post          program.Post

	Tools  catalog.ToolReader // nil: tool libraries cannot be made
	Clock  record.Clock       // nil: the wall clock
	Random io.Reader          // source of key texts; nil: crypto/rand
	// Ring is called for each queued job after the job is stored; may be nil.
	Ring func(context.Context, job.WakeUp)
	// Trace returns the trace context of a request for the job that it creates, as W3C traceparent, or "" without one;
	// may be nil.
	Trace func(context.Context) string
}

// On are the ports of a store that keeps all records, and of objects, with the posts that there are.
func On(s Store, objects object.Store) Ports {
	return Ports{
		Health: s, Accounts: s, Keys: s, Requests: s, Jobs: s, Parts: s, Programs: s, Objects: objects,
		CutConfigs: s, ToolLibraries: s, Holders: s, Projects: s, Post: dialects{},
	}
}

// Config are the settings of the use cases; zero values mean the defaults.
type Config struct {
	Jobs     job.Config
	Parts    part.Config
	Programs program.Config // CreateInterval and AddressLife are those of Parts
	Quota    account.Quota  // of each team, for all use cases
}

// UseCases are all of them. They are safe for concurrent use.
type UseCases struct {
	Health   record.Pinger
	Accounts *account.Service
	Requests *idempotency.Service
	Jobs     *job.Service
	Catalog  *catalog.Service
	Parts    *part.Service
	Programs *program.Service
}

// New builds the use cases on their ports.
func New(p Ports, c Config) (*UseCases, error) {
	if slices.Contains([]any{
		p.Health, p.Accounts, p.Keys, p.Requests, p.Jobs, p.Parts, p.Objects, p.CutConfigs, p.ToolLibraries, p.Holders,
		p.Projects, p.Programs, p.Post,
	}, nil) {
		return nil, errors.New("app: stores of all records and of objects, and a post, are required")
	}
	if p.Clock == nil {
		p.Clock = record.SystemClock{}
	}
	if p.Random == nil {
		p.Random = rand.Reader
	}
	if p.Ring == nil {
		p.Ring = func(context.Context, job.WakeUp) {}
	}
	if p.Trace == nil {
		p.Trace = func(context.Context) string { return "" }
	}
	c.Jobs.Quota, c.Parts.Quota, c.Programs.Quota = c.Quota, c.Quota, c.Quota
	out := &UseCases{
		Health:   p.Health,
		Accounts: account.New(p.Accounts, p.Keys, p.Clock, p.Random),
		Requests: idempotency.New(p.Requests, p.Clock),
		Jobs:     job.New(p.Jobs, p.Clock, p.Ring, c.Jobs),
		Catalog: catalog.New(catalog.Ports{
			CutConfigs: p.CutConfigs, ToolLibraries: p.ToolLibraries, Holders: p.Holders, Projects: p.Projects,
			Tools: p.Tools, Quota: c.Quota, Clock: p.Clock,
		}),
	}
	var err error
	out.Parts, err = part.New(part.Ports{
		Store: p.Parts, Objects: p.Objects, Jobs: out.Jobs, Catalog: out.Catalog, Clock: p.Clock, Trace: p.Trace,
	}, c.Parts)
	if err != nil {
		return nil, err
	}
	c.Programs.CreateInterval, c.Programs.AddressLife = c.Parts.CreateInterval, c.Parts.AddressLife
	out.Programs, err = program.New(program.Ports{
		Store: p.Programs, Objects: p.Objects, Parts: out.Parts, Jobs: out.Jobs, Catalog: out.Catalog, Post: p.Post,
		Clock: p.Clock, Trace: p.Trace,
	}, c.Programs)
	return out, err
}

// Workers are the ports of a pool that reaches all records through one store, and asks the use cases.
func Workers(s Store, use *UseCases) worker.Ports {
	return worker.Ports{Attempts: s, Records: s, Retention: s, Programs: use.Programs}
}
