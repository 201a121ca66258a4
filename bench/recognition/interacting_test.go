package recognition

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// TestInteractingSample recognizes a sample of the interacting parts, zipped: of seed 16016 the smallest of each family
// that show their case; five of seed 70701 and three of 70702 in which others cut away the connection between the faces
// of a feature; two of 917322 and 917366 in which they leave a wall of a concave feature inside the contour, and two of
// 1127326 and 1127339 in which that counted as a side. The generator's truth of a part must agree with the model of our
// reader, and every face must have an owner. Recognition does not find all features; it must not find fewer.
func TestInteractingSample(t *testing.T) {
	files, err := partsIn(filepath.Join("testdata", "interacting"))
	if err != nil {
		t.Fatal(err)
	}
	families, kinds, names := map[string]bool{}, map[feature.Type]bool{}, map[string]bool{}
	touching := 0
	for _, path := range files {
		var want truth
		if err := readJSON(beside(path), &want); err != nil {
			t.Fatal(err)
		}
		families[want.Family] = true
		checkSolid(t, path, &want)
		checkOwners(t, &want)
		for i, f := range want.Features {
			kinds[f.Kind], names[f.Name] = true, true
			if len(f.Meets) > 0 {
				touching++
			}
			for _, other := range f.Meets {
				if other == i || other < 0 || other >= len(want.Features) {
					t.Errorf("%s: feature %d meets %d", want.Name, i, other)
				}
			}
		}
	}
	if len(files) != 32 || len(families) != 5 || len(kinds) < 8 || len(names) < 25 || touching < 100 {
		t.Errorf("%d parts of %d families, %d kinds, %d names, %d features that touch others", len(files),
			len(families), len(kinds), len(names), touching)
	}
	r, err := runGenerated(context.Background(), Interacting, filepath.Join("testdata", "interacting"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Unread) > 0 || r.Instances.F1() < 0.982 || r.Faces.Share() < 0.99 {
		t.Errorf("features %+v, faces right %v, not read: %v", r.Instances, r.Faces, r.Unread)
	}
	for _, line := range r.Lines {
		if strings.Contains(line, "extra "+string(feature.Profile)) {
			t.Error(line)
		}
	}
}

// checkSolid compares faces and volume of a file with what the generator says of it.
func checkSolid(t *testing.T, path string, want *truth) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(context.Background(), f, info.Size(), path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if len(m.Faces) < want.Faces {
		t.Errorf("%s: %d faces, want %d", path, len(m.Faces), want.Faces)
	}
	got, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if math.Abs(got.Volume-want.Volume) > 1e-5*want.Volume {
		t.Errorf("%s: volume %v, want %v", path, got.Volume, want.Volume)
	}
}

// checkOwners reports faces that no feature has, or several that do not allow it, and readings with faces of others.
func checkOwners(t *testing.T, want *truth) {
	owner := make([]*truthFeature, want.Faces)
	for i := range want.Features {
		f := &want.Features[i]
		for _, face := range f.Faces {
			if face < 0 || face >= want.Faces {
				t.Fatalf("%s: face %d of %d", want.Name, face, want.Faces)
			}
			if o := owner[face]; o != nil && o.Kind != feature.Profile && f.Kind != feature.Profile {
				t.Errorf("%s: face %d is of a %s and a %s", want.Name, face, o.Kind, f.Kind)
			}
			owner[face] = f
		}
		if len(f.Faces) == 0 || f.Name == "" {
			t.Errorf("%s: feature %d, a %s called %q, has faces %v", want.Name, i, f.Kind, f.Name, f.Faces)
		}
		for _, list := range f.Or {
			var all []int
			for _, o := range list {
				all = append(all, o.Faces...)
			}
			if slices.Sort(all); !slices.Equal(all, f.Faces) {
				t.Errorf("%s: another reading of %s %v has faces %v", want.Name, f.Name, f.Faces, all)
			}
		}
	}
	for face, o := range owner {
		if o == nil {
			t.Errorf("%s: nothing has face %d", want.Name, face)
		}
	}
}

// What counts for a feature of which the truth allows other readings, and for faces that several may have.
func TestOtherReadings(t *testing.T) {
	step := truthFeature{Kind: feature.Pocket, Name: "step", Faces: []int{0, 1}, Meets: []int{1},
		Or: [][]reading{{{Kinds: []feature.Type{feature.Face}, Faces: []int{0}},
			{Kinds: []feature.Type{feature.Face, feature.Wall}, Faces: []int{1}}}}}
	mantle := truthFeature{Kind: feature.Profile, Name: "mantle", Faces: []int{2}, Raw: true,
		Or: [][]reading{{{Kinds: []feature.Type{feature.Boss}, Faces: []int{2}}}}}
	plane := truthFeature{Kind: feature.Face, Name: "Face", Faces: []int{3}, Also: []feature.Type{feature.Profile}}
	face := Found{Kind: feature.Face, Faces: []int{3}}
	for _, row := range []struct {
		name  string
		found []Found
		want  Match
		other int
		right int // faces
	}{
		{"as it is", []Found{{Kind: feature.Pocket, Faces: []int{0, 1}}, face}, Match{Both: 2}, 0, 3},
		{"floor and wall", []Found{{Kind: feature.Face, Faces: []int{0}}, {Kind: feature.Wall, Faces: []int{1}}, face},
			Match{Both: 2}, 1, 3},
		{"half of another reading", []Found{{Kind: feature.Face, Faces: []int{0}}, face},
			Match{Both: 1, Missed: 1, Extra: 1}, 0, 2},
		{"a boss of the mantle", []Found{{Kind: feature.Pocket, Faces: []int{0, 1}}, face,
			{Kind: feature.Boss, Faces: []int{2}}}, Match{Both: 2}, 0, 4},
		{"a wall of the mantle", []Found{{Kind: feature.Pocket, Faces: []int{0, 1}}, face,
			{Kind: feature.Wall, Faces: []int{2}}}, Match{Both: 2, Extra: 1}, 0, 3},
		{"a profile of mantle and plane", []Found{{Kind: feature.Pocket, Faces: []int{0, 1}}, face,
			{Kind: feature.Profile, Faces: []int{2, 3}}}, Match{Both: 2}, 0, 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := &Part{Faces: 4, Found: row.found}
			for range row.found {
				p.Sheets = append(p.Sheets, feature.Datasheet{Facts: &feature.PocketFacts{}})
				p.Result.Features = append(p.Result.Features, feature.Feature{})
			}
			r := newGeneratedReport(Interacting)
			features := []truthFeature{step, mantle, plane}
			for i := range features {
				features[i].Sense = "any"
			}
			if err := r.add(&truth{Name: "part", Faces: 4, Features: features}, p); err != nil {
				t.Fatal(err)
			}
			if r.Instances != row.want || r.Others != row.other || r.Faces.Right != row.right {
				t.Errorf("%+v, %d in other readings, %d faces right, want %+v, %d, %d: %v", r.Instances, r.Others,
					r.Faces.Right, row.want, row.other, row.right, r.Lines)
			}
			if m := r.Kinds[feature.Pocket].Touching; m.wanted() != 1 {
				t.Errorf("the step touches another feature, but %+v is counted so", m)
			}
		})
	}
}

