package planning

// Which mills rough a setup, and in which order: by time.
//
// Method: a grid over the stock has for each cell the height of the stock, the height that roughing has to reach, and
// the lowest height that each mill clears. The latter comes from a height map of the part and the jaws: its offset by
// the outline of the mill in its holder is the lowest position of the tip. The mill clears down to the lowest of
// these positions within its radius, less its rounded corners (Nelaturi et al., "Automatic generation of machining
// plans", ASME DETC 2015, use the same map in three dimensions). A sequence of mills then has a time: each clears what
// it reaches of what those before it leave, one pass for each axial depth, and takes a tool change. What all of them
// leave goes to the finishing tools of the setup, the thickest first. The sequence begins with the best single mill.
// Mills are added, dropped and replaced as long as that saves time.
//
// The rate of a mill falls in narrow places, where its cuts are short and its returns are long. The width of a place is
// that of the thickest disc of a row that covers it at the height of the cut, by the same maps.
//
// The grid decides the sequence only. The motion is computed on exact areas, so an error of a cell costs time, never
// material of the part.

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	roughCells  = 192 // of the grid along the longer side of the stock, or over the thickest mill
	stockLayers = 24  // heights at which the stock is sampled over a cell
	mostMills   = 5   // that rough a setup
	thinLayer   = 0.2 // mm, thickest material over a cell that takes no pass
	unevenness  = 0.7 // cells by which a wall on the grid differs from the wall of the part
	leastCells  = 3   // diameter of the thinnest mill that the grid resolves

	// Clearing with a bounded engagement: in a place of width W, a mill of diameter D has the share openRate −
	// narrowLoss (D/W)² of the rate of its cutting data while it moves, and loses turnSeconds at the ends of each cut
	// across the width. Narrow places take more cuts: turnsMore (D/W − 1/2)² more for each. In open pockets of 2 to 6
	// diameters, mills of 6 to 20 mm are within 10 % of that. They take up to a third less time in narrower ones,
	// where thinner mills keep the bound better, and in closed ones.
	openRate    = 0.78
	narrowLoss  = 0.37
	turnSeconds = 0.3
	turnsMore   = 20
	widthStep   = 1.3 // ratio of one measured width to the next
	widest      = 4   // diameters of the thickest mill: wider places are as good
)

// roughing is the material that a setup roughs, as heights along the side (mm) over the cells of a grid.
type roughing struct {
	grid  grid.Grid
	part  []float32 // and jaws: what no tool may touch
	stock []float32
	goal  []float32
	open  []bool // cells whose material takes a pass
	cells []int  // these, in their order
	deep  []bool // cells over work below the jaws
	rooms []room // ascending
	mills []roughMill
	tail  []roughMill // finishing mills, thick ones first; the last one clears all
}

// room is a width of places.
type room struct {
	width float64   // mm
	low   []float32 // the lowest height at which a disc of the width covers the cell
}

// roughMill is a mill for roughing.
type roughMill struct {
	tool  int
	low   []float32 // the lowest height that it clears, by cell
	reach []float32 // of the last finishing mill, which counts as if it cleared all
	axial float64   // mm
	paces []float64 // s/mm² that a pass takes in each room, and in what is narrower than all of them last
	swap  float64   // s of tool changes that it takes
}

// share is the work of one mill in a sequence.
type share struct {
	tool       int
	top        float64 // of the material that it removes
	open, deep float64 // lowest height that it clears, of cells over work below the jaws and of others; +Inf: none
	// times in s, of the cells over work below the jaws, and of the others
	deepSeconds, openSeconds float64
}

