package reach_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/leftover"
	"millwright.dev/millwright/bench/reach"
	"millwright.dev/millwright/core/kernel/geom"
)

// grains fill a box by columns along z.
func grains(from, to geom.Vec3, faces ...int) (out []leftover.Grain) {
	const step = 0.2
	for x := from.X + step/2; x < to.X; x += step {
		for y := from.Y + step/2; y < to.Y; y += step {
			out = append(out, leftover.Grain{
				From: geom.Vec3{X: x, Y: y, Z: from.Z}, To: geom.Vec3{X: x, Y: y, Z: to.Z},
				Volume: step * step * (to.Z - from.Z), Faces: faces,
			})
		}
	}
	return out
}

// A right claim is true, a wrong one is contradicted with tool and direction, one about another limit stays apart, and
// one without material is told.
func TestJudge(t *testing.T) {
	part := pocketed(t, geom.Vec3{X: 20, Y: 20, Z: 10}, geom.Vec3{X: 40, Y: 40, Z: 40}) // no holder enters
	left := grains(geom.Vec3{X: 21, Y: 21, Z: 10}, geom.Vec3{X: 39, Y: 39, Z: 11})
	up := []geom.Vec3{{Z: 1}}
	for _, c := range []struct {
		name                  string
		tool                  reach.Tool
		reason, detail        string
		grains                []leftover.Grain
		want                  reach.Outcome
		lower, upper, planned float64
		volume                float64
	}{
		{"the holder is in the way", mill(10, 0, 22, 25), "out_of_reach", "It lies 30 mm deep.", left, reach.True, 0, 0, 0, 324},
		{"a wrong claim", mill(10, 0, 22, 35), "out_of_reach", "It lies 30 mm deep.", left, reach.Contradicted, 0.94, 1, 0.94, 324},
		{"a little is reached", mill(10, 0, 22, 35), "sharp_corner", "", left[:100], reach.True, 0.8, 1, 0.8, 324},
		{"work for a lathe", mill(10, 0, 22, 35), "turned", "", left, reach.Apart, 0.94, 1, 0.94, 324},
		{"a limit of planning", mill(10, 0, 22, 35), "no_tool_fits", "Finishing it is not planned yet.", left, reach.Apart,
			0.94, 1, 0.94, 324},
		{"nothing is left", mill(10, 0, 22, 35), "out_of_reach", "", nil, reach.Gone, 0, 0, 0, 324},
		{"material of others", mill(10, 0, 22, 35), "sharp_corner", "", left, reach.Mixed, 0.94, 1, 0.94, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := reach.NewSample(1)
			for _, g := range c.grains {
				s.Add(g)
			}
			e := leftover.Entry{Reason: c.reason, Detail: c.detail, Volume: c.volume}
			r := reach.Judge(query(part, c.tool), &e, s, 100, up)
			if r.Outcome != c.want || r.Lower < c.lower || r.Upper > c.upper+1e-9 || r.Planned < c.planned {
				t.Errorf("got %+v, want %s with %.2f to %.2f, planned %.2f", r, c.want, c.lower, c.upper, c.planned)
			}
			if reached := len(r.By) > 0; reached != (c.upper > 0) {
				t.Fatalf("by %+v", r.By)
			}
			if c.upper > 0 && (r.By[0].Tool != "mill" || r.By[0].Direction != "+z" || !r.By[0].Planned) {
				t.Errorf("by %+v, want mill from +z, which is planned", r.By[0])
			}
		})
	}
}

// A sample is even by volume, also when it is thinned: a tenth of the material in few large grains gives a tenth.
func TestSampleIsEven(t *testing.T) {
	s := reach.NewSample(7)
	volume := 0.0
	for i := range 300_000 {
		g := leftover.Grain{From: geom.Vec3{X: 1}, To: geom.Vec3{X: 1, Z: 1}, Volume: 0.003}
		if i%3000 == 0 {
			g = leftover.Grain{From: geom.Vec3{X: -1}, To: geom.Vec3{X: -1, Z: 1}, Volume: 1}
		}
		volume += g.Volume
		s.Add(g)
	}
	if math.Abs(s.Volume-volume) > 1e-6*volume {
		t.Errorf("volume is %g, want %g", s.Volume, volume)
	}
	const n = 5000
	points, few := s.Points(n), 0
	for _, p := range points {
		if p.Z < 0 || p.Z > 1 {
			t.Fatalf("%v is not in a grain", p)
		}
		if p.X < 0 {
			few++
		}
	}
	if share := float64(few) / n; math.Abs(share-0.1) > 0.01 || math.Abs(float64(len(points)-n)) > 1 {
		t.Errorf("%d points, a share of %.3f in the large grains; want %d and 0.1", len(points), share, n)
	}
}

func TestOwner(t *testing.T) {
	list := []leftover.Entry{
		{Regions: []int{1, 2}, At: geom.Vec3{X: 0}, Height: 0.3},
		{Regions: []int{2, 3}, At: geom.Vec3{X: 10}, Height: 2},
	}
	for _, c := range []struct {
		name      string
		x, height float64
		faces     []int
		want      int
	}{
		{"a face of the first", 9, 0.1, []int{1}, 0},
		{"a face of the first, and too high", 9, 1, []int{1}, 0},
		{"a face of both, near the first", 4, 0.2, []int{2}, 0},
		{"a face of both, near the first, and too high for it", 4, 1, []int{2}, 1},
		{"a face of both, near the second", 6, 0.2, []int{2}, 1},
		{"an edge between them", 9, 0.2, []int{1, 3}, 1},
		{"no face of either", 0, 0, []int{7}, -1},
	} {
		g := leftover.Grain{From: geom.Vec3{X: c.x}, To: geom.Vec3{X: c.x}, Faces: c.faces, Height: c.height}
		if got := reach.Owner(list, &g); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSums(t *testing.T) {
	var b bytes.Buffer
	reach.PrintSums(&b, []reach.Row{
		{Reason: "sharp_corner", Outcome: reach.True, Left: 30, Lower: 0.1, Upper: 0.2},
		{Reason: "out_of_reach", Outcome: reach.Contradicted, Left: 10, Lower: 1, Upper: 1},
		{Reason: "turned", Outcome: reach.Apart, Left: 1000, Lower: 1, Upper: 1},
	})
	for _, want := range []string{
		"sharp_corner\t1\t0\t0\t0\t0\t0", "out_of_reach\t0\t0\t1\t0\t0\t0", "all\t1\t0\t1\t1\t0\t0",
		"40.0 mm³; reached: 13.0 to 16.0 mm³ (32.50% to 40.00%)",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
