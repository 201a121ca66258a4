package solidworks

import (
	"bytes"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/core/kernel/brep"
)

// A solid sphere of 2 mm radius as Parasolid text: the start, the nodes of its body, and the nodes of its uncolored
// face. emptyBody is the nodes of a body without faces.
const (
	ballStart = "T51 : TRANSMIT FILE created by modeller version 130024217 SCH_1300242_130060 "
	ballNodes = "12 1 3 0 0 0 0 0 0 1e3 1e-8 0 0 0 1 0 1 0 2 0 0 0 4 0 0 " +
		"19 4 1 0 1 5 0 3 V19 5 2 0 1 0 4 2 S13 2 3 0 1 0 6 0 0 5 0 13 3 4 0 1 0 0 0 0 4 6 "
	plainFace = "14 6 5 0 ?0 0 0 2 7 +0 0 0 0 3 53 7 6 0 6 0 0 0 +0 0 0 .002 0 0 1 1 0 0 1 0 "
	emptyBody = "12 1 3 0 0 0 0 0 0 1e3 1e-8 0 0 0 1 0 1 0 0 0 0 0 4 0 0 19 4 1 0 1 0 0 0 V1 0 "
)

func looks(color ...byte) []byte {
	return bytes.Join([][]byte{[]byte("\xFF\xFF\x01\x00"), []byte(visualProperties), color, make([]byte, 40)}, nil)
}

// TestBodiesAndTheirColor reads whole parts. Imported bodies are used if the partition has no face. Faces get the
// part's color in the configuration.
func TestBodiesAndTheirColor(t *testing.T) {
	ball, none := []byte(ballStart+ballNodes+plainFace), []byte(ballStart+emptyBody)
	partition := func(body []byte) stream {
		return stream{Name: "Contents/Config-3-Partition", Content: containertest.Section(body)}
	}
	imported := stream{Name: "Contents/Config-3-FeatureBodies/LocalBodies",
		Content: join(make([]byte, 44), containertest.Section(ball), containertest.Section(ball))}
	objects := func(content []byte) stream { return stream{Name: "Contents/Config-3", Content: content} }
	packed := stream{Name: "Contents/Config-3" + packedSuffix, Content: containertest.Section(looks(255, 51, 0, 0))[4:]}
	other := stream{Name: "Contents/Config-0", Content: looks(1, 2, 3, 0)}
	orange := &brep.Color{R: 1, G: 0.2}
	for _, c := range []struct {
		name    string
		streams []stream
		solids  int
		want    *brep.Color
	}{
		{"no colour", []stream{partition(ball)}, 1, nil},
		{"colour of the part", []stream{partition(ball), objects(looks(255, 51, 0, 0))}, 1, orange},
		{"packed", []stream{partition(ball), packed}, 1, orange},
		{"colour of another configuration", []stream{partition(ball), other}, 1, nil},
		{"no colour in it", []stream{partition(ball), objects(looks(255, 255, 255, 255))}, 1, nil},
		{"cut off", []stream{partition(ball), objects([]byte(visualProperties + "\xFF\x33"))}, 1, nil},
		{"imported", []stream{partition(none), imported, objects(looks(255, 51, 0, 0))}, 2, orange},
		{"with their history and imported", []stream{partition(ball), imported}, 1, nil},
		{"imported behind a partition that cannot be read", []stream{partition([]byte(ballStart)), imported}, 2, nil},
	} {
		for kind, data := range map[string][]byte{
			"chunks": containertest.Chunks(c.streams...), "compound": containertest.Compound(c.streams...),
		} {
			m, err := Read(t.Context(), bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, kind, err)
				continue
			}
			if len(m.Solids) != c.solids || len(m.Faces) != c.solids {
				t.Errorf("%s, %s: %d solids of %d faces, want %d", c.name, kind, len(m.Solids), len(m.Faces), c.solids)
			}
			for _, f := range m.Faces {
				if got := f.Color; (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
					t.Errorf("%s, %s: colour %v, want %v", c.name, kind, got, c.want)
				}
			}
		}
	}
}
