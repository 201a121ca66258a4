// Package timing computes the time that a machine takes for a stream of moves.
//
// Every move is a block: a line or an arc with a length and a maximum speed. Between two blocks the tip rounds the
// corner within the machine's corner tolerance. A pass from the end and one from the beginning reduce the speeds at the
// corners to the limits of acceleration and jerk. The time of each block then has a closed form: acceleration, constant
// speed, deceleration.
//
// Limits of one block: its feed, the feed of each axis along it, on arcs v²/r within the acceleration and v³/r² within
// the jerk, and its length divided by the time that the control needs to read it. The acceleration and the jerk along a
// block are the largest at which no axis exceeds its own.
//
// A corner with the angle θ between the blocks (π: straight) is rounded by the circle that stays within the tolerance e
// of it, r = e·sin(θ/2)/(1−sin(θ/2)); v² ≤ a·r and v³ ≤ j·r². This is the junction deviation of Jeon and of GRBL.
// Tulsyan and Altintas (2014) found that corners, not the dynamics of drives, decide machining times.
//
// Not modeled: the lag of drives, in-position windows, rapids that are not straight.
//
// Lengths are mm, times s, speeds mm/s here and mm/min in the input.
package timing

import (
	"math"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// Axis is the set of limits of one linear axis.
type Axis struct {
	Feed         float64 // mm/s while cutting
	Rapid        float64 // mm/s
	Acceleration float64 // mm/s²
	Jerk         float64 // mm/s³; 0: unlimited, as with simple controls
}

// Limits are the limits of a machine and the properties of its control.
type Limits struct {
	Axes [3]Axis // X, Y, Z of the machine

	CornerTolerance float64 // mm by which corners are cut
	BlockSeconds    float64 // for one block, as fast as the control reads
	Lookahead       int     // blocks ahead within which the control must be able to stop; 0: all
	ExactStop       bool    // stops at every corner of more than stopAngle

	SpindleRampSeconds float64 // to full speed, and to a stop
}

// stopAngle (rad) is the turn that counts as a corner with ExactStop: less is the chord of a curve.
const stopAngle = 5 * math.Pi / 180

// Times are the durations of an operation's components, s.
type Times struct {
	Cutting float64 // moves at a feed
	Rapid   float64
	Dwell   float64
	Spindle float64 // spindle ramps: one to start, and two for each tapped hole
}

// Total returns the sum, s.
func (t Times) Total() float64 { return t.Cutting + t.Rapid + t.Dwell + t.Spindle }

// Add returns the sums of two operations.
func (t Times) Add(u Times) Times {
	return Times{t.Cutting + u.Cutting, t.Rapid + u.Rapid, t.Dwell + u.Dwell, t.Spindle + u.Spindle}
}

// Operation returns the times of an operation, at rest before and after it and without the tool change.
func (l *Limits) Operation(o *motion.Operation) Times {
	r := run{limits: l}
	return r.operation(o)
}

// operation times an operation.
func (r *run) operation(o *motion.Operation) Times {
	l := r.limits
	if o.SpindleRPM > 0 {
		r.times.Spindle = l.SpindleRampSeconds
	}
	for i := range o.Moves {
		if isTapped(o, i) {
			r.times.Spindle += 2 * l.SpindleRampSeconds
		}
	}
	o.Steps(func(s motion.Step) bool {
		if s.Kind == motion.Dwell {
			r.flush()
			r.times.Dwell += s.Seconds
			r.end(s.Move, s.Seconds)
			return true
		}
		r.add(s)
		return true
	})
	r.flush()
	return r.times
}

// block is a segment with its limits.
type block struct {
	length  float64
	speed   float64 // most, mm/s
	law             // along it
	enter   float64 // most at its beginning, mm/s
	in, out geom.Vec3
	rapid   bool
	pieces  int // number of joined segments
}

// join makes one block of two that follow without a slow-down, as the chords of a curve do.
func (b *block) join(next *block) {
	b.length += next.length
	b.acceleration, b.jerk = min(b.acceleration, next.acceleration), min(b.jerk, next.jerk)
	b.out = next.out
	b.pieces += next.pieces
}

// groups is the number of joined blocks in the lookahead of a control.
const groups = 8

// group returns the maximum number of segments in a joined block.
func (l *Limits) group() int {
	if l.Lookahead == 0 {
		return math.MaxInt
	}
	return max(1, l.Lookahead/groups)
}

// run gathers the blocks between two rests.
type run struct {
	limits *Limits
	blocks []block
	times  Times
	record *record // nil: the ends of moves are not asked for
}

// add appends a segment. From a rapid to a feed, and back, a control stops.
func (r *run) add(s motion.Step) {
	b, ok := r.limits.block(&s)
	if !ok {
		return
	}
	if r.record != nil {
		defer func() { r.record.pieces = append(r.record.pieces, piece{len(r.blocks) - 1, s.Move, b.length}) }()
	}
	if n := len(r.blocks); n > 0 {
		last := &r.blocks[n-1]
		if last.rapid != b.rapid {
			r.flush()
		} else {
			corner := r.limits.corner(last, &b)
			if last.speed == b.speed && corner >= b.speed && last.pieces < r.limits.group() {
				last.join(&b)
				return
			}
			b.enter = min(last.speed, b.speed, corner)
		}
	}
	r.blocks = append(r.blocks, b)
}

// block returns the segment as a block; false: it has no length.
func (l *Limits) block(s *motion.Step) (block, bool) {
	b := block{length: s.Length(), rapid: s.Kind == motion.Rapid, law: unbound, pieces: 1}
	if b.length == 0 {
		return b, false
	}
	b.in, b.out = s.Tangent(0), s.Tangent(1)
	share := geom.Vec3{X: math.Abs(b.in.X), Y: math.Abs(b.in.Y), Z: math.Abs(b.in.Z)}
	if s.Turn != 0 { // an arc comes to lie along X and along Y sooner or later
		level := math.Hypot(b.in.X, b.in.Y)
		share.X, share.Y = level, level
	}
	b.speed = math.Inf(1)
	for i, part := range [3]float64{share.X, share.Y, share.Z} {
		if part == 0 {
			continue
		}
		a := &l.Axes[i]
		if b.rapid {
			b.speed = min(b.speed, a.Rapid/part)
		} else {
			b.speed = min(b.speed, a.Feed/part)
		}
		b.acceleration = min(b.acceleration, a.Acceleration/part)
		if a.Jerk > 0 {
			b.jerk = min(b.jerk, a.Jerk/part)
		}
	}
	if !b.rapid {
		b.speed = min(b.speed, s.Feed/60)
	}
	if l.BlockSeconds > 0 {
		b.speed = min(b.speed, b.length/l.BlockSeconds)
	}
	if s.Turn != 0 {
		b.speed = min(b.speed, curved(s.Radius(), b.acceleration, b.jerk))
	}
	return b, true
}

// curved returns the greatest speed on a circle, mm/s: v²/r is its acceleration, v³/r² its jerk.
func curved(radius, acceleration, jerk float64) float64 {
	v := math.Sqrt(acceleration * radius)
	if math.IsInf(jerk, 1) {
		return v
	}
	return min(v, math.Cbrt(jerk*radius*radius))
}

// corner returns the greatest speed between two blocks.
func (l *Limits) corner(a, b *block) float64 {
	cos := min(max(a.out.Dot(b.in), -1), 1) // of the turn
	if l.ExactStop && cos < math.Cos(stopAngle) {
		return 0
	}
	half := math.Sqrt((1 + cos) / 2) // sin(θ/2), as θ is π less the turn
	if half >= 1 {
		return math.Inf(1)
	}
	return curved(l.CornerTolerance*half/(1-half), min(a.acceleration, b.acceleration), min(a.jerk, b.jerk))
}

// flush brings the gathered blocks to rest and adds their times.
func (r *run) flush() {
	l := r.limits
	n := len(r.blocks)
	// Within the lookahead the control must be able to stop.
	if l.Lookahead > 0 {
		seen := l.Lookahead / l.group()
		ahead := 0.0
		for i := n - 1; i >= 0; i-- {
			ahead += r.blocks[i].length
			if i+seen < n {
				ahead -= r.blocks[i+seen].length
			}
			b := &r.blocks[i]
			b.enter = min(b.enter, b.reach(0, b.speed, ahead))
		}
	}
	slow := fromRest()
	for i := n - 1; i >= 0; i-- {
		r.blocks[i].enter = slow.over(&r.blocks[i], r.blocks[i].enter)
	}
	speed := fromRest()
	for i := range r.blocks {
		b := &r.blocks[i]
		exit := 0.0
		if i+1 < n {
			exit = speed.over(b, r.blocks[i+1].enter)
			r.blocks[i+1].enter = exit
		}
		t := b.seconds(b.enter, exit)
		if b.rapid {
			r.times.Rapid += t
		} else {
			r.times.Cutting += t
		}
		r.record.block(i, b, exit, t)
	}
	r.blocks = r.blocks[:0]
}
