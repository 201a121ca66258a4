package crosscheck_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/pipeline/crosscheck"
)

// whole measures and meshes a model.
func whole(t *testing.T, m *brep.Model, o tessellate.Options) crosscheck.Subject {
	t.Helper()
	exact, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tessellate.Mesh(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return crosscheck.Subject{Model: m, Exact: exact, Mesh: r.Mesh, Chord: r.ChordTolerance, Angle: r.AngleTolerance}
}

func TestSoundPartsPass(t *testing.T) {
	size := geom.Vec3{X: 40, Y: 20, Z: 5}
	for name, m := range map[string]*brep.Model{
		"box": build.Box(size),
		"plate": build.Plate(size, build.Style{},
			build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Through(6, 5)}),
		"ball":   build.Sphere(7, build.Style{}),
		"tube":   build.Tube(4, 5, 30, build.Style{}),
		"cone":   build.Frustum(5, 0, 10, build.Style{}),
		"apple":  build.Apple(1, 5, build.Style{}),
		"lemon":  build.Lemon(1, 5, build.Style{}),
		"hollow": boxes(geom.Vec3{X: 10, Y: 10, Z: 10}, geom.Vec3{X: 3, Y: 3, Z: 3}, geom.Vec3{X: 4, Y: 4, Z: 4}, true),
	} {
		for _, o := range []tessellate.Options{
			{}, {ChordTolerance: 1, AngleTolerance: 0.8}, {ChordTolerance: 0.002}, {ChordTolerance: 50},
		} {
			for _, f := range crosscheck.Run(whole(t, m, o)) {
				t.Errorf("%s, chord %g mm: %s: %s", name, o.ChordTolerance, f.Check, f.Detail)
			}
		}
	}
}

// boxes returns one solid of two boxes. The second box has another size and position, and is reversed if it is a void.
func boxes(size, at, second geom.Vec3, isVoid bool) *brep.Model {
	var points []geom.Vec3
	var faces [][][]int
	for i, b := range []geom.Box{{Max: size}, {Min: at, Max: at.Add(second)}} {
		for k := range 8 {
			corner := [3]float64{b.Min.X, b.Min.Y, b.Min.Z}
			for axis, end := range [3]float64{b.Max.X, b.Max.Y, b.Max.Z} {
				if k>>axis&1 == 1 {
					corner[axis] = end
				}
			}
			points = append(points, geom.Vec3{X: corner[0], Y: corner[1], Z: corner[2]})
		}
		for _, f := range [][]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
			loop := make([]int, len(f))
			for k, v := range f {
				loop[k] = 8*i + v
			}
			if i == 1 && isVoid {
				slices.Reverse(loop)
			}
			faces = append(faces, [][]int{loop})
		}
	}
	return build.Polyhedron("boxes", points, faces)
}

