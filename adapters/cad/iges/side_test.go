package iges

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/geom"
)

// turnedArc adds the arc (100) from a point around an axis by an angle.
func turnedArc(d *igestest.Deck, center, from, axis geom.Vec3, angle float64) int {
	x := from.Sub(center)
	r := x.Norm()
	x = x.Scale(1 / r)
	m := matrix(d, geom.Transform{X: x, Y: axis.Cross(x), Z: axis, T: center}, 0)
	s, c := math.Sincos(angle)
	return d.Put(igestest.Entry{Type: 100, Transform: m,
		Parameters: fmt.Sprintf("0.,0.,0.,%.17g,0.,%.17g,%.17g", r, r*c, r*s)})
}

// way adds the curves of a boundary, or of the reversed boundary, and returns their entity.
type way func(back bool) int

// sided is a trimmed surface for which only the curve in the parameter plane shows the side of the boundary.
type sided struct {
	d          *igestest.Deck
	spaceTurns bool                      // the curve in space is reversed
	planeTurns bool                      // the curve in the parameter plane is reversed
	move       func(geom.Vec3) geom.Vec3 // of the corners in the parameter plane; nil is the identity
	isBare     bool                      // the boundary has no curve in the parameter plane
}

// bound adds a boundary (142) with the corners of a polygon in the parameter plane.
func (s *sided) bound(surface int, space way, corners ...geom.Vec3) int {
	corners = slices.Clone(corners)
	if s.planeTurns {
		slices.Reverse(corners)
	}
	for i := range corners {
		if s.move != nil {
			corners[i] = s.move(corners[i])
		}
	}
	plane := polygon(s.d, corners...)
	if s.isBare {
		plane = 0
	}
	return s.d.Add(142, 0, "1,%d,%d,%d,1", surface, plane, space(s.spaceTurns))
}

// turned adds the surface of revolution about the z-axis.
func (s *sided) turned(profile int) int {
	return s.d.Add(120, 0, "%d,%d,0.,%.17g", s.d.Add(110, 0, "0.,0.,0.,0.,0.,1."), profile, 2*math.Pi)
}

const ballRadius = 2

// ball adds a sphere about the origin in SolidWorks' form: a half circle from the south pole, revolved about the
// z-axis.
func (s *sided) ball() int {
	return s.turned(turnedArc(s.d, geom.Vec3{}, geom.Vec3{Z: -ballRadius}, geom.Vec3{Y: -1}, math.Pi))
}

// octant adds three quarter circles around an eighth of the ball, with its planes, and returns the quarter circles.
func (s *sided) octant() way {
	points := []geom.Vec3{{X: ballRadius}, {Y: ballRadius}, {Z: ballRadius}}
	arc := func(a, b geom.Vec3) int { return turnedArc(s.d, geom.Vec3{}, a, a.Cross(b).Unit(), math.Pi/2) }
	for i, a := range points {
		b := points[(i+1)%3]
		p := planeThrough(s.d, geom.Vec3{}, a.Cross(b).Unit())
		s.d.Add(144, 0, "%d,1,0,%d", p,
			bound(s.d, p, s.d.Add(102, 0, "3,%d,%d,%d", s.d.Add(110, 0, "0.,0.,0.,%s", v(a)),
				arc(a, b), s.d.Add(110, 0, "%s,0.,0.,0.", v(b)))))
	}
	return func(back bool) int {
		p := slices.Clone(points)
		if back {
			slices.Reverse(p)
		}
		return s.d.Add(102, 0, "3,%d,%d,%d", arc(p[0], p[1]), arc(p[1], p[2]), arc(p[2], p[0]))
	}
}

const (
	half    = math.Pi / 2
	allTurn = 2 * math.Pi
	// flatAt is the distance of the plane x = -flatAt that cuts the ball.
	flatAt = 1.2
)

