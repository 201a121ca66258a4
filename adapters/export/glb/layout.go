package glb

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/adapters/export/internal/shading"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// span is the place of one primitive in the views.
type span struct {
	region      int   // -1: the edges
	vertex      int64 // first vertex
	vertices    int
	indexOffset int64 // bytes into the index view
	indices     int
	wide        bool // uint32 indices
	min, max    [3]float32
	own         []shading.Corner // vertices of one corner only, after those of the region
}

// layout is the arrangement of the binary chunk: positions, normals, indices.
type layout struct {
	mesh       *mesh.Mesh
	edges      [][]geom.Vec3
	spans      []span // regions with triangles in order, then the edges
	vertices   int64  // of all spans
	normals    int64  // of the regions; edges and flat meshes have no normals
	indexBytes int64
	local      []int32 // by point: 1 + index within the current region, 0 = not in it
}

func (l *layout) positionBytes() int64 { return l.vertices * vectorSize }
func (l *layout) normalBytes() int64   { return l.normals * vectorSize }
func (l *layout) size() int64          { return l.positionBytes() + l.normalBytes() + l.indexBytes }

// add appends a span after the others. Every span's indices start at a multiple of four bytes, which
// suits both widths.
func (l *layout) add(s span) {
	s.vertex = l.vertices
	s.wide = s.vertices > maxNarrow
	s.indexOffset = l.indexBytes
	width := int64(2)
	if s.wide {
		width = 4
	}
	l.vertices += int64(s.vertices)
	l.indexBytes += (width*int64(s.indices) + 3) &^ 3
	l.spans = append(l.spans, s)
}

func layOut(m *mesh.Mesh, opts Options) (*layout, error) {
	l := &layout{mesh: m, edges: opts.Edges, local: make([]int32, len(m.Points))}
	for i := range m.Regions {
		r := &m.Regions[i]
		if r.Start == r.End {
			continue
		}
		if !opts.Flat && len(r.Normals) != len(r.Vertices) {
			return nil, fmt.Errorf("glb: region %d has %d normals for %d vertices", i, len(r.Normals), len(r.Vertices))
		}
		b := newBounds()
		for _, v := range r.Vertices {
			if !b.add(m.Points[v]) {
				return nil, fmt.Errorf("glb: point %d of region %d is not a finite float32: %v", v, i, m.Points[v])
			}
		}
		s := span{region: i, indices: 3 * int(r.End-r.Start), min: b.min, max: b.max}
		if err := l.enter(i); err != nil {
			return nil, err
		}
		if !opts.Flat {
			s.own = shading.Append(nil, m, r, l.local)
		}
		l.endRegion(i)
		s.vertices = len(r.Vertices) + len(s.own)
		l.add(s)
	}
	if !opts.Flat {
		l.normals = l.vertices
	}
	if err := l.addEdges(); err != nil {
		return nil, err
	}
	if len(l.spans) == 0 {
		return nil, errors.New("glb: the mesh has no triangles")
	}
	return l, nil
}

// enter fills local for a region and checks its triangles.
func (l *layout) enter(region int) error {
	r := &l.mesh.Regions[region]
	for k, v := range r.Vertices {
		l.local[v] = int32(k) + 1
	}
	for t := r.Start; t < r.End; t++ {
		for _, v := range l.mesh.Triangles[t] {
			if l.local[v] == 0 {
				return fmt.Errorf("glb: triangle %d uses point %d, no vertex of region %d", t, v, region)
			}
		}
	}
	return nil
}

func (l *layout) endRegion(region int) {
	for _, v := range l.mesh.Regions[region].Vertices {
		l.local[v] = 0
	}
}

func (l *layout) addEdges() error {
	s := span{region: -1}
	b := newBounds()
	for i, line := range l.edges {
		if len(line) < 2 {
			continue
		}
		for _, p := range line {
			if !b.add(p) {
				return fmt.Errorf("glb: a point of edge %d is not a finite float32: %v", i, p)
			}
		}
		s.vertices += len(line)
		s.indices += 2 * (len(line) - 1)
	}
	if s.indices > 0 {
		s.min, s.max = b.min, b.max
		l.add(s)
	}
	return nil
}

// bounds is the smallest and the largest written coordinates.
type bounds struct{ min, max [3]float32 }

func newBounds() *bounds {
	inf := float32(math.Inf(1))
	return &bounds{min: [3]float32{inf, inf, inf}, max: [3]float32{-inf, -inf, -inf}}
}

// add reports whether p can be written.
func (b *bounds) add(p geom.Vec3) bool {
	for k, v := range narrow(p) {
		if v-v != 0 { // infinite or not a number
			return false
		}
		b.min[k] = min(b.min[k], v)
		b.max[k] = max(b.max[k], v)
	}
	return true
}

// narrow returns a point or a direction in the written precision.
func narrow(p geom.Vec3) [3]float32 { return [3]float32{float32(p.X), float32(p.Y), float32(p.Z)} }
