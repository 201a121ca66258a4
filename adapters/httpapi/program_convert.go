package httpapi

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"millwright.dev/millwright/core/cam/estimate"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/service/program"
)

// This file turns plans, toolpaths and programs into wire types. Setups are counted from 1.

func wireBox(b geom.Box) Box { return Box{Min: b.Min, Max: b.Max} }

func wireHold(h *planning.Hold) *HoldFigures {
	out := &HoldFigures{
		Jaw: string(h.Jaw), Opening: h.Opening, Depth: h.Depth, Length: h.Length, StandOut: h.StandOut, Area: h.Area,
		Parallels: h.Parallels, FixedJaw: optional(h.FixedJaw), Stop: optional(h.Stop),
		Least: h.Least, Set: h.Set, Most: h.Most, Torque: h.Torque, Uses: []HoldUse{},
	}
	if g := h.Governing; g != nil {
		out.Governing = &GoverningLoad{g.Operation, g.Horizontal, g.Axial, g.Height}
	}
	for _, u := range h.Uses {
		out.Uses = append(out.Uses, HoldUse{u.Check, u.Value})
	}
	return out
}

// indices are never nil.
func indices(list []int) []int { return append([]int{}, list...) }

func wirePlan(p program.Plan) PlanRecord {
	out := PlanRecord{
		PlanID: p.ID, PartID: p.PartID, ReportID: p.ReportID, JobID: optional(p.JobID), CutConfigID: p.CutConfigID,
		SnapshotHash: p.Snapshot, Name: optional(p.Name), Status: string(p.Status), CreatedAt: p.CreatedAt,
		FailureCode: optional(p.Failure.Code), FailureReason: optional(p.Failure.Reason),
		Setups: wireSetups(p.Made), Tools: wireTools(p.Made), Unmachinable: wireUnmachinable(p.Made),
		Warnings: []Warning{},
		Account:  wireAccount(p.Made),
	}
	if m := p.Made; m != nil {
		w := m.Workpiece
		out.Stock = &PlanStock{Box: wireBox(m.Stock), Frame: Frame(w)}
		for _, warning := range m.Warnings {
			out.Warnings = append(out.Warnings, wireWarnings([]fault.Warning{warning.Summed()})...)
		}
	}
	return out
}

func wireSetups(m *program.PlanSummary) []PlanSetup {
	out := []PlanSetup{}
	if m == nil {
		return out
	}
	for i := range m.Setups {
		s := &m.Setups[i]
		setup := PlanSetup{
			Index: i + 1, Direction: s.Frame.Z, Origin: s.Frame.Origin, XAxis: s.Frame.X,
			WorkOffset: planning.WorkOffset(i), Stock: wireBox(s.Before), Operations: make([]PlanOperation, len(s.Operations)),
			Workholding: PlanHold{Kind: string(s.Clamping.Kind), Text: s.Clamping.Text, Solid: []Box{}, Device: optional(string(s.Clamping.Device)),
				Making: Making(s.Clamping.Making)},
			Choice: wireChoice(s.Choice),
		}
		if h := s.Clamping.Hold; h != nil {
			setup.Workholding.Figures = wireHold(h)
		}
		for _, b := range s.Clamping.Solid {
			setup.Workholding.Solid = append(setup.Workholding.Solid, wireBox(b))
		}
		for k := range s.Operations {
			setup.Operations[k] = wireOperation(m, &s.Operations[k])
			setup.Operations[k].Index = k + 1
		}
		out = append(out, setup)
	}
	return out
}

func wireChoice(c *planning.SetupChoice) *SetupChoice {
	if c == nil {
		return nil
	}
	return &SetupChoice{c.Cents, (*Alternative)(c.Held), (*Alternative)(c.Without)}
}

var coolantNames = map[motion.Coolant]string{
	motion.Dry: "dry", motion.Flood: "flood", motion.Mist: "mist", motion.ThroughTool: "throughTool",
}

