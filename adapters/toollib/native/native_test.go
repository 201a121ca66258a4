package native

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

func TestReadRoundTrip(t *testing.T) {
	tools := machining.BuiltInTools()
	for name, v := range map[string]any{
		"list": tools, "library": map[string]any{"id": "x", "name": "Mine", "tools": tools, "report": 1},
	} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		file, err := Read(data)
		if err != nil || !reflect.DeepEqual(file.Tools, tools) || len(file.Report.Skipped) != 0 ||
			file.Report.Entries != len(tools) || (file.Name == "Mine") != (name == "library") {
			t.Errorf("%s: %d of %d tools, %+v, %v", name, len(file.Tools), len(tools), file.Report, err)
		}
	}
}

func TestUnsoundToolsAreSkipped(t *testing.T) {
	const sound = `{"kind":"reamer","diameter":5,"fluteLength":20,"overallLength":80,"shankDiameter":5,
		"bodyLength":50,"fluteCount":6}`
	for name, c := range map[string]struct{ entry, why string }{
		"no diameter": {strings.Replace(sound, `"diameter":5`, `"diameter":0`, 1), "diameter must be more than 0"},
		"misspelt":    {strings.Replace(sound, `"diameter"`, `"dia"`, 1), `unknown field "dia"`},
		"not a tool":  {`7`, "It is not a tool"},
	} {
		file, err := Read([]byte(`{"tools":[` + c.entry + `,` + sound + `]}`))
		s := file.Report.Skipped
		if err != nil || len(file.Tools) != 1 || len(s) != 1 || s[0].Entry != "tools[0]" ||
			!strings.Contains(s[0].Detail, c.why) {
			t.Errorf("%s: %+v, %v", name, file.Report, err)
		}
	}
}

func TestNotAList(t *testing.T) {
	for _, data := range []string{``, `7`, `{"tools":{}}`, `[`, `T1 D5`} {
		if _, err := Read([]byte(data)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, want ErrFormat", data, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := json.Marshal(machining.BuiltInTools()[:2])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"name":"x","tools":[{"kind":"drill"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			return
		}
		for _, tool := range file.Tools {
			if err := tool.Validate(); err != nil {
				t.Errorf("an unsound tool: %v", err)
			}
		}
	})
}
