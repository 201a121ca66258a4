package shadow

import (
	"millwright/core/feature/graph"
	"millwright/core/feature/outline"
	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
	"millwright/core/parallel"
)

// Around is a part seen along a direction for questions about few places of it: what a question does not ask for is
// not laid flat. It is safe for concurrent use.
type Around struct {
	shadow Shadow
	found  *region.Grid // the faces by their boxes
	laid   parallel.Memo[int, face]
}

// NewAround looks at a part along the frame of a view, whose origin has to be that of the part.
func NewAround(view outline.View, heights *graph.Heights) *Around {
	a := &Around{shadow: Shadow{view: view}}
	var lo, hi []geom.Vec2
	for p := range view.Graph.Patches {
		if q, ok := a.shadow.face(int32(p), heights); ok {
			a.shadow.faces = append(a.shadow.faces, q)
			x, y := view.Graph.Extent(q.patch, view.Frame.X), view.Graph.Extent(q.patch, view.Frame.Y)
			lo, hi = append(lo, geom.Vec2{X: x.Lo, Y: y.Lo}), append(hi, geom.Vec2{X: x.Hi, Y: y.Hi})
		}
	}
	a.found = region.NewGrid(lo, hi)
	return a
}

// Above returns where material lies above a height within a window, from lo to hi, and some of it beyond.
func (a *Around) Above(z float64, lo, hi geom.Vec2) (*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	var meshed []region.Loop
	var err error
	a.found.Within(lo, hi, func(i int) bool {
		if a.shadow.faces[i].span.Hi <= z+slack {
			return true
		}
		var q face
		if q, err = a.laid.Get(i, func() (face, error) { return a.shadow.lay(a.shadow.faces[i]) }); err != nil {
			return false
		}
		var part *arcpoly.Area
		switch {
		case q.whole != nil && q.span.Lo >= z-slack:
			part = q.whole
		case q.whole != nil && q.isExact:
			part, err = a.shadow.split(&q, z)
		default:
			meshed = append(meshed, a.shadow.cut(q.patch, z)...)
		}
		areas = append(areas, part)
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	rest, err := arcpoly.New(meshed...)
	if err != nil {
		return nil, err
	}
	return arcpoly.Union(append(areas, rest)...)
}
