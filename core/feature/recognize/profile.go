package recognize

// Profiles: the outside of a part along a direction.
//
// Method: steep faces that no other rule took and that close to a chain round material are a profile.
// A cut at one height may miss the chain where a hole breaks a side, so that several heights are tried.
// Of the directions in which one solid closes, the one along which the chain is lowest comes first:
// plates lie flat, and a shaft closes round its axis alone. A ring of planes square to one another is
// the outside of a block: its sides are Faces, which need no profile.
//
// Cost: linear in the triangles of the walls per direction.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// profileCuts are the heights at which a wall is cut, as shares of its own, until a chain is found: of two as far from
// the middle the one counts that gives the smaller chain, so that it is the same from either side. They are no round shares:
// where something else begins at the very height of a cut, as at the middle, rounding decides whether the chain closes.
var profileCuts = [...][]float64{{0.487, 0.513}, {0.293, 0.707}, {0.107, 0.893}}

// profileDraft is the sine of the largest draft of a profile, 10°, with room for what is drawn at that: castings have a few
// degrees.
var profileDraft = math.Sin(geom.Radians(10)) + graph.DirectionTolerance

// outerProfile is the rule of an outline.
const outerProfile = "outer profile"

// outline is a candidate for a profile.
type outline struct {
	d       int
	patches []int32
	height  geom.Interval
}

// profiles finds the outer profiles.
func (r *recognizer) profiles() {
	var all []outline
	for d := range r.v.Dirs {
		r.wallsAlong(d).Renew() // what stands on floors may have asked for all cuts of a group
		o := r.v.Find(r.v.Dirs[d].Neg())
		all = append(all, r.outlines(d, o != graph.None && o < d)...) // upright walls are those of either direction
	}
	slices.SortStableFunc(all, func(a, b outline) int {
		return cmp.Or(cmp.Compare(direction.RoundSignificant(a.height.Length()), direction.RoundSignificant(b.height.Length())),
			cmp.Compare(a.d, b.d))
	})
	for _, o := range all {
		if slices.ContainsFunc(o.patches, func(p int32) bool { return r.taken[p] }) {
			continue
		}
		if r.isStage(&o, all) || r.isBlockWithBoss(&o) {
			continue
		}
		hubs := r.hubsOf(&o)
		dir := r.v.Dirs[r.sideOf(&o)]
		reason := fmt.Sprintf("%s round the part, %s high.", count(len(o.patches), "upright face runs",
			"upright faces run"), mm(o.height.Length()))
		r.add(found{
			typ: feature.Profile, patches: o.patches, dir: dir, axis: &dir, z: r.g.ExtentOf(o.patches, dir),
			rule:    outerProfile,
			reasons: []string{reason},
		})
		if f := r.owner[o.patches[0]]; f != graph.None {
			for _, hub := range hubs {
				r.merge(f, hub, "It runs on along the hubs between which its sides lie.")
			}
		}
	}
	r.dropUnited()
}

// hubsOf returns the bosses between which all sides of an outline along a direction lie, where these make no outer turn themselves:
// those run round the part, and the sides are webs between them. It returns none where a side meets anything else.
func (r *recognizer) hubsOf(o *outline) (hubs []int32) {
	g, dir := r.g, r.v.Dirs[o.d]
	for _, p := range o.patches {
		if s := &g.Patches[p].Shape; s.Kind != surface.KindPlane && !s.Hollow {
			return nil
		}
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			f := r.owner[a.Other(p)]
			_, isSide := slices.BinarySearch(o.patches, a.Other(p))
			switch {
			case isAcross(a, dir) || a.Convexity == graph.Concave && isSide:
			case f == graph.None || r.out[f].typ != feature.Boss || !graph.Parallel(r.out[f].dir, dir):
				return nil
			default:
				hubs = append(hubs, f)
			}
		}
	}
	return ascending(hubs)
}

// sideOf returns the direction of an outline, or the opposite one where that sees more of it with its roundings.
func (r *recognizer) sideOf(o *outline) int {
	k := r.v.Find(r.v.Dirs[o.d].Neg())
	if k == graph.None {
		return o.d
	}
	all := slices.Clone(o.patches)
	for _, p := range o.patches {
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			if q := a.Other(p); a.Convexity == graph.Smooth && !r.taken[q] && r.g.IsBlend(q) {
				all = append(all, q)
			}
		}
	}
	all = ascending(all)
	if r.v.Seen(r.g, k, all) > r.v.Seen(r.g, o.d, all)+sameShare {
		return k
	}
	return o.d
}

