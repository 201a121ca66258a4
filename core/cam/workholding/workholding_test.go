package workholding_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/workholding"
)

// aluminum as wrought, and the cuts of the examples in it.
var (
	aluminum = workholding.Solid{Yield: 276, Modulus: 69_000}
	shoulder = cutting.Engagement{
		Diameter: 20, Flutes: 3, FeedPerTooth: 0.16, Axial: 20, Radial: 5, HelixDeg: 30, KC11: 700, MC: 0.25,
	}
	finish = cutting.Engagement{
		Diameter: 6, Flutes: 3, FeedPerTooth: 0.06, Axial: 6.35, Radial: 0.18, HelixDeg: 30, KC11: 700, MC: 0.25,
	}
)

func load(e cutting.Engagement, height float64) workholding.Load {
	f := e.Peak()
	return workholding.Load{Horizontal: f.Horizontal, Axial: f.Axial, Height: height}
}

func at(e cutting.Engagement, axial float64) cutting.Engagement {
	e.Axial = axial
	return e
}

// near requires a value to be within a percent.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.01*math.Abs(want) {
		t.Errorf("%s is %.5g, want %.5g", what, got, want)
	}
}

const force = 20_000 // N

// The examples of this file were worked by hand.
func TestAVise(t *testing.T) {
	const safety = workholding.Safety
	for _, c := range []struct{ friction, slip, both, tip float64 }{
		{0.43, 0.331, 0.390, 0.377}, {0.14, 1.017, 1.198, 0.983},
	} {
		g := workholding.Grip{Depth: 6, Length: 100, Width: 50, Friction: c.friction, Seated: true}
		use := g.Use(force, load(shoulder, 33), safety) // 40 mm over the jaws
		near(t, "slip", use.Slip, c.slip)
		near(t, "slip and rock", math.Hypot(use.Slip, use.Rock), c.both)
		near(t, "tip", use.Tip, c.tip)
		near(t, "the least force", g.Least(load(shoulder, 33), safety), force*use.Worst())
	}

	smooth := workholding.Grip{Depth: 5, Length: 100, Width: 50, Friction: 0.1, Seated: true}
	for _, c := range []struct{ axial, both float64 }{{20, 1.46}, {10, 1.08}, {8, 0.907}} { // 20 mm over the jaws
		use := smooth.Use(force, load(at(shoulder, c.axial), 20-c.axial/2+2.5), safety)
		near(t, "slip and rock", math.Hypot(use.Slip, use.Rock), c.both)
	}

	narrow := workholding.Grip{Depth: 5, Length: 100, Width: 10, Friction: 0.1, Seated: true}
	thin := cutting.Engagement{
		Diameter: 10, Flutes: 3, FeedPerTooth: 0.1, Axial: 10, Radial: 2.5, HelixDeg: 30, KC11: 700, MC: 0.25,
	}
	near(t, "tip of a tall plate", narrow.Use(force, load(thin, 57.5), safety).Tip, 2.03)

	stopped := smooth
	stopped.Stopped = true
	use, f := stopped.Use(force, load(shoulder, 0), safety), shoulder.Peak()
	near(t, "slip against a stop", use.Slip, safety*f.Axial/(2*0.1*force))
	loose := smooth
	loose.Seated = false
	near(t, "rock without parallels", loose.Use(force, load(shoulder, 10), safety).Rock,
		2*smooth.Use(force, load(shoulder, 10), safety).Rock)
	near(t, "push", smooth.Use(force, load(shoulder, 0), safety).Push, safety*f.Horizontal/force)
}

func TestWhatJawsPressOn(t *testing.T) {
	near(t, "crush", workholding.Grip{Depth: 3, Length: 10.35}.Crush(aluminum), 8570)
	near(t, "crush beside a gap", workholding.Grip{Depth: 3, Length: 30.35, Gaps: 20}.Crush(aluminum), 8570)
	finished := aluminum
	finished.Finished = true
	near(t, "crush of a finished face", workholding.Grip{Depth: 3, Length: 10.35}.Crush(finished), 4285)
	for _, c := range []struct{ thick, bow float64 }{{3, 3200}, {6.35, 30_350}} {
		s := aluminum
		s.Thickness = c.thick
		near(t, "bow", workholding.Grip{Length: 150, Width: 134}.Bow(s), c.bow)
	}
	near(t, "wall", aluminum.Wall(force, 3, 20, 100), 1.288)
	near(t, "force at 0.02 mm", force*0.02/aluminum.Wall(force, 3, 20, 100), 310.5)
	near(t, "sway", aluminum.Sway(at(shoulder, 13).Peak().Horizontal, 259, 10.35, 134), 15.62)
}

