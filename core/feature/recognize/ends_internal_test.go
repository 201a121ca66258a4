package recognize

import (
	"testing"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A round end touches a flank at a distance of its radius from its axis, and a round flank on both of its sides.
func TestRoundEndTouchesFlank(t *testing.T) {
	up := geom.Vec3{Z: 1}
	cylinder := func(x, radius float64, isHollow bool) graph.Shape {
		return graph.Shape{Kind: surface.KindCylinder, Origin: geom.Vec3{X: x, Z: 7}, Axis: up, Radius: radius,
			Hollow: isHollow}
	}
	plane := func(x float64, n geom.Vec3) graph.Shape {
		return graph.Shape{Kind: surface.KindPlane, Origin: geom.Vec3{X: x, Y: 3}, Axis: n}
	}
	end := cylinder(0, 5, true)
	tilted := cylinder(15, 10, false)
	tilted.Axis = geom.Vec3{Y: 1}
	for _, row := range []struct {
		name  string
		flank graph.Shape
		want  bool
	}{
		{"a plane", plane(-5, geom.Vec3{X: 1}), true},
		{"a plane that looks away", plane(-5, geom.Vec3{X: -1}), false},
		{"a plane too far off", plane(-6, geom.Vec3{X: 1}), false},
		{"a floor", plane(0, up), false},
		{"the inner flank of an arc", cylinder(15, 10, false), true},
		{"an inner flank too far off", cylinder(16, 10, false), false},
		{"the outer flank of an arc", cylinder(15, 20, true), true},
		{"an outer flank too far off", cylinder(14, 20, true), false},
		{"one as narrow as the end", cylinder(0, 5, true), false},
		{"one narrower than the end", cylinder(2, 3, true), false},
		{"a flank about another direction", tilted, false},
	} {
		pc := &partContext{g: &graph.Graph{Length: 0.01, Patches: []graph.Patch{{Shape: row.flank}}}}
		if got := pc.touches(&end, 0); got != row.want {
			t.Errorf("%s: touches = %v, want %v", row.name, got, row.want)
		}
	}
}
