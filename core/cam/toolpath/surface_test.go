package toolpath_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

// dished returns a plan that roughs a block with a free form on it, face 0, and finishes that with a ball.
func dished(t *testing.T) (in toolpath.Input, surface *planning.Operation) {
	t.Helper()
	g := part(t, "freeform_dish")
	mill, ball := builtin(t, machining.FlatEndMill, 10), builtin(t, machining.BallEndMill, 12)
	made, setup := input(t, g, mill, 2)
	made.Mill = compute.OnCPU(2)
	made.Plan.Tools = append(made.Plan.Tools, planning.Tool{Number: 2, Stickout: ball.Assembly().Stickout, Tool: ball})
	top := geom.BoxOf(g.Mesh.Points...).Max.Z
	fine := data(&mill)
	fine.Axial.Value = 1
	setup.Operations = []planning.Operation{
		{ID: "rough", Strategy: planning.Pocket, Top: top + 2, Bottom: top - 8, LeaveRadial: 0.3, LeaveAxial: 0.1,
			Cutting: data(&mill)},
		{ID: "stairs", Strategy: planning.Contour, Top: top, Bottom: top - 8, LeaveRadial: 0.3, LeaveAxial: 0.1,
			Beside: []int{0}, Cutting: fine},
		{ID: "slopes", Strategy: planning.Surface, Tool: 1, Top: top, Bottom: top - 8, Regions: []int{0}, Scallop: 0.02,
			Tolerance: 0.005, Cutting: data(&ball)},
	}
	return made, &setup.Operations[2]
}

// TestSlopesAreFinished checks by replay that the passes cut nothing of the part and leave no more than their ridges.
func TestSlopesAreFinished(t *testing.T) {
	in, _ := dished(t)
	set := checked(t, in)
	s := newShop(in.Graph, set.Setups[0].Frame, 2)
	for i := range set.Setups[0].Operations {
		o := &set.Setups[0].Operations[i]
		a := in.Plan.Tools[o.Tool].Tool.Assembly()
		s.replay(o, &a)
	}
	b := geom.EmptyBox()
	r := &in.Graph.Mesh.Regions[0]
	for _, v := range r.Vertices {
		b = b.Add(in.Graph.Mesh.Points[v])
	}
	cells, high, worst := 0, 0, 0.0
	const border, most = 3, 0.06 // mm: beside the form; ridges, and what cells of the replay hide
	for k, z := range s.part {
		at := s.at(k%s.width, k/s.width)
		if at.X < b.Min.X+border || at.X > b.Max.X-border || at.Y < b.Min.Y+border || at.Y > b.Max.Y-border ||
			math.IsInf(z, -1) {
			continue
		}
		cells++
		worst = max(worst, s.stock[k]-z)
		if s.stock[k]-z > most {
			high++
		}
	}
	if cells < 1000 || high > cells/100 {
		t.Errorf("%d of %d cells keep more than %g mm, the worst %.3g mm", high, cells, most, worst)
	}
}

// TestRestOfSlopes: a thinner ball after a thick one passes only where that has not reached.
func TestRestOfSlopes(t *testing.T) {
	in, first := dished(t)
	thin := builtin(t, machining.BallEndMill, 6)
	in.Plan.Tools = append(in.Plan.Tools, planning.Tool{Number: 3, Stickout: thin.Assembly().Stickout, Tool: thin})
	rest := *first
	rest.ID, rest.Tool = "rest", 2
	operations := &in.Plan.Setups[0].Operations
	*operations = append(*operations, rest)
	set := checked(t, in)
	if whole, left := set.Paths[0][2].CutLength, set.Paths[0][3].CutLength; left > whole/20 {
		t.Errorf("the thin ball goes %.0f mm after %.0f mm of the thick one, which reaches all of the form", left, whole)
	}
}

// TestSlopesAmidStock: where nothing was roughed, the ball does not go.
func TestSlopesAmidStock(t *testing.T) {
	in, surface := dished(t)
	setup := &in.Plan.Setups[0]
	in.Plan.Stock.Max.Z += 30
	setup.Before = in.Plan.Stock
	setup.Safe += 30
	setup.Operations = []planning.Operation{*surface}
	set := checked(t, in)
	p := set.Paths[0][0]
	if p.CutLength > 0 || len(p.RestMaterial) == 0 {
		t.Errorf("it cuts %.0f mm amid stock, and declares %+v", p.CutLength, p.RestMaterial)
	}
}
