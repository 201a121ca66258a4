package visibility

import (
	"math/bits"

	"millwright.dev/millwright/core/kernel/geom"
)

// viewPoint is a place in steps along the axes of the view.
type viewPoint struct {
	x, y, z int32
	id      int32 // of a sample: the caller's number
}

// turning maps points into a view: rows are the axes, the last column is the offset. Every number is stored four times,
// as vectors read it.
type turning [3][4][4]float64

// roundBias makes all numbers of a view positive, where cutting off is rounding down.
const roundBias = 1 << 25

// newTurning takes places in units of that many steps, relative to origin (steps), into the frame.
func newTurning(f *geom.Frame, scale float64, origin geom.Vec3) (t turning) {
	for i, axis := range [3]geom.Vec3{f.X, f.Y, f.Z} {
		a := axis.Scale(scale)
		for k, c := range [4]float64{a.X, a.Y, a.Z, axis.Dot(origin) + (roundBias + 0.5)} {
			t[i][k] = [4]float64{c, c, c, c}
		}
	}
	return t
}

// turn rounds places to the nearest steps of a view.
func turn(dst []viewPoint, src [][3]float32, m *turning) {
	done := 0
	if four := len(src) &^ 3; vectors && four > 0 {
		turnFours(&dst[0], &src[0], four/4, m)
		done = four
	}
	dst = dst[:len(src)]
	for i := done; i < len(src); i++ {
		x, y, z := float64(src[i][0]), float64(src[i][1]), float64(src[i][2])
		dst[i] = viewPoint{m.along(0, x, y, z), m.along(1, x, y, z), m.along(2, x, y, z), 0}
	}
}

// along is one coordinate. No product is joined with a sum, so that every processor gets the same bits.
func (t *turning) along(axis int, x, y, z float64) int32 {
	r := &t[axis]
	s := float64(float64(x*r[0][0])+float64(y*r[1][0])) + float64(z*r[2][0])
	return int32(s+r[3][0]) - roundBias
}

// facing returns the bits of up to 64 normals n with n · d >= least.
func facing(normals [][3]float32, d *[3]float32, least float32) (word uint64) {
	done := 0
	if four := len(normals) &^ 3; vectors && four > 0 {
		word = faceFours(&normals[0], four/4, d, least)
		done = four
	}
	for i := done; i < len(normals); i++ {
		n := &normals[i]
		if !(float32(float32(n[0]*d[0])+float32(n[1]*d[1]))+float32(n[2]*d[2]) < least) {
			word |= 1 << i
		}
	}
	return word
}

// face takes the samples from first to last that do not turn away into the view, and sets their bits.
func (v *view) face(first, last int, row []uint64) {
	m := newTurning(&v.frame, v.scale, v.origin)
	d := [3]float32{float32(v.frame.Z.X), float32(v.frame.Z.Y), float32(v.frame.Z.Z)}
	v.loose = resize(v.loose, last-first)
	var turned [64]viewPoint
	n := 0
	for lo := first; lo < last; lo += 64 {
		hi := min(lo+64, last)
		word := ^uint64(0) >> (64 - (hi - lo))
		if len(v.normals) > 0 {
			word = facing(v.normals[lo:hi], &d, -v.grazing)
		}
		row[lo>>6] = word
		if word == 0 {
			continue
		}
		turn(turned[:], v.samples[lo:hi], &m)
		for ; word != 0; word &= word - 1 {
			i := bits.TrailingZeros64(word) & 63
			p := &v.loose[n]
			*p = turned[i]
			p.id = int32(lo + i)
			n++
		}
	}
	v.loose = v.loose[:n]
}
