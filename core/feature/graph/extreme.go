package graph

// Exact extents along a direction.
//
// Method: the mesh gives the highest point of a face, within the chord tolerance; from there the exact geometry is
// followed. A height is largest on the boundary of a face or where its normal is along the direction. Edges are boxed
// in a frame aligned with the direction. Planes, cylinders, cones and extrusions contain straight lines, so their
// highest point is on their boundary. On all other surfaces the highest point of the mesh is moved uphill by Newton's
// method. It counts if it stays over the mesh of the face.
//
// Cost: a pass over the points of the mesh, and a few evaluations for every edge and curved face. Limits: a freeform
// edge is boxed to 1e-6 of its size. If several peaks of one face are closer in height than the chord tolerance, the
// one with the highest mesh counts.

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

// Exact returns the range of several patches along dir (unit), mm, from the exact geometry.
func (g *Graph) Exact(patches []int32, dir geom.Vec3) geom.Interval {
	r := newReach(g, dir)
	for _, p := range patches {
		for _, f := range g.Patches[p].Faces {
			r.face(f)
		}
	}
	return r.Interval
}

// Extents are the ranges of patches along one direction, mm, from the exact geometry. Each is measured on
// first use. It is safe for concurrent use.
type Extents struct {
	guard sync.Mutex
	r     *reach
	of    []atomic.Pointer[geom.Interval] // by patch
	whole sync.Once
	all   geom.Interval
}

// HeightsAlong returns the heights along dir (unit).
func (g *Graph) HeightsAlong(dir geom.Vec3) *Extents {
	h := &Extents{r: newReach(g, dir), of: make([]atomic.Pointer[geom.Interval], len(g.Patches))}
	h.r.edges = make(map[brep.EdgeID]geom.Interval)
	return h
}

// Of returns the range of a patch.
func (h *Extents) Of(p int32) geom.Interval {
	if iv := h.of[p].Load(); iv != nil {
		return *iv
	}
	h.guard.Lock()
	defer h.guard.Unlock()
	if iv := h.of[p].Load(); iv != nil {
		return *iv
	}
	h.r.Interval = geom.EmptyInterval()
	for _, f := range h.r.g.Patches[p].Faces {
		h.r.face(f)
	}
	iv := h.r.Interval
	h.of[p].Store(&iv)
	return iv
}

// Union returns the combined range of several patches, zero without patches.
func (h *Extents) Union(patches []int32) geom.Interval {
	iv := geom.EmptyInterval()
	for _, p := range patches {
		iv = iv.Union(h.Of(p))
	}
	if iv.Lo > iv.Hi {
		return geom.Interval{}
	}
	return iv
}

// Whole returns the range of all patches together.
func (h *Extents) Whole() geom.Interval {
	h.whole.Do(func() {
		h.all = geom.EmptyInterval()
		for p := range h.of {
			h.all = h.all.Union(h.Of(int32(p)))
		}
	})
	return h.all
}

