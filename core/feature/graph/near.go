package graph

// Patches by where their axes and planes lie, so that rules which look for partners need not look at
// every pair.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// Axes finds patches of revolution by their axes: those that pass the middle of the part in the same cell
// of a grid or in cells side by side.
type Axes struct {
	size   float64 // mm: axes that count as one, parallel within AxisAngle, are this close all over the part
	middle geom.Vec3
	cells  map[[3]int32][]int32
}

// NewAxes enters patches that have an axis.
func (g *Graph) NewAxes(patches []int32) *Axes {
	a := &Axes{
		size: g.Length + AxisAngle*g.Diagonal, middle: g.Mesh.Bounds().Center(),
		cells: make(map[[3]int32][]int32),
	}
	for _, p := range patches {
		at := a.cell(&g.Patches[p].Shape)
		a.cells[at] = append(a.cells[at], p)
	}
	return a
}

func (a *Axes) cell(s *Shape) [3]int32 {
	f := s.Origin.Sub(a.middle)
	return cellOf(f.AddScaled(-f.Dot(s.Axis), s.Axis), a.size)
}

// Lines gives straight lines that count as one a common number.
type Lines struct {
	g     *Graph
	axes  *Axes
	lines []Shape
}

// NewLines returns an empty set of lines.
func (g *Graph) NewLines() *Lines { return &Lines{g: g, axes: g.NewAxes(nil)} }

// Number returns that of the line through a point along a unit direction, either way; 0, 1, … in order of
// their first mention.
func (l *Lines) Number(at, along geom.Vec3) int {
	s := Shape{Kind: surface.KindCylinder, Origin: at, Axis: along}
	first := int32(None)
	l.axes.Near(&s, func(i int32) {
		if (first == None || i < first) && l.g.Coaxial(&l.lines[i], &s) {
			first = i
		}
	})
	if first != None {
		return int(first)
	}
	n := int32(len(l.lines))
	l.lines = append(l.lines, s)
	key := l.axes.cell(&s)
	l.axes.cells[key] = append(l.axes.cells[key], n)
	return int(n)
}

// Near visits the patches that may have the axis of s, in an order that does not depend on anything else;
// which have it is for the caller to see.
func (a *Axes) Near(s *Shape, visit func(p int32)) {
	eachNear(a.cells, a.cell(s), visit)
}

// normalCell is the side of the cells of normals: chords are a little longer than the sine of their angle.
const normalCell = 1.001 * AxisAngle

// Planes finds plane patches by their normals and their distances along them.
type Planes struct {
	g      *Graph
	middle geom.Vec3
	slack  float64              // mm: what the distance changes all over the part within AxisAngle
	cells  map[[3]int32][]int32 // ascending by distance from the middle
}

// NewPlanes enters the planes among patches.
func (g *Graph) NewPlanes(patches []int32) *Planes {
	a := &Planes{g: g, middle: g.Mesh.Bounds().Center(), slack: AxisAngle * g.Diagonal,
		cells: make(map[[3]int32][]int32)}
	for _, p := range patches {
		if s := &g.Patches[p].Shape; s.Kind == surface.KindPlane {
			at := cellOf(s.Axis, normalCell)
			a.cells[at] = append(a.cells[at], p)
		}
	}
	for _, list := range a.cells {
		slices.SortStableFunc(list, func(p, q int32) int { return cmp.Compare(a.height(p), a.height(q)) })
	}
	return a
}

// height returns how far a plane lies from the middle along its own normal, mm.
func (a *Planes) height(p int32) float64 {
	s := &a.g.Patches[p].Shape
	return s.Origin.Sub(a.middle).Dot(s.Axis)
}

// Between visits the planes that may have normal n and lie between two distances along it from a point at,
// mm; which do is for the caller to see.
func (a *Planes) Between(n, at geom.Vec3, lo, hi float64, visit func(p int32)) {
	from := at.Sub(a.middle).Dot(n)
	lo, hi = from+lo-a.slack, from+hi+a.slack
	key := cellOf(n, normalCell)
	for k := range int32(27) {
		list := a.cells[neighbour(key, k)]
		first, _ := slices.BinarySearchFunc(list, lo, func(p int32, z float64) int {
			return cmp.Compare(a.height(p), z)
		})
		for _, p := range list[first:] {
			if a.height(p) > hi {
				break
			}
			visit(p)
		}
	}
}

// cellOf returns the cell of a grid of cubes that holds v.
func cellOf(v geom.Vec3, size float64) [3]int32 {
	return [3]int32{
		int32(math.Floor(v.X / size)), int32(math.Floor(v.Y / size)), int32(math.Floor(v.Z / size)),
	}
}

// neighbour returns one of the 27 cells round a cell, itself among them.
func neighbour(at [3]int32, k int32) [3]int32 {
	return [3]int32{at[0] + k%3 - 1, at[1] + k/3%3 - 1, at[2] + k/9 - 1}
}

func eachNear(cells map[[3]int32][]int32, at [3]int32, visit func(p int32)) {
	for k := range int32(27) {
		for _, p := range cells[neighbour(at, k)] {
			visit(p)
		}
	}
}
