package timing

import (
	"math"

	"millwright.dev/millwright/core/cam/motion"
)

// record is the ends of the moves of an operation.
type record struct {
	pieces []piece   // of the gathered blocks, in order
	next   int       // the first piece of the next block
	at     float64   // s, the end of the last block
	ends   []float64 // s, by move; 0: it has had no segment yet
}

// piece is a segment in a block.
type piece struct {
	block  int
	move   int32
	length float64 // mm
}

// Ends returns the time at the end of each move (s) from the beginning of an operation, and its times, as Operation
// does. The spindle gets its speed before the first move, and turns back within the move of a tapped hole. The end of
// the last move is the total.
func (l *Limits) Ends(o *motion.Operation) ([]float64, Times) {
	r := run{limits: l, record: &record{ends: make([]float64, len(o.Moves))}}
	t := r.operation(o)
	ends, spindle := r.record.ends, 0.0
	if o.SpindleRPM > 0 {
		spindle = l.SpindleRampSeconds
	}
	last := 0.0
	for i := range ends {
		last = max(last, ends[i]) // a move without length ends where the one before it ended
		if isTapped(o, i) {
			spindle += 2 * l.SpindleRampSeconds
		}
		ends[i] = last + spindle
	}
	if n := len(ends); n > 0 {
		ends[n-1] = t.Total()
	}
	return ends, t
}

// isTapped reports whether a move taps a hole.
func isTapped(o *motion.Operation, move int) bool {
	m := &o.Moves[move]
	return m.Kind == motion.CannedCycle && o.Cycles[m.Cycle].Kind == motion.Tap
}

// end notes the end of a move after a time without motion.
func (r *run) end(move int32, seconds float64) {
	if r.record != nil {
		r.record.at += seconds
		r.record.ends[move] = r.record.at
	}
}

// block notes the ends of the moves in block i, which takes total seconds.
func (c *record) block(i int, b *block, exit, total float64) {
	if c == nil {
		return
	}
	way := 0.0
	for ; c.next < len(c.pieces) && c.pieces[c.next].block == i; c.next++ {
		p := &c.pieces[c.next]
		way += p.length
		c.ends[p.move] = c.at + b.after(way, exit, total)
	}
	c.at += total
	if c.next == len(c.pieces) {
		c.pieces, c.next = c.pieces[:0], 0
	}
}

// after returns the time after a way within the block, s, of the total that seconds returns. The speed is that of
// seconds; within a change of speed it is taken as the one that the law reaches there.
func (b *block) after(way, exit, total float64) float64 {
	rest := b.length - way
	if rest <= 0 {
		return total
	}
	enter := b.enter
	if b.way(enter, exit) > b.length { // part of a ramp over many blocks: an even acceleration
		v := math.Sqrt(enter*enter + (exit*exit-enter*enter)*way/b.length)
		return 2 * way / (enter + v)
	}
	peak := b.peak(enter, exit)
	up, down := b.way(enter, peak), b.way(peak, exit)
	switch {
	case way < up:
		return b.change(enter, b.reach(enter, peak, way))
	case rest < down:
		return total - b.change(exit, b.reach(exit, peak, rest))
	}
	return b.change(enter, peak) + (way-up)/peak
}
