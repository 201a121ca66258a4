package httpapi

import (
	"context"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

// ToolLibrarySummary is a tool library in a list.
type ToolLibrarySummary struct {
	ID        string     `json:"id" format:"uuid" doc:"Identifier."`
	Name      string     `json:"name" doc:"Name; need not be unique." example:"Workshop tools"`
	Format    string     `json:"format" doc:"Source format: millwright, fusion, freecad, linuxcnc; or builtin."`
	ToolCount int        `json:"toolCount" minimum:"0" doc:"Number of tools."`
	CreatedAt *time.Time `json:"createdAt" doc:"Time of creation; null: built in."`
}

// ToolLibraryRecord is a tool library with its tools.
type ToolLibraryRecord struct {
	ToolLibrarySummary
	Tools  []machining.Tool   `json:"tools" doc:"In the order of the file."`
	Report catalog.ToolReport `json:"report" doc:"Result of reading each entry of the file."`
}

// ToolLibraryList is one page of tool libraries.
type ToolLibraryList listing[ToolLibrarySummary]

// ToolLibraryUpdate is the form of the body that replaces the tools of a library, and of a library that was read.
type ToolLibraryUpdate struct {
	Name  string           `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"Name; need not be unique. Absent: kept."`
	Tools []machining.Tool `json:"tools" minItems:"1" maxItems:"5000" doc:"All tools, in order. One without an id gets one."`

	ID        string              `json:"id,omitempty" doc:"Not changed."`
	Format    string              `json:"format,omitempty" doc:"Not changed."`
	ToolCount int                 `json:"toolCount,omitempty" doc:"Not read; the tools are counted."`
	CreatedAt *time.Time          `json:"createdAt,omitempty" doc:"Not changed."`
	Report    *catalog.ToolReport `json:"report,omitempty" doc:"Not changed; it refers to the file that was read."`
}

type updateToolLibrary struct {
	ToolLibraryPath
	Expected
	Body document
}

type createToolLibrary struct {
	Format      string `query:"format" enum:"millwright,fusion,freecad,linuxcnc" doc:"Detected from the content when absent."`
	Unit        string `query:"unit" enum:"mm,in" doc:"Of lengths in a LinuxCNC tool table; mm when absent."`
	Name        string `query:"name" maxLength:"200" doc:"Of the library; the one in the file when absent."`
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte
}

// ToolLibraryPath is the path of a record. (huma sees exported types only.)
type ToolLibraryPath struct {
	ID string `path:"id" format:"uuid" doc:"The tool library."`
}

// toolMedia are the media types that files of tools come as.
var toolMedia = []string{
	"application/json", "application/zip", "application/x-zip-compressed", "text/plain", "application/octet-stream",
}

func (a *api) registerToolLibraries() {
	list := operation(http.MethodGet, "/v1/tool-libraries", "list-tool-libraries", "List tool libraries", core)
	list.Description = "One page of the team's tool libraries without their tools, newest first and the built-in ones " +
		"last; a page after the last one is empty."
	register(a, list, a.listToolLibraries)

	create := operation(http.MethodPost, "/v1/tool-libraries", "create-tool-library", "Create a tool library", core)
	create.Description = "Reads a file of tools: a Fusion tool library (JSON, or zipped as .tools), FreeCAD tool bits " +
		"(one .fctb, or a zip of .fctb files with the .fctl files that number them), a LinuxCNC tool table, or tools of " +
		"this service ({\"name\", \"tools\"} as a library is read). Inches are converted. The report of the answer " +
		"says which entries gave no tool and what was guessed; a file that gives no tool at all is refused. A tool with " +
		"fields under guessed is not used until the library is stored again with PUT."
	create.DefaultStatus = http.StatusCreated
	create.MaxBodyBytes = catalog.MaxToolFile + 1 // one more than fits is too much
	create.BodyReadTimeout = toolFileTime
	create.RequestBody, create.SkipValidateBody = toolFileBody(), true
	register(a, create, a.createToolLibrary)

	read := operation(http.MethodGet, "/v1/tool-libraries/{id}", "read-tool-library", "Read a tool library", core,
		apierr.NotFound)
	read.Description = "The tools with their cutting data, and the result of reading each entry of the file."
	register(a, orNotModified(read), a.readToolLibrary)

	update := operation(http.MethodPut, "/v1/tool-libraries/{id}", "update-tool-library", "Replace a tool library", core,
		apierr.NotFound, apierr.NotAllowed, apierr.Changed)
	update.Description = "Replaces the name and all tools; the body is what reading a library gives. What is sent counts " +
		"as confirmed: nothing of it is guessed any more, so that plans may cut with it. Plans and programs that were " +
		"made keep the tools that they were made with. A built-in library cannot be changed: 405."
	update.MaxBodyBytes, update.BodyReadTimeout = 2*catalog.MaxToolFile, toolFileTime
	register(a, update, a.updateToolLibrary)
	doc := a.huma.OpenAPI()
	schemas := doc.Components.Schemas
	form := schemas.Schema(reflect.TypeFor[ToolLibraryUpdate](), true, "")
	tools := schemas.Map()["ToolLibraryUpdate"].Properties["tools"]
	tools.Items = component(schemas, "ToolRequest", formOf(schemas, reflect.TypeFor[machining.Tool]()))
	describeBody(doc.Paths[update.Path].Put, form)

	remove := operation(http.MethodDelete, "/v1/tool-libraries/{id}", "delete-tool-library", "Delete a tool library",
		core, apierr.NotFound, apierr.NotAllowed, apierr.Changed)
	remove.Description = "Cut configs that use it continue without it. A built-in library cannot be deleted: 405."
	register(a, remove, a.deleteToolLibrary)
}

const toolFileTime = 30 * time.Second // for the body to arrive

// toolFileBody describes the file; the schema of octets is added with the operation.
func toolFileBody() *huma.RequestBody {
	binary := func(text string) *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Description: text}}
	}
	return &huma.RequestBody{
		Description: "The file, at most 5 MiB.",
		Content: map[string]*huma.MediaType{
			"application/json": {
				Schema: &huma.Schema{Description: "A Fusion tool library, a FreeCAD tool bit, or tools of this service."},
				Example: map[string]any{"name": "Workshop tools", "tools": []any{map[string]any{
					"name": "Drill 5 mm", "number": 9, "kind": "drill", "diameter": 5, "cornerRadius": 0, "fluteLength": 52,
					"overallLength": 86, "shankDiameter": 5, "bodyLength": 63, "fluteCount": 2, "tipAngleDeg": 118,
					"presets": []any{map[string]any{
						"materialGroup": "N", "surfaceSpeed": 60, "feedPerTooth": 0.05, "axialDepth": 5, "radialDepth": 2.5,
					}},
				}}},
			},
			"application/zip": binary("A Fusion library (.tools), or a zip of FreeCAD's .fctb and .fctl files."),
			"text/plain":      binary("A LinuxCNC tool table."),
		},
	}
}

