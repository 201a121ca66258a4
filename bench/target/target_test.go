package target_test

import (
	"errors"
	"math"
	"testing"

	"millwright.dev/millwright/bench/target"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

var (
	up    = geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	down  = geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: -1}, geom.Vec3{X: 1})
	front = geom.NewFrame(geom.Vec3{}, geom.Vec3{X: 1}, geom.Vec3{Y: 1})
)

// input is a part with the built-in cut config, from some directions.
func input(t *testing.T, m *brep.Model, volume float64, directions ...geom.Frame) *target.Input {
	t.Helper()
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{ChordTolerance: 0.05, Runner: compute.OnCPU(0)})
	if err != nil {
		t.Fatal(err)
	}
	c := machining.BuiltInCutConfig()
	return &target.Input{
		Mesh: r.Mesh, Volume: volume, Workpiece: up, Directions: directions, Tools: machining.BuiltInTools(),
		Config: &c,
	}
}

func computed(t *testing.T, in *target.Input) *target.Target {
	t.Helper()
	out, err := target.Compute(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pocket is a block of 100 × 60 × 20 with a sharp pocket of 60 × 30 × 10 in its middle.
func pocket() (*brep.Model, float64) {
	return build.Blocks("pocket", build.Add(geom.Vec3{}, geom.Vec3{X: 100, Y: 60, Z: 20}),
		build.Subtract(geom.Vec3{X: 20, Y: 15, Z: 10}, geom.Vec3{X: 80, Y: 45, Z: 20})), 100*60*20 - 60*30*10
}

// Feeds of the built-in end mills in aluminum, mm/min: teeth · feed per tooth · speed, of 20, 12 and 6 mm.
var (
	feed20 = 3 * 0.16 * 300e3 / (math.Pi * 20)
	feed12 = 3 * 0.12 * 300e3 / (math.Pi * 12)
	feed6  = 3 * 0.06 * 12000.0 // at the most of the spindle
)

func near(t *testing.T, name string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s is %g, want %g", name, got, want)
	}
}

// TestTargetOfPocketIsAsWorkedByHand: the 20 mm mill roughs, 12 mm deep at 5 mm, half of the stock's 24 mm. It finishes
// the outside and the floors. The long walls of the pocket are finished by 12 mm, which passes along 48 of 60 mm, the
// short ones by 6 mm, 24 of 30.
func TestTargetOfPocketIsAsWorkedByHand(t *testing.T) {
	m, volume := pocket()
	got := computed(t, input(t, m, volume, up, down))
	removable := 104.0*64*24 - volume
	near(t, "volume", got.Volume, removable/1000, 1e-9)
	near(t, "rate", got.Rate, 12*5*feed20/1000, 1e-9)
	near(t, "rough", got.Rough, removable/(12*5*feed20/2), 1e-9)
	near(t, "reach", got.Reach, 1-(4-math.Pi)*100*10/removable, 0.01)
	walls := 2*(100+60)*20/(feed20*5) + 2*60*10/(feed12*3) + 2*30*10/(feed6*1.5)
	near(t, "walls", got.Walls, 1.4*walls, 1e-6)
	near(t, "floors", got.Floors, 1.4*2*100*60/(feed20*5), 1e-6)
	if got.Changes != 4 || got.Drill != 0 || got.Chamfer != 0 { // 20, 12, 6 from above, 20 from below
		t.Errorf("%+v, want 4 changes and nothing drilled", got)
	}
	near(t, "change", got.Change, 4*(6+2)/60.0, 1e-9)
	near(t, "sum", got.Minutes(), got.Rough+got.Walls+got.Floors+got.Change, 1e-9)
}

// TestMillsAreThoseThatReach: without allowance only slots are to be cut, and a slot takes the mill of its width.
func TestMillsAreThoseThatReach(t *testing.T) {
	for _, c := range []struct {
		width, depth float64
		mill         string
		reach        float64
	}{
		{10, 15, "End mill 10 mm", 1}, {11, 15, "End mill 10 mm", 1}, {16, 15, "End mill 16 mm", 1},
		{20, 40, "End mill 20 mm", 1}, // 44 mm stick out
		{20, 88, "End mill 20 mm", 0.5},
	} {
		lo, hi := geom.Vec3{Y: 30 - c.width/2, Z: 100 - c.depth}, geom.Vec3{X: 100, Y: 30 + c.width/2, Z: 100}
		m := build.Blocks("slot", build.Add(geom.Vec3{}, geom.Vec3{X: 100, Y: 60, Z: 100}), build.Subtract(lo, hi))
		in := input(t, m, 100*60*100-100*c.width*c.depth, up)
		in.Config.Stock.Allowance = machining.Extent{}
		got := computed(t, in)
		if got.Mill != c.mill || math.Abs(got.Reach-c.reach) > 0.04 {
			t.Errorf("%+v: %s reaches %.3f", c, got.Mill, got.Reach)
		}
		if c.reach < 1 {
			continue
		}
		// The sides and the top of the stock are not cut: two walls and a floor are.
		d := map[string]float64{"End mill 10 mm": 10, "End mill 16 mm": 16, "End mill 20 mm": 20}[c.mill]
		each := 1.4 / (3 * min(0.01*d, 0.16) * min(300e3/(math.Pi*d), 12000) * d / 4)
		near(t, "walls", got.Walls, 2*100*c.depth*each, 1e-6)
		near(t, "floors", got.Floors, 100*c.width*each, 1e-6)
	}
}

// TestHolesAreDrilled: a drill of the hole's size makes it, and nothing is milled. Other holes are milled.
func TestHolesAreDrilled(t *testing.T) {
	for _, c := range []struct {
		diameter float64
		drilled  bool
	}{{6, true}, {14.25, false}} {
		m := build.Plate(geom.Vec3{X: 60, Y: 40, Z: 10}, build.Style{},
			build.Hole{Center: geom.Vec2{X: 30, Y: 20}, Profile: build.Through(c.diameter, 10)})
		in := input(t, m, 60*40*10-math.Pi/4*c.diameter*c.diameter*10, up)
		in.Config.Stock.Allowance = machining.Extent{}
		in.Holes = []target.Hole{{
			Center: geom.Vec3{X: 30, Y: 20, Z: 10}, Axis: geom.Vec3{Z: 1}, Diameter: c.diameter, Depth: 10,
			Through: true, Pitch: 1, ThreadDepth: 8,
		}}
		got := computed(t, in)
		want := 2*8/(1.0*15e3/(math.Pi*6)) + 2*2/60.0 // the tap, in and out, and two turns of the spindle
		if c.drilled {
			want += (10 + 0.3*6) / (2 * 0.06 * 60e3 / (math.Pi * 6))
		}
		near(t, "drill", got.Drill, want, 1e-6)
		if (got.Walls == 0) != c.drilled {
			t.Errorf("hole of %g: %g min of walls", c.diameter, got.Walls)
		}
	}
}

// TestChamfersAreMilledAlong: the edge is broken by 2 mm over 50 mm; from the side it is a wall and no chamfer.
func TestChamfersAreMilledAlong(t *testing.T) {
	profile := build.Polygon(geom.Vec2{}, geom.Vec2{X: 30}, geom.Vec2{X: 30, Y: 18}, geom.Vec2{X: 28, Y: 20},
		geom.Vec2{Y: 20})
	m := build.Prism("edge", profile, 50, build.Style{})
	volume := (30.0*20 - 2) * 50
	got := computed(t, input(t, m, volume, front))
	near(t, "chamfer", got.Chamfer, 50/(4*0.1*200e3/(math.Pi*16)), 1e-6)
	if got := computed(t, input(t, m, volume, up)); got.Chamfer != 0 {
		t.Errorf("from the side there is a chamfer of %g min", got.Chamfer)
	}
}

func TestBarsAreRound(t *testing.T) {
	m := build.Cylinder(20, 50, build.Style{})
	in := input(t, m, math.Pi*400*50, up, down)
	in.Bar = new(2)
	near(t, "volume", computed(t, in).Volume, math.Pi*(22*22*54-20*20*50)/1000, 0.01) // the mesh is within the cylinder
}

func TestNoMillIsAnError(t *testing.T) {
	m, volume := pocket()
	in := input(t, m, volume, up)
	in.Tools = nil
	if _, err := target.Compute(t.Context(), in); !errors.Is(err, target.ErrNoMill) {
		t.Errorf("%v, want %v", err, target.ErrNoMill)
	}
}
