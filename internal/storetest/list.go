package storetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/service/part"
	"millwright.dev/millwright/core/service/record"
)

// testListParts finds parts by every filter.
func testListParts(t *testing.T, f *fixture) {
	project := f.newProject(f.team, "")
	named := func(name, projectID string) string {
		p := f.pendingPart(f.team)
		_, err := f.store.UpdatePart(f.ctx, f.team.ID, p.ID, func(p *part.Part) error {
			p.FileName, p.ProjectID = name, projectID
			return nil
		})
		f.must(err)
		return p.ID
	}
	gear := named("Getriebe Ø80.STEP", project.ID)
	odd := named("100%_of'it.igs", "")
	_, j, fence := f.leased()
	f.must(f.store.Fail(f.ctx, fence, fault.Error{Code: fault.NoSolid, Reason: "-"}, f.tick()))
	failed := j.PartID
	f.discard(f.pendingPart(f.team))
	f.pendingPart(f.newTeam("other"))
	for _, c := range []struct {
		name string
		of   part.Filter
		want []string
		all  int
	}{
		{"all", part.Filter{}, []string{failed, odd, gear}, 3},
		{"second page", part.Filter{Page: record.Page{Page: 2, PageSize: 2}}, []string{gear}, 3},
		{"after the last", part.Filter{Page: record.Page{Page: 9, PageSize: 2}}, nil, 3},
		{"status", part.Filter{Status: part.Failed}, []string{failed}, 1},
		{"project", part.Filter{ProjectID: project.ID}, []string{gear}, 1},
		{"no such project", part.Filter{ProjectID: uuid.NewString()}, nil, 0},
		{"name in another case", part.Filter{Name: "GETRIEBE ø8"}, []string{gear}, 1},
		{"extension", part.Filter{Name: ".step"}, []string{failed, gear}, 2},
		{"signs of patterns", part.Filter{Name: "0%_O"}, []string{odd}, 1},
		{"a pattern", part.Filter{Name: "G%80"}, nil, 0},
		{"no text", part.Filter{Name: "\xff\x00'"}, nil, 0},
		{"all filters", part.Filter{Name: "80", Status: part.Pending, ProjectID: project.ID}, []string{gear}, 1},
		{"filters that contradict", part.Filter{Name: "80", Status: part.Ready}, nil, 0},
	} {
		if c.of.PageSize == 0 {
			c.of.Page = record.Page{Page: 1, PageSize: 20}
		}
		got, total, err := f.store.ListParts(f.ctx, part.Query{TeamID: f.team.ID, Filter: c.of})
		var ids []string
		for _, p := range got {
			ids = append(ids, p.ID)
		}
		if err != nil || total != c.all || !slices.Equal(ids, c.want) || got == nil {
			t.Errorf("%s: %v of %d, %v; want %v of %d", c.name, ids, total, err, c.want, c.all)
		}
	}
}

// testUpdatePart renames parts and moves them.
func testUpdatePart(t *testing.T, f *fixture) {
	want := f.pendingPart(f.team)
	edit := func(p *part.Part) error {
		p.FileName, p.ProjectID, p.UpdatedAt = "Ø.stp", "p", f.tick()
		p.Status = part.Ready // is not its business
		return nil
	}
	_, err := f.store.UpdatePart(f.ctx, f.team.ID, want.ID, edit)
	f.must(err)
	want.FileName, want.ProjectID, want.UpdatedAt = "Ø.stp", "p", f.now
	if got := f.getPart(want.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("Part = %+v\nwant   %+v", got, want)
	}
	refused := errors.New("refused")
	_, err = f.store.UpdatePart(f.ctx, f.team.ID, want.ID, func(p *part.Part) error {
		p.FileName = "lost"
		return refused
	})
	if got := f.getPart(want.ID); !errors.Is(err, refused) || got.FileName != want.FileName {
		t.Errorf("a refused change: %v, then the name %q", err, got.FileName)
	}
	if _, err := f.store.UpdatePart(f.ctx, f.newTeam("other").ID, want.ID, edit); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("UpdatePart of another team: %v, want ErrNotFound", err)
	}
}

// testListProjects lists the projects of a team.
func testListProjects(t *testing.T, f *fixture) {
	var want []string
	for range 3 {
		want = append([]string{f.newProject(f.team, "").ID}, want...)
	}
	f.newProject(f.newTeam("other"), "")
	for page, part := range [][]string{want[:2], want[2:], nil} {
		got, total, err := f.store.ListProjects(f.ctx, f.team.ID, record.Page{Page: page + 1, PageSize: 2})
		var ids []string
		for _, p := range got {
			ids = append(ids, p.ID)
		}
		if err != nil || total != 3 || !slices.Equal(ids, part) || got == nil {
			t.Errorf("page %d: %v of %d, %v; want %v of 3", page+1, ids, total, err, part)
		}
	}
}
