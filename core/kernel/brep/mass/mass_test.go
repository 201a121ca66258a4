package mass

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// solid is a test part with its measures in closed form.
type solid struct {
	name         string
	m            *brep.Model
	area, volume float64
	centroid     geom.Vec3
	box          geom.Box
}

func box(x0, y0, z0, x1, y1, z1 float64) geom.Box {
	return geom.Box{Min: geom.Vec3{X: x0, Y: y0, Z: z0}, Max: geom.Vec3{X: x1, Y: y1, Z: z1}}
}

func z(h float64) geom.Vec3 { return geom.Vec3{Z: h} }

// A circle of radius 2 about (1, 0) turned about the z axis: the skin is swept by the arc |v| < 2π/3,
// the spindle by the rest.
var (
	arc         = 2 * math.Pi / 3
	appleArea   = 2 * math.Pi * 2 * (2*arc + 2*2*math.Sin(arc))
	lemonArea   = 2 * math.Pi * 2 * (2*2*math.Sin(arc) - 2*(math.Pi-arc))
	appleVolume = turned(-arc, arc)
	lemonVolume = -turned(arc, 2*math.Pi-arc)
)

// turned is π∫r² dz along the circle from v = a to b: r = 1 + 2 cos v, dz = 2 cos v dv.
func turned(a, b float64) float64 {
	f := func(v float64) float64 { // of cos v·(1 + 4 cos v + 4 cos² v)
		s, c := math.Sincos(v)
		return s + 2*(v+s*c) + 4*(s-s*s*s/3)
	}
	return 2 * math.Pi * (f(b) - f(a))
}

func solids() []solid {
	const pi = math.Pi
	list := []solid{
		{"box", build.Box(geom.Vec3{X: 1, Y: 2, Z: 3}), 22, 6, geom.Vec3{X: 0.5, Y: 1, Z: 1.5},
			box(0, 0, 0, 1, 2, 3)},
		{"rounded", build.Prism("rounded", build.Rounded(20, 10, 2), 5, build.Style{}),
			2*(200-16+4*pi) + 5*(60-16+4*pi), 5 * (200 - 16 + 4*pi), geom.Vec3{X: 10, Y: 5, Z: 2.5},
			box(0, 0, 0, 20, 10, 5)},
	}
	for _, s := range build.Styles() {
		name := func(part string) string { return fmt.Sprintf("%s seams %d poles %d", part, s.Seams, s.Poles) }
		hole := build.Hole{Center: geom.Vec2{X: 4, Y: 5}, Profile: build.Blind(4, 3, pi/2)}
		drilled := pi * (4*3 + 4*2./3)
		list = append(list,
			solid{name("cylinder"), build.Cylinder(2, 5, s), 28 * pi, 20 * pi, z(2.5), box(-2, -2, 0, 2, 2, 5)},
			solid{name("cone"), build.Frustum(3, 0, 4, s), 24 * pi, 12 * pi, z(1), box(-3, -3, 0, 3, 3, 4)},
			solid{name("cone on its apex"), build.Frustum(0, 3, 4, s), 24 * pi, 12 * pi, z(3),
				box(-3, -3, 0, 3, 3, 4)},
			solid{name("frustum"), build.Frustum(4, 1, 4, s), 42 * pi, 28 * pi, z(27. / 21),
				box(-4, -4, 0, 4, 4, 4)},
			solid{name("tube"), build.Tube(1, 2, 3, s), 24 * pi, 9 * pi, z(1.5), box(-2, -2, 0, 2, 2, 3)},
			solid{name("sphere"), build.Sphere(2, s), 16 * pi, 32 * pi / 3, z(0), box(-2, -2, -2, 2, 2, 2)},
			solid{name("hemispheres"), build.Hemispheres(2, s), 16 * pi, 32 * pi / 3, z(0), box(-2, -2, -2, 2, 2, 2)},
			solid{name("apple"), build.Apple(1, 2, s), appleArea, appleVolume, z(0), box(-3, -3, -2, 3, 3, 2)},
			solid{name("lemon"), build.Lemon(1, 2, s), lemonArea, lemonVolume, z(0),
				box(-1, -1, -math.Sqrt(3), 1, 1, math.Sqrt(3))},
			solid{name("drilled plate"), build.Plate(geom.Vec3{X: 20, Y: 10, Z: 6}, s, hole),
				2*(200+120+60) - 4*pi + pi*4*3 + pi*4*math.Sqrt2, 1200 - drilled,
				geom.Vec3{X: 12000 - 4*drilled, Y: 6000 - 5*drilled,
					Z: 3600 - pi*4*3*4.5 - pi*4*2./3*2.5}.Scale(1 / (1200 - drilled)), box(0, 0, 0, 20, 10, 6)})
	}
	for form := range build.TorusForms {
		list = append(list, solid{fmt.Sprintf("torus %d", form), build.Torus(5, 2, form),
			40 * pi * pi, 40 * pi * pi, z(0), box(-7, -7, -2, 7, 7, 2)})
	}
	return list
}

