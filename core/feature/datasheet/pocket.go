package datasheet

// Facts of pockets.
//
// The outline is where the walls stand: the boundary of the floor with its fillets, seen along the
// direction. Its pieces are walls where something rises behind them, else open; loops without any wall
// are the mouths of other features in the floor and are left out, those with walls are islands.
// Where upright walls close up by themselves, the traces that they leave are the outer loop, whatever
// other features take from the floor. A pocket without a floor is outlined by the traces of its walls,
// closed by open pieces where they leave gaps.
//
// Length and width are those of the smallest rectangle round the whole pocket, so with a draft that of
// its mouth. NarrowestWidth and MaxClearingDiameter are those of geom/region; with a sharp corner no
// tool clears all of the pocket, which 0 says. A pocket whose walls do not face each other is as
// narrow as its outline with the open sides closed, and takes a tool as wide as it is long, unless a
// corner's radius is less.
//
// The volume lies between the pocket's faces and the level of its top, inside the outline; the mouths
// of other features count as floor, and what stands above islands belongs to it.

import (
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/datasheet/internal/integral"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/region"
	"millwright/core/geom/surface"
)

func (p *part) pocket(s *subject) *feature.PocketFacts {
	out := &feature.PocketFacts{Kind: feature.Pocket, Depth: s.z.Length(), Shape: feature.ShapeGeneral}
	if h := s.f.Pocket; h != nil {
		out.IsOpen, out.IsThrough = h.Open, h.Through
	}
	base := p.base(s)
	if len(base) > 0 {
		floor := p.mainFloor(s, base)
		out.Depth = s.z.Hi - s.extents.Of(floor).Lo
		out.FloorTiltDeg = p.tilt(floor, s.dir)
		out.FloorRadius = p.floorRadius(s, base)
	}
	rect := p.enclosing(s, s.patches)
	out.Length, out.Width = rect.Length, rect.Width
	foot := p.foot(s, base)
	w := foot.Widths()
	out.NarrowestWidth, out.MaxClearingDiameter = min(w.Narrowest, rect.Width), w.Clearing
	if w.Narrowest <= 0 { // the outline crosses itself
		out.NarrowestWidth = rect.Width
	}
	if r, ok := foot.CornerRadius(); ok {
		out.MinCornerRadius = pointer(r)
		out.MaxClearingDiameter = min(out.MaxClearingDiameter, 2*r)
	}
	out.IslandCount = len(foot.islands)
	out.Shape = p.shapeOf(s, &foot, rect)
	out.Volume = p.volume(s, &foot)
	out.Bevels = p.bevels(s)
	return out
}

// base returns the patches of a pocket that are no walls: floors and fillets.
func (p *part) base(s *subject) []int32 {
	var out []int32
	for _, q := range s.patches {
		if iv := p.g.Slopes(q, s.dir); iv.Hi > math.Sin(maxDraft) {
			out = append(out, q)
		}
	}
	return out
}

// mainFloor returns the patch of the base that makes the floor: the plane that is nearest to square to the
// direction, the largest of several; else the largest patch.
func (p *part) mainFloor(s *subject, base []int32) int32 {
	best, bestUp := base[0], -1.0
	for _, q := range base {
		sh := &p.g.Patches[q].Shape
		up := 0.0
		if sh.Kind == surface.KindPlane {
			up = sh.Axis.Dot(s.dir)
		}
		larger := p.g.Patches[q].Area > p.g.Patches[best].Area
		if up > bestUp+graph.AxisAngle || up >= bestUp-graph.AxisAngle && larger {
			best, bestUp = q, up
		}
	}
	return best
}

// tilt returns how far the floor leans, degrees; 0 for one that is no plane.
func (p *part) tilt(q int32, dir geom.Vec3) float64 {
	s := &p.g.Patches[q].Shape
	if s.Kind != surface.KindPlane {
		return 0
	}
	return tidyDegrees(s.Axis.Angle(dir))
}

