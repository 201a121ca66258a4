package recognize

// Profiles: the outside of a part along a direction.
//
// Method: free steep faces that close to a chain around material are a profile. A cut at one height may miss the chain
// where a hole breaks a side, so that several heights are tried. Of the directions in which one solid closes, the one
// with the lowest chain comes first: plates rest on their large side, and a shaft closes around its axis only. A ring
// of perpendicular planes is the outside of a block: its sides are faces.
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

// profileCuts are the heights of cuts through a wall, as shares of its height, until a chain is found. Of two cuts with
// equal distance from the middle the smaller chain counts, so that the result is the same from either side. The shares
// are not round, because rounding decides whether a chain closes at the height where another feature begins.
var profileCuts = [...][]float64{{0.487, 0.513}, {0.293, 0.707}, {0.107, 0.893}}

// profileDraft is the sine of the largest draft of a profile, 10° with a tolerance. Castings have a few degrees.
var profileDraft = math.Sin(geom.Radians(10)) + graph.DirectionTolerance

// outerProfile is the rule of a profile.
const outerProfile = "outer profile"

// profileCandidate is a chain of walls along direction d.
type profileCandidate struct {
	d       int
	patches []int32
	height  geom.Interval
}

// profiles proposes the outer profiles.
func profiles(r *reading, v *verifier) {
	var all []profileCandidate
	for d := range r.v.Dirs {
		r.wallsAlong(d).Renew()                             // walls on floors may have used all cuts of a group
		all = append(all, outlines(r, d, r.isSecond(d))...) // vertical walls are those of either direction
	}
	slices.SortStableFunc(all, func(a, b profileCandidate) int {
		return cmp.Or(cmp.Compare(direction.RoundSignificant(a.height.Length()),
			direction.RoundSignificant(b.height.Length())),
			cmp.Compare(a.d, b.d))
	})
	for _, o := range all {
		if slices.ContainsFunc(o.patches, r.isTaken) {
			continue
		}
		if addStage(r, v, &o, all) || isBlockWithBoss(r, &o) {
			continue
		}
		hubs := hubsOf(r, &o)
		c := r.along(feature.Profile, outerProfile, o.patches, r.v.Dirs[sideOf(r, &o)])
		c.reasons = []string{fmt.Sprintf("%s round the part, %s high.",
			count(len(o.patches), "upright face runs", "upright faces run"), mm(o.height.Length()))}
		v.propose(c)
		if f := r.ownerOf(o.patches[0]); f != graph.None {
			for _, hub := range hubs {
				v.merge(f, hub, "It runs on along the hubs between which its sides lie.")
			}
		}
	}
	v.dropMerged()
}

// hubsOf returns the bosses that are adjacent to all sides of a profile without a convex turn. The hubs bound the part,
// and the sides are webs between them. It returns none if a side meets another feature.
func hubsOf(r *reading, o *profileCandidate) (hubs []int32) {
	g, dir := r.g, r.v.Dirs[o.d]
	for _, p := range o.patches {
		if s := &g.Patches[p].Shape; s.Kind != surface.KindPlane && !s.Hollow {
			return nil
		}
		for q, a := range g.Neighbors(p) {
			f := r.ownerOf(q)
			switch {
			case isPerpendicular(a, dir) || a.Convexity == graph.Concave && contains(o.patches, q):
			case f == graph.None || r.features[f].typ != feature.Boss || !graph.Parallel(r.features[f].dir, dir):
				return nil
			default:
				hubs = append(hubs, f)
			}
		}
	}
	return ascending(hubs)
}

// sideOf returns the direction of a profile, or the opposite one if that sees more of it with its roundings.
func sideOf(r *reading, o *profileCandidate) int {
	k := r.opposite(o.d)
	if k == graph.None {
		return o.d
	}
	all := slices.Clone(o.patches)
	for _, p := range o.patches {
		all = append(all, r.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && !r.isTaken(q) && r.g.IsBlend(q)
		})...)
	}
	all = ascending(all)
	if r.v.Seen(r.g, k, all) > r.v.Seen(r.g, o.d, all)+shareTolerance {
		return k
	}
	return o.d
}

