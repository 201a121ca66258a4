package planning

// The share of a wall or a floor that each mill makes.
//
// Method: the section of the part above a height is an exact area (package shadow). The tip of a mill stays out of the
// offset of that area by the mill's radius. The boundary of the offset is tagged with the patch that the mill touches:
// its length is the share of each wall. The share of a floor is the area that the mill's disc sweeps outside of the
// offset. Neck, shank, holder and jaws are ignored here: a thinner mill cuts all stock that remains.
//
// Cost: one offset of the section near the patches for each diameter, two for a floor.

import (
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// stage is the share of a task that a mill makes before a thinner one makes the rest.
type stage struct {
	tool int
	size float64 // mm of path along a wall, or mm² of a floor
}

// profile is the part seen along a side.
type profile struct {
	view   outline.Projection
	shadow *shadow.Shadow
	err    error // of arcpoly, with no known case: then nothing else is valid
}

func (p *planner) profileOf(s side) *profile {
	if p.profiles[s] == nil {
		a, _ := s.across()
		f := geom.Frame{X: sideOf(a, true).dir(p.frame), Z: s.dir(p.frame)}
		f.Y = f.Z.Cross(f.X)
		v := &profile{view: p.samples.In(p.g, f)}
		v.shadow, v.err = shadow.New(p.g, p.samples, f)
		p.profiles[s] = v
	}
	return p.profiles[s]
}

// window returns the rectangle around some patches, enlarged by a distance, mm.
func (v *profile) window(patches []int32, by float64) (*arcpoly.Area, error) {
	x, y := v.view.Graph.Exact(patches, v.view.Frame.X), v.view.Graph.Exact(patches, v.view.Frame.Y)
	at := [4]geom.Vec2{
		{X: x.Lo - by, Y: y.Lo - by}, {X: x.Hi + by, Y: y.Lo - by},
		{X: x.Hi + by, Y: y.Hi + by}, {X: x.Lo - by, Y: y.Hi + by},
	}
	l := planar.Loop{}
	for i := range at {
		l = append(l, planar.NewLine(at[i], at[(i+1)%len(at)]))
		l[i].Tag = graph.None
	}
	return arcpoly.New(l)
}

// vicinity is the part above a height near some patches.
type vicinity struct {
	patches []int32
	section *arcpoly.Area
	window  *arcpoly.Area // rectangle in which the section is complete for every tool that it is for
}

// vicinity cuts the part above a height near some patches, for mills up to a diameter.
func (v *profile) vicinity(patches []int32, z, widest float64) (near vicinity, err error) {
	if v.err != nil {
		return near, v.err
	}
	near.patches = patches
	exact, err := v.shadow.Exact(z)
	if err != nil {
		return near, err
	}
	meshed, err := v.shadow.Meshed(z, 0)
	if err != nil {
		return near, err
	}
	if near.window, err = v.window(patches, widest); err != nil {
		return near, err
	}
	wide, err := v.window(patches, 2*widest)
	if err != nil {
		return near, err
	}
	if near.section, err = arcpoly.Union(exact, meshed); err != nil {
		return near, err
	}
	near.section, err = arcpoly.Intersection(near.section, wide)
	return near, err
}

// contacts returns the length of a mill's path along each wall that it touches, mm.
func (n *vicinity) contacts(diameter float64) (map[int32]float64, error) {
	tips, err := n.section.Offset(diameter / 2)
	if err != nil {
		return nil, err
	}
	long := map[int32]float64{}
	for _, l := range tips.Loops() {
		for i := range l {
			if slices.Contains(n.patches, l[i].Tag) {
				long[l[i].Tag] += l[i].Length()
			}
		}
	}
	return long, nil
}

// reached returns the size of the part of a floor that the flutes of a mill sweep, mm².
func (n *vicinity) reached(floor *arcpoly.Area, diameter float64) (float64, error) {
	tips, err := n.section.Offset(diameter / 2)
	if err != nil {
		return 0, err
	}
	free, err := n.window.Minus(tips)
	if err != nil {
		return 0, err
	}
	if free, err = free.Offset(diameter / 2); err != nil {
		return 0, err
	}
	free, err = arcpoly.Intersection(free, floor)
	return free.Size(), err
}

// thicker returns the mills that are thicker than a tool, have its corner radius and pass a test, the thickest first.
// Of each diameter it returns one.
func (p *planner) thicker(t *tool, test func(o *tool) bool) []int {
	list := p.choose(func(o *tool) bool {
		return o.Diameter > t.Diameter+p.tol() && o.CornerRadius == t.CornerRadius && test(o)
	}, machining.FlatEndMill, machining.BullNoseEndMill)
	return slices.CompactFunc(list, func(i, j int) bool { return p.tools[i].Diameter == p.tools[j].Diameter })
}

// wallStages returns the stages of thicker mills that pass a test at the walls of a group, and the whole path of the
// chosen mill, both by patch. The tip is at height z.
func (p *planner) wallStages(g *group, choice int, z float64, fits func(t *tool) bool) (
	stages map[int32][]stage, whole map[int32]float64,
) {
	t, v := &p.tools[choice], p.profileOf(g.side)
	if t.Kind == machining.BallEndMill {
		return nil, nil
	}
	spot := place{side: g.side, patches: slices.Concat(g.walls, g.fillets), bottom: z}
	list := p.thicker(t, func(o *tool) bool {
		spot.beside = o.Diameter / 2
		return fits(o) && p.clears(&spot, o)
	})
	if len(list) == 0 {
		return nil, nil
	}
	near, err := v.vicinity(g.walls, z+t.CornerRadius, p.tools[list[0]].Diameter)
	if err == nil {
		whole, err = near.contacts(t.Diameter)
	}
	stages = map[int32][]stage{}
	for _, i := range list {
		if err != nil {
			break
		}
		var touched map[int32]float64
		touched, err = near.contacts(p.tools[i].Diameter)
		for q, long := range touched {
			stages[q] = append(stages[q], stage{i, min(long, whole[q])})
		}
	}
	v.err = err
	return stages, whole
}

// floorStages returns the stages of mills that are thicker than a tool and pass a test on a floor, and the size of the
// whole floor.
func (p *planner) floorStages(q int32, s side, t *tool, test func(o *tool) bool) (stages []stage, whole float64) {
	v := p.profileOf(s)
	list := p.thicker(t, test)
	if len(list) == 0 {
		return nil, 0
	}
	near, err := v.vicinity([]int32{q}, s.span(p.boxes[q]).Lo, p.tools[list[0]].Diameter)
	var area *arcpoly.Area
	if err == nil {
		area, err = shadow.ProjectedArea(v.view, []int32{q})
	}
	for _, i := range list {
		var size float64
		if err == nil {
			size, err = near.reached(area, p.tools[i].Diameter)
		}
		if err == nil && size > 0 {
			stages = append(stages, stage{i, size})
		}
	}
	v.err = err
	return stages, area.Size()
}
