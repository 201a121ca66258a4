package verify

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/parallel"
	"millwright/core/stock/dexel"
)

// What is left beyond the part.
//
// Method: space falls into cubes of cells, and a cube with some of what is stock and not part into eight, until it is no
// wider than half of how far its middle is from the part, or a quarter where it may hold what is farthest from a face, or
// than two cells. What rays have of it in such a cube belongs to the face that is nearest to the middle, if all of the cube
// is declared: what may not be is looked at piece by piece, as is what is in a cube that may touch the part. What is left
// stands as high over a face as the ends of the longest pieces of rays in its cubes are from the part, which may be a
// seventh less than the farthest place. Pieces within the tolerance of a face are rounding, of rays that run along the face
// above all, and count for nothing.
//
// A piece is declared where the plan or its paths say that it stays (declared.go). What is left without being declared
// is a finding where it stands higher than UncutHeight.

// remains is what is left beside a face, declared or not.
type remains struct {
	region   int
	declared bool
	volume   float64 // mm³
	height   float64 // mm
	at       geom.Vec3
}

// add takes in the remains of the same face.
func (r *remains) add(o *remains) {
	r.volume += o.volume
	if o.height > r.height {
		r.height, r.at = o.height, o.at
	}
}

type place struct {
	region   int
	declared bool
}

// uncut lists what is left beyond the part.
func (r *replay) uncut(ctx context.Context) error {
	left := r.left.Stock
	if n := len(r.left.After); n > 0 {
		left = r.left.After[n-1]
	}
	over, err := r.beyond(ctx, left)
	if err != nil {
		return err
	}
	d := newDeclared(r.Plan, r.Set, max(len(r.Part.Regions), 1))
	var n [3]int // cubes
	for axis, cells := range over.Lattice.Count {
		n[axis] = (cells + cubeCells - 1) / cubeCells
	}
	tasks := make([]map[place]*remains, n[0]*n[1]*n[2])
	err = parallel.For(ctx, len(tasks), 1, func(t int) {
		s := search{replay: r, declared: d, over: over, found: map[place]*remains{}, last: nowhere}
		tasks[t] = s.found
		s.cube([3]int{t % n[0] * cubeCells, t / n[0] % n[1] * cubeCells, t / n[0] / n[1] * cubeCells}, cubeCells)
	})
	if err != nil {
		return err
	}
	all := map[place]*remains{}
	for _, some := range tasks {
		for key, v := range some {
			if all[key] == nil {
				all[key] = &remains{region: key.region, declared: key.declared}
			}
			all[key].add(v)
		}
	}
	r.remainders(all)
	return nil
}

