package field

import (
	"context"

	"millwright/compute/kernel"
)

// Distance computes kernel.DistanceOutput; in has been checked.
func Distance(ctx context.Context, in *kernel.DistanceInput, each Each) (kernel.DistanceOutput, error) {
	w := in.Grid.Width
	out := kernel.DistanceOutput{Squared: make([]uint32, in.Grid.Len()), Nearest: make([]int32, in.Grid.Len())}
	t := transform{
		width: w, height: in.Grid.Height, byRow: true,
		fill: func(lo, hi int, dst []int32) {
			for j := lo; j < hi; j++ {
				row, set := dst[(j-lo)*w:][:w], in.Set[j*w:][:w]
				for i, v := range set {
					p := int32(none)
					if v != 0 {
						p = int32(j)
					}
					row[i] = p
				}
			}
		},
		emit: func(s *scratch, j int) {
			emitCells(s, w, out.Squared[j*w:][:w], out.Nearest[j*w:][:w])
		},
	}
	if err := t.run(ctx, each); err != nil {
		return kernel.DistanceOutput{}, err
	}
	return out, nil
}

// emitCells writes one row of a binary field.
func emitCells(s *scratch, width int, squared []uint32, nearest []int32) {
	if s.parts == 0 {
		for i := range squared {
			squared[i], nearest[i] = kernel.NoSite, none
		}
		return
	}
	nearest = nearest[:len(squared)]
	for k := range s.parts {
		lo, hi := s.start[k], s.start[k+1]
		site := s.position[k]*int32(width) + s.column[k]
		d := lo - s.column[k]
		h := uint32(s.height[k])
		for x := lo; x < hi; x++ {
			squared[x], nearest[x] = h+uint32(d*d), site
			d++
		}
	}
}
