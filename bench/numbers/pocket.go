package numbers

// Pockets, from columns and sections: which cells are the plan of a pocket, which stand in a tool's way.

import (
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/geom"
)

// wallSlope is the sine of the lean at which a wall ends and a floor begins.
var wallSlope = math.Sin(44 * math.Pi / 180)

// plan is a pocket on a grid.
type plan struct {
	*grid
	in   []bool  // the pocket's plan
	wall []bool  // material that rises from it, or beside it
	size float64 // cells of the plan
	// height is that of the base by cell, mm, infinite where there is none.
	height  []float64
	site    []int32 // the nearest cell of the base, -1 for none
	fillets []int   // of other features, from the base to their walls
	own     []int   // the feature's regions
}

// base returns the regions of a feature that are no walls.
func (p *part) base(f *feature.Feature, v *view) (base []int, top float64) {
	top = math.Inf(-1)
	var all []int
	for _, r := range f.Regions {
		for _, n := range p.m.Regions[r].Normals {
			if n.Dot(v.z) > wallSlope {
				all = append(all, r)
				break
			}
		}
	}
	for i := 0; i < len(all); i++ { // what is round may be parted into faces anywhere
		for _, r := range f.Regions {
			if !slices.Contains(all, r) && p.goesOn(all[i], r, v) {
				all = append(all, r)
			}
		}
	}
	for len(all) > 0 { // by what hangs together
		piece := all[:1:1]
		all = all[1:]
		for i := 0; i < len(piece); i++ {
			all = slices.DeleteFunc(all, func(r int) bool {
				touches := p.touch(piece[i], r)
				if touches {
					piece = append(piece, r)
				}
				return touches
			})
		}
		if !p.isRim(f, piece, v) {
			base = append(base, piece...)
		}
	}
	for _, r := range base {
		for _, i := range p.m.Regions[r].Vertices {
			top = max(top, p.m.Points[i].Dot(v.z))
		}
	}
	return base, top
}

// isRim reports whether a piece breaks the edge of the mouth: it is round all over and walls go down from it, not as from
// the bottom of a turned groove, that has as much of them on its back.
func (p *part) isRim(f *feature.Feature, piece []int, v *view) bool {
	up, down := 0.0, 0.0 // mm of edges between them
	for _, r := range f.Regions {
		if !slices.ContainsFunc(p.m.Regions[r].Normals, func(n geom.Vec3) bool { return math.Abs(n.Dot(v.z)) > wallSlope }) {
			for _, q := range piece {
				u, d := p.borders(r, q, v)
				up, down = up+u, down+d
			}
		}
	}
	return down > 2*up && !slices.ContainsFunc(piece, func(r int) bool { return !p.bulges(r, v) })
}

// borders returns the length of the edges of another region from which a wall goes up, and from which it goes down.
func (p *part) borders(wall, other int, v *view) (up, down float64) {
	isShared := func(i int32) bool { _, ok := slices.BinarySearch(p.m.Regions[other].Vertices, i); return ok }
	for _, t := range p.m.Triangles[p.m.Regions[wall].Start:p.m.Regions[wall].End] {
		for k, tip := range t {
			a, b := t[(k+1)%3], t[(k+2)%3]
			if !isShared(a) || !isShared(b) || isShared(tip) {
				continue
			}
			from, to := p.m.Points[a], p.m.Points[b]
			if p.m.Points[tip].Sub(from.Lerp(to, 0.5)).Dot(v.z) > 0 {
				up += from.Dist(to)
			} else {
				down += from.Dist(to)
			}
		}
	}
	return up, down
}

// filletsAt returns the fillets of other features that rise from flat floors of a base to walls.
func (p *part) filletsAt(f *feature.Feature, v *view, base []int) (out []int) {
	_, _, z := p.box(base, v)
	flat := slices.DeleteFunc(slices.Clone(base), func(r int) bool { return !p.isFlat(r) })
	for r := range p.m.Regions {
		if slices.Contains(f.Regions, r) {
			continue
		}
		least, most := 1.0, -1.0
		for _, n := range p.m.Regions[r].Normals {
			least, most = min(least, n.Dot(v.z)), max(most, n.Dot(v.z))
		}
		_, _, own := p.box([]int{r}, v)
		if most > levelNormal && least <= wallSlope && own.Lo >= z.Lo-FineChord && !p.bulges(r, v) &&
			slices.ContainsFunc(flat, func(q int) bool { return p.touch(q, r) }) {
			out = append(out, r)
		}
	}
	return out
}

