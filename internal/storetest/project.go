package storetest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/account"
	"millwright.dev/millwright/core/service/catalog"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

func (f *fixture) newProject(team account.Team, cutConfigID string) catalog.Project {
	f.t.Helper()
	p := catalog.Project{
		ID: uuid.NewString(), TeamID: team.ID, Name: "Getriebe Ø80 'neu'", CutConfigID: cutConfigID,
		CreatedAt: f.tick(), UpdatedAt: f.now,
	}
	f.must(f.store.CreateProject(f.ctx, p, account.Quota{}))
	return p
}

func (f *fixture) wantProject(want catalog.Project) {
	f.t.Helper()
	got, err := f.store.Project(f.ctx, want.TeamID, want.ID)
	if err != nil || got != want {
		f.t.Errorf("Project = %+v, %v; want %+v", got, err, want)
	}
}

func testProjects(t *testing.T, f *fixture) {
	bare := f.newProject(f.team, "")
	config := f.newCutConfig(f.team, f.newUser(f.team, "ann"), nil)
	full := f.newProject(f.team, config.ID)
	builtIn := f.newProject(f.team, machining.BuiltInCutConfigID)
	for _, want := range []catalog.Project{bare, full, builtIn} {
		f.wantProject(want)
	}
	if err := f.store.CreateProject(f.ctx, bare, account.Quota{}); !errors.Is(err, record.ErrExists) {
		t.Errorf("second project of one id: %v, want ErrExists", err)
	}
	bare.Name, bare.CutConfigID, bare.UpdatedAt = "other", config.ID, f.tick()
	got, err := f.store.UpdateProject(f.ctx, f.team.ID, bare.ID, func(p *catalog.Project) error {
		p.Name, p.CutConfigID, p.UpdatedAt = bare.Name, bare.CutConfigID, bare.UpdatedAt
		return nil
	})
	if err != nil || got != bare {
		t.Errorf("UpdateProject = %+v, %v; want %+v", got, err, bare)
	}
	f.wantProject(bare)
	no := errors.New("no")
	if _, err := f.store.UpdateProject(f.ctx, f.team.ID, bare.ID, func(p *catalog.Project) error {
		p.Name = "never"
		return no
	}); !errors.Is(err, no) {
		t.Errorf("UpdateProject with a refused change: %v, want the refusal", err)
	}
	f.wantProject(bare)
}

func testProjectOfAnotherTeam(t *testing.T, f *fixture) {
	other := f.newTeam("other")
	theirs := f.newCutConfig(other, f.newUser(other, "bob"), nil)
	p := f.newProject(f.team, "")
	if _, err := f.store.Project(f.ctx, other.ID, p.ID); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Project of another team: %v, want ErrNotFound", err)
	}
	rename := func(p *catalog.Project) error { p.Name = "taken"; return nil }
	if _, err := f.store.UpdateProject(f.ctx, other.ID, p.ID, rename); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("UpdateProject of another team: %v, want ErrNotFound", err)
	}
	for name, id := range map[string]string{"another team's": theirs.ID, "unknown": uuid.NewString()} {
		point := func(p *catalog.Project) error { p.CutConfigID = id; return nil }
		if _, err := f.store.UpdateProject(f.ctx, f.team.ID, p.ID, point); !errors.Is(err, record.ErrNoReference) {
			t.Errorf("UpdateProject to an %s cut config: %v, want ErrNoReference", name, err)
		}
		bad := p
		bad.ID, bad.CutConfigID = uuid.NewString(), id
		if err := f.store.CreateProject(f.ctx, bad, account.Quota{}); !errors.Is(err, record.ErrNoReference) {
			t.Errorf("CreateProject with an %s cut config: %v, want ErrNoReference", name, err)
		}
	}
	f.wantProject(p)
}

// testProjectUpdatesAtOnce checks that a change sees the result of the previous change.
func testProjectUpdatesAtOnce(t *testing.T, f *fixture) {
	const n = 8
	p := f.newProject(f.team, "")
	f.atOnce(n, func(int) error {
		_, err := f.store.UpdateProject(f.ctx, f.team.ID, p.ID, func(p *catalog.Project) error {
			p.Name += "x"
			return nil
		})
		return err
	})
	p.Name += "xxxxxxxx"
	f.wantProject(p)
}

func testPartWithProject(t *testing.T, f *fixture) {
	p := f.pendingPart(f.team)
	p.ID, p.ProjectID = uuid.NewString(), f.newProject(f.team, "").ID
	p.CutConfigIDs = []string{machining.BuiltInCutConfigID, uuid.NewString()}
	f.must(f.store.CreatePart(f.ctx, p, part.CreateTerms{}))
	if got := f.getPart(p.ID); !reflect.DeepEqual(got, p) {
		t.Errorf("Part = %+v\nwant   %+v", got, p)
	}
}
