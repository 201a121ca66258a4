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

// Limits of cutting data.
const (
	maxSurfaceSpeed = 5000 // m/min, above the speeds of high speed machining of aluminum
	maxFeedPerTooth = 10   // mm, above the feeds of high feed mills
)

func (p *Preset) check(f *findings, t *Tool, i int) {
	defer func(before string) { f.prefix = before }(f.prefix)
	f.prefix = fmt.Sprintf("presets[%d].", i)
	oneOf(f, "materialGroup", p.MaterialGroup, Groups)
	f.positive("surfaceSpeed", p.SurfaceSpeed, maxSurfaceSpeed, " m/min")
	f.positive("feedPerTooth", p.FeedPerTooth, maxFeedPerTooth, " mm")
	if f.positive("axialDepth", p.AxialDepth, maxLength, " mm") {
		f.unless(!above(p.AxialDepth, t.FluteLength), "%saxialDepth %s mm is more than the fluteLength of %s mm.",
			f.prefix, number(p.AxialDepth), number(t.FluteLength))
	}
	if f.positive("radialDepth", p.RadialDepth, maxDiameter, " mm") {
		f.unless(!above(p.RadialDepth, t.Diameter), "%sradialDepth %s mm is more than the diameter of %s mm.",
			f.prefix, number(p.RadialDepth), number(t.Diameter))
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
