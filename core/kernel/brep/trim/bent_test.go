package trim

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// fluted draws a ring at v = 0 with a notch of a width (rad) up to a height. The function way is the notch's path.
func fluted(width, height float64, n int, way func(v float64) float64) []geom.Vec2 {
	var uvs []geom.Vec2
	for k := range n + 1 {
		v := height * float64(k) / float64(n)
		uvs = append(uvs, geom.Vec2{X: way(v), Y: v})
	}
	for k := range 4 {
		uvs = append(uvs, geom.Vec2{X: way(height) + width*float64(k+1)/5, Y: height})
	}
	for k := range n + 1 {
		v := height * float64(n-k) / float64(n)
		uvs = append(uvs, geom.Vec2{X: way(v) + width, Y: v})
	}
	return append(uvs, geom.Vec2{X: way(0) + 0.5*(width+2*math.Pi)}, geom.Vec2{X: way(0) + 2*math.Pi})
}

func reversed(uvs []geom.Vec2) []geom.Vec2 {
	var out []geom.Vec2
	for i := range uvs {
		out = append(out, uvs[len(uvs)-1-i])
	}
	return out
}

func raised(uvs []geom.Vec2, by float64) []geom.Vec2 {
	var out []geom.Vec2
	for _, uv := range uvs {
		out = append(out, geom.Vec2{X: uv.X, Y: uv.Y + by})
	}
	return out
}

// TestBentCuts has rings that wind back over themselves and leave no straight path from one to the other.
func TestBentCuts(t *testing.T) {
	helix := func(v float64) float64 { return 2.5 * v }
	bends := func(v float64) float64 { return 6 * math.Sin(v) }
	notched := func(holes [][]geom.Vec2, rings ...[]geom.Vec2) [][]geom.Vec2 { return append(rings, holes...) }
	const width, height, n = 2.0, 5.0, 150
	for _, row := range []struct {
		name  string
		loops [][]geom.Vec2
		area  float64
	}{
		{"helical flute", notched(nil, fluted(width, height, n, helix), wave(1, 6, 0, 40, -1)),
			12*math.Pi - width*height},
		{"a wide one", notched(nil, fluted(6, height, n, helix), wave(1, 6, 0, 40, -1)), 12*math.Pi - 6*height},
		{"a flute with bends", notched(nil, fluted(width, height, n, bends), wave(1, 6, 0, 40, -1)),
			12*math.Pi - width*height},
		{"flutes from both sides", notched(nil, fluted(width, height, n, bends),
			raised(reversed(fluted(1, -height, n, func(v float64) float64 { return bends(v+height+0.5) + 3.6 })),
				height+0.5)),
			2*math.Pi*(height+0.5) - (width+1)*height},
		{"with holes in the land", notched([][]geom.Vec2{round(6.6, 1, -0.4, 12), round(helix(3)+4.2, 3, -0.7, 12)},
			fluted(width, height, n, helix), wave(1, 6, 0, 40, -1)),
			12*math.Pi - width*height - polygonArea(0.4, 12) - polygonArea(0.7, 12)},
	} {
		for _, isReversed := range []bool{false, true} {
			checkBuilt(t, row.name, draw(t, unitCylinder, isReversed, row.loops...), row.area, 0)
		}
	}
}

// checkBuilt checks the area of the built domain, the number of loops that ran in the wrong direction, and samples. It
// also checks that no pieces cross.
func checkBuilt(t *testing.T, name string, d *drawn, want float64, turned int) {
	t.Helper()
	var b Builder
	got, err := b.Build(d.m, 0, d, Options{ChordTolerance: 0.01})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	area := 0.0
	for _, p := range got.Polygons {
		area += Area(p)
	}
	if p, q, found := crossing(got); found {
		t.Errorf("%s: pieces at %v and %v cross", name, p, q)
	}
	if math.Abs(area-want) > 1e-6*want || got.Turned != turned {
		t.Errorf("%s: area %.9g turned %d, want %.9g and %d", name, area, got.Turned, want, turned)
	}
	checkSamples(t, name, d, got)
}
