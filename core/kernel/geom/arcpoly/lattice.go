package arcpoly

// The lattice, and the chords of arcs on it.
//
// Points are whole multiples of one lattice step, stored as floats, which are exact up to 2^53. So all differences are
// exact, and cross gives the exact sign of every determinant. An arc becomes chords that end at fixed angles, the same
// ones for every arc of a circle, so that arcs that overlap share their chords.

import (
	"math"
	"math/bits"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	// steps is the number of lattice steps in a mm: 2^20, so that a step is just under geom.Resolution.
	steps = 1 << 20

	// sagitta (mm) is the largest distance of a chord from its arc.
	sagitta = 0.25e-3

	// reach (mm) bounds coordinates: 2^40 lattice steps, so large that cross still has the exact sign of products.
	reach = 1.0e6

	unitSteps = 1024 // of the table of directions
)

// point is a point of the lattice, in steps.
type point struct{ x, y float64 }

func snap(p geom.Vec2) point {
	return point{math.RoundToEven(p.X * steps), math.RoundToEven(p.Y * steps)}
}

func (p point) vec() geom.Vec2 { return geom.Vec2{X: p.x / steps, Y: p.y / steps} }

func (p point) sub(q point) point { return point{p.x - q.x, p.y - q.y} }

func (p point) dot(q point) float64 { return p.x*q.x + p.y*q.y }

// cross is p × q with the exact sign, and exact below 2^53: W. Kahan's difference of products. The rounding error of
// the fused operations is whole, and far less than an inexact result.
func (p point) cross(q point) float64 {
	w := float64(p.y * q.x)
	lost := math.FMA(-p.y, q.x, w)
	return math.FMA(p.x, q.y, -w) + lost
}

// directions are the unit vectors at multiples of a turn over unitSteps.
var directions = func() (table [unitSteps]geom.Vec2) {
	for i := range table {
		s, c := math.Sincos(2 * math.Pi * float64(i) / unitSteps)
		table[i] = geom.Vec2{X: c, Y: s}
	}
	return table
}()

// direction returns the unit vector at j of n steps around a circle, n a power of two.
func direction(j, n int) geom.Vec2 {
	j &= n - 1
	if n <= unitSteps {
		return directions[j*(unitSteps/n)]
	}
	s, c := math.Sincos(2 * math.Pi * float64(j) / float64(n))
	return geom.Vec2{X: c, Y: s}
}

// chordsRound returns the number of chords of a circle, a power of two.
func chordsRound(radius float64) int {
	const most = 20                                   // bits: by then a chord is a step of the lattice
	needed := math.Pi * math.Sqrt(radius/(2*sagitta)) // as 1 - cos a ≤ a²/2
	return 1 << min(max(2, bits.Len(uint(needed))), most)
}

// curve is a line or an arc that loops of chords represent.
type curve struct {
	from, to, center geom.Vec2
	turn             float64
	tag              int32
	isLink           bool // in no boundary, but where chords have missed one another
}

func (c *curve) piece() planar.Segment {
	return planar.Segment{From: c.from, To: c.to, Center: c.center, Turn: c.turn, Tag: c.tag}
}

// chains are closed loops of chords, one after the other. The last point of each repeats its first one.
type chains struct {
	curves []curve
	pts    []point
	curve  []int32 // of the chord that begins at a point; -1 - loop at the last point of a loop
	first  []int32 // point of each loop
	loop   []int32 // of each point
	in     box     // mm, that all of the result is in

	isSparse bool      // arcs have few chords, see refine.go
	gapPair  []gapPair // of the chord that begins at a point
}

// reset drops all loops and keeps the memory.
func (c *chains) reset() {
	c.curves, c.pts, c.curve = c.curves[:0], c.pts[:0], c.curve[:0]
	c.first, c.loop, c.gapPair, c.in = c.first[:0], c.loop[:0], c.gapPair[:0], everywhere
}

