package account_test

import (
	"testing"

	"millwright.dev/millwright/adapters/sql/storematrix"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
)

func TestOnPostgreSQL(t *testing.T) { storematrix.OnPostgreSQL(t, ".") }

type world struct {
	*apptest.World
	t *testing.T
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{apptest.New(t), t}
}
