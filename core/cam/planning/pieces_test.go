package planning_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/mesh"
)

// designed are parts of featuretest with devices that are made for them.
var designed = []struct {
	part    string
	isLarge bool
	kind    planning.DeviceKind
}{
	{"bent_sheet", false, planning.DevicePlates},
	{"cross_link", false, planning.DeviceVise},
	{"eared_drum", true, planning.DeviceVise},
	{"notched_foot", false, planning.DeviceVise},
	{"relieved_rod", false, planning.DeviceVise},
	{"slotted_bar", false, planning.DeviceVise},
	{"stepped_disc", true, planning.DeviceVise},
	{"turned_part", true, planning.DeviceVise},
	{"cross_holes", false, planning.DeviceChuck},
	{"open_arc", false, planning.DeviceChuck},
	{"threaded_pin", false, planning.DeviceChuck},
}

// TestPiecesAgreeWithTheProof plans the parts, and compares the pieces with the part and with the boxes that the proof
// keeps tools out of.
func TestPiecesAgreeWithTheProof(t *testing.T) {
	for i, d := range designed {
		if testing.Short() && i > 0 {
			continue
		}
		t.Run(fmt.Sprintf("%s %v", d.part, d.isLarge), func(t *testing.T) {
			config := machining.BuiltInCutConfigs()[0]
			if d.isLarge {
				config = machining.BuiltInCutConfigs()[1]
			}
			in := input(t, d.part, config)
			plan, err := planning.Make(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for i := range plan.Setups {
				s := &plan.Setups[i]
				if s.Clamping.Device != d.kind {
					continue
				}
				for k := range s.Clamping.Pieces {
					found++
					p := &s.Clamping.Pieces[k]
					checkPiece(t, p)
					isClearOf(t, p, in.Run.Graph.Mesh, s)
					isWithinBoxes(t, p, s, in.Run.Graph.Mesh)
					touches(t, p, s, in.Run.Graph.Mesh)
				}
			}
			if found < 2 && (found < 1 || d.kind != planning.DeviceChuck) {
				t.Errorf("%d pieces of a %s", found, d.kind)
			}
		})
	}
}

// checkPiece checks that a piece is one solid with the volume of its layers.
func checkPiece(t *testing.T, p *fixture.Piece) {
	t.Helper()
	m, err := p.Solid()
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	of, err := mass.Compute(t.Context(), m)
	if bad := brep.Check(m); err != nil || len(bad) > 0 || math.Abs(of.Volume-p.Volume()) > 1e-6*p.Volume() {
		t.Fatalf("%s: %.9g mm³, want %.9g: %v, %v", p.Name, of.Volume, p.Volume(), err, bad)
	}
	n := 0
	for _, l := range p.Layers {
		for _, e := range l.Loops {
			n += len(e)
		}
	}
	t.Logf("%s: %.2f × %.2f × %.2f mm, %d layers, %d edges, %d holes", p.Name, p.Size.X, p.Size.Y, p.Size.Z, len(p.Layers), n,
		len(p.Holes))
}

// isClearOf checks that no point of the part is in a piece, beyond the accuracy of areas.
func isClearOf(t *testing.T, p *fixture.Piece, m *mesh.Mesh, s *planning.Setup) {
	t.Helper()
	const fine = 8
	areas := areasOf(t, p)
	worst := 0.0
	for _, k := range m.Triangles {
		a, b, c := m.Points[k[0]], m.Points[k[1]], m.Points[k[2]]
		for i := range fine + 1 {
			for j := range fine + 1 - i {
				at := a.Add(b.Sub(a).Scale(float64(i) / fine)).Add(c.Sub(a).Scale(float64(j) / fine))
				worst = max(worst, depthIn(p, areas, p.Frame.Local(s.Frame.Local(at))))
			}
		}
	}
	if worst > deep {
		t.Errorf("%s: the part is %.4f mm deep in it", p.Name, worst)
	}
}

func areasOf(t *testing.T, p *fixture.Piece) (areas []*arcpoly.Area) {
	t.Helper()
	for i := range p.Layers {
		a, err := arcpoly.New(p.Layers[i].Outline()...)
		if err != nil {
			t.Fatal(err)
		}
		areas = append(areas, a)
	}
	return areas
}

// deep (mm) is the accuracy of areas, and of heights that are rounded.
const deep = 2e-3

// depthIn returns how deep a point is in a piece, mm; not positive outside.
func depthIn(p *fixture.Piece, areas []*arcpoly.Area, at geom.Vec3) float64 {
	from := 0.0
	deepest := math.Inf(-1)
	for i := range p.Layers {
		top := p.Layers[i].Top
		up := math.Inf(1) // below a layer on this one
		if i == len(p.Layers)-1 || areas[i+1].Distance(geom.Vec2{X: at.X, Y: at.Y}) <= deep {
			up = top - at.Z
		}
		if at.Z >= from && at.Z <= top {
			deepest = max(deepest, min(areas[i].Distance(geom.Vec2{X: at.X, Y: at.Y}), up))
		}
		from = top
	}
	return deepest
}

// isWithinBoxes checks that the boxes of the proof contain a piece, up to their rows.
func isWithinBoxes(t *testing.T, p *fixture.Piece, s *planning.Setup, m *mesh.Mesh) {
	t.Helper()
	const rows, chuckRows, steps = 64, 32, 20
	size := geom.EmptyBox()
	for _, v := range m.Points {
		size = size.Add(s.Frame.Local(v))
	}
	row := max(size.Size().X, size.Size().Y) / rows
	if s.Clamping.Device == planning.DeviceChuck {
		for _, b := range s.Clamping.Solid {
			row = max(row, max(b.Size().X, b.Size().Y)/chuckRows)
		}
	}
	worst := 0.0
	from := 0.0
	for i := range p.Layers {
		z := (from + p.Layers[i].Top) / 2
		if i < len(p.Layers)-1 {
			from = p.Layers[i].Top
			continue // under the part, with a gap for tools
		}
		for _, l := range p.Layers[i].Outline() {
			for _, e := range l {
				for k := range steps {
					at := e.At((float64(k) + 0.5) / steps)
					v, near := p.Frame.Point(geom.Vec3{X: at.X, Y: at.Y, Z: z}), math.Inf(1)
					for _, b := range s.Clamping.Solid {
						near = min(near, distance(b, v))
					}
					worst = max(worst, near)
				}
			}
		}
		from = p.Layers[i].Top
	}
	if worst > row+0.3 {
		t.Errorf("%s reaches %.3f mm beyond the boxes of the proof, more than a row of %.3f mm", p.Name, worst, row)
	}
}

// distance returns the distance of a point from a box, mm.
func distance(b geom.Box, at geom.Vec3) float64 {
	out := geom.Vec3{}
	for axis := range 3 {
		x := at.Coordinate(axis)
		out.SetCoordinate(axis, max(b.Min.Coordinate(axis)-x, x-b.Max.Coordinate(axis), 0))
	}
	return out.Norm()
}

// touches checks that a jaw or plate still touches the part over most of the length that its statics count on: reliefs
// take some.
func touches(t *testing.T, p *fixture.Piece, s *planning.Setup, m *mesh.Mesh) {
	t.Helper()
	if s.Clamping.Device == planning.DeviceChuck || p.Name == "base" {
		return
	}
	const near, steps = 0.1, 50 // mm: the mesh is as far off, gaps are wider
	top := len(p.Layers) - 1
	z := p.Layers[top].Top - s.Clamping.Hold.Depth/2
	var lines [][2]geom.Vec2 // section of the mesh
	for _, k := range m.Triangles {
		var at []geom.Vec2
		for i := range 3 {
			a := p.Frame.Local(s.Frame.Local(m.Points[k[i]]))
			b := p.Frame.Local(s.Frame.Local(m.Points[k[(i+1)%3]]))
			if (a.Z < z) != (b.Z < z) {
				c := a.Lerp(b, (z-a.Z)/(b.Z-a.Z))
				at = append(at, geom.Vec2{X: c.X, Y: c.Y})
			}
		}
		if len(at) == 2 {
			lines = append(lines, [2]geom.Vec2{at[0], at[1]})
		}
	}
	long := geom.Vec2{}
	for _, l := range p.Layers[top].Outline() {
		for _, e := range l {
			for k := range steps {
				at := e.At((float64(k) + 0.5) / steps)
				if slices.ContainsFunc(lines, func(l [2]geom.Vec2) bool {
					s := planar.NewLine(l[0], l[1])
					return s.Distance(at) <= near
				}) {
					d := e.At(float64(k+1) / steps).Sub(e.At(float64(k) / steps))
					long.X, long.Y = long.X+math.Abs(d.X), long.Y+math.Abs(d.Y)
				}
			}
		}
	}
	if max(long.X, long.Y) < 0.75*s.Clamping.Hold.Length {
		t.Errorf("%s touches over %v mm, the grip counts on %.1f", p.Name, long, s.Clamping.Hold.Length)
	}
	t.Logf("%s touches over %.1f and %.1f mm, the grip counts on %.1f", p.Name, long.X, long.Y, s.Clamping.Hold.Length)
}