// outlines returns the chains of free walls around material along direction d, with leaning only those that lean.
func outlines(r *reading, d int, leaning bool) []profileCandidate {
	w := r.wallsAlong(d)
	free := map[int32][]int32{} // by root
	var roots []int32
	for i, steep := range w.Steep {
		root := w.Root(int32(i))
		if steep && !r.isElsewhere(int32(i)) && isOutside(r.partContext, d, int32(i)) {
			if free[root] == nil {
				roots = append(roots, root)
			}
			free[root] = append(free[root], int32(i))
		}
	}
	var out []profileCandidate
	for _, root := range roots {
		if leaning && r.slopesOf(free[root], w.Dir).Hi <= graph.DirectionTolerance || !w.Encircles(free[root]) {
			continue
		}
		patches := outerWalls(r, d, free[root])
		upright := draftedAtMost(r.partContext, patches, w.Dir)
		gap := section.WidestNormalGap(r.g, w.Dir, upright)
		if gap > math.Pi+graph.SmoothAngle || gap >= math.Pi-graph.SmoothAngle &&
			(len(upright) < len(patches) || r.areVertical(upright, w.Dir)) {
			continue // planes and corners that leave half a circle free do not close, as on a half-round bar
		}
		if patches = upright; len(patches) > 0 && !r.areSquare(patches) && !isSlantBlock(r.partContext, patches, w.Dir) {
			out = append(out, profileCandidate{d, patches, r.g.ExtentOf(patches, w.Dir)})
		}
	}
	return out
}

// draftedAtMost returns the sides, ascending, within the draft of a profile, and the round corners that join them. The
// corner between two drafted sides leans by more than either.
func draftedAtMost(pc *partContext, sides []int32, dir geom.Vec3) []int32 {
	drafted := without(sides, func(p int32) bool { return pc.g.Slopes(p, dir).Hi > profileDraft })
	return without(sides, func(p int32) bool {
		if contains(drafted, p) {
			return false
		}
		return pc.g.IsPlane(p) || len(pc.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return contains(drafted, q) && a.Convexity == graph.Smooth
		})) < 2
	})
}

// isElsewhere reports whether a patch is in no profile: claimed, a side of bent sheet, the slope of a rib or a wedge,
// or the top of a boss.
func (r *reading) isElsewhere(p int32) bool {
	return r.isTaken(p) || r.sheet.IsSide(p) || r.gussets[p] || r.reachesDown[p] || isTop(r, p)
}

// isOutside reports whether direction d or its opposite sees a wall. A wall inside others is visible from neither.
func isOutside(pc *partContext, d int, p int32) bool {
	return pc.sees(d, p) || pc.sees(pc.opposite(d), p)
}

// isBuried reports whether neither direction d nor its opposite sees any of a wall.
func isBuried(pc *partContext, d int, p int32) bool {
	o := pc.opposite(d)
	return pc.v.Share[d][p] <= 0 && (o == graph.None || pc.v.Share[o][p] <= 0)
}

// isTop reports whether a patch is the top of a boss. It borders over convex edges on walls of bosses, their roundings
// or chamfers, and otherwise only on concave features and on planes flush with a boss.
func isTop(r *reading, p int32) bool {
	onBoss := false
	for q, a := range r.g.Neighbors(p) {
		o := r.ownerOf(q)
		if o == graph.None && a.Convexity == graph.Convex && endsAtSameBoss(r, q, p) {
			continue
		}
		if a.Convexity == graph.Concave || o == graph.None {
			return false
		}
		isBoss := r.features[o].typ == feature.Boss || r.features[o].typ == feature.Chamfer && len(r.bossesBelow(q)) > 0
		if !isBoss && !isConcave(r.features[o].typ) {
			return false
		}
		onBoss = onBoss || isBoss
	}
	return onBoss
}