func TestFlatDevices(t *testing.T) {
	vacuum := workholding.Bed{Pressure: 0.08, Area: 200 * 120, Friction: 0.2}
	near(t, "pull", vacuum.Normal(), 1920)
	near(t, "use", vacuum.Use(load(finish, 0), workholding.Safety), 0.318)
	if use := vacuum.Use(load(shoulder, 0), workholding.Safety); use < 1000 { // it all but lifts the part
		t.Errorf("a heavy cut on vacuum uses %g of it", use)
	}
	if use := vacuum.Use(workholding.Load{Axial: 961}, workholding.Safety); !math.IsInf(use, 1) {
		t.Errorf("the mill lifts what vacuum holds, but its use is %g", use)
	}
	magnet := workholding.Bed{Pressure: 1.38, Area: 100 * 100 / 2, Friction: 0.2}
	near(t, "pull of a magnet", magnet.Normal(), 6900)
	near(t, "use at 690 N", magnet.Use(workholding.Load{Horizontal: 690}, workholding.Safety), 1)
	tape := workholding.Bed{Pressure: 0.085, Area: 24_000, Friction: 1}
	near(t, "tape", tape.Normal(), 2040)
	near(t, "use of tape", tape.Use(workholding.Load{Horizontal: finish.Peak().Horizontal}, workholding.Safety), 0.0585)
	near(t, "use of tape", tape.Use(workholding.Load{Horizontal: shoulder.Peak().Horizontal}, workholding.Safety), 2.63)

	use := vacuum.Stopped(workholding.Load{Horizontal: 100, Axial: 40, Height: 30}, 120, workholding.SafetyOfSuction)
	near(t, "tip on vacuum", use, 2.5*100*30/((1920-100)*60))
	near(t, "lift of vacuum", vacuum.Stopped(workholding.Load{Axial: 400}, 120, workholding.SafetyOfSuction), 0.521)

	screws := workholding.Screws{Count: 3, Force: workholding.ScrewForce(9.5, 6), Friction: 0.15}
	near(t, "screw", screws.Force, 7917)
	near(t, "three screws", screws.Use(load(shoulder, 0), workholding.Safety), 1.638)
	near(t, "dowel", workholding.Dowel(6, 600, workholding.Safety), 4920)
	near(t, "stud", workholding.ScrewForce(80, 20), 20_000)
}

func TestChucksAndTabs(t *testing.T) {
	chuck := workholding.Chuck{Force: 31_000, Diameter: 50, Friction: 0.14}
	near(t, "torque", chuck.Torque(workholding.Safety), 54.25)
	near(t, "axial", chuck.Axial(workholding.Safety), 2170)
	for _, c := range []struct{ thick, side, lift float64 }{{1, 192, 38.3}, {1.5, 288, 86.2}, {2, 383, 153}} {
		tab := workholding.Tab{Width: 5, Thickness: c.thick, Gap: 6}
		near(t, "side", tab.Side(aluminum.Yield, workholding.Safety), c.side)
		near(t, "lift", tab.Lift(aluminum.Yield, workholding.Safety), c.lift)
	}
	slot := cutting.Engagement{
		Diameter: 6, Flutes: 3, FeedPerTooth: 0.06, Axial: 1.5, Radial: 6, HelixDeg: 30, KC11: 700, MC: 0.25,
	}
	near(t, "thickness", workholding.TabThickness(5, 6, slot.Peak().Axial, aluminum.Yield, workholding.Safety), 1.61)
}

// A bar of 50 mm, 10 mm deep in a chuck, under a load 30 mm over the middle of its grip; and a ring under its jaws.
func TestLoadsOfChucks(t *testing.T) {
	chuck := workholding.Chuck{Force: 30_000, Diameter: 50, Depth: 10, Friction: 0.1}
	near(t, "moment", chuck.Moment(workholding.Safety), (10_000*10/6.*math.Sqrt(3)+0.1*10_000*25*1.5)/2000)
	use := chuck.Use(workholding.Load{Horizontal: 300, Axial: 100, Height: 30}, 25, workholding.Safety)
	near(t, "turn", use.Slip, 2*300*25/(0.1*30_000*25))
	near(t, "tip", use.Tip, 2*300*30/(10_000*10/6.*math.Sqrt(3)+0.1*10_000*25*1.5))
	near(t, "lift and tip", use.Rock, use.Tip+2*100/(0.1*30_000))
	near(t, "push", use.Push, 2*300/15_000.)
	near(t, "crush", chuck.Crush(aluminum, 0.5), 276*0.5*math.Pi*50*10)
	// Roark's ring: three forces of W change its radius by 0.0159·W·R³/EI under each.
	force := chuck.Ring(aluminum, 5, 0.02)
	near(t, "ring", 0.0159*force/3*math.Pow(22.5, 3)/(69_000*10*125/12.), 0.02)
}

// Four clamps at the corners of a rectangle bear a push by friction, and tip about the lines through two of them.
func TestClampsOnPlates(t *testing.T) {
	plate := workholding.Plate{
		Friction: 0.15, MinX: -10, MinY: -10, MaxX: 110, MaxY: 70,
		Clamps: []workholding.Clamp{{X: 0, Y: 0, Force: 5000}, {X: 100, Y: 0, Force: 5000}, {X: 0, Y: 60, Force: 5000},
			{X: 100, Y: 60, Force: 5000}},
	}
	use := plate.Use(workholding.Load{Horizontal: 400, Axial: 100, Height: 20}, workholding.Safety)
	near(t, "slip", use.Slip, 2*400/(0.15*(20_000-200)))
	near(t, "tip", use.Tip, 2*(400*20+100*70)/(10_000*60.))
	plate.Clamps = plate.Clamps[:2]
	if use := plate.Use(workholding.Load{Horizontal: 400, Height: 20}, workholding.Safety); use.Tip < 1000 {
		t.Errorf("two clamps in line bear a moment about their line: %g", use.Tip)
	}
}
