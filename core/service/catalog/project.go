package catalog

import (
	"context"
	"errors"
	"time"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/record"
	"millwright.dev/millwright/core/usertext"
)

// Project groups parts of a team.
type Project struct {
	ID          string
	TeamID      string
	Name        string // need not be unique
	CutConfigID string // default for programs of its parts; "" = unset
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// CreateProjectInput is the request for a new project.
type CreateProjectInput struct {
	Name        string
	CutConfigID string // "" = unset
}

// CreateProject makes a project. Error codes: invalid_request, not_found (cut config), quota_exceeded.
func (s *Service) CreateProject(ctx context.Context, c account.Caller, in CreateProjectInput) (Project, error) {
	if err := checkName(in.Name); err != nil {
		return Project{}, err
	}
	find := func(id string) (Project, error) { return s.GetProject(ctx, c, id) }
	return idempotency.WithFixedID(c, find, func(id string) (Project, error) {
		if err := s.CheckCutConfigs(ctx, c, some(in.CutConfigID)); err != nil {
			return Project{}, err
		}
		now := s.now()
		p := Project{
			ID: id, TeamID: c.TeamID, Name: in.Name, CutConfigID: in.CutConfigID, CreatedAt: now, UpdatedAt: now,
		}
		return p, cutConfigDeleted(s.projects.CreateProject(ctx, p, s.quota), in.CutConfigID)
	})
}

// UpdateProjectInput changes a project; nil leaves a field as it is.
type UpdateProjectInput struct {
	ProjectID   string
	Name        *string
	CutConfigID *string // "" clears it
}

// UpdateProject changes a project. Error codes: invalid_request, not_found (project or cut config).
func (s *Service) UpdateProject(ctx context.Context, c account.Caller, in UpdateProjectInput) (Project, error) {
	if in.Name != nil {
		if err := checkName(*in.Name); err != nil {
			return Project{}, err
		}
	}
	if _, err := s.GetProject(ctx, c, in.ProjectID); err != nil {
		return Project{}, err
	}
	config := ""
	if in.CutConfigID != nil {
		config = *in.CutConfigID
	}
	if err := s.CheckCutConfigs(ctx, c, some(config)); err != nil {
		return Project{}, err
	}
	p, err := s.projects.UpdateProject(ctx, c.TeamID, in.ProjectID, func(p *Project) error {
		if in.Name != nil {
			p.Name = *in.Name
		}
		if in.CutConfigID != nil {
			p.CutConfigID = config
		}
		p.UpdatedAt = s.now()
		return nil
	})
	if err != nil {
		return Project{}, cutConfigDeleted(err, config)
	}
	return p, nil
}

// ListProjects returns a page of the team's projects, newest first. Error code: invalid_request.
func (s *Service) ListProjects(ctx context.Context, c account.Caller, p record.Page) (record.List[Project], error) {
	return record.Paginate(p, nil, func(p record.Page) ([]Project, int, error) {
		return s.projects.ListProjects(ctx, c.TeamID, p)
	})
}

// GetProject returns a project of the caller's team. Error code: not_found.
func (s *Service) GetProject(ctx context.Context, c account.Caller, projectID string) (Project, error) {
	p, err := s.projects.Project(ctx, c.TeamID, projectID)
	if errors.Is(err, record.ErrNotFound) {
		return Project{}, apierr.Errorf(apierr.NotFound, "There is no project %s.", usertext.Quote(projectID))
	}
	return p, err
}

// checkName refuses an empty or malformed name.
func checkName(name string) error { return Refused(machining.CheckName("name", name)) }

// some returns a list with the id, or nil when the id is "".
func some(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}
