package feature

// Convexity of edges.
//
// Method: at interior points of the edge, the turn from the outward normal of one face to that of the
// other about the edge, signed by the side on which the first face lies (left of its coedge, seen
// from outside). The majority of the points decides, so that an edge along which a blend runs out is
// what it is for most of its length.

import (
	"math"

	"millwright/core/brep"
	"millwright/core/geom"
)

// bend is how the surface of the part turns at an edge.
type bend uint8

const (
	smooth  bend = iota // the faces are tangent
	convex              // an outer edge: less than 180° of material
	concave             // an inner edge
)

const (
	// smoothAngle (rad, 0.5°): blends of exchanged B-splines meet their neighbours within a few
	// hundredths of a degree; drafts start at half a degree.
	smoothAngle = 0.5 * math.Pi / 180

	bendSamples = 5 // points per edge
)

// bendOf measures an edge with two coedges; ok is false where no sample has a normal on both sides.
func (g *graph) bendOf(e brep.EdgeID) (r arc, ok bool) {
	edge := &g.model.Edges[e]
	c := edge.Coedges[0]
	fa, fb := g.model.FaceOf(c), g.model.FaceOf(edge.Coedges[1])
	var hintA, hintB *geom.Vec2
	var count [concave + 1]int
	sum, n := 0.0, 0
	for i := range bendSamples {
		p, d := edge.Curve.D1(edge.Range.At((float64(i) + 0.5) / bendSamples))
		t := d.Unit()
		r.length += d.Norm() * edge.Range.Length() / bendSamples // exact for lines and circles
		if g.model.Coedges[c].Reversed {
			t = t.Neg()
		}
		na, ua := g.normalAt(fa, p, hintA)
		nb, ub := g.normalAt(fb, p, hintB)
		hintA, hintB = &ua, &ub
		if i == bendSamples/2 {
			r.mid, r.dir = p, t
		}
		turn := math.Atan2(-nb.Dot(na.Cross(t)), na.Dot(nb))
		if t == (geom.Vec3{}) || na == (geom.Vec3{}) || nb == (geom.Vec3{}) || math.IsNaN(turn) {
			continue
		}
		sum += turn
		n++
		switch {
		case math.Abs(turn) <= smoothAngle:
			count[smooth]++
		case turn > 0:
			count[convex]++
		default:
			count[concave]++
		}
	}
	if n == 0 {
		return r, false
	}
	r.turn = sum / float64(n)
	switch {
	case count[smooth] > n/2:
		r.bend = smooth
	case count[convex] > count[concave] || count[convex] == count[concave] && r.turn > 0:
		r.bend = convex
	default:
		r.bend = concave
	}
	return r, true
}

// normalAt returns the outward normal of a face at its point closest to p, and that point's
// parameters.
func (g *graph) normalAt(f brep.FaceID, p geom.Vec3, hint *geom.Vec2) (geom.Vec3, geom.Vec2) {
	face := &g.model.Faces[f]
	var uv geom.Vec2
	if hint == nil {
		uv, _ = face.Surface.Invert(p)
	} else {
		uv, _ = face.Surface.InvertNear(p, *hint)
	}
	n := face.Surface.Normal(uv.X, uv.Y)
	if face.Reversed {
		n = n.Neg()
	}
	return n, uv
}
