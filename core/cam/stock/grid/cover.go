package grid

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// SameHeight (mm) is the largest difference of a map of heights from a triangle that is the highest there: a map has
// float32 and may be of another mesh of the same body.
const SameHeight = 0.01

// Over visits the cells whose centers are under or over a triangle that faces upward, with its height there (mm). Other
// triangles have no cells. Centers on the border of two triangles may be of both.
func (g Grid) Over(t [3]geom.Vec3, visit func(cell int, z float64)) {
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	if !(n.Z > 0) {
		return
	}
	box := geom.BoxOf(t[:]...)
	first := func(at, from float64) int { return max(int(math.Ceil((at-from)/g.Step)), 0) }
	for j := first(box.Min.Y, g.Y); j < g.Height && g.Y+float64(j)*g.Step <= box.Max.Y; j++ {
		for i := first(box.Min.X, g.X); i < g.Width && g.X+float64(i)*g.Step <= box.Max.X; i++ {
			x, y, isIn := g.X+float64(i)*g.Step, g.Y+float64(j)*g.Step, true
			for e := range t {
				a, b := t[e], t[(e+1)%3]
				isIn = isIn && (b.X-a.X)*(y-a.Y)-(b.Y-a.Y)*(x-a.X) >= 0
			}
			if isIn {
				visit(j*g.Width+i, t[0].Z-(n.X*(x-t[0].X)+n.Y*(y-t[0].Y))/n.Z)
			}
		}
	}
}
