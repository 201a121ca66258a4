package planning

// Vise grips.
//
// The remaining stock is known at every point: it is removed where it was higher than a side's lowest cut, outside of
// the part's material above it there (relief.go). A grid of points has some thirty columns for a jaw's length and rows
// of a sixth of its grip depth. On both sides of the part, the grid gives the outermost plane below the top of the
// jaws. It also gives the workpiece's face on that plane: raw, faced from there, or finished. A plane counts if no
// material extends beyond it. Its faces must be high enough for the grip depth, far enough apart along the jaw, and
// opposite to faces on the other side.
//
// Jaws reach up from the support of the part: its lowest face, or a wide enough floor, with lower parts between the
// jaws. They reach no higher than necessary, as tools must pass over them.
//
// Rasters of the part are too wide by up to a cell. Thinner parts beyond a plane are not seen, and faces in the air
// count as contact if they are nearer than a cell. Both errors are less than the allowance on stock, or covered by the
// box of a patch.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	gripColumns = 32  // along a jaw
	biteRows    = 6   // over the least bite
	leastBite   = 1.0 // mm, of rows where the config asks for no bite

	// Depths of contact on finished faces that are tried before the least one, mm: to a share of the height.
	softDepth, deepGrip, gripShare = 6.0, 10.0, 0.4

	// broad is the least share of the part, along both axes, of a floor that it can lie on.
	broad = 0.5
)

// viseGrip is the grip of a vise.
type viseGrip struct {
	axis   int           // along which it presses
	planes geom.Interval // of the jaws, along the axis
	rest   float64       // along the side: what the part lies on
	top    float64       // along the side: of the jaws
	depth  float64       // of the contact
	soft   bool          // they press on a finished face
	gaps   float64       // in the contact along the jaws, of the one that has more
	isRaw  [2]bool       // the one against the axis, and the one along it, press on raw faces

	strength strength
}

// vises returns the grips of a vise with a side up: by either pair of faces, with each depth, as low as they hold.
// Deeper ones come first, then lower ones, then those with less opening.
func (p *planner) vises(st *state, s side) (list []viseGrip) {
	a, b := s.across()
	for _, axis := range [2]int{min(a, b), max(a, b)} {
		list = append(list, p.vise(st, s, axis)...)
	}
	slices.SortStableFunc(list, func(a, b viseGrip) int {
		return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(round(a.top), round(b.top)),
			cmp.Compare(round(a.planes.Length()), round(b.planes.Length())))
	})
	return list
}

// vise returns the lowest jaws that press along an axis, for each depth at which any hold.
func (p *planner) vise(st *state, s side, axis int) (list []viseGrip) {
	jaws := [2]jaw{{planner: p, st: st, s: s, to: sideOf(axis, false)},
		{planner: p, st: st, s: s, to: sideOf(axis, true)}}
	for _, depth := range p.gripDepths(st, s) {
		if g, ok := p.lowestGrip(&jaws, axis, depth); ok {
			list = append(list, g)
		}
	}
	return list
}

// lowestGrip returns the lowest grip of a depth; false where none holds.
func (p *planner) lowestGrip(jaws *[2]jaw, axis int, depth float64) (viseGrip, bool) {
	st, s := jaws[0].st, jaws[0].s
	for _, rest := range p.rests(st, s) {
		for _, top := range p.jawTops(st, s, rest, depth) {
			g := viseGrip{axis: axis, rest: rest, top: top, depth: depth}
			if p.grips(jaws, &g) {
				return g, true
			}
		}
	}
	return viseGrip{}, false
}

// rests returns the heights that the part can lie on, the lowest first.
func (p *planner) rests(st *state, s side) []float64 {
	out := []float64{s.span(st.left).Lo}
	a, b := s.across()
	for t := range p.tasks {
		task := &p.tasks[t]
		w := task.ways[s.opposite()]
		isBroad := along(task.box, a).Length() >= broad*along(p.part, a).Length() &&
			along(task.box, b).Length() >= broad*along(p.part, b).Length()
		if z := s.span(task.box); st.done[t] && w != nil && w.kind == floor && isBroad && z.Hi > out[0]+p.tol() {
			out = append(out, z.Hi)
		}
	}
	return p.sorted(out)
}

// jawTops returns how high jaws may reach above what the part lies on, the lowest first: by the depth of contact above
// that or above where faces begin, and as high as they are.
func (p *planner) jawTops(st *state, s side, rest, depth float64) []float64 {
	w := &p.in.Config.Workholding
	most := rest + max(w.JawHeight, depth) - depth
	from := []float64{rest, most, s.span(p.part).Lo}
	for t := range p.tasks {
		from = append(from, s.span(p.tasks[t].box).Lo)
	}
	for _, c := range st.cuts {
		if c.side == s.opposite() {
			from = append(from, -c.low)
		}
	}
	from = slices.DeleteFunc(from, func(z float64) bool { return z < rest-p.tol() || z > most+p.tol() })
	for i := range from {
		from[i] += depth
	}
	return p.sorted(from)
}

