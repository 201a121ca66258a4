//go:build !amd64

package offsetheight

func dilate(acc, lowest, row []float32, left, right, step int, taps []float32) {
	dilateGo(acc, lowest, row, left, right, step, taps)
}

func maxRows(dst, a, b []float32) { maxRowsGo(dst, a, b) }
