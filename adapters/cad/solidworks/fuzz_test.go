package solidworks

import (
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/adapters/cad/internal/fuzztest"
)

// FuzzRead reads any bytes as a SolidWorks file: a model, or a *fault.Error, in bounded time and memory.
func FuzzRead(f *testing.F) {
	streams := []stream{
		{Name: "Contents/Config-0-Partition",
			Content: join(containertest.Section(partition), containertest.Section(deltas))},
		{Name: "Config-0-FeatureBodies/LocalBodies", Content: containertest.Section(plainBody)},
		{Name: "Contents/Config-0-Body", Content: lengthWord(containertest.Implode(plainBody))},
		{Name: "Contents/Default", Content: lengthWord(plainBody)},
		{Name: "swXmlContents/Features", Content: featuresText("PART", "0")},
		{Name: "swXmlContents/KeyWords", Content: []byte(keywordsText)},
	}
	f.Add(containertest.Chunks(streams...))
	f.Add(containertest.Compound(streams...))
	const allowed = 3 << 30 // bytes: a file may unpack to the limit of that
	f.Fuzz(func(t *testing.T, data []byte) { fuzztest.Read(t, string(data), allowed, Read) })
}

// FuzzStream searches any bytes for bodies, as the content of a stream with the given name.
func FuzzStream(f *testing.F) {
	f.Add(containertest.Section(partition))
	f.Add(lengthWord(containertest.Implode(plainBody)))
	f.Add(lengthWord(plainBody))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := opened(t, containertest.Compound(stream{Name: "Contents/Config-0-Body", Content: data}))
		got, err := file.bodies(file.shapes()[0])
		for _, s := range got {
			if err != nil || !isBody(s) {
				t.Fatalf("%q is no stream: %v", s[:min(len(s), 100)], err)
			}
		}
	})
}
