package channel

// Half-sections: one side of a channel, from the floor to the opening.
//
// All of its edges are along one line. Under a ledge, the search begins at the ceiling. Concave edges lead down, over a
// vertical side and perhaps a slope, or a slope only, to the floor. A convex edge leads up to the neck, which may flare
// as in extrusions, or be only the rounding of the edge. If other features cut the floor off the side, the half-section
// has no floor. The search for a flank begins at the floor below it. Fillets and roundings in the place of edges are
// included.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// leanMin (rad, 3°) is the least lean of a face that is not vertical.
	leanMin = 3 * math.Pi / 180

	// flankMin (rad, 12°) is the least lean of the flanks of a dovetail over its floor. Its cutters have 45° to 75°.
	flankMin = 12 * math.Pi / 180

	// ceilingMax (rad, 25°) is the largest angle of the ceiling over a vertical side to level, and flareMax (rad, 60°)
	// the largest angle of a neck to vertical.
	ceilingMax = 25 * math.Pi / 180
	flareMax   = 60 * math.Pi / 180

	// ledgeShare is the largest difference between its two ledges, relative to the height of a head: one cutter makes
	// both.
	ledgeShare = 0.25

	// levelMin (rad, 5°) is the largest angle of a floor to level.
	levelMin = 5 * math.Pi / 180

	// maxArcs bounds the edges of the walls of a channel. A wall with more has other features, and a test of all from
	// each neighbor would cost their square.
	maxArcs = 256

	// maxBlendArcs bounds the edges of a fillet along a channel.
	maxBlendArcs = 16

	// maxWalls bounds the walls below a ledge: a vertical one, a slope, and the fillets between.
	maxWalls = 6
)

// half is one side of a cross-section.
type half struct {
	typ     feature.Type // Tslot or Dovetail
	floor   int32        // None for a side that has lost it
	up      geom.Vec3    // unit normal of the floor
	run     geom.Vec3    // unit, along the channel
	in      geom.Vec3    // unit, level, from the side over the floor
	walls   []int32      // with fillets; the first is the flank or the ceiling
	necks   []int32      // the vertical plane above with the rounding of its edge; usually empty for flanks
	base    float64      // mm along in: outermost base of the side
	opening float64      // mm along in: of the neck, otherwise of the upper edge of the flank
	z       float64      // mm along up: lower end of the neck, otherwise the upper edge of the flank
	flare   float64      // sine of the outward flare of a flat neck
}

func (h *half) patches() []int32 {
	if h.floor == graph.None {
		return slices.Concat(h.walls, h.necks)
	}
	return slices.Concat([]int32{h.floor}, h.walls, h.necks)
}

// findHalves finds the half-sections of the part.
func (f *channels) findHalves() {
	for p := range int32(len(f.Patches)) {
		if f.taken[p] || !f.IsPlane(p) || len(f.Patches[p].Arcs) > maxArcs {
			continue
		}
		for _, a := range f.Neighbors(p) {
			if a.Convexity == graph.Convex || !f.isLine(a) {
				continue
			}
			f.behind(p, a, a.Dir, func(via []int32, q int32, at *graph.Adjacency) {
				f.halves = append(f.halves, f.underLedge(p, via, q, at)...)
				f.halves = append(f.halves, f.underFlank(p, via, q, a)...)
			})
		}
	}
}

func (f *channels) isLine(a *graph.Adjacency) bool {
	return f.Model.Edges[a.Edge].Curve.Kind() == curve.KindLine
}

