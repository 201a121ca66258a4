package thumbnail

import (
	"context"
	"image"
	"math"

	"millwright.dev/millwright/core/parallel"
)

const (
	tilePixels = 64
	// apron is the number of samples that a tile renders beyond its border, so that the visibility test of lines has
	// all neighbors of its samples.
	apron     = 1
	tileSide  = tilePixels*perPixel + 2*apron
	noSurface = -1
)

// behind is the offset, in samples, that pushes back triangles facing away from the viewer. At the outline the neighbor
// that faces the viewer must win.
const behind = 0.05

// tile is the z-buffer of one square of the picture.
type tile struct {
	scene    *scene
	px, py   int // first pixel
	x, y     int // first sample, apron included
	depth    [tileSide * tileSide]float32
	triangle [tileSide * tileSide]int32
}

// bins lists the items that touch each tile, in scene order.
type bins struct {
	start []int32 // by tile, one more than there are tiles
	item  []int32
}

// box is a range of samples, both ends included.
type box struct{ x0, y0, x1, y1 int }

// collect makes bins for n items whose extent in samples is given by extent (false: nowhere).
func collect(perSide, n int, extent func(i int) (box, bool)) bins {
	b := bins{start: make([]int32, perSide*perSide+2)}
	tiles := func(e box, use func(tile int)) {
		const side = tilePixels * perPixel
		if e.x1 < -apron || e.y1 < -apron {
			return
		}
		x0, x1 := max(0, (e.x0-apron)/side), min(perSide-1, (e.x1+apron)/side)
		y0, y1 := max(0, (e.y0-apron)/side), min(perSide-1, (e.y1+apron)/side)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				use(y*perSide + x)
			}
		}
	}
	for i := range n {
		if e, ok := extent(i); ok {
			tiles(e, func(t int) { b.start[t+2]++ })
		}
	}
	for t := range len(b.start) - 1 {
		b.start[t+1] += b.start[t]
	}
	b.item = make([]int32, b.start[len(b.start)-1])
	for i := range n {
		if e, ok := extent(i); ok {
			tiles(e, func(t int) {
				b.item[b.start[t+1]] = int32(i)
				b.start[t+1]++
			})
		}
	}
	b.start = b.start[:len(b.start)-1]
	return b
}

func (b *bins) of(tile int) []int32 { return b.item[b.start[tile]:b.start[tile+1]] }

// renderTiles fills the picture with the shaded surfaces and returns the visible pieces of the lines,
// tile by tile.
func (s *scene) renderTiles(img *image.NRGBA, size int) [][]stroke {
	perSide := (size + tilePixels - 1) / tilePixels
	triangles := collect(perSide, len(s.triangles), s.triangleExtent)
	lines := collect(perSide, len(s.lines), s.lineExtent)
	visible := make([][]stroke, perSide*perSide)
	_ = parallel.ForWith(context.Background(), len(visible), 1, func() func(int) { // which does not end
		t := &tile{scene: s}
		return func(i int) {
			t.clear(i%perSide*tilePixels, i/perSide*tilePixels)
			for _, k := range triangles.of(i) {
				t.draw(k)
			}
			t.resolve(img, size)
			visible[i] = t.visibleParts(lines.of(i))
		}
	})
	return visible
}

func (s *scene) triangleExtent(i int) (box, bool) {
	if area := s.area2(int32(i)); area == 0 || area > 0 && s.closed {
		return box{}, false
	}
	c := s.triangles[i]
	p, q, r := &s.corners[c[0]], &s.corners[c[1]], &s.corners[c[2]]
	return box{
		int(min(p.x, q.x, r.x)) / subUnits, int(min(p.y, q.y, r.y)) / subUnits,
		int(max(p.x, q.x, r.x)) / subUnits, int(max(p.y, q.y, r.y)) / subUnits,
	}, true
}

