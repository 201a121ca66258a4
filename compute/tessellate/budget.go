package tessellate

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// This file keeps the mesh of a huge part within a budget. On curved faces the number of triangles grows with the size
// of the part over the chord tolerance. A ball of 24 m takes a million triangles at 0.1 mm and a ship tens of millions,
// but neither is made to a tenth of a millimeter. So the chord tolerance of a part that exceeds the budget is made
// coarser, up to the default tolerance of parts of any size: the diameter over SizeShare. A part of 200 mm or less, and
// one within the budget, is meshed as without a budget.
//
// Method: the part is meshed, and meshing stops as soon as the budget is exceeded. Then the triangles are forecast for
// other tolerances from cheap inputs: the samples of the edges, and for each face its area in the parameter plane at
// the coarsest tolerance, times the density of its curvature. Bisection finds the finest tolerance whose forecast
// leaves a margin for refinement. If refinement exceeds the margin, a larger margin is used. Cost: the cost of the
// budget, once or twice, and some ten passes over edges and densities.

const (
	// Budget is the maximum number of triangles of a mesh with the default chord tolerance, before that tolerance is
	// made coarser. It keeps a part below 600 MB, including all derived data.
	Budget = 1_000_000
	// forecastShare is the share of the budget that the forecast targets, because refinement adds triangles to the
	// forecast.
	forecastShare = 0.8
	// lessShare is the factor on that share after each attempt that exceeds the budget.
	lessShare = 0.6
	// hardlyMore is the limit, as a multiple of the least number of triangles, where that least number exceeds the
	// budget.
	hardlyMore = 1.1
	// progress is the minimum coarsening factor of the next attempt.
	progress = 1.25
	// forecasts is the steps of bisection: to 2 % of the chord tolerance, where that may grow to the thousandfold.
	forecasts = 9
)

// fit meshes the part, with a coarser chord tolerance where it takes more triangles than the budget has. It returns
// the run that did.
func (r *run) fit(tell func(done, total int)) (*run, *Result, error) {
	asked := r.chord
	var rough *forecast
	for share := forecastShare; ; share *= lessShare {
		res, err := r.mesh(tell)
		var refusal *fault.Error
		if !errors.As(err, &refusal) || !r.mayCoarsen() {
			if err == nil && r.chord > asked {
				res.Warnings = append([]fault.Warning{r.coarsened(asked)}, res.Warnings...)
			}
			return r, res, err
		}
		if rough == nil {
			if rough, err = r.forecast(); err != nil {
				return r, nil, err
			}
		}
		if r, err = r.coarser(rough, share*float64(r.budget)); err != nil {
			return r, nil, err
		}
	}
}

// coarser returns a run with a coarser chord tolerance, with which the part takes about as many triangles as the goal.
// If the part takes more at any tolerance, as many small parts of a huge assembly do, the run takes hardly more than
// the minimum, and its limit is the limit of the whole mesh.
func (r *run) coarser(rough *forecast, goal float64) (*run, error) {
	least, err := rough.triangles(r.coarsest, float64(r.most))
	if err != nil {
		return r, err
	}
	isPossible := r.budget == r.most || least <= forecastShare*float64(r.budget)
	finest := min(r.coarsest, progress*r.chord)
	if !isPossible {
		finest, goal = r.chord, min(hardlyMore*least, forecastShare*float64(r.most))
	}
	chord, err := rough.finest(finest, r.coarsest, goal)
	if err != nil {
		return r, err
	}
	n := r.retry(chord)
	if !isPossible {
		n.coarsest = chord
		n.bound()
	}
	if chord > r.chord {
		n.smallest = smallest * chord
	}
	return n, nil
}

// mayCoarsen reports whether the chord tolerance may become coarser for fewer triangles.
func (r *run) mayCoarsen() bool { return r.chord < r.coarsest }

// retry is a run with another chord tolerance.
func (r *run) retry(chord float64) *run {
	n := &run{ctx: r.ctx, model: r.model, angle: r.angle, chord: chord, size: r.size, coarsest: r.coarsest,
		smallest: r.smallest, budget: r.budget, most: r.most, runner: r.runner}
	n.bound()
	return n
}

// bound sets the maximum number of triangles of the run.
func (r *run) bound() {
	if r.total = r.most; r.mayCoarsen() {
		r.total = r.budget
	}
}

