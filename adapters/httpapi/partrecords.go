package httpapi

import (
	"context"
	"net/http"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/part"
)

// PartUpdate changes a part.
type PartUpdate struct {
	FileName  *string    `json:"fileName,omitempty" minLength:"1" maxLength:"255" doc:"Unchanged when absent."`
	ProjectID NullableID `json:"projectId,omitempty" doc:"Null removes it from its project; unchanged when absent."`
}

// PartList is one page of parts.
type PartList listing[Part]

type listParts struct {
	PageQuery
	Status    string `query:"status" enum:"pending,processing,ready,failed" doc:"Only parts in this state."`
	ProjectID string `query:"projectId" format:"uuid" doc:"Only parts of this project."`
	Q         string `query:"q" maxLength:"255" doc:"Only parts with this text in their file name, case-insensitive."`
}

type updatePart struct {
	PartPath
	Body PartUpdate
}

// registerPartRecords adds the operations on the records of parts, except analysis.
func (a *api) registerPartRecords() {
	both(a, explained(operation(http.MethodGet, "/parts", "list-parts", "List parts, newest first", core),
		"One page of the team's parts. The filters are joined with and; a page after the last one is empty."),
		shared(a, a.listParts))

	read := explained(operation(http.MethodGet, "/parts/{id}/record", "read-part-record-v0", "Read the record of a part",
		core, apierr.NotFound), "The part, at every status.")
	faces[PartRead](a, read, "read-part-record", func(ctx context.Context, in *pollPart) (Part, error) {
		p, err := awaited(a, ctx, in.Waiting, in.ID, a.use.Parts.Await)
		return wirePart(p), err
	})
	update := explained(operation(http.MethodPatch, "/parts/{id}/record", "update-part-record-v0",
		"Rename a part, or move it to another project", core, apierr.NotFound, apierr.UnsupportedFormat),
		"Changes the fields that are sent. Files of the part are offered under the new name; its content still "+
			"determines the format.")
	faces[PartRead](a, update, "update-part-record", func(ctx context.Context, in *updatePart) (Part, error) {
		change := part.UpdateInput{PartID: in.ID, FileName: in.Body.FileName}
		if in.Body.ProjectID.Sent {
			change.ProjectID = &in.Body.ProjectID.Value
		}
		p, err := a.use.Parts.Update(ctx, caller(ctx), change)
		return wirePart(p), err
	})

	both(a, explained(operation(http.MethodDelete, "/parts/{id}", "delete-part", "Delete a part", core,
		apierr.NotFound), "Ends its jobs and deletes its files, results and records. What was billed stays billed."),
		func(ctx context.Context, in *PartPath) (*struct{}, error) {
			if err := a.use.Parts.Delete(ctx, caller(ctx), in.ID); err != nil {
				return nil, a.fail(err)
			}
			return nil, nil
		})
	both(a, explained(operation(http.MethodPost, "/parts/{id}/upload", "renew-upload", "Get another upload address", core,
		apierr.NotFound, apierr.UploadClosed),
		"For a part whose file was not uploaded while its address lived. Addresses that were given before stay as they are."),
		func(ctx context.Context, in *PartPath) (*body[Upload], error) {
			to, err := a.use.Parts.NewUpload(ctx, caller(ctx), in.ID)
			if err != nil {
				return nil, a.fail(err)
			}
			return &body[Upload]{wireUpload(to)}, nil
		})
}

func (a *api) listParts(ctx context.Context, in *listParts) (*answer[PartList], error) {
	list, err := a.use.Parts.List(ctx, caller(ctx), part.Filter{
		Page: in.page(), Status: part.Status(in.Status), ProjectID: in.ProjectID, Name: in.Q,
	})
	if err != nil {
		return nil, err
	}
	return answered(PartList(pageOf(list, wirePart)))
}
