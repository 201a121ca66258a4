package sew

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/heal"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// loosePolygon adds a plane face with its own edges and vertices, as a sheet. Seen from its normal the points run
// counter-clockwise.
func loosePolygon(b *build.Builder, points ...geom.Vec3) {
	var vertices []brep.VertexID
	for _, p := range points {
		vertices = append(vertices, b.Vertex(p))
	}
	var uses []build.EdgeUse
	for i, v := range vertices {
		uses = append(uses, build.Fwd(b.Line(v, vertices[(i+1)%len(vertices)])))
	}
	x := points[1].Sub(points[0])
	z := x.Cross(points[2].Sub(points[0]))
	b.Face(surface.Plane{Frame: geom.NewFrame(points[0], z, x)}, false, build.Chain(uses...))
	b.Sheet()
}

// looseBox adds the faces of a box. Its top is cut into strips, each a face.
func looseBox(b *build.Builder, lo, size geom.Vec3, strips int) {
	at := func(x, y, z float64) geom.Vec3 {
		return geom.Vec3{X: lo.X + x*size.X, Y: lo.Y + y*size.Y, Z: lo.Z + z*size.Z}
	}
	loosePolygon(b, at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0))
	loosePolygon(b, at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1))
	loosePolygon(b, at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0))
	loosePolygon(b, at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0))
	loosePolygon(b, at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1))
	for i := range strips {
		x0, x1 := float64(i)/float64(strips), float64(i+1)/float64(strips)
		loosePolygon(b, at(x0, 0, 1), at(x1, 0, 1), at(x1, 1, 1), at(x0, 1, 1))
	}
}

var (
	origin = geom.Vec3{}
	ten    = geom.Vec3{X: 10, Y: 10, Z: 10}
	unit   = geom.Vec3{X: 1, Y: 1, Z: 1}
)

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name           string
		make           func(b *build.Builder)
		solids, shells int
		volume         float64
		want           Report
	}{
		{"a box", func(b *build.Builder) { looseBox(b, origin, ten, 1) }, 1, 1, 1000,
			Report{FreeBefore: 24, Merged: 12, Closed: 1}},
		{"long edges beside short ones", func(b *build.Builder) { looseBox(b, origin, ten, 4) }, 1, 1, 1000,
			Report{FreeBefore: 36, Merged: 21, Split: 6, Closed: 1}},
		{"two boxes apart", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			looseBox(b, geom.Vec3{X: 2}, unit, 1)
		}, 2, 2, 2, Report{FreeBefore: 48, Merged: 24, Closed: 2}},
		{"two boxes that touch in an edge", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			looseBox(b, geom.Vec3{X: 1, Y: 1}, unit, 1)
		}, 2, 2, 2, Report{FreeBefore: 48, Merged: 25, Closed: 2, Multiple: 1}},
		{"two boxes that touch in a corner", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			looseBox(b, unit, unit, 1)
		}, 2, 2, 2, Report{FreeBefore: 48, Merged: 24, Closed: 2}},
		{"a box in a box", func(b *build.Builder) {
			looseBox(b, origin, ten, 1)
			looseBox(b, unit, unit, 1)
		}, 1, 2, 999, Report{FreeBefore: 48, Merged: 24, Closed: 2}},
		{"a box in a box in a box", func(b *build.Builder) {
			looseBox(b, geom.Vec3{X: 2, Y: 2, Z: 2}, unit, 1)
			looseBox(b, unit, geom.Vec3{X: 4, Y: 4, Z: 4}, 1)
			looseBox(b, origin, ten, 1)
		}, 2, 3, 937, Report{FreeBefore: 72, Merged: 36, Closed: 3}},
		{"a face twice", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			loosePolygon(b, geom.Vec3{}, geom.Vec3{X: 1}, geom.Vec3{X: 1, Y: 1}, geom.Vec3{Y: 1})
		}, 1, 1, 1, Report{FreeBefore: 28, Merged: 16, Closed: 1, Duplicates: 1}},
		{"a box twice", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			looseBox(b, origin, unit, 1)
		}, 1, 1, 1, Report{FreeBefore: 48, Merged: 36, Closed: 1, Duplicates: 6}},
		{"two boxes in contact", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			looseBox(b, geom.Vec3{X: 1}, unit, 1)
		}, 2, 2, 2, Report{FreeBefore: 48, Merged: 28, Closed: 2, Multiple: 4}},
		{"three boxes in a row", func(b *build.Builder) {
			looseBox(b, origin, unit, 1)
			looseBox(b, geom.Vec3{X: 1}, unit, 1)
			looseBox(b, geom.Vec3{X: 2}, unit, 1)
		}, 3, 3, 3, Report{FreeBefore: 72, Merged: 44, Closed: 3, Multiple: 8}},
		{"a baffle in a box", func(b *build.Builder) {
			looseBox(b, origin, ten, 1)
			loosePolygon(b, geom.Vec3{}, geom.Vec3{X: 10}, geom.Vec3{X: 10, Y: 5, Z: 5}, geom.Vec3{Y: 5, Z: 5})
		}, 1, 2, 1000, Report{FreeBefore: 28, FreeAfter: 4, Merged: 13, Closed: 1, Multiple: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := build.New(c.name)
			c.make(b)
			m := b.Model()
			r := mustSew(t, m, Options{})
			c.want.Gaps, c.want.Tolerance, c.want.OpenGap = r.Gaps, r.Tolerance, r.OpenGap
			if r != c.want {
				t.Errorf("report\n%+v, want\n%+v", r, c.want)
			}
			if len(m.Solids) != c.solids || len(m.Shells) != c.shells {
				t.Fatalf("%d solids, %d shells, want %d and %d", len(m.Solids), len(m.Shells), c.solids, c.shells)
			}
			if got := volume(t, m); math.Abs(got-c.volume) > 1e-9*c.volume {
				t.Errorf("volume %g, want %g", got, c.volume)
			}
			before := m.Warnings
			if c.want.FreeAfter > 0 {
				return
			}
			if again := mustSew(t, m, Options{}); again != (Report{}) || !reflect.DeepEqual(m.Warnings, before) {
				t.Errorf("sewing again: %+v", again)
			}
		})
	}
}

