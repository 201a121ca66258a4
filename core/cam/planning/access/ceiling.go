package access

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// StockHeight is an upper bound of the height of stock over the cells of a lattice, seen from a setup. Rays of dexels
// miss a skin thinner than their distance. Material that an earlier setup may have left, known as areas above heights,
// bounds the whole cell instead.
type StockHeight struct {
	lattice   dexel.Lattice
	workpiece geom.Frame
	axis      int // of the workpiece, that the setup looks along
	isDown    bool
	grid      grid.Grid
	z         []float32 // as a height map of dexels has them
}

// NewCeiling returns that of raw stock. Stock so thin that it lies between the rays fills all of its lattice.
func NewCeiling(raw *dexel.Stock, workpiece, setup geom.Frame) *StockHeight {
	along := workpiece.LocalDir(setup.Z)
	c := &StockHeight{lattice: raw.Lattice, workpiece: workpiece, axis: dexel.Along(along)}
	c.isDown = along.Coordinate(c.axis) < 0
	g, seen := raw.HeightMap(c.axis, c.isDown)
	c.grid, c.z = g, slices.Clone(seen)
	if slices.Max(seen) == grid.Nothing {
		box := raw.Lattice.Box()
		for at := range c.z {
			c.z[at] = c.height(box.Min, box.Max)
		}
		return c
	}
	for at, z := range seen { // the stock ends before the next ray
		for j := max(at/g.Width-1, 0); j <= min(at/g.Width+1, g.Height-1); j++ {
			for i := max(at%g.Width-1, 0); i <= min(at%g.Width+1, g.Width-1); i++ {
				c.z[j*g.Width+i] = max(c.z[j*g.Width+i], z)
			}
		}
	}
	return c
}

// Lower lowers the ceiling by the material that a setup has certainly removed; s is the stock that it may
// have left. The setup sees another side, since no plan sets up one side twice.
func (c *StockHeight) Lower(s *Stock, setup geom.Frame) error {
	along := c.workpiece.LocalDir(setup.Z)
	axis := dexel.Along(along)
	if axis == c.axis {
		return c.against(s, setup)
	}
	return c.across(s, setup, axis, along.Coordinate(axis) < 0)
}

// against empties the cells under which a stock, seen from the other side, is gone to the bottom.
func (c *StockHeight) against(s *Stock, setup geom.Frame) error {
	above, err := s.Above(s.box.Min.Z)
	if err != nil {
		return err
	}
	for at, is := range c.touched(above, setup) {
		if !is {
			c.z[at] = grid.Nothing
		}
	}
	return nil
}

// across lowers the ceiling, row by row, to how far a stock reaches that is seen along the rows' side: what is above
// the lower end of a row holds all that is in it.
func (c *StockHeight) across(s *Stock, setup geom.Frame, side int, isDown bool) error {
	l := &c.lattice
	b, up := dexel.Side(c.axis)
	place, rows, columns := [2]int{1, l.Count[b]}, l.Count[up], l.Count[b]
	over := b
	if side == b {
		place, rows, columns, over = [2]int{l.Count[b], 1}, l.Count[b], l.Count[up], up
	}
	var last *arcpoly.Area
	var reach []float32 // of the last row, by column
	for row := range rows {
		var end geom.Vec3
		end.SetCoordinate(side, l.Origin.Coordinate(side)+float64(row)*l.Step)
		if isDown {
			end.SetCoordinate(side, l.Origin.Coordinate(side)+float64(row+1)*l.Step)
		}
		above, err := s.Above(setup.Local(c.workpiece.Point(end)).Z)
		if err != nil {
			return err
		}
		if reach == nil || above != last {
			last, reach = above, c.reach(above, setup, over, columns)
		}
		for i, most := range reach {
			at := row*place[1] + i*place[0]
			c.z[at] = min(c.z[at], most)
		}
	}
	return nil
}

