package datasheet

// Facts of pockets.
//
// The outline is at the base of the walls: the boundary of the floor with its fillets, seen along the direction. Its
// segments are walls if material rises behind them, else open. Loops without any wall are openings of other features in
// the floor and are left out; loops with walls are islands. If vertical walls form a closed loop, their traces are the
// outer loop even if other features cut the floor. The outline of a pocket without a floor is the traces of
// its walls, closed by open segments across gaps.
//
// Length and width are the sides of the smallest rectangle around the whole pocket; with a draft this is the rectangle
// of its opening. NarrowestWidth is the narrowest width of package planar, between walls that face each other over the
// fillets at their base, whichever feature has the fillets. Without such walls it is the width of the outline with the
// open sides closed. MaxClearingDiameter is computed in clearing.go; without another limit, the tool is as wide as the
// pocket is long.
//
// The volume lies between the pocket's faces and the level of its top, inside the outline. Openings of other features
// count as floor; the volume includes the space above islands.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet/internal/integral"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func (p *partContext) pocket(s *featureMeasurer) *feature.PocketFacts {
	out := &feature.PocketFacts{Kind: feature.Pocket, Depth: s.z.Length(), Shape: feature.ShapeGeneral}
	if h := s.f.Pocket; h != nil {
		out.IsOpen, out.IsThrough = h.Open, h.Through
	}
	if p.turnedGroove(s, out) {
		return out
	}
	base := p.base(s)
	if len(base) > 0 {
		floor := p.mainFloor(s, base)
		out.Depth = s.z.Hi - s.extents.Of(floor).Lo
		out.FloorTiltDeg = p.tilt(floor, s.dir)
		out.FloorRadius = p.floorRadius(s, base)
	}
	out.Depth += p.lip(s)
	rect := p.enclosing(s, s.patches)
	out.Length, out.Width = rect.Length, rect.Width
	floorOutline := p.floorOutline(s, base)
	p.fit(s, &floorOutline, base, rect, out)
	if out.FloorRadius > 0 && p.isTrough(s, base) { // only a ball goes down into it
		out.MaxClearingDiameter = min(out.MaxClearingDiameter, 2*out.FloorRadius)
	}
	out.IslandCount = len(floorOutline.islands)
	out.Shape = p.shapeOf(s, &floorOutline, rect)
	out.Volume = p.volume(s, &floorOutline)
	out.Bevels = p.bevels(s)
	return out
}

