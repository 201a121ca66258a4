//go:build gpu

package viewer

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	mostPieces  = 200_000 // of a surface, about; a mesh of more triangles has as many pieces as these
	acrossPart  = 120     // pieces along the diagonal of a part
	mapCells    = 256     // along the longer side of a map
	dexelCells  = 96      // along the longest side of a block
	pathRows    = 8       // of a tool's way over a part: each leaves a cusp, and a device has room for 8 spans on a ray
	blockMargin = 0.05    // of the diagonal of a part, around it within its block
)

// part is a mesh with what the kernels are asked about it.
type part struct {
	mesh       *mesh.Mesh
	box        geom.Box
	diagonal   float64      // mm
	corners    [][3]float32 // mm from the middle of the box, three for each piece of the surface
	samples    [][3]float32 // the middles of the pieces
	normals    [][3]float32
	directions []geom.Vec3 // unit vectors; first both ways along the axes
	tools      []millingTool
}

type millingTool struct {
	name    string
	profile toolprofile.Profile
}

func newPart(m *mesh.Mesh) (*part, error) {
	p := &part{mesh: m, box: m.Bounds()}
	if p.diagonal = p.box.Diagonal(); len(m.Triangles) == 0 || !(p.diagonal > 0) || math.IsInf(p.diagonal, 0) {
		return nil, errors.New("there is nothing to see: the mesh has no extent")
	}
	longest := max(p.diagonal/acrossPart, math.Sqrt(2*m.Area()/mostPieces))
	middle := p.box.Center()
	for i, t := range m.Triangles {
		if n := m.Normal(i); n != (geom.Vec3{}) {
			p.divide([3]geom.Vec3{
				m.Points[t[0]].Sub(middle), m.Points[t[1]].Sub(middle), m.Points[t[2]].Sub(middle),
			}, short(n), longest)
		}
	}
	p.directions = []geom.Vec3{{Z: 1}, {Z: -1}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}}
	p.directions = append(p.directions, solids.Spread(58)...)
	for _, share := range []float64{0.06, 0.16} { // of the diagonal, the diameter
		d, high := share*p.diagonal, 2*p.diagonal
		p.tools = append(p.tools,
			millingTool{fmt.Sprintf("ball nose ⌀ %.3g mm", d), toolprofile.EndMill(d, d/2, high)},
			millingTool{fmt.Sprintf("flat end mill ⌀ %.3g mm", d), toolprofile.EndMill(d, 0, high)},
			millingTool{fmt.Sprintf("bull nose ⌀ %.3g mm", d), toolprofile.EndMill(d, d/8, high)},
			millingTool{fmt.Sprintf("drill ⌀ %.3g mm, 90°", d), toolprofile.Drill(d, math.Pi/2, high)})
	}
	return p, nil
}

// steps returns the number of steps of a kernel.
func (p *part) steps(k Kernel) int {
	n := len(p.directions)
	return [...]int{Visibility: n, HeightMap: n, TipMap: len(p.tools), Dexels: pathRows}[k]
}

// divide appends a triangle in pieces whose sides are at most so long, by halving the longest side.
func (p *part) divide(t [3]geom.Vec3, normal [3]float32, longest float64) {
	at, most := 0, 0.0
	for i := range t {
		if l := t[i].Dist(t[(i+1)%3]); l > most {
			at, most = i, l
		}
	}
	a, b, c := t[at], t[(at+1)%3], t[(at+2)%3]
	if most > longest {
		m := a.Lerp(b, 0.5)
		p.divide([3]geom.Vec3{a, m, c}, normal, longest)
		p.divide([3]geom.Vec3{m, b, c}, normal, longest)
		return
	}
	p.corners = append(p.corners, short(a), short(b), short(c))
	p.samples = append(p.samples, short(a.Add(b).Add(c).Scale(1./3)))
	p.normals = append(p.normals, normal)
}

