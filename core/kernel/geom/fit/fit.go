// Package fit finds the analytic surface or curve that samples of another kind lie on.
//
// Lengths are mm, angles rad. Everything is a pure function of the samples, in their order.
package fit

// Surfaces: plane, sphere, cylinder, cone, torus, tried in the order of their number of parameters. The first that the
// samples lie on is taken, unless they lie on a later one far better: a low ring of a large cylinder is within the
// tolerance of a sphere too.
//
// Method: each kind has a linear seed from points, normals and principal curvatures, which rejects freeform surfaces at
// the cost of a few dozen products. A plane has one normal; on a sphere p = c + r·n. The normals of a cylinder lie on a
// great circle of the Gauss sphere, the normals of a cone on a small one (do Carmo, Differential Geometry, ch. 3). A
// torus has a constant principal curvature 1/r, and the points p + n/k lie on its spine, a circle (the pipe surfaces of
// Lukács, Martin and Marshall, "Faithful least-squares fitting of spheres, cylinders, cones and tori", ECCV 1998;
// Pratt, "Direct least-squares fitting of algebraic surfaces", SIGGRAPH 1987, for the algebraic seeds). Gauss–Newton on
// the true distance refines the seed (refine.go).
//
// A kind is accepted when all points are within the tolerance, all normals within normalAngle, and its radii are
// determined. The covariance of the parameters, for samples known to the worse of their distance and the accuracy of
// exchanged geometry, must leave radii certain to maxUncertainty. This keeps slivers of huge cylinders from becoming
// cylinders of any radius.
//
// Cost: O(n) for n samples, about 10 µs for 25 samples of a freeform surface and 100 µs for a fit. Not handled: cones
// with samples on both nappes, tori with samples on both sides of their axis.

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Sample is a point of a surface with its unit normal and its principal curvatures, 1/mm, as of
// surface.Curvatures: positive where the surface bends toward N.
type Sample struct {
	P, N   geom.Vec3
	K1, K2 float64
}

const (
	// normalAngle (rad) is the permitted deviation of normals of an approximating B-spline from the normals of its
	// surface: an error of normalTol (mm) over a span of 0.3 mm. It grows with the tolerance.
	normalAngle = 1e-3
	normalTol   = 1e-4
	// planeAngle (rad) is the same for planes, which have no degree to be approximated with: a strip of
	// a cylinder that bends by less than the tolerance still turns its normal.
	planeAngle = 1e-4
	// gateAngle (rad) and gateShare (of the size) are the errors of seeds that are worth refining.
	gateAngle = 1e-2
	gateShare = 1e-2
	// gateCurvature is the relative spread of a principal curvature that may be constant.
	gateCurvature = 0.1
	// maxUncertainty is the standard deviation of a radius that still determines it, as a fraction.
	maxUncertainty = 1e-2
	// fewest is a number of samples that do not all lie on every kind.
	fewest = 9
	// farBetter is the ratio by which a kind with more parameters must be nearer to the samples than one with fewer.
	// Additional parameters gain less than this on approximations that both kinds fit.
	farBetter = 10
)

// Surface returns the plane, sphere, cylinder, cone or torus within tol (mm) of all samples, with its axis and radii;
// its reference direction is arbitrary. ok is false if there is no such surface or its radii are not determined.
func Surface(samples []Sample, tol float64) (s surface.Surface, ok bool) {
	if len(samples) < fewest || !(tol > 0) {
		return nil, false
	}
	d := normalize(samples, tol)
	if d == nil {
		return nil, false
	}
	var best model
	least := math.Inf(1)
	for _, kind := range [...]surface.Kind{surface.KindPlane, surface.KindSphere, surface.KindCylinder,
		surface.KindCone, surface.KindTorus} {
		m := model{kind: kind}
		if !d.seed(&m) || !d.refine(&m) {
			continue
		}
		if off, ok := d.accepts(&m); ok && off*farBetter < least {
			best, least = m, off
		}
		if least <= d.noise {
			break
		}
	}
	if math.IsInf(least, 1) {
		return nil, false
	}
	return d.surface(&best), true
}

