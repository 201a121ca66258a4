package datasheet

// Clearance of tools that go around an outline.
//
// All material of the part above the base of the outline obstructs a tool, because its shank extends to the top of the
// part. The obstacles are the edges and silhouettes of the faces in question, seen along the direction. They are
// projected once for each direction. Obstacles with equal projections, such as the lower and upper edges of a vertical
// wall, are merged. Discs wider than any tool count as unbounded.
//
// Limits: for a slope or a convex face that crosses the level of the base, the line at that level is not computed. Its
// edges include the part below; its silhouettes include only the part above.

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	widestTool = 250  // mm: face mills end there
	flush      = 2e-3 // mm: largest deviation at which projected curves count as flush

	// floorLean (rad, 20°) is the maximum inclination of a floor that tools follow along a wall.
	floorLean = 20 * math.Pi / 180
)

// rising is an edge of faces that may rise above a base, or a silhouette.
type rising struct {
	edge  brep.EdgeID // of an edge
	patch int32       // patch of a silhouette, else graph.None
	rise  float64     // mm along the direction: the highest point of the faces at it
	top   float64     // mm: it obstructs tools at bases below this height
}

// field is the obstacles along one direction.
type field struct {
	*planar.ObstacleField
	lines []rising
	first []int32 // by obstacle: lines[first[i]:first[i+1]] have equal projections, the highest first
}

// fields caches the fields of the requested directions; all goroutines share it.
type fields struct {
	guard sync.Mutex
	along map[geom.Vec3]*field
}

// fieldOf returns the obstacles along the direction of a subject.
func (p *partContext) fieldOf(s *featureMeasurer) *field {
	p.fields.guard.Lock()
	defer p.fields.guard.Unlock()
	if p.fields.along[s.dir] == nil {
		p.fields.along[s.dir] = p.newField(s)
	}
	return p.fields.along[s.dir]
}

// newField projects the material above the lowest base that tools go around along a direction.
func (p *partContext) newField(s *featureMeasurer) *field {
	feet := p.basesAlong(s.dir)
	lowest := feet[0]
	var all []projectedObstacle
	add := func(r rising, rise, top float64, pieces []planar.Segment) {
		if r.top = min(rise-p.g.Length, top+p.g.Length); r.top > lowest {
			for i := range pieces {
				all = append(all, looksOf(&pieces[i], r))
			}
		}
	}
	var pieces []planar.Segment
	for e := range p.g.Model.Edges {
		r := rising{edge: brep.EdgeID(e), patch: graph.None, rise: p.riseOf(s, brep.EdgeID(e), nil)}
		if p.g.Model.Edges[e].Curve != nil && r.rise-p.g.Length > lowest {
			pieces = s.view.AppendEdge(pieces[:0], r.edge, false, 0)
			rise, top := r.rise, s.view.Span(r.edge).Hi
			if i, _ := slices.BinarySearch(feet, top-2*p.g.Length); i < len(feet) && feet[i] <= top+2*p.g.Length {
				rise = max(top, p.riseOf(s, r.edge, p.goesUp)) // at the level of a base
			}
			add(r, rise, top, pieces)
		}
	}
	for q := range p.g.Patches {
		r := rising{patch: int32(q), rise: s.extents.Of(int32(q)).Hi}
		if r.rise-p.g.Length > lowest {
			for _, l := range s.view.Silhouettes(r.patch) {
				add(r, r.rise, l.Top, l.Pieces)
			}
		}
	}
	return newField(all)
}

// basesAlong returns the base levels, ascending, of the features with clearances along a direction.
func (p *partContext) basesAlong(dir geom.Vec3) []float64 {
	var out []float64
	for i := range p.heads {
		if h := &p.heads[i]; h.dir == dir && (h.f.Type == feature.Boss || h.f.Type == feature.Wall) {
			out = append(out, p.lazyHeight(int32(i)).z.Lo)
		}
	}
	slices.Sort(out)
	return out
}

// riseOf returns the highest point of the faces at an edge, of those that keep accepts by their coedges.
func (p *partContext) riseOf(s *featureMeasurer, e brep.EdgeID, keep func(c brep.CoedgeID, dir geom.Vec3) bool) float64 {
	z := math.Inf(-1)
	for _, c := range p.g.Model.Edges[e].Coedges {
		q := p.g.PatchOf[p.g.Model.FaceOf(c)]
		if q != graph.None && s.extents.Of(q).Hi > z && (keep == nil || keep(c, s.dir)) {
			z = s.extents.Of(q).Hi
		}
	}
	return z
}

// goesUp reports whether a face rises from the middle of one of its edges.
func (p *partContext) goesUp(c brep.CoedgeID, dir geom.Vec3) bool {
	inward, _ := p.adjacent(c)
	return inward.Dot(dir) > graph.DirectionTolerance
}

// adjacent returns the direction into a face from the middle of one of its edges, and its outward normal
// there.
func (p *partContext) adjacent(c brep.CoedgeID) (inward, normal geom.Vec3) {
	e := &p.g.Model.Edges[p.g.Model.Coedges[c].Edge]
	at, along := e.Curve.D1(e.Range.Mid())
	if along = along.Unit(); p.g.Model.Coedges[c].Reversed {
		along = along.Neg()
	}
	normal = p.g.NormalAt(p.g.Model.FaceOf(c), at)
	return normal.Cross(along), normal
}

