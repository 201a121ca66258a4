package access

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Stock is what may still be there while a setup is worked on: never less than there is. It begins as a box or as
// heights, from which cuts take away everything above some area. It is not safe for concurrent use.
type Stock struct {
	box     geom.Box
	base    *heights // nil: the box
	cuts    []cut
	heights []float64 // of cuts, ascending
	known   map[level]*known
	turns   []*arcpoly.Area          // widest areas that turns have taken
	joined  map[[2]int]*arcpoly.Area // of several of them, by the first and how many, a power of two
}

// RemovedArea is the removed area above a height, mm.
type RemovedArea struct {
	Z    float64
	Area *arcpoly.Area
}

// cut is a removed area.
type cut struct {
	z        float64
	area     *arcpoly.Area
	turn     int       // how many calls of Cut came before
	isWithin bool      // the area, that of the next cut of the turn
	lo, hi   geom.Vec2 // corners of the rectangle round the area
}

// level is a range of heights above which the stock is the same: from that of a cut, or of a layer of the base, to the
// next one.
type level struct {
	cut   float64 // height of the highest effective cut, -Inf without one
	layer int     // of the base
}

// known is the area above a level after a number of cuts.
type known struct {
	area  *arcpoly.Area
	after int
}

// NewStock returns a stock that fills a box, mm, in the frame of a setup.
func NewStock(box geom.Box) *Stock { return newStock(box, nil) }

func newStock(box geom.Box, base *heights) *Stock {
	return &Stock{box: box, base: base, known: map[level]*known{}, joined: map[[2]int]*arcpoly.Area{}}
}

// Remaining returns a stock as high as a ceiling, seen from a setup; what dexels hold is stock for sure.
func Remaining(d *dexel.Stock, most *StockHeight, setup geom.Frame) *Stock {
	h := newHeights(d, most, setup)
	return newStock(h.box, h)
}

// Sure returns the part of an area above a height that is certainly stock, if it was not cut since the setup began.
func (s *Stock) Sure(area *arcpoly.Area, z float64) (*arcpoly.Area, error) {
	if s.base == nil || area.IsEmpty() {
		return area, nil
	}
	sure, err := s.base.sure(z)
	if err != nil {
		return nil, err
	}
	return arcpoly.Intersection(area, sure)
}

// Above returns where there may be stock above a height, mm. No piece of it is tagged with a patch. What is the same at
// two heights is the same area.
func (s *Stock) Above(z float64) (*arcpoly.Area, error) {
	if z >= s.box.Max.Z-geom.Resolution {
		return nil, nil
	}
	at := s.level(z)
	k := s.known[at]
	if k != nil && k.after == len(s.cuts) {
		return k.area, nil
	}
	area, err := s.find(at, z, k)
	if err != nil {
		return nil, err
	}
	s.known[at] = &known{area, len(s.cuts)}
	return area, nil
}

// level returns that of a height.
func (s *Stock) level(z float64) level {
	at := level{cut: math.Inf(-1)}
	if n, _ := slices.BinarySearch(s.heights, math.Nextafter(z+geom.Resolution, math.Inf(1))); n > 0 {
		at.cut = s.heights[n-1]
	}
	if s.base != nil {
		at.layer = s.base.layer(z)
	}
	return at
}

// few is the number of cuts that are subtracted directly from a level; more cuts are taken from lower levels.
const few = 2

// find returns the area above the level of a height, nil if empty; k is its earlier state. The area lies within the
// area above any lower level, which lacks the cuts known there. So it is intersected with lower levels while each saves
// several cuts.
func (s *Stock) find(at level, z float64, k *known) (area *arcpoly.Area, err error) {
	var parts []*arcpoly.Area
	var left []int // cuts
	after, isWhole := 0, true
	if k != nil {
		parts, after, isWhole = append(parts, k.area), k.after, false
	}
	for i := after; i < len(s.cuts); i++ {
		if c := &s.cuts[i]; c.z <= at.cut && !(c.isWithin && s.cuts[i+1].z <= at.cut) {
			left = append(left, i)
		}
	}
	for len(left) > few {
		under, lower, n := s.lower(at, left)
		if n+1 >= len(left) {
			break
		}
		left = slices.DeleteFunc(left, func(i int) bool { return lower.has(under, i, &s.cuts[i]) })
		parts = append(parts, lower.area)
		isWhole = isWhole && under.layer != at.layer
	}
	if isWhole {
		whole, err := s.whole(z)
		if err != nil {
			return nil, err
		}
		parts = append(parts, whole)
	}
	if area = parts[0]; len(parts) > 1 {
		if area, err = arcpoly.Intersection(parts...); err != nil {
			return nil, err
		}
	}
	if len(left) == 0 || area.IsEmpty() {
		return area, nil
	}
	gone, err := s.removed(left)
	if err != nil {
		return nil, err
	}
	return area.Minus(gone...)
}

