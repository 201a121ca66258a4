package verify

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// mostCells is the maximum number of cells along the longest side of the stock: rays then take some gigabytes.
const mostCells = 4096

// check returns the errors of the input.
func (in *Input) check() error {
	switch {
	case in.Plan == nil || in.Set == nil || in.Part == nil || in.Mill == nil:
		return fmt.Errorf("plan, paths, part or mill is missing")
	case !(in.Tolerance > 0) || in.Tolerance > 1:
		return fmt.Errorf("a tolerance of %g mm", in.Tolerance)
	case in.MaxCells < 8 || in.MaxCells > mostCells:
		return fmt.Errorf("%d cells along a side", in.MaxCells)
	case len(in.Part.Triangles) == 0:
		return fmt.Errorf("the part has no triangles")
	}
	box := in.Plan.Stock
	if box.IsEmpty() || !box.Min.IsFinite() || !box.Max.IsFinite() || !(volume(box) > 0) {
		return fmt.Errorf("a stock from %v to %v", box.Min, box.Max)
	}
	if bar := in.Plan.Bar; bar != nil && (*bar < 0 || *bar > 2) {
		return fmt.Errorf("a bar along axis %d", *bar)
	}
	if err := checkFrame(in.Plan.Workpiece); err != nil {
		return fmt.Errorf("the workpiece %w", err)
	}
	for i := range in.Plan.Tools {
		if err := checkTool(&in.Plan.Tools[i].Tool); err != nil {
			return fmt.Errorf("tool %d: %w", i, err)
		}
	}
	if err := in.checkMesh(); err != nil {
		return err
	}
	if len(in.Plan.Setups) != len(in.Set.Setups) {
		return fmt.Errorf("paths of %d setups for %d", len(in.Set.Setups), len(in.Plan.Setups))
	}
	for i := range in.Set.Setups {
		if err := in.checkSetup(i); err != nil {
			return fmt.Errorf("setup %d: %w", i, err)
		}
	}
	return nil
}

func checkTool(t *machining.Tool) error {
	if err := t.Validate(); err != nil {
		return err
	}
	a := t.Assembly()
	return a.Outline.Check()
}

func (in *Input) checkMesh() error {
	for i, p := range in.Part.Points {
		if !p.IsFinite() {
			return fmt.Errorf("point %d of the part is %v", i, p)
		}
	}
	for i, t := range in.Part.Triangles {
		for _, v := range t {
			if v < 0 || int(v) >= len(in.Part.Points) {
				return fmt.Errorf("triangle %d has the corner %d of %d", i, v, len(in.Part.Points))
			}
		}
	}
	for i, r := range in.Part.Regions {
		if r.Start < 0 || r.End > int32(len(in.Part.Triangles)) {
			return fmt.Errorf("region %d has the triangles %d to %d of %d", i, r.Start, r.End, len(in.Part.Triangles))
		}
	}
	return nil
}

// checkFrame rejects frames that are not right-handed.
func checkFrame(f geom.Frame) error {
	const orthonormal = 1e-9 // as frames come out of a chain of rotations
	for _, v := range []float64{
		f.X.Norm2() - 1, f.Y.Norm2() - 1, f.Z.Norm2() - 1, f.X.Dot(f.Y), f.Y.Dot(f.Z), f.Z.Dot(f.X),
		f.Origin.Norm2() * 0,
	} {
		if !(math.Abs(v) <= orthonormal) {
			return fmt.Errorf("frame %v is not one of orthonormal axes", f)
		}
	}
	if !f.IsRightHanded() {
		return fmt.Errorf("frame %v is left-handed", f)
	}
	return nil
}

func (in *Input) checkSetup(i int) error {
	plan, set := &in.Plan.Setups[i], &in.Set.Setups[i]
	if err := checkFrame(set.Frame); err != nil {
		return err
	}
	a, b := plan.Frame, set.Frame
	for _, d := range []float64{a.Origin.Dist(b.Origin), a.X.Dist(b.X), a.Y.Dist(b.Y), a.Z.Dist(b.Z)} {
		if !(d <= snap) {
			return fmt.Errorf("the paths are in the frame %v, the plan says %v", b, a)
		}
	}
	if len(plan.Operations) != len(set.Operations) {
		return fmt.Errorf("paths of %d operations for %d", len(set.Operations), len(plan.Operations))
	}
	if !(math.Abs(plan.Safe) < math.MaxFloat32) {
		return fmt.Errorf("rapids at a height of %g mm", plan.Safe)
	}
	for k := range set.Operations {
		o := &set.Operations[k]
		if o.ID != plan.Operations[k].ID {
			return fmt.Errorf("paths of operation %q for %q", o.ID, plan.Operations[k].ID)
		}
		if o.Tool < 0 || int(o.Tool) >= len(in.Plan.Tools) || plan.Operations[k].Tool < 0 ||
			plan.Operations[k].Tool >= len(in.Plan.Tools) {
			return fmt.Errorf("operation %q has tool %d of %d", o.ID, o.Tool, len(in.Plan.Tools))
		}
		if err := in.checkEdges(&plan.Operations[k]); err != nil {
			return fmt.Errorf("operation %q: %w", o.ID, err)
		}
		if err := checkMoves(o); err != nil {
			return fmt.Errorf("operation %q: %w", o.ID, err)
		}
	}
	return nil
}

func (in *Input) checkEdges(o *planning.Operation) error {
	for _, e := range o.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(in.Part.Regions) {
			return fmt.Errorf("it breaks an edge of the faces %v of %d", e, len(in.Part.Regions))
		}
	}
	if len(o.Edges) > 0 && !(o.Width > 0 && o.Width < math.MaxFloat32) {
		return fmt.Errorf("it breaks edges by %g mm", o.Width)
	}
	return nil
}

func checkMoves(o *motion.Operation) error {
	if !o.Start.IsFinite() {
		return fmt.Errorf("it starts at %v", o.Start)
	}
	for i := range o.Moves {
		m := &o.Moves[i]
		if m.Kind == motion.CannedCycle {
			if m.Cycle < 0 || int(m.Cycle) >= len(o.Cycles) {
				return fmt.Errorf("move %d has cycle %d of %d", i, m.Cycle, len(o.Cycles))
			}
			if err := o.Cycles[m.Cycle].Check(); err != nil {
				return fmt.Errorf("move %d: %w", i, err)
			}
		}
		if !m.To.IsFinite() || math.IsNaN(m.Turn+m.Center.X+m.Center.Y) || math.IsInf(m.Turn+m.Center.X+m.Center.Y, 0) {
			return fmt.Errorf("move %d leads to %v", i, m.To)
		}
	}
	return nil
}