// endsAtSameBoss reports whether two planes both end at two walls of one boss. The boss is flush with side, and top is
// its top.
func endsAtSameBoss(r *reading, side, top int32) bool {
	return len(r.g.NeighborsWith(top, func(q int32, _ *graph.Adjacency) bool {
		return r.typeOf(q) == feature.Boss && r.meets(q, side, graph.Convex)
	})) > 1
}

// outerWalls returns the free walls in chains around material along direction d, ascending.
func outerWalls(r *reading, d int, free []int32) []int32 {
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
		c, ok := outerChain(r.partContext, w, p)
		if !ok {
			continue
		}
		chain := withoutRemains(r, w, c)
		// not in a cavity
		shown := without(chain, func(q int32) bool { return isBuried(r.partContext, d, q) })
		if sides := withoutOpenings(r, shown, w.Dir); len(sides) > 0 && r.areSquare(sides) {
			known.add(r.g, w.Dir, sides, known.isBlock)
			continue
		}
		chain = r.newIn(w, chain, &known)
		joins := func(q int32) bool { return joinsSides(r.partContext, q, w.Dir, known.isOutline) }
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

// contour is the known outside along a direction.
type contour struct {
	isBlock, isOutline map[int32]bool
	frame              geom.Frame
	extent             [2]geom.Interval // mm along X and Y of the frame
}

// add records sides of a block or walls of a profile.
func (k *contour) add(g *graph.Graph, dir geom.Vec3, sides []int32, as map[int32]bool) {
	isFirst := len(k.isBlock)+len(k.isOutline) == 0
	if isFirst {
		k.frame = geom.NewFrame(geom.Vec3{}, dir, g.Patches[sides[0]].Axis)
	}
	for _, p := range sides {
		as[p] = true
	}
	for i, along := range []geom.Vec3{k.frame.X, k.frame.Y} {
		extent := g.ExtentOf(sides, along)
		if !isFirst {
			extent = extent.Union(k.extent[i])
		}
		k.extent[i] = extent
	}
}

// withoutRemains returns the free walls of a chain. For a block or a round chain it drops the remains of pockets: walls
// adjacent to a pocket and behind others. Other contours may turn inward.
func withoutRemains(r *reading, w *section.Walls, c *section.Chain) []int32 {
	free := without(c.Patches, r.isElsewhere)
	round := only(free, func(p int32) bool {
		s := &r.g.Patches[p].Shape
		return s.Kind != surface.KindPlane && !s.Hollow
	})
	if len(round) > 0 && (section.WidestNormalGap(r.g, w.Dir, round) > math.Pi/2 ||
		slices.ContainsFunc(round, func(p int32) bool {
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
	return without(free, func(p int32) bool {
		isOfHollow := false
		for q, a := range r.g.Neighbors(p) {
			if contains(free, q) && a.Convexity == graph.Smooth {
				return false
			}
			isOfHollow = isOfHollow || r.isInsidePocket(q)
		}
		return isOfHollow && r.cornerOf[p] == 0 && !r.isTooth[p] && isBehind(p)
	})
}

// withoutOpenings returns sides along a direction without the roundings over which two walls of one pocket continue
// into one side.
func withoutOpenings(r *reading, sides []int32, dir geom.Vec3) []int32 {
	beside := func(p int32) []int32 {
		return r.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && !isPerpendicular(a, dir)
		})
	}
	return without(sides, func(p int32) bool {
		return r.g.Patches[p].Shape.IsMantle() && slices.ContainsFunc(beside(p), func(wall int32) bool {
			opensAt := func(q int32) bool {
				return q != p && r.g.Patches[q].Shape.IsMantle() && slices.ContainsFunc(beside(q), func(o int32) bool {
					return o != wall && r.ownerOf(o) == r.ownerOf(wall)
				})
			}
			return r.isInsidePocket(wall) && slices.ContainsFunc(beside(p), func(side int32) bool {
				return side != wall && slices.ContainsFunc(beside(side), opensAt)
			})
		})
	})
}

// newIn returns the new walls of a chain: not known and not perpendicular to a known side of a block. If they do not
// show on all sides, it returns the whole chain if they extend beyond its known walls, or beyond all known walls. Round
// corners of known walls are new in any case.
func (pc *partContext) newIn(w *section.Walls, chain []int32, known *contour) []int32 {
	if len(known.isBlock)+len(known.isOutline) == 0 {
		return chain
	}
	isKnown := func(p int32) bool { return known.isBlock[p] || known.isOutline[p] }
	i := slices.IndexFunc(chain, func(p int32) bool { return known.isBlock[p] })
	others := without(chain, func(p int32) bool {
		return isKnown(p) || i >= 0 && pc.areSquare([]int32{chain[i], p})
	})
	if w.Encircles(others) {
		isSide := func(p int32) bool { return slices.Contains(chain, p) && !slices.Contains(others, p) }
		if slices.ContainsFunc(others, func(p int32) bool { return !roundsCorner(pc, p, w.Dir, isSide) }) {
			return others
		}
		return chain // with corners whose upper ends others cut off
	}
	held := only(chain, func(p int32) bool { return isKnown(p) })
	for i, along := range []geom.Vec3{known.frame.X, known.frame.Y} {
		extent, reach := known.extent[i], pc.g.ExtentOf(others, along)
		if len(held) > 0 {
			extent = pc.g.ExtentOf(held, along)
		}
		if reach.Lo < extent.Lo-pc.g.Length || reach.Hi > extent.Hi+pc.g.Length {
			return chain
		}
	}
	isOutline := func(p int32) bool { return known.isOutline[p] }
	return slices.DeleteFunc(others, func(p int32) bool {
		return !roundsCorner(pc, p, w.Dir, isOutline) && !joinsSides(pc, p, w.Dir, known.isOutline)
	})
}

// joinsSides reports whether a wall rests on nothing and meets two sides of a profile, planes that are not parallel, in
// convex edges. Another feature cut the wall at the height where the profile was found.
func joinsSides(pc *partContext, p int32, dir geom.Vec3, isSide map[int32]bool) bool {
	var sides []int32
	for q, a := range pc.g.Neighbors(p) {
		switch {
		case isPerpendicular(a, dir) && a.Convexity == graph.Concave:
			return false
		case !isPerpendicular(a, dir) && a.Convexity == graph.Convex && isSide[q] && pc.g.IsPlane(q):
			sides = append(sides, q)
		}
	}
	return slices.ContainsFunc(sides, func(q int32) bool {
		return !graph.Parallel(pc.g.Patches[sides[0]].Axis, pc.g.Patches[q].Axis)
	})
}

// roundsCorner reports whether a wall continues smoothly into two sides that are not parallel.
func roundsCorner(pc *partContext, p int32, dir geom.Vec3, isSide func(int32) bool) bool {
	var sides []int32
	for q, a := range pc.g.Neighbors(p) {
		switch {
		case isPerpendicular(a, dir):
		case a.Convexity != graph.Smooth || !isSide(q):
			return false
		case !slices.Contains(sides, q):
			sides = append(sides, q)
		}
	}
	return len(sides) == 2 && !graph.Parallel(pc.g.Patches[sides[0]].Axis, pc.g.Patches[sides[1]].Axis)
}

// outerChain returns a closed chain around material through a wall. Otherwise it returns an open chain that shows on
// all sides, or contains a round wall that does.
func outerChain(pc *partContext, w *section.Walls, p int32) (*section.Chain, bool) {
	z := w.Z[p]
	isRound := pc.g.Patches[p].Shape.IsMantle() && w.Encircles([]int32{p})
	var open, closed *section.Chain
	for _, pair := range profileCuts {
		for _, at := range pair {
			c, ok := w.ChainOf(p, z.At(at))
			switch {
			case !ok || c.Area <= 0 && (c.IsClosed || !isRound):
			case c.IsClosed && (closed == nil || c.Area < closed.Area*(1-shareTolerance)):
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
