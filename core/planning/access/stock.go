package access

import (
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
	"millwright/core/stock/dexel"
)

// Stock is what may still be there while a setup is worked on: never less than there is. It begins as a box or as
// heights, from which cuts take away everything above some area. It is not safe for concurrent use.
type Stock struct {
	box     geom.Box
	base    *heights // nil: the box
	cuts    []cut
	heights []float64 // of cuts, ascending
	known   map[level]*known
	blocks  map[[2]int]*arcpoly.Area // what cuts have taken together, by the first and how many, a power of two
}

// cut is what is gone above a height.
type cut struct {
	z      float64
	area   *arcpoly.Area
	lo, hi geom.Vec2 // corners of the rectangle round the area
}

// level is a range of heights above which the stock is the same: from that of a cut, or of a layer of the base, to the
// next one.
type level struct {
	cut   float64 // height of the highest cut that counts, -Inf for none
	layer int     // of the base
}

// known is what is above a level after the first so many cuts.
type known struct {
	area  *arcpoly.Area
	after int
}

// NewStock returns a stock that fills a box, mm, in the frame of a setup.
func NewStock(box geom.Box) *Stock { return newStock(box, nil) }

func newStock(box geom.Box, base *heights) *Stock {
	return &Stock{box: box, base: base, known: map[level]*known{}, blocks: map[[2]int]*arcpoly.Area{}}
}

// Remaining returns a stock as high as dexels are along a setup's frame. The dexels lie in the frame of the workpiece,
// an axis of which the setup looks along; both frames map to the part. What lies between two rays is taken to be as
// high as the higher one.
func Remaining(d *dexel.Stock, workpiece, setup geom.Frame) *Stock {
	h := newHeights(d, workpiece, setup)
	return newStock(h.box, h)
}

// Sure returns what of an area above a height is stock for sure, where none was cut since the setup began.
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
	if k == nil {
		area, err := s.fromBelow(at, z)
		if err != nil {
			return nil, err
		}
		k = &known{area, len(s.cuts)}
		s.known[at] = k
	}
	return k.area, s.update(at, k)
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

// below returns the next lower level that is known.
func (s *Stock) below(at level) (under level, k *known) {
	for l, other := range s.known {
		if l == at || l.cut > at.cut || l.layer > at.layer {
			continue
		}
		if k == nil || l.cut > under.cut || l.cut == under.cut && l.layer > under.layer {
			under, k = l, other
		}
	}
	return under, k
}

// fromBelow returns what is above a level that a height is in, from what is known to be above the next lower one.
func (s *Stock) fromBelow(at level, z float64) (*arcpoly.Area, error) {
	under, k := s.below(at)
	if k == nil {
		area, err := s.whole(z)
		if err != nil {
			return nil, err
		}
		return s.without(area, at, func(int) bool { return true })
	}
	area := k.area
	if under.layer != at.layer {
		whole, err := s.whole(z)
		if err != nil {
			return nil, err
		}
		if area, err = arcpoly.Intersection(area, whole); err != nil {
			return nil, err
		}
	}
	return s.without(area, at, func(i int) bool { return i >= k.after || s.cuts[i].z > under.cut })
}

// few is how many cuts are taken from a level one by one: more of them from the one below, where that knows of some.
const few = 2

// update takes from a level the cuts that were made since it was known.
func (s *Stock) update(at level, k *known) (err error) {
	from := k.after
	counts := func(i int) bool { return i >= from }
	if pending := s.count(at, counts); pending > few {
		if under, lower := s.below(at); lower != nil {
			area, after := lower.area, lower.after
			left := func(i int) bool { return i >= from && (i >= after || s.cuts[i].z > under.cut) }
			if s.count(at, left) < pending {
				if k.area, err = arcpoly.Intersection(k.area, area); err != nil {
					return err
				}
				counts = left
			}
		}
	}
	k.area, err = s.without(k.area, at, counts)
	k.after = len(s.cuts)
	return err
}