// TestSpindleOfAWholeTorus measures a barrel, a zone of the spindle between two planes, whose torus does
// not say that it is a spindle.
func TestSpindleOfAWholeTorus(t *testing.T) {
	for _, style := range build.Styles() {
		m := build.Revolve("barrel", geom.World, []build.Corner{{P: geom.Vec2{Y: -1}},
			{P: geom.Vec2{X: math.Sqrt(3) - 1, Y: -1}, Bulge: build.Bulge(math.Pi / 3)},
			{P: geom.Vec2{X: math.Sqrt(3) - 1, Y: 1}}, {P: geom.Vec2{Y: 1}}}, style)
		want, err := Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		barrels := 0
		for i := range m.Faces {
			if s, ok := m.Faces[i].Surface.(surface.Torus); ok && s.Part == surface.Lemon {
				s.Part = surface.Whole
				m.Faces[i].Surface = s
				barrels++
			}
		}
		got, err := Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		// Of the circle of radius 2 about (-1, 0): 2π∫r ds.
		area := 2 * math.Pi * (2*2 - 2*math.Pi/3 + math.Pow(math.Sqrt(3)-1, 2))
		if barrels == 0 || off(got.Area, area) > 1e-9 || off(want.Area, area) > 1e-9 ||
			off(got.Volume, want.Volume) > 1e-9 {
			t.Errorf("%v: %d faces, area %g and volume %g, want %g and %g; as a spindle %g",
				style, barrels, got.Area, got.Volume, area, want.Volume, want.Area)
		}
	}
}

// off returns the relative error, or the absolute one where want is below one.
func off(got, want float64) float64 { return math.Abs(got-want) / math.Max(1, math.Abs(want)) }

func TestClosedForms(t *testing.T) {
	for _, s := range solids() {
		p, err := Compute(context.Background(), s.m)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		expect(t, s, p, 1e-9)
	}
}

// TestSeamsElsewhere has loops cross the seam, and edges lie off the iso-lines of B-splines.
func TestSeamsElsewhere(t *testing.T) {
	for _, s := range solids() {
		for _, seam := range []float64{0, 0.5, math.Pi / 2, math.Pi} {
			free, err := build.Freeform(s.m, seam)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			swept, err := build.Swept(s.m, seam)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			for _, v := range []struct {
				name string
				m    *brep.Model
				rel  float64
			}{{"reseamed", build.Reseam(s.m, seam), 1e-9}, {"freeform", free, 1e-6}, {"swept", swept, 1e-6}} {
				name := fmt.Sprintf("%s %s %.1f", s.name, v.name, seam)
				p, err := Compute(context.Background(), v.m)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				expect(t, solid{name, v.m, s.area, s.volume, s.centroid, s.box}, p, v.rel)
			}
		}
	}
}

// TestInsideOut flips all faces of a shell: the measures stay the same and the shell is reported. A void subtracts.
func TestInsideOut(t *testing.T) {
	hollow := func() *brep.Model {
		m := build.Box(geom.Vec3{X: 4, Y: 4, Z: 4})
		void := build.Sphere(1, build.Style{})
		turnShell(void, 0)
		m.Append(void, geom.Translation(geom.Vec3{X: 2, Y: 2, Z: 2}))
		m.Solids[0].Shells = []brep.ShellID{0, 1}
		m.Solids = m.Solids[:1]
		m.Shells[1].IsVoid = true
		m.Link()
		return m
	}
	want := solid{"hollow box", nil, 96 + 4*math.Pi, 64 - 4*math.Pi/3, geom.Vec3{X: 2, Y: 2, Z: 2},
		box(0, 0, 0, 4, 4, 4)}
	for _, turned := range [][]brep.ShellID{nil, {0}, {1}, {0, 1}} {
		m := hollow()
		for _, sh := range turned {
			turnShell(m, sh)
		}
		p, err := Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, want, p, 1e-9)
		if got := p.Solids[0].InsideOut; !slices.Equal(got, turned) {
			t.Errorf("inside out are shells %v, want %v", got, turned)
		}
	}
}

// turnShell flips all faces of a shell.
func turnShell(m *brep.Model, sh brep.ShellID) {
	for _, f := range m.Shells[sh].Faces {
		m.Faces[f].Reversed = !m.Faces[f].Reversed
		for _, l := range m.Faces[f].Loops {
			slices.Reverse(m.Loops[l].Coedges)
			for _, c := range m.Loops[l].Coedges {
				m.Coedges[c].Reversed = !m.Coedges[c].Reversed
			}
		}
	}
}

