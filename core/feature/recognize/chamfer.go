package recognize

// Chamfers: where they are cut from.

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

// sameSlant is by how much the sine of the slant of chamfers that one mill cuts may differ.
const sameSlant = 0.02

// chamfers describes the groups of chamfers. A group is cut from the first direction that sees it at a slope between floor
// and wall, else from such a one that sees most. Where there is none, it is parted where it turns outer corners, and each
// part is cut from the direction that cuts most of it, or with the turned groove whose rim it bevels; what none cuts is left
// to other rules.
func (r *recognizer) chamfers() {
	r.sinks()
	for _, loop := range r.chamfered {
		free := slices.DeleteFunc(slices.Clone(loop), func(p int32) bool { return r.taken[p] })
		if len(free) == 0 {
			continue
		}
		for _, group := range r.bySlant(free) {
			if best := r.chamferedFrom(group); best != graph.None {
				r.addChamfer(group, best)
				continue
			}
			for parts := r.betweenCorners(group); len(parts) > 0; parts = parts[1:] {
				best := r.chamferedMostFrom(parts[0])
				if best == graph.None {
					if best = r.grooveBeside(parts[0]); best != graph.None {
						r.addChamfer(parts[0], best)
					}
					continue
				}
				of, rest := r.cutFrom(parts[0], best)
				r.addChamfer(of, best)
				parts = append(parts, rest...)
			}
		}
	}
}

// cutFrom parts chamfers that go on in each other, unless they close to one rim, into those that are cut from a direction, with
// what joins them to others, and those that others are for.
func (r *recognizer) cutFrom(group []int32, d int) (of []int32, rest [][]int32) {
	var others []int32
	isRim := true
	for _, p := range group {
		var beside []int32
		for _, x := range r.g.Patches[p].Arcs {
			if q := r.g.Arcs[x].Other(p); slices.Contains(group, q) {
				beside = append(beside, q)
			}
		}
		if len(group) > 2 { // two close to a rim over two edges between them; of more, an end meets but one
			beside = ascending(beside)
		}
		isRim = isRim && len(beside) > 1
		if r.isChamferedFrom([]int32{p}, d) {
			of = append(of, p)
		} else {
			others = append(others, p)
		}
	}
	if isRim {
		return group, nil
	}
	for _, part := range r.betweenCorners(others) {
		if r.chamferedMostFrom(part) == graph.None {
			of = append(of, part...)
		} else {
			rest = append(rest, part)
		}
	}
	return ascending(of), rest
}

// chamferedMostFrom returns the direction that a group of chamfers is cut from, or else the one from which most of it is:
// round other edges a rim runs on where no one direction sees it. None where none cuts any of it.
func (r *recognizer) chamferedMostFrom(group []int32) int {
	if d := r.chamferedFrom(group); d != graph.None {
		return d
	}
	best, most := graph.None, 0.0
	for d := range r.v.Dirs {
		area := 0.0
		for _, p := range group {
			if share := r.v.Seen(r.g, d, []int32{p}); share > direction.MinFloorVisibility && r.isChamferedFrom([]int32{p}, d) {
				area += share * r.g.Patches[p].Area
			}
		}
		if area > most*(1+graph.AxisTolerance) {
			best, most = d, area
		}
	}
	return best
}

// grooveBeside returns the direction that a turned groove is cut from of whose rim some chamfers are all cones: the turning tool
// that comes into the groove from the side reaches them, which hide each other along the axis. None where there is none.
func (r *recognizer) grooveBeside(group []int32) int {
	g := r.g
	var beside []int32
	for _, x := range g.Patches[group[0]].Arcs {
		if i := r.owner[g.Arcs[x].Other(group[0])]; i != graph.None {
			beside = append(beside, i)
		}
	}
	for _, i := range ascending(beside) {
		f := &r.out[i]
		if f.rule == turnedGroove && !slices.ContainsFunc(group, func(p int32) bool {
			s := &g.Patches[p].Shape
			return !s.IsMantle() || !graph.Parallel(s.Axis, *f.axis) || !slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
				return slices.Contains(f.patches, g.Arcs[x].Other(p))
			})
		}) {
			return r.v.Find(f.dir)
		}
	}
	return graph.None
}

