package replay

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Engagement of the tools with the material, move by move.
//
// # Method
//
// A point is material if it lies in the stock and no earlier move at a feed has taken it, which is asked of the exact
// swept area of each move that comes near. A sample is taken a quarter of the tool's radius after the last one. It asks
// for points on the front half circle of the flutes, 2.5° apart, and, where the move falls, below the end. A sample
// that meets nothing at any of its heights is in the air, and stands for the time since the last one.
//
// The arc of contact is the part of the front half circle in material at half the depth of the cut. That depth is the
// way up to the next level of the operation, to the top of the stock, or the axial depth, whichever is the least. Where
// nothing is left at half the depth it is asked lower. Moves that fall are entries: they have no arc.
//
// Volumes and levels are of lines along the setup's axis, scattered evenly. A level counts where it takes something
// from a line, and a line needs as many levels as its removed length has axial depths. So floors of different depths
// beside each other need no more than each needs by itself.

// Cut is the cutting data of an operation.
type Cut struct {
	Rough         bool
	Feed          float64 // mm/min
	Axial, Radial float64 // mm: the deepest cut of the tool, and its stepover
}

// Work is the engagement of one operation.
type Work struct {
	Fed    float64 // min at a feed
	Air    float64 // min of these without material
	Entry  float64 // min of these on moves that fall
	Slow   float64 // min of these on level moves at less than SlowFeed of the operation's feed
	Volume float64 // mm³
	Arcs   Arcs
}

// Arcs are lengths (mm) of level cuts by their arc of contact.
type Arcs struct {
	Classes [180 / classDeg]float64 // by classDeg each
	Over    float64                 // over OverArc of the target
	FarOver float64                 // over FarOverArc of the target
	Slot    float64                 // of slotDeg and more
}

// Bounds of arcs and feeds.
const (
	OverArc    = 1.1
	FarOverArc = 1.3
	SlowFeed   = 0.75

	classDeg = 5
	slotDeg  = 170
	points   = 72 // of the front half circle
	perPoint = 180.0 / points
)

// Length returns the length of all cuts.
func (a *Arcs) Length() (sum float64) {
	for _, l := range a.Classes {
		sum += l
	}
	return sum
}

// add sums up.
func (a *Arcs) add(b *Arcs) {
	for i := range a.Classes {
		a.Classes[i] += b.Classes[i]
	}
	a.Over, a.FarOver, a.Slot = a.Over+b.Over, a.FarOver+b.FarOver, a.Slot+b.Slot
}

// Add sums up.
func (w *Work) Add(o *Work) {
	w.Fed, w.Air, w.Entry, w.Slow = w.Fed+o.Fed, w.Air+o.Air, w.Entry+o.Entry, w.Slow+o.Slow
	w.Volume += o.Volume
	w.Arcs.add(&o.Arcs)
}

// Engaged is the engagement of a program.
type Engaged struct {
	Operations [][]Work // by setup
	// Levels of roughing, summed over lines of a setup and tools.
	LevelsCut, LevelsNeeded float64
}

// Engage replays a program. Cuts has the data of each operation of each setup.
func Engage(ctx context.Context, p *Program, cuts [][]Cut) (*Engaged, error) {
	if len(cuts) != len(p.Setups) {
		return nil, fmt.Errorf("the program has %d setups, its cutting data %d", len(p.Setups), len(cuts))
	}
	e := engager{program: p}
	for i := range p.Setups {
		if err := e.setup(ctx, i, cuts[i]); err != nil {
			return nil, fmt.Errorf("setup %d: %w", i+1, err)
		}
	}
	return &e.out, nil
}

// engager plays a program.
type engager struct {
	program *Program
	frames  []geom.Frame // of the setups so far
	indexes []*index
	box     geom.Box // of the stock in the setup's frame
	probes  *probes
	cuts    []Cut
	work    []Work
	levels  map[int]*levels // by tool
	out     Engaged

	above map[[2]float64]float64 // of an operation and a level: the next level above
	since sinceSample
}

