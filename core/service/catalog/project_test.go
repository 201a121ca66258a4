package catalog_test

import (
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
	"millwright.dev/millwright/core/service/part"
)

// newCutConfig makes a cut config with further members.
func (w *world) newCutConfig(c account.Caller, members string) catalog.CutConfig {
	w.t.Helper()
	made, err := w.Catalog.CreateCutConfig(w.t.Context(), c, says(`{"name":"Stahl"`+members+`}`))
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// says returns a merge patch of a cut config.
func says(json string) machining.Change { return machining.ReadPatch([]byte(json)) }

func ptr[T any](v T) *T { return &v }

func TestProject(t *testing.T) {
	w := newWorld(t)
	config := w.newCutConfig(w.Acme, "")
	p, err := w.Catalog.CreateProject(t.Context(), w.Acme,
		catalog.CreateProjectInput{Name: "Gear", CutConfigID: config.ID})
	if err != nil || uuid.Validate(p.ID) != nil || p.Name != "Gear" || p.CutConfigID != config.ID ||
		p.TeamID != w.Acme.TeamID || !p.CreatedAt.Equal(apptest.Start) {
		t.Fatalf("CreateProject = %+v, %v", p, err)
	}
	twin, err := w.Catalog.CreateProject(t.Context(), w.Acme, catalog.CreateProjectInput{Name: "Gear"})
	if err != nil || twin.ID == p.ID {
		t.Errorf("a second project of the name = %+v, %v; want another project", twin, err)
	}
	w.Clock.Advance(1)
	for _, c := range []struct {
		name         string
		in           catalog.UpdateProjectInput
		want, config string
	}{
		{"nothing", catalog.UpdateProjectInput{}, "Gear", config.ID},
		{"name", catalog.UpdateProjectInput{Name: ptr("Box")}, "Box", config.ID},
		{"clear", catalog.UpdateProjectInput{CutConfigID: ptr("")}, "Box", ""},
		{"built-in", catalog.UpdateProjectInput{CutConfigID: ptr(machining.BuiltInCutConfigID)}, "Box",
			machining.BuiltInCutConfigID},
	} {
		c.in.ProjectID = p.ID
		got, err := w.Catalog.UpdateProject(t.Context(), w.Acme, c.in)
		if err != nil || got.Name != c.want || got.CutConfigID != c.config || got.UpdatedAt.Before(p.UpdatedAt) {
			t.Errorf("%s: %+v, %v; want %q with %q", c.name, got, err, c.want, c.config)
		}
	}
}

func TestProjectRefusals(t *testing.T) {
	w := newWorld(t)
	theirs := w.newCutConfig(w.Rival, "")
	p, err := w.Catalog.CreateProject(t.Context(), w.Acme, catalog.CreateProjectInput{Name: "Gear"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		in   catalog.CreateProjectInput
		want apierr.Code
	}{
		{"no name", catalog.CreateProjectInput{Name: "  "}, apierr.InvalidRequest},
		{"long name", catalog.CreateProjectInput{Name: strings.Repeat("ä", 101)}, apierr.InvalidRequest},
		{"another team's cut config", catalog.CreateProjectInput{Name: "x", CutConfigID: theirs.ID}, apierr.NotFound},
		{"unknown cut config", catalog.CreateProjectInput{Name: "x", CutConfigID: uuid.NewString()}, apierr.NotFound},
	} {
		_, err := w.Catalog.CreateProject(t.Context(), w.Acme, c.in)
		apptest.WantCode(t, "create with "+c.name, err, c.want)
		change := catalog.UpdateProjectInput{ProjectID: p.ID, Name: &c.in.Name, CutConfigID: &c.in.CutConfigID}
		_, err = w.Catalog.UpdateProject(t.Context(), w.Acme, change)
		apptest.WantCode(t, "update with "+c.name, err, c.want)
	}
	_, err = w.Catalog.UpdateProject(t.Context(), w.Rival,
		catalog.UpdateProjectInput{ProjectID: p.ID, Name: ptr("mine")})
	apptest.WantCode(t, "update of another team's project", err, apierr.NotFound)
}

func TestCreatePartInProject(t *testing.T) {
	w := newWorld(t)
	p, err := w.Catalog.CreateProject(t.Context(), w.Acme, catalog.CreateProjectInput{Name: "Gear"})
	if err != nil {
		t.Fatal(err)
	}
	first := w.newCutConfig(w.Acme, "")
	theirs := w.newCutConfig(w.Rival, "")
	ids := []string{machining.BuiltInCutConfigID, first.ID, first.ID}
	created, err := w.Parts.Create(t.Context(), w.Acme, part.CreateInput{
		FileName: "a.step", ProjectID: p.ID, CutConfigIDs: ids, AutoCreateProgram: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.Parts.Get(t.Context(), w.Acme, created.Part.ID)
	if err != nil || got.ProjectID != p.ID || !slices.Equal(got.CutConfigIDs, ids[:2]) || !got.AutoCreateProgram ||
		!reflect.DeepEqual(got, created.Part) {
		t.Errorf("part = %+v, %v; want it in project %s with %v", got, err, p.ID, ids[:2])
	}
	w.cutConfigsOfParts(p.ID, first.ID)
	unknown := uuid.NewString()
	_, err = w.Parts.Create(t.Context(), w.Acme, part.CreateInput{
		FileName: "a.step", CutConfigIDs: []string{first.ID, unknown, theirs.ID},
	})
	apptest.WantCode(t, "unknown cut configs", err, apierr.NotFound)
	for id, named := range map[string]bool{unknown: true, theirs.ID: true, first.ID: false} {
		if strings.Contains(err.Error(), id) != named {
			t.Errorf("%v: names %s is not %v", err, id, named)
		}
	}
	_, err = w.Parts.Create(t.Context(), w.Rival, part.CreateInput{FileName: "a.step", ProjectID: p.ID})
	apptest.WantCode(t, "another team's project", err, apierr.NotFound)
}

// cutConfigsOfParts creates parts without a cut config and checks their defaults: of the project, of the user, of every
// team, in this order. The default is fixed when the part is created.
func (w *world) cutConfigsOfParts(project, other string) {
	w.t.Helper()
	var made []part.Part
	wants := func(why, projectID, want string) {
		w.t.Helper()
		in := part.CreateInput{FileName: "a.step", ProjectID: projectID, AutoCreateProgram: true}
		created, err := w.Parts.Create(w.t.Context(), w.Acme, in)
		if err != nil || !slices.Equal(created.Part.CutConfigIDs, []string{want}) {
			w.t.Errorf("%s: %v, %v; want %s", why, created.Part.CutConfigIDs, err, want)
		}
		made = append(made, created.Part)
	}
	wants("a project without one", project, machining.BuiltInCutConfigID)
	mine := w.newCutConfig(w.Acme, `,"isDefault":true`)
	wants("the caller's", project, mine.ID)
	change := catalog.UpdateProjectInput{ProjectID: project, CutConfigID: &other}
	if _, err := w.Catalog.UpdateProject(w.t.Context(), w.Acme, change); err != nil {
		w.t.Fatal(err)
	}
	wants("the project's", project, other)
	wants("in no project", "", mine.ID)
	for _, p := range made {
		if got, err := w.Parts.Get(w.t.Context(), w.Acme, p.ID); err != nil ||
			!slices.Equal(got.CutConfigIDs, p.CutConfigIDs) {
			w.t.Errorf("a part of %v has %v, %v now", p.CutConfigIDs, got.CutConfigIDs, err)
		}
	}
	none, err := w.Parts.Create(w.t.Context(), w.Acme, part.CreateInput{FileName: "a.step", ProjectID: project})
	if err != nil || len(none.Part.CutConfigIDs) != 0 {
		w.t.Errorf("without a program: %v, %v; want none", none.Part.CutConfigIDs, err)
	}
}
