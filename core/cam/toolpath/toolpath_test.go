package toolpath_test

import (
	"fmt"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func describe(what string, depth float64, s motion.Step, at geom.Vec3, p geom.Vec2) string {
	return fmt.Sprintf("%s: %.4g mm at %v over %v, in move %d of kind %d from %v to %v",
		what, depth, at, p, s.Move, s.Kind, s.From, s.To)
}

// For any part and tool, the part is not cut, no rapid is in stock, and shank and holder touch nothing.
func TestRoughingAgainstBruteForce(t *testing.T) {
	mills := []machining.Tool{
		builtin(t, machining.FlatEndMill, 6), builtin(t, machining.BullNoseEndMill, 10),
		builtin(t, machining.BallEndMill, 6),
	}
	for i, name := range []string{"pockets", "fillets", "bosses", "torus", "plate_holes"} {
		for _, tool := range mills[i%3 : i%3+1] {
			t.Run(name+" "+tool.Name, func(t *testing.T) {
				g := part(t, name)
				in, setup := input(t, g, tool, 2)
				box := in.Plan.Stock
				setup.Operations = []planning.Operation{
					{ID: "face", Strategy: planning.Face, Top: box.Max.Z, Bottom: box.Max.Z - 2, Cutting: data(&tool)},
					{ID: "rough", Strategy: planning.Pocket, Top: box.Max.Z - 2, Bottom: box.Max.Z - 12,
						LeaveRadial: 0.2,
						LeaveAxial:  0.1, Cutting: data(&tool)},
					{ID: "walls", Strategy: planning.Contour, Top: box.Max.Z - 2, Bottom: box.Max.Z - 12,
						Cutting: data(&tool),
						Spring:  true},
				}
				checked(t, in)
			})
		}
	}
}

// checked makes the paths and replays them.
func checked(t *testing.T, in toolpath.Input) *toolpath.Set {
	t.Helper()
	set, err := toolpath.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	s := newShop(in.Graph, set.Setups[0].Frame, 2)
	for i := range set.Setups[0].Operations {
		o := &set.Setups[0].Operations[i]
		a := in.Plan.Tools[o.Tool].Tool.Assembly()
		f := s.replay(o, &a)
		if f.gouge > chord || f.rapid > breath || f.body > breath {
			t.Errorf("%s: gouge %.3g, rapid %.3g, body %.3g mm:%.2000s", o.ID, f.gouge, f.rapid, f.body, f.text)
		}
		p := set.Paths[0][i]
		t.Logf("%s: %d moves, %.0f mm cut, %.0f mm rapid", o.ID, p.MoveCount, p.CutLength, p.RapidLength)
		for _, r := range p.RestMaterial {
			t.Logf("   %s %v: %.4g mm³, %.3g mm high: %s", r.Reason, r.Regions, r.Volume, r.Height, r.Detail)
		}
	}
	return set
}

// Into a hole that is hardly wider than itself a mill goes straight down, not round and round on the spot.
func TestContourOfATightHole(t *testing.T) {
	g := part(t, "plate_holes")
	for f := range g.Patches {
		shape := &g.Patches[f].Shape
		if shape.Kind != surface.KindCylinder || !shape.Hollow {
			continue
		}
		tool := builtin(t, machining.FlatEndMill, 6)
		tool.Diameter, tool.ShankDiameter = 2*shape.Radius-0.3, 2*shape.Radius-0.3
		in, setup := input(t, g, tool, 2)
		top := in.Plan.Stock.Max.Z
		cutting := data(&tool)
		setup.Operations = []planning.Operation{
			{ID: "face", Strategy: planning.Face, Top: top, Bottom: top - 2, Cutting: cutting},
			{ID: "wall", Strategy: planning.Contour, Regions: []int{int(g.Patches[f].Faces[0])}, Top: top - 2,
				Bottom:  top - 6,
				Cutting: cutting},
		}
		set := checked(t, in)
		plunges, ramps := 0, 0
		for _, m := range set.Setups[0].Operations[1].Moves {
			switch m.Kind {
			case motion.Plunge:
				plunges++
			case motion.Ramp:
				ramps++
			}
		}
		if plunges == 0 || ramps > 0 {
			t.Errorf("%d plunges and %d ramps into a hole of %g mm", plunges, ramps, 2*shape.Radius)
		}
		return
	}
	t.Fatal("the plate has no holes")
}

// Clearing next to a floor runs level by level from above the floor, unless one of its walls limits it.
func TestFloorsAreClearedFromAbove(t *testing.T) {
	g := part(t, "pockets")
	tool := builtin(t, machining.FlatEndMill, 6)
	in, setup := input(t, g, tool, 2)
	top, deep, floor := in.Plan.Stock.Max.Z, in.Plan.Stock.Max.Z, -1
	for p := range g.Patches {
		z := setup.Frame.Local(g.Patches[p].Origin).Z
		if g.Facing(int32(p), setup.Frame.Z) && z < deep && z > in.Plan.Stock.Min.Z+3 {
			deep, floor = z, int(g.Patches[p].Faces[0])
		}
	}
	setup.Operations = []planning.Operation{{
		ID: "rest", Strategy: planning.Pocket, Top: top, Bottom: deep, LeaveRadial: 0.2, Beside: []int{floor},
		Cutting: data(&tool),
	}}
	set := checked(t, in)
	levels := map[float64]bool{}
	for _, m := range set.Setups[0].Operations[0].Moves {
		if m.Kind == motion.Cut {
			levels[m.To.Z] = true
		}
	}
	axial := setup.Operations[0].Cutting.Axial.Value
	if want := int((top - deep) / axial); len(levels) < want || want < 2 {
		t.Errorf("cut at %d heights from %g down to %g, want %d", len(levels), top, deep, want)
	}
}

// holes returns places for tools in the plate with holes.
func holes(at []geom.Vec2, top, bottom, diameter float64) (list []planning.Hole) {
	for i, p := range at {
		list = append(list, planning.Hole{At: p, Top: top, Bottom: bottom, Diameter: diameter, Feature: i})
	}
	return list
}

// A hole is not made where the tool would cut into the part.
func TestHolesInThePartAreGivenUp(t *testing.T) {
	tool := anyOf(t, machining.Drill, 6)
	in, setup := input(t, part(t, "plate_holes"), tool, 2)
	top := in.Plan.Stock.Max.Z
	setup.Operations = []planning.Operation{{
		ID: "holes", Strategy: planning.Drill, Holes: holes([]geom.Vec2{{X: 85, Y: 35}}, top, top-6, 6), Top: top,
		Bottom: top - 6, Cutting: data(&tool),
	}}
	set, err := toolpath.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if r := set.Paths[0][0].RestMaterial; len(r) != 1 || r[0].Reason != completeness.NotAccessible {
		t.Errorf("it leaves %v", r)
	}
	if n := set.Paths[0][0].MoveCount; n > 0 {
		t.Errorf("%d moves", n)
	}
}

func TestHoles(t *testing.T) {
	g := part(t, "plate_holes")
	var at []geom.Vec2
	for i := range 5 {
		at = append(at, geom.Vec2{X: 10 + 25*float64(i*3%5), Y: 20 + 15*float64(i%2)})
	}
	for _, row := range []struct {
		strategy planning.Strategy
		kind     machining.ToolKind
		diameter float64
		hole     float64
	}{
		{planning.Drill, machining.Drill, 6, 6},
		{planning.PeckDrill, machining.Drill, 6, 6},
		{planning.Ream, machining.Reamer, 6, 6},
		{planning.Tap, machining.TapRightHand, 6, 6},
		{planning.Bore, machining.FlatEndMill, 6, 20},
		{planning.Bore, machining.FlatEndMill, 6, 6},
		{planning.ThreadMill, machining.ThreadMill, 0, 12},
	} {
		t.Run(fmt.Sprint(row.strategy, row.hole), func(t *testing.T) {
			tool := anyOf(t, row.kind, row.diameter)
			in, setup := input(t, g, tool, 8) // all of them end above the part
			box := in.Plan.Stock
			setup.Operations = []planning.Operation{{
				ID: "holes", Strategy: row.strategy, Holes: holes(at, box.Max.Z, box.Max.Z-6, row.hole), Top: box.Max.Z,
				Bottom: box.Max.Z - 6, Cutting: data(&tool),
			}}
			set, err := toolpath.Make(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			o := set.Setups[0].Operations[0]
			if len(set.Paths[0][0].RestMaterial) > 0 {
				t.Errorf("it leaves %v", set.Paths[0][0].RestMaterial)
			}
			deepest, count := box.Max.Z, map[geom.Vec2]int{}
			o.Steps(func(s motion.Step) bool {
				deepest = min(deepest, s.To.Z)
				if s.Kind == motion.Rapid && s.From.X != s.To.X && s.To.Z < box.Max.Z {
					t.Errorf("a rapid goes sideways at %g", s.To.Z)
				}
				for _, p := range at {
					if p.Dist(geom.Vec2{X: s.To.X, Y: s.To.Y}) < row.hole/2 && s.To.Z < box.Max.Z-5 {
						count[p]++
					}
				}
				return true
			})
			if deepest != box.Max.Z-6 || len(count) != len(at) {
				t.Errorf("the deepest place is %g, want %g; %d holes of %d are deep", deepest, box.Max.Z-6,
					len(count), len(at))
			}
			for i := range o.Cycles {
				if err := o.Cycles[i].Check(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestOpenBores: a bore whose middle a drill has opened is milled by full turns at its depth, a closed one down one
// helix, and by turns from there to the wall.
func TestOpenBores(t *testing.T) {
	const hole, deep = 16.0, 6.0 // mm
	for _, c := range []struct {
		name  string
		drill bool
		mill  float64
		ramps bool
		turns int // full ones at the bottom
	}{
		{"opened, one ring", true, 10, false, 1},
		{"opened, two rings", true, 4, false, 2},
		{"opened, too narrow for the mill", true, 14, true, 1},
		{"closed", false, 10, true, 1},
		{"closed, wide", false, 5, true, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, setup := input(t, part(t, "turned_part"), builtin(t, machining.FlatEndMill, 6), 2)
			mill, drill := anyOf(t, machining.FlatEndMill, c.mill), anyOf(t, machining.Drill, 12)
			mill.Diameter, mill.FluteLength = c.mill, 20
			in.Plan.Tools = []planning.Tool{{Number: 1, Tool: mill}, {Number: 2, Tool: drill}}
			box := in.Plan.Stock
			in.Plan.Stock.Max.Z += deep + 4 // of stock over the part
			setup.Before.Max.Z += deep + 4
			top := box.Max.Z + deep + 4
			at := geom.Vec2{X: box.Center().X, Y: box.Center().Y}
			bore := planning.Operation{ID: "bore", Strategy: planning.Bore, Top: top, Bottom: top - deep,
				Cutting: data(&mill), Holes: []planning.Hole{{At: at, Top: top, Bottom: top - deep, Diameter: hole}}}
			setup.Operations = []planning.Operation{bore}
			if c.drill {
				through := planning.Hole{At: at, Top: top, Bottom: top - deep - 4, Diameter: 12}
				setup.Operations = []planning.Operation{{ID: "drill", Strategy: planning.Drill, Tool: 1, Top: top,
					Bottom: through.Bottom, Cutting: data(&drill), Holes: []planning.Hole{through}}, bore}
			}
			set, err := toolpath.Make(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			ramped, turns, wide := 0.0, 0, 0.0
			o := set.Setups[0].Operations[len(set.Setups[0].Operations)-1]
			o.Steps(func(s motion.Step) bool {
				switch {
				case s.Kind == motion.Ramp:
					ramped += s.Length()
				case s.Kind == motion.Cut && abs(s.To.Z-(top-deep)) < 1e-6 && s.From.Dist(s.To) < 1e-6:
					turns++
				}
				wide = max(wide, at.Dist(geom.Vec2{X: s.To.X, Y: s.To.Y})+c.mill/2)
				return true
			})
			if (ramped > 0) != c.ramps || turns != c.turns || abs(wide-hole/2) > 1e-3 {
				t.Errorf("ramps of %.1f mm, %d turns at the bottom, a radius of %.3f mm; want %t, %d, %.3f",
					ramped, turns, wide, c.ramps, c.turns, hole/2)
			}
		})
	}
}

// anyOf returns the built-in tool of a kind that comes nearest to a diameter.
func anyOf(t *testing.T, kind machining.ToolKind, diameter float64) (best machining.Tool) {
	t.Helper()
	for _, tool := range machining.BuiltInTools() {
		if tool.Kind == kind && (best.Diameter == 0 || abs(tool.Diameter-diameter) < abs(best.Diameter-diameter)) {
			best = tool
		}
	}
	if best.Diameter == 0 {
		t.Fatalf("there is no %s", kind)
	}
	return best
}

func abs(x float64) float64 { return max(x, -x) }

func TestFloorsAndChamfers(t *testing.T) {
	for _, name := range []string{"chamfers", "plate_holes", "bosses"} {
		t.Run(name, func(t *testing.T) {
			g := part(t, name)
			mill, bevel := builtin(t, machining.FlatEndMill, 6), anyOf(t, machining.ChamferMill, 10)
			in, setup := input(t, g, mill, 2)
			in.Plan.Tools = append(in.Plan.Tools, planning.Tool{Number: 2, Tool: bevel})
			box := in.Plan.Stock
			up := geom.Vec3{Z: 1}
			setup.Operations = []planning.Operation{{
				ID: "rough", Strategy: planning.Pocket, Top: box.Max.Z, Bottom: box.Min.Z + 5, LeaveRadial: 0.2,
				LeaveAxial: 0.1, Cutting: data(&mill),
			}}
			var slopes []int
			for p := range g.Patches {
				q := int32(p)
				s := g.Slopes(q, up)
				switch z := g.Exact([]int32{q}, up).Lo; {
				case g.Facing(q, up) && z > box.Min.Z+5:
					setup.Operations = append(setup.Operations, planning.Operation{
						ID: fmt.Sprint("floor", p), Strategy: planning.Pocket, Floor: true, Top: z + 0.1, Bottom: z,
						Regions: g.Regions([]int32{q}), LeaveRadial: 0.2, Cutting: data(&mill),
					})
				case s.Lo > 0.6 && s.Hi < 0.8:
					slopes = append(slopes, g.Regions([]int32{q})...)
				}
			}
			if len(slopes) > 0 {
				setup.Operations = append(setup.Operations, planning.Operation{
					ID: "chamfer", Strategy: planning.Chamfer, Tool: 1, Regions: slopes, Top: box.Max.Z,
					Bottom:  box.Min.Z,
					Cutting: data(&bevel),
				})
			}
			checked(t, in)
		})
	}
}

// Material that a later operation removes is not rest material; material that an operation without cuts finds is.
func TestResidueIsWhatStaysInTheEnd(t *testing.T) {
	thick, thin := builtin(t, machining.FlatEndMill, 16), builtin(t, machining.FlatEndMill, 6)
	in, setup := input(t, part(t, "pockets"), thick, 2)
	in.Plan.Tools = append(in.Plan.Tools, planning.Tool{Number: 2, Tool: thin})
	box := in.Plan.Stock
	rough := func(tool int, of *machining.Tool) planning.Operation {
		return planning.Operation{ID: of.Name, Strategy: planning.Pocket, Tool: tool, Top: box.Max.Z,
			Bottom:  box.Max.Z - 6,
			Cutting: data(of)}
	}
	volumes := func(operations ...planning.Operation) (list []float64) {
		setup.Operations = operations
		for _, p := range checked(t, in).Paths[0] {
			sum := 0.0
			for _, r := range p.RestMaterial {
				sum += r.Volume
			}
			list = append(list, sum)
		}
		return list
	}
	alone := volumes(rough(0, &thick))
	both := volumes(rough(0, &thick), rough(1, &thin))
	again := volumes(rough(0, &thick), rough(0, &thick))
	if !(both[0] < 0.9*alone[0]) {
		t.Errorf("%g mm³ are left of %g mm³ after a thinner tool, want less", both[0], alone[0])
	}
	if again[0] != alone[0] || again[1] == 0 {
		t.Errorf("a tool that finds nothing to cut leaves %g mm³, want %g mm³", again, alone)
	}
}

// After a thick tool has finished walls and a floor, a thin tool cuts only the remaining stock. Both leave no more than
// the thin tool alone.
func TestThinnerToolsCutWhatStays(t *testing.T) {
	thick, thin := builtin(t, machining.FlatEndMill, 16), builtin(t, machining.FlatEndMill, 6)
	g := part(t, "pockets")
	in, setup := input(t, g, thick, 2)
	in.Plan.Tools = append(in.Plan.Tools, planning.Tool{Number: 2, Tool: thin})
	up, top := geom.Vec3{Z: 1}, in.Plan.Stock.Max.Z
	deep, floor, walls := top, []int(nil), []int(nil)
	for p := range g.Patches {
		q := int32(p)
		if z := setup.Frame.Local(g.Patches[p].Origin).Z; g.Facing(q, up) && z > top-12 && z < deep {
			deep, floor = z, g.Regions([]int32{q})
		}
		if s := g.Slopes(q, up); max(s.Hi, -s.Lo) < 1e-6 {
			walls = append(walls, g.Regions([]int32{q})...)
		}
	}
	rough := planning.Operation{
		ID: "rough", Strategy: planning.Pocket, Tool: 1, Top: top, Bottom: deep, LeaveRadial: 0.2, LeaveAxial: 0.1,
		Cutting: data(&thin),
	}
	finish := func(tool int, of *machining.Tool) []planning.Operation {
		along := data(of)
		along.Axial.Value = of.FluteLength
		return []planning.Operation{
			{ID: "floor", Strategy: planning.Pocket, Floor: true, Tool: tool, Top: deep + 0.1, Bottom: deep,
				Regions: floor, Cutting: data(of)},
			{ID: "walls", Strategy: planning.Contour, Tool: tool, Top: top - 2, Bottom: deep,
				Regions: walls, Cutting: along},
		}
	}
	cut := func(operations ...planning.Operation) (length, left float64) {
		setup.Operations = operations
		paths := checked(t, in).Paths[0]
		for i, p := range paths {
			if i >= len(paths)-2 {
				length += p.CutLength
			}
			for _, r := range p.RestMaterial {
				left += r.Volume
			}
		}
		return length, left
	}
	alone, least := cut(append([]planning.Operation{rough}, finish(1, &thin)...)...)
	after, left := cut(append(append([]planning.Operation{rough}, finish(0, &thick)...), finish(1, &thin)...)...)
	if !(after < 0.7*alone) {
		t.Errorf("the thin tool cuts over %.0f mm after the thick one, and over %.0f mm alone", after, alone)
	}
	if left > least*1.001+1 {
		t.Errorf("%g mm³ are left after both, %g mm³ after the thin one alone", left, least)
	}
}

// A thin tool that clears down to floors leaves the thin layer that roughing has left on them to their finishing.
func TestRestRoughingLeavesTheSkinOfFloors(t *testing.T) {
	thick, thin := builtin(t, machining.FlatEndMill, 16), builtin(t, machining.FlatEndMill, 6)
	g := part(t, "pockets")
	in, setup := input(t, g, thick, 2)
	in.Plan.Tools = append(in.Plan.Tools, planning.Tool{Number: 2, Tool: thin})
	up, top := geom.Vec3{Z: 1}, in.Plan.Stock.Max.Z
	deep, floor := top, []int(nil)
	for p := range g.Patches {
		q := int32(p)
		if z := setup.Frame.Local(g.Patches[p].Origin).Z; g.Facing(q, up) && z > top-12 && z < deep {
			deep, floor = z, g.Regions([]int32{q})
		}
	}
	rough := planning.Operation{
		ID: "rough", Strategy: planning.Pocket, Top: top, Bottom: deep, LeaveRadial: 0.2, LeaveAxial: 0.1,
		Cutting: data(&thick),
	}
	rest := planning.Operation{
		ID: "rest", Strategy: planning.Pocket, Tool: 1, Top: top, Bottom: deep, LeaveRadial: 0.2, Beside: floor,
		Cutting: data(&thin),
	}
	last := func(operations ...planning.Operation) float64 {
		setup.Operations = operations
		paths := checked(t, in).Paths[0]
		return paths[len(paths)-1].CutLength
	}
	above := rest
	above.LeaveAxial = rough.LeaveAxial
	got, want := last(rough, rest), last(rough, above)
	if want == 0 || got > 1.5*want {
		t.Errorf("it cuts over %.0f mm down to the floor, over %.0f mm down to the layer", got, want)
	}
}
