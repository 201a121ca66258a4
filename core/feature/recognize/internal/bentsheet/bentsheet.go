// Package bentsheet finds bent sheet.
package bentsheet

// Bent sheet: what lies between its legs was never cut.
//
// A bend is two round faces on one axis, a hollow one inside another, that join planes which lie as far
// apart as the radii differ: the sheet is as thick there as beside it. Its inner faces are no floor and
// walls to each other, and the rims of the sheet, no wider than it is thick, are none either: a notch in
// its contour is of the contour. Holes and passages through it stay what they are.
//
// A bend ends in the open at both ends, or in the rounding of the rim there. The rounded corners of pockets with walls of one thickness end at
// a floor or in other roundings, and are none.
//
// Where a part has a bend, if only one of the same radius on both sides or without an inner radius, and is as thick everywhere, all of it was
// bent, whatever its other bends look like: sharp ones, those into no plane, those drawn a little off. What lies back
// to back are its sides, with the pieces that flats welded on leave of them, and the largest ring of what is narrow
// between them is its contour. The other rings go round windows, which were cut before it was bent.
//
// Cost: linear in edges, and the pairs of folds on one axis; of a part with bends that of package sheetmetal.
// Limits: legs of the first bend are planes; an open channel milled with concentric roundings passes for bent.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// foil (mm) is the thickness of what would bend under a cutter, at most.
const foil = 1.0

// Sheet tells the faces of bent sheet, by patch; nil for a part without.
type Sheet struct {
	isInner []bool    // inside of a bend and the planes it joins
	isOuter []bool    // the same outside
	isRim   []bool    // across the sheet, of its contour if all is sheet
	window  [][]int32 // across a part that is all sheet: those round the same window; nil for others
	isSide  []bool    // either side of a part that is all sheet; nil for others
}

// Folded reports whether two patches are of bent sheet, so that an inner edge between them makes no hollow. Of a part that
// is all sheet what stands on a side was folded up, too.
func (s *Sheet) Folded(p, q int32) bool {
	return s != nil && (s.isInner[p] && s.isInner[q] || s.isRim[p] && s.isRim[q] || s.IsSide(p) || s.IsSide(q))
}

// IsSide reports whether a patch is a side of a part that is all sheet.
func (s *Sheet) IsSide(p int32) bool { return s != nil && s.isSide != nil && s.isSide[p] }

// AreInTwoFlats reports whether some patches border on sides of a part that is all sheet, and others on other sides of it.
func (s *Sheet) AreInTwoFlats(g *graph.Graph, some, others []int32) bool {
	sides := func(patches []int32) (out []int32) {
		for _, p := range patches {
			for _, x := range g.Patches[p].Arcs {
				if q := g.Arcs[x].Other(p); s.IsSide(q) {
					out = append(out, q)
				}
			}
		}
		return out
	}
	a, b := sides(some), sides(others)
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(p int32) bool { return slices.Contains(b, p) })
}

// IsContour reports whether a patch is of the contour of a part that is all sheet.
func (s *Sheet) IsContour(p int32) bool { return s != nil && s.isSide != nil && s.isRim[p] }

// Window returns the patches round a window in a part that is all sheet, if some patches are all of one.
func (s *Sheet) Window(patches []int32) []int32 {
	if s == nil || s.window == nil {
		return nil
	}
	ring := s.window[patches[0]]
	if slices.ContainsFunc(patches, func(p int32) bool { return !slices.Contains(ring, p) }) {
		return nil
	}
	return ring
}

// bends finds the bent sheet of one part.
type bends struct {
	*graph.Graph
	sheet Sheet
}

// fold is a cylinder that joins two planes and ends in the open.
type fold struct {
	patch int32
	legs  [2]int32
}

