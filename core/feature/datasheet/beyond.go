package datasheet

// What stands beyond the open sides of a pocket, and over its floor.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// overFloor (mm) is how far above the sill of an open side material has to rise to be in a tool's way.
const overFloor = 0.02

// obstaclesBeyond returns what rises over the sill of an outline beside its open sides.
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

// over returns what stands over an outline, as walls do that lean over its base and bridges, nil for nothing.
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

// openSide is the tag of open pieces while areas are taken from an outline.
const openSide = math.MinInt32

// obstruct takes what stands in a passage that is open on some side, as bosses between its walls do, out of its outline, and
// what that encloses. It stays whole where that can't be told.
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

// marked returns a loop of what is left of an outline with the marks that its pieces had there, which areas don't keep.
func marked(l planar.Loop, outline []planar.Segment) planar.Loop {
	const same = 1e-3 // mm, more than areas move what they keep, also where it ends in a tip
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

// standingIn returns what of other features stands in the plan of a passage.
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
	return slices.DeleteFunc(stands.Parts(), func(c *arcpoly.Area) bool { // between a wall and its chords
		return !slices.ContainsFunc(slices.Concat(c.Loops()...), func(q planar.Segment) bool {
			return q.Tag != openSide && !s.has(q.Tag)
		})
	}), nil
}
