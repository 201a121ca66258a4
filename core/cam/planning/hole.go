package planning

// Holes: the steps along an axis.
//
// The faces of a hole are walked from the mouth down while it narrows; what widens again is not of the chain, and is
// left to the other side. A hole that is open at both ends goes into the setup that suits; where tools are too short
// for it, each end makes what they reach. The narrowest bore is made by the quickest method that holds its band
// (quickest.go); wider ones above it are milled. A band of IT8 and finer is reamed where a reamer has the size. Drills
// are led by a spot, unless they center themselves. Threads are cut where the file states them, or the cut config wants
// those that only a diameter suggests.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// seenMost is the share of the wall of a hole that its side must see: what crosses it takes some.
const seenMost = 0.5

// step is one operation at one hole.
type step struct {
	phase    phase
	strategy Strategy
	purpose  cutting.Purpose
	tool     int
	patches  []int32 // that it finishes
	top      float64 // along the side, mm
	bottom   float64 // of the tip
	diameter float64 // that it leaves
	notes    []string
}

// phase is when in a setup a step is done.
type phase uint8

const (
	spotting phase = iota
	drilling
	boring
	sinking
	reaming
	threading
)

// stack is a hole as one side sees it.
type stack struct {
	p           *planner
	id          int
	facts       *feature.HoleFacts
	side        side
	center      geom.Vec3 // on the axis, in the frame of the workpiece
	bores       []bore    // from the mouth down
	countersink *countersink
	tip         int32 // cone or sphere that ends it, graph.None
	flat        int32 // plane that ends it, graph.None
	ledges      []int32
	top         float64
	closed      bool
	patches     []int32        // all of these
	extra       []Unmachinable // what it leaves, if it is made from this side
	isCropped   bool           // something of it is left out
	short       *rejection     // why its narrowest bore is made in part only; nil: it is made wholly
	full        float64        // along the side: down to where it is made then; +Inf: nowhere to its size
	at          place          // of the tool that was last asked for
	room        float64        // mm below its narrowest bore, 0 where not yet found
	equal, all  int            // holes along the axis: with its diameter, and at all
}

// bore is a cylinder of a stack.
type bore struct {
	patches []int32
	radius  float64
	z       geom.Interval
}

// countersink is the conical mouth of a stack.
type countersink struct {
	patch int32
	angle float64 // between flank and axis, rad
	z     geom.Interval
	wide  float64 // radius at the top
}

// holeTasks adds the task of a hole, if any side can make it whole or in part, and takes its patches.
func (p *planner) holeTasks(id int, taken []bool) {
	var own *task
	var first *stack
	for s := side(0); s < sides; s++ {
		st, ok := p.stackOf(id, s, taken)
		if !ok {
			continue
		}
		steps, why := st.steps()
		if own != nil && !slices.Equal(own.patches, st.patches) {
			if why != nil || !st.helps(first) {
				continue
			}
			if st.short == nil { // it makes the bore wholly, which is a part of the hole
				st.short, st.full = first.short, st.bores[len(st.bores)-1].z.Lo
			}
		}
		if own == nil {
			if (why != nil || st.isCropped) && !st.isSmall() {
				continue // large enough to be milled as a pocket
			}
			own, first = p.addTask(st.patches), st
		}
		if why != nil {
			own.why[s] = why
			continue
		}
		low := st.top
		for i := range steps {
			low = min(low, steps[i].bottom)
		}
		wide := 0.0
		for i := range steps {
			wide = max(wide, p.tools[steps[i].tool].Diameter/2)
		}
		p.set(len(p.tasks)-1, s, &approach{kind: hole, tool: steps[0].tool, z: geom.Interval{Lo: low, Hi: st.top},
			wide: max(0, wide-st.bores[0].radius), hole: steps, extra: st.extra, short: st.short, full: st.full}, nil)
	}
	if own != nil { // not before, as the other end sees the same
		for _, q := range own.patches {
			taken[q] = true
		}
	}
}

