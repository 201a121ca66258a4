package graph

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// comb has many parallel walls and coaxial and other bores, far from the origin and turned.
func comb() *brep.Model {
	var cuts []build.Cut
	var holes []build.Hole
	for i := range 8 {
		x := 5 + 12*float64(i)
		cuts = append(cuts, build.Cut{Profile: build.Moved(build.Rectangle(5, 30), v2(x, 5)), Depth: 4 + float64(i)})
		holes = append(holes, build.Hole{Center: v2(x, 45), Profile: []geom.Vec2{v2(4, 0), v2(4, 3), v2(2, 3), v2(2, 20)}})
	}
	src := build.Milled("comb", build.Rectangle(105, 60), 20, build.Style{}, cuts, holes...)
	m := &brep.Model{Tolerance: src.Tolerance}
	turn := geom.Rotation(geom.Vec3{X: 3, Y: 1, Z: 2}, 0.8)
	for i := range 3 {
		m.Append(src, turn.Mul(geom.Translation(geom.Vec3{X: 700, Z: 25 * float64(i)})))
	}
	m.Link()
	return m
}

// Planes that are not of patches are found as those are.
func TestPlanesOfShapes(t *testing.T) {
	g := graphOf(t, comb())
	shapes := make([]Shape, len(g.Patches))
	for i := range shapes {
		shapes[i] = g.Patches[i].Shape
	}
	patches, others := g.NewPlanes(everything(g)), g.NewPlanesOf(shapes)
	for i := range shapes {
		var want, got []int32
		s := &shapes[i]
		patches.Between(s.Axis, s.Origin, -6, 6, func(p int32) { want = append(want, p) })
		others.Between(s.Axis, s.Origin, -6, 6, func(k int32) { got = append(got, k) })
		if !slices.Equal(got, want) || s.Kind == surface.KindPlane && !slices.Contains(got, int32(i)) {
			t.Errorf("beside plane %d: %v, want %v", i, got, want)
		}
	}
}

// Nothing that lies where it is looked for is missed, and little else is visited.
func TestPlanesBetween(t *testing.T) {
	g := graphOf(t, comb())
	planes := g.NewPlanes(everything(g))
	visited, found := 0, 0
	for q := range g.Patches {
		a := &g.Patches[q].Shape
		if a.Kind != surface.KindPlane {
			continue
		}
		for _, iv := range []geom.Interval{{Lo: 0, Hi: 6}, {Lo: -20, Hi: -1}, {Lo: 3, Hi: math.Inf(1)}} {
			seen := map[int32]bool{}
			planes.Between(a.Axis.Neg(), a.Origin, iv.Lo, iv.Hi, func(p int32) {
				if seen[p] {
					t.Errorf("patch %d visited twice", p)
				}
				seen[p] = true
			})
			visited += len(seen)
			for p := range g.Patches {
				b := &g.Patches[p].Shape
				isThere := b.Kind == surface.KindPlane && a.Axis.Dot(b.Axis) < 0 && Parallel(a.Axis, b.Axis) &&
					iv.Contains(a.Origin.Sub(b.Origin).Dot(a.Axis), 0)
				if isThere {
					found++
				}
				if isThere && !seen[int32(p)] {
					t.Errorf("plane %d lies behind %d and was not visited", p, q)
				}
			}
		}
	}
	if found == 0 || visited > 2*found {
		t.Errorf("%d visits for %d planes that lie there", visited, found)
	}
}

func TestAxesNear(t *testing.T) {
	g := graphOf(t, comb())
	round := slices.DeleteFunc(everything(g), func(p int32) bool {
		return g.Patches[p].Kind != surface.KindCylinder
	})
	axes := g.NewAxes(round)
	visited, found := 0, 0
	for _, q := range round {
		seen := map[int32]bool{}
		axes.Near(&g.Patches[q].Shape, func(p int32) { seen[p] = true })
		visited += len(seen)
		for _, p := range round {
			if g.Coaxial(&g.Patches[q].Shape, &g.Patches[p].Shape) {
				found++
				if !seen[p] {
					t.Errorf("cylinder %d is coaxial with %d and was not visited", p, q)
				}
			}
		}
	}
	if len(round) != 48 || visited > 2*found {
		t.Errorf("%d visits for %d coaxial pairs of %d cylinders", visited, found, len(round))
	}
}

// Edges on one line have one number, those on others another.
func TestLineNumbers(t *testing.T) {
	g := graphOf(t, comb())
	lines := g.NewLines()
	var numbers []int
	var straight []*Adjacency
	for i := range g.Arcs {
		a := &g.Arcs[i]
		if e := &g.Model.Edges[a.Edge]; e.Curve.Kind() == curve.KindLine {
			straight, numbers = append(straight, a), append(numbers, lines.Number(a.Mid, a.Dir))
		}
	}
	same := 0
	for i, a := range straight {
		for k, b := range straight[:i] {
			isOne := Parallel(a.Dir, b.Dir) && b.Mid.Sub(a.Mid).Cross(a.Dir).Norm() <= g.Length
			if isOne != (numbers[i] == numbers[k]) {
				t.Errorf("edges %d and %d: numbers %d and %d, on one line %t", a.Edge, b.Edge, numbers[i], numbers[k], isOne)
			}
			if isOne {
				same++
			}
		}
	}
	if same == 0 {
		t.Error("no edges on one line")
	}
}

// All that continues a patch, and nothing else, is found on its surface.
func TestSurfaces(t *testing.T) {
	g := graphOf(t, comb())
	surfaces := g.NewSurfaces(everything(g))
	shared := 0
	for p := range g.Patches {
		s := &g.Patches[p].Shape
		var want, got []int32
		for q := range g.Patches {
			if g.Continues(s, &g.Patches[q].Shape) {
				want = append(want, int32(q))
			}
		}
		surfaces.On(s, func(q int32) { got = append(got, q) })
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("on the surface of patch %d: %v, want %v", p, got, want)
		}
		if len(want) > 1 {
			shared++
		}
	}
	if shared == 0 {
		t.Error("no patch has another one on its surface")
	}
}
