package httpapi

import (
	"context"
	"net/http"
	"time"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

// CutConfigRecord is a cut config with its times.
type CutConfigRecord struct {
	machining.CutConfig
	CreatedAt *time.Time `json:"createdAt" doc:"Time of creation; null: built in."`
	UpdatedAt *time.Time `json:"updatedAt" doc:"Time of the last change; null: built in."`
}

// CutConfigList is one page of cut configs.
type CutConfigList listing[CutConfigRecord]

// PageQuery selects a page of a list.
type PageQuery struct {
	Page     int `query:"page" minimum:"1" default:"1" doc:"One-based page."`
	PageSize int `query:"pageSize" minimum:"1" maximum:"100" default:"20" doc:"Entries per page."`
}

func (q PageQuery) page() record.Page { return record.Page{Page: q.Page, PageSize: q.PageSize} }

// CutConfigPath is the path of a record. (huma sees exported types only.)
type CutConfigPath struct {
	ID string `path:"id" format:"uuid" doc:"The cut config."`
}

const (
	builtInText = "Every team has two built-in cut configs (aluminium 6061 on a 3-axis mill, with a library of metric " +
		"tools, and the same on a large one with tools that reach 320 mm). They can be read and named but not " +
		"written: PUT, PATCH and DELETE of them answer 405."
	defaultText = "isDefault true makes it the default of the user who made the key, in place of the one before; " +
		"false on the default makes the first built-in one the default again."
	wrongText = " Answers 400 with all invalid values and the allowed ones."
)

func (a *api) registerCutConfigs() {
	list := operation(http.MethodGet, "/v1/cut-configs", "list-cut-configs",
		"List cut configs", core)
	list.Description = "One page of the team's cut configs, newest first and the built-in ones last; a page after " +
		"the last one is empty. With toolLibraryId, those of the team that use the library."
	register(a, list, a.listCutConfigs)

	create := operation(http.MethodPost, "/v1/cut-configs", "create-cut-config", "Create a cut config", core)
	create.DefaultStatus = http.StatusCreated
	create.Description = "A part of a cut config: members that are left out, at any depth of objects, are those of the first " +
		"built-in one, but that density follows isoGroup and bite follows jawHeight. " + defaultText + wrongText
	register(a, create, a.createCutConfig)

	read := operation(http.MethodGet, "/v1/cut-configs/{id}", "read-cut-config", "Read a cut config", core,
		apierr.NotFound)
	read.Description = "Machine, material, stock, workholding, tools and tolerances that parts are planned with."
	register(a, orNotModified(read), a.readCutConfig)

	update := operation(http.MethodPut, "/v1/cut-configs/{id}", "update-cut-config", "Update a cut config", core,
		apierr.NotFound, apierr.NotAllowed, apierr.Changed)
	update.Description = "Changes the members that are sent, each whole. " + defaultText + wrongText + " " + builtInText
	register(a, update, a.updateCutConfig)

	patch := operation(http.MethodPatch, "/v1/cut-configs/{id}", "patch-cut-config", "Change a part of a cut config", core,
		apierr.NotFound, apierr.NotAllowed, apierr.Changed)
	patch.Description = "A JSON merge patch (RFC 7396): the members that are sent change, at any depth of objects, a list as a " +
		"whole; null sets an optional member back to its default. The density of the material and the bite of the jaws stay " +
		"as they are: send null for those that follow from group and height. " + defaultText + wrongText + " " + builtInText
	register(a, patch, a.patchCutConfig)

	remove := operation(http.MethodDelete, "/v1/cut-configs/{id}", "delete-cut-config", "Delete a cut config", core,
		apierr.NotFound, apierr.NotAllowed, apierr.Changed)
	remove.Description = "Projects that have it as their default have none afterwards, and users whose default it " +
		"is have the first built-in one. " + builtInText
	register(a, remove, a.deleteCutConfig)
	a.describeCutConfigs()
}

func (a *api) listCutConfigs(ctx context.Context, in *struct {
	PageQuery
	ToolLibraryID string `query:"toolLibraryId" format:"uuid" doc:"Only cut configs that use this tool library."`
}) (*body[CutConfigList], error) {
	list, err := a.use.Catalog.ListCutConfigs(ctx, caller(ctx), in.ToolLibraryID, in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[CutConfigList]{CutConfigList(pageOf(list, wireCutConfig))}, nil
}

type createCutConfig struct{ Body document }

func (a *api) createCutConfig(ctx context.Context, in *createCutConfig) (*made[CutConfigRecord], error) {
	c, err := a.use.Catalog.CreateCutConfig(ctx, caller(ctx), machining.ReadPatch(in.Body.text))
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

type changeCutConfig struct {
	CutConfigPath
	Expected
	Body document
}

func (a *api) updateCutConfig(ctx context.Context, in *changeCutConfig) (*renamed[CutConfigRecord], error) {
	return a.changeCutConfig(ctx, in, machining.ReadMembers(in.Body.text))
}

func (a *api) patchCutConfig(ctx context.Context, in *changeCutConfig) (*renamed[CutConfigRecord], error) {
	return a.changeCutConfig(ctx, in, machining.ReadPatch(in.Body.text))
}

func (a *api) changeCutConfig(
	ctx context.Context, in *changeCutConfig, ch machining.Change,
) (*renamed[CutConfigRecord], error) {
	c, err := a.use.Catalog.UpdateCutConfig(ctx, caller(ctx), in.ID, ch, only(in.Expected, "cut config", wireCutConfig))
	if err != nil {
		return nil, a.fail(err)
	}
	return changed(wireCutConfig(c))
}

func (a *api) deleteCutConfig(ctx context.Context, in *struct {
	CutConfigPath
	Expected
}) (*struct{}, error) {
	check := only(in.Expected, "cut config", wireCutConfig)
	if err := a.use.Catalog.DeleteCutConfig(ctx, caller(ctx), in.ID, check); err != nil {
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
