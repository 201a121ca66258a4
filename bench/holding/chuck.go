package holding

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Chucks. Their jaws are boxes in rows around a cylinder, above the box of the body. The audit takes the axis and the
// radius from the jaws, and measures on which part of that cylinder the workpiece has its surface.

const (
	sectors    = 72
	ringLevels = 0.5 // mm
	mostArc    = 120 / 5
	leastTouch = 0.4 // of each third of a turn
	longHang   = 3.0 // height over the jaws, in diameters
	hangSafety = 4.0 // there; the usual factor up to one diameter, in proportion between
)

// chuckForces are the forces of common chucks by the diameter of their body, N and mm.
var chuckForces = map[int]float64{165: 31_000, 210: 37_000, 315: 55_000}

// ring is the contact of a chuck with a body.
type ring struct {
	x, y, radius float64
	top          float64
	body         float64 // diameter of the chuck
	depth        float64
	share        float64 // of the turn
	deep         float64 // mm of the body in the jaws
	raw          bool
}

// ringOf returns the contact of boxes; false where they are no chuck.
func ringOf(b *body, boxes []geom.Box, raw geom.Box) (r ring, ok bool) {
	r.top, r.radius = math.Inf(-1), math.Inf(1)
	hull := geom.EmptyBox()
	for _, box := range boxes {
		r.top, hull = max(r.top, box.Max.Z), hull.Union(box)
	}
	center := hull.Center()
	r.x, r.y, r.body = center.X, center.Y, hull.Size().X
	floor := math.Inf(1)
	for _, box := range boxes {
		if box.Max.Z < r.top-near {
			continue
		}
		floor = min(floor, box.Min.Z)
		x := max(box.Min.X-r.x, r.x-box.Max.X, 0)
		if y := max(box.Min.Y-r.y, r.y-box.Max.Y, 0); y > 0 {
			r.radius = min(r.radius, math.Hypot(x, y))
		}
	}
	if math.IsInf(r.radius, 1) {
		return r, false
	}
	r.raw = math.Abs(2*r.radius-interval(raw, 0).hi+interval(raw, 0).lo) < near
	r.measure(b, floor)
	return r, true
}

// measure finds the deepest levels below the top with contact in each third of the turn.
func (r *ring) measure(b *body, floor float64) {
	sum, levels := 0.0, 0
	for z := r.top - ringLevels/2; z > floor; z -= ringLevels {
		on, deep := r.level(b, z)
		r.deep = max(r.deep, deep)
		n, ok := 0, levels >= 0
		for third := range 3 {
			each := 0
			for i := range mostArc {
				if on[third*mostArc+i] {
					each++
				}
			}
			n, ok = n+each, ok && float64(each) >= leastTouch*mostArc
		}
		switch {
		case ok:
			levels, sum = levels+1, sum+float64(n)/sectors
		case levels > 0:
			r.depth, r.share, levels = float64(levels)*ringLevels, sum/float64(levels), -1
		}
	}
	if levels > 0 {
		r.depth, r.share = float64(levels)*ringLevels, sum/float64(levels)
	}
}

// level returns the sectors of a turn in which the body has its surface on the cylinder at a height, and how far it
// extends beyond.
func (r *ring) level(b *body, z float64) (on [sectors]bool, deep float64) {
	const fit = 0.15 // mm: roundings of a replay, and facets
	k := b.cell(2, z)
	var buffer []span
	for axis := range 2 {
		middle := [2]float64{r.x, r.y}
		for i := range b.count[1-axis] {
			across := b.at(1-axis, i) - middle[1-axis]
			if math.Abs(across) > 0.75*r.radius {
				continue
			}
			buffer = b.ray(buffer, axis, i, k)
			if len(buffer) == 0 {
				continue
			}
			for _, end := range [2]float64{buffer[0].lo, buffer[len(buffer)-1].hi} {
				along := end - middle[axis]
				d := math.Hypot(along, across) - r.radius
				deep = max(deep, d)
				if math.Abs(d) > fit {
					continue
				}
				at := math.Atan2(across, along)
				if axis == 1 {
					at = math.Atan2(along, across)
				}
				on[(int(math.Floor(at/(2*math.Pi)*sectors))+sectors)%sectors] = true
			}
		}
	}
	return on, deep
}

