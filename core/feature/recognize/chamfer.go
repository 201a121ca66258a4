package recognize

// Chamfers and the directions to cut them from.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// sameSlant is the largest difference in the sine of the slant of chamfers that one mill cuts.
const sameSlant = 0.02

// chamfers proposes groups of chamfers. A group is cut from the first direction that sees it between floor and wall
// slope, otherwise from the direction that sees most of it. Without such a direction, the group is split at outer
// corners. Each part is cut from the direction that cuts most of it, or with the turned groove that it bevels. Other
// rules get the remaining patches.
func chamfers(r *reading, v *verifier) {
	countersinks(r, v)
	for _, loop := range r.chamfered {
		free := without(loop, r.isTaken)
		if len(free) == 0 {
			continue
		}
		for _, group := range splitBySlant(r.partContext, free) {
			if best := r.chamferedFrom(group); best != graph.None {
				addChamfer(r, v, group, best)
				continue
			}
			for parts := r.splitAtCorners(group); len(parts) > 0; parts = parts[1:] {
				best := chamferedMostFrom(r.partContext, parts[0])
				if best == graph.None {
					if best = adjacentGroove(r, parts[0]); best != graph.None {
						addChamfer(r, v, parts[0], best)
					}
					continue
				}
				of, rest := splitByDirection(r.partContext, parts[0], best)
				addChamfer(r, v, of, best)
				parts = append(parts, rest...)
			}
		}
	}
}

// splitByDirection splits connected chamfers, unless they close to one ring, into those cut from direction d with their
// connections, and the groups that another direction cuts.
func splitByDirection(pc *partContext, group []int32, d int) (of []int32, rest [][]int32) {
	var others []int32
	isRim := true
	for _, p := range group {
		beside := pc.g.NeighborsWith(p, func(q int32, _ *graph.Adjacency) bool { return slices.Contains(group, q) })
		if len(group) > 2 { // two patches close to a ring over two edges; of more, an end has one neighbor
			beside = ascending(beside)
		}
		isRim = isRim && len(beside) > 1
		if pc.isChamferedFrom([]int32{p}, d) {
			of = append(of, p)
		} else {
			others = append(others, p)
		}
	}
	if isRim {
		return group, nil
	}
	for _, part := range pc.splitAtCorners(others) {
		if chamferedMostFrom(pc, part) == graph.None {
			of = append(of, part...)
		} else {
			rest = append(rest, part)
		}
	}
	return ascending(of), rest
}

// chamferedMostFrom returns the direction that cuts a group of chamfers or most of it, None if no direction cuts any of
// it. Around other edges no one direction sees all of a group.
func chamferedMostFrom(pc *partContext, group []int32) int {
	if d := pc.chamferedFrom(group); d != graph.None {
		return d
	}
	best, most := graph.None, 0.0
	for d := range pc.v.Dirs {
		area := 0.0
		for _, p := range group {
			if share := pc.v.Seen(pc.g, d, []int32{p}); share > direction.MinFloorVisibility &&
				pc.isChamferedFrom([]int32{p}, d) {
				area += share * pc.g.Patches[p].Area
			}
		}
		if area > most*(1+graph.AxisTolerance) {
			best, most = d, area
		}
	}
	return best
}

// adjacentGroove returns the direction of the turned groove that a group of cones all bevel, None if there is none. The
// cones hide each other along the axis, but the tool in the groove reaches them from the side.
func adjacentGroove(r *reading, group []int32) int {
	g := r.g
	var beside []int32
	for q := range g.Neighbors(group[0]) {
		if i := r.ownerOf(q); i != graph.None {
			beside = append(beside, i)
		}
	}
	for _, i := range ascending(beside) {
		f := r.features[i]
		if f.rule == turnedGroove && !slices.ContainsFunc(group, func(p int32) bool {
			s := &g.Patches[p].Shape
			return !s.IsMantle() || !graph.Parallel(s.Axis, *f.axis) ||
				!g.AnyNeighbor(p, func(q int32, _ *graph.Adjacency) bool {
					return slices.Contains(f.patches, q)
				})
		}) {
			return r.v.Find(f.dir)
		}
	}
	return graph.None
}

// isChamferedFrom reports whether the slope of all of a group lies between floor and wall of direction d.
func (pc *partContext) isChamferedFrom(group []int32, d int) bool {
	s := pc.slopesOf(group, pc.v.Dirs[d])
	return s.Lo >= math.Sin(chamfer.SlopeMin) && s.Hi <= math.Cos(chamfer.SlopeMin)
}

