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

// prepareVectors is the vector form of batch.prepare. It returns the number of runs written and the number of large
// triangles. runs has space for one more than the maximum of a batch.
//
//go:noescape
func prepareVectors(b *batch, runs *run, n int) (count, large int)

// testVectors tests n runs until hits is full, lanes samples at a time: edge functions in single precision, too large
// by slip, exclude most samples. It returns the number of finished runs, and shortens the next run by its finished
// part. It may also test up to lanes-1 samples after the end of a run. That does no harm: a triangle that covers a
// sample and lies above it blocks it.
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
