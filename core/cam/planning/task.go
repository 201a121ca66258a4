package planning

// Tasks, and the directions from which they can be made.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// kind is the method of a task.
type kind uint8

const (
	floor    kind = iota // a plane that faces the tool
	wall                 // along the tool, with the fillet at its foot
	hole                 // steps along an axis
	bevel                // with a pointed tool along an edge
	slope                // with a ball along the surface
	undercut             // with a head that is wider than the opening
	ring                 // likewise, round in a bore
)

// isMilled reports whether what lies above is cleared first.
func (k kind) isMilled() bool { return k == floor || k == wall || k == slope || k == undercut }

// task is a set of patches made together.
type task struct {
	patches []int32
	weight  float64  // mm², its area
	box     geom.Box // in the frame of the workpiece
	ways    [sides]*approach
	why     [sides]*rejection // of the ways that there are not
	isDone  bool              // before the first setup
	shares  *byMany           // of a slope that no side makes whole
}

func (t *task) hasApproach() bool {
	return slices.ContainsFunc(t.ways[:], func(w *approach) bool { return w != nil })
}

// approach is the method of a task from one side.
type approach struct {
	kind kind
	tool int // that finishes it
	// stages are the shares of a wall or a floor that thicker mills may make first, the thickest first. The rest tool
	// makes what they leave of a floor.
	stages []stage
	whole  float64 // mm of path along a wall, or mm² of a floor
	rest   int
	z      geom.Interval  // along the side, mm: where the tip goes
	lift   float64        // mm that the tip leaves above Lo, by its corner
	ends   bool           // of a wall: nothing is at its foot, and the corner may go past its end
	wide   float64        // mm beside the task that the tool needs
	own    bool           // recognition chose the side
	hole   []step         // of a hole
	extra  []Unmachinable // what it leaves
	gap    *rejection     // why gaps of a pocket are left; nil: it has none, or they are made
	short  *rejection     // why a hole, a wall or a floor is made in part only; nil: it is made wholly
	full   float64        // along the side: down to where the hole is made then

	seconds float64 // that it takes, of a slope; of others it is not known yet

	channel *channel // of an undercut, which the mill rest opens
	groove  *groove  // of a ring
}

// rejection is why there is no way.
type rejection struct {
	reason completeness.Reason
	detail string
	remedy string
}

func refuse(r completeness.Reason, format string, args ...any) *rejection {
	return &rejection{reason: r, detail: fmt.Sprintf(format, args...)}
}

// with adds what would mend it.
func (r *rejection) with(format string, args ...any) *rejection {
	r.remedy = fmt.Sprintf(format, args...)
	return r
}

// of names it for a feature and some faces.
func (r *rejection) of(feature int, regions []int) Unmachinable {
	return Unmachinable{Feature: feature, Regions: regions, Reason: r.reason, Detail: r.detail, Remedy: r.remedy}
}

// findTasks lists the tasks with their approaches. It returns the error of ctx.
func (p *planner) findTasks(ctx context.Context) error {
	taken := p.excludedPatches()
	p.taskOf = make([]int, len(p.g.Patches))
	for q := range p.taskOf {
		p.taskOf[q] = -1
	}
	for i, f := range p.in.Run.Features {
		if f.Type == feature.Hole && p.isWanted(i) {
			p.holeTasks(i, taken)
		}
	}
	p.channelTasks(taken)
	p.grooveTasks(taken)
	at := make([]int, len(p.g.Patches)) // those that are made patch by patch
	for q := range p.g.Patches {
		at[q] = -1
		if taken[q] || p.taskOf[q] >= 0 || !p.isPlanned(int32(q)) {
			continue
		}
		at[q] = len(p.tasks)
		p.addTask([]int32{int32(q)})
	}
	// What is found for a side is of that side alone.
	err := parallel.Try(ctx, int(sides), 1, func() func(i int) error {
		return func(i int) error {
			s := side(i)
			if !p.fits[s] || p.seen[s] == graph.None {
				return nil
			}
			for _, g := range p.groups(s, at) {
				p.wallApproaches(&g, at)
				p.floorApproaches(&g, at)
			}
			p.bevelApproaches(s, at)
			return p.slopeApproaches(ctx, s, at)
		}
	})
	for _, v := range p.profiles {
		if v != nil && v.err != nil {
			return v.err
		}
	}
	if err != nil {
		return err
	}
	p.keepWhole(at)
	p.wallsInPart(at)
	if err := p.slopesInPart(ctx, at); err != nil {
		return err
	}
	p.keepCorners(at)
	p.doneTasks()
	return nil
}

