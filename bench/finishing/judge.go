package finishing

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// Tool is a ball or bull nose end mill.
type Tool struct{ Radius, Corner float64 } // mm

// Profile returns the outline of the cutting part.
func (t Tool) Profile() toolprofile.Profile {
	const length = 60
	return toolprofile.EndMill(2*t.Radius, t.Corner, length)
}

// Result is the deviation of a machined surface from the part, in µm along its normal.
type Result struct {
	P50, P90, P99, Max float64
	Over               float64 // share of the surface with more than 1.1 times the cusp asked
	Gouge              float64 // the deepest cut, not positive
	Rest               float64 // share of the surface that no place of the tool reaches; it counts nowhere else
	Uncovered          float64 // share that no pass passed over
}

// Judge holds the surface of a shape, at points apart from each other, to passes.
//
// Method: the tool is swept along the passes in small steps over a fine grid. What it leaves over a cell, less the
// height of the part, times the cosine of the slope, is the deviation. Left out are cells beside edges of the part, and
// cells that the tool does not reach from all places where it rests on the part.
type Judge struct {
	tool  Tool
	grid  grid.Grid
	part  []float32
	cos   []float64
	asked []bool
}

const (
	judgeCell = 0.06 // mm
	stride    = 0.08 // mm, of the sweep
)

// Region returns the cells of a grid, with the heights of the part, that are to be finished.
func (s *Shape) Region(g grid.Grid, heights []float32) []bool {
	out := make([]bool, g.Len())
	for k, cos := range cosines(g, heights) {
		x, y := g.X+float64(k%g.Width)*g.Step, g.Y+float64(k/g.Width)*g.Step
		const flat = 0.99996 // of 0.5°
		out[k] = cos > 0 && (s.Flats || cos < flat) && x >= s.Low.X && x <= s.High.X && y >= s.Low.Y && y <= s.High.Y
	}
	return out
}

// cosines returns the cosine of the slope of the part, by differences to both sides or to the one where the part is; 0
// where there is none.
func cosines(g grid.Grid, z []float32) []float64 {
	slope := func(k, by int) float64 {
		back, ahead := float64(z[k]-z[k-by]), float64(z[k+by]-z[k])
		switch {
		case math.IsInf(back, 0):
			return ahead / g.Step
		case math.IsInf(ahead, 0):
			return back / g.Step
		}
		return (back + ahead) / (2 * g.Step)
	}
	out := make([]float64, g.Len())
	for j := 1; j+1 < g.Height; j++ {
		for i := 1; i+1 < g.Width; i++ {
			k := j*g.Width + i
			p, q := slope(k, 1), slope(k, g.Width)
			if c := 1 / math.Sqrt(1+p*p+q*q); !math.IsNaN(c) {
				out[k] = c
			}
		}
	}
	return out
}

// NewJudge returns the judge of a shape. tips are the exact places of the tip on it.
func NewJudge(ctx context.Context, on *compute.Engine, s *Shape, tool Tool, scallop float64, tips []geom.Vec3) (*Judge,
	error) {
	size := s.High.Sub(s.Low)
	g := grid.Grid{X: s.Low.X, Y: s.Low.Y, Step: judgeCell, Width: int(size.X/judgeCell) + 1,
		Height: int(size.Y/judgeCell) + 1}
	z, err := on.Heights(ctx, s.Mesh, geom.World, g)
	if err != nil {
		return nil, err
	}
	j := &Judge{tool: tool, grid: g, part: z, cos: cosines(g, z)}
	j.asked = s.Region(g, z)
	const crease = 0.15 // of a cell: the bend along the normal from which on a cell counts as an edge
	bend := func(k, by int) float64 { return math.Abs(float64(z[k+by]) - 2*float64(z[k]) + float64(z[k-by])) }
	for k, asked := range j.asked {
		j.asked[k] = asked && (bend(k, 1)+bend(k, g.Width))*j.cos[k] < crease*judgeCell
	}
	ideal := j.envelope()
	for _, at := range tips {
		j.stamp(ideal, at)
	}
	for k := range ideal {
		if j.asked[k] && (ideal[k]-float64(z[k]))*j.cos[k] > scallop/2 {
			j.part[k] = grid.Nothing // named rest
		}
	}
	return j, nil
}

func (j *Judge) envelope() []float64 {
	out := make([]float64, j.grid.Len())
	for k := range out {
		out[k] = math.Inf(1)
	}
	return out
}

// stamp lowers an envelope to the tool with its tip at a place.
func (j *Judge) stamp(left []float64, at geom.Vec3) {
	g, flat := j.grid, j.tool.Radius-j.tool.Corner
	r, c := j.tool.Radius, j.tool.Corner
	y0, y1 := max(int(math.Ceil((at.Y-r-g.Y)/g.Step)), 0), min(int((at.Y+r-g.Y)/g.Step), g.Height-1)
	for y := y0; y <= y1; y++ {
		dy := g.Y + float64(y)*g.Step - at.Y
		half := math.Sqrt(max(r*r-dy*dy, 0))
		x0, x1 := max(int(math.Ceil((at.X-half-g.X)/g.Step)), 0), min(int((at.X+half-g.X)/g.Step), g.Width-1)
		row := left[y*g.Width:]
		for x := x0; x <= x1; x++ {
			dx := g.X + float64(x)*g.Step - at.X
			d2 := dx*dx + dy*dy
			if flat > 0 {
				d := max(math.Sqrt(d2)-flat, 0)
				d2 = d * d
			}
			row[x] = min(row[x], at.Z+c-math.Sqrt(max(c*c-d2, 0)))
		}
	}
}

// Result returns the deviation that passes leave.
func (j *Judge) Result(passes [][]geom.Vec3, scallop float64) (r Result) {
	left := j.envelope()
	for _, l := range passes {
		for i := range l {
			if i > 0 {
				n := int(math.Ceil(l[i].Dist(l[i-1]) / stride))
				for s := 1; s < n; s++ {
					j.stamp(left, l[i-1].Lerp(l[i], float64(s)/float64(n)))
				}
			}
			j.stamp(left, l[i])
		}
	}
	var off []float64
	asked, rest, over, uncovered := 0.0, 0.0, 0.0, 0.0
	for k, ok := range j.asked {
		if !ok {
			continue
		}
		asked++
		if j.part[k] == grid.Nothing {
			rest++
			continue
		}
		d := (left[k] - float64(j.part[k])) * j.cos[k]
		off = append(off, d)
		if d > 1.1*scallop {
			over++
		}
		if math.IsInf(d, 1) {
			uncovered++
		}
		r.Gouge = min(r.Gouge, 1000*d)
	}
	if len(off) == 0 {
		return r
	}
	slices.Sort(off)
	n := float64(len(off))
	at := func(share float64) float64 { return 1000 * off[int(share*(n-1))] }
	r.P50, r.P90, r.P99, r.Max = at(.5), at(.9), at(.99), at(1)
	r.Over, r.Uncovered, r.Rest = over/n, uncovered/n, rest/asked
	return r
}
