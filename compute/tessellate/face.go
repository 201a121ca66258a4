package tessellate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright/compute/tessellate/delaunay"
	"millwright/core/brep"
	"millwright/core/brep/trim"
	"millwright/core/geom"
	"millwright/core/geom/surface/facets"
)

// faceResult is the mesh of one face, as ranges of its worker's output arrays.
type faceResult struct {
	worker                               int32
	triangles, points, corners, requests [2]int32
	warning                              brep.Warning // no code: none
}

// worker does faces one after the other and keeps its scratch memory between them.
type worker struct {
	run *run
	id  int32

	// Output, face after face. A corner of a triangle is the index of a shared point, or ^k for the
	// k-th entry of points of that face.
	triangles [][3]int32
	points    []geom.Vec3 // interior points
	corners   []int32     // shared points that the face uses, ascending, then its own as ^k
	normals   []geom.Vec3 // of each corner
	requests  []request   // pieces of edges that are too coarse for a face
	params    []float64   // curve parameters of samples

	builder trim.Builder
	tri     delaunay.Triangulation
	shape   shape
	density density
	chart   chart
	seeder

	// The face in work, per vertex of the triangulation: the ring points, then all others.
	ringData
	spare     ringData
	ringEnds  []int32
	n         []geom.Vec3
	off       []float64 // mm: how far each ring point, which is on an edge's curve, is from the surface
	plane     []geom.Vec2
	extra     []geom.Vec3 // points of cuts, referred to by negative indices
	blunt     []bool      // ring points at which the surface has no tangent plane, as at a cone's apex
	cosAngle  float64
	cosSide   float64
	chordGoal float64 // mm: the distance refinement aims at
	stuck     bool    // refinement left triangles beyond the chord tolerance, for want of room

	queue []int32
	heap  []candidate
	slot  []int32
	order []uint64
	clip  [][3]int32
}

// meshFaces does all faces of solids in parallel. Where it turns out that edges are sampled too coarsely
// for a face, they get further samples and all faces at them are done again.
func (r *run) meshFaces(progress func(done, total int)) error {
	n := len(r.model.Faces)
	r.faces = make([]faceResult, n)
	tick := newTicker(progress, n)
	err := r.parallel(n, func(w *worker, i int) {
		if f := brep.FaceID(i); !r.model.IsSheet(f) {
			r.faces[i] = w.face(f)
		}
		tick.done()
	})
	const rounds = 4
	for round := 1; err == nil && round <= rounds; round++ {
		again := r.grantRequests()
		if len(again) == 0 {
			break
		}
		r.lastRound = round == rounds
		err = r.parallel(len(again), func(w *worker, i int) { r.faces[again[i]] = w.face(again[i]) })
	}
	return err
}

// face meshes one face.
func (w *worker) face(f brep.FaceID) faceResult {
	res := faceResult{worker: w.id}
	w.mark(&res, 0)
	face := &w.run.model.Faces[f]
	if s, ok := face.Surface.(*facets.Surface); ok {
		w.facets(f, s)
		w.mark(&res, 1)
		return res
	}
	dom, err := w.layOut(f)
	switch {
	case err != nil:
		res.warning = w.warn(WarnBoundary, f, err.Error())
		w.loadLoops(f)
		w.emitClip(face.Reversed)
	case !w.load(dom):
		res.warning = w.warn(WarnEmpty, f, "its boundary encloses nothing")
	default:
		w.shape.set(face.Surface)
		res.warning = w.triangulate(f)
	}
	w.mark(&res, 1)
	return res
}

// layOut returns the face's domain in the parameter plane.
func (w *worker) layOut(f brep.FaceID) (*trim.Domain, error) {
	if w.run.model.Faces[f].Surface == nil {
		return nil, errors.New("it has no surface")
	}
	return w.builder.Build(w.run.model, f, w.run,
		trim.Options{ChordTolerance: w.run.chord, AngleTolerance: w.run.angle})
}

// mark notes the ends of the output arrays as end 0 or 1 of the ranges of a face.
func (w *worker) mark(res *faceResult, end int) {
	res.triangles[end], res.points[end] = int32(len(w.triangles)), int32(len(w.points))
	res.corners[end], res.requests[end] = int32(len(w.corners)), int32(len(w.requests))
}

func (w *worker) warn(code string, f brep.FaceID, why string) brep.Warning {
	return brep.Warning{Code: code, Count: 1,
		Detail: fmt.Sprintf("#%d ADVANCED_FACE (face %d): %s", w.run.model.Faces[f].Source, f, why)}
}

