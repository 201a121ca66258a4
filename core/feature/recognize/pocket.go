package recognize

// Pockets with a flat floor.
//
// Method: floors are hints in the sense of J. Han, D. Rosen, "Special panel for feature recognition: hint-based", and
// J. Vandenbrande, A. Requicha, IEEE PAMI 15(12), 1993. A plane that a direction sees, with a concave edge or a fillet
// toward a higher face, is the floor of a pocket. Its walls are gathered over concave edges, through floor fillets, and
// sideways through concave corners. A pocket is closed if walls surround its outer boundary, otherwise open: slots,
// steps and notches are open pockets. Floors of several levels are several pockets, and a wall belongs to the first
// floor that claims it. Closed pockets come before open ones, then the largest plane of a step or notch. The order
// continues by the area that the direction faces, the walled share of the boundary and the area of the floor.
//
// A single wall makes a floor only if it surrounds the floor, another plane faces the same direction, or a
// perpendicular hole opens in the floor. Otherwise the flanks of a V groove would be floor and wall to each other.
// Limits: the walls of a pocket have the height of their faces. Planning decides whether two pockets at one level are
// one cut.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// closedRatio is the walled share of the outer boundary of a closed pocket. The rest is at most the width of a crossing
// groove.
const closedRatio = 0.99

// minWalled is the smallest walled share of the outer boundary of a pocket. With less, a wall is at the edge of a face.
const minWalled = 0.1

// maxPassage bounds the walls of a passage that is open on one side.
const maxPassage = 32

// floorCandidate is a plane that may be a floor, with the properties of its boundary.
type floorCandidate struct {
	patch         int32
	dir           int     // index of the direction
	z             float64 // mm, along the direction
	boundaryLoops []graph.BoundaryLoop
	walled        float64 // walled share of the outer boundary, 0 to 1
	isLone        bool    // at most one wall, not all around, and no other plane or hole along the direction

	walls             []int32 // the planes that rise from it, also behind fillets
	risen             int     // number of patches that rise from it
	isRiser           bool    // another plane of the same step or notch is the better floor
	hasOnlyRoundWalls bool    // only: round outer walls that do not face each other
	center            geom.Vec3
}

// findFloors returns the planes whose normal is a direction that sees them: floors of pockets and islands, also in
// holes.
func findFloors(r *reading) []floorCandidate {
	g := r.g
	var out []floorCandidate
	for p := range int32(len(g.Patches)) {
		if r.isTaken(p) && r.typeOf(p) != feature.Hole || !g.IsPlane(p) {
			continue
		}
		d := r.v.Find(g.Patches[p].Axis)
		if !r.sees(d, p) {
			continue
		}
		b := floorCandidate{patch: p, dir: d, boundaryLoops: r.boundaryLoops(p)}
		b.z = g.Extent(p, r.v.Dirs[d]).Hi
		b.center = g.Box(p).Center()
		b.isLone = r.v.Weight[d]*(1-graph.AxisTolerance) <= r.v.Share[d][p]*g.Patches[p].Area &&
			!g.AnyNeighbor(p, func(q int32, _ *graph.Adjacency) bool {
				f := r.ownerOf(q)
				return f != graph.None && r.features[f].typ == feature.Hole && graph.Parallel(r.features[f].dir, r.v.Dirs[d])
			})
		out = append(out, b)
	}
	return out
}

