package parasolid

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// trough is the traced surface (10u, 20v, 5u²) over the unit square.
func trough(t *testing.T) *sheet {
	t.Helper()
	points := []geom.Vec3{{}, {Y: 20}, {X: 5}, {X: 5, Y: 20}, {X: 10, Z: 5}, {X: 10, Y: 20, Z: 5}}
	s, err := surface.NewBSpline(2, 1, []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1}, points, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newSheet(carrier{Surface: s})
}

// ring is the traced surface of a pipe of radius 2 about a circle of radius 30.
func ring() *pipeBlend {
	c := curve.Circle{Frame: geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}), Radius: 30}
	return &pipeBlend{spine: guide{Curve: c, scale: 1}, radius: 2}
}

// TestSheetContinuesStraight checks that the foot points beyond the boundary of a surface are foot points on its
// tangent plane.
func TestSheetContinuesStraight(t *testing.T) {
	up := geom.Vec3{X: -1, Z: 1}.Unit() // across the surface at its end
	for _, row := range []struct {
		name string
		on   geom.Vec3
	}{
		{"inside", geom.Vec3{X: 10, Y: 4, Z: 5}},
		{"beyond the end", geom.Vec3{X: 17, Y: 4, Z: 12}},
		{"beyond the end and the side", geom.Vec3{X: 13, Y: -6, Z: 8}},
	} {
		for _, l := range []float64{0, 3, -3} {
			p := row.on.AddScaled(l, up)
			for _, distance := range []float64{0, 1.5} {
				on := &lifted{tracedSurface: trough(t), distance: distance}
				q, n := on.project(p, 0)
				if want := row.on.AddScaled(distance, up); q.Dist(want) > 1e-6 || n.Dist(up) > 1e-6 {
					t.Errorf("%s, %g above, lifted by %g: foot %v, normal %v; want %v, %v",
						row.name, l, distance, q, n, want, up)
				}
			}
		}
	}
}

// TestTracedSurfaceStepsAndDrift checks that steps converge to the foot point, and that driftFrom is the derivative of
// the foot point with respect to the point.
func TestTracedSurfaceStepsAndDrift(t *testing.T) {
	c := curve.Circle{Frame: geom.NewFrame(geom.Vec3{Z: 9}, geom.Vec3{X: 1}, geom.Vec3{Y: 1}), Radius: 4}
	for _, row := range []struct {
		name string
		on   tracedSurface
		p    geom.Vec3
	}{
		{"sheet", trough(t), geom.Vec3{X: 6, Y: 7, Z: 4}},
		{"sheet beyond its end", trough(t), geom.Vec3{X: 16, Y: 7, Z: 13}},
		{"offset", &lifted{tracedSurface: trough(t), distance: -2}, geom.Vec3{X: 3, Y: 7, Z: 2}},
		{"cylinder", newSheet(carrier{Surface: surface.Cylinder{Frame: c.Frame, Radius: 4}}),
			geom.Vec3{X: 3, Y: 5, Z: 12}},
		{"pipe", ring(), geom.Vec3{X: 20, Y: 19, Z: 3}},
	} {
		t.Run(row.name, func(t *testing.T) {
			want, _ := row.on.project(row.p, -1)
			moved := row.p.Add(geom.Vec3{X: 0.3, Y: -0.2, Z: 0.1})
			row.on.project(moved, -1)
			q, n, ok := settle(row.on, row.p, still)
			if !ok || q.Dist(want) > 1e-6 {
				t.Fatalf("settles at %v (%v), want %v", q, ok, want)
			}
			// A velocity across the normal, as the point keeps its distance from the surface.
			v := n.Cross(geom.Vec3{X: 0.4, Y: 0.5, Z: 0.6})
			got := row.on.driftFrom(row.p, v)
			const h = 1e-4
			a, _ := row.on.project(row.p.AddScaled(-h, v), -1)
			b, _ := row.on.project(row.p.AddScaled(h, v), -1)
			if slope := b.Sub(a).Scale(0.5 / h); got.Dist(slope) > 1e-4*(1+slope.Norm()) {
				t.Errorf("the foot moves with %v, want %v", got, slope)
			}
		})
	}
}