func TestOpenSheets(t *testing.T) {
	b := build.New("lid missing")
	looseBox(b, origin, ten, 0)
	m := b.Model()
	r := mustSew(t, m, Options{})
	if len(m.Solids) != 0 || len(m.Shells) != 1 || r.FreeAfter != 4 || r.Merged != 8 {
		t.Errorf("%d solids, %d shells: %+v", len(m.Solids), len(m.Shells), r)
	}
	if want := math.Sqrt2 * 5; math.Abs(r.OpenGap-5) > 1e-9 && math.Abs(r.OpenGap-want) > 1e-9 {
		t.Errorf("gap %g, want the gap to the neighboring side", r.OpenGap)
	}
	before := *m
	again := mustSew(t, m, Options{})
	if again.Merged+again.Split+again.Duplicates != 0 || again.FreeAfter != 4 {
		t.Errorf("sewing again: %+v", again)
	}
	if !reflect.DeepEqual(before.Faces, m.Faces) || !reflect.DeepEqual(before.Edges, m.Edges) {
		t.Error("sewing again changed the model")
	}
}

// TestMoebius sews the five triangles of a strip with one side.
func TestMoebius(t *testing.T) {
	p := []geom.Vec3{{X: 1}, {Y: 2, Z: 0.3}, {X: -1, Z: 1}, {Y: -1.5, Z: -1}, {X: 1.5, Y: -1, Z: 2}}
	b := build.New("strip")
	for i := range p {
		loosePolygon(b, p[i], p[(i+1)%5], p[(i+2)%5])
	}
	m := b.Model()
	r := mustSew(t, m, Options{})
	if r.NonOrientable != 1 || r.FreeAfter != 5 || len(m.Solids) != 0 {
		t.Errorf("%d solids: %+v", len(m.Solids), r)
	}
}

