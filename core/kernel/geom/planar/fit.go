package planar

// Arcs and segments that approximate a smooth curve.
//
// Method: between two points with their directions runs a biarc, two arcs that meet without a kink and touch the curve
// at both ends (K. Bolton, "Biarc curves", Computer-Aided Design 7(2), 1975), here the one with equal control legs. A
// stretch of the curve is taken as one biarc when all samples in between lie within the tolerance of it, else it is
// halved. The error of a biarc falls with the third power of its length, the error of a chord with the second. So a
// tenth of the segments do better than a polyline, and they meet their neighbors at the curve's own angle.
//
// Cost: O(n log n) for n samples. Limits: a chord replaces a turn sharper than widestStep between neighboring samples,
// as where the curve is seen end on.

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	widestArc  = math.Pi / 2 // rad, of one arc: a larger one is not a small stretch of a curve
	widestStep = 0.5         // rad, of an arc between neighboring samples
	straight   = 1e-5        // mm, the sagitta of an arc that is a segment
)

// AppendBiarcs appends segments within tol (mm) of a smooth curve through points at, with the unit directions dir
// there, zero if unknown. The segments after the first are marked as joined.
func AppendBiarcs(dst []Segment, at, dir []geom.Vec2, tol float64) []Segment {
	f := fitter{at: at, dir: dir, tol: tol}
	first := len(dst)
	for lo, reach := 0, len(at)-1; lo < len(at)-1; {
		var hi int
		dst, hi = f.stretch(dst, lo, reach)
		lo, reach = hi, 2*(hi-lo)
	}
	for i := first + 1; i < len(dst); i++ {
		dst[i].Joined = true
	}
	return dst
}

type fitter struct {
	at, dir []geom.Vec2
	tol     float64
}

// stretch appends the segments from sample lo to the last sample that one biarc reaches, and returns that sample. reach
// is the estimated number of samples.
func (f *fitter) stretch(dst []Segment, lo, reach int) (out []Segment, hi int) {
	var best biarc
	good, bad := lo, len(f.at)
	for hi = min(lo+reach, bad-1); hi > lo; {
		b, ok := newBiarc(f.at[lo], f.dir[lo], f.at[hi], f.dir[hi])
		if ok && f.follows(&b, lo, hi) {
			best, good = b, hi
		} else {
			bad = hi
		}
		if hi = (good + bad) / 2; bad == len(f.at) {
			hi = min(2*good-lo, bad-1)
		}
		if hi == good {
			break
		}
	}
	if good > lo {
		return best.appendTo(dst), good
	}
	if hi = lo + 1; f.at[lo].Dist(f.at[hi]) > geom.Resolution || hi == len(f.at)-1 {
		return append(dst, NewLine(f.at[lo], f.at[hi])), hi
	}
	f.at[hi] = f.at[lo] // and continues with the next one
	return dst, hi
}

// follows reports whether the samples between two lie on a biarc, in its direction.
func (f *fitter) follows(b *biarc, lo, hi int) bool {
	widest := max(math.Abs(b[0].Turn), math.Abs(b[1].Turn))
	if widest > widestArc || hi == lo+1 && widest > widestStep {
		return false
	}
	joint, along := b[0].To, b[0].Tangent(1)
	radii := [2]float64{b[0].Radius(), b[1].Radius()}
	for i := lo + 1; i < hi; i++ {
		k := 0
		if f.at[i].Sub(joint).Dot(along) > 0 {
			k = 1
		}
		p := &b[k]
		off, ahead := 0.0, 0.0
		if p.Turn == 0 {
			t := p.Tangent(0)
			off, ahead = t.Cross(f.at[i].Sub(p.From)), t.Dot(f.dir[i])
		} else {
			w := f.at[i].Sub(p.Center)
			off, ahead = w.Norm()-radii[k], w.Cross(f.dir[i])*p.Turn
		}
		if !(math.Abs(off) <= f.tol) || !(ahead > 0) {
			return false
		}
	}
	return true
}

// biarc is two arcs, or segments where an arc is as good as straight.
type biarc [2]Segment

// newBiarc returns the biarc from p along u to q along v; false if there is no such biarc.
func newBiarc(p, u, q, v geom.Vec2) (b biarc, ok bool) {
	d := q.Sub(p)
	if d.Norm() <= geom.Resolution || u == (geom.Vec2{}) || v == (geom.Vec2{}) {
		return b, false
	}
	// The legs a along u and v: |d - a·(u + v)| = 2a.
	sum := u.Add(v)
	turned := 2 * (1 - u.Dot(v))
	ahead := d.Dot(sum)
	root := math.Sqrt(ahead*ahead + turned*d.Norm2())
	if !(ahead+root > 0) {
		return b, false
	}
	leg := d.Norm2() / (ahead + root)
	joint := p.Add(q).Add(u.Sub(v).Scale(leg)).Scale(0.5)
	b[0] = arcAlong(p, u, joint)
	back := arcAlong(q, v.Scale(-1), joint)
	b[1] = back
	b[1].From, b[1].To, b[1].Turn = back.To, back.From, -back.Turn
	return b, true
}

// arcAlong returns the arc from p along the unit direction u to q.
func arcAlong(p, u, q geom.Vec2) Segment {
	d := q.Sub(p)
	side, ahead := u.Cross(d), u.Dot(d)
	turn := 2 * math.Atan2(side, ahead)
	if math.Abs(turn) <= smoothTurn/2 && math.Abs(d.Norm()*turn) <= 8*straight { // eight sagittas
		return NewLine(p, q)
	}
	return Segment{From: p, To: q, Center: addScaled(p, d.Norm2()/(2*side), left(u)), Turn: turn}
}

// appendTo appends the segments, one where both lie on one line or circle.
func (b *biarc) appendTo(dst []Segment) []Segment {
	if whole, ok := joined(&b[0], &b[1]); ok {
		return append(dst, whole)
	}
	return append(dst, b[0], b[1])
}