// outlines returns the chains of free walls round material along direction d, of those that lean alone if so asked.
func (r *recognizer) outlines(d int, leaning bool) []outline {
	w := r.wallsAlong(d)
	free := map[int32][]int32{} // by root
	var roots []int32
	for i, steep := range w.Steep {
		root := w.Root(int32(i))
		if steep && !r.isElsewhere(int32(i)) && r.isOutside(d, int32(i)) {
			if free[root] == nil {
				roots = append(roots, root)
			}
			free[root] = append(free[root], int32(i))
		}
	}
	var out []outline
	for _, root := range roots {
		if leaning && r.slopesOf(free[root], w.Dir).Hi <= graph.DirectionTolerance || !w.Embraces(free[root]) {
			continue
		}
		patches := r.outerWalls(d, free[root])
		upright := r.draftedAtMost(patches, w.Dir)
		gap := section.Gap(r.g, w.Dir, upright)
		if gap > math.Pi+graph.SmoothAngle || gap >= math.Pi-graph.SmoothAngle &&
			(len(upright) < len(patches) || r.areUpright(upright, w.Dir)) {
			continue // planes and corners that leave half a circle free do not run round, as a half-round bar does
		}
		if patches = upright; len(patches) > 0 && !r.areSquare(patches) && !r.isSlantBlock(patches, w.Dir) {
			out = append(out, outline{d, patches, r.g.ExtentOf(patches, w.Dir)})
		}
	}
	return out
}

// draftedAtMost returns those of some sides, ascending, that lean by a draft at most, and the round corners that join such
// sides: where two of one draft meet, the corner leans by more than either.
func (r *recognizer) draftedAtMost(sides []int32, dir geom.Vec3) []int32 {
	drafted := slices.DeleteFunc(slices.Clone(sides), func(p int32) bool { return r.g.Slopes(p, dir).Hi > profileDraft })
	return slices.DeleteFunc(slices.Clone(sides), func(p int32) bool {
		if _, ok := slices.BinarySearch(drafted, p); ok {
			return false
		}
		joined := 0
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			if _, ok := slices.BinarySearch(drafted, a.Other(p)); ok && a.Convexity == graph.Smooth {
				joined++
			}
		}
		return joined < 2 || r.g.Patches[p].Kind == surface.KindPlane
	})
}

// isElsewhere reports whether a patch is of no profile, as it is taken, a side of bent sheet, the slope of a rib in a
// corner or of a wedge, or the top of a boss.
func (r *recognizer) isElsewhere(p int32) bool {
	return r.taken[p] || r.sheet.IsSide(p) || r.gussets[p] || r.reachesDown[p] || r.isTop(p)
}

// isOutside reports whether direction d or its opposite sees a wall: a hollow inside others shows to
// neither.
func (r *facts) isOutside(d int, p int32) bool {
	o := r.v.Find(r.v.Dirs[d].Neg())
	return r.v.Share[d][p] >= direction.MinFloorVisibility || o != graph.None && r.v.Share[o][p] >= direction.MinFloorVisibility
}

// isBuried reports whether neither direction d nor its opposite sees anything of a wall.
func (r *facts) isBuried(d int, p int32) bool {
	o := r.v.Find(r.v.Dirs[d].Neg())
	return r.v.Share[d][p] <= 0 && (o == graph.None || r.v.Share[o][p] <= 0)
}

// isTop reports whether a patch borders over outer edges on walls of bosses, their roundings or the chamfers above them,
// and else on hollows in it and on what a boss is flush with alone: it is the top of a boss.
func (r *recognizer) isTop(p int32) bool {
	onBoss := false
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		o := r.owner[a.Other(p)]
		if o == graph.None && a.Convexity == graph.Convex && r.isBesideBoss(a.Other(p), p) {
			continue
		}
		if a.Convexity == graph.Concave || o == graph.None {
			return false
		}
		isBoss := r.out[o].typ == feature.Boss || r.out[o].typ == feature.Chamfer && len(r.bossesBelow(a.Other(p))) > 0
		if !isBoss && !isHollow(r.out[o].typ) {
			return false
		}
		onBoss = onBoss || isBoss
	}
	return onBoss
}

// isBesideBoss reports whether two planes end at two walls of one boss both: it is flush with one, and the other is its top.
func (r *recognizer) isBesideBoss(side, top int32) bool {
	walls := 0
	for _, x := range r.g.Patches[top].Arcs {
		q := r.g.Arcs[x].Other(top)
		if f := r.owner[q]; f != graph.None && r.out[f].typ == feature.Boss && r.meets(q, side, graph.Convex) {
			walls++
		}
	}
	return walls > 1
}

