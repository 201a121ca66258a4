package machining

// Cutting data of the built-in tools. The figures are starting values from the middle of the ranges on which two kinds
// of source agree. These are the tables of speeds and feeds for drilling, reaming, threading and milling of Machinery's
// Handbook, and the catalogs of tool makers for carbide end mills, face mills and high-speed-steel hole tools, by ISO
// 513 group. They are for a stiff machine, flood coolant and the stickout of the built-in holders, and below the
// maximum of a tool. A test checks their spindle speeds, chip thicknesses and powers against physical limits.

// cutting is the cutting data of the tools in one row of the library.
type cutting struct {
	data []cutData // by group, in the order in which presets are listed
	// most limits the feed per tooth (mm), for tools so large that it no longer grows with the diameter.
	most float64
	// axial and radial depths: shares of the diameter before the group's factor, at most the flute length.
	axial, radial float64
	// hole: the tool cuts over its whole radius, and the depth along its axis does not depend on the group.
	hole bool
}

// cutData is the cutting data for one group of materials.
type cutData struct {
	group MaterialGroup
	speed float64 // m/min
	feed  float64 // per tooth, as a share of the diameter
	depth float64 // factor on the depths of cut
}

// The cutting data of each row of the library. End mills, thread mills and inserts are carbide; drills without a stated
// material, reamers, taps, countersinks and form cutters high-speed steel with cobalt.
var (
	endMilling = cutting{most: 0.16, axial: 1, radial: 0.25, data: []cutData{
		{GroupN, 300, 0.010, 1}, {GroupP, 130, 0.0065, 0.8}, {GroupM, 70, 0.005, 0.6},
		{GroupK, 120, 0.007, 0.8}, {GroupS, 40, 0.004, 0.4}, {GroupH, 60, 0.003, 0.3},
	}}
	finishMilling = cutting{most: 0.1, axial: 1, radial: 0.03, data: []cutData{
		{GroupN, 400, 0.007, 1}, {GroupP, 180, 0.005, 1}, {GroupM, 100, 0.004, 0.8},
		{GroupK, 160, 0.0055, 1}, {GroupS, 50, 0.003, 0.6}, {GroupH, 80, 0.0025, 0.5},
	}}
	ballMilling = cutting{most: 0.16, axial: 0.1, radial: 0.1, data: []cutData{
		{GroupN, 300, 0.010, 1}, {GroupP, 150, 0.007, 0.8}, {GroupM, 80, 0.005, 0.6},
		{GroupK, 140, 0.007, 0.8}, {GroupS, 45, 0.004, 0.5}, {GroupH, 80, 0.004, 0.4},
	}}
	facing = cutting{most: 0.15, axial: 0.05, radial: 0.7, data: []cutData{
		{GroupN, 500, 0.003, 1}, {GroupP, 180, 0.0024, 0.6}, {GroupM, 110, 0.002, 0.5},
		{GroupK, 160, 0.0024, 0.6}, {GroupS, 40, 0.0018, 0.4}, {GroupH, 60, 0.0014, 0.2},
	}}
	drilling = cutting{most: 0.12, axial: 1, hole: true, data: []cutData{
		{GroupN, 60, 0.010, 1}, {GroupP, 25, 0.008, 1}, {GroupM, 12, 0.006, 1},
		{GroupK, 22, 0.010, 1}, {GroupS, 6, 0.005, 1},
	}}
	carbideDrilling = cutting{most: 0.15, axial: 1, hole: true, data: []cutData{
		{GroupN, 180, 0.013, 1}, {GroupP, 90, 0.010, 1}, {GroupM, 45, 0.007, 1},
		{GroupK, 85, 0.012, 1}, {GroupS, 22, 0.005, 1}, {GroupH, 30, 0.004, 1},
	}}
	spotting = cutting{most: 0.08, axial: 0.4, hole: true, data: []cutData{
		{GroupN, 60, 0.007, 1}, {GroupP, 25, 0.005, 1}, {GroupM, 12, 0.004, 1},
		{GroupK, 22, 0.006, 1}, {GroupS, 6, 0.003, 1},
	}}
	sinking = cutting{most: 0.08, axial: 0.3, hole: true, data: []cutData{
		{GroupN, 40, 0.005, 1}, {GroupP, 18, 0.004, 1}, {GroupM, 9, 0.003, 1},
		{GroupK, 16, 0.005, 1}, {GroupS, 5, 0.002, 1},
	}}
	reaming = cutting{most: 0.05, axial: 2, hole: true, data: []cutData{
		{GroupN, 20, 0.005, 1}, {GroupP, 9, 0.004, 1}, {GroupM, 5, 0.003, 1}, {GroupK, 9, 0.005, 1},
	}}
	tapping = cutting{axial: 1.5, hole: true, data: []cutData{ // the feed is the pitch
		{GroupN, 15, 0, 1}, {GroupP, 9, 0, 1}, {GroupM, 5, 0, 1}, {GroupK, 9, 0, 1},
	}}
	threadMilling = cutting{most: 0.06, axial: 1.5, radial: 0.12, data: []cutData{
		{GroupN, 150, 0.008, 1}, {GroupP, 80, 0.005, 1}, {GroupM, 50, 0.004, 1},
		{GroupK, 80, 0.005, 1}, {GroupS, 25, 0.003, 1},
	}}
	chamfering = cutting{most: 0.1, axial: 0.2, radial: 0.2, data: []cutData{
		{GroupN, 200, 0.008, 1}, {GroupP, 100, 0.006, 0.8}, {GroupM, 60, 0.005, 0.6},
		{GroupK, 100, 0.006, 0.8}, {GroupS, 30, 0.004, 0.5}, {GroupH, 50, 0.003, 0.4},
	}}
	slotting = cutting{most: 0.05, axial: 1, radial: 0.05, data: []cutData{
		{GroupN, 60, 0.003, 1}, {GroupP, 22, 0.002, 0.8}, {GroupM, 12, 0.0016, 0.6}, {GroupK, 20, 0.002, 0.8},
	}}
)