// begin starts a loop.
func (c *chains) begin() { c.first = append(c.first, int32(len(c.pts))) }

// add appends a curve to the loop, after a link where there is a gap. It may be a link itself.
func (c *chains) add(p *planar.Segment, isLink bool) {
	from := snap(p.From)
	if n := len(c.pts); n == int(c.first[len(c.first)-1]) {
		c.push(from)
	} else if c.pts[n-1] != from {
		c.link(from)
	}
	id := int32(len(c.curves))
	c.curves = append(c.curves, curve{p.From, p.To, p.Center, p.Turn, p.Tag, isLink})
	if p.Turn != 0 {
		c.arc(p, id)
	}
	c.to(snap(p.To), id)
}

// link adds a straight chord to a point.
func (c *chains) link(to point) {
	id := int32(len(c.curves))
	c.curves = append(c.curves, curve{from: c.pts[len(c.pts)-1].vec(), to: to.vec(), isLink: true})
	c.to(to, id)
}

// end closes the loop; a loop without area is removed.
func (c *chains) end() {
	first := c.first[len(c.first)-1]
	if len(c.pts) > int(first) && c.pts[first] != c.pts[len(c.pts)-1] {
		c.link(c.pts[first])
	}
	if len(c.pts)-int(first) < 3 {
		c.pts, c.curve, c.loop, c.gapPair = c.pts[:first], c.curve[:first], c.loop[:first], c.gapPair[:first]
		c.first = c.first[:len(c.first)-1]
		return
	}
	c.curve[len(c.pts)-1] = -int32(len(c.first))
}

func (c *chains) push(p point) {
	c.pts = append(c.pts, p)
	c.curve = append(c.curve, -1)
	c.loop = append(c.loop, int32(len(c.first)-1))
	c.gapPair = append(c.gapPair, gapPair{chords: 1})
}

// to appends a chord of a curve, unless it has no length.
func (c *chains) to(p point, id int32) {
	if n := len(c.pts); c.pts[n-1] != p {
		c.curve[n-1] = id
		c.push(p)
	}
}

// arc appends the chords of an arc but the last.
func (c *chains) arc(p *planar.Segment, id int32) {
	on := circleOf(&c.curves[id])
	if on.radius*p.Turn*p.Turn <= 8*sagitta {
		return
	}
	w, perStep := p.From.Sub(p.Center), float64(on.n)/(2*math.Pi)
	from := math.Atan2(w.Y, w.X) * perStep
	to := from + p.Turn*perStep
	first, last := int(math.Floor(from))+1, int(math.Ceil(to))-1
	if !on.isLeft {
		first, last = int(math.Ceil(from))-1, int(math.Floor(to))+1
	}
	switch {
	case on.isLeft && first > last || !on.isLeft && first < last:
	case c.isSparse:
		c.arcThrough(&on, first, last, id)
	default:
		for j := first; ; j += int(on.ahead(1)) {
			c.to(on.at(j), id)
			if j == last {
				return
			}
		}
	}
}

// circle is the circle of an arc, with the end directions of its chords.
type circle struct {
	center geom.Vec2
	radius float64 // mm
	n      int     // directions
	isLeft bool    // the arc turns to the left
}

func circleOf(c *curve) circle {
	r := math.Sqrt(c.from.Sub(c.center).Norm2())
	return circle{c.center, r, chordsRound(r), c.turn > 0}
}

// at returns the point in direction j.
func (c *circle) at(j int) point { return snap(c.center.Add(direction(j, c.n).Scale(c.radius))) }

// ahead returns the change of direction over some chords.
func (c *circle) ahead(chords int32) int32 {
	if c.isLeft {
		return chords
	}
	return -chords
}

// same returns the one index of a point of a loop: its last point is its first one.
func (c *chains) same(i int32) int32 {
	if c.curve[i] < 0 {
		return c.first[-1-c.curve[i]]
	}
	return i
}
