package hole

// Bores across voids: pieces of one hole on both sides of a slot, a pocket or a fork, and pieces of its steps.
//
// A drill that reaches its hole through a void sweeps a cylinder there too, which is free of material. Two coaxial
// bores of one diameter are one hole if both are open toward each other and the cylinder between them is empty. A wider
// bore is the counterbore of a narrower one beyond its floor if the narrower one is open toward it and its cylinder is
// empty between them.
//
// Concave pieces of one cone are one: only a drill or a countersink makes both.
//
// A bore with too small a sweep for a wall of a hole is one next to another bore that bridges to it, if it has only
// convex edges around it: the tool of the other bore swept it too.
//
// Cost: the boxes of all patches for each pair of bores on one axis, and the triangles near them.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// drillCore is the share of the radius that must be free of material for a drill. Meshes of curved faces deviate at the
// wall.
const drillCore = 0.9

// bridges finds the bores that are pieces of one hole.
type bridges struct {
	holeRules
	bores []bore
	boxes []geom.Box // by patch
}

// bridge returns the pairs of bores that are pieces of one hole, and marks bores as walls that others make so.
func (g holeRules) bridge(bores []bore) [][2]int32 {
	b := bridges{holeRules: g, bores: bores}
	pairs := b.pairs()
	for isNew := true; isNew; {
		isNew = false
		for _, pair := range pairs {
			if x, y := &bores[pair[0]], &bores[pair[1]]; x.isWall != y.isWall {
				x.isWall, y.isWall, isNew = true, true, true
			}
		}
	}
	return slices.DeleteFunc(pairs, func(pair [2]int32) bool { return !bores[pair[0]].isWall })
}

// pairs returns the bridged bores.
func (b *bridges) pairs() [][2]int32 {
	var first []int32
	bore := map[int32]int32{} // by first patch
	for i := range b.bores {
		x := &b.bores[i]
		if x.shape.Kind != surface.KindCylinder {
			continue
		}
		if _, shut := b.sides(x); x.isWall || shut == 0 && b.floorsAreOwn(x) {
			first = append(first, x.patches[0])
			bore[x.patches[0]] = int32(i)
		}
	}
	var out [][2]int32
	b.eachPair(first, func(p, q int32) {
		if b.isBridged(&b.bores[bore[p]], &b.bores[bore[q]]) {
			out = append(out, [2]int32{bore[p], bore[q]})
		}
	})
	return append(out, b.cones()...)
}

// cones returns the bores that are pieces of one cone, of a tip or of a countersink, split by a ring.
func (b *bridges) cones() (out [][2]int32) {
	var all []int32
	bore := map[int32]int32{} // by patch
	for i := range b.bores {
		if x := &b.bores[i]; x.shape.Kind == surface.KindCone {
			all = append(all, x.patches[0])
			bore[x.patches[0]] = int32(i)
		}
	}
	axes := b.NewAxes(all)
	for _, p := range all {
		s := &b.Patches[p].Shape
		axes.Near(s, func(q int32) {
			if p < q && b.Continues(s, &b.Patches[q].Shape) && b.solidOf(p) == b.solidOf(q) {
				out = append(out, [2]int32{bore[p], bore[q]})
			}
		})
	}
	return out
}

// isBridged reports whether two bores are pieces of one hole.
func (b *bridges) isBridged(narrow, wide *bore) bool {
	if narrow.shape.Radius > wide.shape.Radius {
		narrow, wide = wide, narrow
	}
	if !b.Coaxial(&narrow.shape, &wide.shape) || b.solidOf(narrow.patches[0]) != b.solidOf(wide.patches[0]) {
		return false
	}
	dir := narrow.shape.Axis // from the narrower one to the wider one
	from, to := b.ExtentOf(narrow.patches, dir), b.ExtentOf(wide.patches, dir)
	if from.Lo > to.Lo {
		dir = dir.Neg()
		from, to = geom.Interval{Lo: -from.Hi, Hi: -from.Lo}, geom.Interval{Lo: -to.Hi, Hi: -to.Lo}
	}
	gap := geom.Interval{Lo: from.Hi, Hi: to.Lo}
	if gap.Length() > crossingGap*2*narrow.shape.Radius-b.Length || !b.isOpen(narrow, dir) {
		return false
	}
	if wide.shape.Radius-narrow.shape.Radius <= b.Length {
		return b.isOpen(wide, dir.Neg()) && b.isFree(&narrow.shape, dir, gap)
	}
	isShelf := func(f floor) bool {
		covered := false
		b.Pierced(f.plane, &wide.shape, func(float64, bool) { covered = true })
		return !covered && b.Patches[f.plane].Axis.Dot(dir) > 0
	}
	return gap.Length() >= -b.Length && len(wide.floors) > 0 && slices.IndexFunc(wide.floors, func(f floor) bool {
		return !isShelf(f)
	}) < 0 && b.isFree(&narrow.shape, dir, gap)
}