// gripDepths returns the depths of contact to try, the deepest first: on raw stock the depth that it was made for, else
// depths up to a share of the height.
func (p *planner) gripDepths(st *state, s side) []float64 {
	w := &p.in.Config.Workholding
	if more := s.span(p.stock).Lo - s.span(st.left).Lo; st.before == [sides]bool{} && more > p.tol() {
		return []float64{max(w.Bite, s.span(p.part).Lo-jawClear-p.in.Config.Stock.Under-s.span(st.left).Lo)}
	}
	var depths []float64
	for _, d := range [2]float64{deepGrip, softDepth} {
		if d > w.Bite && d <= min(gripShare*s.span(st.left).Length(), w.JawHeight) {
			depths = append(depths, d)
		}
	}
	return append(depths, w.Bite)
}

// sorted returns lengths in their order, those that are equal once.
func (p *planner) sorted(list []float64) []float64 {
	slices.Sort(list)
	return slices.CompactFunc(list, func(a, b float64) bool { return math.Abs(a-b) <= p.tol() })
}

// grips finds the planes between which jaws hold.
func (p *planner) grips(jaws *[2]jaw, g *viseGrip) bool {
	s, touch := jaws[0].s, geom.Unbounded
	isCut := g.top > s.span(p.part).Hi-jawClear // the setup removes the faces that the jaws hold
	high, wide := s.span(jaws[0].st.left), along(jaws[0].st.left, g.axis).Length()
	if isCut || g.top > high.Hi+p.tol() || high.Hi-g.top > mostStandOut*wide+p.tol() {
		return false
	}
	var faces [2]*face
	for i := range jaws {
		f, span := jaws[i].plane(g)
		if f == nil {
			return false
		}
		faces[i], touch, g.soft = f, overlap(touch, span), g.soft || !f.isRaw
		g.isRaw[i] = f.isRaw
		if at := f.to.sign() * f.at; i == 1 {
			g.planes.Hi = at
		} else {
			g.planes.Lo = at
		}
	}
	if touch.Length() < leastGrip*along(p.part, 3-s.axis()-g.axis).Length() ||
		g.planes.Length() > p.in.Config.Workholding.MostOpening() ||
		high.Hi-g.top > mostStandOut*g.planes.Length() {
		return false
	}
	g.gaps = max(faces[0].gaps(g, touch), faces[1].gaps(g, touch))
	g.strength = p.strengthOf(jaws[0].st, s, g, touch.Length())
	return g.strength.holdsLightCuts(&p.in.Config.Material)
}

// outer returns the extent of a box toward a side.
func outer(b geom.Box, to side) float64 { return to.span(b).Hi }

// jaw is one of a vise.
type jaw struct {
	*planner
	st    *state
	s, to side
	faces []*face      // that were looked at
	ends  [][2]float64 // where patches begin along s, in ascending order, and how far out those to each of them are
}

// plane returns the face that a jaw presses on, nil without one, and the length of contact with the workpiece.
func (j *jaw) plane(g *viseGrip) (f *face, touch geom.Interval) {
	raw, part, far := outer(j.st.left, j.to), outer(j.part, j.to), j.farBelow(g.top-j.tol())
	for _, d := range [3]float64{raw, part, far} {
		isRound := j.plan.Bar != nil && *j.plan.Bar != g.axis && d >= outer(j.st.stock, j.to)-j.tol() // jaws are flat
		if d > raw+j.tol() || d < far-j.tol() || isRound {
			continue
		}
		f := j.face(d)
		if span := f.touch(g); span.Length() > 0 && !f.isSkinned(g.top) && !f.isMasked(g.top) {
			return f, span
		}
	}
	return nil, touch
}

