package nx

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/kernel/geom"
)

var (
	partition = containertest.Parasolid("(partition)")
	deltas    = containertest.Parasolid("(deltas)")
	plainBody = containertest.Parasolid("")
)

const textHeader = "**ABCDEFGHIJKLMNOPQRSTUVWXYZ**\n**PART1;\n**END_OF_HEADER****\n"

// TestStreamsOfAllReleases finds the streams of parts in which they are plain, packed, or both.
func TestStreamsOfAllReleases(t *testing.T) {
	long := append(slices.Clone(plainBody), bytes.Repeat([]byte("nodes x PS "), 500)...)
	packed := containertest.Zlib
	for _, c := range []struct {
		name string
		part [][]byte
		want []stream
	}{
		{"packed", [][]byte{[]byte("table x\x01 of things"), []byte(textHeader), packed(partition), []byte("\x01\x00x"),
			packed(deltas), packed(long)}, []stream{{partition, true}, {long, false}}},
		{"plain", [][]byte{[]byte("\r\x01UGII  "), partition, deltas, long, []byte(" PS\x00\x00 and more")},
			[]stream{{partition, true}, {deltas[:0], false},
				{append(slices.Clone(long), " PS\x00\x00 and more"...), false}}},
		{"plain, then packed", [][]byte{long, packed(partition), []byte("rest")},
			[]stream{{long, false}, {partition, true}}},
		{"packed and damaged", [][]byte{packed(long)[:40], packed(partition)}, []stream{{partition, true}}},
		{"none", [][]byte{[]byte("UGII PS\x00\x00 x\x9C xxxx"), packed([]byte("PS is something else"))}, nil},
		{"nothing", nil, nil},
	} {
		want := slices.DeleteFunc(c.want, func(s stream) bool { return len(s.data) == 0 })
		got, err := streams(t.Context(), bytes.Join(c.part, nil), inflate.NewBudget(1<<20))
		if err != nil || !slices.EqualFunc(got, want, func(a, b stream) bool {
			return a.isPartition == b.isPartition && bytes.Equal(a.data, b.data)
		}) {
			t.Errorf("%s: %d streams, want %d: %v", c.name, len(got), len(want), err)
		}
	}
}

func TestOpenBothContainers(t *testing.T) {
	files := []containertest.Stream{
		{Name: "UG_PART/UG_PART", Content: []byte("the part")}, {Name: "part/attrs", Content: []byte("<x/>")},
		{Name: "UG_PART/JT", Content: []byte("shown, old")}, {Name: "FastLoad/JT", Content: []byte("shown")},
	}
	for name, data := range map[string][]byte{
		"directories": containertest.Directories(files...), "compound": containertest.Compound(files...),
	} {
		c, err := open(bytes.NewReader(data), int64(len(data)))
		if err != nil || string(c.part) != "the part" || string(c.shown) != "shown" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		for n := range data {
			cut := data[:n]
			if c, err := open(bytes.NewReader(cut), int64(n)); err != nil && !strings.Contains(err.Error(), ".") {
				t.Errorf("%s cut off at %d: %+v, %v", name, n, c, err)
			}
		}
	}
}

func TestLastDirectoryCounts(t *testing.T) {
	data := containertest.Directories(
		containertest.Stream{Name: "UG_PART/UG_PART", Content: []byte("before")},
		containertest.Stream{Name: "UG_PART/UG_PART", Content: []byte("saved again")},
	)
	if c, err := open(bytes.NewReader(data), int64(len(data))); err != nil || string(c.part) != "saved again" {
		t.Errorf("%+v, %v", c, err)
	}
}

// shownOf returns NX's display data of boxes (mm): a document with one graph for each box.
func shownOf(version uint32, boxes ...geom.Box) []byte {
	le := binary.LittleEndian
	out := le.AppendUint32(le.AppendUint32(nil, version), uint32(len(boxes)))
	if version >= 8 {
		out = append(out, 0, 0, 0, 0)
	}
	at := len(out) + 8*len(boxes)
	var documents []byte
	for i, b := range boxes {
		out = le.AppendUint32(le.AppendUint32(out, uint32(100+i)), uint32(at+len(documents)))
		graph := []byte("a node ")
		for _, x := range []float64{b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z} {
			graph = le.AppendUint32(graph, math.Float32bits(float32(x/1000)))
		}
		documents = append(documents, "Version 9.4 JT  "...)
		documents = append(append(documents, containertest.Zlib(graph)...), "triangles"...)
	}
	return append(out, documents...)
}

func TestDisplayedBoxesAreRead(t *testing.T) {
	small := geom.Box{Min: geom.Vec3{X: -1.5, Y: 2, Z: 3}, Max: geom.Vec3{X: 10, Y: 20.25, Z: 30.125}}
	large := geom.Box{Max: geom.Vec3{X: 1000, Y: 1, Z: 1}}
	for _, version := range []uint32{7, 8, 9} {
		got, ok := documents(shownOf(version, small, large))
		if !ok || len(got) != 2 {
			t.Fatalf("version %d: %d documents, %v", version, len(got), ok)
		}
		for i, want := range []geom.Box{small, large} {
			graph := scene(got[i], inflate.NewBudget(1<<20))
			if !showsBox(graph, want) || showsBox(graph, want.Grow(1)) {
				t.Errorf("version %d: document %d does not show its box alone", version, i)
			}
		}
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "an old version": shownOf(6, small), "cut off": shownOf(8, small)[:16],
		"no version": []byte("Version 9.4 JT"),
	} {
		if got, ok := documents(data); ok {
			t.Errorf("%s: %d documents", name, len(got))
		}
	}
}
