package cpu

// Visibility: which share of each triangle a tool coming from infinitely far along a direction sees.
//
// Method: rays from several points of every triangle that does not face away. A sample point is
// facing when the surface normal there (interpolated from the region's exact normals; the facet's
// where a region has none) makes at most 90° + grazing with the direction. Its ray starts off the
// surface, along that normal, by
//
//	lift = grazing · diagonal + 2 · sagitta
//
// where sagitta bounds how far the mesh of the triangle's face strays from the exact surface. The
// first term exceeds the rounding of view coordinates (2^-50 of the diagonal) by ten orders, so a ray
// starts outside of the material; the second keeps the facets of a curved wall, which cut corners
// towards or away from the material, from stopping rays that the exact wall lets pass.
//
// So a wall parallel to the direction counts as visible where the line just outside of it is free,
// and a wall that overhangs by less than grazing over the whole part counts as parallel to it.
//
// Cost: one ray per facing sample, at least 3 per triangle; view.setView once per direction.
// Limits: gaps narrower than lift are not seen into; the share is resolved to the sample spacing.

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"millwright/core/geom"
	"millwright/core/mesh"
)

const (
	// grazing (rad, and share of the diagonal): exchanged directions carry 7 digits and more.
	grazing = 1e-5

	// sampleSpacing is the widest spacing of samples, as a share of the scene's diagonal, up to
	// sampleSplits parts per side.
	sampleSpacing = 1.0 / 40
	sampleSplits  = 8

	// singularCos is the cosine of the angle between a corner's normal and its facet above which the
	// normal is that of a singular point (the apex of a cone) and says nothing about this facet.
	singularCos = 0.5

	// packetSize is the widest bundle of rays, in sample spacings.
	packetSize = 1.0

	chunkSize = 1024 // triangles per task: some milliseconds between context checks at 20 directions

	// viewMemory (bytes) limits the views that are prepared at the same time to one per goroutine or
	// what fits.
	viewMemory = 4 << 20
)

