package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"millwright/core/catalog"
	"millwright/core/refusal"
)

// Project groups parts.
type Project struct {
	ID          string    `json:"id" format:"uuid" doc:"Identifier."`
	Name        string    `json:"name" doc:"Need not be unique." example:"Gearbox"`
	CutConfigID *string   `json:"cutConfigId" format:"uuid" doc:"Default cut config of its parts; null for none."`
	CreatedAt   time.Time `json:"createdAt" doc:"When it was made."`
	UpdatedAt   time.Time `json:"updatedAt" doc:"When it was last changed."`
}

// ProjectRequest asks for a new project.
type ProjectRequest struct {
	Name        string     `json:"name" minLength:"1" maxLength:"200" doc:"Need not be unique." example:"Gearbox"`
	CutConfigID NullableID `json:"cutConfigId,omitempty" doc:"Default cut config of its parts."`
}

// ProjectUpdate changes a project.
type ProjectUpdate struct {
	Name        *string    `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"Left as it is when absent."`
	CutConfigID NullableID `json:"cutConfigId,omitempty" doc:"Null clears it; left as it is when absent."`
}

// ProjectRead is the v0 answer with a project.
type ProjectRead struct {
	Data Project `json:"data" doc:"The project."`
}

// NullableID is an identifier in a request that may be absent, null or given.
type NullableID struct {
	Sent  bool
	Value string // "" for null
}

// UnmarshalJSON is called only for a field that was sent.
func (n *NullableID) UnmarshalJSON(data []byte) error {
	n.Sent = true
	err := json.Unmarshal(data, &n.Value) // null leaves it empty
	n.Value = strings.ToLower(n.Value)
	return err
}

// Schema implements huma.SchemaProvider.
func (NullableID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid", Nullable: true}
}

// ProjectList is one page of projects.
type ProjectList struct {
	Items    []Project `json:"items" doc:"Newest first."`
	Page     int       `json:"page" minimum:"1" doc:"One-based page."`
	PageSize int       `json:"pageSize" minimum:"1" maximum:"100" doc:"Most projects in this page."`
	Total    int       `json:"total" minimum:"0" doc:"Projects in all."`
}

type projectPath struct {
	ID string `path:"id" format:"uuid" doc:"The project."`
}

type createProject struct{ Body ProjectRequest }

type updateProject struct {
	ID   string `path:"id" format:"uuid" doc:"The project."`
	Body ProjectUpdate
}

// made is an answer with a new record and where it is.
type made[T any] struct {
	Location string `header:"Location" doc:"Address of the new record; absent from a replay."`
	Body     T
}

type body[T any] struct{ Body T }

func (a *api) registerProjects() {
	create := operation(http.MethodPost, "/projects", "create-project-v0", "Create a project", core,
		refusal.NotFound)
	create.DefaultStatus = http.StatusCreated
	create.Description = "Makes a group of parts. Its cut config is the default of the parts that are created in it."
	register(a, create, func(ctx context.Context, in *createProject) (*made[ProjectRead], error) {
		p, err := a.createProject(ctx, in)
		if err != nil {
			return nil, a.fail(err)
		}
		return &made[ProjectRead]{a.config.BaseURL + "/projects/" + p.ID, ProjectRead{wireProject(p)}}, nil
	})
	create.Path, create.OperationID = "/v1/projects", "create-project"
	register(a, create, func(ctx context.Context, in *createProject) (*made[Project], error) {
		p, err := a.createProject(ctx, in)
		if err != nil {
			return nil, a.fail(err)
		}
		return &made[Project]{a.config.BaseURL + "/v1/projects/" + p.ID, wireProject(p)}, nil
	})

	update := operation(http.MethodPut, "/projects/{id}", "update-project-v0", "Update a project", core,
		refusal.NotFound)
	update.Description = "Changes the fields that are sent."
	register(a, update, func(ctx context.Context, in *updateProject) (*body[ProjectRead], error) {
		p, err := a.updateProject(ctx, in)
		if err != nil {
			return nil, a.fail(err)
		}
		return &body[ProjectRead]{ProjectRead{wireProject(p)}}, nil
	})
	update.Path, update.OperationID = "/v1/projects/{id}", "update-project"
	register(a, update, func(ctx context.Context, in *updateProject) (*body[Project], error) {
		p, err := a.updateProject(ctx, in)
		if err != nil {
			return nil, a.fail(err)
		}
		return &body[Project]{wireProject(p)}, nil
	})
	a.registerProjectReads()
}

func (a *api) registerProjectReads() {
	both(a, explained(operation(http.MethodGet, "/projects", "list-projects", "List projects", core),
		"One page of the team's projects, newest first; a page after the last one is empty."), a.listProjects)
	read := explained(operation(http.MethodGet, "/projects/{id}", "read-project-v0", "Read a project", core,
		refusal.NotFound), "The project. Its parts are listed with projectId.")
	register(a, read, func(ctx context.Context, in *projectPath) (*body[ProjectRead], error) {
		p, err := a.use.Catalog.GetProject(ctx, caller(ctx), in.ID)
		if err != nil {
			return nil, a.fail(err)
		}
		return &body[ProjectRead]{ProjectRead{wireProject(p)}}, nil
	})
	read.Path, read.OperationID = "/v1/projects/{id}", "read-project"
	register(a, read, func(ctx context.Context, in *projectPath) (*body[Project], error) {
		p, err := a.use.Catalog.GetProject(ctx, caller(ctx), in.ID)
		if err != nil {
			return nil, a.fail(err)
		}
		return &body[Project]{wireProject(p)}, nil
	})
}

func (a *api) listProjects(ctx context.Context, in *struct{ PageQuery }) (*body[ProjectList], error) {
	list, err := a.use.Catalog.ListProjects(ctx, caller(ctx), in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	out := ProjectList{
		Items: make([]Project, len(list.Items)), Page: list.Page, PageSize: list.PageSize, Total: list.Total,
	}
	for i, p := range list.Items {
		out.Items[i] = wireProject(p)
	}
	return &body[ProjectList]{out}, nil
}

func (a *api) createProject(ctx context.Context, in *createProject) (catalog.Project, error) {
	return a.use.Catalog.CreateProject(ctx, caller(ctx), catalog.CreateProjectInput{
		Name: in.Body.Name, CutConfigID: in.Body.CutConfigID.Value,
	})
}

func (a *api) updateProject(ctx context.Context, in *updateProject) (catalog.Project, error) {
	change := catalog.UpdateProjectInput{ProjectID: in.ID, Name: in.Body.Name}
	if in.Body.CutConfigID.Sent {
		change.CutConfigID = &in.Body.CutConfigID.Value
	}
	return a.use.Catalog.UpdateProject(ctx, caller(ctx), change)
}

func wireProject(p catalog.Project) Project {
	return Project{
		ID: p.ID, Name: p.Name, CutConfigID: optional(p.CutConfigID), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}
