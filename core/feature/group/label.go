package group

// Words for features as drawings use them, lengths mm to a hundredth.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// label calls out some equal features.
func (f *finder) label(members []int) string {
	i := members[0]
	text := ""
	if h := f.features[i].Hole; h != nil {
		text = hole(h, f.thread(i))
	} else {
		text = f.words(i)
	}
	return fmt.Sprintf("%d × %s", len(members), text)
}

// hole returns the callout of a hole: its diameter, its depth or THRU, its thread, and the sinks at its ends.
func hole(h *feature.HoleShape, t *feature.ThreadFacts) string {
	text := "⌀" + number(h.Diameter)
	if h.Through {
		text += " THRU"
	} else {
		text += ", " + number(h.Depth) + " deep"
	}
	if t != nil {
		text += ", " + t.Designation
		if t.Source == feature.ThreadInferred {
			text += "?"
		}
	}
	return text + sink("", h.Counterbore, h.Countersink) + sink(" far side", h.FarCounterbore, h.FarCountersink)
}

// sink returns the callout of the counterbore or countersink at one end of a hole.
func sink(where string, bore *feature.Counterbore, cone *feature.Countersink) (text string) {
	if bore != nil {
		text += fmt.Sprintf(", cbore %s × %s%s", number(bore.Diameter), number(bore.Depth), where)
	}
	if cone != nil {
		text += fmt.Sprintf(", csk %s × %s°%s", number(cone.Diameter), number(geom.Degrees(cone.Angle)), where)
	}
	return text
}

// thread returns the thread of a feature, nil without one.
func (f *finder) thread(i int) *feature.ThreadFacts {
	if f.threads == nil {
		return nil
	}
	return f.threads[i]
}

// words returns the callout of a feature other than a hole.
func (f *finder) words(i int) string {
	x, s := &f.features[i], &f.shapes[i]
	name := strings.ToLower(string(x.Type))
	switch x.Type {
	case feature.Tslot:
		name = "T-slot"
	case feature.Three:
		name = "surface"
	}
	size := f.size(i)
	flat := fmt.Sprintf("%s %s × %s", name, number(size.Length), number(size.Width))
	switch x.Type {
	case feature.Pocket, feature.Dovetail, feature.Tslot:
		if s.through {
			return flat + ", through"
		}
		return flat + ", " + number(s.height) + " deep"
	case feature.Boss:
		if d, ok := f.diameter(i); ok {
			flat = name + " ⌀" + number(d)
		}
		return flat + ", " + number(s.height) + " high"
	case feature.Wall:
		return fmt.Sprintf("%s %s long, %s high", name, number(size.Length), number(s.height))
	case feature.Profile:
		return flat + ", " + number(s.height) + " high"
	case feature.Chamfer:
		if leg, angle, ok := f.bevel(s.patches); ok {
			return fmt.Sprintf("%s %s × %s°", name, number(leg), number(angle))
		}
	}
	return flat
}

// diameter returns the diameter of a feature whose outside is one cylinder along its direction.
func (f *finder) diameter(i int) (float64, bool) {
	found := 0.0
	for _, p := range f.shapes[i].patches {
		s := &f.g.Patches[p]
		if s.Kind == surface.KindPlane && !f.g.Facing(p, f.features[i].Direction) {
			return 0, false
		}
		if s.Kind == surface.KindCylinder && !s.Hollow && graph.Parallel(s.Axis, f.features[i].Direction) {
			if found != 0 && !near(found, 2*s.Radius) {
				return 0, false
			}
			found = 2 * s.Radius
		}
	}
	return found, found > 0
}

// bevel returns the longer leg of a chamfer, mm, and the angle between the chamfer and the face along which the leg
// lies, degrees. Both follow from the edge and do not depend on the direction of the feature. With the angles α and β
// to the adjacent faces of a chamfer of width w, the leg along the first face is w·sin β / sin(α + β).
func (f *finder) bevel(patches []int32) (leg, angle float64, ok bool) {
	largest := int32(graph.None)
	for _, p := range patches {
		k := f.g.Patches[p].Kind
		if (k == surface.KindPlane || k == surface.KindCone) && (largest == graph.None || f.g.Patches[p].Area > f.g.Patches[largest].Area) {
			largest = p
		}
	}
	if largest == graph.None {
		return 0, 0, false
	}
	first, second := f.longest(largest, nil), (*graph.Adjacency)(nil)
	if first == nil {
		return 0, 0, false
	}
	if second = f.longest(largest, first); second == nil {
		return 0, 0, false
	}
	alpha, beta := first.Turn, second.Turn
	width := 2 * f.g.Patches[largest].Area / (first.Length + second.Length)
	if alpha > beta {
		alpha, beta = beta, alpha
	}
	return width * math.Sin(beta) / math.Sin(alpha+beta), geom.Degrees(alpha), true
}

// longest returns the longest convex edge of a patch. With a known edge in the argument, it returns the longest such
// edge along it to another face; nil without one.
func (f *finder) longest(p int32, beside *graph.Adjacency) (out *graph.Adjacency) {
	s := &f.g.Patches[p]
	for _, x := range s.Arcs {
		a := &f.g.Arcs[x]
		isBeside := beside == nil || a.Other(p) != beside.Other(p) && (s.Kind == surface.KindCone || graph.Parallel(a.Dir, beside.Dir))
		if a.Convexity == graph.Convex && isBeside && (out == nil || a.Length > out.Length) {
			out = a
		}
	}
	return out
}

// size returns the smallest rectangle around a feature, seen along its direction. Walls around an axis along it count
// as exact arcs, not as their mesh.
func (f *finder) size(i int) planar.Rect {
	d := f.features[i].Direction
	frame := geom.NewFrame(geom.Vec3{}, d, geom.Vec3{})
	flat := func(p geom.Vec3) geom.Vec2 {
		l := frame.Local(p)
		return geom.Vec2{X: l.X, Y: l.Y}
	}
	var pieces []planar.Segment
	var last geom.Vec2
	if len(f.shapes[i].patches) == 0 {
		return planar.Rect{}
	}
	f.g.EachPoint(f.shapes[i].patches[0], func(pt, _ geom.Vec3) { last = flat(pt) })
	for _, p := range f.shapes[i].patches {
		f.g.EachPoint(p, func(pt, _ geom.Vec3) { // points between two points lie within the hull of all
			q := flat(pt)
			pieces = append(pieces, planar.Segment{From: last, To: q})
			last = q
		})
		s := &f.g.Patches[p].Shape
		if s.Kind != surface.KindCylinder || !graph.Parallel(s.Axis, d) {
			continue
		}
		center := flat(s.Origin)
		sum := geom.Vec2{}
		f.g.EachPoint(p, func(pt, _ geom.Vec3) { sum = sum.Add(flat(pt).Sub(center)) })
		turn := min(f.g.Sweep([]int32{p}, s), 2*math.Pi)
		at := func(angle float64) geom.Vec2 {
			return center.Add(geom.Vec2{X: s.Radius * math.Cos(angle), Y: s.Radius * math.Sin(angle)})
		}
		middle := math.Atan2(sum.Y, sum.X)
		from, to := at(middle-turn/2), at(middle+turn/2)
		pieces = append(pieces, planar.Segment{From: from, To: to, Center: center, Turn: turn})
	}
	return planar.EnclosingRect(pieces)
}

// number shows a length or an angle to a hundredth, without trailing zeros.
func number(v float64) string {
	const places = 100
	return strconv.FormatFloat(math.Round(v*places)/places, 'f', -1, 64)
}
