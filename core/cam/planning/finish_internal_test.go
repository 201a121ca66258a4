package planning

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

// A thicker mill makes a share of a floor where that saves more time than it costs. It costs a tool change if nothing
// else in the setup uses it.
func TestThickMillsHaveToPay(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 100, Y: 80, Z: 20})
	const top, hour = side(0), 3600
	step := &setup{side: top}
	for i := range p.tasks {
		if way := p.tasks[i].ways[top]; way != nil && way.kind == floor {
			step.items = []item{{task: i, bottom: way.z.Lo}}
		}
	}
	if len(step.items) != 1 {
		t.Fatal("no floor on top of the block")
	}
	mill := func(diameter float64) int {
		return p.choose(func(o *tool) bool { return o.Diameter == diameter }, machining.FlatEndMill)[0]
	}
	thin, thick := mill(4), mill(20)
	for _, row := range []struct {
		name          string
		area, change  float64 // mm² and s
		used, expects []int
	}{
		{"a large floor", 6000, 6, nil, []int{thick, thin}},
		{"a small floor", 60, 6, nil, []int{thin}},
		{"a large floor, and a tool change of an hour", 6000, hour, nil, []int{thin}},
		{"the same, with a mill of the setup", 6000, hour, []int{thick}, []int{thick, thin}},
		{"a small floor, with a mill of the setup", 30, hour, []int{thick}, []int{thin}},
	} {
		p.in.Config.Machine.ToolChangeSeconds = row.change
		way := p.tasks[step.items[0].task].ways[top]
		way.tool, way.rest, way.whole = thin, thin, row.area
		way.stages = []stage{{thick, 0.95 * row.area}}
		w := writer{planner: p, step: step, spare: map[int]bool{}}
		for _, tool := range row.used {
			w.out.Operations = append(w.out.Operations, Operation{Tool: tool})
		}
		w.dropStages()
		if got := w.mills(step.items[0]); !slices.Equal(got, row.expects) {
			t.Errorf("%s: mills %v, want %v", row.name, got, row.expects)
		}
	}
}
