package recognize

// Pockets: depressions with a flat floor.
//
// Method: floors are hints in the sense of J. Han, D. Rosen, "Special panel for feature recognition:
// hint-based", and J. Vandenbrande, A. Requicha, IEEE PAMI 15(12), 1993: a plane that a direction sees,
// with a concave edge or a fillet towards a face that rises above it, is the floor of a pocket. From
// the floor the walls are gathered over concave edges, through floor fillets, and sideways through
// hollow corners. A pocket is closed when walls stand all round its outer rim, else open: slots, steps
// and notches are open pockets. Floors of several levels are several pockets; a wall belongs to the
// floor that claims it first: closed pockets before open ones, of the planes of a step or notch the largest, then
// by the direction that faces the largest area, then by how much of the rim is walled, then by area.
//
// A single wall makes a floor only where it goes all round, another plane faces the same way, or a hole opens in it square to
// it: the flanks of a V groove would else be floor and wall to each other.
//
// Limits: the walls of a pocket reach as high as the faces on them; whether two pockets at one level
// are one cut is for planning to see.

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

// closedShare is the share of the outer rim that walls must cover for a pocket to be closed; what is
// missing is the width of a crossing groove at most.
const closedShare = 0.99

// leastWalled is the share of the outer rim that the walls of a pocket cover at least: with less a wall stands at the
// edge of a face.
const leastWalled = 0.1

// maxPassage bounds the walls of a passage that is open on one side.
const maxPassage = 32

// basin is a floor with what is known of its rims.
type basin struct {
	patch  int32
	dir    int     // of those kept
	z      float64 // mm, along the direction
	rims   []graph.BoundaryLoop
	walled float64 // share of the outer rim that has walls, 0 to 1
	isLone bool    // one wall at most, not all round, no other plane faces the direction, and no hole along it opens here

	walls      []int32 // the planes that rise from it, those behind fillets at its foot too
	risen      int     // patches that rise from it, of all shapes
	isRiser    bool    // another plane of the same step or notch is rather its floor
	isShoulder bool    // all walls are the outside of something round, none looks at another one
	center     geom.Vec3
}

// floors lists the planes that a direction sees square on, those of pockets and those of islands, in holes too.
func (r *recognizer) floors() []basin {
	g := r.g
	var out []basin
	for i := range g.Patches {
		p := int32(i)
		if r.taken[p] && r.out[r.owner[p]].typ != feature.Hole || g.Patches[p].Kind != surface.KindPlane {
			continue
		}
		d := r.v.Find(g.Patches[p].Axis)
		if d == graph.None || r.v.Share[d][p] < direction.MinFloorVisibility {
			continue
		}
		b := basin{patch: p, dir: d, rims: r.rims(p)}
		b.z = g.Extent(p, r.v.Dirs[d]).Hi
		box := geom.EmptyBox()
		g.EachPoint(p, func(pt, _ geom.Vec3) { box = box.Add(pt) })
		b.center = box.Center()
		b.isLone = r.v.Weight[d]*(1-graph.AxisTolerance) <= r.v.Share[d][p]*g.Patches[p].Area &&
			!slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
				f := r.owner[g.Arcs[x].Other(p)]
				return f != graph.None && r.out[f].typ == feature.Hole && graph.Parallel(r.out[f].dir, r.v.Dirs[d])
			})
		out = append(out, b)
	}
	return out
}

