// Package evalsurface is the primitive that evaluates surfaces at many parameters: points, normals and curvatures, or
// points alone, by which package tessellate proves the triangles of B-spline faces.
package evalsurface

import (
	"fmt"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Primitive is surface evaluation. Its items are samples. On the processor a sample takes twice to eight times as long
// as its point alone, for the curvatures.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "eval-surface", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: (*Input).samples,
	Cost:  primitive.Cost{Seconds: 270e-9, Bytes: 48, Host: 125e-9},
}

// Points is Primitive for points alone: the others of its output are nil.
var Points = &primitive.Primitive[Input, Output]{
	Name: "eval-points", Check: (*Input).Check, CPU: pointsOnCPU, GPU: pointsOnGPU,
	Items: (*Input).samples,
	Cost:  primitive.Cost{Seconds: 100e-9, Bytes: 28, Host: 125e-9},
}

// Batch is a surface with the parameters to evaluate it at: a plane, cylinder, cone, sphere, torus or
// B-spline of any degree that package bspline takes, rational or not.
type Batch struct {
	Surface surface.Surface
	U, V    []float64 // rad or mm, as the surface has it; equally many
}

// Input is a row of batches.
type Input struct{ Batches []Batch }

// samples returns the number of samples in all batches.
func (in *Input) samples() int {
	n := 0
	for i := range in.Batches {
		n += len(in.Batches[i].U)
	}
	return n
}

// Output contains the samples of all batches in order: those of batch b are First[b] up to but not including
// First[b+1]. Points are relative to an origin near the samples of their batch, so that float32 loses no accuracy on
// parts far from the origin of the part. For every sample, with u = 2⁻²⁴, the unit of rounding of float32:
//
//   - The point is within PointError of the batch, some tens of u times the reach of its samples.
//   - The normal, ∂S/∂u × ∂S/∂v as a unit vector, is within NormalError. On poles, collapsed sides and cusps it is
//     the limit from inside the domain that core/kernel/geom/surface defines.
//   - The principal curvatures, the smaller one first and positive where the surface curves toward the normal,
//     are each within CurvatureError times the largest of |k1|, |k2| and 1/L. L is the extent of the polynomial piece
//     with the sample, or the reach of the batch on other surfaces. Where they have no limit they are those that
//     core/kernel/geom/surface defines, up to the largest float32.
//
// Backends with float32 arithmetic estimate their error at every sample. They evaluate samples that would miss a bound
// in float64: next to singular points, and where derivatives nearly vanish or are nearly parallel.
type Output struct {
	Origin    []geom.Vec3 // mm, per batch
	First     []int
	Point     [][3]float32 // mm, from the origin of the batch
	Normal    [][3]float32
	Curvature [][2]float32 // 1/mm
}

// The error bounds of normals and curvatures; see Output.
const (
	NormalError    = 1e-3     // rad
	CurvatureError = 1. / 256 // of the larger one
)

// mostTurns bounds angles, so that taking whole turns off costs no more than 2⁻⁴⁰ rad.
const mostTurns = 1 << 12

// Check returns an error for batches that the primitive does not take.
func (in *Input) Check() error {
	total := 0
	for i := range in.Batches {
		if err := in.Batches[i].check(); err != nil {
			return fmt.Errorf("surface %d: %w", i, err)
		}
		const most = 1 << 30
		if total += len(in.Batches[i].U); total > most {
			return fmt.Errorf("more than %d samples", most)
		}
	}
	return nil
}

func (b *Batch) check() error {
	if len(b.U) != len(b.V) {
		return fmt.Errorf("%d values of u and %d of v", len(b.U), len(b.V))
	}
	angleU, angleV := false, false
	switch s := b.Surface.(type) {
	case surface.Plane, *surface.BSpline:
	case surface.Cylinder, surface.Cone:
		angleU = true
	case surface.Sphere, surface.Torus:
		angleU, angleV = true, true
	default:
		return fmt.Errorf("surfaces of type %T are not evaluated in batches", s)
	}
	u, v := geom.Unbounded, geom.Unbounded
	if s, ok := b.Surface.(*surface.BSpline); ok {
		u, v = EvalDomain(s)
	}
	const turns = 2 * math.Pi * mostTurns
	for i, t := range b.U {
		w := b.V[i]
		switch {
		case math.IsNaN(t-t) || math.IsNaN(w-w):
			return fmt.Errorf("sample %d is at (%g, %g)", i, t, w)
		case t < u.Lo || t > u.Hi || w < v.Lo || w > v.Hi:
			return fmt.Errorf("sample %d at (%g, %g) is outside of the domain", i, t, w)
		case angleU && math.Abs(t) > turns || angleV && math.Abs(w) > turns:
			return fmt.Errorf("sample %d is at (%g, %g) rad, more than %d turns", i, t, w, mostTurns)
		}
	}
	return nil
}

// overshoot is the fraction of its domain by which parameters of a B-spline may lie outside the domain, because of
// rounding by the caller. Its polynomials are continued there.
const overshoot = 1e-9

