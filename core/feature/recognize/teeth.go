package recognize

// Toothed contours: gears, sprockets, serrations.
//
// Gaps that are upright along one direction, many of them and most of the chain round the part there, are no pockets to be
// cut one by one: contour and gaps are one profile, which a die, a wire or a hob makes. The slots between the fins of a
// comb of planes that are square to one another are cut from a block, one by one.
//
// Cost: linear in the free patches for every direction.

import (
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
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
	gaps := map[int32]bool{}
	for _, i := range which {
		for _, q := range groups[i] {
			gaps[q] = true
			for _, x := range r.g.Patches[q].Arcs {
				if o := r.g.Arcs[x].Other(q); r.isChamfer[o] {
					gaps[o] = true // at the mouth
				}
			}
		}
	}
	length := 0.0
	for _, q := range c.Patches {
		if gaps[q] {
			length += r.g.Patches[q].Area / w.Z[q].Length()
		}
	}
	return length >= notchShare*c.Length && !r.areSquare(c.Patches)
}
