package visibility

import "golang.org/x/sys/cpu"

// vectors says whether the functions below run here.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// turnFours does what turn does for n groups of four places.
//
//go:noescape
func turnFours(dst *viewPoint, src *[3]float32, n int, m *turning)

// faceFours does what facing does for n groups of four normals.
//
//go:noescape
func faceFours(normals *[3]float32, n int, d *[3]float32, least float32) uint64

// enterVectors does what entered does for n groups of triangles; places is chosen.
//
//go:noescape
func enterVectors(dst *int32, f *facets, n int, d *[3]float32, first int, places *uint64) (count int)

// prepareVectors does what batch.prepare does in Go. It returns how many runs it wrote, of which there is
// room for one more than a batch can have, and how many triangles are large.
//
//go:noescape
func prepareVectors(b *batch, runs *run, n int) (count, large int)

// testVectors goes through n runs until there is no more room for hits, lanes samples at a time: edge
// functions in single precision, too large by slip, tell most samples outside. It returns how many runs are
// done; from the next it has cut off what is done. It may test up to lanes-1 samples after the end of a run
// too, which is no harm: what covers a sample and lies above it blocks it.
//
//go:noescape
func testVectors(b *batch, runs *run, n int, hits *hit) (done, count int)

// settleVectors does what occluder.block does, for n hits.
//
//go:noescape
func settleVectors(b *batch, hits *hit, n int)

// lowestVectors does what lowest does for n groups of lanes numbers.
//
//go:noescape
func lowestVectors(dst, src *int32, n, shift int)
