package integral

import (
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// plane integrates over a plane: u runs up its slope, v across.
type plane struct {
	frame      geom.Frame
	up         float64 // n·dir
	climb      float64 // of the level's distance: height gained per mm of u
	level      float64 // above the origin
	slope, low float64
}

func planeForm(s *graph.Shape, dir geom.Vec3, level float64) form {
	f := geom.NewFrame(s.Origin, s.Axis, dir)
	up := s.Axis.Dot(dir)
	return &plane{frame: f, up: up, climb: f.X.Dot(dir), level: level - s.Origin.Dot(dir),
		slope: math.Sqrt(max(0, 1-up*up)), low: math.Abs(up)}
}

func (w *plane) at(p, dp geom.Vec3) Sums {
	u := p.Sub(w.frame.Origin).Dot(w.frame.X)
	dv := dp.Dot(w.frame.Y)
	a := u * dv
	return Sums{Area: a, Floor: w.low * a, Wall: w.slope * a, Volume: w.up * (w.level*u - w.climb*u*u/2) * dv}
}

// cylinder integrates along its generators, then over the angle.
type cylinder struct {
	frame  geom.Frame
	dir    geom.Vec3 // in the frame
	radius float64
	side   float64 // -1 when hollow
	level  float64 // above the origin
}

func (w *cylinder) at(p, dp geom.Vec3) Sums {
	q, d := w.frame.Local(p), w.frame.LocalDir(dp)
	r2 := q.X*q.X + q.Y*q.Y
	if r2 == 0 {
		return Sums{}
	}
	turn := (q.X*d.Y - q.Y*d.X) / r2
	out := (q.X*w.dir.X + q.Y*w.dir.Y) / math.Sqrt(r2) // of the outward radius along dir
	up := w.side * out
	a := -w.radius * q.Z * turn
	free := (w.level-w.radius*out)*q.Z - w.dir.Z*q.Z*q.Z/2
	return Sums{Area: a, Floor: a * math.Abs(up), Wall: a * math.Sqrt(max(0, 1-up*up)),
		Volume: -w.radius * up * free * turn}
}

// cone integrates along its generators from the apex, then over the angle.
type cone struct {
	frame    geom.Frame // at the apex, z toward where it opens
	dir      geom.Vec3
	sin, cos float64 // of half the angle
	side     float64
	level    float64 // above the apex
}

func coneForm(s *graph.Shape, dir geom.Vec3, level, side float64) form {
	if s.Slope == 0 {
		return nil
	}
	axis := s.Axis
	if s.Slope < 0 {
		axis = axis.Neg()
	}
	apex := s.Origin.AddScaled(-s.Radius/math.Tan(math.Abs(s.Slope)), axis)
	f := geom.NewFrame(apex, axis, geom.Vec3{})
	sin, cos := math.Sincos(math.Abs(s.Slope))
	return &cone{frame: f, dir: f.LocalDir(dir), sin: sin, cos: cos, side: side, level: level - apex.Dot(dir)}
}

func (w *cone) at(p, dp geom.Vec3) Sums {
	q, d := w.frame.Local(p), w.frame.LocalDir(dp)
	r2 := q.X*q.X + q.Y*q.Y
	if r2 == 0 {
		return Sums{}
	}
	turn := (q.X*d.Y - q.Y*d.X) / r2
	out := (q.X*w.dir.X + q.Y*w.dir.Y) / math.Sqrt(r2)
	up := w.side * (w.cos*out - w.sin*w.dir.Z)
	climb := w.sin*out + w.cos*w.dir.Z // along the generator
	s := math.Sqrt(r2) / w.sin
	a := -w.sin * s * s / 2 * turn
	return Sums{Area: a, Floor: a * math.Abs(up), Wall: a * math.Sqrt(max(0, 1-up*up)),
		Volume: -w.sin * up * (w.level*s*s/2 - climb*s*s*s/3) * turn}
}

// ring integrates over a torus about dir, or a sphere, along its meridians, then over the angle.
type ring struct {
	frame        geom.Frame
	major, minor float64
	side         float64
	level        float64 // above the center
	half         float64 // 1 for the upper half of the tube, -1 for the lower one
}

func ringForm(g *graph.Graph, p int32, dir geom.Vec3, level, side, major, minor float64) form {
	center := g.Patches[p].Shape.Origin
	w := &ring{frame: geom.NewFrame(center, dir, geom.Vec3{}), major: major, minor: minor, side: side,
		level: level - center.Dot(dir), half: -1}
	up := 0.0 // upward minus downward area
	g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
		up += side * b.Sub(a).Cross(c.Sub(a)).Dot(dir)
		return true
	})
	if up > 0 {
		w.half = 1
	}
	return w
}

func (w *ring) at(p, dp geom.Vec3) Sums {
	q, d := w.frame.Local(p), w.frame.LocalDir(dp)
	r2 := q.X*q.X + q.Y*q.Y
	if r2 == 0 {
		return Sums{}
	}
	turn := (q.X*d.Y - q.Y*d.X) / r2
	// phi is the angle on the tube, counted from its highest or lowest point so that it has no jump near it.
	pole := w.half * math.Pi / 2
	phi := pole + math.Remainder(math.Atan2(q.Z, math.Sqrt(r2)-w.major)-pole, 2*math.Pi)
	return w.between(pole, phi).scale(-turn)
}

// between integrates along the tube from a pole, in steps over which it faces one side only.
func (w *ring) between(pole, phi float64) Sums {
	const quarter = math.Pi / 2
	var sum Sums
	for a := pole; a < phi || a > phi; {
		b := min(phi, (math.Floor(a/quarter)+1)*quarter)
		if phi < a {
			b = max(phi, (math.Ceil(a/quarter)-1)*quarter)
		}
		from, to := w.primitives(a), w.primitives(b)
		up, out := math.Sincos((a + b) / 2)
		sum.Area += to.Area - from.Area
		sum.Floor += math.Copysign(1, up) * (to.Floor - from.Floor)
		sum.Wall += math.Copysign(1, out) * (to.Wall - from.Wall)
		sum.Volume += to.Volume - from.Volume
		a = b
	}
	return sum
}

// primitives returns the antiderivatives along the tube: of 1, sin, cos and (level - z)·n.
func (w *ring) primitives(phi float64) Sums {
	sin, cos := math.Sincos(phi)
	r, big := w.minor, w.major
	lift := -big*cos + r*sin*sin/2
	return Sums{
		Area:  r * (big*phi + r*sin),
		Floor: r * lift,
		Wall:  r * (big*sin + r*(phi/2+sin*cos/2)),
		Volume: w.side * r * (w.level*lift -
			r*(big*(phi/2-sin*cos/2)+r*sin*sin*sin/3)),
	}
}
