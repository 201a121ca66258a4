package recognize

// What the other rules left: faces, walls, surfaces for three axes, and what cannot be machined.
//
// Planes that are seen straight on all over are Faces, those of a profile again. Then each patch that
// is left asks for the direction that sees most of it: along a direction it is steep to it is a Wall,
// else a surface for three axes. Neighbours of one kind and direction that join smoothly, and walls that
// join over an edge along the direction, are one feature. What no direction sees enough of stays
// unmachined, with the reason.

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
	// facingShare is the share of a plane that must be seen from its normal to be milled flat: all of
	// it, less what samples at its rim miss.
	facingShare = 0.98

	// roundShare is the share of a curved face that one direction must see to have a part in making it: of
	// what is round, the best direction sees half. It is that of a plane too that something covers.
	roundShare = 0.4

	// sameShare is how far two shares may differ that depend on samples, and be one.
	sameShare = 0.02
)

// planes turns planes into faces where nothing of the part stands above them, pieces that continue each
// other across a hollow into one. The tips of teeth, the edges of plates and the ends of
// threads are of their contour alone.
func (r *recognizer) planes() {
	g := r.g
	isContour := make([]bool, len(r.out))
	for i := range r.out {
		isContour[i] = r.out[i].rule == plateOutline || r.out[i].rule == outerThread ||
			slices.ContainsFunc(r.out[i].patches, func(p int32) bool { return r.isTooth[p] })
	}
	isFace := make([]int32, len(g.Patches)) // the direction, None for no face
	for i := range g.Patches {
		isFace[i] = graph.None
		p := &g.Patches[i]
		if p.Kind != surface.KindPlane ||
			r.taken[i] && (r.out[r.owner[i]].typ != feature.Profile || isContour[r.owner[i]]) {
			continue
		}
		if d := r.v.Find(p.Axis); d != graph.None && r.v.Share[d][i] >= facingShare {
			isFace[i] = int32(d)
		}
	}
	set := graph.NewUnionFind(len(g.Patches))
	tried := 0
	r.acrossHollows(func(_ int32, p, q int32) {
		if isFace[p] == graph.None || isFace[p] != isFace[q] || set.Find(p) == set.Find(q) || r.areTopsOfTwo(p, q) {
			return
		}
		if tried++; tried > maxAir || r.isAirBetween(p, q) { // else they lie side by side at one edge of the hollow
			set.Join(p, q)
		}
	})
	r.acrossTwo(isFace, set)
	r.roundCores(isFace, set)
	for _, group := range set.Groups(func(p int32) bool { return isFace[p] != graph.None }) {
		d := isFace[group[0]]
		dir := r.v.Dirs[d]
		axis := direction.SnapDirection(g.Patches[group[0]].Axis)
		z := g.ExtentOf(group, dir)
		reasons := []string{fmt.Sprintf("A plane at %s, seen straight on all over.", mm(z.Hi))}
		if len(group) > 1 {
			reasons = append(reasons, fmt.Sprintf("%d pieces, cut apart by other features, lie in it.", len(group)))
		}
		r.add(found{
			typ: feature.Face, patches: group, dir: dir, axis: &axis, z: z, rule: "open plane", reasons: reasons,
		})
	}
}

// areTopsOfTwo reports whether two planes end at the walls of bosses, none of which is the same.
func (r *recognizer) areTopsOfTwo(p, q int32) bool {
	a, b := r.bossesBelow(p), r.bossesBelow(q)
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(f int32) bool { return slices.Contains(b, f) })
}

// bossesBelow returns the bosses whose walls a plane meets in outer edges.
func (r *recognizer) bossesBelow(p int32) (out []int32) {
	for _, x := range r.g.Patches[p].Arcs {
		a := &r.g.Arcs[x]
		f := r.owner[a.Other(p)]
		if a.Convexity == graph.Convex && f != graph.None && r.out[f].typ == feature.Boss {
			out = append(out, f)
		}
	}
	return out
}

// goOn gives pockets the walls that go on smoothly from theirs, of the same outline: all of them, or those from hollow
// corners and cores of grooves and those that end inside the outline of the part.
func (r *recognizer) goOn(fromCorners bool) {
	g := r.g
	for again := true; again; {
		again = false
		for i := range g.Arcs {
			a := &g.Arcs[i]
			p, q := a.A, a.B
			if r.taken[p] {
				p, q = q, p
			}
			f := r.owner[q]
			if a.Convexity != graph.Smooth || r.taken[p] || f == graph.None || r.out[f].typ != feature.Pocket {
				continue
			}
			dir := r.out[f].dir
			d := r.v.Find(dir)
			if d == graph.None || r.v.Share[d][p] < direction.MinFloorVisibility && !r.isCornered(p, f) {
				continue
			}
			isCore := r.isCore[q] && g.Extent(p, dir).Lo >= r.out[f].z.Lo-g.Length // no deeper than the groove
			isFit := !fromCorners || isCore || r.isFillet(q) && g.Patches[p].Kind == surface.KindPlane
			if isFit && !isAcross(a, dir) && r.isUpright(p, dir) && r.isUpright(q, dir) || r.endsInside(p, q, a.Dir) {
				r.extend(f, p)
				again = true
			}
		}
	}
	r.roundCorners()
	r.dropUnited()
}

