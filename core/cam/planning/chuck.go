package planning

// Chucks with three jaws.
//
// A round bar whose axis is up is held by hard jaws on the stock below the part. Later setups hold finished cylinders
// by soft jaws that are bored to their diameter. A cylinder counts where its wall is made around most of each jaw, and
// nothing of the workpiece extends beyond it below the top of the jaws. Jaws and their gaps are a full ring for the
// proof, in rows like those of formed jaws.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	chuckRows  = 32   // of boxes across its jaws
	chuckSteps = 360  // around a cylinder
	jawArc     = 115  // degrees of a soft jaw; gaps are between them
	leastArc   = 0.5  // share of each soft jaw that must touch
	hardJaw    = 20.0 // mm, width of the face of a hard jaw
	ringShare  = 0.35 // of the radius: thicker rings do not give way
	mostRing   = 0.02 // mm that a ring may give way under the jaws

	// Height over the jaws as a multiple of the diameter: up to which the usual safety is enough, and the most.
	supported, mostHang = 1.0, 3.0
	safetyOfHang        = 4.0 // at the most, where nothing supports the workpiece; in proportion between the two

	deepChuck = 20.0 // mm, the deepest grip that is tried
)

// chuckSize is a common scroll chuck. Lengths are mm.
type chuckSize struct {
	inches      int
	force       float64 // N, of all jaws
	least, most float64 // diameters that it grips
	body, high  float64 // diameter and height of the body
	jaw         float64 // height of the jaws over the body
}

var chucks = []chuckSize{
	{6, 31_000, 3, 160, 165, 75, 50}, {8, 37_000, 4, 200, 210, 85, 55}, {12, 55_000, 10, 310, 315, 100, 65},
}

// chuckGrip is the grip of a chuck on a workpiece.
type chuckGrip struct {
	*chuckSize
	workholding.Chuck
	middle [2]float64 // along the axes across the side
	rest   float64    // along the side: what the workpiece lies on
	top    float64    // along the side: of the jaws
	soft   bool       // on a finished cylinder
	turn   int        // degrees around the axis to the first soft jaw
	reach  float64    // mm, from the axis to the farthest stock
	safety float64
	most   float64 // N, of all jaws
}

func (c *chuckGrip) at(force float64) workholding.Chuck {
	k := c.Chuck
	k.Force = force
	return k
}

func (c *chuckGrip) use(l workholding.Load) float64 {
	return c.at(c.most).Use(l, c.reach, c.safety).Worst()
}

func (c *chuckGrip) least(l workholding.Load) float64 {
	return c.at(1).Use(l, c.reach, c.safety).Worst()
}

func (c *chuckGrip) figures(out *Hold, force float64, l workholding.Load) {
	out.Jaw = JawSerrated
	if c.soft {
		out.Jaw = JawBored
	}
	out.Opening, out.Depth, out.Length = round(c.Diameter), round(c.Depth), round(math.Pi*c.Diameter)
	if u := c.at(force).Use(l, c.reach, c.safety); l.Horizontal+l.Axial > 0 {
		out.Uses = []Use{
			{"turn, lift and tip", round(math.Hypot(u.Slip, u.Rock))}, {"tip", round(u.Tip)}, {"push", round(u.Push)},
		}
	}
}

// inChucks returns the clampings in a chuck, the best first.
func (p *planner) inChucks(st *state, s side) (list []clamping) {
	k := &p.in.Config.Stock
	isRaw := p.plan.Bar != nil && *p.plan.Bar == s.axis() && st.before == [sides]bool{}
	if isRaw && !p.ready[s.opposite()] && (k.Grip > 0 || k.Size != nil) {
		for _, raw := range p.rawStocks(s) {
			on := *st
			on.stock, on.left = raw, raw
			if h, ok := p.onBar(&on, s); ok {
				h.stock = &raw
				return append(list, h)
			}
		}
	}
	for _, c := range p.cylinders(st, s) {
		for _, depth := range [4]float64{deepChuck, deepGrip, softDepth, leastForm} {
			rest := s.span(st.left).Lo
			for _, top := range p.sorted([]float64{rest + depth, c.low + depth}) {
				if h, ok := p.onCylinder(st, s, &c, top, depth); ok {
					list = append(list, h)
					break
				}
			}
		}
	}
	return list
}

