package raycast

import (
	"golang.org/x/sys/cpu"

	"millwright/compute/bvh"
)

// vectors says that the processor works on 8 float32 at a time.
var vectors = cpu.X86.HasAVX2

func boxes(n *bvh.WideNode, r *ray, near *[bvh.Lanes]float32) uint32 {
	if vectors {
		return boxesAVX2(n, r, near)
	}
	return boxesGo(n, r, near)
}

func triangles(b *bvh.Block, r *ray) uint32 {
	if vectors {
		return trianglesAVX2(b, r)
	}
	return trianglesGo(b, r)
}

// boxesAVX2 is boxesGo.
//
//go:noescape
func boxesAVX2(n *bvh.WideNode, r *ray, near *[bvh.Lanes]float32) uint32

// trianglesAVX2 is trianglesGo.
//
//go:noescape
func trianglesAVX2(b *bvh.Block, r *ray) uint32
