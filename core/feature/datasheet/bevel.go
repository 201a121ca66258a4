package datasheet

// Chamfers, and the bevels on the edges of other features.
//
// Along the feature's direction a chamfer has a lower edge, on the wall, and an upper one. Its length is the length of
// the lower edge, the position of the sharp edge seen along the direction, for holes and outlines, mitered or not. A
// chamfer of a vertical edge, with both edges at equal height, has their mean length.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func (p *partContext) chamfer(s *featureMeasurer) *feature.ChamferFacts {
	out := &feature.ChamferFacts{Kind: feature.Chamfer, Bevel: p.bevel(s, s.patches), IsConvexEdge: true}
	lower := p.lowerEdges(s)
	for _, x := range lower {
		out.Length += outline.EdgeLength(p.edge(x))
	}
	if len(lower) == 0 && out.Bevel.Slant > 0 {
		out.Length = p.g.AreaOf(s.patches) / out.Bevel.Slant
	}
	out.IsClosed = p.isRing(lower)
	for _, q := range s.patches {
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			if a.Convexity == graph.Concave && !s.has(a.Other(q)) && p.runsAlong(q, x) {
				out.IsConvexEdge = false
			}
		}
	}
	return out
}

// bevel describes the slope of some patches of one chamfer, by the first one that is not vertical and has a constant
// slope, if any.
func (p *partContext) bevel(s *featureMeasurer, patches []int32) feature.BevelFacts {
	var b feature.BevelFacts
	isKnown := false
	for _, q := range patches {
		sh := &p.g.Patches[q].Shape
		angle, slant := p.slopeOf(s, q)
		isEven := sh.Kind == surface.KindPlane || sh.Kind == surface.KindCone
		if angle > graph.DirectionTolerance && (b.AngleDeg == 0 || isEven && !isKnown) {
			b.AngleDeg, isKnown = roundDegrees(angle), isEven
		}
		b.Slant = max(b.Slant, slant)
		if sh.Kind == surface.KindCone && sh.Hollow && len(patches) == 1 &&
			p.g.Sweep(patches, sh) >= graph.FullSweep && graph.Parallel(sh.Axis, s.dir) {
			b.Countersink = p.sink(s, q)
		}
	}
	b.LowerAdjacentZMin, b.IsOpenPocketBottom = p.below(s, patches)
	return b
}

// slopeOf returns the angle between a bevel and the direction, rad, and its width along its slope, mm.
func (p *partContext) slopeOf(s *featureMeasurer, q int32) (angle, slant float64) {
	sh := &p.g.Patches[q].Shape
	switch sh.Kind {
	case surface.KindPlane:
		angle = math.Asin(min(1, math.Abs(sh.Axis.Dot(s.dir))))
		return angle, p.planeSlant(s, q)
	case surface.KindCone:
		slope := math.Abs(sh.Slope)
		reach := p.g.Exact([]int32{q}, coaxialWith(sh.Axis, s.dir))
		return slope, reach.Length() / math.Cos(slope)
	}
	up := p.g.Slopes(q, s.dir)
	angle = math.Asin(min(1, math.Abs(up.Lo+up.Hi)/2))
	return angle, s.extents.Of(q).Length() / max(math.Cos(angle), graph.AxisTolerance)
}

// mostTurn (rad) is the largest turn from a bevel to a face whose edge it broke. At its ends a bevel is perpendicular
// to its neighbors.
const mostTurn = 80 * math.Pi / 180

// isChamfer reports whether a chamfer contains a patch.
func (p *partContext) isChamfer(q int32) bool {
	return slices.ContainsFunc(p.owners[q], func(id int32) bool { return p.heads[id].f.Type == feature.Chamfer })
}

// planeSlant returns the width of a flat bevel across its longest straight broken edge, which has the direction of the
// original sharp edge. The feature's direction does not give the edge's where a loop continues around a corner of the
// part.
func (p *partContext) planeSlant(s *featureMeasurer, q int32) float64 {
	sh := &p.g.Patches[q].Shape
	along, longest := sh.Axis.Cross(s.dir), 0.0
	for _, x := range p.g.Patches[q].Arcs {
		a := &p.g.Arcs[x]
		e := p.edge(x)
		chord := p.g.Model.Vertices[e.End].Point.Sub(p.g.Model.Vertices[e.Start].Point)
		isBroken := a.Convexity == graph.Convex && a.Turn < mostTurn && !p.isChamfer(a.Other(q))
		if l := chord.Norm(); isBroken && l > longest && l >= a.Length-p.g.Length {
			along, longest = chord, l
		}
	}
	rim := p.samples.In(p.g, geom.NewFrame(sh.Origin, sh.Axis, along))
	lo, hi := planar.ExtentAlong(rim.Boundary([]int32{q}), geom.Vec2{Y: 1})
	return hi - lo
}

// sink describes a conical bevel around a hole.
func (p *partContext) sink(s *featureMeasurer, q int32) *feature.SinkFacts {
	sh := &p.g.Patches[q].Shape
	z := s.extents.Of(q)
	at := sh.Origin.AtHeight(z.Hi, s.dir)
	return &feature.SinkFacts{Diameter: 2 * sh.RadiusAt(at), AngleDeg: 2 * geom.Degrees(math.Abs(sh.Slope)),
		Depth: z.Length()}
}