// presets returns the presets of a tool.
func (c cutting) presets(t *Tool) []Preset {
	out := make([]Preset, 0, len(c.data))
	for _, d := range c.data {
		p := Preset{
			MaterialGroup: d.group, SurfaceSpeed: d.speed, FeedPerTooth: min(d.feed*t.Diameter, c.most),
			AxialDepth:  min(c.axial*d.depth*t.Diameter, t.FluteLength),
			RadialDepth: c.radial * d.depth * t.Diameter,
		}
		if c.hole {
			p.RadialDepth = t.Diameter / 2
		}
		if t.Kind == TapRightHand {
			p.FeedPerTooth = *t.Pitch / float64(t.FluteCount)
		}
		out = append(out, p)
	}
	return out
}

// ruleOf is the cutting data of each kind of tool without further properties.
var ruleOf = map[ToolKind]cutting{
	FlatEndMill: endMilling, BullNoseEndMill: endMilling, BallEndMill: ballMilling, FaceMill: facing, Drill: drilling,
	CenterDrill: spotting, SpotDrill: spotting, Countersink: sinking, ChamferMill: chamfering, Reamer: reaming,
	TapRightHand: tapping, ThreadMill: threadMilling, DovetailMill: slotting, SlotMill: slotting, Lollipop: slotting,
}

// RulePreset returns the cutting data that built-in tools of this kind would have for a group, at this tool's size and
// the speed of its material. It serves tools without a preset. It is false for groups that the kind does not cut, and
// for high-speed steel in hardened steel.
func (t *Tool) RulePreset(g MaterialGroup) (Preset, bool) {
	rule := ruleOf[t.Kind]
	for i, p := range rule.presets(t) {
		if rule.data[i].group == g {
			p.SurfaceSpeed *= t.speedFactor()
			return p, g != GroupH || !t.Material.IsSteel()
		}
	}
	return Preset{}, false
}
