package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/record"
)

// This file contains the common parts of responses: pages of lists, and the two versions.

// Paging selects the page of a list. (huma sees exported types only.)
type Paging struct {
	Page     int `json:"page" minimum:"1" doc:"One-based page."`
	PageSize int `json:"pageSize" minimum:"1" maximum:"100" doc:"Most items in a page."`
	Total    int `json:"total" minimum:"0" doc:"Number of matching items on all pages."`
}

// listing is one page of a list.
type listing[W any] struct {
	Items []W `json:"items" doc:"Newest first; built-in records come last."`
	Paging
}

// pageOf puts a page of records on the wire.
func pageOf[R, W any](list record.List[R], wire func(R) W) listing[W] {
	out := listing[W]{Items: make([]W, len(list.Items)), Paging: pagingOf(list)}
	for i, r := range list.Items {
		out.Items[i] = wire(r)
	}
	return out
}

func pagingOf[R any](list record.List[R]) Paging {
	return Paging{Page: list.Page, PageSize: list.PageSize, Total: list.Total}
}

// data is the v0 answer with a record.
type data[W any] struct {
	Data W `json:"data" doc:"The record."`
}

// wrapped is the constraint for named forms of data.
type wrapped[W any] interface {
	~struct {
		Data W `json:"data" doc:"The record."`
	}
}

// body is a response that consists of a record.
type body[W any] struct{ Body W }

// faces registers an operation that returns a record: wrapped on v0, and unwrapped on v1, with a separate id.
func faces[D wrapped[W], W, I any](
	a *api, v0 huma.Operation, id string, handle func(context.Context, *I) (W, error),
) {
	register(a, v0, func(ctx context.Context, in *I) (*body[D], error) {
		w, err := handle(ctx, in)
		if err != nil {
			return nil, a.fail(err)
		}
		return &body[D]{D(data[W]{w})}, nil
	})
	v0.Path, v0.OperationID = "/v1"+v0.Path, id
	register(a, v0, func(ctx context.Context, in *I) (*body[W], error) {
		w, err := handle(ctx, in)
		if err != nil {
			return nil, a.fail(err)
		}
		return &body[W]{w}, nil
	})
}

// made is an answer with a new record and where it is.
type made[W any] struct {
	Location string `header:"Location" doc:"Address of the new record; absent from a replay."`
	Body     W
}

// makings are faces for an operation that makes a record, which is at the returned path on each face.
func makings[D wrapped[W], W, I any](
	a *api, v0 huma.Operation, id string, make func(ctx context.Context, in *I, face string) (w W, at string, err error),
) {
	register(a, v0, func(ctx context.Context, in *I) (*made[D], error) {
		w, at, err := make(ctx, in, "")
		if err != nil {
			return nil, a.fail(err)
		}
		return &made[D]{a.config.BaseURL + at, D(data[W]{w})}, nil
	})
	v0.Path, v0.OperationID = "/v1"+v0.Path, id
	register(a, v0, func(ctx context.Context, in *I) (*made[W], error) {
		w, at, err := make(ctx, in, "/v1")
		if err != nil {
			return nil, a.fail(err)
		}
		return &made[W]{a.config.BaseURL + at, w}, nil
	})
}
