package adaptive

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Lengths in radii of the cutter.
const (
	opening    = 0.1   // radius to which concave corners of the allowed area are rounded
	wallMargin = 0.005 // distance from the boundary of the allowed area, for errors of the raster and of fitted arcs
	turnRadius = 0.1   // smallest radius of a curve of the path
	tolerance  = 0.002 // of the fitted arcs, and of positions at walls
)

// slack (mm) is the distance by which exact tests let a position leave the allowed area.
const slack = 0.5e-3

// bandCells is the cut-off of the distances to the cleared ground, in cells: enough for bilinear values around zero.
const bandCells = 1.8

// blockCells is the side of a block, in cells: the pitch of the lattice for starts and links. A pitch over an eighth
// of the radius would not resolve slots slightly wider than the cutter.
const blockCells = 2

// Marks of cells.
const (
	reachable = 1 << iota // material that the walks can reach, not yet removed
	wanted                // of the target, where the cutter reaches
)

// clearing is the state of one level.
type clearing struct {
	raster
	level  *Level
	radius float64 // of the cutter, mm
	bound  float64 // of measured front arcs, rad
	band   float64 // mm

	allowed   *arcpoly.Area // the allowed area without sharp concave corners
	forbidden *arcpoly.Area // its complement near it, for exact tests
	field     []float32     // distance to the cleared ground, mm, cut off at ±band; positive in material
	clearance []float32     // distance to the boundary of allowed, mm, cut off; positive inside
	marks     []uint8
	lattice
	trail
	sines, cosines [samples + 1]float64 // of the angles of samples on the front half of the circle

	path     []step
	bridges  []bridge // in the order of the path
	replayed int      // steps of earlier strips at its begin
	removed  int      // reachable cells removed by the walk in progress
	goals    int      // target cells that remain

	last    walk        // the last one that was kept
	anchor  int         // node from which fronts are searched
	isUsed  []bool      // of the entries of the level
	barren  int         // helices without a cut after them
	journal []cellValue // values of the field before the walk in progress changed them, until it removes material
	isNew   bool        // the walk in progress removed nothing so far
}

// cellValue is an earlier value of the field.
type cellValue struct {
	cell  int
	value float32
}

// step is a straight piece of the path before arcs are fitted.
type step struct {
	to    geom.Vec2
	arc   float64 // rad, of a cut
	helix float64 // mm, of an entry
	kind  Kind
	air   bool
	idle  bool // no contact along it
}

