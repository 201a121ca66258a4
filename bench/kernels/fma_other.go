//go:build !amd64

package kernels

func multiplyAdd(rounds int) float64 { return multiplyAddScalar(rounds) }
