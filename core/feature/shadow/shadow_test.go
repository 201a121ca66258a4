package shadow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// directions are the views of parts, along their axes and oblique.
var directions = []geom.Vec3{
	{Z: 1}, {Z: -1}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}, geom.Vec3{X: 1, Y: 2, Z: 3}.Unit(),
}

// sky computes by brute force the height of a part over a point of the plane, from the upward triangles.
type sky struct {
	mesh *mesh.Mesh
	f    geom.Frame
}

func (s *sky) top(p geom.Vec2) float64 {
	best := math.Inf(-1)
	flat := func(q geom.Vec3) geom.Vec2 { return geom.Vec2{X: q.X - p.X, Y: q.Y - p.Y} }
	for _, t := range s.mesh.Triangles {
		a, b, c := s.f.Local(s.mesh.Points[t[0]]), s.f.Local(s.mesh.Points[t[1]]), s.f.Local(s.mesh.Points[t[2]])
		u, v, w := flat(b).Cross(flat(c)), flat(c).Cross(flat(a)), flat(a).Cross(flat(b))
		if sum := u + v + w; sum > 0 && u >= 0 && v >= 0 && w >= 0 {
			best = max(best, (u*a.Z+v*b.Z+w*c.Z)/sum)
		}
	}
	return best
}

// chord (mm) is the deviation of the parts' meshes; samples nearer to the boundary are skipped.
const chord = 0.1

func TestShadowsAgainstTheMesh(t *testing.T) {
	for _, name := range featuretest.Names {
		if name == "sheet" || name == "bent_sheet" {
			continue // bound no material
		}
		t.Run(name, func(t *testing.T) {
			g := featuretest.Graph(t, name)
			samples := outline.Sample(g)
			random := rand.New(rand.NewPCG(1, 2))
			inside, outside := 0, 0
			for _, dir := range directions {
				frame := geom.NewFrame(geom.Vec3{X: 3, Y: -20, Z: 7}, dir, geom.Vec3{X: 2, Y: 1})
				s, err := shadow.New(g, samples, frame)
				if err != nil {
					t.Fatal(err)
				}
				brute := sky{g.Mesh, frame}
				var local []geom.Vec3
				for _, p := range g.Mesh.Points {
					local = append(local, brute.f.Local(p))
				}
				box := geom.BoxOf(local...)
				lo, hi := box.Min, box.Max
				for range 4 {
					z := lo.Z + (hi.Z-lo.Z)*random.Float64()
					a, err := above(s, z)
					if err != nil {
						t.Fatal(err)
					}
					for range 50 {
						p := geom.Vec2{X: lo.X + (hi.X-lo.X)*random.Float64(), Y: lo.Y + (hi.Y-lo.Y)*random.Float64()}
						if math.Abs(a.Distance(p)) < 2*chord || math.Abs(brute.top(p)-z) < 2*chord {
							continue
						}
						want := brute.top(p) > z
						if want {
							inside++
						} else {
							outside++
						}
						if got := a.Contains(p); got != want {
							t.Fatalf("along %v above %g, at %v: material %v, want %v; top %g, %g mm from the boundary",
								dir, z, p, got, want, brute.top(p), a.Distance(p))
						}
					}
				}
			}
			if inside < 20 || outside < 20 {
				t.Errorf("only %d places inside and %d outside were looked at", inside, outside)
			}
		})
	}
}

// Shadows bounded by lines and circles are exact.
func TestShadowOfAPlateWithHoles(t *testing.T) {
	g, exact := featuretest.Measured(t, "plate_holes")
	up := geom.Vec3{Z: 1}
	s, err := shadow.New(g, outline.Sample(g), geom.World)
	if err != nil {
		t.Fatal(err)
	}
	span := g.HeightsAlong(up).Whole()
	a, err := above(s, span.Hi-1.5e-4)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for p := range g.Patches {
		if q := []int32{int32(p)}; g.Facing(q[0], up) && g.Exact(q, up).Hi > span.Hi-geom.Resolution {
			for _, f := range g.Regions(q) {
				want += exact.Faces[f].Area
			}
		}
	}
	if math.Abs(a.Size()-want) > 1e-6*want {
		t.Errorf("the shadow of the top is %.9g mm², the face %.9g", a.Size(), want)
	}
	// Deeper down the countersink of 90°, which is 11.2 mm wide at the top, is cut at a circle.
	if a, err = above(s, span.Hi-1); err != nil {
		t.Fatal(err)
	}
	axis := geom.Vec2{X: 75, Y: 20}
	if got := -a.Distance(axis); math.Abs(got-4.6) > 1e-6 {
		t.Errorf("1 mm below the top the countersink has a radius of %.9g mm, want 4.6", got)
	}
	for _, l := range a.Loops() {
		if l.Winds(axis) && l.Area() < 0 && (len(l) != 1 || math.Abs(l[0].Turn+2*math.Pi) > 1e-9) {
			t.Errorf("it is no circle, but %v", l)
		}
	}
	if none, err := above(s, span.Hi); err != nil || !none.IsEmpty() {
		t.Errorf("there is %g mm² above the top (%v)", none.Size(), err)
	}
}

