package catalog_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

func (w *world) newToolLibrary(c account.Caller, name, table string) catalog.ToolLibrary {
	w.t.Helper()
	l, err := w.Catalog.CreateToolLibrary(w.t.Context(), c,
		catalog.CreateToolLibraryInput{Name: name, Data: []byte(table)})
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

func TestCreateToolLibrary(t *testing.T) {
	w := newWorld(t)
	made := w.newToolLibrary(w.Acme, "Mine", "T1 D6 ;end mill\nT2 ;no diameter\n")
	if uuid.Validate(made.ID) != nil || made.Name != "Mine" || made.Format != catalog.ToolsLinuxCNC ||
		made.ToolCount != 1 || len(made.Tools) != 1 || uuid.Validate(made.Tools[0].ID) != nil ||
		made.Report.Entries != 2 || len(made.Report.Skipped) != 1 {
		t.Fatalf("CreateToolLibrary = %+v", made)
	}
	got, err := w.Catalog.GetToolLibrary(t.Context(), w.Acme, made.ID)
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("GetToolLibrary = %+v, %v\nwant %+v", got, err, made)
	}
	if unnamed := w.newToolLibrary(w.Acme, "", "T1 D6\n"); unnamed.Name != "Tools from linuxcnc" {
		t.Errorf("name = %q, want one that says the format", unnamed.Name)
	}
}

// TestToolIDs checks that ids of the file are kept if each identifies one tool.
func TestToolIDs(t *testing.T) {
	w := newWorld(t)
	tools := slices.Clone(machining.BuiltInTools()[:4])
	tools[1].ID, tools[2].ID, tools[3].ID = tools[0].ID, "T7", strings.ToUpper(uuid.NewString())
	data, err := json.Marshal(map[string]any{"name": "From file", "tools": tools})
	if err != nil {
		t.Fatal(err)
	}
	made := w.newToolLibrary(w.Acme, "", string(data))
	if made.Name != "From file" || made.Tools[0].ID != tools[0].ID ||
		made.Tools[3].ID != strings.ToLower(tools[3].ID) {
		t.Errorf("library %q, ids %s and %s, want those of the file", made.Name, made.Tools[0].ID, made.Tools[3].ID)
	}
	seen := map[string]bool{}
	for _, tool := range made.Tools {
		if uuid.Validate(tool.ID) != nil || seen[tool.ID] {
			t.Errorf("id %q is no UUID of one tool", tool.ID)
		}
		seen[tool.ID] = true
	}
}

func TestCreateToolLibraryRefuses(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		in   catalog.CreateToolLibraryInput
		want apierr.Code
		text string
	}{
		"nothing":  {catalog.CreateToolLibraryInput{}, apierr.InvalidRequest, "none of the known formats"},
		"no tools": {catalog.CreateToolLibraryInput{Data: []byte("[]")}, apierr.InvalidRequest, "holds no tools."},
		"bad name": {catalog.CreateToolLibraryInput{Name: "a\nb", Data: []byte("T1 D1")},
			apierr.InvalidRequest, "name"},
		"only skips": {catalog.CreateToolLibraryInput{Data: []byte("T1\nT2")}, apierr.InvalidRequest,
			"line 1 (T1): It has no diameter D."},
		"too large": {catalog.CreateToolLibraryInput{Data: make([]byte, catalog.MaxToolFile+1)},
			apierr.PayloadTooLarge, "bytes"},
	} {
		_, err := w.Catalog.CreateToolLibrary(t.Context(), w.Acme, c.in)
		apptest.WantCode(t, name, err, c.want)
		if err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v does not say %q", name, err, c.text)
		}
	}
}