// behind visits the plane along a line over concave edge a from p, or beyond the fillet there, with the fillet and the
// edge that leads to it.
func (f *channels) behind(p int32, a *graph.Adjacency, run geom.Vec3, visit func(via []int32, q int32,
	at *graph.Adjacency)) {
	q := a.Other(p)
	s := &f.Patches[q]
	isPlane := func(q int32) bool {
		s := &f.Patches[q]
		return !f.taken[q] && s.Kind == surface.KindPlane && len(s.Arcs) <= maxArcs &&
			math.Abs(s.Axis.Dot(run)) <= graph.AxisTolerance
	}
	switch {
	case a.Convexity == graph.Concave && isPlane(q):
		visit(nil, q, a)
	case a.Convexity == graph.Smooth && s.Hollow && f.isBlend(q, run):
		for _, y := range s.Arcs {
			b := &f.Arcs[y]
			if o := b.Other(q); o != p && b.Convexity == graph.Smooth && f.isAlong(b, run) && isPlane(o) {
				visit([]int32{q}, o, b)
			}
		}
	}
}

// isBlend reports whether a patch may be a fillet or a rounding along a line.
func (f *channels) isBlend(p int32, run geom.Vec3) bool {
	s := &f.Patches[p]
	return !f.taken[p] && s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, run) && len(s.Arcs) <= maxBlendArcs
}

// isAlong reports whether an edge is straight and parallel to a line.
func (f *channels) isAlong(a *graph.Adjacency, run geom.Vec3) bool {
	return graph.Parallel(a.Dir, run) && f.isLine(a)
}

// underLedge returns the half-sections with ceiling p over side q, reached through via at an edge. The ceiling is
// level, or it leans over a vertical side on a level floor.
func (f *channels) underLedge(p int32, via []int32, q int32, at *graph.Adjacency) (out []half) {
	up, side := f.Patches[p].Axis.Neg(), f.Patches[q].Axis
	slope := side.Dot(up)
	if slope >= -math.Sin(leanMin) && slope <= math.Cos(levelMin) {
		out = f.ledge(half{up: up}, p, via, q, at)
	}
	if math.Abs(slope) > math.Sin(leanMin) && math.Abs(slope) <= math.Sin(ceilingMax) {
		for _, h := range f.ledge(half{up: level(up, side)}, p, via, q, at) {
			if h.floor != graph.None {
				out = append(out, h)
			}
		}
	}
	return out
}

// ledge is underLedge for the upward direction of h.
func (f *channels) ledge(h half, p int32, via []int32, q int32, at *graph.Adjacency) (out []half) {
	h.typ, h.floor, h.run = feature.Tslot, graph.None, at.Dir
	h.in = level(f.Patches[q].Axis, h.up)
	necks := f.rise(p, &h)
	if len(necks) == 0 {
		return nil
	}
	h.walls = slices.Concat([]int32{p}, via, []int32{q})
	for _, g := range f.descend(h, q, at, h.up) {
		for _, n := range necks {
			g.necks = n
			if f.measure(&g); g.opening > g.base+f.Length {
				out = append(out, g)
			}
		}
	}
	return out
}

// level returns the unit component of n perpendicular to up.
func level(n, up geom.Vec3) geom.Vec3 { return n.Reject(up).Unit() }

// descend follows a side from wall q, reached over an edge, down to its floors. It returns the side alone if there is
// no floor.
func (f *channels) descend(h half, q int32, at *graph.Adjacency, up geom.Vec3) []half {
	found := f.floors(h, q, at, up)
	if len(found) == 0 {
		return []half{h}
	}
	return found
}

func (f *channels) floors(h half, q int32, at *graph.Adjacency, up geom.Vec3) (out []half) {
	slope := f.Patches[q].Axis.Dot(up)
	for _, a := range f.Neighbors(q) {
		if a == at || a.Convexity == graph.Convex || !f.isAlong(a, h.run) {
			continue
		}
		f.behind(q, a, h.run, func(via []int32, o int32, b *graph.Adjacency) {
			g := h
			g.walls = slices.Concat(h.walls, via)
			switch s := f.Patches[o].Axis.Dot(up); {
			case s >= math.Cos(levelMin):
				g.floor, g.up = o, f.Patches[o].Axis
				g.in = level(h.in, g.up)
				out = append(out, g)
			case s > slope+math.Sin(leanMin) && f.Patches[o].Axis.Dot(h.in) > 0 && len(g.walls) < maxWalls:
				g.walls = append(g.walls, o)
				out = append(out, f.floors(g, o, b, up)...)
			}
		})
	}
	return out
}

