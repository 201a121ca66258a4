package holding

import (
	"math"

	"millwright.dev/millwright/core/cam/machining"
)

const (
	// Friction of serrated jaws on raw faces of steel, and of smooth ones on milled faces.
	roughFriction, smoothFriction = 0.45, 0.10

	seatLong = 0.5 // share of the length of the grip that a seat must have

	deepGrip  = 10.0 // mm; lower contact need not carry
	thinShare = 0.35 // of the width: thinner walls give way before blocks do
)

// frictionShare is the friction of a material over the friction of steel.
func frictionShare(m *machining.Material) float64 {
	switch m.ISOGroup {
	case machining.GroupN:
		return 0.95
	case machining.GroupK:
		return 0.80
	}
	return 1
}

// grip is the contact of two jaws with a body, where both of them touch it.
type grip struct {
	cells    [2][]cell
	x, z     span // that both jaws have
	face     [2]float64
	area     [2]float64 // mm²
	friction [2]float64
	raw      [2]bool
	length   float64 // of a line with the same couple of friction about its end, mm
	arm      float64 // of the couple of the pressures before the jaws open, mm
	seated   bool
	stopped  bool
}

// gripsOf returns the contacts that can carry a load, each by itself: all of it, its upper part, and both without thin
// walls. A body that is held by one of them is held (lower bound theorem of limit analysis).
func gripsOf(b *body, v *vise, cells [2][]cell, friction float64) (list []grip) {
	all, ok := gripOf(b, v, cells, friction)
	if !ok {
		return nil
	}
	list = append(list, all)
	for _, only := range []func(*cell) bool{
		func(c *cell) bool { return c.z.hi > all.z.hi-deepGrip },
		func(c *cell) bool { return c.thick >= thinShare*all.width() },
		func(c *cell) bool { return c.z.hi > all.z.hi-deepGrip && c.thick >= thinShare*all.width() },
	} {
		var some [2][]cell
		for k := range cells {
			for _, c := range cells[k] {
				if only(&c) {
					some[k] = append(some[k], c)
				}
			}
		}
		if len(some[0])+len(some[1]) == len(cells[0])+len(cells[1]) {
			continue
		}
		if g, ok := gripOf(b, v, some, friction); ok {
			list = append(list, g)
		}
	}
	return list
}

// gripOf returns the contact; false where none is opposite to another.
func gripOf(b *body, v *vise, cells [2][]cell, friction float64) (g grip, ok bool) {
	g.x, g.z = span{math.Inf(-1), math.Inf(1)}, span{math.Inf(-1), math.Inf(1)}
	for k := range cells {
		x, z := span{math.Inf(1), math.Inf(-1)}, span{math.Inf(1), math.Inf(-1)}
		for _, c := range cells[k] {
			x, z = span{min(x.lo, c.x.lo), max(x.hi, c.x.hi)}, span{min(z.lo, c.z.lo), max(z.hi, c.z.hi)}
		}
		g.x = span{max(g.x.lo, x.lo), min(g.x.hi, x.hi)}
		g.z = span{max(g.z.lo, z.lo), min(g.z.hi, z.hi)}
	}
	if g.x.hi-g.x.lo <= 0 || g.z.hi-g.z.lo <= 0 {
		return g, false
	}
	var from, up, down [2]float64 // shortest mean way to an end; heights of the pressure as the part tips
	for k := range cells {
		var left, right, high, low, highAt, lowAt, rough float64
		for _, c := range cells[k] {
			x, z := (c.x.lo+c.x.hi)/2, (c.z.lo+c.z.hi)/2
			if x < g.x.lo || x > g.x.hi || z < g.z.lo || z > g.z.hi {
				continue
			}
			a := c.area()
			g.cells[k] = append(g.cells[k], c)
			g.area[k] += a
			g.face[k] += a * c.face
			left, right = left+a*(x-g.x.lo), right+a*(g.x.hi-x)
			high, highAt = high+a*(z-g.z.lo), highAt+a*(z-g.z.lo)*z
			low, lowAt = low+a*(g.z.hi-z), lowAt+a*(g.z.hi-z)*z
			if c.raw {
				rough += a
			}
		}
		if g.area[k] == 0 || high == 0 || low == 0 {
			return g, false
		}
		g.face[k] /= g.area[k]
		from[k], up[k], down[k] = min(left, right)/g.area[k], highAt/high, lowAt/low
		g.raw[k], g.friction[k] = rough > g.area[k]/2, smoothFriction*friction
		if g.raw[k] && !v.plates {
			g.friction[k] = roughFriction * friction
		}
	}
	g.length = 2 * (g.friction[0]*from[0] + g.friction[1]*from[1]) / (g.friction[0] + g.friction[1])
	g.arm = min(up[0]-down[1], up[1]-down[0])
	g.seated = g.isSeated(b, v)
	return g, true
}

