package visibility

import "golang.org/x/sys/cpu"

// vectors says whether blockRuns runs here.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// blockRuns does what occluder.block does over n runs, lanes samples at a time: edge functions in single
// precision, too large by slip, tell most samples outside; what is left is decided as in Go. It may test up
// to lanes-1 samples after the end of a run too, which is no harm: what covers a sample and lies above it
// blocks it.
//
//go:noescape
func blockRuns(o *occluder, x, y, z, runs *int32, n int)
