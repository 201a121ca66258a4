package sweep

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestSpanCutMatchesCellModel compares the spans of one ray in a tile with a list of unit cells, cut cell by cell.
func TestSpanCutMatchesCellModel(t *testing.T) {
	const length = 40
	rapid.Check(t, func(t *rapid.T) {
		var cells [length]bool
		var spans []dexel.Span
		for i := range cells {
			cells[i] = rapid.Bool().Draw(t, "cell")
			if n := len(spans); cells[i] && n > 0 && spans[n-1].Hi == float32(i) {
				spans[n-1].Hi++
			} else if cells[i] {
				spans = append(spans, dexel.Span{Lo: float32(i), Hi: float32(i + 1)})
			}
		}
		ray := rapid.IntRange(0, tileRays-1).Draw(t, "ray")
		stock := dexel.Bundle{Start: make([]int32, tileRays+1), Spans: spans}
		for r := ray; r < tileRays; r++ {
			stock.Start[r+1] = int32(len(spans))
		}
		c := new(tile)
		c.load(&stock, tileSide, 0, 0, tileSide, tileSide)
		for range rapid.IntRange(1, 12).Draw(t, "cuts") {
			lo := rapid.IntRange(-2, length).Draw(t, "lo")
			hi := rapid.IntRange(lo, length+2).Draw(t, "hi")
			want := 0.0
			for i := max(lo, 0); i < min(hi, length); i++ {
				if cells[i] {
					want++
				}
				cells[i] = false
			}
			if got := c.cut(ray, float32(lo), float32(hi)); got != want {
				t.Fatalf("cut [%d, %d] removed %g, want %g", lo, hi, got, want)
			}
			got := make([]bool, length)
			for _, s := range c.ray(ray) {
				if !(s.Lo < s.Hi) {
					t.Fatalf("empty span %v", s)
				}
				for i := int(s.Lo); i < int(s.Hi); i++ {
					got[i] = true
				}
			}
			if !slices.Equal(got, cells[:]) {
				t.Fatalf("after [%d, %d]: %v, want %v", lo, hi, got, cells)
			}
		}
		for r := range tileRays {
			if r != ray && len(c.ray(r)) > 0 {
				t.Fatalf("ray %d has spans, only %d had any", r, ray)
			}
		}
	})
}

func TestToolBodyAndSlabCounts(t *testing.T) {
	for _, row := range []struct {
		name              string
		p                 toolprofile.Profile
		bodies, slabs, up int
	}{
		{"flat", toolprofile.EndMill(10, 0, 20), 1, 1, 0},
		{"ball", toolprofile.EndMill(10, 5, 20), 1, 2, 1},
		{"bull nose", toolprofile.EndMill(10, 1, 20), 1, 2, 1},
		{"drill", toolprofile.Drill(10, 2, 20), 1, 2, 1},
		{"lollipop", toolprofile.Profile{
			{To: vec(1, 2+math.Sqrt(3)), Radius: 2}, {From: vec(1, 2+math.Sqrt(3)), To: vec(1, 9)},
		}, 2, 3, 1},
		{"dovetail", toolprofile.Profile{
			{To: vec(2.5, 0)}, {From: vec(2.5, 0), To: vec(1, 3)}, {From: vec(1, 3), To: vec(1, 9)},
		}, 2, 2, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := bodies(row.p)
			slabs := 0
			for i := range b {
				slabs += len(b[i].slabs)
			}
			if len(b) != row.bodies || slabs != row.slabs || len(b[0].up) != row.up {
				t.Errorf("%d bodies of %d slabs, %d of the first widen; want %d, %d, %d",
					len(b), slabs, len(b[0].up), row.bodies, row.slabs, row.up)
			}
		})
	}
}

func vec(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// TestConcaveArcChordsStayWithinTolerance checks that the chords of a concave arc deviate from it by at most the bound,
// toward the tool's axis.
func TestConcaveArcChordsStayWithinTolerance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(0.01, 50).Draw(t, "r")
		slabs := appendSlabs(nil, toolprofile.Segment{From: vec(1, 0), To: vec(1+r, r), Radius: -r})
		for _, s := range slabs {
			z := 0.5 * (s.z0 + s.z1)
			d := math.Hypot(1+r-s.radius(z), z)
			if d < r-1.001*Chord || d > r+1e-12*r {
				t.Fatalf("the chord at height %g is %g mm from the centre of an arc of %g", z, d, r)
			}
		}
		if last := slabs[len(slabs)-1]; slabs[0].r0 != 1 || last.r1 != 1+r || last.z1 != r {
			t.Fatalf("the chords lead from radius %g to (%g, %g)", slabs[0].r0, last.r1, last.z1)
		}
	})
}

// TestLowestInvertsRadius checks that the lower function of a body and its radius are inverse to each other.
func TestLowestInvertsRadius(t *testing.T) {
	for _, p := range []toolprofile.Profile{toolprofile.EndMill(10, 5, 20), toolprofile.EndMill(10, 2, 20),
		toolprofile.Drill(10, 2, 20)} {
		b := bodies(p)[0]
		for i := range 101 {
			rho := b.low + (b.r1-b.low)*float64(i)/100
			z := lowest(b.up, b.low, b.z0, rho)
			if got := b.radius(z); math.Abs(got-rho) > 1e-6 {
				t.Errorf("radius %g at height %g, want %g", got, z, rho)
			}
		}
		if b.radius(b.z1+1) >= 0 || b.radius(-1) >= 0 {
			t.Error("the body has a radius beyond its ends")
		}
	}
}

// Chords stay within their bound from the smallest radius to the greatest, and no angle overflows.
func TestChordsOfAnyRadius(t *testing.T) {
	for _, r := range []float64{0, 1e-9, Chord, 0.001, 1, 1e3, 1e7, 1e9} {
		const angle = 1.0
		n := chords(r, angle)
		sagitta := 2 * r * math.Pow(math.Sin(angle/float64(n)/4), 2)
		if n > maxLegs || sagitta > Chord*(1+1e-9) {
			t.Errorf("radius %g: %d chords that stray by %g mm", r, n, sagitta)
		}
		if n > 2 {
			if wide := 2 * r * math.Pow(math.Sin(angle/float64(n-1)/4), 2); wide <= Chord {
				t.Errorf("radius %g: %d chords, one less would do", r, n)
			}
		}
	}
	if n := chords(1e9, 1e6); n <= maxLegs {
		t.Errorf("a great arc falls into %d chords", n)
	}
}
