package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// assemble turns the chains into the outer polygons and the holes.
func (b *Builder) assemble() error {
	b.used = append(b.used[:0], make([]bool, len(b.chains))...)
	var err error
	switch {
	case len(b.rings) > 0:
		err = b.bands()
	case len(b.discs) == 0 || surface.IsClosed(b.surf) && b.allHoles():
		err = b.whole()
	default:
		b.outerDiscs()
	}
	if err != nil {
		return err
	}
	b.holes()
	b.largestFirst()
	return nil
}

// poleAtParam returns the pole at a constant coordinate, or nil.
func (b *Builder) poleAtParam(axis int, at float64) *pole {
	const same = 1e-9 // share of the range: both numbers come from the same knots or angles
	for i := range b.poles {
		p := &b.poles[i]
		if p.fixed == axis && math.Abs(p.Param-at) <= same*(1+math.Abs(at)) {
			return p
		}
	}
	return nil
}

func (b *Builder) allHoles() bool {
	for _, i := range b.discs {
		if b.chains[i].area > 0 || b.isSlit(i) {
			return false
		}
	}
	return true
}

// isSlit reports whether a disc covers a whole cell of a doubly periodic surface. Then its two seams do not bound a
// hole, in either direction: all coedges of a torus's loop start at one vertex, so that a file may give them in an
// order that leads around the cell clockwise.
func (b *Builder) isSlit(i int) bool {
	const whole = 1 - 1e-6 // share of the cell: no hole leaves so little
	cell := b.period[0] * b.period[1]
	return cell > 0 && math.Abs(b.chains[i].area) >= whole*cell
}

// outerDiscs emits the outer polygons of a face whose loops all close in the parameter plane: the largest loop, and
// every counter-clockwise loop outside it. A face is connected, so a counter-clockwise loop within the largest one is a
// hole written in the wrong direction.
func (b *Builder) outerDiscs() {
	outer := b.outerDisc()
	if b.chains[outer].area < 0 {
		b.turn(outer)
		if b.isSlit(outer) {
			b.domain.Turned--
		}
	}
	b.emitDisc(outer, [2]int{})
	for _, i := range b.discs {
		if i == outer || b.chains[i].area < 0 {
			continue
		}
		if b.reaches(b.spans[0], i) {
			b.turn(i)
		} else {
			b.emitDisc(i, [2]int{})
		}
	}
}

// outerDisc returns the disc that encloses the most: the only counter-clockwise one as a rule. Where
// the loops' senses leave a doubt, their areas are taken along the curves: chords may make a hole that
// nearly fills the face look larger than its outer loop, or turn a crescent inside out.
func (b *Builder) outerDisc() int {
	const doubt = 0.8 // a smaller fraction of the outer polygon is always a hole, despite the error of chords
	largest, positive := b.largestDisc()
	rest := 0.0
	for _, i := range b.discs {
		if i != largest {
			rest = math.Max(rest, math.Abs(b.chains[i].area))
		}
	}
	if a := b.chains[largest].area; a > 0 && (positive == 1 || rest < doubt*a) {
		return largest
	}
	for _, i := range b.discs {
		b.chains[i].area = b.areaAlongCurves(&b.chains[i])
	}
	largest, _ = b.largestDisc()
	return largest
}

func (b *Builder) largestDisc() (largest, positive int) {
	largest = b.discs[0]
	for _, i := range b.discs {
		a := b.chains[i].area
		if a > 0 {
			positive++
		}
		if math.Abs(a) > math.Abs(b.chains[largest].area) {
			largest = i
		}
	}
	return largest, positive
}

// areaAlongCurves is the signed area within a disc with every piece followed along its curve, for two
// parabolas.
func (b *Builder) areaAlongCurves(c *chain) float64 {
	const parts = 4 // of a piece; even
	vs := b.verts[c.lo:c.hi]
	o, sum := vs[0].UV, 0.0
	for i := range vs {
		v := &vs[i]
		from, to := v.UV, vs[(i+1)%len(vs)].UV
		if v.Coedge == brep.None {
			sum += from.Sub(o).Cross(to.Sub(o))
			continue
		}
		edge := b.model.Edges[b.model.Coedges[v.Coedge].Edge].Curve
		before, last := from, from
		for k := 1; k <= parts; k++ {
			uv := to
			if k < parts {
				uv, _ = b.surf.InvertNear(edge.At(v.From+(v.To-v.From)*float64(k)/parts), last)
			}
			sum += last.Sub(o).Cross(uv.Sub(o))
			if k%2 == 0 { // the area under a parabola through three points is four thirds of their triangle
				sum += last.Sub(before).Cross(uv.Sub(before)) / 3
				before = uv
			}
			last = uv
		}
	}
	return sum / 2
}