func newClearing(ctx context.Context, l *Level) (*clearing, error) {
	c := &clearing{level: l, radius: l.Radius, bound: boundFactor * l.Arc, isUsed: make([]bool, len(l.Entries))}
	shrunk, err := l.Allowed.Offset(-(opening + wallMargin) * c.radius)
	if err != nil {
		return nil, err
	}
	if c.allowed, err = shrunk.Offset(opening * c.radius); err != nil || c.allowed.IsEmpty() {
		return nil, err
	}
	lo, hi, ok := c.lay()
	if !ok {
		return nil, nil
	}
	if c.forbidden, err = complement(l.Allowed, 4*c.radius); err != nil {
		return nil, err
	}
	for i := range samples + 1 {
		c.sines[i], c.cosines[i] = math.Sincos(math.Pi * (float64(i)/samples - 0.5))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fine := 5e-4 * c.radius
	c.clearance = c.distances(c.chordsOf(c.allowed, fine, 2*c.radius), clearanceCells*c.step)
	c.fence(lo, hi)
	stock := c.chordsOf(l.Stock, fine, 2*c.radius)
	c.field = c.distances(stock, c.band)
	if err := c.mark(fine); err != nil {
		return nil, err
	}
	c.layLattice()
	c.markSharp()
	c.layTrail()
	return c, ctx.Err()
}

// boundFactor is the bound of the walk over the target: half of the tolerance of 10 %, the rest is for fitted arcs.
const boundFactor = 1.05

// clearanceCells is the cut-off of the distances to walls, in cells. The walk turns away from walls within turnRadius.
const clearanceCells = 4

// cellsPerRadius returns the resolution. Large cutters get by with fewer cells: their walks are long.
func cellsPerRadius(radius float64) float64 {
	if radius > 6 {
		return 12
	}
	return 16
}

// window returns the corners of the positions of the cutter near the target, on an allowed area.
func (l *Level) window(allowed *arcpoly.Area) (lo, hi geom.Vec2, ok bool) {
	lo, hi = allowed.Extent()
	t0, t1 := l.Target.Extent()
	lo.X, lo.Y = max(lo.X, t0.X-2*l.Radius), max(lo.Y, t0.Y-2*l.Radius)
	hi.X, hi.Y = min(hi.X, t1.X+2*l.Radius), min(hi.Y, t1.Y+2*l.Radius)
	return lo, hi, lo.X <= hi.X && lo.Y <= hi.Y
}

// lay places the raster around the positions of the cutter near the target, from lo to hi.
func (c *clearing) lay() (lo, hi geom.Vec2, ok bool) {
	if lo, hi, ok = c.level.window(c.allowed); !ok {
		return lo, hi, false
	}
	c.step = c.radius / cellsPerRadius(c.radius)
	c.inverse, c.band = 1/c.step, bandCells*c.step
	margin := c.radius + 6*c.step
	c.origin = geom.Vec2{X: lo.X - margin, Y: lo.Y - margin}
	c.nx = blockCells * (int((hi.X-lo.X+2*margin)*c.inverse)/blockCells + 2)
	c.ny = blockCells * (int((hi.Y-lo.Y+2*margin)*c.inverse)/blockCells + 2)
	return lo, hi, true
}

// fence excludes positions more than two cells outside a window: bilinear values at its border stay as they are.
func (c *clearing) fence(lo, hi geom.Vec2) {
	out := -float32(clearanceCells * c.step)
	lo, hi = lo.Sub(geom.Vec2{X: 2 * c.step, Y: 2 * c.step}), hi.Add(geom.Vec2{X: 2 * c.step, Y: 2 * c.step})
	for j := range c.ny {
		for i := range c.nx {
			if p := c.point(i, j); p.X < lo.X || p.Y < lo.Y || p.X > hi.X || p.Y > hi.Y {
				c.clearance[j*c.nx+i] = out
			}
		}
	}
}

// rim is the depth to which material at the border of the reach does not count, in cells.
const rim = 0.3

// mark marks the cells in material, within a tolerance (mm) of the areas.
func (c *clearing) mark(tolerance float64) error {
	c.marks = make([]uint8, c.nx*c.ny)
	add := func(a *arcpoly.Area, f func(k int)) {
		c.inside(c.chordsOf(a, tolerance, 2*c.radius), func(j, i0, i1 int) {
			for k := j*c.nx + i0; k < j*c.nx+i1; k++ {
				f(k)
			}
		})
	}
	const candidate = 1 << 7
	walks, err := c.allowed.Offset(c.radius - rim*c.step)
	if err != nil {
		return err
	}
	all, err := c.level.Allowed.Offset(c.radius - rim*c.step)
	if err != nil {
		return err
	}
	add(all, func(k int) { c.marks[k] = candidate })
	add(c.level.Target, func(k int) {
		if c.marks[k] != 0 && c.field[k] > 0 {
			c.marks[k] |= wanted
		}
	})
	for k := range c.marks {
		c.marks[k] &^= candidate
	}
	add(walks, func(k int) {
		if c.field[k] <= 0 {
			return
		}
		c.marks[k] |= reachable
		if c.marks[k]&wanted != 0 {
			c.goals++
		}
	})
	return nil
}

// complement returns the points outside an area, more than slack from it, in a frame with a margin.
func complement(a *arcpoly.Area, margin float64) (*arcpoly.Area, error) {
	grown, err := a.Offset(slack)
	if err != nil {
		return nil, err
	}
	lo, hi := a.Extent()
	lo, hi = lo.Sub(geom.Vec2{X: margin, Y: margin}), hi.Add(geom.Vec2{X: margin, Y: margin})
	frame, err := rectangle(lo, hi)
	if err != nil {
		return nil, err
	}
	return frame.Minus(grown)
}