// TestContradictionsAreFound breaks a sound part in one respect for each case.
func TestContradictionsAreFound(t *testing.T) {
	size := geom.Vec3{X: 10, Y: 10, Z: 10}
	box := func() *brep.Model { return build.Box(size) }
	for _, c := range []struct {
		name  string
		model *brep.Model
		spoil func(*crosscheck.Subject)
		want  crosscheck.Check
		says  string
	}{
		{"a point at infinity", box(), func(p *crosscheck.Subject) { p.Mesh.Points[0].X = math.Inf(1) },
			crosscheck.Finite, "(no finite number)"},
		{"a point that is none", box(), func(p *crosscheck.Subject) { p.Mesh.Points[0].Y = math.NaN() },
			crosscheck.Finite, "(no finite number)"},
		{"a point far away", box(),
			func(p *crosscheck.Subject) { p.Model.Vertices[3].Point.Z = 2 * crosscheck.Largest }, crosscheck.Far,
			"vertex 3 lies at"},
		{"an endless face", box(), func(p *crosscheck.Subject) { p.Exact.Faces[2].Area = math.Inf(1) },
			crosscheck.Finite, "face 2 has an area"},
		{"a solid without volume", box(), func(p *crosscheck.Subject) { p.Exact.Solids[0].Volume = 0 },
			crosscheck.Positive, "solid 0"},
		{"a mesh inside out", box(), func(p *crosscheck.Subject) { turn(p, 0, len(p.Mesh.Triangles)) },
			crosscheck.Positive, "-1000 mm³"},
		{"another volume", box(), func(p *crosscheck.Subject) { p.Exact.Solids[0].Volume = 1001 }, crosscheck.Volume,
			"1001 mm³ and its mesh one of 1000 mm³"},
		{"gaps that explain too much", box(), func(p *crosscheck.Subject) {
			p.Exact.Solids[0].Volume = 1012
			for f := range p.Exact.Faces {
				p.Exact.Faces[f].Gap = 0.03
			}
			p.Chord = 0.01
		}, crosscheck.Volume, "the part has a volume of 1012 mm³"},
		{"another area", box(), func(p *crosscheck.Subject) { p.Exact.Faces[4].Area = 101 }, crosscheck.Area,
			"face 4 has an area of 101 mm²"},
		{"a gap", box(), func(p *crosscheck.Subject) { moveAside(p, 1, 0.2) }, crosscheck.Gap,
			"face 1 lies 0.2 mm off its surface"},
		{"another box", box(), func(p *crosscheck.Subject) { p.Exact.Solids[0].Bounds.Max.X = 10.2 }, crosscheck.Bounds,
			"0.2 mm apart"},
		{"a turned face", box(), func(p *crosscheck.Subject) {
			turn(p, int(p.Mesh.Regions[1].Start), int(p.Mesh.Regions[1].End))
		}, crosscheck.Side, "face 1 "},
		{"a void outside", boxes(size, geom.Vec3{X: 20, Y: 1, Z: 1}, geom.Vec3{X: 2, Y: 2, Z: 2}, true), nil,
			crosscheck.Side,
			"face 6 has material on its outside"},
		{"pieces in each other", boxes(size, geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 4, Y: 4, Z: 4}, false), nil,
			crosscheck.Side,
			"face 6 has material on its outside"},
	} {
		p := whole(t, c.model, tessellate.Options{})
		if c.spoil != nil {
			c.spoil(&p)
		}
		found := crosscheck.Run(p)
		if !slices.ContainsFunc(found, func(f crosscheck.Violation) bool {
			return f.Check == c.want && strings.Contains(f.Detail, c.says)
		}) {
			t.Errorf("%s: found %v, want %s: %q", c.name, found, c.want, c.says)
		}
	}
}

// moveAside moves a plane away from the boundary of its face.
func moveAside(p *crosscheck.Subject, f brep.FaceID, by float64) {
	s := p.Model.Faces[f].Surface.(surface.Plane)
	s.Frame.Origin = s.Frame.Origin.AddScaled(by, s.Frame.Z)
	p.Model.Faces[f].Surface, p.Exact.Faces[f].Gap = s, by
}

// TestSmallGapsPass checks a gap at one place of a boundary, and a gap on a dot of a large part; both leave little
// open.
func TestSmallGapsPass(t *testing.T) {
	for name, spoil := range map[string]func(p *crosscheck.Subject){
		"one place": func(p *crosscheck.Subject) { p.Exact.Faces[1].Gap = 0.2 },
		"a dot":     func(p *crosscheck.Subject) { moveAside(p, 1, 0.2); p.Exact.Volume = 1e6 },
	} {
		p := whole(t, build.Box(geom.Vec3{X: 10, Y: 10, Z: 10}), tessellate.Options{})
		spoil(&p)
		for _, f := range crosscheck.Figures(p.Model, p.Exact) {
			t.Errorf("%s: %s: %s", name, f.Check, f.Detail)
		}
	}
}