func (g *grip) width() float64 { return g.face[1] - g.face[0] }

// mu is the mean friction of the jaws.
func (g *grip) mu() float64 { return (g.friction[0] + g.friction[1]) / 2 }

// isSeated reports whether a face below, or a line of one, is as long as parallels along the jaws need.
func (g *grip) isSeated(b *body, v *vise) bool {
	const fine = 0.1 // mm, of a level
	levels := map[int]span{}
	third := 1 - v.axis
	var buffer []span
	for i := b.cell(third, g.x.lo); i <= b.cell(third, g.x.hi); i++ {
		for j := b.cell(v.axis, g.face[0]); j <= b.cell(v.axis, g.face[1]); j++ {
			p, q := i, j
			if third == 1 {
				p, q = j, i
			}
			if buffer = b.ray(buffer, 2, p, q); len(buffer) == 0 {
				continue
			}
			for level, x := int(math.Floor(buffer[0].lo/fine)), b.at(third, i); ; level++ {
				s, ok := levels[level]
				if !ok {
					s = span{x, x}
				}
				levels[level] = span{min(s.lo, x), max(s.hi, x)}
				if float64(level)*fine > buffer[0].lo { // the next one too: faces may lie on a limit
					break
				}
			}
		}
	}
	for _, s := range levels {
		if s.hi-s.lo >= seatLong*(g.x.hi-g.x.lo) {
			return true
		}
	}
	return false
}

// uses are the shares of limits that are used, by check; a clamping holds up to 1.
type uses map[Check]float64

// hold returns the uses of a cut with a force of the jaws.
func (g *grip) hold(c *cut, force, safety float64) uses {
	lever := math.Abs(c.height - (g.z.lo+g.z.hi)/2)
	along, seat := c.Across, 1.0
	if g.stopped {
		along = 0
	}
	if !g.seated {
		seat = 2
	}
	slip := safety * math.Hypot(along, c.Up) / (2 * g.mu() * force)
	rock := seat * safety * c.Across * lever / (g.mu() * force * g.length)
	return uses{
		Slips:  math.Hypot(slip, rock),
		Tips:   safety * c.Across * lever / (force * max(g.arm+g.mu()*g.width(), 1e-9)),
		Pushes: safety * c.Across / force,
	}
}

// bear returns the uses of the part under a force of the jaws.
func (g *grip) bear(b *body, v *vise, m *machining.Material, force float64) uses {
	out := uses{Bows: force / g.bow(b, v, m.Modulus)}
	for k := range g.cells {
		stress := m.Yield
		if !g.raw[k] {
			stress /= 2
		}
		out[Crushes] = max(out[Crushes], force/(stress*g.area[k]))
		out[Bends] = max(out[Bends], g.wall(b, v, k, m.Modulus, force)/mostWall)
	}
	return out
}

