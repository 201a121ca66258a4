package access

import (
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
	"millwright/core/stock/dexel"
	"millwright/core/stock/grid"
)

// Stock is what may still be there while a setup is worked on: never less than there is. It begins as a box or as
// heights, from which cuts take away everything above some area. It is not safe for concurrent use.
type Stock struct {
	box     geom.Box
	base    *heights // nil: the box
	cuts    []cut
	heights []float64 // of cuts, ascending
	known   map[level]*known
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
func NewStock(box geom.Box) *Stock { return &Stock{box: box, known: map[level]*known{}} }

// Remaining returns a stock as high as dexels are along a setup's frame. The dexels lie in the frame of the workpiece,
// an axis of which the setup looks along; both frames map to the part. What lies between two rays is taken to be as
// high as the higher one.
func Remaining(d *dexel.Stock, workpiece, setup geom.Frame) *Stock {
	h := newHeights(d, workpiece, setup)
	return &Stock{box: h.box, base: h, known: map[level]*known{}}
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

// few is how many cuts are taken from a level one by one: more of them from the one below, where that is known.
const few = 2

// update takes from a level the cuts that were made since it was known.
func (s *Stock) update(at level, k *known) error {
	var err error
	from := k.after
	if s.count(at, from) > few {
		if under, lower := s.below(at); lower != nil {
			if err = s.update(under, lower); err != nil {
				return err
			}
			if k.area, err = arcpoly.Intersection(k.area, lower.area); err != nil {
				return err
			}
			k.area, err = s.without(k.area, at, func(i int) bool { return i >= from && s.cuts[i].z > under.cut })
			k.after = len(s.cuts)
			return err
		}
	}
	k.area, err = s.without(k.area, at, func(i int) bool { return i >= from })
	k.after = len(s.cuts)
	return err
}

// count returns how many of the cuts from one on count for a level.
func (s *Stock) count(at level, from int) (n int) {
	for _, c := range s.cuts[from:] {
		if c.z <= at.cut {
			n++
		}
	}
	return n
}

// without returns what of an area cuts have left above a level: those that count.
func (s *Stock) without(area *arcpoly.Area, at level, counts func(i int) bool) (*arcpoly.Area, error) {
	var gone []*arcpoly.Area
	for i, c := range s.cuts {
		if c.z <= at.cut && counts(i) {
			gone = append(gone, c.area)
		}
	}
	if len(gone) == 0 || area.IsEmpty() {
		return area, nil
	}
	return area.Minus(gone...)
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

// heights are how high dexels reach, over cells in the plane of a setup.
type heights struct {
	grid    grid.Grid // of the lattice, across the axis that the setup looks along
	z       []float32 // along the axis, as the map has it
	origin  geom.Vec2 // in the frame of the setup, of the place (0, 0) of the grid
	u, v    geom.Vec2 // unit, of the grid's x and y
	ground  float64   // mm, to be added to heights of the map
	box     geom.Box
	layers  []float32             // the heights that there are, ascending
	known   map[int]*arcpoly.Area // what is above each layer
	between map[int]*arcpoly.Area // likewise, what is so for sure
}

func newHeights(d *dexel.Stock, workpiece, setup geom.Frame) *heights {
	along := workpiece.LocalDir(setup.Z)
	axis := dexel.Along(along)
	b, c := dexel.Side(axis)
	axes := [3]geom.Vec3{workpiece.X, workpiece.Y, workpiece.Z}
	flat := func(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }
	origin := setup.Local(workpiece.Origin)
	h := &heights{
		origin: flat(origin), u: flat(setup.LocalDir(axes[b])), v: flat(setup.LocalDir(axes[c])), ground: origin.Z,
		box: geom.EmptyBox(), known: map[int]*arcpoly.Area{}, between: map[int]*arcpoly.Area{},
	}
	h.grid, h.z = d.HeightMap(axis, [3]float64{along.X, along.Y, along.Z}[axis] < 0)
	lattice := d.Lattice.Box()
	h.box = h.box.Add(setup.Local(workpiece.Point(lattice.Min))).Add(setup.Local(workpiece.Point(lattice.Max)))
	top := h.box.Min.Z
	for _, z := range h.z {
		if z != grid.Nothing {
			top = max(top, float64(z)+h.ground)
		}
	}
	h.box.Max.Z = top
	h.layers = slices.Clone(h.z)
	slices.Sort(h.layers)
	h.layers = slices.Compact(h.layers)
	return h
}

// layer returns how many of the heights are not above a height: what is above two heights of one layer is the same.
func (h *heights) layer(z float64) int {
	n, _ := slices.BinarySearchFunc(h.layers, z-h.ground+geom.Resolution, func(a float32, b float64) int {
		if float64(a) <= b {
			return -1
		}
		return 1
	})
	return n
}

// above returns the cells that are higher, each wider by a cell all round: the stock ends before the next ray.
func (h *heights) above(z float64) (*arcpoly.Area, error) {
	limit := z - h.ground + geom.Resolution
	return h.runs(h.known, h.layer(z), -1.5, 1.5, func(i, j int) bool { return float64(h.z[j*h.grid.Width+i]) > limit })
}

// sure returns what lies between four rays that are higher.
func (h *heights) sure(z float64) (*arcpoly.Area, error) {
	limit := z - h.ground + geom.Resolution
	g := h.grid
	return h.runs(h.between, h.layer(z), 0, 1, func(i, j int) bool {
		if i+1 >= g.Width || j+1 >= g.Height {
			return false
		}
		at := j*g.Width + i
		return float64(min(h.z[at], h.z[at+1], h.z[at+g.Width], h.z[at+g.Width+1])) > limit
	})
}

// runs returns the cells that are in, as runs of rows, each from so far (cells) before its ray to so far behind it.
func (h *heights) runs(
	known map[int]*arcpoly.Area, layer int, before, behind float64, isIn func(i, j int) bool,
) (*arcpoly.Area, error) {
	if a, ok := known[layer]; ok {
		return a, nil
	}
	var loops []region.Loop
	for j := range h.grid.Height {
		for i := 0; i < h.grid.Width; i++ {
			if !isIn(i, j) {
				continue
			}
			first := i
			for i+1 < h.grid.Width && isIn(i+1, j) {
				i++
			}
			p := h.place(float64(first)+before, float64(j)+before)
			q := h.place(float64(i)+behind, float64(j)+behind)
			loops = append(loops, box2(p, q))
		}
	}
	a, err := arcpoly.New(loops...)
	if err != nil {
		return nil, err
	}
	window, err := rectangle(h.box, 0)
	if err != nil {
		return nil, err
	}
	if a, err = arcpoly.Intersection(a, window); err != nil {
		return nil, err
	}
	known[layer] = a
	return a, nil
}

// place returns where a cell, or a place between cells, is in the frame of the setup.
func (h *heights) place(i, j float64) geom.Vec2 {
	return h.origin.Add(h.u.Scale(h.grid.X + i*h.grid.Step)).Add(h.v.Scale(h.grid.Y + j*h.grid.Step))
}

// top returns how high the cells are that reach within some distance of a place, at least floor.
func (h *heights) top(at geom.Vec2, distance, floor float64) float64 {
	g := h.grid
	d := at.Sub(h.origin)
	x, y := (d.Dot(h.u)-g.X)/g.Step, (d.Dot(h.v)-g.Y)/g.Step
	wide := distance/g.Step + 1.5
	top := floor
	for j := max(int(y-wide), 0); j <= min(int(y+wide)+1, g.Height-1); j++ {
		for i := max(int(x-wide), 0); i <= min(int(x+wide)+1, g.Width-1); i++ {
			if z := h.z[j*g.Width+i]; z != grid.Nothing {
				top = max(top, float64(z)+h.ground)
			}
		}
	}
	return top
}

// over returns how high the cells are that are drawn over a place, -Inf for none.
func (h *heights) over(at geom.Vec2) float64 {
	g := h.grid
	d := at.Sub(h.origin)
	x, y := (d.Dot(h.u)-g.X)/g.Step, (d.Dot(h.v)-g.Y)/g.Step
	top := math.Inf(-1)
	for j := max(int(math.Ceil(y-1.5)), 0); j <= min(int(math.Floor(y+1.5)), g.Height-1); j++ {
		for i := max(int(math.Ceil(x-1.5)), 0); i <= min(int(math.Floor(x+1.5)), g.Width-1); i++ {
			if z := h.z[j*g.Width+i]; z != grid.Nothing {
				top = max(top, float64(z)+h.ground)
			}
		}
	}
	return top
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
