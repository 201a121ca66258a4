package tessellate

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// slanted is a cone with its apex at a height over the origin, down to a plane through the origin that is tilted by an
// angle; with its volume.
func slanted(half, height, tilt float64) (m *brep.Model, volume float64) {
	b := build.New("slanted")
	frame := geom.NewFrame(geom.Vec3{Z: height}, geom.Vec3{Z: -1}, geom.Vec3{X: 1})
	slope, rise := math.Tan(half), math.Tan(tilt)
	right, left := height*slope/(1+rise*slope), -height*slope/(1-rise*slope)
	p, q := geom.Vec3{X: right, Z: rise * right}, geom.Vec3{X: left, Z: rise * left}
	center := p.Lerp(q, 0.5)
	radius := (height - center.Z) * slope
	normal := geom.Vec3{X: -math.Sin(tilt), Z: math.Cos(tilt)}
	rim := curve.Ellipse{Frame: geom.NewFrame(center, normal, p.Sub(center)), Major: p.Dist(q) / 2,
		Minor: math.Sqrt(radius*radius - center.X*center.X)}
	apex, foot := b.Vertex(frame.Origin), b.Vertex(p)
	edge, seam := b.Edge(rim, 0, 2*pi, foot, foot), b.Line(foot, apex)
	b.Face(surface.Cone{Frame: frame, HalfAngle: half}, false,
		build.Chain(build.Fwd(edge), build.Fwd(seam), build.Rev(seam)))
	b.Face(surface.Plane{Frame: rim.Frame}, true, build.Chain(build.Rev(edge)))
	b.Solid()
	return b.Model(), pi * rim.Major * rim.Minor * height * math.Cos(tilt) / 3
}

// TestApexTakesFewTriangles meshes apexes of cones, also blunt ones, and sides of B-splines that collapse to a point.
// They have no tangent plane from which the volume error of the mesh could be estimated.
func TestApexTakesFewTriangles(t *testing.T) {
	const chord = 0.1
	for _, half := range []float64{0.1, 0.5, 1.2} {
		for _, tilt := range []float64{0.05, 0.2} {
			cone, volume := slanted(half, 50, tilt)
			spline, err := build.Freeform(cone, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				name string
				m    *brep.Model
				most int
			}{{"cone", cone, 300}, {"B-spline", spline, 600}} {
				res := mustMesh(t, c.m, Options{ChordTolerance: chord})
				gap, _ := deviation(c.m, res)
				n, v := len(res.Mesh.Triangles), res.Mesh.Volume()
				if !res.Report.Watertight || len(res.Warnings) > 0 {
					t.Errorf("%s %g, tilted %g: %+v %v", c.name, half, tilt, res.Report, res.Warnings)
				}
				if n > c.most || gap > chord*(1+1e-6) || math.Abs(v-volume) > 5e-3*volume {
					t.Errorf("%s %g, tilted %g: %d triangles, want at most %d; %g mm off; volume %g, want %g",
						c.name, half, tilt, n, c.most, gap, v, volume)
				}
				t.Logf("%s %g, tilted %g: %d triangles, gap %g, volume %.2g", c.name, half, tilt, n, gap, v/volume-1)
			}
		}
	}
}

// TestCollapsedLinesWithoutTangentPlane checks that a collapsed line is listed only if the tangent planes along it
// differ.
func TestCollapsedLinesWithoutTangentPlane(t *testing.T) {
	for _, c := range []struct {
		name string
		s    surface.Surface
		want int
	}{
		{"plane", surface.Plane{Frame: tilted}, 0},
		{"cone", surface.Cone{Frame: tilted, Radius: 4, HalfAngle: 0.5}, 1},
		{"sphere", surface.Sphere{Frame: tilted, Radius: 4}, 0},
		{"lemon", build.Lemon(2, 5, build.Style{}).Faces[0].Surface, 2},
	} {
		if got := tipsOf(c.s); len(got) != c.want {
			t.Errorf("%s: %v, want %d", c.name, got, c.want)
		}
	}
}
