package recognize

// What other features cut apart.
//
// Patches that border on one hollow feature over convex edges and lie on one surface face each other
// across it. A smaller plane that continues the floor or a wall of a pocket across a groove in it, or a wall within
// a groove, is of the pocket too. Faces are joined where they are made (rest.go).
//
// Pockets of which others leave pieces are made one in rejoin.go.
//
// Cost: the neighbours of a feature are compared in order of their offset, so that few pairs are tried; maxAir gaps
// between patches are looked at, each linear in triangles.

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// isHollow reports whether a kind is material taken away inside others.
func isHollow(t feature.Type) bool {
	switch t {
	case feature.Hole, feature.Pocket, feature.Dovetail, feature.Tslot:
		return true
	}
	return false
}

// acrossHollows calls visit for pairs of planes that face each other across hollow feature f, and the roundings of its rim
// that no feature has yet.
func (r *recognizer) acrossHollows(visit func(f int32, p, q int32)) {
	g := r.g
	type neighbour struct {
		patch  int32
		offset float64 // mm, of the plane from the origin
	}
	var near []neighbour
	note := func(f, q int32) {
		if s := &g.Patches[q].Shape; r.owner[q] != f && s.Kind == surface.KindPlane {
			near = append(near, neighbour{q, s.Origin.Dot(s.Axis)})
		}
	}
	for f := range r.out {
		if !isHollow(r.out[f].typ) {
			continue
		}
		near = near[:0]
		for _, p := range r.out[f].patches {
			for _, x := range g.Patches[p].Arcs {
				q := g.Arcs[x].Other(p)
				isRound := g.Arcs[x].Convexity == graph.Smooth && !r.taken[q] && r.isRimRounding(q)
				if g.Arcs[x].Convexity == graph.Convex {
					note(int32(f), q)
				}
				for _, y := range g.Patches[q].Arcs {
					if isRound && g.Arcs[y].Convexity == graph.Smooth {
						note(int32(f), g.Arcs[y].Other(q))
					}
				}
			}
		}
		slices.SortFunc(near, func(a, b neighbour) int {
			return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.patch, b.patch))
		})
		near = slices.Compact(near)
		slack := g.Length + g.Diagonal*graph.AxisTolerance
		for i, a := range near {
			for _, b := range near[i+1:] {
				if b.offset-a.offset > slack {
					break
				}
				if g.Continues(&g.Patches[a.patch].Shape, &g.Patches[b.patch].Shape) {
					visit(int32(f), a.patch, b.patch)
				}
			}
		}
	}
}

// acrossTwo joins the faces of one plane that a hollow feature with broken or rounded rims, or several that touch each
// other, have cut apart.
func (r *recognizer) acrossTwo(isFace []int32, set graph.UnionFind) {
	g := r.g
	var all []int32
	beside := make([][]int32, len(g.Patches)) // by face: the hollow features that it borders on
	for i := range isFace {
		if isFace[i] == graph.None {
			continue
		}
		if beside[i] = r.hollowsBeside(int32(i)); len(beside[i]) > 0 {
			all = append(all, int32(i))
		}
	}
	planes, cluster := g.NewPlanes(all), r.clusters()
	touch := func(fs, ks []int32) bool {
		return slices.ContainsFunc(fs, func(f int32) bool {
			return slices.ContainsFunc(ks, func(k int32) bool { return cluster.Find(f) == cluster.Find(k) })
		})
	}
	tried := 0
	for _, p := range all {
		s := &g.Patches[p].Shape
		planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(q int32) {
			if p < q && isFace[p] == isFace[q] && g.Continues(s, &g.Patches[q].Shape) && set.Find(p) != set.Find(q) &&
				touch(beside[p], beside[q]) && !r.areTopsOfTwo(p, q) && tried < maxAir {
				if tried++; r.isAirBetween(p, q) {
					set.Join(p, q)
				}
			}
		})
	}
}

// roundCores joins the faces of one plane from which one round thing rises, and which end at another round it, as a
// shoulder does of which others leave pieces on both sides of the thinner part; ears at its sides were never one.
func (r *recognizer) roundCores(isFace []int32, set graph.UnionFind) {
	g := r.g
	var all []int32
	cores, ends := make([][]int32, len(g.Patches)), make([][]int32, len(g.Patches)) // by face
	for i := range isFace {
		if isFace[i] == graph.None {
			continue
		}
		for _, x := range g.Patches[i].Arcs {
			q := g.Arcs[x].Other(int32(i))
			switch s := &g.Patches[q].Shape; {
			case !s.IsMantle() || !graph.Parallel(s.Axis, g.Patches[i].Axis):
			case g.Arcs[x].Convexity == graph.Convex && !g.Patches[q].Hollow:
				ends[i] = append(ends[i], q)
			case g.Arcs[x].Convexity == graph.Concave:
				cores[i] = append(cores[i], q)
			}
		}
		ends[i] = slices.DeleteFunc(ends[i], func(e int32) bool {
			s := &g.Patches[e].Shape
			return !slices.ContainsFunc(cores[i], func(c int32) bool { return graph.DistanceToAxis(s, g.Patches[c].Origin) < s.Radius })
		})
		if len(ends[i]) > 0 {
			all = append(all, int32(i))
		}
	}
	shareOne := func(ps, qs []int32) bool {
		return slices.ContainsFunc(ps, func(p int32) bool {
			return slices.ContainsFunc(qs, func(q int32) bool { return g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape) })
		})
	}
	planes := g.NewPlanes(all)
	for _, p := range all {
		s := &g.Patches[p].Shape
		planes.Between(s.Axis, s.Origin, -g.Length, g.Length, func(q int32) {
			if p < q && isFace[p] == isFace[q] && g.Continues(s, &g.Patches[q].Shape) && shareOne(cores[p], cores[q]) &&
				shareOne(ends[p], ends[q]) {
				set.Join(p, q)
			}
		})
	}
}