// splitAtCorners splits patches where they turn outer corners.
func (pc *partContext) splitAtCorners(group []int32) [][]int32 {
	return pc.connectedOver(group, func(a *graph.Adjacency) bool { return a.Convexity != graph.Convex })
}

// chamferedFrom returns the direction to cut a group of chamfers from, None if no direction sees enough. Directions
// that see it come first, those with one slant before others.
func (pc *partContext) chamferedFrom(group []int32) int {
	best, most := graph.None, direction.MinFloorVisibility
	for i, d := range pc.v.Dirs {
		if !pc.isChamferedFrom(group, i) {
			continue
		}
		share := pc.v.Seen(pc.g, i, group)
		if share >= direction.MinWallVisibility {
			if pc.slopesOf(group, d).Length() <= sameSlant {
				return i
			}
			share = 1
		}
		if share > most+graph.AxisTolerance {
			best, most = i, share
		}
	}
	return best
}

// splitBySlant splits a group of chamfers, ascending, by the slant to its direction, because a chamfer mill has one
// angle. Patches without an outer corner between them stay together. Parts of one slant that share an edge or a surface
// are one.
func splitBySlant(pc *partContext, group []int32) [][]int32 {
	d := pc.chamferedFrom(group)
	if d == graph.None || pc.slopesOf(group, pc.v.Dirs[d]).Length() <= sameSlant {
		return [][]int32{group}
	}
	parts := pc.splitAtCorners(group)
	partOf := map[int32]int32{}
	slants := make([]geom.Interval, len(parts))
	for i, part := range parts {
		slants[i] = pc.slopesOf(part, pc.v.Dirs[d])
		for _, p := range part {
			partOf[p] = int32(i)
		}
	}
	set, surfaces := graph.NewUnionFind(len(parts)), pc.g.NewSurfaces(group)
	for _, p := range group {
		i := partOf[p]
		join := func(q int32) {
			if k, ok := partOf[q]; ok && slants[i].Union(slants[k]).Length() <= sameSlant {
				set.Join(i, k)
			}
		}
		surfaces.On(&pc.g.Patches[p].Shape, join)
		for q := range pc.g.Neighbors(p) {
			join(q)
		}
	}
	var out [][]int32
	for _, like := range set.Groups(func(int32) bool { return true }) {
		var one []int32
		for _, i := range like {
			one = append(one, parts[i]...)
		}
		out = append(out, ascending(one))
	}
	return out
}

// addChamfer proposes a group of chamfers cut from direction d.
func addChamfer(r *reading, v *verifier, group []int32, d int) {
	p := &r.g.Patches[group[0]]
	f := candidate{
		typ: feature.Chamfer, patches: group, dir: r.v.Dirs[d], z: r.g.ExtentOf(group, r.v.Dirs[d]),
		rule: "bevelled edge",
	}
	axis := p.Axis
	if p.Kind == surface.KindCone && axis.Dot(f.dir) < 0 {
		axis = axis.Neg()
	}
	axis = direction.SnapDirection(axis)
	f.axis = &axis
	turn, length := 0.0, 0.0
	for _, x := range p.Arcs {
		a := &r.g.Arcs[x]
		isBevel := a.Convexity == graph.Convex && a.Turn >= chamfer.BevelMin && a.Turn <= chamfer.BevelMax
		if isBevel && a.Length > length {
			turn, length = a.Turn, a.Length
		}
	}
	f.reasons = []string{fmt.Sprintf("%s in the place of a convex edge, %s from a neighbour, %s wide.",
		count(len(group), "narrow face lies", "narrow faces lie"), degrees(turn), mm(p.Area/length))}
	v.propose(f)
}

// slopesOf returns the range of n·dir over several patches, n being their normals.
func (pc *partContext) slopesOf(patches []int32, dir geom.Vec3) geom.Interval {
	s := slopes(pc, patches[0], dir)
	for _, p := range patches[1:] {
		s = s.Union(slopes(pc, p, dir))
	}
	return s
}

// slopes returns the range of n·dir over a patch. A cone along dir has one value, though the mesh has no normal near
// its apex.
func slopes(pc *partContext, p int32, dir geom.Vec3) geom.Interval {
	s := &pc.g.Patches[p].Shape
	if s.Kind != surface.KindCone || s.Axis.Cross(dir).Norm() > graph.DirectionTolerance {
		return pc.g.Slopes(p, dir)
	}
	up := -math.Sin(s.Slope) * s.Axis.Dot(dir)
	if s.Hollow {
		up = -up
	}
	return geom.Interval{Lo: up, Hi: up}
}