// onBar returns the clamping of a raw bar.
func (p *planner) onBar(st *state, s side) (clamping, bool) {
	a, b := s.across()
	rest, depth := s.span(st.left).Lo, p.gripDepths(st, s)[0]
	g := chuckGrip{rest: rest, top: rest + depth, middle: [2]float64{along(st.left, a).Mid(), along(st.left, b).Mid()}}
	g.Diameter, g.Depth, g.Friction = along(st.left, a).Length(), depth, frictionRaw
	return p.inChuck(st, s, &g, min(3*hardJaw/(math.Pi*g.Diameter), 1), math.Inf(1))
}

// cylinder is a finished round face around an axis along the side.
type cylinder struct {
	middle  [2]float64
	radius  float64
	low     float64 // along the side
	patches []int32
}

// cylinders returns the finished cylinders of the part around axes along a side, the widest first.
func (p *planner) cylinders(st *state, s side) (list []cylinder) {
	a, b := s.across()
	for q := range p.g.Patches {
		sh := &p.g.Patches[q].Shape
		if sh.Kind != surface.KindCylinder || sh.Hollow || sh.Axis.Cross(s.dir(p.frame)).Norm() > graph.DirectionTolerance {
			continue
		}
		t := p.taskOf[q]
		if t < 0 || !st.done[t] && st.made[t][s.axis()].Length() <= 0 {
			continue
		}
		at := p.frame.Local(sh.Origin)
		c := cylinder{[2]float64{at.Coordinate(a), at.Coordinate(b)}, sh.Radius, s.span(p.boxes[q]).Lo, []int32{int32(q)}}
		i := slices.IndexFunc(list, func(o cylinder) bool {
			return math.Abs(o.radius-c.radius) <= p.tol() &&
				math.Hypot(o.middle[0]-c.middle[0], o.middle[1]-c.middle[1]) <= p.tol()
		})
		if i < 0 {
			list = append(list, c)
			continue
		}
		list[i].low = min(list[i].low, c.low)
		list[i].patches = append(list[i].patches, int32(q))
	}
	slices.SortStableFunc(list, func(a, b cylinder) int { return int(math.Copysign(1, round(b.radius)-round(a.radius))) })
	return list
}

// onCylinder returns the clamping on a finished cylinder, with the top of the jaws at a height.
func (p *planner) onCylinder(st *state, s side, c *cylinder, top, depth float64) (clamping, bool) {
	if top > s.span(p.part).Hi-jawClear {
		return clamping{}, false
	}
	band := viseGrip{rest: top - depth, top: top, depth: depth}
	around := make([]int, chuckSteps) // levels at which the cylinder is there
	const levels = 3
	for _, q := range c.patches {
		if !p.isMade(st, s, q, &band) {
			continue
		}
		for i := range levels {
			p.eachArc(s, q, c.middle, top-depth*(float64(i)+0.5)/levels, func(step int) { around[step] |= 1 << i })
		}
	}
	share, each, best := 0.0, 0, 0
	for _, n := range around {
		if n == 1<<levels-1 {
			share++
		}
	}
	if share < 3*leastArc*jawArc {
		return clamping{}, false
	}
	for turn := range 120 {
		worst := jawArc
		for jaw := range 3 {
			n := 0
			for i := range jawArc {
				if around[(turn+120*jaw+i)%chuckSteps] == 1<<levels-1 {
					n++
				}
			}
			worst = min(worst, n)
		}
		if worst > each {
			each, best = worst, turn
		}
	}
	if float64(each) < leastArc*jawArc || !p.isWithin(st, s, c, top) {
		return clamping{}, false
	}
	g := chuckGrip{middle: c.middle, rest: s.span(st.left).Lo, top: top, soft: true, turn: best}
	g.Diameter, g.Depth, g.Friction = 2*c.radius, depth, frictionFinished
	return p.inChuck(st, s, &g, share/chuckSteps, p.ringOf(s, c, top-depth/2, around))
}

// eachArc visits the steps of a turn around an axis in which a patch crosses a height.
func (p *planner) eachArc(s side, q int32, middle [2]float64, height float64, visit func(step int)) {
	a, b := s.across()
	var clip clipper
	p.g.EachTriangle(q, func(u, v, w geom.Vec3) bool {
		piece := clip.triangle(p, [3]geom.Vec3{u, v, w}, a, b, s)
		for i := range piece {
			piece[i].X, piece[i].Y = piece[i].X-middle[0], piece[i].Y-middle[1]
		}
		low, high := math.Inf(1), math.Inf(-1)
		first := math.Inf(1)
		for _, v := range clip.between(piece, 2, height, height, &clip.corners) {
			at := math.Atan2(v.Y, v.X)
			if math.IsInf(first, 1) {
				first = at
			}
			at = first + math.Remainder(at-first, 2*math.Pi)
			low, high = min(low, at), max(high, at)
		}
		const step = 2 * math.Pi / chuckSteps
		for i := math.Floor(low / step); i*step < high; i++ {
			visit((int(i) + 2*chuckSteps) % chuckSteps)
		}
		return true
	})
}

