// Package httpapi serves the REST interface: gorilla/mux routes, huma operations, problem details.
//
// It contains no business rules. Every operation decodes a request, calls one use case of the core and encodes the
// response. problem.go maps codes to HTTP statuses, convert.go maps records to wire types. A new endpoint is one entry
// in the file of its resource (parts.go, jobs.go, …).
//
// The two versions of the interface use the same handlers: v0 paths have no prefix, v1 paths have /v1.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"

	"millwright.dev/millwright/adapters/httpapi/openapi"
	"millwright.dev/millwright/adapters/httpapi/share"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/idempotency"
	"millwright.dev/millwright/core/service/job"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/program"
	"millwright.dev/millwright/core/service/record"
)

// interfaceVersion is the version of the interface description, not of the program.
const interfaceVersion = "1.0.3"

// Config is the configuration of the API, without the use cases.
type Config struct {
	// BaseURL is the service as clients reach it, without a trailing slash: used in problem types and Location. It is
	// baseurl.Placeholder where it differs from request to request.
	BaseURL string
	Logger  *slog.Logger
	// Stopping ends when the service stops: waiting responses (Waiting) are then sent. nil: never.
	Stopping context.Context
}

// UseCases is the use cases of the API.
type UseCases struct {
	Health   record.Pinger
	Accounts *account.Service
	Requests *idempotency.Service
	Jobs     *job.Service
	Catalog  *catalog.Service
	Parts    *part.Service
	Programs *program.Service
}

type api struct {
	use     UseCases
	config  Config
	huma    huma.API
	callers share.Singleflight[string, account.Caller]    // by the text of the key
	results *share.Cache[string, *partResult]             // by part.Service.ResultName
	runs    *share.Cache[asOf[RunOf], part.ResultVersion] // the version of a run's result

	streams streams // of events

	docs     []byte            // the description as a page
	problems map[string][]byte // the pages of problems, by the last segment of their addresses
}

// New returns the handler of the whole REST interface.
func New(use UseCases, config Config) http.Handler {
	a, router := build(use, config)
	a.serveDescription(router)
	return a.edge(router)
}

// Description returns the interface description of the API at a base address, in the served form.
func Description(baseURL string) ([]byte, error) {
	a, _ := build(UseCases{}, Config{BaseURL: baseURL})
	return a.description()
}

// build registers every operation. Operations of an API without use cases can be described but not called.
func build(use UseCases, config Config) (*api, *mux.Router) {
	a := &api{use: use, config: config,
		results: share.NewMemory[string, *partResult](resultsKept), runs: share.NewMemory[asOf[RunOf], part.ResultVersion](runsKept),
	}
	// Path cleaning would redirect, and a redirected POST becomes a GET. A path has one spelling: an escaped slash does
	// not separate segments.
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	router.NotFoundHandler = http.HandlerFunc(a.notFound)
	router.MethodNotAllowedHandler = a.methodNotAllowed(router)
	a.huma = humamux.New(router, a.humaConfig())
	a.huma.UseMiddleware(a.authenticate, a.readQuery, a.readBody, a.keepAnswers)
	a.registerService()
	a.registerPages()
	a.registerParts()
	a.registerFeatures()
	a.registerFindings()
	a.registerPrograms()
	a.registerPlans()
	a.registerJobs()
	a.registerProjects()
	a.registerCutConfigs()
	a.registerToolLibraries()
	a.registerHolders()
	return a, router
}

func init() {
	// huma builds its own errors through these package variables; they are the same for every API.
	huma.NewError = humaError
	huma.NewErrorWithContext = func(_ huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return humaError(status, msg, errs...)
	}
	huma.DefaultArrayNullable = false // an empty list is [], never null
}

func (a *api) humaConfig() huma.Config {
	config := huma.DefaultConfig("millwright", interfaceVersion)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil // no $schema field in bodies
	config.Formats = formats()
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {
			Type: "http", Scheme: "bearer",
			Description: "An API key, as `millwright key create` shows it once.",
		},
	}
	config.Transformers = []huma.Transformer{
		func(ctx huma.Context, _ string, v any) (any, error) {
			if p, ok := v.(*Problem); ok {
				a.logCause(ctx.Context(), p)
				return p.At(a.config.BaseURL).In(RequestID(ctx.Context())), nil
			}
			return v, nil
		},
	}
	return config
}

// operation describes one path of the interface with its markers and the codes of its specific errors. openapi.Complete
// adds the common errors of every operation: keys and access, unreadable requests, idempotency, internal errors. The
// caller adds a Description of a sentence or two. The example of a body is openapi/examples/SCHEMA.json.
func operation(method, path, id, summary string, product product, codes ...apierr.Code) huma.Operation {
	op := huma.Operation{
		Method:      method,
		Path:        path,
		OperationID: id,
		Summary:     summary,
		Metadata:    map[string]any{productKey: product, openapi.CodesKey: codes},
		Extensions:  map[string]any{"x-product": string(product), "x-metered": false},
	}
	if product != public {
		op.Security = []map[string][]string{{"bearer": {}}}
	}
	return op
}

// explained gives an operation its description.
func explained(op huma.Operation, text string) huma.Operation {
	op.Description = text
	return op
}

// metered marks an operation as billed.
func metered(op huma.Operation) huma.Operation {
	op.Extensions["x-metered"] = true
	return op
}

// both registers an operation at its v0 path and under /v1.
func both[I, O any](a *api, op huma.Operation, handler func(context.Context, *I) (*O, error)) {
	v1 := op
	v1.Path = "/v1" + op.Path
	register(a, v1, handler)
	op.OperationID += "-v0"
	register(a, op, handler)
}
