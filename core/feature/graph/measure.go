package graph

// Sizes of patches from their meshes. Points of a mesh lie on the exact edges and surfaces. So extents are exact if an
// extreme point is on a straight edge, a circle across the direction or a vertex. Elsewhere they are short by at most
// the chord tolerance.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// EachTriangle calls visit for every triangle of a patch until it returns false.
func (g *Graph) EachTriangle(p int32, visit func(a, b, c geom.Vec3) bool) {
	for _, f := range g.Patches[p].Faces {
		r := &g.Mesh.Regions[f]
		for _, t := range g.Mesh.Triangles[r.Start:r.End] {
			if !visit(g.Mesh.Points[t[0]], g.Mesh.Points[t[1]], g.Mesh.Points[t[2]]) {
				return
			}
		}
	}
}

// EachPoint calls visit for every point of a patch with the outward normal there.
func (g *Graph) EachPoint(p int32, visit func(pt, normal geom.Vec3)) {
	for _, f := range g.Patches[p].Faces {
		r := &g.Mesh.Regions[f]
		for i, v := range r.Vertices {
			visit(g.Mesh.Points[v], r.Normals[i])
		}
	}
}

// Extent returns the range of a patch's points along dir, mm.
func (g *Graph) Extent(p int32, dir geom.Vec3) geom.Interval {
	iv := geom.EmptyInterval()
	g.EachPoint(p, func(pt, _ geom.Vec3) {
		iv = iv.Add(pt.Dot(dir))
	})
	return iv
}

// ExtentOf returns the range of several patches along dir, mm.
func (g *Graph) ExtentOf(patches []int32, dir geom.Vec3) geom.Interval {
	iv := geom.EmptyInterval()
	for _, p := range patches {
		iv = iv.Union(g.Extent(p, dir))
	}
	return iv
}

// Box returns the bounding box of the points of some patches, mm.
func (g *Graph) Box(patches ...int32) geom.Box {
	box := geom.EmptyBox()
	for _, p := range patches {
		g.EachPoint(p, func(pt, _ geom.Vec3) { box = box.Add(pt) })
	}
	return box
}

// Slack returns the tolerance, mm, of lengths over the whole part.
func (g *Graph) Slack() float64 { return g.Length + g.Diagonal*AxisTolerance }

// Reach returns the range of distances of a patch's points from the axis of s, mm.
func (g *Graph) Reach(p int32, s *Shape) geom.Interval {
	iv := geom.Interval{Lo: math.Inf(1), Hi: 0}
	g.EachPoint(p, func(pt, _ geom.Vec3) {
		iv = iv.Add(DistanceToAxis(s, pt))
	})
	return iv
}

// Slopes returns the range of n·dir over the normals of a patch: both ends 0 for a wall parallel
// to dir.
func (g *Graph) Slopes(p int32, dir geom.Vec3) geom.Interval {
	switch s := &g.Patches[p].Shape; {
	case s.Kind == surface.KindPlane:
		c := s.Axis.Dot(dir)
		return geom.Interval{Lo: c, Hi: c}
	case s.Kind == surface.KindCylinder && s.Axis.Cross(dir).Norm() <= DirectionTolerance:
		return geom.Interval{}
	}
	iv := geom.Interval{Lo: 1, Hi: -1}
	g.EachPoint(p, func(_, n geom.Vec3) {
		iv = iv.Add(n.Dot(dir))
	})
	return iv
}

// Sweep returns the angle, rad, that patches cover together about the axis of s. Gaps narrower than
// AxisTolerance are rounding.
func (g *Graph) Sweep(patches []int32, s *Shape) float64 {
	frame := geom.NewFrame(s.Origin, s.Axis, geom.Vec3{})
	tiny := g.Length * g.Length
	var spans []geom.Interval
	for _, p := range patches {
		g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
			first, lo, hi := math.NaN(), 0.0, 0.0
			for _, q := range [3]geom.Vec3{a, b, c} {
				l := frame.Local(q)
				if l.X*l.X+l.Y*l.Y <= tiny { // the apex of a cone has no angle
					continue
				}
				angle := math.Atan2(l.Y, l.X)
				if math.IsNaN(first) {
					first = angle
					continue
				}
				d := math.Remainder(angle-first, 2*math.Pi)
				lo, hi = min(lo, d), max(hi, d)
			}
			if hi > lo {
				spans = append(spans, geom.Interval{Lo: first + lo, Hi: first + hi})
			}
			return true
		})
	}
	return covered(spans)
}

// covered returns the measure of the union of angle ranges, each within (-2π, 2π), modulo 2π.
func covered(spans []geom.Interval) float64 {
	var flat []geom.Interval
	for _, s := range spans {
		for s.Lo < 0 {
			s.Lo, s.Hi = s.Lo+2*math.Pi, s.Hi+2*math.Pi
		}
		if s.Hi > 2*math.Pi {
			flat = append(flat, geom.Interval{Lo: 0, Hi: s.Hi - 2*math.Pi})
			s.Hi = 2 * math.Pi
		}
		flat = append(flat, s)
	}
	slices.SortFunc(flat, func(a, b geom.Interval) int {
		switch {
		case a.Lo < b.Lo:
			return -1
		case a.Lo > b.Lo:
			return 1
		}
		return 0
	})
	gap, end := 0.0, 0.0
	for _, s := range flat {
		if s.Lo > end+AxisTolerance {
			gap += s.Lo - end
		}
		end = max(end, s.Hi)
	}
	if 2*math.Pi > end+AxisTolerance {
		gap += 2*math.Pi - end
	}
	return 2*math.Pi - gap
}

// Pierced calls visit where the axis of s passes through a patch, with the height along the axis and
// whether the patch faces along the axis there. A point on the border counts.
func (g *Graph) Pierced(p int32, s *Shape, visit func(z float64, facing bool)) {
	frame := geom.NewFrame(s.Origin, s.Axis, geom.Vec3{})
	base := s.Origin.Dot(s.Axis)
	g.EachTriangle(p, func(pa, pb, pc geom.Vec3) bool {
		a, b, c := frame.Local(pa), frame.Local(pb), frame.Local(pc)
		u, v, w := cross(c, b), cross(a, c), cross(b, a)
		if (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0) {
			return true
		}
		if det := u + v + w; det != 0 {
			visit(base+(u*a.Z+v*b.Z+w*c.Z)/det, det < 0)
		}
		return true
	})
}

// cross is the z of a × b; the conversions forbid fused multiply-add, so that cross(a, b) is exactly
// -cross(b, a) and the axis cannot slip between two triangles.
func cross(a, b geom.Vec3) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }

// AreaOf returns the area of several patches, mm².
func (g *Graph) AreaOf(patches []int32) float64 {
	sum := 0.0
	for _, p := range patches {
		sum += g.Patches[p].Area
	}
	return sum
}

// Facing reports whether a patch is a plane whose normal is dir.
func (g *Graph) Facing(p int32, dir geom.Vec3) bool {
	s := &g.Patches[p].Shape
	return s.Kind == surface.KindPlane && s.Axis.Dot(dir) > 0 && s.Axis.Cross(dir).Norm() <= DirectionTolerance
}
