package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive/archivetest"
)

func TestFiles(t *testing.T) {
	data := archivetest.Pack(t, "Bit/a.FCTB", "one", "Bit/", "", "readme.md", "no", "../../b.fctb", "two",
		"c.fctl", "three")
	if !IsZip(data) || IsZip([]byte("{}")) || IsZip(nil) || !IsZip(archivetest.Pack(t)) {
		t.Error("IsZip does not tell zips from others")
	}
	got, err := Files(data, ".fctb", ".fctl")
	want := []File{{"Bit/a.FCTB", []byte("one")}, {"../../b.fctb", []byte("two")}, {"c.fctl", []byte("three")}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Files = %s, %v; want %s", got, err, want)
	}
	for cut := 1; cut < len(data); cut += 7 {
		if _, err := Files(data[:cut], ".fctb"); err == nil {
			t.Errorf("a zip cut to %d of %d bytes was read", cut, len(data))
		}
	}
}

func TestBombs(t *testing.T) {
	bomb := func(files, size int) []byte {
		var parts []string
		content := strings.Repeat("\x00", size)
		for i := range files {
			parts = append(parts, fmt.Sprintf("%d.json", i), content)
		}
		return archivetest.Pack(t, parts...)
	}
	for name, data := range map[string][]byte{
		"one large file":   bomb(1, MaxUnpacked+1),
		"many files":       bomb(30, 1<<20),
		"too many entries": bomb(MaxEntries+1, 0),
	} {
		if _, err := Files(data, ".json"); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s of %d bytes: %v, want ErrTooLarge", name, len(data), err)
		}
	}
	files, err := Files(bomb(2, MaxUnpacked/2), ".json")
	if err != nil || len(files) != 2 {
		t.Errorf("a zip of exactly the limit: %d files, %v", len(files), err)
	}
	if files, err := Files(bomb(1, MaxUnpacked+1), ".txt"); err != nil || len(files) != 0 {
		t.Errorf("a bomb that nobody wants: %d files, %v; want it left alone", len(files), err)
	}
}

// TestPackedBombIsRejected covers a few kilobytes of zip, and a directory with an understated size.
func TestPackedBombIsRejected(t *testing.T) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create("tools.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, MaxUnpacked+1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := out.Bytes()
	if len(data) > 64<<10 {
		t.Fatalf("the bomb has %d bytes", len(data))
	}
	if _, err := Files(data, ".json"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d bytes: %v, want ErrTooLarge", len(data), err)
	}
	const sizeInDirectory = 24 // bytes into an entry of the directory
	at := bytes.Index(data, []byte("PK\x01\x02")) + sizeInDirectory
	copy(data[at:], []byte{1, 0, 0, 0})
	if files, err := Files(data, ".json"); err == nil {
		t.Errorf("a directory that lies: %d files were read", len(files))
	}
}

// TestFilesAddedBySystemsAreSkipped reads a library with the shadow files of macOS and the byte order mark of Windows
// editors.
func TestFilesAddedBySystemsAreSkipped(t *testing.T) {
	data := archivetest.Pack(t, "Bit/a.fctb", "\xef\xbb\xbf{}", "__MACOSX/Bit/._a.fctb", "\x00\x05\x16\x07",
		"Bit/._b.fctb", "\x00\x05\x16\x07")
	got, err := Files(data, ".fctb")
	if err != nil || len(got) != 1 || got[0].Name != "Bit/a.fctb" || string(got[0].Data) != "{}" {
		t.Errorf("Files = %q, %v; want the one bit without its mark", got, err)
	}
}
