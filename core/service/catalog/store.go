package catalog

import (
	"context"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
)

// Projects keeps the groups of parts.
type Projects interface {
	// CreateProject adds a project. record.ErrNoReference: the team has no such cut config.
	CreateProject(ctx context.Context, p Project, quota account.Quota) error
	Project(ctx context.Context, teamID, projectID string) (Project, error)
	// ListProjects returns one page, newest first, and how many there are in all.
	ListProjects(ctx context.Context, teamID string, p record.Page) ([]Project, int, error)
	// UpdateProject stores what change makes of the project as it stands. An error of change is returned
	// and nothing is written. record.ErrNotFound: no such project; record.ErrNoReference as in CreateProject.
	UpdateProject(ctx context.Context, teamID, projectID string, change func(*Project) error) (Project, error)
}

// CutConfigs keeps cut configs. Lists of what parts are cut with are newest first and come with how many there are in
// all. What every team has (machining.BuiltIn...) is not in the store and may be named without it.
type CutConfigs interface {
	// CreateCutConfig adds a cut config and makes it the user's default when it says so. record.ErrNoReference: the
	// team has not all of its tool libraries.
	CreateCutConfig(ctx context.Context, c CutConfig, userID string) error
	// CutConfigsByID returns those of the given cut configs that the team has, in the order of the list.
	// IsDefault is said of the user.
	CutConfigsByID(ctx context.Context, teamID, userID string, ids []string) ([]CutConfig, error)
	ListCutConfigs(ctx context.Context, teamID, userID string, p record.Page) ([]CutConfig, int, error)
	// UpdateCutConfig stores what change makes of the cut config as it stands, and with it whether it is the
	// user's default. An error of change is returned and nothing is written. record.ErrNotFound: no such cut
	// config; record.ErrNoReference as in CreateCutConfig.
	UpdateCutConfig(
		ctx context.Context, teamID, userID, cutConfigID string, change func(*CutConfig) error,
	) (CutConfig, error)
	// DeleteCutConfig removes a cut config; projects and users whose default it was have none any more.
	DeleteCutConfig(ctx context.Context, teamID, cutConfigID string) error
	// DefaultCutConfig returns the id of the user's default cut config, "" for none.
	DefaultCutConfig(ctx context.Context, userID string) (string, error)
}

// ToolLibraries keeps tool libraries.
type ToolLibraries interface {
	CreateToolLibrary(ctx context.Context, l ToolLibrary) error
	ToolLibrary(ctx context.Context, teamID, libraryID string) (ToolLibrary, error)
	// ListToolLibraries leaves Tools and Report of the libraries empty.
	ListToolLibraries(ctx context.Context, teamID string, p record.Page) ([]ToolLibrary, int, error)
	// KnownToolLibraries returns those of the given ids that are libraries of the team, in any order.
	KnownToolLibraries(ctx context.Context, teamID string, ids []string) ([]string, error)
	// UpdateToolLibrary replaces the name and the tools of a library. record.ErrNotFound: no such library.
	UpdateToolLibrary(ctx context.Context, teamID, libraryID, name string, tools []machining.Tool) error
	// DeleteToolLibrary removes a library, also from the cut configs that use it.
	DeleteToolLibrary(ctx context.Context, teamID, libraryID string) error
}

// Holders keeps tool holders.
type Holders interface {
	CreateHolder(ctx context.Context, h Holder) error
	Holder(ctx context.Context, teamID, holderID string) (Holder, error)
	ListHolders(ctx context.Context, teamID string, p record.Page) ([]Holder, int, error)
	DeleteHolder(ctx context.Context, teamID, holderID string) error
}
