package datasheet

// The outline of a pocket at the base of its walls.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// floorOutline is the outline of a pocket with its islands.
type floorOutline struct {
	planar.Region
	islands []planar.Loop
	mouths  []planar.Loop // of other features in the floor, not in the region
	sill    float64       // mm along the direction: the highest point of the open sides
}

func (p *partContext) floorOutline(s *featureMeasurer, base []int32) floorOutline {
	if len(base) == 0 {
		f := floorOutline{Region: planar.Region{Loops: p.passage(s)}, sill: s.z.Lo}
		p.obstruct(s, &f)
		return f
	}
	f := floorOutline{sill: s.extents.Of(base[0]).Lo}
	walls := p.traces(s)
	isClosed := len(walls) == 1 && !hasGap(walls[0]) && walls[0].Area() > 0
	if isClosed {
		f.Loops = append(f.Loops, walls[0])
	}
	var banks []planar.Loop
	ground := p.ground(s, base)
	for _, c := range s.view.Chains(base) {
		banks = append(banks, p.banked(s, c, walls, ground))
		f.sill = max(f.sill, p.sillOf(s, c, ground))
	}
	for _, l := range withoutSteps(banks, p.g.Length) {
		if l = planar.Simplify(l); len(l) == 0 {
			continue
		}
		if l.Area() >= 0 {
			if !isClosed {
				f.Loops = append(f.Loops, l)
			}
			continue
		}
		if isOpen(l) {
			f.mouths = append(f.mouths, l)
			continue
		}
		f.islands = append(f.islands, l)
		f.Loops = append(f.Loops, l)
	}
	return f
}

// passage returns the outline of a pocket without a floor: the traces of its walls. If some face other than an edge
// round leaves no trace, it returns the boundary around the lower end.
func (p *partContext) passage(s *featureMeasurer) []planar.Loop {
	for _, q := range s.patches {
		if _, ok := p.trace(s, q); !ok && (p.isSteep(q, s.dir) || !p.bulges(q)) {
			if l := p.baseOutlineOf(s); len(l) > 0 {
				return []planar.Loop{l.Reverse()}
			}
		}
	}
	return p.traces(s)
}

// banked projects a boundary. A segment is open if no material rises at it, the base itself is not a wall there, and no
// wall of the pocket lies above it.
func (p *partContext) banked(s *featureMeasurer, c outline.Contour, walls []planar.Loop, ground float64) planar.Loop {
	var l planar.Loop
	for _, ce := range c.Coedges {
		n := len(l)
		across := s.view.Across(ce)
		l = s.view.Append(l, ce, across)
		isOpen := p.isOpenAt(s, ce, ground)
		for i := n; i < len(l); i++ {
			l[i].Open = isOpen && !isUnder(walls, &l[i], p.g.Length)
		}
		if isOpen {
			continue
		}
		r, bends := p.turnAlong(s, across)
		for i := n; i < len(l); i++ {
			if bends && l[i].Turn > 0 {
				l[i].Tight = r // the edge need not be level
			}
		}
	}
	return l
}

// turnAlong returns the radius of curvature of a wall that is not vertical about the direction, infinite for a flat
// wall, where the floor bends instead. It returns false for walls that bend as their base edge does.
func (p *partContext) turnAlong(s *featureMeasurer, q int32) (float64, bool) {
	if q == graph.None || !p.isSteep(q, s.dir) {
		return 0, false
	}
	sh := &p.g.Patches[q].Shape
	isRound := sh.Kind == surface.KindBSpline || sh.Kind == surface.KindCylinder && sh.Hollow && !graph.Parallel(sh.Axis, s.dir)
	switch {
	case sh.Kind == surface.KindPlane:
		return math.Inf(1), true
	case isRound:
		return p.turnRadius(q, s.dir, true), true
	}
	return 0, false
}

// isUnder reports whether some wall lies over a segment of a boundary.
func isUnder(walls []planar.Loop, q *planar.Segment, tol float64) bool {
	mid := q.At(0.5)
	for _, l := range walls {
		for i := range l {
			w := &l[i]
			if w.Open || w.Distance(mid) > tol || w.Distance(q.From) > tol || w.Distance(q.To) > tol {
				continue
			}
			if heading(w, mid).Dot(q.Tangent(0.5)) > 0 {
				return true
			}
		}
	}
	return false
}

// heading is the direction of a segment at one of its points.
func heading(q *planar.Segment, at geom.Vec2) geom.Vec2 {
	if q.Turn == 0 {
		return q.To.Sub(q.From)
	}
	d := at.Sub(q.Center).Scale(q.Turn)
	return geom.Vec2{X: -d.Y, Y: d.X}
}

