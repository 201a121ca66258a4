package toolpath

import (
	"fmt"
	"maps"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Contours follow the boundary of the tip's free area along the walls of the operation's regions: whole loops, and
// chains between other obstacles. The wall is on the right of the tool, so that it climbs. If an earlier contour of
// the setup has followed the same walls, only the ranges with remaining stock are cut, as in corners; so too if a
// floor was finished up to walls and that saves path, except for spring passes. A contour beside faces roughs: it
// takes the stairs that larger levels leave on slopes.

const (
	lead      = 0.15 // of the diameter, radius of the arc onto a wall and off it
	leastLead = 0.1  // of the diameter, where there is no place for more
	overlap   = 0.05 // of the diameter, by how much a closed loop is walked twice

	// beyondEnd is the distance that a tool follows a wall beyond its open end, mm: past the stock to leave on the wall
	// around the corner, so that no burr of it stays in this wall's plane.
	beyondEnd = 0.5

	// skin is the largest thickness of stock into which a tool plunges rather than ramps, mm: more than roughing leaves
	// on a floor.
	skin = 0.2

	// shaving is half the thickness of stock that counts as cut after an earlier operation, mm. It is more than the
	// rounding of areas and less than a tolerance.
	shaving = 0.005

	// blend is the overlap of a contour with the one before it, a share of the tool's radius.
	blend = 0.02
)

// chain is a path along walls.
type chain struct {
	pieces []planar.Segment
	closed bool
}

func (w *operationBuilder) contour() error {
	wanted := w.patches()
	isRough := len(w.op.Beside) > 0
	if isRough {
		wanted = w.patchesOf(w.op.Beside)
	}
	met, stands := map[int32]bool{}, map[int32]bool{}
	before := w.op.Top
	heights := w.heights()
	follows := w.follows()
	for i, z := range heights {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		free, err := w.site.Free(w.assembly, z, w.stockToLeave(), w.margin(), w.window)
		if err != nil {
			return err
		}
		part, err := w.site.Part(z-w.op.LeaveAxial, 0)
		if err != nil {
			return err
		}
		for _, c := range chainsOf(part, wanted, 0) {
			for _, p := range c.pieces {
				stands[p.Tag] = true
			}
		}
		chains := chainsOf(free, wanted, w.radius)
		for _, c := range chains {
			for _, p := range c.pieces {
				met[p.Tag] = true
			}
		}
		if follows || w.followsFloors() && !w.op.Spring {
			rest, err := w.uncutChains(z, free, wanted)
			if err != nil {
				return err
			}
			if follows || w.walkOf(rest) < w.walkOf(chains) {
				chains = rest
			}
		}
		l := &level{z: z, air: before + above, free: free}
		for len(chains) > 0 {
			k := nearestChain(chains, flat(w.at))
			chains[k].pieces = merged(chains[k].pieces)
			if err := w.wall(l, chains[k]); err != nil {
				return err
			}
			if w.op.Spring && i == len(heights)-1 {
				if err := w.wall(l, chains[k]); err != nil {
					return err
				}
			}
			chains = slices.Delete(chains, k, k+1)
		}
		if _, err := w.take(z, along(l.cut)); err != nil {
			return err
		}
		if !isRough {
			w.claim(claim{z: z, before: before, walls: true})
		}
		before = z
	}
	if !isRough {
		w.unmet(wanted, met, stands)
	}
	return nil
}

// ofSameKind returns the operations of the setup with the same kind of finishing, before this one or after it.
func (w *operationBuilder) ofSameKind(after bool) (list []*planning.Operation) {
	isPast := false
	for i := range w.setup.Operations {
		o := &w.setup.Operations[i]
		if o == w.op {
			isPast = true
		} else if o.Strategy == w.op.Strategy && o.Floor == w.op.Floor && isPast == after {
			list = append(list, o)
		}
	}
	return list
}

// follows reports whether an earlier operation of the setup finishes some of the same faces.
func (w *operationBuilder) follows() bool { return w.sharesFaces(w.ofSameKind(false)) }

// followsFloors reports whether an earlier operation of the setup finishes floors up to the walls around them. Its
// flutes then finish the lower part of these walls too.
func (w *operationBuilder) followsFloors() bool {
	for i := range w.setup.Operations {
		o := &w.setup.Operations[i]
		if o == w.op {
			break
		}
		if o.Floor && o.LeaveRadial == 0 {
			return true
		}
	}
	return false
}

func (w *operationBuilder) sharesFaces(list []*planning.Operation) bool {
	return slices.ContainsFunc(list, func(o *planning.Operation) bool {
		return slices.ContainsFunc(o.Regions, func(f int) bool { return slices.Contains(w.op.Regions, f) })
	})
}

// walkOf returns the length (mm) of chains with their leads and links.
func (w *operationBuilder) walkOf(chains []chain) (length float64) {
	for _, c := range chains {
		length += lengthOf(c.pieces) + 4*w.radius
	}
	return length
}

// uncutChains returns the ranges of the walls at which the tool cuts material.
func (w *operationBuilder) uncutChains(z float64, free *arcpoly.Area, wanted map[int32]bool) ([]chain, error) {
	rest, err := w.uncut(z+w.shoulder(), 0)
	if err != nil {
		return nil, err
	}
	near, err := rest.Offset(shaving + w.radius*(1+blend))
	if err != nil {
		return nil, err
	}
	if near, err = bare(near); err != nil {
		return nil, err
	}
	if near, err = arcpoly.Intersection(free, near); err != nil {
		return nil, err
	}
	return chainsOf(near, wanted, 0), nil
}

// uncut returns the stock above a height outside the part and its stock to leave (mm), less a shaving at its edges.
func (w *operationBuilder) uncut(z, leave float64) (*arcpoly.Area, error) {
	stock, err := w.site.Stock.Above(z)
	if err != nil {
		return nil, err
	}
	if stock, err = w.window.Clip(stock); err != nil {
		return nil, err
	}
	part, err := w.site.Part(z, leave)
	if err != nil {
		return nil, err
	}
	rest, err := stock.Minus(part)
	if err != nil {
		return nil, err
	}
	return rest.Offset(-shaving)
}

// bare returns an area without tags.
func bare(a *arcpoly.Area) (*arcpoly.Area, error) {
	loops := slices.Clone(a.Loops())
	for i := range loops {
		loops[i] = plain(loops[i])
	}
	return arcpoly.New(loops...)
}

// unmet declares walls of the operation that never stopped the tool. Walls in the section of the part are out of the
// tool's reach, the others are under other material.
func (w *operationBuilder) unmet(wanted, met, stands map[int32]bool) {
	narrow := leftover{
		reason: completeness.NoToolFits, patches: map[int32]bool{}, bottom: w.op.Bottom, top: w.op.Top,
		detail: fmt.Sprintf("the tool of %.4g mm does not fit next to it.", 2*w.radius),
	}
	hidden := leftover{
		reason: completeness.Undercut, patches: map[int32]bool{}, bottom: w.op.Bottom, top: w.op.Top,
		detail: "something above it is in the way of the tool.",
	}
	later := map[int32]bool{} // patches of thinner tools after this one
	for _, o := range w.ofSameKind(true) {
		maps.Copy(later, w.patchesOf(o.Regions))
	}
	for p := range wanted {
		switch {
		case met[p] || later[p]:
		case w.in.Graph.Slopes(p, w.setup.Frame.Z).Lo > flatCos: // an adjacent floor is not a wall
		case stands[p]:
			narrow.patches[p] = true
		default:
			hidden.patches[p] = true
		}
	}
	for _, l := range []leftover{narrow, hidden} {
		if len(l.patches) > 0 {
			w.left.add(l)
		}
	}
}

// flatCos is the cosine of the slope up to which a face is a floor.
const flatCos = 0.99

func isWanted(tag int32, wanted map[int32]bool) bool {
	return tag != graph.None && (wanted == nil || wanted[tag])
}

// chainsOf returns the ranges of the boundary of an area that are walls of some patches. Gaps (mm) between two of them
// up to gap are included: to leave the wall and return would take longer, and leave a ridge.
func chainsOf(a *arcpoly.Area, wanted map[int32]bool, gap float64) (chains []chain) {
	for _, l := range a.Loops() {
		walls := make([]bool, len(l))
		for i := range l {
			walls[i] = isWanted(l[i].Tag, wanted)
		}
		bridge(l, walls, gap)
		first := slices.Index(walls, false)
		if first < 0 {
			chains = append(chains, chain{begun(l), true})
			continue
		}
		var run []planar.Segment
		for i := range l {
			k := (first + i) % len(l)
			if walls[k] {
				run = append(run, l[k])
				continue
			}
			if len(run) > 0 {
				chains = append(chains, chain{run, false})
			}
			run = nil
		}
		if len(run) > 0 {
			chains = append(chains, chain{run, false})
		}
	}
	return chains
}

// bridge marks ranges of a loop no longer than gap between walls as wall.
func bridge(l planar.Loop, walls []bool, gap float64) {
	first := slices.Index(walls, true)
	if first < 0 || gap <= 0 {
		return
	}
	begin, length := 1, 0.0
	for i := 1; i <= len(l); i++ {
		k := (first + i) % len(l)
		if !walls[k] {
			length += l[k].Length()
			continue
		}
		if length <= gap {
			for j := begin; j < i; j++ {
				walls[(first+j)%len(l)] = true
			}
		}
		begin, length = i+1, 0
	}
}

// begun returns a loop from the middle of its longest piece, where a mark of the tool shows least.
func begun(l planar.Loop) []planar.Segment {
	longest := 0
	for i := range l {
		if l[i].Length() > l[longest].Length() {
			longest = i
		}
	}
	head, tail := split(l[longest], l[longest].At(0.5))
	out := append([]planar.Segment{tail}, l[longest+1:]...)
	return append(append(out, l[:longest]...), head)
}

func nearestChain(chains []chain, at geom.Vec2) int {
	best := 0
	for i := range chains {
		if chains[i].pieces[0].From.Dist(at) < chains[best].pieces[0].From.Dist(at) {
			best = i
		}
	}
	return best
}

// wall cuts along a chain, with leads along arcs if they fit.
func (w *operationBuilder) wall(l *level, c chain) error {
	in, walk, out, err := w.route(l, c)
	if err != nil {
		return err
	}
	top, err := w.top(in[0].From)
	if err != nil {
		return err
	}
	switch inMaterial := top > l.z+motion.Resolution; {
	case inMaterial && c.closed && w.ramps(c.pieces) && !(top <= l.z+skin && w.plunges()):
		if err := w.slope(l, c.pieces); err != nil {
			return err
		}
		c.pieces = turned(c.pieces, flat(w.at))
		if _, walk, out, err = w.route(l, c); err != nil {
			return err
		}
		in = []planar.Segment{planar.NewLine(flat(w.at), flat(w.at))}
	case inMaterial && !w.plunges():
		w.left.refuse(completeness.NoToolFits, "the tool may neither ramp nor plunge into it.")
		return nil
	default:
		if err := w.over(in[0].From, l.z, l); err != nil {
			return err
		}
		kind := motion.LeadIn
		if inMaterial {
			kind = motion.Plunge
		}
		w.line(lift(in[0].From, l.z), kind, w.plungeFeed())
	}
	w.walk(l, in, walk, out)
	l.cut = append(l.cut, in, walk, out)
	return nil
}

// route returns the path along a chain with its leads; leads that do not fit are points.
func (w *operationBuilder) route(l *level, c chain) (in, walk, out []planar.Segment, err error) {
	walk = slices.Clone(c.pieces)
	if c.closed {
		again, _ := cutAt(c.pieces, min(2*w.radius*overlap, lengthOf(c.pieces)/2))
		walk = append(walk, again...)
	} else if l.way == nil { // roughing leaves nothing on chamfers, and adjacent paths may bend
		a, b := walk[0], walk[len(walk)-1]
		if on := planar.NewLine(a.From.Sub(a.Tangent(0).Scale(beyondEnd)), a.From); l.contains(&on) {
			walk = slices.Insert(walk, 0, on)
		}
		if on := planar.NewLine(b.To, b.To.Add(b.Tangent(1).Scale(beyondEnd))); l.contains(&on) {
			walk = append(walk, on)
		}
	}
	first, last := walk[0], walk[len(walk)-1]
	stock, err := w.site.Stock.Above(l.z)
	if err != nil {
		return nil, nil, nil, err
	}
	// The shortest lead from the air, else the longest one.
	isAir := func(p geom.Vec2) bool { return stock.Distance(p) <= -w.radius }
	in, ok := w.lead(l, first.From, first.Tangent(0), true, isAir, lead, 0.25, 0.5, leastLead)
	if !ok {
		in, _ = w.lead(l, first.From, first.Tangent(0), true, nil, 0.5, 0.25, leastLead)
	}
	out, _ = w.lead(l, last.To, last.Tangent(1), false, nil, lead, 0.25, 0.5, leastLead)
	return in, walk, out, nil
}

// walk cuts along a route at the height of the level and rises off it.
func (w *operationBuilder) walk(l *level, in, walk, out []planar.Segment) {
	for _, p := range in {
		w.piece(p, l.z, motion.LeadIn, w.feed())
	}
	w.follow(walk, w.feed())
	for _, p := range out {
		w.piece(p, l.z, motion.LeadOut, w.feed())
	}
	w.line(lift(flat(w.at), min(l.z+above, w.safe)), motion.LeadOut, w.linkFeed())
}

// lead returns a quarter turn onto or off a point of a wall, on the left of the path along it, of the first radius
// (share of the diameter) that fits and whose free end is as wanted; else a straight lead; if neither fits, the point
// alone, and false.
func (w *operationBuilder) lead(l *level, at, along geom.Vec2, onto bool, isWanted func(geom.Vec2) bool,
	radii ...float64,
) ([]planar.Segment, bool) {
	n := left(along)
	fits := func(p *planar.Segment, end geom.Vec2) bool {
		return l.contains(p) && l.isClear(end) && (isWanted == nil || isWanted(end))
	}
	for _, share := range radii {
		r := 2 * w.radius * share
		center := at.Add(n.Scale(r))
		// Onto a wall it turns to the left, and so does it off it.
		far := center.Sub(along.Scale(r))
		if !onto {
			far = center.Add(along.Scale(r))
		}
		arc := planar.NewArc(center, far, quarter)
		arc.To = at
		if !onto {
			arc = planar.NewArc(center, at, quarter)
			arc.To = far
		}
		if fits(&arc, far) {
			return []planar.Segment{arc}, true
		}
	}
	side := at.Add(n.Scale(2 * w.radius * leastLead))
	straight := planar.NewLine(side, at)
	if !onto {
		straight = planar.NewLine(at, side)
	}
	if fits(&straight, side) {
		return []planar.Segment{straight}, true
	}
	return []planar.Segment{planar.NewLine(at, at)}, false
}