// An area that ends at walls is covered and stays behind them: holes across the direction do not extend beyond a plate.
func TestHolesStayBehindWalls(t *testing.T) {
	const chord = 0.5
	g := featuretest.Graph(t, "plate_holes")
	samples := outline.Sample(g)
	box := geom.BoxOf(g.Mesh.Points...)
	area := 0.0
	for _, dir := range directions[2:6] {
		frame := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{X: 2, Y: 1})
		s, err := shadow.New(g, samples, frame)
		if err != nil {
			t.Fatal(err)
		}
		span := g.HeightsAlong(dir).Whole()
		for share := 0.1; share < 1; share += 0.2 {
			z := span.Lo + share*span.Length()
			raw, err := s.Meshed(z, 0)
			if err != nil {
				t.Fatal(err)
			}
			bounded, err := s.Wide(z, chord)
			if err != nil {
				t.Fatal(err)
			}
			if lost, err := raw.Minus(bounded); err != nil || lost.Size() > 1e-6 { // all walls are flat
				t.Errorf("along %v above %g, %g mm² are not covered (%v)", dir, z, lost.Size(), err)
			}
			for _, l := range bounded.Loops() {
				for _, p := range l {
					if q := frame.Point(geom.Vec3{X: p.From.X, Y: p.From.Y, Z: z}); !box.Contains(q, 1e-6) {
						t.Errorf("along %v above %g, %v stands out of the plate", dir, z, q)
					}
				}
			}
			area += bounded.Size()
		}
	}
	if area < 100 {
		t.Errorf("only %g mm² were looked at", area)
	}
}

// Faces that end within the tolerance of the mesh below a height are covered like those that reach farther down.
func TestFacesThatEndBelowAHeight(t *testing.T) {
	const chord, margin = 0.2, 0.1 // larger than the deviation of the mesh from round walls
	cases := 0
	for _, name := range []string{"plate_holes", "slotted_rod"} {
		g := featuretest.Graph(t, name)
		samples := outline.Sample(g)
		for _, dir := range directions {
			frame := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{X: 2, Y: 1})
			s, err := shadow.New(g, samples, frame)
			if err != nil {
				t.Fatal(err)
			}
			heights := g.HeightsAlong(dir)
			for p := range g.Patches {
				z := heights.Of(int32(p)).Lo + chord/2
				raw, err := s.Meshed(z, 0)
				if err != nil {
					t.Fatal(err)
				}
				wide, err := s.Wide(z, chord)
				if err != nil {
					t.Fatal(err)
				}
				exact, err := s.Exact(z)
				if err != nil {
					t.Fatal(err)
				}
				lost, err := raw.Minus(wide, exact)
				if err != nil {
					t.Fatal(err)
				}
				if lost, err = lost.Offset(-margin); err != nil || !lost.IsEmpty() {
					t.Errorf("%s along %v above %g: %g mm² are not covered (%v)", name, dir, z, lost.Size(), err)
				}
				if !raw.IsEmpty() {
					cases++
				}
			}
		}
	}
	if cases < 10 {
		t.Errorf("only %d heights were looked at", cases)
	}
}

// above returns the shadow of the material above a height, mm.
func above(s *shadow.Shadow, z float64) (*arcpoly.Area, error) {
	exact, err := s.Exact(z)
	if err != nil {
		return nil, err
	}
	meshed, err := s.Meshed(z, 0)
	if err != nil {
		return nil, err
	}
	return arcpoly.Union(exact, meshed)
}