// tilted is a bar with a narrow bevel whose plane is rotated. Its long sides are off the plane by the given distance,
// mm, on either side.
func tilted(t *testing.T, off float64) *brep.Model {
	t.Helper()
	const bevel, length = 0.05, 10
	m := build.Prism("bar", build.Polygon(geom.Vec2{}, geom.Vec2{X: 20}, geom.Vec2{X: 20, Y: 5 - bevel},
		geom.Vec2{X: 20 - bevel, Y: 5}, geom.Vec2{Y: 5}), length, build.Style{})
	middle := geom.Vec3{X: 20 - bevel/2, Y: 5 - bevel/2, Z: length / 2}
	for f := range m.Faces {
		s := m.Faces[f].Surface.(surface.Plane)
		if _, away := s.Invert(middle); away < geom.Resolution {
			turn := geom.Rotation(geom.Vec3{Z: 1}, off/(bevel/math.Sqrt2))
			about := geom.Translation(middle).Mul(turn).Mul(geom.Translation(middle.Neg()))
			m.Faces[f].Surface = s.Transform(about)
			return m
		}
	}
	t.Fatal("the bar has no bevel")
	return nil
}

// TestOpenStripsAreCounted checks the open strip along a boundary that is off its surface. The strip changes the exact
// volume by more than it encloses, in proportion to its distance from the center of the solid.
func TestOpenStripsAreCounted(t *testing.T) {
	const off = 2e-4
	p := whole(t, tilted(t, off), tessellate.Options{})
	wrong := p.Exact.Volume - p.Mesh.Volume()
	const enclosed = off * 0.05 * math.Sqrt2 * 10 // gap × area of the bevel
	if math.Abs(wrong) < 5*enclosed {
		t.Fatalf("the volumes differ by %g mm³, want far more than %g", wrong, enclosed)
	}
	for _, f := range crosscheck.Run(p) {
		t.Errorf("%s: %s", f.Check, f.Detail)
	}
	const reach = 12                     // mm, from the middle to a corner
	const strip = off * 2 * 10.1 * reach // three times the volume of the cones over the strip
	p.Exact.Solids[0].Volume += strip
	if found := crosscheck.Run(p); len(found) != 1 || found[0].Check != crosscheck.Volume {
		t.Errorf("%g mm³ more: found %v, want %s", strip, found, crosscheck.Volume)
	}
}

func turn(p *crosscheck.Subject, start, end int) {
	for t := start; t < end; t++ {
		c := &p.Mesh.Triangles[t]
		c[1], c[2] = c[2], c[1]
	}
}

// TestBoundsFollowTheTolerance allows a coarse mesh only the deviation that its tolerance explains.
func TestBoundsFollowTheTolerance(t *testing.T) {
	const radius, height = 10, 100
	p := whole(t, build.Cylinder(radius, height, build.Style{}), tessellate.Options{ChordTolerance: 0.05})
	if found := crosscheck.Run(p); len(found) > 0 {
		t.Fatal(found)
	}
	skin := 0.05 * 2 * math.Pi * radius * height
	for share, want := range map[float64]bool{0.2: false, 2: true} {
		q := p
		exact := *p.Exact
		exact.Solids = []mass.Solid{p.Exact.Solids[0]}
		exact.Solids[0].Volume += share * skin
		q.Exact = &exact
		if got := len(crosscheck.Run(q)) > 0; got != want {
			t.Errorf("%g times chord × area more than its mesh: found %v, want %v", share, got, want)
		}
	}
}

// TestEmptyMeshReportsVolumeOnly checks that the sentence on a mesh without triangles has a volume of 0 and no
// distance.
func TestEmptyMeshReportsVolumeOnly(t *testing.T) {
	p := whole(t, build.Box(geom.Vec3{X: 10, Y: 10, Z: 10}), tessellate.Options{})
	p.Mesh.Triangles = nil
	for i := range p.Mesh.Regions {
		p.Mesh.Regions[i].Start, p.Mesh.Regions[i].End = 0, 0
	}
	checks := map[crosscheck.Check]bool{}
	for _, f := range crosscheck.Run(p) {
		checks[f.Check] = true
		if strings.Contains(f.Detail, "Inf") {
			t.Errorf("%s: %s", f.Check, f.Detail)
		}
	}
	if !checks[crosscheck.Positive] || checks[crosscheck.Bounds] {
		t.Errorf("found %v, want %s without %s", checks, crosscheck.Positive, crosscheck.Bounds)
	}
}
