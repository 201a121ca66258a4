package browsertest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// vec is a point or a direction in the frame of the part, mm.
type vec [3]float64

func (a vec) dot(b vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// facet is a triangle of a region.
type facet struct {
	region  int
	corners [3]vec
}

// readFacets reads the triangles of a GLB, apart from the reader of the pages.
func readFacets(data []byte) ([]facet, error) {
	if len(data) < 20 {
		return nil, fmt.Errorf("the mesh has %d bytes", len(data))
	}
	length := binary.LittleEndian.Uint32(data[12:])
	var doc struct {
		Accessors []struct {
			BufferView, ByteOffset, ComponentType, Count int
		}
		BufferViews []struct{ ByteOffset int }
		Meshes      []struct {
			Primitives []struct {
				Attributes struct{ POSITION int }
				Indices    int
				Mode       int
				Extras     struct{ Region int }
			}
		}
	}
	if err := json.Unmarshal(data[20:20+length], &doc); err != nil {
		return nil, err
	}
	bin := data[28+length:]
	at := func(accessor int) []byte {
		a := doc.Accessors[accessor]
		return bin[doc.BufferViews[a.BufferView].ByteOffset+a.ByteOffset:]
	}
	var out []facet
	for _, m := range doc.Meshes {
		for _, p := range m.Primitives {
			if p.Mode != 4 {
				continue
			}
			points, indices := at(p.Attributes.POSITION), at(p.Indices)
			wide := doc.Accessors[p.Indices].ComponentType == 5125
			corner := func(i int) (v vec) {
				n := int(binary.LittleEndian.Uint16(indices[2*i:]))
				if wide {
					n = int(binary.LittleEndian.Uint32(indices[4*i:]))
				}
				for c := range v {
					v[c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(points[12*n+4*c:])))
				}
				return v
			}
			for i := 0; i < doc.Accessors[p.Indices].Count; i += 3 {
				out = append(out, facet{p.Extras.Region, [3]vec{corner(i), corner(i + 1), corner(i + 2)}})
			}
		}
	}
	return out, nil
}

// camera is an orthographic view of a part with z up, as the address of the page has it. Angles are degrees.
type camera struct {
	yaw, pitch float64
	target     vec
	height     float64 // of the picture, mm
}

func (c camera) text() string {
	return fmt.Sprintf("%.1f_%.1f_%.2f_%.2f_%.2f_%g", c.yaw, c.pitch, c.target[0], c.target[1], c.target[2], c.height)
}

// around is a view of all facets in a picture of a size in pixels.
func around(facets []facet, yaw, pitch float64, width, height int) camera {
	c := camera{yaw: yaw, pitch: pitch, height: 1}
	low, high := vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, f := range facets {
		for _, p := range f.corners {
			for i := range p {
				low[i], high[i] = min(low[i], p[i]), max(high[i], p[i])
			}
		}
	}
	for i := range c.target {
		c.target[i] = math.Round(50*(low[i]+high[i])) / 100
	}
	right, above, _ := c.axes()
	for _, f := range facets {
		for _, p := range f.corners {
			d := vec{p[0] - c.target[0], p[1] - c.target[1], p[2] - c.target[2]}
			c.height = max(c.height, 2.1*math.Abs(d.dot(above)),
				2.1*math.Abs(d.dot(right))*float64(height)/float64(width))
		}
	}
	return c
}

func (c camera) axes() (right, above, back vec) {
	sy, cy := math.Sincos(c.yaw * math.Pi / 180)
	sp, cp := math.Sincos(c.pitch * math.Pi / 180)
	return vec{-sy, cy, 0}, vec{-sp * cy, -sp * sy, cp}, vec{cp * cy, cp * sy, sp}
}

// regionsIn draws the facets with a depth buffer, for a picture at a place of the window. It returns the region of each
// pixel of the window that is wholly in the picture, row by row from the top; -1 is beside the part.
func (c camera) regionsIn(facets []facet, box stageBox) []int {
	right, above, back := c.axes()
	width, height := box.size()
	left, top := box.firstPixel()
	// The page gives the picture whole pixels, and the window may stretch it by a fraction of one.
	scaleY := box.Height / c.height
	scaleX := box.Width / (c.height * math.Round(box.Width) / math.Round(box.Height))
	depth, out := make([]float64, width*height), make([]int, width*height)
	for i := range out {
		depth[i], out[i] = math.Inf(-1), -1
	}
	for _, f := range facets {
		var x, y, z [3]float64
		for i, p := range f.corners {
			d := vec{p[0] - c.target[0], p[1] - c.target[1], p[2] - c.target[2]}
			x[i] = box.X - left + box.Width/2 + scaleX*d.dot(right)
			y[i] = box.Y - top + box.Height/2 - scaleY*d.dot(above)
			z[i] = d.dot(back)
		}
		area := (x[1]-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(y[1]-y[0])
		if area == 0 {
			continue
		}
		for row := max(0, int(min(y[0], y[1], y[2]))); row <= min(height-1, int(max(y[0], y[1], y[2]))); row++ {
			for col := max(0, int(min(x[0], x[1], x[2]))); col <= min(width-1, int(max(x[0], x[1], x[2]))); col++ {
				px, py := float64(col)+0.5, float64(row)+0.5
				w1 := ((px-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(py-y[0])) / area
				w2 := ((x[1]-x[0])*(py-y[0]) - (px-x[0])*(y[1]-y[0])) / area
				if w1 < 0 || w2 < 0 || w1+w2 > 1 {
					continue
				}
				at := row*width + col
				if d := z[0] + w1*(z[1]-z[0]) + w2*(z[2]-z[0]); d > depth[at] {
					depth[at], out[at] = d, f.region
				}
			}
		}
	}
	return out
}

// inner returns for each region with at least least pixels the pixel that is farthest from others: x, y.
func inner(regions []int, width, height, least int) map[int][2]int {
	count, best, out := map[int]int{}, map[int]int{}, map[int][2]int{}
	for _, r := range regions {
		count[r]++
	}
	const widest = 8 // px
	for y := widest; y < height-widest; y++ {
		for x := widest; x < width-widest; x++ {
			r := regions[y*width+x]
			if r < 0 || count[r] < least {
				continue
			}
			around := 0
			for ; around < widest && uniform(regions, width, x, y, around+1); around++ {
			}
			if _, any := out[r]; !any || around > best[r] {
				best[r], out[r] = around, [2]int{x, y}
			}
		}
	}
	return out
}

// uniform reports whether a square around a pixel has one region.
func uniform(regions []int, width, x, y, by int) bool {
	for dy := -by; dy <= by; dy++ {
		for dx := -by; dx <= by; dx++ {
			if regions[(y+dy)*width+x+dx] != regions[y*width+x] {
				return false
			}
		}
	}
	return true
}
