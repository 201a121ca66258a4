package datasheet

// Tools that go round an outline.
//
// Everything of the part that rises above the foot of the outline stands in the way of a tool, whose
// shank reaches up as far as the part does: the edges of all faces that do, seen along the direction,
// are its obstacles. They are kept in a grid over the plane, one for each direction, and looked up in
// windows round the outline that grow until the discs found lie within; a disc that is wider than any
// tool counts as unbounded.
//
// Limits: the silhouettes of curved faces between their edges are not seen.

import (
	"math"
	"slices"
	"sync"

	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/feature/outline"
	"millwright/core/geom"
	"millwright/core/geom/region"
)

const (
	widestTool  = 250 // mm: face mills end there
	firstWindow = 30  // mm round an outline: most neighbours are nearer
)

// obstacle is an edge as seen along a direction.
type obstacle struct {
	edge   brep.EdgeID
	z      geom.Interval
	lo, hi geom.Vec2
}

// field is the obstacles along one direction.
type field struct {
	view outline.View
	all  []obstacle
	grid *region.Grid
}

// fields are those of the directions that were asked for, which all goroutines share.
type fields struct {
	guard sync.Mutex
	along map[geom.Vec3]*field
}

// of returns the obstacles along the direction of a subject.
func (f *fields) of(s *subject) *field {
	f.guard.Lock()
	defer f.guard.Unlock()
	if f.along[s.dir] == nil {
		f.along[s.dir] = newField(s.view)
	}
	return f.along[s.dir]
}

func newField(v outline.View) *field {
	f := &field{view: v}
	var lo, hi []geom.Vec2
	edges := v.Graph.Model.Edges
	for e := range edges {
		if edges[e].Curve == nil || len(edges[e].Coedges) == 0 {
			continue
		}
		o := obstacle{edge: brep.EdgeID(e), z: v.Span(brep.EdgeID(e))}
		o.lo, o.hi = v.Box(brep.EdgeID(e))
		if o.lo.Dist(o.hi) <= geom.Resolution {
			continue // along the direction
		}
		f.all = append(f.all, o)
		lo, hi = append(lo, o.lo), append(hi, o.hi)
	}
	f.grid = region.NewGrid(lo, hi)
	return f
}

// within returns the pieces of the obstacles that keep accepts in a window, in the order of the edges;
// the tag of a piece is its edge.
func (f *field) within(lo, hi geom.Vec2, keep func(o *obstacle) bool) []region.Piece {
	var found []int32
	f.grid.Within(lo, hi, func(i int) bool {
		o := &f.all[i]
		if o.lo.X <= hi.X && o.hi.X >= lo.X && o.lo.Y <= hi.Y && o.hi.Y >= lo.Y && keep(o) {
			found = append(found, int32(i))
		}
		return true
	})
	slices.Sort(found)
	var out []region.Piece
	for _, i := range found {
		out = f.view.AppendEdge(out, f.all[i].edge, false, int32(f.all[i].edge))
	}
	return out
}

// reachOf returns the box that holds all discs of a diameter on the left of an outline. A single segment has
// them on one side, whatever turns may have them on any.
func reachOf(l region.Loop, closed bool, diameter float64) (lo, hi geom.Vec2) {
	box := region.Loop{l[0]}
	grow := geom.Vec2{X: diameter, Y: diameter}
	if len(l) > 1 || l[0].Turn != 0 || closed {
		box = l
	} else {
		t := l[0].Tangent(0)
		off := geom.Vec2{X: -t.Y * diameter / 2, Y: t.X * diameter / 2}
		box[0].From, box[0].To = box[0].From.Add(off), box[0].To.Add(off)
		grow = grow.Scale(0.5)
	}
	lo.X, hi.X = region.Span(box, geom.Vec2{X: 1})
	lo.Y, hi.Y = region.Span(box, geom.Vec2{Y: 1})
	slack := geom.Vec2{X: geom.Resolution, Y: geom.Resolution} // what touches the outline is in the way
	return lo.Sub(grow).Sub(slack), hi.Add(grow).Add(slack)
}

// clearance returns what limits tools round an outline of a subject, a chain with its free side on the
// left.
func (p *part) clearance(s *subject, l region.Loop, closed bool) feature.CdData {
	if len(l) == 0 {
		return feature.CdData{}
	}
	f := p.fields.of(s)
	keep := func(o *obstacle) bool { return p.isInTheWay(s, o) }
	lo, hi := reachOf(l, closed, 0)
	for window := max(firstWindow, hi.Dist(lo)/2); ; window = widestTool {
		lo, hi = reachOf(l, closed, window)
		obstacles := f.within(lo, hi, keep)
		c := region.Around(l, obstacles, closed)
		if c.Full > window && window < widestTool || c.Partial > window && window < widestTool {
			continue
		}
		return p.limits(s, &c, obstacles)
	}
}

// limits turns a clearance into facts.
func (p *part) limits(s *subject, c *region.Clearance, obstacles []region.Piece) feature.CdData {
	var out feature.CdData
	if c.Full <= widestTool {
		out.MaxFullDiameter = finite(c.Full)
		if c.Nearest >= 0 {
			out.LimitingZ = p.topOf(s, brep.EdgeID(obstacles[c.Nearest].Tag))
		}
	}
	if c.Partial <= widestTool {
		out.MaxPartialDiameter = finite(c.Partial)
	}
	return out
}

// topOf returns the highest point of the faces at an edge.
func (p *part) topOf(s *subject, e brep.EdgeID) *float64 {
	top := math.Inf(-1)
	for _, c := range p.g.Model.Edges[e].Coedges {
		if q := p.g.PatchOf[p.g.Model.FaceOf(c)]; q != graph.None && !s.has(q) {
			top = max(top, s.extents[q].Hi)
		}
	}
	return finite(top)
}

// isInTheWay reports whether an edge belongs to a face of something else that rises above the foot of
// a subject.
func (p *part) isInTheWay(s *subject, o *obstacle) bool {
	foot := s.z.Lo
	if o.z.Hi < foot-p.g.Length {
		return false
	}
	rises := false
	for _, c := range p.g.Model.Edges[o.edge].Coedges {
		q := p.g.PatchOf[p.g.Model.FaceOf(c)]
		if q == graph.None {
			continue
		}
		if s.has(q) {
			return false
		}
		rises = rises || s.extents[q].Hi > foot+p.g.Length
	}
	return rises
}
