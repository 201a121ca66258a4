package glb

import (
	"bufio"
	"encoding/binary"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// writeBinary writes the content of the binary chunk. Errors of out show at its Flush.
func (l *layout) writeBinary(out *bufio.Writer) {
	l.writePositions(out)
	for _, s := range l.spans {
		if s.region < 0 || l.normals == 0 {
			continue
		}
		for k := range l.mesh.Regions[s.region].Vertices {
			writeVector(out, narrow(l.normal(s.region, k)))
		}
		for _, c := range s.own {
			writeVector(out, narrow(c.Normal))
		}
	}
	for _, s := range l.spans {
		l.writeIndices(out, &s)
	}
}

func (l *layout) writePositions(out *bufio.Writer) {
	for _, s := range l.spans {
		if s.region < 0 {
			continue
		}
		for _, v := range l.mesh.Regions[s.region].Vertices {
			writeVector(out, narrow(l.mesh.Points[v]))
		}
		for _, c := range s.own {
			writeVector(out, narrow(l.mesh.Points[l.mesh.Triangles[c.Triangle][c.K]]))
		}
	}
	for _, line := range l.edges {
		if len(line) >= 2 {
			for _, p := range line {
				writeVector(out, narrow(p))
			}
		}
	}
}

func writeVector(out *bufio.Writer, v [3]float32) {
	b := out.AvailableBuffer() // an array of our own would be allocated for each vector
	for _, c := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c))
	}
	out.Write(b)
}

// normal returns the unit normal at the k-th vertex of a region. If the surface has no normal there (a zero normal), it
// is the normal of a triangle at the vertex.
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

// indexWriter writes indices of one width.
type indexWriter struct {
	out  *bufio.Writer
	wide bool
}

func (w indexWriter) put(v int32) {
	b := w.out.AvailableBuffer()
	if w.wide {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	} else {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	w.out.Write(b)
}

func (l *layout) writeIndices(out *bufio.Writer, s *span) {
	w := indexWriter{out, s.wide}
	if s.region < 0 {
		l.eachSegment(w.put)
	} else {
		r := &l.mesh.Regions[s.region]
		for k, v := range r.Vertices {
			l.local[v] = int32(k)
		}
		own := s.own
		for t := r.Start; t < r.End; t++ {
			for k, v := range l.mesh.Triangles[t] {
				if len(own) > 0 && own[0].Triangle == t && own[0].K == k {
					w.put(int32(s.vertices - len(own)))
					own = own[1:]
					continue
				}
				w.put(l.local[v])
			}
		}
	}
	if !s.wide && s.indices%2 == 1 {
		out.Write([]byte{0, 0})
	}
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
