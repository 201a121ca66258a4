package recognize

// Chamfers: where they are cut from.

import (
	"fmt"
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/feature/recognize/internal/chamfer"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// chamfers describes the groups of chamfers. A group is cut from the first direction that sees it at a
// slope between floor and wall, else from such a one that sees most; without one it is left to other rules.
func (r *recognizer) chamfers() {
	free := make([]bool, len(r.bevels))
	for p, is := range r.bevels {
		free[p] = is && !r.taken[p]
	}
	for _, group := range chamfer.Groups(r.g, free, r.rims) {
		if r.addChamfer(group) {
			continue
		}
		for _, p := range group { // round a loop no direction need see all
			r.addChamfer([]int32{p})
		}
	}
}

func (r *recognizer) addChamfer(group []int32) bool {
	best, most := graph.None, direction.FloorShare
	for i, d := range r.v.Dirs {
		s := r.slopesOf(group, d)
		if s.Lo < math.Sin(chamfer.SlopeMin) || s.Hi > math.Cos(chamfer.SlopeMin) {
			continue
		}
		share := r.v.Seen(r.g, i, group)
		if share >= direction.WallShare {
			best = i
			break
		}
		if share > most+graph.AxisAngle {
			best, most = i, share
		}
	}
	if best == graph.None {
		return false
	}
	p := &r.g.Patches[group[max(0, slices.IndexFunc(group, r.hasAxis))]]
	f := found{
		typ: feature.Chamfer, patches: group, dir: r.v.Dirs[best], z: r.g.ExtentOf(group, r.v.Dirs[best]),
		rule: "bevelled edge",
	}
	axis := p.Axis
	if p.Kind == surface.KindCone && axis.Dot(f.dir) < 0 {
		axis = axis.Neg()
	}
	axis = direction.Tidy(axis)
	f.axis = &axis
	turn, length := 0.0, 0.0
	for _, x := range p.Arcs {
		a := &r.g.Arcs[x]
		isBevel := a.Bend == graph.Convex && a.Turn >= chamfer.BevelMin && a.Turn <= chamfer.BevelMax
		if isBevel && a.Length > length {
			turn, length = a.Turn, a.Length
		}
	}
	f.reasons = []string{fmt.Sprintf("%s in the place of a convex edge, %s from a neighbour, %s wide.",
		count(len(group), "narrow face lies", "narrow faces lie"), degrees(turn), mm(p.Area/length))}
	for _, p := range group {
		r.isChamfer[p] = true
	}
	r.add(f)
	return true
}

// hasAxis reports whether a chamfer is a plane or a cone: what continues one may be a free form.
func (r *recognizer) hasAxis(p int32) bool {
	k := r.g.Patches[p].Kind
	return k == surface.KindPlane || k == surface.KindCone
}

// slopesOf returns the range of n·dir over several patches.
func (r *facts) slopesOf(patches []int32, dir geom.Vec3) geom.Interval {
	s := r.g.Slopes(patches[0], dir)
	for _, p := range patches[1:] {
		o := r.g.Slopes(p, dir)
		s.Lo, s.Hi = min(s.Lo, o.Lo), max(s.Hi, o.Hi)
	}
	return s
}
