// Package bentsheet finds bent sheet.
package bentsheet

// Bent sheet: the space between its flanges was never cut.
//
// A bend is two coaxial round faces, a concave one inside another, that join planes at a distance equal to the
// difference of the radii: the sheet has one thickness there. Its inner faces are not floor and walls to each other.
// The edges of the sheet, no wider than its thickness, are not either: a notch in its contour belongs to the contour.
// Holes and passages through it remain.
//
// A bend ends at free edges on both sides, or in the rounding of the sheet edge. The rounded corners of pockets with
// walls of one thickness end at a floor or in other roundings.
//
// If a part has a bend and is equally thick everywhere, all of it was bent, including bends that are sharp, not between
// planes, or drawn slightly off. Opposite faces are its sides, with the pieces that welded flats leave of them. The
// largest ring of narrow faces between them is its contour. The other rings surround windows, which were cut before
// bending.
//
// Cost: linear in edges, and the pairs of folds on one axis; for a part with bends also the cost of package sheetmetal.
// Limits: flanges of the first bend are planes. An open channel milled with concentric roundings is mistaken for bent
// sheet.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// maxSheetThickness (mm) is the largest thickness of sheet that would bend under a cutter.
const maxSheetThickness = 1.0

// Sheet holds the faces of bent sheet, by patch. It is nil for a part without sheet.
type Sheet struct {
	isInner []bool    // inside of a bend, with the planes it joins
	isOuter []bool    // outside of a bend, likewise
	isRim   []bool    // across the sheet; part of its contour if the whole part is sheet
	window  [][]int32 // across a part that is all sheet: patches around the same window; otherwise nil
	isSide  []bool    // either side of a part that is all sheet; otherwise nil
}

// Folded reports whether two patches are of bent sheet, so that a concave edge between them forms no pocket. In a part
// that is all sheet, a patch on a side was folded up too.
func (s *Sheet) Folded(p, q int32) bool {
	return s != nil && (s.isInner[p] && s.isInner[q] || s.isRim[p] && s.isRim[q] || s.IsSide(p) || s.IsSide(q))
}

// IsSide reports whether a patch is a side of a part that is all sheet.
func (s *Sheet) IsSide(p int32) bool { return s != nil && s.isSide != nil && s.isSide[p] }

// AreInTwoFlats reports whether some patches border on sides of a part that is all sheet, and others on other sides.
func (s *Sheet) AreInTwoFlats(g *graph.Graph, some, others []int32) bool {
	sides := func(patches []int32) (out []int32) {
		for _, p := range patches {
			out = append(out, g.NeighborsWith(p, func(q int32, _ *graph.Adjacency) bool { return s.IsSide(q) })...)
		}
		return out
	}
	a, b := sides(some), sides(others)
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(p int32) bool { return slices.Contains(b, p) })
}

// IsContour reports whether a patch is in the contour of a part that is all sheet.
func (s *Sheet) IsContour(p int32) bool { return s != nil && s.isSide != nil && s.isRim[p] }

// Window returns the patches around a window in a part that is all sheet if all given patches are around one window.
func (s *Sheet) Window(patches []int32) []int32 {
	if s == nil || s.window == nil {
		return nil
	}
	around := s.window[patches[0]]
	if slices.ContainsFunc(patches, func(p int32) bool { return !slices.Contains(around, p) }) {
		return nil
	}
	return around
}

// bends finds the bent sheet of one part.
type bends struct {
	*graph.Graph
	sheet Sheet
}

// fold is a cylinder that joins two planes and ends at free edges.
type fold struct {
	patch int32
	legs  [2]int32
}

