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
	box   geom.Box
	base  *heights // nil: the box
	cuts  []cut
	known map[float64]*known
}

type cut struct {
	z    float64
	area *arcpoly.Area
}

// known is what is above a height after the first so many cuts.
type known struct {
	area  *arcpoly.Area
	after int
}

// NewStock returns a stock that fills a box, mm, in the frame of a setup.
func NewStock(box geom.Box) *Stock { return &Stock{box: box, known: map[float64]*known{}} }

// Remaining returns a stock as high as dexels are along a setup's frame. The dexels lie in the frame of the workpiece,
// an axis of which the setup looks along; both frames map to the part. What lies between two rays is taken to be as
// high as the higher one.
func Remaining(d *dexel.Stock, workpiece, setup geom.Frame) *Stock {
	h := newHeights(d, workpiece, setup)
	return &Stock{box: h.box, base: h, known: map[float64]*known{}}
}

// Grain returns how much wider (mm) than it is the stock may be drawn at each of its sides.
func (s *Stock) Grain() float64 {
	if s.base == nil {
		return 0
	}
	return 1.5 * s.base.grid.Step
}

// Box returns what enclosed the stock in the beginning.
func (s *Stock) Box() geom.Box { return s.box }

// Above returns where there may be stock above a height, mm. No piece of it is tagged with a patch.
func (s *Stock) Above(z float64) (*arcpoly.Area, error) {
	k := s.known[z]
	if k == nil {
		whole, err := s.whole(z)
		if err != nil {
			return nil, err
		}
		k = &known{area: whole}
		if k.area, err = s.fromBelow(z, whole); err != nil {
			return nil, err
		}
		k.after = len(s.cuts)
		s.known[z] = k
		return k.area, nil
	}
	var err error
	k.area, err = s.without(k.area, z, func(i int) bool { return i >= k.after })
	k.after = len(s.cuts)
	return k.area, err
}

// fromBelow returns what of an area is above a height, from what is known to be above the next lower one.
func (s *Stock) fromBelow(z float64, whole *arcpoly.Area) (*arcpoly.Area, error) {
	below, floor := (*known)(nil), math.Inf(-1)
	for at, k := range s.known {
		if at < z && at > floor {
			below, floor = k, at
		}
	}
	if below == nil || whole.IsEmpty() {
		return s.without(whole, z, func(int) bool { return true })
	}
	area := below.area
	if !s.sameBase(floor, z) {
		var err error
		if area, err = arcpoly.Intersection(area, whole); err != nil {
			return nil, err
		}
	}
	return s.without(area, z, func(i int) bool { return i >= below.after || s.cuts[i].z > floor+geom.Resolution })
}

// without returns what of an area cuts have left above a height: those that count.
func (s *Stock) without(area *arcpoly.Area, z float64, counts func(i int) bool) (*arcpoly.Area, error) {
	var gone []*arcpoly.Area
	for i, c := range s.cuts {
		if c.z <= z+geom.Resolution && counts(i) {
			gone = append(gone, c.area)
		}
	}
	if len(gone) == 0 || area.IsEmpty() {
		return area, nil
	}
	return area.Minus(gone...)
}

// sameBase reports whether what was above two heights in the beginning is the same for sure.
func (s *Stock) sameBase(a, b float64) bool {
	return b < s.box.Max.Z-geom.Resolution && (s.base == nil || s.base.layer(a) == s.base.layer(b))
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
	if !area.IsEmpty() {
		s.cuts = append(s.cuts, cut{z, area})
	}
}