// startChuck judges a chuck when the setup begins.
func (j *judge) startChuck(b *body) {
	j.Kind = Chuck
	heights := b.heights()
	r, ok := ringOf(b, j.plan.Clamping.Solid, j.raw)
	if !ok || r.depth == 0 {
		j.note(Touches, math.Inf(1), "")
	} else {
		j.note(Touches, 0, "")
	}
	j.note(Overlaps, r.deep/(2*deepest), "")
	j.Opening, j.Width, j.Depth = rounded(2*r.radius), rounded(2*r.radius), rounded(r.depth)
	j.Length, j.StandOut, j.Seated = rounded(2*math.Pi*r.radius*r.share), rounded(heights.hi-r.top), true
	j.note(StandsOut, j.StandOut/(longHang*j.Width), "")
	j.force(chuckForces[int(math.Round(r.body))])
	j.gone = !ok || r.depth == 0 || j.Force <= 0
}

// force judges the stated force against the most of a device.
func (j *judge) force(most float64) {
	if hold := j.plan.Clamping.Hold; hold != nil {
		j.Force = hold.Set
	}
	if j.Force > 0 && most > 0 {
		j.note(NoForce, j.Force/most, "")
	} else {
		j.note(NoForce, math.Inf(1), "")
	}
}

// cutInChuck judges an operation in a chuck.
func (j *judge) cutInChuck(operation string, c *cut, before, now *body) {
	r, ok := ringOf(now, j.plan.Clamping.Solid, j.raw)
	if !ok || r.depth == 0 {
		j.note(Touches, math.Inf(1), operation)
		j.gone = true
		return
	}
	j.note(Shallow, minDepth/r.depth, operation)
	stress, mu := j.config.Material.Yield, roughFriction*frictionShare(&j.config.Material)
	if !r.raw {
		stress, mu = stress/2, smoothFriction*frictionShare(&j.config.Material)
	}
	area := 2 * math.Pi * r.radius * r.share * r.depth
	if r.raw {
		area = min(area, 3*20*r.depth) // hard jaws
	}
	j.note(Crushes, j.Force/(stress*area), operation)
	j.lies(now, func(at func(x, y, z float64) (int, bool)) map[int]bool {
		held := map[int]bool{}
		for i := range sectors {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / sectors)
			in := r.radius - 2*now.step
			if p, ok := at(r.x+in*cos, r.y+in*sin, r.top-r.depth/2); ok {
				held[p] = true
			}
		}
		return held
	}, operation)
	if c.Across+c.Up == 0 {
		return
	}
	heights, far := before.heights(), before.farthest(r.x, r.y)
	factor := safety
	if over := (heights.hi-r.top)/(2*r.radius) - 1; over > 0 {
		factor += (hangSafety - safety) * over / (longHang - 1)
	}
	// Three forces toward the axis at 120°: their pressures move by a sixth of the depth, and friction lifts one side
	// and lowers the other. The worst direction is searched for.
	couple, jaw := math.Inf(1), j.Force/3
	for i := range sectors {
		var arms, high, low float64
		low = math.Inf(1)
		for k := range 3 {
			cos := math.Cos(2 * math.Pi * (float64(i)/sectors + float64(k)/3))
			arms += math.Abs(cos)
			high, low = max(high, cos), min(low, cos)
		}
		couple = min(couple, jaw*(arms*r.depth/6+mu*r.radius*(high-low)))
	}
	lever := math.Abs(c.height - r.top + r.depth/2)
	tip := factor * c.Across * lever / couple
	turn := factor * c.Across * min(far, r.radius*longHang) / (mu * j.Force * r.radius)
	j.note(Tips, tip, operation)
	j.note(Slips, math.Hypot(turn, tip+factor*c.Up/(mu*j.Force)), operation)
	j.note(Pushes, factor*c.Across/(j.Force/2), operation)
	if c.Across > 0 {
		most := roughSway
		if c.finish {
			most = finishSway
		}
		j.note(Sways, c.Across*before.sway(r.top, c.height, j.config.Material.Modulus)/most, operation)
	}
}

// farthest returns the distance of the farthest material from a vertical axis, mm.
func (b *body) farthest(x, y float64) (far float64) {
	var buffer []span
	for j := range b.count[1] {
		for i := range b.count[0] {
			if buffer = b.ray(buffer, 2, i, j); len(buffer) > 0 {
				far = max(far, math.Hypot(b.at(0, i)-x, b.at(1, j)-y))
			}
		}
	}
	return far
}

// lies judges the pieces of a body that nothing holds.
func (j *judge) lies(b *body, held func(at func(x, y, z float64) (int, bool)) map[int]bool, operation string) {
	p := b.pieces()
	on := held(p.of)
	j.note(Loosens, 0, operation)
	for r, volume := range p.volume {
		if !on[r] {
			j.note(Loosens, volume/leastLoose, operation)
		}
	}
}
