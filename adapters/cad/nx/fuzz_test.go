package nx

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"millwright/adapters/cad/internal/containertest"
	"millwright/adapters/cad/internal/inflate"
	"millwright/core/fault"
	"millwright/core/geom"
)

// FuzzRead reads any bytes as an NX file: a model, or a *fault.Error, in bounded time and memory.
func FuzzRead(f *testing.F) {
	part := bytes.Join([][]byte{[]byte(textHeader), containertest.Zlib(partition), plainBody, containertest.Zlib(deltas)}, nil)
	files := []containertest.Stream{
		{Name: "UG_PART/UG_PART", Content: part}, {Name: "FastLoad/JT", Content: shownOf(8, geom.Box{Max: geom.Vec3{X: 1}})},
	}
	f.Add(containertest.Directories(files...))
	f.Add(containertest.Compound(files...))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(ctx, bytes.NewReader(data), int64(len(data)))
		runtime.ReadMemStats(&after)
		const allowed = 3 << 30 // bytes allocated in all: a buffer that grows to the limit of what a file may unpack to
		if grown := after.TotalAlloc - before.TotalAlloc; len(data) < 1<<16 && grown > allowed {
			t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
		}
		var failure *fault.Error
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("error %v is no failure", err)
		}
	})
}

// FuzzShown looks for documents and boxes in any bytes.
func FuzzShown(f *testing.F) {
	box := geom.Box{Min: geom.Vec3{X: -1.5, Y: 2, Z: 3}, Max: geom.Vec3{X: 10, Y: 20.25, Z: 30.125}}
	f.Add(shownOf(7, box))
	f.Add(shownOf(8, box, box))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, ok := documents(data)
		if !ok && all != nil || len(all) > len(data) {
			t.Fatalf("%d documents, %v", len(all), ok)
		}
		budget := inflate.NewBudget(1 << 20)
		for _, d := range all {
			showsBox(scene(d, budget), box)
		}
	})
}