// lineExtent allows for lines outside the picture: lines of sheet bodies, to which the camera is not fitted.
func (s *scene) lineExtent(i int) (box, bool) {
	const far = 2 * maxSize * perPixel
	l := &s.lines[i]
	at := func(v float64) int { return int(math.Floor(min(max(v, -far), far))) }
	return box{
		at(min(l.a.X, l.b.X)), at(min(l.a.Y, l.b.Y)), at(max(l.a.X, l.b.X)), at(max(l.a.Y, l.b.Y)),
	}, true
}

func (t *tile) clear(px, py int) {
	t.px, t.py = px, py
	t.x, t.y = px*perPixel-apron, py*perPixel-apron
	for i := range t.depth {
		t.depth[i] = float32(math.Inf(-1))
		t.triangle[i] = noSurface
	}
}

// draw enters a triangle into the z-buffer. Samples on a side count as inside, so that no sample
// between two neighbors is lost; the edge functions are exact integers.
func (t *tile) draw(k int32) {
	c := t.scene.triangles[k]
	p, q, r := &t.scene.corners[c[0]], &t.scene.corners[c[1]], &t.scene.corners[c[2]]
	area := t.scene.area2(k)
	offset := float32(0)
	if area < 0 {
		q, r, area = r, q, -area
	} else {
		offset = behind
	}
	x0, x1 := t.samples(min(p.x, q.x, r.x), max(p.x, q.x, r.x), t.x)
	y0, y1 := t.samples(min(p.y, q.y, r.y), max(p.y, q.y, r.y), t.y)
	// The barycentric weights of r and q at a sample, times area; the weight of p is the remainder.
	fx, fy := int64(t.x+x0)*subUnits+subUnits/2, int64(t.y+y0)*subUnits+subUnits/2
	qx, qy, rx, ry := int64(q.x-p.x), int64(q.y-p.y), int64(r.x-p.x), int64(r.y-p.y)
	rowR := qx*(fy-int64(p.y)) - qy*(fx-int64(p.x))
	rowQ := ry*(fx-int64(p.x)) - rx*(fy-int64(p.y))
	stepR, stepQ := -qy*subUnits, ry*subUnits
	zq, zr := (q.z-p.z)/float32(area), (r.z-p.z)/float32(area)
	for y := y0; y <= y1; y++ {
		first, last := x0, x1
		if last-first >= narrow {
			n := int64(last - first)
			lo, hi := inside(rowR, stepR, 0, n)
			lo, hi = inside(rowQ, stepQ, lo, hi)
			lo, hi = inside(area-rowR-rowQ, -stepR-stepQ, lo, hi)
			first, last = x0+int(lo), x0+int(hi)
		}
		wr, wq := rowR+int64(first-x0)*stepR, rowQ+int64(first-x0)*stepQ
		for i := y*tileSide + first; i <= y*tileSide+last; i++ {
			if wr|wq|(area-wr-wq) >= 0 {
				z := p.z + float32(wr)*zr + float32(wq)*zq - offset
				if z > t.depth[i] {
					t.depth[i], t.triangle[i] = z, k
				}
			}
			wr += stepR
			wq += stepQ
		}
		rowR += qx * subUnits
		rowQ -= rx * subUnits
	}
}

// narrow is the width in samples below which trying all samples of a row is cheaper than inside.
const narrow = 12

// inside narrows lo … hi to the i with w + i·step ≥ 0; nothing is left when hi < lo.
func inside(w, step, lo, hi int64) (int64, int64) {
	switch {
	case step > 0 && w < 0:
		lo = max(lo, (-w+step-1)/step)
	case step < 0 && w < 0, step == 0 && w < 0:
		hi = lo - 1
	case step < 0:
		hi = min(hi, w/-step)
	}
	return lo, hi
}

// samples returns the range of samples of the tile whose centers may lie between two coordinates.
func (t *tile) samples(lo, hi int32, origin int) (int, int) {
	first := (int(lo)-subUnits/2)/subUnits - origin
	last := (int(hi)+subUnits/2)/subUnits - origin
	return max(first, 0), min(last, tileSide-1)
}
