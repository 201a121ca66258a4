package thumbnail

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestInsideMatchesExhaustiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.Int64Range(-1000, 1000).Draw(t, "w")
		step := rapid.Int64Range(-60, 60).Draw(t, "step")
		n := rapid.Int64Range(0, 40).Draw(t, "n")
		lo, hi := inside(w, step, 0, n)
		for i := range n + 1 {
			if want := w+i*step >= 0; want != (i >= lo && i <= hi) {
				t.Fatalf("w %d step %d: i %d inside is %v, got the range %d to %d", w, step, i, want, lo, hi)
			}
		}
	})
}

// at makes a scene of one triangle with corners in fixed-point units.
func at(x, y [3]int32, z [3]float32) *scene {
	s := &scene{triangles: [][3]int32{{0, 1, 2}}, region: []int32{0}, colors: [][3]float32{{1, 1, 1}}}
	for k := range 3 {
		s.corners = append(s.corners, corner{x: x[k], y: y[k], z: z[k], normal: [3]float32{0, 0, 1}})
	}
	return s
}

func TestDrawCoversExactlyTheSamplesInside(t *testing.T) {
	tl := &tile{}
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Int32Range(-20*subUnits, 330*subUnits)
		if rapid.Bool().Draw(t, "small") {
			coordinate = rapid.Int32Range(100*subUnits, 110*subUnits)
		}
		var x, y [3]int32
		var z [3]float32
		for k := range 3 {
			x[k], y[k] = coordinate.Draw(t, "x"), coordinate.Draw(t, "y")
			z[k] = rapid.Float32Range(-500, 500).Draw(t, "z")
		}
		s := at(x, y, z)
		if s.area2(0) == 0 {
			t.Skip("no area")
		}
		tl.scene = s
		tl.clear(0, 0)
		tl.draw(0)
		side := func(i, j int, px, py int64) int64 {
			return int64(x[j]-x[i])*(py-int64(y[i])) - int64(y[j]-y[i])*(px-int64(x[i]))
		}
		lowest, highest := min(z[0], z[1], z[2])-behind-1e-3, max(z[0], z[1], z[2])+1e-3
		step := rapid.IntRange(1, 5).Draw(t, "step") // every row and column is met in some case
		for j := 0; j < tileSide; j += step {
			for i := 0; i < tileSide; i += step {
				px, py := int64(i-apron)*subUnits+subUnits/2, int64(j-apron)*subUnits+subUnits/2
				a, b, c := side(0, 1, px, py), side(1, 2, px, py), side(2, 0, px, py)
				want := a >= 0 && b >= 0 && c >= 0 || a <= 0 && b <= 0 && c <= 0
				got := tl.triangle[j*tileSide+i] == 0
				if got != want {
					t.Fatalf("sample (%d, %d) covered is %v, want %v", i, j, got, want)
				}
				if depth := tl.depth[j*tileSide+i]; got && (depth < lowest || depth > highest) {
					t.Fatalf("sample (%d, %d) has depth %g, corners %v", i, j, depth, z)
				}
			}
		}
	})
}

func TestDepthIsLinear(t *testing.T) {
	// z = 3 + x/2 - y/4 in samples.
	plane := func(x, y float64) float64 { return 3 + x/2 - y/4 }
	x, y := [3]int32{1000, 60000, 9000}, [3]int32{2000, 11000, 63000}
	var z [3]float32
	for k := range z {
		z[k] = float32(plane(float64(x[k])/subUnits, float64(y[k])/subUnits))
	}
	tl := &tile{scene: at(x, y, z)}
	if tl.scene.area2(0) < 0 {
		t.Fatal("the triangle should be seen from behind")
	}
	tl.clear(0, 0)
	tl.draw(0)
	n := 0
	for i, k := range tl.triangle {
		if k == noSurface {
			continue
		}
		n++
		px, py := float64(i%tileSide-apron)+0.5, float64(i/tileSide-apron)+0.5
		if want := plane(px, py) - behind; math.Abs(float64(tl.depth[i])-want) > 1e-3 {
			t.Fatalf("depth at (%g, %g) is %g, want %g", px, py, tl.depth[i], want)
		}
	}
	if n < 20000 {
		t.Errorf("only %d samples are covered", n)
	}
}

func TestBinsFindEveryTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perSide := rapid.IntRange(1, 6).Draw(t, "per side")
		boxes := make([]box, rapid.IntRange(0, 12).Draw(t, "n"))
		for i := range boxes {
			x, y := rapid.IntRange(-400, 1600).Draw(t, "x"), rapid.IntRange(-400, 1600).Draw(t, "y")
			boxes[i] = box{x, y, x + rapid.IntRange(0, 900).Draw(t, "w"), y + rapid.IntRange(0, 900).Draw(t, "h")}
		}
		b := collect(perSide, len(boxes), func(i int) (box, bool) { return boxes[i], i%4 != 3 })
		for tileIndex := range perSide * perSide {
			const side = tilePixels * perPixel
			x, y := tileIndex%perSide*side, tileIndex/perSide*side
			var want []int32
			for i, e := range boxes {
				touches := e.x1 >= x-apron && e.x0 < x+side+apron && e.y1 >= y-apron && e.y0 < y+side+apron
				if touches && i%4 != 3 {
					want = append(want, int32(i))
				}
			}
			got := b.of(tileIndex)
			if len(got) != len(want) {
				t.Fatalf("tile %d holds %v, want %v of %v", tileIndex, got, want, boxes)
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("tile %d holds %v, want %v", tileIndex, got, want)
				}
			}
		}
	})
}

func TestVisibleStrokeEndsAtSurface(t *testing.T) {
	// A triangle at depth 0 over the left part of the tile; a line crosses it behind, before and in it.
	s := at([3]int32{-100000, 100 * subUnits, 100 * subUnits}, [3]int32{30000, -60000, 120000}, [3]float32{})
	for _, c := range []struct {
		name string
		z    float64
		from float32 // pixel at which the line comes into view
	}{
		{"before", 5, 10.0 / perPixel},
		{"on the surface", 0, 10.0 / perPixel},
		{"behind", -5, 100.0 / perPixel},
	} {
		s.lines = []line{{geom.Vec3{X: 10, Y: 50, Z: c.z}, geom.Vec3{X: 200, Y: 50, Z: c.z}}}
		tl := &tile{scene: s}
		tl.clear(0, 0)
		tl.draw(0)
		got := tl.visibleParts([]int32{0})
		if len(got) != 1 || math.Abs(float64(got[0].ax-c.from)) > 0.5 || math.Abs(float64(got[0].bx-50)) > 0.01 {
			t.Errorf("%s: visible %v, want one stretch from %g to 50", c.name, got, c.from)
		}
	}
}

func TestStretchesJoinAtTileBorders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-300, 900)
		l := line{a: geom.Vec3{X: c.Draw(t, "ax"), Y: c.Draw(t, "ay")}}
		l.b = geom.Vec3{X: c.Draw(t, "bx"), Y: c.Draw(t, "by")}
		total := 0.0
		for i := range 9 {
			tl := &tile{x: i%3*256 - apron, y: i/3*256 - apron}
			if t0, t1, ok := tl.clip(&l); ok {
				total += t1 - t0
			}
		}
		whole := &tile{x: -apron, y: -apron}
		// The same square as one tile, three times as large: scale the line down.
		small := line{l.a.Scale(1.0 / 3), l.b.Scale(1.0 / 3)}
		want := 0.0
		if t0, t1, ok := whole.clip(&small); ok {
			want = t1 - t0
		}
		if math.Abs(total-want) > 1e-9 {
			t.Fatalf("line %v: the tiles see %g of it, want %g", l, total, want)
		}
	})
}

func TestStrokeCoverage(t *testing.T) {
	const size, radius = 128, 0.65
	for degrees := 0; degrees < 180; degrees += 15 {
		sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
		coverage := make([]uint8, size*size)
		s := stroke{64.2 - float32(40*cos), 63.9 - float32(40*sin), 64.2 + float32(40*cos), 63.9 + float32(40*sin)}
		cover(coverage, size, s, radius)
		sum := 0.0
		for _, c := range coverage {
			sum += float64(c) / 255
		}
		want := 80*2*radius + math.Pi*radius*radius
		if math.Abs(sum/want-1) > 0.05 {
			t.Errorf("stroke at %d°: coverage %.1f pixels, want %.1f", degrees, sum, want)
		}
	}
	corner := make([]uint8, size*size)
	cover(corner, size, stroke{-50, -50, 1000, 1000}, radius)
	if corner[0] != 255 || corner[size*size-1] != 255 || corner[size-1] != 0 {
		t.Error("a stroke beyond the picture is not clipped to it")
	}
}
