package planning_test

import (
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// surfaces returns the operations of a plan on slopes.
func surfaces(p *planning.Plan) (list []planning.Operation) {
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			if o.Strategy == planning.Surface {
				list = append(list, o)
			}
		}
	}
	return list
}

// A free form takes a ball, after the stairs of roughing were cut down.
func TestSlopesTakeBalls(t *testing.T) {
	p := made(t, input(t, "freeform_dish", machining.BuiltInCutConfig()))
	list := surfaces(p)
	if len(list) != 1 || !slices.Equal(list[0].Regions, []int{0}) {
		t.Fatalf("%+v, want one operation on face 0", list)
	}
	o := list[0]
	if tool := p.Tools[o.Tool].Tool; tool.Kind != machining.BallEndMill || o.Scallop != machining.DefaultScallopHeight {
		t.Errorf("a %s leaves ridges of %g mm", tool.Kind, o.Scallop)
	}
	stairs := func(s planning.Setup) bool {
		return slices.ContainsFunc(s.Operations, func(c planning.Operation) bool {
			return c.Strategy == planning.Contour && slices.Equal(c.Beside, o.Regions) && c.LeaveRadial > 0 &&
				c.Cutting.Axial.Value <= p.Tools[o.Tool].Tool.Diameter/2
		})
	}
	if !slices.ContainsFunc(p.Setups, stairs) {
		t.Error("nothing cuts the stairs")
	}
	for _, u := range p.Unmachinable {
		if slices.Contains(u.Regions, 0) {
			t.Errorf("face 0 is made, and %s: %s", u.Reason, u.Detail)
		}
	}
}

// The ridges that the cut config allows decide the distance of passes, and so the time.
func TestScallopsSteer(t *testing.T) {
	config := machining.BuiltInCutConfig()
	fine := surfaces(made(t, input(t, "freeform_dish", config)))[0]
	config.ScallopHeight *= 4
	coarse := surfaces(made(t, input(t, "freeform_dish", config)))[0]
	if got := coarse.Cutting.Radial.Value / fine.Cutting.Radial.Value; got < 1.99 || got > 2.01 {
		t.Errorf("the passes are %g times as far apart, want 2", got)
	}
	if coarse.Expected > 0.7*fine.Expected {
		t.Errorf("%g s, want about half of %g s", coarse.Expected, fine.Expected)
	}
}

// Without balls a slope is left, and the reason says that they are missing.
func TestSlopesWithoutBalls(t *testing.T) {
	in := input(t, "freeform_dish", machining.BuiltInCutConfig())
	in.Tools = slices.DeleteFunc(in.Tools, func(t machining.Tool) bool { return t.Kind == machining.BallEndMill })
	p := made(t, in)
	if list := surfaces(p); len(list) > 0 {
		t.Errorf("%d operations on slopes", len(list))
	}
	if !slices.ContainsFunc(p.Unmachinable, func(u planning.Unmachinable) bool {
		return slices.Contains(u.Regions, 0) && u.Reason == completeness.NoToolFits &&
			strings.Contains(u.Detail, "no ball end mill is at hand")
	}) {
		t.Errorf("%+v does not say that balls are missing", p.Unmachinable)
	}
}

// A ball on a slope that ends with the part runs no farther below it than mills along walls do.
func TestBallsStayAboveTheGrip(t *testing.T) {
	config := machining.BuiltInCutConfig()
	in := input(t, "cone_truncated", config)
	p := made(t, in)
	list := surfaces(p)
	if len(list) == 0 {
		t.Fatal("the cone is not made")
	}
	reach, err := in.Run.Graph.PartExtents(t.Context(), []geom.Vec3{p.Setups[0].Frame.Z})
	if err != nil {
		t.Fatal(err)
	}
	foot := reach[0].Lo - p.Setups[0].Frame.Origin.Dot(p.Setups[0].Frame.Z)
	for _, o := range list {
		if o.Bottom < foot-config.Stock.Under-1e-3 {
			t.Errorf("operation %s goes to %g, the part ends at %g", o.ID, o.Bottom, foot)
		}
	}
}

// A slope that no side sees whole is made from the sides that see it together.
func TestSlopesOfSeveralSides(t *testing.T) {
	p := made(t, input(t, "relieved_rod", machining.BuiltInCutConfig()))
	var from []float64
	for i := range p.Setups {
		for _, o := range p.Setups[i].Operations {
			if o.Strategy == planning.Surface && slices.Contains(o.Regions, 2) {
				from = append(from, p.Setups[i].Frame.Z.Y)
			}
		}
	}
	if !slices.Equal(from, []float64{1, -1}) {
		t.Errorf("face 2 is made along %v, want y and −y", from)
	}
	for _, u := range p.Unmachinable {
		if slices.Contains(u.Regions, 2) {
			t.Errorf("face 2 is made, and %s: %s", u.Reason, u.Detail)
		}
	}
}
