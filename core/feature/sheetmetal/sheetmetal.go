// Package sheetmetal detects parts that are cut from sheet and bent.
package sheetmetal

// Method: faces of sheet come in pairs at the distance of the sheet thickness. A pair is two planes back to back that
// overlap, or two round faces about one axis, one concave and one convex. Every pair votes for its distance with the
// smaller of its areas; the distance with the most votes is the thickness. A face no wider than that is an edge, unless
// bends continue it on both sides. A bend without an inner radius is round about its inner edge on the outside, or
// sharp on both sides. A part is sheet if all of these hold:
//
//   - pairs at that distance cover most of it, without the cut edges,
//   - the sheet is thin for its size,
//   - no corner is closed, where sheet would tear,
//   - no face ends within the sheet: floors at other depths are milled.
//
// Cost: linear in faces and edges, with three exceptions. Faces are compared with mostLooks others along the same
// direction, flats are compared with each other, and one pass visits the points of each plane and cylinder. Limits:
// deep drawn shapes, with bends about no straight axis, do not count as sheet.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// pairedShare is the least share of faces in pairs; the rest are edges and pressed shapes.
	pairedShare = 0.7

	// thinBent and thinFlat are the largest thickness of bent and flat sheet, as shares of the side of a square with
	// the area of one side of it. A thicker flat piece is a plate to a machinist.
	thinBent = 0.08
	thinFlat = 0.1

	// mostBend (rad) is the largest bend, as at a curled edge; a longer one is a tube.
	mostBend = 1.75 * math.Pi

	// thickestFlat (mm): from here on plates are sold and machined as such.
	thickestFlat = 4.0

	// A part thinner than foil (mm) would bend under a cutter: it is sheet up to a thickness of foilShare of its size.
	foil      = 1.0
	foilShare = 1.0 / 3

	// withinSheet is the share of faces that end within the sheet, at most.
	withinSheet = 0.02

	// sameThickness is the largest relative difference of thickness: flanges that lean by 20° are 6 % thinner if all
	// are drawn at equal height.
	sameThickness = 0.065

	mostLooks = 64
)

// pair is two faces back to back.
type pair struct {
	a, b     int32
	distance float64 // mm, through material
	area     float64 // mm², of the smaller
}

// Sheet is the sheet of a part with constant thickness.
type Sheet struct {
	Thickness float64 // mm
	Bends     int     // number of bend lines; several pieces may share one
	Flats     int     // plane flanges between the bends
	Outer     []int32 // round patches on the outside of bends without an inner radius
	Share     float64 // share of the faces in pairs back to back, by area, 0 to 1
	Sides     []bool  // by patch: it lies back to back with another one
}

// part is the part under test.
type part struct {
	g    *graph.Graph
	area float64 // mm² of all faces
}

// Detect returns the sheet from which a part is cut; ok is false for other parts.
func Detect(g *graph.Graph) (Sheet, bool) {
	p := part{g: g}
	for i := range g.Patches {
		p.area += g.Patches[i].Area
	}
	pairs := p.pairs()
	s := Sheet{Thickness: dominant(pairs), Sides: make([]bool, len(g.Patches))}
	if s.Thickness <= 0 {
		return Sheet{}, false
	}
	legs, narrow := []pair(nil), []pair(nil)
	isRound := false
	for _, x := range pairs {
		switch isBend := g.Patches[x.a].Kind == surface.KindCylinder; {
		case !sameThick(x.distance, s.Thickness) || !p.endsInTheOpen(x.a):
		case !isBend && (IsNarrow(g, x.a, s.Thickness) || IsNarrow(g, x.b, s.Thickness)):
			narrow = append(narrow, x)
		default:
			s.Sides[x.a], s.Sides[x.b] = true, true
			if isRound = isRound || isBend; !isBend {
				legs = append(legs, x)
			}
		}
	}
	for _, x := range narrow { // between bends close to each other
		if p.isBentOn(x.a, s.Sides) && p.isBentOn(x.b, s.Sides) {
			s.Sides[x.a], s.Sides[x.b] = true, true
		}
	}
	p.markSharp(&s)
	isRound = isRound || len(s.Outer) > 0
	in := 0.0
	for i := range g.Patches {
		if s.Sides[i] {
			in += g.Patches[i].Area
		}
	}
	size := math.Sqrt(p.area / 2)
	if in < pairedShare*p.area || len(legs) == 0 || p.hasCorner(s.Sides) || isRound && s.Thickness > thinBent*size {
		return Sheet{}, false
	}
	if !isRound && (s.Thickness > max(min(thinFlat*size, thickestFlat), min(foilShare*size, foil)) ||
		p.within(s.Sides) > withinSheet*p.area) {
		return Sheet{}, false
	}
	s.Share = in / p.area
	s.Bends, s.Flats = p.count(s.Sides)
	return s, true
}

