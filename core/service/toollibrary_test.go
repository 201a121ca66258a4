package service_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright/core/machining"
	"millwright/core/service"
)

func (w *world) newToolLibrary(c service.Caller, name, table string) service.ToolLibrary {
	w.t.Helper()
	l, err := w.CreateToolLibrary(w.t.Context(), c, service.CreateToolLibraryInput{Name: name, Data: []byte(table)})
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

func TestCreateToolLibrary(t *testing.T) {
	w := newWorld(t)
	made := w.newToolLibrary(w.acme, "Mine", "T1 D6 ;end mill\nT2 ;no diameter\n")
	if uuid.Validate(made.ID) != nil || made.Name != "Mine" || made.Format != service.ToolsLinuxCNC ||
		made.ToolCount != 1 || len(made.Tools) != 1 || uuid.Validate(made.Tools[0].ID) != nil ||
		made.Report.Entries != 2 || len(made.Report.Skipped) != 1 {
		t.Fatalf("CreateToolLibrary = %+v", made)
	}
	got, err := w.GetToolLibrary(t.Context(), w.acme, made.ID)
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("GetToolLibrary = %+v, %v\nwant %+v", got, err, made)
	}
	if unnamed := w.newToolLibrary(w.acme, "", "T1 D6\n"); unnamed.Name != "Tools from linuxcnc" {
		t.Errorf("name = %q, want one that says the format", unnamed.Name)
	}
}

// TestToolIDs: ids of the file are kept where they are identifiers of one tool each.
func TestToolIDs(t *testing.T) {
	w := newWorld(t)
	tools := slices.Clone(machining.BuiltInTools()[:4])
	tools[1].ID, tools[2].ID, tools[3].ID = tools[0].ID, "T7", strings.ToUpper(uuid.NewString())
	data, err := json.Marshal(map[string]any{"name": "From file", "tools": tools})
	if err != nil {
		t.Fatal(err)
	}
	made := w.newToolLibrary(w.acme, "", string(data))
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
		in   service.CreateToolLibraryInput
		want service.Code
		text string
	}{
		"nothing":  {service.CreateToolLibraryInput{}, service.CodeInvalidRequest, "none of the known formats"},
		"no tools": {service.CreateToolLibraryInput{Data: []byte("[]")}, service.CodeInvalidRequest, "holds no tools."},
		"bad name": {service.CreateToolLibraryInput{Name: "a\nb", Data: []byte("T1 D1")},
			service.CodeInvalidRequest, "name"},
		"only skips": {service.CreateToolLibraryInput{Data: []byte("T1\nT2")}, service.CodeInvalidRequest,
			"line 1 (T1): It has no diameter D."},
		"too large": {service.CreateToolLibraryInput{Data: make([]byte, service.MaxToolFile+1)},
			service.CodePayloadTooLarge, "bytes"},
	} {
		_, err := w.CreateToolLibrary(t.Context(), w.acme, c.in)
		wantCode(t, name, err, c.want)
		if err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v does not say %q", name, err, c.text)
		}
	}
}

func TestToolLibrariesOfTeams(t *testing.T) {
	w := newWorld(t)
	mine := w.newToolLibrary(w.acme, "Mine", "T1 D6\n")
	for caller, want := range map[*service.Caller][]string{
		&w.acme: {mine.ID, machining.BuiltInToolLibraryID}, &w.rival: {machining.BuiltInToolLibraryID},
	} {
		list, err := w.ListToolLibraries(t.Context(), *caller, service.Page{})
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
		builtIn, err := w.GetToolLibrary(t.Context(), *caller, machining.BuiltInToolLibraryID)
		if err != nil || len(builtIn.Tools) < 55 || builtIn.Format != service.ToolsBuiltIn {
			t.Errorf("built-in library = %+v, %v", builtIn, err)
		}
	}
	_, err := w.GetToolLibrary(t.Context(), w.rival, mine.ID)
	wantCode(t, "another team's library", err, service.CodeNotFound)
	wantCode(t, "deletion of it", w.DeleteToolLibrary(t.Context(), w.rival, mine.ID), service.CodeNotFound)
	wantCode(t, "deletion of the built-in",
		w.DeleteToolLibrary(t.Context(), w.acme, machining.BuiltInToolLibraryID), service.CodeNotAllowed)
}