// EvalDomain returns the range in which B-splines are evaluated: the domain with that margin, unbounded where it is
// closed.
func EvalDomain(s *surface.BSpline) (u, v geom.Interval) {
	u, v = s.Domain()
	room := func(iv geom.Interval, period float64) geom.Interval {
		if period > 0 {
			return geom.Unbounded
		}
		d := overshoot * iv.Length()
		return geom.Interval{Lo: iv.Lo - d, Hi: iv.Hi + d}
	}
	pu, pv := s.Periods()
	return room(u, pu), room(v, pv)
}

// Reach returns the origin of the points of a batch, and their maximum distance from it in mm. Both depend only on the
// batch, so every backend uses the same.
func (b *Batch) Reach() (origin geom.Vec3, reach float64) {
	u, v := spread(b.U), spread(b.V)
	switch s := b.Surface.(type) {
	case surface.Plane:
		return s.At(u.Mid(), v.Mid()), math.Hypot(u.Length(), v.Length()) / 2
	case surface.Cylinder:
		return s.Frame.Origin.AddScaled(v.Mid(), s.Frame.Z), math.Hypot(s.Radius, v.Length()/2)
	case surface.Cone:
		k := math.Tan(s.HalfAngle)
		r := max(math.Abs(s.Radius+v.Lo*k), math.Abs(s.Radius+v.Hi*k))
		return s.Frame.Origin.AddScaled(v.Mid(), s.Frame.Z), math.Hypot(r, v.Length()/2)
	case surface.Sphere:
		return s.Frame.Origin, s.Radius
	case surface.Torus:
		return s.Frame.Origin, s.Major + s.Minor
	case *surface.BSpline:
		hull := s.Net().Hull()
		return hull.Center(), hull.Diagonal() / 2
	}
	return geom.Vec3{}, 0
}

// PointError bounds the error of the points of a batch in mm. Of the analytic surfaces a point is the sum of three
// products, whose factors carry the rounding of an angle (2u), of its sine and cosine (2u), of a radius (4u)
// and of a unit vector (2u): 20u of the reach with the sums. Of a patch of degrees p and q it is a convex
// combination, whose weights carry 3(p+q)u by their recursion and whose sums (p+q+2)u, of control points rounded by
// u, at parameters rounded by u/2 of the patch, along which the surface runs at most 2(p+q) times its reach;
// weights multiply that by their ratio, twice for numerator and denominator.
func (b *Batch) PointError() float64 {
	const unit = 0x1p-24
	_, reach := b.Reach()
	s, ok := b.Surface.(*surface.BSpline)
	if !ok {
		return 20 * unit * reach
	}
	p, q := s.Degrees()
	n := float64(5*(p+q) + 8)
	if w := s.WeightRatio(); w > 1 {
		n *= 2 * w
	}
	return n * unit * reach
}

// Middle returns the middle of the ranges of the parameters, from which lengths count in float32.
func (b *Batch) Middle() (u, v float64) { return spread(b.U).Mid(), spread(b.V).Mid() }

// spread returns the range of values, {0, 0} for an empty list.
func spread(values []float64) geom.Interval {
	if len(values) == 0 {
		return geom.Interval{}
	}
	iv := geom.Interval{Lo: values[0], Hi: values[0]}
	for _, t := range values {
		iv.Lo, iv.Hi = min(iv.Lo, t), max(iv.Hi, t)
	}
	return iv
}

// newOutput returns the memory for the samples of in, with origins and firsts filled in.
func newOutput(in *Input) Output {
	out := newPoints(in)
	n := len(out.Point)
	out.Normal, out.Curvature = make([][3]float32, n), make([][2]float32, n)
	return out
}

// newPoints is newOutput for points alone.
func newPoints(in *Input) Output {
	out := Output{Origin: make([]geom.Vec3, len(in.Batches)), First: make([]int, len(in.Batches)+1)}
	for i := range in.Batches {
		out.Origin[i], _ = in.Batches[i].Reach()
		out.First[i+1] = out.First[i] + len(in.Batches[i].U)
	}
	out.Point = make([][3]float32, out.First[len(in.Batches)])
	return out
}

// isWhole reports whether normals and curvatures are wanted too.
func (o *Output) isWhole() bool { return o.Normal != nil }

// evaluate fills in samples lo up to but not including hi of batch b in float64, rounded once: the reference for every
// backend.
func (o *Output) evaluate(in *Input, b, lo, hi int) {
	batch, origin, first := &in.Batches[b], o.Origin[b], o.First[b]
	for i := lo; i < hi; i++ {
		u, v := batch.U[i], batch.V[i]
		if !o.isWhole() {
			o.Point[first+i] = rounded(batch.Surface.At(u, v).Sub(origin))
			continue
		}
		p, n, k1, k2 := surface.LocalProperties(batch.Surface, u, v)
		o.Point[first+i], o.Normal[first+i] = rounded(p.Sub(origin)), rounded(n)
		o.Curvature[first+i] = [2]float32{bounded(k1), bounded(k2)}
	}
}

func rounded(v geom.Vec3) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// bounded rounds a curvature to float32; next to singular points it may be beyond its range.
func bounded(k float64) float32 { return float32(max(-math.MaxFloat32, min(math.MaxFloat32, k))) }
