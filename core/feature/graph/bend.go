package graph

// Convexity of edges.
//
// Method: at interior points of the edge, the turn from the outward normal of one face to the normal of the other about
// the edge, signed by the side of the first face (left of its coedge, seen from outside). The majority of the points
// decides, so that an edge along which a blend runs out has the convexity of most of its length.

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Convexity is the direction in which the surface of the part turns at an edge.
type Convexity uint8

const (
	Smooth  Convexity = iota // the faces are tangent
	Convex                   // an outer edge: less than 180° of material
	Concave                  // an inner edge
)

const (
	// SmoothAngle (rad, 0.5°): blends of exchanged B-splines meet their neighbors within a few hundredths of a degree;
	// drafts start at half a degree.
	SmoothAngle = 0.5 * math.Pi / 180

	bendSamples = 5 // points per edge
)

// bendOf measures an edge with two coedges; ok is false where no sample has a normal on both sides.
func (g *Graph) bendOf(e brep.EdgeID) (r Adjacency, ok bool) {
	edge := &g.Model.Edges[e]
	c := edge.Coedges[0]
	fa, fb := g.Model.FaceOf(c), g.Model.FaceOf(edge.Coedges[1])
	var hintA, hintB *geom.Vec2
	var count [Concave + 1]int
	sum, n := 0.0, 0
	for i := range bendSamples {
		p, d := edge.Curve.D1(edge.Range.At((float64(i) + 0.5) / bendSamples))
		t := d.Unit()
		r.Length += d.Norm() * edge.Range.Length() / bendSamples // exact for lines and circles
		if g.Model.Coedges[c].Reversed {
			t = t.Neg()
		}
		na, ua := g.normalAt(fa, p, hintA)
		nb, ub := g.normalAt(fb, p, hintB)
		hintA, hintB = &ua, &ub
		if i == bendSamples/2 {
			r.Mid, r.Dir = p, t
		}
		turn := math.Atan2(-nb.Dot(na.Cross(t)), na.Dot(nb))
		if t == (geom.Vec3{}) || na == (geom.Vec3{}) || nb == (geom.Vec3{}) || math.IsNaN(turn) {
			continue
		}
		sum += turn
		n++
		switch {
		case math.Abs(turn) <= SmoothAngle:
			count[Smooth]++
		case turn > 0:
			count[Convex]++
		default:
			count[Concave]++
		}
	}
	if n == 0 {
		return r, false
	}
	r.Turn = sum / float64(n)
	switch {
	case count[Smooth] > n/2:
		r.Convexity = Smooth
	case count[Convex] > count[Concave] || count[Convex] == count[Concave] && r.Turn > 0:
		r.Convexity = Convex
	default:
		r.Convexity = Concave
	}
	return r, true
}

// NormalAt returns the outward normal of a face at its point closest to p.
func (g *Graph) NormalAt(f brep.FaceID, p geom.Vec3) geom.Vec3 {
	n, _ := g.normalAt(f, p, nil)
	return n
}

// normalAt returns the outward normal of a face at its point closest to p, and that point's
// parameters as a hint for the next.
func (g *Graph) normalAt(f brep.FaceID, p geom.Vec3, hint *geom.Vec2) (geom.Vec3, geom.Vec2) {
	face := &g.Model.Faces[f]
	var uv geom.Vec2
	switch {
	case face.Surface.Kind() == surface.KindPlane: // one normal at any p
	case hint == nil:
		uv, _ = face.Surface.Invert(p)
	default:
		uv, _ = face.Surface.InvertNear(p, *hint)
	}
	n := face.Surface.Normal(uv.X, uv.Y)
	if face.Reversed {
		n = n.Neg()
	}
	return n, uv
}