// reach returns how high an area in the plane of a setup is by columns along an axis.
func (c *StockHeight) reach(a *arcpoly.Area, setup geom.Frame, over, columns int) []float32 {
	most := grid.NewMap(columns)
	c.outline(a, setup, func(lo, hi geom.Vec3) {
		top := c.height(lo, hi)
		first, end := c.cells(lo, hi, over, columns)
		for i := first; i < end; i++ {
			most[i] = max(most[i], top)
		}
	})
	return most
}

// height returns how high a box is, in the frame of the workpiece, rounded up.
func (c *StockHeight) height(lo, hi geom.Vec3) float32 {
	z := hi.Coordinate(c.axis)
	if c.isDown {
		z = -lo.Coordinate(c.axis)
	}
	return math.Nextafter32(float32(z), float32(math.Inf(1)))
}

// cells returns those that a box, in the frame of the workpiece, is in along an axis, of some: from one to before
// another. What only touches a cell is not in it.
func (c *StockHeight) cells(lo, hi geom.Vec3, axis, count int) (first, end int) {
	o := c.lattice.Origin.Coordinate(axis)
	first = int(math.Floor((lo.Coordinate(axis)-o)/c.lattice.Step + touching))
	end = int(math.Ceil((hi.Coordinate(axis)-o)/c.lattice.Step - touching))
	return max(first, 0), min(end, count)
}

const (
	touching = 1e-6 // share of a cell that counts as contact only
	sag      = 0.01 // mm, of arcs over the chords that stand for them
)

// outline visits boxes, in the frame of the workpiece, that hold the boundary of an area in the plane of a setup. None
// is longer than half a cell.
func (c *StockHeight) outline(a *arcpoly.Area, setup geom.Frame, visit func(lo, hi geom.Vec3)) {
	for _, loop := range a.Loops() {
		for k := range loop {
			p := &loop[k]
			n := max(int(math.Ceil(2*p.Length()/c.lattice.Step)), 1)
			if r := p.Radius(); r > sag {
				n = max(n, int(math.Ceil(math.Abs(p.Turn)/(2*math.Acos(1-sag/r)))))
			}
			from := c.point(p.From, setup)
			for i := range n {
				to := c.point(p.At(float64(i+1)/float64(n)), setup)
				box := geom.BoxOf(from, to)
				if p.Turn != 0 {
					box = box.Grow(sag)
				}
				visit(box.Min, box.Max)
				from = to
			}
		}
	}
}

// point returns where one in the plane of a setup is in the frame of the workpiece.
func (c *StockHeight) point(p geom.Vec2, setup geom.Frame) geom.Vec3 {
	return c.workpiece.Local(setup.Point(geom.Vec3{X: p.X, Y: p.Y}))
}

// touched returns which cells an area is in that a setup sees along the same axis.
func (c *StockHeight) touched(a *arcpoly.Area, setup geom.Frame) []bool {
	l := &c.lattice
	b, up := dexel.Side(c.axis)
	in := make([]bool, len(c.z))
	c.outline(a, setup, func(lo, hi geom.Vec3) {
		i0, i1 := c.cells(lo, hi, b, l.Count[b])
		j0, j1 := c.cells(lo, hi, up, l.Count[up])
		for j := j0; j < j1; j++ {
			for i := i0; i < i1; i++ {
				in[j*l.Count[b]+i] = true
			}
		}
	})
	for at := range in {
		var p geom.Vec3
		p.SetCoordinate(b, l.Origin.Coordinate(b)+(float64(at%l.Count[b])+0.5)*l.Step)
		p.SetCoordinate(up, l.Origin.Coordinate(up)+(float64(at/l.Count[b])+0.5)*l.Step)
		if !in[at] {
			q := setup.Local(c.workpiece.Point(p))
			in[at] = a.Contains(geom.Vec2{X: q.X, Y: q.Y})
		}
	}
	return in
}
