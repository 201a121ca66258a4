package holding

import (
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// judge follows a setup.
type judge struct {
	*Setup
	plan   *planning.Setup
	config *machining.CutConfig
	frame  geom.Frame
	before *body
	raw    geom.Box // the raw stock in the frame of the setup
	vise   *vise
	isBed  bool
	grips  []grip // one of them must hold
	stop   bool   // ends of pockets take what pushes along the jaws
	gone   bool   // no contact is left
}

// start judges the clamping when the setup begins.
func (j *judge) start(b *body, stock geom.Box) {
	j.before, j.raw = b, geom.BoxOf(j.frame.Local(stock.Min), j.frame.Local(stock.Max))
	h, w := &j.plan.Clamping, &j.config.Workholding
	switch {
	case h.Device == planning.DeviceChuck:
		j.startChuck(b)
	case h.Device == planning.DeviceBase:
		j.startBase(b)
	case h.Kind == machining.WorkholdingFixture && h.Device != planning.DevicePlates:
		j.Kind = Fixture
		j.note(Undesigned, math.Inf(1), "")
	case h.Kind == machining.WorkholdingNone && w.Kind == machining.WorkholdingNone:
		j.Kind = Unjudged
	case h.Kind == machining.WorkholdingNone:
		j.Kind, j.isBed = Bed, true
		j.startBed(b)
	default:
		boxes := h.Solid
		if h.Device == planning.DevicePlates {
			boxes = jawsOf(boxes)
		}
		v, ok := viseOf(boxes)
		v.plates = h.Device == planning.DevicePlates
		if j.Kind = SoftVise; !ok {
			j.note(Touches, math.Inf(1), "")
			return
		}
		j.vise = &v
		j.startVise(b)
	}
}

func (j *judge) startVise(b *body) {
	w, v := &j.config.Workholding, j.vise
	heights := b.heights()
	deep, stopped := j.overlap(b, heights)
	j.note(Overlaps, deep/deepest, "")
	if hold := j.plan.Clamping.Hold; hold != nil {
		j.Force = hold.Set
	}
	most := w.Force
	if v.plates {
		most = pairForce
	}
	if j.Force > 0 {
		j.note(NoForce, j.Force/most, "")
	} else {
		j.note(NoForce, math.Inf(1), "")
	}
	if j.stop = stopped; !j.grasp(b, heights, nil, "") {
		return
	}
	g := &j.grips[0]
	j.Kind = SoftVise
	switch {
	case v.isFormed():
		j.Kind = FormedVise
	case g.raw[0] && g.raw[1]:
		j.Kind = RawVise
	}
	j.Opening, j.Width = rounded(v.opening()), rounded(g.width())
	j.Depth, j.Length, j.Area = rounded(g.z.hi-g.z.lo), rounded(g.length), rounded(min(g.area[0], g.area[1]))
	j.StandOut, j.Seated = rounded(heights.hi-v.top), g.seated
	if v.plates { // bolts are as long as they need
		j.Kind = Plates
	} else {
		j.note(Opens, j.Opening/max(w.Opening, w.OuterOpening), "")
	}
	j.note(StandsOut, j.StandOut/(mostSlender*j.Width), "")
}

// overlap returns how deep the stock is in the jaws, and whether ends of pockets in both directions along the jaws stop
// it.
func (j *judge) overlap(b *body, heights span) (deep float64, stopped bool) {
	const wall = 5.0 // mm², of an end
	raw := interval(j.raw, j.vise.axis)
	var over [3]float64
	shift := int(math.Ceil(1 / b.step))
	for k := range 2 {
		for n, by := range [3]int{0, shift, -shift} {
			_, d, area := j.vise.meet(b, k, by, heights, raw)
			over[n] += area
			if by == 0 {
				deep = max(deep, d)
			}
		}
	}
	return deep, over[1]-over[0] >= wall && over[2]-over[0] >= wall
}

// grasp measures the contact of the jaws, and judges it under their force and that of a cut; false where none is left.
func (j *judge) grasp(b *body, heights span, c *cut, operation string) bool {
	var cells [2][]cell
	for k := range cells {
		cells[k], _, _ = j.vise.meet(b, k, 0, heights, interval(j.raw, j.vise.axis))
	}
	j.grips = gripsOf(b, j.vise, cells, frictionShare(&j.config.Material))
	if len(j.grips) == 0 {
		j.note(Touches, math.Inf(1), operation)
		j.gone = true
		return false
	}
	j.note(Touches, 0, operation)
	least := j.config.Workholding.Bite
	if j.vise.plates {
		least = minDepth
	}
	j.note(Shallow, least/(j.grips[0].z.hi-j.grips[0].z.lo), operation)
	if j.Force <= 0 {
		return true
	}
	var best uses
	least = math.Inf(1)
	for i := range j.grips {
		g := &j.grips[i]
		g.stopped = j.stop
		u := g.bear(b, j.vise, &j.config.Material, j.Force)
		if c != nil && c.Across+c.Up > 0 {
			maps.Copy(u, g.hold(c, j.Force, safety))
		}
		if worst := slices.Max(slices.Collect(maps.Values(u))); best == nil || worst < least {
			best, least = u, worst
		}
	}
	j.noteAll(best, operation)
	return true
}

// cut judges an operation, after which the stock is now.
func (j *judge) cut(o *planning.Operation, t *machining.Tool, now *body) {
	before := j.before
	j.before = now
	if j.gone || j.vise == nil && !j.isBed && j.Kind != Chuck && j.Kind != Base {
		return
	}
	heights := before.heights()
	c := cutOf(o, t, &j.config.Material, heights.hi)
	switch {
	case j.isBed:
		j.cutOnBed(o.ID, &c, now)
		return
	case j.Kind == Chuck:
		j.cutInChuck(o.ID, &c, before, now)
		return
	case j.Kind == Base:
		j.cutOnBase(o.ID, &c, before, now)
		return
	}
	if !j.grasp(now, now.heights(), &c, o.ID) {
		return
	}
	j.pieces(now, o.ID)
	if c.Across == 0 {
		return
	}
	most := roughSway
	if c.finish {
		most = finishSway
	}
	j.note(Sways, c.Across*before.sway(j.vise.top, c.height, j.config.Material.Modulus)/most, o.ID)
}

// sway returns the deflection at a height under a force across the part there, mm/N. The part is fixed at a height.
func (b *body) sway(fixed, height, modulus float64) float64 {
	var by [2]float64
	for k := b.cell(2, fixed); k <= b.cell(2, height); k++ {
		z := b.at(2, k)
		if z < fixed || z > height {
			continue
		}
		along := b.section(k)
		for a := range by {
			by[a] += (height - z) * (height - z) * b.step / (modulus * max(along[a], 1e-9))
		}
	}
	return max(by[0], by[1])
}

// pieces looks for pieces that the jaws do not hold.
func (j *judge) pieces(b *body, operation string) {
	p := b.pieces()
	held := [2]map[int]bool{{}, {}}
	for k := range held {
		for _, c := range j.grips[0].cells[k] {
			var at [3]float64
			at[j.vise.axis] = c.face + float64(1-2*k)*b.step
			at[1-j.vise.axis], at[2] = (c.x.lo+c.x.hi)/2, (c.z.lo+c.z.hi)/2
			if r, ok := p.of(at[0], at[1], at[2]); ok {
				held[k][r] = true
			}
		}
	}
	j.note(Loosens, 0, operation)
	for r, volume := range p.volume {
		if !held[0][r] || !held[1][r] {
			j.note(Loosens, volume/leastLoose, operation)
		}
	}
}
