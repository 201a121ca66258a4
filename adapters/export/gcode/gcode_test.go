package gcode

import (
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// program is two setups; the second taps.
func example() (*planning.Plan, *toolpath.Set) {
	lib := machining.BuiltInTools()
	up := geom.Vec3{X: 10, Y: 5, Z: 30}
	cut := motion.Operation{SpindleRPM: 5000, Start: up, Moves: []motion.Move{
		{Kind: motion.Rapid, To: geom.Vec3{X: 10, Y: 5, Z: 2}},
		{Kind: motion.Cut, To: geom.Vec3{X: 20, Y: 5, Z: -1}, Feed: 700},
	}}
	tap := motion.Operation{Tool: 1, SpindleRPM: 500, Start: up,
		Cycles: []motion.Cycle{{Kind: motion.Tap, Retract: 2, Bottom: -8, Pitch: 1}},
		Moves:  []motion.Move{{Kind: motion.CannedCycle, To: up, Feed: 500}}}
	box := geom.BoxOf(geom.Vec3{Z: -12}, geom.Vec3{X: 40, Y: 30})
	p := &planning.Plan{
		Tools: []planning.Tool{{Number: 4, Stickout: 30, Tool: lib[5]},
			{Number: 9, Stickout: 40, Tool: lib[len(lib)-12]}},
		Setups: []planning.Setup{
			{Before: box, Clamping: planning.Clamping{Text: "In a vise."},
				Operations: []planning.Operation{{Strategy: planning.Contour, Bottom: -1}}},
			{Before: box, Operations: []planning.Operation{{Strategy: planning.Tap, Tool: 1,
				Holes: []planning.Hole{{Diameter: 6}}}}},
		},
	}
	return p, &toolpath.Set{Setups: []motion.Setup{
		{Operations: []motion.Operation{cut}}, {Operations: []motion.Operation{tap}},
	}}
}

func TestSetups(t *testing.T) {
	p, set := example()
	for _, d := range post.Dialects {
		for i := range p.Setups {
			got, err := Setup(d, "Träger 7/b of the fourth machine", p, set, i)
			if i == 1 && d.Name == "grbl" {
				if !errors.Is(err, post.ErrCannot) {
					t.Errorf("grbl taps: %v", err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
			for _, want := range [][]string{
				{"SETUP 1 OF 2", "STOCK FROM X 0.00 Y 0.00 Z -12.00 TO X 40.00 Y 30.00 Z 0.00", "IN A VISE.",
					"OPERATION 1 FINISH WALLS 1 MM DEEP", "T4 " + strings.ToUpper(p.Tools[0].Tool.Name) +
						". 30 MM OUT OF ITS"},
				{"SETUP 2 OF 2", "OPERATION 1 TAP D6"},
			}[i] {
				if !strings.Contains(got, want) {
					t.Errorf("%s, setup %d lacks %q:\n%s", d.Name, i+1, want, got)
				}
			}
		}
	}
	for _, i := range []int{-1, 2} {
		if text, err := Setup(post.ByName("linuxcnc"), "", p, set, i); err == nil {
			t.Errorf("setup %d is %q", i, text)
		}
	}
}

func TestToolTableIncludesHolderLength(t *testing.T) {
	p, _ := example()
	file, got := Tools(post.ByName("linuxcnc"), p)
	if file != "tool.tbl" || !strings.HasPrefix(got, "T4 P4 Z130 D6 ;") {
		t.Errorf("%s:\n%s", file, got)
	}
}
