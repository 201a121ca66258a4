package distance

import (
	"context"
	"encoding/binary"

	"millwright.dev/millwright/compute/primitive"
)

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	w := in.Grid.Width
	out := Output{Squared: make([]uint32, in.Grid.Len()), Nearest: make([]int32, in.Grid.Len())}
	t := transform{
		width: w, height: in.Grid.Height, byRow: true,
		fill: func(lo, hi int, l *list) {
			for j := lo; j < hi; j++ {
				fillSet(in.Set[j*w:][:w], int32(j), l)
			}
		},
		emit: func(s *scratch, j int) {
			emitCells(s, w, out.Squared[j*w:][:w], out.Nearest[j*w:][:w])
		},
	}
	if err := t.run(ctx, on); err != nil {
		return Output{}, err
	}
	return out, nil
}

// fillSet lists the set cells of row j. Eight empty ones are passed at a time.
func fillSet(set []uint8, j int32, l *list) {
	i := 0
	for ; i+8 <= len(set); i += 8 {
		word := binary.LittleEndian.Uint64(set[i:])
		if word == 0 {
			continue
		}
		for b, v := range set[i : i+8] {
			if v != 0 {
				l.add(int32(i+b), j)
			}
		}
	}
	for ; i < len(set); i++ {
		if set[i] != 0 {
			l.add(int32(i), j)
		}
	}
	l.endRow()
}

// emitCells writes one row of a binary field.
func emitCells(s *scratch, width int, squared []uint32, nearest []int32) {
	if len(s.parts) == 0 {
		for i := range squared {
			squared[i], nearest[i] = NoSite, -1
		}
		return
	}
	nearest = nearest[:len(squared)]
	for k := range s.parts {
		p := &s.parts[k]
		lo, hi := s.start[k], s.start[k+1]
		site := p.position*int32(width) + p.column
		d := lo - p.column
		h := uint32(p.height)
		for x := lo; x < hi; x++ {
			squared[x], nearest[x] = h+uint32(d*d), site
			d++
		}
	}
}
