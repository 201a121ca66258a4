package arcpoly

// Offsets.
//
// Every segment moves to the right of its loop by the distance; arcs become arcs of another radius. Where two of them
// separate at a corner, an arc around the corner joins them. Where they overlap, a straight line back does, or both end
// at their crossing. The resulting loops intersect themselves. Their winding number around a point is the number of
// connected components of the old area within the disc about the point (the winding number of a convolution is the
// Euler characteristic of that intersection: L. Guibas, L. Ramshaw, J. Stolfi, "A kinetic framework for computational
// geometry", 1983). So it is at least one exactly where the point is within the distance. For negative distances the
// same holds for the outside of the area.
//
// There are two exceptions. An intersection with a hole in it counts one less: that is a shrinking loop that lies in
// the disc as a whole and leaves nothing, and such loops are dropped before. Lines back in place of arcs, crossings in
// place of lines back, and chords in place of inverted arcs change the winding number at points nearer to the old
// boundary than the distance. The change is always to the safe side, except for crossings in shrinking loops no larger
// than the disc; there the crossings are not used.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Offset returns the points within distance (mm) of a. A negative distance returns the points of a that are farther
// than -distance from every point outside a. Corners become round if the boundary moves away from them.
func (a *Area) Offset(distance float64) (*Area, error) {
	if !(math.Abs(distance) <= reach) {
		return nil, fmt.Errorf("arcpoly: offset by %v mm", distance)
	}
	if a.IsEmpty() || distance == 0 {
		return a, nil
	}
	o := newOffsetter(distance)
	defer benches.Put(o.scratch)
	o.key.begin(byOffset, distance, float64(len(a.sizes)))
	o.key.add(a.sizes...)
	for _, l := range a.loops {
		o.key.path(l)
	}
	return o.key.resulting(func() (*Area, error) {
		for i, l := range a.loops {
			o.loop(l, a.sizes[i], (a.sizes[i] > 0) == (distance < 0))
		}
		return o.area(atLeast(1))
	})
}

// SweepDisc returns the area that a disc of some radius (mm) covers on its motion along paths. These may be closed or
// open, and cross themselves and one another. Each segment of a path must begin at the end of the one before, within 1
// µm.
func SweepDisc(radius float64, paths ...[]planar.Segment) (*Area, error) {
	if !(radius > 0 && radius <= reach) {
		return nil, fmt.Errorf("arcpoly: a disc of radius %v mm", radius)
	}
	for _, path := range paths {
		for i := range path {
			if err := check(&path[i], &path[min(i+1, len(path)-1)], i+1 < len(path)); err != nil {
				return nil, fmt.Errorf("piece %d: %w", i, err)
			}
		}
	}
	o := newOffsetter(radius)
	defer benches.Put(o.scratch)
	o.key.begin(bySweep, radius)
	for _, path := range paths {
		o.key.path(path)
	}
	return o.key.resulting(func() (*Area, error) {
		for _, path := range paths {
			// There and back, the path is a loop without inside.
			o.loop(append(slices.Clone(path), planar.Loop(path).Reverse()...), 0, false)
		}
		return o.area(atLeast(1))
	})
}

// smooth (mm) is the distance below which two ends count as one point.
const smooth = 0.5 / steps

// cusp is the cosine of the turn at a tip so sharp that its sides may cross just before it. The tip then seems to turn
// in the opposite direction, so the arc covers both directions. The excess area is near the tip.
const cusp = -0.7

// offsetter moves loops to their right.
type offsetter struct {
	*scratch
	by     float64
	folded float64 // cosine of half the turn at which a loop that shrinks is too small for its corners to be trimmed
}

func newOffsetter(by float64) *offsetter {
	o := &offsetter{scratch: benches.Get().(*scratch), by: by}
	o.reset()
	return o
}

// moved is a segment at its new place.
type moved struct {
	planar.Segment
	in, out geom.Vec2 // directions of the old segment at its ends
	corner  geom.Vec2 // the end of the old segment
	length  float64   // of the old segment where that is a line
	joint   float64   // rad, of the arc around the corner that follows; 0 = no arc
	isLink  bool
}

// move appends a segment at its new place.
func (o *offsetter) move(p *planar.Segment) {
	m := moved{Segment: *p, corner: p.To}
	if p.Turn == 0 {
		d := p.To.Sub(p.From)
		if m.length = math.Sqrt(d.Norm2()); m.length == 0 {
			return
		}
		d = d.Scale(1 / m.length)
		m.in, m.out = d, d
		shift := geom.Vec2{X: d.Y * o.by, Y: -d.X * o.by}
		m.From, m.To = p.From.Add(shift), p.To.Add(shift)
		o.moved = append(o.moved, m)
		return
	}
	a, b := p.From.Sub(p.Center), p.To.Sub(p.Center)
	r, s := math.Sqrt(a.Norm2()), math.Sqrt(b.Norm2())
	if r == 0 || s == 0 {
		return
	}
	sense := sign(p.Turn)
	// The original ends define the turn: the ends of a tiny arc are rounded, and the ends of a large offset are scaled
	// from them.
	m.Turn += math.Remainder(math.Atan2(a.Cross(b), a.Dot(b))-m.Turn, 2*math.Pi)
	m.in = geom.Vec2{X: -a.Y * sense / r, Y: a.X * sense / r}
	m.out = geom.Vec2{X: -b.Y * sense / s, Y: b.X * sense / s}
	m.From = p.Center.Add(a.Scale((r + sense*o.by) / r))
	m.To = p.Center.Add(b.Scale((s + sense*o.by) / s))
	if r+sense*o.by <= 0 {
		m.Turn, m.isLink = 0, true // the arc is inverted; its chord is equally good
	}
	o.moved = append(o.moved, m)
}

