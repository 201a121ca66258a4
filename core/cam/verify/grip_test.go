package verify_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
)

// checkGrips compares the solids of clampings with the remaining stock at the start of their setup. Each jaw, and each
// stop of a bed, touches the stock and does not overlap it.
func checkGrips(t *testing.T, plan *planning.Plan, left *verify.RemainingStock) {
	t.Helper()
	const skin = 0.4 // mm, of the stock to leave in the mouth of a slot that is open to a finished face
	before := left.Stock
	for i := range plan.Setups {
		hold := &plan.Setups[i].Clamping
		at := func(v geom.Vec3) geom.Vec3 { return plan.Workpiece.Local(plan.Setups[i].Frame.Point(v)) }
		var solids []geom.Box // in the frame of the workpiece
		for _, b := range hold.Solid {
			solids = append(solids, geom.BoxOf(at(b.Min), at(b.Max)))
		}
		deepest, area := map[pressed]float64{}, map[pressed]float64{}
		if hold.Device == planning.DeviceChuck || hold.Device == planning.DeviceBase {
			for _, b := range solids { // packages planning and holding test their contact
				if deep, _ := grips(before, b, pressed{axis: dexel.Along(plan.Setups[i].Frame.Z)}, near); deep > skin {
					t.Errorf("setup %d: %.2f mm of the workpiece is in %v: %s", i+1, deep, b, hold.Text)
				}
			}
			before = left.After[i]
			continue
		}
		if hold.Device == planning.DevicePlates {
			solids = plates(solids)
		}
		for k, to := range pressing(solids) {
			gap := near
			if len(solids) > 2 {
				gap = steps
			}
			deep, touch := grips(before, solids[k], to, gap)
			deepest[to], area[to] = max(deepest[to], deep), area[to]+touch
		}
		for to, touch := range area {
			if deepest[to] > skin || touch < 20 {
				t.Errorf("setup %d: what presses on %v is %.2f mm in the workpiece and touches %.0f mm² of it: %s", i+1,
					to, deepest[to], touch, hold.Text)
			}
		}
		before = left.After[i]
	}
}

// pressed is the end of the workpiece that a solid presses on.
type pressed struct {
	axis int
	isHi bool
}

// pressing returns the ends that the solids press on. Each is at the outer end of all solids on that side, not on the
// opposite one. The boxes of jaws press along one axis, the stops of a bed along two.
func pressing(solids []geom.Box) []pressed {
	var all geom.Box
	for i, b := range solids {
		if i == 0 {
			all = b
		}
		all = geom.BoxOf(all.Min, all.Max, b.Min, b.Max)
	}
	var list [3][]pressed
	for axis := range list {
		for _, b := range solids {
			isLo := b.Min.Coordinate(axis) < all.Min.Coordinate(axis)+near
			isHi := b.Max.Coordinate(axis) > all.Max.Coordinate(axis)-near
			if isLo != isHi {
				list[axis] = append(list[axis], pressed{axis, isHi})
			}
		}
		if len(list[axis]) == len(solids) {
			return list[axis]
		}
	}
	return slices.Concat(list[:]...) // in the order in which a bed has its stops
}

// plates returns the solids of a pair of plates without their base and bolts. These are the lowest one, and two between
// the plates: the last three.
func plates(solids []geom.Box) []geom.Box { return solids[:len(solids)-3] }

const (
	near  = 0.05 // mm
	steps = 0.5  // mm, by which boxes follow a formed outline
)

// grips returns how deep a stock reaches into a solid that presses on it (mm), and the area (mm²) over which it touches
// the solid, up to a gap (mm).
func grips(s *dexel.Stock, jaw geom.Box, to pressed, gap float64) (deep, touch float64) {
	list := func(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
	lo, hi, l, axis := list(jaw.Min), list(jaw.Max), s.Lattice, to.axis
	origin := list(l.Origin)
	x, y := dexel.Side(axis)
	for j := range l.Count[y] {
		for i := range l.Count[x] {
			p, q := origin[x]+(float64(i)+0.5)*l.Step, origin[y]+(float64(j)+0.5)*l.Step
			if p < lo[x] || p > hi[x] || q < lo[y] || q > hi[y] {
				continue
			}
			met := false
			for _, span := range s.Ray(axis, i, j) {
				from, until := origin[axis]+float64(span.Lo), origin[axis]+float64(span.Hi)
				deep = max(deep, min(until, hi[axis])-max(from, lo[axis]))
				if to.isHi {
					met = met || math.Abs(until-lo[axis]) < gap
				} else {
					met = met || math.Abs(from-hi[axis]) < gap
				}
			}
			if met {
				touch += l.Step * l.Step
			}
		}
	}
	return deep, touch
}
