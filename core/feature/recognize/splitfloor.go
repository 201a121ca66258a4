package recognize

// Faces and pocket patches that other features split.
//
// Patches of one surface that border on one concave feature over convex edges face each other across it. A smaller
// plane that continues the floor or a wall of a pocket across a groove belongs to the pocket. Faces are joined in
// unclaimed.go, pockets in merge.go.
//
// Cost: neighbors of a feature are compared in order of their offset, so that few pairs are tried. At most maxAir gaps
// between patches are tested, each linear in triangles.

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// isConcave reports whether features of a type remove material inside others.
func isConcave(t feature.Type) bool {
	switch t {
	case feature.Hole, feature.Pocket, feature.Dovetail, feature.Tslot:
		return true
	}
	return false
}

// acrossConcave calls visit for pairs of coplanar planes that face each other across concave feature f, or across the
// free roundings of its boundary.
func (r *reading) acrossConcave(visit func(f int32, p, q int32)) {
	g := r.g
	type neighbor struct {
		patch  int32
		offset float64 // mm, of the plane from the origin
	}
	var near []neighbor
	note := func(f, q int32) {
		if s := &g.Patches[q].Shape; r.ownerOf(q) != f && s.Kind == surface.KindPlane {
			near = append(near, neighbor{q, s.Origin.Dot(s.Axis)})
		}
	}
	for f := range r.features {
		if !isConcave(r.features[f].typ) {
			continue
		}
		near = near[:0]
		for _, p := range r.features[f].patches {
			for q, a := range g.Neighbors(p) {
				isRound := a.Convexity == graph.Smooth && !r.isTaken(q) && r.isEdgeRounding(q)
				if a.Convexity == graph.Convex {
					note(int32(f), q)
				}
				if !isRound {
					continue
				}
				for o, a := range g.Neighbors(q) {
					if a.Convexity == graph.Smooth {
						note(int32(f), o)
					}
				}
			}
		}
		slices.SortFunc(near, func(a, b neighbor) int {
			return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.patch, b.patch))
		})
		near = slices.Compact(near)
		for i, a := range near {
			for _, b := range near[i+1:] {
				if b.offset-a.offset > g.Slack() {
					break
				}
				if g.OnOneSurface(a.patch, b.patch) {
					visit(int32(f), a.patch, b.patch)
				}
			}
		}
	}
}

// acrossTwo joins the faces of one plane that a concave feature with chamfered or rounded edges has split, or several
// concave features that touch.
func acrossTwo(r *reading, isFace []int32, set graph.UnionFind) {
	g := r.g
	var all []int32
	beside := make([][]int32, len(g.Patches)) // by face: adjacent concave features
	for i := range isFace {
		if isFace[i] == graph.None {
			continue
		}
		if beside[i] = adjacentConcave(r, int32(i)); len(beside[i]) > 0 {
			all = append(all, int32(i))
		}
	}
	planes, cluster := g.NewPlanes(all), clusters(r)
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
				touch(beside[p], beside[q]) && !r.areTopsOfDifferentBosses(p, q) && tried < maxAir {
				if tried++; r.hasGapBetween(p, q) {
					set.Join(p, q)
				}
			}
		})
	}
}

