package kernel

import (
	"math"
	"testing"

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
		Grid: Grid{Step: 1, Width: 3, Height: 1}, Z: []float32{-96, float32(math.Inf(-1)), 3}, Tool: EndMill(4, 0, 32),
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
		Grid: Grid{Step: 1, Width: 3, Height: 3}, Tool: EndMill(4, 2, 32),
	}
	if err := in.Check(); err != nil {
		t.Fatal(err)
	}
	lateral, vertical := in.Bound()
	if lateral < Slack || lateral > 3*Slack || vertical > 1e-5 {
		t.Errorf("bound of a ball %g and %g mm", lateral, vertical)
	}
	in.Tool = Profile{{To: geom.Vec2{X: 1}}, {From: geom.Vec2{X: 1}, To: geom.Vec2{X: 3, Y: 2}, Radius: -2}}
	hollow, high := in.Bound()
	if hollow-lateral < 1.9*Hollow || high-vertical < 1.9*Hollow {
		t.Errorf("bound of a hollow tool %g and %g mm", hollow, high)
	}
}

func TestFilledIsALittleLarger(t *testing.T) {
	u := Profile{{To: geom.Vec2{X: 1}}, {From: geom.Vec2{X: 1}, To: geom.Vec2{X: 3, Y: 2}, Radius: -2}}.Underside()
	f := u.Filled()
	checkSpans(t, f)
	if f.Radius() != u.Radius() {
		t.Errorf("radius %g mm, was %g", f.Radius(), u.Radius())
	}
	for i := range 1000 {
		r := 3 * float64(i) / 999
		// The chord is at most 2·Hollow off the arc, across it: look for the arc that far to the side.
		lo, hi := u.At(max(r-2*Hollow, 0))-2*Hollow, u.At(r)
		if got := f.At(r); !(got >= lo-1e-12 && got <= hi+1e-12) {
			t.Errorf("height %g mm at %g mm, want %g to %g", got, r, lo, hi)
		}
	}
	ball := EndMill(4, 2, 9).Underside()
	if got := ball.Filled(); len(got) != len(ball) || got[0] != ball[0] {
		t.Errorf("a ball becomes %v", got)
	}
}
