package offsetheight

// dilateGo is dilate in plain Go.
func dilateGo(acc, lowest, row []float32, left, right, step int, taps []float32) {
	for k := range lowest {
		a := (*[blockSize]float32)(acc[k*blockSize:])
		l, r := left+k*blockSize, right+k*blockSize
		for t, h := range taps {
			lo, hi := (*[blockSize]float32)(row[l-t*step:]), (*[blockSize]float32)(row[r+t*step:])
			for i := range a {
				a[i] = max(a[i], max(lo[i], hi[i])+h)
			}
		}
		least := a[0]
		for _, z := range a[1:] {
			least = min(least, z)
		}
		lowest[k] = least
	}
}

// maxRowsGo is maxRows in plain Go.
func maxRowsGo(dst, a, b []float32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}
