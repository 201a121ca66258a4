//go:build !amd64

package primitives

func multiplyAdd(rounds int) float64 { return multiplyAddScalar(rounds) }
