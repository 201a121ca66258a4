package machining

import (
	"encoding/json"
	"fmt"
)

// Section is the topic of a field, under which forms show it.
type Section string

// The sections.
const (
	SectionGeneral     Section = "general"
	SectionMachine     Section = "machine"
	SectionMaterial    Section = "material"
	SectionStock       Section = "stock"
	SectionWorkholding Section = "workholding"
	SectionTools       Section = "tools"
	SectionTolerances  Section = "tolerances"
	SectionMoney       Section = "money"
	SectionShape       Section = "shape"
	SectionLimits      Section = "limits"
	SectionCutting     Section = "cutting"
)

// Bounds are the bounds of a number. They are wider than any real machine, tool or request.
type Bounds struct {
	Min, Max float64
	Above    bool   // Min itself is out of bounds
	Unit     string // "": a count or a factor
}

// Field is the rule for a field of a document. Validate and the interface description read the same rules.
type Field struct {
	Section   Section
	Bounds    *Bounds // nil: not a number
	MaxLength int     // of a text, bytes; 0: unbounded
	MinItems  int     // of a list
	MaxItems  int     // of a list; 0: unbounded
}

// Longest lists of documents.
const (
	maxLibraries = 100
	maxPresets   = 100
	maxCones     = 100
)

const (
	maxTravel    = 100_000    // mm
	maxSpeed     = 500_000    // rpm
	maxFeed      = 1_000_000  // mm/min
	maxWait      = 3600       // s
	maxHandling  = 10_000_000 // s, of people: some months
	maxDeviation = 10         // mm
	maxDiameter  = 500        // mm
	maxLength    = 2000       // mm
)

func from(g Section, low, high float64, unit string) Field {
	return Field{Section: g, Bounds: &Bounds{Min: low, Max: high, Unit: unit}}
}

func above0(g Section, high float64, unit string) Field {
	return Field{Section: g, Bounds: &Bounds{Max: high, Above: true, Unit: unit}}
}

func textField(g Section) Field { return Field{Section: g, MaxLength: MaxName} }