// count returns how many cuts that count for a level are among some.
func (s *Stock) count(at level, among func(i int) bool) (n int) {
	for i, c := range s.cuts {
		if c.z <= at.cut && among(i) {
			n++
		}
	}
	return n
}

// without returns what of an area cuts have left above a level: those that count.
func (s *Stock) without(area *arcpoly.Area, at level, counts func(i int) bool) (*arcpoly.Area, error) {
	size := 1
	for size < len(s.cuts) {
		size *= 2
	}
	gone, err := s.gone(nil, 0, size, func(i int) bool { return s.cuts[i].z <= at.cut && counts(i) })
	if err != nil || len(gone) == 0 || area.IsEmpty() {
		return area, err
	}
	return area.Minus(gone...)
}

// gone appends areas that some of the cuts from first on have taken, size of them, a power of two: blocks of cuts that
// follow one another are joined once for all levels.
func (s *Stock) gone(list []*arcpoly.Area, first, size int, counts func(i int) bool) ([]*arcpoly.Area, error) {
	n := 0
	for i := first; i < min(first+size, len(s.cuts)); i++ {
		if counts(i) {
			n++
		}
	}
	switch half := size / 2; n {
	case 0:
		return list, nil
	case size:
		a, err := s.joined(first, size)
		return append(list, a), err
	default:
		list, err := s.gone(list, first, half, counts)
		if err != nil {
			return nil, err
		}
		return s.gone(list, first+half, half, counts)
	}
}

// joined returns what a block of cuts has taken.
func (s *Stock) joined(first, size int) (a *arcpoly.Area, err error) {
	if size == 1 {
		return s.cuts[first].area, nil
	}
	key := [2]int{first, size}
	if a, ok := s.blocks[key]; ok {
		return a, nil
	}
	var halves [2]*arcpoly.Area
	for i := range halves {
		if halves[i], err = s.joined(first+i*size/2, size/2); err != nil {
			return nil, err
		}
	}
	if a = halves[0]; halves[1] != a {
		a, err = arcpoly.Union(halves[:]...)
	}
	s.blocks[key] = a
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

// Cut takes away what is above a height over an area. The area must not be larger than what was cut for sure.
func (s *Stock) Cut(z float64, area *arcpoly.Area) {
	if area.IsEmpty() {
		return
	}
	c := cut{z: z, area: area}
	c.lo, c.hi = area.Extent()
	s.cuts = append(s.cuts, c)
	if i, ok := slices.BinarySearch(s.heights, z); !ok {
		s.heights = slices.Insert(s.heights, i, z)
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
	for _, c := range s.cuts {
		if c.z < top && c.holds(at, 0) && c.area.Contains(at) {
			top = c.z
		}
	}
	return top
}

// cover returns the height of the deepest cut that takes all within a distance of a place, +Inf for none.
func (s *Stock) cover(at geom.Vec2, distance float64) float64 {
	low := math.Inf(1)
	for _, c := range s.cuts {
		if c.z < low && c.holds(at, distance) && c.area.Distance(at) >= distance {
			low = c.z
		}
	}
	return low
}

// holds reports whether all within a distance of a place is in the rectangle round the cut.
func (c *cut) holds(at geom.Vec2, distance float64) bool {
	return at.X-distance >= c.lo.X && at.Y-distance >= c.lo.Y && at.X+distance <= c.hi.X && at.Y+distance <= c.hi.Y
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
func box2(p, q geom.Vec2) region.Loop {
	lo := geom.Vec2{X: min(p.X, q.X), Y: min(p.Y, q.Y)}
	hi := geom.Vec2{X: max(p.X, q.X), Y: max(p.Y, q.Y)}
	corner := [4]geom.Vec2{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
	l := make(region.Loop, 4)
	for i := range l {
		l[i] = region.Segment(corner[i], corner[(i+1)%4])
		l[i].Tag = graph.None
	}
	return l
}