// floorRadius returns the radius of the fillets between walls and floor, the smallest of several, 0
// when some wall stands on the floor without one.
func (p *part) floorRadius(s *subject, base []int32) float64 {
	best := math.Inf(1)
	for _, q := range base {
		if p.g.Patches[q].Kind == surface.KindPlane {
			if p.hasSharpFoot(s, q) {
				return 0
			}
			continue
		}
		if r, ok := filletRadius(&p.g.Patches[q].Shape); ok && p.joinsFloor(s, q) {
			best = min(best, r)
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// hasSharpFoot reports whether a wall of the subject meets floor q in a concave edge.
func (p *part) hasSharpFoot(s *subject, q int32) bool {
	for _, x := range p.g.Patches[q].Arcs {
		a := &p.g.Arcs[x]
		if o := a.Other(q); a.Bend == graph.Concave && s.has(o) && p.isSteep(o, s.dir) {
			return true
		}
	}
	return false
}

// joinsFloor reports whether a blend touches a plane of the subject that faces up.
func (p *part) joinsFloor(s *subject, q int32) bool {
	for _, x := range p.g.Patches[q].Arcs {
		a := &p.g.Arcs[x]
		o := a.Other(q)
		sh := &p.g.Patches[o].Shape
		if a.Bend == graph.Smooth && sh.Kind == surface.KindPlane && sh.Axis.Dot(s.dir) > math.Sin(maxDraft) {
			return true
		}
	}
	return false
}

// filletRadius returns the radius of a hollow blend.
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

// foot is the outline of a pocket with what stands in it.
type foot struct {
	region.Region
	islands []region.Loop
	mouths  []region.Loop // of other features in the floor, not in the region
}

func (p *part) foot(s *subject, base []int32) foot {
	if len(base) == 0 {
		return foot{Region: region.Region{Loops: p.passage(s)}}
	}
	var f foot
	walls := p.traces(s)
	isClosed := len(walls) == 1 && !hasGap(walls[0]) && walls[0].Area() > 0
	if isClosed {
		f.Loops = append(f.Loops, walls[0])
	}
	low := s.extents.Union(base).Lo
	for _, c := range s.view.Chains(base) {
		l := s.view.Loop(c)
		for i := range l {
			l[i].Open = !p.isWallAcross(s, l[i].Tag, low)
		}
		if l = region.Simplify(l); len(l) == 0 {
			continue
		}
		if l.Area() >= 0 {
			if !isClosed {
				f.Loops = append(f.Loops, l)
			}
			continue
		}
		if isOpen(l) {
			f.mouths = append(f.mouths, l)
			continue
		}
		f.islands = append(f.islands, l)
		f.Loops = append(f.Loops, l)
	}
	return f
}

// passage returns the outline of a pocket without a floor: the traces of its walls, or, where some
// leave none, the boundary round its lower end.
func (p *part) passage(s *subject) []region.Loop {
	for _, q := range s.patches {
		if _, ok := p.trace(s, q); !ok {
			if l := p.footOf(s); len(l) > 0 {
				return []region.Loop{l.Reverse()}
			}
		}
	}
	return p.traces(s)
}

// isWallAcross reports whether the patch across the edge of a floor, whose lowest point is low, rises
// from it.
func (p *part) isWallAcross(s *subject, q int32, low float64) bool {
	if q == graph.None {
		return false
	}
	if s.has(q) {
		return p.isSteep(q, s.dir) || p.g.Slopes(q, s.dir).Lo <= 0
	}
	if s.extents.Of(q).Hi <= low+p.g.Length {
		return false
	}
	for _, x := range p.g.Patches[q].Arcs {
		a := &p.g.Arcs[x]
		if o := a.Other(q); s.has(o) && a.Bend == graph.Concave {
			return true
		}
	}
	return p.g.Patches[q].Hollow && s.extents.Of(q).Lo >= low-p.g.Length
}

// hasGap reports whether some piece of a loop is open.
func hasGap(l region.Loop) bool {
	return slices.ContainsFunc(l, func(q region.Piece) bool { return q.Open })
}

// isOpen reports whether a loop has no wall.
func isOpen(l region.Loop) bool {
	for i := range l {
		if !l[i].Open {
			return false
		}
	}
	return true
}

// shapeOf names the outline of a pocket: by the traces of its walls where they make one loop, gaps
// closed, as they know nothing of what other features take away, else by its foot.
func (p *part) shapeOf(s *subject, f *foot, rect region.Rect) string {
	walls := p.traces(s)
	if len(walls) != 1 {
		return pocketShape(&f.Region, rect)
	}
	l := slices.Clone(walls[0])
	for i := range l {
		l[i].Open, l[i].Tag = false, 0
	}
	return pocketShape(&region.Region{Loops: []region.Loop{l}}, rect)
}

// pocketShape names the outline: a rectangle, with round corners or without, a circle, a slot with two
// round ends.
func pocketShape(r *region.Region, rect region.Rect) string {
	if len(r.Loops) == 0 {
		return feature.ShapeGeneral
	}
	l := region.Simplify(r.Loops[0])
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

// isRectangle reports whether a loop fills its rectangle but for its rounded corners.
func isRectangle(l region.Loop, rect region.Rect) bool {
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

// volume returns what a pocket takes away up to its top, mm³.
func (p *part) volume(s *subject, f *foot) float64 {
	sum := integral.Of(p.g, s.patches, s.dir, s.z.Hi).Volume
	base := p.base(s)
	if len(base) == 0 {
		return math.Abs(f.Area()) * s.z.Length()
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

// islandTop returns the highest point of the feature whose foot an island is.
func (p *part) islandTop(s *subject, l region.Loop) float64 {
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
