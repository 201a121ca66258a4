package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"millwright/core/catalog"
	"millwright/core/machining"
	"millwright/core/record"
	"millwright/core/refusal"
)

// CutConfigRecord is a cut config with its times.
type CutConfigRecord struct {
	machining.CutConfig
	CreatedAt *time.Time `json:"createdAt" doc:"When it was made; null: a built-in one."`
	UpdatedAt *time.Time `json:"updatedAt" doc:"When it was last changed; null: a built-in one."`
}

// CutConfigRequest asks for a new cut config. What is left out is as in the first built-in one.
type CutConfigRequest struct {
	Name string `json:"name" minLength:"1" maxLength:"200"`
	CutConfigFields
}

// CutConfigUpdate changes a cut config. What is left out stays as it is.
type CutConfigUpdate struct {
	Name *string `json:"name,omitempty" minLength:"1" maxLength:"200"`
	CutConfigFields
}

// CutConfigFields are what both requests share; objects and lists are replaced whole.
type CutConfigFields struct {
	IsDefault       *bool                  `json:"isDefault,omitempty"`
	Machine         *machining.Machine     `json:"machine,omitempty"`
	Material        *machining.Material    `json:"material,omitempty"`
	Stock           *machining.Stock       `json:"stock,omitempty"`
	Workholding     *machining.Workholding `json:"workholding,omitempty"`
	ToolLibraryIDs  *[]string              `json:"toolLibraryIds,omitempty" format:"uuid"`
	Post            *string                `json:"post,omitempty"`
	Tolerances      *machining.Tolerances  `json:"tolerances,omitempty"`
	HourlyRateCents *int                   `json:"hourlyRateCents,omitempty"`
	ChordTolerance  *float64               `json:"chordTolerance,omitempty"`

	ProgrammingSeconds *float64       `json:"programmingSeconds,omitempty"`
	ScallopHeight      *float64       `json:"scallopHeight,omitempty"`
	EngagementDeg      NullableNumber `json:"engagementDeg,omitempty"`
	TapInferredThreads *bool          `json:"tapInferredThreads,omitempty"`
}

// NullableNumber is a number in a request that may be absent, null or given.
type NullableNumber struct {
	Sent  bool
	Value *float64 // nil for null
}

// UnmarshalJSON is called only for a field that was sent.
func (n *NullableNumber) UnmarshalJSON(data []byte) error {
	n.Sent = true
	return json.Unmarshal(data, &n.Value)
}

// Schema implements huma.SchemaProvider.
func (NullableNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Format: "double", Nullable: true}
}

func (f CutConfigFields) change(name *string) catalog.CutConfigChange {
	change := catalog.CutConfigChange{
		Name: name, IsDefault: f.IsDefault, Machine: f.Machine, Material: f.Material, Stock: f.Stock,
		Workholding: f.Workholding, ToolLibraryIDs: f.ToolLibraryIDs, Post: f.Post, Tolerances: f.Tolerances,
		HourlyRateCents: f.HourlyRateCents, ChordTolerance: f.ChordTolerance,
		ProgrammingSeconds: f.ProgrammingSeconds, ScallopHeight: f.ScallopHeight, TapInferredThreads: f.TapInferredThreads,
	}
	if f.EngagementDeg.Sent {
		change.EngagementDeg = &f.EngagementDeg.Value
	}
	return change
}

// CutConfigList is one page of cut configs.
type CutConfigList listing[CutConfigRecord]

// PageQuery selects a page of a list.
type PageQuery struct {
	Page     int `query:"page" minimum:"1" default:"1" doc:"One-based page."`
	PageSize int `query:"pageSize" minimum:"1" maximum:"100" default:"20" doc:"Entries per page."`
}

func (q PageQuery) page() record.Page { return record.Page{Page: q.Page, PageSize: q.PageSize} }

// CutConfigPath names a record. (huma sees exported types only.)
type CutConfigPath struct {
	ID string `path:"id" format:"uuid" doc:"The cut config."`
}

