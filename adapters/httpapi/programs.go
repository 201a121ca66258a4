package httpapi

import (
	"context"
	"io"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/program"
)

// ProgramPath is the path of a program of a part. (huma sees exported types only.)
type ProgramPath struct {
	ID        string `path:"id" format:"uuid" doc:"The part."`
	ProgramID string `path:"programId" format:"uuid" doc:"The program."`
}

type createProgram struct {
	PartPath
	Body *ProgramRequest `required:"false"`
}

type pollProgram struct {
	ProgramPath
	Waiting
}

type listOfPart struct {
	PartPath
	PageQuery
}

func (a *api) registerPrograms() {
	create := metered(explained(operation(http.MethodPost, "/parts/{id}/programs", "create-program-v0",
		"Create a program", quoting, apierr.NotFound, apierr.FeatureNotFound, apierr.PartNotReady, apierr.RateLimited,
		apierr.QuotaExceeded),
		"Plans the part, calculates and proves its toolpaths and writes its g-code, for one cut config as it is now. "+
			"The first program of a part without a project puts the part into a new one. Poll the program."))
	create.DefaultStatus = http.StatusAccepted
	register(a, create, func(ctx context.Context, in *createProgram) (*createdProgram[ProgramRead], error) {
		return newProgram(a, ctx, in, "", func(p ProgramRecord) ProgramRead { return ProgramRead{p} })
	})
	create.Path, create.OperationID = "/v1/parts/{id}/programs", "create-program"
	register(a, create, func(ctx context.Context, in *createProgram) (*createdProgram[ProgramRecord], error) {
		return newProgram(a, ctx, in, "/v1", func(p ProgramRecord) ProgramRecord { return p })
	})

	read := explained(operation(http.MethodGet, "/parts/{id}/programs/{programId}", "read-program-v0",
		"Read a program", quoting, apierr.NotFound),
		"At every status: poll it, best with wait, until it is ready or failed. A ready program does not change, "+
			"even if its cut config or tools change or are deleted.")
	faces[ProgramRead](a, read, "read-program", a.readProgram)
	both(a, explained(operation(http.MethodGet, "/parts/{id}/programs", "list-programs", "List the programs of a part",
		quoting, apierr.NotFound), "One page of them, newest first; a page after the last one is empty."), a.listPrograms)
	both(a, gcodeOperation(), a.gcode)
	both(a, explained(operation(http.MethodGet, "/parts/{id}/programs/{programId}/estimate", "read-estimate",
		"Estimate time and cost", quoting, apierr.NotFound, apierr.ProgramNotReady),
		"For one part of a batch: from the features of the part and, once the program is ready, from its moves. A "+
			"program whose tools permit no estimate answers 409."), a.estimate)
}

// createdProgram is a program that waits.
type createdProgram[T any] struct {
	PaceHeaders
	Accepted
	Location string `header:"Location" doc:"Address of the new program; absent from a replay."`
	Body     T
}

func newProgram[T any](
	a *api, ctx context.Context, in *createProgram, face string, wrap func(ProgramRecord) T,
) (*createdProgram[T], error) {
	made, err := a.use.Programs.Create(ctx, caller(ctx), in.Body.order(in.ID))
	if err != nil {
		return nil, a.fail(err)
	}
	at := face + "/parts/" + made.PartID + "/programs/" + made.ID
	return &createdProgram[T]{
		paceOf(made.Slot), a.accepted(at), a.config.BaseURL + at, wrap(wireProgram(&made.ProgramDetail, program.Files{}, a.config.BaseURL)),
	}, nil
}

func (a *api) readProgram(ctx context.Context, in *pollProgram) (ProgramRecord, error) {
	p, err := awaited(a, ctx, in.Waiting, in.ID, a.use.Programs.Awaiting(in.ProgramID))
	if err != nil {
		return ProgramRecord{}, err
	}
	return a.programRecord(ctx, &p)
}

func (a *api) programRecord(ctx context.Context, p *program.ProgramDetail) (ProgramRecord, error) {
	files, err := a.use.Programs.Files(ctx, p)
	return wireProgram(p, files, a.config.BaseURL), err
}

func (a *api) listPrograms(ctx context.Context, in *listOfPart) (*body[ProgramList], error) {
	list, err := a.use.Programs.List(ctx, caller(ctx), in.ID, in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	out := ProgramList{Items: make([]ProgramRecord, len(list.Items)), Paging: pagingOf(list)}
	for i := range list.Items {
		if out.Items[i], err = a.programRecord(ctx, &list.Items[i]); err != nil {
			return nil, a.fail(err)
		}
	}
	return &body[ProgramList]{out}, nil
}

type readGcode struct {
	ProgramPath
	Known
	Setup int    `query:"setup" minimum:"1" default:"1" doc:"Number of the setup, from 1."`
	Post  string `query:"post" maxLength:"64" doc:"The dialect; by default the dialect of the cut config." example:"linuxcnc"`
}

func gcodeOperation() huma.Operation {
	op := explained(operation(http.MethodGet, "/parts/{id}/programs/{programId}/gcode", "read-gcode",
		"Read the g-code of one setup", quoting, apierr.NotFound, apierr.NoSetup, apierr.ProgramNotReady),
		"The motion that was proved, in the words of a control: linuxcnc, grbl, fanuc, haas, heidenhain or siemens. Only a "+
			"program that is ready has g-code. Functions that a control lacks, such as tapping with grbl, are refused.")
	op.Responses = map[string]*huma.Response{"200": {
		Description: "A program for the machine.",
		Headers: map[string]*huma.Param{
			"Content-Disposition": {
				Description: "The name to save it under.", Schema: &huma.Schema{Type: huma.TypeString},
			},
			"ETag": {Schema: &huma.Schema{Type: huma.TypeString}},
		},
		Content: map[string]*huma.MediaType{typeText: {
			Schema:  &huma.Schema{Type: huma.TypeString, Description: "Blocks, one a line."},
			Example: "(PART BRACKET. SETUP 1 OF 2)\nG21 G17 G40 G49 G80 G90 G94\n",
		}},
	}}
	return orNotModified(op)
}

const typeText = "text/plain"

func (a *api) gcode(ctx context.Context, in *readGcode) (*huma.StreamResponse, error) {
	file, err := a.use.Programs.Gcode(ctx, caller(ctx), program.GcodeInput{
		PartID: in.ID, ProgramID: in.ProgramID, Setup: in.Setup, Post: in.Post,
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		tag := contentTag([]byte(file.Text))
		hc.SetHeader("ETag", tag)
		hc.SetHeader("Cache-Control", revalidated)
		if sameTag(in.IfNoneMatch, tag) {
			hc.SetStatus(http.StatusNotModified)
			return
		}
		hc.SetHeader("Content-Type", typeText)
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file.FileName}))
		hc.SetStatus(http.StatusOK)
		if _, err := io.WriteString(hc.BodyWriter(), file.Text); err != nil {
			a.config.Logger.Warn("g-code was cut off", "error", err)
		}
	}}, nil
}

type readEstimate struct {
	ProgramPath
	Quantity int `query:"quantity" minimum:"1" maximum:"10000" default:"1" doc:"Parts in the batch."`
}

func (a *api) estimate(ctx context.Context, in *readEstimate) (*body[Estimate], error) {
	e, err := a.use.Programs.Estimate(ctx, caller(ctx), in.ID, in.ProgramID, in.Quantity)
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[Estimate]{wireEstimate(e)}, nil
}
