package replay

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// probes are lines along the axis of a setup through the stock, scattered evenly, with the material that is left on
// them.
type probes struct {
	area  float64 // mm² of the section of the stock that a line stands for
	at    []geom.Vec2
	of    [][]stretch
	cell  float64
	first geom.Vec2
	width int
	bins  [][]int32
}

// lines is the number of probes of a setup.
const lines = 4000

// newProbes scatters lines over a box (the R2 sequence, as for columns).
func newProbes(box geom.Box) *probes {
	const a, b = 0.7548776662466927, 0.5698402909980532
	size := box.Size()
	p := &probes{area: size.X * size.Y / lines}
	for i := range lines {
		_, u := math.Modf(0.5 + a*float64(i+1))
		_, v := math.Modf(0.5 + b*float64(i+1))
		p.at = append(p.at, geom.Vec2{X: box.Min.X + u*size.X, Y: box.Min.Y + v*size.Y})
		p.of = append(p.of, []stretch{{box.Min.Z, box.Max.Z}})
	}
	p.sort(box)
	return p
}

// sort files the lines in cells.
func (p *probes) sort(box geom.Box) {
	const perCell = 4
	size := box.Size()
	p.cell = math.Sqrt(perCell * size.X * size.Y / lines)
	p.first = flat(box.Min)
	p.width = int(size.X/p.cell) + 1
	p.bins = make([][]int32, p.width*(int(size.Y/p.cell)+1))
	for i, at := range p.at {
		k := p.bin(at)
		p.bins[k] = append(p.bins[k], int32(i))
	}
}

func (p *probes) bin(at geom.Vec2) int {
	x := min(max(int((at.X-p.first.X)/p.cell), 0), p.width-1)
	y := min(max(int((at.Y-p.first.Y)/p.cell), 0), len(p.bins)/p.width-1)
	return y*p.width + x
}

// turned returns the same lines in another frame along the same axis.
func (p *probes) turned(from, to geom.Frame, box geom.Box) *probes {
	out := &probes{area: p.area}
	for i, at := range p.at {
		var list []stretch
		for _, s := range p.of[i] {
			a := to.Local(from.Point(geom.Vec3{X: at.X, Y: at.Y, Z: s.lo})).Z
			b := to.Local(from.Point(geom.Vec3{X: at.X, Y: at.Y, Z: s.hi})).Z
			list = append(list, stretch{min(a, b), max(a, b)})
		}
		if to.Z.Dot(from.Z) < 0 {
			for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
				list[a], list[b] = list[b], list[a]
			}
		}
		out.at, out.of = append(out.at, flat(to.Local(from.Point(geom.Vec3{X: at.X, Y: at.Y})))), append(out.of, list)
	}
	out.sort(box)
	return out
}

// sampled replaces the material of the lines by points of a test, in steps of a share of the length of the lines.
func (p *probes) sampled(box geom.Box, isLeft func(geom.Vec3) bool) {
	const steps = 160
	step := box.Size().Z / steps
	for i, at := range p.at {
		p.of[i] = nil
		was := false
		for k := range steps {
			z := box.Min.Z + (float64(k)+0.5)*step
			is := isLeft(geom.Vec3{X: at.X, Y: at.Y, Z: z})
			switch n := len(p.of[i]); {
			case is && was:
				p.of[i][n-1].hi = z + step/2
			case is:
				p.of[i] = append(p.of[i], stretch{z - step/2, z + step/2})
			}
			was = is
		}
	}
}

// cut removes a piece, and calls visit for each line that loses material with the length of it.
func (p *probes) cut(q *piece, visit func(line int, gone float64)) {
	lo, hi := q.bounds()
	first := p.bin(geom.Vec2{X: lo.X - q.radius, Y: lo.Y - q.radius})
	last := p.bin(geom.Vec2{X: hi.X + q.radius, Y: hi.Y + q.radius})
	for y := first / p.width; y <= last/p.width; y++ {
		for x := first % p.width; x <= last%p.width; x++ {
			for _, i := range p.bins[y*p.width+x] {
				if len(p.of[i]) == 0 {
					continue
				}
				d := q.distance(p.at[i])
				if d >= q.radius {
					continue
				}
				var gone float64
				p.of[i], gone = removed(p.of[i], q.lo+q.tool.Cutting.lowest(d), q.hi+q.tool.Flute)
				if gone > 0 {
					visit(int(i), gone)
				}
			}
		}
	}
}
