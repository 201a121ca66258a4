package predicate

// Expansions (Shewchuk 1997, section 2): an exact number as a sum of floats that do not overlap, in
// order of growing magnitude, without zeros. The largest component has the sign of the number.
// A destination must not overlap the operands.

// last returns the largest component, 0 for an empty expansion.
func last(e []float64) float64 {
	if len(e) == 0 {
		return 0
	}
	return e[len(e)-1]
}

func appendNonZero(e []float64, x float64) []float64 {
	if x != 0 {
		e = append(e, x)
	}
	return e
}

func (x *pair) expansion(buf []float64) []float64 {
	return appendNonZero(appendNonZero(buf, x.lo), x.hi)
}

// sum appends e + f to dst (FAST-EXPANSION-SUM with zero elimination).
func sum(dst, e, f []float64) []float64 {
	i, j := 0, 0
	next := func() (x float64) {
		if j >= len(f) || i < len(e) && abs(e[i]) < abs(f[j]) {
			x = e[i]
			i++
			return x
		}
		x = f[j]
		j++
		return x
	}
	if len(e)+len(f) == 0 {
		return dst
	}
	q := next()
	for i < len(e) || j < len(f) {
		s := twoSum(q, next())
		dst = appendNonZero(dst, s.lo)
		q = s.hi
	}
	return appendNonZero(dst, q)
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// scale appends b·e to dst (SCALE-EXPANSION with zero elimination).
func scale(dst, e []float64, b float64) []float64 {
	if len(e) == 0 || b == 0 {
		return dst
	}
	t := twoProduct(e[0], b)
	dst = appendNonZero(dst, t.lo)
	q := t.hi
	for _, x := range e[1:] {
		t = twoProduct(x, b)
		s := twoSum(q, t.lo)
		dst = appendNonZero(dst, s.lo)
		s = fastTwoSum(t.hi, s.hi)
		dst = appendNonZero(dst, s.lo)
		q = s.hi
	}
	return appendNonZero(dst, q)
}

// productPairs appends x·y, at most 8 components.
func productPairs(dst []float64, x, y *pair) []float64 {
	var xb [2]float64
	var lo, hi [4]float64
	e := x.expansion(xb[:0])
	return sum(dst, scale(lo[:0], e, y.lo), scale(hi[:0], e, y.hi))
}

// cross appends ax·by - ay·bx, at most 16 components.
func cross(dst []float64, ax, ay, bx, by *pair) []float64 {
	var l, r [8]float64
	minus := pair{-ay.hi, -ay.lo}
	return sum(dst, productPairs(l[:0], ax, by), productPairs(r[:0], &minus, bx))
}