// join connects a segment with the next one. If they separate, it adds an arc around the corner. If they overlap, both
// end at their crossing, provided that it is safe to omit the rest.
func (o *offsetter) join(m, next *moved) {
	s, c := m.out.Cross(next.in), m.out.Dot(next.in)
	if c > 0 && math.Abs(s*o.by) < smooth {
		return
	}
	if turn := math.Atan2(math.Abs(s), c); s*o.by > 0 {
		m.joint = math.Copysign(turn, o.by)
		return
	} else if c < cusp {
		m.joint = math.Copysign(2*math.Pi-turn, o.by)
		return
	}
	cut := math.Abs(o.by * s / (1 + c))
	if m.length < cut || next.length < cut || math.Sqrt((1+c)/2) <= o.folded {
		return
	}
	m.To = m.To.Sub(m.out.Scale(cut))
	next.From = m.To
}

// loop appends the offset of a loop of some size (mm²), which shrinks or grows.
func (o *offsetter) loop(l planar.Loop, size float64, shrinks bool) {
	o.folded = 0
	if shrinks {
		by := math.Abs(o.by)
		radius := math.Sqrt(math.Abs(size) / math.Pi) // of the smallest disc around it, at least
		if radius < 2*by {
			radius = max(radius, breadth(l)/2)
		}
		if radius <= by && fits(l, by) {
			return
		}
		o.folded = by / radius
	}
	o.moved = o.moved[:0]
	for i := range l {
		o.move(&l[i])
	}
	for i := range o.moved {
		o.join(&o.moved[i], &o.moved[(i+1)%len(o.moved)])
	}
	o.begin()
	for i := range o.moved {
		m := &o.moved[i]
		o.add(&m.Segment, m.isLink)
		if m.joint != 0 {
			next := &o.moved[(i+1)%len(o.moved)]
			o.add(&planar.Segment{From: m.To, To: next.From, Center: m.corner, Turn: m.joint, Tag: m.Tag}, false)
		}
	}
	o.end()
}

// breadth returns the longer side of the box around a loop.
func breadth(l planar.Loop) float64 {
	x0, x1 := planar.ExtentAlong(l, geom.Vec2{X: 1})
	y0, y1 := planar.ExtentAlong(l, geom.Vec2{Y: 1})
	return max(x1-x0, y1-y0)
}

// fits reports whether a disc of some radius can cover a loop.
func fits(l planar.Loop, radius float64) bool {
	var c chains
	c.enter([]planar.Loop{l}, everywhere)
	if len(c.pts) == 0 {
		return true
	}
	_, r := smallestDisc(c.pts)
	return r <= radius*steps
}

// smallestDisc returns the smallest disc around points: E. Welzl, "Smallest enclosing disks", 1991, without
// recursion. The points come in a scattered order, so that the expected cost is linear.
func smallestDisc(in []point) (center point, radius float64) {
	pts := slices.Clone(in)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(pts), func(i, k int) { pts[i], pts[k] = pts[k], pts[i] })
	isOut := func(p point) bool { return distance(p, center) > radius*(1+1e-12) }
	for i, p := range pts {
		if !isOut(p) {
			continue
		}
		center, radius = p, 0
		for j, q := range pts[:i] {
			if !isOut(q) {
				continue
			}
			center = point{(p.x + q.x) / 2, (p.y + q.y) / 2}
			radius = distance(p, center)
			for _, s := range pts[:j] {
				if isOut(s) {
					center = circumcenter(p, q, s)
					radius = max(distance(p, center), distance(q, center), distance(s, center))
				}
			}
		}
	}
	return center, radius
}

func distance(a, b point) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

// circumcenter returns the center of the circle through three points; through two of them if all are on a line.
func circumcenter(a, b, c point) point {
	b, c = b.sub(a), c.sub(a)
	det := 2 * b.cross(c)
	if det == 0 {
		if b.dot(b) < c.dot(c) {
			b = c
		}
		return point{a.x + b.x/2, a.y + b.y/2}
	}
	bb, cc := b.dot(b), c.dot(c)
	return point{a.x + (bb*c.y-cc*b.y)/det, a.y + (cc*b.x-bb*c.x)/det}
}
