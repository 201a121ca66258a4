package part_test

import (
	"testing"

	"millwright/adapters/sql/eachstore"
	"millwright/cmd/millwright/hexagon/hexagontest"
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
