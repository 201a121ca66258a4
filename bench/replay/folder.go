package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"millwright.dev/millwright/core/kernel/geom"
)

// document is program.json, with the fields that a replay needs.
type document struct {
	Stock struct {
		Frame frameOf `json:"frame"`
		Box   boxOf   `json:"box"`
	} `json:"stock"`
	Setups []struct {
		Frame frameOf `json:"frame"`
		Jaws  []boxOf `json:"jaws"`
		GCode string  `json:"gcode"`
	} `json:"setups"`
	Tools []struct {
		Number        int      `json:"number"`
		Kind          string   `json:"kind"`
		Diameter      float64  `json:"diameter"`
		CornerRadius  float64  `json:"cornerRadius"`
		FluteLength   float64  `json:"fluteLength"`
		OverallLength float64  `json:"overallLength"`
		ShankDiameter float64  `json:"shankDiameter"`
		TipAngleDeg   *float64 `json:"tipAngleDeg"`
		TipDiameter   float64  `json:"tipDiameter"`
		Stickout      float64  `json:"stickout"`
		Holder        *struct {
			Cones []struct {
				DiameterBottom float64 `json:"diameterBottom"`
				DiameterTop    float64 `json:"diameterTop"`
				Height         float64 `json:"height"`
			} `json:"cones"`
		} `json:"holder"`
	} `json:"tools"`
}

type frameOf struct{ Origin, Z, X geom.Vec3 }

type boxOf struct{ Min, Max geom.Vec3 }

// Load reads a program for LinuxCNC or GRBL as the command line writes it to a folder: its program.json, and the moves
// that the interpreter makes of its g-code.
func Load(ctx context.Context, folder string) (*Program, error) {
	data, err := os.ReadFile(filepath.Join(folder, "program.json"))
	if err != nil {
		return nil, err
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("program.json: %w", err)
	}
	p := &Program{Tools: map[int]Tool{}}
	var numbers []int
	for _, t := range d.Tools {
		s := Shape{
			Kind: t.Kind, Diameter: t.Diameter, CornerRadius: t.CornerRadius, FluteLength: t.FluteLength,
			ShankDiameter: t.ShankDiameter, TipDiameter: t.TipDiameter, Stickout: t.Stickout, OverallLength: t.OverallLength,
		}
		if t.TipAngleDeg != nil {
			s.TipAngle = *t.TipAngleDeg
		}
		if t.Holder != nil {
			for _, c := range t.Holder.Cones {
				s.Holder = append(s.Holder, [3]float64{c.DiameterBottom, c.DiameterTop, c.Height})
			}
		}
		p.Tools[t.Number] = s.Body()
		numbers = append(numbers, t.Number)
	}
	for i, s := range d.Setups {
		text, err := os.ReadFile(filepath.Join(folder, s.GCode))
		if err != nil {
			return nil, err
		}
		moves, err := Canon(ctx, string(text), numbers)
		if err != nil {
			return nil, fmt.Errorf("setup %d: %w", i+1, err)
		}
		setup := Setup{Origin: s.Frame.Origin, Z: s.Frame.Z, X: s.Frame.X, Moves: moves}
		for _, j := range s.Jaws {
			setup.Jaws = append(setup.Jaws, geom.Box(j))
		}
		p.Setups = append(p.Setups, setup)
	}
	if len(p.Setups) > 0 {
		stock := Setup{Origin: d.Stock.Frame.Origin, Z: d.Stock.Frame.Z, X: d.Stock.Frame.X}
		p.Workpiece = frame(&stock)
		p.Stock = Carried(p.Workpiece, frame(&p.Setups[0]), geom.Box(d.Stock.Box))
	}
	return p, nil
}
