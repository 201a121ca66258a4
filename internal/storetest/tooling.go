package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

func (f *fixture) newToolLibrary(team account.Team) catalog.ToolLibrary {
	f.t.Helper()
	tools := machining.BuiltInTools()
	l := catalog.ToolLibrary{
		ID: uuid.NewString(), TeamID: team.ID, Name: "Fräser Ø'6'", Format: catalog.ToolsFusion,
		ToolCount: len(tools), Tools: tools,
		Report: catalog.ToolReport{
			Entries: 70, Skipped: []catalog.ToolNote{{Entry: "3", Detail: "It is a probe."}}, Guessed: []catalog.ToolNote{},
		},
		CreatedAt: f.tick(),
	}
	f.must(f.store.CreateToolLibrary(f.ctx, l))
	return l
}

func testToolLibraries(t *testing.T, f *fixture) {
	first, second := f.newToolLibrary(f.team), f.newToolLibrary(f.team)
	for _, want := range []catalog.ToolLibrary{first, second} {
		got, err := f.store.ToolLibrary(f.ctx, f.team.ID, want.ID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ToolLibrary = %+v, %v\nwant %+v", got, err, want)
		}
	}
	if err := f.store.CreateToolLibrary(f.ctx, first); !errors.Is(err, record.ErrExists) {
		t.Errorf("second library of one id: %v, want ErrExists", err)
	}
	brief := func(l catalog.ToolLibrary) catalog.ToolLibrary {
		l.Tools, l.Report = nil, catalog.ToolReport{}
		return l
	}
	want := []catalog.ToolLibrary{brief(second), brief(first)}
	list, total, err := f.store.ListToolLibraries(f.ctx, f.team.ID, record.Page{Page: 1, PageSize: 100})
	if err != nil || total != 2 || !reflect.DeepEqual(list, want) {
		t.Errorf("ListToolLibraries = %+v, %d, %v\nwant %+v", list, total, err, want)
	}
	list, total, err = f.store.ListToolLibraries(f.ctx, f.team.ID, record.Page{Page: 2, PageSize: 1})
	if err != nil || total != 2 || !reflect.DeepEqual(list, want[1:]) {
		t.Errorf("second page = %+v, %d, %v\nwant %+v", list, total, err, want[1:])
	}
	known, err := f.store.KnownToolLibraries(f.ctx, f.team.ID, []string{second.ID, uuid.NewString(), first.ID})
	slices.Sort(known)
	ids := []string{first.ID, second.ID}
	slices.Sort(ids)
	if err != nil || !slices.Equal(known, ids) {
		t.Errorf("KnownToolLibraries = %v, %v; want %v", known, err, ids)
	}
}

func testUpdateToolLibrary(t *testing.T, f *fixture) {
	want, other := f.newToolLibrary(f.team), f.newToolLibrary(f.team)
	before := want
	want.Name, want.Tools, want.ToolCount = "Neu", machining.BuiltInTools()[:2], 2
	edit := func(l *catalog.ToolLibrary) error {
		if !reflect.DeepEqual(*l, before) {
			t.Errorf("the library to change is %+v, want %+v", *l, before)
		}
		l.Name, l.Tools, l.ToolCount = want.Name, want.Tools, want.ToolCount
		return nil
	}
	got, err := f.store.UpdateToolLibrary(f.ctx, f.team.ID, want.ID, edit)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("UpdateToolLibrary = %+v, %v\nwant %+v", got, err, want)
	}
	refusal := errors.New("it has changed")
	_, err = f.store.UpdateToolLibrary(f.ctx, f.team.ID, want.ID, func(l *catalog.ToolLibrary) error {
		l.Name = "x"
		return refusal
	})
	if !errors.Is(err, refusal) {
		t.Errorf("a refused change: %v, want %v", err, refusal)
	}
	for _, want := range []catalog.ToolLibrary{want, other} {
		if got, err := f.store.ToolLibrary(f.ctx, f.team.ID, want.ID); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ToolLibrary = %+v, %v\nwant %+v", got, err, want)
		}
	}
	for name, at := range map[string][2]string{
		"an unknown library":          {f.team.ID, uuid.NewString()},
		"the library of another team": {f.newTeam("third").ID, want.ID},
	} {
		if _, err := f.store.UpdateToolLibrary(f.ctx, at[0], at[1], edit); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
}

