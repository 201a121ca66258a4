package visibility

import "golang.org/x/sys/cpu"

// vectors says whether drawVectors runs here.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// drawVectors does what block does over all rows, lanes samples at a time. It may test up to lanes-1 samples after
// the end of a row too: the answer for a sample does not depend on which triangles it is tested against beyond
// those that cover it.
//
//go:noescape
func drawVectors(o *occluder, r *rows)
