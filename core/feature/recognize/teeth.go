package recognize

// Toothed contours: gears, sprockets, serrations.
//
// Many vertical gaps along one direction that form most of a chain around the part are not pockets to be cut one by
// one. Contour and gaps are one profile, made by a die, a wire or a hob. The slots between rectangular fins are cut
// from a block one by one.
//
// Cost: linear in the free patches for every direction.

import (
	"slices"

	"millwright.dev/millwright/core/feature/recognize/internal/section"
)

const (
	// minNotches and notchShare are the least number of gaps of a toothed contour and their least share of its length.
	minNotches = 6
	notchShare = 0.5
)

// teeth marks the patches in the gaps of toothed contours.
func teeth(r *reading, _ *verifier) {
	groups := r.concaveGroups()
	if len(groups) < minNotches {
		return
	}
	for d := range r.v.Dirs {
		if r.isSecond(d) {
			continue
		}
		w := r.wallsAlong(d)
		byRoot := map[int32][]int{}
		var roots []int32
		for i, group := range groups {
			if slices.ContainsFunc(group, func(p int32) bool { return !w.Steep[p] || !r.isVertical(p, w.Dir) }) {
				continue
			}
			root := w.Root(group[0])
			if byRoot[root] == nil {
				roots = append(roots, root)
			}
			byRoot[root] = append(byRoot[root], i)
		}
		for _, root := range roots {
			if isToothed(r, w, groups, byRoot[root]) {
				for _, i := range byRoot[root] {
					for _, p := range groups[i] {
						r.isTooth[p] = true
					}
				}
			}
		}
	}
}

// isToothed reports whether some groups of one set of walls are most of a chain around material.
func isToothed(r *reading, w *section.Walls, groups [][]int32, which []int) bool {
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
			for o := range r.g.Neighbors(q) {
				if r.isChamfer(o) {
					gaps[o] = true // at the opening
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
