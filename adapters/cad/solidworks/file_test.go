package solidworks

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/core/fault"
)

type stream = containertest.Stream

func opened(t *testing.T, data []byte) *file {
	t.Helper()
	f, err := open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func lengthWord(data []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...)
}

var (
	partition = containertest.Parasolid("(partition)")
	deltas    = containertest.Parasolid("(deltas)")
	plainBody = containertest.Parasolid("")
)

// TestBodiesOfAllReleases finds the Parasolid streams in both containers, wrapped as in each release.
func TestBodiesOfAllReleases(t *testing.T) {
	long := append(slices.Clone(plainBody), bytes.Repeat([]byte("and its nodes "), 500)...)
	// three pieces
	longer := append(slices.Clone(plainBody), bytes.Repeat([]byte("and more of its nodes "), 100_000)...)
	bare := "B\x32\x00\x00\x00: TRANSMIT FILE created by modeller version 900203"
	for _, c := range []struct {
		name, stream string
		content      []byte
		want         [][]byte
	}{
		{"with their history", "Contents/Config-0-Partition",
			join(containertest.Section(partition), containertest.Section(deltas)), [][]byte{partition}},
		{"imported", "Config-7-FeatureBodies/LocalBodies",
			join(make([]byte, 44), containertest.Section(plainBody), []byte("xyz"), containertest.Section(long)),
			[][]byte{plainBody, long}},
		{"in pieces", "Contents/Config-0-Partition",
			join(containertest.Section(longer), containertest.Section(deltas), containertest.Section(long)),
			[][]byte{longer, long}},
		{"in pieces, of which the last is cut off", "Contents/Config-0-Partition",
			containertest.Section(longer)[:len(containertest.Section(longer))-20], [][]byte{longer[:2<<20]}},
		{"without a length word", "Contents/Config-0-Partition__ZLB", containertest.Section(long)[4:], [][]byte{long}},
		{"imploded", "Contents/Config-0-Body", lengthWord(containertest.Implode(long)), [][]byte{long}},
		{"as they are", "Contents/Default", lengthWord([]byte(bare)), [][]byte{[]byte(bare)}},
		{"a section of something else", "Contents/Config-0-Partition", containertest.Section([]byte("a film")), nil},
		{"a section that is cut off", "Contents/Config-0-Partition", containertest.Section(long)[:60], nil},
		{"garbage", "Contents/Config-0-Body", []byte("\x10\x00\x00\x00\x01\x06garbage"), nil},
		{"a frame alone", "Contents/Config-0-Partition", frame, nil},
	} {
		for kind, data := range map[string][]byte{
			"chunks": containertest.Chunks(stream{Name: "Contents/CMgr", Content: []byte("x")},
				stream{Name: c.stream, Content: c.content}),
			"compound": containertest.Compound(stream{Name: "Contents/CMgr", Content: []byte("x")},
				stream{Name: c.stream, Content: c.content}),
		} {
			f := opened(t, data)
			shapes, configurations := f.shapes(), f.configurations()
			if len(shapes) != 1 || configurations != 1 || shapes[0].name != c.stream {
				t.Errorf("%s, %s: shapes %v of %d configurations", c.name, kind, shapes, configurations)
				continue
			}
			got, err := f.bodies(shapes[0])
			if err != nil || !slices.EqualFunc(got, c.want, bytes.Equal) {
				t.Errorf("%s, %s: %q, want %q: %v", c.name, kind, got, c.want, err)
			}
		}
	}
}

