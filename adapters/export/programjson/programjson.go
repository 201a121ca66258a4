// Package programjson describes a program for replay in other software: the position of each setup in the part, the
// stock and jaws, and the shape of every tool in its holder.
package programjson

import (
	"fmt"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// Document is a program for other software. Lengths are mm, angles degrees.
type Document struct {
	Part    string  `json:"part"`
	Machine string  `json:"machine"`
	Post    string  `json:"post"`   // dialect of the g-code
	Digest  string  `json:"digest"` // SHA-256 of the motion that was proved
	Stock   Stock   `json:"stock"`
	Setups  []Setup `json:"setups"`
	Tools   []Tool  `json:"tools"`
}

// Frame is an origin and two axes in part coordinates; y is z × x.
type Frame struct {
	Origin geom.Vec3 `json:"origin"`
	Z      geom.Vec3 `json:"z"`
	X      geom.Vec3 `json:"x"`
}

// Box has its sides along the axes of a frame.
type Box struct {
	Min geom.Vec3 `json:"min"`
	Max geom.Vec3 `json:"max"`
}

// Stock is the block that is planned and proved: of a bar or a casting the box around it.
type Stock struct {
	Frame Frame `json:"frame"`
	Box   Box   `json:"box"` // in its frame
}

// Setup is one setup. Boxes are in its frame, whose origin is the work offset.
type Setup struct {
	Number     int     `json:"number"`
	Frame      Frame   `json:"frame"`
	WorkOffset int     `json:"workOffset"` // 1 to 6: G54 to G59 on ISO controls
	Stock      Box     `json:"stock"`      // encloses the stock at the start of the setup
	Hold       string  `json:"hold"`
	Jaws       []Box   `json:"jaws"`
	Safe       float64 `json:"safe"`  // Z above which rapids go anywhere
	GCode      string  `json:"gcode"` // name of the file
}

// Tool is a tool of the program with its data for setting it up.
type Tool struct {
	Number         int                `json:"number"`
	LengthOffset   int                `json:"lengthOffset"`
	DiameterOffset int                `json:"diameterOffset"`
	Name           string             `json:"name"`
	Kind           machining.ToolKind `json:"kind"`
	Diameter       float64            `json:"diameter"`
	CornerRadius   float64            `json:"cornerRadius"`
	FluteLength    float64            `json:"fluteLength"`
	FluteCount     int                `json:"fluteCount"`
	OverallLength  float64            `json:"overallLength"`
	ShankDiameter  float64            `json:"shankDiameter"`
	TipAngleDeg    *float64           `json:"tipAngleDeg"`
	TipDiameter    *float64           `json:"tipDiameter"`
	Pitch          *float64           `json:"pitch"`
	Stickout       float64            `json:"stickout"` // from the tip to the holder
	Holder         *machining.Holder  `json:"holder"`
}

// Facts is the data of a program outside its plan.
type Facts struct {
	Part, Post, Digest string
	GCode              []string // name of the file of each setup
}

// Of returns the document of a plan.
func Of(p *planning.Plan, c *machining.CutConfig, f Facts) (*Document, error) {
	if len(f.GCode) != len(p.Setups) {
		return nil, fmt.Errorf("program: %d files of g-code for %d setups", len(f.GCode), len(p.Setups))
	}
	d := &Document{
		Part: f.Part, Machine: c.Machine.Name, Post: f.Post, Digest: f.Digest,
		Stock:  Stock{frame(p.Workpiece), Box(p.Stock)},
		Setups: []Setup{}, Tools: []Tool{},
	}
	for i := range p.Setups {
		s := &p.Setups[i]
		setup := Setup{
			Number: i + 1, Frame: frame(s.Frame), WorkOffset: planning.WorkOffset(i), Stock: Box(s.Before),
			Hold: s.Clamping.Text, Jaws: []Box{}, Safe: s.Safe, GCode: f.GCode[i],
		}
		for _, b := range s.Clamping.Solid {
			setup.Jaws = append(setup.Jaws, Box(b))
		}
		d.Setups = append(d.Setups, setup)
	}
	for i := range p.Tools {
		t := &p.Tools[i].Tool
		n := p.Tools[i].Number
		d.Tools = append(d.Tools, Tool{
			n, n, n, t.Name, t.Kind, t.Diameter, t.CornerRadius, t.FluteLength, t.FluteCount, t.OverallLength,
			t.ShankDiameter, t.TipAngleDeg, t.TipDiameter, t.Pitch, p.Tools[i].Stickout, t.Holder,
		})
	}
	return d, nil
}

func frame(f geom.Frame) Frame { return Frame{f.Origin, f.Z, f.X} }
