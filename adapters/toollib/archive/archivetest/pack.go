// Package archivetest makes zip files for tests.
package archivetest

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// Pack returns a zip archive of names and contents, in order. They are stored without compression, which would take
// time: only the unpacked size counts.
func Pack(t testing.TB, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[i], Method: zip.Store})
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