func featuresText(kind, active string) []byte {
	return fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?>
<swSolidWorks swVersion="18000"><swHeader><swFile id="3" swDocType="%s"/><swFile id="5" swDocType="PART"/></swHeader>
<swConfigurationList><swConfiguration id="1" swID="2" swMostRecentConfiguration="NO"/>
<swConfiguration id="1" swID="%s" swMostRecentConfiguration="YES"/></swConfigurationList></swSolidWorks>`, kind, active)
}

const keywordsText = "\x86" + `<?xml version="1.0" encoding="UTF-8"?><Keywords id="1" Name="Bracket"><Configuration id="2"
	Material="Material &lt;nicht festgelegt&gt;"/><Configuration id="48" Material="AISI 304 "/></Keywords>`

// TestActiveConfiguration checks that the bodies of the configuration that was open are used, and of these the bodies
// with their history first.
func TestActiveConfiguration(t *testing.T) {
	streams := []stream{
		{Name: "Contents/Config-48-FeatureBodies/LocalBodies"}, {Name: "Contents/Config-2-Partition"},
		{Name: "Contents/Config-48-GhostPartition"}, {Name: "Contents/Config-48-Partition"},
		{Name: "Contents/Config-48-ResolvedFeatures"}, {Name: "Contents/Config-99999999999999999999-Partition"},
	}
	for i := range streams {
		streams[i].Content = []byte("x")
	}
	for _, c := range []struct{ name, active, want, material string }{
		{"the last", "48", "Contents/Config-48-Partition Contents/Config-48-FeatureBodies/LocalBodies", "AISI 304"},
		{"the first", "2", "Contents/Config-2-Partition", ""},
		{"one that is not stored", "3", "Contents/Config-2-Partition", ""},
		{"not said", "", "Contents/Config-2-Partition", ""},
	} {
		for suffix, packs := range map[string]func([]byte) []byte{
			"": bytes.Clone, packedSuffix: func(b []byte) []byte { return containertest.Section(b)[4:] },
		} {
			texts := []stream{
				{Name: "swXmlContents/Features" + suffix, Content: packs(featuresText("PART", c.active))},
				{Name: "swXmlContents/KeyWords" + suffix, Content: packs([]byte(keywordsText))},
			}
			f := opened(t, containertest.Compound(append(texts, streams...)...))
			shapes, configurations := f.shapes(), f.configurations()
			var names []string
			for _, s := range shapes {
				names = append(names, s.name)
			}
			if strings.Join(names, " ") != c.want || configurations != 2 || f.name != "Bracket" ||
				f.material != c.material {
				t.Errorf("%s: %q of %d configurations, part %q of %q", c.name, names, configurations,
					f.name, f.material)
			}
		}
	}
}

func TestFirstChunkThatUnpacksCounts(t *testing.T) {
	const name = "Contents/Config-0-Partition"
	data := containertest.Chunks(stream{Name: name, Content: []byte("damaged")},
		stream{Name: name, Content: []byte("whole")}, stream{Name: name, Content: []byte("later")})
	at := bytes.Index(data, containertest.Deflate([]byte("damaged")))
	data[at] ^= 0xFF
	f := opened(t, data)
	if got, err := f.read(name); string(got) != "whole" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
}

// TestHeaderIsFoundAcrossWindows checks that a header is found exactly once at any position relative to the windows of
// the search.
func TestHeaderIsFoundAcrossWindows(t *testing.T) {
	const window = 64 << 10
	noise := make([]byte, window)
	rand.NewChaCha8([32]byte{}).Read(noise)
	last := stream{Name: "last", Content: []byte("content")}
	across := 0
	for short := range 120 {
		data := containertest.Chunks(stream{Name: "first", Content: noise[:window-short]}, last)
		end := len(data) - bytes.Index(data, containertest.Deflate(last.Content))
		if begin := len(data) - end - chunkHeader - len(last.Name); begin <= window && begin+chunkHeader > window {
			across++
		}
		c := opened(t, data).container.(*chunks)
		if got, err := c.read("last"); string(got) != "content" || err != nil {
			t.Errorf("%d bytes less: read %q, %v", short, got, err)
		}
		if n := len(c.tries["last"]); n != 1 {
			t.Errorf("%d bytes less: found %d times", short, n)
		}
	}
	if across < chunkHeader {
		t.Errorf("%d headers stand across windows", across)
	}
}

func TestReadRefuses(t *testing.T) {
	body := stream{Name: "Contents/Config-0-Partition", Content: containertest.Section(partition)}
	about := func(kind string) stream {
		return stream{Name: "swXmlContents/Features", Content: featuresText(kind, "0")}
	}
	noise := make([]byte, 1<<20) // incompressible; its stated size is 600 MB
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	bomb := bytes.Replace(containertest.Chunks(stream{Name: "Contents/Config-0-Partition", Content: noise}),
		[]byte{0, 0, 0x10, 0}, []byte{0, 0, 0x80, 0x25}, 1)
	for _, c := range []struct {
		name   string
		data   []byte
		code   fault.Code
		reason string
	}{
		{"an assembly", containertest.Chunks(about("ASSEMBLY")), fault.NoSolid, "assembly"},
		{"an old assembly", containertest.Compound(stream{Name: "Contents/Config-0",
			Content: []byte("\xFF\xFF\x01\x00\x0C\x00moAssembly_c")}), fault.NoSolid, "assembly"},
		{"an empty part", containertest.Chunks(about("PART")), fault.NoSolid, "holds no body"},
		{"a body that is none", containertest.Chunks(about("PART"), body), fault.UnreadableFile, ""},
		{"a bomb", bomb, fault.TooComplex, "500 MB"},
		{"a damaged compound file", containertest.Compound(body)[:600], fault.UnreadableFile, "damaged"},
		{"nothing", nil, fault.UnreadableFile, "not a SolidWorks file"},
		{"something else", []byte("hello"), fault.UnreadableFile, "not a SolidWorks file"},
	} {
		_, err := Read(t.Context(), bytes.NewReader(c.data), int64(len(c.data)))
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != c.code || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %v, want %s about %q", c.name, err, c.code, c.reason)
		}
	}
}

func TestReadStopsWithItsContext(t *testing.T) {
	data := containertest.Chunks(stream{Name: "a", Content: []byte("b")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(data), int64(len(data))); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
