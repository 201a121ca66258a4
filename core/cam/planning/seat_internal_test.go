package planning

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// TestTheFixedJawIsAtTheBack, or at the left of jaws that close along x, unless its face is raw and the other one is
// finished. The axes of the setup may run against those of the workpiece.
func TestTheFixedJawIsAtTheBack(t *testing.T) {
	world := geom.Frame{X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}
	turned := geom.Frame{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: -1}, Z: geom.Vec3{Z: 1}}
	swapped := geom.Frame{X: geom.Vec3{Y: 1}, Y: geom.Vec3{X: -1}, Z: geom.Vec3{Z: 1}}
	for _, c := range []struct {
		name      string
		setup     geom.Frame
		at        seat
		jaw, stop string
	}{
		{"across y", world, seat{axis: 1}, "+y", "-x"},
		{"across x", world, seat{axis: 0}, "-x", "-y"},
		{"finished at the back", world, seat{axis: 1, finished: 1}, "+y", "-x"},
		{"raw at the back", world, seat{axis: 1, finished: -1}, "-y", "-x"},
		{"raw at the left", world, seat{axis: 0, finished: 1}, "+x", "-y"},
		{"turned", turned, seat{axis: 1, finished: -1}, "+y", "-x"},
		{"turned, raw at the back", turned, seat{axis: 1, finished: 1}, "-y", "-x"},
		{"swapped", swapped, seat{axis: 0, finished: -1}, "+y", "-x"},
		{"swapped, raw at the back", swapped, seat{axis: 0, finished: 1}, "-y", "-x"},
	} {
		w := writer{planner: &planner{frame: world}, step: &setup{}}
		w.out.Frame = c.setup
		var got Hold
		if w.seated(&got, &c.at); got.FixedJaw != c.jaw || got.Stop != c.stop {
			t.Errorf("%s: fixed jaw at %s, stop at %s, want %s and %s", c.name, got.FixedJaw, got.Stop, c.jaw, c.stop)
		}
	}
}

// TestParallelsReachTheSeat: a grip 6 mm deep in jaws 44 mm high needs parallels of 38 mm; a grip as deep as the jaws
// needs none.
func TestParallelsReachTheSeat(t *testing.T) {
	p := blockPlanner(t, geom.Vec3{X: 40, Y: 30, Z: 20})
	p.in.Config.Workholding.JawHeight = 44
	for _, c := range []struct{ top, parallels float64 }{{6, 38}, {10, 34}, {44, 0}, {50, 0}} {
		g := viseGrip{axis: 1, top: c.top, depth: c.top, planes: geom.Interval{Hi: 30}, isRaw: [2]bool{true, false}}
		h := p.strengthOf(p.begin(), 0, &g, 40)
		if h.seat.parallels != c.parallels || h.seat.finished != 1 {
			t.Errorf("grip %v mm deep: parallels of %v mm, finished end %v", c.top, h.seat.parallels, h.seat.finished)
		}
	}
}
