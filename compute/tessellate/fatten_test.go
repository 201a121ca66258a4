package tessellate

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// meanAspect returns the mean ratio of longest side to height of a region, weighted by area.
func meanAspect(m *mesh.Mesh, r mesh.Region) float64 {
	sum, area := 0.0, 0.0
	for _, t := range m.Triangles[r.Start:r.End] {
		a, b, c := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
		longest := max(a.Dist2(b), b.Dist2(c), c.Dist2(a))
		double := b.Sub(a).Cross(c.Sub(a)).Norm()
		sum += longest / double * double
		area += double
	}
	return sum / area
}

func TestLargePlanesAreNotFans(t *testing.T) {
	disc := build.Cylinder(50, 5, build.Style{})
	plate := build.Plate(geom.Vec3{X: 200, Y: 150, Z: 10}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 60, Y: 70}, Profile: build.Through(8, 10)})
	tube := build.Tube(10, 50, 5, build.Style{})
	for _, c := range []struct {
		name string
		res  *Result
	}{
		{"disc", mustMesh(t, disc, Options{ChordTolerance: 0.005})},
		{"plate with a hole", mustMesh(t, plate, Options{ChordTolerance: 0.005})},
		{"washer", mustMesh(t, tube, Options{ChordTolerance: 0.005})},
	} {
		if !c.res.Report.Watertight {
			t.Fatalf("%s: %+v", c.name, c.res.Report)
		}
		// The largest region is one of the planes.
		best, most := 0, 0.0
		for f, a := range c.res.Mesh.RegionAreas() {
			if a > most {
				best, most = f, a
			}
		}
		r := c.res.Mesh.Regions[best]
		if got := meanAspect(c.res.Mesh, r); got > needle {
			t.Errorf("%s: the mean triangle is %g times as long as high, want at most %d", c.name, got, needle)
		}
		if n := int(r.End - r.Start); n > 4*len(r.Vertices) {
			t.Errorf("%s: %d triangles", c.name, n)
		}
	}
}

func TestFatteningAddsFewPoints(t *testing.T) {
	m := build.Cylinder(50, 5, build.Style{})
	res := mustMesh(t, m, Options{ChordTolerance: 0.005})
	rim := 0
	for _, l := range res.EdgeLines {
		rim = max(rim, len(l)-1)
	}
	inner := 0
	for _, r := range res.Mesh.Regions {
		for i, v := range r.Vertices {
			p := res.Mesh.Points[v]
			if math.Abs(r.Normals[i].Z) > 0.5 && math.Hypot(p.X, p.Y) < 49 {
				inner++
			}
		}
	}
	if inner == 0 || inner > rim+10 {
		t.Errorf("%d inner points on two discs with %d rim points each, want some, at most half of each", inner, rim)
	}
}

// TestVeryThinStripsStayUnchanged meshes a very thin arm. Its triangles are all needles, and further points along it
// would not help.
func TestVeryThinStripsStayUnchanged(t *testing.T) {
	var profile []build.Corner
	for _, p := range []geom.Vec2{{}, {X: 10}, {X: 10, Y: 5.9}, {X: 7.8, Y: 5.9}, {X: 7.8, Y: 8.1398},
		{X: 10, Y: 8.1398},
		{X: 10, Y: 8.141}, {Y: 8.141}} {
		profile = append(profile, build.Corner{P: p})
	}
	res := mustMesh(t, build.Prism("arm", profile, 10, build.Style{}), Options{ChordTolerance: 0.1})
	if n := len(res.Mesh.Triangles); n > 300 || !res.Report.Watertight {
		t.Errorf("%d triangles, want at most 300; %+v", n, res.Report)
	}
}
