package recognize

// Features from the patches that other rules left: faces, walls and surfaces for three axes.
//
// Planes fully visible along their normal are faces, also those of a profile. For each other patch, the direction that
// sees most of it counts: a patch steep to it is a wall, otherwise a surface for three axes. Smooth neighbors of one
// type and direction, and walls that join over an edge along the direction, are one feature. A patch that no direction
// sees enough of stays unmachined, with the reason.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// minFaceShare is the visible share of a plane that is milled flat: all, less the loss of samples at its boundary.
	minFaceShare = 0.98

	// minRoundShare is the share of a curved face that its direction must see. The best direction sees half of a round
	// face. It is also the share for a partly covered plane.
	minRoundShare = 0.4

	// shareTolerance is the largest difference of equal shares, which depend on samples.
	shareTolerance = 0.02
)

// planes proposes faces from planes without material above, with coplanar pieces across concave features as one. The
// tips of teeth, the edges of plates and the ends of threads belong to their contour only.
func planes(r *reading, v *verifier) {
	g := r.g
	isContour := make([]bool, len(r.features))
	for i := range r.features {
		isContour[i] = r.features[i].rule == plateOutline || r.features[i].rule == outerThread ||
			slices.ContainsFunc(r.features[i].patches, func(p int32) bool { return r.isTooth[p] })
	}
	isFace := make([]int32, len(g.Patches)) // by patch: the direction, None for no face
	for i := range g.Patches {
		isFace[i] = graph.None
		p := &g.Patches[i]
		if p.Kind != surface.KindPlane ||
			r.isTaken(int32(i)) && (r.typeOf(int32(i)) != feature.Profile || isContour[r.ownerOf(int32(i))]) {
			continue
		}
		if d := r.v.Find(p.Axis); d != graph.None && r.v.Share[d][i] >= minFaceShare {
			isFace[i] = int32(d)
		}
	}
	set := graph.NewUnionFind(len(g.Patches))
	tried := 0
	r.acrossConcave(func(_ int32, p, q int32) {
		if isFace[p] == graph.None || isFace[p] != isFace[q] || set.Find(p) == set.Find(q) ||
			r.areTopsOfDifferentBosses(p, q) {
			return
		}
		// otherwise they are side by side at one edge of the feature
		if tried++; tried > maxAir || r.hasGapBetween(p, q) {
			set.Join(p, q)
		}
	})
	acrossTwo(r, isFace, set)
	roundCores(r.partContext, isFace, set)
	for _, group := range set.Groups(func(p int32) bool { return isFace[p] != graph.None }) {
		d := isFace[group[0]]
		dir := r.v.Dirs[d]
		axis := direction.SnapDirection(g.Patches[group[0]].Axis)
		z := g.ExtentOf(group, dir)
		reasons := []string{fmt.Sprintf("A plane at %s, seen straight on all over.", mm(z.Hi))}
		if len(group) > 1 {
			reasons = append(reasons, fmt.Sprintf("%d pieces, cut apart by other features, lie in it.", len(group)))
		}
		v.propose(candidate{
			typ: feature.Face, patches: group, dir: dir, axis: &axis, z: z, rule: "open plane", reasons: reasons,
		})
	}
}

// areTopsOfDifferentBosses reports whether two planes end at walls of bosses without a common one.
func (r *reading) areTopsOfDifferentBosses(p, q int32) bool {
	a, b := r.bossesBelow(p), r.bossesBelow(q)
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(f int32) bool { return slices.Contains(b, f) })
}

// bossesBelow returns the bosses whose walls a plane meets in convex edges.
func (r *reading) bossesBelow(p int32) (out []int32) {
	for q, a := range r.g.Neighbors(p) {
		if a.Convexity == graph.Convex && r.typeOf(q) == feature.Boss {
			out = append(out, r.ownerOf(q))
		}
	}
	return out
}

// continueWalls gives pockets the free walls that smoothly continue theirs. With fromCorners it takes only
// continuations of concave corners and of cores of grooves, and walls that end inside the outline of the part.
func continueWalls(r *reading, v *verifier, fromCorners bool) {
	g := r.g
	for again := true; again; {
		again = false
		for i := range g.Arcs {
			a := &g.Arcs[i]
			p, q := a.A, a.B
			if r.isTaken(p) {
				p, q = q, p
			}
			f := r.ownerOf(q)
			if a.Convexity != graph.Smooth || r.isTaken(p) || f == graph.None || r.features[f].typ != feature.Pocket {
				continue
			}
			dir := r.features[f].dir
			d := r.v.Find(dir)
			if d == graph.None || !r.sees(d, p) && !meetsTwice(r, p, f) {
				continue
			}
			isCore := r.isCore[q] && g.Extent(p, dir).Lo >= r.features[f].z.Lo-g.Length // no deeper than the groove
			isFit := !fromCorners || isCore || r.isFillet(q) && g.IsPlane(p)
			if isFit && !isPerpendicular(a, dir) && r.isVertical(p, dir) && r.isVertical(q, dir) || endsInside(r, p, q, a.Dir) {
				v.extend(f, p)
				again = true
			}
		}
	}
	mergeAtCorners(r, v)
	v.dropMerged()
}

