package machining

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// pointersOf returns where the faults of an error are.
func pointersOf(err error) (out []string) {
	var invalid *ValidationError
	if errors.As(err, &invalid) {
		for _, f := range invalid.Faults {
			out = append(out, f.Pointer)
		}
	}
	return out
}

// TestFaultsAreAtTheirFields checks that each fault has the pointer of its field. A missing field hides no fault of
// another field, and one value has one fault.
func TestFaultsAreAtTheirFields(t *testing.T) {
	change := func(read func([]byte) Change) func(string) error {
		return func(document string) error {
			ch := read([]byte(document))
			_, err := ch.Apply(BuiltInCutConfig())
			return err
		}
	}
	holder := func(document string) error {
		_, err := ReadHolder([]byte(document))
		return err
	}
	tools := func(document string) error {
		_, err := ReadToolList([]byte(document))
		return err
	}
	const mill = `{"kind":"flatEndMill","diameter":10,"fluteLength":22,"overallLength":72,"shankDiameter":10,"bodyLength":40`
	for _, c := range []struct {
		name, document string
		read           func(string) error
		want           string
	}{
		{"patch", `{"machine":{"jerk":0,"axes":{"y":{"maxFeed":-1}}},"toolLibraryIds":["a","a"],"a/b~":1}`, change(ReadPatch),
			"/a~1b~0 /machine/axes/x/acceleration /machine/axes/x/jerk /machine/axes/x/maxFeed " +
				"/machine/axes/x/rapidFeed " +
				"/machine/axes/y/acceleration /machine/axes/y/jerk /machine/axes/y/maxFeed /machine/axes/y/rapidFeed " +
				"/machine/axes/z/acceleration /machine/axes/z/jerk /machine/axes/z/maxFeed /machine/axes/z/rapidFeed " +
				"/machine/jerk /toolLibraryIds/1"},
		{"whole member", `{"stock":{"kind":"bar","allowance":{"x":-1,"y":2}}}`, change(ReadMembers),
			"/stock/allowance/x /stock/allowance/z /stock/kind"},
		{"no object", `[]`, change(ReadPatch), ""},
		{"holder", `{"gaugeLength":-1,"cones":[{"diameterBottom":0,"diameterTop":9},{}],"colour":1}`, holder,
			"/colour /cones/0/diameterBottom /cones/0/height /cones/1/diameterBottom /cones/1/diameterTop " +
				"/cones/1/height " +
				"/gaugeLength /name"},
		{"cones that are none", `{"name":"x","gaugeLength":9,"cones":7}`, holder, "/cones"},
		{"sound holder", `{"name":"x","gaugeLength":9,"cones":[{"diameterBottom":1,"diameterTop":9,"height":9}]}`, holder, ""},
		{"sound tool", `{"tools":[` + mill + `,"fluteCount":3}],"report":7}`, tools, ""},
		{"tools", `{"name":"","tools":[` + mill + `},{"kind":"drill","diameter":"5","fluteLength":3000,"presets":[{},7]}]}`, tools,
			"/name /tools/0/fluteCount /tools/1/bodyLength /tools/1/diameter /tools/1/fluteCount " +
				"/tools/1/fluteLength " +
				"/tools/1/overallLength /tools/1/presets/0/axialDepth /tools/1/presets/0/feedPerTooth " +
				"/tools/1/presets/0/materialGroup /tools/1/presets/0/radialDepth /tools/1/presets/0/surfaceSpeed " +
				"/tools/1/presets/1 /tools/1/shankDiameter /tools/1/tipAngleDeg"},
		{"ball of an unknown diameter", `{"tools":[{"kind":"ballEndMill","cornerRadius":3,"fluteLength":9,"overallLength":72,` +
			`"shankDiameter":10,"bodyLength":40,"fluteCount":2}]}`, tools, "/tools/0/diameter"},
		{"no tools", `{"tools":[]}`, tools, "/tools"},
	} {
		err := c.read(c.document)
		got := pointersOf(err)
		slices.Sort(got)
		if strings.Join(got, " ") != c.want || (err != nil) != (c.want != "" || c.name == "no object") {
			t.Errorf("%s: faults at %q, want %q: %v", c.name, strings.Join(got, " "), c.want, err)
		}
	}
}

// memberOf returns the value at a JSON pointer.
func memberOf(v any, pointer string) (any, bool) {
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch of := v.(type) {
		case map[string]any:
			next, there := of[name]
			if !there {
				return nil, false
			}
			v = next
		case []any:
			v = of[0]
		}
	}
	return v, true
}

// put sets the value at a JSON pointer, in new objects where there are none.
func put(v any, pointer string, to any) {
	at := strings.LastIndex(pointer, "/")
	if _, there := memberOf(v, pointer[:at]); !there {
		put(v, pointer[:at], map[string]any{})
	}
	of, _ := memberOf(v, pointer[:at])
	of.(map[string]any)[pointer[at+1:]] = to
}

// places are the pointers of the documents within a sound one.
var places = map[string]string{
	"CutConfig": "", "Machine": "/machine", "Travel": "/machine/travel", "Axis": "/machine/axes/x",
	"Material": "/material",
	"Stock":    "/stock", "Allowance": "/stock/allowance", "Workholding": "/workholding", "Tolerances": "/tolerances",
	"BreakEdges": "/breakEdges", "StockSize": "/stock/size",
	"Tool": "/tools/0", "Preset": "/tools/0/presets/0", "Holder": "", "Cone": "/cones/0",
}