// IsNarrow reports whether a patch is no wider than the sheet thickness: it is an edge, not a side.
func IsNarrow(g *graph.Graph, p int32, thick float64) bool {
	around := 0.0
	for _, x := range g.Patches[p].Arcs {
		around += g.Arcs[x].Length
	}
	return 2*g.Patches[p].Area <= thick*around
}

// endsInTheOpen reports whether a patch does not end at a floor, as a rounded corner of a pocket does. Sheet that is
// bent in two directions at once tears.
func (p *part) endsInTheOpen(i int32) bool {
	x := &p.g.Patches[i]
	return x.Kind != surface.KindCylinder || !slices.ContainsFunc(x.Arcs, func(k int32) bool {
		a := &p.g.Arcs[k]
		q := a.Other(i)
		isEnd := math.Abs(a.Dir.Dot(x.Axis)) <= graph.LateralCos
		return isEnd && (a.Convexity == graph.Concave || a.Convexity == graph.Smooth && p.g.Patches[q].Hollow)
	})
}

func sameThick(a, b float64) bool { return math.Abs(a-b) <= sameThickness*b }

// pairs lists faces back to back, each with its nearest. Only faces along one direction are compared, in the order of
// their height along it or of their radius, and at most mostLooks of them.
func (p *part) pairs() (out []pair) {
	type entry struct {
		patch  int32
		key    [4]int64
		height float64
		across [2]geom.Interval // where it lies square to the direction, mm; a round face along it, in both
	}
	var list []entry
	for i := range p.g.Patches {
		x := &p.g.Patches[i]
		if x.Kind != surface.KindPlane && x.Kind != surface.KindCylinder {
			continue
		}
		d := graph.Canonical(x.Axis)
		e := entry{patch: int32(i), height: x.Radius}
		if x.Kind == surface.KindPlane {
			e.height = x.Origin.Dot(d)
		}
		const step = 0.01 // of a unit vector
		e.key = [4]int64{int64(x.Kind)}
		rounded := geom.Vec3{X: math.Round(d.X / step), Y: math.Round(d.Y / step), Z: math.Round(d.Z / step)}
		for k, c := range [3]float64{rounded.X, rounded.Y, rounded.Z} {
			e.key[k+1] = int64(c)
		}
		frame := geom.NewFrame(geom.Vec3{}, rounded.Unit(), geom.Vec3{}) // one for all with a key
		e.across = [2]geom.Interval{p.g.Extent(int32(i), frame.X), p.g.Extent(int32(i), frame.Y)}
		if x.Kind == surface.KindCylinder {
			e.across[0] = p.g.Extent(int32(i), frame.Z)
			e.across[1] = e.across[0]
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b entry) int {
		return cmp.Or(slices.Compare(a.key[:], b.key[:]), cmp.Compare(a.height, b.height))
	})
	for i := range list {
		for _, step := range [2]int{1, -1} { // the back of a plane may lie above it or below
			for looks := 1; looks <= mostLooks; looks++ {
				k := i + looks*step
				if k < 0 || k >= len(list) || list[k].key != list[i].key {
					break
				}
				a, b := list[i].patch, list[k].patch
				if !overlap(list[i].across, list[k].across) {
					continue
				}
				if d, ok := p.behind(a, b); ok {
					out = append(out, pair{a, b, d, min(p.g.Patches[a].Area, p.g.Patches[b].Area)})
					break
				}
			}
		}
	}
	return out
}

// overlap reports whether two ranges overlap in both dimensions.
func overlap(a, b [2]geom.Interval) bool {
	return min(a[0].Hi, b[0].Hi) > max(a[0].Lo, b[0].Lo) && min(a[1].Hi, b[1].Hi) > max(a[1].Lo, b[1].Lo)
}

// behind returns the distance of another face behind a face, through material.
func (p *part) behind(i, k int32) (float64, bool) {
	a, b := &p.g.Patches[i], &p.g.Patches[k]
	const tiny = 0.05 // of the larger area: a smaller face is not the back of a larger one
	if a.Kind != b.Kind || min(a.Area, b.Area) < tiny*max(a.Area, b.Area) {
		return 0, false
	}
	switch a.Kind {
	case surface.KindPlane:
		d := a.Origin.Sub(b.Origin).Dot(a.Axis)
		return d, a.Axis.Dot(b.Axis) < 0 && graph.Parallel(a.Axis, b.Axis) && d > p.g.Length
	case surface.KindCylinder: // from the concave one out
		d := b.Radius - a.Radius
		return d, a.Hollow && !b.Hollow && d > p.g.Length && p.g.Coaxial(&a.Shape, &b.Shape) &&
			p.g.Sweep([]int32{i}, &a.Shape) <= mostBend
	}
	return 0, false
}

