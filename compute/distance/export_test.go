//go:build gpu

package distance

// Longest is the side of a grid up to which a device takes it.
const Longest = longest
