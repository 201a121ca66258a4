// Package conform holds every backend of the compute primitives to what package kernel says of them: random
// and degenerate inputs, answers compared with slow and obvious references within the bounds stated there.
// The tests of each backend call one function per primitive.
package conform
