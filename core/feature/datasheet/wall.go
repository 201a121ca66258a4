package datasheet

// Facts of walls and of profiles, which are walls around the part.
//
// Their traces, the lines along which they cut the plane across the direction, are linked into chains with the free
// side on the left. Length and perimeter are the lengths of the traces; interruptions by other features count as wall.
// A wall that is neither plane nor round about the direction has the length of its area divided by its height.
//
// A wall is thin if a parallel face lies behind it within thinShare of its height.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// thinShare of its height is the thickness up to which a wall is thin: thicker ones do not bend.
const thinShare = 0.5

func (p *partContext) wall(s *featureMeasurer) *feature.WallFacts {
	out := &feature.WallFacts{Kind: feature.Wall, Height: s.z.Length(), DraftDeg: p.draft(s.patches, s.dir)}
	chains := p.traces(s)
	closed := len(chains) > 0
	for _, l := range chains {
		for i := range l {
			closed = closed && !l[i].Open
		}
	}
	out.IsClosed = closed
	out.Length = p.traceLength(s, chains)
	out.MinConcaveRadius = p.concave(s)
	out.FloorRadius = p.wallBase(s)
	out.Thickness = p.thin(s)
	isFirst := true
	for _, l := range chains {
		for _, run := range runs(l) {
			cd := p.clearance(s, run, !hasGap(l))
			if isFirst {
				out.CD, isFirst = cd, false
			}
			out.CD = tighter(out.CD, cd)
		}
	}
	return out
}

// tighter joins the limits of two chains of one wall.
func tighter(a, b feature.CdData) feature.CdData {
	out := a
	if a.MaxFullDiameter == nil || b.MaxFullDiameter != nil && *b.MaxFullDiameter < *a.MaxFullDiameter {
		out.MaxFullDiameter, out.LimitingZ = b.MaxFullDiameter, b.LimitingZ
	}
	if x, y := a.MaxPartialDiameter, b.MaxPartialDiameter; x != nil && (y == nil || *y > *x) {
		out.MaxPartialDiameter = y
	}
	return out
}