// TestClosedEdgesThatStartElsewhere rotates the caps of a cylinder around its axis.
func TestClosedEdgesThatStartElsewhere(t *testing.T) {
	for i, style := range build.Styles() {
		sound := build.Cylinder(3, 5, style)
		m := build.Exploded(sound, false, func(f brep.FaceID) geom.Transform {
			if sound.Faces[f].Surface.Kind() != surface.KindPlane {
				return geom.Identity
			}
			return geom.Rotation(geom.Vec3{Z: 1}, 1+float64(f))
		})
		r := mustSew(t, m, Options{})
		if len(m.Solids) != 1 || r.Split == 0 {
			t.Errorf("style %d: %d solids: %+v", i, len(m.Solids), r)
			continue
		}
		if got, want := volume(t, m), 45*math.Pi; math.Abs(got-want) > 1e-9*want {
			t.Errorf("style %d: volume %.12g, want %.12g", i, got, want)
		}
	}
}

// TestShuffledPartsAreSewn explodes parts, moves their faces apart, flips some and reverses their loops, and puts
// them in another order.
func TestShuffledPartsAreSewn(t *testing.T) {
	const gap = 0.004 // mm
	all := parts(t)
	names := []string{"box", "rounded prism", "thin plate", "cylinder 0", "cylinder 3", "tube 1", "frustum 2",
		"hemispheres 0", "hemispheres 6", "free-form box", "free-form rounded prism", "free-form cylinder 0"}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "part")
		sound := all[name]
		shift := rapid.Float64Range(-gap/4, gap/4)
		m := build.Exploded(sound, rapid.Bool().Draw(rt, "loose seams"), func(brep.FaceID) geom.Transform {
			x, y, z := shift.Draw(rt, "x"), shift.Draw(rt, "y"), shift.Draw(rt, "z")
			return geom.Translation(geom.Vec3{X: x, Y: y, Z: z})
		})
		for f := range m.Faces {
			if rapid.Bool().Draw(rt, "turn face") {
				(&sewer{m: m}).turnFace(brep.FaceID(f))
			}
			if len(m.Faces[f].Loops) == 1 && rapid.Bool().Draw(rt, "turn loop") && isFlat(m, brep.FaceID(f)) {
				(&sewer{m: m}).turnLoop(m.Faces[f].Loops[0])
			}
		}
		m.Shells = rapid.Permutation(m.Shells).Draw(rt, "order")
		m.Link()
		r := mustSew(rt, m, Options{Max: 2 * gap})
		if len(m.Solids) != 1 || r.FreeAfter != 0 {
			rt.Fatalf("%s: %d solids: %+v", name, len(m.Solids), r)
		}
		want := volume(rt, sound)
		var area float64
		for _, f := range properties(rt, sound).Faces {
			area += f.Area
		}
		if got := volume(rt, m); math.Abs(got-want) > gap*area {
			rt.Errorf("%s: volume %g, want %g", name, got, want)
		}
		if r.Gaps.Max > gap || r.Gaps.Mean > r.Gaps.Max {
			rt.Errorf("%s: gaps %+v, want %g mm at most", name, r.Gaps, gap)
		}
	})
}

// TestWideGaps sews a part whose faces lie further apart than rounding explains: it closes with the tolerance that its
// size justifies.
func TestWideGaps(t *testing.T) {
	const gap = 0.09 // mm
	sound := build.Prism("p", build.Rounded(100, 60, 10), 30, build.Styles()[0])
	apart := func(f brep.FaceID) geom.Transform {
		return geom.Translation(geom.Vec3{X: 0.4 * gap * float64(f%2), Y: 0.3 * gap * float64(f/2%2),
			Z: 0.5 * gap * float64(f/3%2)})
	}
	m := build.Exploded(sound, true, apart)
	r := mustSew(t, m, Options{})
	if len(m.Solids) != 1 || r.FreeAfter != 0 || r.Gaps.Max < defaultMax/2 || r.Gaps.Max > gap {
		t.Errorf("%d solids: %+v", len(m.Solids), r)
	}
	if got, want := volume(t, m), volume(t, sound); math.Abs(got/want-1) > 2e-3 {
		t.Errorf("volume %g, want %g", got, want)
	}
	narrow := build.Exploded(sound, true, apart)
	if r := mustSew(t, narrow, Options{Max: defaultMax}); r.FreeAfter == 0 {
		t.Errorf("the gaps are closed without need: %+v", r)
	}
}