func wireOperation(m *program.PlanSummary, o *planning.Operation) PlanOperation {
	tool := &m.Tools[o.Tool]
	d := &o.Cutting
	out := PlanOperation{
		OperationID: o.ID, Strategy: string(o.Strategy), FeatureIDs: []string{}, RegionIdxs: indices(o.Regions),
		ToolID: tool.Tool.ID, ToolNumber: tool.Number, Top: o.Top, Bottom: o.Bottom, SpindleRpm: d.SpindleRPM.Value,
		Feed: d.Feed.Value, PlungeFeed: d.PlungeFeed.Value, AxialDepth: d.Axial.Value, RadialDepth: d.Radial.Value,
		StockToLeaveRadial: o.LeaveRadial, StockToLeaveAxial: o.LeaveAxial, Coolant: coolantNames[o.Coolant],
		Provenance: []string{}, Notes: append([]string{}, o.Notes...),
	}
	for _, i := range o.Features {
		out.FeatureIDs = append(out.FeatureIDs, m.FeatureIDs[i])
	}
	for _, f := range []struct {
		name string
		cutting.SourcedValue
	}{
		{"spindleRpm", d.SpindleRPM}, {"feed", d.Feed}, {"plungeFeed", d.PlungeFeed}, {"axialDepth", d.Axial},
		{"radialDepth", d.Radial},
	} {
		if f.From == "" {
			continue
		}
		text := f.name + ": " + f.From
		for _, l := range f.Limits {
			text += fmt.Sprintf("; limited by %s", l)
		}
		out.Provenance = append(out.Provenance, text)
	}
	return out
}

func wireUnmachinable(m *program.PlanSummary) []Unmachinable {
	out := []Unmachinable{}
	if m == nil {
		return out
	}
	for _, u := range m.Unmachinable {
		one := Unmachinable{
			RegionIdxs: indices(u.Regions), Reason: string(u.Reason), Detail: u.Detail, Remedy: optional(u.Remedy),
			Price: wirePrice(u.Price),
		}
		if u.Feature >= 0 {
			one.FeatureID = &m.FeatureIDs[u.Feature]
		}
		out = append(out, one)
	}
	return out
}

func wireToolpaths(t *program.Toolpaths) ToolpathSet {
	out := ToolpathSet{
		PlanID: t.Set.PlanID, JobID: t.Set.JobID, Toolpaths: []Toolpath{}, Verification: wireProof(&t.Set.Result.Proof),
		GeometryURL: optional(t.PathsURL), MovesURL: optional(t.MovesURL), StockURL: optional(t.StockURL),
		ResidueURL: optional(t.ResidueURL), Account: wireAccount(t.Plan.Made),
	}
	times := map[string]estimate.OperationTimes{}
	for _, s := range t.Set.Result.Times.Setups {
		for _, o := range s.Operations {
			times[o.OperationID] = o
		}
	}
	space, err := uuid.Parse(t.Set.JobID)
	if err != nil {
		space = uuid.NameSpaceOID
	}
	for i, paths := range t.Set.Result.Paths {
		for k := range paths {
			p, o := &paths[k], &t.Plan.Made.Setups[i].Operations[k]
			one := Toolpath{
				ToolpathID: uuid.NewSHA1(space, []byte(o.ID)).String(), OperationID: o.ID, SetupIndex: i + 1,
				ToolID: t.Plan.Made.Tools[o.Tool].Tool.ID, Outcome: "cleared", MoveCount: p.MoveCount, CutLength: p.CutLength,
				RapidLength: p.RapidLength, CuttingSeconds: times[o.ID].Cutting, RapidSeconds: times[o.ID].Rapid,
				Bounds: wireBox(p.Bounds), GeometryURL: out.GeometryURL, GeometryFormat: "glb",
			}
			if one.Residue = wireResidue(p.RestMaterial); one.Residue != nil {
				one.Outcome = "residue"
			}
			out.Toolpaths = append(out.Toolpaths, one)
		}
	}
	return out
}

// wireResidue sums the rest material of an operation; nil if there is no rest material.
func wireResidue(list []toolpath.RestMaterial) *Residue {
	if len(list) == 0 {
		return nil
	}
	out := &Residue{RegionIdxs: []int{}}
	largest := -1.0
	for _, r := range list {
		out.Volume += r.Volume
		out.MaxHeight = max(out.MaxHeight, r.Height)
		if r.Volume > largest {
			largest, out.Reason = r.Volume, string(r.Reason)
		}
		out.RegionIdxs = append(out.RegionIdxs, r.Regions...)
	}
	slices.Sort(out.RegionIdxs)
	out.RegionIdxs = slices.Compact(out.RegionIdxs)
	return out
}

