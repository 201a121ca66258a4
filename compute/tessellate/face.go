package tessellate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/compute/tessellate/internal/delaunay"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// faceResult is the mesh of one face.
type faceResult struct {
	output
	requests []request
	warning  fault.Warning // no code: no warning
	left     int           // triangles of a face that was left out, as it takes more than the whole part may have
	cells    loss          // of a face with creases
}

// count returns the number of triangles of the face.
func (f *faceResult) count() int { return max(len(f.triangles), f.left) }

// worker does faces one after the other and keeps its scratch memory between them.
type worker struct {
	run *run

	*draft // the face in work
	output // its mesh
	kept   store
	params []float64 // curve parameters of the edge in work
	ranges pool[float64]

	builder trim.Builder
	seeder
	spare     ringData
	plane     []geom.Vec2
	cosAngle  float64
	cosSide   float64
	chordGoal float64 // mm: the distance refinement aims at
	stuck     bool    // refinement left triangles beyond its goal, for lack of budget

	queue []int32
	heap  []candidate
	clip  [][3]int32

	// For write: the number of a point of the face alone, whether a vertex has been written, and the
	// vertices at shared points and at the face's own.
	slot          []int32
	seen          []bool
	shared, inner []uint64

	whole patchwork // of a face with creases
}

// draft is the data of a face being meshed that is kept while the face waits for the points of its probes.
type draft struct {
	face     brep.FaceID
	warning  fault.Warning // no code: no warning
	asked    int           // triangles that its curvature requires, more than it may have; 0: fewer
	limit    int           // triangles it may have
	requests []request     // pieces of edges that are too coarse for it
	cells    loss          // of its cells, when it has creases

	tri     delaunay.Triangulation
	shape   shape
	density density
	chart   chart

	// Per vertex of the triangulation: the ring points, then all others.
	ringData
	ringEnds []int32
	n        []geom.Vec3
	off      []float64   // mm: distance of each ring point, which is on an edge's curve, from the surface
	extra    []geom.Vec3 // points of cuts, referred to by negative indices
	blunt    []bool      // ring points at which the surface has no tangent plane, as at a cone's apex

	probes
}

// meshFaces does all faces of solids in parallel. Where it turns out that edges are sampled too coarsely
// for a face, they get further samples and all faces at them are done again.
func (r *run) meshFaces(progress func(done, total int)) error {
	n := len(r.model.Faces)
	r.faces = make([]faceResult, n)
	all := make([]brep.FaceID, n)
	for i := range all {
		all[i] = brep.FaceID(i)
	}
	tick, count := newTicker(progress, n), newTally(n, r.total)
	err := r.meshEach(all, count, func(f brep.FaceID) {
		count.add(int(f), r.faces[f].count())
		tick.done()
	})
	if err == nil && count.full.Load() {
		return r.tooComplex(count)
	}
	const rounds = 6
	for round := 1; err == nil && round <= rounds; round++ {
		again := r.grantRequests()
		if len(again) == 0 {
			break
		}
		r.lastRound = round == rounds
		err = r.meshEach(again, newTally(0, r.total), func(brep.FaceID) {})
		if err == nil {
			err = r.refuseOverfull()
		}
	}
	return err
}

// begin lays a face out; false when it is done already, true when it waits for the points of its probes, with
// which it is to be finished.
func (w *worker) begin(f brep.FaceID) (waits bool) {
	w.face, w.warning, w.asked, w.requests, w.cells = f, fault.Warning{}, 0, w.requests[:0], loss{}
	w.output.reset()
	face := &w.run.model.Faces[f]
	if s, ok := face.Surface.(*facets.Surface); ok {
		w.facets(f, s)
		return false
	}
	dom, err := w.layOut(f)
	if err != nil {
		w.loadLoops(f)
		w.emitClip(face.Reversed)
		w.warn(WarnBoundary, err.Error())
		return false
	}
	if !w.load(dom) {
		w.warn(WarnEmpty, "its boundary encloses nothing")
		return false
	}
	w.shape.set(face.Surface)
	if w.meshCells(dom) {
		return false
	}
	w.shape.set(face.Surface)
	w.limit = w.run.faceLimit()
	if !w.triangulate() {
		return false
	}
	if w.probe() {
		return true
	}
	w.finish()
	return false
}

// keep returns the mesh of the face in work.
func (w *worker) keep() faceResult {
	f := faceResult{w.kept.keep(&w.output), w.kept.requests.keep(w.requests), w.warning, 0, w.cells}
	if w.run.mayCoarsen() {
		f.left = w.asked
	}
	return f
}

// layOut returns the face's domain in the parameter plane.
func (w *worker) layOut(f brep.FaceID) (*trim.Domain, error) {
	if w.run.model.Faces[f].Surface == nil {
		return nil, errors.New("it has no surface")
	}
	o := trim.Options{ChordTolerance: w.run.chord, AngleTolerance: w.run.angle}
	if s, ok := w.run.model.Faces[f].Surface.(surface.Cylinder); ok {
		o.CutLength = w.run.longestOn(s)
	}
	return w.builder.Build(w.run.model, f, w.run, o)
}

// warn records a defect of the current face, unless there is one already.
func (w *worker) warn(code, why string) {
	if w.warning.Code == "" {
		w.warning = fault.Warnf(code, 1, "%s: %s", w.run.model.FaceName(w.face), why)
	}
}

