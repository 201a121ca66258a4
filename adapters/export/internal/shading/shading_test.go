package shading

import (
	"math"
	"testing"

	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func localOf(m *mesh.Mesh, r *mesh.Region) []int32 {
	local := make([]int32, len(m.Points))
	for i, v := range r.Vertices {
		local[v] = int32(i) + 1
	}
	return local
}

func TestConeApexIsSplit(t *testing.T) {
	for _, halfAngle := range []float64{0.1, 0.5, 1.03} { // rad; the last is a 118° drill tip
		m := testmesh.Cone(10, 10/math.Tan(halfAngle), 36)
		r := &m.Regions[0]
		corners := Append(nil, m, r, localOf(m, r))
		if len(corners) != 36 {
			t.Fatalf("half angle %g: %d corners, want those of all 36 triangles at the apex", halfAngle, len(corners))
		}
		for i, c := range corners {
			if c.Triangle != r.Start+int32(i) {
				t.Errorf("corner %d is of triangle %d, want them in order", i, c.Triangle)
			}
			if p := m.Points[m.Triangles[c.Triangle][c.K]]; p.X != 0 || p.Y != 0 {
				t.Errorf("corner %d is at %v, want the apex", i, p)
			}
			if n := m.Normal(int(c.Triangle)); c.Normal.Angle(n) > 1e-2 || math.Abs(c.Normal.Norm()-1) > 1e-12 {
				t.Errorf("half angle %g: normal %v, the triangle has %v", halfAngle, c.Normal, n)
			}
		}
	}
}

func TestSmoothRegionsAreNotSplit(t *testing.T) {
	for _, c := range []struct {
		name string
		mesh *mesh.Mesh
	}{
		{"sphere", testmesh.Sphere(geom.Vec3{}, 3, 10)},
		{"box", testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})},
		{"nearly flat cone", testmesh.Cone(10, 1, 24)},
		{"triangles without area", &mesh.Mesh{
			Points: make([]geom.Vec3, 3), Triangles: [][3]int32{{0, 1, 2}},
			Regions: []mesh.Region{{End: 1, Vertices: []int32{0, 1, 2}, Normals: make([]geom.Vec3, 3)}},
		}},
	} {
		for i := range c.mesh.Regions {
			r := &c.mesh.Regions[i]
			if got := Append(nil, c.mesh, r, localOf(c.mesh, r)); len(got) != 0 {
				t.Errorf("%s: region %d is split at %v", c.name, i, got)
			}
		}
	}
}

func TestTriangleOfSingularCornersTakesItsPlane(t *testing.T) {
	m := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	r := &m.Regions[5] // up
	for i := range r.Normals {
		r.Normals[i] = geom.Vec3{X: 1}
	}
	corners := Append(nil, m, r, localOf(m, r))
	if len(corners) != 6 {
		t.Fatalf("%d corners, want 6", len(corners))
	}
	for _, c := range corners {
		if c.Normal != (geom.Vec3{Z: 1}) {
			t.Errorf("normal %v, want that of the plane", c.Normal)
		}
	}
}
