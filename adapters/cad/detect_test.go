package cad

import (
	"bytes"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
)

func TestDetect(t *testing.T) {
	igesLine := func(letter string) string {
		text := "A title in the start section"
		return text + strings.Repeat(" ", 72-len(text)) + letter + "      1\n"
	}
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"empty", "", Empty},
		{"STEP", "ISO-10303-21;\nHEADER;", STEP},
		{"STEP behind blanks", " \r\n\t" + strings.Repeat("\n", 5000) + "ISO-10303-21;", STEP},
		{"STEP behind a byte-order mark", "\xEF\xBB\xBFISO-10303-21;", STEP},
		{"STEP in lower case", "iso-10303-21;", STEP},
		{"STEP cut short", "ISO-10303-2", Unknown},
		{"STEP behind the headers of a mail", "From: a@b\n\nISO-10303-21;\nHEADER;", STEP},
		{"text about STEP", "A file begins with ISO-10303-21", Unknown},
		{"compound document", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1rest", CompoundDocument},
		{"SolidWorks chunks", "\x01\x02\x03\x04\x00\x00\x00\x04....\x14\x00\x06\x00\x08\x00", SolidWorks},
		{"chunk word alone", "\x01\x02\x03\x04\x00\x00\x00\x04" + strings.Repeat("x", 100), Unknown},
		{"NX", "SPLMSSTR....", NX},
		{"CATIA V5", "V5_CFV2\x00...", CATIA},
		{"CATIA V5, newer", "V5_CFV4\x00...", CATIA},
		{"Parasolid with header", "**ABCDEFGHIJKLMNOPQRSTUVWXYZ", ParasolidText},
		{"Parasolid binary with header", "**ABCDEFGHIJKLMNOP\n**END_OF_HEADER***\nPS\x00\x00", ParasolidBinary},
		{"Parasolid text with header", "**ABCDEFGHIJKLMNOP\n**END_OF_HEADER***\nT51", ParasolidText},
		{"Parasolid text", "T51 : TRANSMIT FILE created by modeller version 1200000", ParasolidText},
		{"Parasolid neutral", "PS\x00\x00\x00?", ParasolidBinary},
		{"Parasolid bare", "B\x33\x00\x00\x00: TRANSMIT FILE created", ParasolidBinary},
		{"IGES", igesLine("S"), IGES},
		{"compressed IGES", igesLine("C"), IGESCompressed},
		{"IGES behind a byte-order mark and a blank line", "\xEF\xBB\xBF\r\n" + igesLine("S"), IGES},
		{"IGES with lower case letters", igesLine("s"), IGES},
		{"IGES with UTF-8 in its first line", strings.Replace(igesLine("S"), "A title", "Ä tïtle", 1), IGES},
		{"IGES with Latin-1 in its first line", strings.Replace(igesLine("S"), "A title", "\xC4 title", 1), IGES},
		{"IGES without line ends", strings.TrimSuffix(igesLine("S"), "\n") + "1H,,1H;", IGES},
		{"IGES cut short", igesLine("S")[:79], Unknown},
		{"binary IGES", "B\x00\x00\x00\x4B" + strings.Repeat("\x20\x08", 33) + " B      1", IGESBinary},
		{"binary flag alone", "B\x00\x00\x00\x4B" + strings.Repeat("\x00", 75), Unknown},
		{"binary IGES in text", igesLine("B"), IGESBinary},
		{"text with C in column 73", strings.Repeat("x", 72) + "Can it be?", Unknown},
		{"text with S in column 73", strings.Repeat("x", 72) + "So it goes", Unknown},
		{"Creo", "#UGC:2 PART 1234", Creo},
		{"JT", "Version 9.5 JT  DM", JT},
		{"not JT", "Version 9.5 of something", Unknown},
		{"zip", "PK\x03\x04....", Zip},
		{"gzip", "\x1F\x8B\x08", Gzip},
		{"LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:", LFSPointer},
		{"picture", "\x89PNG\r\n\x1A\n", Unknown},
		{"blanks", strings.Repeat(" ", HeadSize), Unknown},
	} {
		if got := Detect([]byte(c.head)); got != c.want {
			t.Errorf("%s: Detect = %q, want %q", c.name, got, c.want)
		}
	}
}

// compoundFile returns a compound document with streams of the given paths.
func compoundFile(paths ...string) []byte {
	var streams []containertest.Stream
	for _, p := range paths {
		streams = append(streams, containertest.Stream{Name: p, Content: []byte("x")})
	}
	return containertest.Compound(streams...)
}

func TestDetectCompound(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want Format
	}{
		{"NX", compoundFile("x", "UG_PART/UG_PART"), NX},
		{"SolidWorks", compoundFile("a", "b", "c", "ISolidWorksInformation"), SolidWorks},
		{"SolidWorks of 1997", compoundFile("Contents/Default", "_MO_VERSION_629/History"), SolidWorks},
		{"SolidWorks, by its texts", compoundFile("1", "2", "3", "4", "5", "swXmlContents/Features__ZLB"), SolidWorks},
		{"Inventor", compoundFile("RSeStorage/RSeDb"), Inventor},
		{"Inventor, by its document", compoundFile("1", "2", "UFRxDoc"), Inventor},
		{"Solid Edge", compoundFile("JSitesList"), CompoundDocument},
		{"a name elsewhere", compoundFile("x/UG_PART", "y/CMgr"), CompoundDocument},
		{"empty", compoundFile(), CompoundDocument},
	} {
		got, err := detectCompound(bytes.NewReader(c.data), int64(len(c.data)))
		if got != c.want || err != nil {
			t.Errorf("%s: %q, want %q: %v", c.name, got, c.want, err)
		}
	}
}

// FuzzDetect looks at any bytes as every container that detection opens.
func FuzzDetect(f *testing.F) {
	f.Add([]byte("ISO-10303-21;"))
	f.Add(compoundFile("UG_PART/UG_PART"))
	f.Add([]byte(strings.Repeat(" ", 72) + "S      1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := Detect(data); got == Empty && len(data) > 0 {
			t.Fatalf("%d bytes count as empty", len(data))
		}
		_ = detectForeign(data[:min(len(data), HeadSize)], int64(len(data)))
		got, err := detectCompound(bytes.NewReader(data), int64(len(data)))
		if got != NX && got != SolidWorks && got != Inventor && got != CompoundDocument {
			t.Fatalf("a compound document became %q: %v", got, err)
		}
	})
}
