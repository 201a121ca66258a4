package machining

import "fmt"

// stockTools lists the built-in library. Lengths are from the standard for each kind of tool, if one exists: end mills
// DIN 6527 long, drills DIN 338 and (carbide) DIN 6537 long, reamers DIN 212, taps DIN 371 and (from M12) DIN 376,
// countersinks DIN 335 C, center drills DIN 333 A, T-slot cutters DIN 851, dovetail cutters DIN 1833, Woodruff cutters
// DIN 850. Tools are only added at the end, since their identifiers follow from their places.
func stockTools() []stockTool {
	var out []stockTool
	for _, part := range [][]stockTool{
		stockEndMills(), stockDrills(commonDrills), stockHoleTools(), stockReamers(3, 4, 5, 6, 8, 10),
		stockThreadTools(), stockOtherMills(),
		stockDrills(otherDrills()), stockCarbideDrills(), stockReamers(2, 2.5, 7, 9, 12, 14, 16, 18, 20),
		stockFinishingMills(), stockEdgeTools(), stockUndercutTools(),
	} {
		out = append(out, part...)
	}
	return out
}

// endMillSize is a row of DIN 6527: diameter, flute length, overall length, shank, mm.
type endMillSize struct{ d, flute, overall, shank float64 }

var endMillSizes = map[float64]endMillSize{
	1: {1, 3, 50, 3}, 2: {2, 7, 57, 6}, 3: {3, 8, 57, 6}, 4: {4, 11, 57, 6}, 5: {5, 13, 57, 6},
	6: {6, 13, 57, 6}, 8: {8, 19, 63, 8}, 10: {10, 22, 72, 10}, 12: {12, 26, 83, 12},
	16: {16, 32, 92, 16}, 20: {20, 38, 104, 20},
}

func stockEndMills() []stockTool {
	var out []stockTool
	row := func(kind ToolKind, d, corner float64, flutes int, name string, cut cutting) {
		s := endMillSizes[d]
		out = append(out, stockTool{
			kind: kind, diameter: d, flute: s.flute, overall: s.overall, shank: s.shank, flutes: flutes,
			corner: corner, name: name, cut: cut,
		})
	}
	for _, d := range []float64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20} {
		row(FlatEndMill, d, 0, 3, fmt.Sprintf("End mill %g mm", d), endMilling)
	}
	for _, r := range []struct{ d, corner float64 }{{6, 0.5}, {8, 0.5}, {10, 1}, {12, 1}, {16, 2}} {
		name := fmt.Sprintf("Bull nose end mill %g mm R%g", r.d, r.corner)
		row(BullNoseEndMill, r.d, r.corner, 3, name, endMilling)
	}
	for _, d := range []float64{2, 3, 4, 6, 8, 10, 12} {
		row(BallEndMill, d, d/2, 2, fmt.Sprintf("Ball end mill %g mm", d), ballMilling)
	}
	return out
}

// stockFinishingMills are the second mills of a size. Their cores are thick and their edges do not meet, so they take
// thin cuts at a high feed and do not plunge.
func stockFinishingMills() []stockTool {
	var out []stockTool
	for _, d := range []float64{3, 4, 5, 6, 8, 10, 12, 16, 20} {
		s, flutes := endMillSizes[d], 5
		if d < 6 {
			flutes = 4
		}
		out = append(out, stockTool{
			kind: FlatEndMill, diameter: d, flute: s.flute, overall: s.overall, shank: s.shank, flutes: flutes, ramp: 1,
			noCenter: true, name: fmt.Sprintf("Finishing end mill %g mm", d), cut: finishMilling,
		})
	}
	return out
}

// stockEdgeTools are chamfer mills for wide and for steep edges, and taps of the larger coarse threads.
func stockEdgeTools() []stockTool {
	return append([]stockTool{
		{kind: ChamferMill, diameter: 16, flute: 16, overall: 92, shank: 16, flutes: 4, tip: 90,
			name: "Chamfer mill 16 mm 90°", cut: chamfering},
		{kind: ChamferMill, diameter: 10, flute: 12, overall: 72, shank: 10, flutes: 4, tip: 60,
			name: "Chamfer mill 10 mm 60°", cut: chamfering},
		{kind: ChamferMill, diameter: 12, flute: 12, overall: 83, shank: 12, flutes: 4, tip: 120,
			name: "Chamfer mill 12 mm 120°", cut: chamfering},
	}, stockTaps([]tapSize{{14, 2, 26, 110, 11}, {16, 2, 26, 110, 12}})...)
}

func stockHoleTools() []stockTool {
	return []stockTool{
		{kind: CenterDrill, diameter: 8, flute: 8, overall: 50, shank: 8, flutes: 2, tip: 60,
			name: "Centre drill 3.15 mm", cut: spotting},
		{kind: SpotDrill, diameter: 6, flute: 13, overall: 57, shank: 6, flutes: 2, tip: 90,
			name: "Spot drill 6 mm 90°", cut: spotting},
		{kind: SpotDrill, diameter: 10, flute: 22, overall: 72, shank: 10, flutes: 2, tip: 90,
			name: "Spot drill 10 mm 90°", cut: spotting},
		{kind: Countersink, diameter: 8.3, flute: 6, overall: 50, shank: 6, flutes: 3, tip: 90,
			name: "Countersink 8.3 mm 90°", cut: sinking},
		{kind: Countersink, diameter: 12.4, flute: 8, overall: 56, shank: 8, flutes: 3, tip: 90,
			name: "Countersink 12.4 mm 90°", cut: sinking},
		{kind: Countersink, diameter: 20.5, flute: 12, overall: 63, shank: 10, flutes: 3, tip: 90,
			name: "Countersink 20.5 mm 90°", cut: sinking},
		{kind: ChamferMill, diameter: 6, flute: 6, overall: 57, shank: 6, flutes: 3, tip: 90,
			name: "Chamfer mill 6 mm 90°", cut: chamfering},
		{kind: ChamferMill, diameter: 10, flute: 10, overall: 72, shank: 10, flutes: 4, tip: 90,
			name: "Chamfer mill 10 mm 90°", cut: chamfering},
	}
}

