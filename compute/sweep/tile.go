package sweep

import "millwright.dev/millwright/core/cam/stock/dexel"

const (
	// tileSide is the number of rays along each side of a tile: its spans fit the first or second cache level,
	// and a tool covers a few tiles.
	tileSide = 32
	tileRays = tileSide * tileSide

	// inline is the capacity of a ray in its tile, in spans. Rays of milled parts have one to three.
	inline = 4
)

// tile contains the spans of a square of rays while moves cut them. A ray whose spans exceed their capacity moves to a
// separate list.
type tile struct {
	spans [tileRays * inline]dexel.Span
	count [tileRays]uint8 // spans of the ray, or moved
	long  [][]dexel.Span
	slot  [tileRays]int32 // of a ray that moved, in long

	filled [tileSide]uint32 // by row: the set of columns whose rays have spans; a ray may have lost its last since
}

const moved = 0xff

// load takes the spans of rays [i0, i0+w) × [j0, j0+h) of a bundle with so many columns of rays.
func (t *tile) load(b *dexel.Bundle, columns, i0, j0, w, h int) {
	t.long = t.long[:0]
	t.filled = [tileSide]uint32{}
	for j := range h {
		for i := range w {
			r := (j0+j)*columns + i0 + i
			spans := b.Spans[b.Start[r]:b.Start[r+1]]
			k := j*tileSide + i
			if len(spans) > 0 {
				t.filled[j] |= 1 << i
			}
			if len(spans) > inline {
				t.spill(k, spans)
				continue
			}
			copy(t.spans[k*inline:], spans)
			t.count[k] = uint8(len(spans))
		}
	}
}

// spill moves the spans of ray k to a separate list.
func (t *tile) spill(k int, spans []dexel.Span) {
	n := len(t.long)
	if n < cap(t.long) {
		t.long = t.long[:n+1]
	} else {
		t.long = append(t.long, nil)
	}
	t.long[n] = append(t.long[n][:0], spans...)
	t.slot[k], t.count[k] = int32(n), moved
}

// ray returns the spans of ray k.
func (t *tile) ray(k int) []dexel.Span {
	if t.count[k] == moved {
		return t.long[t.slot[k]]
	}
	return t.spans[k*inline:][:t.count[k]]
}

// reaches reports whether ray k has material between lo and hi.
func (t *tile) reaches(k int, lo, hi float32) bool {
	switch t.count[k] {
	case 0:
		t.filled[k/tileSide] &^= 1 << (k % tileSide)
		return false
	case 1:
		s := &t.spans[k*inline]
		return s.Hi > lo && s.Lo < hi
	}
	for _, s := range t.ray(k) {
		if s.Hi > lo && s.Lo < hi {
			return true
		}
	}
	return false
}

// cut takes [lo, hi] away from ray k and returns the length removed.
func (t *tile) cut(k int, lo, hi float32) float64 {
	n := t.count[k]
	if n == 0 || !(lo < hi) {
		return 0
	}
	if n == 1 { // the usual ray, before and after
		s := &t.spans[k*inline]
		if hi <= s.Lo || lo >= s.Hi {
			return 0
		}
		if hi >= s.Hi {
			removed := s.Hi
			if lo <= s.Lo {
				t.count[k] = 0
				return float64(removed) - float64(s.Lo)
			}
			s.Hi = lo
			return float64(removed) - float64(lo)
		}
	}
	return t.cutMany(k, lo, hi)
}

// cutMany is cut for any list.
func (t *tile) cutMany(k int, lo, hi float32) float64 {
	spans := t.ray(k)
	a := 0
	for a < len(spans) && spans[a].Hi <= lo {
		a++
	}
	b := a
	removed := 0.0
	for b < len(spans) && spans[b].Lo < hi {
		removed += float64(min(spans[b].Hi, hi)) - float64(max(spans[b].Lo, lo))
		b++
	}
	if a == b {
		return 0
	}
	// spans[a:b] overlap the cut; at most two ends of them remain.
	var rest [2]dexel.Span
	n := 0
	if spans[a].Lo < lo {
		rest[n] = dexel.Span{Lo: spans[a].Lo, Hi: lo}
		n++
	}
	if spans[b-1].Hi > hi {
		rest[n] = dexel.Span{Lo: hi, Hi: spans[b-1].Hi}
		n++
	}
	t.replace(k, spans, a, b, rest[:n])
	return removed
}

// replace puts rest in the place of spans[a:b] of ray k.
func (t *tile) replace(k int, spans []dexel.Span, a, b int, rest []dexel.Span) {
	grown := len(spans) - (b - a) + len(rest)
	if t.count[k] == moved {
		l := &t.long[t.slot[k]]
		if grown > len(spans) {
			*l = append(*l, dexel.Span{})
		}
		copy((*l)[a+len(rest):], spans[b:])
		copy((*l)[a:], rest)
		*l = (*l)[:grown]
		return
	}
	if grown > inline {
		var all [inline + 1]dexel.Span
		n := copy(all[:], spans[:a])
		n += copy(all[n:], rest)
		n += copy(all[n:], spans[b:])
		t.spill(k, all[:n])
		return
	}
	place := t.spans[k*inline:][:inline]
	copy(place[a+len(rest):], spans[b:])
	copy(place[a:], rest)
	t.count[k] = uint8(grown)
}