// standing returns the outline at the walls that rise from a base over fillets of other features, such as fillets
// around a boss; nil if there are no such fillets.
func (p *partContext) standing(s *featureMeasurer, base []int32) *floorOutline {
	all := slices.Clone(base)
	for _, q := range base {
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			o := a.Other(q)
			isFillet := a.Convexity != graph.Convex && !s.has(o) && p.g.Patches[o].Kind != surface.KindPlane &&
				!p.isSteep(o, s.dir) && p.g.Slopes(o, s.dir).Lo <= math.Sin(maxDraft) && p.isHollowAt(a, o)
			if isFillet && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	if len(all) == len(base) {
		return nil
	}
	slices.Sort(all)
	out := p.floorOutline(s, all)
	return &out
}

// fit measures the sizes of the tools that fit into a pocket. If its walls meet at the base, no tool reaches down.
func (p *partContext) fit(s *featureMeasurer, f *floorOutline, base []int32, rect planar.Rect, out *feature.PocketFacts) {
	if len(f.Loops) > 0 && math.Abs(f.Area()) <= p.g.Length*rect.Length {
		return
	}
	narrowest, faced := f.Narrowest()
	out.NarrowestWidth = narrowest
	if !faced {
		if out.NarrowestWidth = min(narrowest, rect.Width); narrowest <= 0 { // the outline crosses itself
			out.NarrowestWidth = rect.Width
		}
	}
	if standing := p.standing(s, base); standing != nil {
		if width, ok := standing.Narrowest(); ok {
			out.NarrowestWidth = width
		}
	}
	out.MaxClearingDiameter = clears(&f.Region, narrowest, faced, rect.Length, p.obstaclesBeyond(s, f), p.over(s, f, base))
	if r, ok := f.CornerRadius(); ok {
		out.MinCornerRadius = pointer(r)
	}
}

// base returns the patches of a pocket other than walls: floors and fillets, without the rounds at its opening.
func (p *partContext) base(s *featureMeasurer) []int32 {
	var all []int32
	for _, q := range s.patches {
		if iv := p.g.Slopes(q, s.dir); iv.Hi > math.Sin(maxDraft) {
			all = append(all, q)
		}
	}
	var out []int32
	for len(all) > 0 {
		var piece []int32 // connected patches
		if piece, all = p.connected(all); !p.isRim(s, piece) {
			out = append(out, piece...)
		}
	}
	slices.Sort(out)
	return out
}

// isRim reports whether patches form the rounded edge of an opening. They are convex and their edges to lower walls
// are more than twice as long as those to higher ones, as behind the bottom of a turned groove.
func (p *partContext) isRim(s *featureMeasurer, piece []int32) bool {
	up, down := 0.0, 0.0 // mm of edges between them
	for _, q := range piece {
		if !p.bulges(q) {
			return false
		}
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			o := a.Other(q)
			if !s.has(o) || !p.isSteep(o, s.dir) {
				continue
			}
			e := &p.g.Model.Edges[a.Edge]
			for _, c := range e.Coedges {
				if p.g.PatchOf[p.g.Model.FaceOf(c)] != o {
					continue
				}
				inward, _ := p.adjacent(c)
				if steep := inward.Dot(s.dir); steep < -math.Cos(maxDraft) {
					down += outline.EdgeLength(e)
				} else if steep > math.Cos(maxDraft) {
					up += outline.EdgeLength(e)
				}
			}
		}
	}
	return down > 2*up
}

// bulges reports whether a patch is round and convex.
func (p *partContext) bulges(q int32) bool {
	switch sh := &p.g.Patches[q].Shape; sh.Kind {
	case surface.KindCylinder, surface.KindSphere, surface.KindTorus:
		return !sh.Hollow
	case surface.KindBSpline:
		return math.IsInf(p.hollowRadius(q), 1)
	}
	return false
}

// connected parts the patches that hang together with the first of some from the others.
func (p *partContext) connected(all []int32) (piece, others []int32) {
	piece, others = []int32{all[0]}, slices.Clone(all[1:])
	for i := 0; i < len(piece); i++ {
		for _, x := range p.g.Patches[piece[i]].Arcs {
			if k := slices.Index(others, p.g.Arcs[x].Other(piece[i])); k >= 0 {
				piece, others = append(piece, others[k]), slices.Delete(others, k, k+1)
			}
		}
	}
	return piece, others
}

// mainFloor returns the patch of the base that makes the floor: the plane that is nearest to square to the
// direction, the largest of several; else the largest patch.
func (p *partContext) mainFloor(s *featureMeasurer, base []int32) int32 {
	best, bestUp := base[0], -1.0
	for _, q := range base {
		sh := &p.g.Patches[q].Shape
		up := 0.0
		if sh.Kind == surface.KindPlane {
			up = sh.Axis.Dot(s.dir)
		}
		larger := p.g.Patches[q].Area > p.g.Patches[best].Area
		if up > bestUp+graph.AxisTolerance || up >= bestUp-graph.AxisTolerance && larger {
			best, bestUp = q, up
		}
	}
	return best
}

// tilt returns the inclination of a floor, degrees; 0 for a floor that is not a plane.
func (p *partContext) tilt(q int32, dir geom.Vec3) float64 {
	s := &p.g.Patches[q].Shape
	if s.Kind != surface.KindPlane {
		return 0
	}
	return roundDegrees(s.Axis.Angle(dir))
}

