package dexel

import (
	"math"
	"millwright.dev/millwright/core/kernel/geom"
	"slices"
)

// Ray returns the spans of a ray by its number.
func (b *Bundle) Ray(r int) []Span { return b.Spans[b.Start[r]:b.Start[r+1]] }

// Point returns the point of a ray of a bundle at a distance (mm) along it from the origin of the lattice.
func (l Lattice) Point(bundle, ray int, at float64) geom.Vec3 {
	b, c := Side(bundle)
	p := [3]float64{}
	p[bundle] = at
	p[b] = l.Step * (float64(ray%l.Count[b]) + 0.5)
	p[c] = l.Step * (float64(ray/l.Count[b]) + 0.5)
	return l.Origin.Add(geom.Vec3{X: p[0], Y: p[1], Z: p[2]})
}

// Contains reports whether a point is in the body: whether the four rays around it in any one bundle say so. The other
// bundles may miss it below a flat top.
func (d *Stock) Contains(p geom.Vec3) bool {
	at := p.Sub(d.Lattice.Origin)
	for axis := range d.Bundles {
		b, c := Side(axis)
		x, u, v := float32(at.Coordinate(axis)), at.Coordinate(b)/d.Lattice.Step, at.Coordinate(c)/d.Lattice.Step
		holds := func(i, j int) bool {
			return i >= 0 && j >= 0 && i < d.Lattice.Count[b] && j < d.Lattice.Count[c] &&
				slices.ContainsFunc(d.Ray(axis, i, j), func(s Span) bool { return s.Lo <= x && x <= s.Hi })
		}
		i, j := int(math.Floor(u-0.5)), int(math.Floor(v-0.5))
		if holds(i, j) && holds(i+1, j) && holds(i, j+1) && holds(i+1, j+1) {
			return true
		}
	}
	return false
}

// AppendBoth appends the intersection of the spans of two rays.
func AppendBoth(out, a, b []Span) []Span {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if lo, hi := max(a[i].Lo, b[j].Lo), min(a[i].Hi, b[j].Hi); lo < hi {
			out = append(out, Span{Lo: lo, Hi: hi})
		}
		if a[i].Hi < b[j].Hi {
			i++
		} else {
			j++
		}
	}
	return out
}

// AppendMinus appends the spans of the first ray minus the spans of the second.
func AppendMinus(out, a, b []Span) []Span {
	j := 0
	for _, s := range a {
		for j > 0 && b[j-1].Hi > s.Lo {
			j--
		}
		for ; j < len(b) && b[j].Lo < s.Hi; j++ {
			if b[j].Hi <= s.Lo {
				continue
			}
			if b[j].Lo > s.Lo {
				out = append(out, Span{Lo: s.Lo, Hi: b[j].Lo})
			}
			s.Lo = b[j].Hi
		}
		if s.Lo < s.Hi {
			out = append(out, s)
		}
	}
	return out
}