// wallIn finds how far each floor is walled in, now that bosses are known, and brings the floors into
// the order in which they claim walls.
func (r *recognizer) wallIn(basins []basin) {
	g := r.g
	for i := range basins {
		b := &basins[i]
		walls, all, first := 0.0, 0.0, int32(graph.None)
		b.isShoulder = true
		round := int32(graph.None) // the last wall about an axis
		var risen []int32
		for _, ring := range b.rims {
			if ring.IsInner {
				continue
			}
			for _, x := range ring.Arcs {
				all += g.Arcs[x].Length
				if !r.rises(x, b) {
					continue
				}
				q := g.Arcs[x].Other(b.patch)
				risen = append(risen, q)
				walls += g.Arcs[x].Length
				if first == graph.None {
					first = q
				}
				if w := r.wallBehind(q, b.patch); w != graph.None && !slices.Contains(b.walls, w) {
					b.walls = append(b.walls, w)
				}
				b.isLone = b.isLone && q == first
				b.isShoulder = b.isShoulder && (r.isRoundWall(q) || r.isCapOn(q, b))
				if s := &g.Patches[q].Shape; b.isShoulder && (s.IsMantle() || s.Kind == surface.KindTorus) {
					b.isShoulder = round == graph.None || !r.lookAtEachOther(round, q)
					round = q
				}
			}
		}
		b.risen = len(ascending(risen))
		if all > 0 {
			b.walled = walls / all
		}
		b.isLone = b.isLone && b.walled < closedShare
	}
	r.findRisers(basins)
	for i := range basins {
		b := &basins[i]
		r.isEdged[b.patch] = b.risen > 0 && b.risen <= maxPassage && b.walled < leastWalled
		r.isShoulder[b.patch] = b.isShoulder && b.risen > 0 && r.groove[b.patch] == 0
	}
	slices.SortStableFunc(basins, func(a, b basin) int {
		return cmp.Or(-compareBool(a.walled >= closedShare, b.walled >= closedShare),
			compareBool(a.isRiser, b.isRiser),
			cmp.Compare(direction.RoundSignificant(r.v.Weight[b.dir]), direction.RoundSignificant(r.v.Weight[a.dir])),
			cmp.Compare(a.dir, b.dir),
			cmp.Compare(direction.RoundSignificant(b.walled), direction.RoundSignificant(a.walled)),
			cmp.Compare(direction.RoundSignificant(g.Patches[b.patch].Area), direction.RoundSignificant(g.Patches[a.patch].Area)),
			comparePoints(a.center, b.center, g.Length))
	})
}

// lookAtEachOther reports whether two round walls, or fillets at their feet, go half round their axes at most and have the other
// axis before them.
func (r *facts) lookAtEachOther(p, q int32) bool {
	a, b := &r.g.Patches[p].Shape, &r.g.Patches[q].Shape
	way := b.Origin.Sub(a.Origin)
	return !r.g.Coaxial(a, b) && r.g.Sweep([]int32{p}, a) <= math.Pi && r.g.Sweep([]int32{q}, b) <= math.Pi &&
		way.Dot(flattened(r.normalOf(p), a.Axis)) > 0 && way.Dot(flattened(r.normalOf(q), b.Axis)) < 0
}

// flattened returns the part of v that is square to a unit vector.
func flattened(v, axis geom.Vec3) geom.Vec3 { return v.AddScaled(-v.Dot(axis), axis) }

// isCapOn reports whether a plane on a floor is the end of something round that stands on it too.
func (r *recognizer) isCapOn(p int32, b *basin) bool {
	g := r.g
	return g.Patches[p].Kind == surface.KindPlane && slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		q := g.Arcs[x].Other(p)
		s := &g.Patches[q].Shape
		return g.Arcs[x].Convexity == graph.Convex && s.IsMantle() && graph.Parallel(s.Axis, g.Patches[p].Axis) &&
			slices.ContainsFunc(g.Patches[q].Arcs, func(y int32) bool {
				return g.Arcs[y].Convexity == graph.Concave && g.Arcs[y].Other(q) == b.patch
			})
	})
}

// wallBehind returns the plane that a wall is, or that lies behind it where it is the fillet at its foot; None for
// walls of other shapes.
func (r *facts) wallBehind(q, floor int32) int32 {
	g := r.g
	if g.Patches[q].Kind == surface.KindPlane {
		return q
	}
	for _, x := range g.Patches[q].Arcs {
		o := g.Arcs[x].Other(q)
		if g.Arcs[x].Convexity == graph.Smooth && o != floor && g.Patches[o].Kind == surface.KindPlane {
			return o
		}
	}
	return graph.None
}

