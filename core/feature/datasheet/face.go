package datasheet

// Facts of flat faces and of surfaces that need three axes.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet/internal/integral"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// face measures a plane that is milled flat. Its boundary is a wall if material rises over a concave edge or blend,
// else it is open. Openings of other features in it affect only the area and the open share.
func (p *partContext) face(s *featureMeasurer) *feature.FaceFacts {
	out := &feature.FaceFacts{Kind: feature.Face}
	out.Area = integral.Of(p.g, s.patches, s.dir, s.z.Hi).Area
	rect := p.enclosing(s, s.patches)
	out.Length, out.Width = rect.Length, rect.Width
	var r planar.Region
	open, all := 0.0, 0.0
	for _, c := range s.view.Chains(s.patches) {
		l := s.view.Loop(c)
		for _, ce := range c.Coedges {
			length := outline.EdgeLength(&p.g.Model.Edges[p.g.Model.Coedges[ce].Edge])
			all += length
			if across := s.view.Across(ce); !p.risesAt(s, across) {
				open += length
			}
		}
		for i := range l {
			l[i].Open = !p.risesAt(s, l[i].Tag)
			l[i].Tag = 0
		}
		if l = planar.Simplify(l); len(l) > 0 && (l.Area() > 0 || !isOpen(l)) {
			r.Loops = append(r.Loops, l)
		}
	}
	if all > 0 {
		out.OpenFraction = open / all
	}
	narrowest, faced := r.Narrowest()
	if out.NarrowestWidth = narrowest; !faced {
		out.NarrowestWidth = min(narrowest, rect.Width)
	}
	if c, ok := r.CornerRadius(); ok {
		out.MinConcaveRadius = pointer(c)
	}
	out.IsOutermost = s.z.Hi >= s.extents.Whole().Hi-p.g.Length
	return out
}

// risesAt reports whether the patch across the edge of a face goes up from it.
func (p *partContext) risesAt(s *featureMeasurer, o int32) bool {
	if o == graph.None || s.extents.Of(o).Hi <= s.z.Hi+p.g.Length {
		return false
	}
	for _, x := range p.g.Patches[o].Arcs {
		a := &p.g.Arcs[x]
		if s.has(a.Other(o)) && (a.Convexity == graph.Concave || a.Convexity == graph.Smooth && p.g.Patches[o].Hollow) {
			return true
		}
	}
	return false
}

// three measures surfaces that need three axes. Slopes are from the normals at the points of the mesh, exact on planes,
// cones and spheres. The ball is the largest that fits into all concave regions.
func (p *partContext) three(s *featureMeasurer) *feature.SurfaceFacts {
	out := &feature.SurfaceFacts{Kind: feature.Three, MinSlopeDeg: 90}
	for _, f := range s.f.Regions {
		out.Area += p.areas[f]
	}
	radius := math.Inf(1)
	add := func(up float64) {
		slope := geom.Degrees(math.Acos(min(1, math.Abs(up))))
		out.MinSlopeDeg, out.MaxSlopeDeg = min(out.MinSlopeDeg, slope), max(out.MaxSlopeDeg, slope)
	}
	for _, q := range s.patches {
		radius = min(radius, p.hollowRadius(q))
		if sh := &p.g.Patches[q].Shape; sh.Kind == surface.KindSphere {
			iv, middle := s.extents.Of(q), sh.Origin.Dot(s.dir)
			add((iv.Lo - middle) / sh.Radius)
			add((iv.Hi - middle) / sh.Radius)
			if iv.Lo < middle && middle < iv.Hi {
				add(0)
			}
		} else {
			p.g.EachPoint(q, func(_, n geom.Vec3) { add(n.Dot(s.dir)) })
		}
		for _, f := range p.g.Patches[q].Faces {
			out.SurfaceKinds = append(out.SurfaceKinds, surface.ShapeKind(p.g.Model.Faces[f].Surface))
		}
	}
	slices.Sort(out.SurfaceKinds)
	out.SurfaceKinds = slices.Compact(out.SurfaceKinds)
	if out.MinConcaveRadius = finite(radius); out.MinConcaveRadius != nil {
		out.MaxBallDiameter = pointer(2 * radius)
	}
	return out
}

// radiusAlong returns the smallest radius of curvature of a freeform patch, mm, in the direction that way returns for
// each normal. Bends to the free side count if sense is 1, bends away from it if -1. The result is infinite if no such
// bend exists.
func (p *partContext) radiusAlong(q int32, sense float64, way func(n geom.Vec3) geom.Vec3) float64 {
	const least = 0.05 // shortest usable direction vector
	most := 0.0
	for _, f := range p.g.Patches[q].Faces {
		face := &p.g.Model.Faces[f]
		for _, v := range p.g.Mesh.Regions[f].Vertices {
			uv, _ := face.Surface.Invert(p.g.Mesh.Points[v])
			d := face.Surface.D2(uv.X, uv.Y)
			n := d.Du.Cross(d.Dv).Unit()
			t := way(n)
			k, ok := d.CurvatureAlong(t)
			if face.Reversed {
				k = -k
			}
			if ok && t.Norm() > least {
				most = max(most, sense*k)
			}
		}
	}
	if most <= geom.Resolution {
		return math.Inf(1)
	}
	return 1 / most
}

// hollowRadius returns the smallest concave radius of a patch, infinite if it is concave nowhere.
func (p *partContext) hollowRadius(q int32) float64 {
	s := &p.g.Patches[q].Shape
	switch s.Kind {
	case surface.KindPlane:
		return math.Inf(1)
	case surface.KindCylinder, surface.KindSphere, surface.KindTorus, surface.KindCone:
		if !s.Hollow {
			return math.Inf(1)
		}
		switch s.Kind {
		case surface.KindTorus:
			return s.Minor
		case surface.KindCone:
			iv := p.g.Reach(q, s)
			return iv.Lo / math.Cos(s.Slope)
		}
		return s.Radius
	}
	best := math.Inf(1)
	for _, f := range p.g.Patches[q].Faces {
		face, r := &p.g.Model.Faces[f], &p.g.Mesh.Regions[f]
		for _, v := range r.Vertices {
			uv, _ := face.Surface.Invert(p.g.Mesh.Points[v])
			k1, k2 := surface.Curvatures(face.Surface, uv.X, uv.Y)
			hollow := max(k1, k2) // of the surface's own normal, toward which it is curved
			if face.Reversed {
				hollow = max(-k1, -k2)
			}
			if hollow > geom.Resolution {
				best = min(best, 1/hollow)
			}
		}
	}
	return best
}