// floorRadius returns the smallest radius of the fillets between walls and floor. It is 0 if some wall meets the floor
// without a fillet, or no fillet exists. A round floor that nowhere becomes as steep as a wall has no fillet. A floor
// that is round as a whole and does is its own fillet.
func (p *partContext) floorRadius(s *featureMeasurer, base []int32) float64 {
	isFlat := p.hasFlat(base)
	best, atCorners := math.Inf(1), math.Inf(1)
	for _, q := range base {
		if p.hasSharpBase(s, q) {
			return 0
		}
		isSteep := p.g.Slopes(q, s.dir).Lo <= math.Sin(maxDraft)
		if p.g.Patches[q].Kind == surface.KindPlane || (isFlat || !isSteep) && !p.isFillet(s, q) {
			continue
		}
		if r := p.blendRadius(q, s.dir); p.g.Patches[q].Kind == surface.KindBSpline {
			atCorners = min(atCorners, r)
		} else {
			best = min(best, r)
		}
	}
	if math.IsInf(best, 1) {
		best = atCorners
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// hasFlat reports whether some patch of a base is flat.
func (p *partContext) hasFlat(base []int32) bool {
	return slices.ContainsFunc(base, func(q int32) bool { return p.g.Patches[q].Kind == surface.KindPlane })
}

// isTrough reports whether a base is round all over, freeform patches included that are nowhere level.
func (p *partContext) isTrough(s *featureMeasurer, base []int32) bool {
	return !slices.ContainsFunc(base, func(q int32) bool {
		k := p.g.Patches[q].Kind
		return k == surface.KindPlane || k == surface.KindBSpline && p.g.Slopes(q, s.dir).Hi > math.Cos(graph.SmoothAngle)
	})
}

// sharpBaseAngle (rad) is the least turn between two walls, or wall and floor, that no fillet makes.
const sharpBaseAngle = 15 * math.Pi / 180

// hasSharpBase reports whether a wall of the subject rises from floor q in a sharp edge.
func (p *partContext) hasSharpBase(s *featureMeasurer, q int32) bool {
	for _, x := range p.g.Patches[q].Arcs {
		a := &p.g.Arcs[x]
		o := a.Other(q)
		if a.Turn > -sharpBaseAngle || !s.has(o) || !p.isSteep(o, s.dir) {
			continue
		}
		if s.extents.Of(o).Hi > s.view.Span(a.Edge).Hi {
			return true
		}
	}
	return false
}

// isFillet reports whether a concave patch continues smoothly into a wall of the subject, or from a floor until it is
// as steep as a wall. A dent in a floor is not a fillet, nor is a round at the edge where the floor ends.
func (p *partContext) isFillet(s *featureMeasurer, q int32) bool {
	for _, x := range p.g.Patches[q].Arcs {
		a := &p.g.Arcs[x]
		if a.Convexity != graph.Smooth {
			continue
		}
		o := a.Other(q)
		if s.has(o) && p.isSteep(o, s.dir) {
			return true
		}
		sh := &p.g.Patches[o].Shape
		isFloor := sh.Kind == surface.KindPlane && sh.Axis.Dot(s.dir) > math.Sin(maxDraft)
		if isFloor && p.g.Slopes(q, s.dir).Lo <= math.Sin(maxDraft) && p.isHollowAt(a, q) {
			return true
		}
	}
	return false
}

// isHollowAt reports whether a patch bends to the free side from one of its edges on.
func (p *partContext) isHollowAt(a *graph.Adjacency, q int32) bool {
	for _, c := range p.g.Model.Edges[a.Edge].Coedges {
		if p.g.PatchOf[p.g.Model.FaceOf(c)] == q {
			inward, n := p.adjacent(c)
			return p.bendsUp(c, inward, n)
		}
	}
	return false
}

// blendRadius returns the radius of a concave blend, infinite for other patches. For a freeform blend it is the radius
// of cuts along the direction, since across it the blend may follow a tighter corner.
func (p *partContext) blendRadius(q int32, dir geom.Vec3) float64 {
	if p.g.Patches[q].Kind == surface.KindBSpline {
		return p.radiusAlong(q, 1, func(n geom.Vec3) geom.Vec3 { return dir.Reject(n) })
	}
	if r, ok := filletRadius(&p.g.Patches[q].Shape); ok {
		return r
	}
	return math.Inf(1)
}

// filletRadius returns the radius of a concave blend.
func filletRadius(s *graph.Shape) (float64, bool) {
	if !s.Hollow {
		return 0, false
	}
	switch s.Kind {
	case surface.KindCylinder, surface.KindSphere:
		return s.Radius, true
	case surface.KindTorus:
		return s.Minor, true
	}
	return 0, false
}

// shapeOf names the shape of a pocket's outline. It uses the traces of the walls if they make one loop with gaps
// closed, since other features do not change them; else the outline at the base.
func (p *partContext) shapeOf(s *featureMeasurer, f *floorOutline, rect planar.Rect) string {
	walls := p.traces(s)
	if len(walls) != 1 {
		return pocketShape(&f.Region, rect)
	}
	l := slices.Clone(walls[0])
	for i := range l {
		l[i].Open, l[i].Tag = false, 0
	}
	return pocketShape(&planar.Region{Loops: []planar.Loop{l}}, rect)
}

// pocketShape names the outline: a rectangle, with round corners or without, a circle, a slot with two
// round ends.
func pocketShape(r *planar.Region, rect planar.Rect) string {
	if len(r.Loops) == 0 {
		return feature.ShapeGeneral
	}
	l := planar.Simplify(r.Loops[0])
	segments, arcs, turned := 0, 0, 0.0
	for i := range l {
		switch {
		case l[i].Turn == 0:
			segments++
		case l[i].Turn < 0:
			return feature.ShapeGeneral
		default:
			arcs++
			turned += l[i].Turn
		}
	}
	full := math.Abs(turned-2*math.Pi) <= graph.SmoothAngle
	switch {
	case segments == 0 && arcs == 1 && full:
		return feature.ShapeCircular
	case segments == 2 && arcs == 2 && full && math.Abs(l[0].Turn+l[1].Turn-math.Pi) <= graph.SmoothAngle:
		return feature.ShapeSlot
	case segments == 4 && isRectangle(l, rect):
		return feature.ShapeRectangular
	}
	return feature.ShapeGeneral
}

// isRectangle reports whether a loop fills its rectangle except at rounded corners.
func isRectangle(l planar.Loop, rect planar.Rect) bool {
	missing := 0.0
	for i := range l {
		if r := l[i].Radius(); r > 0 {
			if math.Abs(l[i].Turn-math.Pi/2) > graph.SmoothAngle {
				return false
			}
			missing += r * r * (1 - math.Pi/4)
		}
	}
	whole := rect.Length * rect.Width
	return math.Abs(whole-missing-math.Abs(l.Area())) <= 1e-4*whole
}

// volume returns the volume of a pocket up to its top, mm³.
func (p *partContext) volume(s *featureMeasurer, f *floorOutline) float64 {
	sum := integral.Of(p.g, s.patches, s.dir, s.z.Hi).Volume
	base := p.base(s)
	if len(base) == 0 || sum < 0 { // it has no floor, or one that it goes past
		if len(base) > 0 {
			f = &floorOutline{Region: planar.Region{Loops: p.passage(s)}}
		}
		straight := math.Abs(f.Area()) * s.z.Length()
		return straight + sum
	}
	low := s.extents.Of(p.mainFloor(s, base)).Lo
	for _, l := range f.mouths {
		sum += math.Abs(l.Area()) * (s.z.Hi - low)
	}
	for _, l := range f.islands {
		if top := p.islandTop(s, l); top < s.z.Hi-p.g.Length {
			sum += math.Abs(l.Area()) * (s.z.Hi - top)
		}
	}
	return sum
}

// islandTop returns the highest point of the feature with its base at an island.
func (p *partContext) islandTop(s *featureMeasurer, l planar.Loop) float64 {
	top := math.Inf(-1)
	for i := range l {
		if l[i].Tag == graph.None {
			continue
		}
		top = max(top, s.extents.Of(l[i].Tag).Hi)
		for _, id := range p.owners[l[i].Tag] {
			if n := &p.heads[id]; n.f.Type == feature.Boss {
				top = max(top, s.extents.Union(n.patches).Hi)
			}
		}
	}
	return top
}
