// Package setup chooses the fewest directions from which all features of a part are visible, and assigns the features
// to them.
package setup

// Method: every feature can be made from its own direction, and from others along which a mill cuts the same faces as
// walls or floors. These are the sets of a set cover (cover.go). Among several smallest covers, the one counts whose
// directions belong to the largest area of features, then the one with the earliest directions. The first setup is the
// one with the largest area that no other can make. A feature is made in the first setup that can make it.
//
// A plane may be made as a wall, by the side of a mill. Two limits prevent a setup with the part on its edge for that:
// the wall is at most deepestWall high, and not higher than the part is thick behind it. So the sides of a plate are
// walls from above, while its underside is a floor that needs a separate direction.
//
// A feature below direction.LeastArea requires no setup: it is made in the one from which most of it is visible. Parts
// of a feature that are invisible from its setup do not affect the choice, but are listed as unmachined.
//
// Limits: tools and holders are not considered; a plan does that (package planning). A face visible here may be out of
// reach there. At most 64 directions.
//
// Cost: features times their faces times directions, then the cost of the search.

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// deepestWall (mm) is the height of wall that the side of a mill makes in one setup: four times the diameter of the
	// widest end mills in common use, 50 mm, beyond which makers of tools advise against it (Sandvik Coromant, Metal
	// Cutting Technology, D: milling with large overhang).
	deepestWall = 200

	// lean (rad) is the largest inclination of a wall or a floor that another setup makes with a round tool, line by
	// line, without a tilt of the part.
	lean = 20 * math.Pi / 180

	// leastOfFace is the share of a face above which more than samples at its edges are visible.
	leastOfFace = 1 - direction.MinWallVisibility

	// weightSteps: areas that differ by less than this part of all are equal.
	weightSteps = 1e4

	maxDirections = 64
)

// Setup is the set of features made from one direction.
type Setup struct {
	Direction geom.Vec3 // unit, from the part toward the spindle
	Features  []int     // ascending
}

// chooser is one choice.
type chooser struct {
	g        *graph.Graph
	v        *direction.Visibility
	features []feature.Feature
	dirs     []geom.Vec3 // directions of v, then those of features that v lacks
	own      []int       // by feature: of dirs
	patches  [][]int32   // by feature, ascending: its patches that no Face machines
	from     []uint64    // by feature: the directions that can make it
}

// Choose returns the setups of a part, best first. Every feature is in one of them.
func Choose(g *graph.Graph, v *direction.Visibility, features []feature.Feature) []Setup {
	c := chooser{g: g, v: v, features: features, dirs: slices.Clone(v.Dirs)}
	c.own, c.patches, c.from = make([]int, len(features)), make([][]int32, len(features)), make([]uint64, len(features))
	for i := range features {
		c.patches[i] = g.PatchesOf(features[i].Regions)
	}
	c.shareOut()
	for i := range features {
		if c.own[i] = c.index(features[i].Direction); c.own[i] != graph.None {
			c.from[i] = c.makers(i)
		}
	}
	search := cover{weight: c.weights(), sets: minimal(c.sets())}
	return c.assign(search.solve())
}

// shareOut leaves to faces the planes that profiles have too: they are made once.
func (c *chooser) shareOut() {
	isFace := make([]bool, len(c.g.Patches))
	for i := range c.features {
		for _, p := range c.patches[i] {
			isFace[p] = isFace[p] || c.features[i].Type == feature.Face
		}
	}
	for i := range c.features {
		if c.features[i].Type != feature.Profile {
			continue
		}
		round := slices.DeleteFunc(slices.Clone(c.patches[i]), func(p int32) bool { return isFace[p] })
		if len(round) > 0 {
			c.patches[i] = round
		}
	}
}

// index returns the index of a direction in dirs and appends a new one; None if there are too many.
func (c *chooser) index(d geom.Vec3) int {
	if i := slices.IndexFunc(c.dirs, func(x geom.Vec3) bool { return direction.Same(x, d) }); i >= 0 {
		return i
	}
	if len(c.dirs) == maxDirections {
		return graph.None
	}
	c.dirs = append(c.dirs, d)
	return len(c.dirs) - 1
}

// makers returns the directions from which feature i can be made, as bits.
func (c *chooser) makers(i int) uint64 {
	set := uint64(1) << c.own[i]
	if t := c.features[i].Type; t == feature.Tslot || t == feature.Dovetail || c.features[i].HasOuterThread() ||
		c.own[i] >= len(c.v.Dirs) {
		return set // an undercut needs its own cutter's direction; an invisible feature cannot be judged
	}
	for d := range c.v.Dirs {
		if d != c.own[i] && !slices.ContainsFunc(c.patches[i], func(p int32) bool { return !c.makes(d, c.own[i], p) }) {
			set |= 1 << d
		}
	}
	return set
}