// farBelow returns the outermost place of patches of the part that begin below a height.
func (j *jaw) farBelow(top float64) float64 {
	if j.ends == nil {
		for q := range j.boxes {
			j.ends = append(j.ends, [2]float64{j.s.span(j.boxes[q]).Lo, outer(j.boxes[q], j.to)})
		}
		slices.SortFunc(j.ends, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		for i := 1; i < len(j.ends); i++ {
			j.ends[i][1] = max(j.ends[i][1], j.ends[i-1][1])
		}
	}
	n, _ := slices.BinarySearchFunc(j.ends, top, func(e [2]float64, z float64) int { return cmp.Compare(e[0], z) })
	if n == 0 {
		return math.Inf(-1)
	}
	return j.ends[n-1][1]
}

// face returns the one in a plane.
func (j *jaw) face(at float64) *face {
	for _, f := range j.faces {
		if f.at == at {
			return f
		}
	}
	j.faces = append(j.faces, j.newFace(at))
	return j.faces[len(j.faces)-1]
}

// face is a plane against which a jaw may press.
type face struct {
	*jaw
	at             float64       // along to
	long           geom.Interval // of the workpiece along the jaw
	third          int
	isRaw, isFaced bool
	heightField    *heightField
	inPlane        []int                        // tasks that are made in part or wholly
	made           [gripColumns][]geom.Interval // along s, by column: the made heights of these
	skins          []int32                      // patches over which there may be a skin beyond the plane
	rows           []float64                    // room for heights
	clear          int                          // rows from the lowest one without material beyond the plane
	isCovered      bool                         // by something in the row after them
}

func (j *jaw) newFace(at float64) *face {
	f := &face{jaw: j, at: at, third: 3 - j.s.axis() - j.to.axis(), heightField: j.reliefOf(j.to)}
	all := along(j.st.left, f.third)
	half := j.in.Config.Workholding.JawWidth / 2
	f.long = overlap(all, geom.Interval{Lo: all.Mid() - half, Hi: all.Mid() + half})
	f.isRaw = at >= outer(j.st.stock, j.to)-j.tol() && !j.ready[j.to]
	for _, c := range j.st.cuts {
		f.isFaced = f.isFaced || c.side == j.to && math.Abs(c.low-at) <= j.tol()
	}
	for t := range j.tasks {
		task, m := &j.tasks[t], &j.st.made[t]
		isBegun := j.st.done[t] || m[j.s.axis()].Length() > 0 || m[f.third].Length() > 0
		if isBegun && len(task.patches) == 1 && math.Abs(outer(task.box, j.to)-at) <= j.tol() &&
			j.isSquare(task.patches[0], j.to.axis(), j.to.sign() > 0) {
			f.inPlane = append(f.inPlane, t)
		}
	}
	for i := range f.made {
		f.made[i] = f.madeIn(f.column(i))
	}
	for q, box := range f.boxes {
		if out := outer(box, f.to); out < f.at-leaveRadial || out > f.at+f.tol() {
			continue
		}
		isEdge := f.g.Patches[q].Kind == surface.KindPlane && !f.isSquare(int32(q), f.to.axis(), f.to.sign() > 0)
		if !isEdge {
			f.skins = append(f.skins, int32(q))
		}
	}
	return f
}

// madeIn returns the heights at which a task in the plane is made at a place along the jaw.
func (f *face) madeIn(x float64) (list []geom.Interval) {
	for _, t := range f.inPlane {
		box, m := f.tasks[t].box, &f.st.made[t]
		if on := along(box, f.third); x < on.Lo || x > on.Hi {
			continue
		}
		height := f.s.span(box)
		if !f.isFinished(t, geom.Unbounded, geom.Interval{Lo: x, Hi: x}) {
			made := f.s.flip(m[f.s.axis()])
			height = overlap(height, geom.Interval{Lo: made.Lo - f.tol(), Hi: made.Hi + f.tol()})
		}
		if height.Length() >= 0 {
			list = append(list, height)
		}
	}
	return list
}

// row returns how high rows of points are, mm.
func (p *planner) row() float64 { return max(p.in.Config.Workholding.Bite, leastBite) / biteRows }

// point returns a place in the frame of the workpiece.
func (f *face) point(out, x, z float64) geom.Vec3 {
	var v geom.Vec3
	v.SetCoordinate(f.to.axis(), f.to.sign()*out)
	v.SetCoordinate(f.third, x)
	v.SetCoordinate(f.s.axis(), f.s.sign()*z)
	return v
}

func (f *face) column(i int) float64 { return f.long.Lo + (float64(i)+0.5)/gripColumns*f.long.Length() }

// touch returns the length over which the workpiece has a face in the plane that is as high as the bite.
func (f *face) touch(g *viseGrip) geom.Interval {
	out := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	if !f.isRaw && !f.isFaced && len(f.inPlane) == 0 {
		return out
	}
	bites := f.bites(g)
	first, last := 0, gripColumns-1
	for first <= last && !bites(first) {
		first++
	}
	for first < last && !bites(last) {
		last--
	}
	if half := f.long.Length() / gripColumns / 2; first <= last {
		out = geom.Interval{Lo: f.column(first) - half, Hi: f.column(last) + half}
	}
	return out
}

// bites returns a test whether the workpiece has a face in the plane in a column, as high as the bite.
func (f *face) bites(g *viseGrip) func(column int) bool {
	row := f.row()
	enough := max(int(math.Round(g.depth/row)), 1)
	f.rows = f.rows[:0]
	for z := g.top - row/2; z > g.rest; z -= row {
		f.rows = append(f.rows, z)
	}
	return func(column int) bool {
		if !f.isRaw && !f.isFaced && len(f.made[column]) == 0 {
			return false
		}
		x := f.column(column)
		return hasRun(len(f.rows), enough, func(k int) bool { return f.isFace(column, x, f.rows[k]) })
	}
}

// gaps returns the length of the columns of a range that have no face in the plane.
func (f *face) gaps(g *viseGrip, touch geom.Interval) (sum float64) {
	bites := f.bites(g)
	for i := range gripColumns {
		if x := f.column(i); x > touch.Lo && x < touch.Hi && !bites(i) {
			sum += f.long.Length() / gripColumns
		}
	}
	return sum
}

// hasRun reports whether enough of some numbers 0 … n-1 that follow one another pass a test. Every run of as many has
// one of each enough numbers, so that the others are seldom asked for.
func hasRun(n, enough int, test func(k int) bool) bool {
	for k := enough - 1; k < n; k += enough {
		first, end := k, k
		for end < n && end-first < enough && test(end) {
			end++
		}
		for end > k && end-first < enough && first > 0 && test(first-1) {
			first--
		}
		if end-first >= enough {
			return true
		}
	}
	return false
}

// isFace reports whether the workpiece has a face in the plane at a place, which is in a column.
func (f *face) isFace(column int, x, z float64) bool {
	const under = 0.01 // mm
	at := f.point(f.at-under, x, z)
	if (f.isRaw || f.isFaced) && f.isLeft(f.st, at, (*heightField).least) {
		return true
	}
	for _, height := range f.made[column] {
		if z >= height.Lo && z <= height.Hi {
			return f.heightField.highest(at) >= f.at-f.tol()
		}
	}
	return false
}

// isSkinned reports whether roughing may have left a skin beyond the plane below the top of the jaws: on unfinished
// faces of the part in it, smoothly adjacent to it, or no deeper than the thickness of the skin.
func (f *face) isSkinned(top float64) bool {
	for _, q := range f.skins {
		box := f.boxes[q]
		height := overlap(f.s.span(box), geom.Interval{Lo: math.Inf(-1), Hi: top})
		if height.Length() <= f.tol() {
			continue
		}
		if t := f.taskOf[q]; t < 0 || !f.isFinished(t, height, along(box, f.third)) {
			return true
		}
	}
	return false
}

// isFinished reports whether a task is made at all heights of a range, or over all of a range along the jaw.
func (f *face) isFinished(t int, height, wide geom.Interval) bool {
	holds := func(all, iv geom.Interval) bool { return iv.Lo >= all.Lo-f.tol() && iv.Hi <= all.Hi+f.tol() }
	m := &f.st.made[t]
	return f.st.done[t] || holds(f.s.flip(m[f.s.axis()]), height) || holds(m[f.third], wide)
}

// isMasked reports whether stock extends beyond the plane below the top of a jaw.
func (f *face) isMasked(top float64) bool {
	low, row := f.s.span(f.st.left).Lo, f.row()
	height := func() float64 { return low + (float64(f.clear)+0.5)*row }
	for ; !f.isCovered && height() < top; f.clear++ {
		for i := range gripColumns {
			if f.isBeyond(f.column(i), height()) {
				f.isCovered = true
				return true
			}
		}
	}
	return f.isCovered && height() < top
}

// isBeyond reports whether stock is left beyond the plane at a place.
func (f *face) isBeyond(x, z float64) bool {
	const skin = 1e-3 // mm
	raw := outer(f.st.left, f.to)
	if raw <= f.at+f.tol() {
		return false
	}
	gap := skin
	if f.at < outer(f.part, f.to)-f.tol() { // within the part its raster is too wide
		gap += 1.5 * f.heightField.step
	}
	least, stride := min(f.at+gap, raw-skin), max(2*f.heightField.step, 1)
	for out := raw - skin; ; out = max(out-stride, least) {
		if f.isLeft(f.st, f.point(out, x, z), (*heightField).highest) {
			return true
		}
		if out <= least {
			return false
		}
	}
}

// isLeft reports whether a place in the stock was not cut away yet, by how high the part is over it.
func (p *planner) isLeft(st *state, at geom.Vec3, over func(r *heightField, at geom.Vec3) float64) bool {
	for _, c := range st.cuts {
		z := c.side.sign() * at.Coordinate(c.side.axis())
		if z > c.low && over(p.reliefOf(c.side), at) < z {
			return false
		}
	}
	return true
}
