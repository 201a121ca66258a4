package datasheets

// Pockets, from columns and sections: which cells are the plan of a pocket, which stand in a tool's way.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/geom"
)

// wallSlope is the sine of the lean at which a wall ends and a floor begins.
var wallSlope = math.Sin(44 * math.Pi / 180)

// plan is a pocket on a grid.
type plan struct {
	*grid
	in   []bool  // the pocket's plan
	wall []bool  // material that rises from it, or next to it
	size float64 // cells of the plan
	// height is that of the base by cell, mm, infinite where there is none.
	height  []float64
	site    []int32 // the nearest cell of the base, -1 if there is no base
	fillets []int   // of other features, from the base to their walls
	own     []int   // the feature's regions
}

// rise is the height (mm) from which material above a floor is an obstacle.
func rise(depth float64) float64 { return max(3*FineChord, min(0.01*depth, 0.05)) }

// lip (mm) is the maximum distance between the start of material that rises at a floor, as fillets do, and the
// place where it is an obstacle.
const lip = 1

// sliver (cells) is nearer than what does not touch a cell: those that do are 1 or √2 away. Into them what ends in the
// last cell of a plan may reach.
const sliver = 2

// newPlan computes the plan of a pocket with a floor: the area of its floor and fillets, with the openings in them.
func (p *part) newPlan(f *feature.Feature, v *view, base, fillets []int, g grid, zTop float64) *plan {
	n := g.nx * g.ny
	pl := &plan{grid: &g, in: make([]bool, n), wall: make([]bool, n), fillets: fillets, own: f.Regions}
	height := slices.Repeat([]float64{math.Inf(1)}, n)
	pl.height = height
	lowest := math.Inf(1)
	p.triangles(slices.Concat(base, fillets), func(a, b, c geom.Vec3) {
		if b.Sub(a).Cross(c.Sub(a)).Dot(v.z) <= 0 {
			return
		}
		g.cast(v, a, b, c, func(i int, z float64) {
			pl.in[i], height[i] = true, min(height[i], z)
			lowest = min(lowest, z)
		})
	})
	far, site := distances(&g, pl.in)
	pl.site = site
	cols := newColumns(p.m, v, &g)
	d := rise(zTop - lowest)
	hint := d / 10 // mm: rise at which material counts if it reaches d slightly farther on, as over fillets
	rising := make([]bool, n)
	for i := range pl.wall {
		if site[i] < 0 {
			continue
		}
		at := height[site[i]]
		least, z := at, at
		g.beside(int(site[i]), func(j int) {
			if pl.in[j] {
				least, z = min(least, height[j]), max(z, height[j])
			}
		})
		column, above := i, d
		if steep := at - least; steep <= g.h {
			z += steep // so much further the floor rises up to its border
		} else { // it ends as steep as a wall, unless only a sliver of it is beside the cell
			above = hint
			if far[i] < sliver {
				column = g.mirrored(int(site[i]), i)
			}
		}
		// over the plan as well, however high: tools come from above
		pl.wall[i] = cols.isSolid(column, z+above, math.Inf(1))
		rising[i] = cols.isSolid(column, z+hint, z+d)
	}
	pl.closeLips(rising)
	pl.fillMouths()
	return pl
}

// mirrored returns the cell that lies as far beyond cell i as cell s does before it, i itself where the grid ends.
func (g *grid) mirrored(s, i int) int {
	x, y := 2*(i%g.nx)-s%g.nx, 2*(i/g.nx)-s/g.nx
	if x < 0 || x >= g.nx || y < 0 || y >= g.ny {
		return i
	}
	return y*g.nx + x
}

// closeLips makes walls of what begins to rise between the plan and a wall, where both are near.
func (pl *plan) closeLips(rising []bool) {
	near, _ := distances(pl.grid, pl.in)
	far, _ := distances(pl.grid, pl.wall)
	for i := range pl.wall {
		if !pl.in[i] && rising[i] && max(near[i], far[i])*pl.h <= lip {
			pl.wall[i] = true
		}
	}
}

// fillMouths adds what the plan alone surrounds.
func (pl *plan) fillMouths() {
	part, sizes := parts(pl.grid, func(i int) bool { return !pl.in[i] && !pl.wall[i] })
	isMouth := make([]bool, len(sizes))
	for k := range isMouth {
		isMouth[k] = true
	}
	for i, k := range part {
		if k < 0 {
			continue
		}
		if pl.isRim(i) {
			isMouth[k] = false
		}
		pl.beside(i, func(j int) { isMouth[k] = isMouth[k] && !pl.wall[j] })
	}
	for i, k := range part {
		pl.in[i] = pl.in[i] || k >= 0 && isMouth[k]
	}
	for i := range pl.in {
		if pl.in[i] {
			pl.size++
		}
	}
}

// newPassage computes the plan of a pocket without a floor: the area enclosed by its walls, straight across their gaps,
// without the material in it up to a height and without the area which that encloses.
func (p *part) newPassage(f *feature.Feature, v *view, g grid, z geom.Interval, top float64) *plan {
	n := g.nx * g.ny
	pl := &plan{grid: &g, in: make([]bool, n), wall: make([]bool, n), own: f.Regions}
	cols := newColumns(p.m, v, &g)
	d := rise(z.Length())
	for i := range pl.wall {
		pl.wall[i] = cols.isSolid(i, z.Lo+d, top-d)
	}
	ring := p.ring(f, v)
	around := make([]bool, n)
	for i := range around {
		around[i] = winds(ring, g.middle(i))
	}
	part, sizes := parts(&g, func(i int) bool { return around[i] && !pl.wall[i] })
	isOwn := make([]bool, len(sizes)) // it reaches the walls
	for _, share := range [3]float64{0.1, 0.5, 0.9} {
		for _, s := range section(p.m, f.Regions, v, z.Lo+share*z.Length()+1e-7) {
			if i := pl.cell(pl.before(&s, 0.5)); isWall(&s, v) && i >= 0 && part[i] >= 0 {
				isOwn[part[i]] = true
			}
		}
	}
	for i, k := range part {
		if k >= 0 && isOwn[k] {
			pl.in[i] = true
			pl.size++
		}
	}
	return pl
}

