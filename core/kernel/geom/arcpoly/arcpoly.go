// Package arcpoly joins, cuts and offsets plane areas bounded by line segments and circular arcs. The areas are tool
// regions: the accessible part of a pocket, the area that a cutter has covered, the rest material.
//
// Arcs stay arcs: the arcs of a result lie on circles of the input, on concentric circles with a radius larger or
// smaller by the offset, or on circles about corners. Nothing is fitted, so that a hundred offsets by 0.25 mm equal one
// by 25 mm.
//
// # Conventions
//
// Lengths are mm. The area is on the left of its boundary: outer loops run counter-clockwise, holes clockwise. Segments
// keep the Tag of their source segment; arcs around a corner get the Tag of the segment before it. Other marks of
// segments are dropped.
//
// # Method
//
// Loops become chords on a lattice, each with a reference to its curve (lattice.go). The chords are the fewest that
// show the contacts of arcs (refine.go). The chords are cut at their intersections, by snap rounding (cross.go). Exact
// winding numbers classify the faces of the plane between them (graph.go). The loops around the wanted faces get their
// lines and arcs back (trace.go). Offsets are self-intersecting loops, and the same rule extracts the result from them
// (offset.go).
//
// # Bounds
//
// Coordinates are at most 1e6 mm, coordinates of centers 1e9. Ends move by less than 1e-6 mm, the step of the lattice.
// Chords within 0.25 µm represent an arc in intersection tests. So the boundary of a result is within 0.5 µm of the
// true one, and the ends of arcs within 0.5 µm of their circles. At a tip, where curves meet at a sharp angle, the
// bound is 0.5 µm over the sine of the angle. Features narrower than 1 µm may be left out, and boundaries closer than
// 0.5 µm may join. Offsets do not enlarge errors, so repeated operations at worst add them up. Where curves cross at an
// angle, and for lines alone, errors are about 1e-9 mm.
//
// Cost: O(n log n) for n chords that are near others, plus the crossings. Cost and results are the same for any number
// of threads.
package arcpoly

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Area is a plane area. The nil Area is empty. Areas do not change; several goroutines may use one.
type Area struct {
	loops []planar.Loop
	sizes []float64 // mm², of the loops, negative for holes
	once  sync.Once
	index index

	bounding sync.Once
	boxes    []box // around the loops, mm
	box      box   // around all of them, mm
}

// gap (mm) is the largest distance of a segment's start from the previous end, and of an arc's end from its circle.
const gap = 1e-3

// New returns the area with a positive winding number, counter-clockwise counted positive. The loops may cross, touch
// and overlap themselves and one another. Each segment must begin at the end of the one before, within 1 µm.
func New(loops ...planar.Loop) (*Area, error) {
	for _, l := range loops {
		for i := range l {
			if err := check(&l[i], &l[(i+1)%len(l)], true); err != nil {
				return nil, fmt.Errorf("piece %d: %w", i, err)
			}
		}
	}
	return resolve(loops, everywhere, atLeast(1))
}

// check returns the error of a segment, or of its joint with the segment that may follow it.
func check(p, next *planar.Segment, follows bool) error {
	for i, v := range [3]geom.Vec2{p.From, p.To, p.Center} {
		limit := reach
		if i == 2 {
			limit = 1000 * reach
		}
		if !(max(math.Abs(v.X), math.Abs(v.Y)) <= limit) {
			return fmt.Errorf("arcpoly: %v is further than %v mm from the origin", v, limit)
		}
	}
	if !(math.Abs(p.Turn) <= 2*math.Pi+1e-9) {
		return fmt.Errorf("arcpoly: an arc turns by %v rad", p.Turn)
	}
	if follows && p.To.Dist(next.From) > gap {
		return fmt.Errorf("arcpoly: it ends at %v and the next one begins at %v", p.To, next.From)
	}
	if end := p.At(1); p.To.Dist(end) > gap {
		return fmt.Errorf("arcpoly: an arc ends at %v, not at %v", end, p.To)
	}
	return nil
}

// Loops returns the boundary. No loop crosses itself or passes through a point twice, and no two cross, to the accuracy
// of the chords of arcs. The caller must not change them.
func (a *Area) Loops() []planar.Loop {
	if a == nil {
		return nil
	}
	return a.loops
}

// IsEmpty reports whether the area is empty.
func (a *Area) IsEmpty() bool { return len(a.Loops()) == 0 }

// Size returns the area in mm².
func (a *Area) Size() float64 {
	if a == nil {
		return 0
	}
	sum := 0.0
	for _, s := range a.sizes {
		sum += s
	}
	return sum
}