// endsInside reports whether p and the free walls that smoothly continue it away from q, all parallel to n, end at a
// convex edge with a wall that extends beyond all of them. They are then inside an outline and part of a cut.
func endsInside(r *reading, p, q int32, n geom.Vec3) bool {
	g := r.g
	var chain []int32
	for from := q; ; {
		if r.isTaken(p) || !r.isVertical(p, n) || slices.Contains(chain, p) {
			return false
		}
		chain = append(chain, p)
		next, isEnd := int32(graph.None), false
		for o, a := range g.Neighbors(p) {
			switch {
			case isPerpendicular(a, n) && a.Convexity == graph.Convex, o == from:
			case a.Convexity == graph.Concave || isPerpendicular(a, n) || next != graph.None && next != o:
				return false
			default:
				next, isEnd = o, a.Convexity == graph.Convex
			}
		}
		switch {
		case next == graph.None:
			return false
		case isEnd:
			return r.isVertical(next, n) && !slices.ContainsFunc(chain, func(p int32) bool {
				s := &g.Patches[p].Shape
				return s.Kind == surface.KindPlane && g.Extent(next, s.Axis).Hi <= s.Origin.Dot(s.Axis)+g.Length
			})
		}
		p, from = next, p
	}
}

// unclaimed proposes walls and surfaces from the remaining patches.
func unclaimed(r *reading, v *verifier) {
	g := r.g
	dirOf := make([]int32, len(g.Patches))
	typeOf := make([]feature.Type, len(g.Patches))
	for i := range g.Patches {
		dirOf[i] = graph.None
		if !r.isTaken(int32(i)) {
			dirOf[i], typeOf[i] = bestFor(r, int32(i))
		}
	}
	chainRoundings(r.partContext, dirOf, typeOf)
	set := graph.NewUnionFind(len(g.Patches))
	for i := range g.Arcs {
		a := &g.Arcs[i]
		if dirOf[a.A] == graph.None || dirOf[a.B] == graph.None || typeOf[a.A] != typeOf[a.B] {
			continue
		}
		isOne := a.Convexity == graph.Smooth
		if typeOf[a.A] == feature.Wall {
			isOne = dirOf[a.A] == dirOf[a.B] && (isOne || !isPerpendicular(a, r.v.Dirs[dirOf[a.A]]))
		}
		if isOne {
			set.Join(a.A, a.B)
		}
	}
	groups := set.Groups(func(p int32) bool { return dirOf[p] != graph.None })
	for _, group := range groups {
		if typeOf[group[0]] == feature.Wall && !judge(r.partContext, &candidate{typ: feature.Wall, patches: group,
			dir: r.v.Dirs[dirOf[group[0]]]}) {
			crossing(r, v, group)
		}
	}
	for _, group := range groups {
		if slices.ContainsFunc(group, r.isTaken) ||
			!addUnclaimed(r, v, group, typeOf[group[0]], int(dirOf[group[0]])) {
			for _, p := range group {
				if !r.isTaken(p) {
					addUnclaimed(r, v, []int32{p}, typeOf[p], int(dirOf[p]))
				}
			}
		}
	}
}

// crossing proposes walls that face each other as intersecting passages: along each direction, the visible walls
// connected over concave edges along it. The first passage owns a common wall.
func crossing(r *reading, v *verifier, group []int32) {
	shared := make([]bool, len(r.g.Patches))
	for d, dir := range r.v.Dirs {
		isAlong := func(p int32) bool {
			return (!r.isTaken(p) || shared[p]) && r.isVertical(p, dir) && r.sees(d, p)
		}
		set := graph.NewUnionFind(len(r.g.Patches))
		for i := range r.g.Arcs {
			a := &r.g.Arcs[i]
			if a.Convexity == graph.Concave && isAlong(a.A) && isAlong(a.B) && graph.Parallel(a.Dir, dir) {
				set.Join(a.A, a.B)
			}
		}
		for _, walls := range set.Groups(isAlong) {
			isIn := slices.ContainsFunc(walls, func(p int32) bool { return slices.Contains(group, p) })
			walls = slices.DeleteFunc(walls, r.isTaken)
			if !isIn || len(walls) < 2 || verdict.Fill(r.g, walls, nil) >= 0 {
				continue
			}
			addPassage(r, v, dir, walls)
			for _, p := range walls {
				shared[p] = r.isTaken(p)
			}
		}
	}
}

// chainRoundings makes surfaces for three axes of connected roundings of convex edges: one cutter makes the chain.
func chainRoundings(pc *partContext, dirOf []int32, typeOf []feature.Type) {
	isRounding := func(p int32) bool { return dirOf[p] != graph.None && !pc.g.Patches[p].Hollow && pc.g.IsBlend(p) }
	for i := range pc.g.Arcs {
		a := &pc.g.Arcs[i]
		if a.Convexity == graph.Smooth && isRounding(a.A) && isRounding(a.B) {
			typeOf[a.A], typeOf[a.B] = feature.Three, feature.Three
		}
	}
}