// PartExtents returns the range of the part's solids along each of several directions (unit), mm, from
// the exact geometry. Faces whose mesh is below the highest by more than its tolerance are left out. It
// returns the error of ctx.
func (g *Graph) PartExtents(ctx context.Context, dirs []geom.Vec3) ([]geom.Interval, error) {
	sag := make([]float64, len(g.PatchOf))
	err := parallel.ForWith(ctx, len(sag), batch, func() func(int) {
		w := measurer{Graph: g}
		return func(f int) {
			if g.PatchOf[f] != None {
				sag[f] = w.sagitta(brep.FaceID(f))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]geom.Interval, len(dirs))
	err = parallel.ForWith(ctx, len(dirs), 1, func() func(int) {
		spans := make([]geom.Interval, len(sag))
		return func(i int) { out[i] = g.partExtent(dirs[i], sag, spans) }
	})
	return out, err
}

// partExtent returns the range of the part along dir; sag and spans are by face.
func (g *Graph) partExtent(dir geom.Vec3, sag []float64, spans []geom.Interval) geom.Interval {
	r := newReach(g, dir)
	for f, p := range g.PatchOf {
		if p == None {
			continue
		}
		spans[f], _, _ = g.faceSpan(brep.FaceID(f), dir)
		r.Lo, r.Hi = min(r.Lo, spans[f].Lo), max(r.Hi, spans[f].Hi)
	}
	rough := r.Interval
	for f, p := range g.PatchOf {
		if p != None && (spans[f].Hi+sag[f] >= rough.Hi || spans[f].Lo-sag[f] <= rough.Lo) {
			r.face(brep.FaceID(f))
		}
	}
	return r.Interval
}

// sagitta bounds the deviation of a face's mesh from its surface, mm: chords of length L whose end
// normals differ by φ lie L/2·tan(φ/4) off their arcs.
func (g *measurer) sagitta(f brep.FaceID) float64 {
	const safe = 0.25 // twice the 1/8 that small angles give
	r := &g.Mesh.Regions[f]
	if g.Patches[g.PatchOf[f]].Kind == surface.KindPlane {
		return 0
	}
	normals := g.layOut(r)
	sag := 0.0
	for _, t := range g.Mesh.Triangles[r.Start:r.End] {
		for c := range 3 {
			a, b := t[c], t[(c+1)%3]
			sag = max(sag, g.Mesh.Points[a].Dist(g.Mesh.Points[b])*normals[a].Dist(normals[b]))
		}
	}
	return safe * sag
}

// faceSpan returns the range of a face's mesh along dir, and which of its vertices are the highest and the
// lowest.
func (g *Graph) faceSpan(f brep.FaceID, dir geom.Vec3) (iv geom.Interval, high, low int) {
	iv = geom.EmptyInterval()
	for i, v := range g.Mesh.Regions[f].Vertices {
		z := g.Mesh.Points[v].Dot(dir)
		if z > iv.Hi {
			iv.Hi, high = z, i
		}
		if z < iv.Lo {
			iv.Lo, low = z, i
		}
	}
	return iv, high, low
}

// reach is a range along a direction that grows face by face.
type reach struct {
	geom.Interval
	g     *Graph
	dir   geom.Vec3
	turn  geom.Transform                // brings dir to +z
	edges map[brep.EdgeID]geom.Interval // those that were boxed, for the other face; nil: not kept
}

func newReach(g *Graph, dir geom.Vec3) *reach {
	return &reach{
		Interval: geom.EmptyInterval(), g: g, dir: dir,
		turn: geom.FromFrame(geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})).Inverse(),
	}
}

func (r *reach) add(z float64) { r.Interval = r.Add(z) }

// face adds a face that has a mesh.
func (r *reach) face(f brep.FaceID) {
	iv, high, low := r.g.faceSpan(f, r.dir)
	r.add(iv.Lo)
	r.add(iv.Hi)
	face := &r.g.Model.Faces[f]
	for _, l := range face.Loops {
		for _, c := range r.g.Model.Loops[l].Coedges {
			r.edge(r.g.Model.Coedges[c].Edge)
		}
	}
	switch surface.Underlying(face.Surface).(type) {
	case surface.Plane, surface.Cylinder, surface.Cone, *surface.Extrusion:
		return
	}
	r.climb(f, high, r.dir)
	r.climb(f, low, r.dir.Neg())
}

// edge adds an edge. Its ends are points of the mesh.
func (r *reach) edge(id brep.EdgeID) {
	e := &r.g.Model.Edges[id]
	var span geom.Interval
	switch c := e.Curve.(type) {
	case nil, curve.Line:
		return
	case curve.Circle, curve.Ellipse:
		ring, _ := curve.AsEllipse(c)
		span = ring.Span(e.Range, r.dir)
	case *curve.BSpline:
		if r.contains(c.Points()) {
			return
		}
		span = r.boxed(id)
	default:
		span = r.boxed(id)
	}
	r.add(span.Lo)
	r.add(span.Hi)
}

