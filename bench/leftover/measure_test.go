package leftover_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func meshOf(t *testing.T, m *brep.Model) *mesh.Mesh {
	t.Helper()
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: 0.003, Runner: compute.OnCPU(0)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Mesh
}

// faceAt is the face of a mesh that has a triangle with a normal around a place.
func faceAt(t *testing.T, m *mesh.Mesh, normal, place geom.Vec3) int {
	t.Helper()
	for face, r := range m.Regions {
		for i, v := range r.Vertices {
			if r.Normals[i].Dot(normal) > 0.999 && math.Abs(m.Points[v].Sub(place).Dot(normal)) < 1e-6 {
				return face
			}
		}
	}
	t.Fatalf("no face with normal %v at %v", normal, place)
	return 0
}

// machine is a program in the making. Its stock is in the frame of the first setup.
type machine struct {
	program replay.Program
	at      geom.Vec3
}

func newMachine(min, max geom.Vec3, tools ...replay.Shape) *machine {
	m := &machine{program: replay.Program{Stock: geom.Box{Min: min, Max: max}, Tools: map[int]replay.Tool{}}}
	for i, s := range tools {
		m.program.Tools[i+1] = s.Body()
	}
	return m
}

func (m *machine) setup(origin, z, x geom.Vec3) {
	m.program.Setups = append(m.program.Setups, replay.Setup{Origin: origin, Z: z, X: x})
}

func (m *machine) move(v replay.Move) {
	s := &m.program.Setups[len(m.program.Setups)-1]
	s.Moves = append(s.Moves, v)
	m.at = v.To
}

// cut goes to the first place at rapid speed and to the others cutting.
func (m *machine) cut(tool int, places ...geom.Vec3) {
	m.move(replay.Move{Tool: tool, Rapid: true, To: places[0]})
	for _, p := range places[1:] {
		m.move(replay.Move{Tool: tool, To: p})
	}
}

func (m *machine) measured(t *testing.T, part *mesh.Mesh) *leftover.Result {
	t.Helper()
	r, err := leftover.Measure(t.Context(), &m.program, part)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// about fails unless a figure is within a bound of the expected value.
func about(t *testing.T, what string, got, want, bound float64) {
	t.Helper()
	if math.Abs(got-want) > bound {
		t.Errorf("%s is %.4f, want %.4f within %.4f", what, got, want, bound)
	}
}

var (
	up    = geom.Vec3{Z: 1}
	right = geom.Vec3{X: 1}
)

func mill(d float64) replay.Shape {
	return replay.Shape{Kind: "flatEndMill", Diameter: d, FluteLength: 40, ShankDiameter: d, Stickout: 60}
}

// share sums the shares of all pieces on one face alone.
func share(r *leftover.Result, face int) (out leftover.Share) {
	for _, p := range r.Pieces {
		for _, s := range p.Shares {
			if slices.Equal(s.Faces, []int{face}) {
				out.Volume += s.Volume
				out.Height = max(out.Height, s.Height)
			}
		}
	}
	return out
}

// Skins on a top and on a side are seen with their own heights.
func TestSkins(t *testing.T) {
	part := meshOf(t, build.Box(geom.Vec3{X: 40, Y: 20, Z: 5}))
	top := faceAt(t, part, up, geom.Vec3{Z: 5})
	side := faceAt(t, part, geom.Vec3{Y: -1}, geom.Vec3{})
	for _, skin := range []struct{ top, side float64 }{{0.1, 0.3}, {0.2, 0.1}, {0.3, 0.03}, {0.01, 0.15}} {
		m := newMachine(geom.Vec3{Y: -2}, geom.Vec3{X: 40, Y: 20, Z: 7}, mill(50), mill(10))
		m.setup(geom.Vec3{}, up, right)
		m.cut(1, geom.Vec3{X: -30, Y: 10, Z: 5 + skin.top}, geom.Vec3{X: 70, Y: 10, Z: 5 + skin.top})
		m.cut(2, geom.Vec3{X: -10, Y: -5 - skin.side}, geom.Vec3{X: 50, Y: -5 - skin.side})
		r := m.measured(t, part)
		over, beside := share(r, top), share(r, side)
		if skin.top < leftover.Film {
			about(t, "volume of a film", over.Volume, 0, 1e-9)
		} else {
			about(t, "volume on top", over.Volume, 40*20*skin.top, 0.01*40*20*skin.top)
			about(t, "height on top", over.Height, skin.top, 0.001)
		}
		about(t, "volume on the side", beside.Volume, 40*5*skin.side, 0.01*40*5*skin.side)
		about(t, "height on the side", beside.Height, skin.side, 0.001)
		if len(r.Pieces) != 1 {
			t.Errorf("%v: %d pieces, want 1: %+v", skin, len(r.Pieces), r.Pieces)
		}
	}
}

// A hole of 3 mm in a plate of 300 mm is not lost.
func TestASmallHoleInALargePlate(t *testing.T) {
	part := meshOf(t, build.Plate(geom.Vec3{X: 300, Y: 200, Z: 8}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 211.3, Y: 47.7}, Profile: build.Through(3, 8)}))
	m := newMachine(geom.Vec3{}, geom.Vec3{X: 300, Y: 200, Z: 8}, mill(6))
	m.setup(geom.Vec3{}, up, right)
	r := m.measured(t, part)
	if len(r.Pieces) != 1 {
		t.Fatalf("%d pieces, want 1", len(r.Pieces))
	}
	p := r.Pieces[0]
	about(t, "volume", p.Volume, math.Pi*1.5*1.5*8, 0.01*math.Pi*1.5*1.5*8)
	about(t, "height", p.Height, 1.5, 0.02)
	if len(p.Shares) != 1 || len(p.Shares[0].Faces) != 1 {
		t.Errorf("shares %+v, want the wall alone", p.Shares)
	}
	if p.Change > 0.02 {
		t.Errorf("the last halving changed the volume by %.3f", p.Change)
	}
}