// endsInside reports whether free walls upright to n, p and what goes on smoothly from it away from q, end at an outer
// corner with a wall that reaches beyond all of them: they lie within an outline, as those of what was cut into it do.
func (r *recognizer) endsInside(p, q int32, n geom.Vec3) bool {
	g := r.g
	var chain []int32
	for from := q; ; {
		if r.taken[p] || !r.isUpright(p, n) || slices.Contains(chain, p) {
			return false
		}
		chain = append(chain, p)
		next, isEnd := int32(graph.None), false
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			switch o := a.Other(p); {
			case isAcross(a, n) && a.Convexity == graph.Convex, o == from:
			case a.Convexity == graph.Concave || isAcross(a, n) || next != graph.None && next != o:
				return false
			default:
				next, isEnd = o, a.Convexity == graph.Convex
			}
		}
		switch {
		case next == graph.None:
			return false
		case isEnd:
			return r.isUpright(next, n) && !slices.ContainsFunc(chain, func(p int32) bool {
				s := &g.Patches[p].Shape
				return s.Kind == surface.KindPlane && g.Extent(next, s.Axis).Hi <= s.Origin.Dot(s.Axis)+g.Length
			})
		}
		p, from = next, p
	}
}

// left makes walls and surfaces of what is left.
func (r *recognizer) left() {
	g := r.g
	dirOf := make([]int32, len(g.Patches))
	typeOf := make([]feature.Type, len(g.Patches))
	for i := range g.Patches {
		dirOf[i] = graph.None
		if !r.taken[i] {
			dirOf[i], typeOf[i] = r.bestFor(int32(i))
		}
	}
	r.chainRoundings(dirOf, typeOf)
	set := graph.NewUnionFind(len(g.Patches))
	for i := range g.Arcs {
		a := &g.Arcs[i]
		if dirOf[a.A] == graph.None || dirOf[a.B] == graph.None || typeOf[a.A] != typeOf[a.B] {
			continue
		}
		isOne := a.Convexity == graph.Smooth
		if typeOf[a.A] == feature.Wall {
			isOne = dirOf[a.A] == dirOf[a.B] && (isOne || !isAcross(a, r.v.Dirs[dirOf[a.A]]))
		}
		if isOne {
			set.Join(a.A, a.B)
		}
	}
	groups := set.Groups(func(p int32) bool { return dirOf[p] != graph.None })
	for _, group := range groups {
		if typeOf[group[0]] == feature.Wall && !r.judge(&found{typ: feature.Wall, patches: group, dir: r.v.Dirs[dirOf[group[0]]]}).Holds {
			r.crossing(group)
		}
	}
	for _, group := range groups {
		if slices.ContainsFunc(group, func(p int32) bool { return r.taken[p] }) ||
			!r.addLeft(group, typeOf[group[0]], int(dirOf[group[0]])) {
			for _, p := range group {
				if !r.taken[p] {
					r.addLeft([]int32{p}, typeOf[p], int(dirOf[p]))
				}
			}
		}
	}
}

// crossing reads walls that look at each other as the passages that run into each other there: along each direction
// those that it sees and that concave edges along it hold together. A wall that two passages share is of the first.
func (r *recognizer) crossing(group []int32) {
	shared := make([]bool, len(r.g.Patches))
	for d, dir := range r.v.Dirs {
		isAlong := func(p int32) bool {
			return (!r.taken[p] || shared[p]) && r.isUpright(p, dir) && r.v.Share[d][p] >= direction.MinFloorVisibility
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
			walls = slices.DeleteFunc(walls, func(p int32) bool { return r.taken[p] })
			if !isIn || len(walls) < 2 || verdict.Fill(r.g, walls, nil) >= 0 {
				continue
			}
			r.addPassage(dir, walls)
			for _, p := range walls {
				shared[p] = r.taken[p]
			}
		}
	}
}

// chainRoundings makes surfaces of the roundings of outer edges that go on into each other: one cutter makes the chain.
func (r *recognizer) chainRoundings(dirOf []int32, typeOf []feature.Type) {
	isRounding := func(p int32) bool { return dirOf[p] != graph.None && !r.g.Patches[p].Hollow && r.g.IsBlend(p) }
	for i := range r.g.Arcs {
		a := &r.g.Arcs[i]
		if a.Convexity == graph.Smooth && isRounding(a.A) && isRounding(a.B) {
			typeOf[a.A], typeOf[a.B] = feature.Three, feature.Three
		}
	}
}

