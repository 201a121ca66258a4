package planning

import (
	"math"
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

// first returns the best grip along an axis.
func first(p *planner, st *state, s side, axis int) (viseGrip, bool) {
	list := p.vise(st, s, axis)
	if len(list) == 0 {
		return viseGrip{}, false
	}
	return list[0], true
}

// A block of 40 × 30 × 20 mm in stock of 2 mm more on each side is gripped on its existing faces: raw ones, for which
// there is more stock below it, and its own once they are finished.
func TestWhatAViseGrips(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 40, Y: 30, Z: 20})
	const top = side(0)

	raw := p.clampings(p.begin(), top)
	const under, grip = 1, 6
	if h := raw[0]; h.stock == nil || !near(h.stock.Min.Z, -under-jawClear-grip) || !near(h.limit, -under) ||
		!near(h.strength.grip.Depth, grip) || h.strength.grip.Friction != frictionRaw || h.strength.open != 34 {
		t.Errorf("raw stock: %+v, %+v", h, h.strength)
	}
	cut := p.begin()
	step := p.work(cut, top, &raw[0])
	for _, it := range step.items {
		if task := &p.tasks[it.task]; task.ways[top].kind == wall && !cut.done[it.task] {
			t.Errorf("the first setup does not finish the wall %v", task.box)
		}
	}
	g, ok := first(p, cut, top.opposite(), 1)
	if !ok || !g.soft || g.planes != (geom.Interval{Lo: 0, Hi: 30}) || g.rest != -20 || g.depth != deepGrip {
		t.Errorf("upside down: %+v, %t", g, ok)
	}
	if g, ok := first(p, cut, sideOf(0, true), 2); ok && g.planes.Hi != 20 {
		t.Errorf("between a raw face and a finished one: %+v, %t", g, ok)
	}
	for task := range cut.done {
		cut.done[task], cut.made[task] = false, p.begin().made[task]
	}
	for axis := range 2 {
		if g, ok := first(p, cut, top.opposite(), axis); ok && g.planes.Lo == 0 {
			t.Errorf("jaws on faces that are not finished: %+v", g)
		}
	}

	p.in.Config.Workholding.Opening, p.in.Config.Workholding.OuterOpening = 33, 0
	p.known = nil
	if h := p.clampings(p.begin(), top); len(h) != 0 {
		t.Errorf("in a vise that opens 33 mm: %+v", h)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

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
			got, want := p.clampings(st, s), p.findClampings(st, s, p.in.Config.Workholding.Kind)
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
	if len(p.known) >= asked {
		t.Errorf("%d states of %d are known", len(p.known), asked)
	}
}
