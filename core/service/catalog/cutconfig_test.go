package catalog_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/apierr"
	"millwright.dev/millwright/core/service/record"
)

// wantDefault checks that exactly one cut config in the caller's list is the default.
func (w *world) wantDefault(c account.Caller, id string) {
	w.t.Helper()
	list, err := w.Catalog.ListCutConfigs(w.t.Context(), c, "", record.Page{})
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
	w.wantDefault(w.Acme, machining.BuiltInCutConfigID)
	got, err := w.Catalog.GetCutConfig(t.Context(), w.Acme, machining.BuiltInCutConfigID)
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
	made := w.newCutConfig(w.Acme, `,"machine":{"axisCount":5},"toolLibraryIds":[]`)
	want := machining.BuiltInCutConfig()
	want.ID, want.Name, want.Machine, want.ToolLibraryIDs = made.ID, "Stahl", machine, []string{}
	if uuid.Validate(made.ID) != nil || !reflect.DeepEqual(made.CutConfig, want) {
		t.Errorf("CreateCutConfig = %+v\nwant %+v", made.CutConfig, want)
	}
	got, err := w.Catalog.GetCutConfig(t.Context(), w.Acme, made.ID)
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("GetCutConfig = %+v, %v; want %+v", got, err, made)
	}
	for _, c := range []struct {
		name string
		in   string
		want apierr.Code
		text string
	}{
		{"no name", `{}`, apierr.InvalidRequest, "name is missing."},
		{"bad rate", `{"name":"x","hourlyRateCents":-1,"chordTolerance":0}`, apierr.InvalidRequest, "chordTolerance"},
		{"unknown library", `{"name":"x","toolLibraryIds":["` + made.ID + `"]}`, apierr.InvalidRequest, made.ID},
	} {
		_, err := w.Catalog.CreateCutConfig(t.Context(), w.Acme, says(c.in))
		apptest.WantCode(t, c.name, err, c.want)
		if !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v does not say %q", c.name, err, c.text)
		}
	}
}

func TestDefaultCutConfigMoves(t *testing.T) {
	w := newWorld(t)
	first := w.newCutConfig(w.Acme, `,"isDefault":true`)
	second := w.newCutConfig(w.Acme, "")
	w.wantDefault(w.Acme, first.ID)
	mark := func(id string, is bool) {
		t.Helper()
		got, err := w.Catalog.UpdateCutConfig(t.Context(), w.Acme, id, says(fmt.Sprintf(`{"isDefault":%t}`, is)), nil)
		if err != nil || got.IsDefault != is {
			t.Fatalf("UpdateCutConfig = %+v, %v", got, err)
		}
	}
	mark(second.ID, true)
	w.wantDefault(w.Acme, second.ID)
	mark(second.ID, false)
	w.wantDefault(w.Acme, machining.BuiltInCutConfigID)
	mark(first.ID, true)
	if err := w.Catalog.DeleteCutConfig(t.Context(), w.Acme, first.ID, nil); err != nil {
		t.Fatal(err)
	}
	w.wantDefault(w.Acme, machining.BuiltInCutConfigID)
	w.wantDefault(w.Rival, machining.BuiltInCutConfigID)
}

func TestUpdateCutConfig(t *testing.T) {
	w := newWorld(t)
	made := w.newCutConfig(w.Acme, "")
	got, err := w.Catalog.UpdateCutConfig(t.Context(), w.Acme, made.ID, says(`{"chordTolerance":0.02}`), nil)
	made.ChordTolerance = 0.02
	if err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("UpdateCutConfig = %+v, %v; want %+v", got, err, made)
	}
	_, err = w.Catalog.UpdateCutConfig(t.Context(), w.Acme, made.ID, says(`{"post":"?"}`), nil)
	apptest.WantCode(t, "bad post", err, apierr.InvalidRequest)
	_, err = w.Catalog.UpdateCutConfig(t.Context(), w.Acme, made.ID,
		says(`{"toolLibraryIds":["`+uuid.NewString()+`"]}`), nil)
	apptest.WantCode(t, "unknown library", err, apierr.InvalidRequest)
	if got, err := w.Catalog.GetCutConfig(t.Context(), w.Acme, made.ID); err != nil || !reflect.DeepEqual(got, made) {
		t.Errorf("a refused change left %+v, %v; want %+v", got, err, made)
	}
}

func TestCutConfigRefusals(t *testing.T) {
	w := newWorld(t)
	mine := w.newCutConfig(w.Acme, "")
	change := says(`{"name":"x"}`)
	for name, c := range map[string]struct {
		caller account.Caller
		id     string
		want   apierr.Code
	}{
		"another team's": {w.Rival, mine.ID, apierr.NotFound},
		"unknown":        {w.Acme, uuid.NewString(), apierr.NotFound},
		"built-in":       {w.Acme, machining.BuiltInCutConfigID, apierr.NotAllowed},
		"large built-in": {w.Acme, machining.LargeCutConfigID, apierr.NotAllowed},
	} {
		_, err := w.Catalog.UpdateCutConfig(t.Context(), c.caller, c.id, change, nil)
		apptest.WantCode(t, "update of the "+name, err, c.want)
		err = w.Catalog.DeleteCutConfig(t.Context(), c.caller, c.id, nil)
		apptest.WantCode(t, "deletion of the "+name, err, c.want)
		if c.want == apierr.NotFound {
			_, err = w.Catalog.GetCutConfig(t.Context(), c.caller, c.id)
			apptest.WantCode(t, "reading the "+name, err, c.want)
		}
	}
}

// TestCutConfigPages checks that the built-in cut configs come last in the list, on any page.
func TestCutConfigPages(t *testing.T) {
	w := newWorld(t)
	var want []string
	for range 4 {
		want = append([]string{w.newCutConfig(w.Acme, "").ID}, want...)
	}
	want = append(want, machining.BuiltInCutConfigIDs...)
	for size := 1; size <= 7; size++ {
		var got []string
		for page := 1; page <= 7; page++ {
			list, err := w.Catalog.ListCutConfigs(t.Context(), w.Acme, "", record.Page{Page: page, PageSize: size})
			if err != nil || list.Total != 6 || len(list.Items) > size || list.Page != page || list.PageSize != size {
				t.Fatalf("page %d of %d: %+v, %v", page, size, list, err)
			}
			for _, c := range list.Items {
				got = append(got, c.ID)
			}
		}
		if !slices.Equal(got, want[:len(got)]) || len(got) != min(6, 7*size) {
			t.Errorf("pages of %d: %v, want %v", size, got, want)
		}
	}
	_, err := w.Catalog.ListCutConfigs(t.Context(), w.Acme, "", record.Page{PageSize: 101})
	apptest.WantCode(t, "large page", err, apierr.InvalidRequest)
}