// has reports whether the known area above a level excludes cut i, which is effective at a higher level.
func (k *known) has(at level, i int, c *cut) bool { return i < k.after && c.z <= at.cut }

// lower returns the level, not above one, that lacks fewest of some cuts, and how many it lacks.
func (s *Stock) lower(at level, cuts []int) (under level, k *known, least int) {
	least = len(cuts) + 1
	for l, other := range s.known {
		if l == at || l.cut > at.cut || l.layer > at.layer {
			continue
		}
		n := 0
		for _, i := range slices.Backward(cuts) { // the last ones are known least
			if !other.has(l, i, &s.cuts[i]) {
				if n++; n > least {
					break
				}
			}
		}
		if n < least || n == least && (l.cut > under.cut || l.cut == under.cut && l.layer > under.layer) {
			under, k, least = l, other, n
		}
	}
	return under, k, least
}

// removed returns the areas of some cuts. Turns that follow one another are joined once for all levels, as many of them
// as a power of two: they take much the same, and many areas whose sides lie close together take far longer than two.
func (s *Stock) removed(cuts []int) (list []*arcpoly.Area, err error) {
	for len(cuts) > 0 {
		c, size := &s.cuts[cuts[0]], 1
		for !c.isWithin && c.turn%(2*size) == 0 && 2*size <= len(cuts) {
			if last := &s.cuts[cuts[2*size-1]]; last.isWithin || last.turn != c.turn+2*size-1 {
				break
			}
			size *= 2
		}
		a := c.area
		if size > 1 {
			if a, err = s.join(c.turn, size); err != nil {
				return nil, err
			}
		}
		list, cuts = append(list, a), cuts[size:]
	}
	return list, nil
}

// join returns the area that some turns have removed.
func (s *Stock) join(first, size int) (a *arcpoly.Area, err error) {
	if size == 1 {
		return s.turns[first], nil
	}
	key := [2]int{first, size}
	if a, ok := s.joined[key]; ok {
		return a, nil
	}
	var halves [2]*arcpoly.Area
	for i := range halves {
		if halves[i], err = s.join(first+i*size/2, size/2); err != nil {
			return nil, err
		}
	}
	if a = halves[0]; halves[1] != a {
		a, err = arcpoly.Union(halves[:]...)
	}
	s.joined[key] = a
	return a, err
}

func (s *Stock) whole(z float64) (*arcpoly.Area, error) {
	switch {
	case z >= s.box.Max.Z-geom.Resolution:
		return nil, nil
	case s.base == nil:
		return rectangle(s.box, 0)
	}
	return s.base.above(z)
}

// Cut removes the material above some heights over some areas, each within the next one. No area may be larger than the
// certainly cut one.
func (s *Stock) Cut(gone ...RemovedArea) {
	for i, g := range gone {
		if g.Area.IsEmpty() {
			continue
		}
		c := cut{z: g.Z, area: g.Area, turn: len(s.turns), isWithin: i+1 < len(gone)}
		c.lo, c.hi = g.Area.Extent()
		s.cuts = append(s.cuts, c)
		if k, ok := slices.BinarySearch(s.heights, g.Z); !ok {
			s.heights = slices.Insert(s.heights, k, g.Z)
		}
	}
	if n := len(s.cuts); n > 0 && s.cuts[n-1].turn == len(s.turns) {
		s.turns = append(s.turns, s.cuts[n-1].area)
	}
}