// Find returns the bent sheet of a part. whole is the result of package sheetmetal, nil if the part is not sheet. Taken
// patches are not bends.
func Find(gr *graph.Graph, taken []bool, whole *sheetmetal.Sheet) *Sheet {
	g := bends{Graph: gr}
	var inner []fold
	var outer []int32
	foldOf := make(map[int32]fold)
	for p := range int32(len(g.Patches)) {
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
	case whole != nil && (thickest > 0 || slices.ContainsFunc(whole.Outer, isFree) || whole.Flats > 1 &&
		whole.Thickness <= maxSheetThickness || g.bendAlike(inner, foldOf, whole.Thickness)):
		g.allocate()
		g.sheet.isSide = whole.Sides
		thickest = max(thickest, whole.Thickness)
		g.addBlends()
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

// markBends marks the sides of bends that are round on both sides, and returns the thickness, mm, of the thickest, 0 if
// there is no bend.
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

// fold returns a patch as a fold. ok is false if it is not a fold.
func (g *bends) fold(p int32) (f fold, ok bool) {
	if g.Patches[p].Kind != surface.KindCylinder {
		return f, false
	}
	f.patch = p
	n := 0
	for q, a := range g.Neighbors(p) {
		switch {
		case a.Convexity == graph.Convex || g.isRounding(a, p):
		case a.Convexity != graph.Smooth || !g.IsPlane(q):
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

// isRounding reports whether an edge at an end of a fold continues smoothly into the rounding of the sheet edge.
func (g *bends) isRounding(a *graph.Adjacency, fold int32) bool {
	q := a.Other(fold)
	return a.Convexity == graph.Smooth && !g.Patches[q].Hollow && g.IsBlend(q) &&
		math.Abs(a.Dir.Dot(g.Patches[fold].Axis)) <= graph.LateralCos
}

// thickness returns the thickness, mm, of the sheet between the sides of a bend, 0 if two folds are not a bend.
func (g *bends) thickness(in, out fold) float64 {
	a, b := &g.Patches[in.patch].Shape, &g.Patches[out.patch].Shape
	thick := b.Radius - a.Radius
	if thick <= g.Length || !g.Coaxial(a, b) {
		return 0
	}
	here, there := g.Extent(in.patch, a.Axis), g.Extent(out.patch, a.Axis)
	if here.Intersect(there).Length() <= g.Length {
		return 0
	}
	if !g.joinApart(in, out, thick) {
		return 0
	}
	return thick
}

// bendAlike reports whether a bend of a thickness has one radius on both sides: the roundings of a corner drawn sharp.
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

// allocate allocates the marks once.
func (g *bends) allocate() {
	if g.sheet.isInner == nil {
		g.sheet.isInner, g.sheet.isOuter = make([]bool, len(g.Patches)), make([]bool, len(g.Patches))
	}
}

// mark marks the sides of a bend.
func (g *bends) mark(in, out fold) {
	g.allocate()
	for _, p := range [3]int32{in.patch, in.legs[0], in.legs[1]} {
		g.sheet.isInner[p] = true
	}
	for _, p := range [3]int32{out.patch, out.legs[0], out.legs[1]} {
		g.sheet.isOuter[p] = true
	}
}

// addBlends adds to the sides of sheet the round patches that join sides smoothly at two edges: bends drawn slightly
// off, or not between planes.
func (g *bends) addBlends() {
	var blends []int32
	for i := range g.Patches {
		sides := g.NeighborsWith(int32(i), func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && g.sheet.isSide[q]
		})
		if len(sides) > 1 && !g.IsPlane(int32(i)) {
			blends = append(blends, int32(i))
		}
	}
	for _, p := range blends {
		g.sheet.isSide[p] = true
	}
}

// joinPieces adds to the sides of sheet the planes that continue them and are wider than the sheet is thick: pieces of
// a flat to which others are joined.
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

// isRim reports whether a patch is across the sheet: between its two sides and no wider than the sheet is thick.
func (g *bends) isRim(p int32, thick float64) bool {
	inner, outer := false, false
	for q, a := range g.Neighbors(p) {
		inner = inner || a.Convexity == graph.Convex && (g.sheet.isInner[q] || g.sheet.IsSide(q))
		outer = outer || a.Convexity == graph.Convex && (g.sheet.isOuter[q] || g.sheet.IsSide(q))
	}
	return inner && outer && sheetmetal.IsNarrow(g.Graph, p, thick)
}

// keepContour keeps the largest ring of edges of a part that is all sheet. The other rings surround windows.
func (g *bends) keepContour() {
	isRim := g.sheet.isRim
	set := graph.NewUnionFind(len(isRim))
	for i := range g.Arcs {
		if a := &g.Arcs[i]; isRim[a.A] && isRim[a.B] {
			set.Join(a.A, a.B)
		}
	}
	loops := set.Groups(func(p int32) bool { return isRim[p] })
	var contour []int32
	for _, around := range loops {
		if g.AreaOf(around) > g.AreaOf(contour) {
			contour = around
		}
	}
	g.sheet.window = make([][]int32, len(isRim))
	for _, around := range loops {
		for _, p := range around {
			g.sheet.window[p] = around
		}
	}
	clear(isRim)
	for _, p := range contour {
		isRim[p], g.sheet.window[p] = true, nil
	}
}
