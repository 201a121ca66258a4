// Package cutting resolves feeds and speeds: spindle speed, feeds and depths of cut in a material on a machine, with
// the source of each value and the limits that reduced it.
//
// Method: the tool's preset for the material's group gives speed, feed and depths, else the rule for the built-in
// tools. Chip thinning raises the feed of roughing to the intended chip. Kienzle's law gives the force of the mean chip
// in Sandvik's form, and from it power, torque and tool deflection. Values beyond a limit are reduced to it in closed
// form: roughing by the axial depth, in which all three are linear, other purposes by the feed. Spindle and axes are
// limited first, so the final values are those sent to the machine.
//
// It departs from handbooks in that thinning is relative to the depth for which the preset's feed is stated. It does
// not model chatter, and takes the force as steady.
package cutting

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
)

// Purpose is the purpose of a cut.
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

// Limit is the constraint that reduced a value.
type Limit string

// The limits.
const (
	LimitedByRPM         Limit = "rpm"        // of the spindle or the tool
	LimitedByFeed        Limit = "feed"       // of the axes
	LimitedByPower       Limit = "power"      // of the spindle
	LimitedByTorque      Limit = "torque"     // maximum of the core of the tool
	LimitedByDeflection  Limit = "deflection" // of the tool
	LimitedBySlenderness Limit = "L/D"        // the tool sticks out farther than the rule is for
	LimitedByFluteLength Limit = "flutes"     // the cut is no deeper than the flutes
	LimitedByClamping    Limit = "clamping"   // it holds no more
)

// Request is a tool at work.
type Request struct {
	Tool     *machining.Tool // sound
	Material machining.Material
	Machine  *machining.Machine
	Purpose  Purpose

	Axial, Radial float64 // mm, requested depths; 0: from the preset or rule

	// Tolerance (mm) is the width of the tolerance band of the surface; finishing may bend the tool by a share of it.
	// 0: unknown.
	Tolerance float64
}

// SourcedValue is a value with its source ("preset N", "rule of drill N", "asked", "of feed") and the limits that
// reduced it; the last one is decisive.
type SourcedValue struct {
	Value  float64 `json:"Value"`
	From   string  `json:"From"`
	Limits []Limit `json:"Limits"`
}

// CuttingData is the set of cutting parameters of a tool.
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

	// Core diameter of a fluted tool as a share of its diameter, for ground carbide end mills, and the permanent shear
	// stress (N/mm²) of the core: a quarter of the shear strength of high-speed steel.
	core  = 0.7
	shear = 400

	// Moduli of elasticity (N/mm²) of cemented carbide, the material of mills to 20 mm, and of steel.
	carbide, steel, onePiece = 600e3, 210e3, 20

	threadDepth = 0.613 // of the pitch, ISO 68-1
	reamed      = 0.02  // of the diameter, reaming allowance on each side
	slender     = 3     // stickout over diameter that rules are for
	bend        = 0.005 // share of the diameter that a cut may bend a tool by
	thinBend    = 0.05  // mm that roughing may bend thin mills by, up to twice that share
	finishBend  = 0.25  // share of the tolerance that finishing may
	plungeShare = 0.3   // of the feed, of a mill that cuts to its axis
	rampShare   = 0.5   // of the feed at least, on a way down into material
)

// Resolve returns feeds and speeds. It fails if neither the tool nor a rule has cutting data of its kind for the
// material.
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

// preset returns the tool's preset for a group, or the preset from the rule of its kind.
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

// state is a partly resolved request.
type state struct {
	Request
	CuttingData
	preset  machining.Preset
	drilled bool // it cuts over its whole radius, along its axis
}

// depths sets the requested depths, or the preset's.
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

// speeds sets spindle speed and feed within the limits of spindle, tool and axes.
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
	if s.Purpose == Tapping && t.Pitch != nil { // spindle and feed are synchronized: the axis limits the spindle
		s.SpindleRPM.hold(most / *t.Pitch, LimitedByFeed)
		s.FeedPerTooth = *t.Pitch / float64(t.FluteCount)
	}
	s.Feed = SourcedValue{Value: s.turnFeed() * s.SpindleRPM.Value, From: from, Limits: s.SpindleRPM.Limits}
	if s.Purpose != Tapping && s.Feed.hold(most, LimitedByFeed) {
		s.FeedPerTooth = s.Feed.Value / (s.SpindleRPM.Value * float64(t.FluteCount))
	}
}

// cuttingDiameter is the diameter at the fastest point of the edge. For a ball end mill whose axial depth is less than
// its radius, this point is at the top of the cut.
func (s *state) cuttingDiameter() float64 {
	d, ap := s.Tool.Diameter, s.CuttingData.Axial.Value
	if s.Tool.Kind.Round() && ap < d/2 {
		return 2 * math.Sqrt(ap*(d-ap))
	}
	return d
}

func (s *state) turnFeed() float64 { return s.FeedPerTooth * float64(s.Tool.FluteCount) }
