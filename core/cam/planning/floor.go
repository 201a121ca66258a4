package planning

// Floors that no tool reaches completely: between walls too high for the holder, or too deep.
//
// Method: points are spread over the floor. At each, a tool descends until its shank or holder touches the part. The
// tool with the largest removal is taken, a thin one only if it removes much more. It makes the floor if it reaches it,
// or clears the material above it.

import (
	"fmt"
	"math"
	"strings"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	floorPlaces = 12  // along the longer side of a floor
	leastShare  = 0.1 // of the places, that is worth to finish a floor
	leastGain   = 1.5 // times what a thicker tool removes, that is worth a thinner one
	mostMinutes = 20  // that are worth a floor which is not made wholly
)

// partFloor returns how a floor is made in part by a mill of at most a diameter, and why not wholly.
func (p *planner) partFloor(q int32, g *group, most float64) (*approach, *rejection) {
	z := g.side.span(p.boxes[q])
	why := p.noMill(g, z.Lo)
	r := p.reliefOf(g.side)
	places := r.places(q)
	top := g.side.span(p.part).Hi
	best, depth, low, share := -1, 0.0, 0.0, 0.0
	for _, i := range p.choose(func(t *tool) bool {
		return t.Diameter <= most && p.fitsUpright(g.side, t) && !p.isAvoided(g.side, []int32{q}, t)
	}, machining.FlatEndMill) {
		sum, lowest, reached := 0.0, top, 0
		for _, at := range places {
			tip := p.tipAt(r, at, &p.tools[i], z.Lo, top)
			sum, lowest = sum+top-tip, min(lowest, tip)
			if tip <= z.Lo+p.tol() {
				reached++
			}
		}
		volume := p.g.Patches[q].Area * sum / float64(len(places))
		if sum > depth*leastGain && volume <= mostMinutes*p.removal(i) {
			best, depth, low, share = i, sum, lowest, float64(reached)/float64(len(places))
		}
	}
	if best < 0 || top-low < leastDepth {
		return nil, why
	}
	t := &p.tools[best]
	w := &approach{kind: floor, tool: best, wide: t.Diameter / 2,
		z: geom.Interval{Lo: max(low, z.Lo+leaveAxial), Hi: z.Hi}}
	if share >= leastShare {
		w.z.Lo = z.Lo
		w.short = refuse(completeness.OutOfReach,
			"It lies %.4g mm deep, and no end mill reaches all of it clear of shank and holder; "+
				"%s makes it where nothing is in the way.", round(top-z.Lo), t.Label()).with("%s", why.remedy)
		return w, w.short
	}
	why.detail = strings.TrimSuffix(why.detail, ".") + fmt.Sprintf("; %s clears the upper %.4g mm.", t.Label(),
		round(top-w.z.Lo))
	w.short = why
	return w, why
}

// tipAt returns how low the tip of a tool goes over a cell of a raster before its flutes, shank or holder meet the
// part, mm along the side, and no lower than a floor; at most top.
func (p *planner) tipAt(r *heightField, cell [2]int, t *tool, floor, top float64) float64 {
	low := max(floor, r.near(cell, t.Diameter/2))
	return min(t.bodyLow(low, top, func(radius float64) float64 { return r.near(cell, radius+sideways) }), top)
}

// places returns cells of a raster that are spread over a patch.
func (r *heightField) places(q int32) (out [][2]int) {
	in := map[int]bool{}
	r.eachCell(q, func(i int, _ float64) { in[i] = true })
	lo, hi := [2]int{r.nx, r.ny}, [2]int{-1, -1}
	for i := range in {
		for k, at := range [2]int{i % r.nx, i / r.nx} {
			lo[k], hi[k] = min(lo[k], at), max(hi[k], at)
		}
	}
	step := max(hi[0]-lo[0], hi[1]-lo[1], floorPlaces) / floorPlaces
	for j := lo[1] + (hi[1]-lo[1])%step/2; j <= hi[1]; j += step {
		for i := lo[0] + (hi[0]-lo[0])%step/2; i <= hi[0]; i += step {
			if in[j*r.nx+i] {
				out = append(out, [2]int{i, j})
			}
		}
	}
	return out
}

// near returns how high the part is at most within a distance (mm) of a cell.
func (r *heightField) near(cell [2]int, distance float64) float64 {
	high, k := math.Inf(-1), int(distance/r.step)
	for j := max(cell[1]-k, 0); j <= min(cell[1]+k, r.ny-1); j++ {
		dy := float64(j-cell[1]) * r.step
		half := int(math.Sqrt(max(distance*distance-dy*dy, 0)) / r.step)
		for _, z := range r.top[j*r.nx+max(cell[0]-half, 0) : j*r.nx+min(cell[0]+half, r.nx-1)+1] {
			high = max(high, z)
		}
	}
	return high
}
