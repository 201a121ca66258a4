package verify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/removal"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
	"millwright.dev/millwright/core/parallel"
)

// Prediction of the material that a plan leaves, by the reach of its tools, before there are paths.
//
// Method: part and stock are cells. A milling operation removes all cells above the closing of the height field of the
// part by the disc of its tool (J. Serra, Image Analysis and Mathematical Morphology, 1982): no disc enters a narrower
// space. Holes are cylinders, facing is a plane, and planned chamfers count as made. The remaining cells belong to the
// nearest face, and are compared with the plan's unmachinable entries.
//
// A tool does not go where its shank or holder would touch the part.
//
// Bounds: material thinner than a cell is not seen, so volumes of corners and chamfers are rough. The planner handles
// jaws and links, and its heights are taken as they are.

// predictedCells is the number of cells along the longest side of the stock, mostDisc the largest radius of a tool in
// cells.
const predictedCells, mostDisc = 64, 40

// prediction is the state of a plan's simulation on cells.
type prediction struct {
	plan   *planning.Plan
	grid   dexel.Lattice // of the workpiece frame
	part   []bool        // by cell
	left   []bool        // stock that is not part
	finder *nearest.Finder
	near   []int // by cell: the nearest region, -2 while unknown

	expected *expectation
}

// Predict returns the account of the material that the plan should leave on a part, whose mesh is in the part frame.
func Predict(
	ctx context.Context, p *planning.Plan, part *mesh.Mesh, mill removal.Simulator, f Facts,
) (*completeness.Account, error) {
	in := inFrame(part, p.Workpiece)
	grid := latticeOver(p.Stock, predictedCells)
	raw, err := p.Raw(grid)
	if err != nil {
		return nil, fmt.Errorf("predict: %w", err)
	}
	solid, err := mill.Dexelize(ctx, in, grid)
	if err != nil {
		return nil, fmt.Errorf("predict: %w", err)
	}
	n := grid.Count[0] * grid.Count[1] * grid.Count[2]
	s := &prediction{plan: p, grid: grid, part: make([]bool, n), left: make([]bool, n), finder: nearest.New(in),
		near: make([]int, n)}
	for i := range s.near {
		s.near[i] = -2
	}
	s.expected = newExpectation(p, s.finder, max(len(part.Regions), 1))
	s.expected.edges = &brokenEdges{}
	s.fill(raw, s.left)
	s.fill(solid, s.part)
	for i, is := range s.part {
		s.left[i] = s.left[i] && !is
	}
	for i := range p.Setups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.setup(&p.Setups[i])
	}
	pieces, err := s.pieces(ctx)
	if err != nil {
		return nil, err
	}
	t := settlement{plan: p, pieces: pieces, facts: f}
	return completeness.New(completeness.Predicted, t.entries(), f.Removable, f.Area), nil
}

// cell returns the index of a cell.
func (s *prediction) cell(at [3]int) int {
	return (at[2]*s.grid.Count[1]+at[1])*s.grid.Count[0] + at[0]
}

// center returns the center of a cell along an axis, in the workpiece frame.
func (s *prediction) center(axis, i int) float64 {
	return s.grid.Origin.Coordinate(axis) + (float64(i)+0.5)*s.grid.Step
}

// fill marks the cells whose centers a body encloses.
func (s *prediction) fill(body *dexel.Stock, in []bool) {
	const z = 2
	for j := range s.grid.Count[1] {
		for i := range s.grid.Count[0] {
			for _, g := range body.Ray(z, i, j) {
				lo, hi := dexel.Cells(float64(g.Lo), float64(g.Hi), s.grid.Step, 0, s.grid.Count[z])
				for k := lo; k < hi; k++ {
					in[s.cell([3]int{i, j, k})] = true
				}
			}
		}
	}
}

// view is the part along the direction of a setup: columns of cells, and the height of the part in each (mm, along the
// direction in the workpiece frame).
type view struct {
	*prediction
	frame        geom.Frame // of the setup, relative to the workpiece
	axis         int
	sign         float64
	a, b         int // axes across
	heights      []float64
	closedBefore map[int][]float64 // by tool
}

// setup removes the material within reach of the operations of a setup.
func (s *prediction) setup(setup *planning.Setup) {
	v := &view{prediction: s, frame: compose(s.plan.Workpiece, setup.Frame), closedBefore: map[int][]float64{}}
	v.axis = dexel.Along(v.frame.Z)
	v.a, v.b = dexel.Side(v.axis)
	v.sign = math.Copysign(1, v.frame.Z.Coordinate(v.axis))
	v.heights = make([]float64, s.grid.Count[v.a]*s.grid.Count[v.b])
	for c := range v.heights {
		v.heights[c] = math.Inf(-1)
		for k := range s.grid.Count[v.axis] {
			if s.part[v.at(c, k)] {
				v.heights[c] = max(v.heights[c], v.sign*(s.center(v.axis, k))+s.grid.Step/2)
			}
		}
	}
	for i := range setup.Operations {
		v.operate(&setup.Operations[i])
	}
}

