package heal

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file finds edges that take the complementary arc of a closed curve. Between two points of a circle there are two
// arcs, and around a whole circle two directions. One flag of the file chooses; only the faces at the edge give further
// evidence.
//
// Method: a face is in doubt if its loops do not define its region, if its sense contradicts its loops, or if its
// boundary in a plane crosses itself. Each edge of a closed curve in these loops is tried with the complementary arc.
// The edge takes it if it was wrong before for a face at the edge, by the domain of the loops (package trim) and by
// crossings, and is right after for all of them, which use it in opposite directions. A face that would be right with
// its sense negated does not suffice as evidence: then all faces at the edge must have been wrong. One edge is tried at
// a time, so two wrong ones in a face stay.
//
// If one flag differs from all others, and most systems write the same flag everywhere, the edge takes the
// complementary arc wherever that is equally right for its faces, in doubt or not: with spheres and planes, either is a
// solid. One flag against a few others does not suffice. The complementary arc must then be better for the faces; where
// it is equally right, a warning reports it.
//
// A closed edge that both of its coedges use in one direction leaves its loops closed, so that there is no other
// evidence. If the loops then bound no region (a seam of a torus used twice in one direction, a tube both of whose ends
// run around it in one direction), the coedge is reversed that makes them bound one.
//
// Cost: for faces without doubt, one test of the arcs of planes; for others the domains of the faces at each closed
// edge, twice.

// edgeArc is a possible error of an edge or of one use of it.
type edgeArc struct {
	edge brep.EdgeID
	use  brep.CoedgeID // coedge of a closed edge that is reversed alone; None: the edge takes the complementary arc
}

// mostTried bounds the edges of a face that are tried.
const mostTried = 64

// complementaryArcs applies the complementary arc of edges that are wrong at faces in doubt, and returns the faces at
// them.
func complementaryArcs(m *brep.Model, inDoubt []brep.FaceID) (mended []brep.FaceID) {
	w := ways{m: m}
	first, count := brep.EdgeID(brep.None), 0
	for _, f := range inDoubt {
		if edge, ok := w.repairEdge(f); ok {
			if count++; first == brep.None {
				first = edge
			}
			mended = append(mended, w.facesAt(edge)...)
		}
	}
	if count > 0 {
		warn(m, ComplementaryArc, count, "%s of %s took the other way around its curve",
			m.EdgeName(first), m.FaceName(mended[0]))
	}
	return mended
}

type ways struct {
	m       *brep.Model
	builder trim.Builder
	next    int32 // number of the next sample
}

// enoughEdges is the number of edges of a model that shows the flag its system writes.
const enoughEdges = 8

// repairOdd applies the complementary arc of edges whose flags are odd if that leaves no more faces wrong.
func repairOdd(m *brep.Model) {
	w := ways{m: m}
	first, count := brep.EdgeID(brep.None), 0
	isCertain := len(m.Edges) >= enoughEdges
	for i := range m.Edges {
		e := &m.Edges[i]
		if !e.IsOdd {
			continue
		}
		e.IsOdd = false
		id := brep.EdgeID(i)
		if !isArc(e) && (e.Curve == nil || e.Start != e.End) {
			continue
		}
		switch better, asGood := w.tryOne(id); {
		case better || asGood && isCertain:
			w.take(edgeArc{id, brep.None})
			if count++; first == brep.None {
				first = id
			}
		case asGood:
			warn(m, AmbiguousSide, 1, "%s of %s could take the other way around its curve as well; its flag "+
				"differs from all others", m.EdgeName(id), m.FaceName(w.facesAt(id)[0]))
		}
	}
	if count > 0 {
		warn(m, ComplementaryArc, count, "%s of %s took the other way around its curve: its flag "+
			"differs from all others",
			m.EdgeName(first), m.FaceName(w.facesAt(first)[0]))
	}
}

