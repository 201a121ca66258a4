package channel

// The patches of a channel: all on the surfaces of its cross-section, the fillets between, and the patches that close
// an end.
//
// Pieces beyond the half-sections count within the certain range of the channel, and beyond it if two surfaces continue
// across air.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Parts of a cross-section.
const (
	floor = iota
	left  // walls of the first side
	right
	neck // above the first side
	neckRight
	parts
)

// members are the patches of a channel.
type members struct {
	*channels
	s    *section
	in   map[int32]bool
	of   [parts][]int32
	span geom.Interval // mm along the run
}

// gather returns the patches of the channel with a cross-section.
func (f *channels) gather(s *section) *members {
	m := &members{channels: f, s: s, in: map[int32]bool{}, span: geom.EmptyInterval()}
	cand := m.onSurfaces()
	for _, group := range m.pieces(cand) {
		m.add(cand, group)
	}
	m.fillets()
	m.ends()
	for i := range m.of {
		slices.Sort(m.of[i])
	}
	return m
}

// onSurfaces returns the free planes on the surfaces of the cross-section, and the part of each.
func (m *members) onSurfaces() map[int32]int {
	s := m.s
	out := map[int32]int{}
	a, b := &s.side[0], &s.side[1]
	bottom := m.Patches[a.floor].Origin.Dot(s.up)
	wide := geom.Interval{Lo: a.base, Hi: -b.base}
	high := geom.Interval{Lo: bottom, Hi: math.Inf(1)}
	m.onSurface(out, a.floor, floor, wide, high)
	for i, h := range [2]*half{a, b} {
		below := geom.Interval{Lo: bottom, Hi: h.z}
		if h.typ == feature.Dovetail { // others may have left the upper edge of one flank only
			below.Hi = max(a.z, b.z)
		}
		for _, p := range h.walls {
			m.onSurface(out, p, left+i, wide, below)
		}
		for _, p := range h.necks {
			m.onSurface(out, p, neck+i, wide, high)
		}
	}
	for _, k := range s.same { // these are certain
		h := &m.halves[k]
		for _, p := range h.patches() {
			if s.side[0].necks == nil && slices.Contains(h.necks, p) {
				continue
			}
			isLip := len(h.necks) == 1 && p == h.necks[0] // it may be a rounding
			if _, ok := out[p]; !ok && (m.IsPlane(p) || isLip) && !m.taken[p] {
				out[p] = m.partOf(h, p)
			}
		}
	}
	return out
}

// partOf returns the part of a half-section that a patch is in.
func (m *members) partOf(h *half, p int32) int {
	side := 0
	if h.in.Dot(m.s.in) < 0 {
		side = 1
	}
	switch {
	case p == h.floor:
		return floor
	case slices.Contains(h.necks, p):
		return neck + side
	}
	return left + side
}

// onSurface adds the free planes that continue p within a range across the channel and one upward.
func (m *members) onSurface(out map[int32]int, p int32, part int, across, up geom.Interval) {
	s := &m.Patches[p].Shape
	if s.Kind != surface.KindPlane {
		return
	}
	m.planes.Between(s.Axis, s.Origin, 0, 0, func(q int32) {
		if !m.taken[q] && m.Continues(s, &m.Patches[q].Shape) && m.isWithin(q, across, up) {
			out[q] = part
		}
	})
}

// isWithin reports whether a patch is in a range across the channel and one upward.
func (m *members) isWithin(p int32, across, up geom.Interval) bool {
	slack := m.Slack()
	x, z := m.Extent(p, m.s.in), m.Extent(p, m.s.up)
	return x.Lo >= across.Lo-slack && x.Hi <= across.Hi+slack && z.Lo >= up.Lo-slack && z.Hi <= up.Hi+slack
}