// newRoughing measures the material between the stock, which is top high, and the work of the setup. Deep are the items
// below the jaws.
func (w *writer) newRoughing(ctx context.Context, deep []item, top float64) (*roughing, error) {
	s := w.step.side
	a, b := s.across()
	if s.sign() < 0 {
		a, b = b, a // a right-handed view
	}
	view := geom.Frame{X: sideOf(a, true).dir(w.frame), Y: sideOf(b, true).dir(w.frame), Z: s.dir(w.frame)}
	x, y := along(w.step.before, a), along(w.step.before, b)
	thickest := 0.0
	for _, i := range w.roughers() {
		thickest = max(thickest, w.tools[i].Diameter+2*leaveRadial)
	}
	step := max(x.Length(), y.Length(), thickest) / roughCells
	beside := math.Ceil(thickest/2/step+1) * step
	r := &roughing{grid: grid.Grid{
		X: x.Lo - beside + step/2, Y: y.Lo - beside + step/2, Step: step,
		Width: int(math.Ceil((x.Length() + 2*beside) / step)), Height: int(math.Ceil((y.Length() + 2*beside) / step)),
	}}
	var err error
	if r.part, err = w.in.Mill.Heights(ctx, w.g.Mesh, view, r.grid); err != nil {
		return nil, err
	}
	r.stock, r.goal, r.deep = grid.NewMap(r.grid.Len()), grid.NewMap(r.grid.Len()), make([]bool, r.grid.Len())
	boxes := make([]geom.Box, len(deep)) // of the features, whose walls enclose what is to be cleared
	for k, it := range deep {
		boxes[k] = geom.EmptyBox()
		for _, q := range w.patchesOf(w.owners[w.tasks[it.task].patches[0]][0]) {
			boxes[k] = boxes[k].Union(w.boxes[q])
		}
	}
	for i := range r.part {
		at := geom.Vec2{X: r.grid.X + float64(i%r.grid.Width)*step, Y: r.grid.Y + float64(i/r.grid.Width)*step}
		within := func(box geom.Box) bool {
			u, v := along(box, a), along(box, b)
			return at.X >= u.Lo && at.X <= u.Hi && at.Y >= v.Lo && at.Y <= v.Hi
		}
		low := w.step.low
		for k, it := range deep {
			if it.bottom < low && within(boxes[k]) {
				low, r.deep[i] = it.bottom, true
			}
		}
		r.goal[i] = max(float32(low), r.part[i]+leaveAxial)
		for _, jaw := range w.step.clamping.jaws {
			if within(jaw) {
				r.part[i] = max(r.part[i], float32(s.span(jaw).Hi))
			}
		}
		if !math.IsInf(low, 1) && within(w.step.before) {
			p := geom.Vec3{}
			p.SetCoordinate(a, at.X)
			p.SetCoordinate(b, at.Y)
			r.stock[i] = float32(w.stockOver(p, top, float64(r.goal[i])))
		}
	}
	r.findOpen()
	return r, nil
}

// findOpen finds the cells with material that a mill can clear. Nothing is asked about others.
func (r *roughing) findOpen() {
	r.open = make([]bool, len(r.stock))
	for i, z := range r.stock {
		if r.open[i] = !(float64(z-r.goal[i]) <= thinLayer); r.open[i] {
			r.cells = append(r.cells, i)
		}
	}
}

// stockOver returns the height of the stock over a place between two heights along the side, mm: it is the top without
// what roughing from other sides has cleared.
func (w *writer) stockOver(at geom.Vec3, top, low float64) float64 {
	s := w.step.side
	for k := range stockLayers {
		z := top - (top-low)*(float64(k)+0.5)/stockLayers
		at.SetCoordinate(s.axis(), s.sign()*z)
		if !w.isOpen(at) {
			return top - (top-low)*float64(k)/stockLayers
		}
	}
	return low
}

// clears computes what a mill clears.
func (r *roughing) clears(ctx context.Context, p *planner, m *roughMill) error {
	t := &p.tools[m.tool]
	leave := leaveFor(t)
	tips, err := r.tips(ctx, p, t.assembly.Outline, leave, t.Diameter/2+leave)
	if err != nil {
		return err
	}
	swept := toolprofile.EndMill(t.Diameter+2*leave, t.CornerRadius, t.Diameter)
	m.low, err = r.cleared(ctx, p, tips, swept)
	return err
}

// measureRooms measures the widths of places up to some diameter of mills, mm.
func (r *roughing) measureRooms(ctx context.Context, p *planner, thickest float64) error {
	open := r.grid.Step * float64(max(r.grid.Width, r.grid.Height)) // as wide as anything on the grid
	for w := leastCells * r.grid.Step; w < widest*thickest; w *= widthStep {
		d := min(w, open)
		disc := toolprofile.EndMill(d, 0, d)
		tips, err := r.tips(ctx, p, disc, 0, d/2)
		if err != nil {
			return err
		}
		low, err := r.cleared(ctx, p, tips, disc)
		if err != nil {
			return err
		}
		if w > open {
			w = widest * thickest // wider discs clear the same
		}
		r.rooms = append(r.rooms, room{w, low})
	}
	return nil
}

// pace returns the s/mm² that a pass of a mill takes over a cell that it cuts from a height to another.
func (r *roughing) pace(m *roughMill, cell int, top, low float32) float64 {
	k, middle := len(r.rooms)-1, (top+low)/2
	for k >= 0 && r.rooms[k].low[cell] > middle {
		k--
	}
	if k < 0 {
		k = len(r.rooms)
	}
	return m.paces[k]
}

