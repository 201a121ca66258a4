package recognize

// Claims: the features of a reading and the patches that they own.
//
// Rules read claims and propose changes to the verifier, which alone makes them (verify.go).

import (
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// candidate is a feature in terms of the graph.
type candidate struct {
	typ     feature.Type
	patches []int32 // ascending; none after a merge into another feature
	dir     geom.Vec3
	axis    *geom.Vec3
	z       geom.Interval // mm along dir
	hole    *feature.HoleShape
	pocket  *feature.PocketShape
	thread  *feature.ThreadShape
	rule    string
	reasons []string
}

// along returns a candidate with direction and axis dir and the height of its patches.
func (pc *partContext) along(typ feature.Type, rule string, patches []int32, dir geom.Vec3) candidate {
	return candidate{typ: typ, rule: rule, patches: patches, dir: dir, axis: &dir, z: pc.g.ExtentOf(patches, dir)}
}

// claims are the accepted features and the owner of each patch.
type claims struct {
	owner    []int32 // by patch: index of the feature, the first of two, None for a free patch
	features []*candidate
}

// newClaims returns the claims on n free patches.
func newClaims(n int) *claims { return &claims{owner: slices.Repeat([]int32{graph.None}, n)} }

// ownerOf returns the feature that owns patch p, None for a free patch.
func (c *claims) ownerOf(p int32) int32 { return c.owner[p] }

// isTaken reports whether a feature owns patch p.
func (c *claims) isTaken(p int32) bool { return c.owner[p] != graph.None }

// taken returns isTaken of every patch.
func (c *claims) taken() []bool {
	is := make([]bool, len(c.owner))
	for p, f := range c.owner {
		is[p] = f != graph.None
	}
	return is
}

// isChamfer reports whether a chamfer owns patch p.
func (c *claims) isChamfer(p int32) bool { return c.typeOf(p) == feature.Chamfer }

// free returns the free patches, ascending.
func (c *claims) free() (out []int32) {
	for p, f := range c.owner {
		if f == graph.None {
			out = append(out, int32(p))
		}
	}
	return out
}

// typeOf returns the type of the feature that owns patch p, "" for a free patch.
func (c *claims) typeOf(p int32) feature.Type {
	if f := c.owner[p]; f != graph.None {
		return c.features[f].typ
	}
	return ""
}

// patchesOf returns the owned patches, ascending, whose feature and number satisfy fit.
func (c *claims) patchesOf(fit func(f *candidate, p int32) bool) (out []int32) {
	for p, f := range c.owner {
		if f != graph.None && fit(c.features[f], int32(p)) {
			out = append(out, int32(p))
		}
	}
	return out
}

// marks are properties of patches that a rule finds on the way and later rules read.
type marks struct {
	isTooth        []bool  // by patch: in the gaps of a toothed contour
	cornerOf       []int32 // by patch: 1 + the first patch of its inner corner of a contour, 0 outside such corners
	reachesDown    []bool  // by patch: the top of an island that slopes down to the floor
	isCore         []bool  // by patch: wall of the core of a ring groove
	isBarelyWalled []bool  // by patch: a plane whose walls cover too little of its boundary for a floor
	inNoPocket     []bool  // by patch: a floor with only round outer walls, or a drafted side with its walls
	groove         []int32 // by patch: 1 + the first floor of its ring groove, 0 for other patches
	floors         []floorCandidate
}

func newMarks(n int) *marks {
	return &marks{
		isTooth: make([]bool, n), cornerOf: make([]int32, n), reachesDown: make([]bool, n),
		isCore: make([]bool, n), isBarelyWalled: make([]bool, n), inNoPocket: make([]bool, n), groove: make([]int32, n),
	}
}

// reading is the view of a rule: the facts of the part, the claims and the marks so far. Rules change marks and floors
// themselves, but claims only through the verifier.
type reading struct {
	*partContext
	*claims
	*marks
}