func wireProof(p *verify.Report) Verification {
	out := Verification{
		StockVolume: p.StockVolume, PartVolume: p.PartVolume, RemovedVolume: p.RemovedVolume, UncutVolume: p.UncutVolume,
		MaxGouge: p.MaxGouge, MaxUncut: p.MaxUncut, RapidCollisions: p.RapidCollisions, HolderCollisions: p.HolderCollisions,
		FixtureCollisions: p.FixtureCollisions, Findings: []Finding{}, MotionHash: p.Digest,
	}
	for _, f := range p.Findings {
		out.Findings = append(out.Findings, Finding{
			Kind: string(f.Kind), SetupIndex: f.Setup + 1, OperationID: optional(f.Operation), Move: max(f.Move, 0),
			Position: f.Position, Depth: f.Depth, RegionIdxs: indices(f.Regions),
		})
	}
	return out
}

func wireTimes(planID string, t *estimate.Times) MachiningTime {
	out := MachiningTime{
		PlanID: planID, TotalSeconds: t.Total, LowSeconds: t.Low, HighSeconds: t.High, CuttingSeconds: t.Cutting,
		RapidSeconds: t.Rapid, DwellSeconds: t.Dwell, SpindleSeconds: t.Spindle, ToolChangeSeconds: t.ToolChange,
		LoadSeconds: t.Load, SetupSeconds: t.Setup,
		Setups: []SetupTime{}, Model: TimeModel(t.Model),
	}
	for i, s := range t.Setups {
		one := SetupTime{
			Index: i + 1, TotalSeconds: s.Total, CuttingSeconds: s.Cutting, RapidSeconds: s.Rapid, ToolChanges: s.ToolChanges,
			ToolChangeSeconds: s.ToolChange, LoadSeconds: s.Load, Operations: []OperationTime{},
		}
		for _, o := range s.Operations {
			one.Operations = append(one.Operations, OperationTime{OperationID: o.OperationID, Seconds: o.Seconds})
		}
		out.Setups = append(out.Setups, one)
	}
	return out
}

// wireProgram returns a program with the addresses of its files; base is the base of the g-code address.
func wireProgram(p *program.ProgramDetail, files program.Files, base string) ProgramRecord {
	out := ProgramRecord{
		ID: p.ID, PartID: p.PartID, ProjectID: optional(p.ProjectID), PlanID: p.PlanID, ReportID: p.Plan.ReportID,
		JobID: optional(p.JobID), CutConfigID: p.Plan.CutConfigID, Status: string(p.Status),
		FailureCode: optional(p.Failure.Code), FailureReason: optional(p.Failure.Reason),
		Warnings: wireWarnings(p.Result.Warnings), Setups: wireSetups(p.Plan.Made),
		Unmachinable: wireUnmachinable(p.Plan.Made), Account: wireAccount(p.Plan.Made), Tools: wireTools(p.Plan.Made), Gcode: []GcodeFile{},
		SetupSheetURL: optional(files.SetupSheet), ToolTableURL: optional(files.ToolTable),
		ProgramJSONURL: optional(files.ProgramJSON), DevicesURL: optional(files.Devices), BundleURL: optional(files.Bundle),
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	if p.Set != nil {
		verification := wireProof(&p.Set.Result.Proof)
		out.ToolpathJobID, out.Verification = &p.Set.JobID, &verification
		out.MachiningSeconds = &p.Set.Result.Times.Total
	}
	if p.Status != program.Ready {
		return out
	}
	for i, digest := range p.Result.Digests {
		out.Gcode = append(out.Gcode, GcodeFile{
			Setup: i + 1, Post: p.Result.Post, SHA256: digest,
			URL: fmt.Sprintf("%s/v1/parts/%s/programs/%s/gcode?setup=%d", base, p.PartID, p.ID, i+1),
		})
	}
	return out
}

func wireTools(m *program.PlanSummary) []ProgramTool {
	out := []ProgramTool{}
	if m == nil {
		return out
	}
	for i := range m.Tools {
		t := &m.Tools[i]
		out = append(out, ProgramTool{
			Number: t.Number, LengthOffset: t.Number, DiameterOffset: t.Number, ToolID: t.Tool.ID, Name: t.Tool.Name,
			Kind: string(t.Tool.Kind), Diameter: t.Tool.Diameter, Stickout: t.Stickout, Holder: t.Tool.Holder,
			Fallback: t.Fallback,
		})
	}
	return out
}

func wireEstimate(e program.Price) Estimate {
	return Estimate{
		Quality: string(e.Quality), Quantity: e.Quantity, TimeSeconds: e.TimeSeconds, CostCents: e.CostCents,
		Low: Bill(e.Low), High: Bill(e.High), Breakdown: CostBreakdown(e.Breakdown),
		Assumptions: append([]string{}, e.Assumptions...), Account: accountOf(e.Account, e.FeatureIDs),
	}
}