// bow returns a quarter of the force that buckles what is between the jaws, N: a column with hinges, by Rayleigh's
// quotient of a half sine. The pressure spreads by 45° from the jaws.
func (g *grip) bow(b *body, v *vise, modulus float64) float64 {
	third, width := 1-v.axis, g.width()
	var yields float64 // ∫ sin² / I
	var buffer []span
	for j := b.cell(v.axis, g.face[0]) + 1; j < b.cell(v.axis, g.face[1]); j++ {
		y := b.at(v.axis, j)
		wide := min(y-g.face[0], g.face[1]-y)
		var area, first, second float64
		for i := b.cell(third, g.x.lo-wide); i <= b.cell(third, g.x.hi+wide); i++ {
			p, q := i, j
			if third == 1 {
				p, q = j, i
			}
			buffer = b.ray(buffer, 2, p, q)
			for _, s := range buffer {
				area += (s.hi - s.lo) * b.step
				first += (s.hi*s.hi - s.lo*s.lo) / 2 * b.step
				second += (s.hi*s.hi*s.hi - s.lo*s.lo*s.lo) / 3 * b.step
			}
		}
		if area == 0 {
			return 0 // nothing is between the jaws
		}
		sin := math.Sin(math.Pi * (y - g.face[0]) / width)
		yields += sin * sin * b.step / max(second-first*first/area, 1e-9)
	}
	if yields == 0 {
		return math.Inf(1)
	}
	return math.Pi * math.Pi / width / width * modulus * width / 2 / yields / 4
}

// wall returns the largest deflection of walls under a jaw, mm: of strips that end at a floor, held at their sides too.
func (g *grip) wall(b *body, v *vise, k int, modulus, force float64) (most float64) {
	pressure := force / g.area[k]
	var wide map[int]float64                            // of each column: the deflection of its strip
	wide, thick := map[int]float64{}, map[int]float64{} // of each column: the deflection of its strip
	rows := map[int]span{}                              // of each column, in contact
	face := map[int]float64{}
	for _, c := range g.cells[k] {
		if c.thick >= thinShare*g.width() {
			continue
		}
		r, ok := rows[c.i]
		if !ok {
			r, thick[c.i] = span{math.Inf(1), math.Inf(-1)}, math.Inf(1)
		}
		rows[c.i], face[c.i] = span{min(r.lo, c.z.lo), max(r.hi, c.z.hi)}, c.face
		thick[c.i] = min(thick[c.i], c.thick)
	}
	for i, r := range rows {
		low, below := b.support(v, k, i, face[i], r.lo, -1, thinShare*g.width())
		high, above := b.support(v, k, i, face[i], r.hi, 1, thinShare*g.width())
		t := thick[i]
		rigid := modulus * t * t * t / 12
		long := high - low
		switch {
		case below && above:
			wide[i] = pressure * math.Pow(long, 4) / (384 * rigid)
		case below || above: // a cantilever; its load is between two distances from the support
			p, q := r.lo-low, r.hi-low
			if above {
				p, q = high-r.hi, high-r.lo
			}
			const pieces = 20
			for n := range pieces {
				at := p + (q-p)*(float64(n)+0.5)/pieces
				wide[i] += pressure * (q - p) / pieces * at * at * (3*q - at) / (6 * rigid)
			}
		default:
			wide[i] = math.Inf(1)
		}
	}
	for i := range rows {
		first, last := i, i
		for _, ok := rows[first-1]; ok; _, ok = rows[first-1] {
			first--
		}
		for _, ok := rows[last+1]; ok; _, ok = rows[last+1] {
			last++
		}
		t, long := thick[i], float64(last-first+1)*b.step
		beam := pressure * math.Pow(long, 4) / (32 * modulus * t * t * t)
		most = max(most, 1/(1/wide[i]+1/beam))
	}
	return most
}

// support follows the wall of a column from a height, and returns where it becomes thick; false where it ends before.
func (b *body) support(v *vise, k, i int, face, from float64, step int, thick float64) (at float64, ok bool) {
	var buffer []span
	for j := b.cell(2, from); j >= 0 && j < b.count[2]; j += step {
		buffer = b.ray(buffer, v.axis, i, j)
		found := false
		for _, s := range buffer {
			if inside := face + b.step*float64(1-2*k); s.lo <= inside && s.hi >= inside {
				if found = true; s.hi-s.lo >= thick {
					return b.at(2, j) - float64(step)*b.step/2, true
				}
			}
		}
		if !found {
			return b.at(2, j) - float64(step)*b.step/2, false
		}
	}
	return from, false
}
