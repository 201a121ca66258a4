package verify

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
)

// Small pieces of remaining material are measured on a separate lattice: the cells of the whole stock are too coarse
// for a hole of 2 mm in a long part. The moves whose tools pass the box of a piece are simulated again in that box.

const (
	// A piece is small whose box is less than smallCells cells wide. Its own lattice has fineCells across, and mostFine
	// along its longest side.
	smallCells, fineCells, mostFine = 24, 32, 800

	// mostRefined bounds the number of boxes.
	mostRefined = 32

	// leastRefined (mm³) is the volume from which a piece is worth it that is not high: less is no more than a burr by
	// any measure.
	leastRefined = completeness.LeastVolume / 5
)

// refined is a box of small pieces.
type refined struct {
	box    geom.Box
	pieces []int
}

// refine measures small pieces again.
func (r *replay) refine(ctx context.Context, setups []*setup, e *expectation) error {
	for _, b := range r.small() {
		step := r.fineStep(b.box)
		if step > r.proof.Step/1.5 {
			continue
		}
		found, err := r.within(ctx, setups, e, b.box, step)
		if err != nil {
			return err
		}
		for _, i := range b.pieces {
			p := &r.proof.Left[i]
			k := slices.IndexFunc(found,
				func(f completeness.Piece) bool { return f.Region == p.Region && f.Cause == p.Cause })
			if k >= 0 {
				*p = found[k]
			}
		}
	}
	return nil
}

// small joins overlapping boxes of small pieces, those of the largest pieces first.
func (r *replay) small() (out []refined) {
	order := make([]int, len(r.proof.Left))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return -cmp.Compare(r.proof.Left[a].Volume, r.proof.Left[b].Volume)
	})
	for _, i := range order {
		p := &r.proof.Left[i]
		size := p.Box.Size()
		if p.Volume < leastRefined && p.Height <= completeness.LeastHeight ||
			min(size.X, size.Y, size.Z) > smallCells*r.proof.Step {
			continue
		}
		add := refined{p.Box.Grow(r.proof.Step), []int{i}} // rays miss its rim by up to a cell
		rest := out[:0:0]
		for _, o := range out {
			if !overlap(o.box, add.box) {
				rest = append(rest, o)
				continue
			}
			add.box, add.pieces = add.box.Union(o.box), append(add.pieces, o.pieces...)
		}
		if out = append(rest, add); len(out) == mostRefined {
			break
		}
	}
	return out
}

// overlap reports whether two boxes have points in common.
func overlap(a, b geom.Box) bool {
	for axis := range 3 {
		if a.Max.Coordinate(axis) < b.Min.Coordinate(axis) || b.Max.Coordinate(axis) < a.Min.Coordinate(axis) {
			return false
		}
	}
	return true
}

// fineStep returns the width of cells (mm) for a box.
func (r *replay) fineStep(b geom.Box) float64 {
	size := b.Size()
	thin := max(min(size.X, size.Y, size.Z), r.proof.Step/4)
	return max(thin/fineCells, max(size.X, size.Y, size.Z)/mostFine)
}

// within measures the remaining material in a box of the workpiece, with cells of a width (mm).
func (r *replay) within(
	ctx context.Context, setups []*setup, e *expectation, box geom.Box, step float64,
) ([]completeness.Piece, error) {
	l := dexel.Lattice{Origin: box.Min, Step: step}
	for axis := range l.Count {
		l.Count[axis] = int(math.Ceil(box.Size().Coordinate(axis)/step)) + 1
	}
	raw, err := r.Plan.Raw(l)
	if err != nil {
		return nil, err
	}
	part, err := r.Mill.Dexelize(ctx, r.part, l)
	if err != nil {
		return nil, err
	}
	session, err := r.Mill.Start(raw, nil, 0)
	if err != nil {
		return nil, err
	}
	around := l.Box()
	for _, s := range setups {
		for _, p := range s.passages {
			c := removal.ToolMotion{Tool: &p.tool.swept, Frame: p.inWork}
			for i := range p.steps {
				if m := &p.steps[i]; m.Kind != motion.Rapid && m.Kind != motion.Dwell && p.passes(&m.Segment, around) {
					c.Moves = append(c.Moves, m.Segment)
				}
			}
			if len(c.Moves) == 0 {
				continue
			}
			if _, err := session.Cut(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	left, err := session.Stock(ctx)
	if err != nil {
		return nil, err
	}
	return completeness.Measure(ctx, completeness.Input{
		Left: left, Part: part, Surface: r.finder, Tolerance: r.Tolerance, Cause: e.cause,
	})
}

// passes reports whether the flutes may pass a box of the workpiece on a move.
func (p *passage) passes(m *motion.Segment, box geom.Box) bool {
	way := geom.BoxOf(m.From, m.To)
	if m.Turn != 0 {
		c, out := geom.Vec3{X: m.Center.X, Y: m.Center.Y, Z: m.From.Z}, m.Radius()
		way = way.Add(c.Sub(geom.Vec3{X: out, Y: out})).Add(c.Add(geom.Vec3{X: out, Y: out}))
	}
	way = way.Grow(p.tool.radius)
	way.Max.Z = math.Inf(1)
	for axis := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for corner := range 8 {
			at := box.Min
			for a := range 3 {
				if corner>>a&1 == 1 {
					at.SetCoordinate(a, box.Max.Coordinate(a))
				}
			}
			x := p.inWork.Local(at).Coordinate(axis)
			lo, hi = min(lo, x), max(hi, x)
		}
		if hi < way.Min.Coordinate(axis) || lo > way.Max.Coordinate(axis) {
			return false
		}
	}
	return true
}