func (g holeRules) solidOf(p int32) int32 {
	return int32(g.Model.Shells[g.Model.Faces[g.Patches[p].Faces[0]].Shell].Solid)
}

// isOpen reports whether a bore ends toward dir in convex edges, rounded or not.
func (g holeRules) isOpen(b *bore, dir geom.Vec3) bool {
	mid := g.ExtentOf(b.patches, dir).Mid()
	for _, p := range b.patches {
		for q, a := range g.Neighbors(p) {
			if math.Abs(a.Dir.Dot(dir)) >= graph.LateralCos || a.Mid.Dot(dir) < mid || slices.Contains(b.patches, q) {
				continue
			}
			if a.Convexity != graph.Convex && (a.Convexity != graph.Smooth || g.Patches[q].Hollow) {
				return false
			}
		}
	}
	return true
}

// isFree reports whether no material is around the axis of a bore between two heights along dir.
func (b *bridges) isFree(s *graph.Shape, dir geom.Vec3, gap geom.Interval) bool {
	if gap.Length() <= b.Length {
		return true
	}
	if b.boxes == nil {
		b.boxes = make([]geom.Box, len(b.Patches))
		for p := range b.boxes {
			b.boxes[p] = b.Box(int32(p))
		}
	}
	frame := geom.NewFrame(s.Origin, dir, geom.Vec3{})
	base := s.Origin.Dot(dir)
	inside := geom.Interval{Lo: gap.Lo - base + b.Length/2, Hi: gap.Hi - base - b.Length/2}
	middle := frame.Point(geom.Vec3{Z: inside.Mid()})
	round := math.Hypot(s.Radius, inside.Length()/2)
	for p := range b.boxes {
		if !b.boxes[p].Contains(middle, round) {
			continue
		}
		isClear := true
		b.EachTriangle(int32(p), func(x, y, z geom.Vec3) bool {
			isClear = offAxis([3]geom.Vec3{frame.Local(x), frame.Local(y), frame.Local(z)}, inside) >= drillCore*s.Radius
			return isClear
		})
		if !isClear {
			return false
		}
	}
	return true
}

// offAxis returns the least distance of a triangle from the z axis between two heights, +Inf if it has no point
// between.
func offAxis(corners [3]geom.Vec3, within geom.Interval) float64 {
	polygon := cutOff(cutOff(corners[:], within.Lo, 1), -within.Hi, -1)
	nearest := math.Inf(1)
	left, right := false, false
	for i, from := range polygon {
		to := polygon[(i+1)%len(polygon)]
		d := geom.Vec3{X: to.X - from.X, Y: to.Y - from.Y}
		at := geom.Vec3{X: from.X, Y: from.Y}
		if l := d.Dot(d); l > 0 {
			at = at.AddScaled(min(max(-at.Dot(d)/l, 0), 1), d)
		}
		nearest = min(nearest, at.Norm())
		side := from.X*to.Y - from.Y*to.X
		left, right = left || side > 0, right || side < 0
	}
	if left != right {
		return 0
	}
	return nearest
}

// cutOff returns the part of a convex polygon at or above a height along sign·z.
func cutOff(polygon []geom.Vec3, least, sign float64) []geom.Vec3 {
	var out []geom.Vec3
	for i, from := range polygon {
		to := polygon[(i+1)%len(polygon)]
		below, above := sign*from.Z-least, sign*to.Z-least
		if below >= 0 {
			out = append(out, from)
		}
		if below < 0 != (above < 0) {
			out = append(out, from.Lerp(to, below/(below-above)))
		}
	}
	return out
}