func TestToolLibrariesOfTeams(t *testing.T) {
	w := newWorld(t)
	mine := w.newToolLibrary(w.Acme, "Mine", "T1 D6\n")
	for caller, want := range map[*account.Caller][]string{
		&w.Acme:  append([]string{mine.ID}, machining.BuiltInToolLibraryIDs...),
		&w.Rival: machining.BuiltInToolLibraryIDs,
	} {
		list, err := w.Catalog.ListToolLibraries(t.Context(), *caller, record.Page{})
		var got []string
		for _, l := range list.Items {
			got = append(got, l.ID)
			if l.Tools != nil || l.ToolCount == 0 {
				t.Errorf("library %q in the list: %d tools, count %d", l.Name, len(l.Tools), l.ToolCount)
			}
		}
		if err != nil || !slices.Equal(got, want) || list.Total != len(want) {
			t.Errorf("ListToolLibraries = %v of %d, %v; want %v", got, list.Total, err, want)
		}
		builtIn, err := w.Catalog.GetToolLibrary(t.Context(), *caller, machining.BuiltInToolLibraryID)
		if err != nil || len(builtIn.Tools) < 55 || builtIn.Format != catalog.ToolsBuiltIn {
			t.Errorf("built-in library = %+v, %v", builtIn, err)
		}
	}
	_, err := w.Catalog.GetToolLibrary(t.Context(), w.Rival, mine.ID)
	apptest.WantCode(t, "another team's library", err, apierr.NotFound)
	err = w.Catalog.DeleteToolLibrary(t.Context(), w.Rival, mine.ID, nil)
	apptest.WantCode(t, "deletion of it", err, apierr.NotFound)
	apptest.WantCode(t, "deletion of the built-in",
		w.Catalog.DeleteToolLibrary(t.Context(), w.Acme, machining.BuiltInToolLibraryID, nil), apierr.NotAllowed)
}