// bestFor returns direction and type of a feature for a free patch, None if no direction sees enough of it. Of
// directions with nearly equal shares the first one counts, because the directions of the part come first.
func bestFor(r *reading, p int32) (int32, feature.Type) {
	least := direction.MinFloorVisibility
	if !r.g.IsPlane(p) {
		least = minRoundShare
	}
	wall := r.bestSeen(p, least, func(dir geom.Vec3) bool { return hasEvenSlant(r.partContext, p, dir) })
	best := r.bestSeen(p, least, func(geom.Vec3) bool { return true })
	uncovered := minRoundShare
	if r.sheet.IsSide(p) {
		uncovered = 0 // a flat was visible before its neighbors were bent over it
	}
	face := r.bestSeen(p, uncovered, func(dir geom.Vec3) bool { return r.g.Facing(p, dir) })
	switch {
	case best == graph.None:
		return best, feature.Three
	case face != graph.None:
		return face, feature.Face
	case wall != graph.None && r.v.Share[wall][p] >= r.v.Share[best][p]-(1-direction.MinWallVisibility) &&
		!isFlatTop(r.partContext, p, wall) && !joinsFaces(r, p):
		return wall, feature.Wall
	}
	return best, feature.Three
}

// isFlatTop reports whether a curved patch extends along a direction by twice its width, and another direction sees all
// of it as flat rather than steep. A round top is not a side.
func isFlatTop(pc *partContext, p, wall int32) bool {
	g := pc.g
	if reach := g.Extent(p, pc.v.Dirs[wall]).Length(); g.IsPlane(p) || reach*reach <= 2*g.Patches[p].Area {
		return false
	}
	return pc.bestSeen(p, direction.MinWallVisibility, func(dir geom.Vec3) bool {
		return g.Slopes(p, dir).Lo >= section.SteepSin
	}) != graph.None
}

// joinsFaces reports whether a patch smoothly joins two faces at an angle of less than 45°. It is part of their surface
// and no side.
func joinsFaces(r *reading, p int32) bool {
	var faces []int32
	for q, a := range r.g.Neighbors(p) {
		if a.Convexity == graph.Smooth && r.typeOf(q) == feature.Face {
			faces = append(faces, r.ownerOf(q))
		}
	}
	faces = ascending(faces)
	return len(faces) == 2 && r.features[faces[0]].dir.Dot(r.features[faces[1]].dir) > section.SteepSin
}

// hasEvenSlant reports whether a patch is vertical within a draft, with one slant all over. A patch with a varying
// slant is not a wall.
func hasEvenSlant(pc *partContext, p int32, dir geom.Vec3) bool {
	s := pc.g.Slopes(p, dir)
	return s.Lo >= -graph.DirectionTolerance && s.Hi <= wallDraft && s.Hi-s.Lo <= math.Sin(2*math.Pi/180)
}

// bestSeen returns the first direction that is fit and sees most of a patch, None if no direction sees the share least.
func (pc *partContext) bestSeen(p int32, least float64, isFit func(geom.Vec3) bool) int32 {
	most := 0.0
	fit := make([]bool, len(pc.v.Dirs))
	for d, dir := range pc.v.Dirs {
		if share := pc.v.Share[d][p]; share >= least && isFit(dir) {
			fit[d], most = true, max(most, share)
		}
	}
	for d, isFit := range fit {
		if isFit && pc.v.Share[d][p] >= most-shareTolerance {
			return int32(d)
		}
	}
	return graph.None
}

func addUnclaimed(r *reading, v *verifier, group []int32, typ feature.Type, d int) bool {
	if typ == feature.Three && len(group) > 1 { // the direction that sees most of the whole group
		best, _ := mostSeen(r.partContext, group, graph.AxisTolerance, func(geom.Vec3) bool { return true })
		if best != graph.None {
			d = best
		}
	}
	f := r.along(typ, "", group, r.v.Dirs[d])
	seen := percent(r.v.Seen(r.g, d, group))
	switch s := r.slopesOf(group, f.dir); typ {
	case feature.Wall:
		f.rule = "free-standing wall"
		f.reasons = []string{fmt.Sprintf("%s, %s high, and %s of it is seen along it.",
			count(len(group), "steep face", "steep faces"), mm(f.z.Length()), seen)}
	case feature.Face:
		f.rule = "covered plane"
		f.reasons = []string{fmt.Sprintf("A plane of which %s is seen straight on; other material covers the rest.",
			seen)}
	default:
		f.rule = "surface for three axes"
		f.reasons = []string{fmt.Sprintf("%s sloping from %s to %s, of which %s is seen.",
			count(len(group), "face", "faces"), degrees(slopeOf(s.Hi)), degrees(slopeOf(s.Lo)), seen)}
	}
	return v.propose(f)
}

// meetsTwice reports whether a free patch meets two patches of a feature in edges that are not convex. It is a wall of
// the feature even under an overhang.
func meetsTwice(r *reading, p, f int32) bool {
	return len(ascending(r.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
		return a.Convexity != graph.Convex && r.ownerOf(q) == f
	}))) > 1
}
