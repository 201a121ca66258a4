package finishing

import (
	"context"
	"math"

	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
)

// Grid returns the cells that a tool's tip needs over a shape, and their exact heights.
func (s *Shape) Grid(tool Tool, step float64) grid.Grid {
	margin := tool.Radius + 4*step
	size := s.High.Sub(s.Low)
	return grid.Grid{X: s.Low.X - margin, Y: s.Low.Y - margin, Step: step, Width: int((size.X+2*margin)/step) + 2,
		Height: int((size.Y+2*margin)/step) + 2}
}

// Places are the exact places of a tip over a grid.
type Places struct {
	grid grid.Grid
	At   []geom.Vec3 // Z is -Inf where the tool meets nothing
	tool Tool
}

// NewPlaces drops a tool over each cell.
func NewPlaces(ctx context.Context, over removal.Surface, s *Shape, tool Tool, step float64) (*Places, error) {
	g := s.Grid(tool, step)
	p := &Places{grid: g, At: make([]geom.Vec3, g.Len()), tool: tool}
	for k := range p.At {
		p.At[k] = geom.Vec3{X: g.X + float64(k%g.Width)*step, Y: g.Y + float64(k/g.Width)*step, Z: math.Inf(-1)}
	}
	z, err := over.Clearance(ctx, tool.Profile(), p.At)
	for k := range z {
		p.At[k].Z = z[k]
	}
	return p, err
}

// touching returns whether the tool touches a region of the same cells.
func (p *Places) touching(region []bool) []bool {
	g := p.grid
	out := make([]bool, g.Len())
	for j := 1; j+1 < g.Height; j++ {
		for i := 1; i+1 < g.Width; i++ {
			k := j*g.Width + i
			u := (p.At[k+1].Z - p.At[k-1].Z) / (2 * g.Step)
			v := (p.At[k+g.Width].Z - p.At[k-g.Width].Z) / (2 * g.Step)
			slope := math.Hypot(u, v)
			if !(slope < math.Tan(geom.Radians(88))) {
				continue
			}
			off := p.tool.Corner/math.Sqrt(1+slope*slope) + (p.tool.Radius-p.tool.Corner)/max(slope, 1e-9)
			x, y := i+int(math.Round(u*off/g.Step)), j+int(math.Round(v*off/g.Step))
			out[k] = x >= 0 && y >= 0 && x < g.Width && y < g.Height && region[y*g.Width+x]
		}
	}
	return out
}

// Parallel returns the passes of the peer: rows along X, apart from each other, where the tool touches a region. Moves
// between exact places are at most pitch (mm) long in the plane.
func (p *Places) Parallel(ctx context.Context, over removal.Surface, region []bool, apart, pitch float64) (
	rows [][]geom.Vec3, err error) {
	g := p.grid
	touch := p.touching(region)
	var all []geom.Vec3
	for y := g.Y; y < g.Y+float64(g.Height-1)*g.Step; y += apart {
		row := touch[int((y-g.Y)/g.Step+.5)*g.Width:][:g.Width]
		for i := 0; i < g.Width; i++ {
			start := i
			for i < g.Width && row[i] {
				i++
			}
			if i-start < 2 {
				continue
			}
			n := int(math.Ceil(float64(i-1-start) * g.Step / pitch))
			for s := range n + 1 {
				x := g.X + (float64(start)+float64((i-1-start)*s)/float64(n))*g.Step
				all = append(all, geom.Vec3{X: x, Y: y, Z: math.Inf(-1)})
			}
			rows = append(rows, all[len(all)-n-1:])
		}
	}
	z, err := over.Clearance(ctx, p.tool.Profile(), all)
	at := 0
	for k, row := range rows {
		rows[k] = make([]geom.Vec3, len(row))
		for i, q := range row {
			q.Z = z[at]
			rows[k][i] = q
			at++
		}
	}
	return rows, err
}
