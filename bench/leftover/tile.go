package leftover

import (
	"maps"
	"math"
	"slices"
)

// window is a tile with the moves and triangles that may touch it.
type window struct {
	scene     *scene
	passes    []*pass
	triangles [3][]triangle // that lines along each axis may meet
}

func (s *scene) window(b box) *window {
	w := &window{scene: s}
	for i := range s.passes {
		if s.passes[i].box.overlaps(b) {
			w.passes = append(w.passes, &s.passes[i])
		}
	}
	for axis := range 3 {
		beam := b
		beam.min[axis], beam.max[axis] = math.Inf(-1), math.Inf(1)
		for i := range s.triangles {
			if s.triangles[i].box.overlaps(beam) {
				w.triangles[axis] = append(w.triangles[axis], s.triangles[i])
			}
		}
	}
	return w
}

// heap is material of a voxel that is nearest to the same faces.
type heap struct {
	volume, height float64
	at             point // the place of the height
}

// tile is the measured rest in a box.
type tile struct {
	step, volume, change float64
	axes                 [3]bool // along which columns hold material that counts there
	around               box     // of the rest
	heaps                map[voxel]map[faces]heap
	touched              map[voxel]bool // by material, also where no heap is kept
	keeps                bool           // grains
	grains               []grain
}

// measure finds the rest in a box by columns along some axes.
func (w *window) measure(b box, step float64, axes [3]bool) *tile {
	t := &tile{step: step, keeps: w.scene.grains, heaps: map[voxel]map[faces]heap{}, touched: map[voxel]bool{}}
	t.around = box{point{math.Inf(1), math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	for axis, wanted := range axes {
		if !wanted {
			continue
		}
		c := grid(b, axis, step)
		c.stock(w.scene.stock)
		c.minus(w.triangles[axis])
		for _, p := range w.passes {
			c.play(p)
		}
		for j := range c.height {
			for i := range c.width {
				u, v, area := c.cell(i, j)
				line := line{tile: t, tree: w.scene.tree, axis: axis, area: area, finest: step / 4}
				line.at[c.u], line.at[c.v] = u, v
				for _, s := range c.of[j*c.width+i] {
					line.integrate(s)
				}
			}
		}
	}
	w.climb(t, b)
	return t
}

// line is a column whose stretches are given to faces.
type line struct {
	tile         *tile
	tree         *tree
	axis         int
	at           point
	area, finest float64
}

func (l *line) point(x float64) point {
	p := l.at
	p[l.axis] = x
	return p
}

// inset (mm) is the distance from the end of a stretch at which its faces are queried, because the end may be on an
// edge.
const inset = 1e-4

// integrate gives a stretch of the rest to the faces. A stretch shorter than a film is a film, or the end of
// a piece that the other columns see.
func (l *line) integrate(s stretch) {
	half := (s.hi - s.lo) / 2
	if 2*half < Film {
		return
	}
	mid := l.tree.query(l.point(s.lo+half), half+Film) // the rest mostly ends at the part
	if mid.faces == noFaces {
		mid = l.tree.query(l.point(s.lo+half), math.Inf(1))
	}
	if mid.distance+half < Film {
		return
	}
	a := l.tree.query(l.point(s.lo+inset), mid.distance+half)
	b := l.tree.query(l.point(s.hi-inset), mid.distance+half)
	l.part(s.lo, s.hi, a, b)
}

// part gives an interval to a face when its ends and its middle belong to the same, and halves it otherwise.
func (l *line) part(lo, hi float64, a, b near) {
	const alone = 1 // mm: interval length up to which its ends and middle are enough
	mid := (lo + hi) / 2
	m := l.tree.query(l.point(mid), min(a.distance, b.distance)+(hi-lo)/2+inset)
	one := a.faces == m.faces && m.faces == b.faces && a.axis == m.axis && m.axis == b.axis
	if hi-lo > l.finest && (!one || hi-lo > max(alone, m.distance)) {
		l.part(lo, mid, a, m)
		l.part(mid, hi, m, b)
		return
	}
	most, at := m, mid
	if a.distance > most.distance {
		most, at = a, lo
	}
	if b.distance > most.distance {
		most, at = b, hi
	}
	if most.distance < Film {
		return
	}
	l.touch(lo, hi)
	if m.axis != l.axis {
		return
	}
	l.tile.axes[l.axis] = true
	l.tile.add(l.point(mid), m.faces, heap{l.area * (hi - lo), most.distance, l.point(at)})
	if l.tile.keeps {
		l.tile.grains = append(l.tile.grains, grain{l.point(lo), l.point(hi), m.faces, l.area * (hi - lo), m.distance})
	}
}

// touch marks the voxels and the box of an interval of material.
func (l *line) touch(lo, hi float64) {
	n := int(math.Ceil((hi - lo) / voxelSize))
	for i := range n + 1 {
		l.tile.touched[voxelOf(l.point(lo+(hi-lo)*float64(i)/float64(n)))] = true
	}
	t := &l.tile.around
	for k := range 3 {
		a, b := l.at[k], l.at[k]
		if k == l.axis {
			a, b = lo, hi
		}
		t.min[k], t.max[k] = min(t.min[k], a), max(t.max[k], b)
	}
}

func (t *tile) add(p point, f faces, h heap) {
	v := voxelOf(p)
	t.touched[v] = true
	if t.heaps[v] == nil {
		t.heaps[v] = map[faces]heap{}
	}
	old := t.heaps[v][f]
	if old.height > h.height {
		h.height, h.at = old.height, old.at
	}
	h.volume += old.volume
	t.heaps[v][f] = h
	t.volume += h.volume - old.volume
}

// byFaces sums a tile.
func (t *tile) byFaces() map[faces]heap {
	out := map[faces]heap{}
	for _, v := range slices.SortedFunc(maps.Keys(t.heaps), compareVoxels) {
		for f, h := range t.heaps[v] {
			sum := out[f]
			sum.volume += h.volume
			sum.height = max(sum.height, h.height)
			out[f] = sum
		}
	}
	return out
}

// compare sets the change of the volumes since a coarser measure, and returns that of the heights.
func (t *tile) compare(coarse *tile) (height float64) {
	now, before := t.byFaces(), coarse.byFaces()
	all := maps.Clone(now)
	maps.Copy(all, before)
	for _, f := range slices.SortedFunc(maps.Keys(all), compareFaces) {
		t.change += math.Abs(now[f].volume - before[f].volume)
		if f[1] < 0 { // what is nearest to an edge may be thinner than a step
			height = max(height, math.Abs(now[f].height-before[f].height))
		}
	}
	return height
}