func testDeleteToolLibrary(t *testing.T, f *fixture) {
	gone, kept := f.newToolLibrary(f.team), f.newToolLibrary(f.team)
	ann := f.newUser(f.team, "ann")
	config := f.newCutConfig(f.team, ann, []string{kept.ID, gone.ID, machining.BuiltInToolLibraryID})
	second := f.newCutConfig(f.team, ann, []string{kept.ID})
	uses := map[string]int{gone.ID: 1, kept.ID: 2, machining.BuiltInToolLibraryID: 1, uuid.NewString(): 0}
	for id, want := range uses {
		users, total, err := f.store.ListCutConfigs(f.ctx, f.team.ID, ann.ID, id, record.Page{Page: 1, PageSize: 1})
		if err != nil || total != want || len(users) != min(want, 1) ||
			want == 1 && !reflect.DeepEqual(users[0], config) {
			t.Errorf("cut configs that use %s: %+v of %d, %v; want %d", id, users, total, err, want)
		}
	}
	f.must(f.store.DeleteCutConfig(f.ctx, f.team.ID, "", second.ID, nil))
	f.must(f.store.DeleteToolLibrary(f.ctx, f.team.ID, gone.ID, nil))
	if _, err := f.store.ToolLibrary(f.ctx, f.team.ID, gone.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("deleted library: %v, want ErrNotFound", err)
	}
	if err := f.store.DeleteToolLibrary(f.ctx, f.team.ID, gone.ID, nil); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("second deletion: %v, want ErrNotFound", err)
	}
	config.ToolLibraryIDs = []string{kept.ID, machining.BuiltInToolLibraryID}
	f.wantCutConfigs(ann, config)
}

func testToolingOfAnotherTeam(t *testing.T, f *fixture) {
	lib, holder := f.newToolLibrary(f.team), f.newHolder(f.team)
	other := f.newTeam("other")
	if _, err := f.store.ToolLibrary(f.ctx, other.ID, lib.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("ToolLibrary of another team: %v, want ErrNotFound", err)
	}
	if _, err := f.store.Holder(f.ctx, other.ID, holder.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Holder of another team: %v, want ErrNotFound", err)
	}
	if err := f.store.DeleteToolLibrary(f.ctx, other.ID, lib.ID, nil); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("DeleteToolLibrary of another team: %v, want ErrNotFound", err)
	}
	if err := f.store.DeleteHolder(f.ctx, other.ID, holder.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("DeleteHolder of another team: %v, want ErrNotFound", err)
	}
	known, err := f.store.KnownToolLibraries(f.ctx, other.ID, []string{lib.ID})
	if err != nil || len(known) != 0 {
		t.Errorf("KnownToolLibraries of another team = %v, %v; want none", known, err)
	}
	page := record.Page{Page: 1, PageSize: 100}
	if list, total, err := f.store.ListToolLibraries(f.ctx, other.ID, page); err != nil || total+len(list) != 0 {
		t.Errorf("ListToolLibraries of another team = %v, %d, %v; want none", list, total, err)
	}
	if list, total, err := f.store.ListHolders(f.ctx, other.ID, page); err != nil || total+len(list) != 0 {
		t.Errorf("ListHolders of another team = %v, %d, %v; want none", list, total, err)
	}
}

func (f *fixture) newHolder(team account.Team) catalog.Holder {
	f.t.Helper()
	h := catalog.Holder{
		Holder: machining.Holder{
			Name: "Futter", GaugeLength: 100.125, Cones: []machining.Cone{{DiameterBottom: 28, DiameterTop: 40.5, Height: 70}},
		},
		ID: uuid.NewString(), TeamID: team.ID, CreatedAt: f.tick(),
	}
	f.must(f.store.CreateHolder(f.ctx, h))
	return h
}

func testHolders(t *testing.T, f *fixture) {
	first, second := f.newHolder(f.team), f.newHolder(f.team)
	if got, err := f.store.Holder(f.ctx, f.team.ID, first.ID); err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("Holder = %+v, %v; want %+v", got, err, first)
	}
	if err := f.store.CreateHolder(f.ctx, first); !errors.Is(err, record.ErrExists) {
		t.Errorf("second holder of one id: %v, want ErrExists", err)
	}
	want := []catalog.Holder{second, first}
	list, total, err := f.store.ListHolders(f.ctx, f.team.ID, record.Page{Page: 1, PageSize: 100})
	if err != nil || total != 2 || !reflect.DeepEqual(list, want) {
		t.Errorf("ListHolders = %+v, %d, %v; want %+v", list, total, err, want)
	}
	f.must(f.store.DeleteHolder(f.ctx, f.team.ID, second.ID))
	if err := f.store.DeleteHolder(f.ctx, f.team.ID, second.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("second deletion: %v, want ErrNotFound", err)
	}
	list, total, err = f.store.ListHolders(f.ctx, f.team.ID, record.Page{Page: 1, PageSize: 100})
	if err != nil || total != 1 || !reflect.DeepEqual(list, want[1:]) {
		t.Errorf("ListHolders = %+v, %d, %v; want %+v", list, total, err, want[1:])
	}
}
