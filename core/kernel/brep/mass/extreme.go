package mass

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
)

// gridPoints bounds the points of the search grid in each direction; it has three for each smooth
// piece of the surface, which a bump must fill to be one.
const gridPoints = 48

// freeExtremes adds the extreme points of a surface without closed form: for each half-axis along
// which the surface may leave the box, Newton's method from every local extreme of a grid.
func (g *integrator) freeExtremes(box geom.Box, d *trim.Domain) geom.Box {
	lo, hi := extent(d.Polygons[0])
	hull := g.surf.Bounds(geom.Interval{Lo: lo.X, Hi: hi.X}, geom.Interval{Lo: lo.Y, Hi: hi.Y})
	const matters = 1e-9 // share of the diagonal
	slack := matters * hull.Diagonal()
	var grid []geom.Vec3
	nu := min(gridPoints, 3*g.column.spans(0, lo.X, hi.X)+1)
	nv := min(gridPoints, 3*g.column.spans(1, lo.Y, hi.Y)+1)
	at := func(i, j int) geom.Vec2 {
		return geom.Vec2{
			X: lo.X + (hi.X-lo.X)*float64(i)/float64(nu-1),
			Y: lo.Y + (hi.Y-lo.Y)*float64(j)/float64(nv-1),
		}
	}
	for side := range 6 {
		if reach(hull, side) <= reach(box, side)+slack {
			continue
		}
		if grid == nil {
			grid = make([]geom.Vec3, 0, nu*nv)
			for i := range nu {
				for j := range nv {
					uv := at(i, j)
					grid = append(grid, g.surf.At(uv.X, uv.Y))
				}
			}
		}
		axis := halfAxis(side)
		for i := range nu {
			for j := range nv {
				if !isPeak(grid, nu, nv, i, j, axis, reach(box, side)) {
					continue
				}
				uv, ok := g.climb(at(i, j), axis, lo, hi)
				if p := g.surf.At(uv.X, uv.Y); ok && p.Dot(axis) > reach(box, side) && g.inside(d, uv) {
					box = box.Add(p)
				}
			}
		}
	}
	return box
}

// isPeak reports whether no neighbor of a grid point is further out, and the point is so far out
// that the peak next to it may lie beyond reach.
func isPeak(grid []geom.Vec3, nu, nv, i, j int, axis geom.Vec3, reach float64) bool {
	f := grid[i*nv+j].Dot(axis)
	fall := 0.0
	for di := -1; di <= 1; di++ {
		for dj := -1; dj <= 1; dj++ {
			k, l := i+di, j+dj
			if k < 0 || l < 0 || k >= nu || l >= nv {
				continue
			}
			h := grid[k*nv+l].Dot(axis)
			if h > f {
				return false
			}
			fall = math.Max(fall, f-h)
		}
	}
	return f+fall > reach
}

// climb follows the coordinate along axis uphill from start to a place where the normal is along the
// axis, by Newton's method with halved steps.
func (g *integrator) climb(start geom.Vec2, axis geom.Vec3, lo, hi geom.Vec2) (geom.Vec2, bool) {
	const (
		steps   = 40
		flat    = 1e-6 // cosine between axis and tangents that is a right angle: its square is the error
		shorten = 0.5
	)
	uv := start
	margin := hi.Sub(lo).Scale(0.1)
	for range steps {
		d := g.surf.D2(uv.X, uv.Y)
		gu, gv := d.Du.Dot(axis), d.Dv.Dot(axis)
		if math.Abs(gu) <= flat*d.Du.Norm() && math.Abs(gv) <= flat*d.Dv.Norm() {
			return uv, true
		}
		huu, huv, hvv := d.Duu.Dot(axis), d.Duv.Dot(axis), d.Dvv.Dot(axis)
		det := huu*hvv - huv*huv
		var step geom.Vec2
		if det > 0 && huu < 0 {
			step = geom.Vec2{X: -(hvv*gu - huv*gv) / det, Y: -(huu*gv - huv*gu) / det}
		} else { // not a dome: straight uphill by a tenth of the domain
			size := hi.Sub(lo)
			s := geom.Vec2{X: gu * size.X, Y: gv * size.Y}
			step = geom.Vec2{X: s.X * size.X, Y: s.Y * size.Y}.Scale(0.1 / (s.Norm() + math.SmallestNonzeroFloat64))
		}
		f := d.P.Dot(axis)
		for k := 0; k < steps; k++ {
			next := uv.Add(step)
			if g.surf.At(next.X, next.Y).Dot(axis) >= f {
				break
			}
			step = step.Scale(shorten)
		}
		uv = uv.Add(step)
		if uv.X < lo.X-margin.X || uv.X > hi.X+margin.X || uv.Y < lo.Y-margin.Y || uv.Y > hi.Y+margin.Y {
			return uv, false
		}
	}
	return uv, true // slow, but still a point of the surface
}
