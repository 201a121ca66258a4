package geometry

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// B-splines come as simple instances, which list all attributes, or as complex ones, in which every
// partial entity lists only its own. The knots are given, or follow from the name of the form.

// The partial entities that show how the knots are given.
var (
	curveForms = []part21.Keyword{
		schema.BSplineCurveWithKnots, schema.BezierCurve, schema.UniformCurve, schema.QuasiUniformCurve,
	}
	surfaceForms = []part21.Keyword{
		schema.BSplineSurfaceWithKnots, schema.BezierSurface, schema.UniformSurface, schema.QuasiUniformSurface,
	}
)

// splineCurve reads any B-spline curve.
func (s *Scope) splineCurve(r part21.Ref) (curve.Curve, error) {
	f, err := s.splineCurveData(r)
	if err != nil {
		return nil, err
	}
	c, err := curve.NewBSpline(f.degree, f.knots, f.points, f.weights, f.closed)
	return s.built(r, c, err)
}

// splineData is the data of a B-spline curve for curve.NewBSpline.
type splineData struct {
	degree  int
	knots   []float64
	points  []geom.Vec3
	weights []float64
	closed  bool
}

func (s *Scope) splineCurveData(r part21.Ref) (f splineData, err error) {
	var a, knots part21.Args
	form := s.File.Keyword(r)
	if s.File.IsComplex(r) {
		a, _ = s.File.Partial(r, schema.BSplineCurve)
		form = s.Kind(r, curveForms)
		knots, _ = s.File.Partial(r, schema.BSplineCurveWithKnots)
	} else {
		a = s.Own(r, form)
	}
	degree := a.Int()
	points := a.List()
	a.Skip(1) // form, not to be trusted
	f.closed = a.Enum() == schema.T
	a.Skip(1) // self-intersecting
	if f.points, err = s.points(&points); err != nil {
		return f, err
	}
	a.Join(points)
	if err := s.Check(r, &a); err != nil {
		return f, err
	}
	if !s.File.IsComplex(r) {
		knots = a
	}
	if f.degree, err = s.degree(r, degree); err != nil {
		return f, err
	}
	side := knotSide{degree: f.degree, points: len(f.points)}
	if form == schema.BSplineCurveWithKnots {
		mult, values := knots.List(), knots.List()
		if err := s.Check(r, &knots); err != nil {
			return f, err
		}
		side.mult, side.values = mult, values
	}
	if f.knots, err = s.knots(r, form, side); err != nil {
		return f, err
	}
	if w, ok := s.File.Partial(r, schema.RationalBSplineCurve); ok {
		list := w.List()
		f.weights = reals(&list)
		w.Join(list)
		err = s.Check(r, &w)
	}
	return f, err
}

// degree checks a stated degree.
func (s *Scope) degree(r part21.Ref, degree int64) (int, error) {
	if degree < 1 || degree > bspline.MaxDegree {
		return 0, s.Fail(r, "has degree %d; 1 to %d can be read", degree, bspline.MaxDegree)
	}
	return int(degree), nil
}

// knotSide is the input of one knot vector.
type knotSide struct {
	degree, points int
	mult, values   part21.Args // for the forms with explicit knots
}

// knots returns the flat knot vector of one parameter direction.
func (s *Scope) knots(r part21.Ref, form part21.Keyword, side knotSide) ([]float64, error) {
	if side.points <= side.degree {
		return nil, s.Fail(r, "has %d control points, too few for degree %d", side.points, side.degree)
	}
	switch form {
	case schema.BezierCurve, schema.BezierSurface:
		flat, err := bspline.BezierKnots(side.degree, side.points)
		if err != nil {
			return nil, s.Fail(r, "has no valid geometry: %v", err)
		}
		return flat, nil
	case schema.UniformCurve, schema.UniformSurface:
		return bspline.UniformKnots(side.degree, side.points), nil
	case schema.QuasiUniformCurve, schema.QuasiUniformSurface:
		return bspline.QuasiUniformKnots(side.degree, side.points), nil
	case schema.BSplineCurveWithKnots, schema.BSplineSurfaceWithKnots:
	default:
		return nil, s.Fail(r, "has no knots")
	}
	mult := make([]int, 0, side.mult.Len())
	for side.mult.More() {
		m := side.mult.Int()
		if m > math.MaxInt32 {
			m = math.MaxInt32 // Expand rejects it
		}
		mult = append(mult, int(m))
	}
	values := reals(&side.values)
	side.mult.Join(side.values)
	if err := s.Check(r, &side.mult); err != nil {
		return nil, err
	}
	flat, err := bspline.Expand(values, mult, side.points+side.degree+1)
	if err != nil {
		return nil, s.Fail(r, "has no valid knots: %v", err)
	}
	return flat, nil
}

