package distance

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/stock/grid"
)

func TestCrossing(t *testing.T) {
	tiny, huge := float32(math.SmallestNonzeroFloat32), float32(math.MaxFloat32)
	for _, row := range []struct {
		name string
		a, b float32
		want int32
	}{
		{"same side", 1, 2, -1},
		{"same side, inside", -1, -2, -1},
		{"ends on the contour", -1, 0, -1}, // the site belongs to the cell of value zero
		{"starts on the contour", 0, -1, 0},
		{"both on the contour", 0, 0, 0},
		{"middle", -1, 1, 513},
		{"quarter", 1, -3, 257},
		{"next to the first", tiny, -huge, 1},
		{"next to the second", -huge, tiny, Fine - 1},
	} {
		if got := Crossing(row.a, row.b); got != row.want {
			t.Errorf("%s: Crossing(%g, %g) = %d, want %d", row.name, row.a, row.b, got, row.want)
		}
	}
}

// A crossing lies within one unit of the zero of the line, from whichever end it is looked for.
func TestCrossingIsNearTheZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float32Range(1e-6, 1e6)
		a, b := value.Draw(t, "a"), -value.Draw(t, "b")
		zero := Fine * float64(a) / (float64(a) - float64(b))
		if got := float64(Crossing(a, b)); math.Abs(got-zero) > 1+1e-9 {
			t.Errorf("Crossing(%g, %g) = %g, the zero is at %g", a, b, got, zero)
		}
		if got := Fine - float64(Crossing(b, a)); math.Abs(got-zero) > 1+1e-9 {
			t.Errorf("Crossing(%g, %g) from the other end = %g, the zero is at %g", b, a, got, zero)
		}
	})
}

func TestSignedDistanceInMillimeters(t *testing.T) {
	in := SignedInput{
		Grid:  grid.Grid{X: 10, Y: 20, Step: 0.5, Width: 3, Height: 2},
		Field: []float32{-1, 3, 3, 1, 0, 3},
	}
	for _, row := range []struct {
		number int32
		x, y   float64
	}{
		{0, 10 + 0.5*257/Fine, 20}, // between cells 0 and 1
		{1, 10, 20 + 0.5*513/Fine}, // between cells 0 and 3
		{8, 10.5, 20.5},            // cell 4 itself
	} {
		if x, y := in.Site(row.number); x != row.x || y != row.y {
			t.Errorf("site %d lies at (%g, %g), want (%g, %g)", row.number, x, y, row.x, row.y)
		}
	}
	out := SignedOutput{Squared: []uint64{257 * 257, Fine * Fine, NoContour, 513 * 513, 0, Fine * Fine}}
	for i, want := range []float64{-0.5 * 257 / Fine, 0.5, math.Inf(1), 0.5 * 513 / Fine, 0, 0.5} {
		if got := in.Distance(&out, i); got != want {
			t.Errorf("cell %d is %g mm from the contour, want %g", i, got, want)
		}
	}
	if last := (SignedInput{Grid: grid.Grid{Step: 1, Width: 1, Height: 1}, Field: []float32{0}}); true {
		if x, y := last.Site(0); x != 0 || y != 0 {
			t.Errorf("the only cell lies at (%g, %g)", x, y)
		}
	}
}

func TestDistanceCheck(t *testing.T) {
	for _, row := range []struct {
		name          string
		width, height int
		values        int
		sound         bool
	}{
		{"square", 3, 3, 9, true},
		{"empty", 0, 4, 0, true},
		{"longest row", 65535, 1, 65535, true},
		{"longest column", 1, 65536, 65536, true},
		{"too long a row", 65537, 1, 65537, false},
		{"too long a column", 2, 65537, 2 * 65537, false},
		{"missing value", 3, 3, 8, false},
		{"inside out", -3, 3, 0, false},
	} {
		in := Input{Grid: grid.Grid{Step: 1, Width: row.width, Height: row.height}, Set: make([]uint8, row.values)}
		if err := in.Check(); (err == nil) != row.sound {
			t.Errorf("%s: error %v", row.name, err)
		}
	}
	nan := SignedInput{Grid: grid.Grid{Step: 1, Width: 1, Height: 1}, Field: []float32{float32(math.NaN())}}
	if nan.Check() == nil {
		t.Error("a field without a number was accepted")
	}
}
