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

// term is one row of InCircle's determinant: a squared length and the minor that it multiplies.
type term struct {
	lift, minor         [16]float64
	liftSize, minorSize int
}

func (t *term) set(x, y, px, py, qx, qy *pair) {
	var xx, yy [8]float64
	t.liftSize = len(sum(t.lift[:0], productPairs(xx[:0], x, x), productPairs(yy[:0], y, y)))
	t.minorSize = len(cross(t.minor[:0], px, py, qx, qy))
}

// product computes lift·minor in dst or spare, each of capacity 2·liftSize·minorSize.
func (t *term) product(dst, spare []float64) []float64 {
	var buf [32]float64
	dst, spare = dst[:0], spare[:0]
	for _, c := range t.lift[:t.liftSize] {
		spare = sum(spare[:0], dst, scale(buf[:0], t.minor[:t.minorSize], c))
		dst, spare = spare, dst
	}
	return dst
}

// fewComponents is the size of a row's product up to which InCircle's work space is small: clearing
// the full one costs more than the sums for coordinates with few digits.
const (
	fewComponents = 64
	maxComponents = 512
)

// circleExpansion is InCircle's determinant of the differences v = ax ay bx by cx cy, exactly.
func circleExpansion(v *[6]pair) float64 {
	ax, ay, bx, by, cx, cy := &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]
	var t [3]term
	t[0].set(ax, ay, bx, by, cx, cy)
	t[1].set(bx, by, cx, cy, ax, ay)
	t[2].set(cx, cy, ax, ay, bx, by)
	for i := range t {
		if 2*t[i].liftSize*t[i].minorSize > fewComponents {
			return sumMany(&t)
		}
	}
	var work [7 * fewComponents]float64
	return sumTerms(&t, work[:], fewComponents)
}

//go:noinline
func sumMany(t *[3]term) float64 {
	var work [7 * maxComponents]float64
	return sumTerms(t, work[:], maxComponents)
}

// sumTerms adds the three products of at most n components in a work space of 7·n.
func sumTerms(t *[3]term, work []float64, n int) float64 {
	part := func(i, size int) []float64 { return work[i*n : i*n : (i+size)*n] }
	a := t[0].product(part(0, 1), part(3, 1))
	b := t[1].product(part(1, 1), part(4, 1))
	ab := sum(part(5, 2), a, b)
	// The first five parts are free again.
	c := t[2].product(part(0, 1), part(1, 1))
	return last(sum(part(2, 3), ab, c))
}
