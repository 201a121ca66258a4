package leftover

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/geom"
)

// outlines are tools of all forms.
func outlines() map[string]replay.Tool {
	out := map[string]replay.Tool{}
	for name, s := range map[string]replay.Shape{
		"flat":     {Diameter: 6, FluteLength: 9},
		"ball":     {Diameter: 6, CornerRadius: 3, FluteLength: 9},
		"bull":     {Diameter: 8, CornerRadius: 1, FluteLength: 7},
		"drill":    {Diameter: 5, TipAngle: 118, FluteLength: 20},
		"chamfer":  {Diameter: 10, TipAngle: 90, FluteLength: 5},
		"no flute": {Diameter: 4},
	} {
		out[name] = s.Body()
	}
	return out
}

// A point is removed by a column along the tool exactly when it is removed by the columns across it.
func TestCutsAlongAndAcrossAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	at := func() geom.Vec2 { return geom.Vec2{X: 20*r.Float64() - 10, Y: 20*r.Float64() - 10} }
	first := view{axis: [3]int{0, 1, 2}, sign: [3]float64{1, 1, 1}}
	for name, tool := range outlines() {
		removed := 0
		for range 4000 {
			p := pass{view: &first, tool: &tool, from: at(), to: at()}
			p.radius = tool.Cutting[len(tool.Cutting)-1].Radius
			switch r.IntN(4) {
			case 0: // a plunge
				p.to = p.from
				p.hi = 5 * r.Float64()
			case 1, 2: // an arc
				p.center, p.turn = at(), 4*math.Pi*r.Float64()-2*math.Pi
				p.to = along(p.from, replay.Move{Center: p.center, Turn: p.turn}, 1)
			}
			q, z := at(), 12*r.Float64()-1
			lo, hi, down := p.down(q)
			down = down && lo < z && z < hi
			if down {
				removed++
			}
			for _, swapped := range []bool{false, true} {
				x, c := q.X, q.Y
				if swapped {
					x, c = c, x
				}
				across := false
				p.across(swapped, c, z, func(lo, hi float64) { across = across || lo < x && x < hi })
				if across != down && !nearBound(&p, q, z) {
					t.Errorf("%s: %+v at %v %.3f: along the tool %v, across (swapped %v) %v",
						name, p, q, z, down, swapped, across)
				}
			}
		}
		if removed < 50 && name != "no flute" {
			t.Errorf("%s: only %d of the points are removed", name, removed)
		}
	}
}

// nearBound reports whether a point is so near to the surface of the removed material that rounding decides.
func nearBound(p *pass, q geom.Vec2, z float64) bool {
	const slack = 1e-6
	d := p.distance(q)
	in := func(d, z float64) bool {
		return d < p.radius && p.lo+heightAt(p.tool.Cutting, d) < z && z < p.hi+p.tool.Flute
	}
	return in(d-slack, z) != in(d+slack, z) || in(d, z-slack) != in(d, z+slack)
}

func TestColumnCuts(t *testing.T) {
	for _, c := range []struct {
		name   string
		lo, hi float64
		want   []stretch
	}{
		{"before", -2, 0, []stretch{{0, 4}, {6, 10}}},
		{"the begin", -2, 1, []stretch{{1, 4}, {6, 10}}},
		{"the middle of one", 1, 2, []stretch{{0, 1}, {2, 4}, {6, 10}}},
		{"both ends of a gap", 3, 7, []stretch{{0, 3}, {7, 10}}},
		{"a gap", 4, 6, []stretch{{0, 4}, {6, 10}}},
		{"one", -1, 5, []stretch{{6, 10}}},
		{"all", -1, 11, nil},
		{"behind", 10, 12, []stretch{{0, 4}, {6, 10}}},
	} {
		g := &columns{of: [][]stretch{{{0, 4}, {6, 10}}}}
		g.cut(0, c.lo, c.hi)
		if len(g.of[0]) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, g.of[0], c.want)
			continue
		}
		for i, s := range g.of[0] {
			if s != c.want[i] {
				t.Errorf("%s: %v, want %v", c.name, g.of[0], c.want)
			}
		}
	}
}

// The nearest triangle of the tree is that of a search through all.
func TestNearestFaces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	at := func() point { return point{10 * r.Float64(), 10 * r.Float64(), 10 * r.Float64()} }
	list := make([]triangle, 300)
	for i := range list {
		a, b, c := at(), at(), at()
		list[i] = triangle{corner: [3]point{a, b, c}, normal: point{0, 0, 1}, face: int32(i)}
		for k := range 3 {
			list[i].box.min[k], list[i].box.max[k] = min(a[k], b[k], c[k]), max(a[k], b[k], c[k])
		}
	}
	tree := newTree(list)
	for range 500 {
		p := at()
		best, face := math.Inf(1), int32(-1)
		for i := range list {
			if d := norm(sub(list[i].closest(p), p)); d < best {
				best, face = d, int32(i)
			}
		}
		for _, most := range []float64{math.Inf(1), best} {
			if n := tree.query(p, most); math.Abs(n.distance-best) > 1e-12 || n.faces != (faces{face, -1, -1}) {
				t.Fatalf("at %v, at most %v: %+v, want face %d at %v", p, most, n, face, best)
			}
		}
	}
}
