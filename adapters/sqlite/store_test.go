package sqlite

import (
	"path/filepath"
	"testing"

	"millwright/core/service"
	"millwright/core/service/storetest"
)

func openTest(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) service.Store {
		return openTest(t, filepath.Join(t.TempDir(), "odd name %3f?#.db"))
	})
}