// flat adds the disc in which the plane x = -flatAt cuts the ball, and returns its circle and corners of that in the
// parameter plane.
func (s *sided) flat() (way, []geom.Vec3) {
	center, r := geom.Vec3{X: -flatAt}, math.Sqrt(ballRadius*ballRadius-flatAt*flatAt)
	circle := func(back bool) int {
		axis := geom.Vec3{X: 1}
		if back {
			axis.X = -1
		}
		return turnedArc(s.d, center, center.Add(geom.Vec3{Z: r}), axis, allTurn)
	}
	p := planeThrough(s.d, center, geom.Vec3{X: 1})
	s.d.Add(144, 0, "%d,1,0,%d", p, bound(s.d, p, circle(false)))
	var corners []geom.Vec3
	const n = 48
	for i := range n {
		sin, cos := math.Sincos(allTurn * float64(i) / n)
		corners = append(corners, geom.Vec3{X: math.Acos(-r * cos / ballRadius), Y: math.Atan2(-r*sin, -flatAt)})
		if k := len(corners) - 1; corners[k].Y < 0 {
			corners[k].Y += allTurn
		}
	}
	return circle, corners
}

// seam adds half a circle up the seam of the ball and down.
func (s *sided) seam(bool) int {
	south, north := geom.Vec3{Z: -ballRadius}, geom.Vec3{Z: ballRadius}
	return s.d.Add(102, 0, "2,%d,%d", turnedArc(s.d, geom.Vec3{}, south, geom.Vec3{Y: -1}, math.Pi),
		turnedArc(s.d, geom.Vec3{}, north, geom.Vec3{Y: 1}, math.Pi))
}

// bend adds a ring of tube radius 1 from an angle by another, closed by two discs.
func (s *sided) bend(from, by float64) {
	const large = 3
	place := func(angle, r float64) geom.Vec3 { return geom.Vec3{X: r * math.Cos(angle), Y: r * math.Sin(angle)} }
	circle := func(angle, sense float64) int {
		axis := geom.Vec3{X: math.Sin(angle), Y: -math.Cos(angle)}.Scale(sense)
		return turnedArc(s.d, place(angle, large), place(angle, large+1), axis, allTurn)
	}
	on := s.turned(circle(0, 1))
	space := func(back bool) int {
		a, b, z := from, from+by, geom.World.Z
		if back {
			a, b, z = b, a, z.Neg()
		}
		return s.d.Add(102, 0, "4,%d,%d,%d,%d", circle(a, 1), turnedArc(s.d, geom.Vec3{}, place(a, large+1), z, by),
			circle(b, -1), turnedArc(s.d, geom.Vec3{}, place(b, large+1), z.Neg(), by))
	}
	s.d.Add(144, 0, "%d,1,0,%d", on, s.bound(on, space, geom.Vec3{Y: from}, geom.Vec3{X: allTurn, Y: from},
		geom.Vec3{X: allTurn, Y: from + by}, geom.Vec3{Y: from + by}))
	for _, angle := range []float64{from, from + by} {
		p := planeThrough(s.d, place(angle, large), place(angle+half, 1))
		s.d.Add(144, 0, "%d,1,0,%d", p, bound(s.d, p, circle(angle, 1)))
	}
}