// lowerEdges returns the arcs along the lower border of a chamfer.
func (p *partContext) lowerEdges(s *featureMeasurer) []int32 {
	var out []int32
	for _, q := range s.patches {
		z := s.extents.Of(q)
		if z.Length() <= p.g.Length || p.isUpright(q, s.dir) {
			continue
		}
		for _, x := range p.g.Patches[q].Arcs {
			if s.has(p.g.Arcs[x].Other(q)) {
				continue
			}
			if p.isLow(s, p.g.Arcs[x].Edge, z) {
				out = append(out, x)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isLow reports whether an edge lies in the lower half of a patch, clearly below its middle, where rounding would
// decide.
func (p *partContext) isLow(s *featureMeasurer, e brep.EdgeID, of geom.Interval) bool {
	return s.view.Span(e).Hi <= max(of.Mid()-p.g.Length, of.Lo+p.g.Length)
}

// isRing reports whether arcs form a closed loop.
func (p *partContext) isRing(arcs []int32) bool {
	if len(arcs) == 0 {
		return false
	}
	ends := make(map[int32]int)
	for _, x := range arcs {
		e := p.edge(x)
		ends[int32(e.Start)]++
		ends[int32(e.End)]++
	}
	for _, n := range ends {
		if n%2 != 0 {
			return false
		}
	}
	return true
}

// runsAlong reports whether an arc is one of the long borders of a bevel.
func (p *partContext) runsAlong(q, x int32) bool {
	longest := 0.0
	for _, y := range p.g.Patches[q].Arcs {
		longest = max(longest, p.g.Arcs[y].Length)
	}
	return p.g.Arcs[x].Length > longest/2
}

// below returns the highest bottom among the features under a bevel, and whether the bevel breaks the edge of an open
// pocket's floor. Without any feature below it, the bottom is the bevel's own.
func (p *partContext) below(s *featureMeasurer, patches []int32) (z float64, breaksFloor bool) {
	own := s.extents.Union(patches)
	z = math.Inf(-1)
	for _, q := range patches {
		for _, x := range p.g.Patches[q].Arcs {
			o := p.g.Arcs[x].Other(q)
			if slices.Contains(patches, o) {
				continue
			}
			isLower := p.isLow(s, p.g.Arcs[x].Edge, s.extents.Of(q))
			for _, id := range p.owners[o] {
				n := &p.heads[id]
				if n.id == s.id || n.f.Type == feature.Chamfer {
					continue
				}
				if isLower {
					z = max(z, s.extents.Union(n.patches).Lo)
				}
				if n.f.Type == feature.Pocket && n.f.Pocket != nil && n.f.Pocket.Open && p.g.Facing(o, n.dir) {
					breaksFloor = true
				}
			}
		}
	}
	if math.IsInf(z, -1) {
		z = own.Lo
	}
	return z, breaksFloor
}

// chamfersOf returns the chamfers next to the walls of a feature, ascending, and for each shared edge the chamfer patch
// at it.
func (p *partContext) chamfersOf(s *featureMeasurer) (ids, patches []int32) {
	for _, q := range s.patches {
		for _, x := range p.g.Patches[q].Arcs {
			o := p.g.Arcs[x].Other(q)
			for _, id := range p.owners[o] {
				if p.heads[id].f.Type == feature.Chamfer && id != s.id {
					ids, patches = append(ids, id), append(patches, o)
				}
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), patches
}

// lip returns the height of a feature's opening chamfers above its walls, mm: the cut began at their top.
func (p *partContext) lip(s *featureMeasurer) float64 {
	top := s.z.Hi
	_, patches := p.chamfersOf(s)
	for _, q := range patches {
		if z := s.extents.Of(q); z.Lo >= s.z.Hi-p.g.Length {
			top = max(top, z.Hi)
		}
	}
	return top - s.z.Hi
}

// bevels returns the bevels on the edges of a feature: the chamfers next to its walls, the steepest first.
func (p *partContext) bevels(s *featureMeasurer) []feature.BevelFacts {
	ids, _ := p.chamfersOf(s)
	out := []feature.BevelFacts{}
	for _, id := range ids {
		n := &p.heads[id]
		out = append(out, p.bevel(&featureMeasurer{f: n.f, id: n.id, dir: s.dir, view: s.view, patches: n.patches,
			z: s.extents.Union(n.patches), extents: s.extents}, n.patches))
	}
	const coaxialWith = 1e-4 // mm, degrees: so much may two exchanges of a part differ
	round := func(x float64) int { return int(math.Round(x / coaxialWith)) }
	slices.SortStableFunc(out, func(a, b feature.BevelFacts) int {
		return cmp.Or(cmp.Compare(round(a.AngleDeg), round(b.AngleDeg)), cmp.Compare(round(a.Slant), round(b.Slant)),
			cmp.Compare(round(a.LowerAdjacentZMin), round(b.LowerAdjacentZMin)))
	})
	return out
}
