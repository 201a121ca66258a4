package replay

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// piece is a part of a cutting move in the frame of its setup: level, or straight along the tool. Moves that climb or
// fall become level pieces.
type piece struct {
	travel
	tool   *Tool
	radius float64 // mm, of the flutes
	lo, hi float64 // mm, of the tip
	length float64 // mm, of the move that it stands for
	fall   float64 // mm that the move goes down; negative: up
}

// steepest (mm) is the largest height of a level piece of a move that climbs or falls.
const steepest = 0.1

// widest (rad) is the largest turn of a piece of an arc. So the front of the tool is ahead of the cut of the piece.
const widest = math.Pi / 6

// pieces cuts a move that begins at from.
func pieces(from geom.Vec3, m Move, t *Tool) []piece {
	p := piece{tool: t, radius: t.Cutting.radius()}
	fall := from.Z - m.To.Z
	flatLength := flat(m.To).Sub(flat(from)).Norm()
	if m.Turn != 0 {
		flatLength = math.Abs(m.Turn) * flat(from).Sub(m.Center).Norm()
	}
	if flatLength < 1e-9 {
		if fall == 0 {
			return nil
		}
		n := max(int(math.Ceil(math.Abs(fall)/max(p.radius/2, steepest))), 1)
		out := make([]piece, n)
		for i := range out {
			q := p
			q.from, q.to = flat(from), flat(m.To)
			a, b := from.Z-fall*float64(i)/float64(n), from.Z-fall*float64(i+1)/float64(n)
			q.lo, q.hi = min(a, b), max(a, b)
			q.length, q.fall = math.Abs(fall)/float64(n), fall/float64(n)
			out[i] = q
		}
		return out
	}
	n := max(int(math.Ceil(math.Abs(fall)/steepest)), int(math.Ceil(math.Abs(m.Turn)/widest)), 1)
	out := make([]piece, n)
	for i := range out {
		q := p
		s, e := float64(i)/float64(n), float64(i+1)/float64(n)
		q.from, q.to = along(flat(from), m, s), along(flat(from), m, e)
		q.center, q.turn = m.Center, m.Turn/float64(n)
		q.lo = from.Z - fall*(s+e)/2
		q.hi = q.lo
		q.length, q.fall = math.Hypot(flatLength, fall)/float64(n), fall/float64(n)
		out[i] = q
	}
	return out
}

// isLevel reports whether the move of the piece keeps its height.
func (p *piece) isLevel() bool { return math.Abs(p.fall) < 1e-6 }

// isPlunge reports whether the piece goes straight along the tool.
func (p *piece) isPlunge() bool { return p.lo != p.hi }

// takes reports whether the piece removes a point.
func (p *piece) takes(q geom.Vec3) bool {
	if q.Z < p.lo || q.Z > p.hi+p.tool.Flute {
		return false
	}
	d := p.distance(flat(q))
	return d < p.radius && p.lo+p.tool.Cutting.lowest(d) <= q.Z
}

// radiusAt returns the radius of the outline at a height above the tip.
func (o Outline) radiusAt(height float64) (r float64) {
	for i, ring := range o {
		if ring.Height <= height {
			r = ring.Radius
			continue
		}
		if i > 0 {
			b := o[i-1]
			r = b.Radius + (ring.Radius-b.Radius)*max(0, height-b.Height)/(ring.Height-b.Height)
		}
		break
	}
	return r
}

// index finds the pieces of a setup near a place.
type index struct {
	origin        geom.Vec2
	cell          float64
	width, height int
	cells         [][]band
	pieces        []piece
	seen          []uint32 // by piece: the query that met it last
	query         uint32
}

// band is the pieces in a cell whose tips are at about one height.
type band struct {
	lo, top float64 // of the tips and of the flutes
	ids     []int32 // in the order of the work
}

const (
	bandHeight   = 0.25 // mm
	cellsPerSide = 64
)

func newIndex(box geom.Box) *index {
	size := box.Size()
	x := &index{cell: max(size.X, size.Y) / cellsPerSide}
	around := 2 * x.cell
	x.origin = geom.Vec2{X: box.Min.X - around, Y: box.Min.Y - around}
	x.width, x.height = int((size.X+2*around)/x.cell)+1, int((size.Y+2*around)/x.cell)+1
	x.cells = make([][]band, x.width*x.height)
	return x
}

// span returns the cells of a range of coordinates; beyond the grid nothing is kept.
func (x *index) span(lo, hi, origin float64, n int) (first, last int) {
	return max(int(math.Floor((lo-origin)/x.cell)), 0), min(int(math.Floor((hi-origin)/x.cell)), n-1)
}

// add files a piece.
func (x *index) add(p piece) {
	id := int32(len(x.pieces))
	x.pieces, x.seen = append(x.pieces, p), append(x.seen, 0)
	lo, hi := p.bounds()
	i0, i1 := x.span(lo.X-p.radius, hi.X+p.radius, x.origin.X, x.width)
	j0, j1 := x.span(lo.Y-p.radius, hi.Y+p.radius, x.origin.Y, x.height)
	reach := p.radius + x.cell*math.Sqrt2/2
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			middle := geom.Vec2{X: x.origin.X + (float64(i)+0.5)*x.cell, Y: x.origin.Y + (float64(j)+0.5)*x.cell}
			if p.distance(middle) < reach {
				x.file(j*x.width+i, id, &p)
			}
		}
	}
}

func (x *index) file(cell int, id int32, p *piece) {
	key := math.Floor(p.lo/bandHeight) * bandHeight
	list := x.cells[cell]
	for k := len(list) - 1; k >= 0; k-- {
		if list[k].lo == key {
			list[k].ids = append(list[k].ids, id)
			list[k].top = max(list[k].top, p.hi+p.tool.Flute)
			return
		}
	}
	x.cells[cell] = append(list, band{key, p.hi + p.tool.Flute, []int32{id}})
}

// takes reports whether any piece removes a point.
func (x *index) takes(q geom.Vec3) bool {
	i, j := int(math.Floor((q.X-x.origin.X)/x.cell)), int(math.Floor((q.Y-x.origin.Y)/x.cell))
	if i < 0 || j < 0 || i >= x.width || j >= x.height {
		return false
	}
	for k := range x.cells[j*x.width+i] {
		b := &x.cells[j*x.width+i][k]
		if q.Z < b.lo || q.Z > b.top {
			continue
		}
		for n := len(b.ids) - 1; n >= 0; n-- {
			if x.pieces[b.ids[n]].takes(q) {
				return true
			}
		}
	}
	return false
}

// near calls visit for each piece that may remove something at a height within a radius of a place, the latest of each
// cell first, until it returns false.
func (x *index) near(c geom.Vec2, radius, height float64, visit func(*piece) bool) {
	x.query++
	i0, i1 := x.span(c.X-radius, c.X+radius, x.origin.X, x.width)
	j0, j1 := x.span(c.Y-radius, c.Y+radius, x.origin.Y, x.height)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			list := x.cells[j*x.width+i]
			for k := range list {
				b := &list[k]
				if height < b.lo || height > b.top {
					continue
				}
				for n := len(b.ids) - 1; n >= 0; n-- {
					id := b.ids[n]
					if x.seen[id] == x.query {
						continue
					}
					x.seen[id] = x.query
					if !visit(&x.pieces[id]) {
						return
					}
				}
			}
		}
	}
}