// Visible returns for direction d and triangle t the visible fraction in [0, 1] at [d][t].
// Directions need not have unit length; zero or non-finite ones are refused. It returns ctx.Err()
// soon after ctx ends. The result does not depend on the number of threads.
func (e *Engine) Visible(ctx context.Context, m *mesh.Mesh, directions []geom.Vec3) ([][]float32, error) {
	dirs := make([]geom.Vec3, len(directions))
	for i, d := range directions {
		if dirs[i] = d.Unit(); dirs[i] == (geom.Vec3{}) || !d.IsFinite() {
			return nil, fmt.Errorf("visibility: direction %d is (%g, %g, %g)", i, d.X, d.Y, d.Z)
		}
	}
	bvh, err := NewBVH(m.Points, m.Triangles, e.threads)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(dirs))
	for i := range out {
		out[i] = make([]float32, len(m.Triangles))
	}
	s := newSampler(m, bvh)
	batch := min(max(viewMemory/(bvh.viewSize()+1), e.threads), len(dirs))
	views := make([]view, batch)
	for lo := 0; lo < len(dirs); lo += batch {
		hi := min(lo+batch, len(dirs))
		if err := e.batch(ctx, s, views, dirs[lo:hi], out[lo:hi]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// batch casts the rays of a few directions: first the views are prepared, then every task casts one
// chunk of triangles along all of them.
func (e *Engine) batch(ctx context.Context, s *sampler, views []view, dirs []geom.Vec3,
	out [][]float32) error {
	err := e.each(ctx, len(dirs), func() func(int) {
		return func(d int) { s.bvh.setView(&views[d], dirs[d]) }
	})
	if err != nil {
		return err
	}
	chunks := (len(s.mesh.Triangles) + chunkSize - 1) / chunkSize
	return e.each(ctx, chunks, func() func(int) {
		c := caster{sampler: s}
		return func(i int) {
			c.begin(i*chunkSize, min((i+1)*chunkSize, len(s.mesh.Triangles)))
			for d := range dirs {
				c.cast(&views[d], dirs[d], out[d])
			}
		}
	})
}

// each runs the numbered tasks on all goroutines; every goroutine asks for its own worker.
func (e *Engine) each(ctx context.Context, tasks int, worker func() func(task int)) error {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(e.threads, tasks) {
		g.Go(func() error {
			do := worker()
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				task := int(next.Add(1)) - 1
				if task >= tasks {
					return nil
				}
				do(task)
			}
		})
	}
	return g.Wait()
}

// sampler knows the sample points of the triangles and where their rays start.
type sampler struct {
	mesh    *mesh.Mesh
	bvh     *BVH
	normals [][3]geom.Vec3 // per triangle, at its corners
	lift    []float32      // mm, per triangle
	spacing float64        // mm
}

func newSampler(m *mesh.Mesh, bvh *BVH) *sampler {
	s := &sampler{
		mesh: m, bvh: bvh, spacing: sampleSpacing * bvh.diag,
		normals: make([][3]geom.Vec3, len(m.Triangles)),
		lift:    make([]float32, len(m.Triangles)),
	}
	for i, t := range m.Triangles {
		a := m.Points[t[0]]
		n := m.Points[t[1]].Sub(a).Cross(m.Points[t[2]].Sub(a)).Unit()
		s.normals[i] = [3]geom.Vec3{n, n, n}
		s.lift[i] = float32(grazing * bvh.diag)
	}
	at := make([]geom.Vec3, len(m.Points)) // of the current region
	for ri := range m.Regions {
		s.region(&m.Regions[ri], at)
	}
	return s
}

// region takes over the exact normals of a region and lifts its samples above its sagitta.
func (s *sampler) region(r *mesh.Region, at []geom.Vec3) {
	start, end := max(int(r.Start), 0), min(int(r.End), len(s.mesh.Triangles))
	if len(r.Normals) != len(r.Vertices) || start >= end {
		return
	}
	for i, v := range r.Vertices {
		at[v] = r.Normals[i]
	}
	sagitta := 0.0
	for t := start; t < end; t++ {
		n, k := &s.normals[t], &s.mesh.Triangles[t]
		facet := n[0]
		for c := range 3 {
			if at[k[c]].Dot(facet) >= singularCos || facet == (geom.Vec3{}) {
				n[c] = at[k[c]]
			}
		}
		for c := range 3 {
			// A chord of length L whose end normals differ by φ lies L/2·tan(φ/4) off its arc, and
			// their difference has the length 2·sin(φ/2), which is at most 3 % below 4·tan(φ/4) up
			// to 30°; the factor 2 in lift covers that and the inside of the triangle.
			d := (c + 1) % 3
			chord := s.mesh.Points[k[c]].Dist(s.mesh.Points[k[d]])
			sagitta = max(sagitta, chord*n[c].Sub(n[d]).Norm()/8)
		}
	}
	for t := start; t < end; t++ {
		s.lift[t] = float32(grazing*s.bvh.diag + 2*sagitta)
	}
	for _, v := range r.Vertices {
		at[v] = geom.Vec3{}
	}
}

// splits returns into how many parts each side of the triangle is divided; 1 stands for the three
// samples of a small triangle.
func (s *sampler) splits(t *[3]int32) int {
	a, b, c := s.mesh.Points[t[0]], s.mesh.Points[t[1]], s.mesh.Points[t[2]]
	longest := math.Sqrt(max(a.Dist2(b), b.Dist2(c), c.Dist2(a)))
	return min(max(int(math.Ceil(longest/s.spacing)), 1), sampleSplits)
}

// ground is a point from which a ray starts.
type ground struct{ p, normal geom.Vec3 } // lifted off the surface; the normal there

// caster casts the rays of one chunk of triangles at a time.
type caster struct {
	*sampler
	first, last int // the chunk
	grounds     []ground
	ends        []int32 // per triangle of the chunk, where its grounds end
	free        []int32 // per triangle of the chunk
	pack        packet
}

// begin lays out the samples of triangles [first, last), which are the same for all directions.
func (c *caster) begin(first, last int) {
	c.first, c.last = first, last
	c.grounds = c.grounds[:0]
	c.ends, c.free = resize(c.ends, last-first), resize(c.free, last-first)
	for t := first; t < last; t++ {
		c.triangle(t)
		c.ends[t-first] = int32(len(c.grounds))
	}
}

// cast fills out for the chunk and the direction of the view.
func (c *caster) cast(v *view, dir geom.Vec3, out []float32) {
	clear(c.free)
	c.pack.reset(packetSize * c.spacing)
	start := int32(0)
	for i, end := range c.ends {
		n := &c.normals[c.first+i]
		if n[0].Dot(dir) >= -grazing || n[1].Dot(dir) >= -grazing || n[2].Dot(dir) >= -grazing {
			c.castFrom(v, dir, c.grounds[start:end], int32(i))
		}
		start = end
	}
	c.flush(v)
	start = 0
	for i, end := range c.ends {
		out[c.first+i] = float32(c.free[i]) / float32(end-start)
		start = end
	}
}

// castFrom casts the rays of one triangle that does not turn away altogether.
func (c *caster) castFrom(v *view, dir geom.Vec3, grounds []ground, tri int32) {
	for k := range grounds {
		g := &grounds[k]
		if g.normal.Dot(dir) < -grazing {
			continue
		}
		p := v.local(g.p)
		if !c.pack.add(p, tri) {
			c.flush(v)
			c.pack.add(p, tri)
		}
	}
}

func (c *caster) flush(v *view) {
	v.trace(&c.pack)
	for i := range c.pack.rays {
		c.free[c.pack.rays[i].id]++
	}
	c.pack.reset(c.pack.size)
}

// triangle lays out the samples of a triangle.
func (c *caster) triangle(t int) {
	k := c.splits(&c.mesh.Triangles[t])
	if k == 1 {
		const far, near = 4.0 / 6, 1.0 / 6
		c.sample(t, [3]float64{far, near, near})
		c.sample(t, [3]float64{near, far, near})
		c.sample(t, [3]float64{near, near, far})
		return
	}
	for i := range k { // centroids of the k² equal parts
		for j := range k - i {
			u, w := (float64(i)+1.0/3)/float64(k), (float64(j)+1.0/3)/float64(k)
			c.sample(t, [3]float64{1 - u - w, u, w})
			if i+j < k-1 {
				u, w = (float64(i)+2.0/3)/float64(k), (float64(j)+2.0/3)/float64(k)
				c.sample(t, [3]float64{1 - u - w, u, w})
			}
		}
	}
}

// sample lays out the point with barycentric weights w.
func (c *caster) sample(t int, w [3]float64) {
	n := &c.normals[t]
	normal := n[0]
	if n[1] != n[0] || n[2] != n[0] {
		normal = n[0].Scale(w[0]).AddScaled(w[1], n[1]).AddScaled(w[2], n[2]).Unit()
	}
	k, pts := &c.mesh.Triangles[t], c.mesh.Points
	p := pts[k[0]].Scale(w[0]).AddScaled(w[1], pts[k[1]]).AddScaled(w[2], pts[k[2]])
	c.grounds = append(c.grounds, ground{p.AddScaled(float64(c.lift[t]), normal), normal})
}
