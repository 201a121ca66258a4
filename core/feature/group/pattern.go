package group

// In which pattern the members of a group lie, seen along their direction.
//
// Method: places on one line at equal steps are linear. Places on one circle at equal angles that close it are
// circular; so is an arc of four or more. Places that fill the crossings of two sets of evenly spaced lines, square to
// each other, are a grid. Four in a square are both: they are circular where the part has a round face about their
// center, as a flange has, and else a grid. Anything else has no pattern.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Pattern is the arrangement of a group's positions.
type Pattern string

// The patterns.
const (
	Linear   Pattern = "linear"
	Circular Pattern = "circular"
	Grid     Pattern = "grid"
)

const (
	// offPlace (mm) is the largest distance of a member from its position in a pattern; smaller deviations share a
	// dimension on every drawing.
	offPlace = 0.05

	leastOfArc = 4 // members on a circle that do not close it: three lie on one anyway
)

// pattern returns the pattern of some features.
func (f *finder) pattern(members []int) Pattern {
	if len(members) < 3 {
		return ""
	}
	d := f.features[members[0]].Direction
	frame := geom.NewFrame(geom.Vec3{}, d, geom.Vec3{})
	at := make([]geom.Vec2, len(members))
	for k, i := range members {
		l := frame.Local(f.place(i))
		at[k] = geom.Vec2{X: l.X, Y: l.Y}
	}
	center, isRound := circle(at)
	isGrid := isGrid(at)
	switch {
	case isLinear(at):
		return Linear
	case isRound && (!isGrid || f.isAxis(frame.Point(geom.Vec3{X: center.X, Y: center.Y}), d)):
		return Circular
	case isGrid:
		return Grid
	}
	return ""
}

// isAxis reports whether a round face of the part turns about the line through a point along d.
func (f *finder) isAxis(at, d geom.Vec3) bool {
	for i := range f.g.Patches {
		p := &f.g.Patches[i]
		if (p.Kind == surface.KindCylinder || p.Kind == surface.KindCone) && graph.Parallel(p.Axis, d) &&
			graph.DistanceToAxis(&p.Shape, at) <= offPlace {
			return true
		}
	}
	return false
}

// isLinear reports whether points lie on one line at equal steps.
func isLinear(at []geom.Vec2) bool {
	a, u := at[0], farthest(at).Sub(at[0])
	if u.Norm() <= offPlace {
		return false
	}
	u = u.Scale(1 / u.Norm())
	along := make([]float64, len(at))
	for i, p := range at {
		if math.Abs(u.Cross(p.Sub(a))) > offPlace {
			return false
		}
		along[i] = u.Dot(p.Sub(a))
	}
	_, ok := evenly(along)
	return ok && len(distinct(along)) == len(at)
}

// farthest returns the point that is farthest from the first.
func farthest(at []geom.Vec2) geom.Vec2 {
	return slices.MaxFunc(at, func(a, b geom.Vec2) int {
		if a.Sub(at[0]).Norm() < b.Sub(at[0]).Norm() {
			return -1
		}
		return 1
	})
}

// circle returns the center of the circle on which points lie at equal angles.
func circle(at []geom.Vec2) (center geom.Vec2, ok bool) {
	sum := geom.Vec2{}
	for _, p := range at {
		sum = sum.Add(p)
	}
	center = sum.Scale(1 / float64(len(at)))
	if isEven(at, center, true) {
		return center, true
	}
	if center, ok = circumcenter(at[0], at[1], at[2]); !ok || len(at) < leastOfArc {
		return center, false
	}
	return center, isEven(at, center, false)
}

// isEven reports whether points lie on a circle about a center at equal angles, over the full circle if closed.
func isEven(at []geom.Vec2, center geom.Vec2, closed bool) bool {
	r := at[0].Sub(center).Norm()
	angles := make([]float64, len(at))
	for i, p := range at {
		d := p.Sub(center)
		if math.Abs(d.Norm()-r) > offPlace {
			return false
		}
		angles[i] = math.Atan2(d.Y, d.X)
	}
	slices.Sort(angles)
	n := len(angles)
	gaps := make([]float64, n)
	for i := range angles {
		gaps[i] = angles[(i+1)%n] - angles[i]
	}
	gaps[n-1] += 2 * math.Pi
	if !closed {
		widest := slices.Max(gaps)
		gaps = slices.DeleteFunc(gaps, func(g float64) bool { return g == widest })
		if len(gaps) < n-1 {
			return false
		}
	}
	return (slices.Max(gaps)-slices.Min(gaps))*r <= 2*offPlace && slices.Min(gaps)*r > offPlace
}

// circumcenter returns the center of the circle through three points.
func circumcenter(a, b, c geom.Vec2) (geom.Vec2, bool) {
	p, q := b.Sub(a), c.Sub(a)
	d := 2 * p.Cross(q)
	if math.Abs(d) <= offPlace*(p.Norm()+q.Norm()) {
		return geom.Vec2{}, false
	}
	pp, qq := p.Dot(p), q.Dot(q)
	return a.Add(geom.Vec2{X: (q.Y*pp - p.Y*qq) / d, Y: (p.X*qq - q.X*pp) / d}), true
}

// isGrid reports whether points fill the crossings of evenly spaced lines, along the line to a nearest neighbor and
// square to it.
func isGrid(at []geom.Vec2) bool {
	u := at[1].Sub(at[0])
	for i, p := range at {
		for _, q := range at[:i] {
			if d := p.Sub(q); d.Norm() < u.Norm() {
				u = d
			}
		}
	}
	if u.Norm() <= offPlace {
		return false
	}
	u = u.Scale(1 / u.Norm())
	var x, y []float64
	for _, p := range at {
		x, y = append(x, u.Dot(p)), append(y, u.Cross(p))
	}
	columns, isEvenX := evenly(x)
	rows, isEvenY := evenly(y)
	return isEvenX && isEvenY && columns > 1 && rows > 1 && columns*rows == len(at)
}

// evenly reports whether numbers lie at equal steps, and returns the number of steps, ends included; one for equal
// numbers.
func evenly(v []float64) (int, bool) {
	v = distinct(v)
	if len(v) == 1 {
		return 1, true
	}
	step := (v[len(v)-1] - v[0]) / float64(len(v)-1)
	for i, x := range v {
		if math.Abs(v[0]+float64(i)*step-x) > offPlace {
			return 0, false
		}
	}
	return len(v), true
}

// distinct returns numbers in order, with those that differ only by rounding merged.
func distinct(v []float64) []float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return slices.CompactFunc(v, func(a, b float64) bool { return math.Abs(a-b) <= offPlace })
}
