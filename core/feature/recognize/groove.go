package recognize

// Grooves turned into the outside of something round: the round bottom between walls that look at each other.
//
// Seen along the axis each wall hides the other, and from no other side is the bottom seen all round: the tool comes from
// the side while the part turns. A wall that is seen along the axis is the shoulder of a larger stage, and is left to it.

import (
	"fmt"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

// grooves finds turned grooves. What others cut out of a bottom leaves pieces of one.
func (r *recognizer) grooves() {
	n := len(r.g.Patches)
	set := graph.NewSets(n)
	bottoms := make([]bool, n)
	isOf := make([]bool, n)
	for i := range r.g.Patches {
		p := int32(i)
		if r.taken[p] || !isMantle(&r.g.Patches[p].Shape) {
			continue
		}
		walls, blends := r.grooveWalls(p)
		for _, q := range append(walls, blends...) {
			set.Join(p, q)
			isOf[q] = true
		}
		if bottoms[p] = len(walls) > 0; !bottoms[p] {
			continue
		}
		isOf[p] = true
		for q := range p {
			if bottoms[q] && r.areOneBottom(p, q) {
				set.Join(p, q)
			}
		}
	}
	for _, group := range set.Groups(func(p int32) bool { return isOf[p] && !r.taken[p] }) {
		if i := slices.IndexFunc(group, func(p int32) bool { return bottoms[p] }); i >= 0 {
			r.addGroove(group, group[i])
		}
	}
}

// areOneBottom reports whether two bottoms lie on one surface, at the same place along its axis.
func (r *facts) areOneBottom(p, q int32) bool {
	g := r.g
	s := &g.Patches[p].Shape
	a, b := g.Extent(p, s.Axis), g.Extent(q, s.Axis)
	return g.Continues(s, &g.Patches[q].Shape) && min(a.Hi, b.Hi) > max(a.Lo, b.Lo)
}

// grooveWalls returns the walls at both ends of a round bottom that are hidden along the axis, and the fillets at their
// feet; none where it has no wall at one of the ends, or where both are seen.
func (r *recognizer) grooveWalls(bottom int32) (walls, blends []int32) {
	g := r.g
	s := &g.Patches[bottom].Shape
	var looks [2]bool // along the axis, against it
	see := func(q, fillet int32) {
		w := &g.Patches[q].Shape
		if r.taken[q] || w.Kind != surface.KindPlane || !graph.Parallel(w.Axis, s.Axis) || !r.endsRound(q, s) {
			return
		}
		if w.Axis.Dot(s.Axis) > 0 {
			looks[0] = true
		} else {
			looks[1] = true
		}
		if fillet != graph.None {
			blends = append(blends, fillet)
		}
		if d := r.v.Find(w.Axis); d == graph.None || r.v.Share[d][q] < direction.FloorShare {
			walls = append(walls, q)
		}
	}
	for _, x := range g.Patches[bottom].Arcs {
		a := &g.Arcs[x]
		q := a.Other(bottom)
		f := &g.Patches[q].Shape
		switch {
		case a.Bend == graph.Concave:
			see(q, graph.None)
		case a.Bend == graph.Smooth && f.Kind == surface.KindTorus && f.Hollow && g.Coaxial(s, f) && !r.taken[q]:
			for _, y := range g.Patches[q].Arcs {
				if o := g.Arcs[y].Other(q); o != bottom && g.Arcs[y].Bend == graph.Smooth {
					see(o, q)
				}
			}
		}
	}
	if !looks[0] || !looks[1] {
		return nil, nil
	}
	return walls, blends
}

// endsRound reports whether a wall across the axis of s ends in something round on that axis.
func (r *facts) endsRound(wall int32, s *graph.Shape) bool {
	return slices.ContainsFunc(r.g.Patches[wall].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		o := &r.g.Patches[a.Other(wall)].Shape
		return a.Bend != graph.Concave && o.Kind != surface.KindPlane && !o.Hollow && r.g.Coaxial(s, o)
	})
}

// addGroove adds a groove from the side that sees most of it; nothing where no direction comes from the side.
func (r *recognizer) addGroove(group []int32, bottom int32) {
	g := r.g
	axis := g.Patches[bottom].Axis
	best, most := graph.None, 0.0
	for i, d := range r.v.Dirs {
		if seen := r.v.Seen(g, i, group); max(d.Dot(axis), -d.Dot(axis)) <= graph.SameDirection && seen > most+sameShare {
			best, most = i, seen
		}
	}
	if best == graph.None {
		return
	}
	dir := r.v.Dirs[best]
	walls := slices.DeleteFunc(slices.Clone(group), func(p int32) bool { return p == bottom })
	depth := g.ExtentOf(walls, dir).Hi - g.Extent(bottom, dir).Hi
	r.add(found{
		typ: feature.Pocket, patches: group, dir: dir, axis: &axis, z: g.ExtentOf(group, dir),
		pocket: &feature.PocketShape{Open: true, Depth: depth}, rule: "turned groove", reasons: []string{fmt.Sprintf(
			"A round bottom of diameter %s lies between walls that look at each other.",
			mm(2*g.Patches[bottom].RadiusAt(g.Patches[bottom].Origin)))},
	})
}
