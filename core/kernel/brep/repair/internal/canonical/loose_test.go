package canonical_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/canonical"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestLooseEdges: a face whose edges lie off its surface, as exchange leaves them, is recovered as one
// whose edges lie on it: its own surface was no better.
func TestLooseEdges(t *testing.T) {
	for _, off := range []float64{1e-6, 1e-3, 0.01} {
		for name, disguise := range map[string]func(*brep.Model, float64) (*brep.Model, error){
			"B-spline": build.Freeform, "swept": build.Swept,
		} {
			m := build.Cylinder(10, 20, build.Style{Seams: build.HalfFaces})
			d, err := disguise(m, 0.4)
			if err != nil {
				t.Fatal(err)
			}
			for i := range d.Edges {
				if c, ok := d.Edges[i].Curve.(curve.Circle); ok {
					c.Radius += off
					d.Edges[i].Curve = c
				}
			}
			recovered(t, d)
			for i := range d.Faces {
				sameShape(t, name, d.Faces[i].Surface, m.Faces[i].Surface, 1e-7)
			}
		}
	}
}

// bulged is a block whose top is a Bézier patch that rises by height (mm) in the middle and is flat at its
// sides.
func bulged(t check, size, height float64) *brep.Model {
	m := build.Box(geom.Vec3{X: size, Y: size, Z: size})
	for i := range m.Faces {
		p, ok := m.Faces[i].Surface.(surface.Plane)
		if !ok || p.Frame.Z.Z*p.Frame.Origin.Z <= 0 {
			continue
		}
		box := geom.EmptyBox()
		for _, l := range m.Faces[i].Loops {
			for _, c := range m.Loops[l].Coedges {
				e := &m.Edges[m.Coedges[c].Edge]
				box = box.Add(e.Curve.At(e.Range.Lo)).Add(e.Curve.At(e.Range.Hi))
			}
		}
		var points []geom.Vec3
		for u := range 3 {
			for v := range 3 {
				q := geom.Vec3{X: box.Min.X + size*float64(u)/2, Y: box.Min.Y + size*float64(v)/2,
					Z: box.Max.Z}
				if u == 1 && v == 1 {
					q.Z += 4 * height
				}
				points = append(points, q)
			}
		}
		knots := []float64{0, 0, 0, 1, 1, 1}
		s, err := surface.NewBSpline(2, 2, knots, knots, points, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Faces[i].Surface, m.Faces[i].Reversed = s, false
	}
	return m
}

// TestBulges: a freeform face becomes a plane only where it rises by less than the tolerance.
func TestBulges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(5, 500).Draw(t, "size")
		height := math.Exp(rapid.Float64Range(-20, 3).Draw(t, "ln height"))
		m := bulged(t, size, height)
		rep := recovered(t, m)
		const coarsest, finest = 1e-4, 1e-5 // mm
		switch {
		case height > coarsest && rep.Freeform != 1:
			t.Fatalf("a bulge of %g mm became %+v", height, rep)
		case height < finest/20 && rep.Freeform != 0:
			t.Fatalf("a bulge of %g mm stayed freeform", height)
		}
	})
}

func TestTolerance(t *testing.T) {
	const height = 0.01 // mm
	for _, c := range []struct {
		tolerance float64
		freeform  int
	}{{0, 1}, {height / 2, 1}, {height * 100, 0}} {
		m := bulged(t, 1000, height)
		rep, err := canonical.Recover(context.Background(), m, canonical.Options{Tolerance: c.tolerance})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Freeform != c.freeform {
			t.Errorf("tolerance %g: %+v, want %d freeform faces", c.tolerance, rep, c.freeform)
		}
	}
}

// TestWrapped recovers analytic surfaces from wrappers, and offsets of B-splines as the offsets of their recovered
// base.
func TestWrapped(t *testing.T) {
	style := build.Style{Seams: build.HalfFaces}
	want := build.Cylinder(10, 20, style)
	for name, wrap := range map[string]func(i int) (surface.Surface, error){
		"trimmed": func(i int) (surface.Surface, error) {
			return surface.NewTrimmed(want.Faces[i].Surface, geom.Interval{Hi: 2 * math.Pi},
				geom.Interval{Lo: -50, Hi: 50},
				true, true)
		},
		"offset outwards": func(i int) (surface.Surface, error) { return offsetOf(t, i, 8, 2, style) },
		"offset inwards":  func(i int) (surface.Surface, error) { return offsetOf(t, i, 13, -3, style) },
	} {
		d := build.Cylinder(10, 20, style)
		wrapped := 0
		for i := range d.Faces {
			if d.Faces[i].Surface.Kind() != surface.KindCylinder {
				continue
			}
			s, err := wrap(i)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			d.Faces[i].Surface = s
			wrapped++
		}
		rep := recovered(t, d)
		if wrapped == 0 || rep.Faces[surface.KindCylinder] != wrapped {
			t.Errorf("%s: %+v of %d", name, rep, wrapped)
		}
		for i := range d.Faces {
			sameShape(t, name, d.Faces[i].Surface, want.Faces[i].Surface, 1e-7)
			sameSide(t, &d.Faces[i], &want.Faces[i])
		}
	}
}

// offsetOf returns the B-spline of a cylinder of another radius at a distance from it.
func offsetOf(t *testing.T, face int, radius, distance float64, style build.Style) (surface.Surface, error) {
	base, err := build.Freeform(build.Cylinder(radius, 20, style), 0.2)
	if err != nil {
		t.Fatal(err)
	}
	return surface.NewOffset(base.Faces[face].Surface, distance)
}

// TestWarnings checks that replacements are counted, once for surfaces and once for curves.
func TestWarnings(t *testing.T) {
	m, err := build.Freeform(build.Cylinder(2, 5, build.Style{Seams: build.HalfFaces}), 0)
	if err != nil {
		t.Fatal(err)
	}
	rep := recovered(t, m)
	if len(m.Warnings) != 1 || m.Warnings[0].Code != canonical.RecoveredSurface ||
		m.Warnings[0].Count != rep.Faces[surface.KindCylinder] || m.Warnings[0].Count != 2 {
		t.Errorf("%+v for %+v", m.Warnings, rep)
	}
	if again := recovered(t, m); again.Faces != [len(again.Faces)]int{} || len(m.Warnings) != 1 {
		t.Errorf("the second time: %+v, %+v", again, m.Warnings)
	}
}

// TestHorn: a circle that touches the axis turns to a torus without a hole, found on the right side.
func TestHorn(t *testing.T) {
	for _, form := range []build.TorusForm{build.TorusWhole} {
		m, err := build.Swept(build.Torus(2, 2, form), 0)
		if err != nil {
			t.Fatal(err)
		}
		recovered(t, m)
		for i := range m.Faces {
			s, ok := m.Faces[i].Surface.(surface.Torus)
			if !ok || s.Major != s.Minor || s.Part != surface.Whole {
				t.Errorf("face %d: %+v", i, m.Faces[i].Surface)
			}
		}
	}
}