// measureWalls measures the walls on each floor, with bosses known, and sorts the floors by priority.
func measureWalls(r *reading) {
	g, floors := r.g, r.floors
	for i := range floors {
		b := &floors[i]
		walls, all := 0.0, 0.0
		b.hasOnlyRoundWalls = true
		round := int32(graph.None) // the last wall about an axis
		var risen []int32
		for _, loop := range b.boundaryLoops {
			if loop.IsInner {
				continue
			}
			for _, x := range loop.Arcs {
				all += g.Arcs[x].Length
				if !r.climbs(x, b) {
					continue
				}
				q := g.Arcs[x].Other(b.patch)
				risen = append(risen, q)
				walls += g.Arcs[x].Length
				if w := wallBehind(r.partContext, q, b.patch); w != graph.None && !slices.Contains(b.walls, w) {
					b.walls = append(b.walls, w)
				}
				b.hasOnlyRoundWalls = b.hasOnlyRoundWalls &&
					(isRoundOuterWall(r.partContext, q) || isRoundEndOn(r.partContext, q, b))
				if s := &g.Patches[q].Shape; b.hasOnlyRoundWalls && (s.IsMantle() || s.Kind == surface.KindTorus) {
					b.hasOnlyRoundWalls = round == graph.None || !faceEachOther(r.partContext, round, q)
					round = q
				}
			}
		}
		b.risen = len(ascending(risen))
		if all > 0 {
			b.walled = walls / all
		}
		b.isLone = b.isLone && b.risen < 2 && b.walled < closedRatio
	}
	findRisers(r.partContext, floors)
	for i := range floors {
		b := &floors[i]
		r.isBarelyWalled[b.patch] = b.risen > 0 && b.risen <= maxPassage && b.walled < minWalled
		r.inNoPocket[b.patch] = b.hasOnlyRoundWalls && b.risen > 0 && r.groove[b.patch] == 0
	}
	slices.SortStableFunc(floors, func(a, b floorCandidate) int {
		return cmp.Or(-compareBool(a.walled >= closedRatio, b.walled >= closedRatio),
			compareBool(a.isRiser, b.isRiser),
			cmp.Compare(direction.RoundSignificant(r.v.Weight[b.dir]), direction.RoundSignificant(r.v.Weight[a.dir])),
			cmp.Compare(a.dir, b.dir),
			cmp.Compare(direction.RoundSignificant(b.walled), direction.RoundSignificant(a.walled)),
			cmp.Compare(direction.RoundSignificant(g.Patches[b.patch].Area),
				direction.RoundSignificant(g.Patches[a.patch].Area)),
			comparePoints(a.center, b.center, g.Length))
	})
}

// faceEachOther reports whether two round walls, or fillets at their base, turn by at most 180° and have the axis of
// the other in front.
func faceEachOther(pc *partContext, p, q int32) bool {
	a, b := &pc.g.Patches[p].Shape, &pc.g.Patches[q].Shape
	between := b.Origin.Sub(a.Origin)
	return !pc.g.Coaxial(a, b) && pc.g.Sweep([]int32{p}, a) <= math.Pi && pc.g.Sweep([]int32{q}, b) <= math.Pi &&
		between.Dot(pc.normalOf(p).Reject(a.Axis)) > 0 && between.Dot(pc.normalOf(q).Reject(b.Axis)) < 0
}

// isRoundEndOn reports whether a plane on a floor is the end face of a round wall on the same floor.
func isRoundEndOn(pc *partContext, p int32, b *floorCandidate) bool {
	g := pc.g
	return g.IsPlane(p) && g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		s := &g.Patches[q].Shape
		return a.Convexity == graph.Convex && s.IsMantle() && graph.Parallel(s.Axis, g.Patches[p].Axis) &&
			g.AnyNeighbor(q, func(o int32, a *graph.Adjacency) bool {
				return a.Convexity == graph.Concave && o == b.patch
			})
	})
}

// wallBehind returns wall q if it is a plane, or the plane above fillet q at its base, None for other walls.
func wallBehind(pc *partContext, q, floor int32) int32 {
	g := pc.g
	if g.IsPlane(q) {
		return q
	}
	for o, a := range g.Neighbors(q) {
		if a.Convexity == graph.Smooth && o != floor && g.IsPlane(o) {
			return o
		}
	}
	return graph.None
}

