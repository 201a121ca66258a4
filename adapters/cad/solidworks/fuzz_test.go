package solidworks

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"millwright/adapters/cad/internal/containertest"
	"millwright/core/fault"
)

// FuzzRead reads any bytes as a SolidWorks file: a model, or a *fault.Error, in bounded time and memory.
func FuzzRead(f *testing.F) {
	streams := []stream{
		{Name: "Contents/Config-0-Partition", Content: join(containertest.Section(partition), containertest.Section(deltas))},
		{Name: "Config-0-FeatureBodies/LocalBodies", Content: containertest.Section(plainBody)},
		{Name: "Contents/Config-0-Body", Content: lengthWord(containertest.Implode(plainBody))},
		{Name: "Contents/Default", Content: lengthWord(plainBody)},
		{Name: "swXmlContents/Features", Content: featuresText("PART", "0")},
		{Name: "swXmlContents/KeyWords", Content: []byte(keywordsText)},
	}
	f.Add(containertest.Chunks(streams...))
	f.Add(containertest.Compound(streams...))
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

// FuzzStream looks for bodies in any bytes as if they were a stream of that name.
func FuzzStream(f *testing.F) {
	f.Add(containertest.Section(partition))
	f.Add(lengthWord(containertest.Implode(plainBody)))
	f.Add(lengthWord(plainBody))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := opened(t, containertest.Compound(stream{Name: "Contents/Config-0-Body", Content: data}))
		shapes, _ := file.shapes()
		got, err := file.bodies(shapes[0])
		for _, s := range got {
			if err != nil || !isBody(s) {
				t.Fatalf("%q is no stream: %v", s[:min(len(s), 100)], err)
			}
		}
	})
}
