package catia_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"millwright/adapters/cad/catia"
	"millwright/adapters/cad/catia/internal/catiatest"
	"millwright/core/brep"
	"millwright/core/fault"
	"millwright/core/geom"
)

// fuzz reads any bytes: a model whose references are sound, or a *fault.Error, in bounded time and memory.
func fuzz(t *testing.T, data []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := catia.Read(ctx, bytes.NewReader(data), int64(len(data)))
	runtime.ReadMemStats(&after)
	const allowed = 1 << 30 // bytes allocated for a file of a few kB, whose points may be given by two bits each
	if grown := after.TotalAlloc - before.TotalAlloc; len(data) < 1<<16 && grown > allowed {
		t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
	}
	var failure *fault.Error
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("error %v is no failure", err)
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

// FuzzRead changes whole files.
func FuzzRead(f *testing.F) {
	hidden := catiatest.Frustum(10, 30, 12, 4)
	hidden.Hidden = true
	for _, b := range [][]catiatest.Body{
		{catiatest.Ball(8, 4)}, {catiatest.Ring(20, 5, 4), hidden},
		{catiatest.DrilledBox(geom.Vec3{X: 20, Y: 15, Z: 10}, 6, 4)},
	} {
		f.Add(catiatest.File(b...))
	}
	f.Add(catiatest.Empty())
	f.Add(catiatest.Assembly())
	f.Fuzz(fuzz)
}

// FuzzReadStreams changes the streams in a sound container.
func FuzzReadStreams(f *testing.F) {
	for _, b := range []catiatest.Body{
		catiatest.Ball(8, 4), catiatest.Ring(20, 5, 4), catiatest.Frustum(10, 30, 12, 4),
		catiatest.DrilledBox(geom.Vec3{X: 20, Y: 15, Z: 10}, 6, 4),
	} {
		display, carriers := catiatest.Streams(b)
		f.Add(display, carriers)
	}
	f.Fuzz(func(t *testing.T, display, carriers []byte) { fuzz(t, catiatest.Container(display, carriers)) })
}