// sinceSample is the way and the time since the last sample.
type sinceSample struct{ length, minutes float64 }

// levels are the cuts of one tool in a setup, by line.
type levels struct {
	axial float64
	gone  []float64
	last  []float64
	count []int
}

// setup plays one setup.
func (e *engager) setup(ctx context.Context, i int, cuts []Cut) error {
	s := &e.program.Setups[i]
	f := frame(s)
	e.box = e.program.Stock
	if i > 0 {
		e.box = Carried(e.frames[0], f, e.program.Stock)
	}
	switch {
	case i == 0 && e.program.IsStock == nil:
		e.probes = newProbes(e.box)
	case i > 0 && math.Abs(f.Z.Dot(e.frames[i-1].Z)) > 0.999:
		e.probes = e.probes.turned(e.frames[i-1], f, e.box)
	default:
		e.probes = newProbes(e.box)
		e.probes.sampled(e.box, func(q geom.Vec3) bool { return !e.takenBefore(i, f, q) })
	}
	e.frames, e.indexes = append(e.frames, f), append(e.indexes, newIndex(e.box))
	e.cuts, e.work, e.levels = cuts, make([]Work, len(cuts)), map[int]*levels{}
	if err := e.play(ctx, s); err != nil {
		return err
	}
	for _, l := range e.levels {
		for k, gone := range l.gone {
			const least = 0.02 // of the axial depth: rounding
			if n := math.Ceil(gone/l.axial - least); n > 0 {
				e.out.LevelsNeeded += n
				e.out.LevelsCut += float64(max(l.count[k], 1))
			}
		}
	}
	e.out.Operations = append(e.out.Operations, e.work)
	return nil
}

// play plays the moves of a setup.
func (e *engager) play(ctx context.Context, s *Setup) error {
	e.findLevels(s)
	at, known, tool, operation := geom.Vec3{}, false, -1, 0
	for n, m := range s.Moves {
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if m.Tool != tool {
			tool, known = m.Tool, false
		}
		if m.Operation != operation {
			operation, e.since = m.Operation, sinceSample{}
		}
		if !known || m.Unknown || m.Rapid || operation == 0 {
			at, known = m.To, !m.Unknown
			continue
		}
		body, ok := e.program.Tools[m.Tool]
		if !ok || operation > len(e.cuts) {
			return fmt.Errorf("there is no tool %d, or no operation %d", m.Tool, operation)
		}
		for _, p := range pieces(at, m, &body) {
			e.piece(operation-1, m, &p)
		}
		at = m.To
	}
	return nil
}

// findLevels notes the levels of each operation that roughs.
func (e *engager) findLevels(s *Setup) {
	e.above = map[[2]float64]float64{}
	heights := map[int][]float64{}
	last := geom.Vec3{Z: math.Inf(1)}
	for _, m := range s.Moves {
		if o := m.Operation; o > 0 && !m.Rapid && m.To.Z == last.Z && e.cuts[min(o, len(e.cuts))-1].Rough {
			heights[o] = append(heights[o], m.To.Z)
		}
		last = m.To
	}
	for o, list := range heights {
		list = sorted(list)
		for i, z := range list {
			next := math.Inf(1)
			if i+1 < len(list) {
				next = list[i+1]
			}
			e.above[[2]float64{float64(o - 1), z}] = next
		}
	}
}

// piece measures a piece and removes it.
func (e *engager) piece(operation int, m Move, p *piece) {
	w, c := &e.work[operation], &e.cuts[operation]
	minutes := 0.0
	if m.Feed > 0 {
		minutes = p.length / m.Feed
	}
	w.Fed += minutes
	switch {
	case !p.isLevel():
		w.Entry += minutes
	case m.Feed < SlowFeed*c.Feed:
		w.Slow += minutes
	}
	apart := p.radius / 4
	for done := 0.0; done < p.length; {
		way := min(apart-e.since.length, p.length-done)
		e.since.length += way
		e.since.minutes += minutes * way / p.length
		done += way
		if e.since.length >= apart-1e-9 {
			e.sample(operation, p, done/p.length)
		}
	}
	e.remove(operation, m.Tool, p)
}

