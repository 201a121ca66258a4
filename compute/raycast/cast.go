package raycast

// Rays on the processor.
//
// Method: the ray walks a tree of eight children per node (compute/bvh, Wide), which are tested at once in single
// precision, and goes to the nearest first (I. Wald, C. Benthin, S. Boulos, "Getting rid of packets", IEEE RT 2008).
// The eight triangles of a leaf are tested at once too: S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle
// intersection", JCGT 2(1), 2013, shears them onto the ray in single precision, each corner to the same place in all
// triangles. Where that leaves a triangle possible, the signs of the exact edge functions decide, not only where one
// of them is zero as in the paper; so the answers do not depend on the vector unit.
//
// Cost: O(log n) for the usual mesh. Boxes are wider than rounding can move a triangle or a ray, so none is missed.

import (
	"math"
	"math/bits"

	"millwright/compute/bvh"
)

// caster casts rays through a tree. It is for one goroutine.
type caster struct {
	tree   *bvh.Wide
	radius float64 // mm
	walk
}

// walk is a ray on its way; the assembly knows how it is laid out.
type walk struct {
	ray   ray
	nodes []bvh.WideNode
	near  [bvh.Lanes]float32
	top   int // of the stack
	stack [stackSize]entry
}

// stackSize is enough for every tree: each node on the way down leaves up to seven others for later.
const stackSize = (bvh.MaxDepth+1)*(bvh.Lanes-1) + 1

// entry is a subtree that is still to be walked.
type entry struct {
	near  float32 // mm along the line, where its box is entered
	child int32   // as in bvh.WideNode
}

// newCaster returns a caster for a tree.
func newCaster(tree *bvh.Tree) *caster {
	wide := tree.Wide()
	return &caster{tree: wide, radius: tree.Radius(), walk: walk{nodes: wide.Nodes}}
}

// cast returns what a line through the tree meets: the nearest hit, or the first found if any will do. t is in mm from
// the line's origin, triangle its number in the mesh, -1 where it meets none.
func (c *caster) cast(l *bvh.Line, any bool) (t float64, triangle int32) {
	best := hit{math.Inf(1), -1}
	if len(c.nodes) == 0 {
		return best.t, best.triangle
	}
	c.ray.set(l, c.radius)
	c.top, c.stack[0] = 1, entry{c.ray.from, 0}
	for {
		leaf := c.next()
		if leaf == 0 {
			return best.t, best.triangle
		}
		if c.test(c.tree.Leaf(leaf), &best); any && best.triangle >= 0 {
			return best.t, best.triangle
		}
	}
}

// test looks for a hit before best in a leaf and shortens the ray to it. Of two at the same place the one of the lower
// number counts.
func (c *caster) test(leaf []bvh.Block, best *hit) {
	for i := range leaf {
		b := &leaf[i]
		for mask := triangles(b, &c.ray) & (1<<b.Count - 1); mask != 0; mask &= mask - 1 {
			lane := bits.TrailingZeros32(mask)
			t, met := c.ray.meets(b, lane)
			if met && (t < best.t || t == best.t && b.ID[lane] < best.triangle) {
				*best = hit{t, b.ID[lane]}
				c.ray.to = min(c.ray.to, float32(t)+c.ray.slack)
			}
		}
	}
}
