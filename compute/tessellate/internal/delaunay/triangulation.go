// Package delaunay triangulates regions of the plane with a boundary that must be kept.
//
// Method: incremental insertion with edge flips (Lawson 1977) inside a large triangle, in the order of a Hilbert curve
// taken coarse to fine, so that the search for the next triangle is a walk of a few steps. Boundary segments are then
// recovered by flips of the edges that cross them (Sloan 1993, Anglada 1997). The region is found by its winding
// number, and edges that are no longer Delaunay are flipped. Orientation tests are exact, so the triangles never
// overlap for any input. In-circle ties within rounding stay unchanged, so the result is Delaunay up to rounding.
//
// Boundary segments are never split. Distinct points that coincide, lie on a segment or cross it slightly are moved
// apart by far less than any relevant size: see Report. Conflicts that this cannot repair are reported as failed. Clip
// triangulates them and permits overlap, so that every boundary segment is still an edge.
//
// Cost: about a microsecond a point, no allocation once the arrays have grown. A Triangulation is reusable; it is not
// safe for concurrent use.
package delaunay

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

// Input is the input of a triangulation. The rings are consecutive at the start of Points: ring i is
// Points[RingEnds[i-1]:RingEnds[i]], closed, with the region on its left. All later points are free: they are used if
// they lie in the region.
type Input struct {
	Points   []geom.Vec2
	RingEnds []int32
	// IDs are the identities of the ring points. Ring points that coincide are one point when their
	// IDs are equal, and are moved apart otherwise. Nil: coincident points are always one.
	IDs []int32
	// Depth is the maximum depth of a self-intersection of a ring that is repaired by moving a point, as a share of the
	// shorter of the two segments; 0 means 0.001. A deeper crossing is not due to rounding of a proper boundary, and
	// large moves of points distort the plane.
	Depth float64
	// Reach is a depth up to which crossings are repaired for any Depth: for rings that are known only to
	// that accuracy.
	Reach float64
}

// Report is the quality of the result.
type Report struct {
	Moved  int  // ring points that were moved apart from a segment or another point
	Failed bool // some segment is not an edge of the result: the rings cross themselves or each other
}

// half is a directed edge: its origin and the opposite one, which belongs to the next triangle.
type half struct{ org, twin int32 }

// none marks a missing half-edge, vertex or triangle.
const none = -1

// super is the number of corners of the enclosing triangle, stored before the caller's points.
const super = 3

// Triangulation contains the result and the scratch memory of the last Build.
//
// Triangle t has the half-edges 4t, 4t+1, 4t+2, counter-clockwise; slot 4t+3 contains its winding number. Vertices are
// numbered as the caller's points, with super added inside.
type Triangulation struct {
	pts []geom.Vec2
	he  []half
	con []int8  // per half-edge: 0 free, else 2·(segments along it − segments against it) + 1
	out []int32 // per vertex: a half-edge that starts there

	ringEnds []int32
	ids      []int32
	depth    float64
	reach    float64
	alias    []int32 // the vertex that replaces each vertex; none: not used
	same     []int32 // ring points that another one replaces
	box      [2]geom.Vec2
	last     int32 // half-edge where the next walk starts
	coin     uint32

	keys, spare []uint64
	stack       []int32
	cross       []int32
	before      []int32 // of each edge in cross, the one before it that still crosses, −1: none
	after       []int32 // and the one after it, the number of all: none
	todo, later []int32 // edges in cross that remain to be tested, ascending
	conflicts   []conflict
	moved       []bool
	changed     bool // by settle
}

// next and prev are the other half-edges of the triangle in counter-clockwise order.
func next(e int32) int32 { return e + 1 - 3*((e>>1)&1) }
func prev(e int32) int32 { return e + 2 - 3*((e|e>>1)&1) }

// Slots returns the number of triangle slots, some of them outside the region.
func (t *Triangulation) Slots() int32 { return int32(len(t.he) / 4) }

// Inside reports whether triangle s belongs to the region.
func (t *Triangulation) Inside(s int32) bool { return t.he[4*s+3].org > 0 }

// Corners returns the points of triangle s, counter-clockwise. Only for triangles inside the region.
func (t *Triangulation) Corners(s int32) (a, b, c int32) {
	h := t.he[4*s : 4*s+3]
	return h[0].org - super, h[1].org - super, h[2].org - super
}

// Edge returns the half-edge k (0, 1, 2) of triangle s: from its corner k to the next one.
func (t *Triangulation) Edge(s, k int32) int32 { return 4*s + k }

// Twin returns the opposite half-edge, in the triangle on the other side.
func (t *Triangulation) Twin(e int32) int32 { return t.he[e].twin }

// Triangle returns the triangle of a half-edge.
func (t *Triangulation) Triangle(e int32) int32 { return e >> 2 }

// Next returns the half-edge that follows e around its triangle.
func (t *Triangulation) Next(e int32) int32 { return next(e) }

// Origin returns the point where half-edge e starts.
func (t *Triangulation) Origin(e int32) int32 { return t.he[e].org - super }

// Fixed reports whether the half-edge lies on the boundary.
func (t *Triangulation) Fixed(e int32) bool { return t.con[e] != 0 }

// Convex reports whether e is a free edge between two triangles of the region that can be swapped for the
// other diagonal of their quadrilateral.
func (t *Triangulation) Convex(e int32) bool {
	f := t.he[e].twin
	if t.con[e] != 0 || f == none || !t.Inside(f>>2) {
		return false
	}
	p, q, r, s := t.pts[t.he[e].org], t.pts[t.he[f].org], t.pts[t.he[prev(e)].org], t.pts[t.he[prev(f)].org]
	return predicate.Orient2D(s, q, r) > 0 && predicate.Orient2D(r, p, s) > 0
}

