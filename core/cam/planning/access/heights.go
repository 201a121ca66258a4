package access

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/parallel"
)

// heights are how high stock reaches that dexels and a ceiling know, over cells in the plane of a setup.
type heights struct {
	grid    grid.Grid // of the ceiling, across the axis that the setup looks along
	z       []float32 // along the axis, that the stock may reach in a cell of it
	rayGrid grid.Grid // of the rays, likewise
	ray     []float32 // that the stock reaches along a ray
	origin  geom.Vec2 // in the frame of the setup, of the place (0, 0) of the grids
	u, v    geom.Vec2 // unit, of the grid's x and y
	ground  float64   // mm, to be added to heights of the map
	box     geom.Box
	layers  []float32                         // of z, ascending
	rays    []float32                         // of ray, ascending
	known   parallel.Memo[int, *arcpoly.Area] // what is above each of the layers
	between parallel.Memo[int, *arcpoly.Area] // what is above each of the rays for sure
}

func newHeights(d *dexel.Stock, most *StockHeight, setup geom.Frame) *heights {
	workpiece := most.workpiece
	b, c := dexel.Side(most.axis)
	axes := [3]geom.Vec3{workpiece.X, workpiece.Y, workpiece.Z}
	flat := func(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }
	origin := setup.Local(workpiece.Origin)
	h := &heights{
		origin: flat(origin), u: flat(setup.LocalDir(axes[b])), v: flat(setup.LocalDir(axes[c])), ground: origin.Z,
		box: geom.EmptyBox(), z: most.z, grid: most.grid,
	}
	h.rayGrid, h.ray = d.HeightMap(most.axis, most.isDown)
	lattice := d.Lattice.Box()
	h.box = h.box.Add(setup.Local(workpiece.Point(lattice.Min))).Add(setup.Local(workpiece.Point(lattice.Max)))
	top := h.box.Min.Z
	for _, z := range h.z {
		if z != grid.Nothing {
			top = max(top, float64(z)+h.ground)
		}
	}
	h.box.Max.Z = top
	h.layers, h.rays = ascending(h.z), ascending(h.ray)
	return h
}

// ascending returns some heights in their order, each once.
func ascending(list []float32) []float32 {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// limit returns the least value of cells and rays that are above a height.
func (h *heights) limit(z float64) float64 { return z - h.ground + geom.Resolution }

// layer returns that of a height: what may be above two heights of one layer is the same.
func (h *heights) layer(z float64) int { return passed(h.layers, h.limit(z)) }

// passed returns the number of ascending heights that are not over a limit.
func passed(list []float32, limit float64) int {
	n, _ := slices.BinarySearchFunc(list, limit, func(a float32, b float64) int {
		if float64(a) <= b {
			return -1
		}
		return 1
	})
	return n
}

// above returns the cells that are higher.
func (h *heights) above(z float64) (*arcpoly.Area, error) {
	limit, g := h.limit(z), h.grid
	return h.known.Get(h.layer(z), func() (*arcpoly.Area, error) {
		s := newSquares(g.Width, g.Height)
		for at, z := range h.z {
			s.in[at] = float64(z) > limit
		}
		return h.area(s, g, -0.5)
	})
}

// sure returns the area between four rays that are higher.
func (h *heights) sure(z float64) (*arcpoly.Area, error) {
	limit, g := h.limit(z), h.rayGrid
	return h.between.Get(passed(h.rays, limit), func() (*arcpoly.Area, error) {
		s := newSquares(g.Width-1, g.Height-1)
		for k := range s.in {
			at := k/s.width*g.Width + k%s.width
			s.in[k] = float64(min(h.ray[at], h.ray[at+1], h.ray[at+g.Width], h.ray[at+g.Width+1])) > limit
		}
		return h.area(s, g, 0)
	})
}

// area returns squares of a grid within the lattice; the first one begins so far (cells) behind the middle of the first
// cell.
func (h *heights) area(s squares, g grid.Grid, first float64) (*arcpoly.Area, error) {
	loops := s.loops(func(i, j int) geom.Vec2 { return h.place(g, float64(i)+first, float64(j)+first) })
	if h.u.Cross(h.v) < 0 {
		for i := range loops {
			loops[i] = loops[i].Reverse()
		}
	}
	a, err := arcpoly.New(loops...)
	if err != nil {
		return nil, err
	}
	window, err := rectangle(h.box, 0)
	if err != nil {
		return nil, err
	}
	return arcpoly.Intersection(a, window)
}

// place returns where a cell of a grid, or a place between cells, is in the frame of the setup.
func (h *heights) place(g grid.Grid, i, j float64) geom.Vec2 {
	return h.origin.Add(h.u.Scale(g.X + i*g.Step)).Add(h.v.Scale(g.Y + j*g.Step))
}

// top returns how high the cells are that reach within some distance of a place, at least floor.
func (h *heights) top(at geom.Vec2, distance, floor float64) float64 {
	g := h.grid
	d := at.Sub(h.origin)
	x, y := (d.Dot(h.u)-g.X)/g.Step, (d.Dot(h.v)-g.Y)/g.Step
	wide := distance/g.Step + 0.5
	top := floor
	for j := max(int(y-wide), 0); j <= min(int(y+wide)+1, g.Height-1); j++ {
		for i := max(int(x-wide), 0); i <= min(int(x+wide)+1, g.Width-1); i++ {
			if z := h.z[j*g.Width+i]; z != grid.Nothing {
				top = max(top, float64(z)+h.ground)
			}
		}
	}
	return top
}

// over returns the height of the cells at a position, -Inf without cells.
func (h *heights) over(at geom.Vec2) float64 {
	g := h.grid
	d := at.Sub(h.origin)
	x, y := (d.Dot(h.u)-g.X)/g.Step, (d.Dot(h.v)-g.Y)/g.Step
	top := math.Inf(-1)
	for j := max(int(math.Ceil(y-0.5)), 0); j <= min(int(math.Floor(y+0.5)), g.Height-1); j++ {
		for i := max(int(math.Ceil(x-0.5)), 0); i <= min(int(math.Floor(x+0.5)), g.Width-1); i++ {
			if z := h.z[j*g.Width+i]; z != grid.Nothing {
				top = max(top, float64(z)+h.ground)
			}
		}
	}
	return top
}