// triangulate meshes the loaded domain.
func (w *worker) triangulate(f brep.FaceID) brep.Warning {
	reversed := w.run.model.Faces[f].Reversed
	lo, hi := w.box()
	w.density.measure(&w.shape, lo, hi, w.run.chord, w.run.angle)
	w.density.modest(lo, hi, len(w.uv))
	if !w.run.lastRound && w.requestTwisted() {
		return brep.Warning{} // the face is done again with these samples
	}
	w.chart.set(&w.shape, &w.density, lo, hi)
	w.dividePoles()
	rings := len(w.uv)
	w.uv = append(w.uv, w.seed(lo, hi)...)
	w.plane = w.plane[:0]
	for _, uv := range w.uv {
		w.plane = append(w.plane, w.chart.plane(uv))
	}
	var warning brep.Warning
	if !w.build(0, 0) {
		w.tri.Crossings(func(i, j int32) {
			w.request(i, 2)
			w.request(j, 2)
		})
		warning = w.warn(WarnBoundary, f, "its boundary crosses itself")
		const deep = 0.25 // of a segment
		if !w.run.lastRound || !w.build(deep, w.run.chord*w.chart.perLength(&w.shape, lo, hi)) {
			w.uv, w.plane = w.uv[:rings], w.plane[:rings]
			w.emitClip(reversed)
			return warning
		}
	}
	w.lift()
	coarse := 0
	if w.shape.isFlat() {
		w.fatten(lo, hi)
	} else {
		coarse = w.refine()
		w.swapTilted()
		w.requestBoundary()
	}
	w.emit(reversed)
	if coarse > 0 && warning.Code == "" {
		warning = w.warn(WarnCoarse, f, fmt.Sprintf("%d triangles miss the tolerance", coarse))
	}
	return warning
}

// build triangulates the plane; false when the boundary crosses itself by more than depth, a share of its
// segments, and more than reach, a distance in the plane.
func (w *worker) build(depth, reach float64) bool {
	in := delaunay.Input{Points: w.plane, RingEnds: w.ringEnds, IDs: w.index, Depth: depth, Reach: reach}
	return !w.tri.Build(in).Failed
}

// load copies the polygons of a domain; false when there is none of three points.
func (w *worker) load(dom *trim.Domain) bool {
	w.clear()
	w.ringEnds, w.extra = w.ringEnds[:0], dom.Extra
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
			w.pieces = append(w.pieces, piece{v.Coedge, v.From, v.To})
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

// lift computes the points of the seeds and the normals of all vertices.
func (w *worker) lift() {
	rings := len(w.p)
	w.n, w.off = w.n[:0], w.off[:0]
	w.blunt = append(w.blunt[:0], make([]bool, rings)...)
	for i, uv := range w.uv {
		if i < rings && w.shape.isFlat() {
			w.n = append(w.n, w.shape.normal(uv))
			continue
		}
		p, n := w.shape.at(uv)
		if i < rings {
			w.n, w.off = append(w.n, n), append(w.off, w.shape.distance(w.p[i], p))
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

// write turns triangles over the vertices into output; those with two corners in one point of space
// vanish, which leaves the mesh closed because their other two sides are one edge.
func (w *worker) write(tris [][3]int32, reversed bool) {
	first := len(w.triangles)
	rings := int32(len(w.index))
	base := len(w.points)
	w.slot = append(w.slot[:0], slices.Repeat([]int32{absent}, len(w.p)+len(w.extra))...)
	own := func(slot int, p geom.Vec3) int32 {
		if w.slot[slot] == absent {
			w.slot[slot] = int32(len(w.points) - base)
			w.points = append(w.points, p)
		}
		return ^w.slot[slot]
	}
	w.order = w.order[:0]
	for _, t := range tris {
		var c [3]int32
		for k, v := range t {
			switch {
			case v >= rings:
				c[k] = own(int(v), w.p[v])
			case w.index[v] < 0:
				c[k] = own(len(w.p)+int(^w.index[v]), w.extra[^w.index[v]])
			default:
				c[k] = w.index[v]
			}
		}
		if c[0] == c[1] || c[1] == c[2] || c[2] == c[0] {
			continue
		}
		for k, v := range t {
			w.order = append(w.order, cornerKey(c[k], v))
		}
		if reversed {
			c[1], c[2] = c[2], c[1]
		}
		w.triangles = append(w.triangles, c)
	}
	if len(w.triangles) > first {
		w.writeCorners(reversed)
	}
}

// cornerKey sorts shared points ascending, then own points in their order; the vertex makes it unique.
func cornerKey(c, v int32) uint64 {
	if c < 0 {
		return 1<<63 | uint64(uint32(^c))<<32 | uint64(uint32(v))
	}
	return uint64(uint32(c))<<32 | uint64(uint32(v))
}

// writeCorners writes each point once with the mean of the normals at its vertices.
func (w *worker) writeCorners(reversed bool) {
	slices.Sort(w.order)
	w.order = slices.Compact(w.order)
	for i := 0; i < len(w.order); {
		key := w.order[i] >> 32
		var sum geom.Vec3
		var first geom.Vec3
		for ; i < len(w.order) && w.order[i]>>32 == key; i++ {
			n := w.n[uint32(w.order[i])]
			sum = sum.Add(n)
			if first == (geom.Vec3{}) {
				first = n
			}
		}
		const opposed = 1e-3 // a sum of unit vectors so short has no direction
		n := first
		if sum.Norm() > opposed {
			n = sum.Unit()
		}
		if reversed {
			n = n.Neg()
		}
		c := int32(key & 0x7fffffff)
		if key>>31 != 0 {
			c = ^c
		}
		w.corners = append(w.corners, c)
		w.normals = append(w.normals, n)
	}
}
