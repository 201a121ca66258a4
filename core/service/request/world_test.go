package request_test

import (
	"testing"

	"millwright.dev/millwright/adapters/sql/eachstore"
	"millwright.dev/millwright/cmd/millwright/hexagon/hexagontest"
)

func TestOnPostgreSQL(t *testing.T) { eachstore.OnPostgreSQL(t, ".") }

type world struct {
	*hexagontest.World
	t *testing.T
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{hexagontest.New(t), t}
}
