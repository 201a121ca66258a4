package cad

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/converter"
	"millwright.dev/millwright/core/fault"
)

// ball is a STEP file of one solid: a sphere of radius 2 without edges.
const ball = `ISO-10303-21;
HEADER;
FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));
ENDSEC;
DATA;
#1=CARTESIAN_POINT('',(0.,0.,0.));
#2=AXIS2_PLACEMENT_3D('',#1,$,$);
#3=SPHERICAL_SURFACE('',#2,2.);
#4=ADVANCED_FACE('',(),#3,.T.);
#5=CLOSED_SHELL('',(#4));
#6=MANIFOLD_SOLID_BREP('ball',#5);
ENDSEC;
END-ISO-10303-21;
`

func gzipped(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, content)
	_ = w.Close()
	return b.String()
}

func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(f, files[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, fileName, content string
		warned                  bool
	}{
		{"plain", "a.step", ball, false},
		{"upper case", "A.STP", ball, false},
		{"no suffix", "part", ball, false},
		{"gzip", "a.stpZ", gzipped(ball), false},
		{"gzip behind another suffix", "a.step.gz", gzipped(ball), false},
		{"gzip behind a wrong suffix", "a.igs.gz", gzipped(ball), true},
		{"zip with the native file too", "a.zip", zipped(t, "a.SLDPRT", "x", "a.step", ball), false},
		{"zip", "a.stpz", zipped(t, "readme.txt", "x", "dir/A.STP", ball), false},
		{"wrong suffix", "a.sldprt", ball, true},
		{"shared suffix", "a.prt", ball, true},
	} {
		m, format, err := Read(context.Background(), strings.NewReader(c.content), int64(len(c.content)),
			c.fileName)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if format != STEP || len(m.Solids) != 1 || m.Solids[0].Name != "ball" {
			t.Errorf("%s: format %q, solids %+v", c.name, format, m.Solids)
		}
		warned := false
		for _, w := range m.Warnings {
			if w.Code == "format_mismatch" {
				warned = true
				if !strings.Contains(w.Message, "STEP") {
					t.Errorf("%s: warning %q", c.name, w.Message)
				}
			}
		}
		if warned != c.warned {
			t.Errorf("%s: mismatch warned %v, want %v", c.name, warned, c.warned)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, content, code, reason string }{
		{"empty", "", "unreadable_file", "empty"},
		{"blanks", "   \n\n", "unreadable_file", "only blanks"},
		{"many blanks", strings.Repeat(" ", 2*HeadSize), "unreadable_file", "first 64 kB are blanks"},
		{"text", "hello there, this is no CAD file", "unreadable_file", `"hello there`},
		{"picture", "\x89PNG\r\n\x1a\n0000", "unreadable_file", "a picture, not a CAD model; export the part as STEP"},
		{"photograph", "\xFF\xD8\xFF\xE0\x00\x10JFIF", "unreadable_file", "a picture"},
		{"PDF", "%PDF-1.7\n%\xE2\xE3", "unreadable_file", "a PDF document"},
		{"web page", "\n<!DOCTYPE html><html><title>404", "unreadable_file", "a web page"},
		{"STL", "solid a\r\n  facet normal 0 0 1", "unreadable_file", "an STL mesh"},
		{"binary STL", strings.Repeat("x", 80) + "\x02\x00\x00\x00" + strings.Repeat("\x00", 100), "unreadable_file",
			"an STL mesh"},
		{"binary STL that begins as a text", "solid" + strings.Repeat("\x00", 75) + "\x01\x00\x00\x00" +
			strings.Repeat("\x01", 50),
			"unreadable_file", "an STL mesh"},
		{"OBJ", "# a mesh\nmtllib a.mtl\n\no a\nv 1.0 2.0 3.0\n", "unreadable_file", "an OBJ mesh"},
		{"PLY", "ply\nformat ascii 1.0\n", "unreadable_file", "a PLY mesh"},
		{"GLB", "glTF\x02\x00\x00\x00", "unreadable_file", "a glTF mesh"},
		{"3MF", zipped(t, "[Content_Types].xml", "", "3D/3dmodel.model", "<model/>"), "unreadable_file", "a 3MF mesh"},
		{"DXF", "999\r\nmade by hand\r\n  0\r\nSECTION\r\n", "unreadable_file", "a DXF drawing"},
		{"binary DXF", "AutoCAD Binary DXF\r\n\x1a\x00", "unreadable_file", "a DXF drawing"},
		{"DWG", "AC1032\x00\x00", "unreadable_file", "a DWG drawing"},
		{"7-Zip", "7z\xBC\xAF\x27\x1C\x00", "unreadable_file", "unpack it"},
		{"RAR", "Rar!\x1a\x07\x00", "unreadable_file", "unpack it"},
		{"bytes that nobody knows", "\x00\x01\x02\xFE", "unreadable_file", "file format is not recognized; export"},
		{"gzip of a PDF", gzipped("%PDF-1.7"), "unreadable_file", "a PDF document"},
		{"LFS pointer", "version https://git-lfs.github.com/spec/v1\n", "unreadable_file", "LFS"},
		{"NX, cut off", "SPLMSSTR....", "unreadable_file", "cut off"},
		{"older NX without a body", string(compoundFile("UG_PART/UG_PART")), "no_solid", "NX file has no body"},
		{"older SolidWorks without a body", string(compoundFile("swXmlContents/Features")), "no_solid",
			"SolidWorks file holds no body"},
		{"compound document, cut off", string(compoundFile("UG_PART/UG_PART")[:700]), "unreadable_file", "cut off"},
		{"Inventor", string(compoundFile("RSeStorage/RSeDb")), "converter_unavailable",
			"Autodesk Inventor file (.ipt or .iam)"},
		{"other compound document", string(compoundFile("JSitesList")), "converter_unavailable", "compound document"},
		{"Creo", "#UGC:2 PART", "converter_unavailable", "Creo part"},
		{"CATIA V5", "V5_CFV2\x00", "unreadable_file", "cut off"},
		{"CATIA V5, newer", "V5_CFV4\x00", "converter_unavailable", "--converter"},
		{"JT", "Version 9.5 JT  DM", "converter_unavailable", "JT"},
		{"Parasolid", "**ABCDEFGHIJKLMNOP", "unreadable_file", "Parasolid"},
		{"broken STEP", "ISO-10303-21;\nHEADER;\n", "unreadable_file", "cut off"},
		{"gzip of something else", gzipped("hello"), "unreadable_file", "no CAD file"},
		{"gzip cut short", gzipped(ball)[:60], "unreadable_file", "cut off"},
		{"gzip with a wrong sum", gzipped(ball)[:len(gzipped(ball))-8] + "12345678", "unreadable_file", "damaged"},
		{"gzip of garbage", gzipped(ball)[:12] + "garbage, garbage, garbage", "unreadable_file", "damaged"},
		{"zip without STEP", zipped(t, "a.txt", "x"), "unreadable_file", "no file whose name"},
		{"zip with two parts", zipped(t, "a.sldprt", "x", "b.PRT", "x"), "unreadable_file", "several"},
		{"zip with a Creo part", zipped(t, "readme", "x", "a.prt", "#UGC:2 PART"), "converter_unavailable",
			"Creo part"},
		{"zip with an NX part", zipped(t, "a.prt", string(compoundFile("UG_PART/UG_PART"))), "no_solid", "NX file"},
		{"zip with a zip", zipped(t, "a.stp", zipped(t, "a.stp", ball)), "unreadable_file", "no CAD file"},
		{"zip with two", zipped(t, "a.stp", ball, "b.step", ball), "unreadable_file", "several"},
		{"3DXML", zipped(t, "Manifest.xml", "", "part.3DRep", ""), "converter_unavailable", "3DXML"},
		{"broken zip", "PK\x03\x04 and no more", "unreadable_file", "damaged"},
	} {
		_, _, err := Read(context.Background(), strings.NewReader(c.content), int64(len(c.content)), "a.step")
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Errorf("%s: error %v, want a failure", c.name, err)
			continue
		}
		if f.Code != fault.Code(c.code) || !strings.Contains(f.Reason, c.reason) || !strings.HasSuffix(f.Reason, ".") {
			t.Errorf("%s: %s %q, want %s about %q", c.name, f.Code, f.Reason, c.code, c.reason)
		}
		for _, library := range []string{"gzip:", "zip:", "flate:", "EOF", `\x`} {
			if strings.Contains(f.Reason, library) {
				t.Errorf("%s: %q has the word %q of a library", c.name, f.Reason, library)
			}
		}
	}
}

