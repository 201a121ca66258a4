package graph

// Indexes of patches by their axes and planes, so that rules which search for partners need not test every pair.

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/hashgrid"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// AxisIndex finds patches of revolution by their axes: those that pass the middle of the part in the same cell
// of a grid or in cells side by side.
type AxisIndex struct {
	middle geom.Vec3
	grid   *hashgrid.Grid[[]int32]
}

// NewAxes enters patches that have an axis, and spheres by their centers.
func (g *Graph) NewAxes(patches []int32) *AxisIndex {
	// axes that count as one, parallel within AxisTolerance, all over the part
	apart := g.Length + AxisTolerance*g.Diagonal
	a := &AxisIndex{middle: g.Bounds.Center(), grid: hashgrid.New[[]int32](apart)}
	for _, p := range patches {
		a.enter(&g.Patches[p].Shape, p)
	}
	return a
}

func (a *AxisIndex) enter(s *Shape, p int32) {
	list := a.grid.At(a.footPoint(s))
	*list = append(*list, p)
}

// footPoint returns the point of an axis nearest to the middle of the part.
func (a *AxisIndex) footPoint(s *Shape) geom.Vec3 {
	f := s.Origin.Sub(a.middle)
	return f.Reject(s.Axis)
}

// LineIndex gives straight lines that count as one a common number.
type LineIndex struct {
	g     *Graph
	axes  *AxisIndex
	lines []Shape
}

// NewLines returns an empty set of lines.
func (g *Graph) NewLines() *LineIndex { return &LineIndex{g: g, axes: g.NewAxes(nil)} }

// Number returns the number of the line through a point along a unit direction of either sense: 0, 1, … in the order of
// first use.
func (l *LineIndex) Number(at, along geom.Vec3) int {
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
	l.axes.enter(&s, n)
	return int(n)
}

// Near visits the patches that may have the axis of s, in a fixed order. The caller checks each of them.
func (a *AxisIndex) Near(s *Shape, visit func(p int32)) {
	a.grid.Around(a.footPoint(s), func(list *[]int32) {
		for _, p := range *list {
			visit(p)
		}
	})
}

// normalCell is the side of the cells of normals: chords are a little longer than the sine of their angle.
const normalCell = 1.001 * AxisTolerance

// PlaneIndex finds plane patches by their normals and their distances along them.
type PlaneIndex struct {
	shape  func(p int32) *Shape
	middle geom.Vec3
	slack  float64                 // mm: largest change of the distance over the part within AxisTolerance
	grid   *hashgrid.Grid[[]int32] // by normal; ascending by distance from the middle
}

// NewPlanes enters the planes among patches.
func (g *Graph) NewPlanes(patches []int32) *PlaneIndex {
	return g.newPlanes(patches, func(p int32) *Shape { return &g.Patches[p].Shape })
}

// NewPlanesOf enters planes that need not be of patches, by their numbers.
func (g *Graph) NewPlanesOf(shapes []Shape) *PlaneIndex {
	all := make([]int32, len(shapes))
	for i := range all {
		all[i] = int32(i)
	}
	return g.newPlanes(all, func(i int32) *Shape { return &shapes[i] })
}

func (g *Graph) newPlanes(numbers []int32, shape func(int32) *Shape) *PlaneIndex {
	a := &PlaneIndex{shape: shape, middle: g.Bounds.Center(), slack: AxisTolerance * g.Diagonal,
		grid: hashgrid.New[[]int32](normalCell)}
	for _, p := range numbers {
		if s := shape(p); s.Kind == surface.KindPlane {
			list := a.grid.At(s.Axis)
			*list = append(*list, p)
		}
	}
	a.grid.Each(func(list *[]int32) {
		slices.SortStableFunc(*list, func(p, q int32) int { return cmp.Compare(a.height(p), a.height(q)) })
	})
	return a
}

// height returns the distance of a plane from the middle along its own normal, mm.
func (a *PlaneIndex) height(p int32) float64 {
	s := a.shape(p)
	return s.Origin.Sub(a.middle).Dot(s.Axis)
}

// Between visits the planes that may have normal n and lie between two distances along it from a point at, mm. The
// caller checks each of them.
func (a *PlaneIndex) Between(n, at geom.Vec3, lo, hi float64, visit func(p int32)) {
	from := at.Sub(a.middle).Dot(n)
	lo, hi = from+lo-a.slack, from+hi+a.slack
	a.grid.Around(n, func(list *[]int32) {
		first, _ := slices.BinarySearchFunc(*list, lo, func(p int32, z float64) int {
			return cmp.Compare(a.height(p), z)
		})
		for _, p := range (*list)[first:] {
			if a.height(p) > hi {
				break
			}
			visit(p)
		}
	})
}

// SurfaceIndex finds patches by their surface.
type SurfaceIndex struct {
	g      *Graph
	planes *PlaneIndex
	round  *AxisIndex
}

// NewSurfaces enters patches; free forms continue nothing.
func (g *Graph) NewSurfaces(patches []int32) *SurfaceIndex {
	isFlat := func(p int32) bool { return g.Patches[p].Kind == surface.KindPlane }
	return &SurfaceIndex{g, g.NewPlanes(patches), g.NewAxes(slices.DeleteFunc(slices.Clone(patches), isFlat))}
}

// On visits the patches that continue a shape, its own among them, in an order that does not depend on anything else.
func (a *SurfaceIndex) On(s *Shape, visit func(p int32)) {
	see := func(p int32) {
		if a.g.Continues(s, &a.g.Patches[p].Shape) {
			visit(p)
		}
	}
	if s.Kind == surface.KindPlane {
		a.planes.Between(s.Axis, s.Origin, -a.g.Length, a.g.Length, see)
	} else {
		a.round.Near(s, see)
	}
}
