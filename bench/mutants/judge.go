// Package mutants damages planned programs, and compares two judges. One is the verification report. The other is the
// replay of the g-code by LinuxCNC's interpreter and separate columns (bench/replay).
//
// # Harmful mutants
//
// A mutant is harmful when its harm can be shown: a point is in the tool, and in an object that the tool must not touch
// there, by more than a margin (witness.go). Both judges must find every harmful mutant. Without such a point a mutant
// may be harmful or not, such as 0.05 mm where 0.2 mm are left for later. For those the judges must agree, and mutants
// without a finding from either judge are neutral. Neutral edits, which only look different, must pass with both.
package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"millwright.dev/millwright/adapters/export/gcode"
	"millwright.dev/millwright/adapters/export/programjson"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
)

// Judges are how finely the two look.
type Judges struct {
	Cells  int     // of the proof along the longest side of the stock; 0: as programs are proved
	Step   float64 // mm, between columns of the replay
	Config *machining.CutConfig
}

// tolerance (mm) of gouges in the replay: that of the proof, and what the interpreter rounds.
const tolerance = 0.012

// Verdict is the judges' findings for a program.
type Verdict struct {
	Proof  []verify.Finding
	Uncut  float64 // mm, of material that the plan does not expect to be left
	Replay replay.Findings
}

// touches returns the findings of the verification that a replay can also have. The replay reports remaining stock as a
// volume over all faces.
func (v *Verdict) touches() []verify.Finding {
	return slices.DeleteFunc(slices.Clone(v.Proof), func(f verify.Finding) bool {
		return f.Kind == verify.Overtravel
	})
}

// Judge has both judges look at a program.
func (j *Judges) Judge(ctx context.Context, p *verifytest.Program) (Verdict, error) {
	proof, _, err := verify.Replay(ctx, verify.Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: j.Cells,
	})
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Proof: proof.Findings, Uncut: proof.MaxUncut}
	v.Replay, err = j.replayed(ctx, p)
	return v, err
}

// replayed prints the program as the command line does, and plays what the interpreter reads.
func (j *Judges) replayed(ctx context.Context, p *verifytest.Program) (out replay.Findings, err error) {
	folder, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	facts := programjson.Facts{Part: "part", Post: "linuxcnc"}
	for i := range p.Plan.Setups {
		name := fmt.Sprintf("setup%d.ngc", i+1)
		text, err := gcode.Setup(post.ByName("linuxcnc"), "part", p.Plan, p.Set, i)
		if err != nil {
			return out, err
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return out, err
		}
		facts.GCode = append(facts.GCode, name)
	}
	document, err := programjson.Of(p.Plan, j.Config, facts)
	if err != nil {
		return out, err
	}
	data, err := json.Marshal(document)
	if err != nil {
		return out, err
	}
	if err := os.WriteFile(filepath.Join(folder, "program.json"), data, 0o600); err != nil {
		return out, err
	}
	read, err := replay.Load(ctx, folder)
	if err != nil {
		return out, err
	}
	return replay.Run(read, p.Part, replay.Options{Step: j.Step, Tolerance: tolerance})
}