// findRisers tells floors and risers of steps and notches apart. Of two planes that are walls on each other, the floor
// is the one with more walls, because all of it can be cut from there. With equal numbers it is the larger one,
// including the areas that other features cut out, because the tool reaches less deep.
func findRisers(pc *partContext, floors []floorCandidate) {
	at := make(map[int32]*floorCandidate, len(floors))
	for i := range floors {
		at[floors[i].patch] = &floors[i]
	}
	area := func(b *floorCandidate) float64 {
		sum := 0.0
		for _, loop := range b.boundaryLoops {
			sum += max(0, loop.Area)
		}
		return direction.RoundSignificant(sum)
	}
	for i := range floors {
		for _, w := range floors[i].walls {
			b, ok := at[w]
			if !ok {
				continue
			}
			o := &floors[i] // b rests on it
			isMutual := slices.Contains(b.walls, o.patch)
			if o.hasOnlyRoundWalls && isMutual && area(b) < area(o) {
				b.hasOnlyRoundWalls = true // the end face of a round wall is not a floor for its base
			}
			b.isRiser = b.isRiser || o.risen > b.risen || isMutual && o.risen == b.risen && area(b) < area(o)
		}
	}
}

// isRoundOuterWall reports whether a patch is a convex round wall, or the fillet at its base.
func isRoundOuterWall(pc *partContext, p int32) bool {
	g := pc.g
	s := &g.Patches[p].Shape
	if !pc.isFillet(p) || s.Kind != surface.KindTorus && s.Kind != surface.KindCylinder {
		return s.IsMantle()
	}
	return g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		o := &g.Patches[q].Shape
		return a.Convexity == graph.Smooth && o.IsMantle() && (g.Coaxial(s, o) ||
			s.Kind == surface.KindCylinder && graph.Parallel(s.Axis, o.Axis))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func comparePoints(a, b geom.Vec3, tol float64) int {
	c := func(x, y float64) int {
		if math.Abs(x-y) <= tol {
			return 0
		}
		return cmp.Compare(x, y)
	}
	return cmp.Or(c(a.X, b.X), c(a.Y, b.Y), c(a.Z, b.Z))
}

// climbs reports whether the face across edge x from the floor is a wall or its fillet: joined over a concave edge or a
// fillet, higher than the floor, visible, and not part of an island.
func (r *reading) climbs(x int32, b *floorCandidate) bool {
	q := r.g.Arcs[x].Other(b.patch)
	if r.typeOf(q) == feature.Boss || r.folded(b.patch, q) || r.gussets[q] || r.reachesDown[q] {
		return false
	}
	return climbsFrom(r.partContext, x, b.patch, b) && (r.sees(b.dir, q) || isCovered(r.partContext, q, b))
}

// isCovered reports whether an overhang hides a vertical wall on the floor between two visible walls. All three are in
// one pocket.
func isCovered(pc *partContext, q int32, b *floorCandidate) bool {
	g, dir := pc.g, pc.v.Dirs[b.dir]
	if !pc.isVertical(q, dir) {
		return false
	}
	first, sides := int32(graph.None), 0
	for o, a := range g.Neighbors(q) {
		if isPerpendicular(a, dir) {
			continue
		}
		if a.Convexity == graph.Convex || !pc.isWall(o, dir) || !pc.sees(b.dir, o) {
			return false
		}
		if o != first {
			first = o
			sides++
		}
	}
	return sides >= 2
}

// climbsFrom is climbs without visibility and claims, for a patch p on the floor.
func climbsFrom(pc *partContext, x, p int32, b *floorCandidate) bool {
	a := &pc.g.Arcs[x]
	q := a.Other(p)
	if a.Convexity == graph.Convex || isZeroGap(a) || pc.isAtEdge(q, p) || pc.isEdgeRounding(q) &&
		!pc.isWall(q, pc.v.Dirs[b.dir]) ||
		(a.Convexity == graph.Smooth || isShallow(a)) && (!pc.g.Patches[q].Hollow || !pc.isCurved(q)) {
		return false
	}
	return pc.g.Extent(q, pc.v.Dirs[b.dir]).Hi > b.z+pc.g.Length
}

// gather returns the free walls and fillets on the inner or outer boundary of a floor that its direction sees,
// ascending.
func (r *reading) gather(b *floorCandidate, inner bool) []int32 {
	g, dir := r.g, r.v.Dirs[b.dir]
	var queue []int32
	seen := map[int32]bool{b.patch: true}
	push := func(q int32) {
		if !seen[q] && !r.isTaken(q) && !r.gussets[q] && !isBelowFloor(r.partContext, q, b, queue) &&
			(inner || !isFloorOfBoss(r, q, b)) && (r.sees(b.dir, q) || isCovered(r.partContext, q, b)) {
			seen[q] = true
			queue = append(queue, q)
		}
	}
	for _, loop := range b.boundaryLoops {
		if loop.IsInner != inner {
			continue
		}
		for _, x := range loop.Arcs {
			if q := g.Arcs[x].Other(b.patch); r.climbs(x, b) && (inner || !isAdjacentTo(r, q, b)) {
				push(q)
			}
		}
	}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		isBlend := g.Patches[p].Hollow && !r.isWall(p, dir) || r.isSlope(p, dir)
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			q := a.Other(p)
			if a.Convexity == graph.Convex || g.Facing(q, dir) {
				continue
			}
			isRoundWall := g.Patches[q].Shape.IsMantle() || inner && g.Patches[p].Shape.IsMantle()
			isCorner := math.Abs(a.Dir.Dot(dir)) > graph.LateralCos && r.isWall(q, dir) && (g.Patches[q].Hollow ||
				a.Convexity == graph.Concave && !isRoundWall && !r.isAtEdge(q, p) &&
					!restsElsewhere(r.partContext, q, b) && !isAdjacentTo(r, q, b))
			if isBlend && climbsFrom(r.partContext, x, p, b) || isBlend && a.Convexity == graph.Smooth || isCorner {
				push(q)
			}
		}
	}
	slices.Sort(queue)
	return queue
}

