package compute

// Visibility: the fraction of each triangle that a tool coming from infinitely far along a direction reaches.
//
// Method: rays start at several points of every triangle that does not face away. A sample point faces the direction if
// the surface normal there makes at most 90° + grazing with it. The normal is interpolated from the region's exact
// normals, or that of the facet if a region has none. The ray starts off the surface, along that normal, by
//
// 	lift = grazing · diagonal + 2 · sagitta
//
// where sagitta is the maximum deviation of the face's triangles from the exact surface. The first term is fifty times
// the displacement of points and samples (visibility.Rounding), so a ray starts outside the material. The second
// prevents facets of a curved wall, which deviate toward or away from the material, from blocking rays that the exact
// wall does not block.
//
// So a wall parallel to the direction counts as visible if the line just outside of it is free, and a wall that
// overhangs by less than grazing over the whole part counts as parallel.
//
// A triangle has one sample for each piece of it about as wide as sampleSpacing, at the centroids of pieces of equal
// area; the pieces of a narrow one are in a row. A small triangle has three samples, or one if its face has many.
//
// Cost: that of package visibility for 1 to 64 samples per triangle; 28 bytes per sample. Limits: gaps narrower than
// lift are not entered. Rays from their walls may start in the material beyond, which does not block them. The fraction
// is resolved to the sample spacing.

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	// grazing (rad, and share of the diagonal): exchanged directions carry 7 digits and more.
	grazing = 1e-5

	// sampleSpacing is the widest spacing of samples, as a share of the scene's diagonal, up to
	// sampleSplits parts per side.
	sampleSpacing = 1.0 / 40
	sampleSplits  = 8

	// manyTriangles is the number of triangles from which a face has a reliable share without a reliable share for each
	// triangle.
	manyTriangles = 32

	// singularCos is the cosine of the angle between a corner's normal and its facet. Below it, the normal is that of a
	// singular point (the apex of a cone) and does not apply to this facet.
	singularCos = 0.5

	// sampleChunk is the maximum number of samples in memory at a time.
	sampleChunk = 1 << 20
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
	out := make([][]float32, len(dirs))
	for i := range out {
		out[i] = make([]float32, len(m.Triangles))
	}
	box := m.Bounds()
	in := visibility.Input{
		Points: m.Points, Triangles: m.Triangles, Directions: dirs, Grazing: grazing,
	}
	if err := in.Check(); err != nil { // before the mesh is sampled
		return nil, err
	}
	s := newSampler(m, box.Diagonal())
	in.Origin = box.Center()
	for first := 0; first < len(m.Triangles); {
		l := layout{sampler: s, origin: in.Origin, first: first}
		first = l.fill()
		in.Samples, in.Normals = l.points, l.normals
		if err := e.fractions(ctx, &in, &l, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fractions sets the visible fractions of the triangles of l.
func (e *Engine) fractions(ctx context.Context, in *visibility.Input, l *layout, out [][]float32) error {
	seen, err := visibility.Primitive.Run(ctx, e, *in)
	if err != nil {
		return err
	}
	return e.cpu.Each(ctx, len(out), func() func(int) {
		return func(d int) {
			start := 0
			for i, end := range l.ends {
				out[d][l.first+i] = float32(seen.Count(d, start, end)) / float32(end-start)
				start = end
			}
		}
	})
}

// sampler knows the sample points of the triangles and where their rays start.
type sampler struct {
	mesh    *mesh.Mesh
	diag    float64        // mm
	corners [][3]geom.Vec3 // per triangle, the normals at its corners
	lift    []float32      // mm, per triangle
	many    []bool         // per triangle: its face has many
	spacing float64        // mm
}

func newSampler(m *mesh.Mesh, diag float64) *sampler {
	s := &sampler{
		mesh: m, diag: diag, spacing: sampleSpacing * diag,
		corners: make([][3]geom.Vec3, len(m.Triangles)),
		lift:    make([]float32, len(m.Triangles)),
		many:    make([]bool, len(m.Triangles)),
	}
	for i, t := range m.Triangles {
		a := m.Points[t[0]]
		n := m.Points[t[1]].Sub(a).Cross(m.Points[t[2]].Sub(a)).Unit()
		s.corners[i] = [3]geom.Vec3{n, n, n}
		s.lift[i] = float32(grazing * diag)
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
		n, k := &s.corners[t], &s.mesh.Triangles[t]
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
		s.lift[t] = float32(grazing*s.diag + 2*sagitta)
		s.many[t] = end-start >= manyTriangles
	}
	for _, v := range r.Vertices {
		at[v] = geom.Vec3{}
	}
}

// splits returns the numbers of parts into which the longest and the shortest side of a triangle are divided, and the
// corner opposite to the shortest.
func (s *sampler) splits(t *[3]int32) (long, short, apex int) {
	a, b, c := s.mesh.Points[t[0]], s.mesh.Points[t[1]], s.mesh.Points[t[2]]
	sides := [3]float64{b.Dist2(c), c.Dist2(a), a.Dist2(b)} // opposite to the corners
	longest := max(sides[0], sides[1], sides[2])
	for i, side := range sides {
		if side < sides[apex] {
			apex = i
		}
	}
	parts := func(side2 float64) int {
		return min(max(int(math.Ceil(math.Sqrt(side2)/s.spacing)), 1), sampleSplits)
	}
	return parts(longest), parts(sides[apex]), apex
}

// layout contains the samples of a sequence of triangles.
type layout struct {
	*sampler
	origin  geom.Vec3
	first   int          // triangle
	ends    []int        // per triangle from the first, where its samples end
	points  [][3]float32 // relative to origin, lifted off the surface
	normals [][3]float32 // there
}

// fill lays out samples from the first triangle on and returns the triangle after the last.
func (c *layout) fill() int {
	t := c.first
	for ; t < len(c.mesh.Triangles) && len(c.points) < sampleChunk; t++ {
		c.triangle(t)
		c.ends = append(c.ends, len(c.points))
	}
	return t
}

// triangle lays out the samples of a triangle.
func (c *layout) triangle(t int) {
	k, short, apex := c.splits(&c.mesh.Triangles[t])
	switch {
	case k == 1 && c.many[t]:
		const third = 1.0 / 3
		c.sample(t, [3]float64{third, third, third})
		return
	case k == 1:
		const far, near = 4.0 / 6, 1.0 / 6
		c.sample(t, [3]float64{far, near, near})
		c.sample(t, [3]float64{near, far, near})
		c.sample(t, [3]float64{near, near, far})
		return
	case short == 1:
		c.row(t, k, apex)
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

// row lays out the centroids of n pieces of equal area, cut across from the apex to the shortest side.
func (c *layout) row(t, n, apex int) {
	from := 0.0 // share of the way from the apex
	for i := range n {
		to := math.Sqrt(float64(i+1) / float64(n))
		at := 2.0 / 3 * float64(n) * (to*to*to - from*from*from)
		w := [3]float64{at / 2, at / 2, at / 2}
		w[apex] = 1 - at
		c.sample(t, w)
		from = to
	}
}

// sample lays out the point with barycentric weights w.
func (c *layout) sample(t int, w [3]float64) {
	n := &c.corners[t]
	normal := n[0]
	if n[1] != n[0] || n[2] != n[0] {
		normal = n[0].Scale(w[0]).AddScaled(w[1], n[1]).AddScaled(w[2], n[2]).Unit()
	}
	k, pts := &c.mesh.Triangles[t], c.mesh.Points
	p := pts[k[0]].Scale(w[0]).AddScaled(w[1], pts[k[1]]).AddScaled(w[2], pts[k[2]])
	c.points = append(c.points, single(p.AddScaled(float64(c.lift[t]), normal).Sub(c.origin)))
	c.normals = append(c.normals, single(normal))
}

func single(p geom.Vec3) [3]float32 { return [3]float32{float32(p.X), float32(p.Y), float32(p.Z)} }
