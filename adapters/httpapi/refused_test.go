package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/adapters/httpapi"
	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// TestFormatIsDetectedFromContent uploads files of all kinds. Each part shows the detected format, also after a
// failure, and an error names the format and a remedy.
func TestFormatIsDetectedFromContent(t *testing.T) {
	h := newHarnessOn(t, pipelinetest.InProcess{Pipeline: millwright.Pipeline(millwright.Options{})}, app.Config{}, nil)
	cube, err := os.ReadFile(filepath.Join("..", "cad", "step", "testdata", "inch_block.step"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(cube)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ fileName, content, format, code, reason string }{
		{"cube.step.gz", packed.String(), "step", "", ""},
		{"cube.step", string(cube[:len(cube)/4]), "step", "unreadable_file", "."},
		{"drawing.step", "%PDF-1.7\n", "pdf", "unreadable_file", "The file is a PDF document, not a CAD model; export the part as STEP"},
		{"mesh.step", "solid a\nfacet normal 0 0 1\n", "stl", "unreadable_file", "an STL mesh of triangles"},
		{"page.step", "<html><body>404", "web_page", "unreadable_file", "a web page"},
		{"note.step", "a text", "", "unreadable_file", `a text that begins with "a text" and no CAD file`},
		{"nothing.step", " ", "", "unreadable_file", "blanks"},
	} {
		id := h.uploadAs(map[string]any{"fileName": c.fileName, "autoCreateProgram": false}, []byte(c.content))
		h.do("POST", "/v1/parts/"+id+"/complete", nil)
		h.waitJob()
		var got httpapi.PartRead
		h.do("GET", "/parts/"+id, nil).decode(t, &got)
		format, code, reason := text(got.Data.Format), text(got.Data.FailureCode), text(got.Data.FailureReason)
		if format != c.format || code != c.code || !strings.Contains(reason, c.reason) {
			t.Errorf("%s: format %q, %s %q; want %q, %s %q", c.fileName, format, code, reason, c.format, c.code, c.reason)
		}
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