// TestModelsOfCATIAV4 detects them by name, because their content has no signature.
func TestModelsOfCATIAV4(t *testing.T) {
	for content, code := range map[string]fault.Code{
		"\x00\x00\x12\xFF\xFE a model": fault.ConverterUnavailable, "a text": fault.UnreadableFile,
	} {
		_, _, err := Read(t.Context(), strings.NewReader(content), int64(len(content)), "part.MODEL")
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != code ||
			strings.Contains(f.Reason, "CATIA V4") != (code == fault.ConverterUnavailable) {
			t.Errorf("%q: %v, want %s", content, err, code)
		}
	}
}

func TestUnpackingIsLimited(t *testing.T) {
	bomb := strings.Repeat(" ", 3<<20)
	for format, content := range map[Format]string{Gzip: gzipped(bomb), Zip: zipped(t, "a.stp", bomb)} {
		src := strings.NewReader(content)
		if r, _, err := unpack(src, src.Size(), format, 3<<20); err != nil || r.Size() != 3<<20 {
			t.Errorf("%s at the limit: %v", format, err)
		}
		_, _, err := unpack(src, src.Size(), format, 2<<20)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != "too_complex" || !strings.Contains(f.Reason, "2 MB") {
			t.Errorf("%s over the limit: %v", format, err)
		}
	}
}