// hollowsBeside returns the hollow features at which a patch ends, or the chamfer of whose rim.
func (r *recognizer) hollowsBeside(p int32) (out []int32) {
	add := func(p int32, visit func(q, f int32)) {
		for _, x := range r.g.Patches[p].Arcs {
			q := r.g.Arcs[x].Other(p)
			if f := r.owner[q]; r.g.Arcs[x].Convexity != graph.Concave && f != graph.None {
				visit(q, f)
			}
		}
	}
	note := func(_, f int32) {
		if isHollow(r.out[f].typ) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	add(p, func(q, f int32) {
		if note(q, f); r.out[f].typ == feature.Chamfer {
			add(q, note)
		}
	})
	return out
}

// clusters joins the hollow features that border on each other.
func (r *recognizer) clusters() graph.UnionFind {
	set := graph.NewUnionFind(len(r.out))
	isIn := func(f int32) bool { return f != graph.None && isHollow(r.out[f].typ) }
	for i := range r.g.Arcs {
		if f, k := r.owner[r.g.Arcs[i].A], r.owner[r.g.Arcs[i].B]; isIn(f) && isIn(k) {
			set.Join(f, k)
		}
	}
	return set
}

// adopt gives pockets the pieces of their floors and walls that a hollow in them parts from the rest.
func (r *recognizer) adopt() {
	for again := true; again; {
		again = false
		r.acrossHollows(func(f, p, q int32) {
			a, b := r.owner[p], r.owner[q]
			if a == graph.None {
				p, q, a, b = q, p, b, a
			}
			if a == graph.None || b != graph.None || r.out[a].typ != feature.Pocket {
				return
			}
			isPiece := (r.g.Patches[q].Area <= r.g.Patches[p].Area || r.isWalledWith(q, p, f)) &&
				r.v.Share[r.v.Find(r.out[a].dir)][q] >= direction.MinFloorVisibility
			if isPiece && !r.isBesideFloors(q, a) && !r.hasLip(q) {
				r.extend(a, q)
				again = true // it may have others beside it
			}
		})
	}
}

// isBesideFloors reports whether an upright plane goes no way along a floor of a pocket: it stands beside all of them, and what
// cut the wall that it lies in line with left it.
func (r *recognizer) isBesideFloors(q, f int32) bool {
	dir := r.out[f].dir
	floors := r.floorsAlong(f, dir)
	if len(floors) == 0 || !r.isWall(q, dir) {
		return false
	}
	along := dir.Cross(r.g.Patches[q].Axis).Unit()
	return !slices.ContainsFunc(floors, func(p int32) bool {
		_, ok := r.overlap(p, q, along)
		return ok
	})
}

// isWalledWith reports whether the walls round the pieces of a floor that a pocket has would be enough for one more, which a
// hollow f parts from them: what is cut off at f is no end of the floor.
func (r *recognizer) isWalledWith(piece, floor, f int32) bool {
	length := func(p int32, isEnd func(q int32) bool) (sum float64) {
		for _, ring := range r.rims(p) {
			for _, x := range ring.Arcs {
				if !ring.IsInner && isEnd(r.g.Arcs[x].Other(p)) {
					sum += r.g.Arcs[x].Length
				}
			}
		}
		return sum
	}
	isAnything := func(int32) bool { return true }
	isElsewhere := func(q int32) bool { return r.owner[q] != f }
	walls, all := 0.0, length(piece, isElsewhere)
	for i := range r.basins {
		b := &r.basins[i]
		if r.owner[b.patch] == r.owner[floor] && r.g.Continues(&r.g.Patches[floor].Shape, &r.g.Patches[b.patch].Shape) {
			walls += b.walled * length(b.patch, isAnything)
			all += length(b.patch, isElsewhere)
		}
	}
	return walls >= leastWalled*all
}

// dropUnited takes out the features that others took over.
func (r *recognizer) dropUnited() {
	r.out = slices.DeleteFunc(r.out, func(f found) bool { return len(f.patches) == 0 })
	for i := len(r.out) - 1; i >= 0; i-- { // the first owns what two have
		for _, p := range r.out[i].patches {
			r.owner[p] = int32(i)
		}
	}
}

// keeper returns the feature into which f was united, f itself as a rule.
func (r *recognizer) keeper(f int32) int32 {
	for r.out[f].into != 0 {
		f = r.out[f].into - 1
	}
	return f
}

// extend adds a free patch to a feature.
func (r *recognizer) extend(f, p int32) {
	o := &r.out[f]
	o.patches = ascending(append(slices.Clone(o.patches), p))
	r.taken[p], r.owner[p] = true, f
}

// unite moves everything of pocket b to pocket a, for a reason.
func (r *recognizer) unite(a, b int32, reason string) {
	if a == b {
		return
	}
	o, p := &r.out[a], &r.out[b]
	o.pocket.Depth = max(o.pocket.Depth, p.pocket.Depth)
	o.pocket.Open = o.pocket.Open || p.pocket.Open
	r.merge(a, b, reason)
}

// merge moves the patches of feature b to feature a, for a reason.
func (r *recognizer) merge(a, b int32, reason string) {
	o, p := &r.out[a], &r.out[b]
	o.patches = ascending(append(slices.Clone(o.patches), p.patches...))
	o.z.Lo, o.z.Hi = min(o.z.Lo, p.z.Lo), max(o.z.Hi, p.z.Hi)
	o.reasons = append(o.reasons, reason)
	for _, q := range p.patches {
		r.owner[q] = a
	}
	p.patches, p.into = nil, a+1
}
