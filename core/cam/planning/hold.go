package planning

// Clamping of the part.
//
// The part is clamped in a vise if a grip exists and holds (grip.go, strength.go): by either pair of faces, or by both
// in turn if the jaws of one obstruct the machining. The first setup grips more stock below the part, so that it
// finishes all sides; a later setup removes that stock. Else soft jaws are milled to the outline of the part
// (softjaws.go), a chuck holds a round one (chuck.go), or it lies on a bed (bed.go). Else a fixture is made for it: two
// plates (plates.go), or a base with clamps (base.go). A side that nothing of these holds up is not used (unheld.go).
// Only a cut config with fixtures has ones that nobody has designed.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	jawDepth = 40.0 // mm from the gripping face outward, as of the plates of common vises and the jaw behind
	jawClear = 0.6  // mm between tools and jaws: paths keep access.Clearance, and round
	// share of the length of the part that jaws must touch on both sides, and of its height between them
	leastGrip = 0.25
)

// clamping is the clamping of the part in a setup.
type clamping struct {
	kind     machining.WorkholdingKind
	isFormed bool // of a vise: its soft jaws have a pocket of the part's outline
	isBed    bool
	device   DeviceKind                // "": a vise, a bed, or none
	choice   int                       // of the ways to hold the part
	asked    machining.WorkholdingKind // of the cut config or the request
	text     string
	jaws     []geom.Box // in the frame of the workpiece
	under    []geom.Box // of the device, which tools meet only past the part
	limit    float64    // along the side: how low tools may go beside the part; -Inf without jaws

	formed   *formed   // of soft jaws with a pocket
	design   designer  // of the pieces to make; nil: none
	stock    *geom.Box // that the first setup begins with; nil: the usual one
	strength *strength // nil: not known
	pace     float64   // s/mm³ in roughing
}

// state is the progress of the work.
type state struct {
	stock   geom.Box         // that the work began with
	left    geom.Box         // bounding box of the remaining stock
	cleared [3]geom.Interval // along each axis: where all around the part is cut away; empty: nowhere
	cuts    []cut
	made    [][3]geom.Interval // of each wall task: its finished range, by axis
	done    []bool             // by task
	from    []set              // of each slope that several sides make: the sides that have, as bits
	before  [sides]bool        // sides that were up
	gone    []uint64           // bits of the points of the stock that are removed
	removed int                // how many they are
}

func (p *planner) begin() *state {
	s := &state{stock: p.stock, left: p.stock, made: make([][3]geom.Interval, len(p.tasks)), done: make([]bool, len(p.tasks))}
	s.gone, s.from = make([]uint64, len(p.bulk.at)/64+1), make([]set, len(p.tasks))
	none := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for a := range s.cleared {
		s.cleared[a] = none
	}
	for t := range s.made {
		s.made[t], s.done[t] = [3]geom.Interval{none, none, none}, p.tasks[t].isDone
	}
	return s
}

// clampings returns the ways to hold the part with a side up by the device of the cut config.
func (p *planner) clampings(st *state, s side) []clamping {
	return p.clampingsBy(st, s, p.in.Config.Workholding.Kind)
}

// clampingsBy returns the ways to hold the part with a side up by a device, the best first: fixtures only if these are
// asked for. Many orders of sides come by the same state. The caller must not change them.
func (p *planner) clampingsBy(st *state, s side, asked machining.WorkholdingKind) []clamping {
	key := string(st.appendHeld(append([]byte(asked), byte(s))))
	list, ok := p.known[key]
	if !ok {
		if p.known == nil {
			p.known = map[string][]clamping{}
		}
		list = p.findClampings(st, s, asked)
		p.known[key] = list
	}
	return list
}

