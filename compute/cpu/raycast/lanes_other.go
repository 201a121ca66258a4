//go:build !amd64

package raycast

import "millwright/compute/bvh"

// vectors says that the processor works on 8 float32 at a time.
var vectors = false

func boxes(n *bvh.WideNode, r *ray, near *[bvh.Lanes]float32) uint32 { return boxesGo(n, r, near) }

func triangles(b *bvh.Block, r *ray) uint32 { return trianglesGo(b, r) }
