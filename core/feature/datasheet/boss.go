package datasheet

// Facts of bosses.
//
// The base outline is the lowest closed boundary of the boss, fillets included: tools go around this outline. The size
// is the size of the walls alone, at their widest. Tools that go around are limited by all material of the part above
// the base, see obstacles. If sides of a boss are flush with the edge of the floor at its other sides, its height is
// measured from this floor. MaxBottomDiameter is the diameter of a tool whose bottom is flat up to its edge. Its limits
// are obstacles at the height of the base or above; fillets at the base of the boss and of its neighbors reduce it.
// Without a limit it is the diameter of the widest tool.

import (
	"math"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func (p *partContext) boss(s *featureMeasurer) *feature.BossFacts {
	out := &feature.BossFacts{Kind: feature.Boss, Height: s.z.Hi - max(s.z.Lo, p.ledge(s)), Shape: feature.ShapeGeneral}
	steep := p.steep(s)
	if len(steep) == 0 { // a dome
		steep = s.patches
	}
	rect := p.enclosing(s, steep)
	out.Length, out.Width = rect.Length, rect.Width
	out.DraftDeg = p.draft(s.patches, s.dir)
	floorOutline := p.baseOutlineOf(s)
	if t := s.f.Thread; t != nil {
		out.Shape, out.Diameter, out.DraftDeg = feature.ShapeCylindrical, pointer(t.Major), 0
		out.Length, out.Width = t.Major, t.Major
	} else if len(steep) == 1 && p.isRound(s, steep[0]) {
		sh := &p.g.Patches[steep[0]].Shape
		z := s.extents.Of(steep[0])
		at := sh.Origin.AtHeight(z.Lo, s.dir)
		out.Shape, out.Diameter = feature.ShapeCylindrical, pointer(2*sh.RadiusAt(at))
		out.Length, out.Width = *out.Diameter, *out.Diameter
	} else if shape := pocketShape(&planar.Region{Loops: []planar.Loop{floorOutline.Reverse()}},
		planar.EnclosingRect(floorOutline)); shape == feature.ShapeRectangular {
		out.Shape = shape
	}
	if s.f.Thread == nil {
		out.MinConcaveRadius = p.concave(s)
	}
	out.CD = p.clearance(s, floorOutline, true)
	out.MaxBottomDiameter = widestTool
	if d := out.CD.MaxFullDiameter; d != nil {
		out.MaxBottomDiameter = *d
	}
	out.Bevels = p.bevels(s)
	return out
}

// ledge returns the height of the floor from which walls of a boss rise and with whose edge other planes of the boss
// are flush; -Inf if there is no such floor.
func (p *partContext) ledge(s *featureMeasurer) float64 {
	stands, isFlush := map[int32]bool{}, map[int32]bool{}
	for _, q := range s.patches {
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			if o := a.Other(q); !s.has(o) && p.g.Facing(o, s.dir) {
				stands[o] = stands[o] || a.Convexity == graph.Concave
				isFlush[o] = isFlush[o] || a.Convexity == graph.Convex && p.g.Patches[q].Kind == surface.KindPlane
			}
		}
	}
	z := math.Inf(-1)
	for o := range stands {
		if stands[o] && isFlush[o] {
			z = max(z, s.extents.Of(o).Hi)
		}
	}
	return z
}

// steep returns the walls of a feature.
func (p *partContext) steep(s *featureMeasurer) []int32 {
	var out []int32
	for _, q := range s.patches {
		if p.isSteep(q, s.dir) {
			out = append(out, q)
		}
	}
	return out
}

// isRound reports whether a patch is a full cylinder or cone about the direction.
func (p *partContext) isRound(s *featureMeasurer, q int32) bool {
	sh := &p.g.Patches[q].Shape
	return (sh.Kind == surface.KindCylinder || sh.Kind == surface.KindCone) && graph.Parallel(sh.Axis, s.dir) &&
		p.g.Sweep([]int32{q}, sh) >= graph.FullSweep
}

// baseOutlineOf returns the lowest closed boundary of a feature, its free side on the left.
func (p *partContext) baseOutlineOf(s *featureMeasurer) planar.Loop {
	var best planar.Loop
	low := math.Inf(1)
	for _, c := range s.view.Chains(s.patches) {
		sum, length := 0.0, 0.0
		for _, ce := range c.Coedges {
			e := &p.g.Model.Edges[p.g.Model.Coedges[ce].Edge]
			l := e.Curve.At(e.Range.Lo).Dist(e.Curve.At(e.Range.Mid())) + p.g.Length
			sum += s.view.Span(p.g.Model.Coedges[ce].Edge).Mid() * l
			length += l
		}
		l := s.view.Loop(c)
		if z := sum / length; z < low && math.Abs(l.Area()) > p.g.Length*p.g.Length {
			low, best = z, l
		}
	}
	if best.Area() > 0 {
		best = best.Reverse()
	}
	return planar.Simplify(untagged(best))
}

// untagged clears the tags of the faces across the segments, so that segments can be joined.
func untagged(l planar.Loop) planar.Loop {
	for i := range l {
		l[i].Tag = 0
	}
	return l
}
