package completeness

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
	"millwright.dev/millwright/core/parallel"
)

// Amount of the remaining material, and the faces next to it.
//
// Method: space is divided into cubes of cells. A cube that contains stock outside the part is divided into eight until
// it is no wider than half its distance from the part, or than two cells. The material in such a cube belongs to the
// face nearest to its center; in cubes close to the part each piece of a ray is assigned separately.
//
// Each of the three bundles of rays measures the full volume. A piece counts by the square of the component of its ray
// along the direction to the part. The three weights sum to 1, so the estimate has no bias. A thin film on a plane is
// thus measured by the rays that cross it. Rays along the film hit or miss it, and give no measure of its thickness.
//
// Pieces within the tolerance of a face are rounding and count for nothing.
//
// The area under the material follows from the ends of the rays in the part. A crossing counts as the square of the
// step times the component of the normal along the ray, summed over the bundles.

// Piece is the material left next to one face for one cause.
type Piece struct {
	Region int       `json:"region"`
	Cause  int       `json:"cause"`  // as given by Input.Cause
	Volume float64   `json:"volume"` // mm³
	Height float64   `json:"height"` // mm, of its farthest point from the part
	Area   float64   `json:"area"`   // mm² of the face that have more than LeastHeight above them
	At     geom.Vec3 `json:"at"`     // that point, in the frame of the stock
	Box    geom.Box  `json:"-"`      // around the material, in that frame
}

// Input is the input of the measurement.
type Input struct {
	Left, Part *dexel.Stock    // in one lattice
	Surface    *nearest.Finder // of the part, in the frame of the lattice
	Tolerance  float64         // mm, below which material is rounding
	// Cause returns the reason that material stays at a point, as any number; nil: 0.
	Cause func(p geom.Vec3, near nearest.Contact) int
}

type key struct{ region, cause int }

// add merges another piece of the same face and cause.
func (p *Piece) add(o *Piece) {
	p.Volume += o.Volume
	p.Area += o.Area
	p.Box = p.Box.Union(o.Box)
	if o.Height > p.Height {
		p.Height, p.At = o.Height, o.At
	}
}

// Measure lists the material that is left beyond the part, by region and cause. It returns the error of ctx.
func Measure(ctx context.Context, in Input) ([]Piece, error) {
	over, err := beyond(ctx, &in)
	if err != nil {
		return nil, err
	}
	var n [3]int // cubes
	for axis, cells := range over.Lattice.Count {
		n[axis] = (cells + cubeCells - 1) / cubeCells
	}
	tasks := make([]map[key]*Piece, n[0]*n[1]*n[2])
	err = parallel.For(ctx, len(tasks), 1, func(t int) {
		s := search{Input: &in, over: over, found: map[key]*Piece{}, last: nearest.Nowhere}
		tasks[t] = s.found
		s.cube([3]int{t % n[0] * cubeCells, t / n[0] % n[1] * cubeCells, t / n[0] / n[1] * cubeCells}, cubeCells)
	})
	if err != nil {
		return nil, err
	}
	all := map[key]*Piece{}
	for _, some := range tasks {
		for k, v := range some {
			if all[k] == nil {
				all[k] = &Piece{Region: k.region, Cause: k.cause, Box: geom.EmptyBox()}
			}
			all[k].add(v)
		}
	}
	out := make([]Piece, 0, len(all))
	for _, v := range all {
		out = append(out, *v)
	}
	err = parallel.For(ctx, len(out), 1, func(i int) { in.climb(&out[i]) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b Piece) int {
		return cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Cause, b.Cause))
	})
	return out, nil
}

// climb moves the highest point of a piece to the nearby point farthest from the part, which the rays miss by up to
// half a cell. It tries many directions, since the point is on a ridge between faces, with steps that are halved (R.
// Hooke and T. Jeeves, "Direct search", 1961).
func (in *Input) climb(p *Piece) {
	const (
		finest = 0.01 // mm
		gain   = 1e-6 // mm that a step must gain: rounding gains forever on a ridge
		side   = 5    // of the grid of places that are tried
	)
	near := in.Surface.Nearest(p.At, nearest.Nowhere)
	for step := in.Left.Lattice.Step; step > finest; {
		better := false
		for n := range side * side * side {
			d := geom.Vec3{X: float64(n % side), Y: float64(n / side % side), Z: float64(n / side / side)}
			at := p.At.AddScaled(step/2, d.Sub(geom.Vec3{X: side / 2, Y: side / 2, Z: side / 2}))
			c := in.Surface.Nearest(at, near)
			if c.Region == p.Region && c.Distance > p.Height+gain && in.Left.Contains(at) &&
				in.Surface.Toward(at, c).Dot(in.Surface.Normal(c)) > 0 {
				p.At, p.Height, near, better = at, c.Distance, c, true
			}
		}
		if !better {
			step /= 2
		}
	}
}

