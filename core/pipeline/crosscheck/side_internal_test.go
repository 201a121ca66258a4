package crosscheck

import (
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// TestFieldFindsAllTriangles compares the counts through the grid with counts over all triangles.
func TestFieldFindsAllTriangles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	point := func(size float64) geom.Vec3 {
		return geom.Vec3{X: size * random.NormFloat64(), Y: size * random.NormFloat64(), Z: size * random.NormFloat64()}
	}
	for _, c := range []struct {
		name               string
		samples, triangles int
		size               float64 // of triangles
		flat               bool    // all samples have one first coordinate
	}{
		{"nothing to ask", 0, 50, 10, false},
		{"one", 1, 200, 30, false},
		{"small triangles", 400, 2000, 1, false},
		{"large triangles", 100, 300, 50, false},
		{"in one row", 60, 500, 20, true},
	} {
		m := &mesh.Mesh{}
		for range c.triangles {
			n, at := int32(len(m.Points)), point(20)
			m.Points = append(m.Points, at.Add(point(c.size)), at.Add(point(c.size)), at.Add(point(c.size)))
			m.Triangles = append(m.Triangles, [3]int32{n, n + 1, n + 2})
		}
		p := Subject{Mesh: m}
		var fields [3]field
		var want [3][]sample
		for axis := range fields {
			for i := range c.samples {
				s := sample{own: int32(i % c.triangles), sign: 1}
				s.at, s.height = turned(point(20), axis)
				if c.flat {
					s.at.X = 3
				}
				want[axis] = append(want[axis], s)
			}
			fields[axis] = newField(want[axis], axis)
			want[axis] = append([]sample{}, fields[axis].samples...)
		}
		const near = 0.5
		crossed := 0
		for i, tri := range m.Triangles {
			p.cast(&fields, int32(i), near)
			corners := [3]geom.Vec3{m.Points[tri[0]], m.Points[tri[1]], m.Points[tri[2]]}
			for axis := range want {
				for k := range want[axis] {
					if s := &want[axis][k]; s.own != int32(i) {
						s.cross(&corners, axis, near)
						crossed += s.above * s.above
					}
				}
			}
		}
		for axis := range want {
			for k, s := range want[axis] {
				if got := fields[axis].samples[k]; got != s {
					t.Fatalf("%s, axis %d: sample %+v, want %+v", c.name, axis, got, s)
				}
			}
		}
		if c.samples > 1 && crossed == 0 {
			t.Errorf("%s: no sample met a triangle", c.name)
		}
	}
}
