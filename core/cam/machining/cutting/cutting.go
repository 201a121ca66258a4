// Package cutting resolves feeds and speeds: how fast a tool turns and moves, and how deep it cuts, in a material on a
// machine, with where each figure is from and what held it back.
//
// Method: the tool's preset for the material's group, else the rule by which the built-in tools are made, says speed,
// feed and depths. Chip thinning raises the feed of roughing to the chip that was meant. Kienzle's law gives the force
// of the mean chip in Sandvik's form, and from it power, torque and how far the tool bends; what goes beyond a limit is
// brought back to it in closed form: roughing by the axial depth, in which all three are linear, everything else by the
// feed. Spindle and axes are limited first, so the last word is about the numbers that are sent.
//
// It departs from handbooks in that thinning is taken relative to the depth that the preset's feed is stated for. It does
// not know chatter, and takes the force as steady.
package cutting

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
)

// Purpose is what is cut.
type Purpose string

// The purposes.
const (
	Rough        Purpose = "rough"
	Finish       Purpose = "finish"
	Drilling     Purpose = "drill"
	Reaming      Purpose = "ream"
	Tapping      Purpose = "tap"
	Chamfering   Purpose = "chamfer"
	ThreadMilled Purpose = "threadMill"
)

// Limit is what held a figure back.
type Limit string

// The limits.
const (
	LimitedByRPM         Limit = "rpm"        // of the spindle or the tool
	LimitedByFeed        Limit = "feed"       // of the axes
	LimitedByPower       Limit = "power"      // of the spindle
	LimitedByTorque      Limit = "torque"     // that the core of the tool stands
	LimitedByDeflection  Limit = "deflection" // of the tool
	LimitedBySlenderness Limit = "L/D"        // the tool sticks out farther than the rule is for
	LimitedByFluteLength Limit = "flutes"     // the cut is no deeper than the flutes
)

// Request is a tool at work.
type Request struct {
	Tool     *machining.Tool // sound
	Material machining.Material
	Machine  *machining.Machine
	Purpose  Purpose

	Axial, Radial float64 // mm, the depths wanted; 0: those of the preset or rule

	// Tolerance (mm) is the width of the band that the surface must keep; finishing may bend the tool by a share of it.
	// 0: nothing is said.
	Tolerance float64
}

// SourcedValue is a value with where it is from ("preset N", "rule of drill N", "asked", "of feed") and what held it back; the
// last of the limits is the one that decided.
type SourcedValue struct {
	Value  float64 `json:"Value"`
	From   string  `json:"From"`
	Limits []Limit `json:"Limits"`
}

// CuttingData is how the tool is used.
type CuttingData struct {
	SpindleRPM SourcedValue `json:"SpindleRPM"` // 1/min
	Feed       SourcedValue `json:"Feed"`       // mm/min; of a tap its pitch per turn
	PlungeFeed SourcedValue `json:"PlungeFeed"` // mm/min along the axis into material; 0: it cannot
	RampFeed   SourcedValue `json:"RampFeed"`   // mm/min along a ramp or helix into material; 0: it cannot
	Axial      SourcedValue `json:"Axial"`      // mm, of a drill the peck
	Radial     SourcedValue `json:"Radial"`     // mm

	FeedPerTooth float64 `json:"FeedPerTooth"` // mm, as moved
	Power        float64 `json:"Power"`        // kW at the cut
	Torque       float64 `json:"Torque"`       // N·m
	Deflection   float64 `json:"Deflection"`   // mm; 0 for tools in holes
}

const (
	usablePower = 0.8 // of the spindle's power reaches the cut, the machine coefficient of tool makers

	// Share of the diameter that is left in the core of a fluted tool, as carbide end mills are ground, and the shear
	// (N/mm²) that the core stands for good: a quarter of what high-speed steel breaks at.
	core  = 0.7
	shear = 400

	// Moduli of elasticity (N/mm²) of cemented carbide, of which mills to 20 mm are made, and of steel.
	carbide, steel, onePiece = 600e3, 210e3, 20

	threadDepth = 0.613 // of the pitch, ISO 68-1
	reamed      = 0.02  // of the diameter is what a reamer takes on each side
	slender     = 3     // stickout over diameter that rules are for
	roughBend   = 0.005 // share of the diameter that roughing may bend a tool by
	finishBend  = 0.25  // share of the tolerance that finishing may
	plungeShare = 0.3   // of the feed, of a mill that cuts to its axis
	rampShare   = 0.5   // of the feed, as an entry cuts over the whole diameter
)

