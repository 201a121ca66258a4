package verify_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
)

// checkGrips compares the jaws of a plan with the remaining stock at the start of their setup. The jaws touch the stock
// on both sides and do not overlap it.
func checkGrips(t *testing.T, plan *planning.Plan, left *verify.RemainingStock) {
	t.Helper()
	const skin = 0.4 // mm, of the stock to leave in the mouth of a slot that is open to a finished face
	before := left.Stock
	for i := range plan.Setups {
		hold := &plan.Setups[i].Clamping
		var jaws []geom.Box // in the frame of the workpiece
		for _, jaw := range hold.Solid {
			at := func(v geom.Vec3) geom.Vec3 { return plan.Workpiece.Local(plan.Setups[i].Frame.Point(v)) }
			jaws = append(jaws, geom.BoxOf(at(jaw.Min), at(jaw.Max)))
		}
		for k := range jaws {
			deep, touch := grips(before, jaws[k], jaws[1-k])
			if deep > skin || touch < 20 {
				t.Errorf("setup %d: jaw %d is %.2f mm in the workpiece and touches %.0f mm² of it: %s", i+1,
					k, deep, touch, hold.Text)
			}
		}
		before = left.After[i]
	}
}

// grips returns how deep a stock reaches into a jaw (mm), and over which area it touches it (mm²).
func grips(s *dexel.Stock, jaw, opposite geom.Box) (deep, touch float64) {
	const near = 0.05 // mm
	list := func(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
	lo, hi, l := list(jaw.Min), list(jaw.Max), s.Lattice
	first, last, origin := list(opposite.Min), list(opposite.Max), list(l.Origin)
	axis := 0
	for lo[axis] < last[axis]-near && first[axis] < hi[axis]-near { // they are apart along one
		axis++
	}
	x, y := dexel.Side(axis)
	for j := range l.Count[y] {
		for i := range l.Count[x] {
			p, q := origin[x]+(float64(i)+0.5)*l.Step, origin[y]+(float64(j)+0.5)*l.Step
			if p < lo[x] || p > hi[x] || q < lo[y] || q > hi[y] {
				continue
			}
			met := false
			for _, span := range s.Ray(axis, i, j) {
				from, to := origin[axis]+float64(span.Lo), origin[axis]+float64(span.Hi)
				deep = max(deep, min(to, hi[axis])-max(from, lo[axis]))
				met = met || math.Abs(to-lo[axis]) < near || math.Abs(from-hi[axis]) < near
			}
			if met {
				touch += l.Step * l.Step
			}
		}
	}
	return deep, touch
}