// Swap replaces a convex edge by the other diagonal, whether or not that is Delaunay.
func (t *Triangulation) Swap(e int32) { t.flip(e) }

// Out returns a half-edge that starts at point v.
func (t *Triangulation) Out(v int32) int32 { return t.out[v+super] }

// Around returns the next half-edge that starts at the same point, counter-clockwise.
func (t *Triangulation) Around(e int32) int32 { return t.he[prev(e)].twin }

// EdgeBetween returns the half-edge from point a to point b, negative if there is no such edge.
func (t *Triangulation) EdgeBetween(a, b int32) int32 {
	u, v := t.alias[a+super], t.alias[b+super]
	if u == none || v == none || u == v {
		return none
	}
	return t.edge(u, v)
}

// Point returns the place of point v, which differs from the input for a point that was moved.
func (t *Triangulation) Point(v int32) geom.Vec2 { return t.pts[v+super] }

// Points returns the number of points, including those added by Insert.
func (t *Triangulation) Points() int { return len(t.pts) - super }

// Append adds the triangles of the region to dst and returns it.
func (t *Triangulation) Append(dst [][3]int32) [][3]int32 {
	dst = slices.Grow(dst, int(t.Slots()))
	for s := range t.Slots() {
		if t.Inside(s) {
			a, b, c := t.Corners(s)
			dst = append(dst, [3]int32{a, b, c})
		}
	}
	return dst
}

// Build triangulates the input. Of equal inputs it makes equal results.
func (t *Triangulation) Build(in Input) Report {
	var r Report
	if !t.load(in) {
		t.he, t.con = t.he[:0], t.con[:0]
		return Report{Failed: true}
	}
	// Each round moves the obstructing points four times as far as the one before.
	rounds := usualRounds
	if t.reach > 0 {
		rounds = reachingOver
	}
	for round := 0; ; round++ {
		t.start()
		t.insertAll()
		if len(t.conflicts) == 0 {
			t.constrainAll()
		}
		if len(t.conflicts) == 0 {
			break
		}
		if round == rounds || !t.settle(round) {
			r.Failed = true
			break
		}
	}
	for _, m := range t.moved {
		if m {
			r.Moved++
		}
	}
	if !r.Failed {
		t.classify()
		t.relax()
	}
	return r
}

// load copies the input and finds its box; false when it spans no area or is not finite.
func (t *Triangulation) load(in Input) bool {
	n := len(in.Points)
	inf := math.Inf(1)
	lo, hi := geom.Vec2{X: inf, Y: inf}, geom.Vec2{X: -inf, Y: -inf}
	sum := 0.0
	for _, p := range in.Points {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
		sum += p.X + p.Y
	}
	if n < 3 || math.IsNaN(sum) || math.IsInf(sum, 0) || !(max(hi.X-lo.X, hi.Y-lo.Y) > 0) {
		return false
	}
	t.box = [2]geom.Vec2{lo, hi}
	t.reserve(n)
	// The enclosing triangle only needs to contain the points: triangles outside the boundary are discarded.
	const reach = 10
	c, d := lo.Lerp(hi, 0.5), reach*max(hi.X-lo.X, hi.Y-lo.Y)
	t.pts = append(t.pts[:0], geom.Vec2{X: c.X - 2*d, Y: c.Y - d}, geom.Vec2{X: c.X + 2*d, Y: c.Y - d},
		geom.Vec2{X: c.X, Y: c.Y + 2*d})
	t.pts = append(t.pts, in.Points...)
	t.ringEnds, t.ids, t.depth, t.reach = in.RingEnds, in.IDs, in.Depth, in.Reach
	if t.depth == 0 {
		const roundingOnly = 1e-3
		t.depth = roundingOnly
	}
	t.alias = t.alias[:0]
	for i := range n + super {
		t.alias = append(t.alias, int32(i))
	}
	t.moved = append(t.moved[:0], make([]bool, n+super)...)
	t.order(n)
	return true
}

// reserve allocates memory for n points and the two triangles that each adds, of four half-edges each.
func (t *Triangulation) reserve(n int) {
	const slots = 2 * 4
	t.he = slices.Grow(t.he[:0], slots*(n+1))
	t.con = slices.Grow(t.con[:0], slots*(n+1))
	t.pts = slices.Grow(t.pts[:0], n+super)
	t.out = slices.Grow(t.out[:0], n+super)
	t.alias = slices.Grow(t.alias[:0], n+super)
	t.keys = slices.Grow(t.keys[:0], n)
}

// rings returns the number of points that belong to rings.
func (t *Triangulation) rings() int32 {
	if len(t.ringEnds) == 0 {
		return 0
	}
	return t.ringEnds[len(t.ringEnds)-1]
}

// start sets up the enclosing triangle.
func (t *Triangulation) start() {
	t.he = append(t.he[:0], half{0, none}, half{1, none}, half{2, none}, half{})
	t.con = append(t.con[:0], 0, 0, 0, 0)
	t.out = append(t.out[:0], 0, 1, 2)
	for range len(t.pts) - super {
		t.out = append(t.out, none)
	}
	for i, a := range t.alias {
		if a != none {
			t.alias[i] = int32(i)
		}
	}
	t.last, t.coin = 0, 0x9e3779b9
	t.conflicts, t.same = t.conflicts[:0], t.same[:0]
}
