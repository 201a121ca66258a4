package salvage

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// span is a bounded piece of a curve.
type span struct {
	c  curve.Curve
	iv geom.Interval
}

// RepairEdges finds the unknown curves of edges.
func (w *PartialModel) RepairEdges() {
	reach := w.reach()
	uses := w.uses()
	left := maxMended
	for i, why := range w.Edges {
		e := &w.Model.Edges[i]
		if why == nil || len(uses[i]) == 0 {
			continue
		}
		if left--; left < 0 {
			return
		}
		if w.cut(uses[i]) {
			w.Edges[i] = nil
			w.made(MadeEdge, uses[i][0].face, "A seam of %s was left out, which bounds nothing", why)
			continue
		}
		if w.Points[e.Start] != nil || w.Points[e.End] != nil {
			continue
		}
		on, known := w.surfaces(uses[i])
		if !known || len(uses[i]) < 2 && e.Start != e.End {
			continue
		}
		s, ok := w.between(e, on, uses[i], reach)
		if !ok {
			continue
		}
		if c, isCircle := s.c.(curve.Circle); isCircle && e.Start == e.End && w.runsBack(c, uses[i]) {
			c.Frame = geom.NewFrame(c.Frame.Origin, c.Frame.Z.Neg(), c.Frame.X)
			s.c = c
		}
		e.Curve, e.Range = s.c, s.iv
		w.Edges[i] = nil
		w.made(MadeEdge, uses[i][0].face, "An edge of %s was reconstructed at the intersection of its faces", why)
	}
}

// runsBack reports whether a circular edge would have on its right a face that continues along its axis.
func (w *PartialModel) runsBack(c curve.Circle, uses []use) bool {
	at, ahead := c.D1(0)
	for _, u := range uses {
		face := &w.Model.Faces[u.face]
		if _, isFlat := face.Surface.(surface.Plane); isFlat {
			continue
		}
		along := 0.0
		for _, l := range face.Loops {
			for _, id := range w.Loops[l].Coedges {
				e := &w.Model.Edges[w.Coedges[id].Edge]
				for _, v := range []brep.VertexID{e.Start, e.End} {
					if w.Points[v] == nil {
						along += w.Vertices[v].Point.Sub(at).Dot(c.Frame.Z)
					}
				}
			}
		}
		uv, _ := face.Surface.Invert(at)
		left := face.Surface.Normal(uv.X, uv.Y).Cross(ahead)
		if face.Reversed != w.Coedges[u.coedge].Reversed {
			left = left.Neg()
		}
		return left.Dot(c.Frame.Z)*along < 0
	}
	return false
}

// cut removes an edge from a loop that uses it in both directions, if there is one: the same face is on both sides. The
// rest of the loop is two loops, one loop or no loop.
func (w *PartialModel) cut(uses []use) bool {
	if len(uses) != 2 || uses[0].face != uses[1].face ||
		w.Coedges[uses[0].coedge].Reversed == w.Coedges[uses[1].coedge].Reversed {
		return false
	}
	face := &w.Model.Faces[uses[0].face]
	for k, l := range face.Loops {
		loop := &w.Loops[l]
		i, j := slices.Index(loop.Coedges, uses[0].coedge), slices.Index(loop.Coedges, uses[1].coedge)
		if i < 0 || j < 0 {
			continue
		}
		i, j = min(i, j), max(i, j)
		inner, outer := slices.Clone(loop.Coedges[i+1:j]), slices.Concat(loop.Coedges[j+1:], loop.Coedges[:i])
		if len(outer) == 0 {
			inner, outer = outer, inner
		}
		loop.Coedges = outer
		switch {
		case len(outer) == 0:
			face.Loops = slices.Delete(slices.Clone(face.Loops), k, k+1)
		case len(inner) > 0:
			face.Loops = append(slices.Clone(face.Loops), brep.LoopID(len(w.Loops)))
			w.Loops = append(w.Loops, brep.Loop{Coedges: inner, Vertex: brep.None, Source: loop.Source})
		}
		return true
	}
	return false
}

// between returns the curve on all surfaces, within tol (mm), from the start of an edge to its end.
func (w *PartialModel) between(e *brep.Edge, on []surface.Surface, uses []use, tol float64) (span, bool) {
	a, b := w.Vertices[e.Start].Point, w.Vertices[e.End].Point
	var choice []span
	if length := a.Dist(b); e.Start != e.End && length > tol {
		choice = append(choice, span{curve.Line{Origin: a, Dir: b.Sub(a).Unit()}, geom.Interval{Hi: length}})
	}
	choice = append(choice, arcs(a, b, e.Start == e.End, on, tol)...)
	const inside = 15 // samples of each candidate
	for _, s := range choice {
		points := samples(s.c, s.iv, inside)
		fits := !slices.ContainsFunc(on, func(f surface.Surface) bool { return !contains(f, points, tol) })
		if fits && !w.isTaken(points[inside/2], uses, tol) {
			return s, true
		}
	}
	if e.Start != e.End && len(on) == 2 {
		return march(a, b, on, tol)
	}
	return span{}, false
}

