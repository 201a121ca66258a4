package service_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright/core/machining"
	"millwright/core/service"
)

// wantDefault checks that one cut config of all that the caller sees is the default.
func (w *world) wantDefault(c service.Caller, id string) {
	w.t.Helper()
	list, err := w.ListCutConfigs(w.t.Context(), c, service.Page{})
	if err != nil {
		w.t.Fatal(err)
	}
	var marked []string
	for _, config := range list.Items {
		if config.IsDefault {
			marked = append(marked, config.ID)
		}
	}
	if !slices.Equal(marked, []string{id}) {
		w.t.Errorf("default cut configs %v, want %s only", marked, id)
	}
}

func TestNewKeysHaveACutConfig(t *testing.T) {
	w := newWorld(t)
	w.wantDefault(w.acme, machining.BuiltInCutConfigID)
	got, err := w.GetCutConfig(t.Context(), w.acme, machining.BuiltInCutConfigID)
	want := machining.BuiltInCutConfig()
	want.IsDefault = true
	if err != nil || !reflect.DeepEqual(got.CutConfig, want) {
		t.Errorf("GetCutConfig = %+v, %v; want %+v", got, err, want)
	}
}

func TestCreateCutConfig(t *testing.T) {
	w := newWorld(t)
	machine := machining.BuiltInCutConfig().Machine
	machine.AxisCount = 5
	made := w.newCutConfig(w.acme, service.CutConfigChange{Machine: &machine, ToolLibraryIDs: &[]string{}})
	want := machining.BuiltInCutConfig()
	want.ID, want.Name, want.Machine, want.ToolLibraryIDs = made.ID, "Stahl", machine, []string{}
	if uuid.Validate(made.ID) != nil || !reflect.DeepEqual(made.CutConfig, want) {
		t.Errorf("CreateCutConfig = %+v\nwant %+v", made.CutConfig, want)
	}
	got, err := w.GetCutConfig(t.Context(), w.acme, made.ID)
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("GetCutConfig = %+v, %v; want %+v", got, err, made)
	}
	for _, c := range []struct {
		name string
		in   service.CutConfigChange
		want service.Code
		text string
	}{
		{"no name", service.CutConfigChange{}, service.CodeInvalidRequest, "name is missing."},
		{"bad rate", service.CutConfigChange{Name: ptr("x"), HourlyRateCents: ptr(-1), ChordTolerance: ptr(0.0)},
			service.CodeInvalidRequest, "chordTolerance"},
		{"unknown library", service.CutConfigChange{Name: ptr("x"), ToolLibraryIDs: &[]string{made.ID}},
			service.CodeNotFound, made.ID},
	} {
		_, err := w.CreateCutConfig(t.Context(), w.acme, c.in)
		wantCode(t, c.name, err, c.want)
		if !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v does not say %q", c.name, err, c.text)
		}
	}
}

func TestDefaultCutConfigMoves(t *testing.T) {
	w := newWorld(t)
	first := w.newCutConfig(w.acme, service.CutConfigChange{IsDefault: ptr(true)})
	second := w.newCutConfig(w.acme, service.CutConfigChange{})
	w.wantDefault(w.acme, first.ID)
	mark := func(id string, is bool) {
		t.Helper()
		got, err := w.UpdateCutConfig(t.Context(), w.acme, id, service.CutConfigChange{IsDefault: &is})
		if err != nil || got.IsDefault != is {
			t.Fatalf("UpdateCutConfig = %+v, %v", got, err)
		}
	}
	mark(second.ID, true)
	w.wantDefault(w.acme, second.ID)
	mark(second.ID, false)
	w.wantDefault(w.acme, machining.BuiltInCutConfigID)
	mark(first.ID, true)
	if err := w.DeleteCutConfig(t.Context(), w.acme, first.ID); err != nil {
		t.Fatal(err)
	}
	w.wantDefault(w.acme, machining.BuiltInCutConfigID)
	w.wantDefault(w.rival, machining.BuiltInCutConfigID)
}

func TestUpdateCutConfig(t *testing.T) {
	w := newWorld(t)
	made := w.newCutConfig(w.acme, service.CutConfigChange{})
	got, err := w.UpdateCutConfig(t.Context(), w.acme, made.ID, service.CutConfigChange{ChordTolerance: ptr(0.02)})
	made.ChordTolerance = 0.02
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("UpdateCutConfig = %+v, %v; want %+v", got, err, made)
	}
	_, err = w.UpdateCutConfig(t.Context(), w.acme, made.ID, service.CutConfigChange{Post: ptr("?")})
	wantCode(t, "bad post", err, service.CodeInvalidRequest)
	unknown := &[]string{uuid.NewString()}
	_, err = w.UpdateCutConfig(t.Context(), w.acme, made.ID, service.CutConfigChange{ToolLibraryIDs: unknown})
	wantCode(t, "unknown library", err, service.CodeNotFound)
	if got, err := w.GetCutConfig(t.Context(), w.acme, made.ID); err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("a refused change left %+v, %v; want %+v", got, err, made)
	}
}

func TestCutConfigRefusals(t *testing.T) {
	w := newWorld(t)
	mine := w.newCutConfig(w.acme, service.CutConfigChange{})
	change := service.CutConfigChange{Name: ptr("x")}
	for name, c := range map[string]struct {
		caller service.Caller
		id     string
		want   service.Code
	}{
		"another team's": {w.rival, mine.ID, service.CodeNotFound},
		"unknown":        {w.acme, uuid.NewString(), service.CodeNotFound},
		"built-in":       {w.acme, machining.BuiltInCutConfigID, service.CodeNotAllowed},
	} {
		_, err := w.UpdateCutConfig(t.Context(), c.caller, c.id, change)
		wantCode(t, "update of the "+name, err, c.want)
		wantCode(t, "deletion of the "+name, w.DeleteCutConfig(t.Context(), c.caller, c.id), c.want)
		if c.want == service.CodeNotFound {
			_, err = w.GetCutConfig(t.Context(), c.caller, c.id)
			wantCode(t, "reading the "+name, err, c.want)
		}
	}
}

// TestCutConfigPages: the built-in one takes a place at the end of the list, on whichever page that is.
func TestCutConfigPages(t *testing.T) {
	w := newWorld(t)
	var want []string
	for range 4 {
		want = append([]string{w.newCutConfig(w.acme, service.CutConfigChange{}).ID}, want...)
	}
	want = append(want, machining.BuiltInCutConfigID)
	for size := 1; size <= 6; size++ {
		var got []string
		for page := 1; page <= 6; page++ {
			list, err := w.ListCutConfigs(t.Context(), w.acme, service.Page{Page: page, PageSize: size})
			if err != nil || list.Total != 5 || len(list.Items) > size || list.Page != page || list.PageSize != size {
				t.Fatalf("page %d of %d: %+v, %v", page, size, list, err)
			}
			for _, c := range list.Items {
				got = append(got, c.ID)
			}
		}
		if !slices.Equal(got, want[:len(got)]) || len(got) != min(5, 6*size) {
			t.Errorf("pages of %d: %v, want %v", size, got, want)
		}
	}
	_, err := w.ListCutConfigs(t.Context(), w.acme, service.Page{PageSize: 101})
	wantCode(t, "large page", err, service.CodeInvalidRequest)
}