// roundCores joins the faces of one plane around one round core that end at one round outer wall. Other features leave
// such pieces of a shoulder on both sides of the core. Tabs at its sides were never one face.
func roundCores(pc *partContext, isFace []int32, set graph.UnionFind) {
	g := pc.g
	var all []int32
	cores, ends := make([][]int32, len(g.Patches)), make([][]int32, len(g.Patches)) // by face
	for i := range isFace {
		if isFace[i] == graph.None {
			continue
		}
		for q, a := range g.Neighbors(int32(i)) {
			switch s := &g.Patches[q].Shape; {
			case !s.IsMantle() || !graph.Parallel(s.Axis, g.Patches[i].Axis):
			case a.Convexity == graph.Convex && !g.Patches[q].Hollow:
				ends[i] = append(ends[i], q)
			case a.Convexity == graph.Concave:
				cores[i] = append(cores[i], q)
			}
		}
		ends[i] = slices.DeleteFunc(ends[i], func(e int32) bool {
			s := &g.Patches[e].Shape
			return !slices.ContainsFunc(cores[i], func(c int32) bool {
				return graph.DistanceToAxis(s, g.Patches[c].Origin) < s.Radius
			})
		})
		if len(ends[i]) > 0 {
			all = append(all, int32(i))
		}
	}
	shareOne := func(ps, qs []int32) bool {
		return slices.ContainsFunc(ps, func(p int32) bool {
			return slices.ContainsFunc(qs, func(q int32) bool { return g.OnOneSurface(p, q) })
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

// adjacentConcave returns the concave features at which a patch ends, directly or over a chamfer of their edge.
func adjacentConcave(r *reading, p int32) (out []int32) {
	add := func(p int32, visit func(q, f int32)) {
		for q, a := range r.g.Neighbors(p) {
			if f := r.ownerOf(q); a.Convexity != graph.Concave && f != graph.None {
				visit(q, f)
			}
		}
	}
	note := func(_, f int32) {
		if isConcave(r.features[f].typ) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	add(p, func(q, f int32) {
		if note(q, f); r.features[f].typ == feature.Chamfer {
			add(q, note)
		}
	})
	return out
}

// clusters joins the concave features that border on each other.
func clusters(r *reading) graph.UnionFind {
	set := graph.NewUnionFind(len(r.features))
	isIn := func(f int32) bool { return f != graph.None && isConcave(r.features[f].typ) }
	for i := range r.g.Arcs {
		if f, k := r.ownerOf(r.g.Arcs[i].A), r.ownerOf(r.g.Arcs[i].B); isIn(f) && isIn(k) {
			set.Join(f, k)
		}
	}
	return set
}

// claimPieces gives pockets the pieces of their floors and walls beyond a concave feature in them.
func claimPieces(r *reading, v *verifier) {
	for again := true; again; {
		again = false
		r.acrossConcave(func(f, p, q int32) {
			a, b := r.ownerOf(p), r.ownerOf(q)
			if a == graph.None {
				p, q, a, b = q, p, b, a
			}
			if a == graph.None || b != graph.None || r.features[a].typ != feature.Pocket {
				return
			}
			isPiece := (r.g.Patches[q].Area <= r.g.Patches[p].Area || isWalledWith(r, q, p, f)) &&
				r.sees(r.v.Find(r.features[a].dir), q)
			if isPiece && !r.isAlongsideFloors(q, a) && !hasProtrusion(r, q) {
				v.extend(a, q)
				again = true // it may border on further pieces
			}
		})
	}
}

// isAlongsideFloors reports whether vertical plane q overlaps no floor of pocket f along the floor. The pocket then
// left no part of it.
func (r *reading) isAlongsideFloors(q, f int32) bool {
	dir := r.features[f].dir
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

// isWalledWith reports whether walls would still bound at least minWalled of the pocket floor after it takes in piece.
// Edges cut by the concave feature f do not count.
func isWalledWith(r *reading, piece, floor, f int32) bool {
	length := func(p int32, isEnd func(q int32) bool) (sum float64) {
		for _, loop := range r.boundaryLoops(p) {
			for _, x := range loop.Arcs {
				if !loop.IsInner && isEnd(r.g.Arcs[x].Other(p)) {
					sum += r.g.Arcs[x].Length
				}
			}
		}
		return sum
	}
	isAnything := func(int32) bool { return true }
	isElsewhere := func(q int32) bool { return r.ownerOf(q) != f }
	walls, all := 0.0, length(piece, isElsewhere)
	for i := range r.floors {
		b := &r.floors[i]
		if r.ownerOf(b.patch) == r.ownerOf(floor) && r.g.OnOneSurface(floor, b.patch) {
			walls += b.walled * length(b.patch, isAnything)
			all += length(b.patch, isElsewhere)
		}
	}
	return walls >= minWalled*all
}