// tryOne reports whether the complementary arc of an edge makes fewer of its faces wrong, or as many.
func (w *ways) tryOne(id brep.EdgeID) (better, asGood bool) {
	at := w.facesAt(id)
	gaps := make([]float64, len(w.m.Coedges))
	wrong := func() (n int) {
		for _, f := range at {
			if w.faults(f) > 0 || judge(w.m, f, gaps) == contradicted {
				n++
			}
		}
		return n
	}
	before := wrong()
	w.take(edgeArc{id, brep.None})
	after := wrong()
	isOpposed := len(at) > 0 && w.isOpposed(id)
	w.take(edgeArc{id, brep.None}) // back
	return isOpposed && after < before, isOpposed && after == before
}

// openUses reverses one use of closed edges used twice in one direction, if a face at them bounds no region.
func openUses(m *brep.Model) {
	w := ways{m: m}
	first, count := brep.FaceID(brep.None), 0
	for i := range m.Edges {
		e, id := &m.Edges[i], brep.EdgeID(i)
		if e.Curve == nil || e.Start != e.End || len(e.Coedges) != 2 || w.isOpposed(id) {
			continue
		}
		for _, c := range e.Coedges {
			f := m.FaceOf(c)
			if w.boundsRegion(f) {
				continue
			}
			w.take(edgeArc{id, c})
			if w.boundsRegion(f) {
				if count++; first == brep.None {
					first = f
				}
				break
			}
			w.take(edgeArc{id, c}) // back
		}
	}
	if count > 0 {
		warn(m, EdgesReversed, count, "An edge of %s had the wrong direction", m.FaceName(first))
	}
}

// repairEdge searches for the wrong edge of a face in doubt.
func (w *ways) repairEdge(f brep.FaceID) (brep.EdgeID, bool) {
	isWrong := func(f brep.FaceID) bool { return w.faults(f) > 0 }
	if !isWrong(f) {
		return brep.None, false
	}
	face := &w.m.Faces[f]
	face.Reversed = !face.Reversed
	mayBeTurned := !isWrong(f)
	face.Reversed = !face.Reversed
	for _, way := range w.candidates(f) {
		at := w.facesAt(way.edge)
		isRight := func(f brep.FaceID) bool { return !isWrong(f) }
		isSeam := len(at) == 1 && w.m.Edges[way.edge].Start != w.m.Edges[way.edge].End
		if mayBeTurned && (isSeam || slices.ContainsFunc(at, isRight)) {
			continue
		}
		w.take(way)
		if w.isOpposed(way.edge) && !slices.ContainsFunc(at, isWrong) {
			return way.edge, true
		}
		w.take(way) // back
	}
	return brep.None, false
}

// candidates returns the possible errors in the loops of a face.
func (w *ways) candidates(f brep.FaceID) (out []edgeArc) {
	var uses []edgeArc
	isNothing := !w.boundsRegion(f)
	for _, l := range w.m.Faces[f].Loops {
		for _, c := range w.m.Loops[l].Coedges {
			id := w.m.Coedges[c].Edge
			e := &w.m.Edges[id]
			isClosed := e.Curve != nil && e.Start == e.End
			isArc := e.Curve != nil && e.Curve.Period() > 0 && e.Range.Length() < e.Curve.Period()
			// The complementary arc of a seam bounds another zone of the surface, which may be as right as this one, if
			// this is one.
			isArc = isArc && (isNothing || len(w.facesAt(id)) > 1)
			if isClosed || isArc {
				out = append(out, edgeArc{id, brep.None})
			}
			if isClosed {
				uses = append(uses, edgeArc{id, c})
			}
		}
	}
	out = append(out, uses...)
	return out[:min(len(out), mostTried)]
}