// TestReplacedToolLibrary checks that sent tools count as confirmed and apply to later plans. One invalid tool refuses
// the whole list.
func TestReplacedToolLibrary(t *testing.T) {
	w := newWorld(t)
	lib := w.newToolLibrary(w.Acme, "Mine", "T1 D6 ;end mill\n")
	if len(lib.Tools[0].Guessed) == 0 {
		t.Fatalf("nothing is guessed of %+v", lib.Tools[0])
	}
	second := lib.Tools[0]
	second.ID, second.Presets = "", nil
	sent := func(name string, tools ...machining.Tool) []byte {
		t.Helper()
		text, err := json.Marshal(machining.ToolList{Name: name, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	got, err := w.Catalog.UpdateToolLibrary(t.Context(), w.Acme, lib.ID, sent("Known", lib.Tools[0], second), nil)
	if err != nil || got.Name != "Known" || got.ToolCount != 2 || len(got.Tools) != 2 || got.Format != lib.Format ||
		!reflect.DeepEqual(got.Report, lib.Report) || got.Tools[0].ID != lib.Tools[0].ID || got.Tools[1].ID == "" ||
		got.Tools[0].Guessed != nil || got.Tools[1].Guessed != nil || len(lib.Tools[0].Guessed) == 0 {
		t.Fatalf("UpdateToolLibrary = %+v, %v", got, err)
	}
	config := w.newCutConfig(w.Acme, `,"toolLibraryIds":["`+lib.ID+`"]`)
	if tools, err := w.Catalog.ToolsOf(t.Context(), w.Acme, config.CutConfig); err != nil ||
		!reflect.DeepEqual(tools, got.Tools) {
		t.Errorf("tools of the cut config = %+v, %v", tools, err)
	}
	broken := got.Tools[0]
	broken.FluteCount = 0
	for _, c := range []struct {
		name    string
		id      string
		library string
		tools   []machining.Tool
		code    apierr.Code
	}{
		{"unsound", lib.ID, "x", []machining.Tool{second, broken}, apierr.InvalidRequest},
		{"none", lib.ID, "x", nil, apierr.InvalidRequest},
		{"too many", lib.ID, "x", make([]machining.Tool, catalog.MaxTools+1), apierr.InvalidRequest},
		{"nameless", lib.ID, "", got.Tools, apierr.InvalidRequest},
		{"unknown", uuid.NewString(), "x", got.Tools, apierr.NotFound},
		{"built-in", machining.BuiltInToolLibraryID, "x", got.Tools, apierr.NotAllowed},
	} {
		_, err := w.Catalog.UpdateToolLibrary(t.Context(), w.Acme, c.id, sent(c.library, c.tools...), nil)
		apptest.WantCode(t, c.name, err, c.code)
	}
	_, err = w.Catalog.UpdateToolLibrary(t.Context(), w.Rival, lib.ID, sent("x", got.Tools...), nil)
	apptest.WantCode(t, "another team's", err, apierr.NotFound)
	if now, err := w.Catalog.GetToolLibrary(t.Context(), w.Acme, lib.ID); err != nil || !reflect.DeepEqual(now, got) {
		t.Errorf("after the refusals: %+v, %v", now, err)
	}
}

func TestDeletedToolLibraryLeavesCutConfigs(t *testing.T) {
	w := newWorld(t)
	lib := w.newToolLibrary(w.Acme, "Mine", "T1 D6\n")
	config := w.newCutConfig(w.Acme, `,"toolLibraryIds":["`+lib.ID+`","`+machining.BuiltInToolLibraryID+`"]`)
	if err := w.Catalog.DeleteToolLibrary(t.Context(), w.Acme, lib.ID, nil); err != nil {
		t.Fatal(err)
	}
	got, err := w.Catalog.GetCutConfig(t.Context(), w.Acme, config.ID)
	if err != nil || !slices.Equal(got.ToolLibraryIDs, machining.BuiltInToolLibraryIDs[:1]) {
		t.Errorf("tool libraries of the cut config = %v, %v; want the built-in one", got.ToolLibraryIDs, err)
	}
}

func TestHolders(t *testing.T) {
	w := newWorld(t)
	in := machining.Holder{Name: "Chuck", GaugeLength: 80, Cones: []machining.Cone{
		{DiameterBottom: 20, DiameterTop: 28, Height: 50},
	}}
	const chuck = `{"name":"Chuck","gaugeLength":80,"cones":[{"diameterBottom":20,"diameterTop":28,"height":50}]}`
	made, err := w.Catalog.CreateHolder(t.Context(), w.Acme, []byte(chuck))
	if err != nil || uuid.Validate(made.ID) != nil || !reflect.DeepEqual(made.Holder, in) {
		t.Fatalf("CreateHolder = %+v, %v", made, err)
	}
	got, err := w.Catalog.GetHolder(t.Context(), w.Acme, made.ID)
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("GetHolder = %+v, %v; want %+v", got, err, made)
	}
	list, err := w.Catalog.ListHolders(t.Context(), w.Acme, record.Page{})
	if err != nil || list.Total != 1 || !reflect.DeepEqual(list.Items[0], made) {
		t.Errorf("ListHolders = %+v, %v", list, err)
	}
	_, err = w.Catalog.CreateHolder(t.Context(), w.Acme, []byte(`{"name":"Chuck"}`))
	apptest.WantCode(t, "empty holder", err, apierr.InvalidRequest)
	_, err = w.Catalog.GetHolder(t.Context(), w.Rival, made.ID)
	apptest.WantCode(t, "another team's holder", err, apierr.NotFound)
	apptest.WantCode(t, "deletion of it", w.Catalog.DeleteHolder(t.Context(), w.Rival, made.ID, nil), apierr.NotFound)
	if err := w.Catalog.DeleteHolder(t.Context(), w.Acme, made.ID, nil); err != nil {
		t.Error(err)
	}
	apptest.WantCode(t, "second deletion", w.Catalog.DeleteHolder(t.Context(), w.Acme, made.ID, nil), apierr.NotFound)
}

// TestCatalogCreationTakenOver repeats each creation under the record id of the first claim. The result is the first
// record, and no second one is created.
func TestCatalogCreationTakenOver(t *testing.T) {
	w := newWorld(t)
	for name, create := range map[string]func(account.Caller) (any, error){
		"project": func(c account.Caller) (any, error) {
			return w.Catalog.CreateProject(t.Context(), c, catalog.CreateProjectInput{Name: "Gear"})
		},
		"cut config": func(c account.Caller) (any, error) {
			return w.Catalog.CreateCutConfig(t.Context(), c, says(`{"name":"Steel","isDefault":true}`))
		},
		"tool library": func(c account.Caller) (any, error) {
			return w.Catalog.CreateToolLibrary(t.Context(), c, catalog.CreateToolLibraryInput{Data: []byte("T1 D6\n")})
		},
		"holder": func(c account.Caller) (any, error) {
			return w.Catalog.CreateHolder(t.Context(), c, []byte(`{"name":"Chuck","gaugeLength":80,`+
				`"cones":[{"diameterBottom":20,"diameterTop":28,"height":50}]}`))
		},
	} {
		caller := w.Acme
		caller.RecordID = uuid.NewString()
		first, err := create(caller)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w.Clock.Advance(1e9)
		if again, err := create(caller); err != nil || !reflect.DeepEqual(again, first) {
			t.Errorf("%s again = %+v, %v\nwant %+v", name, again, err, first)
		}
	}
	configs, err := w.Catalog.ListCutConfigs(t.Context(), w.Acme, "", record.Page{})
	if err != nil || configs.Total != 3 {
		t.Errorf("cut configs = %+v, %v; want the one and the built-in ones", configs, err)
	}
}