// at returns the index of cell k of a column.
func (v *view) at(column, k int) int {
	var at [3]int
	at[v.a], at[v.b], at[v.axis] = column%v.grid.Count[v.a], column/v.grid.Count[v.a], k
	return v.cell(at)
}

// operate removes the material within reach of an operation.
func (v *view) operate(o *planning.Operation) {
	zero := v.sign * v.frame.Origin.Coordinate(v.axis)
	low := zero + o.Bottom
	switch {
	case len(o.Holes) > 0:
		for i := range o.Holes {
			v.bore(&o.Holes[i])
		}
	case o.Strategy == planning.BreakEdges: // the part is drawn with sharp edges
	case o.Strategy == planning.Chamfer, o.Strategy == planning.Surface, o.Channel != nil:
		v.takeBeside(o.Regions)
	case o.Strategy == planning.Face:
		v.takeAbove(func(int) float64 { return low }, nil)
	default:
		closed := v.closing(o.Tool)
		stays := v.stairs(o, zero+o.Top, low, closed)
		if len(o.Beside) > 0 {
			stays = v.spared(o, stays)
		}
		if len(o.Regions) > 0 { // it finishes these
			stays = func(_, cell int, _ float64) bool { return !slices.Contains(o.Regions, v.nearest(cell)) }
		}
		v.takeAbove(func(c int) float64 { return max(low, closed[c]) }, stays)
	}
}

// stairs reports whether a cell stays between the levels of an operation: beside faces that nothing finishes.
func (v *view) stairs(o *planning.Operation, top, low float64,
	closed []float64,
) func(column, cell int, z float64) bool {
	step := o.Cutting.Axial.Value
	return func(column, cell int, z float64) bool {
		if step <= 0 || closed[column] <= low+v.grid.Step || z > top-math.Floor((top-closed[column])/step)*step {
			return false
		}
		region := v.nearest(cell)
		return region >= 0 && v.expected.whole[region] != unexpected
	}
}

// spared extends a test for cells that stay by those next to features that the request excludes, beside which the
// operation does not clear.
func (v *view) spared(
	o *planning.Operation, stays func(column, cell int, z float64) bool,
) func(column, cell int, z float64) bool {
	excluded := map[int]bool{}
	for _, u := range v.plan.Unmachinable {
		for _, r := range u.Regions {
			excluded[r] = u.Reason == completeness.NotRequested && !slices.Contains(o.Beside, r)
		}
	}
	return func(column, cell int, z float64) bool {
		return excluded[v.nearest(cell)] || stays(column, cell, z)
	}
}

// takeAbove removes all cells above a height of each column, except the cells for which stays is true; nil: no
// exception.
func (v *view) takeAbove(height func(column int) float64, stays func(column, cell int, z float64) bool) {
	for c := range v.heights {
		low := height(c) - geom.Resolution
		for k := range v.grid.Count[v.axis] {
			z, i := v.sign*v.center(v.axis, k), v.at(c, k)
			if z > low && v.left[i] && (stays == nil || !stays(c, i, z)) {
				v.left[i] = false
			}
		}
	}
}

// bore removes the cells of a hole.
func (v *view) bore(h *planning.Hole) {
	axis := v.frame.Point(geom.Vec3{X: h.At.X, Y: h.At.Y})
	zero := v.sign * v.frame.Origin.Coordinate(v.axis)
	for c := range v.heights {
		dx := v.center(v.a, c%v.grid.Count[v.a]) - axis.Coordinate(v.a)
		dy := v.center(v.b, c/v.grid.Count[v.a]) - axis.Coordinate(v.b)
		if dx*dx+dy*dy > h.Diameter*h.Diameter/4 {
			continue
		}
		for k := range v.grid.Count[v.axis] {
			if z := v.sign*v.center(v.axis, k) - zero; z > h.Bottom && z < h.Top+v.grid.Step {
				v.left[v.at(c, k)] = false
			}
		}
	}
}

// takeBeside removes the cells that are nearest to some regions.
func (s *prediction) takeBeside(regions []int) {
	made := map[int]bool{}
	for _, r := range regions {
		made[r] = true
	}
	for i, is := range s.left {
		if is && made[s.nearest(i)] {
			s.left[i] = false
		}
	}
}

