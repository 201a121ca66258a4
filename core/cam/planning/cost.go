package planning

// The cost of an order of setups for a batch: preparing, loading and holding the part, the time of roughing, and the
// handwork for the rest.
//
// The stock is a grid of points. A setup removes the points above its lowest height, and those above the items in
// pockets below it, that nothing of the part covers from its side. A clamping has a pace: the time of the mill that
// removes a volume fastest at the depth and width of cut that the clamping holds. Points that no setup removes cost
// twice the time of the fastest mill. So no order costs less than its setups and the stock at the fastest pace. The
// stock below the part that the first setup grips does not count.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/kernel/geom"
)

// Usual times and prices in shops, beyond preparing and loading a setup.
const (
	bedSeconds   = 1800  // to clean, stick and seal
	chuckSeconds = 600   // to set a chuck up instead of a vise
	boreSeconds  = 900   // to bore its soft jaws
	boreCents    = 2000  // of three soft jaws
	formSeconds  = 1500  // to mill soft jaws and set them up
	formCents    = 3000  // of two blanks
	plateSeconds = 10800 // to design and make a fixture
	plateCents   = 7500  // of its material

	sawSeconds = 120 // to saw stock off a side of the part

	byHand = 1.8 // s/mm², to file a face: 3 minutes for a square centimeter

	bulkPoints = 2000 // about, in the stock
	paceMills  = 6    // that are tried for a pace, those with the highest removal rate
)

// cents returns the cost of a setup with a clamping for a batch, without its work; nil: in a vise with plain jaws.
func (p *planner) cents(h *clamping) int {
	c := &p.in.Config
	making := Making{}
	if h != nil {
		making = p.making(h)
	}
	return max(p.rated(c.Machine.SetupSeconds+making.Seconds+p.batch()*c.Machine.LoadSeconds), 1) + making.Cents
}

// making returns the additional time and material of a device, for a batch.
func (p *planner) making(h *clamping) Making {
	switch {
	case h.isBed:
		return Making{bedSeconds, 0}
	case h.device == DeviceChuck && h.strength.solid.Finished:
		return Making{chuckSeconds + boreSeconds, boreCents}
	case h.device == DeviceChuck:
		return Making{chuckSeconds, 0}
	case h.kind == machining.WorkholdingFixture:
		return Making{plateSeconds, plateCents}
	case h.isFormed:
		return Making{formSeconds, formCents}
	}
	return Making{}
}

// fixtureCents returns the additional price of a fixture that is made for the part.
func (p *planner) fixtureCents() int { return p.rated(plateSeconds) + plateCents }

// rated returns the price of some time, cents.
func (p *planner) rated(seconds float64) int { return rated(&p.in.Config, seconds) }

// bulk is the stock that is to be removed.
type bulk struct {
	at    []geom.Vec3 // in the frame of the workpiece
	open  []uint8     // by point: the sides from which nothing of the part covers it, as bits
	each  float64     // mm³
	mills []int       // that remove fastest
	pace  float64     // s/mm³ of the fastest one
}

// measureBulk lays the points.
func (p *planner) measureBulk() {
	b := &p.bulk
	size := p.stock.Size()
	step := math.Cbrt(size.X * size.Y * size.Z / bulkPoints)
	var n [3]int
	for a := range n {
		n[a] = max(int(math.Round(size.Coordinate(a)/step)), 1)
	}
	b.each = size.X * size.Y * size.Z / float64(n[0]*n[1]*n[2])
	for i := range n[0] * n[1] * n[2] {
		at, open := p.stock.Min, uint8(0)
		for a, k := range [3]int{i % n[0], i / n[0] % n[1], i / n[0] / n[1]} {
			at.SetCoordinate(a, at.Coordinate(a)+(float64(k)+0.5)/float64(n[a])*size.Coordinate(a))
		}
		for s := side(0); s < sides; s++ {
			if p.reliefOf(s).highest(at) < s.sign()*at.Coordinate(s.axis()) {
				open |= 1 << s
			}
		}
		if open != 0 {
			b.at, b.open = append(b.at, at), append(b.open, open)
		}
	}
	p.owed = make([]bool, len(p.tasks))
	for t := range p.tasks {
		p.owed[t] = p.isOwed(t)
	}
	b.mills = p.roughers()
	slices.SortStableFunc(b.mills, func(i, j int) int { return cmp.Compare(round(p.removal(j)), round(p.removal(i))) })
	b.mills = b.mills[:min(len(b.mills), paceMills)]
	b.pace = p.paceOf(nil)
}