// touch reports whether two regions share more than a point.
func (p *part) touch(a, b int) bool {
	n := 0
	return slices.ContainsFunc(p.m.Regions[a].Vertices, func(i int32) bool {
		if _, ok := slices.BinarySearch(p.m.Regions[b].Vertices, i); ok {
			n++
		}
		return n > 1
	})
}

// goesOn reports whether a hollow region goes on in another one as if there were no edge.
func (p *part) goesOn(a, b int, v *view) bool {
	const alike = 0.02 // of a radius
	bend, other := p.bend(a, v), p.bend(b, v)
	if bend > -straightBend || math.Abs(other-bend) > alike*math.Abs(bend) {
		return false
	}
	n, look := 0, normals{p.m}
	for _, i := range p.m.Regions[a].Vertices {
		_, isShared := slices.BinarySearch(p.m.Regions[b].Vertices, i)
		if isShared && look.at(int32(a), i).Angle(look.at(int32(b), i)) > smoothKink {
			return false
		}
		if isShared {
			n++
		}
	}
	return n > 1
}

// isLevel reports whether some triangle is square to the view.
func (p *part) isLevel(regions []int, v *view) (level bool) {
	const square = 1 - 1e-9
	p.triangles(regions, func(a, b, c geom.Vec3) {
		level = level || b.Sub(a).Cross(c.Sub(a)).Unit().Dot(v.z) > square
	})
	return level
}

// isTrough reports whether only a ball goes down into a base: none of it is flat, and no fillets lie beside a bottom that
// bulges.
func (p *part) isTrough(base []int, v *view) bool {
	return !p.isLevel(base, v) && !slices.ContainsFunc(base, p.isFlat) && !p.bulgesBetween(base, v)
}

// isFlat reports whether a region looks the same way all over.
func (p *part) isFlat(r int) bool {
	n := p.m.Regions[r].Normals
	return !slices.ContainsFunc(n, func(o geom.Vec3) bool { return o.Dist(n[0]) > leastTurn })
}

// bulges reports whether a region juts out.
func (p *part) bulges(region int, v *view) bool { return p.bend(region, v) > straightBend }

const straightBend = 1e-3 // 1/mm

// bend returns how much a region is bent along its steepest edge in the mesh, 1/mm, positive where it juts out: across, a
// rounding may be hollow and bent more.
func (p *part) bend(region int, v *view) float64 {
	steepest, bend := 0.0, 0.0
	p.eachBend(region, v, func(steep, b float64) {
		if steep > steepest {
			steepest, bend = steep, b
		}
	})
	return bend
}

// isHollow reports whether a region is hollow along some edge in the mesh.
func (p *part) isHollow(region int, v *view) (hollow bool) {
	p.eachBend(region, v, func(_, bend float64) { hollow = hollow || bend < -straightBend })
	return hollow
}

// bulgesBetween reports whether hollow regions of a base end level at one that is not, as fillets do beside the bottom of a
// turned groove.
func (p *part) bulgesBetween(base []int, v *view) bool {
	return slices.ContainsFunc(base, func(r int) bool {
		return !p.isHollow(r, v) && slices.ContainsFunc(base, func(q int) bool {
			if !p.isHollow(q, v) {
				return false
			}
			for k, i := range p.m.Regions[q].Vertices {
				_, isShared := slices.BinarySearch(p.m.Regions[r].Vertices, i)
				if isShared && p.m.Regions[q].Normals[k].Dot(v.z) > levelNormal {
					return true
				}
			}
			return false
		})
	})
}

// levelNormal is the least cosine between the view and a place that is level, as near as the next point of the mesh.
const levelNormal = 0.99

