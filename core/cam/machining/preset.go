package machining

import (
	"fmt"
	"math"
)

// MaterialGroup is a group of materials with similar cutting properties, named by ISO 513.
type MaterialGroup string

// The groups.
const (
	GroupP MaterialGroup = "P" // steel
	GroupM MaterialGroup = "M" // stainless steel
	GroupK MaterialGroup = "K" // cast iron
	GroupN MaterialGroup = "N" // aluminium and other non-ferrous metals
	GroupS MaterialGroup = "S" // superalloys and titanium
	GroupH MaterialGroup = "H" // hardened steel
)

// Groups are all groups.
var Groups = []MaterialGroup{GroupP, GroupM, GroupK, GroupN, GroupS, GroupH}

// Preset is the cutting data of a tool for one group of materials. The first of several presets for a group is the
// default.
type Preset struct {
	MaterialGroup MaterialGroup `json:"materialGroup"`
	SurfaceSpeed  float64       `json:"surfaceSpeed"` // at the tool's diameter, m/min
	FeedPerTooth  float64       `json:"feedPerTooth"` // mm; of a tap pitch/fluteCount, as its feed is its pitch
	AxialDepth    float64       `json:"axialDepth"`   // stepdown, of drills the peck, mm
	RadialDepth   float64       `json:"radialDepth"`  // stepover, of drills and taps half the diameter, mm
}

func (p *Preset) check(f *findings, t *Tool, i int) {
	defer f.in(fmt.Sprintf("presets[%d].", i))()
	oneOf(f, "materialGroup", p.MaterialGroup, Groups)
	f.figure("Preset", "surfaceSpeed", p.SurfaceSpeed)
	f.figure("Preset", "feedPerTooth", p.FeedPerTooth)
	if f.figure("Preset", "axialDepth", p.AxialDepth) {
		f.unless(!above(p.AxialDepth, t.FluteLength) || t.FluteLength <= 0, "axialDepth",
			"%s mm is more than the fluteLength of %s mm.",
			number(p.AxialDepth), number(t.FluteLength))
	}
	if f.figure("Preset", "radialDepth", p.RadialDepth) {
		f.unless(!above(p.RadialDepth, t.Diameter) || t.Diameter <= 0, "radialDepth",
			"%s mm is more than the diameter of %s mm.",
			number(p.RadialDepth), number(t.Diameter))
	}
}

// SpindleSpeed returns the revolutions per minute at which a tool of a diameter (mm) has the preset's
// surface speed.
func (p *Preset) SpindleSpeed(diameter float64) float64 {
	const mmPerMetre = 1000
	return p.SurfaceSpeed * mmPerMetre / (math.Pi * diameter)
}

// Preset returns the tool's first preset for a group.
func (t *Tool) Preset(g MaterialGroup) (Preset, bool) {
	for _, p := range t.Presets {
		if p.MaterialGroup == g {
			return p, true
		}
	}
	return Preset{}, false
}
