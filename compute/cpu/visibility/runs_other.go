//go:build !amd64

package visibility

const vectors = false

func blockRuns(*occluder, *int32, *int32, *int32, *int32, int) { panic("no vectors on this processor") }
