package compute

import (
	"testing"

	"millwright/compute/conform"
)

// TestEngineConforms holds the engine to what every backend keeps to, on the processor.
func TestEngineConforms(t *testing.T) {
	e, err := New(Options{Device: CPU})
	if err != nil {
		t.Fatal(err)
	}
	conformant(t, e)
}

func conformant(t *testing.T, e *Engine) {
	t.Helper()
	conform.EvalSurface(t, e)
	conform.Visibility(t, e)
}