func TestSorts(t *testing.T) {
	hole := map[string]any{"isThrough": false, "bottom": "flat", "counterbore": map[string]any{"depth": 1.0},
		"countersink": nil}
	pocket := map[string]any{"isOpen": true, "isThrough": false, "shape": "slot"}
	for _, row := range []struct {
		kind        feature.Type
		facts, want map[string]any
		sort        string
	}{
		{feature.Hole, hole, hole, "Hole blind flat counterbore"},
		{feature.Pocket, pocket, pocket, "Pocket open blind slot"},
		{feature.Pocket, pocket, map[string]any{"shape": "rectangular"}, "Pocket slot"},
		{feature.Face, pocket, pocket, "Face"},
		{feature.Tslot, map[string]any{"openEnds": 2.0}, map[string]any{"openEnds": 1.0}, "Tslot 2 openEnds"},
	} {
		if got := sortOf(row.kind, row.facts, row.want); got != row.sort {
			t.Errorf("sort of %v by %v is %q, want %q", row.facts, row.want, got, row.sort)
		}
	}
	s := newScores()
	s.sorted(feature.Pocket, "passage", map[string]any{"isThrough": false}, map[string]any{"isThrough": true}, true, "part")
	if m := s.Words["passage through is blind"]; m == nil || m.Count != 1 || s.Sort.Touching.F1() != 0 {
		t.Errorf("wrong words are %v, F1 %v", s.Words, s.Sort)
	}
	var b strings.Builder
	s.print(&b)
	for _, want := range []string{"passage: 1 Pocket blind", "1  passage through is blind: part"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, b.String())
		}
	}
}

// TestGroups separates two features of a class by their edges, if that gives the number in the file's name.
func TestGroups(t *testing.T) {
	p := &Part{Faces: 5, Edges: [][2]int{{0, 1}, {2, 3}}}
	for _, row := range []struct {
		name  string
		drawn int
		want  [][]int
	}{
		{"one in pieces", 1, [][]int{{0, 1, 2, 3, 4}}},
		{"as many as pieces", 3, [][]int{{0, 1}, {2, 3}, {4}}},
		{"fewer than pieces", 2, nil},
	} {
		l := &labeled{class: make([]int, 5)}
		l.group(p, []int{row.drawn})
		var got [][]int
		for _, in := range l.instances {
			got = append(got, in.faces)
		}
		if !slices.EqualFunc(got, row.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

// TestCutApart recognizes parts (six of seed 20261201; of 99171124, 551999, 552727, 20261124, 820002, 820003,
// 2026112718, 2026112738, 917355, 1127352 and 1127365) on which others divide a feature. The features are a groove
// around an island, flats, steps, pockets of one convex outline, the end of a slot, of a T-slot and of a keyway,
// bosses, the rounds of a boundary, and the tip of a drill. Further ones are through pockets that intersect or open at
// a side, and a part with bosses on all sides.
func TestCutApart(t *testing.T) {
	r, err := runGenerated(context.Background(), Interacting, filepath.Join("testdata", "apart"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Parts != 25 || len(r.Unread) > 0 || r.Instances.Missed+r.Instances.Extra > 0 {
		t.Errorf("%d parts, features %+v, not read: %v:\n%s", r.Parts, r.Instances, r.Unread, strings.Join(r.Lines, "\n"))
	}
}