var sidedParts = []struct {
	name   string
	volume float64
	add    func(s *sided)
}{
	{"eighth of a ball", math.Pi * 4 / 3, func(s *sided) {
		on, around := s.ball(), s.octant()
		s.d.Add(144, 0, "%d,1,0,%d", on, s.bound(on, around, geom.Vec3{X: half}, geom.Vec3{X: math.Pi},
			geom.Vec3{X: math.Pi, Y: half}, geom.Vec3{X: half, Y: half}))
	}},
	{"ball without an eighth", math.Pi * 28 / 3, func(s *sided) {
		on, around := s.ball(), s.octant()
		s.d.Add(144, 0, "%d,1,0,%d", on, s.bound(on, around, geom.Vec3{}, geom.Vec3{X: half},
			geom.Vec3{X: half, Y: half}, geom.Vec3{X: math.Pi, Y: half}, geom.Vec3{X: math.Pi, Y: allTurn},
			geom.Vec3{Y: allTurn}))
	}},
	{"ball with a flat", math.Pi*32/3 - capVolume, func(s *sided) {
		on := s.ball()
		circle, corners := s.flat()
		s.d.Add(144, 0, "%d,0,1,0,%d", on, s.bound(on, circle, corners...))
	}},
	{"ball with a seam and a flat", math.Pi*32/3 - capVolume, func(s *sided) {
		on := s.ball()
		circle, corners := s.flat()
		outer := s.bound(on, s.seam, geom.Vec3{}, geom.Vec3{X: math.Pi}, geom.Vec3{X: math.Pi, Y: allTurn},
			geom.Vec3{Y: allTurn})
		s.d.Add(144, 0, "%d,1,1,%d,%d", on, outer, s.bound(on, circle, corners...))
	}},
	{"cap of a ball", capVolume, func(s *sided) {
		on := s.ball()
		circle, corners := s.flat()
		s.d.Add(144, 0, "%d,1,0,%d", on, s.bound(on, circle, corners...))
	}},
	{"quarter of a ring", math.Pi * math.Pi * 3 / 2, func(s *sided) { s.bend(0.3, half) }},
	{"three quarters of a ring", math.Pi * math.Pi * 9 / 2, func(s *sided) { s.bend(0.3, 3*half) }},
}

// capVolume is the volume that the plane cuts off the ball, mm³.
const capVolume = math.Pi * (ballRadius - flatAt) * (ballRadius - flatAt) * (2*ballRadius + flatAt) / 3

// TestSides reads parts with faces on either side of their boundary, with curves of either direction.
func TestSides(t *testing.T) {
	for _, c := range sidedParts {
		for i := range 4 {
			s := &sided{d: &igestest.Deck{}, spaceTurns: i&1 != 0, planeTurns: i&2 != 0}
			t.Run(fmt.Sprintf("%s, turned %t and %t", c.name, s.spaceTurns, s.planeTurns), func(t *testing.T) {
				c.add(s)
				m, p := sewn(t, s.d)
				const rounding = 1e-7 // relative
				if len(m.Solids) != 1 || math.Abs(p.Volume/c.volume-1) > rounding {
					t.Errorf("%d solids, volume %.9g mm³; want 1, %.9g", len(m.Solids), p.Volume, c.volume)
				}
			})
		}
	}
}

// TestSidesOfContradictoryParameters compares files with useless curves in the parameter plane with files without them.
func TestSidesOfContradictoryParameters(t *testing.T) {
	for name, move := range map[string]func(geom.Vec3) geom.Vec3{
		"another scale": func(p geom.Vec3) geom.Vec3 { return p.Scale(0.3) },
		"swapped":       func(p geom.Vec3) geom.Vec3 { return geom.Vec3{X: p.Y, Y: p.X} },
		"nothing":       func(geom.Vec3) geom.Vec3 { return geom.Vec3{X: 1, Y: 1} },
		"no number":     func(geom.Vec3) geom.Vec3 { return geom.Vec3{X: math.NaN()} },
		"too large":     func(geom.Vec3) geom.Vec3 { return geom.Vec3{X: 1e300, Y: -1e300} },
	} {
		for _, c := range sidedParts[:2] {
			bare := &sided{d: &igestest.Deck{}, isBare: true, move: move}
			moved := &sided{d: &igestest.Deck{}, move: move}
			c.add(bare)
			c.add(moved)
			if got, want := mustRead(t, moved.d), mustRead(t, bare.d); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: read otherwise than without the curve: warnings %v, want %v", c.name, name,
					got.Warnings, want.Warnings)
			}
		}
	}
	open := []geom.Vec3{{X: half}, {X: math.Pi}, {X: math.Pi, Y: half}}
	for _, a := range [][]geom.Vec3{nil, open} {
		if area, ok := enclosed(a); ok {
			t.Errorf("points %v enclose %g", a, area)
		}
	}
}