// sample asks where the tool is after a share of a piece.
func (e *engager) sample(operation int, p *piece, share float64) {
	w, c := &e.work[operation], &e.cuts[operation]
	since := e.since
	e.since = sinceSample{}
	m := Move{To: geom.Vec3{X: p.to.X, Y: p.to.Y}, Center: p.center, Turn: p.turn}
	s := sample{engager: e, piece: p, at: along(p.from, m, share)}
	s.heading = p.heading(s.at)
	if p.fall > 0 && s.below(p.hi-(p.hi-p.lo)*share) {
		return
	}
	if p.isPlunge() {
		if s.isAirBeside() {
			w.Air += since.minutes
		}
		return
	}
	if !c.Rough || !p.isLevel() {
		if s.isAir(p.tool.Flute) {
			w.Air += since.minutes
		}
		return
	}
	depth := min(c.Axial, p.tool.Flute, e.box.Max.Z-p.lo)
	if next, ok := e.above[[2]float64{float64(operation), p.lo}]; ok {
		depth = min(depth, next-p.lo)
	}
	arc := 0.0
	for _, part := range []float64{0.5, 0.25, 0.1, 0.02} {
		if arc = perPoint * float64(s.front(depth*part)); arc > 0 {
			break
		}
	}
	if arc == 0 {
		if s.isAir(p.tool.Flute) {
			w.Air += since.minutes
		}
		return
	}
	w.Arcs.Classes[min(int(arc/classDeg-1e-9), len(w.Arcs.Classes)-1)] += since.length
	target := math.Acos(max(1-c.Radial/p.radius, -1)) * 180 / math.Pi
	if arc > OverArc*target {
		w.Arcs.Over += since.length
	}
	if arc > FarOverArc*target {
		w.Arcs.FarOver += since.length
	}
	if arc >= slotDeg {
		w.Arcs.Slot += since.length
	}
}

// remove takes a piece from the material.
func (e *engager) remove(operation, tool int, p *piece) {
	e.indexes[len(e.indexes)-1].add(*p)
	w, c := &e.work[operation], &e.cuts[operation]
	var l *levels
	if c.Rough {
		if l = e.levels[tool]; l == nil {
			n := len(e.probes.at)
			l = &levels{gone: make([]float64, n), last: make([]float64, n), count: make([]int, n)}
			for i := range l.last {
				l.last[i] = math.Inf(1)
			}
			e.levels[tool] = l
		}
		l.axial = max(l.axial, c.Axial)
	}
	e.probes.cut(p, func(line int, gone float64) {
		w.Volume += gone * e.probes.area
		if l == nil {
			return
		}
		const film = 0.02 // mm
		l.gone[line] += gone
		if p.isLevel() && gone > film && math.Abs(l.last[line]-p.lo) > film {
			l.last[line] = p.lo
			l.count[line]++
		}
	})
}

// inStock reports whether a point in the frame f is in the stock.
func (e *engager) inStock(f geom.Frame, q geom.Vec3) bool {
	return e.box.Contains(q, 0) && (e.program.IsStock == nil || e.program.IsStock(f.Point(q)))
}

// takenBefore reports whether one of the first setups removes a point in the frame f, or it is outside the stock.
func (e *engager) takenBefore(setups int, f geom.Frame, q geom.Vec3) bool {
	if !e.inStock(f, q) {
		return true
	}
	at := f.Point(q)
	for i, x := range e.indexes[:setups] {
		if x.takes(e.frames[i].Local(at)) {
			return true
		}
	}
	return false
}
