package outline_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drawDirection draws a unit vector.
func drawDirection(t *rapid.T) geom.Vec3 {
	c := rapid.Float64Range(-1, 1)
	d := geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
	if d.Norm() < 0.1 {
		t.Skip("no direction")
	}
	return d.Unit()
}

// silhouettesOf returns the silhouettes of all patches of one kind with their shapes.
func silhouettesOf(g *graph.Graph, v outline.Projection, kind surface.Kind) (all []outline.Silhouette, s *graph.Shape) {
	for q := range g.Patches {
		if g.Patches[q].Kind == kind {
			all, s = append(all, v.Silhouettes(int32(q))...), &g.Patches[q].Shape
		}
	}
	return all, s
}

// A sphere looks round from everywhere.
func TestSilhouetteOfSphereIsCircle(t *testing.T) {
	g, _ := featuretest.Measured(t, "sphere")
	samples := outline.Sample(g)
	rapid.Check(t, func(t *rapid.T) {
		v := samples.Along(g, drawDirection(t))
		all, s := silhouettesOf(g, v, surface.KindSphere)
		length := 0.0
		for _, l := range all {
			if math.Abs(l.Top-s.Origin.Dot(v.Frame.Z)) > 1e-4 {
				t.Fatalf("the silhouette of a sphere is at %v, its centre at %v", l.Top, s.Origin.Dot(v.Frame.Z))
			}
			for i := range l.Pieces {
				length += l.Pieces[i].Length()
				for k := range 5 {
					if r := l.Pieces[i].At(float64(k) / 4).Dist(v.Point(s.Origin)); math.Abs(r-s.Radius) > 1e-6 {
						t.Fatalf("a point of the silhouette is %v from the centre, the sphere has %v", r, s.Radius)
					}
				}
			}
		}
		if want := 2 * math.Pi * s.Radius; math.Abs(length-want) > 1e-3 {
			t.Fatalf("the silhouette is %v long, want %v", length, want)
		}
	})
}

// The silhouette of a torus is as far from the ellipse that its spine looks like as its tube is thick.
func TestSilhouettesOfTori(t *testing.T) {
	g, _ := featuretest.Measured(t, "torus")
	samples := outline.Sample(g)
	rapid.Check(t, func(t *rapid.T) {
		dir := drawDirection(t)
		if rapid.IntRange(0, 4).Draw(t, "along the axis") == 0 {
			dir = geom.Vec3{Z: 1}
		}
		v := samples.Along(g, dir)
		all, s := silhouettesOf(g, v, surface.KindTorus)
		if len(all) == 0 {
			t.Fatal("no silhouette")
		}
		frame := geom.NewFrame(s.Origin, s.Axis, geom.Vec3{})
		spine := make([]geom.Vec2, 720)
		for i := range spine {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(spine)))
			spine[i] = v.Point(frame.Origin.AddScaled(s.Radius*cos, frame.X).AddScaled(s.Radius*sin, frame.Y))
		}
		outer := 0.0
		for _, l := range all {
			for i := range l.Pieces {
				for k := range 17 {
					p := l.Pieces[i].At(float64(k) / 16)
					if outer = max(outer, p.Dist(v.Point(s.Origin))); k%8 != 0 {
						continue
					}
					least := math.Inf(1)
					for _, q := range spine {
						least = min(least, p.Dist(q))
					}
					if least > s.Minor+0.01 {
						t.Fatalf("a point of the silhouette is %v from the spine, the tube has %v", least, s.Minor)
					}
				}
			}
		}
		// Where the torus is seen nearly edge on, its far end lies between crossings.
		if want := s.Radius + s.Minor; math.Abs(outer-want) > 0.05 {
			t.Fatalf("the silhouette reaches %v far, the torus %v", outer, want)
		}
	})
}

// A rod across the view has two straight silhouettes; a hole has no silhouette, nor has a cylinder along the view.
func TestSilhouettesOfRodsAndHoles(t *testing.T) {
	for _, c := range []struct {
		part string
		dir  geom.Vec3
		some bool
	}{
		{"turned_part", geom.Vec3{X: 1}, true}, {"turned_part", geom.Vec3{Y: 1}, true},
		{"turned_part", geom.Vec3{Z: 1}, true},
		{"through_hole", geom.Vec3{X: 1}, false}, {"through_hole", geom.Vec3{Z: 1}, false},
		{"plate_holes", geom.Vec3{X: 1}, false},
	} {
		g, _ := featuretest.Measured(t, c.part)
		v := outline.Sample(g).Along(g, c.dir)
		found := 0
		for q := range g.Patches {
			s := &g.Patches[q].Shape
			for _, l := range v.Silhouettes(int32(q)) {
				found++
				if s.Kind != surface.KindCylinder {
					continue
				}
				for i := range l.Pieces {
					if off := math.Abs(l.Pieces[i].Tangent(0).Dot(v.Point(s.Axis))); l.Pieces[i].Turn != 0 || off < 1-1e-9 {
						t.Errorf("%s: the silhouette of a rod is %+v", c.part, l.Pieces[i])
					}
					d := l.Pieces[i].At(0.5).Sub(v.Point(s.Origin)).Cross(v.Point(s.Axis))
					if math.Abs(math.Abs(d)-s.Radius) > 1e-6 {
						t.Errorf("%s: the silhouette is %v from the axis of a rod of %v", c.part, d, s.Radius)
					}
				}
			}
		}
		if (found > 0) != c.some {
			t.Errorf("%s along %v: %d silhouettes", c.part, c.dir, found)
		}
	}
}