// isWithin reports whether nothing of the workpiece extends beyond a cylinder below a height.
func (p *planner) isWithin(st *state, s side, c *cylinder, top float64) bool {
	a, b := s.across()
	rest := s.span(st.left).Lo
	within := true
	var clip clipper
	for q := range p.boxes {
		if s.span(p.boxes[q]).Lo >= top-p.tol() {
			continue
		}
		p.g.EachTriangle(int32(q), func(u, v, w geom.Vec3) bool {
			piece := clip.triangle(p, [3]geom.Vec3{u, v, w}, a, b, s)
			for _, v := range clip.between(piece, 2, math.Inf(-1), top, &clip.corners) {
				within = within && math.Hypot(v.X-c.middle[0], v.Y-c.middle[1]) <= c.radius+upright
			}
			return within
		})
		if !within {
			return false
		}
	}
	raster := p.coarsest(st)
	const (
		wide, skin = 1.5, 1e-3
		turns      = 48
		levels     = 5
	)
	far := p.reachOf(st, s, c.middle)
	over := p.overFaces(st, s, geom.Interval{Lo: rest, Hi: top})
	for i := range turns {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / turns)
		for out := c.radius + wide*raster + skin; out < far; out += stepOut {
			for k := range levels {
				z := rest + skin + (top-rest-2*skin)*float64(k)/(levels-1)
				var at geom.Vec3
				at.SetCoordinate(a, c.middle[0]+out*cos)
				at.SetCoordinate(b, c.middle[1]+out*sin)
				at.SetCoordinate(s.axis(), s.sign()*z)
				if st.left.Contains(at, 0) && (p.isLeft(st, at, (*heightField).highest) || p.isOver(over, at)) {
					return false
				}
			}
		}
	}
	return true
}

// overFace is stock that roughing from a side may have left over a face that is not made: it goes down in levels, and
// leaves everything over such a face between two of them.
type overFace struct {
	box    geom.Box
	others state // without the cut of that side
}

// overFaces returns the stock that may be left over faces between two heights.
func (p *planner) overFaces(st *state, s side, height geom.Interval) (list []overFace) {
	for n, c := range st.cuts {
		others := *st
		others.cuts = slices.Concat(st.cuts[:n], st.cuts[n+1:])
		for q := range p.boxes {
			t := p.taskOf[q]
			if !p.isSeen(c.side, int32(q)) || t >= 0 && st.done[t] || outer(p.boxes[q], c.side) <= c.low {
				continue // nothing of the part stops the lowest level over it
			}
			box := p.boxes[q]
			put(&box, c.side.axis(), c.side.flip(geom.Interval{Lo: c.side.span(box).Lo, Hi: outer(st.stock, c.side)}))
			if overlap(s.span(box), height).Length() > p.tol() {
				list = append(list, overFace{box, others})
			}
		}
	}
	return list
}

// isOver reports whether stock may be left over a face at a place.
func (p *planner) isOver(list []overFace, at geom.Vec3) bool {
	return slices.ContainsFunc(list, func(r overFace) bool {
		return r.box.Contains(at, 0) && p.isLeft(&r.others, at, (*heightField).highest)
	})
}

// reachOf returns the distance from an axis to the farthest corner of the stock, mm.
func (p *planner) reachOf(st *state, s side, middle [2]float64) float64 {
	a, b := s.across()
	x, y := along(st.left, a), along(st.left, b)
	return math.Hypot(max(x.Hi-middle[0], middle[0]-x.Lo), max(y.Hi-middle[1], middle[1]-y.Lo))
}

// ringOf returns the thickness of the part within a cylinder at a height, where jaws touch it; +Inf where it is solid.
func (p *planner) ringOf(s side, c *cylinder, height float64, around []int) float64 {
	a, b := s.across()
	least := math.Inf(1)
	for i := 0; i < chuckSteps; i += 10 {
		if around[i] == 0 {
			continue
		}
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / chuckSteps)
		for in := 2 * p.reliefOf(s).step; in < ringShare*c.radius; in += p.reliefOf(s).step {
			var at geom.Vec3
			at.SetCoordinate(a, c.middle[0]+(c.radius-in)*cos)
			at.SetCoordinate(b, c.middle[1]+(c.radius-in)*sin)
			at.SetCoordinate(s.axis(), s.sign()*height)
			if p.reliefOf(s).over(at) < height || p.reliefOf(s.opposite()).over(at) < -height {
				least = min(least, in)
				break
			}
		}
	}
	return least
}