// tips returns the lowest heights of the tip of a tool whose radius is larger by some mm, less the unevenness of
// walls on the grid, for the cells within a radius (mm) of material.
func (r *roughing) tips(
	ctx context.Context, p *planner, tool toolprofile.Profile, thicker, radius float64,
) ([]float32, error) {
	outline := slices.Clone(tool)
	for i := range outline {
		for _, end := range [2]*geom.Vec2{&outline[i].From, &outline[i].To} {
			end.X = max(end.X+min(end.X, thicker)-unevenness*r.grid.Step, 0)
		}
	}
	tips, err := p.in.Mill.Tips(ctx, r.grid, r.part, outline, r.grid.Around(r.open, radius))
	for i := range tips {
		tips[i] = max(tips[i], r.goal[i])
	}
	return tips, err
}

// cleared returns the lowest heights that a mill clears with the lowest heights of its tip, for cells with material.
func (r *roughing) cleared(ctx context.Context, p *planner, tips []float32, mill toolprofile.Profile) ([]float32, error) {
	for i := range tips {
		tips[i] = -tips[i]
	}
	low, err := p.in.Mill.Tips(ctx, r.grid, tips, mill, r.open)
	for i := range low {
		low[i] = max(-low[i], r.goal[i])
	}
	return low, err
}

// mill returns a mill with its paces.
func (r *roughing) mill(w *writer, tool int) (roughMill, error) {
	middle := w.top
	if !math.IsInf(w.step.low, 0) {
		middle = (w.top + w.step.low) / 2
	}
	d, err := w.held(w.step.clamping.strength, middle, w.tools[tool].Tool, cutting.Rough, 0, 0, 0)
	if err != nil {
		return roughMill{}, err
	}
	m := roughMill{tool: tool, axial: d.Axial.Value}
	full := d.Radial.Value * d.Feed.Value / secondsPerMinute
	pace := func(width float64) float64 {
		narrow := min(w.tools[tool].Diameter/width, 1)
		turns := 1 + turnsMore*math.Pow(max(narrow-0.5, 0), 2)
		return 1/(full*(openRate-narrowLoss*narrow*narrow)) + turnSeconds*turns/(d.Radial.Value*width)
	}
	for _, room := range r.rooms {
		m.paces = append(m.paces, pace(room.width))
	}
	m.paces = append(m.paces, pace(w.tools[tool].Diameter))
	return m, nil
}

const secondsPerMinute = 60

// seconds returns the time of a sequence of mills, and notes what each of them does where shares is not nil.
func (r *roughing) seconds(sequence []int, shares *[]share) float64 {
	left := slices.Clone(r.stock)
	cell := r.grid.Step * r.grid.Step
	pass := func(m *roughMill, goal []float32) (does share) {
		does = share{tool: m.tool, top: math.Inf(-1), open: math.Inf(1), deep: math.Inf(1)}
		for _, i := range r.cells {
			z := left[i]
			d := float64(z - goal[i])
			if d <= thinLayer {
				continue
			}
			took := cell * max(1, d/m.axial) * r.pace(m, i, z, goal[i])
			does.top = max(does.top, float64(z))
			if low := float64(goal[i]); r.deep[i] {
				does.deep, does.deepSeconds = min(does.deep, low), does.deepSeconds+took
			} else {
				does.open, does.openSeconds = min(does.open, low), does.openSeconds+took
			}
			left[i] = goal[i]
		}
		return does
	}
	total := 0.0
	for _, k := range sequence {
		m := &r.mills[k]
		does := pass(m, m.low)
		total += does.openSeconds + does.deepSeconds + m.swap
		if shares != nil {
			*shares = append(*shares, does)
		}
	}
	for k := range r.tail {
		m := &r.tail[k]
		low := m.low
		if shares != nil { // only what it reaches takes time
			low = m.reach
		}
		does := pass(m, low)
		total += does.openSeconds + does.deepSeconds
		if shares != nil {
			*shares = append(*shares, does)
		}
	}
	return total
}

// best returns the sequence of mills that takes least time, as indices in the order of the work: the fastest first.
func (r *roughing) best() (sequence []int) {
	least := math.Inf(1)
	for {
		var better []int
		r.changes(sequence, func(s []int) {
			if t := r.milliseconds(s); t < least {
				least, better = t, slices.Clone(s)
			}
		})
		if better == nil {
			return sequence
		}
		sequence = better
	}
}

// milliseconds returns the time of a sequence, rounded, so that sums in another order decide nothing.
func (r *roughing) milliseconds(sequence []int) float64 {
	return math.Round(1e3 * r.seconds(sequence, nil))
}

// changes visits the sequences that have one mill more or less than a sequence, or another one in its place.
func (r *roughing) changes(sequence []int, visit func(changed []int)) {
	for k := range r.mills { // in the order of the work
		at, has := slices.BinarySearch(sequence, k)
		if has {
			if len(sequence) > 1 {
				visit(slices.Delete(slices.Clone(sequence), at, at+1))
			}
			continue
		}
		if len(sequence) < mostMills {
			visit(slices.Insert(slices.Clone(sequence), at, k))
		}
		for i := range sequence {
			s := slices.Delete(slices.Clone(sequence), i, i+1)
			at, _ := slices.BinarySearch(s, k)
			visit(slices.Insert(s, at, k))
		}
	}
}

