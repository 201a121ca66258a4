package postgres

import (
	"testing"

	"millwright.dev/millwright/adapters/sql/postgres/pgtest"
	"millwright.dev/millwright/internal/storetest"
)

func openTest(t *testing.T, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: url})
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
	storetest.Run(t, func(t *testing.T) storetest.Store { return openTest(t, pgtest.URL(t)) })
}
