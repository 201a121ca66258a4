package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// readSTL reads a binary STL file. Corners at the very same place become one point; triangle i of the mesh is
// triangle i of the file.
func readSTL(path string) (*mesh.Mesh, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	m, err := parseSTL(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func parseSTL(r io.Reader) (*mesh.Mesh, error) {
	const header, record, normal = 84, 50, 12 // bytes
	var buf [header]byte
	if _, err := io.ReadFull(r, buf[:]); err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	n := int(binary.LittleEndian.Uint32(buf[header-4:]))
	m := &mesh.Mesh{}
	known := map[[3]float32]int32{}
	for i := range n {
		if _, err := io.ReadFull(r, buf[:record]); err != nil {
			return nil, fmt.Errorf("read triangle %d of %d: %w", i, n, err)
		}
		var t [3]int32
		for k := range t {
			var p [3]float32
			for c := range p {
				p[c] = math.Float32frombits(binary.LittleEndian.Uint32(buf[normal+12*k+4*c:]))
			}
			at, ok := known[p]
			if !ok {
				at = int32(len(m.Points))
				known[p] = at
				m.Points = append(m.Points, geom.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])})
			}
			t[k] = at
		}
		m.Triangles = append(m.Triangles, t)
	}
	return m, nil
}