func TestSheetsCountInAreaOnly(t *testing.T) {
	m := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	sheet := build.Box(geom.Vec3{X: 2, Y: 2, Z: 2})
	sheet.Solids = nil
	sheet.Link()
	m.Append(sheet, geom.Translation(geom.Vec3{X: 5}))
	p, err := Compute(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	want := solid{"box and sheet", m, 6 + 24, 1, geom.Vec3{X: 0.5, Y: 0.5, Z: 0.5}, box(0, 0, 0, 7, 2, 2)}
	p.Solids[0].Bounds = p.Bounds
	expect(t, want, p, 1e-12)
}

// TestSegments measures a thin plate between chords and shallow arcs, each one piece long.
func TestSegments(t *testing.T) {
	for _, angle := range []float64{0.5, 0.05, 1e-3} {
		b := build.Bulge(angle)
		corners := []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 10}, Bulge: b}}
		m := build.Prism("segment", corners, 2, build.Style{})
		r := 5 / math.Sin(angle/2)
		segment := r * r * (angle - math.Sin(angle)) / 2
		volume, area := 2*segment, 2*segment+20+2*r*angle
		p, err := Compute(context.Background(), m)
		if err != nil {
			t.Errorf("angle %g: %v", angle, err)
			continue
		}
		if off(p.Volume, volume) > 1e-9 || off(p.Area, area) > 1e-9 {
			t.Errorf("angle %g: volume %.12g area %.12g, want %.12g %.12g", angle, p.Volume, p.Area, volume, area)
		}
	}
}

func TestErrors(t *testing.T) {
	m := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	m.Faces[3].Loops, m.Faces[3].Source = nil, 77
	m.Link()
	var e *trim.Error
	if _, err := Compute(context.Background(), m); !errors.As(err, &e) || e.Name != "face #77" {
		t.Errorf("a plane without loops gave %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compute(ctx, build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gave %v", err)
	}
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

func expect(t failer, s solid, p *Properties, rel float64) {
	t.Helper()
	size := s.box.Diagonal()
	if off(p.Volume, s.volume) > rel {
		t.Errorf("%s: volume %.12g, want %.12g", s.name, p.Volume, s.volume)
	}
	if off(p.Area, s.area) > rel {
		t.Errorf("%s: area %.12g, want %.12g", s.name, p.Area, s.area)
	}
	if d := p.Centroid.Dist(s.centroid); d > rel*(size+s.centroid.Norm()) {
		t.Errorf("%s: centroid %v, want %v", s.name, p.Centroid, s.centroid)
	}
	if d := p.Bounds.Min.Dist(s.box.Min) + p.Bounds.Max.Dist(s.box.Max); d > rel*(size+s.centroid.Norm()) {
		t.Errorf("%s: bounds %v, want %v", s.name, p.Bounds, s.box)
	}
	if len(p.Solids) == 1 && (p.Solids[0].Volume != p.Volume || p.Solids[0].Bounds != p.Bounds) {
		t.Errorf("%s: the only solid has volume %g, the model %g", s.name, p.Solids[0].Volume, p.Volume)
	}
	for i, f := range p.Faces {
		if f.Turned != 0 {
			t.Errorf("%s: face %d had %d loops turned", s.name, i, f.Turned)
		}
	}
}

// TestMoved moves, scales and mirrors the parts: the measures stay the same except for the scale.
func TestMoved(t *testing.T) {
	list := solids()
	rapid.Check(t, func(t *rapid.T) {
		s := list[rapid.IntRange(0, len(list)-1).Draw(t, "part")]
		part := func(name string) float64 { return rapid.Float64Range(-2, 2).Draw(t, name) }
		axis := geom.Vec3{X: 1, Y: part("y"), Z: part("z")}
		move := geom.Rotation(axis, rapid.Float64Range(-4, 4).Draw(t, "angle"))
		k := rapid.Float64Range(0.1, 30).Draw(t, "scale")
		move = geom.Scaling(k).Mul(move)
		if rapid.Bool().Draw(t, "mirror") {
			move.X = move.X.Neg()
		}
		move.T = geom.Vec3{X: rapid.Float64Range(-500, 500).Draw(t, "move"), Y: 20, Z: -300}
		m := &brep.Model{Tolerance: s.m.Tolerance}
		m.Append(s.m, move)
		p, err := Compute(context.Background(), m)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		want := solid{s.name, m, s.area * k * k, s.volume * k * k * k, move.Point(s.centroid), p.Bounds}
		expect(t, want, p, 1e-9)
		for _, d := range [6]geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			want := support(s, move, d)
			got := math.Max(p.Bounds.Min.Dot(d), p.Bounds.Max.Dot(d))
			if math.IsNaN(want) {
				continue
			}
			if math.Abs(got-want) > 1e-9*(500+k*s.box.Diagonal()) {
				t.Errorf("%s: reaches %.12g along %v, want %.12g", s.name, got, d, want)
			}
		}
	})
}

