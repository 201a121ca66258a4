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
	first  int32 // of its pieces
	last   int32
}

// field is the obstacles along one direction.
type field struct {
	view   outline.View
	all    []obstacle
	pieces []region.Piece
	cell   float64
	lo     geom.Vec2
	nx, ny int
	cells  [][]int32
	seen   []int32 // query that saw an obstacle last
	query  int32
}

// fieldOf returns the obstacles along the direction of a subject.
func (p *part) fieldOf(s *subject) *field {
	if f, ok := p.fields[s.dir]; ok {
		return f
	}
	f := &field{view: s.view}
	lo, hi := geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}, geom.Vec2{X: math.Inf(-1), Y: math.Inf(-1)}
	for e := range p.g.Model.Edges {
		edge := &p.g.Model.Edges[e]
		if edge.Curve == nil || len(edge.Coedges) == 0 {
			continue
		}
		o := obstacle{edge: brep.EdgeID(e), z: s.view.Span(brep.EdgeID(e)), first: int32(len(f.pieces))}
		f.pieces = s.view.AppendEdge(f.pieces, brep.EdgeID(e), false, graph.None)
		if o.last = int32(len(f.pieces)); o.first == o.last {
			continue
		}
		x, y := geom.Vec2{X: 1}, geom.Vec2{Y: 1}
		o.lo.X, o.hi.X = region.Span(f.pieces[o.first:o.last], x)
		o.lo.Y, o.hi.Y = region.Span(f.pieces[o.first:o.last], y)
		lo = geom.Vec2{X: min(lo.X, o.lo.X), Y: min(lo.Y, o.lo.Y)}
		hi = geom.Vec2{X: max(hi.X, o.hi.X), Y: max(hi.Y, o.hi.Y)}
		f.all = append(f.all, o)
	}
	f.fill(lo, hi)
	p.fields[s.dir] = f
	return f
}

// fill sorts the obstacles into about as many cells as there are of them.
func (f *field) fill(lo, hi geom.Vec2) {
	f.seen = make([]int32, len(f.all))
	if len(f.all) == 0 {
		return
	}
	size := hi.Sub(lo)
	f.lo = lo
	f.cell = max(math.Sqrt(size.X*size.Y/float64(len(f.all))), max(size.X, size.Y)/1024, geom.Resolution)
	f.nx, f.ny = int(size.X/f.cell)+1, int(size.Y/f.cell)+1
	f.cells = make([][]int32, f.nx*f.ny)
	for i := range f.all {
		f.each(f.all[i].lo, f.all[i].hi, func(c int) { f.cells[c] = append(f.cells[c], int32(i)) })
	}
}

// each visits the cells of a window.
func (f *field) each(lo, hi geom.Vec2, visit func(c int)) {
	at := func(x, base float64, n int) int { return max(0, min(n-1, int((x-base)/f.cell))) }
	for y := at(lo.Y, f.lo.Y, f.ny); y <= at(hi.Y, f.lo.Y, f.ny); y++ {
		for x := at(lo.X, f.lo.X, f.nx); x <= at(hi.X, f.lo.X, f.nx); x++ {
			visit(y*f.nx + x)
		}
	}
}

// within returns the pieces of the obstacles that keep accepts in a window, in the order of the edges;
// the tag of a piece is its edge.
func (f *field) within(lo, hi geom.Vec2, keep func(o *obstacle) bool) []region.Piece {
	if len(f.all) == 0 {
		return nil
	}
	f.query++
	var found []int32
	f.each(lo, hi, func(c int) {
		for _, i := range f.cells[c] {
			if f.seen[i] == f.query {
				continue
			}
			f.seen[i] = f.query
			if o := &f.all[i]; o.lo.X <= hi.X && o.hi.X >= lo.X && o.lo.Y <= hi.Y && o.hi.Y >= lo.Y && keep(o) {
				found = append(found, i)
			}
		}
	})
	slices.Sort(found)
	var out []region.Piece
	for _, i := range found {
		o := &f.all[i]
		for _, piece := range f.pieces[o.first:o.last] {
			piece.Tag = int32(o.edge)
			out = append(out, piece)
		}
	}
	return out
}

// clearance returns what limits tools round an outline of a subject, a chain with its free side on the
// left.
func (p *part) clearance(s *subject, l region.Loop, closed bool) feature.CdData {
	f := p.fieldOf(s)
	var lo, hi geom.Vec2
	lo.X, hi.X = region.Span(l, geom.Vec2{X: 1})
	lo.Y, hi.Y = region.Span(l, geom.Vec2{Y: 1})
	if len(l) == 0 {
		return feature.CdData{}
	}
	keep := func(o *obstacle) bool { return p.isInTheWay(s, o) }
	for window := max(firstWindow, hi.Dist(lo)/2); ; window = widestTool {
		grow := geom.Vec2{X: window, Y: window}
		obstacles := f.within(lo.Sub(grow), hi.Add(grow), keep)
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
