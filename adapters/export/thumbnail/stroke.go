package thumbnail

import (
	"image"
	"math"

	"millwright.dev/millwright/adapters/export/internal/color"
)

// stroke is a visible piece of a line, in pixels.
type stroke struct{ ax, ay, bx, by float32 }

const (
	// surfaceBias is the depth (samples) by which a line may be behind its surface. The depth of a surface at 45°
	// changes by one sample per sample, that of a steeper one by more.
	surfaceBias = 2.0

	strokeWidth = 1.3 // pixels in a picture of the default size; wider in larger ones
	strokeInk   = 0.85
	pieceLength = 12 // pixels: long strokes are drawn in pieces so that little around them is visited
)

// visibleParts tests the lines sample by sample and returns the stretches that no surface hides.
func (t *tile) visibleParts(lines []int32) []stroke {
	var out []stroke
	for _, k := range lines {
		l := t.scene.lines[k]
		t0, t1, ok := t.clip(&l)
		if !ok {
			continue
		}
		d := l.b.Sub(l.a)
		n := int(math.Hypot(d.X, d.Y)*(t1-t0)) + 1
		from := -1
		for i := range n + 1 {
			if i < n && t.shows(&l, t0+(t1-t0)*(float64(i)+0.5)/float64(n)) {
				if from < 0 {
					from = i
				}
				continue
			}
			if from >= 0 {
				a := l.a.AddScaled(t0+(t1-t0)*float64(from)/float64(n), d)
				b := l.a.AddScaled(t0+(t1-t0)*float64(i)/float64(n), d)
				out = append(out, stroke{
					float32(a.X / perPixel), float32(a.Y / perPixel), float32(b.X / perPixel), float32(b.Y / perPixel),
				})
				from = -1
			}
		}
	}
	return out
}

// clip returns the parameter range of a line within the tile, apron excluded (Liang and Barsky 1984).
func (t *tile) clip(l *line) (t0, t1 float64, ok bool) {
	const side = tilePixels * perPixel
	t0, t1 = 0, 1
	for _, c := range [2][3]float64{
		{l.a.X, l.b.X - l.a.X, float64(t.x + apron)},
		{l.a.Y, l.b.Y - l.a.Y, float64(t.y + apron)},
	} {
		lo, hi := c[2]-c[0], c[2]+side-c[0]
		if c[1] == 0 {
			if lo > 0 || hi <= 0 {
				return 0, 0, false
			}
			continue
		}
		lo, hi = lo/c[1], hi/c[1]
		t0, t1 = max(t0, min(lo, hi)), min(t1, max(lo, hi))
	}
	return t0, t1, t0 < t1
}

// shows reports whether the point of a line at a parameter is not behind the surface around it. The
// farthest of the nine nearest samples counts: on one side of its edge a surface may rise steeply
// toward the viewer.
func (t *tile) shows(l *line, at float64) bool {
	p := l.a.AddScaled(at, l.b.Sub(l.a))
	x := min(max(int(p.X)-t.x, apron), tileSide-1-apron)
	y := min(max(int(p.Y)-t.y, apron), tileSide-1-apron)
	z := float32(p.Z) + surfaceBias
	for j := y - 1; j <= y+1; j++ {
		for _, depth := range t.depth[j*tileSide+x-1 : j*tileSide+x+2] {
			if z >= depth {
				return true
			}
		}
	}
	return false
}

// strokes draws the visible lines over the picture. Overlapping strokes take the larger coverage of the two, so that
// joints have the color of the lines.
func strokes(img *image.NRGBA, visible [][]stroke, size int) {
	width := strokeWidth * max(1, float64(size)/defaultSize)
	coverage := make([]uint8, size*size)
	for _, tile := range visible {
		for _, s := range tile {
			cover(coverage, size, s, float32(width/2))
		}
	}
	edge := [3]float64{255 * color.Edge.R, 255 * color.Edge.G, 255 * color.Edge.B}
	for i, c := range coverage {
		if c == 0 {
			continue
		}
		f := strokeInk * float64(c) / 255
		pixel := img.Pix[4*i : 4*i+3]
		lift := relief(pixel)
		for k, v := range edge {
			old := float64(pixel[k])
			pixel[k] = uint8(old + f*(v+lift-old) + 0.5)
		}
	}
}

// relief returns the luma added to a line over a pixel: on dark parts the line is lighter than the part. There is no
// gradual transition, since lines would vanish in the middle of it.
func relief(rgb []uint8) float64 {
	const (
		dark     = 75 // luma below which lines are light
		contrast = 55 // approximate luma difference between line and surface
	)
	luma := 0.30*float64(rgb[0]) + 0.59*float64(rgb[1]) + 0.11*float64(rgb[2])
	if luma >= dark {
		return 0
	}
	return contrast + luma
}

// cover raises the coverage of the pixels within radius of a stroke, falling off over one pixel.
func cover(coverage []uint8, size int, s stroke, radius float32) {
	dx, dy := s.bx-s.ax, s.by-s.ay
	pieces := int(max(dx, -dx, dy, -dy)/pieceLength) + 1
	for i := range pieces {
		f, g := float32(i)/float32(pieces), float32(i+1)/float32(pieces)
		coverPiece(coverage, size, stroke{s.ax + f*dx, s.ay + f*dy, s.ax + g*dx, s.ay + g*dy}, radius)
	}
}

func coverPiece(coverage []uint8, size int, s stroke, radius float32) {
	reach := radius + 0.5
	x0, x1 := pixels(min(s.ax, s.bx)-reach, max(s.ax, s.bx)+reach, size)
	y0, y1 := pixels(min(s.ay, s.by)-reach, max(s.ay, s.by)+reach, size)
	dx, dy := s.bx-s.ax, s.by-s.ay
	length2 := dx*dx + dy*dy
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			px, py := float32(x)+0.5-s.ax, float32(y)+0.5-s.ay
			if length2 > 0 {
				f := min(max((px*dx+py*dy)/length2, 0), 1)
				px, py = px-f*dx, py-f*dy
			}
			distance := float32(math.Sqrt(float64(px*px + py*py)))
			if c := uint8(255*min(max(reach-distance, 0), 1) + 0.5); c > coverage[y*size+x] {
				coverage[y*size+x] = c
			}
		}
	}
}

// pixels returns the range of pixels whose centers lie between two coordinates.
func pixels(lo, hi float32, size int) (int, int) {
	return max(int(math.Ceil(float64(lo)-0.5)), 0), min(int(math.Floor(float64(hi)-0.5)), size-1)
}