// slot is a block of 30 × 20 × 10 with an open slot from x = 10 to 20 with its floor at z = 4 and its end at
// y = 5.
func slot(t *testing.T) *mesh.Mesh {
	return meshOf(t, build.Blocks("slot", build.Add(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10}),
		build.Subtract(geom.Vec3{X: 10, Y: 5, Z: 4}, geom.Vec3{X: 20, Y: 20, Z: 10})))
}

// TestCornersOfASlot checks that the rest material of a round tool in a slot's corners is the area of a square less its
// circle.
func TestCornersOfASlot(t *testing.T) {
	part := slot(t)
	m := newMachine(geom.Vec3{Z: -10}, geom.Vec3{X: 20, Y: 30}, mill(8))
	m.setup(geom.Vec3{X: 30, Z: 10}, up, geom.Vec3{Y: 1}) // X along y, Y against x
	level := func(y, x float64) geom.Vec3 { return geom.Vec3{X: y, Y: 30 - x, Z: -6} }
	m.cut(1, level(30, 14), level(9, 14), level(9, 16), level(30, 16))
	r := m.measured(t, part)
	if len(r.Pieces) != 2 {
		t.Fatalf("%d pieces, want 2: %+v", len(r.Pieces), r.Pieces)
	}
	want := (1 - math.Pi/4) * 4 * 4 * 6
	for _, p := range r.Pieces {
		about(t, "volume", p.Volume, want, 0.02*want)
		about(t, "height", p.Height, 4*(1-1/math.Sqrt2), 0.1)
		if p.At.Y > 9 || math.Abs(p.At.X-15) < 1 || p.Change > 0.02 {
			t.Errorf("piece %+v", p)
		}
	}
}

// A slot that is cut from above to half its depth, and from its open end by a helix and a pocket, has nothing
// left but the corners at the floor that the second setup cannot make.
func TestSetupsAlongOtherAxes(t *testing.T) {
	part := slot(t)
	m := newMachine(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10}, mill(8), mill(4))
	m.setup(geom.Vec3{}, up, right)
	level := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	m.cut(1, level(14, 30, 7), level(14, 9, 7), level(16, 9, 7), level(16, 30, 7))
	m.setup(geom.Vec3{Y: 20}, geom.Vec3{Y: 1}, right) // X along x, Y against z, Z along y: the floor is at Y = -4
	m.at = geom.Vec3{X: 16, Y: -8, Z: 1}
	m.move(replay.Move{Tool: 2, Rapid: true, To: m.at})
	m.move(replay.Move{Tool: 2, To: level(16, -8, -15), Center: geom.Vec2{X: 15, Y: -8}, Turn: 2 * math.Pi * 16})
	z := -15.0
	m.cut(2, level(12, -6, z), level(18, -6, z), level(18, -8, z), level(12, -8, z), level(12, -6, z),
		level(12, -12, z), level(18, -12, z), level(18, -6, z))
	r := m.measured(t, part)
	want := (1 - math.Pi/4) * 2 * 2 * 15
	if len(r.Pieces) != 2 {
		t.Fatalf("%d pieces, want 2: %+v", len(r.Pieces), r.Pieces)
	}
	for _, p := range r.Pieces {
		about(t, "volume", p.Volume, want, 0.02*want)
		if math.Abs(p.At.Z-4) > 1 {
			t.Errorf("a piece is at %v, want it at the floor", p.At)
		}
	}
	about(t, "made", r.MadeShare(), 1-2*want/(10*15*6), 0.001)
}

func TestSetupsAskewAreRefused(t *testing.T) {
	m := newMachine(geom.Vec3{}, geom.Vec3{X: 30, Y: 20, Z: 10}, mill(8))
	m.setup(geom.Vec3{}, up, right)
	m.setup(geom.Vec3{}, geom.Vec3{Y: 1, Z: 1}, right)
	if _, err := leftover.Measure(t.Context(), &m.program, slot(t)); err == nil {
		t.Error("a setup askew to the first is played")
	}
}