// triangulate makes a first triangulation of the loaded domain, which has no probes yet; false when that was all.
func (w *worker) triangulate() bool {
	w.probedVertices = 0
	lo, hi := w.box()
	w.density.measure(&w.shape, lo, hi, w.run.chord, w.run.angle)
	w.density.coarsenStraight(lo, hi, len(w.uv), leastModest(&w.shape))
	w.asked = w.modestFace()
	if w.asked > 0 && w.run.mayCoarsen() {
		return false // the whole part is meshed again
	}
	if !w.run.lastRound && w.requestTwisted() {
		return false // the face is done again with these samples
	}
	w.chart.set(&w.shape, &w.density, lo, hi)
	w.dividePoles()
	rings := len(w.uv)
	w.uv = append(w.uv, w.seed(lo, hi)...)
	w.plane = slices.Grow(w.plane[:0], len(w.uv))
	for _, uv := range w.uv {
		w.plane = append(w.plane, w.chart.plane(uv))
	}
	if !w.build(0, 0) {
		w.tri.Crossings(func(i, j int32) {
			w.request(i, 2)
			w.request(j, 2)
		})
		w.warn(WarnBoundary, "its boundary crosses itself")
		const deep = 0.25 // of a segment
		if !w.run.lastRound || !w.build(deep, w.run.chord*w.chart.perLength(&w.shape, lo, hi)) {
			w.uv, w.plane = w.uv[:rings], w.plane[:rings]
			w.emitClip(w.run.model.Faces[w.face].Reversed)
			return false
		}
	}
	w.lift()
	return true
}

// finish refines the triangulated face in work and writes its mesh.
func (w *worker) finish() {
	coarse := 0
	if w.shape.isFlat() {
		w.fatten(w.box())
		w.bound()
	} else {
		coarse = w.refine(w.asked > 0)
		if w.shape.kind == surface.KindCylinder && w.bound() {
			coarse = w.refine(w.asked > 0)
		}
		w.swapTilted()
		w.requestBoundary()
	}
	w.emit(w.run.model.Faces[w.face].Reversed)
	if w.asked > 0 {
		w.warnTooMany()
	}
	if coarse > 0 {
		w.warn(WarnCoarse, fmt.Sprintf("%d triangles miss the tolerance", coarse))
	}
}

// build triangulates the plane; false when the boundary crosses itself by more than depth, a share of its
// segments, and more than reach, a distance in the plane.
func (w *worker) build(depth, reach float64) bool {
	in := delaunay.Input{Points: w.plane, RingEnds: w.ringEnds, IDs: w.index, Depth: depth, Reach: reach}
	return !w.tri.Build(in).Failed
}

// load copies the polygons of a domain; false if no polygon has three points.
func (w *worker) load(dom *trim.Domain) bool {
	w.clear()
	w.ringEnds, w.extra = w.ringEnds[:0], append(w.extra[:0], dom.Extra...)
	points := 0
	for _, poly := range dom.Polygons {
		points += len(poly)
	}
	w.uv, w.p = slices.Grow(w.uv, points), slices.Grow(w.p, points)
	w.index, w.pieces = slices.Grow(w.index, points), slices.Grow(w.pieces, points)
	for _, poly := range dom.Polygons {
		if len(poly) < 3 {
			continue
		}
		for i, v := range poly {
			next := &poly[(i+1)%len(poly)]
			if v.Coedge == brep.None && v.Index == next.Index && v.UV != next.UV {
				w.poles = append(w.poles, int32(len(w.uv)))
			}
			w.uv = append(w.uv, v.UV)
			w.p = append(w.p, v.P)
			w.index = append(w.index, v.Index)
			w.pieces = append(w.pieces, piece{coedge: v.Coedge, from: v.From, to: v.To})
		}
		w.ringEnds = append(w.ringEnds, int32(len(w.uv)))
	}
	return len(w.ringEnds) > 0
}

// box returns the parameter box of the rings.
func (w *worker) box() (lo, hi geom.Vec2) {
	inf := math.Inf(1)
	lo, hi = geom.Vec2{X: inf, Y: inf}, geom.Vec2{X: -inf, Y: -inf}
	for _, p := range w.uv {
		lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
		hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
	}
	return lo, hi
}

// forgiven is the share of the chord tolerance from which an edge counts as off the surface.
const forgiven = 0.1

// lift computes the points of the seeds and the normals of all vertices.
func (w *worker) lift() {
	rings := len(w.p)
	w.n, w.off = slices.Grow(w.n[:0], len(w.uv)), w.off[:0]
	w.p = slices.Grow(w.p, len(w.uv)-rings)
	w.blunt = append(w.blunt[:0], make([]bool, rings)...)
	for i, uv := range w.uv {
		if i < rings && w.shape.isFlat() {
			w.n = append(w.n, w.shape.normal(uv))
			continue
		}
		p, n := w.shape.at(uv)
		if i < rings {
			off := w.shape.distance(w.p[i], p)
			if off < forgiven*w.run.chord {
				off = 0
			}
			w.n, w.off = append(w.n, n), append(w.off, off)
			continue
		}
		w.p, w.n = append(w.p, p), append(w.n, n)
	}
	w.smoothPoles()
}

// emit writes the triangles of the triangulation.
func (w *worker) emit(reversed bool) {
	w.clip = w.tri.Append(w.clip[:0])
	w.write(w.clip, reversed)
}
