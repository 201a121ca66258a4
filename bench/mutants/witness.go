package mutants

// Points that show the harm of a mutant.
//
// Method: at positions along each move of each changed operation, points of the tool are tested against the triangles
// of the part and the boxes of jaws. The test uses brute force and no code of the judges. The points are on rings in
// the tool, a little below its surface. The part is present during the whole program, so a tool with a point in the
// part gouges, and a rapid with one collides.

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/verify/verifytest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

const (
	inTool = 0.02 // mm, how far within the tool points are
	inPart = 0.02 // mm, how deep within the part: with inTool more than twice what a proof may overlook
	inJaw  = 0.05 // mm
	apart  = 0.5  // mm, between places of a move, at least
	places = 40   // of a move, at most
	rounds = 48   // points of a ring
	bucket = 1.0  // mm, of the table of triangles
)

// solid is the part in the frame of a setup: a table of the triangles over each square.
type solid struct {
	of     [][3]geom.Vec3
	over   map[[2]int][]int32
	bounds geom.Box
}

func newSolid(m *mesh.Mesh, f geom.Frame) *solid {
	s := &solid{over: map[[2]int][]int32{}, bounds: geom.EmptyBox()}
	for i, t := range m.Triangles {
		c := [3]geom.Vec3{f.Local(m.Points[t[0]]), f.Local(m.Points[t[1]]), f.Local(m.Points[t[2]])}
		s.of = append(s.of, c)
		b := geom.BoxOf(c[:]...)
		s.bounds = s.bounds.Union(b)
		for x := square(b.Min.X); x <= square(b.Max.X); x++ {
			for y := square(b.Min.Y); y <= square(b.Max.Y); y++ {
				s.over[[2]int{x, y}] = append(s.over[[2]int{x, y}], int32(i))
			}
		}
	}
	return s
}

func square(v float64) int { return int(math.Floor(v / bucket)) }

// contains reports whether the part holds a point: straight above it are an odd number of triangles.
func (s *solid) contains(p geom.Vec3) bool {
	if p.Z > s.bounds.Max.Z || p.Z < s.bounds.Min.Z {
		return false
	}
	odd := false
	for _, i := range s.over[[2]int{square(p.X), square(p.Y)}] {
		a, b, c := s.of[i][0], s.of[i][1], s.of[i][2]
		cross := func(u, v geom.Vec3) float64 { return (u.X-p.X)*(v.Y-p.Y) - (u.Y-p.Y)*(v.X-p.X) }
		u, v, w := cross(b, c), cross(c, a), cross(a, b)
		if sum := u + v + w; sum != 0 && (u >= 0) == (v >= 0) && (v >= 0) == (w >= 0) &&
			(u*a.Z+v*b.Z+w*c.Z)/sum > p.Z {
			odd = !odd
		}
	}
	return odd
}

// deep reports whether the part holds a point and all that are inPart away from it along and across the axes.
func (s *solid) deep(p geom.Vec3) bool {
	for _, d := range []geom.Vec3{
		{}, {X: inPart}, {X: -inPart}, {Y: inPart}, {Y: -inPart}, {Z: inPart}, {Z: -inPart},
		{X: inPart * math.Sqrt2 / 2, Y: inPart * math.Sqrt2 / 2}, {X: -inPart * math.Sqrt2 / 2, Y: inPart * math.Sqrt2 / 2},
		{X: inPart * math.Sqrt2 / 2, Y: -inPart * math.Sqrt2 / 2}, {X: -inPart * math.Sqrt2 / 2, Y: -inPart * math.Sqrt2 / 2},
	} {
		if !s.contains(p.Add(d)) {
			return false
		}
	}
	return true
}