// data are samples moved to their mean and scaled to the unit ball.
type data struct {
	p, n   []geom.Vec3
	k1, k2 []float64
	tol    float64
	noise  float64 // accuracy to which the samples are known
	mean   geom.Vec3
	scale  float64 // mm of one unit
	work   workspace
}

func normalize(samples []Sample, tol float64) *data {
	count := len(samples)
	d := &data{}
	vecs := make([]geom.Vec3, 2*count)
	nums := make([]float64, 2*count)
	d.p, d.n, d.k1, d.k2 = vecs[:count], vecs[count:], nums[:count], nums[count:]
	for i := range samples {
		d.mean = d.mean.AddScaled(1/float64(count), samples[i].P)
	}
	for i := range samples {
		d.scale = max(d.scale, samples[i].P.Dist(d.mean))
	}
	if !(d.scale > tol) || math.IsInf(d.scale, 0) {
		return nil // a speck, or not finite
	}
	for i := range samples {
		s := &samples[i]
		d.p[i] = s.P.Sub(d.mean).Scale(1 / d.scale)
		d.n[i] = s.N
		d.k1[i], d.k2[i] = s.K1*d.scale, s.K2*d.scale
		if !s.N.IsFinite() || s.N == (geom.Vec3{}) {
			return nil
		}
	}
	const share = 0.1 // of the tolerance: samples are known at least so well
	d.tol = tol / d.scale
	d.noise = min(geom.Resolution, share*tol) / d.scale
	return d
}

// model is a surface in the coordinates of data. c is a point of a plane, of an axis, or a center; a is the normal or
// the axis; r the radius (of a cone at c, of a torus the minor one); major the major radius of a torus; slope the half
// angle of a cone; side is -1 on the spindle of a torus, beyond its axis, else 1.
type model struct {
	kind           surface.Kind
	c, a           geom.Vec3
	r, major, side float64
	slope          float64
}

// surface returns m in the coordinates of the samples.
func (d *data) surface(m *model) surface.Surface {
	at := d.mean.AddScaled(d.scale, m.c)
	f := geom.NewFrame(at, m.a, geom.Vec3{})
	r := m.r * d.scale
	switch m.kind {
	case surface.KindPlane:
		return surface.Plane{Frame: f}
	case surface.KindSphere:
		return surface.Sphere{Frame: geom.NewFrame(at, geom.Vec3{Z: 1}, geom.Vec3{}), Radius: r}
	case surface.KindCylinder:
		return surface.Cylinder{Frame: f, Radius: r}
	case surface.KindCone:
		return surface.Cone{Frame: f, Radius: r, HalfAngle: m.slope}
	}
	return Torus(f, m.major*d.scale, r, m.side < 0)
}

// Torus returns a torus, of one whose tube crosses the axis the spindle or the outer skin. One that
// touches its axis within the resolution touches it exactly, so that the skin does not end in a needle
// which crosses itself.
func Torus(f geom.Frame, major, minor float64, isSpindle bool) surface.Torus {
	t := surface.Torus{Frame: f, Major: major, Minor: minor}
	switch {
	case isSpindle:
		t.Part = surface.Lemon
	case math.Abs(minor-major) <= geom.Resolution:
		t.Major = (major + minor) / 2
		t.Minor = t.Major
	case minor > major:
		t.Part = surface.Apple
	}
	return t
}

// accepts checks a refined model against every sample and the certainty of its radii. worst is the largest distance
// of a sample.
func (d *data) accepts(m *model) (worst float64, ok bool) {
	sense := 0.0 // of the samples' normals against the normals of the model
	angle := normalAngle * max(1, d.tol*d.scale/normalTol)
	if m.kind == surface.KindPlane {
		angle = planeAngle
	}
	for i, p := range d.p {
		dist, n, isNear := m.distance(p)
		if !isNear || math.Abs(dist) > d.tol {
			return worst, false
		}
		dot := n.Dot(d.n[i])
		if dot*sense < 0 || n.Cross(d.n[i]).Norm() > angle {
			return worst, false
		}
		sense = dot
		worst = max(worst, math.Abs(dist))
	}
	switch m.kind {
	case surface.KindPlane:
		return worst, true
	case surface.KindTorus:
		if m.r >= m.major && m.major < d.tol {
			return worst, false
		}
	}
	return worst, d.determined(m, max(worst, d.noise))
}
