// Package conform holds every backend of the compute primitives to what package kernel says of them: random
// and degenerate inputs, answers compared with slow and obvious references within the bounds stated there.
// The tests of each backend call one function per primitive.
package conform

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
)

// refuses calls a primitive with inputs that were sound until spoiled, which it must not take, and with a sound one
// after the context ended.
func refuses[In, Out any](
	t testing.TB, do func(context.Context, In) (Out, error), sound func() In, spoiled map[string]func(*In),
) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(spoiled)) {
		in := sound()
		spoiled[name](&in)
		if _, err := do(context.Background(), in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := do(ctx, sound()); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: error %v", err)
	}
}
