// Package stl writes meshes as binary STL.
//
// The format has no units and no shared points: 80 bytes of header, a count, and 50 bytes per triangle (normal, three
// corners, attribute), little-endian float32. Coordinates are in mm of the part. Triangle i of the file is triangle i
// of the mesh, so that the triangle ranges of the regions apply to the file too. For this reason a triangle whose
// corners coincide after rounding to float32 is written like any other.
package stl

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// header must not begin with "solid": readers take such a file for the text form.
const header = "millwright binary STL, unit mm"

const (
	headerSize   = 80
	triangleSize = 50
	blockSize    = 1024 // triangles encoded between two writes
)

// Write writes m to w. It fails when w does, or when a coordinate is not a finite float32; then part of the file may
// have been written. Its memory is one block of triangles.
func Write(w io.Writer, m *mesh.Mesh) error {
	head := make([]byte, headerSize+4)
	copy(head, header)
	binary.LittleEndian.PutUint32(head[headerSize:], uint32(len(m.Triangles)))
	if _, err := w.Write(head); err != nil {
		return fmt.Errorf("stl: %w", err)
	}
	block := make([]byte, 0, blockSize*triangleSize)
	for i := range m.Triangles {
		var err error
		if block, err = appendTriangle(block, m, i); err != nil {
			return err
		}
		if len(block) == cap(block) || i == len(m.Triangles)-1 {
			if _, err := w.Write(block); err != nil {
				return fmt.Errorf("stl: %w", err)
			}
			block = block[:0]
		}
	}
	return nil
}

func appendTriangle(b []byte, m *mesh.Mesh, i int) ([]byte, error) {
	b = appendVec(b, m.Normal(i))
	for _, v := range m.Triangles[i] {
		p := m.Points[v]
		if !representable(p) {
			return b, fmt.Errorf("stl: point %d of triangle %d (%g, %g, %g) is not a finite float32",
				v, i, p.X, p.Y, p.Z)
		}
		b = appendVec(b, p)
	}
	return append(b, 0, 0), nil
}

func appendVec(b []byte, v geom.Vec3) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.X)))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.Y)))
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v.Z)))
}

func representable(p geom.Vec3) bool {
	const limit = math.MaxFloat32
	return math.Abs(p.X) <= limit && math.Abs(p.Y) <= limit && math.Abs(p.Z) <= limit
}
