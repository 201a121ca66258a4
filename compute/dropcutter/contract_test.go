package dropcutter

import (
	"testing"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func TestDropBoundIncludesFilledConcavities(t *testing.T) {
	in := Input{
		Mesh:  &mesh.Mesh{Points: []geom.Vec3{{X: 9}, {Y: 3}, {Z: 2}}, Triangles: [][3]int32{{0, 1, 2}}},
		Frame: geom.World,
		Grid:  grid.Grid{Step: 1, Width: 3, Height: 3}, Tool: toolprofile.EndMill(4, 2, 32),
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	lateral, vertical := in.Bound()
	if lateral < margin || lateral > 3*margin || vertical > 1e-5 {
		t.Errorf("bound of a ball %g and %g mm", lateral, vertical)
	}
	in.Tool = toolprofile.Profile{{To: geom.Vec2{X: 1}}, {From: geom.Vec2{X: 1}, To: geom.Vec2{X: 3, Y: 2}, Radius: -2}}
	hollow, high := in.Bound()
	if hollow-lateral < 1.9*toolprofile.ConcaveUnder || high-vertical < 1.9*toolprofile.ConcaveUnder {
		t.Errorf("bound of a hollow tool %g and %g mm", hollow, high)
	}
}