// makes reports whether a face of a feature of direction own can be made from direction d as well.
func (c *chooser) makes(d, own int, p int32) bool {
	share, seen := c.v.Share[d][p], c.v.Share[own][p]
	if seen < leastOfFace {
		return true // too little of it is visible to count
	}
	if share < direction.MinWallVisibility*seen {
		return false
	}
	switch direction.Classify(c.g, p, c.v.Dirs[d]) {
	case direction.Normal:
		return true
	case direction.Parallel:
		return direction.Same(c.v.Dirs[d], c.v.Dirs[own].Neg()) || c.isWall(p, c.v.Dirs[d])
	case direction.Oblique:
		if direction.Classify(c.g, p, c.v.Dirs[own]) == direction.Oblique || c.isRounding(p) {
			return true
		}
		s := c.g.Slopes(p, c.v.Dirs[d])
		return s.Lo >= math.Cos(lean) || s.Lo >= 0 && s.Hi <= math.Sin(lean) && c.isWall(p, c.v.Dirs[d])
	}
	return false
}

// isRounding reports whether a face rounds an outer edge, which a cutter of that form makes across the edge as well as
// an end mill along it.
func (c *chooser) isRounding(p int32) bool { return !c.g.Patches[p].Hollow && c.g.IsBlend(p) }

// isWall reports whether the side of a mill along d can make a face.
func (c *chooser) isWall(p int32, d geom.Vec3) bool {
	height := c.g.Extent(p, d).Length()
	if height > deepestWall {
		return false
	}
	n := c.g.Patches[p].Axis
	if !c.g.Facing(p, n) {
		return true // no plane: a rounded corner has no thickness behind it
	}
	return height <= c.thickness(n)+c.g.Length
}

// thickness returns the extent of the part along a direction, mm.
func (c *chooser) thickness(n geom.Vec3) float64 {
	for _, d := range [2]geom.Vec3{n, n.Neg()} {
		if i := c.v.Find(d); i != graph.None {
			return c.v.Z[i].Length()
		}
	}
	iv := geom.EmptyInterval()
	for _, q := range c.g.Mesh.Points {
		iv = iv.Add(q.Dot(n))
	}
	return iv.Length()
}

// sets returns the sets of directions with one choice each, as bits: the sets of the features that are not slivers, or
// of all if all are.
func (c *chooser) sets() []uint64 {
	var out, slivers []uint64
	least := direction.LeastArea(c.g)
	for i, from := range c.from {
		switch {
		case from == 0:
		case c.g.AreaOf(c.patches[i]) < least:
			slivers = append(slivers, from)
		default:
			out = append(out, from)
		}
	}
	if len(out) == 0 {
		return slivers
	}
	return out
}

// weights returns the area of the features that have each direction for their own, in weightSteps of all.
func (c *chooser) weights() []int {
	area := make([]float64, len(c.dirs))
	all := 0.0
	for i := range c.features {
		if c.own[i] != graph.None {
			a := c.g.AreaOf(c.patches[i])
			area[c.own[i]] += a
			all += a
		}
	}
	out := make([]int, len(area))
	for d, a := range area {
		if all > 0 {
			out[d] = int(math.Round(a / all * weightSteps))
		}
	}
	return out
}

// assign gives every feature to one of the chosen directions, ordered by the area that only they can make.
func (c *chooser) assign(chosen uint64) []Setup {
	type ranked struct {
		d    int     // of dirs
		area float64 // mm²
		made []int
	}
	var list []ranked
	for m := chosen; m != 0; m &= m - 1 {
		list = append(list, ranked{d: bits.TrailingZeros64(m)})
	}
	for i, from := range c.from {
		for k := range list {
			if from&chosen == 1<<list[k].d {
				list[k].area += c.g.AreaOf(c.patches[i])
			}
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Compare(direction.RoundSignificant(b.area), direction.RoundSignificant(a.area))
	})
	for i, from := range c.from {
		k := slices.IndexFunc(list, func(s ranked) bool { return from&(1<<s.d) != 0 })
		if k < 0 && from != 0 {
			d := c.seesMost(i, chosen)
			k = slices.IndexFunc(list, func(s ranked) bool { return s.d == d })
		}
		if k >= 0 {
			list[k].made = append(list[k].made, i)
		}
	}
	out := make([]Setup, len(list))
	for k := range list {
		out[k] = Setup{Direction: c.dirs[list[k].d], Features: list[k].made}
	}
	return out
}

// seesMost returns the chosen direction from which most of a feature is visible.
func (c *chooser) seesMost(i int, chosen uint64) int {
	best, most := bits.TrailingZeros64(chosen), -1.0
	for d := range c.v.Dirs {
		if seen := c.v.Seen(c.g, d, c.patches[i]); chosen&(1<<d) != 0 && seen > most {
			best, most = d, seen
		}
	}
	return best
}