// isChamferedFrom reports whether all of a group lies between floor and wall of a direction.
func (r *facts) isChamferedFrom(group []int32, d int) bool {
	s := r.slopesOf(group, r.v.Dirs[d])
	return s.Lo >= math.Sin(chamfer.SlopeMin) && s.Hi <= math.Cos(chamfer.SlopeMin)
}

// betweenCorners parts patches, ascending, where they turn outer corners.
func (r *facts) betweenCorners(group []int32) [][]int32 {
	set := graph.NewUnionFind(len(group))
	for i, p := range group {
		for _, x := range r.g.Patches[p].Arcs {
			if k, ok := slices.BinarySearch(group, r.g.Arcs[x].Other(p)); ok && r.g.Arcs[x].Convexity != graph.Convex {
				set.Join(int32(i), int32(k))
			}
		}
	}
	parts := set.Groups(func(int32) bool { return true })
	for _, part := range parts {
		for i, k := range part {
			part[i] = group[k]
		}
	}
	return parts
}

// sinks gives holes what others leave of their sinks elsewhere: cones on the same cone, and cones that narrow down to the
// bore at its end or beyond, with nothing but air between.
func (r *recognizer) sinks() {
	var cones []int32
	for p, is := range r.bevels {
		if is && !r.taken[p] && r.g.Patches[p].Kind == surface.KindCone {
			cones = append(cones, int32(p))
		}
	}
	for i := range r.out {
		f := &r.out[i]
		if f.typ != feature.Hole {
			continue
		}
		for k := 0; k < len(f.patches); k++ { // what is added may have pieces in turn
			q := f.patches[k]
			for _, p := range cones {
				if !r.taken[p] && (r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape) || r.isSinkOf(p, q, f)) {
					f.patches = append(f.patches, p)
					r.taken[p], r.owner[p] = true, int32(i)
				}
			}
		}
		slices.Sort(f.patches)
	}
}

// isSinkOf reports whether a cone is the sink at an end of a hole from which others have parted it: round the bore's axis,
// it opens away from the hole, and would meet the bore where that ends or beyond. A cone round a wider bore is the
// chamfer of that.
func (r *recognizer) isSinkOf(cone, bore int32, f *found) bool {
	g := r.g
	s, b := &g.Patches[cone].Shape, &g.Patches[bore].Shape
	if !s.Hollow || s.Kind != surface.KindCone || b.Kind != surface.KindCylinder || !g.Coaxial(b, s) ||
		slices.ContainsFunc(g.Patches[cone].Arcs, func(x int32) bool {
			o := &g.Patches[g.Arcs[x].Other(cone)].Shape
			return o.Kind == surface.KindCylinder && o.Hollow && g.Coaxial(b, o)
		}) {
		return false
	}
	hole, sink := g.ExtentOf(f.patches, b.Axis), g.Extent(cone, b.Axis)
	up, mouth, foot := b.Axis, sink.Lo-hole.Hi, sink.Lo
	if sink.Mid() < hole.Mid() {
		up, mouth, foot = b.Axis.Neg(), hole.Lo-sink.Hi, sink.Hi
	}
	axisAt := func(z float64) geom.Vec3 { return b.Origin.AddScaled(z-b.Origin.Dot(b.Axis), b.Axis) }
	narrow := s.RadiusAt(axisAt(foot))
	below := (narrow - b.Radius) / math.Abs(math.Tan(s.Slope)) // mm, from its foot down to the bore
	return mouth > 0 && math.Abs(s.RadiusAt(axisAt(foot).AddScaled(g.Length, up))) > math.Abs(narrow) &&
		below > -r.slack() && math.Abs(below) <= mouth+r.slack() && !g.Crosses(axisAt(hole.Mid()), axisAt(foot))
}

// shouldersOfHoles gives holes what others leave of their shoulders elsewhere: planes on the plane of a shoulder, within
// the bore above it.
func (r *recognizer) shouldersOfHoles() {
	g := r.g
	var free []int32
	for p := range g.Patches {
		if !r.taken[p] && g.Patches[p].Kind == surface.KindPlane {
			free = append(free, int32(p))
		}
	}
	planes := g.NewPlanes(free)
	for i := range r.out {
		f := &r.out[i]
		if f.typ != feature.Hole {
			continue
		}
		for _, q := range slices.Clone(f.patches) {
			s := &g.Patches[q].Shape
			bore := r.boreAbove(f, q)
			if s.Kind != surface.KindPlane || bore == graph.None {
				continue
			}
			b := &g.Patches[bore].Shape
			planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(p int32) {
				if !r.taken[p] && g.Continues(s, &g.Patches[p].Shape) && g.Reach(p, b).Hi <= b.Radius+r.slack() {
					f.patches = append(f.patches, p)
					r.taken[p], r.owner[p] = true, int32(i)
				}
			})
		}
		slices.Sort(f.patches)
	}
}