// TestBombsTakeNoMemory reads a quarter of a megabyte that unpacks to a quarter of a gigabyte, and a file that packs as
// well as any honest one.
func TestBombsTakeNoMemory(t *testing.T) {
	const megabyte = 1 << 20
	bomb := ball + strings.Repeat(" ", 256*megabyte)
	var lines strings.Builder
	lines.WriteString(ball)
	for lines.Len() < 24*megabyte {
		lines.WriteString(strings.Repeat(" ", 150) + rand.Text() + "\n") // packs to a ninth
	}
	honest := lines.String()
	for name, c := range map[string]struct {
		content string
		most    uint64 // bytes that are taken
		isBad   bool
	}{
		"gzip":             {gzipped(bomb), 18 * megabyte, true},
		"zip":              {zipped(t, "a.stp", bomb), 18 * megabyte, true},
		"large and honest": {gzipped(honest), uint64(len(honest)) + 2*megabyte, false},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		src := strings.NewReader(c.content)
		f, err := identify(src, src.Size(), "a.stpz")
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > c.most {
			t.Errorf("%s: %d bytes take %d MB, want at most %d", name, src.Size(), took>>20, c.most>>20)
		}
		var bad *fault.Error
		if errors.As(err, &bad) != c.isBad || c.isBad && bad.Code != fault.TooComplex ||
			err == nil && f.format != STEP {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errors.New("disk on fire") }

func TestReadErrorsAreNotTheFilesFault(t *testing.T) {
	_, _, err := Read(context.Background(), failing{}, 100, "a.step")
	var f *fault.Error
	if err == nil || errors.As(err, &f) || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error %v, want the reader's own", err)
	}
}

// converterOf returns a converter that answers with a file for Creo parts, and with an unreadable file for JT.
func converterOf(t *testing.T, content string, isExact bool) Converter {
	t.Helper()
	dir := t.TempDir()
	script, answer := filepath.Join(dir, "convert"), filepath.Join(dir, "answer")
	for name, text := range map[string]string{script: "#!/bin/sh\ncat " + answer + " >$2", answer: content} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c, err := converter.New(converter.Config{
		Name: "Convert-O", Version: "1.2", Executable: script, Isolation: converter.NotIsolated,
		Formats: map[string]converter.Format{"creo": {Arguments: []string{"{in}", "{out}"}, Suffix: ".stp",
			Exact: isExact}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return ready{c, t}
}

// ready converts in this process.
type ready struct {
	*converter.Converter
	t *testing.T
}

func (r ready) Convert(ctx context.Context, src io.ReaderAt, size int64, format, suffix string) ([]byte, error) {
	var out bytes.Buffer
	err := r.Converter.Convert(ctx, r.t.TempDir(), io.NewSectionReader(src, 0, size), format, suffix, &out)
	return out.Bytes(), err
}

func TestConverted(t *testing.T) {
	const creo = "#UGC:2 PART"
	for sentence, isExact := range map[string]bool{
		"The file was converted from CREO to STEP by Convert-O 1.2; the shape is exact.":       true,
		"The file was converted from CREO to STEP by Convert-O 1.2; the shape is approximate.": false,
	} {
		r := Reader{Converter: converterOf(t, ball, isExact)}
		for _, content := range []string{creo, zipped(t, "a.prt", creo)} {
			m, format, err := r.Read(t.Context(), strings.NewReader(content), int64(len(content)), "a.prt")
			if err != nil || format != Creo || len(m.Solids) != 1 {
				t.Fatalf("%+v, %s, %v", m, format, err)
			}
			if last := m.Warnings[len(m.Warnings)-1]; last.Code != "converted" || last.Message != sentence ||
				(m.Sag == 0) != isExact {
				t.Errorf("warning %+v, within %g mm, want %q", last, m.Sag, sentence)
			}
		}
	}
	r := Reader{Converter: converterOf(t, "hello", true)}
	_, _, err := r.Read(t.Context(), strings.NewReader(creo), int64(len(creo)), "a.prt")
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.UnreadableFile ||
		!strings.Contains(f.Reason, "What the converter Convert-O 1.2 made") {
		t.Errorf("a converter that makes no CAD file: %v", err)
	}
}
