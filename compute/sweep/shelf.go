package sweep

import (
	"context"
	"errors"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/dexel"
)

// layout divides the rays of a bundle into tiles.
type layout struct {
	columns, rows int // of rays
	across, down  int // tiles
}

func layoutOf(l dexel.Lattice, bundle int) layout {
	b, c := dexel.Side(bundle)
	columns, rows := l.Count[b], l.Count[c]
	return layout{columns, rows, (columns + tileSide - 1) / tileSide, (rows + tileSide - 1) / tileSide}
}

// window is a rectangle of rays.
type window struct{ i0, i1, j0, j1 int }

func (l *layout) window(tile int) window {
	i, j := tile%l.across*tileSide, tile/l.across*tileSide
	return window{i, min(i+tileSide, l.columns), j, min(j+tileSide, l.rows)}
}

// spanStore contains the spans of a bundle while moves cut them. The spans of a tile stay in the original stock until
// the tile is cut. Entries of a shelf are replaced, never changed, so a copy of the lists is a copy of the stock.
type spanStore struct {
	base  dexel.Bundle
	tiles []dexel.Bundle // of the rays of the tile alone; without starts: as in base
}

// clone returns a shelf that can be cut while this one stays.
func (s *spanStore) clone() spanStore { return spanStore{s.base, slices.Clone(s.tiles)} }

// ray returns the spans of the ray in column i and row j.
func (s *spanStore) ray(l *layout, i, j int) []dexel.Span {
	b, r := &s.base, j*l.columns+i
	if t := j/tileSide*l.across + i/tileSide; s.tiles[t].Start != nil {
		w := l.window(t)
		b, r = &s.tiles[t], (j-w.j0)*(w.i1-w.i0)+i-w.i0
	}
	return b.Spans[b.Start[r]:b.Start[r+1]]
}

// load puts a tile where it can be cut.
func (s *spanStore) load(t *tile, l *layout, number int) {
	w := l.window(number)
	if b := &s.tiles[number]; b.Start != nil {
		t.load(b, w.i1-w.i0, 0, 0, w.i1-w.i0, w.j1-w.j0)
		return
	}
	t.load(&s.base, l.columns, w.i0, w.j0, w.i1-w.i0, w.j1-w.j0)
}

// store returns the spans of the rays of a tile.
func (t *tile) store(w window) dexel.Bundle {
	total := 0
	t.each(w, func(spans []dexel.Span) { total += len(spans) })
	out := dexel.Bundle{Start: make([]int32, 1, (w.i1-w.i0)*(w.j1-w.j0)+1), Spans: make([]dexel.Span, 0, total)}
	t.each(w, func(spans []dexel.Span) {
		out.Spans = append(out.Spans, spans...)
		out.Start = append(out.Start, int32(len(out.Spans)))
	})
	return out
}

func (t *tile) each(w window, visit func([]dexel.Span)) {
	for j := range w.j1 - w.j0 {
		for i := range w.i1 - w.i0 {
			visit(t.ray(j*tileSide + i))
		}
	}
}

// join puts the spans of all tiles into one list.
func (s *spanStore) join(ctx context.Context, l *layout, on primitive.CPU) (dexel.Bundle, error) {
	if !slices.ContainsFunc(s.tiles, func(b dexel.Bundle) bool { return b.Start != nil }) {
		return s.base, nil
	}
	out := dexel.Bundle{Start: make([]int32, 1, l.columns*l.rows+1)}
	total := 0
	for j := range l.rows {
		for i := range l.columns {
			if total += len(s.ray(l, i, j)); total > math.MaxInt32 {
				return dexel.Bundle{}, errors.New("sweep: the stock falls into more than 2³¹ spans")
			}
			out.Start = append(out.Start, int32(total))
		}
	}
	out.Spans = make([]dexel.Span, total)
	err := on.Each(ctx, l.across*l.down, func() func(int) {
		return func(t int) {
			w := l.window(t)
			for j := w.j0; j < w.j1; j++ {
				first, last := j*l.columns+w.i0, j*l.columns+w.i1
				row, b, at := out.Spans[out.Start[first]:out.Start[last]], &s.base, first
				if s.tiles[t].Start != nil {
					b, at = &s.tiles[t], (j-w.j0)*(w.i1-w.i0)
				}
				copy(row, b.Spans[b.Start[at]:])
			}
		}
	})
	return out, err
}
