package httpapi

import "millwright.dev/millwright/core/cam/machining"

// The documents of core/cam/machining are their own wire types. This file contains their texts for the interface
// description.

// machiningSchemas are the schemas that show a machining document, and the name of the document in
// machiningText.
var machiningSchemas = map[string]string{
	"CutConfigRecord": "CutConfig", "CutConfigRequest": "CutConfig", "CutConfigUpdate": "CutConfig",
	"CutConfigPatch": "CutConfig", "MachinePart": "Machine", "MaterialPart": "Material", "StockPart": "Stock",
	"WorkholdingPart": "Workholding", "TolerancesPart": "Tolerances", "AxesPart": "Axes",
	"AxisPart":   "Axis",
	"TravelPart": "Travel", "Travel": "Travel", "AllowancePart": "Allowance", "Allowance": "Allowance",
	"Machine": "Machine", "Material": "Material", "Stock": "Stock", "Workholding": "Workholding",
	"Tolerances": "Tolerances", "Axes": "Axes", "Axis": "Axis",
	"BreakEdgesPart": "BreakEdges", "BreakEdges": "BreakEdges",
	"StockSizePart": "StockSize", "StockSize": "StockSize",
	"Tool": "Tool", "ToolRequest": "Tool",
	"Preset": "Preset", "Holder": "Holder", "HolderRecord": "Holder", "Cone": "Cone",
	"ToolReport": "ToolReport", "ToolNote": "ToolNote",
}

// field is the meaning of a field, with an example and the allowed values of a text.
type field struct {
	text    string
	example any
	words   []any
}

// words returns the values of a text type in their JSON form.
func words[T ~string](all ...T) []any {
	out := make([]any, len(all))
	for i, w := range all {
		out[i] = string(w)
	}
	return out
}

