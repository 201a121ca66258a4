package catalog

import (
	"context"

	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/record"
)

// Projects keeps the groups of parts.
type Projects interface {
	// CreateProject adds a project. record.ErrNoReference: the team has no such cut config.
	CreateProject(ctx context.Context, p Project, quota account.Quota) error
	Project(ctx context.Context, teamID, projectID string) (Project, error)
	// ListProjects returns one page, newest first, and the total number.
	ListProjects(ctx context.Context, teamID string, p record.Page) ([]Project, int, error)
	// UpdateProject applies change to the current project and stores the result. An error of change is returned, and
	// nothing is written. record.ErrNotFound: no such project; record.ErrNoReference as in CreateProject.
	UpdateProject(ctx context.Context, teamID, projectID string, change func(*Project) error) (Project, error)
}

// CutConfigs keeps cut configs. Lists are newest first and include the total count. Built-in records
// (machining.BuiltInCutConfigs, machining.BuiltInToolLibraries) are not in the store, and references to them are valid.
type CutConfigs interface {
	// CreateCutConfig adds a cut config, and makes it the user's default if IsDefault is set. record.ErrNoReference:
	// the team lacks one of its tool libraries.
	CreateCutConfig(ctx context.Context, c CutConfig, userID string) error
	// CutConfigsByID returns the given cut configs that the team has, in the order of the list. IsDefault refers to the
	// user.
	CutConfigsByID(ctx context.Context, teamID, userID string, ids []string) ([]CutConfig, error)
	// ListCutConfigs lists those that use a tool library of the team or a built-in one; "": all.
	ListCutConfigs(ctx context.Context, teamID, userID, toolLibraryID string, p record.Page) ([]CutConfig, int, error)
	// UpdateCutConfig applies change to the current cut config and stores the result, including whether it is the
	// user's default. An error of change is returned, and nothing is written. record.ErrNotFound: no such cut config;
	// record.ErrNoReference as in CreateCutConfig.
	UpdateCutConfig(
		ctx context.Context, teamID, userID, cutConfigID string, change func(*CutConfig) error,
	) (CutConfig, error)
	// DeleteCutConfig removes a cut config that passes the check, while nobody else can change it. Projects and users
	// with this default lose it. The error of the check is returned, and nothing is removed. IsDefault refers to the
	// user.
	DeleteCutConfig(ctx context.Context, teamID, userID, cutConfigID string, check Check[CutConfig]) error
	// DefaultCutConfig returns the id of the user's default cut config; "" = unset.
	DefaultCutConfig(ctx context.Context, userID string) (string, error)
}

// ToolLibraries keeps tool libraries.
type ToolLibraries interface {
	CreateToolLibrary(ctx context.Context, l ToolLibrary) error
	ToolLibrary(ctx context.Context, teamID, libraryID string) (ToolLibrary, error)
	// ListToolLibraries leaves Tools and Report of the libraries empty.
	ListToolLibraries(ctx context.Context, teamID string, p record.Page) ([]ToolLibrary, int, error)
	// KnownToolLibraries returns the given ids that are tool libraries of the team, in any order.
	KnownToolLibraries(ctx context.Context, teamID string, ids []string) ([]string, error)
	// UpdateToolLibrary applies change to the current library, and stores the name and the tools that result. An error
	// of change is returned, and nothing is written. record.ErrNotFound: no such library.
	UpdateToolLibrary(
		ctx context.Context, teamID, libraryID string, change func(*ToolLibrary) error,
	) (ToolLibrary, error)
	// DeleteToolLibrary removes a library that passes the check, as DeleteCutConfig does. Cut configs lose it.
	DeleteToolLibrary(ctx context.Context, teamID, libraryID string, check Check[ToolLibrary]) error
}

// Holders keeps tool holders.
type Holders interface {
	CreateHolder(ctx context.Context, h Holder) error
	Holder(ctx context.Context, teamID, holderID string) (Holder, error)
	ListHolders(ctx context.Context, teamID string, p record.Page) ([]Holder, int, error)
	DeleteHolder(ctx context.Context, teamID, holderID string) error
}