// inChuck returns the clamping in the smallest chuck that holds with a grip. Jaws touch a share of the circumference of
// a ring of some thickness.
func (p *planner) inChuck(st *state, s side, g *chuckGrip, share, ring float64) (clamping, bool) {
	i := slices.IndexFunc(chucks, func(c chuckSize) bool { return g.Diameter >= c.least && g.Diameter <= c.most })
	span := s.span(st.left)
	if i < 0 || g.top-g.rest > chucks[i].jaw || span.Hi-g.top > mostHang*g.Diameter {
		return clamping{}, false
	}
	m := &p.in.Config.Material
	g.chuckSize, g.reach, g.safety = &chucks[i], p.reachOf(st, s, g.middle), workholding.Safety
	if over := (span.Hi-g.top)/g.Diameter - supported; over > 0 {
		g.safety += (safetyOfHang - workholding.Safety) * over / (mostHang - supported)
	}
	if p.plan.Bar != nil && *p.plan.Bar == s.axis() {
		g.reach = min(g.reach, along(p.stock, (s.axis()+1)%3).Length()/2)
	}
	h := strength{device: g, middle: g.top - g.Depth/2, top: span.Hi, open: g.Diameter, grip: workholding.Grip{Depth: g.Depth}}
	h.solid = workholding.Solid{Yield: m.Yield, Modulus: m.Modulus, Finished: g.soft}
	g.most = min(g.force, reserve*g.Crush(h.solid, share))
	if !math.IsInf(ring, 1) {
		g.most = min(g.most, g.Ring(h.solid, ring, mostRing))
	}
	h.force = g.most
	const square = 0.876 // side of the square with the same second moment of area, in diameters
	h.sway = h.solid.Sway(1, span.Hi-g.top, square*g.Diameter, square*g.Diameter)
	if !h.holdsLightCuts(m) {
		return clamping{}, false
	}
	jaws := "on a raw bar of %.5g mm"
	if g.soft {
		jaws = "with soft jaws bored to %.5g mm"
	}
	out := clamping{
		kind: machining.WorkholdingVise, device: DeviceChuck, limit: g.top + jawClear, strength: &h,
		text: fmt.Sprintf("In a %d-inch chuck with three jaws, "+jaws+", %.4g mm deep.", g.inches, round(g.Diameter),
			round(g.Depth)),
	}
	if g.soft {
		out.design = &boredJaws{g, s}
	}
	out.jaws, out.under = g.solids(s)
	return out, true
}

// solids returns the jaws as boxes, and the body below them.
func (g *chuckGrip) solids(s side) (jaws, under []geom.Box) {
	height := geom.Interval{Lo: g.top - g.jaw, Hi: g.top}
	full := geom.Interval{Lo: -g.body / 2, Hi: g.body / 2}
	at := func(iv geom.Interval, k int) geom.Interval {
		return geom.Interval{Lo: iv.Lo + g.middle[k], Hi: iv.Hi + g.middle[k]}
	}
	half := func(radius, x float64) float64 { return math.Sqrt(max(radius*radius-x*x, 0)) }
	for i := range chuckRows {
		row := geom.Interval{
			Lo: full.Lo + full.Length()*float64(i)/chuckRows, Hi: full.Lo + full.Length()*float64(i+1)/chuckRows,
		}
		x := max(row.Lo, -row.Hi, 0) // of the row's place nearest to the axis
		inner, outer := half(g.Diameter/2, x), half(g.body/2, x)
		if inner == 0 {
			jaws = append(jaws, boxAcross(s, height, at(row, 0), at(geom.Interval{Lo: -outer, Hi: outer}, 1)))
			continue
		}
		jaws = append(jaws, boxAcross(s, height, at(row, 0), at(geom.Interval{Lo: -outer, Hi: -inner}, 1)),
			boxAcross(s, height, at(row, 0), at(geom.Interval{Lo: inner, Hi: outer}, 1)))
	}
	below := geom.Interval{Lo: height.Lo - g.high, Hi: height.Lo}
	return jaws, []geom.Box{boxAcross(s, below, at(full, 0), at(full, 1))}
}
