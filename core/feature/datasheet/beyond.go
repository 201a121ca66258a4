package datasheet

// Material beyond the open sides of a pocket and over its floor.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// overFloor (mm) is the height above the sill of an open side from which material obstructs a tool.
const overFloor = 0.02

// obstaclesBeyond returns the material that rises over the sill of an outline next to its open sides.
func (p *partContext) obstaclesBeyond(s *featureMeasurer, f *floorOutline) obstaclesBeyond {
	return func(reach float64) (*arcpoly.Area, error) {
		around, err := p.around(s)
		if err != nil {
			return nil, err
		}
		var open []planar.Segment
		for _, l := range f.Loops {
			for i := range l {
				if l[i].Open {
					open = append(open, l[i])
				}
			}
		}
		return around.Above(f.sill+overFloor, reach, open)
	}
}

func (p *partContext) around(s *featureMeasurer) (*shadow.PointQuery, error) {
	return p.arounds.Get(s.dir, func() (*shadow.PointQuery, error) { return shadow.NewPointQuery(s.view, s.extents), nil })
}

// over returns the material over an outline, such as bridges and walls that lean over its base; nil for no material.
func (p *partContext) over(s *featureMeasurer, f *floorOutline, base []int32) *arcpoly.Area {
	if len(base) == 0 {
		return nil
	}
	top := s.extents.Union(base).Hi + overFloor
	around, err := p.around(s)
	if err != nil {
		return nil
	}
	all := slices.Concat(f.Loops...)
	if !around.Overhangs(top, all) {
		return nil
	}
	plan, err := arcpoly.New(f.Loops...)
	if err != nil {
		return nil
	}
	above, err := around.Above(top, 0, all)
	if err == nil {
		above, err = arcpoly.Intersection(above, plan)
	}
	if err == nil && !above.IsEmpty() {
		above, err = above.Offset(-flush) // without slivers along walls
	}
	if err != nil {
		return nil
	}
	return above
}

// openSide is the tag of open segments while areas are subtracted from an outline.
const openSide = math.MinInt32

// obstruct removes obstacles and the areas that they enclose from the outline of a passage with an open side. Bosses
// between its walls are such obstacles. The outline stays unchanged if the areas cannot be computed.
func (p *partContext) obstruct(s *featureMeasurer, f *floorOutline) {
	if !slices.ContainsFunc(f.Loops, hasGap) {
		return
	}
	loops := make([]planar.Loop, len(f.Loops))
	for k, l := range f.Loops {
		loops[k] = slices.Clone(l)
		for i := range l {
			if l[i].Open {
				loops[k][i].Tag = openSide
			}
		}
	}
	plan, err := arcpoly.New(loops...)
	if err != nil {
		return
	}
	outline := slices.Concat(loops...)
	others, err := p.standingIn(s, plan, outline)
	if err != nil || len(others) == 0 {
		return
	}
	rest, err := plan.Minus(others...)
	if err != nil {
		return
	}
	var kept []planar.Loop
	for _, c := range rest.Parts() {
		var all []planar.Loop
		isOwn := false
		for _, l := range c.Loops() {
			l = marked(l, outline)
			for i := range l {
				isOwn = isOwn || s.has(l[i].Tag)
				if l[i].Open {
					l[i].Tag = graph.None
				}
			}
			all = append(all, l)
		}
		if isOwn {
			kept = append(kept, all...)
		}
	}
	if len(kept) > 0 {
		f.Loops = kept
	}
}

// marked returns a loop of a reduced outline with the marks of the original segments, which areas do not keep.
func marked(l planar.Loop, outline []planar.Segment) planar.Loop {
	const same = 1e-3 // mm, more than area operations move kept segments, also at a tip
	l = slices.Clone(l)
	for i := range l {
		q := &l[i]
		q.Open = q.Tag == openSide
		k := slices.IndexFunc(outline, func(o planar.Segment) bool {
			return o.Tag == q.Tag && (o.Turn == 0) == (q.Turn == 0) && o.Turn*q.Turn >= 0 &&
				max(o.Distance(q.From), o.Distance(q.At(0.5)), o.Distance(q.To)) <= same
		})
		if k >= 0 {
			o := &outline[k]
			q.Tight, q.Joined = o.Tight, o.Joined && o.From.Dist(q.From) <= same
		}
	}
	return l
}

// standingIn returns the areas of other features' material in the plan of a passage.
func (p *partContext) standingIn(s *featureMeasurer, plan *arcpoly.Area, outline []planar.Segment) ([]*arcpoly.Area, error) {
	around, err := p.around(s)
	if err != nil {
		return nil, err
	}
	stands, err := around.Above(s.z.Lo+overFloor, 0, outline)
	for _, grow := range [2]float64{-flush, 2 * flush} { // without slivers along walls, but not apart from them
		if err == nil {
			stands, err = arcpoly.Intersection(stands, plan)
		}
		if err == nil {
			stands, err = stands.Offset(grow)
		}
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(stands.Parts(), func(c *arcpoly.Area) bool { // drops slivers between a wall and its chords
		return !slices.ContainsFunc(slices.Concat(c.Loops()...), func(q planar.Segment) bool {
			return q.Tag != openSide && !s.has(q.Tag)
		})
	}), nil
}