// boxed returns the range of an edge by its box in a frame turned to the direction.
func (r *reach) boxed(id brep.EdgeID) geom.Interval {
	span, ok := r.edges[id]
	if !ok {
		e := &r.g.Model.Edges[id]
		box := e.Curve.Transform(r.turn).Bounds(e.Range) // only lines change their parameter
		if span = (geom.Interval{Lo: box.Min.Z, Hi: box.Max.Z}); r.edges != nil {
			r.edges[id] = span
		}
	}
	return span
}

// contains reports whether all points lie within the range so far.
func (r *reach) contains(points []geom.Vec3) bool {
	for _, p := range points {
		if z := p.Dot(r.dir); z < r.Lo || z > r.Hi {
			return false
		}
	}
	return true
}

// climb follows a face uphill along up, from a vertex of its mesh to the point whose normal is along up, and adds the
// gain. If that fails, as at a pole, it starts from inside the triangles around the point.
func (r *reach) climb(f brep.FaceID, vertex int, up geom.Vec3) {
	// A facet turns by 20° or so: where the normal leans more, the highest point is on the border.
	const farFromLevel = 0.7
	m := r.g.Mesh
	if math.Abs(m.Regions[f].Normals[vertex].Dot(up)) < farFromLevel {
		return
	}
	from := m.Regions[f].Vertices[vertex]
	least := m.Points[from].Dot(up)
	if r.climbFrom(f, m.Points[from], least, up) {
		return
	}
	region := &m.Regions[f]
	for _, t := range m.Triangles[region.Start:region.End] {
		if t[0] != from && t[1] != from && t[2] != from {
			continue
		}
		middle := m.Points[t[0]].Add(m.Points[t[1]]).Add(m.Points[t[2]]).Scale(1. / 3)
		if r.climbFrom(f, middle, least, up) {
			return
		}
	}
}

// climbFrom moves from a point near a face to the point whose normal is along up, by Newton's method, and adds heights
// above least. It reports whether it arrived.
func (r *reach) climbFrom(f brep.FaceID, start geom.Vec3, least float64, up geom.Vec3) (arrived bool) {
	const (
		steps = 20
		flat  = 1e-6 // cosine between up and tangents that is a right angle: its square is the error
	)
	s := r.g.Model.Faces[f].Surface
	uv, _ := s.Invert(start)
	var best geom.Vec3
	gained := false
	for range steps {
		d := s.D2(uv.X, uv.Y)
		if z := d.P.Dot(up); z > least {
			best, least, gained = d.P, z, true
		}
		gu, gv := d.Du.Dot(up), d.Dv.Dot(up)
		huu, huv, hvv := d.Duu.Dot(up), d.Duv.Dot(up), d.Dvv.Dot(up)
		det := huu*hvv - huv*huv
		if det <= 0 || huu >= 0 {
			break // no dome: the border is as high
		}
		if math.Abs(gu) <= flat*d.Du.Norm() && math.Abs(gv) <= flat*d.Dv.Norm() {
			arrived = true
			break
		}
		uv.X, uv.Y = uv.X-(hvv*gu-huv*gv)/det, uv.Y-(huu*gv-huv*gu)/det
	}
	if gained && r.over(f, best, up) {
		r.add(best.Dot(r.dir))
	}
	return arrived
}

// over reports whether p lies above the mesh of a face, along up, by at most the length of a facet.
func (r *reach) over(f brep.FaceID, p, up geom.Vec3) bool {
	region, m := &r.g.Mesh.Regions[f], r.g.Mesh
	frame := geom.NewFrame(p, up, geom.Vec3{})
	for _, t := range m.Triangles[region.Start:region.End] {
		a, b, c := frame.Local(m.Points[t[0]]), frame.Local(m.Points[t[1]]), frame.Local(m.Points[t[2]])
		if min(-a.Z, -b.Z, -c.Z) > max(a.Dist(b), b.Dist(c), c.Dist(a)) {
			continue
		}
		u, v, w := cross(b, c), cross(c, a), cross(a, b)
		if u >= 0 && v >= 0 && w >= 0 || u <= 0 && v <= 0 && w <= 0 {
			return true
		}
	}
	return false
}
