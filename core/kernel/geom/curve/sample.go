package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Adaptive sampling of a curve to a chord tolerance and an angle tolerance.
//
// Method: an arc of length L that turns by φ needs max(√(L·φ/(8·tol)), φ/angle) equal segments. The curve is cut at its
// breaks and halved until each part turns little. The sum of the parts' needs gives a density, and the samples are set
// at equal fractions of it (equidistribution, de Boor 1974), which is close to the smallest possible number. Each
// segment is then measured: its distance from the chord at the quarters and at every part's end, its turn from the
// tangents at the ends and the middle. If one fails, the measurements refine the parts and all samples are set again.
// Segments that fail three times are halved. Every jump of the tangent gets a sample. Circles are divided evenly.
//
// The result does not depend on the direction of the curve beyond rounding. Cost: about one evaluation for each part
// and four for each segment, twice that if the first setting fails.

const (
	// kinkAngle (rad) is the jump of the tangent from which a break is a corner.
	kinkAngle = 1e-4
	// maxTurn (rad) is the largest turn of a segment: closed curves get three at least.
	maxTurn = 2 * math.Pi / 3
	// partTurn (rad) is the turn up to which a part counts as an arc.
	partTurn = 0.35
	// partHalvings bounds the halving of parts near cusps.
	partHalvings = 8
	// leftOf is the fraction of a part by which the tangent on the left of its end is taken early:
	// curves evaluate to the right of a break.
	leftOf = 1e-9
	// sagMargin covers the part of the largest distance from the chord that the quarters miss: 5.4 % for a cubic that
	// touches its chord, 2.6 % for an S.
	sagMargin = 1.06
	// spare is the fraction of segments more than needed that is set at first: the density is not
	// known exactly, and a second setting costs as much as the first.
	spare = 0.005
	// smallest is the fraction of the chord tolerance below which a segment may turn as it likes.
	smallest = 1e-2
	// maxSegments bounds the samples of one curve for any tolerances.
	maxSegments = 1 << 20
	// countMargin forgives the rounding of a need that is a whole number.
	countMargin = 1e-9
	// standstill (mm) is the length below which the direction of a curve is only rounding: a speed that covers no more
	// over the whole range counts as 0.
	standstill = 1e-3 * geom.Resolution
	// segmentHalvings bounds the halving of a segment that fails; 2^-20 of one is below rounding.
	segmentHalvings = 20
)

// Sample returns ascending parameters from iv.Lo to iv.Hi, both included, such that between
// neighbors the curve is nowhere farther than chordTol (mm) from the chord and turns by no more than
// angleTol (rad). A tolerance of 0 sets no limit, but no segment turns by more than 120°, and a closed
// range has three segments at least. A range that is empty or not finite gives its two ends.
func Sample(c Curve, iv geom.Interval, chordTol, angleTol float64) []float64 {
	return AppendSamples(nil, c, iv, chordTol, angleTol)
}

// AppendSamples is Sample appending to dst.
func AppendSamples(dst []float64, c Curve, iv geom.Interval, chordTol, angleTol float64) []float64 {
	if !(iv.Hi > iv.Lo) || !iv.IsFinite() {
		return append(dst, iv.Lo, iv.Hi)
	}
	if !(chordTol > 0) {
		chordTol = math.Inf(1)
	}
	if !(angleTol > 0 && angleTol < maxTurn) {
		angleTol = maxTurn
	}
	n := len(dst)
	dst = appendSamples(append(dst, iv.Lo), c, iv, chordTol, angleTol)
	const triangle = 4 // samples of three segments
	if len(dst)-n < triangle && encloses(c, iv) {
		for len(dst)-n < triangle {
			dst = halveLongest(dst, n)
		}
	}
	return dst
}

// encloses reports whether the ends meet although the curve is longer than a point.
func encloses(c Curve, iv geom.Interval) bool {
	a := c.At(iv.Lo)
	return a.Dist(c.At(iv.Hi)) <= geom.Resolution &&
		(a.Dist(c.At(iv.At(1./3))) > geom.Resolution || a.Dist(c.At(iv.At(2./3))) > geom.Resolution)
}

// halveLongest inserts the middle of the first longest of the ranges from dst[n] on.
func halveLongest(dst []float64, n int) []float64 {
	at := n
	for i := n + 1; i+1 < len(dst); i++ {
		if dst[i+1]-dst[i] > (dst[at+1]-dst[at])*(1+countMargin) {
			at = i
		}
	}
	dst = append(dst, 0)
	copy(dst[at+2:], dst[at+1:])
	dst[at+1] = 0.5 * (dst[at] + dst[at+2])
	return dst
}

// appendSamples appends the samples after iv.Lo.
func appendSamples(dst []float64, c Curve, iv geom.Interval, chordTol, angleTol float64) []float64 {
	switch k := c.(type) {
	case Line:
		return append(dst, iv.Hi)
	case Circle:
		return appendEven(dst, iv, circleStep(k.Radius, chordTol, angleTol))
	case *Trimmed:
		n := len(dst)
		base := k.flipRange(iv)
		dst = appendSamples(dst, k.Base, base, chordTol, angleTol)
		if k.Reversed {
			added := dst[n : len(dst)-1]
			for i, j := 0, len(added)-1; i <= j; i, j = i+1, j-1 {
				added[i], added[j] = k.flip(added[j]), k.flip(added[i])
			}
		}
		dst[len(dst)-1] = iv.Hi
		return dst
	case *Polyline:
		return append(k.Breaks(dst, iv), iv.Hi)
	case *Composite:
		k.each(iv, func(i int, part geom.Interval, start float64) {
			n := len(dst)
			dst = appendSamples(dst, k.segments[i], part, chordTol, angleTol)
			for j := range dst[n:] {
				dst[n+j] += start - part.Lo
			}
		})
		dst[len(dst)-1] = iv.Hi
		return dst
	}
	s := samplers.Get().(*sampler)
	defer samplers.Put(s)
	s.c, s.tol, s.angle, s.nodes = c, chordTol, angleTol, s.nodes[:0]
	dst = s.sample(dst, iv)
	s.c = nil
	return dst
}

// circleStep returns the largest angle of a segment: the sagitta 2·r·sin²(step/4) is the tolerance.
func circleStep(r, chordTol, angleTol float64) float64 {
	if x := chordTol / (2 * r); x < 1 {
		angleTol = min(angleTol, 4*math.Asin(math.Sqrt(x)))
	}
	return angleTol
}

// appendEven appends the ends of equal segments no longer than step.
func appendEven(dst []float64, iv geom.Interval, step float64) []float64 {
	n := count(iv.Length() / step)
	for i := 1; i < n; i++ {
		dst = append(dst, iv.At(float64(i)/float64(n)))
	}
	return append(dst, iv.Hi)
}
