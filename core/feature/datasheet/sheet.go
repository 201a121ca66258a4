package datasheet

// Facts of every datasheet: height ranges, floors and walls, areas.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet/internal/integral"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// extended returns the z range of a feature with the adjacent geometry that the tool passes: the
// chamfers on its edges, and upward the features along the same direction in whose floors it opens, recursively.
func (p *partContext) extended(s *featureMeasurer) geom.Interval {
	iv := p.withChamfers(s)
	nests := []*featureMeasurer{s}
	for i := 0; i < len(nests); i++ {
		n := nests[i]
		for _, q := range n.patches {
			for _, x := range p.g.Patches[q].Arcs {
				o := p.g.Arcs[x].Other(q)
				for _, id := range p.owners[o] {
					if m := p.lazyHeight(id); !n.has(o) && p.isNest(m, o, n) && !slices.Contains(nests, m) {
						nests = append(nests, m)
						iv.Hi = max(iv.Hi, p.withChamfers(m).Hi)
					}
				}
			}
		}
	}
	return iv
}

// withChamfers returns the z range of a feature with the chamfers on its edges.
func (p *partContext) withChamfers(s *featureMeasurer) geom.Interval {
	iv := s.z
	for _, q := range s.patches {
		for _, x := range p.g.Patches[q].Arcs {
			o := p.g.Arcs[x].Other(q)
			if s.has(o) || s.f.Type == feature.Chamfer || p.isUpright(o, s.dir) {
				continue
			}
			for _, id := range p.owners[o] {
				if p.heads[id].f.Type == feature.Chamfer {
					iv = iv.Union(s.extents.Of(o))
				}
			}
		}
	}
	return iv
}

// isNest reports whether feature n is a pocket, hole or channel around the subject whose floor contains patch o.
func (p *partContext) isNest(n *featureMeasurer, o int32, s *featureMeasurer) bool {
	switch n.f.Type {
	case feature.Pocket, feature.Hole, feature.Dovetail, feature.Tslot:
		return n.dir.Dot(s.dir) > 0 && graph.Parallel(n.dir, s.dir) && p.g.Facing(o, s.dir) &&
			n.z.Hi > s.z.Lo+p.g.Length && n.extents.Of(o).Lo >= s.z.Lo-p.g.Length
	}
	return false
}

// surfaces fills in the surfaces to machine as floors and as walls.
func (p *partContext) surfaces(s *featureMeasurer, d *feature.Datasheet) {
	for _, q := range s.patches {
		d.HasFloor = d.HasFloor || p.isLevel(q, s.dir)
		d.HasWall = d.HasWall || p.isUpright(q, s.dir)
	}
	sum := integral.Of(p.g, s.patches, s.dir, s.z.Hi)
	d.FloorishArea, d.WallishArea = sum.Floor, sum.Wall
}

// enclosing returns the smallest rectangle around patches. It encloses their edges, or their meshes if the edges alone
// have no width, as for a cylinder seen from its side.
func (p *partContext) enclosing(s *featureMeasurer, patches []int32) planar.Rect {
	edges := s.view.Boundary(patches)
	r := planar.EnclosingRect(edges)
	if r.Width > p.g.Length {
		return r
	}
	for _, q := range patches {
		p.g.EachPoint(q, func(pt, _ geom.Vec3) {
			at := s.view.Point(pt)
			edges = append(edges, planar.NewLine(at, at))
		})
	}
	return planar.EnclosingRect(edges)
}

// isLevel reports whether a patch is a plane square to dir, facing it or not.
func (p *partContext) isLevel(q int32, dir geom.Vec3) bool {
	s := &p.g.Patches[q].Shape
	return s.Kind == surface.KindPlane && s.Axis.Cross(dir).Norm() <= graph.DirectionTolerance
}

// isUpright reports whether a patch is parallel to dir all over.
func (p *partContext) isUpright(q int32, dir geom.Vec3) bool {
	s := &p.g.Patches[q].Shape
	switch s.Kind {
	case surface.KindPlane:
		return math.Abs(s.Axis.Dot(dir)) <= graph.DirectionTolerance
	case surface.KindCylinder:
		if graph.Parallel(s.Axis, dir) {
			return true
		}
	}
	iv := p.g.Slopes(q, dir)
	return max(math.Abs(iv.Lo), math.Abs(iv.Hi)) <= graph.DirectionTolerance
}

// maxDraft (rad) is the maximum draft of a wall: less than 45°, the angle of a chamfer.
const maxDraft = 44 * math.Pi / 180

// isSteep reports whether a patch is a wall along dir: vertical, or drafted by maxDraft at most.
func (p *partContext) isSteep(q int32, dir geom.Vec3) bool {
	iv := p.g.Slopes(q, dir)
	return max(math.Abs(iv.Lo), math.Abs(iv.Hi)) <= math.Sin(maxDraft)
}

// draft returns the largest lean of the steep patches among some, degrees.
func (p *partContext) draft(patches []int32, dir geom.Vec3) float64 {
	most := 0.0
	for _, q := range patches {
		s := &p.g.Patches[q].Shape
		lean := 0.0
		switch {
		case !p.isSteep(q, dir):
			continue
		case s.Kind == surface.KindPlane:
			lean = math.Abs(math.Asin(max(-1, min(1, s.Axis.Dot(dir)))))
		case s.Kind == surface.KindCone && graph.Parallel(s.Axis, dir):
			lean = math.Abs(s.Slope)
		case s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, dir):
		default:
			iv := p.g.Slopes(q, dir)
			lean = math.Asin(min(1, max(math.Abs(iv.Lo), math.Abs(iv.Hi))))
		}
		most = max(most, lean)
	}
	return roundDegrees(most)
}

// roundDegrees converts to degrees; values within the noise of a file exchange become zero.
func roundDegrees(rad float64) float64 {
	if math.Abs(rad) < geom.AngularResolution {
		return 0
	}
	return geom.Degrees(rad)
}

func pointer(x float64) *float64 { return &x }

// finite returns nil for an unbounded value.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}