// ring links what the walls of a feature look like from above, each at the height at which it is longest.
func (p *part) ring(f *feature.Feature, v *view) []geom.Vec2 {
	var strokes [][]geom.Vec2
	for _, r := range f.Regions {
		_, _, z := p.box([]int{r}, v)
		var best []side
		length := 0.0
		for _, s := range [6]float64{0.5, 0.001, 0.03, 0.97, 0.25, 0.75} {
			all := section(p.m, []int{r}, v, z.Lo+s*z.Length()+1e-7)
			sum := 0.0
			for i := range all {
				sum += all[i].length()
			}
			if sum > length*1.001 {
				best, length = all, sum
			}
		}
		linked, _ := chains(best)
		for _, c := range linked {
			line := []geom.Vec2{c[0].from}
			for i := range c {
				line = append(line, c[i].to)
			}
			strokes = append(strokes, line)
		}
	}
	for len(strokes) > 1 { // the nearest ends first
		i, j, best := 0, 1, math.Inf(1)
		for a := range strokes {
			for b := range strokes {
				if d := strokes[a][len(strokes[a])-1].Dist(strokes[b][0]); a != b && d < best {
					i, j, best = a, b, d
				}
			}
		}
		strokes[i] = append(strokes[i], strokes[j]...)
		strokes = slices.Delete(strokes, j, j+1)
	}
	if len(strokes) == 0 {
		return nil
	}
	return strokes[0]
}

// winds reports whether a polygon encloses a point.
func winds(ring []geom.Vec2, q geom.Vec2) bool {
	n := 0
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if (a.Y <= q.Y) != (b.Y <= q.Y) {
			if side := b.Sub(a).Cross(q.Sub(a)); (side > 0) == (b.Y > a.Y) {
				if b.Y > a.Y {
					n++
				} else {
					n--
				}
			}
		}
	}
	return n != 0
}

const clears = 0.98 // of the plan

// clearing returns between which diameters the largest disc lies that clears the plan from one connected piece of
// the places where it is free, at most so wide. A larger disc clears no more, so no more than the one that is claimed
// has to be tried where it is right.
func (pl *plan) clearing(most, claimed float64) (lo, hi float64) {
	far, _ := distances(pl.grid, pl.wall)
	rim := 0.0 // cells on the border of the plan, whose place is known to half a cell
	for i := range pl.in {
		isRim := false
		if pl.in[i] {
			pl.beside(i, func(j int) { isRim = isRim || pl.wall[j] })
		}
		if isRim {
			rim++
		}
	}
	doubt := min(0.1*rim/pl.size, 0.015)
	slack := 4 * pl.h
	clear := func(d, share float64) bool { return d <= 0 || pl.covered(far, d/pl.h/2) >= share }
	least, more := clears-doubt, min(clears+doubt, 0.9995)
	if clear(max(0, claimed-slack), least) && (claimed+slack >= most || !clear(claimed+slack, more)) {
		return claimed - slack, claimed + slack
	}
	largest := func(share float64) float64 {
		a, b := 0.0, most
		if clear(b, share) {
			return b
		}
		for b-a > pl.h/2 {
			if m := (a + b) / 2; clear(m, share) {
				a = m
			} else {
				b = m
			}
		}
		return a
	}
	return largest(more) - slack, largest(least) + slack
}

// covered returns the largest share of the plan that a disc of a radius, in cells, sweeps from one piece of the places
// where it is free. All that reaches out of the grid is one piece: a tool that leaves over one open side comes in again
// over another.
func (pl *plan) covered(far []float64, radius float64) float64 {
	free := func(i int) bool { return !pl.wall[i] && far[i]-0.5 >= radius-0.25 }
	part, sizes := parts(pl.grid, free)
	reaches := make([]bool, len(sizes)) // out of the grid
	outside := int32(-1)
	for i, k := range part {
		if k >= 0 && pl.isRim(i) {
			reaches[k], outside = true, k
		}
	}
	for i, k := range part {
		if k >= 0 && reaches[k] {
			part[i] = outside
		}
	}
	best := 0.0
	for id := range sizes {
		isSite := make([]bool, len(part))
		touches := false
		for i, k := range part {
			isSite[i] = k == int32(id)
			touches = touches || isSite[i] && pl.in[i]
		}
		if len(sizes) > 3 && !touches {
			continue
		}
		near, _ := distances(pl.grid, isSite)
		n := 0.0
		for i := range pl.in {
			if pl.in[i] && near[i] <= radius+0.35 {
				n++
			}
		}
		best = max(best, n/pl.size)
	}
	return best
}

// widest returns the diameter of the largest disc in the plan.
func (pl *plan) widest() float64 {
	outside := make([]bool, len(pl.in))
	for i := range outside {
		outside[i] = !pl.in[i]
	}
	inner, _ := distances(pl.grid, outside)
	most := 0.0
	for _, d := range inner {
		if !math.IsInf(d, 1) {
			most = max(most, d)
		}
	}
	return (2*most - 1) * pl.h
}

// isIn reports whether a point lies in the plan.
func (pl *plan) isIn(q geom.Vec2) bool {
	i := pl.cell(q)
	return i >= 0 && pl.in[i]
}
