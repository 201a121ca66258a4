package verify

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestMovedOutlineShiftsUnderside checks that a moved outline has the underside of the original one, nearer to the axis
// or farther from it by the given distance.
func TestMovedOutlineShiftsUnderside(t *testing.T) {
	for name, p := range map[string]toolprofile.Profile{
		"flat": toolprofile.EndMill(10, 0, 30), "ball": toolprofile.EndMill(10, 5, 30),
		"bull":  toolprofile.EndMill(10, 2, 30),
		"drill": toolprofile.Drill(10, geom.Radians(118), 30),
	} {
		for _, d := range []float64{-4, -0.01, 0, 0.5, 2} {
			out, rise := moved(p, d)
			if err := out.Check(); err != nil {
				t.Errorf("%s by %g: %v", name, d, err)
				continue
			}
			was, is := p.Underside(), out.Underside()
			for r := 0.05; r < 7.5; r += 0.1 {
				from := max(r-d, 0)
				got, want := is.At(r)+rise, was.At(from)
				if got != want && !(math.Abs(got-want) < 1e-9) && math.Abs(from-was.Radius()) > 1e-9 {
					t.Errorf("%s by %g: %g at %g, want %g", name, d, got, r, want)
				}
			}
		}
	}
	if out, _ := moved(toolprofile.EndMill(10, 0, 30), -5); len(out) != 0 {
		t.Errorf("a tool that is gone: %v", out)
	}
}

func TestWidestBetweenHeights(t *testing.T) {
	ball := &tool{}
	ball.assembly.Outline = toolprofile.EndMill(10, 5, 30)
	neck := &tool{}
	neck.assembly.Line(5, 0, toolprofile.Cutting)
	neck.assembly.Line(5, 10, toolprofile.Cutting)
	neck.assembly.Line(3, 10, toolprofile.Cutting)
	neck.assembly.Line(4, 20, toolprofile.Neck)
	for _, row := range []struct {
		t      *tool
		lo, hi float64
		want   float64
	}{
		{ball, -3, -0.1, 0}, {ball, -1, 0, 0}, {ball, -1, 1, 3}, {ball, 1, 2, 4}, {ball, 2, 40, 5}, {ball, 31, 40, 0},
		{neck, -1, 0, 5}, {neck, 10, 12, 5}, {neck, 10.1, 15, 3.5}, {neck, 12, 30, 4},
	} {
		if got := row.t.widest(row.lo, row.hi); math.Abs(got-row.want) > 1e-9 {
			t.Errorf("between %g and %g: %g, want %g", row.lo, row.hi, got, row.want)
		}
	}
}

// TestToolBoxTestMatchesDistance checks that a tool touches a box exactly if points of its path come nearer than its
// radius.
func TestToolBoxTestMatchesDistance(t *testing.T) {
	body := &tool{}
	body.assembly.Line(2, 0, toolprofile.Cutting)
	body.assembly.Line(2, 10, toolprofile.Cutting)
	body.assembly.Line(6, 10, toolprofile.Holder)
	body.assembly.Line(6, 20, toolprofile.Holder)
	box := geom.Box{Min: geom.Vec3{X: -4, Y: -3, Z: -5}, Max: geom.Vec3{X: 4, Y: 3, Z: 5}}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-12, 12)
		point := func(name string) geom.Vec3 {
			return geom.Vec3{X: at.Draw(t, name+"x"), Y: at.Draw(t, name+"y"), Z: at.Draw(t, name+"z")}
		}
		way := motion.Segment{From: point("a"), To: point("b")}
		if rapid.Bool().Draw(t, "arc") {
			way.Turn, way.Center = rapid.Float64Range(-6, 6).Draw(t, "turn"), geom.Vec2{X: 1, Y: 2}
		}
		p := &passage{tool: body, steps: []motion.Step{{Segment: way}}}
		share, met := p.meets(0, &box)
		depth := func(share float64) float64 { // how far the tool reaches into the box
			tip := way.At(share)
			dx, dy := max(box.Min.X-tip.X, tip.X-box.Max.X, 0), max(box.Min.Y-tip.Y, tip.Y-box.Max.Y, 0)
			return body.widest(box.Min.Z-tip.Z, box.Max.Z-tip.Z) - math.Hypot(dx, dy)
		}
		for k := range 401 {
			if d := depth(float64(k) / 400); d > 0.02 && !met {
				t.Fatalf("%+v is missed, %g deep", way, d)
			}
		}
		if met && depth(share) < -4.1 { // between heights the tool may be 4 mm wider
			t.Fatalf("%+v: it passes by %g", way, -depth(share))
		}
	})
}