// beyond returns the ranges of the rays in the stock but not in the part, except those within the tolerance.
func beyond(ctx context.Context, in *Input) (*dexel.Stock, error) {
	const rays = 1024 // of a task
	over := &dexel.Stock{Lattice: in.Left.Lattice}
	for axis := range over.Bundles {
		part, now, all := &in.Part.Bundles[axis], &in.Left.Bundles[axis], &over.Bundles[axis]
		count := len(now.Start) - 1
		all.Start = make([]int32, count+1)
		tasks := make([][]dexel.Span, (count+rays-1)/rays)
		err := parallel.For(ctx, len(tasks), 1, func(t int) {
			var stretches []dexel.Span
			for n := t * rays; n < min((t+1)*rays, count); n++ {
				stretches = dexel.AppendMinus(stretches[:0], now.Ray(n), part.Ray(n))
				before := len(tasks[t])
				for _, g := range stretches {
					if float64(g.Hi)-float64(g.Lo) > in.Tolerance {
						tasks[t] = append(tasks[t], g)
					}
				}
				all.Start[n+1] = int32(len(tasks[t]) - before)
			}
		})
		if err != nil {
			return nil, err
		}
		all.Spans = slices.Concat(tasks...)
		for n := range count {
			all.Start[n+1] += all.Start[n]
		}
	}
	return over, nil
}

// cubeCells is the number of cells along a side of the largest cubes: a power of two.
const cubeCells = 32

// search measures the material in some cubes.
type search struct {
	*Input
	over   *dexel.Stock
	found  map[key]*Piece
	pieces []piece // of the present cube
	last   nearest.Contact
}

// piece is the part of a stretch of a ray that lies in a cube.
type piece struct {
	axis, ray int
	lo, hi    float64    // mm along the ray
	whole     dexel.Span // the stretch
}

func (p *piece) length() float64 { return p.hi - p.lo }

// center returns the center of a cube, by its first cell and the number of cells along its side.
func (s *search) center(first [3]int, side int) geom.Vec3 {
	at, half := s.over.Lattice.Origin, float64(side)/2
	return at.AddScaled(s.over.Lattice.Step, geom.Vec3{
		X: float64(first[0]) + half, Y: float64(first[1]) + half, Z: float64(first[2]) + half,
	})
}

// near returns the contact of a point, close to the previous one.
func (s *search) near(p geom.Vec3) nearest.Contact {
	s.last = s.Surface.Nearest(p, s.last)
	return s.last
}

// key returns the face and the cause of a point.
func (s *search) key(p geom.Vec3, near nearest.Contact) key {
	k := key{region: near.Region}
	if s.Cause != nil {
		k.cause = s.Cause(p, near)
	}
	return k
}

// cube measures a cube, by its first cell and the number of cells along its side.
func (s *search) cube(first [3]int, side int) {
	const (
		least = 2    // cells
		clear = 0.9  // of its width a cube is clear of the part: half its diagonal is 0.87
		wide  = 0.5  // of its distance from the part a cube is wide
		worth = 0.05 // mm; least possible gain in height for which a cube is divided
	)
	if s.take(first, side); len(s.pieces) == 0 {
		return
	}
	center, width := s.center(first, side), float64(side)*s.over.Lattice.Step
	near := s.near(center)
	if width <= wide*near.Distance || side <= least && clear*width <= near.Distance {
		middle := s.centroid()
		near := s.near(middle)
		k := s.key(middle, near)
		higher := near.Distance+width*math.Sqrt(3)/2 > s.height(k)+worth
		if !higher || side <= least {
			s.far(k, middle, near, higher)
			return
		}
	}
	if side <= least {
		for i := range s.pieces {
			s.close(&s.pieces[i])
		}
		return
	}
	for part := range 8 {
		at := first
		for axis := range at {
			at[axis] += part >> axis & 1 * side / 2
		}
		s.cube(at, side/2)
	}
}

// take lists the pieces of a cube.
func (s *search) take(first [3]int, side int) {
	s.pieces = s.pieces[:0]
	l := &s.over.Lattice
	for axis := range s.over.Bundles {
		all := &s.over.Bundles[axis]
		b, c := dexel.Side(axis)
		lo, hi := float64(first[axis])*l.Step, float64(first[axis]+side)*l.Step
		for j := first[c]; j < min(first[c]+side, l.Count[c]); j++ {
			row := j * l.Count[b]
			from, to := row+first[b], row+min(first[b]+side, l.Count[b])
			if from >= to || all.Start[from] == all.Start[to] {
				continue
			}
			for n := from; n < to; n++ {
				for _, g := range all.Ray(n) {
					if p := (piece{axis, n, max(lo, float64(g.Lo)), min(hi, float64(g.Hi)), g}); p.lo < p.hi {
						s.pieces = append(s.pieces, p)
					}
				}
			}
		}
	}
}

