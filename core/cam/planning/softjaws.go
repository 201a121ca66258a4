package planning

// Soft jaws with a pocket of the part's outline.
//
// Where no pair of parallel faces stands for flat jaws, blanks of aluminum are milled to the outline of the part near
// its seat, and grip it all around. The outline has rows across the direction in which the jaws close. A row is the
// range of the part's mesh along that direction, between the seat and the top of the jaws. It counts for the grip if
// its walls are finished and vertical over that height. The jaws clear stock that extends beyond the part.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	formedRows = 64   // across the direction in which the jaws close
	upright    = 0.05 // mm by which a wall may lean over half the height of the jaws
	closedGap  = 3.0  // mm between soft jaws that hold a part
	leastForm  = 3.0  // mm, depth of a pocket in soft jaws
	deepForm   = 20.0 // mm, of the deepest: 3 diameters of the mill of its corners
	freeGap    = 0.15 // mm beside faces along which the jaws close: rows reach as far into one another
	stepOut    = 0.5  // mm, of the search for stock beyond the part
)

// extent is the range of a row of the part, and the patches at its two ends.
type extent struct {
	at [2]float64 // +Inf, −Inf: nothing is in the row
	by [2]int32
}

// add widens the row to a place of a patch.
func (e *extent) add(at float64, q int32) {
	if at < e.at[0] {
		e.at[0], e.by[0] = at, q
	}
	if at > e.at[1] {
		e.at[1], e.by[1] = at, q
	}
}

// contains reports whether a range is within the row, with what clipping may round it by.
func (e *extent) contains(iv geom.Interval) bool {
	return iv.Lo > e.at[0]+geom.Resolution && iv.Hi < e.at[1]-geom.Resolution
}

// slabKey is a layer of the part across a side, seen along an axis.
type slabKey struct {
	side      side
	axis      int
	low, high float64
}

// extents returns the rows of a layer of the part.
func (p *planner) extents(k slabKey) []extent {
	if list, ok := p.slabs[k]; ok {
		return list
	}
	third := 3 - k.side.axis() - k.axis
	rows := make([]extent, formedRows)
	for i := range rows {
		rows[i].at = [2]float64{math.Inf(1), math.Inf(-1)}
	}
	across := along(p.part, third)
	pitch := across.Length() / formedRows
	var clip clipper
	for q := range p.boxes {
		if overlap(k.side.span(p.boxes[q]), geom.Interval{Lo: k.low, Hi: k.high}).Length() < 0 {
			continue
		}
		p.g.EachTriangle(int32(q), func(a, b, c geom.Vec3) bool {
			piece := clip.triangle(p, [3]geom.Vec3{a, b, c}, third, k.axis, k.side)
			piece = clip.between(piece, 2, k.low, k.high, &clip.corners)
			if len(piece) == 0 {
				return true
			}
			box := geom.BoxOf(piece...)
			first := max(int((box.Min.X-freeGap-across.Lo)/pitch), 0)
			for i := first; i < formedRows && across.Lo+float64(i)*pitch-freeGap <= box.Max.X; i++ {
				if rows[i].contains(along(box, 1)) {
					continue
				}
				low := across.Lo + float64(i)*pitch
				for _, v := range clip.between(piece, 0, low-freeGap, low+pitch+freeGap, &clip.clipped) {
					rows[i].add(v.Y, int32(q))
				}
			}
			return true
		})
	}
	if p.slabs == nil {
		p.slabs = map[slabKey][]extent{}
	}
	p.slabs[k] = rows
	return rows
}

// formed returns the clampings in soft jaws that close along an axis, the deepest first.
func (p *planner) formed(st *state, s side, axis int) (list []clamping) {
	rest := s.span(st.left).Lo
	depths := p.gripDepths(st, s)
	if deepForm <= gripShare*s.span(st.left).Length() {
		depths = append([]float64{deepForm}, depths...)
	}
	for _, depth := range depths {
		depth = max(depth, leastForm)
		g := viseGrip{axis: axis, rest: rest, top: rest + depth, depth: depth, soft: true}
		if h, ok := p.form(st, s, &g, 3-s.axis()-axis); ok {
			list = append(list, h)
		}
	}
	return list
}

