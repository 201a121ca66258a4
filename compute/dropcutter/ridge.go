package dropcutter

// Sides and corners of a mesh that a tool can touch.
//
// A tool that comes down touches a facet inside, or a convex side (a ridge), or a corner where ridges meet. Let the
// maximum of f = z - h(distance) over a mesh be at an inner point of a side between two facets that lie on both sides
// of it. If the side is concave, f rises at least as fast into each facet as the plane of the other facet. So the point
// is a maximum of f on both planes and counts as a point of both facets. In the same manner, a corner without ridges
// counts as a point of a facet. A side below a vertical facet is never touched either. On machined parts a third of the
// sides remains.
//
// Cost: O(triangles), by a counting sort of the sides.

import "math"

// flatness is the angle (rad, as a difference of slopes) up to which a ridge counts as flat. It moves the place
// where a tool of 4,096 cells touches by a quarter of slack.
const flatness = 1.0 / (1 << 34)

// upright (cells) is the maximum lateral distance of the corner opposite to a side for which the facet counts as
// vertical: within slack.
const upright = 1.0 / (1 << 22)

// hairline (mm) is the height up to which a facet without width counts as a line: it hides no side.
const hairline = 1.0 / (1 << 20)

// edge is a side of one or more triangles.
type edge struct {
	a, b  int32
	first int32    // index of the side among all triangle sides, three per triangle, in its first triangle
	apex  [2]int32 // corners opposite to it, of the first two triangles
	count int32    // of triangles
}

// edges lists the sides of the triangles, each once.
func (s scene) edges() []edge {
	start := make([]int32, len(s.Points)+1)
	for _, t := range s.Triangles {
		for k := range t {
			start[min(t[k], t[(k+1)%3])]++
		}
	}
	total := int32(0)
	for i, n := range start {
		start[i] = total
		total += n
	}
	list := make([]edge, total) // by their lower end
	at := make([]int32, len(s.Points))
	copy(at, start)
	for n, t := range s.Triangles {
		for k := range t {
			a, b := min(t[k], t[(k+1)%3]), max(t[k], t[(k+1)%3])
			bucket := list[start[a]:at[a]]
			i := 0
			for i < len(bucket) && bucket[i].b != b {
				i++
			}
			if i == len(bucket) {
				list[at[a]] = edge{a: a, b: b, first: int32(3*n + k)}
				at[a]++
			}
			e := &list[start[a]+int32(i)]
			if e.count < 2 {
				e.apex[e.count] = t[(k+2)%3]
			}
			e.count++
		}
	}
	out := list[:0]
	for a := range at {
		out = append(out, list[start[a]:at[a]]...)
	}
	return out
}

// ridges returns the sides and the corners that a tool can touch.
func (s scene) ridges(step float64) (sides []edge, corners []int32) {
	touched := make([]bool, len(s.Points))
	list := s.edges()
	sides = list[:0]
	for _, e := range list {
		a, b := &s.Points[e.a], &s.Points[e.b]
		switch {
		case math.Hypot(b.U-a.U, b.V-a.V) <= upright: // its upper end replaces it
			if a.Z >= b.Z {
				touched[e.a] = true
			}
			if b.Z >= a.Z {
				touched[e.b] = true
			}
		case s.isRidge(&e, step):
			touched[e.a], touched[e.b] = true, true
			sides = append(sides, e)
		}
	}
	for i, is := range touched {
		if is {
			corners = append(corners, int32(i))
		}
	}
	return sides, corners
}

// isRidge reports whether a tool can touch a side that is not upright.
func (s scene) isRidge(e *edge, step float64) bool {
	n := min(e.count, 2)
	var beside, rise [2]float64
	for k := range n {
		beside[k], rise[k] = s.across(e, e.apex[k])
		if math.Abs(beside[k]) <= upright {
			if rise[k] > hairline {
				return false // the facet rises from this side
			}
			if n == 2 {
				return s.isCrest(e, k)
			}
			return true
		}
	}
	if e.count != 2 || beside[0]*beside[1] > 0 {
		return true
	}
	return rise[0]/math.Abs(beside[0])+rise[1]/math.Abs(beside[1]) < -flatness*step
}

// isCrest reports whether the other facet than the upright one below the side leaves it free.
func (s scene) isCrest(e *edge, below int32) bool {
	beside, rise := s.across(e, e.apex[1-below])
	return math.Abs(beside) > upright || rise <= 0
}

// across returns the signed distance (cells) of a point beside the line of the side, and its height (mm) above the
// line.
func (s scene) across(e *edge, apex int32) (beside, rise float64) {
	a, b, p := &s.Points[e.a], &s.Points[e.b], &s.Points[apex]
	du, dv := b.U-a.U, b.V-a.V
	pu, pv := p.U-a.U, p.V-a.V
	l := math.Hypot(du, dv)
	t := (pu*du + pv*dv) / (l * l)
	return (du*pv - dv*pu) / l, p.Z - (a.Z + t*(b.Z-a.Z))
}
