package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
)

// pack makes a zip of names and contents, in order.
func pack(t *testing.T, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestFiles(t *testing.T) {
	data := pack(t, "Bit/a.FCTB", "one", "Bit/", "", "readme.md", "no", "../../b.fctb", "two", "c.fctl", "three")
	if !IsZip(data) || IsZip([]byte("{}")) || IsZip(nil) || !IsZip(pack(t)) {
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

// zeros gives n bytes of 0.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.n)
	clear(p[:n])
	z.n -= n
	return int(n), nil
}

func TestBombs(t *testing.T) {
	bomb := func(files int, size int64) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for i := range files {
			// Not compressed: what counts is how much comes out, and packing zeros takes its time.
			f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%d.json", i), Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(f, &zeros{size}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
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
