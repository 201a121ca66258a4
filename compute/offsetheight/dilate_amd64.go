package offsetheight

import "golang.org/x/sys/cpu"

// wide reports whether the processor operates on 8 float32 at a time.
var wide = cpu.X86.HasAVX2

// dilate raises each cell x of acc to the greatest of max(row[left+x-t·step], row[right+x+t·step]) + taps[t], and
// writes the lowest cell of each block to lowest. lowest has one element for each block of acc. The values must not be
// NaN, and in row not -0.
func dilate(acc, lowest, row []float32, left, right, step int, taps []float32) {
	if !wide {
		dilateGo(acc, lowest, row, left, right, step, taps)
		return
	}
	n, last := len(lowest)*blockSize, (len(taps)-1)*step
	if n == 0 || len(taps) == 0 {
		return
	}
	// The ends of both index ranges are in range, so all elements between them are.
	_ = acc[:n]
	_, _ = row[left:left+n], row[left-last:left-last+n]
	_, _ = row[right:right+n], row[right+last:right+last+n]
	dilateAVX2(&acc[0], &lowest[0], &row[left], &row[right], step, &taps[0], len(taps), len(lowest))
}

// maxRows puts the greater of a and b into dst, which may be a itself; b may be a later part of a. The length of
// dst is a multiple of 8.
func maxRows(dst, a, b []float32) {
	if !wide || len(dst) == 0 {
		maxRowsGo(dst, a, b)
		return
	}
	_, _ = a[:len(dst)], b[:len(dst)]
	maxRowsAVX2(&dst[0], &a[0], &b[0], len(dst)/8)
}

// dilateAVX2 is dilate for the addresses of the first cells.
//
//go:noescape
func dilateAVX2(acc, lowest, left, right *float32, step int, taps *float32, count, blocks int)

// maxRowsAVX2 is maxRows for n times 8 values.
//
//go:noescape
func maxRowsAVX2(dst, a, b *float32, n int)
