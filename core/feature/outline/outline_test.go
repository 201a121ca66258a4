package outline_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Seen along its normal, a plane's boundary encloses its area, outer loops counter-clockwise, inner
// ones clockwise.
func TestPlaneAreaMatchesOutline(t *testing.T) {
	for _, part := range []string{"plate_holes", "pockets", "bosses", "chamfers", "cross_holes", "fillets"} {
		g, p := featuretest.Measured(t, part)
		samples := outline.Sample(g)
		for q := range g.Patches {
			if g.Patches[q].Kind != surface.KindPlane {
				continue
			}
			v := samples.Along(g, g.Patches[q].Axis)
			area, length, outer := 0.0, 0.0, 0
			for _, c := range v.Chains([]int32{int32(q)}) {
				l := v.Loop(c)
				area += l.Area()
				if l.Area() > 0 {
					outer++
				}
				if d := math.Abs(l.Length() - lengthOf(v, c)); d > 1e-3*lengthOf(v, c) {
					t.Errorf("%s patch %d: a loop of %v mm is %v mm long flat", part, q, lengthOf(v, c), l.Length())
				}
				length += lengthOf(v, c)
				for i := range l {
					if gap := l[i].To.Dist(l[(i+1)%len(l)].From); gap > 1e-5 {
						t.Errorf("%s patch %d: the loop has a gap of %v", part, q, gap)
					}
				}
			}
			want := 0.0
			for _, f := range g.Patches[q].Faces {
				want += p.Faces[f].Area
			}
			if math.Abs(area-want) > 1e-3*length {
				t.Errorf("%s patch %d: outline of %v mm², face of %v", part, q, area, want)
			}
			if outer != 1 {
				t.Errorf("%s patch %d has %d outer loops", part, q, outer)
			}
		}
	}
}

// All faces together have no boundary; all but one have the boundary of the remaining one, in the opposite sense.
func TestChainsOfManyPatches(t *testing.T) {
	g, _ := featuretest.Measured(t, "pockets")
	v := outline.Sample(g).Along(g, geom.Vec3{Z: 1})
	var all []int32
	for q := range g.Patches {
		all = append(all, int32(q))
	}
	if c := v.Chains(all); len(c) != 0 {
		t.Errorf("a closed surface has %d boundaries", len(c))
	}
	for q := range g.Patches {
		rest := append(append([]int32(nil), all[:q]...), all[q+1:]...)
		one, others := v.Chains([]int32{int32(q)}), v.Chains(rest)
		a, b := 0.0, 0.0
		for _, c := range one {
			a += lengthOf(v, c)
		}
		for _, c := range others {
			b += lengthOf(v, c)
			for _, ce := range c.Coedges {
				if v.Across(ce) != int32(q) {
					t.Errorf("across the boundary of all but %d lies %d", q, v.Across(ce))
				}
			}
		}
		if len(one) != len(others) || math.Abs(a-b) > 1e-9*a {
			t.Errorf("patch %d: %d boundaries of %v mm, from outside %d of %v mm", q, len(one), a, len(others), b)
		}
	}
}

// The pieces of an edge start and end where the edge does, lie on it, and walk it backward when reversed.
func TestEdgesAlongAnyDirection(t *testing.T) {
	g, _ := featuretest.Measured(t, "plate_holes")
	samples := outline.Sample(g)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-1, 1)
		dir := geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
		if dir.Norm() < 0.1 {
			t.Skip("no direction")
		}
		if rapid.Bool().Draw(t, "along an axis") {
			dir = geom.Vec3{Z: 1}
		}
		v := samples.Along(g, dir.Unit())
		id := brep.EdgeID(rapid.IntRange(0, len(g.Model.Edges)-1).Draw(t, "edge"))
		e := &g.Model.Edges[id]
		from, to := v.Point(e.Curve.At(e.Range.Lo)), v.Point(e.Curve.At(e.Range.Hi))
		pieces, back := v.AppendEdge(nil, id, false, 7), v.AppendEdge(nil, id, true, 7)
		if len(pieces) != len(back) {
			t.Fatalf("%d pieces forwards, %d backwards", len(pieces), len(back))
		}
		if len(pieces) == 0 {
			if from.Dist(to) > 1e-3 {
				t.Fatalf("an edge from %v to %v vanished", from, to)
			}
			return
		}
		last := len(pieces) - 1
		if pieces[0].From.Dist(from) > 1e-5 || pieces[last].To.Dist(to) > 1e-5 || back[0].From.Dist(to) > 1e-5 {
			t.Fatalf("pieces run from %v to %v, the edge from %v to %v", pieces[0].From, pieces[last].To, from, to)
		}
		span := v.Span(id)
		for k := range 21 {
			p := e.Curve.At(e.Range.At(float64(k) / 20))
			if z := p.Dot(v.Frame.Z); z < span.Lo-0.02 || z > span.Hi+0.02 {
				t.Fatalf("height %v is outside %v", z, span)
			}
			near := math.Inf(1)
			for i := range pieces {
				near = min(near, pieces[i].Distance(v.Point(p)))
			}
			if near > 0.02 {
				t.Fatalf("a point of the edge is %v off its pieces", near)
			}
		}
	})
}

func TestEdgeLength(t *testing.T) {
	line := brep.Edge{Curve: curve.Line{Dir: geom.Vec3{X: 1}}, Range: geom.Interval{Lo: 2, Hi: 7}}
	circle := brep.Edge{Curve: curve.Circle{Frame: geom.World, Radius: 3}, Range: geom.Interval{Hi: math.Pi}}
	ellipse := brep.Edge{Curve: curve.Ellipse{Frame: geom.World, Major: 3, Minor: 3},
		Range: geom.Interval{Hi: math.Pi}}
	for _, c := range []struct {
		name string
		edge *brep.Edge
		want float64
	}{
		{"line", &line, 5}, {"circle", &circle, 3 * math.Pi}, {"round ellipse", &ellipse, 3 * math.Pi},
		{"pole", &brep.Edge{}, 0},
	} {
		if got := outline.EdgeLength(c.edge); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v mm, want %v", c.name, got, c.want)
		}
	}
}

// Circles about the direction are arcs for either sense of their frames.
func TestCirclesAreArcs(t *testing.T) {
	g, _ := featuretest.Measured(t, "plate_holes")
	samples := outline.Sample(g)
	for _, dir := range []geom.Vec3{{Z: 1}, {Z: -1}} {
		v := samples.Along(g, dir)
		arcs := 0
		for q := range g.Patches {
			if s := &g.Patches[q].Shape; s.Kind != surface.KindPlane || s.Axis.Dot(dir) < 0.999 {
				continue
			}
			for _, c := range v.Chains([]int32{int32(q)}) {
				l := planar.Simplify(v.Loop(c))
				if len(l) == 1 {
					arcs++
					want := math.Pi * l[0].Radius() * l[0].Radius()
					if math.Abs(math.Abs(l.Area())-want) > 1e-9*want {
						t.Errorf("circle of %v mm², want %v", l.Area(), want)
					}
				}
			}
		}
		if arcs < 3 {
			t.Errorf("only %d circles along %v", arcs, dir)
		}
	}
}

// lengthOf returns the length of a chain's edges, mm.
func lengthOf(v outline.Projection, c outline.Contour) float64 {
	sum := 0.0
	for _, ce := range c.Coedges {
		sum += outline.EdgeLength(&v.Graph.Model.Edges[v.Graph.Model.Coedges[ce].Edge])
	}
	return sum
}
