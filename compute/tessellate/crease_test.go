package tessellate

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// relief is a plate from z = 0 up to a B-spline surface over a rectangle whose parameters are x and y, with a round
// hole through it when hole is not 0.
func relief(t testing.TB, top *surface.BSpline, hole float64, at geom.Vec2) *brep.Model {
	t.Helper()
	b := build.New("relief")
	u, v := top.Domain()
	corner := [4]geom.Vec2{{X: u.Lo, Y: v.Lo}, {X: u.Hi, Y: v.Lo}, {X: u.Hi, Y: v.Hi}, {X: u.Lo, Y: v.Hi}}
	var low, high [4]brep.VertexID
	for i, c := range corner {
		high[i], low[i] = b.Vertex(top.At(c.X, c.Y)), b.Vertex(geom.Vec3{X: c.X, Y: c.Y})
	}
	var rim, foot, post [4]brep.EdgeID
	var backwards [4]bool
	for i := range corner {
		j := (i + 1) % 4
		p := corner[i]
		iso, r := surface.Iso(top, i%2 == 0, p.Y, u)
		if i%2 == 1 {
			iso, r = surface.Iso(top, false, p.X, v)
		}
		if backwards[i] = i >= 2; backwards[i] {
			rim[i] = b.Edge(iso, r.Lo, r.Hi, high[j], high[i])
		} else {
			rim[i] = b.Edge(iso, r.Lo, r.Hi, high[i], high[j])
		}
		foot[i], post[i] = b.Line(low[i], low[j]), b.Line(low[i], high[i])
	}
	use := func(i int, reversed bool) build.EdgeUse {
		return build.EdgeUse{Edge: rim[i], Reversed: reversed != backwards[i]}
	}
	up := b.Face(top, false, build.Chain(use(0, false), use(1, false), use(2, false), use(3, false)))
	down := b.Face(surface.Plane{Frame: geom.World}, true,
		build.Chain(build.Rev(foot[3]), build.Rev(foot[2]), build.Rev(foot[1]), build.Rev(foot[0])))
	for i, p := range corner {
		j := (i + 1) % 4
		along := geom.Vec3{X: corner[j].X - p.X, Y: corner[j].Y - p.Y}
		b.Face(surface.Plane{Frame: geom.NewFrame(geom.Vec3{X: p.X, Y: p.Y}, along.Cross(geom.Vec3{Z: 1}),
			along)}, false,
			build.Chain(build.Fwd(foot[i]), build.Fwd(post[j]), use(i, true), build.Rev(post[i])))
	}
	if hole > 0 {
		frame := geom.NewFrame(geom.Vec3{X: at.X, Y: at.Y}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
		ring := curve.Circle{Frame: frame, Radius: hole}
		above := []brep.VertexID{b.Vertex(top.At(at.X+hole, at.Y))}
		below := b.Vertex(ring.At(0))
		turns := crossings(top, at, hole)
		for _, a := range turns[1 : len(turns)-1] {
			p := ring.At(a)
			above = append(above, b.Vertex(top.At(p.X, p.Y)))
		}
		above = append(above, above[0])
		var upper, back []build.EdgeUse
		for i := 1; i < len(turns); i++ {
			e := b.Edge(surface.NewOnSurface(top, ring), turns[i-1], turns[i], above[i-1], above[i])
			upper, back = append(upper, build.Fwd(e)), append([]build.EdgeUse{build.Rev(e)}, back...)
		}
		lower, seam := b.Edge(ring, 0, 2*pi, below, below), b.Line(below, above[0])
		b.AddLoop(up, build.Chain(back...))
		b.AddLoop(down, build.Chain(build.Fwd(lower)))
		b.Face(surface.Cylinder{Frame: frame, Radius: hole}, true,
			build.Chain(append(upper, build.Rev(seam), build.Rev(lower), build.Fwd(seam))...))
	}
	b.Solid()
	return b.Model()
}

// crossings returns the angles at which a circle crosses possible creases of a relief, and the angles of its ends.
func crossings(top *surface.BSpline, at geom.Vec2, radius float64) []float64 {
	angles := []float64{0, 2 * pi}
	add := func(a float64) { angles = append(angles, math.Mod(a+2*pi, 2*pi)) }
	for _, x := range surface.CreaseParams(top, false, geom.Interval{Lo: at.X - radius, Hi: at.X + radius}) {
		a := math.Acos((x - at.X) / radius)
		add(a)
		add(-a)
	}
	for _, y := range surface.CreaseParams(top, true, geom.Interval{Lo: at.Y - radius, Hi: at.Y + radius}) {
		a := math.Asin((y - at.Y) / radius)
		add(a)
		add(pi - a)
	}
	slices.Sort(angles)
	return angles
}

// field returns a B-spline surface over equal spans, of the given degrees and with knots of full multiplicity. Its
// control points are at their Greville abscissae: u is x and v is y.
func field(t testing.TB, degU, degV, spansU, spansV int, span float64, height func(x, y float64) float64) (
	s *surface.BSpline) {
	t.Helper()
	knots := func(deg, spans int) (flat, at []float64) {
		for i := range spans + 1 {
			for range deg {
				flat = append(flat, float64(i)*span)
			}
		}
		for i := range spans*deg + 1 {
			at = append(at, float64(i)*span/float64(deg))
		}
		return append(append([]float64{0}, flat...), float64(spans)*span), at
	}
	ku, xs := knots(degU, spansU)
	kv, ys := knots(degV, spansV)
	var net []geom.Vec3
	for _, x := range xs {
		for _, y := range ys {
			net = append(net, geom.Vec3{X: x, Y: y, Z: height(x, y)})
		}
	}
	s, err := surface.NewBSpline(degU, degV, ku, kv, net, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func zigzag(x, pitch float64) float64 { return math.Abs(math.Mod(x, 2*pitch) - pitch) }

// tower is a solid with one face around the z axis, a B-spline of degree 1 in both directions: a star with the given
// radii at its corners, scaled at each level; closed by planes where it does not end in a point. The corner at which
// the surface is closed is at the given place between two corners of the star.
func tower(t testing.TB, radii, scale []float64, height, seam float64, hasSeamEdge bool) *brep.Model {
	t.Helper()
	n := len(radii)
	var star []geom.Vec2
	for i, r := range radii {
		sin, cos := math.Sincos(2 * pi * float64(i) / float64(n))
		star = append(star, geom.Vec2{X: r * cos, Y: r * sin})
	}
	if seam > 0 {
		star = append([]geom.Vec2{star[n-1].Lerp(star[0], seam)}, star...)
	}
	star = append(star, star[0])
	knots := func(points int) []float64 {
		k := []float64{0}
		for i := range points {
			k = append(k, float64(i))
		}
		return append(k, float64(points-1))
	}
	var net []geom.Vec3
	for _, p := range star {
		for k, s := range scale {
			net = append(net, geom.Vec3{X: s * p.X, Y: s * p.Y, Z: height * float64(k)})
		}
	}
	skin, err := surface.NewBSpline(1, 1, knots(len(star)), knots(len(scale)), net, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := build.New("tower")
	u, v := skin.Domain()
	var at [2]brep.VertexID
	var rings [2]brep.EdgeID
	var isOpen [2]bool
	for k, y := range [2]float64{v.Lo, v.Hi} {
		at[k] = b.Vertex(skin.At(u.Lo, y))
		c, r := surface.Iso(skin, true, y, u)
		if isOpen[k] = c != nil; isOpen[k] {
			rings[k] = b.Edge(c, r.Lo, r.Hi, at[k], at[k])
		}
	}
	var side []build.Loop
	if hasSeamEdge {
		c, r := surface.Iso(skin, false, u.Lo, v)
		e := b.Edge(c, r.Lo, r.Hi, at[0], at[1])
		uses := []build.EdgeUse{build.Fwd(rings[0]), build.Fwd(e)}
		if isOpen[1] {
			uses = append(uses, build.Rev(rings[1]))
		}
		side = append(side, build.Chain(append(uses, build.Rev(e))...))
	} else {
		side = append(side, build.Chain(build.Fwd(rings[0])))
		if isOpen[1] {
			side = append(side, build.Chain(build.Rev(rings[1])))
		}
	}
	b.Face(skin, false, side...)
	b.Face(surface.Plane{Frame: geom.World}, true, build.Chain(build.Rev(rings[0])))
	if isOpen[1] {
		top := geom.World
		top.Origin.Z = height * float64(len(scale)-1)
		b.Face(surface.Plane{Frame: top}, false, build.Chain(build.Fwd(rings[1])))
	}
	b.Solid()
	return b.Model()
}

// TestCreasedTowersKeepPlanarCells meshes closed surfaces of degree 1 with planar cells. Each cell takes two triangles,
// and the mesh is the solid itself.
func TestCreasedTowersKeepPlanarCells(t *testing.T) {
	radii := []float64{20, 9, 20, 9, 20, 9, 20, 9, 20, 9}
	n := len(radii)
	area := 0.0
	for i := range radii {
		area += radii[i] * radii[(i+1)%n] * math.Sin(2*pi/float64(n)) / 2
	}
	for _, c := range []struct {
		name  string
		scale []float64
		rows  int // of triangles
	}{
		{"prism", []float64{1, 1}, 2},
		{"pagoda", []float64{1, 0.6, 0.9, 0.5}, 6},
		{"spire", []float64{1, 0.5, 0.8, 0}, 5},
		{"pyramid", []float64{1, 0}, 1},
	} {
		for _, seam := range []float64{0, 0.3} {
			for _, hasSeamEdge := range []bool{false, true} {
				m := tower(t, radii, c.scale, 10, seam, hasSeamEdge)
				res := mustMesh(t, m, Options{})
				want := 0.0
				for k := 1; k < len(c.scale); k++ {
					p, q := c.scale[k-1], c.scale[k]
					want += area * 10 / 3 * (p*p + p*q + q*q)
				}
				name := fmt.Sprintf("%s, closed at %g, seam edge %v", c.name, seam, hasSeamEdge)
				if !res.Report.Watertight || len(res.Warnings) > 0 {
					t.Errorf("%s: %+v %v", name, res.Report, res.Warnings)
				}
				if got := res.Mesh.Volume(); math.Abs(got-want) > 1e-9*want {
					t.Errorf("%s: volume %g, want %g", name, got, want)
				}
				most := c.rows * (n + 1)
				if !hasSeamEdge { // a cut may cross the facets
					most *= 3
				}
				if got := int(res.Mesh.Regions[0].End); got > most {
					t.Errorf("%s: the side has %d triangles, want at most %d", name, got, most)
				}
			}
		}
	}
}

// tiltOf returns the largest angle between the triangles of face 0 that are higher than a height and their surface.
func tiltOf(m *brep.Model, res *Result, height float64) (angle float64) {
	s, r := m.Faces[0].Surface, res.Mesh.Regions[0]
	for t := r.Start; t < r.End; t++ {
		c := res.Mesh.Triangles[t]
		p, q, o := res.Mesh.Points[c[0]], res.Mesh.Points[c[1]], res.Mesh.Points[c[2]]
		longest := max(p.Dist(q), q.Dist(o), o.Dist(p))
		if q.Sub(p).Cross(o.Sub(p)).Norm() > height*longest {
			uv, _ := s.Invert(p.Add(q).Add(o).Scale(1.0 / 3))
			angle = max(angle, res.Mesh.Normal(int(t)).Angle(s.Normal(uv.X, uv.Y)))
		}
	}
	return angle
}

// TestCreasedSurfacesKeepChordTolerance meshes surfaces with creases in one direction and in both, cut by loops across
// them. The mesh must keep the chord tolerance with about as many triangles as the smooth pieces need.
func TestCreasedSurfacesKeepChordTolerance(t *testing.T) {
	const chord = 0.1
	roof := func(x, y float64) float64 { return 20 + zigzag(x, 10) }
	eggs := func(x, y float64) float64 { return 20 + zigzag(x, 10) + zigzag(y, 10) }
	waves := func(x, y float64) float64 { return 20 + 4*math.Abs(math.Sin(x/6)) + y*y/200 }
	hills := func(x, y float64) float64 { return 20 + 5*math.Sin(x/20)*math.Cos(y/30) }
	twist := func(x, y float64) float64 { return 20 + zigzag(x, 10)*zigzag(y, 10)/10 }
	for _, c := range []struct {
		name string
		top  *surface.BSpline
		hole float64
		most int // triangles on the surface
	}{
		{"roofs", field(t, 1, 1, 10, 10, 10, roof), 0, 20},
		{"roofs across", field(t, 1, 1, 10, 10, 10, func(x, y float64) float64 { return roof(y, x) }), 0, 20},
		{"roofs with a hole", field(t, 1, 1, 10, 10, 10, roof), 23.4, 100},
		{"eggs", field(t, 1, 1, 10, 10, 10, eggs), 0, 200},
		{"eggs with a hole", field(t, 1, 1, 10, 10, 10, eggs), 23.4, 250},
		{"cubic eggs with a hole", field(t, 3, 2, 10, 10, 10, eggs), 23.4, 250},
		{"cubic waves", field(t, 3, 3, 10, 10, 10, waves), 23.4, 1300},
		{"facets of a smooth surface", field(t, 1, 1, 10, 10, 10, hills), 23.4, 350},
		{"fine facets of one", field(t, 1, 1, 100, 100, 1, hills), 0, 750},
		{"twisted cells", field(t, 1, 1, 4, 4, 10, twist), 9.4, 900},
	} {
		u, v := c.top.Domain()
		m := relief(t, c.top, c.hole, geom.Vec2{X: u.At(0.47), Y: v.At(0.51)})
		res := mustMesh(t, m, Options{ChordTolerance: chord})
		if !res.Report.Watertight || len(res.Warnings) > 0 {
			t.Errorf("%s: %+v %v", c.name, res.Report, res.Warnings)
		}
		got := int(res.Mesh.Regions[0].End)
		gap, _ := deviation(m, res)
		angle := tiltOf(m, res, chord/100)
		if got > c.most || gap > chord*(1+1e-9) || angle > DefaultAngle {
			t.Errorf("%s: %d triangles, want at most %d; deviation %g mm, want %g, and %g°", c.name, got, c.most, gap,
				chord, angle*180/pi)
		}
		p, err := mass.Compute(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		if v := res.Mesh.Volume(); math.Abs(v-p.Volume) > chord*1e4 {
			t.Errorf("%s: volume %g, want %g", c.name, v, p.Volume)
		}
		t.Logf("%s: %d triangles, gap %g, angle %g°", c.name, got, gap, angle*180/pi)
	}
}

// TestCreasedFaceIsIndependentOfPreviousFace checks that the mesh of a face with creases does not depend on the
// previous face of its worker.
func TestCreasedFaceIsIndependentOfPreviousFace(t *testing.T) {
	probed, err := build.Freeform(build.Torus(40, 20, 0), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	waves := field(t, 3, 3, 10, 10, 10, func(x, y float64) float64 { return 20 + 4*math.Abs(math.Sin(x/6)) + y*y/200 })
	creased := relief(t, waves, 23.4, geom.Vec2{X: 47, Y: 51})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // one worker
	o := Options{ChordTolerance: 0.01}
	want := mustMesh(t, creased, o).Mesh
	all := &brep.Model{Tolerance: creased.Tolerance}
	all.Append(probed, geom.Translation(geom.Vec3{X: 200}))
	all.Append(creased, geom.Identity)
	got := mustMesh(t, all, o).Mesh
	first := got.Regions[len(probed.Faces)]
	var points []geom.Vec3
	for _, v := range first.Vertices {
		points = append(points, got.Points[v])
	}
	var alone []geom.Vec3
	for _, v := range want.Regions[0].Vertices {
		alone = append(alone, want.Points[v])
	}
	if !reflect.DeepEqual(points, alone) {
		t.Errorf("the face has %d points after another one, want the %d that it has alone", len(points), len(alone))
	}
}
