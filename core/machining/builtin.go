package machining

import (
	"fmt"
	"sync"
)

// Identifiers of what every team has without making it. They never change: projects and cut configs of
// teams name them.
const (
	BuiltInCutConfigID   = "00000000-0000-8000-8000-000000000001"
	BuiltInToolLibraryID = "00000000-0000-8000-8000-000000000002"
)

// BuiltInToolLibraryName is the name of the library that BuiltInTools returns.
const BuiltInToolLibraryName = "Metric tools"

// BuiltInCutConfig is the cut config of those who have set none: aluminium 6061 on a 3-axis mill of
// common size, with the built-in tools.
func BuiltInCutConfig() CutConfig {
	return CutConfig{
		ID:   BuiltInCutConfigID,
		Name: "Aluminium 6061, 3-axis mill",
		Machine: Machine{
			Name: "Vertical mill, 760 × 400 × 500 mm", AxisCount: 3, Travel: Extent{X: 760, Y: 400, Z: 500},
			MaxSpindleRPM: 12_000, SpindlePowerKW: 15, MaxFeed: 12_000, RapidFeed: 25_000,
			Acceleration: 4000, Jerk: 50_000, ToolChangeSeconds: 6,
		},
		// kc1.1 of wrought aluminium alloys with silicon, as tool makers' tables of ISO group N give it.
		Material:        Material{Name: "Aluminium 6061-T6", ISOGroup: GroupN, SpecificCuttingForce: 700},
		Stock:           Stock{Kind: StockBox, Allowance: Extent{X: 2, Y: 2, Z: 2}},
		Workholding:     Workholding{Kind: HoldVise, JawHeight: 5},
		ToolLibraryIDs:  []string{BuiltInToolLibraryID},
		Post:            "linuxcnc",
		Tolerances:      Tolerances{Class: ClassMedium, Profile: 0.1},
		HourlyRateCents: 9000,
		ChordTolerance:  0.01,
	}
}

// BuiltInTools returns the built-in library: common metric tools with cutting data for the material
// groups that they are used in. The caller must not change what they hold.
func BuiltInTools() []Tool { return append([]Tool{}, builtInTools()...) }

var builtInTools = sync.OnceValue(func() []Tool {
	var out []Tool
	for _, s := range stockTools() {
		number := len(out) + 1
		out = append(out, s.tool(number))
	}
	return out
})

// stockTool is a row of the built-in library. Lengths are mm.
type stockTool struct {
	kind                            Kind
	diameter, flute, overall, shank float64
	flutes                          int
	corner, tip, pitch              float64 // 0: has none; tip in degrees
	name                            string
	cut                             cutting
}

// tool builds the tool with the given number, which is also the end of its identifier.
func (s stockTool) tool(number int) Tool {
	t := Tool{
		ID: fmt.Sprintf("00000000-0000-8000-8000-%012x", builtInToolBase+number), Name: s.name, Number: &number,
		Kind: s.kind, Diameter: s.diameter, CornerRadius: s.corner, FluteLength: s.flute,
		OverallLength: s.overall, ShankDiameter: s.shank, FluteCount: s.flutes,
	}
	t.Holder, t.BodyLength = hold(s)
	if s.tip > 0 {
		t.TipAngleDeg = &s.tip
	}
	if s.pitch > 0 {
		t.Pitch = &s.pitch
	}
	t.Presets = s.cut.presets(&t)
	return t
}

const builtInToolBase = 0x1000 // identifiers of built-in tools follow this number

// hold returns the holder for a shank and how far the tool sticks out of it, mm.
func hold(s stockTool) (*Holder, float64) {
	const (
		grip, gripPerShank = 10, 2.5 // a collet holds a shank over 10 mm and 2.5 times its diameter
		smallCollet        = 10      // largest shank of a collet ER16
	)
	if s.kind == FaceMill {
		return &Holder{Name: "Shell mill arbor 22", GaugeLength: 60, Cones: []Cone{
			{DiameterBottom: 48, DiameterTop: 48, Height: 30}, {DiameterBottom: 63, DiameterTop: 63, Height: 30},
		}}, s.overall
	}
	body := max(s.overall-grip-gripPerShank*s.shank, s.flute)
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