// withoutSteps removes from loops the segments that they traverse twice, in both senses: edges between a floor and a
// higher one behind it.
func withoutSteps(loops []planar.Loop, tol float64) []planar.Loop {
	var all []planar.Segment
	for _, l := range loops {
		all = append(all, l...)
	}
	middles := make([]geom.Vec2, len(all))
	for i := range all {
		middles[i] = all[i].At(0.5)
	}
	isGone := make([]bool, len(all))
	found := planar.NewGrid(middles, middles)
	near, isAny := geom.Vec2{X: tol, Y: tol}, false
	for i := range all {
		found.Within(middles[i].Sub(near), middles[i].Add(near), func(k int) bool {
			isBack := k < i && !isGone[k] && middles[i].Dist(middles[k]) <= tol && all[i].From.Dist(all[k].To) <= tol &&
				all[i].To.Dist(all[k].From) <= tol && all[i].Length() > 2*tol
			if isBack {
				isGone[i], isGone[k], isAny = true, true, true
			}
			return !isBack
		})
	}
	if !isAny {
		return loops
	}
	var rest []planar.Segment
	for i := range all {
		if !isGone[i] {
			rest = append(rest, all[i])
		}
	}
	return linked(rest, tol)
}

// sillOf returns the highest point of the open sides of a boundary, -Inf without open sides.
func (p *partContext) sillOf(s *featureMeasurer, c outline.Contour, ground float64) float64 {
	sill := math.Inf(-1)
	for _, ce := range c.Coedges {
		if p.isOpenAt(s, ce, ground) {
			sill = max(sill, s.view.Span(p.g.Model.Coedges[ce].Edge).Hi)
		}
	}
	return sill
}

// ground returns the height of the lowest flat floor of a base, or of its lowest point if no floor is flat.
func (p *partContext) ground(s *featureMeasurer, base []int32) float64 {
	flat := slices.DeleteFunc(slices.Clone(base), func(q int32) bool { return p.g.Patches[q].Kind != surface.KindPlane })
	if len(flat) == 0 {
		flat = base
	}
	return s.extents.Union(flat).Lo
}

// isOpenAt reports whether a base has no wall at one of its edges. A face no higher than the ground is not a wall, such
// as the face at a fillet that continues down the side of its floor.
func (p *partContext) isOpenAt(s *featureMeasurer, ce brep.CoedgeID, ground float64) bool {
	q := s.view.Across(ce)
	isOver := q != graph.None && s.extents.Of(q).Hi > ground+p.g.Length
	return !(isOver && p.risesAcross(s, ce)) && !p.endsSteep(s, ce)
}

// risesAcross reports whether the face on the far side of a coedge rises from it, at once or after a level start as in
// a blend. A face that is not a wall there must reach higher than the whole edge.
func (p *partContext) risesAcross(s *featureMeasurer, ce brep.CoedgeID) bool {
	q := s.view.Across(ce)
	if q == graph.None {
		return false
	}
	m := p.g.Model
	edge := m.Coedges[ce].Edge
	e := &m.Edges[edge]
	far := e.Coedges[0]
	if far == ce {
		far = e.Coedges[1]
	}
	inward, _ := p.adjacent(far)
	up, top := inward.Dot(s.dir), s.extents.Of(q).Hi
	if up >= math.Cos(maxDraft) {
		return top > e.Curve.At(e.Range.Mid()).Dot(s.dir)+p.g.Length
	}
	if top <= s.view.Span(edge).Hi+p.g.Length {
		return false
	}
	if math.Abs(up) <= graph.SmoothAngle {
		return p.g.Patches[q].Kind != surface.KindPlane && p.bendsUp(far, inward, s.dir)
	}
	return up > 0
}

// endsSteep reports whether a face that is not a wall becomes as steep as one at the middle of an edge, and is no
// steeper elsewhere. Fillets end so, unless another feature cuts them off further down.
func (p *partContext) endsSteep(s *featureMeasurer, ce brep.CoedgeID) bool {
	inward, n := p.adjacent(ce)
	if inward.Dot(s.dir) >= -math.Cos(maxDraft) || n.Dot(s.dir) >= math.Sin(maxDraft) {
		return false
	}
	return n.Dot(s.dir) < p.g.Slopes(p.g.PatchOf[p.g.Model.FaceOf(ce)], s.dir).Lo+graph.SmoothAngle
}

// bendsUp reports whether a face that begins level at the middle of one of its edges is higher further in.
func (p *partContext) bendsUp(c brep.CoedgeID, inward, dir geom.Vec3) bool {
	const ahead = 0.1 // mm
	e := &p.g.Model.Edges[p.g.Model.Coedges[c].Edge]
	at := e.Curve.At(e.Range.Mid())
	face := p.g.Model.Faces[p.g.Model.FaceOf(c)].Surface
	uv, _ := face.Invert(at.AddScaled(ahead, inward))
	return face.At(uv.X, uv.Y).Sub(at).Dot(dir) > geom.Resolution
}

// hasGap reports whether some segment of a loop is open.
func hasGap(l planar.Loop) bool {
	return slices.ContainsFunc(l, func(q planar.Segment) bool { return q.Open })
}

// isOpen reports whether a loop has no wall.
func isOpen(l planar.Loop) bool {
	for i := range l {
		if !l[i].Open {
			return false
		}
	}
	return true
}
