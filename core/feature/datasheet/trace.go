package datasheet

// Traces of walls: the lines along which they cut the plane across the direction, at their base.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// traces returns the outline of a feature's walls at its base, as loops with the free side on the left. Planes leave
// segments; cylinders and cones about the direction leave arcs. Walls above each other leave one trace, as at a feature
// that crosses a pocket. Open segments close gaps. Other walls leave no trace.
func (p *partContext) traces(s *featureMeasurer) []planar.Loop {
	var pieces []planar.Segment
	for _, q := range s.patches {
		if t, ok := p.trace(s, q); ok {
			pieces = united(pieces, t, p.g.Length)
		}
	}
	return linked(pieces, p.g.Length)
}

// united adds a segment to others, merged with those that it overlaps.
func united(pieces []planar.Segment, q planar.Segment, tol float64) []planar.Segment {
	for i := 0; i < len(pieces); i++ {
		if one, ok := overlapped(&pieces[i], &q, tol); ok {
			q, pieces = one, slices.Delete(pieces, i, i+1)
			i = -1
		}
	}
	return append(pieces, q)
}

// overlapped returns the union of two segments that overlap along one line or circle in the same sense.
func overlapped(a, b *planar.Segment, tol float64) (planar.Segment, bool) {
	one := *a
	if a.Turn == 0 && b.Turn == 0 {
		t, l := a.Tangent(0), a.Length()
		off := func(q geom.Vec2) float64 { return math.Abs(t.Cross(q.Sub(a.From))) }
		lo, hi := t.Dot(b.From.Sub(a.From)), t.Dot(b.To.Sub(a.From))
		if max(off(b.From), off(b.To)) > tol || lo >= hi || min(l, hi) <= max(0, lo)+tol {
			return one, false
		}
		if lo < 0 {
			one.From = b.From
		}
		if hi > l {
			one.To = b.To
		}
		return one, true
	}
	r := a.Radius()
	if a.Turn*b.Turn <= 0 || a.Center.Dist(b.Center) > tol || math.Abs(r-b.Radius()) > tol {
		return one, false
	}
	sense := math.Copysign(1, a.Turn)
	for range 2 { // b begins on a, or a on b
		from, to := a.From.Sub(a.Center), b.From.Sub(a.Center)
		ahead := sense * math.Atan2(from.Cross(to), from.Dot(to))
		if ahead < -tol/r {
			ahead += 2 * math.Pi
		}
		if ahead*r+tol < sense*a.Turn*r {
			one = *a
			if tight := min(cmp.Or(a.Tight, r), cmp.Or(b.Tight, r)); tight < r-tol {
				one.Tight = tight
			}
			if end := ahead + sense*b.Turn; end > sense*a.Turn {
				one.To, one.Turn = b.To, sense*min(end, 2*math.Pi)
			}
			if sense*one.Turn >= 2*math.Pi-tol/r {
				one.To, one.Turn = one.From, sense*2*math.Pi
			}
			return one, true
		}
		a, b = b, a
	}
	return one, false
}

// trace returns the line that a steep wall leaves in the plane.
func (p *partContext) trace(s *featureMeasurer, q int32) (planar.Segment, bool) {
	sh := &p.g.Patches[q].Shape
	if !p.isSteep(q, s.dir) {
		return planar.Segment{}, false
	}
	switch {
	case sh.Kind == surface.KindPlane:
		return p.planeTrace(s, q)
	case (sh.Kind == surface.KindCylinder || sh.Kind == surface.KindCone) && graph.Parallel(sh.Axis, s.dir):
		at := func(z float64) float64 {
			return sh.RadiusAt(sh.Origin.AddScaled(z-sh.Origin.Dot(s.dir), coaxialWith(sh.Axis, s.dir)))
		}
		t, ok := p.arcTrace(s, q, at(s.footing))
		if sh.Kind == surface.KindCone {
			z := s.extents.Of(q)
			t.Tight = max(min(at(z.Lo), at(z.Hi)), p.g.Length) // at a tip not 0, which means the radius of the trace
		}
		return t, ok
	}
	return planar.Segment{}, false
}

// rim returns the edges of a wall that bound its trace: all edges of a vertical one, the lower edges of a drafted one.
func (p *partContext) rim(s *featureMeasurer, q int32) []planar.Segment {
	all := s.view.Boundary([]int32{q})
	if p.isUpright(q, s.dir) {
		return all
	}
	var low []planar.Segment
	for _, f := range p.g.Patches[q].Faces {
		for _, l := range p.g.Model.Faces[f].Loops {
			for _, c := range p.g.Model.Loops[l].Coedges {
				e := &p.g.Model.Edges[p.g.Model.Coedges[c].Edge]
				if e.Curve != nil && p.isLow(s, p.g.Model.Coedges[c].Edge, s.extents.Of(q)) {
					low = s.view.Append(low, c, q)
				}
			}
		}
	}
	if len(low) == 0 {
		return all
	}
	return low
}

// planeTrace returns the segment in which the plane of a flat wall cuts the base level.
func (p *partContext) planeTrace(s *featureMeasurer, q int32) (planar.Segment, bool) {
	sh := &p.g.Patches[q].Shape
	n := s.view.Point(sh.Axis)
	flat := n.Norm()
	n = n.Scale(1 / flat)
	t := geom.Vec2{X: n.Y, Y: -n.X} // the normal lies on its left
	lo, hi := planar.ExtentAlong(p.rim(s, q), t)
	if hi-lo <= p.g.Length {
		return planar.Segment{}, false
	}
	out := (sh.Axis.Dot(sh.Origin) - sh.Axis.Dot(s.dir)*s.footing) / flat // of the line from the origin, along n
	base := n.Scale(out)
	return planar.Segment{From: base.Add(t.Scale(lo)), To: base.Add(t.Scale(hi)), Tag: q}, true
}

