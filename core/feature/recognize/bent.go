package recognize

// Bent sheet: what lies between its legs was never cut.
//
// A bend is two round faces on one axis, a hollow one inside another, that join planes which lie as far
// apart as the radii differ: the sheet is as thick there as beside it. Its inner faces are no floor and
// walls to each other, and the rims of the sheet, no wider than it is thick, are none either: a notch in
// its contour is of the contour. Holes and passages through it stay what they are.
//
// A bend ends in the open at both ends. The rounded corners of pockets with walls of one thickness end at
// a floor or in other roundings, and are none.
//
// Cost: for every hollow cylinder the edges of the faces at its ends.
// Limits: legs are planes; an open channel milled with concentric roundings passes for bent.

import (
	"math"

	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

// sheet tells the faces of bent sheet, by patch.
type sheet struct {
	isInner []bool // inside of a bend and the planes it joins
	isOuter []bool // the same outside
	isRim   []bool // across the sheet
}

// bends finds the bent sheet of a part.
func (r *recognizer) bends() {
	g := r.g
	n := len(g.Patches)
	r.sheet = sheet{make([]bool, n), make([]bool, n), make([]bool, n)}
	thickest := 0.0
	for i := range g.Patches {
		if s := &g.Patches[i].Shape; s.Kind == surface.KindCylinder && s.Hollow && !r.taken[i] {
			thickest = max(thickest, r.bend(int32(i)))
		}
	}
	if thickest == 0 {
		return
	}
	for i := range g.Patches {
		r.sheet.isRim[i] = r.isRim(int32(i), thickest)
	}
}

// bend marks the faces at a bend inside which patch p is, and returns the thickness there, mm; 0 for no bend.
func (r *recognizer) bend(p int32) float64 {
	g := r.g
	in, isOpen := r.legs(p)
	if len(in) != 2 || !isOpen {
		return 0
	}
	for _, x := range g.Patches[p].Arcs {
		if g.Arcs[x].Bend != graph.Convex {
			continue
		}
		end := g.Arcs[x].Other(p)
		for _, y := range g.Patches[end].Arcs {
			q := g.Arcs[y].Other(end)
			s := &g.Patches[q].Shape
			if g.Arcs[y].Bend != graph.Convex || s.Hollow || s.Kind != surface.KindCylinder ||
				!g.Coaxial(&g.Patches[p].Shape, s) {
				continue
			}
			thick := s.Radius - g.Patches[p].Radius
			if out, isOpen := r.legs(q); thick > g.Length && isOpen && r.areApart(in, out, thick) {
				for k := range 2 {
					r.sheet.isInner[in[k]], r.sheet.isOuter[out[k]] = true, true
				}
				r.sheet.isInner[p], r.sheet.isOuter[q] = true, true
				return thick
			}
		}
	}
	return 0
}

// legs returns the planes that a round face joins smoothly; isOpen is false when it ends in anything but
// convex edges beside them.
func (r *recognizer) legs(p int32) (planes []int32, isOpen bool) {
	g := r.g
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		switch {
		case a.Bend == graph.Smooth && g.Patches[q].Kind == surface.KindPlane:
			planes = append(planes, q)
		case a.Bend != graph.Convex:
			return nil, false
		}
	}
	return ascending(planes), true
}

// areApart reports whether two planes each face away from one of two others at a distance.
func (r *recognizer) areApart(in, out []int32, distance float64) bool {
	if len(in) != 2 || len(out) != 2 {
		return false
	}
	match := func(p, q int32) bool {
		a, b := &r.g.Patches[p].Shape, &r.g.Patches[q].Shape
		return graph.Parallel(a.Axis, b.Axis) && a.Axis.Dot(b.Axis) < 0 &&
			math.Abs(a.Origin.Sub(b.Origin).Dot(a.Axis)-distance) <= r.g.Length+distance*graph.AxisAngle
	}
	return match(in[0], out[0]) && match(in[1], out[1]) || match(in[0], out[1]) && match(in[1], out[0])
}

// isRim reports whether a patch lies across the sheet: no wider than it is thick, between its two sides.
func (r *recognizer) isRim(p int32, thick float64) bool {
	g := r.g
	around, inner, outer := 0.0, false, false
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		around += a.Length
		inner = inner || a.Bend == graph.Convex && r.sheet.isInner[q]
		outer = outer || a.Bend == graph.Convex && r.sheet.isOuter[q]
	}
	return inner && outer && !g.Patches[p].Hollow && 2*g.Patches[p].Area <= thick*around
}

// isFolded reports whether two patches are of bent sheet, so that an inner edge between them makes no hollow.
func (r *recognizer) isFolded(p, q int32) bool {
	s := &r.sheet
	return s.isInner[p] && s.isInner[q] || s.isRim[p] && s.isRim[q]
}
