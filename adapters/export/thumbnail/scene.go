package thumbnail

import (
	"fmt"

	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/adapters/export/internal/shading"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	perPixel = 4   // samples per pixel and axis
	subUnits = 256 // fixed-point units per sample
)

// blackest is the least share of light that a face reflects, so that black parts show their shape.
const blackest = 0.015

// corner is a mesh point in one region.
type corner struct {
	x, y   int32 // picture, in fixed-point units
	z      float32
	normal [3]float32 // unit, picture axes
}

// line is a straight piece of an edge or outline, in samples.
type line struct{ a, b geom.Vec3 }

// scene is the geometry to draw, in picture coordinates.
type scene struct {
	corners   []corner
	triangles [][3]int32 // indices into corners; numbered as in the mesh
	region    []int32    // by triangle
	colors    [][3]float32
	lines     []line
	closed    bool // back faces are never visible
}

func newScene(m *mesh.Mesh, cam *camera, colors []*brep.Color) (*scene, error) {
	total := 0
	for i := range m.Regions {
		total += len(m.Regions[i].Vertices)
	}
	s := &scene{
		corners:   make([]corner, 0, total),
		triangles: make([][3]int32, len(m.Triangles)),
		region:    make([]int32, len(m.Triangles)),
		colors:    make([][3]float32, len(m.Regions)),
	}
	local := make([]int32, len(m.Points)) // 1 + index in the current region, 0 = not in it
	for i := range m.Regions {
		if m.Regions[i].Start == m.Regions[i].End {
			continue
		}
		for k, v := range color.Linear(color.OfRegion(colors, i)) {
			s.colors[i][k] = float32(max(v, blackest))
		}
		if err := s.addRegion(m, i, cam, local); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *scene) addRegion(m *mesh.Mesh, region int, cam *camera, local []int32) error {
	r := &m.Regions[region]
	if len(r.Normals) != len(r.Vertices) {
		const format = "thumbnail: region %d has %d normals for %d vertices"
		return fmt.Errorf(format, region, len(r.Normals), len(r.Vertices))
	}
	first := int32(len(s.corners))
	for k, v := range r.Vertices {
		p := cam.point(m.Points[v])
		s.corners = append(s.corners, corner{
			x: int32(p.X*subUnits + 0.5), y: int32(p.Y*subUnits + 0.5), z: float32(p.Z),
			normal: cam.dir(r.Normals[k]),
		})
		local[v] = int32(k) + 1
	}
	for t := r.Start; t < r.End; t++ {
		for k, v := range m.Triangles[t] {
			if local[v] == 0 {
				return fmt.Errorf("thumbnail: triangle %d uses point %d, no vertex of region %d", t, v, region)
			}
			s.triangles[t][k] = first + local[v] - 1
		}
		s.region[t] = int32(region)
	}
	for _, c := range shading.Append(nil, m, r, local) {
		at := &s.triangles[c.Triangle][c.K]
		own := s.corners[*at]
		own.normal = cam.dir(c.Normal)
		*at = int32(len(s.corners))
		s.corners = append(s.corners, own)
	}
	for _, v := range r.Vertices {
		local[v] = 0
	}
	return nil
}

// area2 is twice the area of a triangle in the picture, in squared fixed-point units. It is negative if the triangle
// faces the viewer, because y points down.
func (s *scene) area2(t int32) int64 {
	c := s.triangles[t]
	a, b, d := &s.corners[c[0]], &s.corners[c[1]], &s.corners[c[2]]
	return int64(b.x-a.x)*int64(d.y-a.y) - int64(b.y-a.y)*int64(d.x-a.x)
}

// addLines adds the segments of polylines in part coordinates.
func (s *scene) addLines(cam *camera, polylines [][]geom.Vec3) {
	for _, points := range polylines {
		for i := 1; i < len(points); i++ {
			if points[i-1].IsFinite() && points[i].IsFinite() {
				s.lines = append(s.lines, line{cam.point(points[i-1]), cam.point(points[i])})
			}
		}
	}
}

// addOutlines adds the sides between a front-facing and a back-facing triangle, where the surface ends in the picture.
// Sides between regions are left to the feature edges. It also determines whether the mesh is closed.
func (s *scene) addOutlines(m *mesh.Mesh) {
	adjacent := m.Neighbors()
	s.closed = true
	for t, c := range s.triangles {
		towards := s.area2(int32(t)) < 0
		for k, n := range adjacent[t] {
			if n < 0 {
				s.closed = false
				continue
			}
			if !towards || s.region[n] != s.region[t] || s.area2(n) < 0 {
				continue
			}
			s.lines = append(s.lines, line{s.corners[c[k]].point(), s.corners[c[(k+1)%3]].point()})
		}
	}
}

func (c *corner) point() geom.Vec3 {
	return geom.Vec3{X: float64(c.x) / subUnits, Y: float64(c.y) / subUnits, Z: float64(c.z)}
}