// form returns the clamping in soft jaws with a grip of a depth.
func (p *planner) form(st *state, s side, g *viseGrip, third int) (clamping, bool) {
	w := &p.in.Config.Workholding
	middle := g.rest + g.depth/2
	halves := [2][]extent{
		p.extents(slabKey{s, g.axis, g.rest + p.tol(), middle}), p.extents(slabKey{s, g.axis, middle, g.top}),
	}
	across := along(p.part, third)
	pitch := across.Length() / formedRows
	if across.Length() > w.JawWidth {
		return clamping{}, false // it would tilt over the ends of the jaws
	}
	if g.top > s.span(p.part).Hi-jawClear ||
		s.span(st.left).Hi-g.top > mostStandOut*min(along(st.left, g.axis).Length(), w.MostOpening()) {
		return clamping{}, false
	}
	rows := make([][2]float64, formedRows)
	var isMade, isWall [formedRows][2]bool
	var walls [2]int
	for i := range rows {
		for k := range 2 {
			isMade[i][k] = p.isMade(st, s, halves[0][i].by[k], g) && p.isMade(st, s, halves[1][i].by[k], g)
			isWall[i][k] = isMade[i][k] && math.Abs(halves[0][i].at[k]-halves[1][i].at[k]) <= upright
			if isWall[i][k] {
				walls[k]++
			}
		}
	}
	if float64(min(walls[0], walls[1])) < leastGrip*formedRows {
		return clamping{}, false
	}
	g.planes = geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for i := range rows {
		x := across.Lo + (float64(i)+0.5)*pitch
		for k := range 2 {
			to := sideOf(g.axis, k == 1)
			low, high := to.sign()*halves[0][i].at[k], to.sign()*halves[1][i].at[k]
			out := p.outermost(st, s, to, g, x, math.Inf(1), max(low, high))
			if !isMade[i][k] {
				out += 2 * leaveRadial // that roughing left
			}
			rows[i][k] = to.sign() * out
			isWall[i][k] = isWall[i][k] && out <= low+upright
		}
	}
	p.overUnmade(st, s, g, third, rows, isWall[:])
	p.fillCorners(halves[0], rows, isWall[:], pitch)
	for _, r := range rows {
		if r[0] <= r[1] {
			g.planes.Lo, g.planes.Hi = min(g.planes.Lo, r[0]), max(g.planes.Hi, r[1])
		}
	}
	meet, least, width := parting(rows, isWall[:], g.planes)
	if float64(least) < leastGrip*formedRows || g.planes.Length() > w.MostOpening() ||
		s.span(st.left).Hi-g.top > mostStandOut*width {
		return clamping{}, false
	}
	g.strength = p.strengthOf(st, s, g, float64(least)*pitch)
	g.strength.grip.Width = width
	g.strength.grip.Stopped = true // by the ends of the pocket
	if !g.strength.holdsLightCuts(&p.in.Config.Material) {
		return clamping{}, false
	}
	f := p.formedOf(st, s, g, third, rows, isWall[:], meet)
	f.least = least
	return clamping{
		kind: machining.WorkholdingVise, isFormed: true, limit: g.top + jawClear, strength: &g.strength,
		text: fmt.Sprintf("In a vise with soft jaws milled to its outline, %.4g mm deep, that close along %s over %.5g mm%s.",
			round(g.depth), "xyz"[g.axis:g.axis+1], round(g.planes.Length()), p.seats(g)),
		jaws: f.boxes(p.tol()), formed: f, design: &jawPieces{formed: f, noun: "jaw"},
	}, true
}

