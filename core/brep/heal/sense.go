package heal

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/curve"
	"millwright/core/geom/surface"
)

// turnedFaces finds the faces whose sense contradicts their loops: some systems write B-spline faces of
// which the flag says one thing and the edges, which agree with all neighbours, the other.
//
// Method: a face keeps its interior on the left of its loops, so the sum of the signed areas of its
// loops in the parameter plane is positive for the sense of the surface and negative for a reversed face.
// The loops are laid out from a few points of each edge, each inverted from the place of the one before.
// Cost: some inversions for each edge of a curved face, spread over all cores.
//
// Only faces on surfaces without periods and poles are judged, and no triangles, which have no parameter
// plane. On others a loop may bound its outside, and the neighbours would have to be asked.
//
// In passing it is noted how far the points of each coedge are from its face (mm).
func turnedFaces(ctx context.Context, m *brep.Model) (turned []brep.FaceID, gaps []float64, err error) {
	gaps = make([]float64, len(m.Coedges))
	isTurned := make([]bool, len(m.Faces))
	var next atomic.Int64
	var wg sync.WaitGroup
	const batch = 64
	for range min(runtime.GOMAXPROCS(0), (len(m.Faces)+batch-1)/batch) {
		wg.Go(func() {
			for ctx.Err() == nil {
				lo := int(next.Add(batch)) - batch
				if lo >= len(m.Faces) {
					return
				}
				for i := lo; i < min(lo+batch, len(m.Faces)); i++ {
					isTurned[i] = contradicts(m, brep.FaceID(i), gaps)
				}
			}
		})
	}
	wg.Wait()
	for i, t := range isTurned {
		if t {
			turned = append(turned, brep.FaceID(i))
		}
	}
	return turned, gaps, ctx.Err()
}

// contradicts reports whether the loops of a face certainly turn against its sense.
func contradicts(m *brep.Model, id brep.FaceID, gaps []float64) bool {
	f := &m.Faces[id]
	if f.Surface == nil || len(f.Loops) == 0 || f.Surface.Kind() == surface.KindFacets {
		return false
	}
	if u, v := f.Surface.Periods(); u != 0 || v != 0 || len(f.Surface.Singularities()) > 0 {
		offFace(m, id, gaps)
		return false
	}
	for i, look := range looks {
		w := walker{m: m, surface: f.Surface, parts: look.parts, gaps: gaps}
		var area, around float64
		for _, l := range f.Loops {
			a, p := w.loop(l)
			area += a
			around += p
		}
		if f.Reversed {
			area = -area
		}
		limit := look.decisive
		if !w.bends {
			limit = exact
		}
		ratio := area / (around * around)
		if ratio > limit {
			return false
		}
		if ratio < -limit && (i == len(looks)-1 || !w.bends) {
			return true
		}
	}
	return false
}

// looks are tried in turn until one decides; that a face is turned only the last one says, as edges that wind
// more than once between the points of the first may deceive it. The area of a face relative to its squared
// circumference is w/4l for a strip of width w and length l. Taking the edges along it for parabolas through
// n + 1 points each gets the area wrong by no more than 1/10n⁴ of the squared circumference for edges that
// turn by half a circle.
var looks = []struct {
	parts    int     // of an edge that is not straight; even
	decisive float64 // ratio of area to squared circumference that is certain
}{{2, 1e-2}, {4, 1e-3}, {16, 1e-4}}

// exact is the decisive ratio of a face all of whose edges are straight in the parameter plane: rounding.
const exact = 1e-9

// walker lays loops out in the parameter plane of a surface.
type walker struct {
	m       *brep.Model
	surface surface.Surface
	parts   int  // of an edge that is not straight in the parameter plane
	bends   bool // there was such an edge
	gaps    []float64
	last    geom.Vec2
	off     float64   // mm: distance of the last point from the surface
	scale   geom.Vec2 // mm for one unit of each parameter, at the first point
	started bool
}

// place returns the parameters of p, both scaled to about mm.
func (w *walker) place(p geom.Vec3) geom.Vec2 {
	if !w.started {
		w.last, w.off = w.surface.Invert(p)
		_, du, dv := w.surface.D1(w.last.X, w.last.Y)
		w.scale = geom.Vec2{X: du.Norm(), Y: dv.Norm()}
		w.started = true
	} else {
		w.last, w.off = w.surface.InvertNear(p, w.last)
	}
	return geom.Vec2{X: w.last.X * w.scale.X, Y: w.last.Y * w.scale.Y}
}

// loop returns the signed area of a loop in the parameter plane, and its length there; both in mm.
func (w *walker) loop(id brep.LoopID) (area, length float64) {
	coedges := w.m.Loops[id].Coedges
	if len(coedges) == 0 {
		return 0, 0
	}
	first := w.place(w.m.Vertices[w.m.CoedgeStart(coedges[0])].Point)
	last, before := first, first
	step := func(c brep.CoedgeID, p geom.Vec3, isBehindMiddle bool) {
		uv := w.place(p)
		w.gaps[c] = max(w.gaps[c], w.off)
		area += 0.5 * last.Sub(first).Cross(uv.Sub(first))
		if isBehindMiddle { // the parabola through three points holds a third more than their triangle
			area += last.Sub(before).Cross(uv.Sub(before)) / 6
		}
		length += uv.Dist(last)
		before, last = last, uv
	}
	for _, c := range coedges {
		ce := &w.m.Coedges[c]
		e := &w.m.Edges[ce.Edge]
		n := 1
		if e.Curve != nil {
			n = w.partsOf(e)
			for k := 1; k < n; k++ {
				s := float64(k) / float64(n)
				if ce.Reversed {
					s = 1 - s
				}
				step(c, e.Curve.At(e.Range.At(s)), k%2 == 0)
			}
		}
		step(c, w.m.Vertices[w.m.CoedgeEnd(c)].Point, n%2 == 0)
	}
	area += 0.5 * last.Sub(first).Cross(geom.Vec2{})
	return area, length
}

// partsOf is the number of pieces in which an edge is looked at.
func (w *walker) partsOf(e *brep.Edge) int {
	if w.surface.Kind() == surface.KindPlane && e.Curve.Kind() == curve.KindLine {
		return 1
	}
	w.bends = true
	if w.parts == looks[0].parts && e.Curve.Kind() == curve.KindLine {
		return 1 // hardly ever bent in the parameter plane either
	}
	if e.Start == e.End {
		return 2 * w.parts
	}
	return w.parts
}
