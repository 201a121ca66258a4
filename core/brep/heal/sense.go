package heal

import (
	"context"
	"math"
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
// Only faces on surfaces without periods and poles are judged, and no triangles, which have no parameter plane. On others a loop may bound its outside,
// and the neighbours would have to be asked.
func turnedFaces(ctx context.Context, m *brep.Model) ([]brep.FaceID, error) {
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
					isTurned[i] = contradicts(m, brep.FaceID(i))
				}
			}
		})
	}
	wg.Wait()
	var turned []brep.FaceID
	for i, t := range isTurned {
		if t {
			turned = append(turned, brep.FaceID(i))
		}
	}
	return turned, ctx.Err()
}

// contradicts reports whether the loops of a face certainly turn against its sense.
func contradicts(m *brep.Model, id brep.FaceID) bool {
	f := &m.Faces[id]
	if f.Surface == nil || len(f.Loops) == 0 || f.Surface.Kind() == surface.KindFacets {
		return false
	}
	if u, v := f.Surface.Periods(); u != 0 || v != 0 || len(f.Surface.Singularities()) > 0 {
		return false
	}
	for _, look := range looks {
		w := walker{m: m, surface: f.Surface, parts: look.parts}
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
		if ratio := area / (around * around); math.Abs(ratio) > limit {
			return ratio < 0
		}
	}
	return false
}

// looks are tried in turn until one decides. The area of a face relative to its squared circumference is
// w/4l for a strip of width w and length l. Cutting the edges along the strip into n parts each, by two
// different numbers of edges on both sides, gets the area wrong by no more than 1/16n² of the squared
// circumference for edges that turn by a radian.
var looks = []struct {
	parts    int     // of an edge that is not straight
	decisive float64 // ratio of area to squared circumference that is certain
}{{4, 1e-2}, {32, 1e-4}}

// exact is the decisive ratio of a face all of whose edges are straight in the parameter plane: rounding.
const exact = 1e-9

// walker lays loops out in the parameter plane of a surface.
type walker struct {
	m       *brep.Model
	surface surface.Surface
	parts   int  // of an edge that is not straight in the parameter plane
	bends   bool // there was such an edge
	last    geom.Vec2
	scale   geom.Vec2 // mm for one unit of each parameter, at the first point
	started bool
}

// place returns the parameters of p, both scaled to about mm.
func (w *walker) place(p geom.Vec3) geom.Vec2 {
	if !w.started {
		w.last, _ = w.surface.Invert(p)
		_, du, dv := w.surface.D1(w.last.X, w.last.Y)
		w.scale = geom.Vec2{X: du.Norm(), Y: dv.Norm()}
		w.started = true
	} else {
		w.last, _ = w.surface.InvertNear(p, w.last)
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
	last := first
	step := func(p geom.Vec3) {
		uv := w.place(p)
		area += 0.5 * last.Sub(first).Cross(uv.Sub(first))
		length += uv.Dist(last)
		last = uv
	}
	for _, c := range coedges {
		ce := &w.m.Coedges[c]
		e := &w.m.Edges[ce.Edge]
		if e.Curve != nil {
			n := w.partsOf(e)
			for k := 1; k < n; k++ {
				s := float64(k) / float64(n)
				if ce.Reversed {
					s = 1 - s
				}
				step(e.Curve.At(e.Range.At(s)))
			}
		}
		step(w.m.Vertices[w.m.CoedgeEnd(c)].Point)
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
	if e.Start == e.End {
		return 2 * w.parts
	}
	return w.parts
}
