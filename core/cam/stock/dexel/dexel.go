// Package dexel describes bodies by the rays within them: the stock, and the remaining material.
package dexel

import (
	"errors"
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Lattice is a box of Count[0] × Count[1] × Count[2] cubic cells.
type Lattice struct {
	Origin geom.Vec3 // mm, the corner of the box with the least coordinates
	Step   float64   // mm, side of a cell
	Count  [3]int    // cells along x, y and z
}

// Stock is a body given by its spans on three bundles of rays: a tri-dexel model. The rays of bundle 0 are parallel to
// x, bundle 1 to y and bundle 2 to z, and each runs through the centers of a row of cells.
type Stock struct {
	Lattice Lattice
	Bundles [3]Bundle
}

// Bundle contains the spans of the rays of one direction; ray r has the spans Start[r] to Start[r+1]-1. With b < c for
// the other two axes, the ray through column i of cells along b and row j along c is j·Count[b] + i.
type Bundle struct {
	Start []int32 // as many as rays and one more
	Spans []Span
}

// Span is a part of a ray within the material, in mm from the lattice's origin along the ray. The spans of a
// ray ascend and do not overlap.
type Span struct{ Lo, Hi float32 }

// Side returns the two axes across the rays of a bundle, in ascending order.
func Side(bundle int) (b, c int) { return [3]int{1, 0, 0}[bundle], [3]int{2, 2, 1}[bundle] }

// Along returns the bundle whose rays run along a direction, or nearest to it.
func Along(d geom.Vec3) (bundle int) {
	share := [3]float64{math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)}
	for i, s := range share {
		if s > share[bundle] {
			bundle = i
		}
	}
	return bundle
}

// Rays returns the number of rays of a bundle.
func (l Lattice) Rays(bundle int) int {
	b, c := Side(bundle)
	return l.Count[b] * l.Count[c]
}

// Check returns an error for a lattice that is not finite, has no positive step, more than 2³⁰ rays in one
// direction or is longer than 2²⁰ cells.
func (l Lattice) Check() error {
	const longest, most = 1 << 20, 1 << 30
	if !l.Origin.IsFinite() {
		return fmt.Errorf("lattice: the origin is (%g, %g, %g)", l.Origin.X, l.Origin.Y, l.Origin.Z)
	}
	if !(l.Step > 0) || math.IsInf(l.Step*longest, 0) {
		return fmt.Errorf("lattice: the step is %g mm", l.Step)
	}
	for a, n := range l.Count {
		if n < 0 || n > longest {
			return fmt.Errorf("lattice: %d cells along axis %d, at most %d can be handled", n, a, longest)
		}
	}
	for a := range 3 {
		if n := l.Rays(a); n > most {
			return fmt.Errorf("lattice: %d rays along axis %d, at most %d can be handled", n, a, most)
		}
	}
	return nil
}

// Box returns the box of the lattice.
func (l Lattice) Box() geom.Box {
	far := geom.Vec3{X: float64(l.Count[0]), Y: float64(l.Count[1]), Z: float64(l.Count[2])}
	return geom.EmptyBox().Add(l.Origin).Add(l.Origin.AddScaled(l.Step, far))
}

// Check returns an error for spans that are outside the lattice, out of order or not assigned to its rays.
func (d *Stock) Check() error {
	if d == nil {
		return errors.New("dexels: there is no stock")
	}
	if err := d.Lattice.Check(); err != nil {
		return err
	}
	for a := range d.Bundles {
		length := float32(float64(d.Lattice.Count[a]) * d.Lattice.Step)
		if err := d.Bundles[a].check(d.Lattice.Rays(a), length); err != nil {
			return fmt.Errorf("dexels: bundle %d: %w", a, err)
		}
	}
	return nil
}

func (b *Bundle) check(rays int, length float32) error {
	if len(b.Start) != rays+1 || b.Start[0] != 0 || int(b.Start[rays]) != len(b.Spans) {
		return fmt.Errorf("%d starts of %d spans for %d rays", len(b.Start), len(b.Spans), rays)
	}
	for r := range rays {
		if b.Start[r+1] < b.Start[r] || int(b.Start[r+1]) > len(b.Spans) {
			return fmt.Errorf("ray %d starts at %d and ends at %d", r, b.Start[r], b.Start[r+1])
		}
		at := float32(0)
		for _, s := range b.Spans[b.Start[r]:b.Start[r+1]] {
			if !(s.Lo >= at && s.Hi > s.Lo && s.Hi <= length) {
				return fmt.Errorf("ray %d of length %g has a span from %g to %g mm", r, length, s.Lo, s.Hi)
			}
			at = s.Hi
		}
	}
	return nil
}

// Ray returns the spans of ray (i, j) of a bundle.
func (d *Stock) Ray(bundle, i, j int) []Span {
	b, _ := Side(bundle)
	k := &d.Bundles[bundle]
	r := j*d.Lattice.Count[b] + i
	return k.Spans[k.Start[r]:k.Start[r+1]]
}

// Height returns where the material ends on a ray in the direction of the axis, in part coordinates (mm); ok
// is false for a ray without material.
func (d *Stock) Height(bundle, i, j int) (h float64, ok bool) {
	s := d.Ray(bundle, i, j)
	if len(s) == 0 {
		return 0, false
	}
	o := [3]float64{d.Lattice.Origin.X, d.Lattice.Origin.Y, d.Lattice.Origin.Z}
	return o[bundle] + float64(s[len(s)-1].Hi), true
}

// Volume returns the volume of the body in mm³ from each of the three bundles. It is exact for bodies whose sections
// across its rays consist of whole cells. The error for other bodies is at most the area of the cells that their
// outline cuts, times the length there; it changes its sign from cell to cell.
func (d *Stock) Volume() [3]float64 {
	var v [3]float64
	for a := range d.Bundles {
		for _, s := range d.Bundles[a].Spans {
			v[a] += float64(s.Hi) - float64(s.Lo)
		}
		v[a] *= d.Lattice.Step * d.Lattice.Step
	}
	return v
}

// Cells returns the range [i0, i1) of the cells with their center between lo and hi, within rounding.
func Cells(lo, hi, step float64, i0, i1 int) (int, int) {
	const rim = 1e-9 // of a cell: a center that far outside is looked at, and found outside
	lo, hi = math.Ceil(lo/step-0.5-rim), math.Floor(hi/step-0.5+rim)
	if lo > float64(i0) {
		i0 = int(min(lo, float64(i1)))
	}
	if hi < float64(i1-1) {
		i1 = int(max(hi+1, float64(i0)))
	}
	return i0, i1
}
