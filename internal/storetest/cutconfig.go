package storetest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/record"
)

func (f *fixture) cutConfig(team account.Team, libraries []string) catalog.CutConfig {
	c := catalog.CutConfig{
		CutConfig: machining.BuiltInCutConfig(), TeamID: team.ID, CreatedAt: f.tick(), UpdatedAt: f.now,
	}
	c.ID, c.Name, c.ToolLibraryIDs = uuid.NewString(), "Stahl 'grob'", append([]string{}, libraries...)
	return c
}

func (f *fixture) newCutConfig(team account.Team, user account.User, libraries []string) catalog.CutConfig {
	f.t.Helper()
	c := f.cutConfig(team, libraries)
	f.must(f.store.CreateCutConfig(f.ctx, c, user.ID))
	return c
}

// wantCutConfigs checks the cut configs that a user reads, by id and in the list.
func (f *fixture) wantCutConfigs(user account.User, want ...catalog.CutConfig) {
	f.t.Helper()
	var ids []string
	for _, c := range want {
		ids = append(ids, c.ID)
	}
	got, err := f.store.CutConfigsByID(f.ctx, user.TeamID, user.ID, ids)
	if err != nil || !reflect.DeepEqual(got, want) {
		f.t.Errorf("CutConfigsByID = %+v, %v\nwant %+v", got, err, want)
	}
	list, total, err := f.store.ListCutConfigs(f.ctx, user.TeamID, user.ID, "", record.Page{Page: 1, PageSize: 100})
	if err != nil || !reflect.DeepEqual(list, want) || total != len(want) {
		f.t.Errorf("ListCutConfigs = %+v, %d, %v\nwant %+v", list, total, err, want)
	}
}

func testCutConfigs(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	f.wantCutConfigs(ann, []catalog.CutConfig{}...)
	lib := f.newToolLibrary(f.team)
	first := f.newCutConfig(f.team, ann, []string{machining.BuiltInToolLibraryID, lib.ID})
	second := f.newCutConfig(f.team, ann, nil)
	f.wantCutConfigs(ann, second, first)
	if err := f.store.CreateCutConfig(f.ctx, first, ann.ID); !errors.Is(err, record.ErrExists) {
		t.Errorf("second cut config of one id: %v, want ErrExists", err)
	}
	first.Name, first.Stock.Kind, first.UpdatedAt = "Messing", machining.StockCylinder, f.tick()
	first.ToolLibraryIDs = []string{lib.ID, machining.BuiltInToolLibraryID}
	got, err := f.store.UpdateCutConfig(f.ctx, f.team.ID, ann.ID, first.ID, func(c *catalog.CutConfig) error {
		*c = first
		return nil
	})
	if err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("UpdateCutConfig = %+v, %v; want %+v", got, err, first)
	}
	f.wantCutConfigs(ann, second, first)
	no := errors.New("no")
	if _, err := f.store.UpdateCutConfig(f.ctx, f.team.ID, ann.ID, first.ID, func(c *catalog.CutConfig) error {
		c.Name = "never"
		return no
	}); !errors.Is(err, no) {
		t.Errorf("UpdateCutConfig with a refused change: %v, want the refusal", err)
	}
	f.wantCutConfigs(ann, second, first)
	for n, want := range map[int]catalog.CutConfig{1: second, 2: first} {
		p := record.Page{Page: n, PageSize: 1}
		page, total, err := f.store.ListCutConfigs(f.ctx, f.team.ID, ann.ID, "", p)
		if err != nil || total != 2 || len(page) != 1 || page[0].ID != want.ID {
			t.Errorf("page %d of 1 = %+v, %d, %v; want %s of 2", n, page, total, err, want.ID)
		}
	}
}

