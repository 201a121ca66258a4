package holding

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// body is a stock in the frame of a setup, whose axes are axes of the stock, or against them.
type body struct {
	of     *dexel.Stock
	axis   [3]int // of the stock, for x, y and z of the setup
	sign   [3]float64
	offset [3]float64 // of the coordinates of the setup
	low    [3]float64 // corner of the lattice
	count  [3]int
	step   float64
}

// span is a range of material along an axis of the setup, mm.
type span struct{ lo, hi float64 }

// newBody returns a stock in a frame that maps to the frame of the stock.
func newBody(s *dexel.Stock, f geom.Frame) *body {
	l := s.Lattice
	b := &body{of: s, step: l.Step}
	for k, d := range [3]geom.Vec3{f.X, f.Y, f.Z} {
		a := dexel.Along(d)
		b.axis[k], b.sign[k] = a, math.Copysign(1, d.Coordinate(a))
		b.count[k] = l.Count[a]
		from := l.Origin.Coordinate(a) - f.Origin.Coordinate(a)
		b.offset[k], b.low[k] = b.sign[k]*from, b.sign[k]*from
		if b.sign[k] < 0 {
			b.low[k] -= float64(l.Count[a]) * l.Step
		}
	}
	return b
}

// at returns the middle of a cell along an axis.
func (b *body) at(k, i int) float64 { return b.low[k] + (float64(i)+0.5)*b.step }

// cell returns the cell of a coordinate, within the lattice.
func (b *body) cell(k int, x float64) int {
	return min(max(int(math.Floor((x-b.low[k])/b.step)), 0), b.count[k]-1)
}

// ray returns the material of a ray along axis k, ascending, in the memory of out. Cells i and j are along the other
// two axes, in ascending order.
func (b *body) ray(out []span, k, i, j int) []span {
	p, q := dexel.Side(k)
	var at [3]int
	at[b.axis[p]], at[b.axis[q]] = b.index(p, i), b.index(q, j)
	r, c := dexel.Side(b.axis[k])
	out = out[:0]
	for _, s := range b.of.Ray(b.axis[k], at[r], at[c]) {
		if b.sign[k] > 0 {
			out = append(out, span{b.offset[k] + float64(s.Lo), b.offset[k] + float64(s.Hi)})
		} else {
			out = append(out, span{b.offset[k] - float64(s.Hi), b.offset[k] - float64(s.Lo)})
		}
	}
	if b.sign[k] < 0 {
		slices.Reverse(out)
	}
	return out
}

func (b *body) index(k, i int) int {
	if b.sign[k] < 0 {
		return b.count[k] - 1 - i
	}
	return i
}

// heights returns the lowest and the highest material.
func (b *body) heights() (s span) {
	s = span{math.Inf(1), math.Inf(-1)}
	var buffer []span
	for j := range b.count[1] {
		for i := range b.count[0] {
			if buffer = b.ray(buffer, 2, i, j); len(buffer) > 0 {
				s.lo, s.hi = min(s.lo, buffer[0].lo), max(s.hi, buffer[len(buffer)-1].hi)
			}
		}
	}
	return s
}

// pieces are the connected pieces of a body, from its vertical rays.
type pieces struct {
	body   *body
	spans  []span
	start  []int // of each ray, j·count[0] + i
	parent []int
	volume map[int]float64 // of each piece by its root, mm³
}

func (b *body) pieces() *pieces {
	p := &pieces{body: b, start: []int{0}, volume: map[int]float64{}}
	var buffer []span
	for j := range b.count[1] {
		for i := range b.count[0] {
			buffer = b.ray(buffer, 2, i, j)
			p.spans = append(p.spans, buffer...)
			p.start = append(p.start, len(p.spans))
		}
	}
	p.parent = make([]int, len(p.spans))
	for i := range p.parent {
		p.parent[i] = i
	}
	for j := range b.count[1] {
		for i := range b.count[0] {
			r := j*b.count[0] + i
			if i > 0 {
				p.join(r-1, r)
			}
			if j > 0 {
				p.join(r-b.count[0], r)
			}
		}
	}
	for i, s := range p.spans {
		p.volume[p.root(i)] += (s.hi - s.lo) * b.step * b.step
	}
	return p
}

func (p *pieces) root(i int) int {
	for p.parent[i] != i {
		p.parent[i] = p.parent[p.parent[i]]
		i = p.parent[i]
	}
	return i
}

// join unites the pieces of two adjacent rays that touch.
func (p *pieces) join(a, b int) {
	i, k := p.start[a], p.start[b]
	for i < p.start[a+1] && k < p.start[b+1] {
		if min(p.spans[i].hi, p.spans[k].hi) > max(p.spans[i].lo, p.spans[k].lo) {
			if from, to := p.root(i), p.root(k); from != to {
				p.parent[max(from, to)] = min(from, to)
			}
		}
		if p.spans[i].hi < p.spans[k].hi {
			i++
		} else {
			k++
		}
	}
}

// of returns the root of the piece at a place; false where nothing is.
func (p *pieces) of(x, y, z float64) (int, bool) {
	r := p.body.cell(1, y)*p.body.count[0] + p.body.cell(0, x)
	for i := p.start[r]; i < p.start[r+1]; i++ {
		if s := p.spans[i]; z >= s.lo-near && z <= s.hi+near {
			return p.root(i), true
		}
	}
	return 0, false
}

// section returns the second moments of area of the largest piece of the body's section at a height: for bending along
// x, and along y, mm⁴. Separate pieces do not act as one beam.
func (b *body) section(level int) (along [2]float64) {
	type chord struct {
		span
		y    float64
		root int
	}
	var all []chord
	var buffer []span
	var root func(i int) int
	root = func(i int) int {
		if all[i].root != i {
			all[i].root = root(all[i].root)
		}
		return all[i].root
	}
	first := 0
	for j := range b.count[1] {
		buffer = b.ray(buffer, 0, j, level)
		row := len(all)
		for _, s := range buffer {
			i := len(all)
			all = append(all, chord{s, b.at(1, j), i})
			for k := first; k < row; k++ {
				if min(all[k].hi, s.hi) > max(all[k].lo, s.lo) {
					all[root(k)].root = root(i)
				}
			}
		}
		first = row
	}
	area := map[int]float64{}
	best, most := -1, 0.0
	for i := range all {
		r := root(i)
		if area[r] += (all[i].hi - all[i].lo) * b.step; area[r] > most {
			best, most = r, area[r]
		}
	}
	var mx, my, xx, yy float64
	for i := range all {
		if root(i) != best {
			continue
		}
		c := &all[i]
		long := (c.hi - c.lo) * b.step
		mx, my = mx+long*(c.hi+c.lo)/2, my+long*c.y
		xx += (c.hi*c.hi*c.hi - c.lo*c.lo*c.lo) / 3 * b.step
		yy += long * (c.y*c.y + b.step*b.step/12)
	}
	if most == 0 {
		return along
	}
	return [2]float64{xx - mx*mx/most, yy - my*my/most}
}
