package shadow

import (
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/parallel"
)

// PointQuery is a part seen along a direction for local queries: it projects only the faces that a query needs. It is
// safe for concurrent use.
type PointQuery struct {
	shadow   Shadow
	boxes    [][2]geom.Vec2 // around the faces, from the lowest corner to the highest
	found    *planar.Grid   // the faces by these
	laid     parallel.Memo[int, face]
	ceilings *planar.Grid // faces that face down in part, by bounding box
	tops     []float64    // mm, of these
}

// NewPointQuery prepares a part along the frame of a view, whose origin must be the part's.
func NewPointQuery(view outline.Projection, heights *graph.Extents) *PointQuery {
	a := &PointQuery{shadow: Shadow{view: view}}
	var lo, hi []geom.Vec2
	for p := range view.Graph.Patches {
		if q, ok := a.shadow.face(int32(p), heights); ok {
			a.shadow.faces = append(a.shadow.faces, q)
			x, y := view.Graph.Extent(q.patch, view.Frame.X), view.Graph.Extent(q.patch, view.Frame.Y)
			lo, hi = append(lo, geom.Vec2{X: x.Lo, Y: y.Lo}), append(hi, geom.Vec2{X: x.Hi, Y: y.Hi})
			a.boxes = append(a.boxes, [2]geom.Vec2{lo[len(lo)-1], hi[len(hi)-1]})
		}
	}
	a.found = planar.NewGrid(lo, hi)
	lo, hi = nil, nil
	for p := range view.Graph.Patches {
		if q := int32(p); view.Graph.Slopes(q, view.Frame.Z).Lo < -graph.DirectionTolerance {
			x, y := view.Graph.Extent(q, view.Frame.X), view.Graph.Extent(q, view.Frame.Y)
			lo, hi = append(lo, geom.Vec2{X: x.Lo, Y: y.Lo}), append(hi, geom.Vec2{X: x.Hi, Y: y.Hi})
			a.tops = append(a.tops, heights.Of(q).Hi)
		}
	}
	a.ceilings = planar.NewGrid(lo, hi)
	return a
}

// Overhangs reports whether a face that faces down lies above a height in the bounding box of some segments. Such a
// face exists wherever material overhangs.
func (a *PointQuery) Overhangs(z float64, over []planar.Segment) bool {
	x0, x1 := planar.ExtentAlong(over, geom.Vec2{X: 1})
	y0, y1 := planar.ExtentAlong(over, geom.Vec2{Y: 1})
	found := false
	a.ceilings.Within(geom.Vec2{X: x0, Y: y0}, geom.Vec2{X: x1, Y: y1}, func(i int) bool {
		found = found || a.tops[i] > z
		return !found
	})
	return found
}

// Above returns the area of material above a height within reach, mm, of any of some segments; it may extend further.
func (a *PointQuery) Above(z, reach float64, of []planar.Segment) (*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	var meshed []planar.Loop
	for _, i := range a.near(reach, of) {
		if a.shadow.faces[i].span.Hi <= z+margin {
			continue
		}
		q, err := a.laid.Get(i, func() (face, error) { return a.shadow.lay(a.shadow.faces[i]) })
		if err != nil {
			return nil, err
		}
		var part *arcpoly.Area
		switch {
		case q.whole != nil && q.span.Lo >= z-margin:
			part = q.whole
		case q.whole != nil && q.isExact:
			part, err = a.shadow.split(&q, z)
		default:
			meshed = append(meshed, a.shadow.cut(q.patch, z)...)
		}
		if err != nil {
			return nil, err
		}
		areas = append(areas, part)
	}
	rest, err := arcpoly.New(meshed...)
	if err != nil {
		return nil, err
	}
	return arcpoly.Union(append(areas, rest)...)
}

// near returns the faces whose boxes come within reach of the box around one of the segments.
func (a *PointQuery) near(reach float64, of []planar.Segment) []int {
	isNear := make([]bool, len(a.boxes))
	for k := range of {
		x0, x1 := planar.ExtentAlong(of[k:k+1], geom.Vec2{X: 1})
		y0, y1 := planar.ExtentAlong(of[k:k+1], geom.Vec2{Y: 1})
		lo, hi := geom.Vec2{X: x0 - reach, Y: y0 - reach}, geom.Vec2{X: x1 + reach, Y: y1 + reach}
		a.found.Within(lo, hi, func(i int) bool {
			b := &a.boxes[i]
			isNear[i] = isNear[i] || b[0].X <= hi.X && b[1].X >= lo.X && b[0].Y <= hi.Y && b[1].Y >= lo.Y
			return true
		})
	}
	var found []int
	for i, is := range isNear {
		if is {
			found = append(found, i)
		}
	}
	return found
}
