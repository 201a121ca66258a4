package viewer

import (
	"math"
	"testing"
)

func TestCameraKeepsItsFrame(t *testing.T) {
	c := Front
	for i := range 200 {
		f := c.frame()
		off := max(math.Abs(f.X.Dot(f.Y)), math.Abs(f.Y.Dot(f.Z)), math.Abs(f.Z.Dot(f.X)), math.Abs(f.X.Norm()-1),
			math.Abs(f.Y.Norm()-1), math.Abs(f.Z.Norm()-1))
		if off > 1e-12 || !f.IsRightHanded() || f.Y.Z < -1e-12 {
			t.Fatalf("%+v after %d turns: %+v", c, i, f)
		}
		c.Orbit(37, float64(i%7)*20-50)
		c.Closer(float64(i%5) - 2.5)
		if c.Zoom < 0.1 || c.Zoom > 100 {
			t.Fatalf("zoom %g", c.Zoom)
		}
	}
	// A drag to the right shows the left side, and a drag down shows the top.
	c = Front
	c.Orbit(10, 10)
	if c.Yaw >= Front.Yaw || c.Pitch <= Front.Pitch {
		t.Errorf("dragged to %+v", c)
	}
}

func TestThePartFitsThePicture(t *testing.T) {
	for _, size := range [][2]int{{400, 300}, {300, 400}, {1, 1}} {
		s := Front.scale(10, size[0], size[1])
		if most := 5 * max(s[0], s[1]); !(most > 0.8 && most < 1) {
			t.Errorf("%v: half a diagonal is %g of the half picture", size, most)
		}
		if w, h := s[0]*float32(size[0]), s[1]*float32(size[1]); math.Abs(float64(w-h)) > 1e-4 {
			t.Errorf("%v: a mm is %g pixels wide and %g high", size, w/2, h/2)
		}
	}
}