// explain returns, for each mill of a sequence, the extra cost of the best sequence without it.
func (r *roughing) explain(p *planner, sequence []int) []MillChoice {
	label := func(k int) string { return p.tools[r.mills[k].tool].Label() }
	now := r.milliseconds(sequence)
	list := make([]MillChoice, len(sequence))
	for i, k := range sequence {
		list[i] = MillChoice{Mill: label(k), Seconds: math.Inf(1)}
	}
	r.changes(sequence, func(changed []int) {
		gone := slices.IndexFunc(sequence, func(k int) bool { return !slices.Contains(changed, k) })
		if gone < 0 {
			return
		}
		if more := (r.milliseconds(changed) - now) / 1e3; more < list[gone].Seconds {
			list[gone] = MillChoice{Mill: list[gone].Mill, Seconds: more}
			if i := slices.IndexFunc(changed, func(k int) bool { return !slices.Contains(sequence, k) }); i >= 0 {
				list[gone].Instead = label(changed[i])
			}
		}
	})
	return slices.DeleteFunc(list, func(c MillChoice) bool { return math.IsInf(c.Seconds, 1) })
}

// sequence returns the mills that rough a setup from a height of the stock, in the order of the work.
func (w *writer) sequence(ctx context.Context, items, deep []item, top float64) ([]share, error) {
	r, err := w.newRoughing(ctx, deep, top)
	if err != nil {
		return nil, err
	}
	list := w.roughers()
	slices.SortStableFunc(list, func(i, j int) int {
		return cmp.Or(cmp.Compare(round(w.removal(j)), round(w.removal(i))),
			cmp.Compare(w.tools[j].Diameter, w.tools[i].Diameter))
	})
	finishers := map[int]bool{}
	for _, it := range items {
		finishers[w.clearer(it)] = true
	}
	if len(finishers) == 0 && len(list) > 0 {
		finishers[list[len(list)-1]] = true
	}
	tail := slices.SortedFunc(maps.Keys(finishers), func(i, j int) int {
		return cmp.Or(cmp.Compare(w.tools[j].Diameter, w.tools[i].Diameter), cmp.Compare(i, j))
	})
	if len(tail) == 0 {
		return nil, nil
	}
	list = slices.DeleteFunc(list, func(i int) bool {
		return !w.fitsUpright(w.step.side, &w.tools[i]) || w.tools[i].Diameter < leastCells*r.grid.Step
	})
	thickest := w.tools[tail[0]].Diameter
	for _, i := range list {
		thickest = max(thickest, w.tools[i].Diameter)
	}
	if err := r.measureRooms(ctx, w.planner, thickest); err != nil {
		return nil, err
	}
	for _, i := range list {
		m, err := r.mill(w, i)
		if err != nil {
			continue // usable has checked that data exist
		}
		m.swap = w.in.Config.Machine.ToolChangeSeconds + approachSeconds
		if finishers[i] {
			m.swap -= w.in.Config.Machine.ToolChangeSeconds / 2 // the setup needs it anyway, at times right after
		}
		if err := r.clears(ctx, w.planner, &m); err != nil {
			return nil, err
		}
		r.mills = append(r.mills, m)
	}
	for n, i := range tail {
		if k := slices.IndexFunc(r.mills, func(m roughMill) bool { return m.tool == i }); k >= 0 {
			r.tail = append(r.tail, r.mills[k])
			continue
		}
		isLast, kind := n == len(tail)-1, w.tools[i].Kind
		isEndMill := kind == machining.FlatEndMill || kind == machining.BullNoseEndMill
		m, err := r.mill(w, i)
		if err != nil || !isLast && !isEndMill {
			continue // other mills clear before it finishes
		}
		m.low = r.goal
		if isEndMill {
			if err := r.clears(ctx, w.planner, &m); err != nil {
				return nil, err
			}
		}
		r.tail = append(r.tail, m)
	}
	if len(r.tail) == 0 {
		return nil, nil
	}
	for k := range r.tail {
		r.tail[k].reach = r.tail[k].low
	}
	r.tail[len(r.tail)-1].low = r.goal
	sequence := r.best()
	w.out.Mills = r.explain(w.planner, sequence)
	var shares []share
	r.seconds(sequence, &shares)
	for _, s := range shares[len(sequence):] {
		w.tail[s.tool] = s.openSeconds + s.deepSeconds
	}
	shares = shares[:len(sequence)]
	return slices.DeleteFunc(shares, func(s share) bool { return math.IsInf(s.top, -1) }), nil
}