func testCutConfigOfAnotherTeam(t *testing.T, f *fixture) {
	other := f.newTeam("other")
	ann, bob := f.newUser(f.team, "ann"), f.newUser(other, "bob")
	mine := f.newCutConfig(f.team, ann, nil)
	theirs := f.newToolLibrary(other)
	f.wantCutConfigs(bob, []catalog.CutConfig{}...)
	got, err := f.store.CutConfigsByID(f.ctx, other.ID, bob.ID, []string{mine.ID, uuid.NewString()})
	if err != nil || len(got) != 0 {
		t.Errorf("CutConfigsByID of another team = %+v, %v; want none", got, err)
	}
	keep := func(*catalog.CutConfig) error { return nil }
	if _, err := f.store.UpdateCutConfig(f.ctx, other.ID, bob.ID, mine.ID, keep); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("UpdateCutConfig of another team: %v, want ErrNotFound", err)
	}
	if err := f.store.DeleteCutConfig(f.ctx, other.ID, "", mine.ID, nil); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("DeleteCutConfig of another team: %v, want ErrNotFound", err)
	}
	for name, id := range map[string]string{"another team's": theirs.ID, "unknown": uuid.NewString()} {
		bad := f.cutConfig(f.team, []string{id})
		if err := f.store.CreateCutConfig(f.ctx, bad, ann.ID); !errors.Is(err, record.ErrNoReference) {
			t.Errorf("CreateCutConfig with an %s tool library: %v, want ErrNoReference", name, err)
		}
		use := func(c *catalog.CutConfig) error { c.ToolLibraryIDs = []string{id}; return nil }
		_, err := f.store.UpdateCutConfig(f.ctx, f.team.ID, ann.ID, mine.ID, use)
		if !errors.Is(err, record.ErrNoReference) {
			t.Errorf("UpdateCutConfig with an %s tool library: %v, want ErrNoReference", name, err)
		}
	}
	f.wantCutConfigs(ann, mine)
}

func testDefaultCutConfig(t *testing.T, f *fixture) {
	ann, ben := f.newUser(f.team, "ann"), f.newUser(f.team, "ben")
	wantDefault := func(user account.User, want string) {
		t.Helper()
		if got, err := f.store.DefaultCutConfig(f.ctx, user.ID); err != nil || got != want {
			t.Errorf("DefaultCutConfig of %s = %q, %v; want %q", user.Name, got, err, want)
		}
	}
	mark := func(user account.User, c catalog.CutConfig, is bool) {
		t.Helper()
		_, err := f.store.UpdateCutConfig(f.ctx, f.team.ID, user.ID, c.ID, func(c *catalog.CutConfig) error {
			c.IsDefault = is
			return nil
		})
		f.must(err)
	}
	wantDefault(ann, "")
	first := f.cutConfig(f.team, nil)
	first.IsDefault = true
	f.must(f.store.CreateCutConfig(f.ctx, first, ann.ID))
	second := f.newCutConfig(f.team, ann, nil)
	f.wantCutConfigs(ann, second, first)
	wantDefault(ann, first.ID)
	wantDefault(ben, "")

	mark(ann, second, true)
	second.IsDefault, first.IsDefault = true, false
	f.wantCutConfigs(ann, second, first)
	mark(ben, first, true)
	wantDefault(ann, second.ID)
	wantDefault(ben, first.ID)
	mark(ann, first, false) // it was not hers
	wantDefault(ann, second.ID)
	wantDefault(ben, first.ID)
	mark(ann, second, false)
	wantDefault(ann, "")

	f.must(f.store.DeleteCutConfig(f.ctx, f.team.ID, "", first.ID, nil))
	wantDefault(ben, "")
}

func testDeleteCutConfig(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	gone, kept := f.newCutConfig(f.team, ann, nil), f.newCutConfig(f.team, ann, nil)
	hit, spared := f.newProject(f.team, gone.ID), f.newProject(f.team, kept.ID)
	f.must(f.store.DeleteCutConfig(f.ctx, f.team.ID, "", gone.ID, nil))
	f.wantCutConfigs(ann, kept)
	hit.CutConfigID = ""
	f.wantProject(hit)
	f.wantProject(spared)
	if err := f.store.DeleteCutConfig(f.ctx, f.team.ID, "", gone.ID, nil); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("second deletion: %v, want ErrNotFound", err)
	}
}