// Parts returns the connected parts, the largest outer loop first, each with the holes in it.
func (a *Area) Parts() []*Area {
	loops := a.Loops()
	order := make([]int, len(loops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(a.sizes[k], a.sizes[i]) })
	var outer, parts []*Area
	for _, i := range order {
		if a.sizes[i] > 0 {
			outer = append(outer, &Area{loops: loops[i : i+1], sizes: a.sizes[i : i+1]})
			parts = append(parts, &Area{loops: []planar.Loop{loops[i]}, sizes: []float64{a.sizes[i]}})
			continue
		}
		// A hole may touch its outer loop, but not with the middle of its longest segment.
		longest := slices.MaxFunc(loops[i],
			func(p, q planar.Segment) int { return cmp.Compare(p.Length(), q.Length()) })
		for k := len(outer) - 1; k >= 0; k-- {
			if outer[k].Contains(longest.At(0.5)) {
				parts[k].loops, parts[k].sizes = append(parts[k].loops, loops[i]), append(parts[k].sizes, a.sizes[i])
				break
			}
		}
	}
	return parts
}

// Union returns the points in any of the areas.
func Union(areas ...*Area) (*Area, error) {
	areas = slices.DeleteFunc(slices.Clone(areas), (*Area).IsEmpty)
	if len(areas) == 1 {
		return areas[0], nil
	}
	near, far := sift(areas, func(i int) int { return i })
	return resolveWith(far, gather(near), everywhere, atLeast(1))
}

// Intersection returns the points in all of the areas.
func Intersection(areas ...*Area) (*Area, error) {
	if len(areas) == 0 || slices.ContainsFunc(areas, (*Area).IsEmpty) {
		return nil, nil
	}
	if len(areas) == 1 {
		return areas[0], nil
	}
	near, _ := sift(areas, func(i int) int { return i })
	return resolve(gather(near), common(near), atLeast(int32(len(areas))))
}

// Minus returns the points in a and outside all the others.
func (a *Area) Minus(others ...*Area) (*Area, error) {
	if a.IsEmpty() {
		return nil, nil
	}
	near, far := sift(append([]*Area{a}, others...), func(i int) int { return min(i, 1) })
	if len(far[0].Loops()) == len(a.loops) {
		return a, nil
	}
	loops := gather(near[:1])
	for _, l := range gather(near[1:]) {
		loops = append(loops, l.Reverse())
	}
	return resolveWith(far[:1], loops, common(near[:1]), atLeast(1))
}

// Xor returns the points in an odd number of the areas.
func Xor(areas ...*Area) (*Area, error) {
	return resolve(gather(areas), everywhere, odd)
}

// Scaled returns an area drawn to another scale, about the origin.
func (a *Area) Scaled(by float64) *Area {
	if a.IsEmpty() {
		return nil
	}
	out := &Area{loops: make([]planar.Loop, len(a.loops)), sizes: make([]float64, len(a.loops))}
	for i, l := range a.loops {
		out.loops[i], out.sizes[i] = slices.Clone(l), a.sizes[i]*by*by
		for k := range out.loops[i] {
			q := &out.loops[i][k]
			q.From, q.To, q.Center = q.From.Scale(by), q.To.Scale(by), q.Center.Scale(by)
		}
	}
	return out
}

func gather(areas []*Area) []planar.Loop {
	var loops []planar.Loop
	for _, a := range areas {
		loops = append(loops, a.Loops()...)
	}
	return loops
}

// resolve returns the area whose winding number satisfies keep; all of it is in a box.
func resolve(loops []planar.Loop, in box, keep rule) (*Area, error) {
	w := benches.Get().(*scratch)
	defer benches.Put(w)
	w.reset()
	w.key.begin(byResolving, float64(keep), in.x0, in.y0, in.x1, in.y1)
	for _, l := range loops {
		w.key.path(l)
	}
	return w.key.resulting(func() (*Area, error) {
		w.enter(nearby(loops), in)
		return w.area(keep)
	})
}

// resolveWith is resolve with loops of areas that are known to bound the result.
func resolveWith(known []*Area, loops []planar.Loop, in box, keep rule) (*Area, error) {
	out, err := &Area{}, error(nil)
	if len(loops) > 0 {
		if out, err = resolve(loops, in, keep); err != nil {
			return nil, err
		}
	}
	for _, a := range known {
		out.loops, out.sizes = append(out.loops, a.Loops()...), append(out.sizes, a.sizes...)
	}
	return out, nil
}

// rule is the least winding number inside an area, or odd.
type rule int32

// odd keeps the points with an odd winding number.
const odd rule = math.MinInt32

// atLeast returns the rule for a winding number of at least times.
func atLeast(times int32) rule { return rule(times) }

func (r rule) keeps(w int32) bool {
	if r == odd {
		return w&1 == 1
	}
	return w >= int32(r)
}

// scratch is the memory of one operation, reused by the next one.
type scratch struct {
	graph
	moved []moved
	key   key
}

var benches = sync.Pool{New: func() any {
	b := new(scratch)
	b.isSparse = true
	return b
}}

// area returns the area whose winding number satisfies keep.
func (g *graph) area(keep rule) (*Area, error) {
	if err := g.build(); err != nil {
		return nil, err
	}
	return g.trace(keep.keeps)
}