// runs returns the chains of a loop between its gaps, or the whole loop if it has no gaps.
func runs(l planar.Loop) []planar.Loop {
	start := slices.IndexFunc(l, func(q planar.Segment) bool { return q.Open }) + 1
	var out []planar.Loop
	var run planar.Loop
	for i := range l {
		q := l[(start+i)%len(l)]
		if !q.Open {
			run = append(run, q)
			continue
		}
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	if len(run) > 0 {
		out = append(out, run)
	}
	return out
}

// traceLength returns the length of the traces and of the walls without a trace.
func (p *partContext) traceLength(s *featureMeasurer, chains []planar.Loop) float64 {
	sum := 0.0
	for _, l := range chains {
		for i := range l {
			if !l[i].Open {
				sum += l[i].Length()
			}
		}
	}
	for _, q := range s.patches {
		if _, ok := p.trace(s, q); !ok && p.isSteep(q, s.dir) && s.extents.Of(q).Length() > p.g.Length {
			sum += p.g.Patches[q].Area / s.extents.Of(q).Length()
		}
	}
	if sum == 0 && s.z.Length() > p.g.Length { // it leans more than a wall does
		sum = p.g.AreaOf(s.patches) / s.z.Length()
	}
	return sum
}

// concave returns the smallest concave radius of the corners about the direction, 0 for a sharp one, from the traces
// and the lower edges of freeform walls.
func (p *partContext) concave(s *featureMeasurer) *float64 {
	if slices.ContainsFunc(s.patches, func(q int32) bool { return p.hasSharpCorner(s, q) }) {
		return pointer(0)
	}
	r, ok := p.bends(s, true).CornerRadius()
	if !ok {
		r = math.Inf(1)
	}
	return finite(min(r, p.leaningCorner(s, true)))
}

// leaningCorner returns the radius of the smallest round corner between drafted walls, concave or convex, infinite
// without one: a slightly leaning cylinder, which leaves no trace. A cut across it is an ellipse, tighter by the
// cosine of its lean at most.
func (p *partContext) leaningCorner(s *featureMeasurer, hollow bool) float64 {
	const (
		upright = 0.985 // the cosine of 10°, which the draft of castings does not exceed
		corner  = 15 * math.Pi / 180
	)
	best := math.Inf(1)
	for _, q := range s.patches {
		sh := &p.g.Patches[q].Shape
		_, hasTrace := p.trace(s, q)
		if sh.Kind != surface.KindCylinder || sh.Hollow != hollow || hasTrace || !p.isSteep(q, s.dir) ||
			math.Abs(sh.Axis.Dot(s.dir)) < upright {
			continue
		}
		var sum geom.Vec3
		p.g.EachPoint(q, func(_, n geom.Vec3) { sum = sum.Add(n) })
		var turn geom.Interval // from the middle
		p.g.EachPoint(q, func(_, n geom.Vec3) {
			turn = turn.Add(math.Atan2(sum.Cross(n).Dot(sh.Axis), sum.Dot(n)))
		})
		if turn.Length() >= corner {
			best = min(best, sh.Radius)
		}
	}
	return best
}

// bends returns the traces of the walls of a feature, and the lower edges of those that are freeform, with the radii of
// these walls: concave ones, or convex ones.
func (p *partContext) bends(s *featureMeasurer, hollow bool) *planar.Region {
	var pieces []planar.Segment
	for _, q := range s.patches {
		if t, ok := p.trace(s, q); ok {
			pieces = append(pieces, t)
		} else if p.g.Patches[q].Kind == surface.KindBSpline && p.isSteep(q, s.dir) {
			n := len(pieces)
			pieces = p.appendLower(pieces, s, q)
			r := p.turnRadius(q, s.dir, hollow)
			for i := range pieces[n:] {
				pieces[n+i].Tight = r
			}
		}
	}
	return &planar.Region{Loops: linked(pieces, p.g.Length)}
}

// turnRadius returns the smallest concave or convex radius of level cuts through a round wall, infinite if it has no
// such bend. For a freeform wall the cut is where it leans least.
func (p *partContext) turnRadius(q int32, dir geom.Vec3, hollow bool) float64 {
	sh := &p.g.Patches[q].Shape
	sense := -1.0
	if hollow {
		sense = 1
	}
	switch {
	case sh.Kind == surface.KindBSpline:
		const asUpright = 0.02 // sine of the largest additional lean, compared with the least lean
		iv := p.g.Slopes(q, dir)
		most := max(iv.Lo, -iv.Hi, 0) + asUpright
		return p.radiusAlong(q, sense, func(n geom.Vec3) geom.Vec3 {
			if math.Abs(n.Dot(dir)) > most {
				return geom.Vec3{}
			}
			return n.Cross(dir)
		})
	case sh.Kind == surface.KindCylinder && sh.Hollow == hollow:
		return sh.Radius
	}
	return math.Inf(1)
}

// hasSharpCorner reports whether a wall meets another wall of its feature in a sharp concave edge along the direction,
// or their base fillets meet in a miter.
func (p *partContext) hasSharpCorner(s *featureMeasurer, q int32) bool {
	const climbs = 0.4 // of the length of a mitre, a quarter of an ellipse
	_, isFillet := filletRadius(&p.g.Patches[q].Shape)
	return slices.ContainsFunc(p.g.Patches[q].Arcs, func(x int32) bool {
		a := &p.g.Arcs[x]
		o := a.Other(q)
		if a.Turn > -sharpBaseAngle || !s.has(o) {
			return false
		}
		rise := s.view.Span(a.Edge).Length() / a.Length
		if p.isSteep(q, s.dir) && p.isSteep(o, s.dir) {
			return rise > math.Cos(maxDraft)
		}
		_, both := filletRadius(&p.g.Patches[o].Shape)
		return isFillet && both && rise > climbs
	})
}

// appendLower appends the edges in the lower half of a wall, the free side on their left.
func (p *partContext) appendLower(dst []planar.Segment, s *featureMeasurer, q int32) []planar.Segment {
	for _, f := range p.g.Patches[q].Faces {
		for _, l := range p.g.Model.Faces[f].Loops {
			for _, c := range p.g.Model.Loops[l].Coedges {
				e := p.g.Model.Coedges[c].Edge
				if p.g.Model.Edges[e].Curve != nil && p.isLow(s, e, s.extents.Of(q)) {
					dst = append(dst, planar.Loop(s.view.Append(nil, c, q)).Reverse()...)
				}
			}
		}
	}
	return dst
}

// wallBase returns the radius of the fillets at the base of a wall, its own or adjacent ones, 0 without fillets.
func (p *partContext) wallBase(s *featureMeasurer) float64 {
	best := math.Inf(1)
	for _, q := range s.patches {
		if r, ok := filletRadius(&p.g.Patches[q].Shape); ok && !p.isSteep(q, s.dir) {
			best = min(best, r)
		}
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			o := a.Other(q)
			if a.Convexity != graph.Smooth || s.has(o) || p.isSteep(o, s.dir) || a.Mid.Dot(s.dir) > s.z.Mid() {
				continue
			}
			if r, ok := filletRadius(&p.g.Patches[o].Shape); ok {
				best = min(best, r)
			}
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// thin returns the smallest distance to a parallel face behind the walls, nil if no wall is thin.
func (p *partContext) thin(s *featureMeasurer) *float64 {
	best := math.Inf(1)
	limit := thinShare * s.z.Length()
	for _, q := range s.patches {
		a := &p.g.Patches[q].Shape
		look := func(o int32) {
			if s.has(o) {
				return
			}
			if t, ok := p.behind(q, o, s); ok && t <= limit {
				best = min(best, t)
			}
		}
		switch a.Kind {
		case surface.KindPlane:
			planes, _ := p.byPlace()
			planes.Between(a.Axis.Neg(), a.Origin, 0, limit, look)
		case surface.KindCylinder:
			_, cylinders := p.byPlace()
			cylinders.Near(a, look)
		}
	}
	return finite(best)
}

// behind returns the distance of patch o behind wall q, if o is parallel to q and faces the opposite side.
func (p *partContext) behind(q, o int32, s *featureMeasurer) (float64, bool) {
	if u, v := s.extents.Of(q), s.extents.Of(o); u.Intersect(v).Length() <= p.g.Length {
		return 0, false
	}
	a, b := &p.g.Patches[q].Shape, &p.g.Patches[o].Shape
	apart := 0.0
	switch a.Kind {
	case surface.KindPlane:
		if a.Axis.Dot(b.Axis) > 0 || !graph.Parallel(a.Axis, b.Axis) {
			return 0, false
		}
		if apart = a.Origin.Sub(b.Origin).Dot(a.Axis); apart <= p.g.Length {
			return 0, false
		}
		t := a.Axis.Cross(s.dir).Unit()
		u, v := p.g.Extent(q, t), p.g.Extent(o, t)
		if u.Intersect(v).Length() <= p.g.Length {
			return 0, false
		}
	case surface.KindCylinder:
		if a.Hollow == b.Hollow || !p.g.Coaxial(a, b) {
			return 0, false
		}
		apart = a.Radius - b.Radius
		if a.Hollow {
			apart = -apart
		}
	default:
		return 0, false
	}
	return apart, apart > p.g.Length
}

func (p *partContext) profile(s *featureMeasurer) *feature.ProfileFacts {
	out := &feature.ProfileFacts{Kind: feature.Profile, Height: s.z.Length()}
	if t := s.f.Thread; t != nil {
		out.Perimeter, out.IsOuter, out.MinConvexRadius = math.Pi*t.Major, true, pointer(t.Major/2)
		out.Bevels = p.bevels(s)
		return out
	}
	out.DraftDeg = p.draft(s.patches, s.dir)
	chains := p.traces(s)
	area := 0.0
	for _, l := range chains {
		area += l.Area()
		out.Perimeter += openLength(l)
	}
	out.Perimeter += p.traceLength(s, chains)
	out.IsOuter = area < 0
	out.MinConcaveRadius = p.concave(s)
	r, ok := p.bends(s, false).OuterRadius()
	if !ok {
		r = math.Inf(1)
	}
	out.MinConvexRadius = finite(min(r, p.leaningCorner(s, false)))
	out.Bevels = p.bevels(s)
	return out
}

// openLength returns the length of the gaps in a chain.
func openLength(l planar.Loop) float64 {
	sum := 0.0
	for i := range l {
		if l[i].Open {
			sum += l[i].Length()
		}
	}
	return sum
}

// across returns the width of the part's outline across the direction of a profile, mm.
func (p *partContext) across(s *featureMeasurer) float64 {
	return planar.EnclosingRect(s.view.Boundary(s.patches)).Width
}
