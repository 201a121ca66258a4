// Package sheet tells parts that are cut from sheet, and bent.
package sheet

// Method: faces of sheet come in pairs: planes back to back, and round faces about one axis, one hollow and one not,
// all as far apart as the sheet is thick. Every pair votes for its distance with the smaller of its areas; the distance
// with the most is the thickness. A part is sheet when pairs at that distance are nearly all of it but for the cut
// edges, when the sheet is thin for its size, and when nothing stops within the sheet: floors at other depths are
// milled.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

const (
	// pairedShare is the share of faces in pairs, edges and what is pressed into the sheet being the rest.
	pairedShare = 0.7

	// thinBent and thinFlat are the thickness of bent and flat sheet at most, as shares of the side of a square as
	// large as one side of it. A flat piece is thin or it is a plate to a machinist.
	thinBent = 0.08
	thinFlat = 0.1

	// mostBend (rad) is how far a bend goes round: what goes on is a tube.
	mostBend = 1.1 * math.Pi

	// thickestFlat (mm): from here on plates are sold and machined as such.
	thickestFlat = 4.0

	// What is thinner than foil (mm) would bend under a cutter: it is sheet as long as it is foilShare of its size.
	foil      = 1.0
	foilShare = 1.0 / 3

	// withinSheet is the share of faces that end within the sheet, at most.
	withinSheet = 0.02

	sameThickness = 0.02 // relative

	mostLooks = 64
)

// pair is two faces back to back.
type pair struct {
	a, b     int32
	distance float64 // mm, through material
	area     float64 // mm², of the smaller
}

// Sheet is what a part is of that is as thick everywhere.
type Sheet struct {
	Thickness float64 // mm
	Bends     int
	Flats     int     // plane legs between the bends
	Share     float64 // of the faces, by area, that lie back to back, 0 to 1
	Sides     []bool  // by patch: it lies back to back with another one
}

// part is what is judged.
type part struct {
	g    *graph.Graph
	area float64 // mm² of all faces
}

// Of returns the sheet that a part is cut from, false when it is none.
func Of(g *graph.Graph) (Sheet, bool) {
	p := part{g: g}
	for i := range g.Patches {
		p.area += g.Patches[i].Area
	}
	pairs := p.pairs()
	s := Sheet{Thickness: dominant(pairs), Sides: make([]bool, len(g.Patches))}
	if s.Thickness <= 0 {
		return Sheet{}, false
	}
	bends := map[int32]bool{} // by the hollow face
	var legs []pair
	for _, x := range pairs {
		if !sameThick(x.distance, s.Thickness) {
			continue
		}
		s.Sides[x.a], s.Sides[x.b] = true, true
		if g.Patches[x.a].Kind == surface.KindCylinder {
			bends[x.a] = true
		} else {
			legs = append(legs, x)
		}
	}
	in := 0.0
	var flats []int32
	for i := range g.Patches {
		if s.Sides[i] {
			in += g.Patches[i].Area
			if g.Patches[i].Kind == surface.KindPlane {
				flats = append(flats, int32(i))
			}
		}
	}
	size := math.Sqrt(p.area / 2)
	if in < pairedShare*p.area || len(flats) == 0 || len(bends) > 0 && s.Thickness > thinBent*size {
		return Sheet{}, false
	}
	isFlat := len(bends) == 0
	if isFlat && (s.Thickness > max(min(thinFlat*size, thickestFlat), min(foilShare*size, foil)) ||
		p.within(s.Sides) > withinSheet*p.area || p.hasRib(legs)) {
		return Sheet{}, false
	}
	s.Share, s.Bends, s.Flats = in/p.area, len(bends), p.legs(flats)
	return s, true
}

func sameThick(a, b float64) bool { return math.Abs(a-b) <= sameThickness*b }

// pairs lists faces back to back, for each the nearest. Only faces along one direction are compared, in the order of
// their height along it or of their radius, and mostLooks of them at most.
func (p *part) pairs() (out []pair) {
	type entry struct {
		patch  int32
		key    [4]int64
		height float64
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
		for k, c := range [3]float64{d.X, d.Y, d.Z} {
			e.key[k+1] = int64(math.Round(c / step))
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
				if d, ok := p.behind(a, b); ok {
					out = append(out, pair{a, b, d, min(p.g.Patches[a].Area, p.g.Patches[b].Area)})
					break
				}
			}
		}
	}
	return out
}

// behind returns how far behind a face another one is, through material.
func (p *part) behind(i, k int32) (float64, bool) {
	a, b := &p.g.Patches[i], &p.g.Patches[k]
	const tiny = 0.05 // of the larger area: a chip of a face is nobody's back
	if a.Kind != b.Kind || min(a.Area, b.Area) < tiny*max(a.Area, b.Area) {
		return 0, false
	}
	switch a.Kind {
	case surface.KindPlane:
		d := a.Origin.Sub(b.Origin).Dot(a.Axis)
		return d, a.Axis.Dot(b.Axis) < 0 && graph.Parallel(a.Axis, b.Axis) && d > p.g.Length
	case surface.KindCylinder: // from the hollow one out
		d := b.Radius - a.Radius
		return d, a.Hollow && !b.Hollow && d > p.g.Length && p.g.Coaxial(&a.Shape, &b.Shape) &&
			p.g.Sweep([]int32{i}, &a.Shape) <= mostBend
	}
	return 0, false
}

// dominant returns the distance of the pairs with the largest area.
func dominant(pairs []pair) float64 {
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b pair) int { return cmp.Compare(a.distance, b.distance) })
	best, most, sum, end := 0.0, 0.0, 0.0, 0
	for _, x := range sorted {
		for ; end < len(sorted) && sameThick(sorted[end].distance, x.distance); end++ {
			sum += sorted[end].area
		}
		if sum > most {
			best, most = x.distance, sum
		}
		sum -= x.area
	}
	return best
}

// hasRib reports whether both sides of a leg stand on one side of another in inner edges: where sheet is folded, however
// sharply, one of them meets an outer edge.
func (p *part) hasRib(legs []pair) bool {
	standsOn := func(a, b int32) bool {
		return slices.ContainsFunc(p.g.Patches[a].Arcs, func(x int32) bool {
			return p.g.Arcs[x].Bend == graph.Concave && p.g.Arcs[x].Other(a) == b
		})
	}
	return slices.ContainsFunc(legs, func(x pair) bool {
		return slices.ContainsFunc(p.g.Patches[x.a].Arcs, func(i int32) bool {
			q := p.g.Arcs[i].Other(x.a)
			return p.g.Arcs[i].Bend == graph.Concave && p.g.Patches[q].Kind == surface.KindPlane && standsOn(x.b, q)
		})
	})
}

// within returns the area of planes that face as the sheet does but are not its sides: floors.
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
		if !paired[i] && x.Kind == surface.KindPlane && normal != nil && graph.Parallel(x.Axis, normal.Axis) {
			sum += x.Area
		}
	}
	return sum
}

// legs returns how many planes in different places there are among pairs of sides.
func (p *part) legs(flats []int32) int {
	n := 0
	for i, a := range flats {
		goesOn := func(b int32) bool { return p.g.Continues(&p.g.Patches[a].Shape, &p.g.Patches[b].Shape) }
		if !slices.ContainsFunc(flats[:i], goesOn) {
			n++
		}
	}
	return n / 2
}