// outerWalls returns those of some joined free walls that are in chains round material along direction d, ascending.
func (r *recognizer) outerWalls(d int, free []int32) []int32 {
	w := r.wallsAlong(d)
	slices.SortStableFunc(free, func(a, b int32) int {
		return cmp.Compare(r.g.Patches[b].Area, r.g.Patches[a].Area)
	})
	known := contour{isBlock: map[int32]bool{}, isOutline: map[int32]bool{}}
	var out []int32
	for _, p := range free {
		if known.isOutline[p] {
			continue
		}
		c, ok := r.outerChain(w, p)
		if !ok {
			continue
		}
		chain := r.withoutLeft(w, c)
		shown := slices.DeleteFunc(slices.Clone(chain), func(q int32) bool { return r.isBuried(d, q) }) // not in a cavity
		if sides := r.withoutMouths(shown, w.Dir); len(sides) > 0 && r.areSquare(sides) {
			known.add(r.g, w.Dir, sides, known.isBlock)
			continue
		}
		chain = r.newIn(w, chain, &known)
		joins := func(q int32) bool { return r.joinsSides(q, w.Dir, known.isOutline) }
		if len(chain) == 0 || r.areSquare(chain) && !slices.ContainsFunc(chain, joins) {
			continue
		}
		for _, q := range chain {
			if !known.isOutline[q] {
				out = append(out, q)
			}
		}
		known.add(r.g, w.Dir, chain, known.isOutline)
	}
	return ascending(out)
}

// contour is what is known of the outside along a direction.
type contour struct {
	isBlock, isOutline map[int32]bool
	frame              geom.Frame
	room               [2]geom.Interval // mm along X and Y of the frame
}

// add notes sides of a block or walls of an outline.
func (k *contour) add(g *graph.Graph, dir geom.Vec3, sides []int32, as map[int32]bool) {
	isFirst := len(k.isBlock)+len(k.isOutline) == 0
	if isFirst {
		k.frame = geom.NewFrame(geom.Vec3{}, dir, g.Patches[sides[0]].Axis)
	}
	for _, p := range sides {
		as[p] = true
	}
	for i, along := range []geom.Vec3{k.frame.X, k.frame.Y} {
		room := g.ExtentOf(sides, along)
		if !isFirst {
			room.Lo, room.Hi = min(room.Lo, k.room[i].Lo), max(room.Hi, k.room[i].Hi)
		}
		k.room[i] = room
	}
}

// withoutLeft returns the free walls of a chain, but of one round a block or something round not what is left of hollows in it:
// what borders on one and lies behind others. Other contours may turn inwards.
func (r *recognizer) withoutLeft(w *section.Walls, c *section.Chain) []int32 {
	free := slices.DeleteFunc(slices.Clone(c.Patches), r.isElsewhere)
	round := slices.DeleteFunc(slices.Clone(free), func(p int32) bool {
		s := &r.g.Patches[p].Shape
		return s.Kind == surface.KindPlane || s.Hollow
	})
	if len(round) > 0 && (section.Gap(r.g, w.Dir, round) > math.Pi/2 || slices.ContainsFunc(round, func(p int32) bool {
		return !r.g.Continues(&r.g.Patches[round[0]].Shape, &r.g.Patches[p].Shape)
	})) {
		return free
	}
	farthest := map[geom.Vec3]float64{} // mm along normals of planes
	isBehind := func(p int32) bool {
		s := &r.g.Patches[p].Shape
		if s.Kind != surface.KindPlane {
			return s.Hollow
		}
		if _, ok := farthest[s.Axis]; !ok {
			farthest[s.Axis] = r.g.ExtentOf(c.Patches, s.Axis).Hi
		}
		return farthest[s.Axis] > r.g.Extent(p, s.Axis).Hi+r.g.Length
	}
	return slices.DeleteFunc(slices.Clone(free), func(p int32) bool {
		isOfHollow := false
		for _, x := range r.g.Patches[p].Arcs {
			q := r.g.Arcs[x].Other(p)
			if _, ok := slices.BinarySearch(free, q); ok && r.g.Arcs[x].Convexity == graph.Smooth {
				return false
			}
			isOfHollow = isOfHollow || r.isInHollow(q)
		}
		return isOfHollow && r.turnOf[p] == 0 && !r.isTooth[p] && isBehind(p)
	})
}

// withoutMouths returns some sides along a direction without the roundings over which two walls of one hollow go on to one
// side.
func (r *recognizer) withoutMouths(sides []int32, dir geom.Vec3) []int32 {
	beside := func(p int32) (out []int32) {
		for _, x := range r.g.Patches[p].Arcs {
			if a := &r.g.Arcs[x]; a.Convexity == graph.Smooth && !isAcross(a, dir) {
				out = append(out, a.Other(p))
			}
		}
		return out
	}
	return slices.DeleteFunc(slices.Clone(sides), func(p int32) bool {
		return r.g.Patches[p].Shape.IsMantle() && slices.ContainsFunc(beside(p), func(wall int32) bool {
			opensAt := func(q int32) bool {
				return q != p && r.g.Patches[q].Shape.IsMantle() && slices.ContainsFunc(beside(q), func(o int32) bool {
					return o != wall && r.owner[o] == r.owner[wall]
				})
			}
			return r.isInHollow(wall) && slices.ContainsFunc(beside(p), func(side int32) bool {
				return side != wall && slices.ContainsFunc(beside(side), opensAt)
			})
		})
	})
}

