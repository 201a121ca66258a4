//go:build gpu

package gpu

import (
	"testing"
)

// open returns an engine on the machine's software renderer or better, with poisoned memory.
func open(t testing.TB) *Engine {
	t.Helper()
	e, err := Open(Options{Software: true, Poison: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestCeilings(t *testing.T) {
	e := open(t)
	c, err := e.MeasureCeilings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !(c.BytesPerSecond > 0 && c.FlopsPerSecond > 0 && c.UploadPerSecond > 0) {
		t.Errorf("ceilings %+v", c)
	}
	t.Logf("%s: %+v", e.Name(), c)
}