// fields are the rules of all fields, by document and JSON name. Travel and Allowance are the two uses of Extent.
var fields = map[string]Field{
	"CutConfig.name":               textField(SectionGeneral),
	"CutConfig.isDefault":          {Section: SectionGeneral},
	"CutConfig.machine":            {Section: SectionMachine},
	"CutConfig.material":           {Section: SectionMaterial},
	"CutConfig.stock":              {Section: SectionStock},
	"CutConfig.workholding":        {Section: SectionWorkholding},
	"CutConfig.toolLibraryIds":     {Section: SectionTools, MaxItems: maxLibraries},
	"CutConfig.post":               {Section: SectionMachine},
	"CutConfig.tolerances":         {Section: SectionTolerances},
	"CutConfig.hourlyRateCents":    from(SectionMoney, 0, 100_000_000, "US cents/h"),
	"CutConfig.chordTolerance":     above0(SectionTolerances, maxDeviation, "mm"),
	"CutConfig.programmingSeconds": from(SectionMoney, 0, maxHandling, "s"),
	"CutConfig.scallopHeight":      above0(SectionTolerances, maxDeviation, "mm"),
	"CutConfig.engagementDeg":      from(SectionTools, 5, 180, "°"), // below, hardly a chip is left; 180: a full slot
	"CutConfig.tapInferredThreads": {Section: SectionTools},
	"CutConfig.breakEdges":         {Section: SectionTolerances},
	"BreakEdges.width":             from(SectionTolerances, 0, 2, "mm"), // wider chamfers are features of the part

	"Machine.name":               textField(SectionMachine),
	"Machine.axisCount":          from(SectionMachine, 3, 5, ""),
	"Machine.travel":             {Section: SectionMachine},
	"Machine.maxSpindleRpm":      above0(SectionMachine, maxSpeed, "rpm"),
	"Machine.spindlePowerKw":     above0(SectionMachine, 1000, "kW"),
	"Machine.maxFeed":            above0(SectionMachine, maxFeed, "mm/min"),
	"Machine.rapidFeed":          above0(SectionMachine, maxFeed, "mm/min"),
	"Machine.acceleration":       above0(SectionMachine, 1_000_000, "mm/s²"),
	"Machine.jerk":               above0(SectionMachine, 1e9, "mm/s³"),
	"Machine.toolChangeSeconds":  from(SectionMachine, 0, maxWait, "s"),
	"Machine.spindleRampSeconds": from(SectionMachine, 0, maxWait, "s"),
	"Machine.axes":               {Section: SectionMachine},
	"Machine.cornerTolerance":    from(SectionMachine, 0, maxDeviation, "mm"),
	"Machine.blockMs":            from(SectionMachine, 0, 1000, "ms"),
	"Machine.setupSeconds":       from(SectionMachine, 0, maxHandling, "s"),
	"Machine.loadSeconds":        from(SectionMachine, 0, maxHandling, "s"),
	"Travel.x":                   above0(SectionMachine, maxTravel, "mm"),
	"Travel.y":                   above0(SectionMachine, maxTravel, "mm"),
	"Travel.z":                   above0(SectionMachine, maxTravel, "mm"),
	"Axes.x":                     {Section: SectionMachine},
	"Axes.y":                     {Section: SectionMachine},
	"Axes.z":                     {Section: SectionMachine},
	"Axis.maxFeed":               above0(SectionMachine, maxFeed, "mm/min"),
	"Axis.rapidFeed":             above0(SectionMachine, maxFeed, "mm/min"),
	"Axis.acceleration":          above0(SectionMachine, 1_000_000, "mm/s²"),
	"Axis.jerk":                  above0(SectionMachine, 1e9, "mm/s³"),

	"Material.name":                 textField(SectionMaterial),
	"Material.isoGroup":             {Section: SectionMaterial},
	"Material.specificCuttingForce": above0(SectionMaterial, 10_000, "N/mm²"),
	"Material.forceExponent":        from(SectionMaterial, 0, 0.9, ""),
	"Material.density":              above0(SectionMaterial, 25, "g/cm³"),
	"Material.pricePerKgCents":      from(SectionMoney, 0, 1_000_000, "US cents/kg"),
	"Material.yield":                above0(SectionMaterial, 5000, "MPa"),
	"Material.modulus":              above0(SectionMaterial, 1_000_000, "MPa"),

	"Stock.kind":      {Section: SectionStock},
	"Stock.allowance": {Section: SectionStock},
	"Stock.grip":      from(SectionStock, 0, 200, "mm"),
	"Stock.under":     from(SectionStock, 0, 100, "mm"),
	"Stock.size":      {Section: SectionStock},
	"StockSize.x":     above0(SectionStock, maxTravel, "mm"),
	"StockSize.y":     above0(SectionStock, maxTravel, "mm"),
	"StockSize.z":     above0(SectionStock, maxTravel, "mm"),
	"Allowance.x":     from(SectionStock, 0, 1000, "mm"),
	"Allowance.y":     from(SectionStock, 0, 1000, "mm"),
	"Allowance.z":     from(SectionStock, 0, 1000, "mm"),

	"Workholding.kind":         {Section: SectionWorkholding},
	"Workholding.jawHeight":    from(SectionWorkholding, 0, 1000, "mm"),
	"Workholding.jawWidth":     from(SectionWorkholding, 0, maxTravel, "mm"),
	"Workholding.bite":         from(SectionWorkholding, 0, 1000, "mm"),
	"Workholding.opening":      above0(SectionWorkholding, maxTravel, "mm"),
	"Workholding.outerOpening": from(SectionWorkholding, 0, maxTravel, "mm"),
	"Workholding.force":        above0(SectionWorkholding, 10_000_000, "N"),

	"Tolerances.class":   {Section: SectionTolerances},
	"Tolerances.profile": above0(SectionTolerances, maxDeviation, "mm"),

	"Tool.id":            textField(SectionGeneral),
	"Tool.name":          textField(SectionGeneral),
	"Tool.number":        from(SectionGeneral, 0, 1_000_000, ""),
	"Tool.kind":          {Section: SectionShape},
	"Tool.diameter":      above0(SectionShape, maxDiameter, "mm"),
	"Tool.cornerRadius":  from(SectionShape, 0, maxDiameter/2, "mm"),
	"Tool.fluteLength":   above0(SectionShape, maxLength, "mm"),
	"Tool.overallLength": above0(SectionShape, maxLength, "mm"),
	"Tool.shankDiameter": above0(SectionShape, maxDiameter, "mm"),
	"Tool.bodyLength":    above0(SectionShape, maxLength, "mm"),
	"Tool.fluteCount":    from(SectionShape, 1, 100, ""),
	"Tool.tipAngleDeg":   above0(SectionShape, 180, "°"),
	"Tool.tipDiameter":   from(SectionShape, 0, maxDiameter, "mm"),
	"Tool.pitch":         above0(SectionShape, 25, "mm"),
	"Tool.toolMaterial":  {Section: SectionCutting},
	"Tool.maxRampDeg":    from(SectionLimits, 0, 90, "°"),
	"Tool.centerCutting": {Section: SectionLimits},
	"Tool.maxRpm":        above0(SectionLimits, maxSpeed, "rpm"),
	"Tool.holder":        {Section: SectionShape},
	"Tool.presets":       {Section: SectionCutting, MaxItems: maxPresets},
	"Tool.guessed":       {Section: SectionGeneral, MaxItems: len(guessable)},

	"Preset.materialGroup": {Section: SectionCutting},
	"Preset.surfaceSpeed":  above0(SectionCutting, 5000, "m/min"), // above those of high speed machining of aluminum
	"Preset.feedPerTooth":  above0(SectionCutting, 10, "mm"),      // above those of high feed mills
	"Preset.axialDepth":    above0(SectionCutting, maxLength, "mm"),
	"Preset.radialDepth":   above0(SectionCutting, maxDiameter, "mm"),

	"Holder.name":         textField(SectionGeneral),
	"Holder.gaugeLength":  above0(SectionShape, maxLength, "mm"),
	"Holder.cones":        {Section: SectionShape, MinItems: 1, MaxItems: maxCones},
	"Cone.diameterBottom": above0(SectionShape, maxDiameter, "mm"),
	"Cone.diameterTop":    above0(SectionShape, maxDiameter, "mm"),
	"Cone.height":         from(SectionShape, 0, maxLength, "mm"),
}