// Find finds the bent sheet of a part; whole is what package sheetmetal says of it, nil for none. Taken patches are no bends.
func Find(gr *graph.Graph, taken []bool, whole *sheetmetal.Sheet) *Sheet {
	g := bends{Graph: gr}
	var inner []fold
	var outer []int32
	foldOf := make(map[int32]fold)
	for i := range g.Patches {
		p := int32(i)
		f, ok := g.fold(p)
		switch {
		case !ok || taken[p]:
		case g.Patches[p].Hollow:
			inner = append(inner, f)
		default:
			outer = append(outer, p)
			foldOf[p] = f
		}
	}
	thickest := g.markBends(inner, outer, foldOf)
	isFree := func(p int32) bool { return !taken[p] }
	switch {
	case whole != nil && (thickest > 0 || slices.ContainsFunc(whole.Outer, isFree) || whole.Flats > 1 && whole.Thickness <= foil ||
		g.bendAlike(inner, foldOf, whole.Thickness)):
		g.makeRoom()
		g.sheet.isSide = whole.Sides
		thickest = max(thickest, whole.Thickness)
		g.goOn()
		g.joinPieces(thickest)
	case thickest == 0:
		return nil
	}
	g.sheet.isRim = make([]bool, len(g.Patches))
	for i := range g.sheet.isRim {
		p := int32(i)
		g.sheet.isRim[i] = !g.sheet.IsSide(p) && g.isRim(p, thickest) && (g.sheet.isSide != nil || !g.Patches[i].Hollow)
	}
	if g.sheet.isSide != nil {
		g.keepContour()
	}
	return &g.sheet
}

// markBends notes the sides of bends that are round on both sides, and returns the thickness of the thickest, mm; 0 where
// there is none.
func (g *bends) markBends(inner []fold, outer []int32, foldOf map[int32]fold) (thickest float64) {
	if len(inner) == 0 || len(outer) == 0 {
		return 0
	}
	axes := g.NewAxes(outer)
	for _, in := range inner {
		axes.Near(&g.Patches[in.patch].Shape, func(q int32) {
			if thick := g.thickness(in, foldOf[q]); thick > 0 {
				g.mark(in, foldOf[q])
				thickest = max(thickest, thick)
			}
		})
	}
	return thickest
}

// fold returns a patch as a fold, false where it is none.
func (g *bends) fold(p int32) (f fold, ok bool) {
	if g.Patches[p].Kind != surface.KindCylinder {
		return f, false
	}
	f.patch = p
	n := 0
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		switch {
		case a.Convexity == graph.Convex || g.isRounding(a, p):
		case a.Convexity != graph.Smooth || g.Patches[q].Kind != surface.KindPlane:
			return f, false
		case n > 0 && q == f.legs[0] || n > 1 && q == f.legs[1]:
		case n == 2:
			return f, false
		default:
			f.legs[n] = q
			n++
		}
	}
	return f, n == 2
}

// isRounding reports whether an edge at an end of a fold leads smoothly into the rounding of the sheet's rim.
func (g *bends) isRounding(a *graph.Adjacency, fold int32) bool {
	q := a.Other(fold)
	return a.Convexity == graph.Smooth && !g.Patches[q].Hollow && g.IsBlend(q) &&
		math.Abs(a.Dir.Dot(g.Patches[fold].Axis)) <= graph.LateralCos
}

// thickness returns that of the sheet between the sides of a bend, mm; 0 where two folds are no bend.
func (g *bends) thickness(in, out fold) float64 {
	a, b := &g.Patches[in.patch].Shape, &g.Patches[out.patch].Shape
	thick := b.Radius - a.Radius
	if thick <= g.Length || !g.Coaxial(a, b) {
		return 0
	}
	here, there := g.Extent(in.patch, a.Axis), g.Extent(out.patch, a.Axis)
	if min(here.Hi, there.Hi)-max(here.Lo, there.Lo) <= g.Length {
		return 0
	}
	if !g.joinApart(in, out, thick) {
		return 0
	}
	return thick
}

// bendAlike reports whether a bend of a thickness has one radius on both sides: the roundings of a corner that was drawn
// sharp.
func (g *bends) bendAlike(inner []fold, outer map[int32]fold, thick float64) bool {
	return slices.ContainsFunc(inner, func(in fold) bool {
		for q, out := range outer {
			if math.Abs(g.Patches[q].Radius-g.Patches[in.patch].Radius) <= g.Length && g.joinApart(in, out, thick) {
				return true
			}
		}
		return false
	})
}

