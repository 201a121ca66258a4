// Package canonical recovers the analytic geometry of faces and edges that were exchanged as B-splines, extrusions,
// revolutions or offsets: planes, cylinders, cones, spheres and tori; lines, circles and ellipses. Recognition, meshing
// and measuring all depend on it.
//
// Lengths are mm. Changes are below the accuracy of a measurement: over the whole face or edge, the new geometry is
// within Options' tolerance of the old one. Topology stays unchanged.
package canonical

import (
	"context"
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// Method
//
// A surface is sampled on its natural domain, or, if that fails, on the parameter rectangle of the face's boundary
// (region.go). Package fit finds the analytic surface through the samples or rejects them, mostly after one pass. A
// candidate is then compared with the surface on every polynomial piece of the rectangle, by a bound that covers the
// points between samples too (bound.go), and with the face's edges. The profile determines extrusions and revolutions
// (sweep.go), the base determines offsets. Edge curves are treated likewise (edge.go). Faces are independent and
// run on all processors.
//
// Cost: linear in faces and edges. A freeform face that stays unchanged costs 25 evaluations with second derivatives.
//
// Not handled: surfaces that are analytic only over a non-rectangular part of the rectangle, and hyperbolas and
// parabolas.

// Warning codes.
const (
	RecoveredSurface = "recovered_surface" // a face got the analytic surface that it lies on
	RecoveredCurve   = "recovered_curve"   // an edge got the line, circle or ellipse that it is
)

// Options steer the recovery. The zero value is the default.
type Options struct {
	// Tolerance (mm) is the largest deviation of a replacement from its surface or curve. 0 is the default: the model's
	// own tolerance, but no more than maxTolerance and maxShare of the face, and no less than the accuracy to which CAD
	// systems exchange geometry.
	Tolerance float64
}

const (
	// maxTolerance (mm) is a tenth of the accuracy of the finest machining.
	maxTolerance = 1e-4
	// minTolerance (mm) is the coarsest accuracy with which CAD kernels write exact geometry.
	minTolerance = 1e-5
	// maxShare is the largest tolerance as a fraction of the size of a face or edge: small ones must agree better.
	maxShare = 1e-5
)

// Report counts the recovered geometry.
type Report struct {
	Faces    [surface.KindTorus + 1]int // by the kind they became
	Edges    [curve.KindEllipse + 1]int // by the kind they became
	Freeform int                        // faces of other than analytic kinds
	Curves   int                        // edges other than lines, conics and poles
}

// Recover replaces surfaces and curves of m in place and counts them as warnings of m. The result does not depend on
// the number of processors. The error is the error of ctx, with m unchanged.
func Recover(ctx context.Context, m *brep.Model, opts Options) (Report, error) {
	r := recoverer{m: m, opts: opts}
	faces := make([]found, len(m.Faces))
	const batch = 32 // faces or edges taken at a time
	err := parallel.For(ctx, len(m.Faces), batch, func(i int) { faces[i] = r.face(brep.FaceID(i)) })
	if err != nil {
		return Report{}, err
	}
	curves := make([]bounded, len(m.Edges))
	err = parallel.For(ctx, len(m.Edges), batch, func(i int) { curves[i] = r.edge(&m.Edges[i]) })
	if err != nil {
		return Report{}, err
	}
	return r.apply(faces, curves), nil
}

type recoverer struct {
	m    *brep.Model
	opts Options
}

// found is the analytic surface of a face; s is nil if there is no such surface.
type found struct {
	s      surface.Surface
	turned bool // its normal is opposite to the normal of the face's own surface
}

// tolerance returns the permitted deviation of geometry of the given size (mm).
func (r *recoverer) tolerance(size float64) float64 {
	if r.opts.Tolerance > 0 {
		return r.opts.Tolerance
	}
	return min(maxTolerance, max(r.m.Tolerance.Length, minTolerance), maxShare*size)
}

func (r *recoverer) apply(faces []found, curves []bounded) Report {
	var rep Report
	var firstFace, firstEdge fault.Location
	surfaces, edges := 0, 0
	for i := range faces {
		f := &r.m.Faces[i]
		switch {
		case faces[i].s != nil:
			if surfaces == 0 {
				firstFace = r.m.FaceName(brep.FaceID(i))
			}
			f.Surface = faces[i].s
			f.Reversed = f.Reversed != faces[i].turned
			rep.Faces[f.Surface.Kind()]++
			surfaces++
		case f.Surface != nil && !f.Surface.Kind().IsAnalytic():
			rep.Freeform++
		}
	}
	for i := range curves {
		e := &r.m.Edges[i]
		switch c := curves[i]; {
		case c.c != nil:
			e.Curve, e.Range = c.c, c.iv
			if c.isPlain {
				continue
			}
			if edges == 0 {
				firstEdge = r.m.EdgeName(brep.EdgeID(i))
			}
			rep.Edges[c.c.Kind()]++
			edges++
		case e.Curve != nil && e.Curve.Kind() >= curve.KindBSpline:
			rep.Curves++
		}
	}
	r.warn(RecoveredSurface, surfaces,
		"The surface of %s is a plane, cylinder, cone, sphere or torus and was replaced by it", firstFace)
	r.warn(RecoveredCurve, edges,
		"The curve of %s is a line, circle or ellipse and was replaced by it", firstEdge)
	return rep
}

func (r *recoverer) warn(code string, count int, format string, args ...any) {
	if count > 0 {
		r.m.Warnings = append(r.m.Warnings, fault.Warnf(code, count, format, args...))
	}
}

// boxOf returns the box of a face's edges, or of its surface if it has no edges.
func (r *recoverer) boxOf(f brep.FaceID) geom.Box {
	box := geom.EmptyBox()
	r.eachEdge(f, func(e *brep.Edge) bool {
		const parts = 4
		for k := range parts + 1 {
			box = box.Add(e.Curve.At(e.Range.At(float64(k) / parts)))
		}
		return true
	})
	if s := r.m.Faces[f].Surface; box.IsEmpty() {
		if u, v := s.Domain(); u.IsFinite() && v.IsFinite() {
			return s.Bounds(u, v)
		}
	}
	return box
}

// eachEdge visits the edges of a face that have a curve, until visit returns false.
func (r *recoverer) eachEdge(f brep.FaceID, visit func(e *brep.Edge) bool) {
	for _, l := range r.m.Faces[f].Loops {
		for _, c := range r.m.Loops[l].Coedges {
			if e := &r.m.Edges[r.m.Coedges[c].Edge]; e.Curve != nil && !visit(e) {
				return
			}
		}
	}
}

// finite reports whether the box has a size to speak of.
func finite(b geom.Box) bool {
	d := b.Diagonal()
	return d > geom.Resolution && !math.IsInf(d, 0) && !math.IsNaN(d)
}