// Top returns the height (mm) above which no stock is within some distance (mm) of a place.
func (s *Stock) Top(at geom.Vec2, distance float64) (float64, error) {
	floor, highest := s.box.Min.Z, s.box.Max.Z
	if s.base != nil {
		highest = s.base.top(at, distance, floor)
	}
	if b := s.box; math.Hypot(max(0, b.Min.X-at.X, at.X-b.Max.X), max(0, b.Min.Y-at.Y, at.Y-b.Max.Y)) >= distance {
		return floor, nil
	}
	// Of places one knows at once from the cuts over them; what remains between takes areas.
	least, most := s.over(at), s.cover(at, distance-geom.Resolution)
	for i := range 8 {
		way := direction(i)
		least = max(least, s.over(at.Add(way.Scale(distance*0.98))), s.over(at.Add(way.Scale(distance*0.5))))
	}
	candidates := []float64{min(max(least, floor), highest)}
	for _, z := range s.heights {
		if z > candidates[0] && z < min(highest, most) {
			candidates = append(candidates, z)
		}
	}
	if last := min(highest, most); last > candidates[0] {
		candidates = append(candidates, last)
	}
	var failed error
	i, _ := slices.BinarySearchFunc(candidates, true, func(z float64, _ bool) int {
		if z == candidates[len(candidates)-1] {
			return 0
		}
		above, err := s.Above(z)
		if err != nil {
			failed = err
		}
		if above.Distance(at) <= -distance+geom.Resolution {
			return 0
		}
		return -1
	})
	return candidates[i], failed
}

// direction returns the unit vector at an eighth of a turn.
func direction(i int) geom.Vec2 {
	sin, cos := math.Sincos(float64(i) * math.Pi / 4)
	return geom.Vec2{X: cos, Y: sin}
}

// Over returns the height (mm) of the stock over a place, that of its bottom where there is none.
func (s *Stock) Over(at geom.Vec2) float64 { return max(s.over(at), s.box.Min.Z) }

// over returns how high the stock is over a place, -Inf where there is none.
func (s *Stock) over(at geom.Vec2) float64 {
	b := s.box
	if !(at.X > b.Min.X && at.X < b.Max.X && at.Y > b.Min.Y && at.Y < b.Max.Y) {
		return math.Inf(-1)
	}
	top := b.Max.Z
	if s.base != nil {
		top = s.base.over(at)
	}
	return min(top, s.deepest(top, func(c *cut) bool { return c.contains(at, 0) && c.area.Contains(at) }))
}

// cover returns the height of the deepest cut that removes all within a distance of a position, +Inf without one.
func (s *Stock) cover(at geom.Vec2, distance float64) float64 {
	return s.deepest(math.Inf(1), func(c *cut) bool {
		return c.contains(at, distance) && c.area.Distance(at) >= distance
	})
}

// deepest returns the height of the lowest cut that is wanted, +Inf where none below a height is. The last ones, which
// are the lowest as a rule, are asked first, and of a turn the widest, without which the others are not wanted either.
func (s *Stock) deepest(below float64, isWanted func(c *cut) bool) float64 {
	low := math.Inf(1)
	for last := len(s.cuts) - 1; last >= 0; {
		first := last
		for first > 0 && s.cuts[first-1].turn == s.cuts[last].turn {
			first--
		}
		if s.cuts[first].z < min(low, below) && isWanted(&s.cuts[last]) {
			for i := first; i <= last && s.cuts[i].z < min(low, below); i++ {
				if i == last || isWanted(&s.cuts[i]) {
					low = s.cuts[i].z
				}
			}
		}
		last = first - 1
	}
	return low
}

// contains reports whether all within a distance of a place is in the rectangle round the cut.
func (c *cut) contains(at geom.Vec2, distance float64) bool {
	return at.X-distance >= c.lo.X && at.Y-distance >= c.lo.Y && at.X+distance <= c.hi.X && at.Y+distance <= c.hi.Y
}

// Blur returns the width (mm) by which the stock may be wider than it is, since earlier setups handed it on in cells; 0
// without earlier setups.
func (s *Stock) Blur() float64 {
	if s.base == nil {
		return 0
	}
	return s.base.grid.Step
}

// rectangle returns the plan of a box, wider all round by some mm.
func rectangle(b geom.Box, grow float64) (*arcpoly.Area, error) {
	lo, hi := geom.Vec2{X: b.Min.X - grow, Y: b.Min.Y - grow}, geom.Vec2{X: b.Max.X + grow, Y: b.Max.Y + grow}
	if !(lo.X < hi.X && lo.Y < hi.Y) {
		return nil, nil
	}
	return arcpoly.New(box2(lo, hi))
}

// box2 returns the rectangle between two corners.
func box2(p, q geom.Vec2) planar.Loop {
	lo := geom.Vec2{X: min(p.X, q.X), Y: min(p.Y, q.Y)}
	hi := geom.Vec2{X: max(p.X, q.X), Y: max(p.Y, q.Y)}
	corner := [4]geom.Vec2{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
	l := make(planar.Loop, 4)
	for i := range l {
		l[i] = planar.NewLine(corner[i], corner[(i+1)%4])
		l[i].Tag = graph.None
	}
	return l
}
