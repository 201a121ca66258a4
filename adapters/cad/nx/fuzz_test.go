package nx

import (
	"bytes"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/adapters/cad/internal/fuzztest"
	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/kernel/geom"
)

// FuzzRead reads any bytes as an NX file: a model, or a *fault.Error, in bounded time and memory.
func FuzzRead(f *testing.F) {
	part := bytes.Join([][]byte{[]byte(textHeader), containertest.Zlib(partition), plainBody,
		containertest.Zlib(deltas)}, nil)
	files := []containertest.Stream{
		{Name: "UG_PART/UG_PART", Content: part},
		{Name: "FastLoad/JT", Content: shownOf(8, geom.Box{Max: geom.Vec3{X: 1}})},
	}
	f.Add(containertest.Directories(files...))
	f.Add(containertest.Compound(files...))
	const allowed = 3 << 30 // bytes: a file may unpack to the limit of that
	f.Fuzz(func(t *testing.T, data []byte) { fuzztest.Read(t, string(data), allowed, Read) })
}

// FuzzShown searches any bytes for documents and boxes.
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
