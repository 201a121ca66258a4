// Package fuzztest checks the properties that every reader of files must have for any bytes.
package fuzztest

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// Read reads data: a model whose references are sound, or a *fault.Error, in bounded time. For a file of a few kB no
// more than so many bytes may be allocated, in all.
func Read(t *testing.T, data string, allowed uint64,
	read func(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error),
) {
	t.Helper()
	const limit, small = 20 * time.Second, 1 << 16
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := read(ctx, strings.NewReader(data), int64(len(data)))
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; len(data) < small && grown > allowed {
		t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
	}
	var failure *fault.Error
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("error %v is not a *fault.Error", err)
	}
	if err != nil {
		return
	}
	for _, p := range brep.Check(m) {
		if p.Code == brep.BadReference {
			t.Fatalf("%s: %s", p.Code, p.Message)
		}
	}
}
