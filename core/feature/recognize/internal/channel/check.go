package channel

// Checks that gathered patches are a channel that a cutter made.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// besideShare is the least share of the length of a channel that its sides cover on average, and leastShare the least
// share of each side. A wide floor with a ledge over two places is not a channel.
const (
	besideShare = 0.3
	leastShare  = besideShare / 2
)

// isChannel reports whether the gathered patches are a channel: both sides run along it, and it opens to the side that
// its floor faces and not to the opposite one, as two crossing passages do.
func (m *members) isChannel() bool {
	pairs := [][2]int{{left, right}, {neck, neckRight}}
	if m.s.side[0].typ == feature.Dovetail {
		if m.isFlatEnded() || len(m.s.side[0].necks) == 0 && !m.hasLips() {
			return false
		}
		pairs = pairs[:1]
	}
	_, length := m.stretches(m.sorted()) // without the parts that others removed
	for _, pair := range pairs {
		_, a := m.stretches(m.of[pair[0]])
		_, b := m.stretches(m.of[pair[1]])
		if min(a, b) < leastShare*length || a+b < 2*besideShare*length {
			return false
		}
	}
	return !m.restsElsewhere() && !m.isInPlan() &&
		m.freePlaces(m.s.up) >= openShare*places && m.freePlaces(m.s.up.Neg()) < places
}

// openShare is the least share of the length of a channel with a free opening. Other features may cover the rest.
const openShare = 0.5

// places is the number of places along a channel at which its opening is tested.
const places = 12

// freePlaces returns the number of places with a free line from below the opening of the channel along a direction out
// of the part.
func (m *members) freePlaces(dir geom.Vec3) int {
	a, b := &m.s.side[0], &m.s.side[1]
	free := 0
	left, length := m.stretches(m.sorted())
	at := left[0].Lo + 0.5/places*length
	for range places {
		for at > left[0].Hi && len(left) > 1 {
			at += left[1].Lo - left[0].Hi
			left = left[1:]
		}
		from := m.middle(at)
		at += length / places
		from = from.AddScaled((a.opening-b.opening)/2-from.Dot(m.s.in), m.s.in)
		if m.isFree(from, from.AddScaled(m.Diagonal, dir)) {
			free++
		}
	}
	return free
}

// restsElsewhere reports whether a neck rests on a plane across the channel other than its ends, or on another floor.
// It is then a wall of a shallower slot that crosses the channel or that the channel opens into.
func (m *members) restsElsewhere() bool {
	return slices.ContainsFunc(slices.Concat(m.of[neck], m.of[neckRight]), func(p int32) bool {
		return m.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Concave && !m.in[q] && (m.isAcross(q) || m.Facing(q, m.s.up))
		})
	})
}

// isFlatEnded reports whether a plane across the channel rests on its floor. A rotating cutter does not leave one at
// the end of a dovetail.
func (m *members) isFlatEnded() bool { return m.flatEnds() > 0 }

// flatEnds returns the number of ends of the floor with a plane across the channel, at most 2.
func (m *members) flatEnds() int {
	var normals []geom.Vec3
	for _, p := range m.of[floor] {
		for q, a := range m.Neighbors(p) {
			if n := m.Patches[q].Axis; a.Convexity == graph.Concave && m.isAcross(q) &&
				!slices.ContainsFunc(normals, func(o geom.Vec3) bool { return o.Dot(n) > 0 }) {
				normals = append(normals, n)
			}
		}
	}
	return len(normals)
}

// isInPlan reports whether a channel is a pocket with a T-shaped outline: its section rests on one plane, and it is
// shallower from its open end than its narrow width, or open at both ends and shorter than that width, or a bay in a
// plate.
func (m *members) isInPlan() bool {
	var all []int32
	for _, part := range m.of {
		all = append(all, part...)
	}
	switch m.flatEnds() {
	case 0:
		return m.span.Length() < m.s.neck()-m.Length || m.isInPlate(all)
	case 1:
		return m.span.Length() < m.ExtentOf(all, m.s.up).Length()
	}
	return false
}

// bayShare is the largest ratio of the thickness of a plate to its width and length for a bay that is cut like its
// outline. A table whose T-slots need another cutter is thicker along them.
const bayShare = 0.2

// isInPlate reports whether walls go through a plate whose sides are planes across the channel.
func (m *members) isInPlate(walls []int32) bool {
	isSide := [2]bool{}
	for _, p := range walls {
		for q, a := range m.Neighbors(p) {
			if a.Convexity != graph.Convex || !m.isAcross(q) ||
				m.span.Length() > bayShare*min(m.Extent(q, m.s.up).Length(), m.Extent(q, m.s.in).Length()) {
				continue
			}
			if m.Patches[q].Axis.Dot(m.s.run) > 0 {
				isSide[1] = true
			} else {
				isSide[0] = true
			}
		}
	}
	return isSide[0] && isSide[1]
}

// isAcross reports whether a patch is a plane across the channel.
func (m *members) isAcross(p int32) bool {
	e := &m.Patches[p]
	return e.Kind == surface.KindPlane && graph.Parallel(e.Axis, m.s.run)
}

const (
	// lipMax (rad, 25°) is the largest mean angle of the faces at an opening to the level of the floor.
	lipMax = 25 * math.Pi / 180

	// sameLip (rad, 2°) is the largest angle between them as one face, which is parallel to the floor.
	sameLip = 2 * math.Pi / 180
)

// hasLips reports whether the faces beside the opening of a dovetail have the normal of its floor. A passage of three
// walls that another feature opens is not a dovetail. A wall that rises beside the opening, of a step, does not count.
func (m *members) hasLips() bool {
	s := m.s
	sum, most := geom.Vec3{}, lipMax
	for _, part := range [2]int{left, right} {
		lip := geom.Vec3{}
		for _, p := range m.of[part] {
			lip = lip.Add(m.lip(p))
		}
		lip = lip.Unit()
		if math.Abs(lip.Dot(s.up)) <= math.Sin(leanMin) {
			continue
		}
		if part == right && sum.Dot(lip) >= math.Cos(sameLip) {
			most = levelMin
		}
		sum = sum.Add(lip)
	}
	return sum == (geom.Vec3{}) || sum.Unit().Dot(s.up) >= math.Cos(most)
}

// lip returns the normals of the faces at the upper edges of a flank, weighted by length.
func (m *members) lip(p int32) (sum geom.Vec3) {
	n, run := m.Patches[p].Axis, m.s.run
	climb := n.Cross(run) // up along the flank
	if climb.Dot(m.s.up) < 0 {
		climb = climb.Neg()
	}
	top := m.Extent(p, m.s.up).Hi
	for _, a := range m.Neighbors(p) {
		if a.Convexity == graph.Convex && m.isAlong(a, run) && a.Mid.Dot(m.s.up) > top-m.Length {
			sin, cos := math.Sincos(a.Turn)
			sum = sum.AddScaled(a.Length*cos, n).AddScaled(a.Length*sin, climb)
		}
	}
	return sum
}
