package verify

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// jawGap (mm) is the largest distance at which a tool may count as touching a clamping: ranges of paths are halved down
// to this length.
const jawGap = 0.01

// jaws finds steps on which any part of the tool in its holder touches the clamping.
//
// Method: over a range of a path, the tool at the heights of the box lies within discs about the middle of the range,
// wider by half its length. If these clear the box, the range does; else it is halved. So no contact is missed, and
// reported ones pass the box by less than jawGap.
func (p *passage) jaws(ctx context.Context) error {
	const often = 1 << 10 // steps between checks of the context
	for i := range p.steps {
		if i%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for k := range p.setup.plan.Clamping.Solid {
			if share, ok := p.meets(i, &p.setup.plan.Clamping.Solid[k]); ok {
				p.near = append(p.near, noted{FixtureCollision, i, share, 0})
				break
			}
		}
	}
	return nil
}

// meets reports whether a step touches a box, and at which share of its path.
func (p *passage) meets(step int, b *geom.Box) (share float64, ok bool) {
	s := &p.steps[step].Segment
	length := s.Length()
	type piece struct{ from, to float64 }
	var room [64]piece
	pieces := append(room[:0], piece{0, 1})
	for len(pieces) > 0 {
		k := pieces[len(pieces)-1]
		pieces = pieces[:len(pieces)-1]
		middle := (k.from + k.to) / 2
		at, half := s.At(middle), length*(k.to-k.from)/2
		low, high := at.Z, at.Z // of the tip
		if s.From.Z != s.To.Z {
			rise := math.Abs(s.To.Z-s.From.Z) * (k.to - k.from) / 2
			low, high = at.Z-rise, at.Z+rise
		}
		r := p.tool.widest(b.Min.Z-high, b.Max.Z-low)
		dx := max(b.Min.X-at.X, at.X-b.Max.X, 0)
		dy := max(b.Min.Y-at.Y, at.Y-b.Max.Y, 0)
		switch {
		case r == 0 || math.Hypot(dx, dy)-half >= r:
		case 2*half <= jawGap:
			return middle, true
		default:
			pieces = append(pieces, piece{middle, k.to}, piece{k.from, middle})
		}
	}
	return 0, false
}
