package outline

// Projection of curves that are neither along nor across the view.
//
// Circles and ellipses, most of the curves of a part, are ellipses in any view. They are fitted from vertex to vertex,
// and their smallest radius is exact. Other curves are sampled once, close enough to find all their turns. A view
// caches projected edges, since both adjacent faces request them, as do all outlines that they obstruct.

import (
	"math"
	"sync/atomic"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	// sagitta (mm) and kink (rad) bound the chords between samples.
	sagitta = 0.01
	kink    = 0.15

	// fitted (mm) is the largest distance of arcs from the curve: a diameter is then off by 1e-3 mm at most.
	fitted = 5e-4

	// beside is the share of a curve before and after a sample at which tangents are compared. A turn of more than
	// smooth (rad) is a corner.
	beside = 1e-7
	smooth = 1e-3

	// step (rad) is the largest step between samples of an ellipse. A biarc follows an ellipse well within the
	// tolerance; at the sharp end of a flat one, where it may not, the chord does.
	step = 0.1
)

// Samples are points of the edges other than lines, circles and ellipses, for views along any direction. An edge is
// sampled on first use. Samples are safe for concurrent use.
type Samples struct {
	model  *brep.Model
	number []int32 // number of edge e among the sampled ones, graph.None for other edges
	points []atomic.Pointer[[]sample]
}

// sample is a point of a curve with its direction there, of any length.
type sample struct{ at, along geom.Vec3 }

// Sample allocates the samples of a part, once for all views.
func Sample(g *graph.Graph) *Samples {
	s := &Samples{model: g.Model, number: make([]int32, len(g.Model.Edges))}
	curved := int32(0)
	for i := range g.Model.Edges {
		e := &g.Model.Edges[i]
		s.number[i] = graph.None
		if e.Curve != nil && e.Curve.Kind() != curve.KindLine {
			s.number[i] = curved
			curved++
		}
	}
	s.points = make([]atomic.Pointer[[]sample], curved)
	return s
}

// of returns the samples of an edge, nil for lines, circles and ellipses.
func (s *Samples) of(id brep.EdgeID) []sample {
	n := s.number[id]
	if n == graph.None {
		return nil
	}
	if known := s.points[n].Load(); known != nil {
		return *known
	}
	var points []sample
	e := &s.model.Edges[id]
	if _, ok := curve.AsEllipse(e.Curve); !ok {
		points = samplesOf(e)
	}
	s.points[n].CompareAndSwap(nil, &points)
	return points
}

// samplesOf samples an edge at ascending parameters; where the curve has a corner, there are two, with the
// directions before and after it.
func samplesOf(e *brep.Edge) (out []sample) {
	at := curve.Sample(e.Curve, e.Range, sagitta, kink)
	beside := beside * e.Range.Length()
	for i, t := range at {
		p, along := e.Curve.D1(t)
		if i > 0 && i < len(at)-1 {
			_, before := e.Curve.D1(t - beside)
			_, after := e.Curve.D1(t + beside)
			if before.Cross(after).Norm() > smooth*before.Norm()*after.Norm() || before.Dot(after) < 0 {
				out = append(out, sample{p, before})
				along = after
			}
		}
		out = append(out, sample{p, along})
	}
	return out
}

// projected caches the projected curved edges of a view, by number. The first caller computes an edge; concurrent
// callers get the same result.
type projected struct {
	pieces []atomic.Pointer[[]planar.Segment]
}

func (s *Samples) newLaid() *projected {
	return &projected{pieces: make([]atomic.Pointer[[]planar.Segment], len(s.points))}
}

// isLevel reports whether a circle lies across the view, or leans so little that an arc approximates it.
func (v Projection) isLevel(c curve.Circle) bool {
	lean := 1 - math.Abs(c.Frame.Z.Dot(v.Frame.Z)) // its narrow axis is so much shorter than its radius
	return graph.Parallel(c.Frame.Z, v.Frame.Z) || lean*c.Radius <= fitted
}

// appendFlat adds the projection of a curve as arcs and segments.
func (v Projection) appendFlat(dst []planar.Segment, id brep.EdgeID, reversed bool, tag int32) []planar.Segment {
	pieces := v.flat(id)
	n := len(dst)
	dst = append(dst, pieces...)
	if reversed {
		dst = append(dst[:n], planar.Loop(pieces).Reverse()...)
	}
	for i := n; i < len(dst); i++ {
		dst[i].Tag, dst[i].Joined = tag, i > n
	}
	return dst
}