// arcs are the circular arcs from a to b about axes of the surfaces; of two arcs, the shorter comes first.
func arcs(a, b geom.Vec3, closed bool, on []surface.Surface, tol float64) []span {
	var out []span
	for _, axis := range axes(on) {
		z := axis.Z
		center := axis.Origin.AddScaled(a.Sub(axis.Origin).Dot(z), z)
		r := a.Dist(center)
		if !(r > tol) || math.Abs(b.Sub(center).Dot(z)) > tol || math.Abs(b.Dist(center)-r) > tol {
			continue
		}
		turn := 2 * math.Pi
		if closed {
			out = append(out, span{curve.Circle{Frame: geom.NewFrame(center, z, a.Sub(center)), Radius: r},
				geom.Interval{Hi: turn}})
			continue
		}
		forth := geom.NewFrame(center, z, a.Sub(center))
		at := forth.Local(b)
		angle := math.Atan2(at.Y, at.X)
		if angle == 0 { // two vertices at one point
			continue
		}
		if angle < 0 {
			forth, angle = geom.NewFrame(center, z.Neg(), a.Sub(center)), -angle
		}
		back := geom.NewFrame(center, forth.Z.Neg(), a.Sub(center))
		out = append(out, span{curve.Circle{Frame: forth, Radius: r}, geom.Interval{Hi: angle}},
			span{curve.Circle{Frame: back, Radius: r}, geom.Interval{Hi: turn - angle}})
	}
	return out
}

// axes are the axes of the surfaces, and the lines through the center of a sphere along the normal of a plane.
func axes(on []surface.Surface) []geom.Frame {
	var out []geom.Frame
	for _, s := range on {
		switch s := s.(type) {
		case surface.Cylinder:
			out = append(out, s.Frame)
		case surface.Cone:
			out = append(out, s.Frame)
		case surface.Torus:
			out = append(out, s.Frame)
		case surface.Sphere:
			out = append(out, s.Frame)
			for _, other := range on {
				if p, ok := other.(surface.Plane); ok {
					out = append(out, geom.NewFrame(s.Frame.Origin, p.Frame.Z, p.Frame.X))
				}
			}
		}
	}
	return out
}

// isTaken reports whether another edge of the faces runs through a point: two edges of a face do not cross.
func (w *PartialModel) isTaken(p geom.Vec3, uses []use, tol float64) bool {
	for _, u := range uses {
		for _, l := range w.Model.Faces[u.face].Loops {
			for _, c := range w.Loops[l].Coedges {
				e := &w.Model.Edges[w.Coedges[c].Edge]
				if !w.isKnown(w.Coedges[c].Edge) {
					continue
				}
				if _, off := curve.InvertIn(e.Curve, p, e.Range); off <= tol {
					return true
				}
			}
		}
	}
	return false
}

// march follows the intersection curve of two surfaces from a to b, point by point in planes perpendicular to the
// chord. The curve is a line or conic if it contains the points, else a cubic through them with their tangents. The
// error of the cubic decreases with the fourth power of the point distance, which is halved until the error is below
// tol (mm).
func march(a, b geom.Vec3, on []surface.Surface, tol float64) (span, bool) {
	const fewest, most = 16, 256
	for n := fewest; n <= most; n *= 2 {
		p, ok := places(a, b, on, n, tol)
		if !ok {
			return span{}, false
		}
		if c, iv, ok := fit.Curve(p, false, tol); ok {
			return span{c, iv}, true
		}
		s, ok := cubic(p, on)
		if !ok {
			return s, false
		}
		points := samples(s.c, s.iv, n)
		if contains(on[0], points, tol) && contains(on[1], points, tol) {
			return s, true
		}
	}
	return span{}, false
}

// places are n+1 points of the intersection curve of two surfaces, in planes perpendicular to the chord.
func places(a, b geom.Vec3, on []surface.Surface, n int, tol float64) ([]geom.Vec3, bool) {
	out := make([]geom.Vec3, 0, n+1)
	out = append(out, a)
	step := b.Sub(a).Scale(1 / float64(n))
	for i := 1; i < n; i++ {
		origin := a.AddScaled(float64(i), step)
		across := surface.Plane{Frame: geom.NewFrame(origin, step, step.Perp())}
		p, ok := descend(nil, append(slices.Clone(on), across), out[i-1].Add(step), tol)
		const far = 8 // steps: it went to another branch
		if !ok || p.Dist(out[i-1]) > far*step.Norm() {
			return nil, false
		}
		out = append(out, p)
	}
	return append(out, b), true
}

// cubic is the B-spline through points of the intersection curve of two surfaces, with its tangents there.
func cubic(p []geom.Vec3, on []surface.Surface) (span, bool) {
	along := p[len(p)-1].Sub(p[0]).Unit()
	const degree = 3
	var points []geom.Vec3
	knots := []float64{0, 0, 0, 0}
	chord := p[len(p)-1].Dist(p[0]) / float64(len(p)-1)
	for i, x := range p {
		var n [2]geom.Vec3
		for k, s := range on {
			uv, _ := s.Invert(x)
			n[k] = s.Normal(uv.X, uv.Y)
		}
		t := n[0].Cross(n[1]).Unit()
		ahead := t.Dot(along)
		if ahead == 0 {
			return span{}, false
		}
		t = t.Scale(chord / (degree * ahead))
		if i > 0 {
			points = append(points, x.Sub(t))
		}
		if i == 0 || i == len(p)-1 {
			points = append(points, x)
		} else {
			knots = append(knots, float64(i), float64(i))
		}
		if i < len(p)-1 {
			points = append(points, x.Add(t))
		}
	}
	end := float64(len(p) - 1)
	c, err := curve.NewBSpline(degree, append(knots, end, end, end, end), points, nil, false)
	if err != nil {
		return span{}, false
	}
	return span{c, c.Domain()}, true
}
