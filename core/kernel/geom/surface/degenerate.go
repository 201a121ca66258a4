package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Normals where Du × Dv vanishes: on collapsed sides, at cusps, and where Du and Dv are parallel.
//
// With w a direction into the domain, the normal at a distance h along w is, to first order in h,
//
//	Du × Dv + h·[(Duu·w.u + Duv·w.v) × Dv + Du × (Duv·w.u + Dvv·w.v)],
//
// so its limit is the direction of the bracket where Du × Dv vanishes, or of Duv × Dv on a side v = const
// that collapses. Where the limit depends on w, w is the diagonal to the middle of the domain. If the
// bracket vanishes too, the normal is taken at points ever farther inside.

const (
	// parallel is the sine of the angle between Du and Dv below which they give no normal: a
	// derivative has about 12 good digits, and the first-order limit is off by as much as this.
	parallel = 1e-7
	// firstInside and insideSteps are the fractions of the domain, each ten times the one before, at
	// which a normal is looked for when the limit is of higher order.
	firstInside = 1e-6
	insideSteps = 5
	// sideMargin is the second derivative along a collapsed side over the slack of the first one: on a
	// whole side both are noise, at a single point where only the first one vanishes it is far more.
	sideMargin = 100
)

// unitCross returns the unit vector along du × dv; ok is false if one is shorter than its slack or
// they are parallel.
func unitCross(du, dv geom.Vec3, slackU, slackV float64) (n geom.Vec3, ok bool) {
	a, b := du.Norm2(), dv.Norm2()
	c := du.Cross(dv)
	if l2 := c.Norm2(); a > slackU*slackU && b > slackV*slackV && l2 > parallel*parallel*a*b {
		return c.Scale(1 / math.Sqrt(l2)), true
	}
	return geom.Vec3{}, false
}

// limitNormal returns the limit of the normal of s at (u, v) from inside its domain du × dv.
func limitNormal(s Surface, du, dv geom.Interval, u, v, slackU, slackV float64) geom.Vec3 {
	d := s.D2(u, v)
	w := geom.Vec2{X: inward(u, du), Y: inward(v, dv)}
	if d.Du.Norm() <= slackU {
		d.Du = geom.Vec3{}
		isSide := d.Duu.Norm()*math.Abs(w.X) <= sideMargin*slackU
		n := d.Duv.Cross(d.Dv)
		if isSide && d.Dv.Norm() > slackV && n.Norm() > parallel*d.Duv.Norm()*d.Dv.Norm() {
			return n.Scale(w.Y).Unit() // the side v = const collapses
		}
	}
	if d.Dv.Norm() <= slackV {
		d.Dv = geom.Vec3{}
		isSide := d.Dvv.Norm()*math.Abs(w.Y) <= sideMargin*slackV
		n := d.Du.Cross(d.Duv)
		if isSide && d.Du.Norm() > slackU && n.Norm() > parallel*d.Du.Norm()*d.Duv.Norm() {
			return n.Scale(w.X).Unit()
		}
	}
	alongU := d.Duu.Scale(w.X).AddScaled(w.Y, d.Duv)
	alongV := d.Duv.Scale(w.X).AddScaled(w.Y, d.Dvv)
	a, b := alongU.Cross(d.Dv), d.Du.Cross(alongV)
	if n := a.Add(b); n.Norm() > parallel*(alongU.Norm()*d.Dv.Norm()+d.Du.Norm()*alongV.Norm()) {
		return n.Unit()
	}
	for k, h := 0, firstInside; k < insideSteps; k, h = k+1, 10*h {
		_, a, b := s.D1(u+h*w.X, v+h*w.Y)
		if n, ok := unitCross(a, b, slackU, slackV); ok {
			return n
		}
	}
	return geom.Vec3{}
}

// inward returns the length of iv, negative if t lies in its upper half: the direction to the middle. It is 1 for an
// unbounded range.
func inward(t float64, iv geom.Interval) float64 {
	if !iv.IsFinite() {
		return 1
	}
	if t > iv.Mid() {
		return -iv.Length()
	}
	return iv.Length()
}