// overUnmade widens the rows to the stock over faces that are not made.
func (p *planner) overUnmade(st *state, s side, g *viseGrip, third int, rows [][2]float64, isWall [][2]bool) {
	across := along(p.part, third)
	pitch := across.Length() / formedRows
	for _, o := range p.overFaces(st, s, geom.Interval{Lo: g.rest, Hi: g.top}) {
		x := along(o.box, third)
		first, last := int((x.Lo-across.Lo)/pitch), int(math.Ceil((x.Hi-across.Lo)/pitch))
		for i := max(first, 0); i < min(last, formedRows); i++ {
			for k := range 2 {
				to := sideOf(g.axis, k == 1)
				was := to.sign() * rows[i][k]
				out := p.outermost(&o.others, s, to, g, across.Lo+(float64(i)+0.5)*pitch, outer(o.box, to), was)
				if out > was {
					rows[i][k], isWall[i][k] = to.sign()*out, false
				}
			}
		}
	}
}

// isSeen reports whether a patch faces a side that sees some of it.
func (p *planner) isSeen(s side, q int32) bool {
	v := p.in.Run.Visibility
	if v.Share[p.seen[s]][q] <= 0 {
		return false
	}
	r := direction.Classify(p.g, q, v.Dirs[p.seen[s]])
	return r == direction.Normal || r == direction.Oblique
}

// fillCorners widens the rows to what the mills that made the walls left in hollow corners: a disc of their radius that
// rolls along the rows touches the new ones.
func (p *planner) fillCorners(walls []extent, rows [][2]float64, isWall [][2]bool, pitch float64) {
	radius := 0.0
	for i := range walls {
		for k := range 2 {
			if !isWall[i][k] {
				continue
			}
			for _, w := range p.tasks[p.taskOf[walls[i].by[k]]].ways {
				if w != nil && w.kind == wall {
					radius = max(radius, p.tools[w.tool].Diameter/2)
				}
			}
		}
	}
	reach, n := int(radius/pitch), len(rows)
	rise := func(by int) float64 { return math.Sqrt(radius*radius - float64(by*by)*pitch*pitch) }
	for k, sign := range [2]float64{-1, 1} {
		was := make([]float64, n)
		for i := range rows {
			was[i] = sign * rows[i][k]
		}
		lowest := make([]float64, n+2*reach) // of the center of the disc, from reach before the first row on
		for i := range lowest {
			lowest[i] = math.Inf(-1)
			for j := max(i-2*reach, 0); j <= min(i, n-1); j++ {
				lowest[i] = max(lowest[i], was[j]+rise(i-reach-j))
			}
		}
		for i := range rows {
			filled := math.Inf(1)
			for j := range 2*reach + 1 {
				filled = min(filled, lowest[i+j]-rise(j-reach))
			}
			at := was[i]
			if i > 0 && i < n-1 && was[i-1]+was[i+1]-2*at > upright { // a hollow corner is in this row
				filled = max(filled, at+min(max(was[i-1], was[i+1])-at, radius))
			}
			if filled > at+upright {
				rows[i][k], isWall[i][k] = sign*filled, false
			}
		}
	}
}

// parting returns where the jaws meet so that they touch the most rows, how many both do at least, and how far apart
// the walls are that they touch, mm.
func parting(rows [][2]float64, isWall [][2]bool, planes geom.Interval) (meet float64, least int, width float64) {
	at := []float64{planes.Mid()}
	for i := range rows {
		if isWall[i][0] || isWall[i][1] {
			at = append(at, (rows[i][0]+rows[i][1])/2)
		}
	}
	for _, z := range at {
		var n [2]int
		var sum [2]float64
		for i := range rows {
			for k, sign := range [2]float64{-1, 1} {
				if isWall[i][k] && sign*(rows[i][k]-z) >= closedGap/2 {
					n[k]++
					sum[k] += rows[i][k]
				}
			}
		}
		if m := min(n[0], n[1]); m > least {
			meet, least, width = z, m, sum[1]/float64(n[1])-sum[0]/float64(n[0])
		}
	}
	return meet, least, width
}

