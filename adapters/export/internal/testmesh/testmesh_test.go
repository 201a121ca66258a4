package testmesh

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func TestMeshesAreClosedAndOutward(t *testing.T) {
	lo, hi := geom.Vec3{X: -1, Y: 2, Z: 3}, geom.Vec3{X: 4, Y: 5, Z: 10}
	for _, c := range []struct {
		name    string
		mesh    *mesh.Mesh
		volume  float64
		within  float64 // relative
		regions int
	}{
		{"box", Box(lo, hi), 105, 1e-12, 6},
		{"cone", Cone(3, 5, 90), math.Pi * 9 * 5 / 3, 1e-3, 2},
		{"sphere", Sphere(hi, 2, 60), 4.0 / 3 * math.Pi * 8, 3e-3, 1},
		{"joined with a sheet", WithSheet(Join(Box(lo, hi), Box(hi, hi.Add(hi)))), 105 + 200, 1e-12, 13},
	} {
		if r := c.mesh.Check(); !r.Watertight {
			t.Errorf("%s: %+v, want a watertight mesh", c.name, r)
		}
		if v := c.mesh.Volume(); math.Abs(v/c.volume-1) > c.within {
			t.Errorf("%s: volume %g, want %g", c.name, v, c.volume)
		}
		if len(c.mesh.Regions) != c.regions {
			t.Errorf("%s: %d regions, want %d", c.name, len(c.mesh.Regions), c.regions)
		}
		for i, r := range c.mesh.Regions {
			for j := r.Start; j < r.End; j++ {
				for _, v := range c.mesh.Triangles[j] {
					k := indexOf(r.Vertices, v)
					apex := c.name == "cone" && c.mesh.Points[v].Z > 0
					if k < 0 || r.Normals[k].Dot(c.mesh.Normal(int(j))) < 0.9 && !apex {
						t.Fatalf("%s: region %d, triangle %d: corner %d has no fitting normal", c.name, i, j, v)
					}
				}
			}
		}
	}
}

func indexOf(s []int32, v int32) int {
	for i, w := range s {
		if w == v {
			return i
		}
	}
	return -1
}

func TestBoxEdgesJoinCorners(t *testing.T) {
	lo, hi := geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}
	length := 0.0
	for _, e := range BoxEdges(lo, hi) {
		length += e[0].Dist(e[1])
	}
	if length != 24 {
		t.Errorf("the edges add up to %g, want 24", length)
	}
}
