package planning

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// blockPlanner is at work on a block from the origin, where tasks are known and nothing is decided yet.
func blockPlanner(t *testing.T, size geom.Vec3) *planner {
	t.Helper()
	model := build.Box(size)
	made, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(t.Context(), model, made.Mesh, compute.OnCPU(1))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &planner{in: Input{
		Run: run, Sheets: sheets, Config: machining.BuiltInCutConfig(), Tools: machining.BuiltInTools(),
	}, g: run.Graph, plan: &Plan{}}
	if err := p.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.place(); err != nil {
		t.Fatal(err)
	}
	if err := p.usable(); err != nil {
		t.Fatal(err)
	}
	if err := p.findTasks(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// A block of 40 × 30 × 20 mm in stock of 2 mm more on each side is gripped on its existing faces: raw ones, and its own
// once they are finished.
func TestWhatAViseGrips(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 40, Y: 30, Z: 20})
	const top = side(0)

	raw := p.begin()
	if g, ok := p.vise(raw, top, 1); !ok || g.soft || g.top != -2+3 || g.planes != (geom.Interval{Lo: -2, Hi: 32}) {
		t.Errorf("raw stock: %+v, %t", g, ok)
	}
	cut := p.begin()
	holds := p.clampings(cut, top)
	p.work(cut, top, &holds[0])
	g, ok := p.vise(cut, top.opposite(), 1)
	if !ok || !g.soft || g.planes != (geom.Interval{Lo: 0, Hi: 30}) || g.rest != -20 {
		t.Errorf("upside down: %+v, %t", g, ok)
	}
	if g, ok := p.vise(cut, sideOf(0, true), 2); !ok || g.planes != (geom.Interval{Lo: -2, Hi: 20}) {
		t.Errorf("between a raw face and a finished one: %+v, %t", g, ok)
	}
	for task := range cut.done {
		cut.done[task], cut.made[task] = false, p.begin().made[task]
	}
	for axis := range 2 {
		if g, ok := p.vise(cut, top.opposite(), axis); ok {
			t.Errorf("jaws on faces that are not finished: %+v", g)
		}
	}
}

// TestHasRun holds the search for a run to counting.
func TestHasRun(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		list := make([]bool, random.IntN(30))
		for i := range list {
			list[i] = random.IntN(5) > 0
		}
		enough, run, most := 1+random.IntN(7), 0, 0
		for _, is := range list {
			if run++; !is {
				run = 0
			}
			most = max(most, run)
		}
		if got, want := hasRun(len(list), enough, func(k int) bool { return list[k] }), most >= enough; got != want {
			t.Errorf("a run of %d in %v: %v, want %v", enough, list, got, want)
		}
	}
}

// The clampings of a state do not depend on the order of sides that led to it.
func TestHoldsOfAState(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 40, Y: 30, Z: 20})
	asked := 0
	var follow func(st *state, depth int)
	follow = func(st *state, depth int) {
		for s := side(0); depth > 0 && s < sides; s++ {
			if st.before[s] {
				continue
			}
			got, want := p.clampings(st, s), p.findClampings(st, s)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("side %v after %v: %+v, want %+v", s, st.cuts, got, want)
			}
			asked++
			next := st.clone()
			p.work(next, s, &got[len(got)-1])
			follow(next, depth-1)
		}
	}
	follow(p.begin(), 4)
	if len(p.held) >= asked {
		t.Errorf("%d states of %d are known", len(p.held), asked)
	}
}