// dominant returns the distance with the largest area of pairs, taken from the largest pair.
func dominant(pairs []pair) float64 {
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b pair) int { return cmp.Compare(a.distance, b.distance) })
	var best []pair
	most, sum, end := 0.0, 0.0, 0
	for i, x := range sorted {
		for ; end < len(sorted) && sameThick(sorted[end].distance, x.distance); end++ {
			sum += sorted[end].area
		}
		if sum > most {
			best, most = sorted[i:end], sum
		}
		sum -= x.area
	}
	if len(best) == 0 {
		return 0
	}
	return slices.MaxFunc(best, func(a, b pair) int { return cmp.Compare(a.area, b.area) }).distance
}

// within returns the area of planes that face as the sheet does, or lean, but are not its sides: floors and slopes.
func (p *part) within(paired []bool) float64 {
	var normal *graph.Patch
	for i := range p.g.Patches {
		if x := &p.g.Patches[i]; paired[i] && x.Kind == surface.KindPlane && (normal == nil || x.Area > normal.Area) {
			normal = x
		}
	}
	sum := 0.0
	for i := range p.g.Patches {
		x := &p.g.Patches[i]
		if !paired[i] && x.Kind == surface.KindPlane && normal != nil &&
			math.Abs(x.Axis.Dot(normal.Axis)) > graph.LateralCos {
			sum += x.Area
		}
	}
	return sum
}

// isBentOn reports whether a plane continues smoothly into the side of a bend.
func (p *part) isBentOn(i int32, sides []bool) bool {
	return slices.ContainsFunc(p.g.Patches[i].Arcs, func(k int32) bool {
		a := &p.g.Arcs[k]
		q := a.Other(i)
		return a.Convexity == graph.Smooth && sides[q] && p.g.Patches[q].Kind == surface.KindCylinder
	})
}

// isFold reports whether at an edge two planes were folded from each other with no radius.
func (p *part) isFold(a *graph.Adjacency, sides []bool) bool {
	return sides[a.A] && sides[a.B] && p.g.Patches[a.A].Kind == surface.KindPlane &&
		p.g.Patches[a.B].Kind == surface.KindPlane
}

// hasCorner reports whether three sides share a corner with concave edges, which cannot be folded.
func (p *part) hasCorner(sides []bool) bool {
	edges := map[brep.VertexID]int{}
	for i := range p.g.Arcs {
		a := &p.g.Arcs[i]
		if a.Convexity == graph.Concave && p.isFold(a, sides) {
			e := &p.g.Model.Edges[a.Edge]
			edges[e.Start]++
			edges[e.End]++
			if max(edges[e.Start], edges[e.End]) > 2 {
				return true
			}
		}
	}
	return false
}

// markSharp counts to the sides of sheet the outer sides of bends without an inner radius, round ones about the inner
// edge.
func (p *part) markSharp(s *Sheet) {
	var outer []int32
	for i := range p.g.Patches {
		x := &p.g.Patches[i]
		if x.Kind == surface.KindCylinder && !x.Hollow && math.Abs(x.Radius-s.Thickness) <= p.g.Length {
			outer = append(outer, int32(i))
		}
	}
	if len(outer) == 0 {
		return
	}
	axes := p.g.NewAxes(outer)
	for i := range p.g.Arcs {
		a := &p.g.Arcs[i]
		if a.Convexity != graph.Concave || !p.isFold(a, s.Sides) {
			continue
		}
		edge := graph.Shape{Kind: surface.KindCylinder, Origin: a.Mid, Axis: a.Dir}
		axes.Near(&edge, func(q int32) {
			if p.g.Coaxial(&edge, &p.g.Patches[q].Shape) {
				s.Sides[q] = true
				s.Outer = append(s.Outer, q)
			}
		})
	}
}

// count returns the number of bend lines, and of plane flanges that end at them. A pressed shape belongs to its flange.
// Flat sheet is one flange.
func (p *part) count(sides []bool) (bends, flats int) {
	lines := p.g.NewLines()
	known := map[int]bool{}
	ends := make([]bool, len(sides)) // by patch: it ends at a bend
	for i := range p.g.Arcs {
		a := &p.g.Arcs[i]
		isFold := p.isFold(a, sides)
		if isFold && a.Convexity == graph.Concave {
			known[lines.Number(a.Mid, a.Dir)] = true
		}
		ends[a.A], ends[a.B] = ends[a.A] || isFold, ends[a.B] || isFold
	}
	var legs []int32
	for i, isSide := range sides {
		x := &p.g.Patches[i]
		switch {
		case !isSide:
		case x.Kind == surface.KindCylinder:
			known[lines.Number(x.Origin, x.Axis)] = true
		case ends[i] || p.isBentOn(int32(i), sides):
			goesOn := func(k int32) bool { return p.g.Continues(&x.Shape, &p.g.Patches[k].Shape) }
			if !slices.ContainsFunc(legs, goesOn) {
				legs = append(legs, int32(i))
			}
		}
	}
	return len(known), max(len(legs)/2, 1)
}
