package recognition

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
)

// drawn is a set with a class of each sort.
var drawn = faceSet{name: "drawn", classes: []Class{
	{Name: "pocket", Kinds: kinds(feature.Pocket)},
	{Name: "round", Kinds: kinds(feature.Pocket, feature.Boss), Loose: true},
	{Name: "stock", Kinds: kinds(feature.Face, feature.Profile), Raw: true},
	{Name: "flat", Kinds: kinds(feature.Pocket, feature.Face), Raw: true, Open: true},
}}

func TestMatch(t *testing.T) {
	const pocket, round, stock, flat = 0, 1, 2, 3
	class := []int{pocket, pocket, round, stock, stock, pocket, pocket, flat, flat}
	rows := []struct {
		name      string
		instances []instance
		found     []Found
		want      Match
	}{
		{"exact", []instance{{pocket, []int{0, 1}}, {pocket, []int{5, 6}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{0, 1}}, {Kind: feature.Pocket, Faces: []int{5, 6}}},
			Match{Both: 2}},
		{"with its round", []instance{{pocket, []int{0, 1}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{0, 1, 2}}}, Match{Both: 1}},
		{"with stock", []instance{{pocket, []int{0, 1}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{0, 1, 3}}}, Match{Missed: 1, Extra: 1}},
		{"another kind", []instance{{pocket, []int{0, 1}}},
			[]Found{{Kind: feature.Boss, Faces: []int{0, 1}}}, Match{Missed: 1, Extra: 1}},
		{"in two pieces", []instance{{pocket, []int{0, 1}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{0}}, {Kind: feature.Pocket, Faces: []int{1}}},
			Match{Missed: 1, Extra: 2}},
		{"one for two of the truth", []instance{{pocket, []int{0, 1}}, {pocket, []int{0, 1}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{0, 1}}}, Match{Both: 1, Missed: 1}},
		{"with a face no segment lists", []instance{{pocket, []int{0, 1}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{0, 1, 5}}, {Kind: feature.Pocket, Faces: []int{6}}},
			Match{Both: 1}},
		{"a flat with what was parted from it", []instance{{flat, []int{7}}},
			[]Found{{Kind: feature.Pocket, Faces: []int{7, 8}}}, Match{Both: 1}},
		{"raw faces", nil,
			[]Found{{Kind: feature.Face, Faces: []int{3}}, {Kind: feature.Profile, Faces: []int{3, 4}}}, Match{}},
		{"a pocket of raw faces", nil, []Found{{Kind: feature.Pocket, Faces: []int{3, 4}}}, Match{Extra: 1}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			scores := newScores()
			m, lines, err := drawn.match(&labeled{class: class, instances: row.instances},
				&Part{Faces: len(class), Found: row.found}, &scores)
			if err != nil {
				t.Fatal(err)
			}
			if m != row.want {
				t.Errorf("got %+v, want %+v: %v", m, row.want, lines)
			}
			if len(lines) != m.Missed+m.Extra {
				t.Errorf("%d lines for %+v: %v", len(lines), m, lines)
			}
		})
	}
}

// A groove of two round walls: its floor lies between them, the stock around each of them at one only.
func TestGrooveFloors(t *testing.T) {
	l := labeled{class: []int{stockClass, oringClass, stockClass, oringClass, stockClass},
		instances: []instance{{oringClass, []int{1, 3}}}}
	p := Part{Faces: 5, Edges: [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}}
	l.addGrooveFloors(&p)
	if got, want := l.instances[0].faces, []int{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("the groove has faces %v, want %v", got, want)
	}
	if want := []int{stockClass, oringClass, oringClass, oringClass, stockClass}; !slices.Equal(l.class, want) {
		t.Errorf("classes %v, want %v", l.class, want)
	}
}

func TestFaceReport(t *testing.T) {
	r := newFaceReport(&drawn)
	if err := r.add(&labeled{file: "a.step", class: []int{0, 0, 1, 2, 2}, instances: []instance{{0, []int{0, 1}}},
		interacting: 1},
		&Part{Faces: 5, Found: []Found{{Kind: feature.Pocket, Faces: []int{0, 1}},
			{Kind: feature.Hole, Faces: []int{2}}, {Kind: feature.Boss, Faces: []int{3}},
			{Kind: feature.Profile, Faces: []int{3}}}}); err != nil {
		t.Fatal(err)
	}
	if want := (Tally{Right: 3, Of: 5}); r.Faces != want {
		t.Errorf("faces %+v, want %+v: the round is a hole and a plane is nothing", r.Faces, want)
	}
	if n := r.Confusion[2][10]; r.Columns[10] != "" || n != 1 {
		t.Errorf("%d planes in column %q, want 1 in that of nothing", n, r.Columns[10])
	}
	if r.Interaction[1].Parts != 1 || r.Interaction[1].Faces != r.Faces {
		t.Errorf("by interaction: %+v", r.Interaction[1])
	}
	var b bytes.Buffer
	r.Print(&b, true)
	for _, want := range []string{"60.00 %", "a.step: round taken for Hole: faces [2]",
		"a.step: stock taken for nothing: faces [4]", "missed", "extra Boss [3]"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, b.String())
		}
	}
}