func reals(list *part21.Args) []float64 {
	out := make([]float64, 0, list.Len())
	for list.More() {
		out = append(out, list.Real())
	}
	return out
}

// splineSurface reads any B-spline surface.
func (s *Scope) splineSurface(r part21.Ref) (surface.Surface, error) {
	var a, knots part21.Args
	form := s.File.Keyword(r)
	if s.File.IsComplex(r) {
		a, _ = s.File.Partial(r, schema.BSplineSurface)
		form = s.Kind(r, surfaceForms)
		knots, _ = s.File.Partial(r, schema.BSplineSurfaceWithKnots)
	} else {
		a = s.Own(r, form)
	}
	statedU, statedV := a.Int(), a.Int()
	rows := a.List()
	a.Skip(4) // form, closed in u, closed in v, self-intersecting: not to be trusted
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	if !s.File.IsComplex(r) {
		knots = a
	}
	nu := rows.Len()
	points, nv, err := s.grid(r, rows)
	if err != nil {
		return nil, err
	}
	u, v := knotSide{points: nu}, knotSide{points: nv}
	if u.degree, err = s.degree(r, statedU); err != nil {
		return nil, err
	}
	if v.degree, err = s.degree(r, statedV); err != nil {
		return nil, err
	}
	if form == schema.BSplineSurfaceWithKnots {
		u.mult, v.mult = knots.List(), knots.List()
		u.values, v.values = knots.List(), knots.List()
		if err := s.Check(r, &knots); err != nil {
			return nil, err
		}
	}
	knotsU, err := s.knots(r, form, u)
	if err != nil {
		return nil, err
	}
	knotsV, err := s.knots(r, form, v)
	if err != nil {
		return nil, err
	}
	weights, err := s.weightGrid(r, nu, nv)
	if err != nil {
		return nil, err
	}
	b, err := surface.NewBSpline(u.degree, v.degree, knotsU, knotsV, points, weights)
	if err != nil {
		return nil, s.Fail(r, "has no valid geometry: %v", err)
	}
	return b, nil
}

// grid reads the control points, row by row; all rows have the length nv.
func (s *Scope) grid(r part21.Ref, rows part21.Args) (points []geom.Vec3, nv int, err error) {
	for first := true; rows.More(); first = false {
		row := rows.List()
		if first {
			nv = row.Len()
			points = make([]geom.Vec3, 0, min(nv*(rows.Len()+1), 1<<20))
		}
		if row.Len() != nv {
			return nil, 0, s.Fail(r, "has rows of %d and %d control points", nv, row.Len())
		}
		part, err := s.points(&row)
		if err != nil {
			return nil, 0, err
		}
		points = append(points, part...)
		rows.Join(row)
	}
	return points, nv, s.Check(r, &rows)
}

// weightGrid reads the weights of a rational surface; nil for a polynomial surface.
func (s *Scope) weightGrid(r part21.Ref, nu, nv int) ([]float64, error) {
	a, ok := s.File.Partial(r, schema.RationalBSplineSurface)
	if !ok {
		return nil, nil
	}
	rows := a.List()
	weights := make([]float64, 0, nu*nv)
	for rows.More() {
		row := rows.List()
		weights = append(weights, reals(&row)...)
		rows.Join(row)
	}
	a.Join(rows)
	if err := s.Check(r, &a); err != nil {
		return nil, err
	}
	if len(weights) != nu*nv {
		return nil, s.Fail(r, "has %d weights for %d control points", len(weights), nu*nv)
	}
	return weights, nil
}