// nearest returns the region that is nearest to a cell.
func (s *prediction) nearest(i int) int {
	if s.near[i] == -2 {
		s.near[i] = s.finder.Nearest(s.point(i), nearest.Nowhere).Region
	}
	return s.near[i]
}

func (s *prediction) point(i int) geom.Vec3 {
	nx, ny := s.grid.Count[0], s.grid.Count[1]
	return geom.Vec3{X: s.center(0, i%nx), Y: s.center(1, i/nx%ny), Z: s.center(2, i/nx/ny)}
}

// closing returns the lowest heights that a tool reaches. These are the heights at which its disc, shank or holder
// would touch the part, eroded by the disc. The tool may be outside the grid.
func (v *view) closing(tool int) []float64 {
	if known := v.closedBefore[tool]; known != nil {
		return known
	}
	t := &v.plan.Tools[tool].Tool
	margin := v.cells(t.Diameter / 2)
	tip := v.dilation(margin, margin)
	body := t.Assembly()
	for i, piece := range body.Outline {
		radius, foot := max(piece.From.X, piece.To.X), min(piece.From.Y, piece.To.Y)
		if body.Zones[i] == toolprofile.Cutting || v.cells(radius) <= margin {
			continue
		}
		for c, z := range v.dilation(v.cells(radius), margin) {
			tip[c] = max(tip[c], z-foot-v.grid.Step/2) // the part may end half a cell lower
		}
	}
	nx, wide := v.grid.Count[v.a], v.grid.Count[v.a]+2*margin
	out, offsets := make([]float64, len(v.heights)), disc(margin)
	for c := range out {
		out[c] = math.Inf(1)
		for _, d := range offsets {
			out[c] = min(out[c], tip[(c/nx+margin+d[1])*wide+c%nx+margin+d[0]])
		}
	}
	v.closedBefore[tool] = out
	return out
}

// dilation returns the maximum height of the part within a radius (cells) of each column, and of each column in a
// margin (cells) around the grid.
func (v *view) dilation(radius, margin int) []float64 {
	nx, ny := v.grid.Count[v.a], v.grid.Count[v.b]
	wide, high := nx+2*margin, ny+2*margin
	out, offsets := slices.Repeat([]float64{math.Inf(-1)}, wide*high), disc(radius)
	for c, z := range v.heights {
		if math.IsInf(z, -1) {
			continue
		}
		for _, d := range offsets {
			if x, y := c%nx+margin+d[0], c/nx+margin+d[1]; x >= 0 && x < wide && y >= 0 && y < high {
				out[y*wide+x] = max(out[y*wide+x], z)
			}
		}
	}
	return out
}

// cells converts a length to whole cells, at most mostDisc.
func (v *view) cells(length float64) int { return min(int(length/v.grid.Step), mostDisc) }

// disc returns the cells within a radius of one.
func disc(radius int) (out [][2]int) {
	for y := -radius; y <= radius; y++ {
		for x := -radius; x <= radius; x++ {
			if x*x+y*y <= radius*radius {
				out = append(out, [2]int{x, y})
			}
		}
	}
	return out
}

// pieces adds up the cells that are left, by region and cause.
func (s *prediction) pieces(ctx context.Context) ([]completeness.Piece, error) {
	var cells []int
	for i, is := range s.left {
		if is {
			cells = append(cells, i)
		}
	}
	type found struct {
		contact nearest.Contact
		cause   int
	}
	list := make([]found, len(cells))
	err := parallel.For(ctx, len(cells), 256, func(n int) {
		p := s.point(cells[n])
		list[n].contact = s.finder.Nearest(p, nearest.Nowhere)
		list[n].cause = s.expected.cause(p, list[n].contact)
	})
	if err != nil {
		return nil, err
	}
	var out []completeness.Piece
	at := map[[2]int]int{}
	for n, f := range list {
		key := [2]int{f.contact.Region, f.cause}
		k, known := at[key]
		if !known {
			k = len(out)
			at[key], out = k, append(out, completeness.Piece{Region: key[0], Cause: key[1]})
		}
		p := &out[k]
		p.Volume += math.Pow(s.grid.Step, 3)
		if f.contact.Distance <= s.grid.Step {
			p.Area += s.grid.Step * s.grid.Step
		}
		if f.contact.Distance > p.Height {
			p.Height, p.At = f.contact.Distance, s.point(cells[n])
		}
	}
	return slices.DeleteFunc(out, func(p completeness.Piece) bool { // the raster
		return p.Cause == unexpected && p.Height <= s.grid.Step || isFinished(p)
	}), nil
}
