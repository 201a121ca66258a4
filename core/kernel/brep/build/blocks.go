package build

import (
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Polyhedron is a solid with plane faces. A face lists its loops as indices of points: the outer one first,
// counter-clockwise seen from outside, then its openings, clockwise.
func Polyhedron(name string, points []geom.Vec3, faces [][][]int) *brep.Model {
	b := New(name)
	for _, p := range points {
		b.Vertex(p)
	}
	edges := map[[2]int]brep.EdgeID{}
	use := func(from, to int) EdgeUse {
		key := [2]int{min(from, to), max(from, to)}
		e, ok := edges[key]
		if !ok {
			e = b.Line(brep.VertexID(key[0]), brep.VertexID(key[1]))
			edges[key] = e
		}
		return EdgeUse{e, from > to}
	}
	for _, face := range faces {
		var loops []Loop
		for _, ring := range face {
			var uses []EdgeUse
			for i := range ring {
				uses = append(uses, use(ring[i], ring[(i+1)%len(ring)]))
			}
			loops = append(loops, Chain(uses...))
		}
		var normal geom.Vec3
		origin := points[face[0][0]]
		for i, v := range face[0] {
			next := points[face[0][(i+1)%len(face[0])]]
			normal = normal.Add(points[v].Sub(origin).Cross(next.Sub(origin)))
		}
		b.Face(surface.Plane{Frame: geom.NewFrame(origin, normal, geom.Vec3{})}, false, loops...)
	}
	return b.solidModel()
}

// Block is a box that is added to a solid or subtracted from it.
type Block struct {
	Box   geom.Box
	IsCut bool
}

// Add is a block of material between two corners, the first below the second in all coordinates.
func Add(from, to geom.Vec3) Block { return Block{Box: geom.Box{Min: from, Max: to}} }

// Subtract is a block that is subtracted from the solid.
func Subtract(from, to geom.Vec3) Block { return Block{geom.Box{Min: from, Max: to}, true} }

// Blocks adds and cuts blocks in order. The planes of all blocks divide every side of the solid into rectangles, with
// one face each. So a side has as many faces as other blocks overlap it. The solid must be one piece that does not
// touch itself along an edge.
func Blocks(name string, blocks ...Block) *brep.Model {
	g := grid{blocks: blocks, index: map[[3]int]int{}}
	for _, k := range blocks {
		for axis, x := range [3][2]float64{
			{k.Box.Min.X, k.Box.Max.X}, {k.Box.Min.Y, k.Box.Max.Y}, {k.Box.Min.Z, k.Box.Max.Z},
		} {
			g.at[axis] = append(g.at[axis], x[0], x[1])
		}
	}
	for axis := range g.at {
		slices.Sort(g.at[axis])
		g.at[axis] = slices.Compact(g.at[axis])
	}
	for i := range len(g.at[0]) - 1 {
		for j := range len(g.at[1]) - 1 {
			for k := range len(g.at[2]) - 1 {
				if c := [3]int{i, j, k}; g.isSolid(c) {
					g.sides(c)
				}
			}
		}
	}
	return Polyhedron(name, g.points, g.faces)
}

// grid are the cells into which the planes of blocks part space, named by their lowest corners.
type grid struct {
	blocks []Block
	at     [3][]float64 // mm, ascending, of the planes across each axis
	index  map[[3]int]int
	points []geom.Vec3
	faces  [][][]int
}

func (g *grid) corner(c [3]int) geom.Vec3 {
	return geom.Vec3{X: g.at[0][c[0]], Y: g.at[1][c[1]], Z: g.at[2][c[2]]}
}

// point returns the index of a corner among the points.
func (g *grid) point(c [3]int) int {
	i, ok := g.index[c]
	if !ok {
		i = len(g.points)
		g.index[c], g.points = i, append(g.points, g.corner(c))
	}
	return i
}

func (g *grid) isSolid(c [3]int) bool {
	for axis := range c {
		if c[axis] < 0 || c[axis] >= len(g.at[axis])-1 {
			return false
		}
	}
	middle := g.corner(c).Lerp(g.corner([3]int{c[0] + 1, c[1] + 1, c[2] + 1}), 0.5)
	is := false
	for _, k := range g.blocks {
		if k.Box.Contains(middle, 0) {
			is = !k.IsCut
		}
	}
	return is
}

// sides adds the faces of a cell that no other cell covers.
func (g *grid) sides(c [3]int) {
	for axis := range 3 {
		for _, step := range [2]int{-1, 1} {
			beside := c
			beside[axis] += step
			if g.isSolid(beside) {
				continue
			}
			u, v := (axis+1)%3, (axis+2)%3
			corner := c
			corner[axis] += max(0, step)
			ring := [4][3]int{corner, corner, corner, corner} // counter-clockwise seen against the axis
			ring[1][u]++
			ring[2][u], ring[2][v] = ring[2][u]+1, ring[2][v]+1
			ring[3][v]++
			if step < 0 {
				slices.Reverse(ring[:])
			}
			var loop []int
			for _, k := range ring {
				loop = append(loop, g.point(k))
			}
			g.faces = append(g.faces, [][]int{loop})
		}
	}
}