// helps reports whether a stack is the narrowest bore of one that is made in part from the other end, which makes the
// wider ones.
func (s *stack) helps(of *stack) bool {
	narrowest := of.bores[len(of.bores)-1].patches
	return of.short != nil && slices.Equal(s.patches, slices.Sorted(slices.Values(narrowest)))
}

// isSmall reports whether no end mill goes into the hole as it would into a pocket.
func (s *stack) isSmall() bool {
	last := s.bores[len(s.bores)-1].radius
	return len(s.p.choose(func(t *tool) bool { return t.Diameter <= 2*last-play }, machining.FlatEndMill)) == 0 ||
		s.bores[len(s.bores)-1].z.Length() > 6*last
}

// stackOf walks a hole from a side; false where the side is not one of its ends.
func (p *planner) stackOf(id int, s side, taken []bool) (*stack, bool) {
	f := &p.in.Run.Features[id]
	facts, ok := p.in.Sheets[id].Facts.(*feature.HoleFacts)
	dir := s.dir(p.frame)
	if !ok || f.Hole == nil || !p.fits[s] || p.seen[s] == graph.None ||
		facts.Axis.Cross(dir).Norm() > graph.DirectionTolerance ||
		!f.Hole.Through && facts.Axis.Dot(dir) < 0 || facts.SweepDeg < 360 {
		return nil, false
	}
	st := &stack{p: p, id: id, facts: facts, side: s, center: p.frame.Local(facts.Center), tip: graph.None,
		flat: graph.None,
		top:  math.Inf(-1), closed: !f.Hole.Through}
	var walls []int32
	for _, q := range p.patchesOf(id) {
		if taken[q] {
			continue
		}
		if k := p.g.Patches[q].Kind; k == surface.KindCylinder || k == surface.KindCone {
			walls = append(walls, q)
		}
		st.patches = append(st.patches, q)
	}
	if len(walls) == 0 || p.in.Run.Visibility.Seen(p.g, p.seen[s], walls) < seenMost {
		return nil, false
	}
	st.walk()
	return st, len(st.bores) > 0
}

// walk sorts the patches into bores, mouth and end, and keeps those that narrow from the mouth down.
func (s *stack) walk() {
	p, all := s.p, s.patches
	span := func(q int32) geom.Interval { return s.side.span(p.boxes[q]) }
	slices.SortStableFunc(all, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(round(span(a).Hi), round(span(b).Hi)),
			-cmp.Compare(round(span(a).Lo), round(span(b).Lo)))
	})
	s.patches = nil
	radius := math.Inf(1)
	dir := s.side.dir(p.frame)
	for _, q := range all {
		sh, z := &p.g.Patches[q].Shape, span(q)
		switch sh.Kind {
		case surface.KindCylinder:
			if sh.Radius > radius+p.tol() {
				continue
			}
			if n := len(s.bores); n > 0 && math.Abs(s.bores[n-1].radius-sh.Radius) <= p.tol() {
				b := &s.bores[n-1]
				b.patches, b.z.Lo, b.z.Hi = append(b.patches, q), min(b.z.Lo, z.Lo), max(b.z.Hi, z.Hi)
			} else {
				s.bores = append(s.bores, bore{[]int32{q}, sh.Radius, z})
			}
			radius = sh.Radius
		case surface.KindCone:
			if !s.cone(q, sh, z, radius) {
				continue
			}
		case surface.KindPlane:
			if sh.Axis.Dot(dir) <= 0 {
				continue
			}
			if s.closed && len(s.bores) > 0 && p.coversAxis(q, s.bores[0].patches[0]) {
				s.flat = q
			} else {
				s.ledges = append(s.ledges, q)
			}
		default:
			if n := len(s.bores); sh.Kind != surface.KindSphere || n == 0 {
				continue
			}
			s.tip = q
		}
		s.top = max(s.top, z.Hi)
		s.patches = append(s.patches, q)
	}
	s.patches = slices.DeleteFunc(s.patches,
		func(q int32) bool { return slices.Contains(s.ledges, q) && !s.isShoulder(q) })
	slices.Sort(s.patches)
}

