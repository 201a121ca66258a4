package evalsurface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Kinds of records; see surface_eval.comp.
const (
	kindPlane = iota
	kindCone  // cylinders too
	kindSphere
	kindTorus
)

const recordVectors = 5 // of an analytic surface

// addAnalytic appends the record of a batch. It returns a function that maps the batch's parameters to a range where
// float32 is accurate enough.
func (m *samples) addAnalytic(batch *Batch) func(u, v float64) (x, y float64, owner uint32) {
	owner := uint32(len(m.record) / recordVectors)
	origin, reach := batch.Reach()
	var u0, v0 float64 // lengths count from here
	turnU, turnV := true, false
	switch s := batch.Surface.(type) {
	case surface.Plane:
		u0, v0 = batch.Middle()
		turnU = false
		m.addRecord(s.Frame, kindPlane, origin, s.At(u0, v0), reach, 0, [4]float64{})
	case surface.Cylinder:
		_, v0 = batch.Middle()
		m.addRecord(s.Frame, kindCone, origin, origin, reach, s.Radius, [4]float64{0, 1, 0, 0})
	case surface.Cone:
		_, v0 = batch.Middle()
		sin, cos := math.Sincos(s.HalfAngle)
		tan := math.Tan(s.HalfAngle)
		m.addRecord(s.Frame, kindCone, origin, origin, reach, s.Radius+v0*tan, [4]float64{tan, cos, sin, 0})
	case surface.Sphere:
		turnV = true
		m.addRecord(s.Frame, kindSphere, origin, origin, reach, s.Radius, [4]float64{0, 0, 0, 1})
	case surface.Torus:
		turnV = true
		m.addRecord(s.Frame, kindTorus, origin, origin, reach, s.Major, [4]float64{s.Minor, 0, 0, torusSide(s)})
	}
	return func(u, v float64) (x, y float64, _ uint32) {
		if u -= u0; turnU {
			u = angle(u)
		}
		if v -= v0; turnV {
			v = angle(v)
		}
		return u, v, owner
	}
}

// addRecord appends the record of a surface with its frame at a point, relative to the batch's origin.
func (m *samples) addRecord(
	f geom.Frame, kind int, origin, at geom.Vec3, reach, radius float64, c [4]float64,
) {
	hand := 1.0
	if !f.IsRightHanded() {
		hand = -1
	}
	vector := func(v geom.Vec3, w float64) [4]float32 {
		return [4]float32{float32(v.X), float32(v.Y), float32(v.Z), float32(w)}
	}
	m.record = append(m.record, vector(f.X, float64(kind)), vector(f.Y, hand), vector(f.Z, reach),
		vector(at.Sub(origin), radius), vector(geom.Vec3{X: c[0], Y: c[1], Z: c[2]}, c[3]))
}

// torusSide is 1 where the normal points out of the tube everywhere, -1 where it points into it, and 0 where the
// side of the axis decides.
func torusSide(s surface.Torus) float64 {
	switch {
	case s.Minor < s.Major || s.Part == surface.Apple:
		return 1
	case s.Part == surface.Lemon:
		return -1
	}
	return 0
}