func (w *ways) facesAt(id brep.EdgeID) (out []brep.FaceID) {
	for _, c := range w.m.Edges[id].Coedges {
		if f := w.m.FaceOf(c); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// isOpposed reports whether two faces use an edge in opposite directions, as all neighbors do.
func (w *ways) isOpposed(id brep.EdgeID) bool {
	c := w.m.Edges[id].Coedges
	return len(c) != 2 || w.m.Coedges[c[0]].Reversed != w.m.Coedges[c[1]].Reversed
}

// take applies the complementary arc. Applying it twice changes only rounding in the range of an arc.
func (w *ways) take(way edgeArc) {
	turn := func(c brep.CoedgeID) { w.m.Coedges[c].Reversed = !w.m.Coedges[c].Reversed }
	if way.use != brep.None {
		turn(way.use)
		return
	}
	e := &w.m.Edges[way.edge]
	for _, c := range e.Coedges {
		turn(c)
	}
	if e.Start == e.End {
		return
	}
	period := e.Curve.Period()
	e.Start, e.End = e.End, e.Start
	e.Range = geom.Interval{Lo: e.Range.Hi, Hi: e.Range.Lo + period}
	if e.Range.Lo >= period {
		e.Range.Lo, e.Range.Hi = e.Range.Lo-period, e.Range.Hi-period
	}
}

// hasDomain reports whether the loops of a face are tested.
func hasDomain(m *brep.Model, f brep.FaceID) bool {
	s := m.Faces[f].Surface
	return s != nil && s.Kind() != surface.KindFacets && len(m.Faces[f].Loops) > 0
}

// domain is the region that the loops of a face bound.
func (w *ways) domain(f brep.FaceID) (*trim.Domain, error) {
	w.next = int32(len(w.m.Vertices))
	return w.builder.Build(w.m, f, w, trim.Options{ChordTolerance: math.Inf(1), AngleTolerance: sampleTurn})
}

// boundsRegion reports whether the loops of a face bound a region of its surface at all.
func (w *ways) boundsRegion(f brep.FaceID) bool {
	if !hasDomain(w.m, f) {
		return true
	}
	_, err := w.domain(f)
	return err == nil
}

// faults counts the defects in the loops of a face.
func (w *ways) faults(f brep.FaceID) int {
	if !hasDomain(w.m, f) {
		return 0
	}
	d, err := w.domain(f)
	if err != nil {
		return 1
	}
	faults := d.Turned
	if w.m.Faces[f].Surface.Kind() == surface.KindPlane && crosses(d.Polygons) {
		faults++
	}
	return faults
}

// sampleTurn (rad) is the turn of an edge between two samples.
const sampleTurn = math.Pi / 8

// EdgeSamples implements trim.Sampler.
func (w *ways) EdgeSamples(id brep.EdgeID) []trim.Sample {
	e := &w.m.Edges[id]
	out := []trim.Sample{w.VertexSample(e.Start)}
	out[0].T = e.Range.Lo
	if e.Curve == nil {
		return out
	}
	params := trim.PolePoints(w.m, id, curve.Sample(e.Curve, e.Range, 0, sampleTurn))
	slices.Sort(params)
	params = slices.Compact(params)
	if len(params) == 2 {
		params = slices.Insert(params, 1, e.Range.Mid())
	}
	for _, t := range params[1:max(1, len(params)-1)] { // an empty range has one
		out = append(out, trim.Sample{T: t, P: e.Curve.At(t), Index: w.next})
		w.next++
	}
	end := w.VertexSample(e.End)
	end.T = e.Range.Hi
	return append(out, end)
}

// VertexSample implements trim.Sampler.
func (w *ways) VertexSample(v brep.VertexID) trim.Sample {
	return trim.Sample{P: w.m.Vertices[v].Point, Index: int32(v)}
}

// mostCrossed bounds the sides of polygons that are compared with each other.
const mostCrossed = 2000

// crosses reports whether sides of polygons cross, or lie on each other.
func crosses(polygons [][]trim.Vertex) bool {
	var sides [][2]geom.Vec2
	for _, p := range polygons {
		for i := range p {
			sides = append(sides, [2]geom.Vec2{p[i].UV, p[(i+1)%len(p)].UV})
		}
	}
	if len(sides) > mostCrossed {
		return false
	}
	left := func(i int) float64 { return min(sides[i][0].X, sides[i][1].X) }
	order := make([]int, len(sides))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(left(i), left(j)) })
	for at, i := range order {
		right := max(sides[i][0].X, sides[i][1].X)
		for _, j := range order[at+1:] {
			if left(j) > right {
				break
			}
			if cross(sides[min(i, j)], sides[max(i, j)]) {
				return true
			}
		}
	}
	return false
}