// arcTrace returns the arc of a round wall, of a radius, from one of its edges along the direction to
// the next.
func (p *partContext) arcTrace(s *featureMeasurer, q int32, radius float64) (planar.Segment, bool) {
	sh := &p.g.Patches[q].Shape
	sweep := p.g.Sweep([]int32{q}, sh)
	sense := -1.0
	if sh.Hollow {
		sense = 1
	}
	c := s.view.Point(sh.Origin)
	if radius <= p.g.Length {
		return planar.Segment{}, false
	}
	if sweep >= graph.FullSweep {
		l := planar.Circle(c, radius, !sh.Hollow)
		l[0].Tag = q
		return l[0], true
	}
	// The arc begins at the end of an edge segment from which the sweep covers all others.
	edge := p.rim(s, q)
	for i := range edge {
		for _, from := range [2]geom.Vec2{edge[i].From, edge[i].To} {
			if covers(edge, from.Sub(c), c, sense*(sweep+graph.AxisTolerance)) {
				out := planar.NewArc(c, onto(c, from, radius), sense*sweep)
				out.To, out.Tag = onto(c, nearest(edge, &out), radius), q
				return out, true
			}
		}
	}
	return planar.Segment{}, false
}

// onto moves a point along its ray from a center onto the circle of a radius.
func onto(c, q geom.Vec2, radius float64) geom.Vec2 {
	d := q.Sub(c)
	if n := d.Norm(); n > 0 {
		return c.Add(d.Scale(radius / n))
	}
	return q
}

// covers reports whether a turn about center c that begins in direction from covers some segments.
func covers(edge []planar.Segment, from, c geom.Vec2, turn float64) bool {
	arc := planar.NewArc(c, c.Add(from), turn)
	r := arc.Radius()
	if r == 0 {
		return false
	}
	on := func(q geom.Vec2) bool {
		q = onto(c, q, r)
		return arc.Distance(q) <= graph.AxisTolerance*r
	}
	return !slices.ContainsFunc(edge, func(e planar.Segment) bool {
		return !on(e.From) || !on(e.To) || e.Turn != 0 && !on(e.At(0.5))
	})
}

// nearest returns the end of an edge segment nearest to the end of an arc.
func nearest(edge []planar.Segment, arc *planar.Segment) geom.Vec2 {
	best, at := math.Inf(1), arc.To
	for i := range edge {
		for _, q := range [2]geom.Vec2{edge[i].From, edge[i].To} {
			if d := q.Dist(arc.To); d < best {
				best, at = d, q
			}
		}
	}
	return at
}

// linked chains segments into loops. It first joins segments whose ends agree within tol, then joins the nearest ends
// and beginnings by open segments, until all that is not closed is one loop. The result does not depend on their order.
func linked(pieces []planar.Segment, tol float64) []planar.Loop {
	var closed, loose []planar.Loop
	used := make([]bool, len(pieces))
	follows := func(end geom.Vec2) int {
		next, best := -1, 2*tol
		for i := range pieces {
			if d := end.Dist(pieces[i].From); !used[i] && d <= best {
				next, best = i, d
			}
		}
		return next
	}
	for _, first := range beginnings(pieces, tol) {
		if used[first] {
			continue
		}
		var l planar.Loop
		for i := first; i >= 0; i = follows(pieces[i].To) {
			used[i] = true
			l = append(l, pieces[i])
		}
		if l[len(l)-1].To.Dist(l[0].From) <= 2*tol {
			closed = append(closed, l)
		} else {
			loose = append(loose, l)
		}
	}
	return append(closed, spanned(loose)...)
}

// beginnings lists all segments, first those without a predecessor.
func beginnings(pieces []planar.Segment, tol float64) []int {
	var first, later []int
	for i := range pieces {
		if slices.ContainsFunc(pieces, func(q planar.Segment) bool { return q.To.Dist(pieces[i].From) <= 2*tol }) {
			later = append(later, i)
		} else {
			first = append(first, i)
		}
	}
	return append(first, later...)
}

// spanned joins chains to one loop over open segments, the shortest first.
func spanned(chains []planar.Loop) []planar.Loop {
	if len(chains) == 0 {
		return nil
	}
	gap := func(a, b int) planar.Segment {
		return planar.Segment{From: chains[a][len(chains[a])-1].To, To: chains[b][0].From, Open: true}
	}
	type pair struct {
		a, b   int
		length float64
	}
	var all []pair
	for a := range chains {
		for b := range chains {
			if g := gap(a, b); a != b {
				all = append(all, pair{a, b, g.Length()})
			}
		}
	}
	slices.SortStableFunc(all, func(p, q pair) int { return cmp.Compare(p.length, q.length) })
	next := slices.Repeat([]int{-1}, len(chains))
	last := make([]int, len(chains)) // last chain of a run, by its first; first is the inverse
	for i := range last {
		last[i] = i
	}
	first := slices.Clone(last)
	for _, p := range all {
		if next[p.a] >= 0 || last[p.b] < 0 || first[p.a] == p.b {
			continue
		}
		next[p.a] = p.b
		lazyHeight, tail := first[p.a], last[p.b]
		first[tail], last[lazyHeight], last[p.b] = lazyHeight, tail, -1
	}
	lazyHeight := slices.IndexFunc(last, func(i int) bool { return i >= 0 })
	var out planar.Loop
	for i := lazyHeight; i >= 0; i = next[i] {
		out = append(out, chains[i]...)
		out = append(out, gap(i, max(next[i], 0)))
		if next[i] < 0 {
			out[len(out)-1].To = chains[lazyHeight][0].From
		}
	}
	return []planar.Loop{out}
}