// measure sets the places of the side and the opening of a ledge.
func (f *channels) measure(h *half) {
	h.z = f.Extent(h.walls[0], h.up).Lo
	h.base = math.Inf(1)
	for _, p := range h.walls[1:] {
		h.base = min(h.base, f.Extent(p, h.in).Lo)
	}
	h.opening, h.flare = math.Inf(-1), 0
	for _, n := range h.necks {
		h.opening = max(h.opening, f.Extent(n, h.in).Hi)
		if s := &f.Patches[n].Shape; s.Kind == surface.KindPlane {
			h.flare = s.Axis.Dot(h.up)
		}
	}
}

// underFlank returns the half-section on floor p with flank q, reached through via over edge a of the floor.
func (f *channels) underFlank(p int32, via []int32, q int32, a *graph.Adjacency) []half {
	up := f.Patches[p].Axis
	if lean := -f.Patches[q].Axis.Dot(up); lean < math.Sin(flankMin) || lean > math.Cos(levelMin) {
		return nil
	}
	h := half{typ: feature.Dovetail, floor: p, up: up, run: a.Dir, walls: slices.Concat([]int32{q}, via)}
	f.measureFlank(&h)
	for _, n := range f.rise(q, &h) {
		h.necks = n
	}
	return []half{h}
}

// measureFlank sets the line where a flank, or its continuation, meets the level of the floor, and its upper edge.
func (f *channels) measureFlank(h *half) {
	w, s := &f.Patches[h.walls[0]].Shape, &f.Patches[h.floor].Shape
	h.in = level(w.Axis, h.up)
	// A point x·in + z·up of the flank at the height of the floor.
	z := s.Origin.Dot(h.up)
	h.base = (w.Axis.Dot(w.Origin.Reject(h.run)) - w.Axis.Dot(h.up)*z) / w.Axis.Dot(h.in)
	h.opening, h.z = f.Extent(h.walls[0], h.in).Hi, f.Extent(h.walls[0], h.up).Hi
}

// rise returns the patches that rise over convex edges of p along the channel, with the rounding of the edge: a
// vertical plane at the upper edge of a flank, a plane that may flare on a ceiling, or only the rounding.
func (f *channels) rise(p int32, h *half) (out [][]int32) {
	flare := math.Sin(leanMin)
	if h.typ == feature.Tslot {
		flare = math.Sin(flareMax)
	}
	isNeck := func(o int32, z float64) bool {
		s := &f.Patches[o]
		slope := s.Axis.Dot(h.up)
		return !f.taken[o] && s.Kind == surface.KindPlane && s.Axis.Dot(h.in) > 0 &&
			slope >= -math.Sin(leanMin) && slope <= flare && math.Abs(s.Axis.Dot(h.run)) <= graph.AxisTolerance &&
			len(s.Arcs) <= maxArcs && f.Extent(o, h.up).Lo >= z-f.Length
	}
	for q, a := range f.Neighbors(p) {
		o, z := q, a.Mid.Dot(h.up)
		isUpper := h.typ == feature.Tslot || z >= h.z-f.Length
		if !isUpper || !f.isAlong(a, h.run) {
			continue
		}
		switch s := &f.Patches[o]; {
		case a.Convexity == graph.Convex && isNeck(o, z):
			out = append(out, []int32{o})
		case a.Convexity == graph.Smooth && !s.Hollow && f.isBlend(o, h.run):
			n := len(out)
			for _, y := range s.Arcs {
				b := &f.Arcs[y]
				if n := b.Other(o); n != p && b.Convexity == graph.Smooth && isNeck(n, z) {
					out = append(out, []int32{o, n})
				}
			}
			if len(out) == n && h.typ == feature.Tslot {
				out = append(out, []int32{o})
			}
		}
	}
	return out
}
