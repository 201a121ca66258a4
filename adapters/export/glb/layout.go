package glb

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"millwright/core/geom"
	"millwright/core/mesh"
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
}

// layout says where everything goes in the binary chunk: positions, normals, indices.
type layout struct {
	mesh       *mesh.Mesh
	edges      [][]geom.Vec3
	spans      []span // regions with triangles in order, then the edges
	vertices   int64  // of all spans
	normals    int64  // of the regions; edges have none
	indexBytes int64
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

func layOut(m *mesh.Mesh, edges [][]geom.Vec3) (*layout, error) {
	l := &layout{mesh: m, edges: edges}
	for i := range m.Regions {
		r := &m.Regions[i]
		if r.Start == r.End {
			continue
		}
		if len(r.Normals) != len(r.Vertices) {
			return nil, fmt.Errorf("glb: region %d has %d normals for %d vertices", i, len(r.Normals), len(r.Vertices))
		}
		b := newBounds()
		for _, v := range r.Vertices {
			if !b.add(m.Points[v]) {
				return nil, fmt.Errorf("glb: point %d of region %d is no finite float32: %v", v, i, m.Points[v])
			}
		}
		l.add(span{region: i, vertices: len(r.Vertices), indices: 3 * int(r.End-r.Start), min: b.min, max: b.max})
	}
	l.normals = l.vertices
	if err := l.addEdges(); err != nil {
		return nil, err
	}
	if len(l.spans) == 0 {
		return nil, errors.New("glb: the mesh has no triangles")
	}
	return l, nil
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
				return fmt.Errorf("glb: a point of edge %d is no finite float32: %v", i, p)
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

// bounds collects the smallest and largest coordinate as they are written.
type bounds struct{ min, max [3]float32 }

func newBounds() *bounds {
	inf := float32(math.Inf(1))
	return &bounds{min: [3]float32{inf, inf, inf}, max: [3]float32{-inf, -inf, -inf}}
}

// add reports whether p can be written.
func (b *bounds) add(p geom.Vec3) bool {
	for k, v := range metres(p) {
		if v-v != 0 { // infinite or not a number
			return false
		}
		b.min[k] = min(b.min[k], v)
		b.max[k] = max(b.max[k], v)
	}
	return true
}

func metres(p geom.Vec3) [3]float32 {
	return [3]float32{float32(p.X * scaleFromMm), float32(p.Y * scaleFromMm), float32(p.Z * scaleFromMm)}
}

// writeBinary writes the content of the binary chunk. Errors of out itself show at its Flush.
func (l *layout) writeBinary(out *bufio.Writer) error {
	var b [vectorSize]byte
	vector := func(v [3]float32) {
		for k, c := range v {
			binary.LittleEndian.PutUint32(b[4*k:], math.Float32bits(c))
		}
		out.Write(b[:])
	}
	for _, s := range l.spans {
		if s.region < 0 {
			continue
		}
		for _, v := range l.mesh.Regions[s.region].Vertices {
			vector(metres(l.mesh.Points[v]))
		}
	}
	if l.vertices > l.normals {
		for _, line := range l.edges {
			if len(line) >= 2 {
				for _, p := range line {
					vector(metres(p))
				}
			}
		}
	}
	for _, s := range l.spans {
		if s.region >= 0 {
			for k := range s.vertices {
				n := l.normal(s.region, k)
				vector([3]float32{float32(n.X), float32(n.Y), float32(n.Z)})
			}
		}
	}
	return l.writeIndices(out)
}

// normal returns the unit normal at the k-th vertex of a region. Where the surface has none (a zero
// normal), it is that of a triangle at the vertex.
func (l *layout) normal(region, k int) geom.Vec3 {
	r := &l.mesh.Regions[region]
	n := r.Normals[k].Unit()
	if n != (geom.Vec3{}) {
		return n
	}
	v := r.Vertices[k]
	for t := r.Start; t < r.End; t++ {
		c := l.mesh.Triangles[t]
		if c[0] == v || c[1] == v || c[2] == v {
			if n := l.mesh.Normal(int(t)); n != (geom.Vec3{}) {
				return n
			}
		}
	}
	return geom.Vec3{Z: 1} // only triangles without area: any direction is as good
}

func (l *layout) writeIndices(out *bufio.Writer) error {
	local := make([]int32, len(l.mesh.Points)) // 1 + index within the region at hand, 0 = not in it
	var b [4]byte
	for _, s := range l.spans {
		put := func(v int32) {
			if s.wide {
				binary.LittleEndian.PutUint32(b[:], uint32(v))
				out.Write(b[:])
				return
			}
			binary.LittleEndian.PutUint16(b[:], uint16(v))
			out.Write(b[:2])
		}
		if s.region < 0 {
			l.eachSegment(put)
		} else {
			r := &l.mesh.Regions[s.region]
			for k, v := range r.Vertices {
				local[v] = int32(k) + 1
			}
			for t := r.Start; t < r.End; t++ {
				for _, v := range l.mesh.Triangles[t] {
					if local[v] == 0 {
						return fmt.Errorf("glb: triangle %d uses point %d, no vertex of region %d", t, v, s.region)
					}
					put(local[v] - 1)
				}
			}
			for _, v := range r.Vertices {
				local[v] = 0
			}
		}
		if !s.wide && s.indices%2 == 1 {
			out.Write([]byte{0, 0})
		}
	}
	return nil
}

func (l *layout) eachSegment(put func(int32)) {
	at := int32(0)
	for _, line := range l.edges {
		if len(line) < 2 {
			continue
		}
		for range len(line) - 1 {
			put(at)
			put(at + 1)
			at++
		}
		at++
	}
}
