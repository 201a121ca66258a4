//go:build !amd64

package visibility

const vectors = false

func drawVectors(*occluder, *rows) { panic("no vectors on this processor") }