// Top returns the height (mm) above which no stock is within some distance (mm) of a place.
func (s *Stock) Top(at geom.Vec2, distance float64) (float64, error) {
	floor := s.box.Min.Z
	candidates := []float64{floor, s.box.Max.Z}
	if s.base != nil {
		candidates[1] = s.base.top(at, distance, floor)
	}
	highest := candidates[1]
	for _, c := range s.cuts {
		if c.z > floor && c.z < highest {
			candidates = append(candidates, c.z)
		}
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	var failed error
	i, _ := slices.BinarySearchFunc(candidates, true, func(z float64, _ bool) int {
		above, err := s.Above(z)
		if err != nil {
			failed = err
		}
		if z >= highest || above.Distance(at) <= -distance+geom.Resolution {
			return 0
		}
		return -1
	})
	return candidates[min(i, len(candidates)-1)], failed
}

// Settle forgets cuts that deeper ones cover, between operations.
func (s *Stock) Settle() error {
	var kept []cut
	for i, c := range s.cuts {
		isCovered := false
		for k, d := range s.cuts {
			if k == i || d.z > c.z || d.z == c.z && k < i || sticksOut(c.area, d.area) {
				continue
			}
			rest, err := c.area.Minus(d.area)
			if err != nil {
				return err
			}
			if isCovered = rest.Size() < covered*c.area.Size(); isCovered {
				break
			}
		}
		if !isCovered {
			kept = append(kept, c)
		}
	}
	s.cuts = kept
	clear(s.known)
	return nil
}

// sticksOut reports whether an area plainly is not within another one: it is larger, or a corner of it lies outside. It
// costs much less than to take one from the other.
func sticksOut(a, from *arcpoly.Area) bool {
	if a.Size() > from.Size()*(1+covered) {
		return true
	}
	for _, l := range a.Loops() {
		if from.Distance(l[0].From) < -geom.Resolution {
			return true
		}
	}
	return false
}

// covered is the share of an area that rounding may leave of it.
const covered = 1e-9

// heights are how high dexels reach, over cells in the plane of a setup.
type heights struct {
	grid   grid.Grid // of the lattice, across the axis that the setup looks along
	z      []float32 // along the axis, as the map has it
	origin geom.Vec2 // in the frame of the setup, of the place (0, 0) of the grid
	u, v   geom.Vec2 // unit, of the grid's x and y
	ground float64   // mm, to be added to heights of the map
	box    geom.Box
	layers []float32             // the heights that there are, ascending
	known  map[int]*arcpoly.Area // what is above each layer
}

func newHeights(d *dexel.Stock, workpiece, setup geom.Frame) *heights {
	along := workpiece.LocalDir(setup.Z)
	share := [3]float64{along.X, along.Y, along.Z}
	axis := 0
	for i, c := range share {
		if math.Abs(c) > math.Abs(share[axis]) {
			axis = i
		}
	}
	b, c := dexel.Side(axis)
	axes := [3]geom.Vec3{workpiece.X, workpiece.Y, workpiece.Z}
	flat := func(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }
	origin := setup.Local(workpiece.Origin)
	h := &heights{
		origin: flat(origin), u: flat(setup.LocalDir(axes[b])), v: flat(setup.LocalDir(axes[c])), ground: origin.Z,
		box: geom.EmptyBox(), known: map[int]*arcpoly.Area{},
	}
	h.grid, h.z = d.HeightMap(axis, share[axis] < 0)
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

// above returns the cells that are higher, each wider by a cell all round, as runs of rows.
func (h *heights) above(z float64) (*arcpoly.Area, error) {
	layer := h.layer(z)
	if a, ok := h.known[layer]; ok {
		return a, nil
	}
	var loops []region.Loop
	g := h.grid
	limit := z - h.ground + geom.Resolution
	isHigh := func(i, j int) bool { return float64(h.z[j*g.Width+i]) > limit }
	for j := range g.Height {
		for i := 0; i < g.Width; i++ {
			if !isHigh(i, j) {
				continue
			}
			first := i
			for i+1 < g.Width && isHigh(i+1, j) {
				i++
			}
			// Half a cell to its side, and another whole one.
			p := h.place(float64(first)-1.5, float64(j)-1.5)
			q := h.place(float64(i)+1.5, float64(j)+1.5)
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
	h.known[layer] = a
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
