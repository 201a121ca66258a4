// Package process classifies the process by which a part is made from its shape, with reasons: milled from solid,
// turned, turned and then milled, cut and bent from sheet, cast or molded, or freeform.
package process

// Method: each process has a criterion on the faces, measured as a share of the area of the part. A turned part is
// round about one axis (turned.go). Sheet has one thickness (package sheetmetal). A casting has walls that lean away
// from its parting plane, or is a shell with rounded edges (cast.go). Another part whose area is mostly neither planar
// nor of revolution is freeform. The remaining parts are milled. The criteria apply in this order, because a turned
// disc also has one thickness and a sheet may have a round outline.
//
// Limits: a shape that several processes make gets the first; material and quantity are not known here. The bodies of
// an assembly are judged as one.
//
// Cost: linear in faces and points of the mesh, except for planes and round faces compared with others along the same
// direction.

import (
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Kind is a process.
type Kind string

// The processes.
const (
	Milled   Kind = "milled"
	Turned   Kind = "turned"
	MillTurn Kind = "millTurn" // turned, then milled or drilled off its axis
	Sheet    Kind = "sheet"
	Cast     Kind = "cast" // or molded
	Freeform Kind = "freeform"
)

// Class is the process of a part.
type Class struct {
	Kind    Kind
	Reasons []string      // one sentence each
	Lathe   *TurningFacts // of Turned and MillTurn
	Blank   *Blank        // of Sheet
}

// TurningFacts is the bar from which a part is turned.
type TurningFacts struct {
	Origin, Axis  geom.Vec3 // a point of the axis and its direction, unit
	StockDiameter float64   // mm
	Length        float64   // mm along the axis
	Features      []int     // made by turning, ascending; the rest is milled or drilled
}

// Blank is the sheet that a part is cut from.
type Blank struct {
	Thickness float64 // mm
	Bends     int
	Flats     int // plane legs between the bends
}

// part is the part under test.
type part struct {
	g        *graph.Graph
	features []feature.Feature
	area     float64 // mm² of all faces
	volume   float64 // mm³
}

// Classify returns the process of a part.
func Classify(g *graph.Graph, features []feature.Feature) Class {
	p := part{g: g, features: features, volume: g.Mesh.Volume()}
	for i := range g.Patches {
		p.area += g.Patches[i].Area
	}
	if p.area <= 0 {
		return Class{Kind: Milled, Reasons: []string{"The part has no faces to judge by."}}
	}
	if c, ok := p.round(); ok {
		return c
	}
	if s, ok := sheetmetal.Detect(g); ok {
		blank := Blank{Thickness: s.Thickness, Bends: s.Bends, Flats: s.Flats}
		return Class{Kind: Sheet, Blank: &blank, Reasons: []string{fmt.Sprintf(
			"%.0f %% of its faces lie back to back, %.4g mm apart; bends %d, flat legs %d.",
			100*s.Share, s.Thickness, s.Bends, s.Flats)}}
	}
	if c, ok := p.drafted(); ok {
		return c
	}
	if share := p.freeform(); share >= leastFreeform {
		return Class{Kind: Freeform, Reasons: []string{fmt.Sprintf(
			"%.0f %% of its faces are neither plane nor of revolution.", 100*share)}}
	}
	if c, ok := p.shell(); ok {
		return c
	}
	return Class{Kind: Milled, Reasons: []string{"It is neither round, nor as thick everywhere, nor drafted."}}
}

// leastFreeform is the share of freeform faces from which on a part is called so.
const leastFreeform = 0.25

// freeform returns the share of faces that are neither plane nor of revolution, nor of threads.
func (p *part) freeform() float64 {
	sum := 0.0
	threads := p.threads(func(int) bool { return true })
	for i := range p.g.Patches {
		if p.g.Patches[i].Kind == surface.KindBSpline && !threads[i] {
			sum += p.g.Patches[i].Area
		}
	}
	return sum / p.area
}
