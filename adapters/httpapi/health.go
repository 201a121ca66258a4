package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"millwright.dev/millwright/adapters/httpapi/openapi"
	"millwright.dev/millwright/core/service/record"
)

// registerService adds the operations about the service itself and about keys.
func (a *api) registerService() {
	health := explained(operation(http.MethodGet, "/health", "health", "Health check", public),
		"Whether the service can do its work. It needs no key.")
	health.Metadata[openapi.NoTroubleKey] = true
	health.Responses = map[string]*huma.Response{"503": {
		Description: "The store does not answer, or its disk is full.",
		Content: map[string]*huma.MediaType{"application/json": {
			Schema:  &huma.Schema{Ref: "#/components/schemas/Health"},
			Example: Health{Status: "error", DB: "down"},
		}},
	}}
	both(a, health, a.health)

	validate := operation(http.MethodPost, "/v1/keys/validate", "validate-key",
		"Report the status of the key in the Authorization header", public)
	validate.Description = "Changes nothing. A key that cannot be used is answered with 401 and the same shape."
	validate.Security = []map[string][]string{{"bearer": {}}}
	validate.Responses = map[string]*huma.Response{"401": {
		Description: "The key is missing, unknown, revoked or expired.",
		Content: map[string]*huma.MediaType{"application/json": {
			Schema:  &huma.Schema{Ref: "#/components/schemas/KeyValidation"},
			Example: KeyValidation{Status: "revoked"},
		}},
	}}
	register(a, validate, a.validateKey)
}

type healthAnswer struct {
	Status int
	Body   Health
}

func (a *api) health(ctx context.Context, _ *struct{}) (*healthAnswer, error) {
	if !record.Ping(ctx, a.use.Health) {
		return &healthAnswer{Status: http.StatusServiceUnavailable, Body: Health{Status: "error", DB: "down"}}, nil
	}
	return &healthAnswer{Status: http.StatusOK, Body: Health{Status: "ok", DB: "up"}}, nil
}

type validation struct {
	Status       int
	Authenticate string `header:"WWW-Authenticate"`
	Body         KeyValidation
}

// validateKey answers 401 with the same body shape for every key that cannot be used.
func (a *api) validateKey(ctx context.Context, _ *struct{}) (*validation, error) {
	v, err := a.use.Accounts.ValidateKey(ctx, sentKey(ctx))
	if err != nil {
		return nil, a.fail(err)
	}
	out := &validation{Status: http.StatusOK, Body: KeyValidation{Valid: v.Valid, Status: string(v.Status)}}
	if !v.Valid {
		out.Status, out.Authenticate = http.StatusUnauthorized, "Bearer"
	}
	return out, nil
}