// pieces returns candidates connected over edges or fillets, in order.
func (m *members) pieces(cand map[int32]int) [][]int32 {
	set := graph.NewUnionFind(len(m.Patches))
	for p := range cand {
		for q := range m.Neighbors(p) {
			if _, ok := cand[q]; ok {
				set.Join(p, q)
			} else if m.isBlend(q, m.s.run) {
				for o, a := range m.Neighbors(q) {
					if a.Convexity == graph.Smooth {
						if _, ok := cand[o]; ok {
							set.Join(p, o)
						}
					}
				}
			}
		}
	}
	return set.Groups(func(i int32) bool { _, ok := cand[i]; return ok })
}

// add adds a piece to the channel.
func (m *members) add(cand map[int32]int, group []int32) {
	for _, p := range group {
		m.in[p] = true
		m.of[cand[p]] = append(m.of[cand[p]], p)
		m.span = m.span.Union(m.Extent(p, m.s.run))
	}
}

// middle returns a point in the middle of the head of the channel, at a place along the run.
func (m *members) middle(t float64) geom.Vec3 {
	s := m.s
	a, b := &s.side[0], &s.side[1]
	bottom := m.Patches[a.floor].Origin.Dot(s.up)
	x, z := (a.base-b.base)/2, (bottom+min(a.z, b.z))/2
	run := s.up.Cross(s.in)
	if run.Dot(s.run) < 0 {
		run = run.Neg()
	}
	return s.in.Scale(x).AddScaled(z, s.up).AddScaled(t, run)
}

// stretches returns the ranges of some patches along the run, mm, in ascending order, and their total length.
func (m *members) stretches(patches []int32) (out []geom.Interval, length float64) {
	var spans []geom.Interval
	for _, p := range patches {
		spans = append(spans, m.Extent(p, m.s.run))
	}
	slices.SortFunc(spans, func(a, b geom.Interval) int { return cmp.Compare(a.Lo, b.Lo) })
	for _, s := range spans {
		if n := len(out); n == 0 || s.Lo > out[n-1].Hi {
			out = append(out, s)
		} else {
			out[n-1].Hi = max(out[n-1].Hi, s.Hi)
		}
	}
	for _, s := range out {
		length += s.Length()
	}
	return out, length
}

// fillets adds the blends between two surfaces of the channel, one of which may be missing.
func (m *members) fillets() {
	for _, p := range m.sorted() {
		for q, a := range m.Neighbors(p) {
			if m.in[q] || a.Convexity != graph.Smooth || !m.isBlend(q, m.s.run) {
				continue
			}
			sides := map[int32]bool{}
			for o, a := range m.Neighbors(q) {
				if m.in[o] && a.Convexity == graph.Smooth {
					sides[o] = true
				}
			}
			if len(sides) > 1 || m.Patches[q].Hollow {
				m.in[q] = true
			}
		}
	}
}

func (m *members) sorted() []int32 {
	var out []int32
	for p := range m.in {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// ends adds the patches that close the channel within its cross-section: planes across it in its head, with coplanar
// ones, and round walls of the cutter.
func (m *members) ends() {
	s := m.s
	across := geom.Interval{Lo: s.side[0].base, Hi: -s.side[1].base}
	up := geom.Interval{Lo: m.Patches[s.side[0].floor].Origin.Dot(s.up), Hi: math.Inf(1)}
	head := slices.Concat(m.of[floor], m.of[left], m.of[right])
	var closing []int32 // planes across
	for range 2 {       // first in the head
		for _, p := range m.sorted() {
			for q, a := range m.Neighbors(p) {
				e := &m.Patches[q]
				isCrack := -a.Turn >= math.Pi-graph.SmoothAngle // they coincide, with no space between
				if m.in[q] || m.taken[q] || a.Convexity == graph.Convex || isCrack || !m.isWithin(q, across, up) {
					continue
				}
				isFlush := func(o int32) bool { return m.Continues(&e.Shape, &m.Patches[o].Shape) }
				switch {
				case m.isAcross(q) && (slices.Contains(head, p) || slices.ContainsFunc(closing, isFlush)):
					m.in[q], closing = true, append(closing, q)
				case e.Kind == surface.KindCylinder && e.Hollow && graph.Parallel(e.Axis, s.up):
					m.in[q] = true
				}
			}
		}
	}
}
