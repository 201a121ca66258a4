package thumbnail

import (
	"image"
	"math"
	"sync"

	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// light is a directional light in the axes of the picture: right, down, toward the viewer.
type light struct {
	direction [3]float32 // unit, toward the light
	half      [3]float32 // unit, between the light and the viewer
	color     [3]float32 // linear
	gloss     float32    // share that is reflected as highlight
}

func newLight(x, y, z float64, color [3]float32, gloss float32) light {
	d := geom.Vec3{X: x, Y: y, Z: z}.Unit()
	h := d.Add(geom.Vec3{Z: 1}).Unit()
	return light{
		[3]float32{float32(d.X), float32(d.Y), float32(d.Z)}, [3]float32{float32(h.X), float32(h.Y), float32(h.Z)},
		color, gloss,
	}
}

// lights are a warm key light from the upper left, a cool fill light from the right, and a light from
// above that separates level faces from upright ones.
var lights = [3]light{
	newLight(-0.55, -0.45, 0.70, [3]float32{1.00, 0.98, 0.95}, 0.22),
	newLight(0.90, -0.05, 0.40, [3]float32{0.26, 0.29, 0.34}, 0.05),
	newLight(0.05, -0.95, 0.30, [3]float32{0.60, 0.60, 0.60}, 0),
}

// ambient reaches every face.
var ambient = [3]float32{0.14, 0.145, 0.16}

// wrap is the extent of the light beyond a right angle, as the cosine.
const wrap = 0.3

const shininess = 5 // halvings: the exponent of the highlight is 2^shininess

// The background runs from top to bottom; sRGB.
var (
	backgroundTop    = brep.Color{R: 0.975, G: 0.98, B: 0.985}
	backgroundBottom = brep.Color{R: 0.885, G: 0.895, B: 0.91}
)

// encoding tabulates the sRGB encoding of linear light in 0..1.
type encoding [4097]uint8

// encoded is computed with the first picture: most processes render no picture.
var encoded = sync.OnceValue(func() *encoding {
	e := &encoding{}
	for i := range e {
		e[i] = uint8(math.Round(255 * color.Encode(float64(i)/float64(len(e)-1))))
	}
	return e
})

func (e *encoding) of(v float32) uint8 { return e[int(min(max(v, 0), 1)*float32(len(e)-1)+0.5)] }

// background returns the linear color of a row of the picture.
func background(row, size int) (c [3]float32) {
	f := (float64(row) + 0.5) / float64(size)
	top, bottom := color.Linear(backgroundTop), color.Linear(backgroundBottom)
	for k := range c {
		c[k] = float32(top[k] + f*(bottom[k]-top[k]))
	}
	return c
}

// resolve shades the pixels of the tile: every triangle seen in a pixel once, at the middle of its
// samples, weighted by their number.
func (t *tile) resolve(img *image.NRGBA, size int) {
	e := encoded()
	for py := t.py; py < min(t.py+tilePixels, size); py++ {
		empty := background(py, size)
		for px := t.px; px < min(t.px+tilePixels, size); px++ {
			c := t.pixel((px-t.px)*perPixel+apron, (py-t.py)*perPixel+apron, empty)
			i := img.PixOffset(px, py)
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = e.of(c[0]), e.of(c[1]), e.of(c[2]), 255
		}
	}
}

// pixel returns the linear color of the pixel whose first sample is (x, y) of the tile.
func (t *tile) pixel(x, y int, empty [3]float32) [3]float32 {
	first, uniform := t.triangle[y*tileSide+x], true
	for dy := range perPixel {
		for _, k := range t.triangle[(y+dy)*tileSide+x : (y+dy)*tileSide+x+perPixel] {
			uniform = uniform && k == first
		}
	}
	switch {
	case !uniform:
		return t.mixed(x, y, empty)
	case first == noSurface:
		return empty
	}
	const middle = perPixel / 2 * subUnits
	return t.scene.shade(first, float64(t.x+x)*subUnits+middle, float64(t.y+y)*subUnits+middle)
}

// mixed is pixel for several triangles.
func (t *tile) mixed(x, y int, empty [3]float32) (sum [3]float32) {
	const samples = perPixel * perPixel
	var seen [samples]struct{ triangle, count, x, y int32 }
	n := 0
	for dy := range perPixel {
		for dx, k := range t.triangle[(y+dy)*tileSide+x : (y+dy)*tileSide+x+perPixel] {
			i := 0
			for i < n && seen[i].triangle != k {
				i++
			}
			if i == n {
				seen[n].triangle = k
				n++
			}
			seen[i].count++
			seen[i].x += int32(dx)
			seen[i].y += int32(dy)
		}
	}
	for _, s := range seen[:n] {
		c := empty
		if s.triangle != noSurface {
			mx := float64(t.x+x) + 0.5 + float64(s.x)/float64(s.count)
			my := float64(t.y+y) + 0.5 + float64(s.y)/float64(s.count)
			c = t.scene.shade(s.triangle, mx*subUnits, my*subUnits)
		}
		for k := range sum {
			sum[k] += float32(s.count) / samples * c[k]
		}
	}
	return sum
}

// shade returns the linear color of a triangle at a point of the picture in fixed-point units.
func (s *scene) shade(k int32, x, y float64) (c [3]float32) {
	v := s.triangles[k]
	p, q, r := &s.corners[v[0]], &s.corners[v[1]], &s.corners[v[2]]
	area := float64(s.area2(k))
	qx, qy, rx, ry := float64(q.x-p.x), float64(q.y-p.y), float64(r.x-p.x), float64(r.y-p.y)
	sx, sy := x-float64(p.x), y-float64(p.y)
	wq, wr := float32((sx*ry-sy*rx)/area), float32((qx*sy-qy*sx)/area)
	side := float32(1)
	if area > 0 {
		side = -1 // seen from behind
	}
	var n [3]float32
	for i := range n {
		n[i] = side * (p.normal[i] + wq*(q.normal[i]-p.normal[i]) + wr*(r.normal[i]-p.normal[i]))
	}
	length := float32(math.Sqrt(float64(dot(n, n))))
	if length == 0 {
		n, length = [3]float32{0, 0, 1}, 1
	}
	for i := range n {
		n[i] /= length
	}
	return lit(s.colors[s.region[k]], n)
}

// lit is wrapped diffuse light, which fades to the shaded side without a visible line, plus a Blinn
// highlight. The result is compressed to 0..1, so that bright faces of white parts still differ and
// highlights do not bleed through the averaging of samples.
func lit(albedo, n [3]float32) (c [3]float32) {
	for i := range c {
		c[i] = albedo[i] * ambient[i]
	}
	for l := range lights {
		lamp := &lights[l]
		d := max((dot(n, lamp.direction)+wrap)/(1+wrap), 0)
		d *= d
		h := max(dot(n, lamp.half), 0)
		for range shininess {
			h *= h
		}
		for i := range c {
			c[i] += lamp.color[i] * (d*albedo[i] + lamp.gloss*h)
		}
	}
	for i := range c {
		c[i] = min(gain*c[i]/(1+shoulder*c[i]), 1)
	}
	return c
}

// The exposure: dark tones are raised by gain, light ones flattened by shoulder.
const gain, shoulder = 1.4, 0.75

func dot(a, b [3]float32) float32 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
