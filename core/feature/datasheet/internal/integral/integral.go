// Package integral measures the patches of a part as a cutter along a direction makes them: area, its
// projections along and around the direction, and the volume up to a level.
package integral

// Surface integrals over patches.
//
// Method: Green's theorem in the surface's own parameters. On a plane, a cylinder, a cone, a sphere, and a torus about
// the direction, each integrand has an antiderivative in closed form along one parameter. The integral over the patch
// is then one along its edges, taken by Gauss quadrature on the exact curves. The forms use only the angle's
// differential, never the angle itself, so a seam has no effect. Edge ranges are halved until their contribution
// converges. For other surfaces, or if the area from the edges differs from the mesh area, the mesh is summed.
//
// Cost: linear in edges. Limits: a sphere patch contains at most one pole, the one nearest to most of it. Tori about
// another axis and freeform surfaces are as exact as their mesh.

import (
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Sums are the integrals over some patches.
type Sums struct {
	Area    float64 // mm²
	Floor   float64 // mm², projected along the direction, upward and downward areas both positive
	Wall    float64 // mm², projected on the mantle around the direction
	Volume  float64 // mm³ between the patches and the level; negative below faces that face down
	Inexact bool    // part of the sum is from the mesh
}

// meshShare is the largest relative difference between the exact and the mesh area. Beyond it, the edges cannot be the
// patch's boundary.
const meshShare = 0.05

// deepest is the maximum number of times that an edge range is halved.
const deepest = 12

// Of integrates over patches as seen along the unit vector dir; the volume reaches up to level, mm
// along dir.
func Of(g *graph.Graph, patches []int32, dir geom.Vec3, level float64) Sums {
	var sum Sums
	for _, p := range patches {
		s, ok := exact(g, p, dir, level)
		if !ok || math.Abs(s.Area-g.Patches[p].Area) > meshShare*g.Patches[p].Area+g.Length*g.Length {
			s = meshed(g, p, dir, level)
		}
		sum.add(s)
	}
	return sum
}

func (s *Sums) add(o Sums) {
	s.Area += o.Area
	s.Floor += o.Floor
	s.Wall += o.Wall
	s.Volume += o.Volume
	s.Inexact = s.Inexact || o.Inexact
}

func (s Sums) scale(f float64) Sums {
	s.Area, s.Floor, s.Wall, s.Volume = f*s.Area, f*s.Floor, f*s.Wall, f*s.Volume
	return s
}

// agrees reports whether two sums are equal within the reported precision.
func (s Sums) agrees(o Sums) bool {
	const fine = 1e-4 // mm² of areas; of volumes a share, or mm³ below one
	isNear := func(a, b, within float64) bool { return !(math.Abs(a-b) > within) }
	return isNear(s.Area, o.Area, fine) && isNear(s.Floor, o.Floor, fine) && isNear(s.Wall, o.Wall, fine) &&
		isNear(s.Volume, o.Volume, fine*(1+math.Abs(s.Volume)))
}

// meshed sums over the triangles of a patch.
func meshed(g *graph.Graph, p int32, dir geom.Vec3, level float64) Sums {
	s := Sums{Inexact: true}
	g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
		n := b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
		area, up := n.Norm(), n.Dot(dir)
		s.Area += area
		s.Floor += math.Abs(up)
		s.Wall += math.Sqrt(max(0, area*area-up*up))
		s.Volume += (level - a.Add(b).Add(c).Dot(dir)/3) * up
		return true
	})
	return s
}

// form is a one-form on a surface. Its integral around a patch equals the sums over the patch.
type form interface {
	// at returns the increment of the sums for a step dp on the surface at p.
	at(p, dp geom.Vec3) Sums
}

func exact(g *graph.Graph, p int32, dir geom.Vec3, level float64) (Sums, bool) {
	w := formOf(g, p, dir, level)
	if w == nil {
		return Sums{}, false
	}
	var sum Sums
	m := g.Model
	for _, f := range g.Patches[p].Faces {
		for _, l := range m.Faces[f].Loops {
			for _, c := range m.Loops[l].Coedges {
				ce := &m.Coedges[c]
				if e := &m.Edges[ce.Edge]; e.Curve != nil {
					along(e, ce.Reversed, w, &sum)
				}
			}
		}
	}
	if sum.Area < 0 { // the form runs against the face
		sum = sum.scale(-1)
	}
	return sum, true
}