// findRisers tells floors and risers of steps and notches apart: of two planes one of which is a wall on the other, the
// one on which more stands is the floor, as all of it can be cut from there; of two on which as much stands the larger
// one, with what other features cut out of it, from where the tool reaches less deep.
func (r *recognizer) findRisers(basins []basin) {
	at := make(map[int32]*basin, len(basins))
	for i := range basins {
		at[basins[i].patch] = &basins[i]
	}
	area := func(b *basin) float64 {
		sum := 0.0
		for _, ring := range b.rims {
			sum += max(0, ring.Area)
		}
		return direction.RoundSignificant(sum)
	}
	for i := range basins {
		for _, w := range basins[i].walls {
			b, ok := at[w]
			if !ok {
				continue
			}
			o := &basins[i] // b stands on it
			isMutual := slices.Contains(b.walls, o.patch)
			if o.isShoulder && isMutual && area(b) < area(o) {
				b.isShoulder = true // the end of something round is no floor to what it stands on
			}
			b.isRiser = b.isRiser || o.risen > b.risen || isMutual && o.risen == b.risen && area(b) < area(o)
		}
	}
}

// isRoundWall reports whether a patch is the outside of something round, or the fillet at its foot.
func (r *facts) isRoundWall(p int32) bool {
	g := r.g
	s := &g.Patches[p].Shape
	if !r.isFillet(p) || s.Kind != surface.KindTorus && s.Kind != surface.KindCylinder {
		return s.IsMantle()
	}
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		o := &g.Patches[g.Arcs[x].Other(p)].Shape
		return g.Arcs[x].Convexity == graph.Smooth && o.IsMantle() && (g.Coaxial(s, o) ||
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

// rises reports whether the face across arc x from the floor is a wall or the fillet of one: joined by
// a concave edge or a hollow blend, higher than the floor, seen, and no island's.
func (r *recognizer) rises(x int32, b *basin) bool {
	q := r.g.Arcs[x].Other(b.patch)
	if o := r.owner[q]; o != graph.None && r.out[o].typ == feature.Boss || r.folded(b.patch, q) || r.gussets[q] ||
		r.reachesDown[q] {
		return false
	}
	return r.risesFrom(x, b.patch, b) && (r.v.Share[b.dir][q] >= direction.MinFloorVisibility || r.isCovered(q, b))
}

// isCovered reports whether something hangs over an upright wall on the floor between two walls that are
// seen: all three are of one pocket.
func (r *recognizer) isCovered(q int32, b *basin) bool {
	g, dir := r.g, r.v.Dirs[b.dir]
	if !r.isUpright(q, dir) {
		return false
	}
	first, sides := int32(graph.None), 0
	for _, x := range g.Patches[q].Arcs {
		a := &g.Arcs[x]
		o := a.Other(q)
		if isAcross(a, dir) {
			continue
		}
		if a.Convexity == graph.Convex || !r.isWall(o, dir) || r.v.Share[b.dir][o] < direction.MinFloorVisibility {
			return false
		}
		if o != first {
			first = o
			sides++
		}
	}
	return sides >= 2
}

// risesFrom is rises seen from a patch p that stands on the floor.
func (r *recognizer) risesFrom(x, p int32, b *basin) bool {
	a := &r.g.Arcs[x]
	q := a.Other(p)
	if a.Convexity == graph.Convex || isCrack(a) || r.isAtEdge(q, p) || r.isRimRounding(q) && !r.isWall(q, r.v.Dirs[b.dir]) ||
		(a.Convexity == graph.Smooth || isShallow(a)) && (!r.g.Patches[q].Hollow || !r.isBent(q)) {
		return false
	}
	return r.g.Extent(q, r.v.Dirs[b.dir]).Hi > b.z+r.g.Length
}

// gather returns the walls and fillets that stand on the rims chosen by inner, ascending: patches not
// taken, seen from direction d.
func (r *recognizer) gather(b *basin, inner bool) []int32 {
	g, dir := r.g, r.v.Dirs[b.dir]
	var queue []int32
	seen := map[int32]bool{b.patch: true}
	push := func(q int32) {
		if !seen[q] && !r.taken[q] && !r.gussets[q] && !r.isBelow(q, b, queue) && (inner || !r.isFloorOfBoss(q, b)) &&
			(r.v.Share[b.dir][q] >= direction.MinFloorVisibility || r.isCovered(q, b)) {
			seen[q] = true
			queue = append(queue, q)
		}
	}
	for _, ring := range b.rims {
		if ring.IsInner != inner {
			continue
		}
		for _, x := range ring.Arcs {
			if q := g.Arcs[x].Other(b.patch); r.rises(x, b) && (inner || !r.standsBeside(q, b)) {
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
			standsOn := g.Patches[q].Shape.IsMantle() || inner && g.Patches[p].Shape.IsMantle()
			isCorner := math.Abs(a.Dir.Dot(dir)) > graph.LateralCos && r.isWall(q, dir) &&
				(g.Patches[q].Hollow ||
					a.Convexity == graph.Concave && !standsOn && !r.isAtEdge(q, p) && !r.standsElsewhere(q, b) && !r.standsBeside(q, b))
			if isBlend && r.risesFrom(x, p, b) || isBlend && a.Convexity == graph.Smooth || isCorner {
				push(q)
			}
		}
	}
	slices.Sort(queue)
	return queue
}

// isSlope reports whether a patch is a plane or a cone that rises slanting, as a bevel in an inner corner does.
func (r *facts) isSlope(p int32, dir geom.Vec3) bool {
	n, k := r.g.Slopes(p, dir), r.g.Patches[p].Kind
	return (k == surface.KindPlane || k == surface.KindCone) && n.Lo > math.Sin(slantMin) && n.Hi < math.Cos(slantMin)
}

// isWall reports whether a patch is steep along dir: it has no normal within 45° of it.
func (r *facts) isWall(p int32, dir geom.Vec3) bool {
	const steep = 0.7072 // sin 45°, rounded up
	return r.g.Slopes(p, dir).Hi < steep
}

// floorPockets finds pockets by their floors.
func (r *recognizer) floorPockets() {
	r.wallIn(r.basins)
	r.cavities()
	isSide := r.draftedSides()
	for i := range r.basins {
		b := &r.basins[i]
		if !r.isFloor(b) {
			continue
		}
		dir := r.v.Dirs[b.dir]
		walls := r.gather(b, false)
		if isSide[b.patch] || slices.ContainsFunc(walls, func(p int32) bool { return isSide[p] }) {
			continue
		}
		isFace := r.areOthers(walls) && (len(walls) > 0 || r.v.Share[b.dir][b.patch] >= facingShare)
		if isFace || r.isRamp(b, walls) || r.isUndercut(b, walls) {
			continue // all walls are other features': what is left is a plane to be milled flat
		}
		patches := append(r.bentFloor(b, walls), r.grooveCore(b)...)
		patches = ascending(append(append(patches, b.patch), walls...))
		if floor := r.besideBevel(b, patches); floor != graph.None {
			dir = r.g.Patches[floor].Axis
			b.z = r.g.Extent(floor, dir).Hi
		}
		z := r.g.ExtentOf(patches, dir)
		if z.Hi <= b.z+r.g.Length { // its walls are other features'; something covers part of it
			z.Hi = b.z + r.wallHeight(b)
		}
		axis := dir
		r.add(found{
			typ: feature.Pocket, patches: patches, dir: dir, axis: &axis, z: z,
			pocket: &feature.PocketShape{Open: b.walled < closedShare, Depth: z.Hi - b.z},
			rule:   "floor with walls", reasons: floorReasons(b, len(walls), z.Hi-b.z),
		})
	}
}

// isFloor reports whether enough rises from a free plane for a pocket, and not only round outsides do.
func (r *recognizer) isFloor(b *basin) bool {
	return !r.taken[b.patch] && !r.reachesDown[b.patch] && !r.isTooth[b.patch] && !r.isCore[b.patch] && b.walled >= leastWalled && !b.isLone &&
		!r.isOnlyLip(b) && (!b.isShoulder || r.groove[b.patch] != 0)
}

// areOthers reports whether all of the walls on a floor are fillets of what other features have.
func (r *recognizer) areOthers(walls []int32) bool {
	return !slices.ContainsFunc(walls, func(p int32) bool {
		return !r.isFillet(p) || !slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			return a.Convexity == graph.Smooth && r.taken[a.Other(p)]
		})
	})
}

// isUndercut reports whether the walls on a floor go on over inner edges where its direction sees
// nothing, while another direction sees all of them, upright or as planes of one straight channel: the floor is
// one wall of an open passage or of the channel. It adds the passage.
func (r *recognizer) isUndercut(b *basin, walls []int32) bool {
	g := r.g
	group := append([]int32{b.patch}, walls...)
	in := map[int32]bool{}
	for _, p := range group {
		in[p] = true
	}
	missed := false
	for i := 0; i < len(group); i++ {
		for _, x := range g.Patches[group[i]].Arcs {
			q := g.Arcs[x].Other(group[i])
			if in[q] || g.Arcs[x].Convexity != graph.Concave || isCrack(&g.Arcs[x]) {
				continue
			}
			if r.taken[q] || len(group) > maxPassage {
				return false
			}
			missed = missed || r.v.Share[b.dir][q] < direction.MinFloorVisibility
			in[q] = true
			group = append(group, q)
		}
	}
	if !missed {
		return false
	}
	_, _, isStraight := r.straight(group)
	for i, d := range r.v.Dirs {
		if slices.ContainsFunc(group, func(p int32) bool {
			return r.v.Share[i][p] < direction.MinFloorVisibility || !isStraight && !r.isUpright(p, d)
		}) {
			continue
		}
		r.addHollow(ascending(group))
		return r.taken[b.patch]
	}
	return false
}

func floorReasons(b *basin, walls int, depth float64) []string {
	out := []string{fmt.Sprintf("%s from a flat floor, %s deep.",
		count(walls, "wall rises", "walls rise"), mm(depth))}
	if b.walled >= closedShare {
		return append(out, "Walls stand all round the floor.")
	}
	return append(out, fmt.Sprintf("Walls stand on %s of the floor's outer rim.", percent(b.walled)))
}

// grooveCore returns the walls of the core of a ring-shaped groove.
func (r *recognizer) grooveCore(b *basin) []int32 {
	isCore := func(x int32) bool { return r.isCore[r.g.Arcs[x].Other(b.patch)] }
	for _, ring := range b.rims {
		if ring.IsInner && slices.ContainsFunc(ring.Arcs, isCore) {
			one := *b
			one.rims = []graph.BoundaryLoop{ring}
			return r.gather(&one, true)
		}
	}
	return nil
}

// wallHeight returns how far the faces at the outer rim of a floor rise above it, mm.
func (r *recognizer) wallHeight(b *basin) float64 {
	h := 0.0
	for _, ring := range b.rims {
		for _, x := range ring.Arcs {
			if !ring.IsInner && r.rises(x, b) {
				h = max(h, r.g.Extent(r.g.Arcs[x].Other(b.patch), r.v.Dirs[b.dir]).Hi-b.z)
			}
		}
	}
	return h
}
