package kernel

import (
	"math"
	"testing"

	"millwright/compute/tool"
	"millwright/core/geom"
	"millwright/core/mesh"
)

func corner(p ...geom.Vec3) *mesh.Mesh {
	return &mesh.Mesh{Points: p, Triangles: [][3]int32{{0, 1, 2}}}
}

func TestHeightBoundGrowsWithThePart(t *testing.T) {
	in := HeightMapInput{
		Mesh:  corner(geom.Vec3{X: 512}, geom.Vec3{Y: 3}, geom.Vec3{Z: -256}),
		Frame: geom.World, Grid: Grid{X: -1, Y: -1, Step: 1, Width: 3, Height: 3},
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	lateral, vertical := in.Bound()
	if want := 512.0 / (1 << 20); lateral != want || vertical != want/2 {
		t.Errorf("bound %g and %g mm, want %g and %g", lateral, vertical, want, want/2)
	}
	in.Grid.Width = 4097 // the grid counts too
	if lateral, _ := in.Bound(); lateral < 2048.0/(1<<20) {
		t.Errorf("bound %g mm for a grid of 4 m", lateral)
	}
}

func TestOffsetBoundIsARounding(t *testing.T) {
	in := OffsetHeightInput{
		Grid: Grid{Step: 1, Width: 3, Height: 1}, Z: []float32{-96, float32(math.Inf(-1)), 3}, Tool: tool.EndMill(4, 0, 32),
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	if got, want := in.Bound(), 128.0/(1<<24); got != want {
		t.Errorf("bound %g mm, want %g", got, want)
	}
}

func TestDropBoundCountsFilledHollows(t *testing.T) {
	in := DropCutterInput{
		Mesh: corner(geom.Vec3{X: 9}, geom.Vec3{Y: 3}, geom.Vec3{Z: 2}), Frame: geom.World,
		Grid: Grid{Step: 1, Width: 3, Height: 3}, Tool: tool.EndMill(4, 2, 32),
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	lateral, vertical := in.Bound()
	if lateral < Slack || lateral > 3*Slack || vertical > 1e-5 {
		t.Errorf("bound of a ball %g and %g mm", lateral, vertical)
	}
	in.Tool = tool.Profile{{To: geom.Vec2{X: 1}}, {From: geom.Vec2{X: 1}, To: geom.Vec2{X: 3, Y: 2}, Radius: -2}}
	hollow, high := in.Bound()
	if hollow-lateral < 1.9*tool.Hollow || high-vertical < 1.9*tool.Hollow {
		t.Errorf("bound of a hollow tool %g and %g mm", hollow, high)
	}
}

func TestTaps(t *testing.T) {
	in := OffsetHeightInput{Grid: Grid{Step: 1}, Tool: tool.EndMill(6, 3, 10)}
	for _, row := range []struct {
		sampling     Sampling
		reach, count int
		at30, at00   float64
	}{
		{Centre, 3, 29, 3, 0},
		{Cover, 3, 45, 3 - math.Sqrt(9-6.25), 0},
	} {
		in.Sampling = row.sampling
		taps := in.Taps()
		if taps.Reach() != row.reach || taps.Count() != row.count {
			t.Errorf("sampling %d: %d taps within %d cells, want %d within %d",
				row.sampling, taps.Count(), taps.Reach(), row.count, row.reach)
		}
		at30, at00 := float64(taps.Rows[0][3]), float64(taps.Rows[0][0])
		if math.Abs(at30-row.at30) > 1e-6 || at00 != row.at00 {
			t.Errorf("sampling %d: heights %g and %g, want %g and %g", row.sampling, at30, at00, row.at30, row.at00)
		}
	}
}