// isShoulder reports whether a ledge ends a bore above a narrower one. Others lie in widenings that no side sees.
func (s *stack) isShoulder(ledge int32) bool {
	z := s.side.span(s.p.boxes[ledge]).Lo
	return slices.ContainsFunc(s.bores[:max(len(s.bores)-1, 0)],
		func(b bore) bool { return math.Abs(b.z.Lo-z) <= s.p.tol() })
}

// cone takes a cone as the mouth or the tip of a stack; it returns false where it is neither.
func (s *stack) cone(q int32, sh *graph.Shape, z geom.Interval, radius float64) bool {
	p, dir := s.p, s.side.dir(s.p.frame)
	up := math.Sin(sh.Slope) * sh.Axis.Dot(dir) // of its normals; the mesh has none at the apex
	if !sh.Hollow {
		up = -up
	}
	if up <= graph.DirectionTolerance || sh.Axis.Cross(dir).Norm() > graph.DirectionTolerance {
		return false
	}
	reach := p.g.Reach(q, &graph.Shape{Origin: sh.Origin, Axis: sh.Axis})
	if reach.Hi > radius+p.tol() {
		return false
	}
	switch {
	case len(s.bores) == 0 && s.countersink == nil:
		s.countersink = &countersink{patch: q, angle: math.Asin(up), z: z, wide: reach.Hi}
	case s.closed && reach.Lo <= p.tol():
		s.tip = q
	default:
		return false
	}
	return true
}

// coversAxis reports whether the axis of a bore goes through a plane.
func (p *planner) coversAxis(q, bore int32) bool {
	hit := false
	p.g.Pierced(q, &p.g.Patches[bore].Shape, func(float64, bool) { hit = true })
	return hit
}

// unmade returns the area of a task that is not made. Of a hole or a wall that is made in part the rest counts.
func (p *planner) unmade(st *state, t int) float64 {
	task := &p.tasks[t]
	if st.done[t] {
		return 0
	}
	if task.shares != nil {
		return task.weight * max(1-task.shares.reached(st.from[t]), 0)
	}
	for s, w := range task.ways {
		if made := st.made[t][side(s).axis()]; w != nil && made.Length() > 0 {
			whole := along(task.box, side(s).axis())
			return task.weight * max(1-overlap(made, whole).Length()/whole.Length(), 0)
		}
	}
	return task.weight
}

// makesPart records the part of a hole that a way makes; it returns false where that was made before. The other end may
// make the rest.
func (p *planner) makesPart(st *state, s side, t int, w *approach) bool {
	axis, whole := s.axis(), along(p.tasks[t].box, s.axis())
	got, old := s.flip(geom.Interval{Lo: min(w.full, w.z.Hi), Hi: w.z.Hi}), st.made[t][s.axis()]
	if old.Length() >= 0 {
		if got.Lo >= old.Lo-p.tol() && got.Hi <= old.Hi+p.tol() {
			return false
		}
		if got.Length() <= p.tol() { // a core, which is open already
			return false
		}
		if overlap(old, got).Length() < -p.tol() { // material stays between: the depth of the two ends counts
			got = geom.Interval{Lo: whole.Lo,
				Hi: whole.Lo + overlap(old, whole).Length() + overlap(got, whole).Length()}
		} else {
			got = geom.Interval{Lo: min(old.Lo, got.Lo), Hi: max(old.Hi, got.Hi)}
		}
	}
	st.made[t][axis] = got
	st.done[t] = got.Lo <= whole.Lo+p.tol() && got.Hi >= whole.Hi-p.tol()
	return true
}