// appendHeld appends the part of a state that decides its clamping: the remaining stock, for any order of cuts, and the
// finished faces.
func (st *state) appendHeld(key []byte) []byte {
	number := func(list ...float64) {
		for _, x := range list {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
		}
	}
	number(st.stock.Min.X, st.stock.Min.Y, st.stock.Min.Z, st.stock.Max.X, st.stock.Max.Y, st.stock.Max.Z)
	number(st.left.Min.X, st.left.Min.Y, st.left.Min.Z, st.left.Max.X, st.left.Max.Y, st.left.Max.Z)
	cuts := slices.Clone(st.cuts)
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(a.low, b.low)) })
	for _, c := range slices.Compact(cuts) {
		key = append(key, byte(c.side))
		number(c.low)
	}
	key = append(key, byte(sides)) // no cut
	for t := range st.made {
		m := &st.made[t]
		switch {
		case st.done[t]:
			key = append(key, 2)
		case st.from[t] != 0:
			key = append(key, 3, byte(st.from[t]))
		case max(m[0].Length(), m[1].Length(), m[2].Length()) >= 0:
			key = append(key, 1)
			number(m[0].Lo, m[0].Hi, m[1].Lo, m[1].Hi, m[2].Lo, m[2].Hi)
		default:
			key = append(key, 0)
		}
	}
	return key
}

// fixturesBy returns the fixtures that can be made where no other device holds the part with a side up, or all of them
// obstruct its machining. They are the choices after those of clampingsBy. The caller must not change them.
func (p *planner) fixturesBy(st *state, s side, asked machining.WorkholdingKind) []clamping {
	first := len(p.clampingsBy(st, s, asked))
	isRaw := st.before == [sides]bool{} // raw faces are for vises
	if asked != machining.WorkholdingVise || first > 0 && isRaw {
		return nil
	}
	key := string(st.appendHeld(append([]byte("fixtures"), byte(s))))
	list, ok := p.known[key]
	if !ok {
		list = p.numbered(p.inFixtures(st, s), asked, first)
		p.known[key] = list
	}
	return list
}

// numbered completes clampings, whose choices count from a first one.
func (p *planner) numbered(list []clamping, asked machining.WorkholdingKind, first int) []clamping {
	for i := range list {
		list[i].choice, list[i].asked, list[i].pace = first+i, asked, p.paceOf(list[i].strength)
	}
	return list
}

// inFixtures returns the clampings in fixtures that are made for the part.
func (p *planner) inFixtures(st *state, s side) []clamping {
	list := p.inPlates(st, s)
	if h, ok := p.onBase(st, s); ok {
		list = append(list, h)
	}
	return list
}

func (p *planner) findClampings(st *state, s side, asked machining.WorkholdingKind) (list []clamping) {
	if asked == machining.WorkholdingNone {
		return []clamping{{kind: asked, asked: asked, limit: math.Inf(-1), pace: p.bulk.pace,
			text: "Held from below, as by vacuum or glue, with nothing in the way."}}
	}
	if asked == machining.WorkholdingVise {
		list = slices.Concat(p.inVises(st, s), p.inChucks(st, s), p.inBored(st, s))
		if h, ok := p.onBed(st, s); ok {
			list = append(list, h)
		}
	}
	if asked == machining.WorkholdingFixture {
		list = append(p.inFixtures(st, s), clamping{kind: asked, text: fixtureText(s), limit: math.Inf(-1)})
	}
	return p.numbered(list, asked, 0)
}

