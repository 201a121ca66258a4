// Package catalog manages cut configs, tool libraries, holders, and the projects that group parts.
package catalog

import (
	"time"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
)

// Ports are the interfaces of the use cases to the outside.
type Ports struct {
	CutConfigs    CutConfigs
	ToolLibraries ToolLibraries
	Holders       Holders
	Projects      Projects
	Tools         ToolReader // nil: tool libraries cannot be made
	Quota         account.Quota
	Clock         record.Clock
}

// Service is the use cases of the catalog. It is safe for concurrent use.
type Service struct {
	configs   CutConfigs
	libraries ToolLibraries
	holders   Holders
	projects  Projects
	tools     ToolReader
	quota     account.Quota
	clock     record.Clock
}

// New builds the use cases on their ports.
func New(p Ports) *Service {
	return &Service{
		configs: p.CutConfigs, libraries: p.ToolLibraries, holders: p.Holders, projects: p.Projects,
		tools: p.Tools, quota: p.Quota, clock: p.Clock,
	}
}

// Check looks at a record before it changes; its error leaves the record as it is. nil: every record passes.
type Check[R any] func(now R) error

func (c Check[R]) of(now R) error {
	if c == nil {
		return nil
	}
	return c(now)
}

func (s *Service) now() time.Time { return record.TruncateTime(s.clock.Now()) }
