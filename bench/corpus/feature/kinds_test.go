package feature_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Properties that a feature must have for its kind, for any rule that found it. They are read from its faces, as
// normals along its direction.

// steepest is the sine of 45°, rounded up: walls lean less.
const steepest = 0.7072

// lie is the orientation and position of a feature's face along the feature's direction.
type lie struct {
	face   int32
	shape  *graph.Shape
	slopes geom.Interval // of normal · direction
	z      geom.Interval // mm
	area   float64       // mm²
}

func (l *lie) isLevel() bool {
	return l.shape.Kind == surface.KindPlane && l.slopes.Lo > 1-1e-6
}
func (l *lie) looksDown() bool {
	return l.shape.Kind == surface.KindPlane && l.slopes.Hi < -1+1e-6
}
func (l *lie) isUpright() bool {
	return max(-l.slopes.Lo, l.slopes.Hi) <= graph.DirectionTolerance
}
func (l *lie) leans(from, to float64) bool { // degrees from upright, downward
	at := func(x float64) float64 { return geom.Degrees(math.Asin(-x)) }
	return at(l.slopes.Hi) >= from && at(l.slopes.Lo) <= to
}

// checkKinds holds each feature of a part to what its kind must have.
func checkKinds(t *testing.T, name string, s *sheets) {
	t.Helper()
	g := s.run.Graph
	for i := range s.run.Features {
		f := &s.run.Features[i]
		var all []lie
		for _, p := range g.PatchesOf(f.Regions) {
			all = append(all, lie{p, &g.Patches[p].Shape, g.Slopes(p, f.Direction), g.Extent(p, f.Direction), g.Patches[p].Area})
		}
		if lack := lacks(g, f, &s.all[i], all); lack != "" {
			t.Errorf("%s: %s %d of faces %v (%s) %s", name, f.Type, i, f.Regions, f.Rule, lack)
		}
	}
	alternatives := feature.Alternatives(s.run.Features)
	owner := map[int]int{}
	for i := range s.run.Features {
		for _, r := range s.run.Features[i].Regions {
			k, ok := owner[r]
			isChannel := func(j int) bool {
				return slices.Contains([]feature.Type{feature.Tslot, feature.Dovetail}, s.run.Features[j].Type)
			}
			if ok && !slices.Contains(alternatives[i], k) && !(isChannel(i) && isChannel(k)) {
				t.Errorf("%s: face %d is of features %d and %d, which are no alternatives", name, r, k, i)
			}
			owner[r] = i
		}
	}
}

// lacks returns the missing property of a feature for its kind, normally the empty string.
func lacks(g *graph.Graph, f *feature.Feature, d *feature.Datasheet, all []lie) string {
	some := func(is func(*lie) bool) (out []*lie) {
		for i := range all {
			if is(&all[i]) {
				out = append(out, &all[i])
			}
		}
		return out
	}
	switch f.Type {
	case feature.Chamfer:
		for i := range all {
			l := &all[i]
			if lo, hi := geom.Degrees(math.Asin(l.slopes.Lo)), geom.Degrees(math.Asin(min(1, l.slopes.Hi))); lo < 8-0.1 || hi > 82+0.1 {
				return "lies less than 8 degrees from a floor or a wall"
			}
		}
		slant := d.Facts.(*feature.ChamferFacts).Bevel.Slant
		for i := range all {
			for _, x := range g.Patches[all[i].face].Arcs {
				q := g.Arcs[x].Other(all[i].face)
				box := geom.EmptyBox()
				g.EachPoint(q, func(p, _ geom.Vec3) { box = box.Add(p) })
				if g.Arcs[x].Convexity == graph.Convex && box.Diagonal() > slant {
					return ""
				}
			}
		}
		return "is wider than what it joins"
	case feature.Tslot:
		ledges := some((*lie).looksDown)
		if len(ledges) == 0 || len(some((*lie).isLevel)) == 0 {
			return "has no ledge or no floor"
		}
		up := some((*lie).isUpright)
		isNeck := func(l *lie) bool { return l.z.Hi > ledges[0].z.Hi+g.Length && l.z.Lo > ledges[0].z.Lo-g.Length }
		if !slices.ContainsFunc(up, func(l *lie) bool { return isNeck(l) }) {
			return "has no neck"
		}
		if !slices.ContainsFunc(up, func(l *lie) bool { return !isNeck(l) }) {
			return "has no head"
		}
	case feature.Dovetail:
		flanks := some(func(l *lie) bool { return l.shape.Kind == surface.KindPlane && l.leans(5, 80) })
		if len(some((*lie).isLevel)) == 0 {
			return "has no floor"
		}
		if !slices.ContainsFunc(flanks, func(l *lie) bool { return l.shape.Axis.Sub(flanks[0].shape.Axis).Norm() > 0.1 }) {
			return "has no two flanks"
		}
	case feature.Hole:
		if len(some(func(l *lie) bool { return l.shape.Kind != surface.KindPlane })) == 0 {
			return "has no round wall"
		}
	case feature.Face:
		level := 0.0
		for _, l := range some((*lie).isLevel) {
			level += l.area
		}
		if level == 0 {
			return "has no plane square to its direction"
		}
	case feature.Pocket, feature.Boss, feature.Profile:
		if len(some((*lie).isLevel)) == len(all) {
			return "has no wall"
		}
	case feature.Wall:
		if len(some(func(l *lie) bool { return l.slopes.Hi > steepest })) > 0 {
			return "lies flatter than 45 degrees"
		}
	}
	return ""
}