// Gauss-Legendre, 8 points on [0, 1]: exact to degree 15.
var (
	gaussAt = [8]float64{0.0198550717512319, 0.1016667612931866, 0.2372337950418355, 0.4082826787521751,
		0.5917173212478249, 0.7627662049581645, 0.8983332387068134, 0.9801449282487681}
	gaussWeight = [8]float64{0.0506142681451881, 0.1111905172266872, 0.1568533229389436, 0.1813418916891810,
		0.1813418916891810, 0.1568533229389436, 0.1111905172266872, 0.0506142681451881}
)

// along adds the integral of a form along an edge.
func along(e *brep.Edge, reversed bool, w form, sum *Sums) {
	var buffer [16]float64
	cuts := append(buffer[:0], e.Range.Lo)
	pieces := 1
	switch e.Curve.Kind() {
	case curve.KindLine:
	case curve.KindCircle, curve.KindEllipse:
		pieces = int(math.Ceil(e.Range.Length() / (math.Pi / 4)))
	default:
		pieces = 4
		for _, t := range curve.Breaks(nil, e.Curve, e.Range) {
			if t > cuts[len(cuts)-1] && t < e.Range.Hi {
				cuts = append(cuts, t)
			}
		}
	}
	cuts = append(cuts, e.Range.Hi)
	for i := 1; i < len(cuts); i++ {
		step := (cuts[i] - cuts[i-1]) / float64(pieces)
		for k := range pieces {
			at := geom.Interval{Lo: cuts[i-1] + float64(k)*step, Hi: cuts[i-1] + float64(k+1)*step}
			s := halved(e.Curve, at, w, gauss(e.Curve, at, w), deepest)
			if reversed {
				s = s.scale(-1)
			}
			sum.add(s)
		}
	}
}

// halved refines an integral along a curve until the sum of its halves agrees with it. The forms are not smooth next to
// a pole and where a surface changes the side that it faces.
func halved(c curve.Curve, at geom.Interval, w form, whole Sums, depth int) Sums {
	l, r := geom.Interval{Lo: at.Lo, Hi: at.Mid()}, geom.Interval{Lo: at.Mid(), Hi: at.Hi}
	a, b := gauss(c, l, w), gauss(c, r, w)
	sum := a
	sum.add(b)
	if depth == 0 || sum.agrees(whole) {
		return sum
	}
	sum = halved(c, l, w, a, depth-1)
	sum.add(halved(c, r, w, b, depth-1))
	return sum
}

// gauss integrates along a piece of a curve.
func gauss(c curve.Curve, at geom.Interval, w form) Sums {
	var sum Sums
	for q, x := range gaussAt {
		p, d := c.D1(at.Lo + x*at.Length())
		sum.add(w.at(p, d.Scale(at.Length()*gaussWeight[q])))
	}
	return sum
}

// formOf returns the form for a patch, nil if its surface has no form.
func formOf(g *graph.Graph, p int32, dir geom.Vec3, level float64) form {
	s := &g.Patches[p].Shape
	side := 1.0
	if s.Hollow {
		side = -1
	}
	switch s.Kind {
	case surface.KindPlane:
		return planeForm(s, dir, level)
	case surface.KindCylinder:
		f := geom.NewFrame(s.Origin, s.Axis, geom.Vec3{})
		return &cylinder{frame: f, dir: f.LocalDir(dir), radius: s.Radius, side: side,
			level: level - s.Origin.Dot(dir)}
	case surface.KindCone:
		return coneForm(s, dir, level, side)
	case surface.KindSphere:
		return ringForm(g, p, dir, level, side, 0, s.Radius)
	case surface.KindTorus:
		if !graph.Parallel(s.Axis, dir) {
			return nil
		}
		return ringForm(g, p, dir, level, side, s.Radius, s.Minor)
	}
	return nil
}