// isFlat reports whether the inside of a face follows from its loop alone.
func isFlat(m *brep.Model, f brep.FaceID) bool {
	u, v := m.Faces[f].Surface.Periods()
	return u == 0 && v == 0
}

func TestSameBytes(t *testing.T) {
	var first *brep.Model
	for range 3 {
		m := build.Exploded(parts(t)["free-form rounded prism"], false, nil)
		mustSew(t, m, Options{})
		if first == nil {
			first = m
		}
		if !reflect.DeepEqual(first, m) {
			t.Fatal("two runs differ")
		}
	}
}

// asSolid puts the faces of all shells of m into the shell of one solid.
func asSolid(m *brep.Model, name string) *brep.Model {
	shell := brep.Shell{}
	for _, sh := range m.Shells {
		shell.Faces = append(shell.Faces, sh.Faces...)
	}
	m.Shells = []brep.Shell{shell}
	m.Solids = []brep.Solid{{Name: name, Shells: []brep.ShellID{0}}}
	m.Link()
	return m
}

// TestSolidsOfLooseFaces sews solids whose faces share no edges, next to a sound solid and a sheet.
func TestSolidsOfLooseFaces(t *testing.T) {
	b := build.New("")
	looseBox(b, origin, ten, 2)
	m := asSolid(b.Model(), "loose")
	m.Append(build.Box(unit), geom.Translation(geom.Vec3{X: 30}))
	m.Solids[1].Name = "sound"
	m.Append(build.Exploded(build.Box(unit), false, nil), geom.Translation(geom.Vec3{X: 50}))
	r := mustSew(t, m, Options{})
	if len(m.Solids) != 2 || m.Solids[0].Name != "sound" || m.Solids[1].Name != "loose" || len(m.Shells) != 8 {
		t.Fatalf("solids %+v, %d shells", m.Solids, len(m.Shells))
	}
	if r.FreeAfter != 0 || r.Closed != 1 || r.Beside != 6 || len(m.Warnings) != 3 {
		t.Errorf("report %+v, warnings %v", r, m.Warnings)
	}
	if v := volume(t, m); math.Abs(v-1001) > 1e-9*v {
		t.Errorf("volume %g, want 1001", v)
	}
}

// TestFlatShell: a triangle with two equal corners closes on itself, and encloses nothing.
func TestFlatShell(t *testing.T) {
	b := build.New("")
	looseBox(b, origin, unit, 1)
	e := b.Line(b.Vertex(geom.Vec3{X: 3}), b.Vertex(geom.Vec3{X: 4, Y: 1}))
	b.Face(surface.Plane{Frame: geom.World}, false, build.Chain(build.Fwd(e), build.Rev(e)))
	b.Sheet()
	m := b.Model()
	if r := mustSew(t, m, Options{}); len(m.Solids) != 1 || r.Closed != 1 || r.Beside != 1 {
		t.Errorf("%d solids, report %+v", len(m.Solids), r)
	}
}

// TestFlippedFacesOfSolids sews a sound solid with one flipped face, and one with a reversed loop.
func TestFlippedFacesOfSolids(t *testing.T) {
	for f := range 6 {
		for _, loopOnly := range []bool{false, true} {
			sound := build.Box(ten)
			m := &brep.Model{Tolerance: sound.Tolerance}
			m.Append(sound, geom.Identity)
			s := &sewer{m: m}
			if loopOnly {
				s.turnLoop(m.Faces[f].Loops[0])
			} else {
				s.turnFace(brep.FaceID(f))
			}
			r := mustSew(t, m, Options{})
			if len(m.Solids) != 1 || r.ReversedFaces+r.ReversedLoops != 1 {
				t.Errorf("face %d, loop only %v: %d solids: %+v", f, loopOnly, len(m.Solids), r)
			}
			if v := volume(t, m); math.Abs(v-1000) > 1e-6 {
				t.Errorf("face %d, loop only %v: volume %g", f, loopOnly, v)
			}
		}
	}
}

