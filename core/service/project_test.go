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

func (w *world) newCutConfig(c service.Caller, in service.CutConfigChange) service.CutConfig {
	w.t.Helper()
	if in.Name == nil {
		in.Name = ptr("Stahl")
	}
	made, err := w.CreateCutConfig(w.t.Context(), c, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

func ptr[T any](v T) *T { return &v }

func TestProject(t *testing.T) {
	w := newWorld(t)
	config := w.newCutConfig(w.acme, service.CutConfigChange{})
	p, err := w.CreateProject(t.Context(), w.acme, service.CreateProjectInput{Name: "Gear", CutConfigID: config.ID})
	if err != nil || uuid.Validate(p.ID) != nil || p.Name != "Gear" || p.CutConfigID != config.ID ||
		p.TeamID != w.acme.TeamID || !p.CreatedAt.Equal(start) {
		t.Fatalf("CreateProject = %+v, %v", p, err)
	}
	twin, err := w.CreateProject(t.Context(), w.acme, service.CreateProjectInput{Name: "Gear"})
	if err != nil || twin.ID == p.ID {
		t.Errorf("a second project of the name = %+v, %v; want another project", twin, err)
	}
	w.clock.Advance(1)
	for _, c := range []struct {
		name         string
		in           service.UpdateProjectInput
		want, config string
	}{
		{"nothing", service.UpdateProjectInput{}, "Gear", config.ID},
		{"name", service.UpdateProjectInput{Name: ptr("Box")}, "Box", config.ID},
		{"clear", service.UpdateProjectInput{CutConfigID: ptr("")}, "Box", ""},
		{"built-in", service.UpdateProjectInput{CutConfigID: ptr(machining.BuiltInCutConfigID)}, "Box",
			machining.BuiltInCutConfigID},
	} {
		c.in.ProjectID = p.ID
		got, err := w.UpdateProject(t.Context(), w.acme, c.in)
		if err != nil || got.Name != c.want || got.CutConfigID != c.config || got.UpdatedAt.Before(p.UpdatedAt) {
			t.Errorf("%s: %+v, %v; want %q with %q", c.name, got, err, c.want, c.config)
		}
	}
}

func TestProjectRefusals(t *testing.T) {
	w := newWorld(t)
	theirs := w.newCutConfig(w.rival, service.CutConfigChange{})
	p, err := w.CreateProject(t.Context(), w.acme, service.CreateProjectInput{Name: "Gear"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		in   service.CreateProjectInput
		want service.Code
	}{
		{"no name", service.CreateProjectInput{Name: "  "}, service.CodeInvalidRequest},
		{"long name", service.CreateProjectInput{Name: strings.Repeat("ä", 101)}, service.CodeInvalidRequest},
		{"another team's cut config", service.CreateProjectInput{Name: "x", CutConfigID: theirs.ID}, service.CodeNotFound},
		{"unknown cut config", service.CreateProjectInput{Name: "x", CutConfigID: uuid.NewString()}, service.CodeNotFound},
	} {
		_, err := w.CreateProject(t.Context(), w.acme, c.in)
		wantCode(t, "create with "+c.name, err, c.want)
		change := service.UpdateProjectInput{ProjectID: p.ID, Name: &c.in.Name, CutConfigID: &c.in.CutConfigID}
		_, err = w.UpdateProject(t.Context(), w.acme, change)
		wantCode(t, "update with "+c.name, err, c.want)
	}
	_, err = w.UpdateProject(t.Context(), w.rival, service.UpdateProjectInput{ProjectID: p.ID, Name: ptr("mine")})
	wantCode(t, "update of another team's project", err, service.CodeNotFound)
}

func TestCreatePartInProject(t *testing.T) {
	w := newWorld(t)
	p, err := w.CreateProject(t.Context(), w.acme, service.CreateProjectInput{Name: "Gear"})
	if err != nil {
		t.Fatal(err)
	}
	first := w.newCutConfig(w.acme, service.CutConfigChange{})
	theirs := w.newCutConfig(w.rival, service.CutConfigChange{})
	ids := []string{machining.BuiltInCutConfigID, first.ID, first.ID}
	created, err := w.CreatePart(t.Context(), w.acme, service.CreatePartInput{
		FileName: "a.step", ProjectID: p.ID, CutConfigIDs: ids, AutoCreateProgram: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.GetPart(t.Context(), w.acme, created.Part.ID)
	if err != nil || got.ProjectID != p.ID || !slices.Equal(got.CutConfigIDs, ids[:2]) || !got.AutoCreateProgram ||
		!reflect.DeepEqual(got, created.Part) {
		t.Errorf("part = %+v, %v; want it in project %s with %v", got, err, p.ID, ids[:2])
	}
	unknown := uuid.NewString()
	_, err = w.CreatePart(t.Context(), w.acme, service.CreatePartInput{
		FileName: "a.step", CutConfigIDs: []string{first.ID, unknown, theirs.ID},
	})
	wantCode(t, "unknown cut configs", err, service.CodeNotFound)
	for id, named := range map[string]bool{unknown: true, theirs.ID: true, first.ID: false} {
		if strings.Contains(err.Error(), id) != named {
			t.Errorf("%v: names %s is not %v", err, id, named)
		}
	}
	_, err = w.CreatePart(t.Context(), w.rival, service.CreatePartInput{FileName: "a.step", ProjectID: p.ID})
	wantCode(t, "another team's project", err, service.CodeNotFound)
}