const (
	builtInText = "Every team has two built-in cut configs (aluminium 6061 on a 3-axis mill, with a library of metric " +
		"tools, and the same on a large one with tools that reach 320 mm). They can be read and named but not " +
		"written: PUT and DELETE of them answer 405."
	defaultText = "isDefault true makes it the default of the user who made the key, in place of the one before; " +
		"false on the default makes the first built-in one the default again."
)

func (a *api) registerCutConfigs() {
	list := operation(http.MethodGet, "/v1/cut-configs", "list-cut-configs",
		"List cut configs", core)
	list.Description = "One page of the team's cut configs, newest first and the built-in ones last; a page after " +
		"the last one is empty."
	register(a, list, a.listCutConfigs)

	create := operation(http.MethodPost, "/v1/cut-configs", "create-cut-config", "Create a cut config", core,
		refusal.NotFound)
	create.DefaultStatus = http.StatusCreated
	create.Description = "Fields that are left out are those of the first built-in cut config. " + defaultText +
		" Answers 404 naming the tool libraries that the team does not have."
	register(a, create, a.createCutConfig)

	read := operation(http.MethodGet, "/v1/cut-configs/{id}", "read-cut-config", "Read a cut config", core,
		refusal.NotFound)
	read.Description = "Machine, material, stock, workholding, tools and tolerances that parts are planned with."
	register(a, orNotModified(read), a.readCutConfig)

	update := operation(http.MethodPut, "/v1/cut-configs/{id}", "update-cut-config", "Update a cut config", core,
		refusal.NotFound, refusal.NotAllowed)
	update.Description = "Changes the fields that are sent, each whole. " + defaultText + " " + builtInText
	register(a, update, a.updateCutConfig)

	remove := operation(http.MethodDelete, "/v1/cut-configs/{id}", "delete-cut-config", "Delete a cut config", core,
		refusal.NotFound, refusal.NotAllowed)
	remove.Description = "Projects that have it as their default have none afterwards, and users whose default it " +
		"is have the first built-in one. " + builtInText
	register(a, remove, a.deleteCutConfig)
}

func (a *api) listCutConfigs(ctx context.Context, in *struct{ PageQuery }) (*body[CutConfigList], error) {
	list, err := a.use.Catalog.ListCutConfigs(ctx, caller(ctx), in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[CutConfigList]{CutConfigList(pageOf(list, wireCutConfig))}, nil
}

type createCutConfig struct{ Body CutConfigRequest }

func (a *api) createCutConfig(ctx context.Context, in *createCutConfig) (*made[CutConfigRecord], error) {
	c, err := a.use.Catalog.CreateCutConfig(ctx, caller(ctx), in.Body.change(&in.Body.Name))
	if err != nil {
		return nil, a.fail(err)
	}
	return &made[CutConfigRecord]{a.config.BaseURL + "/v1/cut-configs/" + c.ID, wireCutConfig(c)}, nil
}

func (a *api) readCutConfig(ctx context.Context, in *struct {
	CutConfigPath
	Known
}) (*named[encoded[CutConfigRecord]], error) {
	c, err := a.use.Catalog.GetCutConfig(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return unlessKnown(in.Known, wireCutConfig(c))
}

type updateCutConfig struct {
	ID   string `path:"id" format:"uuid" doc:"The cut config."`
	Body CutConfigUpdate
}

func (a *api) updateCutConfig(ctx context.Context, in *updateCutConfig) (*body[CutConfigRecord], error) {
	c, err := a.use.Catalog.UpdateCutConfig(ctx, caller(ctx), in.ID, in.Body.change(in.Body.Name))
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[CutConfigRecord]{wireCutConfig(c)}, nil
}

func (a *api) deleteCutConfig(ctx context.Context, in *CutConfigPath) (*struct{}, error) {
	if err := a.use.Catalog.DeleteCutConfig(ctx, caller(ctx), in.ID); err != nil {
		return nil, a.fail(err)
	}
	return nil, nil
}

func wireCutConfig(c catalog.CutConfig) CutConfigRecord {
	return CutConfigRecord{CutConfig: c.CutConfig, CreatedAt: given(c.CreatedAt), UpdatedAt: given(c.UpdatedAt)}
}

// given is nil for the zero time that records use for null.
func given(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
