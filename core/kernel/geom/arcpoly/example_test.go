package arcpoly_test

import (
	"fmt"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A pocket with a round island is cleared by a tool of radius 4 from the wall inward, 5 mm a ring, with 0.2 mm
// left on the walls.
func Example() {
	corners := []geom.Vec2{{X: 0, Y: 0}, {X: 80, Y: 0}, {X: 80, Y: 50}, {X: 0, Y: 50}}
	var wall planar.Loop
	for i, p := range corners {
		wall = append(wall, planar.NewLine(p, corners[(i+1)%4]))
	}
	pocket, err := arcpoly.New(wall, planar.Circle(geom.Vec2{X: 30, Y: 25}, 8, true))
	if err != nil {
		fmt.Println(err)
		return
	}
	const radius, stepover, leave = 4, 5, 0.2
	var cut []*arcpoly.Area
	for inwards := radius + leave; ; inwards += stepover {
		centers, err := pocket.Offset(-inwards)
		if err != nil || centers.IsEmpty() {
			break
		}
		for _, ring := range centers.Loops() {
			swept, err := arcpoly.SweepDisc(radius, ring)
			if err != nil {
				fmt.Println(err)
			}
			cut = append(cut, swept)
		}
	}
	cleared, err := arcpoly.Union(cut...)
	if err != nil {
		fmt.Println(err)
		return
	}
	left, err := pocket.Minus(cleared)
	fmt.Printf("%.0f of %.0f mm² cleared, %.1f left, %v\n", cleared.Size(), pocket.Size(), left.Size(), err)
	// Output:
	// 3715 of 3799 mm² cleared, 83.5 left, <nil>
}
