package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

// HolderRecord is a tool holder of the team.
type HolderRecord struct {
	ID string `json:"id" format:"uuid" doc:"Identifier."`
	machining.Holder
	CreatedAt time.Time `json:"createdAt" doc:"Time of creation."`
}

// HolderList is one page of holders.
type HolderList listing[HolderRecord]

type createHolder struct{ Body document }

// HolderPath is the path of a record. (huma sees exported types only.)
type HolderPath struct {
	ID string `path:"id" format:"uuid" doc:"The holder."`
}

func (a *api) registerHolders() {
	list := operation(http.MethodGet, "/v1/holders", "list-holders", "List holders", core)
	list.Description = "One page of the team's tool holders, newest first; a page after the last one is empty."
	register(a, list, a.listHolders)

	create := operation(http.MethodPost, "/v1/holders", "create-holder", "Create a holder", core)
	create.Description = "A holder is a stack of cones from the tool end to the spindle. Their total height is " +
		"at most the gauge length."
	create.DefaultStatus = http.StatusCreated
	register(a, create, a.createHolder)
	doc := a.huma.OpenAPI()
	form := doc.Components.Schemas.Schema(reflect.TypeFor[machining.Holder](), true, "")
	describeBody(doc.Paths[create.Path].Post, form)

	read := operation(http.MethodGet, "/v1/holders/{id}", "read-holder", "Read a holder", core, apierr.NotFound)
	read.Description = "The holder with its cones."
	register(a, orNotModified(read), a.readHolder)

	remove := operation(http.MethodDelete, "/v1/holders/{id}", "delete-holder", "Delete a holder", core,
		apierr.NotFound, apierr.Changed)
	remove.Description = "Tools keep the holders that they came with."
	register(a, remove, a.deleteHolder)
}

func (a *api) listHolders(ctx context.Context, in *struct{ PageQuery }) (*body[HolderList], error) {
	list, err := a.use.Catalog.ListHolders(ctx, caller(ctx), in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[HolderList]{HolderList(pageOf(list, wireHolder))}, nil
}

func (a *api) createHolder(ctx context.Context, in *createHolder) (*made[HolderRecord], error) {
	h, err := a.use.Catalog.CreateHolder(ctx, caller(ctx), in.Body.text)
	if err != nil {
		return nil, a.fail(err)
	}
	return &made[HolderRecord]{a.config.BaseURL + "/v1/holders/" + h.ID, wireHolder(h)}, nil
}

func (a *api) readHolder(ctx context.Context, in *struct {
	HolderPath
	Known
}) (*named[encoded[HolderRecord]], error) {
	h, err := a.use.Catalog.GetHolder(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return unlessKnown(in.Known, wireHolder(h))
}

func (a *api) deleteHolder(ctx context.Context, in *struct {
	HolderPath
	Expected
}) (*struct{}, error) {
	check := only(in.Expected, "holder", wireHolder)
	if err := a.use.Catalog.DeleteHolder(ctx, caller(ctx), in.ID, check); err != nil {
		return nil, a.fail(err)
	}
	return nil, nil
}

func wireHolder(h catalog.Holder) HolderRecord {
	return HolderRecord{ID: h.ID, Holder: h.Holder, CreatedAt: h.CreatedAt}
}