// isSlope reports whether a patch is a plane or a cone that rises at a slant, as a bevel in an inner corner.
func (pc *partContext) isSlope(p int32, dir geom.Vec3) bool {
	n, k := pc.g.Slopes(p, dir), pc.g.Patches[p].Kind
	return (k == surface.KindPlane || k == surface.KindCone) && n.Lo > math.Sin(minSlant) && n.Hi < math.Cos(minSlant)
}

// isWall reports whether a patch is steep along dir: no normal within 45° of it.
func (pc *partContext) isWall(p int32, dir geom.Vec3) bool {
	const steep = 0.7072 // sin 45°, rounded up
	return pc.g.Slopes(p, dir).Hi < steep
}

// floorPockets proposes pockets from their floors.
func floorPockets(r *reading, v *verifier) {
	measureWalls(r)
	cavities(r, v)
	isSide := draftedSides(r)
	for i := range r.floors {
		b := &r.floors[i]
		if !r.isFloor(b) {
			continue
		}
		walls := r.gather(b, false)
		if isSide[b.patch] || slices.ContainsFunc(walls, func(p int32) bool { return isSide[p] }) {
			continue
		}
		isFace := areOthers(r, walls) && (len(walls) > 0 || r.v.Share[b.dir][b.patch] >= minFaceShare)
		if isFace || isRamp(r, b, walls) || addUndercut(r, v, b, walls) {
			continue // other features have all walls: the rest is a plane to be milled flat
		}
		patches := append(continuedFloor(r, b, walls), grooveCore(r, b)...)
		patches = ascending(append(append(patches, b.patch), walls...))
		b = floorBesideBevel(r, b, patches)
		f := r.along(feature.Pocket, "floor with walls", patches, r.v.Dirs[b.dir])
		if f.z.Hi <= b.z+r.g.Length { // other features have its walls, and one covers a part of it
			f.z.Hi = b.z + wallHeight(r, b)
		}
		f.pocket = &feature.PocketShape{Open: b.walled < closedRatio, Depth: f.z.Hi - b.z}
		f.reasons = floorReasons(b, len(walls), f.z.Hi-b.z)
		v.propose(f)
	}
}

