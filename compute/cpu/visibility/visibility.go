// Package visibility tells which sample points of a body are seen along a direction, on the processor.
//
// Method: the rays of one direction are parallel, so none is traced. Points and samples are turned once into
// a frame whose z runs along the rays and rounded to whole steps of 2^-24 of the half diagonal there.
// Coordinates are then integers of 25 bits with their sign, edge functions integers of 51 bits, and both are
// exact in float64: which triangle covers which sample is decided without error, shared edges leak nothing,
// and no predicate needs a second try. (S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle intersection",
// JCGT 2(1), 2013, gets there by falling back on doubles.) It is rasterization turned around (J. Pineda, "A
// parallel algorithm for polygon rasterization", SIGGRAPH 1988; T. Aila, S. Laine, "Alias-free shadow maps",
// EGSR 2004): the samples, sorted into cells, are the pixels, at the places where they happen to be, and
// every triangle that is entered along the rays is drawn over them, row of cells by row of cells. A row is
// one run of samples, so the inner loop reads straight through memory.
//
// Where the processor has vectors, edge functions in single precision with a bound on their error first tell
// most samples outside, eight at once; the few that are left are decided exactly, so the answers are the same
// bits.
//
// What is drawn: only triangles that face against the rays, as no other is met first from outside; only over
// blocks of cells that hold a sample below the triangle's highest corner. Large triangles are cut to what
// they cover of each row of blocks and of each row of cells, so that a needle across the part costs its
// length and not its bounding box.
//
// Cost: O(points + triangles + samples + covered pairs) per direction, some 60 ns per triangle with one
// sample each on the usual part; 12 bytes per point and 36 per facing sample and goroutine. Limits: one
// goroutine per direction; a body of many layers costs every sample all layers above it; needles as long as
// the part cost one step per row of cells, some 400 ns each at 60,000 of them.
package visibility
