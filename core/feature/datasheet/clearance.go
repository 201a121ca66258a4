package datasheet

// Tools that go round an outline.
//
// Everything of the part that rises above the foot of the outline stands in the way of a tool, whose
// shank reaches up as far as the part does: the edges of all faces that do, seen along the direction,
// are its obstacles. They are laid flat once for each direction, and what looks the same from there, as
// the lower and the upper edge of an upright wall do, is one obstacle. Discs wider than any tool count as
// unbounded.
//
// Limits: the silhouettes of curved faces between their edges are not seen.

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/region"
)

const (
	widestTool = 250  // mm: face mills end there
	flush      = 2e-3 // mm: curves that were laid flat may stand out so far and be level
)

// rising is an edge of faces that may rise above a foot.
type rising struct {
	edge brep.EdgeID
	rise float64 // mm along the direction: the highest point of the faces at the edge
	top  float64 // mm: it is in the way round feet below
}

// field is the obstacles along one direction.
type field struct {
	*region.Field
	edges []rising
	first []int32 // by obstacle: edges[first[i]:first[i+1]] look alike, the highest first
}

// fields are those of the directions that were asked for, which all goroutines share.
type fields struct {
	guard sync.Mutex
	along map[geom.Vec3]*field
}

// fieldOf returns the obstacles along the direction of a subject.
func (p *part) fieldOf(s *subject) *field {
	p.fields.guard.Lock()
	defer p.fields.guard.Unlock()
	if p.fields.along[s.dir] == nil {
		p.fields.along[s.dir] = p.newField(s)
	}
	return p.fields.along[s.dir]
}

// newField lays the edges flat that rise above the lowest foot that tools go round along a direction.
func (p *part) newField(s *subject) *field {
	lowest := math.Inf(1)
	for i := range p.heads {
		h := &p.heads[i]
		if h.dir == s.dir && (h.f.Type == feature.Boss || h.f.Type == feature.Wall) {
			lowest = min(lowest, h.z.Lo)
		}
	}
	var all []looks
	var pieces []region.Piece
	for e := range p.g.Model.Edges {
		r := rising{edge: brep.EdgeID(e), rise: math.Inf(-1)}
		for _, c := range p.g.Model.Edges[e].Coedges {
			if q := p.g.PatchOf[p.g.Model.FaceOf(c)]; q != graph.None {
				r.rise = max(r.rise, s.extents[q].Hi)
			}
		}
		if p.g.Model.Edges[e].Curve == nil || r.rise-p.g.Length <= lowest {
			continue
		}
		r.top = min(r.rise-p.g.Length, s.view.Span(r.edge).Hi+p.g.Length)
		if r.top <= lowest {
			continue
		}
		pieces = s.view.AppendEdge(pieces[:0], r.edge, false, 0)
		for i := range pieces {
			all = append(all, looksOf(&pieces[i], r))
		}
	}
	return newField(all)
}

// looks is an obstacle with what it looks like along a direction.
type looks struct {
	rising
	piece region.Piece
	key   [6]int64 // of alike obstacles the same
}

// looksOf returns what a piece looks like, whichever way it is walked.
func looksOf(q *region.Piece, r rising) looks {
	const alike = 10 * geom.Resolution // mm
	from, to := q.From, q.To
	if q.Turn < 0 {
		from, to = to, from
	}
	if math.Abs(q.Turn) > 2*math.Pi-graph.AxisAngle { // it may begin anywhere
		from = q.Center.Add(geom.Vec2{X: q.Radius()})
		to = from
	}
	round := func(x float64) int64 { return int64(math.Round(x / alike)) }
	l := looks{rising: r, piece: *q, key: [6]int64{round(from.X), round(from.Y), round(to.X), round(to.Y)}}
	if q.Turn != 0 {
		l.key[4], l.key[5] = round(q.Center.X), round(q.Center.Y)
	} else if l.key[0] > l.key[2] || l.key[0] == l.key[2] && l.key[1] > l.key[3] {
		l.key[0], l.key[1], l.key[2], l.key[3] = l.key[2], l.key[3], l.key[0], l.key[1]
	}
	return l
}

// newField enters obstacles, one for all that look alike.
func newField(all []looks) *field {
	f := &field{edges: make([]rising, len(all)), first: make([]int32, 0, len(all)+1)}
	slices.SortFunc(all, func(a, b looks) int {
		return cmp.Or(slices.Compare(a.key[:], b.key[:]), cmp.Compare(b.top, a.top), cmp.Compare(a.edge, b.edge))
	})
	var obstacles []region.Obstacle
	for i := range all {
		f.edges[i] = all[i].rising
		if i == 0 || all[i].key != all[i-1].key {
			f.first = append(f.first, int32(i))
			obstacles = append(obstacles, region.Obstacle{Piece: all[i].piece, Top: all[i].top})
		}
	}
	f.first = append(f.first, int32(len(all)))
	f.Field = region.NewField(obstacles)
	return f
}

// clearance returns what limits tools round an outline of a subject, a chain with its free side on the
// left.
func (p *part) clearance(s *subject, l region.Loop, closed bool) feature.CdData {
	if len(l) == 0 {
		return feature.CdData{}
	}
	f := p.fieldOf(s)
	isInTheWay := func(i int) bool { return !math.IsInf(p.height(s, f, i), -1) }
	c := f.Around(l, closed, region.Among{
		Level: s.z.Lo, Accept: isInTheWay, Flush: max(flush, p.g.Length), Widest: widestTool,
	})
	var out feature.CdData
	if out.MaxFullDiameter = finite(c.Full); c.Nearest >= 0 {
		out.LimitingZ = finite(p.height(s, f, c.Nearest))
	}
	out.MaxPartialDiameter = finite(c.Partial)
	return out
}

// height returns the highest point of an obstacle that is in the way round the foot of a subject and is none
// of its own, -Inf when there is none.
func (p *part) height(s *subject, f *field, i int) float64 {
	z := math.Inf(-1)
	for _, r := range f.edges[f.first[i]:f.first[i+1]] {
		if r.top <= s.z.Lo {
			break
		}
		if r.rise > z && !p.isOwn(s, r.edge) {
			z = r.rise
		}
	}
	return z
}

// isOwn reports whether an edge bounds a face of a subject.
func (p *part) isOwn(s *subject, e brep.EdgeID) bool {
	return slices.ContainsFunc(p.g.Model.Edges[e].Coedges, func(c brep.CoedgeID) bool {
		q := p.g.PatchOf[p.g.Model.FaceOf(c)]
		return q != graph.None && s.has(q)
	})
}
