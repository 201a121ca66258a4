package timing

import "math"

// law is the limit of speed changes. A change has three phases: the acceleration rises at the jerk, stays constant, and
// falls at the jerk. It takes Δ/a + a/j for a change of Δ ≥ a²/j. For less it takes 2·√(Δ/j), and the acceleration does
// not reach its limit. As the change is symmetric, its mean speed is the mean of both speeds.
type law struct {
	acceleration float64 // mm/s²
	jerk         float64 // mm/s³, infinite where there is no limit
}

// unbound limits nothing.
var unbound = law{math.Inf(1), math.Inf(1)}

// change returns the time of a change between two speeds, s.
func (l law) change(from, to float64) float64 {
	d := math.Abs(to - from)
	if d == 0 {
		return 0
	}
	rise := l.acceleration / l.jerk // 0 where there is no limit
	if d >= l.acceleration*rise {
		return d/l.acceleration + rise
	}
	return 2 * math.Sqrt(d/l.jerk)
}

// way returns the path length of a change between two speeds, mm.
func (l law) way(from, to float64) float64 { return (from + to) / 2 * l.change(from, to) }

// reach returns the greatest speed, at most top, to which a length allows to change from another.
func (l law) reach(from, top, length float64) float64 {
	if from >= top || l.way(from, top) <= length {
		return top
	}
	// With the full acceleration: (v²−u²)/2a + (v+u)·a/2j = length.
	gain := l.acceleration * l.acceleration / l.jerk // while the acceleration rises and falls
	v := math.Sqrt(from*from-from*gain+gain*gain/4+2*l.acceleration*length) - gain/2
	if v-from >= gain {
		return v
	}
	// Without: (2u+Δ)·√(Δ/j) = length. With s = √Δ it is the cubic s³ + 2u·s = length·√j, whose one root is Cardano's.
	p, q := 2*from, length*math.Sqrt(l.jerk)
	big := math.Cbrt(q/2 + math.Sqrt(q*q/4+p*p*p/27))
	s := big - p/(3*big)
	return from + s*s
}

// ramp is an acceleration, or a deceleration seen from its end, that may extend over many blocks.
type ramp struct {
	law            // of the blocks so far
	from   float64 // speed at its beginning
	length float64 // so far
}

func fromRest() ramp { return ramp{law: unbound} }

// over extends the ramp by a block and returns the speed after it, at most limit.
func (r *ramp) over(b *block, limit float64) float64 {
	r.length += b.length
	r.acceleration, r.jerk = min(r.acceleration, b.acceleration), min(r.jerk, b.jerk)
	top := min(limit, b.speed)
	v := r.reach(r.from, top, r.length)
	if v >= top {
		*r = ramp{law: unbound, from: v}
	}
	return v
}

// seconds returns the time of the block between two reachable speeds.
func (b *block) seconds(enter, exit float64) float64 {
	if b.way(enter, exit) > b.length { // part of a ramp over many blocks
		return 2 * b.length / (enter + exit)
	}
	peak := b.peak(enter, exit)
	even := b.length - b.way(enter, peak) - b.way(peak, exit)
	return b.change(enter, peak) + max(even, 0)/peak + b.change(peak, exit)
}

// peak returns the greatest speed in the block.
func (b *block) peak(enter, exit float64) float64 {
	fits := func(v float64) bool { return b.way(enter, v)+b.way(v, exit) <= b.length }
	if fits(b.speed) {
		return b.speed
	}
	lo, hi := max(enter, exit), b.speed
	const halvings = 60 // down to rounding
	for range halvings {
		if mid := (lo + hi) / 2; fits(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