func (a *api) listToolLibraries(ctx context.Context, in *struct{ PageQuery }) (*body[ToolLibraryList], error) {
	list, err := a.use.Catalog.ListToolLibraries(ctx, caller(ctx), in.page())
	if err != nil {
		return nil, a.fail(err)
	}
	return &body[ToolLibraryList]{ToolLibraryList(pageOf(list, wireLibrarySummary))}, nil
}

func (a *api) createToolLibrary(ctx context.Context, in *createToolLibrary) (*made[ToolLibraryRecord], error) {
	if media, _, err := mime.ParseMediaType(in.ContentType); in.ContentType != "" &&
		(err != nil || !slices.Contains(toolMedia, media)) {
		return nil, newProblem(apierr.MediaType,
			"A file of tools is sent as one of "+strings.Join(toolMedia, ", ")+".")
	}
	l, err := a.use.Catalog.CreateToolLibrary(ctx, caller(ctx), catalog.CreateToolLibraryInput{
		Name: in.Name, Data: in.RawBody, ToolFileOptions: catalog.ToolFileOptions{
			Format: catalog.ToolFormat(in.Format), Unit: catalog.LengthUnit(in.Unit),
		},
	})
	if err != nil {
		return nil, a.fail(err)
	}
	return &made[ToolLibraryRecord]{a.config.BaseURL + "/v1/tool-libraries/" + l.ID, wireLibrary(l)}, nil
}

func (a *api) readToolLibrary(ctx context.Context, in *struct {
	ToolLibraryPath
	Known
}) (*named[encoded[ToolLibraryRecord]], error) {
	l, err := a.use.Catalog.GetToolLibrary(ctx, caller(ctx), in.ID)
	if err != nil {
		return nil, a.fail(err)
	}
	return unlessKnown(in.Known, wireLibrary(l))
}

func (a *api) updateToolLibrary(ctx context.Context, in *updateToolLibrary) (*renamed[ToolLibraryRecord], error) {
	check := only(in.Expected, "tool library", wireLibrary)
	l, err := a.use.Catalog.UpdateToolLibrary(ctx, caller(ctx), in.ID, in.Body.text, check)
	if err != nil {
		return nil, a.fail(err)
	}
	return changed(wireLibrary(l))
}

func (a *api) deleteToolLibrary(ctx context.Context, in *struct {
	ToolLibraryPath
	Expected
}) (*struct{}, error) {
	check := only(in.Expected, "tool library", wireLibrary)
	if err := a.use.Catalog.DeleteToolLibrary(ctx, caller(ctx), in.ID, check); err != nil {
		return nil, a.fail(err)
	}
	return nil, nil
}

func wireLibrarySummary(l catalog.ToolLibrary) ToolLibrarySummary {
	return ToolLibrarySummary{
		ID: l.ID, Name: l.Name, Format: string(l.Format), ToolCount: l.ToolCount, CreatedAt: given(l.CreatedAt),
	}
}

func wireLibrary(l catalog.ToolLibrary) ToolLibraryRecord {
	return ToolLibraryRecord{ToolLibrarySummary: wireLibrarySummary(l), Tools: l.Tools, Report: l.Report}
}
