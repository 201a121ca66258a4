package group

// Words for features as drawings use them, lengths mm to a hundredth.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/region"
	"millwright/core/geom/surface"
)

// label calls out some equal features.
func (f *finder) label(members []int) string {
	i := members[0]
	text := ""
	if h := f.features[i].Hole; h != nil {
		text = Hole(h)
	} else {
		text = f.words(i)
	}
	return fmt.Sprintf("%d × %s", len(members), text)
}

// Hole calls out a hole: its diameter, how deep it is unless it goes through, and what widens its top.
func Hole(h *feature.HoleShape) string {
	text := "⌀" + number(h.Diameter)
	if !h.Through {
		text += ", " + number(h.Depth) + " deep"
	}
	if c := h.Counterbore; c != nil {
		text += fmt.Sprintf(", cbore %s × %s", number(c.Diameter), number(c.Depth))
	}
	if c := h.Countersink; c != nil {
		text += fmt.Sprintf(", csk %s × %s°", number(c.Diameter), number(geom.Degrees(c.Angle)))
	}
	return text
}

// words calls out a feature that is no hole.
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
		if len(s.patches) > 0 {
			angle := f.angle(s.patches[0], x.Direction)
			return fmt.Sprintf("%s %s × %s°", name, number(s.height), number(angle))
		}
	}
	return flat
}

// diameter returns that of a feature whose outside is one cylinder along its direction.
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

// angle returns that between a bevel and a direction, degrees.
func (f *finder) angle(p int32, d geom.Vec3) float64 {
	s := f.g.Slopes(p, d)
	return geom.Degrees(math.Asin(min(max((s.Lo+s.Hi)/2, -1), 1)))
}

// size returns the smallest rectangle round a feature, seen along its direction. Walls round an axis along it are taken
// as the arcs that they are, not as their mesh.
func (f *finder) size(i int) region.Rect {
	d := f.features[i].Direction
	frame := geom.NewFrame(geom.Vec3{}, d, geom.Vec3{})
	flat := func(p geom.Vec3) geom.Vec2 {
		l := frame.Local(p)
		return geom.Vec2{X: l.X, Y: l.Y}
	}
	var pieces []region.Piece
	var last geom.Vec2
	if len(f.shapes[i].patches) == 0 {
		return region.Rect{}
	}
	f.g.EachPoint(f.shapes[i].patches[0], func(pt, _ geom.Vec3) { last = flat(pt) })
	for _, p := range f.shapes[i].patches {
		f.g.EachPoint(p, func(pt, _ geom.Vec3) { // what lies between two points lies within the hull of all
			q := flat(pt)
			pieces = append(pieces, region.Piece{From: last, To: q})
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
		pieces = append(pieces, region.Piece{From: from, To: to, Center: center, Turn: turn})
	}
	return region.EnclosingRect(pieces)
}

// number shows a length or an angle to a hundredth, without trailing zeros.
func number(v float64) string {
	const places = 100
	return strconv.FormatFloat(math.Round(v*places)/places, 'f', -1, 64)
}
