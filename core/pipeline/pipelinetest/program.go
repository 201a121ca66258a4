package pipelinetest

import (
	"context"
	"encoding/json"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// Machinist is a kernel that also plans: it mills the first feature with the first tool, in one setup and one move.
// Verification reports the given findings.
func Machinist(finder Kernel, findings ...verify.Finding) Kernel {
	return func(ctx context.Context, r *Request, progress func(int, string)) (*Output, error) {
		out, err := finder(ctx, r, progress)
		if err != nil || r.Params.Cutting == nil {
			return out, err
		}
		paths, err := motionOf.Encode()
		if err != nil {
			return nil, err
		}
		out.Files[pipeline.Paths] = string(paths)
		for n, v := range map[pipeline.Name]any{
			pipeline.Plan:        planWith(r.Params.Cutting.Tools[0], completeness.Predicted),
			pipeline.MadePlan:    planWith(r.Params.Cutting.Tools[0], completeness.Found),
			pipeline.Proof:       verify.Report{StockVolume: 1000, Findings: findings},
			pipeline.ProgramTime: timesOf,
		} {
			body, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			out.Files[n] = string(body)
		}
		return out, nil
	}
}

func planWith(tool machining.Tool, side completeness.Side) planning.Plan {
	return planning.Plan{
		Workpiece: geom.World, Stock: geom.Box{Max: geom.Vec3{X: 1, Y: 1, Z: 1}},
		Tools: []planning.Tool{{Number: 1, Stickout: 30, Tool: tool}},
		Setups: []planning.Setup{{
			Frame: geom.World, Clamping: planning.Clamping{Kind: machining.WorkholdingVise, Text: "In a vise."},
			Operations: []planning.Operation{{
				ID: "1-1", Strategy: planning.Face, Features: []int{0}, Regions: []int{0},
				Cutting: cutting.CuttingData{Feed: cutting.SourcedValue{Value: 100, From: "preset"}},
			}},
		}},
		Unmachinable: []planning.Unmachinable{{Feature: -1, Regions: []int{0}, Reason: completeness.Undercut,
			Detail: "It leans."}},
		Account: completeness.New(side, []completeness.Entry{{
			Feature: -1, Regions: []int{0}, Volume: 20, Height: 2, Area: 10, Reason: completeness.Undercut,
			Detail: "It leans.",
			Remedy: "A setup from below.",
		}}, 100, 60),
	}
}

var motionOf = toolpath.Set{
	Setups: []motion.Setup{{Frame: geom.World, Operations: []motion.Operation{{
		ID: "1-1", SpindleRPM: 1000, Start: geom.Vec3{Z: 5},
		Moves: []motion.Move{{Kind: motion.Cut, To: geom.Vec3{X: 10, Z: 5}, Feed: 100}},
	}}}},
	Paths: [][]toolpath.Path{{{MoveCount: 1, CutLength: 10, RestMaterial: []toolpath.RestMaterial{
		{Regions: []int{0}, Reason: completeness.SharpCorner, Volume: 2, Height: 1},
	}}}},
}

var timesOf = estimate.Times{Total: 60, Low: 50, High: 70, Cutting: 60, Setups: []estimate.SetupTimes{
	{Operations: []estimate.OperationTimes{{OperationID: "1-1", Seconds: 60, Cutting: 60}}},
}}
