package toolpath

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func TestHolesInStockAreEntries(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	square := func(x0, y0, x1, y1 float64) *arcpoly.Area {
		a, err := arcpoly.New(planar.Loop{
			planar.NewLine(at(x0, y0), at(x1, y0)), planar.NewLine(at(x1, y0), at(x1, y1)),
			planar.NewLine(at(x1, y1), at(x0, y1)), planar.NewLine(at(x0, y1), at(x0, y0)),
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	disc := func(x, y, r float64) *arcpoly.Area {
		a, err := arcpoly.New(planar.Circle(at(x, y), r, false))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	stock, err := square(0, 0, 100, 50).Minus(disc(20, 20, 5.1), disc(50, 20, 4.9), disc(90, 20, 6))
	if err != nil {
		t.Fatal(err)
	}
	got, err := holesIn(stock, square(10, 10, 70, 40), 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Dist(at(20, 20)) > 0.1 {
		t.Errorf("holes at %v, want the one of 10.2 mm at (20, 20): the others are too narrow or too far", got)
	}
}