// coarsened warns that the part was not meshed to the tolerance that was asked for.
func (r *run) coarsened(asked float64) fault.Warning {
	return fault.Warnf(WarnBudget, 1,
		"The part is %s large and takes more than %d triangles at a chord tolerance of %.3g mm, "+
			"so its mesh keeps %.3g mm.",
		length(r.size), r.budget, asked, r.chord)
}

// length writes a length (mm) in the unit that suits it.
func length(mm float64) string {
	switch meters := mm / 1000; {
	case meters < 1:
		return fmt.Sprintf("%.3g mm", mm)
	case meters < 1000:
		return fmt.Sprintf("%.3g m", meters)
	default:
		return fmt.Sprintf("%.3g km", meters/1000)
	}
}

// forecast estimates the number of triangles of a part.
type forecast struct {
	run   *run
	used  []bool // edges
	faces []outline
	edges []int // samples of each edge
	need  []float64
}

// outline is the data of a face that does not depend on tolerances.
type outline struct {
	shape  shape
	lo, hi geom.Vec2 // its box in the parameter plane
	area   float64   // there
	given  int       // number of triangles at any tolerance
}

// forecast maps the faces into their parameter planes. The error is that of the context.
func (r *run) forecast() (*forecast, error) {
	rough := r.retry(r.coarsest)
	rough.total = math.MaxInt32
	f := &forecast{run: rough, used: rough.solidEdges(), faces: make([]outline, len(r.model.Faces)),
		edges: make([]int, len(r.model.Edges)), need: make([]float64, len(r.model.Faces))}
	if err := rough.sampleEdges(); err != nil {
		return nil, err
	}
	return f, rough.parallel(len(f.faces), 1, func(w *worker, i int) {
		if !r.model.IsSheet(brep.FaceID(i)) {
			f.faces[i] = w.outline(brep.FaceID(i))
		}
	})
}

func (w *worker) outline(f brep.FaceID) outline {
	face := &w.run.model.Faces[f]
	if s, ok := face.Surface.(*facets.Surface); ok {
		return outline{given: len(s.Triangles())}
	}
	dom, err := w.layOut(f)
	if err != nil || !w.load(dom) {
		return outline{}
	}
	w.shape.set(face.Surface)
	o := outline{shape: w.shape, area: w.area()}
	o.lo, o.hi = w.box()
	return o
}

// finest returns the finest chord tolerance (mm) from lo to hi whose forecast is at most the goal, and hi if there is
// no such tolerance.
func (f *forecast) finest(lo, hi, goal float64) (float64, error) {
	if n, err := f.triangles(lo, goal); err != nil || n <= goal {
		return lo, err
	}
	for range forecasts {
		mid := math.Sqrt(lo * hi)
		n, err := f.triangles(mid, goal)
		if err != nil {
			return 0, err
		}
		if n > goal {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, nil
}

// triangles returns the forecast number of triangles at a chord tolerance (mm), or a number over the limit. The error
// is that of the context.
func (f *forecast) triangles(chord, limit float64) (float64, error) {
	r := f.run.retry(chord)
	count := newTally(len(f.edges), int(limit))
	err := f.run.parallel(len(f.edges), few, func(w *worker, i int) {
		f.edges[i] = 0
		if e := &r.model.Edges[i]; f.used[i] && e.Curve != nil && !count.full.Load() {
			w.params = r.appendParams(w.params[:0], e)
			f.edges[i] = len(w.params) - 1
		}
		count.add(i, f.edges[i])
	})
	if err != nil || count.full.Load() {
		return math.Inf(1), err
	}
	err = f.run.parallel(len(f.faces), 1, func(w *worker, i int) { f.need[i] = f.ofFace(w, r, brep.FaceID(i)) })
	sum := 0.0
	for _, n := range f.need {
		sum += n
	}
	return sum, err
}

// ofFace returns the forecast number of triangles of a face with the tolerances of a run.
func (f *forecast) ofFace(w *worker, r *run, face brep.FaceID) float64 {
	o := &f.faces[face]
	boundary := 0
	for _, l := range r.model.Faces[face].Loops {
		for _, c := range r.model.Loops[l].Coedges {
			boundary += f.edges[r.model.Coedges[c].Edge]
		}
	}
	if o.shape.surf == nil || o.shape.isFlat() {
		return float64(max(o.given, boundary))
	}
	w.density.measure(&o.shape, o.lo, o.hi, r.chord, r.angle)
	w.density.coarsenStraight(o.lo, o.hi, boundary, leastModest(&o.shape))
	return float64(boundary) + trianglesPerSeed*w.density.seeds(o.area)
}
