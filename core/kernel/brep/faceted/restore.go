package faceted

import (
	"context"
	"errors"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// Faces of triangles whose points lie on their underlying surfaces, as CAD systems display them, can return to that
// exact geometry. The face gets the underlying surface, and an edge between two such faces gets the intersection curve
// of their surfaces (meet.go). An edge of a face that stays triangles stays a polyline.
//
// The result is checked against the triangles. A face whose measures differ from theirs, or whose loops bound no region
// of its surface, returns to triangles.

// Restore gives faces of m, which is linked, their underlying surfaces if these are analytic and fit. It returns the
// number of such faces. Curves are within tolerance (mm) of the surfaces on both sides. The error is the error of ctx.
func Restore(ctx context.Context, m *brep.Model, tolerance float64) (restored int, err error) {
	r := restorer{m: m, tolerance: tolerance, faces: slices.Clone(m.Faces), edges: slices.Clone(m.Edges),
		met: make([]brep.Edge, len(m.Edges)), exact: make([]bool, len(m.Faces))}
	for i := range m.Faces {
		if f, ok := m.Faces[i].Surface.(*facets.Surface); ok && f.Carrier() != nil {
			r.exact[i] = f.Carrier().Kind().IsAnalytic()
		}
	}
	for wrong := 1; wrong > 0; {
		if err := r.apply(ctx); err != nil {
			return 0, err
		}
		if wrong, err = r.check(ctx); err != nil {
			return 0, err
		}
	}
	for _, is := range r.exact {
		if is {
			restored++
		}
	}
	return restored, nil
}

type restorer struct {
	m         *brep.Model
	tolerance float64
	faces     []brep.Face // as they came
	edges     []brep.Edge
	met       []brep.Edge // with the intersection curves; without a curve until the search
	exact     []bool      // by face: it gets its carrier
}

// carrierOf returns the carrier of a face.
func (r *restorer) carrierOf(f brep.FaceID) surface.Surface {
	return surface.Underlying(r.faces[f].Surface)
}

// apply gives faces their surfaces and edges their curves.
func (r *restorer) apply(ctx context.Context) error {
	for i := range r.m.Faces {
		f := &r.m.Faces[i]
		f.Surface, f.Reversed = r.faces[i].Surface, r.faces[i].Reversed
		if r.exact[i] {
			f.Surface = r.carrierOf(brep.FaceID(i))
			f.Reversed = f.Reversed != against(r.faces[i].Surface.(*facets.Surface))
		}
	}
	for i := range r.m.Edges {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := &r.m.Edges[i]
		*e = r.edges[i]
		list := e.Coedges
		rough := slices.ContainsFunc(list, func(c brep.CoedgeID) bool { return !r.exact[r.m.FaceOf(c)] })
		if len(list) == 0 {
			continue
		}
		if !rough {
			if r.met[i].Curve == nil {
				r.met[i] = r.meet(e)
			}
			e.Curve, e.Range, e.Tolerance = r.met[i].Curve, r.met[i].Range, r.met[i].Tolerance
			continue
		}
		for _, c := range list { // the chords of the triangles leave the surface
			if f := r.m.FaceOf(c); r.exact[f] {
				e.Tolerance = max(e.Tolerance, r.chordGap(e, r.carrierOf(f)))
			}
		}
	}
	return nil
}

// against reports whether triangles are opposite to the normal of the underlying surface.
func against(s *facets.Surface) bool {
	sum := 0.0
	for i, p := range s.Points() {
		uv, _ := s.Carrier().Invert(p)
		sum += s.Carrier().Normal(uv.X, uv.Y).Dot(s.Normals()[i])
	}
	return sum < 0
}

// chordGap returns the largest distance of the segment midpoints of a polyline from a surface.
func (r *restorer) chordGap(e *brep.Edge, s surface.Surface) (gap float64) {
	ring := corners(e)
	for i := 1; i < len(ring); i++ {
		_, off := s.Invert(ring[i-1].Lerp(ring[i], 0.5))
		gap = max(gap, off)
	}
	return gap
}

// corners returns the corners of an edge of triangles, in its direction.
func corners(e *brep.Edge) []geom.Vec3 {
	if p, ok := e.Curve.(*curve.Polyline); ok {
		return p.Points()
	}
	return []geom.Vec3{e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)}
}

// A restored face and its triangles may differ in area by the chords of details finer than the sag, but no more.
const (
	leastShare = 0.6
	mostShare  = 1.6
)

// check measures the model and removes the faces that differ from their triangles from the restored ones; wrong is
// their number.
func (r *restorer) check(ctx context.Context) (wrong int, err error) {
	p, err := mass.Compute(ctx, r.m)
	var bad *trim.Error
	switch {
	case errors.As(err, &bad) && r.exact[bad.Face]:
		r.exact[bad.Face] = false
		return 1, nil
	case errors.As(err, &bad):
		return 0, nil
	case err != nil:
		return 0, err
	}
	for i, f := range p.Faces {
		if !r.exact[i] {
			continue
		}
		share := f.Area / area(r.faces[i].Surface.(*facets.Surface))
		if !(share >= leastShare && share <= mostShare) || f.Turned > 0 {
			r.exact[i] = false
			wrong++
		}
	}
	return wrong, nil
}

// area returns the area of the triangles, mm².
func area(s *facets.Surface) (sum float64) {
	p := s.Points()
	for _, t := range s.Triangles() {
		sum += p[t[1]].Sub(p[t[0]]).Cross(p[t[2]].Sub(p[t[0]])).Norm() / 2
	}
	return sum
}