// Witness names a point that shows the harm of a mutant of a program, "" where none was found.
func Witness(p, original *verifytest.Program) string {
	if b, stock := inStock(p), p.Plan.Stock; b.Min.X < stock.Min.X-inJaw || b.Min.Y < stock.Min.Y-inJaw ||
		b.Max.X > stock.Max.X+inJaw || b.Max.Y > stock.Max.Y+inJaw {
		return "the part is not within the stock"
	}
	for i := range p.Set.Setups {
		var part *solid
		for k := range p.Set.Setups[i].Operations {
			o, old := &p.Set.Setups[i].Operations[k], &original.Set.Setups[i].Operations[k]
			if !changed(p, original, i, o, old) {
				continue
			}
			if part == nil {
				part = newSolid(p.Part, p.Set.Setups[i].Frame)
			}
			if p.Plan.Tools[o.Tool].Tool.Kind.Threading() {
				continue // it cuts deeper than the wall of the hole as it is modeled
			}
			tool := p.Plan.Tools[o.Tool].Tool.Assembly()
			if said := witness(part, p.Plan.Setups[i].Clamping.Solid, o, &tool); said != "" {
				return fmt.Sprintf("setup %d, %s: %s", i+1, o.ID, said)
			}
		}
	}
	return ""
}

// inStock is the box of the part in the frame of the stock.
func inStock(p *verifytest.Program) geom.Box {
	b := geom.EmptyBox()
	for _, q := range p.Part.Points {
		b = b.Add(p.Plan.Workpiece.Local(q))
	}
	return b
}

// changed reports whether an operation, its tool or its jaws are not as they were.
func changed(p, original *verifytest.Program, setup int, o, old *motion.Operation) bool {
	a, b := p.Plan.Setups[setup].Clamping.Solid, original.Plan.Setups[setup].Clamping.Solid
	for i := range a {
		if a[i] != b[i] {
			return true
		}
	}
	t, u := &p.Plan.Tools[o.Tool], &original.Plan.Tools[old.Tool]
	return t.Tool.Diameter != u.Tool.Diameter || t.Stickout != u.Stickout ||
		motion.Digest([]motion.Setup{{Operations: []motion.Operation{*o}}}) !=
			motion.Digest([]motion.Setup{{Operations: []motion.Operation{*old}}})
}

// witness looks along the moves of an operation.
func witness(part *solid, jaws []geom.Box, o *motion.Operation, tool *toolprofile.Assembly) (said string) {
	points := pointsOf(tool)
	o.Steps(func(s motion.Step) bool {
		n := int(min(math.Ceil(s.Length()/apart), places))
		for i := range n + 1 {
			tip := s.At(float64(i) / float64(max(n, 1)))
			for _, q := range points {
				at := tip.Add(q.at)
				switch {
				case part.deep(at):
					said = fmt.Sprintf("move %d has the %s %v in the part", s.Move, q.zone, at)
				case inside(jaws, at):
					said = fmt.Sprintf("move %d has the %s %v in a jaw", s.Move, q.zone, at)
				}
				if said != "" {
					return false
				}
			}
		}
		return true
	})
	return said
}

func inside(boxes []geom.Box, p geom.Vec3) bool {
	for _, b := range boxes {
		if min(p.X-b.Min.X, b.Max.X-p.X, p.Y-b.Min.Y, b.Max.Y-p.Y, p.Z-b.Min.Z, b.Max.Z-p.Z) > inJaw {
			return true
		}
	}
	return false
}

// point is one of a tool, from its tip.
type point struct {
	at   geom.Vec3
	zone toolprofile.Zone
}

// pointsOf returns points of a tool in its holder, inTool below its surface: rings at the foot of each piece of its
// outline and halfway up, and one on its way in to the axis.
func pointsOf(tool *toolprofile.Assembly) (out []point) {
	for i, k := range tool.Outline {
		zone := tool.Zones[i]
		add := func(r, z float64) {
			if r -= inTool; r <= 0 {
				return
			}
			for n := range rounds {
				sin, cos := math.Sincos(2 * math.Pi * float64(n) / rounds)
				out = append(out, point{geom.Vec3{X: r * cos, Y: r * sin, Z: z}, zone})
			}
		}
		low, high := k.From, k.To
		if high.Y == low.Y { // a shoulder or the foot
			add(low.X+(high.X-low.X)/2, low.Y+inTool)
			add(high.X, low.Y+inTool)
			continue
		}
		add(low.X+(high.X-low.X)/2-inTool, (low.Y+high.Y)/2)
	}
	return out
}