// FieldOf returns the rule of a field of a document, as FieldOf("Machine", "jerk").
func FieldOf(document, name string) (Field, bool) {
	f, known := fields[document+"."+name]
	return f, known
}

// Defaults returns the value of each field that a document may leave out, by the names of FieldOf. Those of a cut
// config are the first built-in one's, so density and bite are those of its group and jaws. Fields that must be sent
// are missing.
func Defaults() map[string]any {
	out := map[string]any{
		"BreakEdges.width": DefaultEdgeBreak,
		"Tool.name":        "", "Tool.number": nil, "Tool.cornerRadius": 0.0, "Tool.tipAngleDeg": nil,
		"Tool.tipDiameter": nil, "Tool.pitch": nil, "Tool.maxRampDeg": nil,
		"Tool.centerCutting": nil, "Tool.maxRpm": nil, "Tool.holder": nil, "Tool.presets": []any{},
	}
	text, err := json.Marshal(BuiltInCutConfig())
	var config map[string]any
	if err == nil {
		err = json.Unmarshal(text, &config)
	}
	if err != nil {
		panic(fmt.Sprintf("the built-in cut config is not JSON: %v", err))
	}
	delete(config, "id")
	delete(config, "name")
	collect(out, "CutConfig", config)
	return out
}

// documents are the documents within a cut config, by the field that holds them.
var documents = map[string]string{
	"machine": "Machine", "material": "Material", "stock": "Stock", "workholding": "Workholding",
	"tolerances": "Tolerances", "travel": "Travel", "allowance": "Allowance",
}

func collect(out map[string]any, document string, object map[string]any) {
	for name, v := range object {
		if part, is := v.(map[string]any); is {
			collect(out, documents[name], part)
		} else {
			out[document+"."+name] = v
		}
	}
}