// boreAbove returns the cylinder of a hole that rises from one of its shoulders, None where there is none.
func (r *recognizer) boreAbove(f *found, shoulder int32) int32 {
	for _, x := range r.g.Patches[shoulder].Arcs {
		a := &r.g.Arcs[x]
		q := a.Other(shoulder)
		if a.Convexity == graph.Concave && r.g.Patches[q].Kind == surface.KindCylinder && r.g.Patches[q].Hollow &&
			slices.Contains(f.patches, q) {
			return q
		}
	}
	return graph.None
}

// chamferedFrom returns the direction that a group of chamfers is cut from: the first that sees it, rather one to which
// all of it has one slant, else the one that sees most; None where none sees enough of it.
func (r *recognizer) chamferedFrom(group []int32) int {
	best, most := graph.None, direction.MinFloorVisibility
	for i, d := range r.v.Dirs {
		if !r.isChamferedFrom(group, i) {
			continue
		}
		share := r.v.Seen(r.g, i, group)
		if share >= direction.MinWallVisibility {
			if r.slopesOf(group, d).Length() <= sameSlant {
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

// bySlant parts a group of chamfers, ascending, into those that lean as far to the direction that they are cut from: a
// chamfer mill has one angle. What turns no outer corner stays together, and what runs round one face; parts of one slant that
// share an edge or a surface are one.
func (r *recognizer) bySlant(group []int32) [][]int32 {
	d := r.chamferedFrom(group)
	if d == graph.None || r.slopesOf(group, r.v.Dirs[d]).Length() <= sameSlant {
		return [][]int32{group}
	}
	parts := r.betweenCorners(group)
	partOf := map[int32]int32{}
	slants := make([]geom.Interval, len(parts))
	for i, part := range parts {
		slants[i] = r.slopesOf(part, r.v.Dirs[d])
		for _, p := range part {
			partOf[p] = int32(i)
		}
	}
	set, surfaces := graph.NewUnionFind(len(parts)), r.g.NewSurfaces(group)
	for _, p := range group {
		i := partOf[p]
		join := func(q int32) {
			if k, ok := partOf[q]; ok && max(slants[i].Hi, slants[k].Hi)-min(slants[i].Lo, slants[k].Lo) <= sameSlant {
				set.Join(i, k)
			}
		}
		surfaces.On(&r.g.Patches[p].Shape, join)
		for _, x := range r.g.Patches[p].Arcs {
			join(r.g.Arcs[x].Other(p))
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

// addChamfer adds a group of chamfers that is cut from direction d.
func (r *recognizer) addChamfer(group []int32, d int) {
	p := &r.g.Patches[group[0]]
	f := found{
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
	if r.add(f) {
		for _, p := range group {
			r.isChamfer[p] = true
		}
	}
}

// slopesOf returns the range of n·dir over several patches.
func (r *facts) slopesOf(patches []int32, dir geom.Vec3) geom.Interval {
	s := r.slopes(patches[0], dir)
	for _, p := range patches[1:] {
		o := r.slopes(p, dir)
		s.Lo, s.Hi = min(s.Lo, o.Lo), max(s.Hi, o.Hi)
	}
	return s
}

// slopes returns the range of n·dir over a patch: of a cone along dir one, though near its apex the mesh knows no normal.
func (r *facts) slopes(p int32, dir geom.Vec3) geom.Interval {
	s := &r.g.Patches[p].Shape
	if s.Kind != surface.KindCone || s.Axis.Cross(dir).Norm() > graph.DirectionTolerance {
		return r.g.Slopes(p, dir)
	}
	up := -math.Sin(s.Slope) * s.Axis.Dot(dir)
	if s.Hollow {
		up = -up
	}
	return geom.Interval{Lo: up, Hi: up}
}
