package planar_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func TestEnclosingRectOfKnownShapes(t *testing.T) {
	for _, c := range []struct {
		name          string
		of            planar.Loop
		length, width float64
	}{
		{"rectangle", planar.Polygon(pt(0, 0), pt(3, 0), pt(3, 8), pt(0, 8)), 8, 3},
		{"circle", planar.Circle(pt(1, 1), 4, false), 8, 8},
		{"slot", stadium(10, 2), 14, 4},
		{"rounded square", rounded(6, 6, 2), 6, 6},
		{"rounded rectangle", rounded(10, 6, 2), 10, 6},
		{"right triangle, legs win over the long side", planar.Polygon(pt(0, 0), pt(4, 0), pt(0, 3)), 4, 3},
		{"half disc", planar.Loop{planar.NewArc(pt(0, 0), pt(5, 0), math.Pi), planar.NewLine(pt(-5, 0), pt(5, 0))},
			10, 5},
		{"L", planar.Polygon(pt(0, 0), pt(9, 0), pt(9, 3), pt(3, 3), pt(3, 7), pt(0, 7)), 9, 7},
	} {
		for _, angle := range []float64{0, 0.3, 1.2, 2.9} {
			m := moved(of(c.of), angle, 1, pt(30, -20), 1)
			got := planar.EnclosingRect(m.Loops[0])
			if !near(got.Length, c.length, 1e-7) || !near(got.Width, c.width, 1e-7) {
				t.Errorf("%s turned by %v: %v x %v, want %v x %v", c.name, angle,
					got.Length, got.Width, c.length, c.width)
			}
		}
	}
	if got := planar.EnclosingRect(nil); got != (planar.Rect{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestEnclosingRectIsTheSmallestOfManyAngles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		var pieces []planar.Segment
		for range n {
			pieces = append(pieces, drawPiece(t, "piece"))
		}
		got := planar.EnclosingRect(pieces)
		var points []geom.Vec2
		for i := range pieces {
			for k := range 201 {
				points = append(points, pieces[i].At(float64(k)/200))
			}
		}
		inside := func(q geom.Vec2) bool {
			v := pt(-got.U.Y, got.U.X)
			d := q.Sub(got.Center)
			return math.Abs(d.Dot(got.U)) <= got.Length/2+1e-7 && math.Abs(d.Dot(v)) <= got.Width/2+1e-7
		}
		for _, q := range points {
			if !inside(q) {
				t.Fatalf("%v lies outside %+v", q, got)
			}
		}
		best := math.Inf(1)
		for k := range 720 {
			s, c := math.Sincos(float64(k) * math.Pi / 1440)
			uLo, uHi, vLo, vHi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
			for _, q := range points {
				u, v := c*q.X+s*q.Y, c*q.Y-s*q.X
				uLo, uHi, vLo, vHi = min(uLo, u), max(uHi, u), min(vLo, v), max(vHi, v)
			}
			best = min(best, (uHi-uLo)*(vHi-vLo))
		}
		if area := got.Length * got.Width; area > best*(1+2e-3)+2e-2 {
			t.Fatalf("area %v, %v was found by turning", area, best)
		}
	})
}