// inVises returns the clampings in a vise, the best first. Raw stock has more material below the part for the jaws, as
// deep as they need it.
func (p *planner) inVises(st *state, s side) (list []clamping) {
	k := &p.in.Config.Stock
	hasMore := k.Kind == machining.StockBox || k.Kind == machining.StockCylinder && *p.plan.Bar == s.axis()
	hasMore = hasMore && !p.ready[s.opposite()] && (k.Grip > 0 || k.Size != nil)
	if st.before != [sides]bool{} || !hasMore {
		for _, g := range p.vises(st, s) {
			list = append(list, p.inVise(st, s, &g))
		}
		if a, b := s.across(); st.before != [sides]bool{} {
			for _, axis := range [2]int{min(a, b), max(a, b)} {
				list = append(list, p.formed(st, s, axis)...)
			}
		}
		return list
	}
	for _, raw := range p.rawStocks(s) {
		on := *st
		on.stock, on.left = raw, raw
		for _, g := range p.vises(&on, s) {
			h := p.inVise(&on, s, &g)
			h.stock = &raw
			list = append(list, h)
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// rawStocks returns the stock that the first setup may grip with a side up, the least first.
func (p *planner) rawStocks(s side) (list []geom.Box) {
	k := &p.in.Config.Stock
	if k.Size != nil {
		return []geom.Box{p.lowered(s), p.stock}
	}
	for _, share := range [3]float64{1, 1.5, 2} {
		list = append(list, p.gripStock(s, share*k.Grip))
	}
	return list
}

// lowered returns stock of a fixed size with the allowance above the part and the rest below it.
func (p *planner) lowered(s side) geom.Box {
	raw, above := p.stock, geom.Vec3(p.in.Config.Stock.Allowance).Coordinate(s.axis())
	if p.plan.Bar != nil {
		above = p.in.Config.Stock.Allowance.Z
	}
	if p.ready[s] {
		above = 0
	}
	span := s.span(raw)
	down := span.Hi - min(span.Hi, s.span(p.part).Hi+above)
	put(&raw, s.axis(), s.flip(geom.Interval{Lo: span.Lo - down, Hi: span.Hi - down}))
	return raw
}

// gripStock returns the stock with as much more below the part as jaws of some depth need, with the tools running past
// its sides above them.
func (p *planner) gripStock(s side, depth float64) geom.Box {
	raw := p.stock
	span := s.span(raw)
	span.Lo = min(span.Lo, s.span(p.part).Lo-depth-jawClear-p.in.Config.Stock.Under)
	put(&raw, s.axis(), s.flip(span))
	return raw
}

// inVise is the clamping in a vise with a grip.
func (p *planner) inVise(st *state, s side, g *viseGrip) clamping {
	w := &p.in.Config.Workholding
	h := clamping{kind: machining.WorkholdingVise, limit: g.top + jawClear, strength: &g.strength}
	vise, on := "In a vise", ""
	if g.soft {
		vise = "In a vise with soft jaws"
	}
	if hangs := round(g.rest - s.span(st.left).Lo); hangs > 0 {
		on = fmt.Sprintf(" It lies on a floor %.4g mm above its lowest point.", hangs)
	}
	h.text = fmt.Sprintf("%s, %.4g mm deep, on the faces across %s, %.5g mm apart%s.%s", vise, round(g.depth),
		"xyz"[g.axis:g.axis+1], round(g.planes.Length()), p.seats(g), on)
	third := 3 - s.axis() - g.axis
	mid := along(st.left, third).Mid()
	for _, jaw := range [2]geom.Interval{
		{Lo: g.planes.Lo - jawDepth, Hi: g.planes.Lo}, {Lo: g.planes.Hi, Hi: g.planes.Hi + jawDepth},
	} {
		var b geom.Box
		put(&b, g.axis, jaw)
		put(&b, third, geom.Interval{Lo: mid - w.JawWidth/2, Hi: mid + w.JawWidth/2})
		put(&b, s.axis(), s.flip(geom.Interval{Lo: g.top - max(w.JawHeight, g.depth), Hi: g.top}))
		h.jaws = append(h.jaws, b)
	}
	return h
}

// seats names the outer seats of the jaws where a grip needs them.
func (p *planner) seats(g *viseGrip) string {
	if g.planes.Length() > p.in.Config.Workholding.Opening {
		return ", its jaws on the outer seats"
	}
	return ""
}

func fixtureText(s side) string {
	return fmt.Sprintf("In a fixture that is not designed, %v of the workpiece up; its clamps and its strength are no part "+
		"of the proof.", s)
}

// isSquare reports whether a patch is a plane that faces along an axis.
func (p *planner) isSquare(q int32, axis int, up bool) bool {
	return p.g.Patches[q].Kind == surface.KindPlane && p.g.Facing(q, sideOf(axis, up).dir(p.frame))
}
