package channel

// Cross-sections: two half-sections that face each other over one floor.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// shankShare is the least ratio of the width of an opening to that of the floor. The shank of the cutter passes it; a
// fifth of the head is slender.
const shankShare = 0.2

// section is the cross-section of a channel.
type section struct {
	up, run, in geom.Vec3 // unit; in: from the first side to the second
	side        [2]half   // the first has a floor
	same        []int32   // all half-sections on the same surfaces, with these two
}

// width returns the distance between the bases of the sides, and neck the width of the opening, mm.
func (s *section) width() float64 { return -s.side[1].base - s.side[0].base }
func (s *section) neck() float64  { return -s.side[1].opening - s.side[0].opening }

// enterSides indexes the places of the bases of the half-sections.
func (f *channels) enterSides() {
	planes := make([]graph.Shape, len(f.halves))
	for i := range planes {
		h := &f.halves[i]
		planes[i] = graph.Shape{Kind: surface.KindPlane, Axis: h.in, Origin: h.in.Scale(h.base)}
	}
	f.sides = f.NewPlanesOf(planes)
}

// beside visits, in order, the half-sections on the side of h with the same base.
func (f *channels) beside(h *half, visit func(k int32)) {
	var all []int32
	f.sides.Between(h.in, h.in.Scale(h.base), -f.Length, f.Length, func(k int32) { all = append(all, k) })
	slices.Sort(all)
	for _, k := range all {
		visit(k)
	}
}

// across returns the half-section nearest to a, which has a floor, that faces it, nil if there is none. Of several at
// one distance it is the one with the narrowest opening. Each search doubles the range.
func (f *channels) across(a *half) (b *half) {
	for far := f.Extent(a.floor, a.in).Length() + 2*f.Length; b == nil; far *= 2 {
		first := int32(graph.None)
		f.sides.Between(a.in.Neg(), a.in.Scale(a.base), -far, 0, func(k int32) {
			h := &f.halves[k]
			if h.base < -a.base-far || !f.faces(a, h) {
				return
			}
			if b == nil || h.base > b.base+f.Length ||
				h.base > b.base-f.Length && (h.opening > b.opening || h.opening == b.opening && k < first) {
				b, first = h, k
			}
		})
		if far > f.Diagonal {
			break
		}
	}
	return b
}

// sectionWith returns the section of half i and the nearest half that faces it. If others cut back a ledge, the
// half-section with the narrowest opening has the neck.
func (f *channels) sectionWith(i int) (s *section, ok bool) {
	a := &f.halves[i]
	f.beside(a, func(k int32) {
		h := &f.halves[k]
		if h.floor != graph.None && h.typ == a.typ && h.in.Dot(a.in) > 0 && math.Abs(h.base-a.base) <= f.Length &&
			h.opening > a.opening+f.Length && f.isOneFloor(h, a) {
			a = h
		}
	})
	b := f.across(a)
	if b == nil {
		return nil, false
	}
	s = &section{up: a.up, run: a.run, in: a.in, side: [2]half{*a, *b}}
	for _, side := range [2]*half{a, b} {
		f.beside(side, func(k int32) {
			if f.isSame(&f.halves[k], side) {
				s.same = append(s.same, k)
			}
		})
	}
	f.narrow(s)
	return s, s.neck() >= shankShare*s.width()
}

// faces reports whether half-section b faces a, which has a floor, across it. Their necks have about the same flare and
// height.
func (f *channels) faces(a, b *half) bool {
	return b.typ == a.typ && (a.typ == feature.Dovetail ||
		math.Abs(a.z-b.z) <= ledgeShare*(min(a.z, b.z)-f.Patches[a.floor].Origin.Dot(a.up))) &&
		math.Abs(a.flare-b.flare) <= math.Sin(levelMin) && b.in.Dot(a.in) < 0 &&
		f.isOneFloor(a, b) && -b.base-a.base > f.Length && -b.opening-a.opening > f.Length
}

// isOneFloor reports whether two half-sections overlap along the run over one plane. One without a floor is over the
// floor of the other.
func (f *channels) isOneFloor(a, b *half) bool {
	if !graph.Parallel(a.run, b.run) || a.up.Dot(b.up) < 0 {
		return false
	}
	if a.floor == graph.None || b.floor == graph.None {
		if a.floor == graph.None {
			a, b = b, a
		}
		return graph.Parallel(a.up, b.up) && (a.floor == graph.None || b.z > f.Patches[a.floor].Origin.Dot(a.up)+f.Length)
	}
	return f.OnOneSurface(a.floor, b.floor)
}

// isSame reports whether two half-sections are on the same surfaces.
func (f *channels) isSame(a, b *half) bool {
	if a.typ != b.typ || a.in.Dot(b.in) < 0 || math.Abs(a.base-b.base) > f.Length || !f.isOneFloor(a, b) {
		return false
	}
	if a.typ == feature.Dovetail {
		return f.OnOneSurface(a.walls[0], b.walls[0])
	}
	return math.Abs(a.opening-b.opening) <= f.Length && math.Abs(a.z-b.z) <= f.Length
}

// narrow sets the opening of a dovetail at the highest edges of its flanks, because others cut them down elsewhere. It
// has necks only if both sides have, at one height.
func (f *channels) narrow(s *section) {
	if s.side[0].typ != feature.Dovetail {
		return
	}
	for _, k := range s.same {
		h := &f.halves[k]
		side := &s.side[0]
		if h.in.Dot(s.in) < 0 {
			side = &s.side[1]
		}
		if h.opening > side.opening {
			side.opening, side.z, side.necks = h.opening, h.z, h.necks
		}
	}
	a, b := &s.side[0], &s.side[1]
	if len(a.necks) == 0 || len(b.necks) == 0 || math.Abs(a.z-b.z) > f.Length {
		a.necks, b.necks = nil, nil
	}
}

// mirror adds the half-sections opposite to those of dovetails that have lost the edge with their floor: both flanks
// have one lean.
func (f *channels) mirror() {
	var lost []half
	for i := range f.halves {
		a := &f.halves[i]
		if a.typ != feature.Dovetail {
			continue
		}
		if f.across(a) != nil {
			continue
		}
		if h, ok := f.opposite(a); ok {
			lost = append(lost, h)
		}
	}
	f.halves = append(f.halves, lost...)
	f.enterSides()
}

// opposite returns the nearest flank of equal lean that faces the half-section of a dovetail.
func (f *channels) opposite(a *half) (best half, ok bool) {
	s := &f.Patches[a.walls[0]].Shape
	n := s.Axis.AddScaled(-2*s.Axis.Dot(a.in), a.in)
	bottom := f.Patches[a.floor].Origin.Dot(a.up)
	f.planes.Between(n, s.Origin, -f.Diagonal, f.Diagonal, func(q int32) {
		o := &f.Patches[q]
		if f.taken[q] || !graph.Parallel(o.Axis, n) || o.Axis.Dot(n) < 0 || len(o.Arcs) > maxArcs {
			return
		}
		b := half{typ: a.typ, floor: a.floor, up: a.up, run: a.run, walls: []int32{q}}
		f.measureFlank(&b)
		if (!ok || b.base > best.base) && f.faces(a, &b) && f.Extent(q, a.up).Lo >= bottom-f.Length {
			best, ok = b, true
		}
	})
	return best, ok
}