func TestF1(t *testing.T) {
	for _, row := range []struct {
		m    Match
		want float64
	}{{Match{}, 1}, {Match{Both: 3}, 1}, {Match{Both: 1, Missed: 1, Extra: 1}, 0.5}, {Match{Missed: 2}, 0}} {
		if got := row.m.F1(); got != row.want {
			t.Errorf("F1 of %+v is %v, want %v", row.m, got, row.want)
		}
	}
}

func TestCountedAllowsUncertainEntries(t *testing.T) {
	for _, row := range []struct {
		c    counted
		want []int
	}{
		{counted{sure: 4}, []int{4}},
		{counted{sure: 4, maybe: []uncertain{{n: 2}, {n: 3}}}, []int{4, 6, 7, 9}},
		{counted{sure: 4, maybe: []uncertain{{n: 2, any: true}}}, []int{4, 5, 6}},
		{counted{maybe: []uncertain{{n: 2, any: true}, {n: 4}}}, []int{0, 1, 2, 4, 5, 6}},
	} {
		for n := range 12 {
			if got, want := row.c.allows(n), slices.Contains(row.want, n); got != want {
				t.Errorf("%v allows %d: %v, want %v", row.c, n, got, want)
			}
		}
	}
}

// People may count what a void leaves of a hole on each side, all of them or none.
func TestCountsOfPieces(t *testing.T) {
	for want, right := range map[int]bool{1: false, 2: true, 3: true, 4: false} {
		r := CountReport{Groups: map[string]*Tally{}}
		r.add("a.step", &Part{Found: []Found{{Kind: feature.Hole, Pieces: 2}, {Kind: feature.Hole, Pieces: 1}}},
			map[string]*counted{"holes": {sure: want}})
		if got := r.Named.Right == 1; got != right {
			t.Errorf("two holes, one of two pieces, counted %d: right is %v, want %v", want, got, right)
		}
	}
}

func TestClassesAreDecided(t *testing.T) {
	for _, s := range faceSets {
		for _, c := range s.classes {
			if c.Name == "" || c.Reason == "" || len(c.Kinds) == 0 {
				t.Errorf("%s: class %q has kinds %v, reason %q", s.name, c.Name, c.Kinds, c.Reason)
			}
		}
	}
	for _, c := range countClasses {
		if c.Prefix == "" || c.Reason == "" {
			t.Errorf("name %q has reason %q", c.Prefix, c.Reason)
		}
	}
}

// A report must be written as JSON too, and the sets must be read as they lie in the corpus.
func TestSets(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 225 parts")
	}
	dir := corpus.Dir(t)
	for _, set := range Sets {
		t.Run(set, func(t *testing.T) {
			r, err := Run(context.Background(), set, Folder(dir, set))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
			switch r := r.(type) {
			case *FaceReport:
				if len(r.Unread) > 0 || r.Faces.Of == 0 {
					t.Errorf("%d faces judged, not read: %v", r.Faces.Of, r.Unread)
				}
				if m := r.Instances; r.Faces.Share() < 0.98 || m != nil && m.F1() < 0.95 {
					t.Errorf("faces right %v, features %+v", r.Faces, m)
				}
			case *CountReport:
				if len(r.Unread) > 0 || r.Named.Of != 91 {
					t.Errorf("%d counts judged, want 91, not read: %v", r.Named.Of, r.Unread)
				}
				if r.Named.Share() < 0.9 {
					t.Errorf("counts right: %v", r.Named)
				}
			}
		})
	}
	if _, err := Run(context.Background(), "none", filepath.Join(dir, "none")); err == nil {
		t.Error("a set that does not exist was run")
	}
}

// TestInnerChamfers checks that a chamfer in a concave edge for most of its length belongs to the cut that contains it.
func TestInnerChamfers(t *testing.T) {
	arc := func(other int32, bend graph.Convexity, length float64) graph.Adjacency {
		return graph.Adjacency{A: 0, B: other, Convexity: bend, Length: length}
	}
	for _, row := range []struct {
		name string
		arcs []graph.Adjacency
		want int
	}{
		{"outer", []graph.Adjacency{arc(1, graph.Convex, 10), arc(2, graph.Convex, 10), arc(3, graph.Concave, 1)}, chamferClass},
		{"inner", []graph.Adjacency{arc(1, graph.Concave, 10), arc(2, graph.Concave, 10), arc(3, graph.Convex, 1)}, innerClass},
	} {
		l := labeled{class: []int{chamferClass, stockClass}, instances: []instance{{chamferClass, []int{0}}}}
		p := Part{Faces: 2, patch: []int32{0, 1}, graph: &graph.Graph{Arcs: row.arcs,
			Patches: []graph.Patch{{Arcs: []int32{0, 1, 2}}, {}, {}, {}}}}
		l.nameInnerChamfers(&p)
		if l.class[0] != row.want || l.class[1] != stockClass || l.instances[0].class != row.want {
			t.Errorf("%s: classes %v, of the segment %d, want %d", row.name, l.class, l.instances[0].class, row.want)
		}
	}
}
