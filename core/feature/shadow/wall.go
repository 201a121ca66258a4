package shadow

import (
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A face that is taken from its triangles may deviate by the tolerance of the mesh. It may not at its walls: planes and
// cylinders along the direction with the whole face on one side. The face does not extend beyond such a wall, so that a
// tool may pass along it. Holes across the direction end at walls, as do round faces next to flat ones.

// wall bounds a face.
type wall struct {
	area    *arcpoly.Area // the tag of each segment is the wall
	outside bool          // the face lies outside of the area
}

// wallsOf returns the adjacent walls that have the whole patch behind them.
func (s *Shadow) wallsOf(patch int32) (walls []wall, err error) {
	g := s.view.Graph
	known := map[int32]bool{}
	for _, arc := range g.Patches[patch].Arcs {
		o := g.Arcs[arc].Other(patch)
		if known[o] {
			continue
		}
		known[o] = true
		var w wall
		switch sh := &g.Patches[o].Shape; sh.Kind {
		case surface.KindPlane:
			w, err = s.flatWall(patch, sh, o)
		case surface.KindCylinder:
			w, err = s.roundWall(patch, sh, o)
		}
		if err != nil {
			return nil, err
		}
		if w.area != nil {
			walls = append(walls, w)
		}
	}
	return walls, nil
}

// flatWall returns the area behind a vertical plane, over the extent of a patch; nil if the plane is not a wall of it.
func (s *Shadow) flatWall(patch int32, sh *graph.Shape, tag int32) (w wall, err error) {
	dir, n := s.view.Frame.Z, sh.Axis
	if math.Abs(n.Dot(dir)) > level {
		return w, nil
	}
	exact := func(d geom.Vec3) geom.Interval {
		e, at := s.view.Graph.Exact([]int32{patch}, d), sh.Origin.Dot(d)
		return geom.Interval{Lo: e.Lo - at, Hi: e.Hi - at}
	}
	across, along := exact(n), exact(dir.Cross(n))
	if across.Hi > margin {
		return w, nil
	}
	more := 1 + across.Length() + along.Length() // than the tolerance of the mesh
	at, out, left := s.point(sh.Origin), s.flat(n), s.flat(dir.Cross(n))
	p := func(along, across float64) geom.Vec2 { return at.Add(left.Scale(along)).Add(out.Scale(across)) }
	w.area, err = arcpoly.New(loop(tag, p(along.Lo-more, 0), p(along.Hi+more, 0), p(along.Hi+more, across.Lo-more),
		p(along.Lo-more, across.Lo-more)))
	return w, err
}

// roundWall returns the area behind a vertical cylinder; nil if it is not a wall of a patch.
func (s *Shadow) roundWall(patch int32, sh *graph.Shape, tag int32) (w wall, err error) {
	if sh.Axis.Cross(s.view.Frame.Z).Norm() > level {
		return w, nil
	}
	reach := s.view.Graph.Reach(patch, sh)
	if w.outside = sh.Hollow; w.outside && reach.Lo < sh.Radius-margin || !w.outside && reach.Hi > sh.Radius+margin {
		return w, nil
	}
	circle := planar.Circle(s.point(sh.Origin), sh.Radius, false)
	for i := range circle {
		circle[i].Tag = tag
	}
	w.area, err = arcpoly.New(circle)
	return w, err
}

// loop joins corners by segments of a tag.
func loop(tag int32, corners ...geom.Vec2) (l planar.Loop) {
	for i, c := range corners {
		l = append(l, planar.NewLine(c, corners[(i+1)%len(corners)]))
		l[i].Tag = tag
	}
	return l
}

// flat returns a direction in the view.
func (s *Shadow) flat(v geom.Vec3) geom.Vec2 {
	return geom.Vec2{X: v.Dot(s.view.Frame.X), Y: v.Dot(s.view.Frame.Y)}
}

// enclosed returns an area that encloses a patch above a height, limited by its walls.
func (s *Shadow) enclosed(patch int32, z, tolerance float64) (*arcpoly.Area, error) {
	walls, err := s.walls.Get(patch, func() ([]wall, error) { return s.wallsOf(patch) })
	if err != nil {
		return nil, err
	}
	a, err := arcpoly.New(s.cut(patch, z)...)
	if err != nil {
		return nil, err
	}
	if a, err = a.Offset(tolerance); err != nil {
		return nil, err
	}
	for _, w := range walls {
		if w.outside {
			a, err = a.Minus(w.area)
		} else {
			a, err = arcpoly.Intersection(a, w.area)
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}