// TestIntersectionWaitsForFootPoints: a foot point on a pipe can be close to its point before the steps along the spine
// converge. The tangent must be that of the converged foot points.
func TestIntersectionWaitsForFootPoints(t *testing.T) {
	const height, outer = 1.0, 30 + 1.7320508075688772 // where the ring's tube has that height
	plane := surface.Plane{Frame: geom.Frame{Origin: geom.Vec3{Z: height}, X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1},
		Z: geom.Vec3{Z: 1}}}
	at := func(angle float64) (p, along geom.Vec3) {
		sin, cos := math.Sincos(angle)
		return geom.Vec3{X: outer * cos, Y: outer * sin, Z: height}, geom.Vec3{X: -sin, Y: cos}
	}
	for _, angle := range []float64{0.01, 0.05, 0.1, 0.15} {
		m := meeting{ring(), newSheet(carrier{Surface: plane})}
		start, _ := at(0)
		m.begin(spotAt(start))
		p, along := at(angle)
		s, fails, ok := m.near(p, along)
		if !ok || !s.hasTangent || s.p.Dist(p) > 1e-6 || s.t.Dist(along) > 1e-5 || fails > 1e-6 {
			t.Errorf("by %g rad: off by %g, tangent by %g, fails %g (%v)", angle, s.p.Dist(p),
				s.t.Dist(along), fails, ok)
		}
	}
}

// TestFollowAtGrazingSurfaces: near grazing surfaces, a small error of one surface moves the points on both by much
// more. The traced curve must stay as smooth as its points and not follow such errors.
func TestFollowAtGrazingSurfaces(t *testing.T) {
	const r, off = 0.1, 0.5 * fitTolerance
	var points []geom.Vec3
	var knots []float64
	const n = 80
	for i := range n + 1 {
		wave := off * float64(1-2*(i%2))
		points = append(points, geom.Vec3{Y: 0.4 * (2*float64(i)/n - 1), Z: wave})
	}
	for i := range n + 5 {
		knots = append(knots, float64(min(max(i-3, 0), n-2)))
	}
	spine, err := curve.NewBSpline(3, knots, points, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	along := geom.Frame{X: geom.Vec3{Y: 1}, Y: geom.Vec3{Z: 1}, Z: geom.Vec3{X: 1}}
	m := meeting{&pipeBlend{spine: guide{Curve: spine, scale: 1}, radius: r},
		newSheet(carrier{Surface: surface.Cylinder{Frame: along, Radius: r}})}
	at := func(angle float64) geom.Vec3 { // of the ellipse in which both would meet
		sin, cos := math.Sincos(angle)
		return geom.Vec3{X: r * sin, Y: r * sin, Z: r * cos}
	}
	var chart []curvePoint
	for _, angle := range []float64{1.5, 1.2, 0.9, 0.6, 0.3, 0.05, 0.015, 0} {
		chart = append(chart, spotAt(at(angle)))
	}
	c, err := follow(t.Context(), m, chart, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Knots().Pieces(); got > 40 {
		t.Errorf("%d pieces", got)
	}
	const looks = 2000
	for i := range looks {
		p, d := c.D1(c.Domain().At((float64(i) + 0.5) / looks))
		angle := math.Atan2(p.X, p.Z)
		sin, cos := math.Sincos(angle)
		if ahead := (geom.Vec3{X: -cos, Y: -cos, Z: sin}).Unit(); d.Unit().Dot(ahead) < 0.95 ||
			p.Dist(at(angle)) > 50*fitTolerance {
			t.Fatalf("at %v, %g before the end, it is off by %g and runs along %v, not %v",
				p, angle, p.Dist(at(angle)), d.Unit(), ahead)
		}
	}
}