// keepWhole drops ways that make a part of a wall or a floor where a way from another side makes all of it, or two from
// opposite sides make half each.
func (p *planner) keepWhole(at []int) {
	for _, t := range at {
		if t < 0 {
			continue
		}
		task, isWhole := &p.tasks[t], false
		for s := side(0); s < sides; s++ {
			isWhole = isWhole || p.isWhole(task, s)
		}
		for s, w := range task.ways {
			if isWhole && w != nil && !w.isSure() {
				task.ways[s], task.why[s] = nil, cmp.Or(w.short, w.gap)
			}
		}
	}
}

// isWhole reports whether a side makes all of a task, by itself or with others.
func (p *planner) isWhole(task *task, s side) bool {
	w := task.ways[s]
	return w.isSure() && (w.kind != wall || p.goesDown(task, w, s) || task.ways[s.opposite()].isSure())
}

// isSure reports whether there is a way that leaves nothing as high as it goes.
func (w *approach) isSure() bool { return w != nil && w.short == nil && w.gap == nil }

// keepCorners drops approaches that would leave a sharp inner corner: a floor that is made as a wall, vertical next to
// the wall on it, keeps the radius of the tool in its corner. One of the two faces is left to a recognized direction in
// which the edge is level, else the larger face.
func (p *planner) keepCorners(at []int) {
	for i := range p.g.Arcs {
		a := &p.g.Arcs[i]
		if a.Convexity != graph.Concave || at[a.A] < 0 || at[a.B] < 0 {
			continue
		}
		for s := side(0); s < sides; s += 2 {
			if math.Abs(a.Dir.Dot(s.dir(p.frame))) <= graph.LateralCos {
				continue
			}
			best, flat := -1, flatApproaches{}
			for _, t := range [2]int{at[a.A], at[a.B]} {
				if f := p.flatApproaches(t, s.axis()); best < 0 || f.better(flat) {
					best, flat = t, f
				}
			}
			if both := p.isWall(at[a.A], s) && p.isWall(at[a.B], s); flat.any && both {
				p.tasks[best].ways[s], p.tasks[best].ways[s.opposite()] = nil, nil
			}
		}
	}
}

// flatApproaches is the summary of a task's approaches across an axis.
type flatApproaches struct {
	any, own bool
	area     float64
}

func (f flatApproaches) better(o flatApproaches) bool {
	if f.any != o.any {
		return f.any
	}
	if f.own != o.own {
		return f.own
	}
	return f.area > o.area
}

func (p *planner) flatApproaches(t, axis int) flatApproaches {
	f := flatApproaches{area: round(p.tasks[t].weight)}
	for s, w := range p.tasks[t].ways {
		if w != nil && w.short == nil && side(s).axis() != axis {
			f.any, f.own = true, f.own || w.own
		}
	}
	return f
}

// isWall reports whether a task is a wall along the axis of a side.
func (p *planner) isWall(t int, s side) bool {
	for _, w := range [2]*approach{p.tasks[t].ways[s], p.tasks[t].ways[s.opposite()]} {
		if w != nil && w.kind == wall {
			return true
		}
	}
	return false
}

func (p *planner) addTask(patches []int32) *task {
	t := task{patches: patches, box: geom.EmptyBox()}
	for _, q := range patches {
		t.weight += p.g.Patches[q].Area
		t.box = t.box.Union(p.boxes[q])
		p.taskOf[q] = len(p.tasks)
	}
	p.tasks = append(p.tasks, t)
	return &p.tasks[len(p.tasks)-1]
}

// isPlanned reports whether a patch is wanted and of a kind of feature that is planned at all.
func (p *planner) isPlanned(q int32) bool {
	for _, f := range p.owners[q] {
		if p.in.Run.Features[f].HasOuterThread() {
			return false
		}
	}
	return len(p.owners[q]) > 0
}

// group is the set of a feature's patches for one side.
type group struct {
	side           side
	feature        int
	walls, fillets []int32
	floors         []int32
}

