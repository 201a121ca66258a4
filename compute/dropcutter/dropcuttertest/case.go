package dropcuttertest

import (
	"context"
	"math"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/heightmap/heightmaptest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[dropcutter.Input, dropcutter.Output]{
	Primitive: dropcutter.Primitive, Suite: Suite, Sizes: []int{256 * 256, 1024 * 1024, 4096 * 4096},
	Load: load,
}

// PlacesCase describes the primitive for single points.
var PlacesCase = &primitivetest.Case[dropcutter.PointsInput, dropcutter.PointsOutput]{
	Primitive: dropcutter.AtPoints, Suite: PlacesSuite, Sizes: []int{64 * 64, 256 * 256},
	Load: func(cells int, m *mesh.Mesh) (primitivetest.Load[dropcutter.PointsInput], error) {
		l, err := load(cells, m)
		if err != nil {
			return primitivetest.Load[dropcutter.PointsInput]{}, err
		}
		over, err := dropcutter.NewTerrain(context.Background(), l.In.Mesh, l.In.Frame, primitive.OnCPU(0))
		in := dropcutter.PointsInput{Over: over, Tool: l.In.Tool}
		for _, p := range centers(l.In.Grid) {
			in.At = append(in.At, geom.Vec3{X: p.X, Y: p.Y, Z: math.Inf(-1)})
		}
		return primitivetest.Load[dropcutter.PointsInput]{In: in, Items: len(in.At), Bytes: l.Bytes}, err
	},
}

// PathsCase describes the primitive for paths as long as the tool is wide.
var PathsCase = &primitivetest.Case[dropcutter.PathsInput, dropcutter.PathsOutput]{
	Primitive: dropcutter.AlongPaths, Suite: PathsSuite, Sizes: []int{64 * 64, 256 * 256},
	Load: func(cells int, m *mesh.Mesh) (primitivetest.Load[dropcutter.PathsInput], error) {
		l, err := PlacesCase.Load(cells, m)
		if err != nil {
			return primitivetest.Load[dropcutter.PathsInput]{}, err
		}
		in := dropcutter.PathsInput{Over: l.In.Over, Tool: l.In.Tool}
		for _, p := range l.In.At {
			along := motion.Segment{From: p, To: p}
			along.To.X += 2 * in.Tool.MaxRadius()
			in.Along = append(in.Along, along)
		}
		return primitivetest.Load[dropcutter.PathsInput]{In: in, Items: len(in.Along), Bytes: l.Bytes}, nil
	},
}

// centers returns the middles of the cells of a grid.
func centers(g grid.Grid) (at []geom.Vec2) {
	for c := range g.Len() {
		at = append(at, geom.Vec2{X: g.X + g.Step*float64(c%g.Width), Y: g.Y + g.Step*float64(c/g.Width)})
	}
	return at
}

// load drops a ball end mill of 797 cells onto the mesh itself.
func load(cells int, m *mesh.Mesh) (primitivetest.Load[dropcutter.Input], error) {
	const radius = 15.93 // cells
	view := heightmaptest.Above(cells, m)
	d := 2 * radius * view.Grid.Step
	in := dropcutter.Input{
		Mesh: view.Mesh, Frame: view.Frame, Grid: view.Grid, Tool: toolprofile.EndMill(d, d/2, 5*d),
	}
	n := in.Grid.Len()
	return primitivetest.Load[dropcutter.Input]{
		In: in, Items: n,
		Bytes: rastertest.Bytes(in.Mesh, n),
	}, nil
}
