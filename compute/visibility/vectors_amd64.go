package visibility

import "golang.org/x/sys/cpu"

// vectors reports whether the functions below are usable on this processor.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// turnFours is the vector form of turn for n groups of four points.
//
//go:noescape
func turnFours(dst *viewPoint, src *[3]float32, n int, m *turning)

// faceFours is the vector form of facing for n groups of four normals.
//
//go:noescape
func faceFours(normals *[3]float32, n int, d *[3]float32, least float32) uint64

// enterVectors is the vector form of entered for n groups of triangles; places is chosen.
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

// settleVectors is the vector form of occluder.block for n hits.
//
//go:noescape
func settleVectors(b *batch, hits *hit, n int)

// lowestVectors is the vector form of lowest for n groups of lanes numbers.
//
//go:noescape
func lowestVectors(dst, src *int32, n, shift int)
