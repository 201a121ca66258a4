package evalsurface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// bernstein returns the polynomials of degree p at t.
func bernstein[T float32 | float64](p int, t T) []T {
	b := make([]T, p+1)
	b[0] = 1
	for d := 1; d <= p; d++ {
		carried := T(0)
		for k := range d {
			below := b[k]
			b[k] = carried + (1-t)*below
			carried = t * below
		}
		b[d] = carried
	}
	return b
}

// slopes returns the derivatives by u and uu of homogeneous points as the shader has them, in the arithmetic of T.
func slopes[T float32 | float64](net []bspline.Hom, p, q int, u, v T) (su, suu [3]T) {
	at := func(i, j int) [3]T {
		h := net[i*(q+1)+j]
		return [3]T{T(h.X), T(h.Y), T(h.Z)}
	}
	bv := bernstein(q, v)
	for a := range 3 {
		for i, f := range bernstein(p-1, u) {
			s := T(0)
			for j, g := range bv {
				s += g * (at(i+1, j)[a] - at(i, j)[a])
			}
			su[a] += f * s * T(p)
		}
		if p < 2 {
			continue
		}
		for i, f := range bernstein(p-2, u) {
			s := T(0)
			for j, g := range bv {
				s += g * ((at(i+2, j)[a] - at(i+1, j)[a]) - (at(i+1, j)[a] - at(i, j)[a]))
			}
			suu[a] += f * s * T(p*(p-1))
		}
	}
	return su, suu
}

func TestPatchErrorsBoundFloat32(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := rapid.IntRange(1, 9).Draw(t, "p"), rapid.IntRange(1, 9).Draw(t, "q")
		r := rapid.SampledFrom([]float64{1e-3, 1, 1e4}).Draw(t, "size")
		flat := rapid.SampledFrom([]float64{0, 1e-3, 1}).Draw(t, "bend")
		net, radius := make([]bspline.Hom, (p+1)*(q+1)), 0.0
		for i := range net {
			x := geom.Vec3{
				X: r * (float64(i/(q+1))/float64(p) - 0.5), Y: r * (float64(i%(q+1))/float64(q) - 0.5),
				Z: r * flat * rapid.Float64Range(-0.5, 0.5).Draw(t, "z"),
			}
			net[i] = bspline.Lift(x, 1)
			radius = max(radius, x.Norm())
		}
		e := patchErrors(net, p, q, radius, false)
		u, v := rapid.Float64Range(0, 1).Draw(t, "u"), rapid.Float64Range(0, 1).Draw(t, "v")
		su, suu := slopes(net, p, q, u, v)
		gu, guu := slopes(net, p, q, float32(u), float32(v))
		off := func(a [3]float64, b [3]float32) float64 {
			return math.Hypot(math.Hypot(a[0]-float64(b[0]), a[1]-float64(b[1])), a[2]-float64(b[2]))
		}
		if d := off(su, gu); d > e[0] {
			t.Fatalf("Du is off by %g, bound %g", d, e[0])
		}
		if d := off(suu, guu); d > e[2] {
			t.Fatalf("Duu is off by %g, bound %g", d, e[2])
		}
	})
}

func TestPatchErrorsOfFlatAndRationalPatches(t *testing.T) {
	square := func(w float64) []bspline.Hom {
		var net []bspline.Hom
		for i := range 9 {
			weight := 1.0
			if i == 4 {
				weight = w
			}
			net = append(net, bspline.Lift(geom.Vec3{X: float64(i / 3), Y: float64(i % 3)}, weight))
		}
		return net
	}
	plain := patchErrors(square(1), 2, 2, 2, false)
	rational := patchErrors(square(0.5), 2, 2, 2, true)
	steep := patchErrors(square(0.1), 2, 2, 2, true)
	for k := range plain {
		if !(plain[k] > 0 && plain[k] < 1e-5) {
			t.Errorf("error %d of a flat patch is %g", k, plain[k])
		}
		if !(rational[k] > plain[k] && steep[k] > rational[k]) {
			t.Errorf("error %d: %g, with weights %g, with steeper ones %g", k, plain[k], rational[k], steep[k])
		}
	}
	for k, e := range patchErrors([]bspline.Hom{{W: 1}, {W: 1}, {W: 1}, {W: 1}}, 1, 1, 0, true) {
		if e != 0 {
			t.Errorf("error %d of a point is %g", k, e)
		}
	}
}