func TestDeletedToolLibraryLeavesCutConfigs(t *testing.T) {
	w := newWorld(t)
	lib := w.newToolLibrary(w.acme, "Mine", "T1 D6\n")
	ids := []string{lib.ID, machining.BuiltInToolLibraryID}
	config := w.newCutConfig(w.acme, service.CutConfigChange{ToolLibraryIDs: &ids})
	if err := w.DeleteToolLibrary(t.Context(), w.acme, lib.ID); err != nil {
		t.Fatal(err)
	}
	got, err := w.GetCutConfig(t.Context(), w.acme, config.ID)
	if err != nil || !slices.Equal(got.ToolLibraryIDs, ids[1:]) {
		t.Errorf("tool libraries of the cut config = %v, %v; want %v", got.ToolLibraryIDs, err, ids[1:])
	}
}

func TestHolders(t *testing.T) {
	w := newWorld(t)
	in := machining.Holder{Name: "Chuck", GaugeLength: 80, Cones: []machining.Cone{
		{DiameterBottom: 20, DiameterTop: 28, Height: 50},
	}}
	made, err := w.CreateHolder(t.Context(), w.acme, in)
	if err != nil || uuid.Validate(made.ID) != nil || !reflect.DeepEqual(made.Holder, in) {
		t.Fatalf("CreateHolder = %+v, %v", made, err)
	}
	got, err := w.GetHolder(t.Context(), w.acme, made.ID)
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("GetHolder = %+v, %v; want %+v", got, err, made)
	}
	list, err := w.ListHolders(t.Context(), w.acme, service.Page{})
	if err != nil || list.Total != 1 || !reflect.DeepEqual(list.Items[0], made) {
		t.Errorf("ListHolders = %+v, %v", list, err)
	}
	_, err = w.CreateHolder(t.Context(), w.acme, machining.Holder{Name: "Chuck"})
	wantCode(t, "empty holder", err, service.CodeInvalidRequest)
	_, err = w.GetHolder(t.Context(), w.rival, made.ID)
	wantCode(t, "another team's holder", err, service.CodeNotFound)
	wantCode(t, "deletion of it", w.DeleteHolder(t.Context(), w.rival, made.ID), service.CodeNotFound)
	if err := w.DeleteHolder(t.Context(), w.acme, made.ID); err != nil {
		t.Error(err)
	}
	wantCode(t, "second deletion", w.DeleteHolder(t.Context(), w.acme, made.ID), service.CodeNotFound)
}

// TestCatalogCreationTakenOver carries creations out a second time under the id that the first claim of their
// request fixed: what the first made is the answer, and nothing is made twice.
func TestCatalogCreationTakenOver(t *testing.T) {
	w := newWorld(t)
	for name, create := range map[string]func(service.Caller) (any, error){
		"project": func(c service.Caller) (any, error) {
			return w.CreateProject(t.Context(), c, service.CreateProjectInput{Name: "Gear"})
		},
		"cut config": func(c service.Caller) (any, error) {
			return w.CreateCutConfig(t.Context(), c, service.CutConfigChange{Name: ptr("Steel"), IsDefault: ptr(true)})
		},
		"tool library": func(c service.Caller) (any, error) {
			return w.CreateToolLibrary(t.Context(), c, service.CreateToolLibraryInput{Data: []byte("T1 D6\n")})
		},
		"holder": func(c service.Caller) (any, error) {
			return w.CreateHolder(t.Context(), c, machining.Holder{Name: "Chuck", GaugeLength: 80, Cones: []machining.Cone{
				{DiameterBottom: 20, DiameterTop: 28, Height: 50},
			}})
		},
	} {
		caller := w.acme
		caller.RecordID = uuid.NewString()
		first, err := create(caller)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w.clock.Advance(1e9)
		if again, err := create(caller); err != nil || !reflect.DeepEqual(again, first) {
			t.Errorf("%s again = %+v, %v\nwant %+v", name, again, err, first)
		}
	}
	configs, err := w.ListCutConfigs(t.Context(), w.acme, service.Page{})
	if err != nil || configs.Total != 2 {
		t.Errorf("cut configs = %+v, %v; want the one and the built-in", configs, err)
	}
}