// joinApart reports whether two folds join planes that face away from each other at a distance.
func (g *bends) joinApart(in, out fold, distance float64) bool {
	i, o := in.legs, out.legs
	return g.areApart(i[0], o[0], distance) && g.areApart(i[1], o[1], distance) ||
		g.areApart(i[0], o[1], distance) && g.areApart(i[1], o[0], distance)
}

// areApart reports whether two planes face away from each other at a distance.
func (g *bends) areApart(p, q int32, distance float64) bool {
	a, b := &g.Patches[p].Shape, &g.Patches[q].Shape
	return graph.Parallel(a.Axis, b.Axis) && a.Axis.Dot(b.Axis) < 0 &&
		math.Abs(a.Origin.Sub(b.Origin).Dot(a.Axis)-distance) <= g.Length+distance*graph.AxisTolerance
}

// makeRoom makes room for notes, if there is none.
func (g *bends) makeRoom() {
	if g.sheet.isInner == nil {
		g.sheet.isInner, g.sheet.isOuter = make([]bool, len(g.Patches)), make([]bool, len(g.Patches))
	}
}

// mark notes the sides of a bend.
func (g *bends) mark(in, out fold) {
	g.makeRoom()
	for _, p := range [3]int32{in.patch, in.legs[0], in.legs[1]} {
		g.sheet.isInner[p] = true
	}
	for _, p := range [3]int32{out.patch, out.legs[0], out.legs[1]} {
		g.sheet.isOuter[p] = true
	}
}

// goOn counts to the sides of sheet what is round and joins sides smoothly at two edges: bends drawn a little off, and into
// what is no plane.
func (g *bends) goOn() {
	var blends []int32
	for i := range g.Patches {
		sides := 0
		for _, x := range g.Patches[i].Arcs {
			if a := &g.Arcs[x]; a.Convexity == graph.Smooth && g.sheet.isSide[a.Other(int32(i))] {
				sides++
			}
		}
		if sides > 1 && g.Patches[i].Kind != surface.KindPlane {
			blends = append(blends, int32(i))
		}
	}
	for _, p := range blends {
		g.sheet.isSide[p] = true
	}
}

// joinPieces counts to the sides of sheet the planes that continue them and are wider than the sheet is thick: pieces of
// a flat that others are joined to.
func (g *bends) joinPieces(thick float64) {
	var sides []int32
	for i, isSide := range g.sheet.isSide {
		if isSide {
			sides = append(sides, int32(i))
		}
	}
	planes := g.NewPlanes(sides)
	for i := range g.Patches {
		s := &g.Patches[i].Shape
		if s.Kind != surface.KindPlane || sheetmetal.IsNarrow(g.Graph, int32(i), thick) {
			continue
		}
		planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(q int32) {
			g.sheet.isSide[i] = g.sheet.isSide[i] || g.Continues(s, &g.Patches[q].Shape)
		})
	}
}

// isRim reports whether a patch lies across the sheet: no wider than it is thick, between its two sides.
func (g *bends) isRim(p int32, thick float64) bool {
	inner, outer := false, false
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		inner = inner || a.Convexity == graph.Convex && (g.sheet.isInner[q] || g.sheet.IsSide(q))
		outer = outer || a.Convexity == graph.Convex && (g.sheet.isOuter[q] || g.sheet.IsSide(q))
	}
	return inner && outer && sheetmetal.IsNarrow(g.Graph, p, thick)
}

// keepContour leaves of the rims of a part that is all sheet those that go round it, the largest ring of them: the others
// go round windows.
func (g *bends) keepContour() {
	isRim := g.sheet.isRim
	set := graph.NewUnionFind(len(isRim))
	for i := range g.Arcs {
		if a := &g.Arcs[i]; isRim[a.A] && isRim[a.B] {
			set.Join(a.A, a.B)
		}
	}
	rings := set.Groups(func(p int32) bool { return isRim[p] })
	var contour []int32
	for _, ring := range rings {
		if g.AreaOf(ring) > g.AreaOf(contour) {
			contour = ring
		}
	}
	g.sheet.window = make([][]int32, len(isRim))
	for _, ring := range rings {
		for _, p := range ring {
			g.sheet.window[p] = ring
		}
	}
	clear(isRim)
	for _, p := range contour {
		isRim[p], g.sheet.window[p] = true, nil
	}
}
