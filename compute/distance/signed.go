package distance

import (
	"context"

	"millwright.dev/millwright/compute/primitive"
)

// fineShift is the binary logarithm of Fine.
const fineShift = 10

// signedOnCPU is the twin on the processor.
//
// Sites on vertical lines of the grid lie on columns, so their transform runs down the columns first. Sites
// on horizontal lines lie on rows at any place between columns, so theirs must run along the rows first: the
// same transform of the transposed grid, whose bands are columns. The nearer of both sites is the answer.
func signedOnCPU(ctx context.Context, on primitive.CPU, in *SignedInput) (
	SignedOutput, error) {
	n := in.Grid.Len()
	c := contour{in: in, w: in.Grid.Width, h: in.Grid.Height}
	c.out = SignedOutput{Squared: make([]uint64, n), Nearest: make([]int32, n)}
	upright := transform{
		width: c.w, height: c.h, shift: fineShift, byRow: true,
		fill: c.fillUpright, emit: c.emitUpright,
	}
	if err := upright.run(ctx, on); err != nil {
		return SignedOutput{}, err
	}
	level := transform{
		width: c.h, height: c.w, shift: fineShift,
		fill: c.fillLevel, emit: c.emitLevel, flush: c.flushLevel,
	}
	if err := level.run(ctx, on); err != nil {
		return SignedOutput{}, err
	}
	return c.out, nil
}

type contour struct {
	in   *SignedInput
	out  SignedOutput
	w, h int
}

// fillUpright lists the sites between the cells of rows lo to hi and the cells of the next row. Sites at the centers of
// cells belong to the horizontal lines.
func (c *contour) fillUpright(lo, hi int, l *list) {
	for j := lo; j < hi; j++ {
		if j+1 < c.h {
			b := c.in.Field[(j+1)*c.w:][:c.w]
			for i, a := range c.in.Field[j*c.w:][:c.w] {
				if a != 0 && (a < 0) != (b[i] < 0) {
					place(l, i, j, Crossing(a, b[i]))
				}
			}
		}
		l.endRow()
	}
}

// fillLevel lists the sites of columns lo to hi, between their cells and the cells of the next column.
func (c *contour) fillLevel(lo, hi int, l *list) {
	for i := lo; i < hi; i++ {
		next := min(i+1, c.w-1) // the last column has no neighbor, only sites at centers
		for j := range c.h {
			a, b := c.in.Field[j*c.w+i], c.in.Field[j*c.w+next]
			if a == 0 || (a < 0) != (b < 0) {
				place(l, j, i, Crossing(a, b))
			}
		}
		l.endRow()
	}
}

// place lists the site at a crossing after cell j across the rows.
func place(l *list, column, j int, crossing int32) {
	if crossing >= 0 {
		l.add(int32(column), int32(j)<<fineShift|crossing)
	}
}

// spread writes the squared distances of a row to squared and calls site for each part.
func spread(s *scratch, squared []uint64, site func(k int, lo, hi int32)) {
	for k := range s.parts {
		lo, hi := s.start[k], s.start[k+1]
		h := uint64(s.parts[k].height)
		d := int64(lo-s.parts[k].column) << fineShift
		for x := lo; x < hi; x++ {
			squared[x] = h + uint64(d*d)
			d += Fine
		}
		site(k, lo, hi)
	}
	if len(s.parts) == 0 {
		for i := range squared {
			squared[i] = noSquare
		}
	}
}

func (c *contour) emitUpright(s *scratch, j int) {
	nearest := c.out.Nearest[j*c.w:][:c.w]
	if len(s.parts) == 0 {
		for i := range nearest {
			nearest[i] = -1
		}
	}
	spread(s, c.out.Squared[j*c.w:][:c.w], func(k int, lo, hi int32) {
		site := 2*((s.parts[k].position>>fineShift)*int32(c.w)+s.parts[k].column) + 1
		for x := lo; x < hi; x++ {
			nearest[x] = site
		}
	})
}

// emitLevel keeps a column of the grid in the scratch of its band.
func (c *contour) emitLevel(s *scratch, i int) {
	if s.squared == nil {
		s.squared, s.nearest = make([]uint64, len(s.below)), make([]int32, len(s.below))
	}
	at := len(s.below) / c.h
	at = i % at * c.h // bands start at multiples of their number of columns
	nearest := s.nearest[at:][:c.h]
	spread(s, s.squared[at:][:c.h], func(k int, lo, hi int32) {
		site := 2 * (s.parts[k].column*int32(c.w) + s.parts[k].position>>fineShift)
		for y := lo; y < hi; y++ {
			nearest[y] = site
		}
	})
}

// flushLevel puts the columns lo to hi into the result where they are nearer.
func (c *contour) flushLevel(s *scratch, lo, hi int) {
	for j := range c.h {
		squared, nearest := c.out.Squared[j*c.w:][:c.w], c.out.Nearest[j*c.w:][:c.w]
		for i := lo; i < hi; i++ {
			at := (i-lo)*c.h + j
			d, site := s.squared[at], s.nearest[at]
			if d < squared[i] || d == squared[i] && d != noSquare && site < nearest[i] {
				squared[i], nearest[i] = d, site
			}
		}
	}
}
