package feature

// Pockets without a flat floor.
//
// A passage is a through pocket: an inner rim of a plane that opens into walls parallel to the plane's
// normal, with no floor among them. Chamfers and roundings of the opening are looked through. A hollow
// is what is left over then: patches held together by concave edges or hollow blends that one
// direction sees altogether, such as a V groove, a round-bottomed slot or a notch between walls. Of
// several such directions the one with the shortest reach is taken. It is an open pocket where its rim
// comes down to its bottom.
//
// Limits: passages are found through a planar opening only.

import (
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// passages finds through pockets.
func (r *recognizer) passages() {
	for i := range r.g.patches {
		p := int32(i)
		if r.g.patches[p].kind != surface.KindPlane {
			continue
		}
		for _, ring := range r.g.rims(p) {
			if !ring.isInner || len(ring.arcs) == 0 {
				continue
			}
			if walls, ok := r.passage(p, &ring); ok {
				r.addPassage(p, walls)
			}
		}
	}
}

// passage gathers the walls behind an opening of plane p; ok is false when something else than free,
// parallel walls is there.
func (r *recognizer) passage(p int32, ring *rim) (walls []int32, ok bool) {
	g := r.g
	n := g.patches[p].axis
	seen := map[int32]bool{p: true}
	queue := []int32{}
	push := func(q int32) {
		if !seen[q] {
			seen[q] = true
			queue = append(queue, q)
		}
	}
	for _, x := range ring.arcs {
		if g.arcs[x].bend == concave {
			return nil, false
		}
		push(g.arcs[x].other(p))
	}
	for i := 0; i < len(queue); i++ {
		q := queue[i]
		upright := r.isUpright(q, n)
		breaksEdge := r.isChamfer[q] || g.patches[q].kind != surface.KindPlane && !g.patches[q].hollow
		switch {
		case upright && r.taken[q]:
			return nil, false
		case upright:
			walls = append(walls, q)
		case !breaksEdge:
			return nil, false
		}
		for _, x := range g.patches[q].arcs {
			a := &g.arcs[x]
			o := a.other(q)
			lateral := abs(a.dir.Dot(n)) > lateralCos
			switch {
			case seen[o]:
			case lateral, !upright && !isLevel(g, o, n):
				push(o)
			case upright && a.bend == concave:
				return nil, false // something lies across the passage
			}
		}
	}
	slices.Sort(walls)
	return walls, len(walls) > 0
}

// isLevel reports whether a patch is a plane square to n, on either side.
func isLevel(g *graph, p int32, n geom.Vec3) bool {
	return g.patches[p].kind == surface.KindPlane && parallel(g.patches[p].axis, n)
}

func (r *recognizer) addPassage(p int32, walls []int32) {
	n := r.g.patches[p].axis
	best, share := none, floorShare
	for _, d := range []geom.Vec3{n, n.Neg()} {
		if i := r.v.find(d); i != none {
			if s := r.v.seen(r.g, i, walls); s > share+axisAngle || s >= share && i < best {
				best, share = i, s
			}
		}
	}
	if best == none {
		return
	}
	dir := r.v.dirs[best]
	z := r.g.extentOf(walls, dir)
	axis := dir
	r.add(found{
		typ: Pocket, patches: walls, dir: dir, axis: &axis, z: z,
		pocket: &PocketShape{Through: true, Depth: z.Length()},
	})
}

// hollows finds open pockets among what is left.
func (r *recognizer) hollows() {
	g := r.g
	set := newSets(len(g.patches))
	held := make([]bool, len(g.patches)) // by a concave edge or the blend in its place
	for i := range g.patches {
		p := int32(i)
		if r.taken[p] {
			continue
		}
		edges, tangent := 0, 0
		for _, x := range g.patches[p].arcs {
			a := &g.arcs[x]
			q := a.other(p)
			if a.bend == smooth && g.patches[p].hollow {
				tangent++
			}
			edges++
			if r.taken[q] || a.bend == convex || a.bend == smooth && !g.patches[p].hollow && !g.patches[q].hollow {
				continue
			}
			set.join(p, q)
			held[p] = true
		}
		// A hollow face that is no blend of its neighbours is a depression of its own.
		held[p] = held[p] || g.patches[p].hollow && tangent == 0 && edges > 0
	}
	for _, group := range set.groups(func(i int32) bool { return !r.taken[i] }) {
		if !slices.ContainsFunc(group, func(p int32) bool { return held[p] }) {
			continue
		}
		r.addHollow(group)
	}
}

// addHollow adds a group of patches as one pocket, cut from the direction that sees all of them and
// needs the shortest tool; nothing when there is none.
func (r *recognizer) addHollow(group []int32) {
	best, depth := none, math.Inf(1)
	for i, d := range r.v.dirs {
		low := 1.0
		for _, p := range group {
			low = min(low, r.v.share[i][p])
		}
		h := r.g.extentOf(group, d).Length()
		if low >= floorShare && r.v.seen(r.g, i, group) >= wallShare && h < depth-r.g.length {
			best, depth = i, h
		}
	}
	if best == none {
		return
	}
	dir := r.v.dirs[best]
	z := r.g.extentOf(group, dir)
	axis := dir
	r.add(found{
		typ: Pocket, patches: group, dir: dir, axis: &axis, z: z,
		pocket: &PocketShape{
			Open: r.rimComesDown(group, dir), Depth: z.Length(),
			Through: !slices.ContainsFunc(group, func(p int32) bool { return !r.isUpright(p, dir) }),
		},
	})
}

// isUpright reports whether a patch is parallel to dir all over.
func (r *recognizer) isUpright(p int32, dir geom.Vec3) bool {
	s := r.g.slopes(p, dir)
	return max(abs(s.Lo), abs(s.Hi)) <= sameDirection
}

// rimComesDown reports whether the outer edges of a group reach below the middle of its height.
func (r *recognizer) rimComesDown(group []int32, dir geom.Vec3) bool {
	mid := r.g.extentOf(group, dir).Mid()
	for _, p := range group {
		for _, x := range r.g.patches[p].arcs {
			a := &r.g.arcs[x]
			e := &r.g.model.Edges[a.edge]
			low := min(a.mid.Dot(dir), r.g.model.Vertices[e.Start].Point.Dot(dir),
				r.g.model.Vertices[e.End].Point.Dot(dir))
			if a.bend == convex && !slices.Contains(group, a.other(p)) && low < mid-r.g.length {
				return true
			}
		}
	}
	return false
}