// short returns a vector as shaders take it.
func short(v geom.Vec3) [3]float32 { return [3]float32{float32(v.X), float32(v.Y), float32(v.Z)} }

// sight asks which pieces are visible along a direction.
func (p *part) sight(direction geom.Vec3) visibility.Input {
	const grazing = 1e-3 // cosine: walls along the direction are seen
	return visibility.Input{
		Points: p.mesh.Points, Triangles: p.mesh.Triangles, Origin: p.box.Center(),
		Samples: p.samples, Normals: p.normals, Grazing: grazing, Directions: []geom.Vec3{direction},
	}
}

// heights asks for the height map along a direction, of so many cells across the part and wider by margin (mm). The
// frame begins in the middle of the part; low and high (mm) are the part's there.
func (p *part) heights(direction geom.Vec3, cells int, margin float64) (in heightmap.Input, low, high float64) {
	f := geom.NewFrame(p.box.Center(), direction, geom.Vec3{})
	box := geom.EmptyBox()
	for _, q := range p.mesh.Points {
		box = box.Add(f.Local(q))
	}
	low, high = box.Min.Z, box.Max.Z
	box = box.Grow(margin)
	size := box.Size()
	step := max(size.X, size.Y, p.diagonal/1000) / float64(cells)
	const rim = 2 // cells, and no map is without cells
	g := grid.Grid{X: box.Min.X - step, Y: box.Min.Y - step, Step: step,
		Width: int(size.X/step) + 1 + rim, Height: int(size.Y/step) + 1 + rim}
	return heightmap.Input{Mesh: p.mesh, Frame: f, Grid: g}, low, high
}

// tips asks how low a tool may come over a height map.
func tips(from heightmap.Input, z []float32, t toolprofile.Profile) offsetheight.Input {
	return offsetheight.Input{Grid: from.Grid, Z: z, Sampling: from.Sampling, Tool: t}
}

// block is the material around the part, in which it lies with some room on all sides.
func (p *part) block() (*dexel.Stock, error) {
	box := p.box.Grow(blockMargin * p.diagonal)
	size := box.Size()
	l := dexel.Lattice{Origin: box.Min, Step: max(size.X, size.Y, size.Z) / dexelCells}
	for a, s := range [3]float64{size.X, size.Y, size.Z} {
		l.Count[a] = max(int(math.Round(s/l.Step)), 1)
	}
	return dexel.NewBlock(l, l.Box())
}

// path leads a tool over the part in so many rows along x, there and back, at the heights of its tip over in's grid.
// Where nothing is below it, the tool goes as deep as the part.
func (p *part) path(in heightmap.Input, tips []float32, rows int) []motion.Segment {
	g, box := in.Grid, p.box
	at := func(i, j int) geom.Vec3 {
		q := in.Frame.Point(geom.Vec3{X: g.X + float64(i)*g.Step, Y: g.Y + float64(j)*g.Step})
		q.Z = box.Min.Z
		if z := float64(tips[j*g.Width+i]); !math.IsInf(z, -1) {
			q.Z = max(q.Z, in.Frame.Origin.Z+z)
		}
		return q
	}
	var stops []geom.Vec3
	for r := range rows {
		j := (2*r + 1) * g.Height / (2 * pathRows)
		for i := range g.Width {
			if r%2 == 1 {
				i = g.Width - 1 - i
			}
			next, n := at(i, j), len(stops)
			if n > 1 && level(stops[n-2], stops[n-1], next) {
				stops[n-1] = next // one move over what is level
				continue
			}
			stops = append(stops, next)
		}
	}
	var moves []motion.Segment
	for i := 1; i < len(stops); i++ {
		moves = append(moves, motion.Segment{From: stops[i-1], To: stops[i]})
	}
	return moves
}

// level reports whether three stops of a row lie at one height.
func level(a, b, c geom.Vec3) bool { return a.Z == b.Z && b.Z == c.Z && a.Y == c.Y }