// Resolve returns feeds and speeds. It fails where neither the tool nor a rule says how its kind cuts the material.
func Resolve(r Request) (CuttingData, error) {
	p, from, err := preset(r.Tool, r.Material.ISOGroup)
	if err != nil {
		return CuttingData{}, err
	}
	s := state{Request: r, preset: p, drilled: r.Purpose == Drilling || r.Purpose == Reaming || r.Purpose == Tapping}
	s.depths(from)
	s.speeds(from)
	s.hold()
	s.entries()
	return s.CuttingData, nil
}

// preset is what the tool says of a group, or what the rule of its kind says.
func preset(t *machining.Tool, g machining.MaterialGroup) (p machining.Preset, from string, err error) {
	if p, ok := t.Preset(g); ok {
		return p, "preset " + string(g), nil
	}
	if p, ok := t.RulePreset(g); ok {
		from = fmt.Sprintf("rule of %s %s", t.Kind, g)
		if t.Material != "" && t.Material != t.Kind.UsualMaterial() {
			from += " for " + string(t.Material)
		}
		return p, from, nil
	}
	return p, "", fmt.Errorf("cutting: %s has no cutting data for materials of group %s", t.Kind, g)
}

// state is a request on its way.
type state struct {
	Request
	CuttingData
	preset  machining.Preset
	drilled bool // it cuts over its whole radius, along its axis
}

// depths takes what is asked for, or what the preset says.
func (s *state) depths(from string) {
	s.CuttingData.Axial = SourcedValue{Value: s.preset.AxialDepth, From: from}
	s.CuttingData.Radial = SourcedValue{Value: s.preset.RadialDepth, From: from}
	if _, own := s.Tool.Preset(s.Material.ISOGroup); !own && !s.drilled {
		if ratio := s.Tool.BodyLength / s.Tool.Diameter; ratio > slender {
			s.CuttingData.Axial.hold(s.preset.AxialDepth*slender/ratio, LimitedBySlenderness)
		}
	}
	switch {
	case s.Purpose == Reaming:
		s.CuttingData.Radial = SourcedValue{Value: reamed * s.Tool.Diameter, From: "rule of allowance for reaming"}
	case s.Purpose == Tapping && s.Tool.Pitch != nil:
		s.CuttingData.Radial = SourcedValue{Value: threadDepth * *s.Tool.Pitch, From: "depth of metric threads"}
	}
	if s.Request.Axial > 0 {
		s.CuttingData.Axial = SourcedValue{Value: s.Request.Axial, From: "asked"}
	}
	if s.Request.Radial > 0 {
		s.CuttingData.Radial = SourcedValue{Value: min(s.Request.Radial, s.Tool.Diameter), From: "asked"}
	}
	if !s.drilled {
		s.CuttingData.Axial.hold(s.Tool.FluteLength, LimitedByFluteLength)
	}
}

// speeds sets spindle and feed within what spindle, tool and axes can do.
func (s *state) speeds(from string) {
	t := s.Tool
	s.SpindleRPM = SourcedValue{Value: SpindleSpeed(s.preset.SurfaceSpeed, s.cuttingDiameter()), From: from}
	s.SpindleRPM.hold(s.Machine.MaxSpindleRPM, LimitedByRPM)
	if t.MaxRPM != nil {
		s.SpindleRPM.hold(*t.MaxRPM, LimitedByRPM)
	}
	s.FeedPerTooth = s.preset.FeedPerTooth
	if s.Purpose == Rough {
		s.FeedPerTooth *= ChipThinning(s.CuttingData.Radial.Value, t.Diameter) / ChipThinning(s.preset.RadialDepth, t.Diameter)
	}
	axes := s.Machine.AxisLimits()
	most := min(axes.X.MaxFeed, axes.Y.MaxFeed)
	if s.drilled {
		most = axes.Z.MaxFeed
	}
	if s.Purpose == Tapping && t.Pitch != nil { // turns and feed stay in step: the spindle waits for the axis
		s.SpindleRPM.hold(most / *t.Pitch, LimitedByFeed)
		s.FeedPerTooth = *t.Pitch / float64(t.FluteCount)
	}
	s.Feed = SourcedValue{Value: s.turnFeed() * s.SpindleRPM.Value, From: from, Limits: s.SpindleRPM.Limits}
	if s.Purpose != Tapping && s.Feed.hold(most, LimitedByFeed) {
		s.FeedPerTooth = s.Feed.Value / (s.SpindleRPM.Value * float64(t.FluteCount))
	}
}

// cuttingDiameter is where the edge is fastest: of a ball that is not cut to its middle that is where it leaves it.
func (s *state) cuttingDiameter() float64 {
	d, ap := s.Tool.Diameter, s.CuttingData.Axial.Value
	if s.Tool.Kind.Round() && ap < d/2 {
		return 2 * math.Sqrt(ap*(d-ap))
	}
	return d
}

func (s *state) turnFeed() float64 { return s.FeedPerTooth * float64(s.Tool.FluteCount) }