// If a meshed area ends at a wall, its tag there is the wall, not the face itself.
func TestWallsBelowRoundFaces(t *testing.T) {
	g := featuretest.Graph(t, "cross_holes")
	samples := outline.Sample(g)
	sides := 0
	for _, dir := range directions[:6] {
		frame := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{X: 2, Y: 1})
		s, err := shadow.New(g, samples, frame)
		if err != nil {
			t.Fatal(err)
		}
		span := g.HeightsAlong(dir).Whole()
		for share := 0.1; share < 1; share += 0.2 {
			a, err := s.Wide(span.Lo+share*span.Length(), 0.1)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range a.Loops() {
				for _, p := range l {
					for _, x := range g.Patches[p.Tag].Arcs {
						q := g.Arcs[x].Other(p.Tag)
						wall := &g.Patches[q].Shape
						if wall.Kind != surface.KindPlane || math.Abs(wall.Axis.Dot(dir)) > 1e-9 {
							continue
						}
						off := func(at geom.Vec2) float64 {
							return math.Abs(wall.Axis.Dot(frame.Point(geom.Vec3{X: at.X, Y: at.Y}).Sub(wall.Origin)))
						}
						if off(p.From) < 1e-6 && off(p.To) < 1e-6 && p.Length() > 0.1 {
							t.Errorf("along %v %v is told to be of patch %d, along the wall %d", dir, p, p.Tag, q)
						}
					}
					if g.Patches[p.Tag].Kind == surface.KindPlane {
						sides++
					}
				}
			}
		}
	}
	if sides < 10 {
		t.Errorf("only %d sides are along walls", sides)
	}
}

// The enclosing area is wider than the mesh by its tolerance, except at walls.
func TestWideEndsAtWalls(t *testing.T) {
	g := featuretest.Graph(t, "slotted_rod")
	frame := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	s, err := shadow.New(g, outline.Sample(g), frame)
	if err != nil {
		t.Fatal(err)
	}
	for _, z := range []float64{-18, -11, -1, 5, 13} {
		a, err := s.Meshed(z, chord)
		if err != nil {
			t.Fatal(err)
		}
		wide, err := s.Wide(z, chord)
		if err != nil {
			t.Fatal(err)
		}
		span, across := geom.Interval{}, geom.Interval{}
		for _, l := range wide.Loops() {
			for _, p := range l {
				span = geom.Interval{Lo: min(span.Lo, p.From.X), Hi: max(span.Hi, p.From.X)}
				across = geom.Interval{Lo: min(across.Lo, p.From.Y), Hi: max(across.Hi, p.From.Y)}
			}
		}
		ends := g.HeightsAlong(geom.Vec3{X: 1}).Whole()
		if max(math.Abs(span.Lo-ends.Lo), math.Abs(span.Hi-ends.Hi)) > 1e-5 {
			t.Errorf("above %g it reaches from %g to %g, the rod from %g to %g", z, span.Lo, span.Hi, ends.Lo, ends.Hi)
		}
		if half := math.Sqrt(400 - max(z, 0)*max(z, 0)); across.Hi < half || across.Hi > half+3*chord {
			t.Errorf("above %g it is %g wide, the rod %g", z, across.Hi, half)
		}
		left, err := a.Minus(wide) // only the deviation of the mesh from round walls
		if err != nil {
			t.Fatal(err)
		}
		if left, err = left.Offset(-chord / 2); err != nil || !left.IsEmpty() {
			t.Errorf("above %g it misses %g mm² of the mesh (%v)", z, left.Size(), err)
		}
	}
}

// A fillet with half the radius of its corner is a torus whose tube touches its axis. Its part above a height follows
// from its circles, not from its mesh.
func TestFilletWithHalfTheCornerRadius(t *testing.T) {
	const fillet = 3.0
	bowl := []build.Corner{
		{P: geom.Vec2{Y: -5}}, {P: geom.Vec2{X: 10, Y: -5}}, {P: geom.Vec2{X: 10, Y: 10}}, {P: geom.Vec2{X: 2 * fillet, Y: 10}},
		{P: geom.Vec2{X: 2 * fillet, Y: fillet}, Bulge: build.Bulge(-math.Pi / 2)}, {P: geom.Vec2{X: fillet}}, {},
	}
	for _, style := range build.Styles() {
		m := build.Revolve("bowl", geom.World, bowl, style)
		r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.New(t.Context(), m, r.Mesh)
		if err != nil {
			t.Fatal(err)
		}
		s, err := shadow.New(g, outline.Sample(g), geom.World)
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range []float64{0.01, 0.5, 1.5, 2.9} {
			a, err := s.Exact(z)
			if err != nil {
				t.Fatal(err)
			}
			if wide, err := s.Wide(z, chord); err != nil || !wide.IsEmpty() {
				t.Errorf("%v: above %g something is taken from the mesh (%v)", style, z, err)
			}
			reach := fillet + math.Sqrt(fillet*fillet-(fillet-z)*(fillet-z))
			if d := -a.Distance(geom.Vec2{}); math.Abs(d-reach) > 1e-6 {
				t.Errorf("%v: above %g it begins %g from the axis, want %g", style, z, d, reach)
			}
		}
	}
}
