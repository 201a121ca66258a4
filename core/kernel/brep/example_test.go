package brep_test

import (
	"fmt"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A plate with a hole is walked from its faces to the points: top and bottom have a second loop around the hole. A
// coedge is the use of an edge by a loop; each edge has two, in opposite directions.
func Example() {
	m := build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)})
	for i, f := range m.Faces {
		fmt.Printf("face %d, %s:", i, surface.ShapeKind(f.Surface))
		for _, l := range f.Loops {
			fmt.Printf(" loop of %d coedges", len(m.Loops[l].Coedges))
		}
		fmt.Println()
	}

	top := m.Faces[5]
	for _, c := range m.Loops[top.Loops[0]].Coedges {
		e := m.Edges[m.Coedges[c].Edge]
		other := e.Coedges[0]
		if other == c {
			other = e.Coedges[1]
		}
		fmt.Println("from", m.Vertices[m.CoedgeStart(c)].Point, "beside face", m.FaceOf(other))
	}
	fmt.Println(len(brep.Check(m)), "problems")
	// Output:
	// face 0, Plane: loop of 4 coedges
	// face 1, Plane: loop of 4 coedges
	// face 2, Plane: loop of 4 coedges
	// face 3, Plane: loop of 4 coedges
	// face 4, Plane: loop of 4 coedges loop of 1 coedges
	// face 5, Plane: loop of 4 coedges loop of 1 coedges
	// face 6, Cylinder: loop of 4 coedges
	// from {0 0 5} beside face 0
	// from {40 0 5} beside face 1
	// from {40 20 5} beside face 2
	// from {0 20 5} beside face 3
	// 0 problems
}