// TestShortEdges has faces with edges that their neighbors lack, shorter than the tolerance of the file and
// longer than it.
func TestShortEdges(t *testing.T) {
	for name, c := range map[string]struct {
		cut       float64 // mm: of the corner of the top
		tolerance float64 // mm: of the file
	}{
		"shorter than the tolerance": {4e-4, 1e-3},
		"longer than the tolerance":  {4e-4, 1e-5},
	} {
		t.Run(name, func(t *testing.T) {
			b := build.New(name)
			looseBox(b, origin, ten, 0)
			loosePolygon(b, geom.Vec3{X: c.cut, Z: 10}, geom.Vec3{X: 10, Z: 10}, geom.Vec3{X: 10, Y: 10, Z: 10},
				geom.Vec3{Y: 10, Z: 10}, geom.Vec3{Y: c.cut, Z: 10})
			m := b.Model()
			m.Tolerance.Length = c.tolerance
			r := mustSew(t, m, Options{Max: 2e-3})
			if len(m.Solids) != 1 || r.FreeAfter != 0 || len(m.Edges) != 12 {
				t.Fatalf("%d solids, %d edges: %+v, %v", len(m.Solids), len(m.Edges), r, m.Warnings)
			}
			if v := volume(t, m); math.Abs(v-1000) > c.cut*600 {
				t.Errorf("volume %g, want 1000", v)
			}
			if len(m.Warnings) == 0 || m.Warnings[0].Code != heal.ShortEdge {
				t.Errorf("warnings %v, want that of a short edge first", m.Warnings)
			}
		})
	}
}

// TestLoopsOfLooseEdges gives every edge of every face its own vertices, as some writers do.
func TestLoopsOfLooseEdges(t *testing.T) {
	m := build.Exploded(build.Prism("p", build.Rounded(20, 10, 3), 5, build.Styles()[0]), false, nil)
	for i := range m.Edges {
		e := &m.Edges[i]
		for _, v := range []*brep.VertexID{&e.Start, &e.End} {
			m.Vertices = append(m.Vertices, m.Vertices[*v])
			*v = brep.VertexID(len(m.Vertices) - 1)
		}
	}
	if r := mustSew(t, m, Options{}); len(m.Solids) != 1 || r.FreeAfter != 0 {
		t.Errorf("%d solids: %+v", len(m.Solids), r)
	}
	if v, want := volume(t, m), 5*(200-(4-math.Pi)*9); math.Abs(v-want) > 1e-9*want {
		t.Errorf("volume %g, want %g", v, want)
	}
}

// TestSphereLoopsAreReversed reverses the loops of one face at a time, of a bar with two spherical ends. On a sphere a
// reversed loop still bounds a region, but no neighbor agrees: the loop is wrong, not the sense of the face.
func TestSphereLoopsAreReversed(t *testing.T) {
	at := func(x, y, bulge float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}, Bulge: bulge} }
	arc := build.Bulge(math.Asin(3.0 / 5))
	profile := []build.Corner{at(0, -5, arc), at(3, -4, 0), at(3, 4, arc), at(0, 5, 0)}
	for i, style := range build.Styles() {
		sound := build.Revolve("bar", geom.World, profile, style)
		for f := range sound.Faces {
			m := build.Revolve("bar", geom.World, profile, style)
			s := &sewer{m: m}
			for _, l := range m.Faces[f].Loops {
				s.turnLoop(l)
			}
			r := mustSew(t, m, Options{})
			if got, want := volume(t, m), volume(t, sound); r.ReversedFaces > 0 || math.Abs(got-want) > 1e-9*want {
				t.Errorf("style %d, face %d: %d faces turned, volume %g, want %g", i, f, r.ReversedFaces, got, want)
			}
		}
	}
}
