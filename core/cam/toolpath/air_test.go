package toolpath_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// pocketed returns the operations that face the pockets part and finish the lower floor and all its walls.
func pocketed(t *testing.T) (in toolpath.Input, setup *planning.Setup, face, rough, floor, walls planning.Operation) {
	thick, thin := builtin(t, machining.FlatEndMill, 16), builtin(t, machining.FlatEndMill, 6)
	g := part(t, "pockets")
	in, setup = input(t, g, thick, 2)
	in.MaxFeed = 6000
	in.Plan.Tools = append(in.Plan.Tools, planning.Tool{Number: 2, Tool: thin})
	top := in.Plan.Stock.Max.Z - 2
	low, onFloor, onWalls := top, []int(nil), []int(nil)
	for p := range g.Patches {
		q, up := int32(p), geom.Vec3{Z: 1}
		if z := setup.Frame.Local(g.Patches[p].Origin).Z; g.Facing(q, up) && z > top-10 && z < low {
			low, onFloor = z, g.Regions([]int32{q})
		}
		if s := g.Slopes(q, up); max(s.Hi, -s.Lo) < 1e-6 {
			onWalls = append(onWalls, g.Regions([]int32{q})...)
		}
	}
	deep := data(&thin)
	deep.Axial.Value = thin.FluteLength
	face = planning.Operation{ID: "face", Strategy: planning.Face, Top: top + 2, Bottom: top, Cutting: data(&thick)}
	rough = planning.Operation{ID: "rough", Strategy: planning.Pocket, Tool: 1, Top: top, Bottom: low,
		LeaveRadial: 0.2, LeaveAxial: 0.1, Cutting: data(&thin)}
	floor = planning.Operation{ID: "floor", Strategy: planning.Pocket, Floor: true, Tool: 1, Top: low + 0.1,
		Bottom: low, Regions: onFloor, Cutting: data(&thin)}
	walls = planning.Operation{ID: "walls", Strategy: planning.Contour, Tool: 1, Top: top, Bottom: low,
		Regions: onWalls, Cutting: deep}
	return in, setup, face, rough, floor, walls
}

// Facing rows end where the tool has passed the stock, not beyond it by its radius.
func TestFacingRowsEndAtTheStock(t *testing.T) {
	in, setup, face, _, _, _ := pocketed(t)
	setup.Operations = []planning.Operation{face}
	o := &checked(t, in).Setups[0].Operations[0]
	box, radius := in.Plan.Stock, in.Plan.Tools[0].Tool.Diameter/2
	most := radius - face.Cutting.Radial.Value + 0.2
	for _, m := range o.Moves {
		if m.Kind != motion.Cut {
			continue
		}
		if out := max(box.Min.X-m.To.X, m.To.X-box.Max.X, box.Min.Y-m.To.Y, m.To.Y-box.Max.Y); out > most {
			t.Errorf("the tool cuts on to %.3f mm outside the stock at %v, want at most %.3f mm", out, m.To, most)
		}
	}
}

// Descents through the air are fast down to 0.5 mm over the material, and leads of walls are short.
func TestApproachesAreShort(t *testing.T) {
	in, setup, face, rough, floor, walls := pocketed(t)
	setup.Operations = []planning.Operation{face, rough, floor, walls}
	set := checked(t, in)
	for i := range set.Setups[0].Operations {
		o := &set.Setups[0].Operations[i]
		o.Steps(func(s motion.Step) bool {
			isDown := s.Turn == 0 && s.From.X == s.To.X && s.From.Y == s.To.Y && s.To.Z < s.From.Z
			if fall := s.From.Z - s.To.Z; s.Kind == motion.LeadIn && isDown && s.Feed < 1000 && fall > 0.41 {
				t.Errorf("%s: %.3f mm down through the air to %v at %g mm/min", o.ID, fall, s.To, s.Feed)
			}
			if s.Kind == motion.LeadOut && s.Turn != 0 && math.Abs(s.Radius()-0.15*6) > 0.01 {
				t.Errorf("%s: a lead of %.3f mm radius at %v", o.ID, s.Radius(), s.From)
			}
			return true
		})
	}
}

// Walls that the floor's operation has finished are not cut again, unless a spring pass is asked for.
func TestWallsOfFinishedFloorsAreDone(t *testing.T) {
	length := func(isSpring, withFloor bool) float64 {
		in, setup, face, rough, floor, walls := pocketed(t)
		walls.Spring = isSpring
		setup.Operations = []planning.Operation{face, rough, walls}
		if withFloor {
			setup.Operations = []planning.Operation{face, rough, floor, walls}
		}
		paths := checked(t, in).Paths[0]
		return paths[len(paths)-1].CutLength
	}
	alone, after, twice := length(false, false), length(false, true), length(true, true)
	if !(after < 0.95*alone) {
		t.Errorf("the walls take %.0f mm after the floor, %.0f mm without it", after, alone)
	}
	if twice < 1.95*alone {
		t.Errorf("with a spring pass the walls take %.0f mm after the floor, %.0f mm without both", twice, alone)
	}
}
