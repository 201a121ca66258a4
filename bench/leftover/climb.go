package leftover

import (
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// solid reports whether a place of the stock is not removed.
func (w *window) solid(p point) bool {
	for k := range 3 {
		if p[k] < w.scene.stock.min[k] || p[k] > w.scene.stock.max[k] {
			return false
		}
	}
	for _, q := range w.passes {
		if q.box.distance2(p) > 0 {
			continue
		}
		var l point
		for a := range 3 {
			l[a] = q.view.local(a, p[q.view.axis[a]])
		}
		if lo, hi, ok := q.down(geom.Vec2{X: l[0], Y: l[1]}); ok && lo < l[2] && l[2] < hi {
			return false
		}
	}
	return true
}

// climb looks for a larger height around the highest place of each group of faces, as that may be a ridge
// between columns: a pattern search in 26 directions, within a box.
func (w *window) climb(t *tile, b box) {
	const finest = 0.01 // mm
	type place struct {
		voxel
		heap
	}
	highest := map[faces]place{}
	for _, v := range slices.SortedFunc(maps.Keys(t.heaps), compareVoxels) {
		for f, h := range t.heaps[v] {
			if h.height > highest[f].height {
				highest[f] = place{v, h}
			}
		}
	}
	for f, h := range highest {
		if f[1] >= 0 {
			continue
		}
		for step := t.step; step >= finest; {
			better := false
			for n := range 27 {
				d := point{float64(n%3) - 1, float64(n/3%3) - 1, float64(n/9) - 1}
				q := axpy(step, d, h.at)
				if b.distance2(q) > 0 {
					continue
				}
				m := w.scene.tree.query(q, math.Inf(1))
				if m.outside && m.faces == f && m.distance > h.height+finest/10 && w.solid(q) {
					h.height, h.at, better = m.distance, q, true
				}
			}
			if !better {
				step /= 2
			}
		}
		t.heaps[h.voxel][f] = h.heap
	}
}