// projectedObstacle is an obstacle with its projection along a direction.
type projectedObstacle struct {
	rising
	piece planar.Segment
	key   [6]int64 // equal for equal projections
}

// looksOf returns the projection of a segment; its key does not depend on the sense.
func looksOf(q *planar.Segment, r rising) projectedObstacle {
	const coaxialWith = 10 * geom.Resolution // mm
	from, to := q.From, q.To
	if q.Turn < 0 {
		from, to = to, from
	}
	if math.Abs(q.Turn) > 2*math.Pi-graph.AxisTolerance { // it may begin anywhere
		from = q.Center.Add(geom.Vec2{X: q.Radius()})
		to = from
	}
	round := func(x float64) int64 { return int64(math.Round(x / coaxialWith)) }
	l := projectedObstacle{rising: r, piece: *q, key: [6]int64{round(from.X), round(from.Y), round(to.X), round(to.Y)}}
	if q.Turn != 0 {
		l.key[4], l.key[5] = round(q.Center.X), round(q.Center.Y)
	} else if l.key[0] > l.key[2] || l.key[0] == l.key[2] && l.key[1] > l.key[3] {
		l.key[0], l.key[1], l.key[2], l.key[3] = l.key[2], l.key[3], l.key[0], l.key[1]
	}
	return l
}

// newField builds the field of obstacles, with one entry for all equal projections.
func newField(all []projectedObstacle) *field {
	f := &field{lines: make([]rising, len(all)), first: make([]int32, 0, len(all)+1)}
	slices.SortFunc(all, func(a, b projectedObstacle) int {
		return cmp.Or(slices.Compare(a.key[:], b.key[:]), cmp.Compare(b.top, a.top), cmp.Compare(b.rise, a.rise),
			cmp.Compare(a.patch, b.patch), cmp.Compare(a.edge, b.edge))
	})
	var obstacles []planar.Obstacle
	for i := range all {
		f.lines[i] = all[i].rising
		if i == 0 || all[i].key != all[i-1].key {
			f.first = append(f.first, int32(i))
			obstacles = append(obstacles, planar.Obstacle{Segment: all[i].piece, Top: all[i].top})
		}
	}
	f.first = append(f.first, int32(len(all)))
	f.ObstacleField = planar.NewField(obstacles)
	return f
}

// clearance returns the limits for tools around an outline of a subject, a chain with its free side on the left.
func (p *partContext) clearance(s *featureMeasurer, l planar.Loop, closed bool) feature.CdData {
	if len(l) == 0 {
		return feature.CdData{}
	}
	f := p.fieldOf(s)
	isInTheWay := func(i int) bool { return !math.IsInf(p.height(s, f, i), -1) }
	shut := p.shut(s)
	top := func(i int) float64 {
		if i >= 0 {
			return p.height(s, f, i)
		}
		return s.extents.Of(shut[-2-i].Tag).Hi
	}
	c := f.Around(l, closed, planar.ObstacleFilter{
		Level: s.z.Lo, Accept: isInTheWay, Flush: max(flush, p.g.Length), Widest: widestTool, Shut: shut, Rank: top,
	})
	var out feature.CdData
	if out.MaxFullDiameter = finite(c.Full); c.Nearest != -1 {
		out.LimitingZ = finite(top(c.Nearest))
	}
	out.MaxPartialDiameter = finite(c.Partial)
	return out
}

// shut returns the concave edges of a subject at which other faces rise, without edges along floors. The tags are these
// faces.
func (p *partContext) shut(s *featureMeasurer) []planar.Segment {
	var out []planar.Segment
	floorOutline := s.z.Lo + p.g.Length
	for _, q := range s.patches {
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			o := a.Other(q)
			if a.Convexity != graph.Concave || s.has(o) || s.extents.Of(o).Hi <= floorOutline {
				continue
			}
			c := p.g.Model.Edges[a.Edge].Coedges[0]
			if p.g.PatchOf[p.g.Model.FaceOf(c)] != o {
				c = p.g.Model.Edges[a.Edge].Coedges[1]
			}
			inward, n := p.adjacent(c)
			up := n.Dot(s.dir)
			isFloor := up >= math.Cos(floorLean)
			if !isFloor && (s.view.Span(a.Edge).Hi > floorOutline || up < 0 || inward.Dot(s.dir) > graph.DirectionTolerance) {
				out = s.view.AppendEdge(out, a.Edge, false, o)
			}
		}
	}
	return out
}

// height returns the highest point of an obstacle around the base of a subject, without the subject's own edges and
// faces; -Inf without an obstacle.
func (p *partContext) height(s *featureMeasurer, f *field, i int) float64 {
	z := math.Inf(-1)
	for _, r := range f.lines[f.first[i]:f.first[i+1]] {
		if r.top <= s.z.Lo {
			break
		}
		if r.rise > z && !p.isOwn(s, &r) {
			z = r.rise
		}
	}
	return z
}

// isOwn reports whether an obstacle bounds a face of a subject or lies on it.
func (p *partContext) isOwn(s *featureMeasurer, r *rising) bool {
	if r.patch != graph.None {
		return s.has(r.patch)
	}
	return slices.ContainsFunc(p.g.Model.Edges[r.edge].Coedges, func(c brep.CoedgeID) bool {
		q := p.g.PatchOf[p.g.Model.FaceOf(c)]
		return q != graph.None && s.has(q)
	})
}