// paceOf returns the time for a volume that a clamping allows, s/mm³; nil: any cut.
func (p *planner) paceOf(h *strength) float64 {
	most, middle := 0.0, 0.0
	if h != nil {
		middle = (h.top + h.middle) / 2
	}
	for _, i := range p.bulk.mills {
		if d, err := p.held(h, middle, p.tools[i].Tool, cutting.Rough, 0, 0, 0); err == nil {
			most = max(most, openRate*d.Axial.Value*d.Radial.Value*d.Feed.Value)
		}
	}
	if most == 0 {
		return 0 // nothing is roughed
	}
	return secondsPerMinute / most
}

// remove notes the points that a setup removes, and returns its time in roughing, s.
func (p *planner) remove(st *state, step *setup) float64 {
	s, n := step.side, 0
	var deep []item
	for _, it := range step.items {
		if it.bottom < step.low && p.tasks[it.task].ways[s].kind.isMilled() {
			deep = append(deep, it)
		}
	}
	a, b := s.across()
	for i, at := range p.bulk.at {
		if p.bulk.open[i]>>s&1 == 0 || st.isGone(i) {
			continue
		}
		z := s.sign() * at.Coordinate(s.axis())
		goes := z > step.low || slices.ContainsFunc(deep, func(it item) bool {
			box := &p.tasks[it.task].box
			u, v := along(*box, a), along(*box, b)
			return z > it.bottom && at.Coordinate(a) >= u.Lo && at.Coordinate(a) <= u.Hi &&
				at.Coordinate(b) >= v.Lo && at.Coordinate(b) <= v.Hi
		})
		if goes {
			st.gone[i/64] |= 1 << (i % 64)
			n++
		}
	}
	st.removed += n
	return float64(n) * p.bulk.each * step.clamping.pace
}

func (st *state) isGone(i int) bool { return st.gone[i/64]>>(i%64)&1 != 0 }

// fastest returns the price of a share of the points at the fastest pace for a batch, cents.
func (p *planner) fastest(points int) int {
	return p.rated(p.batch() * float64(points) * p.bulk.each * p.bulk.pace)
}

// priceOfStock returns the price of the stock that an order leaves: milled off, or sawn off the sides of the part. The
// price is for a batch, cents.
func (p *planner) priceOfStock(st *state) int {
	return 2*p.fastest(len(p.bulk.at)-st.removed) + p.rated(p.batch()*sawSeconds*float64(p.stays(st)))
}

// unmadeAreas returns the area that is not made: of tasks that are owed, and of others with an approach, mm².
func (p *planner) unmadeAreas(st *state) (whole, part float64) {
	for t := range p.tasks {
		p.count(t, p.unmade(st, t), &whole, &part)
	}
	return whole, part
}

// count adds the area of a task to that of its kind.
func (p *planner) count(t int, area float64, whole, part *float64) {
	switch {
	case p.owed[t]:
		*whole += area
	case p.tasks[t].hasApproach():
		*part += area
	}
}

// isOwed reports whether a task must be made at any cost: a side, or two opposite ones, make all of it, and it is
// neither a blend nor a chamfer, which can be filed by hand.
func (p *planner) isOwed(t int) bool {
	task := &p.tasks[t]
	if !slices.ContainsFunc(task.patches, func(q int32) bool { return !p.g.IsBlend(q) && !p.isBevel(q) }) {
		return false
	}
	for s := side(0); s < sides; s++ {
		w, other := task.ways[s], task.ways[s.opposite()]
		isThrough := w != nil && w.kind == hole && other != nil &&
			w.depth()+other.depth() >= along(task.box, s.axis()).Length()-p.tol()
		if isThrough || p.isWhole(task, s) {
			return true
		}
	}
	return false
}

// handwork returns the price of filing an area of each part of a batch, cents.
func (p *planner) handwork(area float64) int { return p.rated(p.batch() * byHand * area) }

// depth returns how deep a way makes a hole, mm.
func (w *approach) depth() float64 {
	if w.short == nil {
		return w.z.Length()
	}
	return w.z.Hi - min(w.full, w.z.Hi)
}