// eachBend calls f with how steep the edges of a region in the mesh are, from 0 to 1, and how much it is bent along them.
func (p *part) eachBend(region int, v *view, f func(steep, bend float64)) {
	r := &p.m.Regions[region]
	look := normals{p.m}
	for _, t := range p.m.Triangles[r.Start:r.End] {
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			d := p.m.Points[b].Sub(p.m.Points[a])
			if n2 := d.Norm2(); n2 >= speck*speck {
				f(math.Abs(d.Dot(v.z))/math.Sqrt(n2), d.Dot(look.at(int32(region), b).Sub(look.at(int32(region), a)))/n2)
			}
		}
	}
}

// triangles calls f with the triangles of some regions.
func (p *part) triangles(regions []int, f func(a, b, c geom.Vec3)) {
	for _, r := range regions {
		for _, t := range p.m.Triangles[p.m.Regions[r].Start:p.m.Regions[r].End] {
			f(p.m.Points[t[0]], p.m.Points[t[1]], p.m.Points[t[2]])
		}
	}
}

// chord returns how far the mesh of some regions is from the arcs that it stands for, mm: more than was asked for where
// a file has nothing finer.
func (p *part) chord(regions []int) float64 {
	const most = math.Pi / 3 // between normals of one arc
	look, chord := normals{p.m}, FineChord
	for _, r := range regions {
		for _, t := range p.m.Triangles[p.m.Regions[r].Start:p.m.Regions[r].End] {
			for k := range t {
				a, b := t[k], t[(k+1)%3]
				n, o := look.at(int32(r), a), look.at(int32(r), b)
				axis, d := n.Cross(o), p.m.Points[b].Sub(p.m.Points[a])
				if turn := n.Angle(o); turn > leastTurn && turn < most {
					d = d.AddScaled(-d.Dot(axis)/axis.Norm2(), axis)
					chord = max(chord, d.Norm()/2*math.Tan(turn/4))
				}
			}
		}
	}
	return chord
}

// lean returns the tangent of how far some regions lean out at the most.
func (p *part) lean(regions []int, v *view) float64 {
	most := 0.0
	for _, r := range regions {
		for _, n := range p.m.Regions[r].Normals {
			most = max(most, min(n.Dot(v.z), wallSlope))
		}
	}
	return math.Tan(math.Asin(most))
}

// box returns how far some regions reach in a view, and along it.
func (p *part) box(regions []int, v *view) (lo, hi geom.Vec2, z geom.Interval) {
	inf := math.Inf(1)
	lo, hi, z = geom.Vec2{X: inf, Y: inf}, geom.Vec2{X: -inf, Y: -inf}, geom.Interval{Lo: inf, Hi: -inf}
	for _, r := range regions {
		for _, i := range p.m.Regions[r].Vertices {
			q := v.at(p.m.Points[i])
			lo.X, lo.Y, hi.X, hi.Y = min(lo.X, q.X), min(lo.Y, q.Y), max(hi.X, q.X), max(hi.Y, q.Y)
			h := p.m.Points[i].Dot(v.z)
			z.Lo, z.Hi = min(z.Lo, h), max(z.Hi, h)
		}
	}
	return lo, hi, z
}

// rise is how far material has to stand above a floor to be in the way, mm.
func rise(depth float64) float64 { return max(3*FineChord, min(0.01*depth, 0.05)) }

// lip (mm) is how far material that begins to rise beside a floor, as fillets do, may be from where it stands out.
const lip = 1

// newPlan lays out a pocket with a floor: its plan is what its floor and fillets cover, with the mouths in them.
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
		} else if above = d / 10; far[i] < 2 { // it ends as steep as a wall, unless a sliver of it is all that is beside it
			column = min(max(0, 2*i-int(site[i])), n-1)
		}
		pl.wall[i] = cols.isSolid(column, z+above, math.Inf(1)) // over the plan as well, however high: tools come from above
		rising[i] = cols.isSolid(column, z+d/10, z+d)
	}
	pl.closeLips(rising)
	pl.fillMouths()
	return pl
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

// newPassage lays out a pocket without a floor: its plan is what its walls go round, straight across their gaps, without what
// stands in it up to a height, and what that encloses.
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

// winds reports whether a polygon goes round a point.
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

// covered returns the largest share of the plan that a disc of a radius, in cells, sweeps from one piece of the
// places where it is free. All that reaches out of the grid is one piece: a tool that leaves over one open side comes in
// again over another.
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