// flat returns the projection of a curved edge, walked forward.
func (v Projection) flat(id brep.EdgeID) []planar.Segment {
	if v.projected == nil {
		return v.lay(id)
	}
	kept := &v.projected.pieces[v.samples.number[id]]
	if p := kept.Load(); p != nil {
		return *p
	}
	p := v.lay(id)
	kept.Store(&p)
	return p
}

func (v Projection) lay(id brep.EdgeID) []planar.Segment {
	e := &v.Graph.Model.Edges[id]
	if r, ok := curve.AsEllipse(e.Curve); ok {
		return ellipse{v.Point(r.Center), v.Point(r.A), v.Point(r.B)}.fit(e.Range)
	}
	var out []planar.Segment
	var f flat
	all := v.samples.of(id)
	for i, q := range all {
		f.add(v.Point(q.at), v.Point(q.along), graph.DirectionTolerance*q.along.Norm())
		if i == len(all)-1 || all[i+1].at == q.at { // up to a corner
			out = f.appendTo(out)
			f = flat{f.at[:0], f.dir[:0]}
		}
	}
	return out
}

// flat are points of a projected curve with unit directions, zero where it is seen end on.
type flat struct{ at, dir []geom.Vec2 }

// add adds a point and its tangent, which is zero if it is shorter than least.
func (f *flat) add(at, along geom.Vec2, least float64) {
	if l := along.Norm(); l > least {
		along = along.Scale(1 / l)
	} else {
		along = geom.Vec2{}
	}
	f.at, f.dir = append(f.at, at), append(f.dir, along)
}

// appendTo appends segments that approximate the curve.
func (f *flat) appendTo(dst []planar.Segment) []planar.Segment {
	if f.isPoint() {
		return dst
	}
	return planar.AppendBiarcs(dst, f.at, f.dir, fitted)
}

// isPoint reports whether the curve is seen end on.
func (f *flat) isPoint() bool {
	for _, q := range f.at {
		if q.Dist(f.at[0]) > geom.Resolution {
			return false
		}
	}
	return true
}

// ellipse is a projected curve.EllipseForm.
type ellipse struct{ center, a, b geom.Vec2 }

// at returns the point at t and the derivative there.
func (e *ellipse) at(t float64) (p, d geom.Vec2) {
	s, c := math.Sincos(t)
	return e.center.Add(e.a.Scale(c)).Add(e.b.Scale(s)), e.b.Scale(c).Sub(e.a.Scale(s))
}

// radius returns the radius of curvature at t, 0 when the ellipse is a line.
func (e *ellipse) radius(t float64) float64 {
	_, d := e.at(t)
	l := d.Norm()
	if l == 0 {
		return 0
	}
	return l * l * l / math.Abs(e.a.Cross(e.b))
}

// fit returns arcs and segments that approximate a range of the ellipse.
func (e ellipse) fit(over geom.Interval) []planar.Segment {
	// The vertices lie where the derivative is square to the radius.
	const quarter = math.Pi / 2
	vertex := math.Atan2(2*e.a.Dot(e.b), e.a.Norm2()-e.b.Norm2()) / 2
	least := graph.DirectionTolerance * max(e.a.Norm(), e.b.Norm())
	most := min(step, 2*math.Acos(max(0, 1-sagitta/max(e.a.Norm(), e.b.Norm())))) // of the chord's own error
	isFlat := math.Abs(e.a.Cross(e.b)) <= least*least
	var out []planar.Segment
	var f flat
	tight := min(e.radius(over.Lo), e.radius(over.Hi))
	for lo := over.Lo; lo < over.Hi; {
		hi := min(after(vertex, lo+geom.AngularResolution, quarter), over.Hi)
		if over.Hi-hi <= geom.AngularResolution {
			hi = over.Hi
		}
		tight = min(tight, e.radius(hi))
		f.at, f.dir = f.at[:0], f.dir[:0]
		n := int(math.Ceil((hi - lo) / most))
		if isFlat {
			n = 1 // to and fro on a line
		}
		for i := range n + 1 {
			p, d := e.at(lo + (hi-lo)*float64(i)/float64(n))
			f.add(p, d, least)
		}
		out = f.appendTo(out)
		lo = hi
	}
	for i := range out {
		if out[i].Turn != 0 {
			out[i].Tight = tight
		}
	}
	return out
}

// after returns the first of the values t + k·step, k whole, that is not less than lo.
func after(t, lo, step float64) float64 { return t + step*math.Ceil((lo-t)/step) }
