package machining

import "fmt"

// The large built-in cut config, for parts and pockets beyond the usual mill, and its tools.

// LargeCutConfig is the cut config for large parts: aluminum 6061 on a 3-axis mill of 1600 × 1000 × 800 mm, with the
// metric tools and tools that reach 320 mm deep.
func LargeCutConfig() CutConfig {
	c := BuiltInCutConfig()
	c.ID, c.Name = LargeCutConfigID, "Aluminium 6061, large 3-axis mill"
	c.Machine = DefaultMachine()
	c.Machine.Name, c.Machine.AxisCount = "Vertical mill, 1600 × 1000 × 800 mm", 3
	c.Machine.Travel = Extent{X: 1600, Y: 1000, Z: 800}
	c.Machine.MaxSpindleRPM, c.Machine.SpindlePowerKW = 10_000, 22
	c.Machine.MaxFeed, c.Machine.RapidFeed = 10_000, 24_000
	c.Machine.Acceleration, c.Machine.Jerk = 3000, 30_000
	c.Machine.ToolChangeSeconds, c.Machine.SpindleRampSeconds = 10, 4
	c.Machine.SetupSeconds, c.Machine.LoadSeconds = 3600, 300
	c.Workholding = Workholding{
		Kind: WorkholdingVise, JawHeight: 60, JawWidth: 300, Bite: 5, Opening: 500, Force: 50_000,
	}
	c.ToolLibraryIDs = []string{LargeToolLibraryID, BuiltInToolLibraryID}
	c.HourlyRateCents = 15_000
	return c
}

// Cutting data of long tools: they bend with the cube of their length, so their depths are small shares of the
// diameter. Drills are carried by the hole, and lose only speed.
var (
	longMilling = cutting{most: 0.12, axial: 0.04, radial: 0.5, data: []cutData{
		{GroupN, 350, 0.005, 1}, {GroupP, 140, 0.004, 0.75}, {GroupM, 80, 0.0035, 0.6},
		{GroupK, 130, 0.004, 0.75}, {GroupS, 35, 0.003, 0.5}, {GroupH, 50, 0.002, 0.4},
	}}
	longBalls = cutting{most: 0.12, axial: 0.04, radial: 0.04, data: []cutData{
		{GroupN, 250, 0.006, 1}, {GroupP, 120, 0.005, 0.75}, {GroupM, 70, 0.004, 0.6},
		{GroupK, 110, 0.005, 0.75}, {GroupS, 35, 0.003, 0.5}, {GroupH, 60, 0.003, 0.4},
	}}
	longDrilling = cutting{most: 0.12, axial: 0.5, hole: true, data: []cutData{
		{GroupN, 40, 0.008, 1}, {GroupP, 18, 0.006, 1}, {GroupM, 9, 0.005, 1},
		{GroupK, 16, 0.008, 1}, {GroupS, 5, 0.004, 1},
	}}
)

// largeTools lists the tools for large parts: shoulder mills with inserts of 11 mm (the smaller ones 7 mm) on shanks
// and arbors of steps to 320 mm, ball end mills on long shanks, drills of DIN 1869 and, from 16 mm, DIN 345. Ramp
// angles are from catalogs of such shoulder mills.
func largeTools() []stockTool {
	var out []stockTool
	for _, s := range []struct {
		d, shank, flute, ramp float64
		flutes                int
		reach                 []float64
	}{
		{20, 19, 7, 3.5, 3, []float64{100, 150, 200}},
		{25, 24, 11, 2.5, 3, []float64{125, 200, 250}},
		{32, 30, 11, 1.8, 4, []float64{160, 250, 320}},
		{40, 38, 11, 1.3, 4, []float64{200, 320}},
		{50, 48, 11, 1, 5, []float64{120, 200, 320}},
	} {
		for _, reach := range s.reach {
			out = append(out, stockTool{
				kind: BullNoseEndMill, diameter: s.d, flute: s.flute, overall: reach + longGrip, shank: s.shank,
				flutes: s.flutes, corner: 0.8, ramp: s.ramp, noCenter: true, cut: longMilling,
				name: fmt.Sprintf("Shoulder mill %g mm R0.8, reach %g", s.d, reach),
			})
		}
	}
	for _, s := range []struct{ d, shank, reach float64 }{
		{12, 11, 100}, {16, 15, 150}, {20, 19, 200}, {25, 24, 250}, {32, 30, 320},
	} {
		out = append(out, stockTool{
			kind: BallEndMill, diameter: s.d, flute: s.d, overall: s.reach + longGrip, shank: s.shank, flutes: 2,
			corner: s.d / 2, cut: longBalls, name: fmt.Sprintf("Ball end mill %g mm, reach %g", s.d, s.reach),
		})
	}
	out = append(out, stockTool{
		kind: FaceMill, diameter: 80, flute: 9, overall: 50, shank: 62, flutes: 7, name: "Face mill 80 mm", cut: facing,
	})
	return append(out, longDrills()...)
}

func longDrills() []stockTool {
	var out []stockTool
	for _, s := range []struct{ d, flute, overall, shank float64 }{
		{5, 135, 195, 5}, {6, 180, 260, 6}, {8, 210, 305, 8}, {10, 235, 340, 10}, {12, 260, 375, 12},
		{16, 120, 218, 16}, {20, 140, 238, 20}, {25, 160, 281, 25}, {30, 175, 296, 30}, {17.5, 130, 228, 17.5},
		{22, 150, 248, 22}, {26, 165, 286, 26},
	} {
		out = append(out, stockTool{
			kind: Drill, diameter: s.d, flute: s.flute, overall: s.overall, shank: s.shank, flutes: 2, tip: 118,
			name: fmt.Sprintf("Long drill %g mm", s.d), cut: longDrilling,
		})
	}
	return out
}

const (
	longGrip  = 80 // mm of a long tool are in its chuck
	largeBase = 60 // mm; chucks of the large spindle take tools longer and thicker than its usual ones
)

// largeWorkholding returns the holder of a large spindle (BT50) for a tool, and the tool's stickout, mm.
func largeWorkholding(s stockTool) (*Holder, float64) {
	switch {
	case s.kind == FaceMill:
		return &Holder{Name: "Shell mill arbor 27 BT50", GaugeLength: 100, Cones: []Cone{
			{DiameterBottom: 60, DiameterTop: 60, Height: 62}, {DiameterBottom: 100, DiameterTop: 100, Height: 38},
		}}, s.overall
	case s.shank > 32:
		return &Holder{Name: "Milling arbor BT50", GaugeLength: 60, Cones: []Cone{
			{DiameterBottom: 80, DiameterTop: 100, Height: 22}, {DiameterBottom: 100, DiameterTop: 100, Height: 38},
		}}, s.overall - longGrip
	}
	chuck := &Holder{Name: "Power chuck 32 BT50", GaugeLength: 120, Cones: []Cone{
		{DiameterBottom: 60, DiameterTop: 72, Height: 10}, {DiameterBottom: 72, DiameterTop: 72, Height: 72},
		{DiameterBottom: 100, DiameterTop: 100, Height: 38},
	}}
	if s.kind == Drill {
		return chuck, s.overall - min(largeBase, s.overall-s.flute)
	}
	return chuck, s.overall - longGrip
}