// tapSize is a row of DIN 371 or DIN 376, mm.
type tapSize struct{ d, pitch, flute, overall, shank float64 }

func stockTaps(sizes []tapSize) []stockTool {
	var out []stockTool
	for _, s := range sizes {
		out = append(out, stockTool{
			kind: TapRightHand, diameter: s.d, flute: s.flute, overall: s.overall, shank: s.shank, flutes: 3,
			pitch: s.pitch, name: fmt.Sprintf("Tap M%g × %g", s.d, s.pitch), cut: tapping,
		})
	}
	return out
}

func stockThreadTools() []stockTool {
	out := stockTaps([]tapSize{
		{2, 0.4, 7, 45, 2.8}, {2.5, 0.45, 9, 50, 2.8}, {3, 0.5, 10, 56, 3.5}, {4, 0.7, 12, 63, 4.5},
		{5, 0.8, 13, 70, 6}, {6, 1, 15, 80, 6}, {8, 1.25, 18, 90, 8}, {10, 1.5, 20, 100, 10},
		{12, 1.75, 23, 110, 9},
	})
	for _, s := range []struct{ d, pitch, flute, overall, shank float64 }{
		{4.5, 1, 12, 57, 6}, {6, 1.25, 16, 63, 6},
	} {
		out = append(out, stockTool{
			kind: ThreadMill, diameter: s.d, flute: s.flute, overall: s.overall, shank: s.shank, flutes: 3,
			pitch: s.pitch, name: fmt.Sprintf("Thread mill %g mm, pitch %g", s.d, s.pitch), cut: threadMilling,
		})
	}
	return out
}

func stockOtherMills() []stockTool {
	return []stockTool{
		{kind: FaceMill, diameter: 50, flute: 9, overall: 40, shank: 41, flutes: 5,
			name: "Face mill 50 mm", cut: facing},
		slotMill(undercutSize{16, 8, 7, 10, 62}),
		slotMill(undercutSize{21, 9, 10, 12, 74}),
		dovetailMill(undercutSize{16, 4, 7.5, 12, 60}, 90),
		dovetailMill(undercutSize{16, 6.3, 8, 12, 60}, 60),
		{kind: Lollipop, diameter: 6, flute: 5, overall: 57, shank: 4, flutes: 3, corner: 3,
			name: "Lollipop cutter 6 mm", cut: slotting},
	}
}

// undercutSize is a row of DIN 850, DIN 851 or DIN 1833: head and height of the head, neck, shank, overall length, mm.
// The neck of a Woodruff cutter leaves the depth of the keyways of its size (DIN 6888), that of a dovetail cutter is as
// wide as the top of the head, about.
type undercutSize struct{ d, flute, neck, shank, overall float64 }

func slotMill(s undercutSize) stockTool {
	return stockTool{kind: SlotMill, diameter: s.d, flute: s.flute, overall: s.overall, shank: s.shank, neck: s.neck,
		flutes: 6, name: fmt.Sprintf("T-slot cutter %g × %g mm", s.d, s.flute), cut: slotting}
}

// dovetailMill has an angle between its flanks, degrees.
func dovetailMill(s undercutSize, tip float64) stockTool {
	t := slotMill(s)
	t.kind, t.tip, t.name = DovetailMill, tip, fmt.Sprintf("Dovetail cutter %g mm %g°", s.d, 90-tip/2)
	return t
}

// stockUndercutTools are the other common sizes.
func stockUndercutTools() (out []stockTool) {
	for _, s := range []undercutSize{
		{12.5, 6, 5, 10, 57}, {18, 8, 8, 12, 70}, {25, 11, 12, 16, 82}, {32, 14, 15, 16, 90},
	} {
		out = append(out, slotMill(s))
	}
	for _, s := range []undercutSize{{20, 5, 9.5, 12, 63}, {25, 6.3, 12, 16, 67}} {
		out = append(out, dovetailMill(s, 90))
	}
	for _, s := range []undercutSize{{20, 8, 10, 12, 63}, {25, 10, 13, 16, 67}} {
		out = append(out, dovetailMill(s, 60))
	}
	for _, s := range []undercutSize{
		{4.5, 1, 2.1, 6, 50}, {7.5, 1.5, 3.1, 6, 50}, {7.5, 2, 3.5, 6, 50}, {10.5, 2, 4.3, 6, 50},
		{10.5, 3, 5.1, 6, 50}, {13.5, 4, 6, 10, 56}, {16.5, 5, 7.1, 10, 56}, {22.5, 6, 9.1, 10, 63},
	} {
		t := slotMill(s)
		t.name = fmt.Sprintf("Woodruff cutter %g × %g mm", s.d, s.flute)
		out = append(out, t)
	}
	return out
}