// outermost returns the end of the workpiece in a row toward a side, between the seat and the top of the jaws, at most
// at from. Part is the end of the part there, −Inf in rows without it.
func (p *planner) outermost(st *state, s, to side, g *viseGrip, x, from, part float64) float64 {
	raster := p.coarsest(st)
	const wide, skin = 1.5, 1e-3
	least := max(part+wide*raster, to.span(p.part).Lo)
	end := part
	var room [sides]beamRaster
	for _, z := range [3]float64{g.rest + skin, g.rest + g.depth/2, g.top - skin} {
		var at geom.Vec3
		at.SetCoordinate(3-s.axis()-to.axis(), x)
		at.SetCoordinate(s.axis(), s.sign()*z)
		line := p.beamFrom(st, at, to, room[:])
		for out := min(from, outer(st.left, to)) - skin; out > least; out -= stepOut {
			if line.isLeft(out) {
				least, end = out, out+stepOut
			}
		}
	}
	return end
}

// coarsest returns the cell width of the coarsest raster of the remaining stock, mm. The stock on it is too wide by one
// cell at most.
func (p *planner) coarsest(st *state) (step float64) {
	for _, c := range st.cuts {
		step = max(step, p.reliefOf(c.side).step)
	}
	return step
}

// isMade reports whether a patch is finished at the height of the jaws.
func (p *planner) isMade(st *state, s side, q int32, g *viseGrip) bool {
	t := p.taskOf[q]
	if t < 0 {
		return false
	}
	m := s.flip(st.made[t][s.axis()])
	height := overlap(s.span(p.tasks[t].box), geom.Interval{Lo: g.rest, Hi: g.top})
	return st.done[t] || m.Lo <= height.Lo+p.tol() && m.Hi >= height.Hi-p.tol()
}

// formedOf returns the jaws of a grip.
func (p *planner) formedOf(
	st *state, s side, g *viseGrip, third int, rows [][2]float64, isWall [][2]bool, meet float64,
) *formed {
	w := &p.in.Config.Workholding
	f := &formed{
		side: s, grip: *g, third: third, across: along(p.part, third), rows: rows, isWall: isWall, meet: meet, seat: true,
	}
	half := max(w.JawWidth, f.across.Length()) / 2
	f.ends = geom.Interval{Lo: f.across.Mid() - half, Hi: f.across.Mid() + half}
	f.low = g.top - max(w.JawHeight, g.depth)
	for k := range 2 {
		for i := range 2 {
			f.beside[k][i] = f.closed(k)
			if end := sideOf(third, i == 1); outer(st.left, end) > outer(p.part, end)+p.tol() {
				f.beside[k][i] = max(outer(st.left, sideOf(g.axis, k == 1)), f.closed(k))
			}
		}
	}
	return f
}

// boxes returns the jaws as boxes, one for each run of rows that are as far out.
func (f *formed) boxes(tol float64) (jaws []geom.Box) {
	pitch := f.across.Length() / formedRows
	for k := range 2 {
		far := outward(k)*f.grip.planes.Mid() + f.grip.planes.Length()/2 + jawDepth
		add := func(from, to, inner float64) {
			if inner >= far || to <= from {
				return
			}
			var b geom.Box
			put(&b, f.grip.axis, sideOf(f.grip.axis, k == 1).flip(geom.Interval{Lo: inner, Hi: far}))
			put(&b, f.third, geom.Interval{Lo: from, Hi: to})
			put(&b, f.side.axis(), f.side.flip(geom.Interval{Lo: f.low, Hi: f.grip.top}))
			jaws = append(jaws, b)
		}
		inner := func(i int) float64 {
			if at := f.rows[i][k]; !math.IsInf(at, 0) {
				return max(outward(k)*at, f.closed(k))
			}
			return f.closed(k)
		}
		add(f.ends.Lo, f.across.Lo, f.beside[k][0])
		for i := 0; i < formedRows; {
			n := i + 1
			for n < formedRows && math.Abs(inner(n)-inner(i)) <= tol {
				n++
			}
			add(f.across.Lo+float64(i)*pitch, f.across.Lo+float64(n)*pitch, inner(i))
			i = n
		}
		add(f.across.Hi, f.ends.Hi, f.beside[k][1])
	}
	return slices.Clip(jaws)
}