// beyond returns what rays have of a stock that is not part, but for stretches within the tolerance.
func (r *replay) beyond(ctx context.Context, left *dexel.Stock) (*dexel.Stock, error) {
	const rays = 1024 // of a task
	over := &dexel.Stock{Lattice: left.Lattice}
	for axis := range over.Bundles {
		part, now, all := &r.left.Part.Bundles[axis], &left.Bundles[axis], &over.Bundles[axis]
		count := len(now.Start) - 1
		all.Start = make([]int32, count+1)
		tasks := make([][]dexel.Span, (count+rays-1)/rays)
		err := parallel.For(ctx, len(tasks), 1, func(t int) {
			var stretches []dexel.Span
			for n := t * rays; n < min((t+1)*rays, count); n++ {
				stretches = appendMinus(stretches[:0], spans(now, n), spans(part, n))
				before := len(tasks[t])
				for _, g := range stretches {
					if float64(g.Hi)-float64(g.Lo) > r.Tolerance {
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

// cubeCells is how many cells the largest cubes have along a side: a power of two.
const cubeCells = 32

// search finds what is left in some cubes.
type search struct {
	*replay
	declared *declared
	over     *dexel.Stock
	found    map[place]*remains
	pieces   []piece // of the cube that is looked at
	last     contact
}

// piece is what a ray has in a cube.
type piece struct {
	axis, ray int
	lo, hi    float64    // mm along the ray
	whole     dexel.Span // what it is a piece of
}

func (p *piece) length() float64 { return p.hi - p.lo }

// middle returns that of a cube, by its first cell and how many it has along a side.
func (s *search) middle(first [3]int, side int) geom.Vec3 {
	at, half := s.over.Lattice.Origin, float64(side)/2
	return at.AddScaled(s.over.Lattice.Step, geom.Vec3{
		X: float64(first[0]) + half, Y: float64(first[1]) + half, Z: float64(first[2]) + half,
	})
}

// near returns the contact of a place, near which the last one was.
func (s *search) near(p geom.Vec3) contact {
	s.last = s.finder.nearest(p, s.last)
	return s.last
}

// cube finds what is left in a cube, by its first cell and how many it has along a side.
func (s *search) cube(first [3]int, side int) {
	const (
		least       = 2         // cells
		clear       = 0.9       // of its width a cube is clear of the part: half its diagonal is 0.87
		wide, small = 0.5, 0.25 // of how far it is from the part a cube is wide
	)
	if s.take(first, side); len(s.pieces) == 0 {
		return
	}
	middle, width := s.middle(first, side), float64(side)*s.over.Lattice.Step
	near := s.near(middle)
	half := width * math.Sqrt(3) / 2 // of the diagonal
	if (width <= wide*near.distance || side <= least && clear*width <= near.distance) &&
		s.declared.covers(s.finder, middle, near, half) {
		key := place{near.region, true}
		higher := near.distance+half > s.height(key)
		if !higher || side <= least || width <= small*near.distance {
			s.far(key, higher)
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
				for _, g := range spans(all, n) {
					if p := (piece{axis, n, max(lo, float64(g.Lo)), min(hi, float64(g.Hi)), g}); p.lo < p.hi {
						s.pieces = append(s.pieces, p)
					}
				}
			}
		}
	}
}

// height returns how high what has been found of a face is.
func (s *search) height(key place) float64 {
	if r := s.found[key]; r != nil {
		return r.height
	}
	return 0
}

// add takes in some length (mm) of rays.
func (s *search) add(key place, length float64) *remains {
	if s.found[key] == nil {
		s.found[key] = &remains{}
	}
	const bundles = 3 // each sees all of the volume
	s.found[key].volume += length * s.over.Lattice.Step * s.over.Lattice.Step / bundles
	return s.found[key]
}

// far takes in the pieces of a cube that is clear of the part, which may be higher than what was found before.
func (s *search) far(key place, higher bool) {
	length, longest := 0.0, &s.pieces[0]
	for i := range s.pieces {
		p := &s.pieces[i]
		if length += p.length(); p.length() > longest.length() {
			longest = p
		}
	}
	r := s.add(key, length)
	for _, at := range []float64{longest.lo, longest.hi} {
		if !higher {
			return
		}
		p := pointOn(s.over.Lattice, longest.axis, longest.ray, at)
		if height := s.near(p).distance; height > r.height {
			r.height, r.at = height, p
		}
	}
}

// close takes in a piece that may be next to the part, by its middle and by where the ray ends there that does not meet
// the part.
func (s *search) close(g *piece) {
	look := func(at, length float64) {
		p := pointOn(s.over.Lattice, g.axis, g.ray, at)
		if near := s.near(p); near.distance > s.Tolerance && near.region >= 0 {
			if r := s.add(place{near.region, s.declared.covers(s.finder, p, near, 0)}, length); near.distance > r.height {
				r.height, r.at = near.distance, p
			}
		}
	}
	look((g.lo+g.hi)/2, g.length())
	part := spans(&s.left.Part.Bundles[g.axis], g.ray)
	for _, end := range []float32{g.whole.Lo, g.whole.Hi} {
		meets := slices.ContainsFunc(part, func(k dexel.Span) bool { return k.Lo == end || k.Hi == end })
		if at := float64(end); !meets && g.lo <= at && at <= g.hi {
			look(at, 0)
		}
	}
}

// remainders tells what is left, by faces.
func (r *replay) remainders(all map[place]*remains) {
	list := make([]*remains, 0, len(all))
	for _, v := range all {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *remains) int {
		if a.region != b.region {
			return cmp.Compare(a.region, b.region)
		}
		if a.declared {
			return -1
		}
		return 1
	})
	for _, v := range list {
		r.proof.Remainders = append(r.proof.Remainders, Remainder{
			Region: v.region, Volume: v.volume, Height: v.height, Declared: v.declared,
		})
		r.proof.UncutVolume += v.volume
		if v.declared {
			continue
		}
		r.proof.MaxUncut = max(r.proof.MaxUncut, v.height)
		if v.height > UncutHeight {
			r.proof.Findings = append(r.proof.Findings, Finding{
				Kind: Uncut, Setup: max(len(r.Set.Setups)-1, 0), Move: -1,
				Position: r.Plan.Workpiece.Point(v.at), Depth: v.height, Regions: []int{v.region},
			})
		}
	}
}