// testDeleteAfterCheck: a deletion whose check fails removes nothing. Of a deletion and a change that expect the same
// state, one finds another.
func testDeleteAfterCheck(t *testing.T, f *fixture) {
	ann := f.newUser(f.team, "ann")
	config, library := f.newCutConfig(f.team, ann, nil), f.newToolLibrary(f.team)
	refused := errors.New("refused")
	for _, err := range []error{
		f.store.DeleteCutConfig(f.ctx, f.team.ID, ann.ID, config.ID, func(now catalog.CutConfig) error {
			if !reflect.DeepEqual(now, config) {
				t.Errorf("the check sees %+v, want %+v", now, config)
			}
			return refused
		}),
		f.store.DeleteToolLibrary(f.ctx, f.team.ID, library.ID, func(now catalog.ToolLibrary) error {
			if !reflect.DeepEqual(now, library) {
				t.Errorf("the check sees %+v, want %+v", now, library)
			}
			return refused
		}),
	} {
		if !errors.Is(err, refused) {
			t.Errorf("a deletion that its check refuses: %v", err)
		}
	}
	f.wantCutConfigs(ann, config)

	const n = 20
	for range n {
		config, library := f.newCutConfig(f.team, ann, nil), f.newToolLibrary(f.team)
		var errs [4]error
		as := func(now, then string) error {
			if now != then {
				return refused
			}
			return nil
		}
		f.atOnce(len(errs), func(i int) error {
			switch i {
			case 0:
				check := func(now catalog.CutConfig) error { return as(now.Name, config.Name) }
				errs[i] = f.store.DeleteCutConfig(f.ctx, f.team.ID, ann.ID, config.ID, check)
			case 1:
				change := func(now *catalog.CutConfig) error {
					err := as(now.Name, config.Name)
					now.Name = "changed"
					return err
				}
				_, errs[i] = f.store.UpdateCutConfig(f.ctx, f.team.ID, ann.ID, config.ID, change)
			case 2:
				check := func(now catalog.ToolLibrary) error { return as(now.Name, library.Name) }
				errs[i] = f.store.DeleteToolLibrary(f.ctx, f.team.ID, library.ID, check)
			case 3:
				change := func(now *catalog.ToolLibrary) error {
					err := as(now.Name, library.Name)
					now.Name = "changed"
					return err
				}
				_, errs[i] = f.store.UpdateToolLibrary(f.ctx, f.team.ID, library.ID, change)
			}
			return nil
		})
		for i := 0; i < len(errs); i += 2 {
			deleted, changed := errs[i], errs[i+1]
			first := deleted == nil && errors.Is(changed, record.ErrNotFound)
			if second := changed == nil && errors.Is(deleted, refused); first == second {
				t.Errorf("deletion %d: %v, change: %v; want one of them", i, deleted, changed)
			}
		}
	}
}

// testCutConfigDeletedAtOnce checks that in any order of events no project keeps a deleted cut config.
func testCutConfigDeletedAtOnce(t *testing.T, f *fixture) {
	const n = 8
	ann := f.newUser(f.team, "ann")
	config := f.newCutConfig(f.team, ann, nil)
	var projects []catalog.Project
	for range n {
		projects = append(projects, f.newProject(f.team, ""))
	}
	f.atOnce(n+1, func(i int) error {
		if i == n {
			return f.store.DeleteCutConfig(f.ctx, f.team.ID, "", config.ID, nil)
		}
		_, err := f.store.UpdateProject(f.ctx, f.team.ID, projects[i].ID, func(p *catalog.Project) error {
			p.CutConfigID = config.ID
			return nil
		})
		if errors.Is(err, record.ErrNoReference) {
			return nil
		}
		return err
	})
	for _, p := range projects {
		f.wantProject(p)
	}
}
