package step

import (
	"cmp"
	"context"
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/pmi"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// build makes the model of all instances.
func (d *document) build(ctx context.Context, instances []instance) (*brep.Model, error) {
	type shape struct {
		item  part21.Ref
		units geometry.Units
	}
	var drafts []*draft
	index := map[shape]int{}
	t := newTracer(d)
	for _, in := range instances {
		key := shape{in.item, in.units}
		if _, ok := index[key]; ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draft, err := t.trace(ctx, geometry.Scope{Document: d.Document, Units: in.units}, in.item)
		if err != nil && !isDamage(err) {
			return nil, err
		}
		draft.fault = err
		index[key] = len(drafts)
		drafts = append(drafts, draft)
	}
	d.Warn("shared_faces", t.shared, "%s bounds several solids or sheets; each has a face of its own there",
		d.Entity(t.common))
	if err := d.shapeAll(ctx, drafts); err != nil {
		return nil, err
	}
	var lost error
	for _, draft := range drafts {
		if draft.fault != nil {
			skip(&d.Journal, brep.SkippedShape, "A shape", draft.fault)
			lost = cmp.Or(lost, draft.fault)
		}
	}
	instances = slices.DeleteFunc(instances, func(in instance) bool {
		return drafts[index[shape{in.item, in.units}]].fault != nil
	})
	if len(instances) == 0 {
		return nil, lost
	}
	first := drafts[index[shape{instances[0].item, instances[0].units}]]
	if len(instances) == 1 && instances[0].at == geom.Identity {
		instances[0].give(d, &first.model, brep.EntityCounts{})
		return &first.model, nil
	}
	uses := make([]int, len(drafts))
	var all brep.EntityCounts
	for _, in := range instances {
		i := index[shape{in.item, in.units}]
		uses[i]++
		if all = all.Plus(drafts[i].model.EntityCounts()); all.Faces > d.opts.MaxFaces {
			return nil, tooMany("faces", d.opts.MaxFaces)
		}
	}
	m := &brep.Model{Tolerance: first.model.Tolerance}
	m.Grow(all)
	for _, in := range instances {
		i := index[shape{in.item, in.units}]
		part := &drafts[i].model
		d.placed = append(d.placed, pmi.Placement{First: brep.FaceID(len(m.Faces)), At: in.at})
		before := m.EntityCounts()
		m.Append(part, in.at)
		in.give(d, m, before)
		m.Tolerance.Length = max(m.Tolerance.Length, part.Tolerance.Length*in.at.Scale())
		if uses[i]--; uses[i] == 0 {
			drafts[i] = nil // so that the solids of a large file are not in memory twice
		}
	}
	return m, nil
}

// give sets the color and name of the instance on the faces and solids that it added to a model, where they have no
// own.
func (in *instance) give(d *document, m *brep.Model, before brep.EntityCounts) {
	in.repaint(d, m, before.Shells)
	for i := range m.Faces[before.Faces:] {
		if f := &m.Faces[before.Faces+i]; f.Color == nil {
			f.Color = in.inherited.color
		}
	}
	for i := range m.Solids[before.Solids:] {
		if s := &m.Solids[before.Solids+i]; s.Name == "" {
			s.Name = in.inherited.name
		}
	}
}

// shapeAll computes the surfaces and edges of all drafts on all cores and completes their models.
func (d *document) shapeAll(ctx context.Context, drafts []*draft) error {
	var jobs []job
	for _, draft := range drafts {
		if draft.fault != nil {
			continue
		}
		draft.fits = make([]fitted, len(draft.edges))
		draft.shapes = make([]surface.Surface, len(draft.surfaces))
		draft.shapeFaults, draft.edgeFaults = make([]error, len(draft.surfaces)), make([]error, len(draft.edges))
		jobs = appendJobs(jobs, draft, true, len(draft.surfaces))
		jobs = appendJobs(jobs, draft, false, len(draft.edges))
	}
	batch := 1
	if len(jobs) == 2 && jobs[0].to+jobs[1].to <= jobSize {
		batch = 2 // not worth a second thread
	}
	err := parallel.Try(ctx, len(jobs), batch, func() func(int) error {
		return func(i int) error { return jobs[i].run() }
	})
	if err != nil {
		return err // the first in file order, whichever core was faster
	}
	markOdd(drafts)
	for _, draft := range drafts {
		if draft.fault == nil {
			draft.finish(d)
		}
	}
	return nil
}

// markOdd marks edges whose sense differs from nearly all other edges of the file. A system that writes both senses
// does not produce such files.
func markOdd(drafts []*draft) {
	const (
		few   = 0.01 // fraction of the edges; a single edge is always few
		least = 2    // minimum number of edges with the other sense
	)
	var count [2]int
	each := func(visit func(e *brep.Edge, sense int)) {
		for _, draft := range drafts {
			for i, source := range draft.edges {
				if source.curve != part21.Missing {
					visit(&draft.model.Edges[i], btoi(source.sense))
				}
			}
		}
	}
	each(func(_ *brep.Edge, sense int) { count[sense]++ })
	odd := btoi(count[1] < count[0])
	if n := count[odd]; n == 0 || count[1-odd] < least || n > 1 && float64(n) > few*float64(count[1-odd]) {
		return
	}
	each(func(e *brep.Edge, sense int) { e.IsOdd = sense == odd })
}

// job is a range of surfaces or edges of one draft, the unit of work of a core.
type job struct {
	*draft
	isSurface bool
	from, to  int
}

// jobSize is large enough to hide the cost of handing a job out, small enough to even out the load.
const jobSize = 32

// appendJobs cuts n surfaces or edges of a draft into jobs.
func appendJobs(jobs []job, d *draft, isSurface bool, n int) []job {
	for from := 0; from < n; from += jobSize {
		jobs = append(jobs, job{d, isSurface, from, min(from+jobSize, n)})
	}
	return jobs
}

// run does the job. It records damage and returns any other failure.
func (j job) run() error {
	for i := j.from; i < j.to; i++ {
		var err error
		if j.isSurface {
			j.shapes[i], err = j.Surface(j.surfaces[i])
			j.shapeFaults[i] = err
		} else {
			j.fits[i], err = j.fitEdge(i)
			j.edgeFaults[i] = err
		}
		if err != nil && !isDamage(err) {
			return err
		}
	}
	return nil
}

// finish assigns the surfaces to the faces, reverses the coedges of edges that run against their curves, merges the
// vertices of zero-length edges, and links the model.
func (d *draft) finish(doc *document) {
	m := &d.model
	m.Tolerance = geom.Tolerance{Length: d.Tolerance, Angle: geom.DefaultTolerance.Angle}
	for i, at := range d.surface {
		if at < 0 || d.shapeFaults[at] != nil {
			continue
		}
		f := &m.Faces[i]
		f.Surface = d.shapes[at]
		if len(f.Loops) > 0 || d.open[brep.FaceID(i)] || geometry.IsWhole(f.Surface) {
			base, turned := geometry.Unbounded(f.Surface)
			f.Surface, f.Reversed = d.onArc(base, brep.FaceID(i), d.surfaces[at]), f.Reversed != turned
		}
	}
	unreferenced := d.findFar()
	w := d.wreck(doc)
	w.RepairPoints()
	d.keepFar(unreferenced)
	for i := range m.Coedges {
		c := &m.Coedges[i]
		c.Reversed = c.Reversed != d.fits[c.Edge].reversed
	}
	d.turnPolyLoops()
	d.mergePoints()
	if !w.IsWhole() {
		w.RepairEdges()
		w.RepairBounds()
		w.RepairSurfaces()
	}
	m.Link()
	if !w.IsWhole() {
		d.fault = w.Drop(func(err error) { d.skipFace(err) })
	}
	d.reportGaps()
}

// mergePoints merges both vertices of every zero-length edge.
func (d *draft) mergePoints() {
	m := &d.model
	var into []brep.VertexID // by vertex: the vertex that replaces it
	find := func(v brep.VertexID) brep.VertexID {
		for into[v] != v {
			v = into[v]
		}
		return v
	}
	for i, f := range d.fits {
		e := &m.Edges[i]
		if !f.isPoint || e.Start == e.End {
			continue
		}
		if into == nil {
			into = make([]brep.VertexID, len(m.Vertices))
			for v := range into {
				into[v] = brep.VertexID(v)
			}
		}
		a, b := find(e.Start), find(e.End)
		into[max(a, b)] = min(a, b)
		d.Warn("zero_length_edge", 1, "%s has no length; its vertices were made one", d.Entity(d.edges[i].entity))
	}
	if into == nil {
		return
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		e.Start, e.End = find(e.Start), find(e.End)
	}
	for i := range m.Loops {
		if v := m.Loops[i].Vertex; v != brep.None {
			m.Loops[i].Vertex = find(v)
		}
	}
}

// reportGaps warns of vertices far off the curves of their edges: by more than the tolerance, and by more than a
// fraction of the part's size up to the largest credible uncertainty.
func (d *draft) reportGaps() {
	const shareOfSize = 1e-3
	least := max(d.Tolerance, min(geometry.MaxUncertainty, shareOfSize*d.size()))
	worst, count := -1, 0
	for i, f := range d.fits {
		if f.gap > least {
			count++
			if worst < 0 || f.gap > d.fits[worst].gap {
				worst = i
			}
		}
	}
	if worst >= 0 {
		d.Warn("vertex_off_curve", count, "The vertices of %s lie %.3g mm off its curve",
			d.Entity(d.edges[worst].entity), d.fits[worst].gap)
	}
}
