package recognize

// Toothed contours: gears, sprockets, serrations.
//
// Gaps that are upright along one direction, many of them and most of the chain round the part there,
// open to all sides, are no pockets to be cut one by one: contour and gaps are one profile.
//
// Cost: linear in the free patches for every direction.

import (
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/feature/recognize/internal/section"
	"millwright/core/geom"
)

const (
	// minNotches and notchShare tell a contour of teeth from a part with notches in its sides: so many of
	// them, over so much of the circumference.
	minNotches = 6
	notchShare = 0.5
)

// teeth marks the patches in the gaps of toothed contours.
func (r *recognizer) teeth() {
	groups := r.hollowGroups()
	if len(groups) < minNotches {
		return
	}
	for d := range r.v.Dirs {
		if o := r.v.Find(r.v.Dirs[d].Neg()); o != graph.None && o < d {
			continue
		}
		w := r.wallsAlong(d)
		byRoot := map[int32][]int{}
		var roots []int32
		for i, group := range groups {
			if slices.ContainsFunc(group, func(p int32) bool { return !w.Steep[p] || !r.isUpright(p, w.Dir) }) {
				continue
			}
			root := w.Root(group[0])
			if byRoot[root] == nil {
				roots = append(roots, root)
			}
			byRoot[root] = append(byRoot[root], i)
		}
		for _, root := range roots {
			if r.isToothed(w, groups, byRoot[root]) {
				for _, i := range byRoot[root] {
					for _, p := range groups[i] {
						r.isTooth[p] = true
					}
				}
			}
		}
	}
}

// isToothed reports whether some groups of one set of walls are most of a chain round material.
func (r *recognizer) isToothed(w *section.Walls, groups [][]int32, which []int) bool {
	if len(which) < minNotches {
		return false
	}
	p := groups[which[0]][0]
	c, ok := w.ChainOf(p, w.Z[p].Mid())
	if !ok || !c.IsClosed || c.Area <= 0 {
		return false
	}
	length := 0.0
	for _, i := range which {
		for _, q := range groups[i] {
			if _, in := slices.BinarySearch(c.Patches, q); in {
				length += r.g.Patches[q].Area / w.Z[q].Length()
			}
		}
	}
	return length >= notchShare*c.Length && r.openAllRound(w, groups, which)
}

// openAllRound reports whether gaps open to all sides, as those of a gear, and not to one, as those between
// the fins of a heat sink.
func (r *facts) openAllRound(w *section.Walls, groups [][]int32, which []int) bool {
	frame := geom.NewFrame(geom.Vec3{}, w.Dir, geom.Vec3{})
	var angles []float64
	for _, i := range which {
		var mouth geom.Vec3 // the walls of a gap cancel out, its floor does not
		for _, p := range groups[i] {
			var sum geom.Vec3
			n := 0.0
			r.g.EachPoint(p, func(_, normal geom.Vec3) { sum, n = sum.Add(normal), n+1 })
			mouth = mouth.AddScaled(r.g.Patches[p].Area/n, sum)
		}
		l := frame.LocalDir(mouth)
		angles = append(angles, math.Atan2(l.Y, l.X))
	}
	return section.WidestGap(angles) < math.Pi-graph.SmoothAngle
}
