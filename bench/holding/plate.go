package holding

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Fixtures that are made for the part: pairs of plates, which are judged as vises, and base plates with clamps.

const (
	boltForce     = 20_000.0 // N, of an M10 bolt at 40 N·m
	pairForce     = 2 * boltForce
	minDepth      = 2.0 // mm, of contact in a milled pocket or in bored jaws
	plateFriction = 0.15
	strapForce    = 6_250.0 // N on the workpiece, of an M8 bolt in the middle of a strap at 20 N·m
	leastPad      = 10.0    // mm² of contact of a clamp, and of the seat below it
)

// headForces are the forces of screws by the width of their heads, N and mm.
var headForces = map[float64]float64{18: 29_200, 16: 20_000, 13: 12_500, 10: 7_920, 8.5: 5_500, 7: 3_500}

// jawsOf returns the boxes that press along an axis: those at one end of all boxes only, along the axis with more.
func jawsOf(boxes []geom.Box) (best []geom.Box) {
	hull := geom.EmptyBox()
	for _, b := range boxes {
		hull = hull.Union(b)
	}
	for axis := range 2 {
		var list []geom.Box
		both := [2]bool{}
		for _, b := range boxes {
			in, all := interval(b, axis), interval(hull, axis)
			low, high := in.lo < all.lo+near, in.hi > all.hi-near
			if low != high {
				list = append(list, b)
				both[0], both[1] = both[0] || low, both[1] || high
			}
		}
		if both[0] && both[1] && len(list) > len(best) {
			best = list
		}
	}
	return best
}

// pad is a clamp on a body with its seat.
type pad struct {
	x, y  float64
	area  float64
	seat  float64 // mm² of contact below it
	force float64 // N, the most
}

// padsOf returns the clamps of a base plate: boxes that lie on the upper surface of the body.
func padsOf(b *body, boxes []geom.Box) (pads []pad, deep float64) {
	var buffer []span
	for _, box := range boxes {
		p := pad{}
		var seat float64
		for i := b.cell(0, box.Min.X); i <= b.cell(0, box.Max.X); i++ {
			for k := b.cell(1, box.Min.Y); k <= b.cell(1, box.Max.Y); k++ {
				x, y := b.at(0, i), b.at(1, k)
				if x < box.Min.X || x > box.Max.X || y < box.Min.Y || y > box.Max.Y {
					continue
				}
				if buffer = b.ray(buffer, 2, i, k); len(buffer) == 0 {
					continue
				}
				for _, s := range buffer {
					deep = max(deep, min(s.hi, box.Max.Z)-max(s.lo, box.Min.Z))
				}
				cell := b.step * b.step
				if math.Abs(buffer[len(buffer)-1].hi-box.Min.Z) < near {
					p.area, p.x, p.y = p.area+cell, p.x+cell*x, p.y+cell*y
					for _, o := range boxes {
						isUnder := x >= o.Min.X && x <= o.Max.X && y >= o.Min.Y && y <= o.Max.Y
						if isUnder && math.Abs(buffer[0].lo-o.Max.Z) < near {
							seat += cell
						}
					}
				}
			}
		}
		if p.area == 0 {
			continue
		}
		p.x, p.y, p.seat = p.x/p.area, p.y/p.area, seat
		size := box.Size()
		p.force = headForces[math.Round(2*size.X)/2]
		if math.Abs(size.X-size.Y) > near {
			p.force = strapForce
		}
		pads = append(pads, p)
	}
	return pads, deep
}

// startBase judges a base plate when the setup begins.
func (j *judge) startBase(b *body) {
	j.Kind = Base
	heights := b.heights()
	pads, deep := padsOf(b, j.plan.Clamping.Solid)
	j.note(Overlaps, deep/deepest, "")
	j.StandOut, j.Seated = rounded(heights.hi-heights.lo), true
	hold := j.plan.Clamping.Hold
	if hold == nil || hold.Count < 1 || len(pads) != hold.Count {
		j.note(Touches, math.Inf(1), "")
		j.gone = true
		return
	}
	least := math.Inf(1)
	for _, p := range pads {
		j.Area += p.area
		least = min(least, p.force)
		j.note(Touches, leastPad/max(min(p.area, p.seat), 1e-9), "")
	}
	j.Area = rounded(j.Area)
	j.force(least * float64(len(pads)))
	j.gone = j.Force <= 0
}

// cutOnBase judges an operation on a base plate.
func (j *judge) cutOnBase(operation string, c *cut, before, now *body) {
	pads, _ := padsOf(now, j.plan.Clamping.Solid)
	if len(pads) != j.plan.Clamping.Hold.Count {
		j.note(Touches, math.Inf(1), operation)
		j.gone = true
		return
	}
	each := j.Force / float64(len(pads))
	for _, p := range pads {
		j.note(Crushes, each/(j.config.Material.Yield/2*p.area), operation)
	}
	heights := now.heights()
	j.lies(now, func(at func(x, y, z float64) (int, bool)) map[int]bool {
		held := map[int]bool{}
		for _, p := range pads {
			if r, ok := at(p.x, p.y, heights.lo); ok {
				held[r] = true
			}
		}
		return held
	}, operation)
	if c.Across+c.Up == 0 {
		return
	}
	left := j.Force - safety*c.Up
	if left <= 0 {
		j.note(Slips, math.Inf(1), operation)
		return
	}
	j.note(Slips, safety*c.Across/(plateFriction*left), operation)
	// About each line through two seats that has no seat beyond it: the clamps hold, the cut pushes across it and lifts
	// what is farthest from it.
	lever := max(c.height-heights.lo, 0)
	edges := 0
	for i, a := range pads {
		for k, b := range pads {
			nx, ny := b.y-a.y, a.x-b.x
			length := math.Hypot(nx, ny)
			if i == k || length == 0 {
				continue
			}
			nx, ny = nx/length, ny/length
			moment, isEdge := 0.0, true
			for _, p := range pads {
				in := (a.x-p.x)*nx + (a.y-p.y)*ny
				moment, isEdge = moment+each*in, isEdge && in >= -near
			}
			if !isEdge {
				continue
			}
			edges++
			far := before.beyond(a.x, a.y, -nx, -ny)
			j.note(Tips, safety*(c.Across*lever+c.Up*far)/max(moment, 1e-9), operation)
		}
	}
	if edges < 3 {
		j.note(Tips, math.Inf(1), operation)
	}
	if c.Across > 0 {
		most := roughSway
		if c.finish {
			most = finishSway
		}
		j.note(Sways, c.Across*before.sway(heights.lo, c.height, j.config.Material.Modulus)/most, operation)
	}
}

// beyond returns the distance of the farthest material from a place along a direction, mm.
func (b *body) beyond(x, y, nx, ny float64) (far float64) {
	var buffer []span
	for j := range b.count[1] {
		for i := range b.count[0] {
			if buffer = b.ray(buffer, 2, i, j); len(buffer) > 0 {
				far = max(far, (b.at(0, i)-x)*nx+(b.at(1, j)-y)*ny)
			}
		}
	}
	return far
}