// height returns the largest height of the material found so far.
func (s *search) height(k key) float64 {
	if p := s.found[k]; p != nil {
		return p.Height
	}
	return 0
}

// weights are the shares of the bundles in the volume at a point.
func (s *search) weights(p geom.Vec3, near nearest.Contact) [3]float64 {
	d := s.Surface.Toward(p, near)
	n := d.Norm2()
	if n == 0 {
		d = s.Surface.Normal(near)
		n = d.Norm2()
	}
	if n == 0 {
		return [3]float64{1. / 3, 1. / 3, 1. / 3}
	}
	return [3]float64{d.X * d.X / n, d.Y * d.Y / n, d.Z * d.Z / n}
}

// add takes in some length (mm) of rays.
func (s *search) add(k key, length float64) *Piece {
	if s.found[k] == nil {
		s.found[k] = &Piece{Box: geom.EmptyBox()}
	}
	s.found[k].Volume += length * s.over.Lattice.Step * s.over.Lattice.Step
	return s.found[k]
}

// centroid returns the centroid of the pieces.
func (s *search) centroid() (c geom.Vec3) {
	total := 0.0
	for i := range s.pieces {
		p := &s.pieces[i]
		c = c.AddScaled(p.length(), s.over.Lattice.Point(p.axis, p.ray, (p.lo+p.hi)/2))
		total += p.length()
	}
	return c.Scale(1 / total)
}

// enclose extends the box of the remaining material by a piece of a ray.
func (s *search) enclose(r *Piece, g *piece) {
	l := s.over.Lattice
	r.Box = r.Box.Add(l.Point(g.axis, g.ray, g.lo)).Add(l.Point(g.axis, g.ray, g.hi))
}

// far adds the pieces of a cube that is clear of the part, by their centroid. Higher reports whether the cube may
// contain the highest point. This point is searched at the ends of the longest piece along each axis, as only the rays
// across a flat top hit it.
func (s *search) far(k key, middle geom.Vec3, near nearest.Contact, higher bool) {
	share := s.weights(middle, near)
	length := 0.0
	var longest [3]*piece
	for i := range s.pieces {
		p := &s.pieces[i]
		length += share[p.axis] * p.length()
		if l := longest[p.axis]; l == nil || p.length() > l.length() {
			longest[p.axis] = p
		}
	}
	r := s.add(k, length)
	for i := range s.pieces {
		s.enclose(r, &s.pieces[i])
	}
	if !higher {
		return
	}
	for _, g := range longest {
		if g == nil {
			continue
		}
		for _, at := range [2]float64{g.lo, g.hi} {
			p := s.over.Lattice.Point(g.axis, g.ray, at)
			if height := s.near(p).Distance; height > r.Height {
				r.Height, r.At = height, p
			}
		}
	}
}

// close adds a piece that may touch the part, by its middle. Its height is the largest at its middle and at the ends of
// its range. The ends on the part give the area that it covers.
func (s *search) close(g *piece) {
	middle := s.over.Lattice.Point(g.axis, g.ray, (g.lo+g.hi)/2)
	near := s.near(middle)
	if near.Distance <= s.Tolerance || near.Region < 0 {
		return
	}
	r := s.add(s.key(middle, near), g.length()*s.weights(middle, near)[g.axis])
	s.enclose(r, g)
	if near.Distance > r.Height {
		r.Height, r.At = near.Distance, middle
	}
	part := s.Part.Bundles[g.axis].Ray(g.ray)
	for i, end := range []float32{g.whole.Lo, g.whole.Hi} {
		at := float64(end)
		if at != [2]float64{g.lo, g.hi}[i] {
			continue // it lies in another cube
		}
		p := s.over.Lattice.Point(g.axis, g.ray, at)
		near := s.near(p)
		if slices.ContainsFunc(part, func(k dexel.Span) bool { return k.Lo == end || k.Hi == end }) {
			r.Area += s.covered(g, near)
		} else if near.Distance > r.Height {
			r.Height, r.At = near.Distance, p
		}
	}
}

// covered returns the area of the part (mm²) for a contact at the end of a range, 0 if little material is above it.
func (s *search) covered(g *piece, near nearest.Contact) float64 {
	along := math.Abs(s.Surface.Normal(near).Coordinate(g.axis))
	if near.Region < 0 || (float64(g.whole.Hi)-float64(g.whole.Lo))*along <= LeastHeight {
		return 0
	}
	return s.over.Lattice.Step * s.over.Lattice.Step * along
}
