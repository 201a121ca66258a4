package cpu

import "millwright/core/geom"

// FlatNode is a node of a BVH as other backends read it: 32 bytes.
type FlatNode struct {
	Lo, Hi [3]float32 // mm, about the tree's middle
	Skip   int32      // index of the node after the subtree
	Leaf   uint32     // first triangle << 4 | count for a leaf, 0 for an inner node
}

// Flat returns the nodes in depth-first order, the triangles in the order in which the leaves number them, and
// the middle that the boxes are about.
func (b *BVH) Flat() (nodes []FlatNode, triangles [][3]int32, middle geom.Vec3) {
	nodes = make([]FlatNode, len(b.nodes))
	for i, n := range b.nodes {
		nodes[i] = FlatNode{n.lo, n.hi, n.skip, n.leaf}
	}
	return nodes, b.tris, b.center
}