// newIn returns the walls of a chain that are not known, nor square to a side of a block that is, if they show on all sides.
// Failing that the whole chain counts where they reach beyond those that it holds of the known ones, or else beyond all of
// them, and round corners of the known ones do anyway.
func (r *recognizer) newIn(w *section.Walls, chain []int32, known *contour) []int32 {
	if len(known.isBlock)+len(known.isOutline) == 0 {
		return chain
	}
	isKnown := func(p int32) bool { return known.isBlock[p] || known.isOutline[p] }
	i := slices.IndexFunc(chain, func(p int32) bool { return known.isBlock[p] })
	others := slices.DeleteFunc(slices.Clone(chain), func(p int32) bool {
		return isKnown(p) || i >= 0 && r.areSquare([]int32{chain[i], p})
	})
	if w.Embraces(others) {
		isSide := func(p int32) bool { return slices.Contains(chain, p) && !slices.Contains(others, p) }
		if slices.ContainsFunc(others, func(p int32) bool { return !r.roundsCorner(p, w.Dir, isSide) }) {
			return others
		}
		return chain // of whose corners others have cut the upper ends away
	}
	held := slices.DeleteFunc(slices.Clone(chain), func(p int32) bool { return !isKnown(p) })
	for i, along := range []geom.Vec3{known.frame.X, known.frame.Y} {
		room, reach := known.room[i], r.g.ExtentOf(others, along)
		if len(held) > 0 {
			room = r.g.ExtentOf(held, along)
		}
		if reach.Lo < room.Lo-r.g.Length || reach.Hi > room.Hi+r.g.Length {
			return chain
		}
	}
	isOutline := func(p int32) bool { return known.isOutline[p] }
	return slices.DeleteFunc(others, func(p int32) bool {
		return !r.roundsCorner(p, w.Dir, isOutline) && !r.joinsSides(p, w.Dir, known.isOutline)
	})
}

// joinsSides reports whether a wall stands on nothing and meets two planes that are not parallel, sides of an outline, in outer
// edges: at the height at which the outline was found another feature has cut the wall away.
func (r *facts) joinsSides(p int32, dir geom.Vec3, isSide map[int32]bool) bool {
	var sides []int32
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		q := a.Other(p)
		switch {
		case isAcross(a, dir) && a.Convexity == graph.Concave:
			return false
		case !isAcross(a, dir) && a.Convexity == graph.Convex && isSide[q] && r.g.Patches[q].Kind == surface.KindPlane:
			sides = append(sides, q)
		}
	}
	return slices.ContainsFunc(sides, func(q int32) bool {
		return !graph.Parallel(r.g.Patches[sides[0]].Axis, r.g.Patches[q].Axis)
	})
}

// roundsCorner reports whether a wall goes on smoothly in two sides that are not parallel.
func (r *facts) roundsCorner(p int32, dir geom.Vec3, isSide func(int32) bool) bool {
	var sides []int32
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		q := a.Other(p)
		switch {
		case isAcross(a, dir):
		case a.Convexity != graph.Smooth || !isSide(q):
			return false
		case !slices.Contains(sides, q):
			sides = append(sides, q)
		}
	}
	return len(sides) == 2 && !graph.Parallel(r.g.Patches[sides[0]].Axis, r.g.Patches[sides[1]].Axis)
}

// outerChain cuts a wall until a closed chain round material holds it; failing that an open one is
// enough that shows on all sides, or is of a round wall that does.
func (r *recognizer) outerChain(w *section.Walls, p int32) (*section.Chain, bool) {
	z := w.Z[p]
	isRound := r.g.Patches[p].Shape.IsMantle() && w.Embraces([]int32{p})
	var open, closed *section.Chain
	for _, pair := range profileCuts {
		for _, at := range pair {
			c, ok := w.ChainOf(p, z.At(at))
			switch {
			case !ok || c.Area <= 0 && (c.IsClosed || !isRound):
			case c.IsClosed && (closed == nil || c.Area < closed.Area*(1-sameShare)):
				closed = c
			case !c.IsClosed && open == nil && (isRound || w.ShowsAllRound(c)):
				open = c
			}
		}
		if closed != nil {
			return closed, true
		}
	}
	return open, open != nil
}
