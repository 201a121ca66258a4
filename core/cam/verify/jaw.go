package verify

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// jawGap (mm) is how closely a tool may pass what holds the part before it counts as met: pieces of ways are halved
// until they are so short.
const jawGap = 0.01

// jaws notes steps on which any part of the tool in its holder meets what holds the part.
//
// Method: over a piece of way the tool is within the discs that it has between the heights at which it may pass the
// box, about the middle of the piece and wider by half its length. Where these clear the box the piece does; else it is
// halved. So nothing that meets a box is missed, and what is told passes it by less than jawGap.
func (p *passage) jaws(ctx context.Context) error {
	const often = 1 << 10 // steps between looks at the context
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

// meets reports whether a step meets a box, and at which share of its way.
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
