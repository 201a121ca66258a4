package catia_test

import (
	"testing"

	"millwright.dev/millwright/adapters/cad/catia"
	"millwright.dev/millwright/adapters/cad/catia/internal/catiatest"
	"millwright.dev/millwright/adapters/cad/internal/fuzztest"
	"millwright.dev/millwright/core/kernel/geom"
)

// fuzz reads any bytes: a model whose references are sound, or a *fault.Error, in bounded time and memory.
func fuzz(t *testing.T, data []byte) {
	const allowed = 1 << 30 // bytes: points may be given by two bits each
	fuzztest.Read(t, string(data), allowed, catia.Read)
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