// isFloor reports whether enough walls for a pocket rise from a free plane, and not only round outer walls.
func (r *reading) isFloor(b *floorCandidate) bool {
	return !r.isTaken(b.patch) && !r.reachesDown[b.patch] && !r.isTooth[b.patch] && !r.isCore[b.patch] &&
		b.walled >= minWalled && !b.isLone &&
		!hasOnlyProtrusions(r, b) && (!b.hasOnlyRoundWalls || r.groove[b.patch] != 0)
}

// areOthers reports whether all walls on a floor are fillets of claimed patches.
func areOthers(r *reading, walls []int32) bool {
	return !slices.ContainsFunc(walls, func(p int32) bool {
		return !r.isFillet(p) || !r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && r.isTaken(q)
		})
	})
}

// addUndercut proposes an open passage or a straight channel of which a floor is only a wall. The walls on the floor
// continue over concave edges where its direction sees nothing, while another direction sees all of them, vertical or
// as planes of one channel. It reports acceptance.
func addUndercut(r *reading, v *verifier, b *floorCandidate, walls []int32) bool {
	g := r.g
	group := append([]int32{b.patch}, walls...)
	in := map[int32]bool{}
	for _, p := range group {
		in[p] = true
	}
	missed := false
	for i := 0; i < len(group); i++ {
		for q, a := range g.Neighbors(group[i]) {
			if in[q] || a.Convexity != graph.Concave || isZeroGap(a) {
				continue
			}
			if r.isTaken(q) || len(group) > maxPassage {
				return false
			}
			missed = missed || !r.sees(b.dir, q)
			in[q] = true
			group = append(group, q)
		}
	}
	if !missed {
		return false
	}
	_, _, isStraight := straight(r.partContext, group)
	for i, d := range r.v.Dirs {
		if slices.ContainsFunc(group, func(p int32) bool {
			return !r.sees(i, p) || !isStraight && !r.isVertical(p, d)
		}) {
			continue
		}
		addConcave(r, v, ascending(group))
		return r.isTaken(b.patch)
	}
	return false
}

func floorReasons(b *floorCandidate, walls int, depth float64) []string {
	out := []string{fmt.Sprintf("%s from a flat floor, %s deep.", count(walls, "wall rises", "walls rise"), mm(depth))}
	if b.walled >= closedRatio {
		return append(out, "Walls stand all round the floor.")
	}
	return append(out, fmt.Sprintf("Walls stand on %s of the floor's outer rim.", percent(b.walled)))
}

// grooveCore returns the walls of the core of a ring groove.
func grooveCore(r *reading, b *floorCandidate) []int32 {
	isCore := func(x int32) bool { return r.isCore[r.g.Arcs[x].Other(b.patch)] }
	for _, loop := range b.boundaryLoops {
		if loop.IsInner && slices.ContainsFunc(loop.Arcs, isCore) {
			one := *b
			one.boundaryLoops = []graph.BoundaryLoop{loop}
			return r.gather(&one, true)
		}
	}
	return nil
}

// wallHeight returns the height, mm, of the faces at the outer boundary of a floor above it.
func wallHeight(r *reading, b *floorCandidate) float64 {
	h := 0.0
	for _, loop := range b.boundaryLoops {
		for _, x := range loop.Arcs {
			if !loop.IsInner && r.climbs(x, b) {
				h = max(h, r.g.Extent(r.g.Arcs[x].Other(b.patch), r.v.Dirs[b.dir]).Hi-b.z)
			}
		}
	}
	return h
}
