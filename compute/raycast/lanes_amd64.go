package raycast

import (
	"golang.org/x/sys/cpu"

	"millwright/compute/bvh"
)

// vectors says that the processor works on 8 float32 at a time.
var vectors = cpu.X86.HasAVX2

func (w *walk) next() int32 {
	if vectors {
		return nextAVX2(w)
	}
	return w.nextGo()
}

func triangles(b *bvh.Block, r *ray) uint32 {
	if vectors {
		return trianglesAVX2(b, r)
	}
	return trianglesGo(b, r)
}

// nextAVX2 is nextGo.
//
//go:noescape
func nextAVX2(w *walk) int32

// trianglesAVX2 is trianglesGo.
//
//go:noescape
func trianglesAVX2(b *bvh.Block, r *ray) uint32