// bestFor returns how a patch that no rule took is machined, None when no direction sees enough of it. Of
// directions that see it about equally well the first one, which is the part's own, is taken.
func (r *recognizer) bestFor(p int32) (int32, feature.Type) {
	least := direction.MinFloorVisibility
	if r.g.Patches[p].Kind != surface.KindPlane {
		least = roundShare
	}
	wall := r.bestSeen(p, least, func(dir geom.Vec3) bool { return r.isEven(p, dir) })
	best := r.bestSeen(p, least, func(geom.Vec3) bool { return true })
	uncovered := roundShare
	if r.sheet.IsSide(p) {
		uncovered = 0 // a flat was flat before its neighbours were bent over it
	}
	face := r.bestSeen(p, uncovered, func(dir geom.Vec3) bool { return r.g.Facing(p, dir) })
	switch {
	case best == graph.None:
		return best, feature.Three
	case face != graph.None:
		return face, feature.Face
	case wall != graph.None && r.v.Share[wall][p] >= r.v.Share[best][p]-(1-direction.MinWallVisibility) &&
		!r.liesFlat(p, wall) && !r.leadsOver(p):
		return wall, feature.Wall
	}
	return best, feature.Three
}

// liesFlat reports whether a curved patch reaches twice as far along a direction as it is wide, and lies flat rather than
// steep to another one that sees it all: what is round on top is no side.
func (r *recognizer) liesFlat(p, wall int32) bool {
	g := r.g
	if reach := g.Extent(p, r.v.Dirs[wall]).Length(); g.Patches[p].Kind == surface.KindPlane ||
		reach*reach <= 2*g.Patches[p].Area {
		return false
	}
	return r.bestSeen(p, direction.MinWallVisibility, func(dir geom.Vec3) bool {
		return g.Slopes(p, dir).Lo >= section.SteepSin
	}) != graph.None
}

// leadsOver reports whether a patch goes on smoothly in two faces that lean to each other by less than 45°: it is of the
// surface that they make, and no side.
func (r *recognizer) leadsOver(p int32) bool {
	var faces []int32
	for _, x := range r.g.Patches[p].Arcs {
		f := r.owner[r.g.Arcs[x].Other(p)]
		if r.g.Arcs[x].Convexity == graph.Smooth && f != graph.None && r.out[f].typ == feature.Face {
			faces = append(faces, f)
		}
	}
	faces = ascending(faces)
	return len(faces) == 2 && r.out[faces[0]].dir.Dot(r.out[faces[1]].dir) > section.SteepSin
}

// isEven reports whether a patch is upright along dir but for a draft and leans as far all over: what leans more and more is
// no wall.
func (r *facts) isEven(p int32, dir geom.Vec3) bool {
	s := r.g.Slopes(p, dir)
	return s.Lo >= -graph.DirectionTolerance && s.Hi <= wallDraft && s.Hi-s.Lo <= math.Sin(2*math.Pi/180)
}

// bestSeen returns the first of the directions that are fit and see most of a patch, None when none sees least.
func (r *recognizer) bestSeen(p int32, least float64, isFit func(geom.Vec3) bool) int32 {
	most := 0.0
	fit := make([]bool, len(r.v.Dirs))
	for d, dir := range r.v.Dirs {
		if share := r.v.Share[d][p]; share >= least && isFit(dir) {
			fit[d], most = true, max(most, share)
		}
	}
	for d, isFit := range fit {
		if isFit && r.v.Share[d][p] >= most-sameShare {
			return int32(d)
		}
	}
	return graph.None
}

func (r *recognizer) addLeft(group []int32, typ feature.Type, d int) bool {
	if typ == feature.Three && len(group) > 1 { // the direction that sees most of all of it
		most := 0.0
		for i := range r.v.Dirs {
			if s := r.v.Seen(r.g, i, group); s > most+graph.AxisTolerance {
				d, most = i, s
			}
		}
	}
	dir := r.v.Dirs[d]
	f := found{typ: typ, patches: group, dir: dir, axis: &dir, z: r.g.ExtentOf(group, dir)}
	seen := percent(r.v.Seen(r.g, d, group))
	switch s := r.slopesOf(group, dir); typ {
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
	return r.add(f)
}

// isCornered reports whether a free patch meets two of a feature in inner or smooth edges: it is a wall of it, whatever hangs
// over it.
func (r *recognizer) isCornered(p, f int32) bool {
	var of []int32
	for _, x := range r.g.Patches[p].Arcs {
		if q := r.g.Arcs[x].Other(p); r.g.Arcs[x].Convexity != graph.Convex && r.owner[q] == f {
			of = append(of, q)
		}
	}
	return len(ascending(of)) > 1
}