// support is the extent of a moved part along d in closed form, or NaN for parts without a closed form here.
func support(s solid, move geom.Transform, d geom.Vec3) float64 {
	local := geom.Vec3{X: move.X.Dot(d), Y: move.Y.Dot(d), Z: move.Z.Dot(d)}
	base := move.T.Dot(d)
	rho, h := math.Hypot(local.X, local.Y), local.Z
	disc := func(r, z float64) float64 { return base + r*rho + z*h }
	var name string
	fmt.Sscanf(s.name, "%s", &name)
	switch name {
	case "sphere", "hemispheres":
		return base + 2*local.Norm()
	case "torus":
		return base + 5*rho + 2*local.Norm()
	case "cylinder":
		return math.Max(disc(2, 0), disc(2, 5))
	case "frustum":
		return math.Max(disc(4, 0), disc(1, 4))
	case "tube":
		return math.Max(disc(2, 0), disc(2, 3))
	case "box", "drilled":
		c := s.box
		return base + math.Max(0, local.X*c.Max.X) + math.Max(0, local.Y*c.Max.Y) + math.Max(0, local.Z*c.Max.Z)
	}
	return math.NaN()
}

// TestDraft: walls that lean a little have an apex far off.
func TestDraft(t *testing.T) {
	const r, h = 2, 5
	for _, lean := range []float64{1e-7, 1e-5, 1e-3, 0.1} { // mm
		s := r + lean
		squares := r*r + r*s + s*s
		area := math.Pi * (r*r + s*s + (r+s)*math.Hypot(h, lean))
		m := build.Frustum(r, s, h, build.Style{})
		want := solid{fmt.Sprintf("leans %g", lean), m, area, math.Pi * h / 3 * squares,
			z(h * (r*r + 2*r*s + 3*s*s) / (4 * squares)), box(-s, -s, 0, s, s, h)}
		p, err := Compute(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, want, p, 1e-9)
	}
}

func TestAreasOfSomeFaces(t *testing.T) {
	ctx := context.Background()
	m := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
	all, err := Compute(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := FaceCones(ctx, m, []brep.FaceID{4, 1})
	if err != nil || len(got) != 2 || got[0].Area != all.Faces[4].Area || got[1].Area != all.Faces[1].Area {
		t.Errorf("areas of faces 4 and 1 are %v (%v), want %v and %v", got, err, all.Faces[4].Area, all.Faces[1].Area)
	}
	sum := 0.0
	if got, err = FaceCones(ctx, m, m.Shells[0].Faces); err == nil {
		for _, c := range got {
			sum += c.Volume
		}
	}
	if math.Abs(sum-all.Volume) > 1e-12*all.Volume {
		t.Errorf("cones of %g mm³ together (%v), want %g", sum, err, all.Volume)
	}
	m.Faces[3].Loops = nil
	if got, err := FaceCones(ctx, m, []brep.FaceID{2}); err != nil || got[0].Area != all.Faces[2].Area {
		t.Errorf("a broken face beside face 2 gave %v, %v", got, err)
	}
	if _, err := FaceCones(ctx, m, []brep.FaceID{2, 3}); err == nil {
		t.Error("a face without loops gave no error")
	}
}

// TestVolumeIsIndependentOfOtherSolids has a solid with rounded vertices, whose faces leave gaps. Its measures are
// the same for any position of the other solids.
func TestVolumeIsIndependentOfOtherSolids(t *testing.T) {
	const rounding = 5e-5
	rounded := build.Box(geom.Vec3{X: 1.5, Y: 1.5, Z: 1.53})
	rounded.Vertices[6].Point = rounded.Vertices[6].Point.Add(geom.Vec3{X: rounding, Y: -rounding, Z: rounding})
	alone, err := Compute(context.Background(), rounded)
	if err != nil {
		t.Fatal(err)
	}
	both := &brep.Model{Tolerance: rounded.Tolerance}
	both.Append(rounded, geom.Identity)
	both.Append(build.Box(geom.Vec3{X: 1, Y: 1, Z: 1}), geom.Translation(geom.Vec3{X: 1000, Y: 300}))
	p, err := Compute(context.Background(), both)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Solids[0].Volume, alone.Solids[0].Volume; math.Abs(got-want) > 1e-12*want {
		t.Errorf("volume %.12g mm³ beside another solid, %.12g mm³ alone", got, want)
	}
	want := alone.Centroid.Scale(alone.Volume).Add(geom.Vec3{X: 1000.5, Y: 300.5, Z: 0.5}).Scale(1 / (1 + alone.Volume))
	if got := p.Centroid; got.Dist(want) > 1e-9 {
		t.Errorf("centroid %v, want %v", got, want)
	}
}
