package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

// Project groups parts.
type Project struct {
	ID          string    `json:"id" format:"uuid" doc:"Identifier."`
	Name        string    `json:"name" doc:"Need not be unique." example:"Gearbox"`
	CutConfigID *string   `json:"cutConfigId" format:"uuid" doc:"Default cut config of its parts; null: unset."`
	CreatedAt   time.Time `json:"createdAt" doc:"Time of creation."`
	UpdatedAt   time.Time `json:"updatedAt" doc:"Time of the last change."`
}

// ProjectRequest is the request for a new project.
type ProjectRequest struct {
	Name        string     `json:"name" minLength:"1" maxLength:"200" doc:"Need not be unique." example:"Gearbox"`
	CutConfigID NullableID `json:"cutConfigId,omitempty" doc:"Default cut config of its parts."`
}

// ProjectUpdate changes a project.
type ProjectUpdate struct {
	Name        *string    `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"Unchanged when absent."`
	CutConfigID NullableID `json:"cutConfigId,omitempty" doc:"Null clears it; unchanged when absent."`
}

// ProjectRead is the v0 answer with a project.
type ProjectRead data[Project]

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
type ProjectList listing[Project]

type projectPath struct {
	ID string `path:"id" format:"uuid" doc:"The project."`
}

type createProject struct{ Body ProjectRequest }

type updateProject struct {
	ID   string `path:"id" format:"uuid" doc:"The project."`
	Body ProjectUpdate
}

func (a *api) registerProjects() {
	create := operation(http.MethodPost, "/projects", "create-project-v0", "Create a project", core,
		apierr.NotFound, apierr.QuotaExceeded)
	create.DefaultStatus = http.StatusCreated
	create.Description = "Makes a group of parts. Its cut config is the default of the parts that are created in it."
	makings[ProjectRead](a, create, "create-project", a.createProject)

	update := operation(http.MethodPut, "/projects/{id}", "update-project-v0", "Update a project", core,
		apierr.NotFound)
	update.Description = "Changes the fields that are sent."
	faces[ProjectRead](a, update, "update-project", a.updateProject)
	both(a, explained(operation(http.MethodGet, "/projects", "list-projects", "List projects", core),
		"One page of the team's projects, newest first; a page after the last one is empty."), a.listProjects)
	read := explained(operation(http.MethodGet, "/projects/{id}", "read-project-v0", "Read a project", core,
		apierr.NotFound), "The project. Its parts are listed with projectId.")
	faces[ProjectRead](a, read, "read-project", func(ctx context.Context, in *projectPath) (Project, error) {
		p, err := a.use.Catalog.GetProject(ctx, caller(ctx), in.ID)
		return wireProject(p), err
	})
}

func (a *api) listProjects(ctx context.Context, in *struct{ PageQuery }) (*body[ProjectList], error) {
	list, err := a.use.Catalog.ListProjects(ctx, caller(ctx), in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[ProjectList]{ProjectList(pageOf(list, wireProject))}, nil
}

func (a *api) createProject(ctx context.Context, in *createProject, face string) (p Project, at string, err error) {
	made, err := a.use.Catalog.CreateProject(ctx, caller(ctx), catalog.CreateProjectInput{
		Name: in.Body.Name, CutConfigID: in.Body.CutConfigID.Value,
	})
	return wireProject(made), face + "/projects/" + made.ID, err
}

func (a *api) updateProject(ctx context.Context, in *updateProject) (Project, error) {
	change := catalog.UpdateProjectInput{ProjectID: in.ID, Name: in.Body.Name}
	if in.Body.CutConfigID.Sent {
		change.CutConfigID = &in.Body.CutConfigID.Value
	}
	p, err := a.use.Catalog.UpdateProject(ctx, caller(ctx), change)
	return wireProject(p), err
}

func wireProject(p catalog.Project) Project {
	return Project{
		ID: p.ID, Name: p.Name, CutConfigID: optional(p.CutConfigID), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}