// groups returns the patches that a side can make, by the feature that they are of: of two, that which recognition
// looks at from the side.
func (p *planner) groups(s side, at []int) []group {
	byFeature := make([]*group, len(p.in.Run.Features))
	for q := range p.g.Patches {
		if at[q] < 0 {
			continue
		}
		owner := p.owners[q][0]
		for _, f := range p.owners[q] {
			if p.isOwn(f, s) {
				owner = f
				break
			}
		}
		g := byFeature[owner]
		if g == nil {
			g = &group{side: s, feature: owner}
			byFeature[owner] = g
		}
		p.sort(g, int32(q))
	}
	var out []group
	for _, g := range byFeature {
		if g != nil {
			out = append(out, *g)
		}
	}
	return out
}

// sort puts a patch where it belongs in a group, if the side sees enough of it.
func (p *planner) sort(g *group, q int32) {
	v := p.in.Run.Visibility.View(p.g, p.seen[g.side], q)
	switch {
	case v.Relation == direction.Normal && v.Share >= direction.MinFloorVisibility:
		if p.lean(q, g.side) <= flat {
			g.floors = append(g.floors, q)
		}
	case v.Relation == direction.Parallel && v.Share >= direction.MinWallVisibility:
		g.walls = append(g.walls, q)
	case v.Relation == direction.Oblique && !v.Obstructed && p.filletRadius(q, g.side) > 0:
		g.fillets = append(g.fillets, q)
	}
}

// flat is the largest height difference within a floor, mm: a tool that faces it leaves no more and cuts no deeper.
const flat = 0.01

// lean returns by how much the heights of a plane differ along a side, mm.
func (p *planner) lean(q int32, s side) float64 { return s.span(p.boxes[q]).Length() }

// filletRadius returns the radius of a hollow blend that the rounded corner of a tool makes as it passes along a wall;
// 0 for all other patches.
func (p *planner) filletRadius(q int32, s side) float64 {
	sh, dir := &p.g.Patches[q].Shape, s.dir(p.frame)
	if !sh.Hollow {
		return 0
	}
	switch {
	case sh.Kind == surface.KindCylinder && math.Abs(sh.Axis.Dot(dir)) <= graph.DirectionTolerance:
		return sh.Radius
	case sh.Kind == surface.KindTorus && sh.Axis.Cross(dir).Norm() <= graph.DirectionTolerance:
		return sh.Minor
	case sh.Kind == surface.KindSphere:
		return sh.Radius
	}
	return 0
}

// isOwn reports whether recognition looks at a feature from a side.
func (p *planner) isOwn(f int, s side) bool {
	d, dir := p.in.Run.Features[f].Direction, s.dir(p.frame)
	return d.Dot(dir) > 0 && d.Cross(dir).Norm() <= graph.DirectionTolerance
}

// neighbors calls visit for the arcs of a patch and what is across.
func (p *planner) neighbors(q int32, visit func(a *graph.Adjacency, other int32)) {
	for _, x := range p.g.Patches[q].Arcs {
		visit(&p.g.Arcs[x], p.g.Arcs[x].Other(q))
	}
}

// hasBaseEdge reports whether a wall meets a floor in a sharp inner edge, seen from a side.
func (p *planner) hasBaseEdge(q int32, s side) bool { return len(p.floorsAt(q, s)) > 0 }

// floorsAt returns the floors that a wall meets in a sharp inner edge, seen from a side.
func (p *planner) floorsAt(q int32, s side) (floors []int32) {
	p.neighbors(q, func(a *graph.Adjacency, o int32) {
		if a.Convexity == graph.Concave && p.g.Facing(o, s.dir(p.frame)) {
			floors = append(floors, o)
		}
	})
	return floors
}

// sharpCorners returns the concave edges upright to a side between some walls.
func (p *planner) sharpCorners(walls []int32, s side) []int32 {
	var out []int32
	for _, q := range walls {
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			if a.Convexity == graph.Concave && math.Abs(a.Dir.Dot(s.dir(p.frame))) > graph.LateralCos &&
				slices.Contains(walls, a.Other(q)) {
				out = append(out, x)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// set records a way or why there is none.
func (p *planner) set(t int, s side, w *approach, r *rejection) {
	task := &p.tasks[t]
	if w == nil {
		task.why[s] = r
		return
	}
	for _, q := range task.patches {
		for _, f := range p.owners[q] {
			w.own = w.own || p.isOwn(f, s)
		}
	}
	task.ways[s], task.why[s] = w, nil
}
