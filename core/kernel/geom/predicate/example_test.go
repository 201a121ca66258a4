package predicate_test

import (
	"fmt"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

// The third point lies 2⁻⁵³ left of the line through the others, which plain arithmetic takes for on it.
func ExampleOrient2D() {
	a, b := geom.Vec2{X: 12, Y: 12}, geom.Vec2{X: 24, Y: 24}
	c := geom.Vec2{X: 0.5, Y: 0.5 + 1.0/(1<<53)}
	plain := (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X)
	fmt.Println("plain:", plain, "exact:", predicate.Orient2D(a, b, c) > 0)
	// Output:
	// plain: 0 exact: true
}
