// Package rastertest provides the shared inputs of the grid primitives' suites: meshes over grids, tools, and the exact
// contact of a tool with a mesh.
package rastertest

import (
	"math"
	"math/rand/v2"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Scene is a mesh above a grid.
type Scene struct {
	Name  string
	Mesh  *mesh.Mesh
	Frame geom.Frame
	Grid  grid.Grid
}

// Over returns a scene.
func Over(name string, m *mesh.Mesh, view geom.Frame, g grid.Grid) Scene {
	return Scene{name, m, view, g}
}

// Triangles makes a mesh of n triangles that share nothing.
func Triangles(n int, one func() [3]geom.Vec3) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(n) {
		p := one()
		m.Points = append(m.Points, p[:]...)
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

// Block makes a box, closed and facing outward.
func Block(lo, hi geom.Vec3) *mesh.Mesh {
	m := &mesh.Mesh{}
	for k := range 8 {
		p := lo
		if k&1 != 0 {
			p.X = hi.X
		}
		if k&2 != 0 {
			p.Y = hi.Y
		}
		if k&4 != 0 {
			p.Z = hi.Z
		}
		m.Points = append(m.Points, p)
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// Waves makes a hilly square of n × n cells of the given size, without holes.
func Waves(n int, size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := float64(i), float64(j)
			m.Points = append(m.Points, geom.Vec3{X: size * x, Y: size * y, Z: math.Sin(x) + math.Cos(0.7*y) + x/20})
		}
	}
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+1, a+int32(n)+2
			m.Triangles = append(m.Triangles, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return m
}

// Part is a mesh in the frame of a view.
type Part [][3]geom.Vec3

// Local returns the triangles of mesh m in the axes of frame f, mm.
func Local(m *mesh.Mesh, f geom.Frame) Part {
	p := make(Part, len(m.Triangles))
	for i, t := range m.Triangles {
		for k := range t {
			p[i][k] = f.Local(m.Points[t[k]])
		}
	}
	return p
}

// Top returns the greatest z in the square of half side r around (x, y), -Inf if it is empty.
func (p Part) Top(x, y, r float64) float64 {
	most := math.Inf(-1)
	for i := range p {
		polygon := p[i][:]
		if a, b, c := polygon[0], polygon[1], polygon[2]; max(a.X, b.X, c.X) < x-r || min(a.X, b.X, c.X) > x+r ||
			max(a.Y, b.Y, c.Y) < y-r || min(a.Y, b.Y, c.Y) > y+r {
			continue
		}
		for _, cut := range [4]geom.Vec3{{X: 1, Z: x + r}, {X: -1, Z: r - x}, {Y: 1, Z: y + r}, {Y: -1, Z: r - y}} {
			polygon = clip(polygon, cut)
		}
		for _, v := range polygon {
			most = max(most, v.Z)
		}
	}
	return most
}

// Low returns the smallest of top at points of the square of half side r around (x, y).
func (p Part) Low(x, y, r, fine float64) float64 {
	const steps = 2
	least := math.Inf(1)
	for j := -steps; j <= steps; j++ {
		for i := -steps; i <= steps; i++ {
			least = min(least, p.Top(x+r*float64(i)/steps, y+r*float64(j)/steps, fine))
		}
	}
	return least
}

// clip returns the part of a convex polygon where X·x + Y·y ≤ Z of the cut.
func clip(polygon []geom.Vec3, cut geom.Vec3) []geom.Vec3 {
	var out []geom.Vec3
	beyond := func(v geom.Vec3) float64 { return cut.X*v.X + cut.Y*v.Y - cut.Z }
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		da, db := beyond(a), beyond(b)
		if da > 0 != (db > 0) {
			out = append(out, a.Lerp(b, da/(da-db)))
		}
		if db <= 0 {
			out = append(out, b)
		}
	}
	return out
}

// Tools are tools with every kind of outline, including a concave arc and a neck.
func Tools() map[string]toolprofile.Profile {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	neck := v(1, 2+math.Sqrt(3)) // of a ball of radius 2
	return map[string]toolprofile.Profile{
		"flat":   toolprofile.EndMill(5, 0, 20),
		"ball":   toolprofile.EndMill(5, 2.5, 20),
		"bull":   toolprofile.EndMill(5, 1, 20),
		"drill":  toolprofile.Drill(5, geom.Radians(118), 20),
		"taper":  {{To: v(1, 0)}, {From: v(1, 0), To: v(2.5, 12)}},
		"large":  toolprofile.EndMill(24, 10, 40),
		"disc":   toolprofile.EndMill(30, 0, 4),
		"needle": toolprofile.Drill(0.1, geom.Radians(20), 30),
		"in a holder": append(toolprofile.EndMill(3, 1.5, 4),
			toolprofile.Segment{From: v(1.5, 4), To: v(5, 4)}, toolprofile.Segment{From: v(5, 4), To: v(5, 30)}),
		"lollipop":        {{To: neck, Radius: 2}, {From: neck, To: v(1, 20)}},
		"corner rounding": {{To: v(1, 0)}, {From: v(1, 0), To: v(3, 2), Radius: -2}, {From: v(3, 2), To: v(3, 9)}},
	}
}

// ContactScenes are small enough to drop tools onto triangle by triangle.
func ContactScenes() []Scene {
	g := grid.Grid{X: -6, Y: -6, Step: 0.5, Width: 30, Height: 28}
	rng := rand.New(rand.NewPCG(9, 10))
	soup := Triangles(12, func() (p [3]geom.Vec3) {
		for k := range p {
			p[k] = geom.Vec3{X: 8 * rng.Float64(), Y: 8 * rng.Float64(), Z: 4 * rng.Float64()}
		}
		return p
	})
	return []Scene{
		{"a block", Block(geom.Vec3{X: 0.1, Y: 0.2}, geom.Vec3{X: 3.3, Y: 2.7, Z: 2}), geom.World, g},
		{"a soup", soup, geom.World, g},
		{"waves", Waves(4, 1.7), geom.NewFrame(geom.Vec3{X: 1}, geom.Vec3{X: 0.2, Z: 1}, geom.Vec3{Y: 1}), g},
		{"nothing", Triangles(0, nil), geom.World, g},
	}
}

// GridOver returns a grid of about so many cells over a mesh seen from above.
func GridOver(m *mesh.Mesh, cells int) grid.Grid {
	box := geom.EmptyBox()
	for _, p := range m.Points {
		box = box.Add(p)
	}
	x, y := box.Max.X-box.Min.X, box.Max.Y-box.Min.Y
	step := math.Sqrt(x * y / float64(cells))
	return grid.Grid{
		X: box.Min.X, Y: box.Min.Y, Step: step, Width: max(1, int(x/step)), Height: max(1, int(y/step)),
	}
}

// Square returns a grid of about so many cells with a step of 0.1 mm.
func Square(cells int) grid.Grid {
	side := int(math.Ceil(math.Sqrt(float64(cells))))
	return grid.Grid{Step: 0.1, Width: side, Height: side}
}

// Bytes returns the memory of a mesh and the given number of heights.
func Bytes(m *mesh.Mesh, heights int) float64 {
	const point, corners, height = 24, 12, 4 // bytes
	return point*float64(len(m.Points)) + corners*float64(len(m.Triangles)) + height*float64(heights)
}
