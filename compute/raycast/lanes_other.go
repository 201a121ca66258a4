//go:build !amd64

package raycast

import "millwright/compute/bvh"

// vectors says that the processor works on 8 float32 at a time.
var vectors = false

func (w *walk) next() int32 { return w.nextGo() }

func triangles(b *bvh.Block, r *ray) uint32 { return trianglesGo(b, r) }
