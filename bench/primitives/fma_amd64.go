package primitives

import "golang.org/x/sys/cpu"

// fma does rounds of ten multiply-adds on registers of eight floats.
//
//go:noescape
func fma(rounds int)

// multiplyAdd computes in registers and returns the number of operations.
func multiplyAdd(rounds int) float64 {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return multiplyAddScalar(rounds)
	}
	const registers, lanes, operations = 10, 8, 2
	fma(rounds)
	return float64(rounds) * registers * lanes * operations
}
