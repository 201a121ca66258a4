package toollib

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/toollib/archive/archivetest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
)

const (
	fusionJSON = `{"data":[{"type":"drill","unit":"inches","geometry":{"DC":0.25,"SIG":118}}],"version":1}`
	bitJSON    = `{"name":"5mm","shape":"endmill.fcstd","parameter":{"Diameter":"5 mm"}}`
	tableText  = "T1 P1 D6 ;end mill\n"
)

func own(t testing.TB) []byte {
	t.Helper()
	data, err := json.Marshal(map[string]any{"name": "Mine", "tools": machining.BuiltInTools()[:3]})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFormatsAreDistinguished(t *testing.T) {
	for name, c := range map[string]struct {
		data  []byte
		want  catalog.ToolFormat
		tools int
	}{
		"Fusion":              {[]byte(fusionJSON), catalog.ToolsFusion, 1},
		"Fusion with a mark":  {[]byte("\xef\xbb\xbf" + fusionJSON), catalog.ToolsFusion, 1},
		"Fusion zipped":       {archivetest.Pack(t, "tools.json", fusionJSON), catalog.ToolsFusion, 1},
		"FreeCAD bit":         {[]byte(bitJSON), catalog.ToolsFreeCAD, 1},
		"FreeCAD zipped":      {archivetest.Pack(t, "Bit/5mm.fctb", bitJSON), catalog.ToolsFreeCAD, 1},
		"LinuxCNC":            {[]byte(tableText), catalog.ToolsLinuxCNC, 1},
		"LinuxCNC from DOS":   {[]byte("; tools\r\nT1 D6 ;end mill\r\n"), catalog.ToolsLinuxCNC, 1},
		"of this service":     {own(t), catalog.ToolsMillwright, 3},
		"list of this kind":   {[]byte(`[]`), catalog.ToolsMillwright, 0},
		"blanks before a tag": {[]byte("\n \t" + fusionJSON), catalog.ToolsFusion, 1},
	} {
		file, err := Reader{}.ReadTools(c.data, catalog.ToolFileOptions{})
		if err != nil || file.Format != c.want || len(file.Tools) != c.tools {
			t.Errorf("%s: %q with %d tools, %v; want %q with %d", name, file.Format, len(file.Tools), err,
				c.want, c.tools)
			continue
		}
		again, err := Reader{}.ReadTools(c.data, catalog.ToolFileOptions{Format: c.want})
		if err != nil || len(again.Tools) != c.tools {
			t.Errorf("%s as %s: %d tools, %v", name, c.want, len(again.Tools), err)
		}
	}
}

func TestRefusals(t *testing.T) {
	bomb := archivetest.Pack(t, "tools.json", strings.Repeat(" ", 25<<20))
	for name, c := range map[string]struct {
		data   []byte
		format catalog.ToolFormat
		want   apierr.Code
		text   string
	}{
		"nothing":       {nil, "", apierr.InvalidRequest, "none of the known formats"},
		"a picture":     {[]byte("\x89PNG\r\n\x1a\n"), "", apierr.InvalidRequest, "none of the known formats"},
		"other JSON":    {[]byte(`{"a":1}`), "", apierr.InvalidRequest, "none of the known formats"},
		"broken JSON":   {[]byte(`{"data":[`), "", apierr.InvalidRequest, "none of the known formats"},
		"wrong format":  {[]byte(tableText), catalog.ToolsFusion, apierr.InvalidRequest, "not a Fusion tool library"},
		"library alone": {[]byte(`{"tools":[{"nr":1,"path":"a.fctb"}]}`), "", apierr.InvalidRequest, "send a zip"},
		"bomb":          {bomb, "", apierr.PayloadTooLarge, "more than"},
		"too many": {[]byte(strings.Repeat(tableText, catalog.MaxTools+1)), "", apierr.InvalidRequest,
			"more than 5000"},
	} {
		_, err := Reader{}.ReadTools(c.data, catalog.ToolFileOptions{Format: c.format})
		var refusal *apierr.Error
		if !errors.As(err, &refusal) || refusal.Code != c.want || !strings.Contains(refusal.Detail, c.text) ||
			!strings.HasSuffix(refusal.Detail, ".") {
			t.Errorf("%s: %v, want %s with %q", name, err, c.want, c.text)
		}
	}
}

func FuzzReadTools(f *testing.F) {
	f.Add([]byte(fusionJSON))
	f.Add([]byte(bitJSON))
	f.Add([]byte(tableText))
	f.Add(own(f))
	f.Add(archivetest.Pack(f, "Bit/5mm.fctb", bitJSON))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Reader{}.ReadTools(data, catalog.ToolFileOptions{})
		var refusal *apierr.Error
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("an error that is none of the file's: %v", err)
		}
		for _, tool := range file.Tools {
			if err := tool.Validate(); err != nil {
				t.Errorf("an unsound tool: %v", err)
			}
		}
	})
}