// machiningText describes the fields of machining documents.
var machiningText = map[string]field{
	"CutConfig.id":              {text: "Identifier."},
	"CutConfig.name":            {text: "Name; need not be unique.", example: "Aluminium 6061, 3-axis mill"},
	"CutConfig.isDefault":       {text: "It is the default of the user who made the key."},
	"CutConfig.machine":         {text: "Machine for the parts."},
	"CutConfig.material":        {text: "Material of the parts."},
	"CutConfig.stock":           {text: "Raw material of the parts."},
	"CutConfig.workholding":     {text: "Workholding of the stock."},
	"CutConfig.toolLibraryIds":  {text: "Tool libraries, in search order."},
	"CutConfig.post":            {text: "Name of the postprocessor.", example: "linuxcnc", words: words(machining.Posts...)},
	"CutConfig.tolerances":      {text: "Tolerances of a part if its file states no tolerances."},
	"CutConfig.hourlyRateCents": {text: "Price of an hour of the machine, US cents.", example: 9000},
	"CutConfig.chordTolerance":  {text: "Largest deviation of toolpaths from curves and surfaces, mm.", example: 0.01},
	"CutConfig.programmingSeconds": {text: "Programming work for a part, once, charged at the hourly rate, s; 0, the " +
		"default: not charged.", example: 0},
	"CutConfig.scallopHeight": {text: "Height of the ridges that finishing leaves on freeform surfaces, mm; by default " +
		"0.01.", example: 0.01},
	"CutConfig.engagementDeg": {text: "Engagement angle of the mill in roughing on straight paths, degrees from 5 " +
		"to 180; it determines the distance of the paths. Slots and corners have more, slots at half the feed. " +
		"Null, the default: from radialDepth of the tool's preset.", example: 60},
	"CutConfig.tapInferredThreads": {text: "Tap also threads that the file does not state and only the diameter of a hole " +
		"suggests; by default false.", example: false},
	"CutConfig.breakEdges": {text: "Deburring: chamfer mills of 90° break the sharp convex edges that are level in a " +
		"setup; the plan lists the other sharp edges as edge_not_broken. Null, the default: no edge is broken."},

	"BreakEdges.width": {text: "Width of the chamfer along either face, mm, at most 2; by default 0.2; 0: no edge " +
		"is broken.", example: 0.2},

	"Machine.name":               {text: "Name.", example: "Vertical mill"},
	"Machine.axisCount":          {text: "Axes that move while cutting: 3, 4 or 5.", example: 3},
	"Machine.travel":             {text: "Travel of the linear axes, mm."},
	"Machine.maxSpindleRpm":      {text: "Revolutions per minute.", example: 12000},
	"Machine.spindlePowerKw":     {text: "kW.", example: 15},
	"Machine.maxFeed":            {text: "While cutting, mm/min.", example: 12000},
	"Machine.rapidFeed":          {text: "In the air, mm/min; at least maxFeed.", example: 25000},
	"Machine.acceleration":       {text: "Of the axes, mm/s².", example: 4000},
	"Machine.jerk":               {text: "Of the axes, mm/s³.", example: 50000},
	"Machine.toolChangeSeconds":  {text: "From cut to cut, s.", example: 6},
	"Machine.spindleRampSeconds": {text: "Spindle from standstill to full speed, s; by default 2.", example: 2},
	"Machine.axes": {text: "Limits of single axes that are stricter than the machine's; null, the default: " +
		"not stricter."},
	"Machine.cornerTolerance": {text: "Deviation at corners that the control permits to keep its speed, mm; 0: it " +
		"stops in each; by default 0.01.", example: 0.01},
	"Machine.blockMs":      {text: "Least time of a block of a program, ms; by default 1.", example: 1},
	"Machine.setupSeconds": {text: "To prepare a setup, once for all parts, s; by default 1800.", example: 1800},
	"Machine.loadSeconds":  {text: "To change the part in a setup, s; by default 60.", example: 60},

	"Axes.x":            {text: "The x axis."},
	"Axes.y":            {text: "The y axis."},
	"Axes.z":            {text: "The z axis."},
	"Axis.maxFeed":      {text: "While cutting, mm/min.", example: 10000},
	"Axis.rapidFeed":    {text: "In the air, mm/min; at least maxFeed.", example: 20000},
	"Axis.acceleration": {text: "mm/s².", example: 3000},
	"Axis.jerk":         {text: "mm/s³.", example: 40000},

	"Material.name": {text: "Name.", example: "Aluminium 6061-T6"},
	"Material.isoGroup": {text: "Group of ISO 513: " + groupText, example: string(machining.GroupN),
		words: words(machining.Groups...)},
	"Material.specificCuttingForce": {text: "kc1.1 of Kienzle's law, N/mm².", example: 700},
	"Material.forceExponent":        {text: "mc of Kienzle's law, kc = kc1.1·h^-mc; by default 0.25.", example: 0.25},
	"Material.density":              {text: "g/cm³; by default that of the group's commonest material.", example: 2.7},
	"Material.yield": {text: "Yield strength, MPa; by default that of the group's commonest material.",
		example: 276},
	"Material.modulus": {text: "Modulus of elasticity, MPa; by default that of the group's commonest material.",
		example: 69_000},
	"Material.pricePerKgCents": {text: "US cents per kg; 0, the default: not charged.", example: 700},

	"Stock.kind": {text: "nearNet: a casting or forging, the part's own shape grown.",
		example: string(machining.StockBox),
		words:   words(machining.StockBox, machining.StockCylinder, machining.StockNearNet)},
	"Stock.allowance": {text: "Material on each side beyond the part, mm; of a cylinder x and y are radial and " +
		"equal, z runs along its axis."},
	"Stock.grip": {text: "More stock below the part that a vise grips in the first setup, mm; by default 6. 0: it " +
		"grips the allowance and the part.", example: 6},
	"Stock.under": {text: "Between this stock and the part, mm, for tools that run past its sides; by default 1.",
		example: 1},
	"Stock.size": {text: "Size as bought, along the axes of the part; by default the part with its allowance. The " +
		"allowance is then over the part, and the rest below it, where a vise grips."},
	"StockSize.x": {text: "mm; of a cylinder the diameter.", example: 100},
	"StockSize.y": {text: "mm; of a cylinder the diameter.", example: 60},
	"StockSize.z": {text: "mm; of a cylinder the length.", example: 30},
	"Workholding.kind": {text: "Workholding of the stock; none: no obstacles for the tool.",
		example: string(machining.WorkholdingVise),
		words:   words(machining.WorkholdingVise, machining.WorkholdingFixture, machining.WorkholdingNone)},
	"Workholding.jawHeight": {text: "Height of the vise or fixture on the stock's side, mm.", example: 44},
	"Workholding.jawWidth":  {text: "Of the jaws along the stock's side, mm; by default 150.", example: 150},
	"Workholding.opening":   {text: "Largest distance between the jaws, mm; by default 220.", example: 220},
	"Workholding.outerOpening": {
		text:    "The same with the jaws on the outer seats of the vise, mm; by default 430; 0: it has none.",
		example: 430,
	},
	"Workholding.force": {text: "Largest force of each jaw, N; by default 20000.", example: 20_000},
	"Workholding.bite": {text: "Least grip depth of the jaws, mm, at most jawHeight; by default 3, or jawHeight if " +
		"that is less.", example: 3},
	"Tolerances.class": {text: "General tolerances of ISO 2768-1: fine, medium, coarse, very coarse.",
		example: string(machining.ClassMedium), words: words(machining.ClassFine, machining.ClassMedium,
			machining.ClassCoarse, machining.ClassVeryCoarse)},
	"Tolerances.profile": {text: "Width of the zone around freeform surfaces, mm.", example: 0.1},

	"Tool.id":     {text: "Unique within its library."},
	"Tool.name":   {text: "Empty: unnamed.", example: "End mill 10 mm"},
	"Tool.number": {text: "T number in the machine's tool table; null: none given.", example: 8},
	"Tool.kind": {text: "Shape of the tool.", example: string(machining.FlatEndMill),
		words: words(machining.Kinds...)},
	"Tool.diameter":      {text: "Largest cutting diameter, mm.", example: 10},
	"Tool.cornerRadius":  {text: "0: sharp corner; half the diameter: ball; mm.", example: 0},
	"Tool.fluteLength":   {text: "Cutting length, mm.", example: 22},
	"Tool.overallLength": {text: "From end to end, mm.", example: 72},
	"Tool.shankDiameter": {text: "Above the flutes, mm.", example: 10},
	"Tool.bodyLength":    {text: "From the tip to the holder, mm.", example: 37},
	"Tool.fluteCount":    {text: "Number of cutting edges.", example: 3},
	"Tool.tipAngleDeg": {text: "Included angle of the cone of drills, countersinks and chamfer mills, of dovetail " +
		"mills between opposite flanks, degrees; null for kinds without a cone.", example: 118},
	"Tool.tipDiameter": {text: "Of the flat that ends the cone of drills, countersinks and chamfer mills, mm; null: it " +
		"ends in a point.", example: 2},
	"Tool.toolMaterial": {text: "Of its cutting edges; the computed surface speed follows it. Absent: not known.",
		example: string(machining.HSS), words: words(machining.ToolMaterials...)},
	"Tool.guessed": {text: "Fields that a file did not state and that nobody has confirmed; plans do not cut with the " +
		"tool until PUT of its library confirms it. Absent: none.", example: []any{"fluteCount"}},
	"Tool.pitch": {text: "Of the thread that a tap or thread mill cuts, mm; else null.", example: 1.5},
	"Tool.maxRampDeg": {text: "Steepest ramp into material, degrees; null: 3 for flat end mills, 5 for ball and " +
		"bull nose ones, 0 (it does not ramp) for others.", example: 3},
	"Tool.centerCutting": {text: "Its edges reach the axis, so that it may plunge; null: drills do, and end mills to " +
		"20 mm.", example: true},
	"Tool.maxRpm":  {text: "Highest permitted revolutions per minute; null: not known.", example: 18000},
	"Tool.holder":  {text: "Holder of the tool in the spindle; null: not known."},
	"Tool.presets": {text: "Cutting data, by material group."},

	"Preset.materialGroup": {text: "Group of ISO 513: " + groupText, example: string(machining.GroupN),
		words: words(machining.Groups...)},
	"Preset.surfaceSpeed": {text: "At the tool's diameter, m/min.", example: 300},
	"Preset.feedPerTooth": {text: "mm; of a tap pitch/fluteCount, as its feed is its pitch.", example: 0.1},
	"Preset.axialDepth":   {text: "Stepdown, of drills the peck, mm.", example: 10},
	"Preset.radialDepth":  {text: "Stepover, of drills and taps half the diameter, mm.", example: 2.5},

	"Holder.name":         {text: "Name; of the holder of a tool it may be empty.", example: "Collet chuck ER16"},
	"Holder.gaugeLength":  {text: "From the spindle's gauge line to the holder's end, mm.", example: 100},
	"Holder.cones":        {text: "From the tool end to the spindle."},
	"Cone.diameterBottom": {text: "At the tool's side, mm.", example: 28},
	"Cone.diameterTop":    {text: "At the spindle's side, mm.", example: 28},
	"Cone.height":         {text: "mm; 0: a shoulder where the diameter jumps.", example: 70},

	"ToolReport.entries": {text: "Entries in the file.", example: 24},
	"ToolReport.skipped": {text: "Entries that gave no tool, and why."},
	"ToolReport.guessed": {text: "Values missing from the file, and the assumed values."},
	"ToolNote.entry":     {text: "The entry as the file names it; empty for the whole file.", example: "line 3 (T3)"},
	"ToolNote.detail":    {text: "One or more sentences.", example: "It has no diameter D."},

	"Travel.x":    {text: "Along x, mm.", example: 760},
	"Travel.y":    {text: "Along y, mm.", example: 400},
	"Travel.z":    {text: "Along z, mm.", example: 500},
	"Allowance.x": {text: "Along x, mm.", example: 2},
	"Allowance.y": {text: "Along y, mm.", example: 2},
	"Allowance.z": {text: "Along z, mm.", example: 2},
}

const groupText = "P steel, M stainless steel, K cast iron, N aluminium and other non-ferrous metals, " +
	"S superalloys and titanium, H hardened steel."
