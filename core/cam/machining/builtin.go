package machining

import (
	"fmt"
	"sync"
)

// Identifiers of the built-in records of every team. They never change, since projects and cut configs refer to them.
const (
	BuiltInCutConfigID   = "00000000-0000-8000-8000-000000000001"
	BuiltInToolLibraryID = "00000000-0000-8000-8000-000000000002"
	LargeCutConfigID     = "00000000-0000-8000-8000-000000000003"
	LargeToolLibraryID   = "00000000-0000-8000-8000-000000000004"
)

// Built-in records of every team; the first cut config is the default. These lists are constant.
var (
	BuiltInCutConfigIDs   = []string{BuiltInCutConfigID, LargeCutConfigID}
	BuiltInToolLibraryIDs = []string{BuiltInToolLibraryID, LargeToolLibraryID}
)

// BuiltInCutConfigs returns the cut configs of BuiltInCutConfigIDs.
func BuiltInCutConfigs() []CutConfig { return []CutConfig{BuiltInCutConfig(), LargeCutConfig()} }

// ToolLibrary is a list of tools under a name.
type ToolLibrary struct {
	ID, Name string
	Tools    []Tool
}

// BuiltInToolLibraries returns the libraries of BuiltInToolLibraryIDs. The caller must not change their tools.
func BuiltInToolLibraries() []ToolLibrary {
	return []ToolLibrary{
		{BuiltInToolLibraryID, "Metric tools", BuiltInTools()},
		{LargeToolLibraryID, "Metric tools for large parts", append([]Tool{}, builtInLargeTools()...)},
	}
}

// BuiltInCutConfig is the default cut config: aluminum 6061 on a 3-axis mill of common size, with the built-in tools.
func BuiltInCutConfig() CutConfig {
	machine := DefaultMachine()
	machine.Name, machine.AxisCount = "Vertical mill, 760 × 400 × 500 mm", 3
	machine.Travel = Extent{X: 760, Y: 400, Z: 500}
	machine.MaxSpindleRPM, machine.SpindlePowerKW, machine.ToolChangeSeconds = 12_000, 15, 6
	machine.MaxFeed, machine.RapidFeed, machine.Acceleration, machine.Jerk = 12_000, 25_000, 4000, 50_000
	return CutConfig{
		ID:      BuiltInCutConfigID,
		Name:    "Aluminium 6061, 3-axis mill",
		Machine: machine,
		// kc1.1 of wrought aluminum alloys with silicon, from tool makers' tables of ISO group N; the price of sawn
		// plate, to the nearest dollar.
		Material: Material{
			Name: "Aluminium 6061-T6", ISOGroup: GroupN, SpecificCuttingForce: 700,
			ForceExponent: DefaultForceExponent, Density: usual[GroupN].density, PricePerKgCents: 700,
			Yield: usual[GroupN].yield, Modulus: usual[GroupN].modulus,
		},
		Stock: Stock{Kind: StockBox, Allowance: Extent{X: 2, Y: 2, Z: 2}, Grip: DefaultGrip, Under: DefaultUnder},
		Workholding: Workholding{
			Kind: WorkholdingVise, JawHeight: 44, JawWidth: DefaultJawWidth, Bite: DefaultGripDepth,
			Opening: DefaultOpening, OuterOpening: DefaultOuterOpening, Force: DefaultClampForce,
		},
		ToolLibraryIDs:  []string{BuiltInToolLibraryID},
		Post:            "linuxcnc",
		Tolerances:      Tolerances{Class: ClassMedium, Profile: 0.1},
		HourlyRateCents: 9000,
		ChordTolerance:  0.01,
		ScallopHeight:   DefaultScallopHeight,
	}
}

// BuiltInTools returns the built-in library: common metric tools with cutting data for their usual material groups. The
// caller must not change the values behind their pointers.
func BuiltInTools() []Tool { return append([]Tool{}, builtInTools()...) }

var builtInTools = sync.OnceValue(func() []Tool { return library(stockTools(), builtInToolBase, hold) })

var builtInLargeTools = sync.OnceValue(func() []Tool { return library(largeTools(), largeToolBase, largeWorkholding) })

// library numbers the tools of a list.
func library(list []stockTool, base int, hold func(stockTool) (*Holder, float64)) []Tool {
	var out []Tool
	for i, s := range list {
		t := s.tool(i+1, base)
		t.Holder, t.BodyLength = hold(s)
		out = append(out, t)
	}
	return out
}

// stockTool is a row of the built-in library. Lengths are mm.
type stockTool struct {
	kind                            ToolKind
	diameter, flute, overall, shank float64
	flutes                          int
	corner, tip, pitch              float64 // 0: not present; tip in degrees
	ramp                            float64 // degrees, 0: as its kind
	neck                            float64 // diameter between flutes and holder, 0: as the shank
	noCenter                        bool    // it does not cut to its axis, as mills with inserts
	material                        ToolMaterial
	name                            string
	cut                             cutting
}

// tool builds the tool with the given number, which is also the end of its identifier, after base.
func (s stockTool) tool(number, base int) Tool {
	t := Tool{
		ID: fmt.Sprintf("00000000-0000-8000-8000-%012x", base+number), Name: s.name, Number: &number,
		Kind: s.kind, Diameter: s.diameter, CornerRadius: s.corner, FluteLength: s.flute,
		OverallLength: s.overall, ShankDiameter: s.shank, FluteCount: s.flutes, Material: s.material,
	}
	if s.neck > 0 {
		t.ShankDiameter = s.neck
	}
	if s.tip > 0 {
		t.TipAngleDeg = &s.tip
	}
	if s.pitch > 0 {
		t.Pitch = &s.pitch
	}
	if s.ramp > 0 {
		t.MaxRampDeg = &s.ramp
	}
	if s.noCenter {
		t.CenterCutting = new(bool)
	}
	t.Presets = s.cut.presets(&t)
	return t
}

// Identifiers of built-in tools follow these numbers.
const (
	builtInToolBase = 0x1000
	largeToolBase   = 0x2000
)

// shankLength is the length of straight shanks of DIN 1835 by their diameter, mm.
var shankLength = map[float64]float64{6: 36, 10: 40, 12: 45, 16: 48}

// hold returns the holder for a shank and the stickout of the tool, mm.
func hold(s stockTool) (*Holder, float64) {
	const (
		grip, gripPerShank = 10, 2.5 // a collet grips a shank over 10 mm and 2.5 times its diameter
		smallCollet        = 10      // largest shank of a collet ER16
	)
	if s.kind == FaceMill {
		return &Holder{Name: "Shell mill arbor 22", GaugeLength: 60, Cones: []Cone{
			{DiameterBottom: 48, DiameterTop: 48, Height: 30}, {DiameterBottom: 63, DiameterTop: 63, Height: 30},
		}}, s.overall
	}
	body := max(s.overall-grip-gripPerShank*s.shank, s.flute)
	if s.neck > 0 { // it is held by all of its shank
		body = s.overall - shankLength[s.shank]
	}
	if s.shank <= smallCollet {
		return &Holder{Name: "Collet chuck ER16", GaugeLength: 100, Cones: []Cone{
			{DiameterBottom: 28, DiameterTop: 28, Height: 70}, {DiameterBottom: 63, DiameterTop: 63, Height: 30},
		}}, body
	}
	return &Holder{Name: "Collet chuck ER32", GaugeLength: 100, Cones: []Cone{
		{DiameterBottom: 46, DiameterTop: 50, Height: 5}, {DiameterBottom: 50, DiameterTop: 50, Height: 65},
		{DiameterBottom: 63, DiameterTop: 63, Height: 30},
	}}, body
}