// cross reports whether two segments cross inside both by more than rounding, or run along each other.
func cross(a, b [2]geom.Vec2) bool {
	const rounding = 1e-6 // share of the lengths
	if min(a[0].X, a[1].X) > max(b[0].X, b[1].X) || min(b[0].X, b[1].X) > max(a[0].X, a[1].X) ||
		min(a[0].Y, a[1].Y) > max(b[0].Y, b[1].Y) || min(b[0].Y, b[1].Y) > max(a[0].Y, a[1].Y) {
		return false
	}
	u, v, d := a[1].Sub(a[0]), b[1].Sub(b[0]), b[0].Sub(a[0])
	size := u.Norm() * v.Norm()
	den := u.Cross(v)
	if math.Abs(den) <= rounding*size {
		isOn := math.Abs(u.Cross(d)) <= rounding*u.Norm()*max(u.Norm(), v.Norm())
		s, t := d.Dot(u)/u.Norm2(), d.Add(v).Dot(u)/u.Norm2()
		return size > 0 && isOn && min(max(s, t), 1)-max(min(s, t), 0) > 0.5
	}
	s, t := d.Cross(v)/den, d.Cross(u)/den
	return s > rounding && s < 1-rounding && t > rounding && t < 1-rounding
}

// hasDoubtfulArc reports whether a plane has an arc of more than half a circle and is crossed by its own boundary, or a
// loop of two equal arcs: then the complementary arc may be meant. In longer loops, the face across the edge shows
// whether half a circle bulges to the wrong side.
func hasDoubtfulArc(m *brep.Model, f brep.FaceID) bool {
	if m.Faces[f].Surface.Kind() != surface.KindPlane {
		return false
	}
	const half = 0.5 + 1e-6 // of the period
	isLong := false
	for _, l := range m.Faces[f].Loops {
		if isOneArc(m, l) {
			return true
		}
		for _, c := range m.Loops[l].Coedges {
			e := &m.Edges[m.Coedges[c].Edge]
			isLong = isLong || isArc(e) && e.Range.Length() > half*e.Curve.Period()
		}
	}
	w := ways{m: m}
	return isLong && w.faults(f) > 0
}

func isArc(e *brep.Edge) bool { return e.Curve != nil && e.Start != e.End && e.Curve.Period() > 0 }

// isOneArc reports whether a loop follows an arc and returns along another one at the same place.
func isOneArc(m *brep.Model, l brep.LoopID) bool {
	coedges := m.Loops[l].Coedges
	if len(coedges) != 2 {
		return false
	}
	a, b := &m.Edges[m.Coedges[coedges[0]].Edge], &m.Edges[m.Coedges[coedges[1]].Edge]
	return a != b && isArc(a) && isArc(b) &&
		a.Curve.At(a.Range.Mid()).Dist(b.Curve.At(b.Range.Mid())) <= m.Tolerance.Length
}

// openArcs applies the complementary arc of one of two equal arcs in a plane, chosen by its neighbors: otherwise the
// face would count as a sliver.
func openArcs(m *brep.Model) {
	var flat []brep.FaceID
	for i := range m.Faces {
		f := &m.Faces[i]
		if f.Surface == nil || f.Surface.Kind() != surface.KindPlane {
			continue
		}
		if slices.ContainsFunc(f.Loops, func(l brep.LoopID) bool { return isOneArc(m, l) }) {
			flat = append(flat, brep.FaceID(i))
		}
	}
	complementaryArcs(m, flat)
}