// TestBoundsAreThoseOfValidation puts the bounds and values beyond them into each number of each document.
func TestBoundsAreThoseOfValidation(t *testing.T) {
	const axis = `{"maxFeed":1,"rapidFeed":1000000,"acceleration":1,"jerk":1}`
	const config = `{"name":"x","machine":{"axes":{"x":` + axis + `,"y":` + axis + `,"z":` + axis + `}},"breakEdges":{},"engagementDeg":9}`
	const holder = `{"name":"x","gaugeLength":2000,"cones":[{"diameterBottom":1,"diameterTop":9,"height":9}]}`
	const list = `{"tools":[{"kind":"KIND","diameter":500,"cornerRadius":CORNER,"fluteLength":1,"overallLength":2000,` +
		`"shankDiameter":5,"bodyLength":2000,"fluteCount":2,"presets":[{"materialGroup":"N","surfaceSpeed":1,` +
		`"feedPerTooth":1,"axialDepth":1,"radialDepth":1}]}]}`
	tried := 0
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		b := fields[key].Bounds
		if b == nil {
			continue
		}
		tried++
		document, name, _ := strings.Cut(key, ".")
		text, read := config, func(text []byte) error {
			ch := ReadPatch(text)
			_, err := ch.Make("7")
			return err
		}
		switch document {
		case "Holder", "Cone":
			text, read = holder, func(text []byte) error { _, err := ReadHolder(text); return err }
		case "Tool", "Preset":
			kind, corner := "flatEndMill", "0"
			switch name {
			case "tipAngleDeg", "tipDiameter":
				kind = "drill"
			case "pitch":
				kind = "tapRightHand"
			case "cornerRadius":
				kind = "slotMill"
			}
			text = strings.NewReplacer("KIND", kind, "CORNER", corner).Replace(list)
			read = func(text []byte) error { _, err := ReadToolList(text); return err }
		}
		at := places[document] + "/" + name
		step := 1.0
		if b.Unit != "" && b.Max < 1000 {
			step = 0.001
		}
		for _, row := range []struct {
			value float64
			ok    bool
		}{{b.Min, !b.Above}, {b.Min - step, false}, {b.Max, true}, {b.Max + step, false}} {
			var v any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
			put(v, at, row.value)
			sent, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			// Only bounds count here: a bound can contradict another field.
			var of []string
			var invalid *ValidationError
			if errors.As(read(sent), &invalid) {
				for _, f := range invalid.Faults {
					if f.Pointer == at && (strings.Contains(f.Message, " must lie between ") ||
						strings.Contains(f.Message, " must be more than ")) {
						of = append(of, f.Message)
					}
				}
			}
			if (len(of) == 0) != row.ok {
				t.Errorf("%s = %g: faults %q, want sound: %t", key, row.value, of, row.ok)
			}
		}
	}
	if tried < 50 {
		t.Errorf("%d numbers were tried, want all", tried)
	}
}

// TestDefaultsAreWhatMissingFieldsGet compares the stated defaults with the values of documents without the fields.
func TestDefaultsAreWhatMissingFieldsGet(t *testing.T) {
	ch := ReadPatch([]byte(`{"name":"x","breakEdges":{}}`))
	made, err := ch.Make("7")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadToolList([]byte(`{"tools":[{"kind":"flatEndMill","diameter":10,"fluteLength":22,"overallLength":72,` +
		`"shankDiameter":10,"bodyLength":40,"fluteCount":3}]}`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"config": made, "tools": list.Tools})
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	defaults := Defaults()
	plain, err := json.Marshal(defaults)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(plain, &want); err != nil {
		t.Fatal(err)
	}
	// What must be sent, or stays unknown, has no default.
	sent := []string{
		"CutConfig.name", "CutConfig.machine", "CutConfig.material", "CutConfig.stock", "CutConfig.workholding",
		"CutConfig.tolerances", "Machine.travel", "Stock.allowance", "Tool.id", "Tool.kind", "Tool.diameter",
		"Tool.fluteLength", "Tool.overallLength", "Tool.shankDiameter", "Tool.bodyLength", "Tool.fluteCount",
		"Tool.toolMaterial", "Tool.guessed",
	}
	for key := range fields {
		document, name, _ := strings.Cut(key, ".")
		def, stated := want[key]
		whole := []string{"Axes", "Axis", "StockSize", "Preset", "Holder", "Cone"}
		if slices.Contains(whole, document) || slices.Contains(sent, key) {
			if stated {
				t.Errorf("%s has a default, but a document without it is refused", key)
			}
			continue
		}
		at := "/config" + places[document] + "/" + name
		if document == "Tool" {
			at = places[document] + "/" + name
		}
		if key == "CutConfig.breakEdges" {
			continue // sent here, for its width
		}
		got, there := memberOf(v, at)
		g, _ := json.Marshal(got)
		d, _ := json.Marshal(def)
		if !there || !stated || string(g) != string(d) {
			t.Errorf("%s: default %s (stated: %t), a document without it has %s", key, d, stated, g)
		}
	}
}
