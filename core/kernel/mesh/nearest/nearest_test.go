package nearest

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// prism is a circular plate with a region for each of its faces, with many triangles that meet in two points.
func prism(sides int) *mesh.Mesh {
	m := &mesh.Mesh{Points: []geom.Vec3{{Z: -5}, {Z: 5}}}
	for i := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
		m.Points = append(m.Points, geom.Vec3{X: 30 * cos, Y: 20 * sin, Z: -5},
			geom.Vec3{X: 30 * cos, Y: 20 * sin, Z: 5})
	}
	at := func(i, high int) int32 { return int32(2 + i%sides*2 + high) }
	for face := range 3 {
		first := int32(len(m.Triangles))
		for i := range sides {
			switch face {
			case 0:
				m.Triangles = append(m.Triangles, [3]int32{0, at(i+1, 0), at(i, 0)})
			case 1:
				m.Triangles = append(m.Triangles, [3]int32{1, at(i, 1), at(i+1, 1)})
			default:
				m.Triangles = append(m.Triangles, [3]int32{at(i, 0), at(i+1, 0), at(i+1, 1)},
					[3]int32{at(i, 0), at(i+1, 1), at(i, 1)})
			}
		}
		m.Regions = append(m.Regions, mesh.Region{Start: first, End: int32(len(m.Triangles))})
	}
	return m
}

func TestNearestOfAllTriangles(t *testing.T) {
	m := prism(40)
	f := New(m)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-45, 45)
		p := geom.Vec3{X: at.Draw(t, "x"), Y: at.Draw(t, "y"), Z: at.Draw(t, "z")}
		want, near := math.Inf(1), map[int]float64{}
		const reach = 12
		for r, region := range m.Regions {
			for _, v := range m.Triangles[region.Start:region.End] {
				d := nearestOn(p, m.Points[v[0]], m.Points[v[1]], m.Points[v[2]]).Dist(p)
				want = min(want, d)
				if old, ok := near[r]; d <= reach && (!ok || d < old) {
					near[r] = d
				}
			}
		}
		got := f.Nearest(p, Nowhere)
		if math.Abs(got.Distance-want) > 1e-9 {
			t.Fatalf("%v: %+v, want %g", p, got, want)
		}
		beside := p.Add(geom.Vec3{X: at.Draw(t, "beside"), Y: 1})
		if like := f.Nearest(p, f.Nearest(beside, Nowhere)); like.Distance != got.Distance ||
			like.Region != got.Region {
			t.Fatalf("%v: %+v by the contact of %v, want %+v", p, like, beside, got)
		}
		within := map[int]float64{}
		f.visit(p, reach, nil, func(k int32, reach float64) float64 {
			t := &f.facets[k]
			if old, ok := within[t.region]; !ok || t.distance(p) < old {
				if d := t.distance(p); d <= reach {
					within[t.region] = d
				}
			}
			return reach
		})
		if len(within) != len(near) {
			t.Fatalf("%v: within %v, want %v", p, within, near)
		}
		for r, d := range near {
			if math.Abs(within[r]-d) > 1e-9 {
				t.Fatalf("%v: face %d %g, want %g", p, r, within[r], d)
			}
		}
	})
}

// TestNearestOnATriangle checks that no point of a triangle is nearer than the returned one, which lies on it.
func TestNearestOnATriangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.OneOf(rapid.Float64Range(-2, 2), rapid.SampledFrom([]float64{0, 1}))
		point := func(name string) geom.Vec3 {
			return geom.Vec3{X: at.Draw(t, name+"x"), Y: at.Draw(t, name+"y"), Z: at.Draw(t, name+"z")}
		}
		p, a, b, c := point("p"), point("a"), point("b"), point("c")
		got := nearestOn(p, a, b, c).Dist(p)
		const n = 20
		best := math.Inf(1)
		for i := range n + 1 {
			for k := range n + 1 - i {
				u, v := float64(i)/n, float64(k)/n
				best = min(best, a.Scale(1-u-v).Add(b.Scale(u)).Add(c.Scale(v)).Dist(p))
			}
		}
		size := max(a.Dist(b), b.Dist(c), c.Dist(a))
		if got > best+1e-9 || got < best-size/n {
			t.Fatalf("%g, of samples %g", got, best)
		}
	})
}