// reaches reports whether the extent of an outer polygon contains the middle of a disc or of one of
// its periodic copies. The polygon itself would be a poor judge: its chords may cut through a hole
// close to it.
func (b *Builder) reaches(outer span, disc int) bool {
	shift, _ := b.place(disc, outer)
	c := &b.chains[disc]
	mid := b.shifted(c.min.Lerp(c.max, 0.5), shift)
	lo, hi := extent(b.out[outer.lo:outer.hi])
	return mid.X >= lo.X && mid.X <= hi.X && mid.Y >= lo.Y && mid.Y <= hi.Y
}

func (b *Builder) emitDisc(i int, shift [2]int) {
	c := &b.chains[i]
	lo := len(b.out)
	b.out = append(b.out, b.verts[c.lo:c.hi]...)
	if shift != [2]int{} {
		for k := lo; k < len(b.out); k++ {
			b.out[k].UV = b.shifted(b.out[k].UV, shift)
		}
	}
	b.spans = append(b.spans, span{lo, len(b.out)})
	b.used[i] = true
}

// holes moves the remaining discs into an outer polygon and emits them.
func (b *Builder) holes() {
	outers := len(b.spans)
	for _, i := range b.discs {
		if b.used[i] {
			continue
		}
		var shift [2]int
		for k := range outers {
			s, inside := b.place(i, b.spans[k])
			if inside || k == 0 {
				shift = s
			}
			if inside {
				break
			}
		}
		b.emitDisc(i, shift)
	}
}

// largestFirst puts the outer polygon with the largest area first.
func (b *Builder) largestFirst() {
	best, size := 0, 0.0
	for i, s := range b.spans {
		if a := Area(b.out[s.lo:s.hi]); a > size {
			best, size = i, a
		}
	}
	b.spans[0], b.spans[best] = b.spans[best], b.spans[0]
}

// place returns the whole periods that move a disc inside the outer polygon and whether there are any; if not, the
// periods that bring it nearest to its middle.
func (b *Builder) place(disc int, outer span) (best [2]int, inside bool) {
	c := &b.chains[disc]
	poly := b.out[outer.lo:outer.hi]
	lo, hi := extent(poly)
	var from, to [2]int
	for axis, p := range b.period {
		if p > 0 {
			from[axis] = int(math.Ceil((coord(lo, axis) - coord(c.max, axis)) / p))
			to[axis] = int(math.Floor((coord(hi, axis) - coord(c.min, axis)) / p))
		}
	}
	nearest := math.Inf(1)
	for i := from[0]; i <= to[0]; i++ {
		for j := from[1]; j <= to[1]; j++ {
			shift := [2]int{i, j}
			if b.mostlyInside(c, shift, poly) {
				return shift, true
			}
			d := b.shifted(c.min.Lerp(c.max, 0.5), shift).Dist(lo.Lerp(hi, 0.5))
			if d < nearest {
				best, nearest = shift, d
			}
		}
	}
	return best, false
}

// mostlyInside tests a few vertices, as one may lie on the border of the outer polygon.
func (b *Builder) mostlyInside(c *chain, shift [2]int, poly []Vertex) bool {
	const asked = 3
	n, votes := c.hi-c.lo, 0
	for k := range asked {
		if contains(poly, b.shifted(b.verts[c.lo+k*n/asked].UV, shift)) {
			votes++
		}
	}
	return 2*votes > asked
}

// contains reports whether q lies inside the polygon, by the parity of crossings to its right.
func contains(poly []Vertex, q geom.Vec2) bool {
	in := false
	a := poly[len(poly)-1].UV
	for i := range poly {
		c := poly[i].UV
		if (a.Y > q.Y) != (c.Y > q.Y) {
			up := a.Y < c.Y
			if (c.Sub(a).Cross(q.Sub(a)) > 0) == up {
				in = !in
			}
		}
		a = c
	}
	return in
}

// turn reverses a chain: piece k, from vertex k to k+1, becomes the piece that leaves k+1.
func (b *Builder) turn(i int) {
	c := &b.chains[i]
	vs := b.verts[c.lo:c.hi]
	n := len(vs)
	vs[0].UV = b.shifted(vs[0].UV, c.turns)
	for l, r := 1, n-1; l < r; l, r = l+1, r-1 {
		vs[l].UV, vs[r].UV = vs[r].UV, vs[l].UV
		vs[l].P, vs[r].P = vs[r].P, vs[l].P
		vs[l].Index, vs[r].Index = vs[r].Index, vs[l].Index
	}
	for l, r := 0, n-1; l <= r; l, r = l+1, r-1 {
		vs[l].Coedge, vs[r].Coedge = vs[r].Coedge, vs[l].Coedge
		vs[l].From, vs[l].To, vs[r].From, vs[r].To = vs[r].To, vs[r].From, vs[l].To, vs[l].From
	}
	c.turns = [2]int{-c.turns[0], -c.turns[1]}
	c.area = -c.area
	c.min, c.max = extent(vs)
	b.domain.Turned++
}
