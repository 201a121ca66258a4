package main

import (
	"os"
	"strings"

	"millwright.dev/millwright/adapters/httpapi"
)

// fallbackURL is the default address of serve.
const fallbackURL = "http://127.0.0.1:8080"

// openapiCmd prints the interface description without a server.
type openapiCmd struct {
	PublicURL string `placeholder:"URL" help:"Address that clients use (default: http://127.0.0.1:8080)."`
}

// Run prints the exact response of a service at this address for /v1/openapi.json.
func (c *openapiCmd) Run() error {
	base := c.PublicURL
	if base == "" {
		base = fallbackURL
	}
	description, err := httpapi.Description(strings.TrimSuffix(base, "/"))
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(description)
	return err
}
