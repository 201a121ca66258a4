package channel

// Whether what was gathered is a channel that a cutter made.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// besideShare is the share of the channel's length on which its sides must stand on average, and leastShare that of
// either: a wide floor with a ledge over two spots is none.
const (
	besideShare = 0.3
	leastShare  = besideShare / 2
)

// isChannel reports whether what was gathered is a channel: both sides go along it, and it opens where its floor looks
// and not to the other side too, as two passages do that cross.
func (m *members) isChannel() bool {
	pairs := [][2]int{{left, right}, {neck, neckRight}}
	if m.s.side[0].typ == feature.Dovetail {
		if m.isFlatEnded() || len(m.s.side[0].necks) == 0 && !m.hasLips() {
			return false
		}
		pairs = pairs[:1]
	}
	_, length := m.stretches(m.sorted()) // without where others have left nothing of it
	for _, pair := range pairs {
		_, a := m.stretches(m.of[pair[0]])
		_, b := m.stretches(m.of[pair[1]])
		if min(a, b) < leastShare*length || a+b < 2*besideShare*length {
			return false
		}
	}
	return !m.standsElsewhere() && !m.isInPlan() && m.ways(m.s.up) >= openShare*looks && m.ways(m.s.up.Neg()) < looks
}

// openShare is the share of a channel's length on which its opening must be free: others may close some of it.
const openShare = 0.5

// looks is at how many places of what others have left of a channel its opening is looked through.
const looks = 12

// ways returns at how many places the way from below the channel's opening along a direction out of the part is free.
func (m *members) ways(dir geom.Vec3) int {
	a, b := &m.s.side[0], &m.s.side[1]
	free := 0
	left, length := m.stretches(m.sorted())
	at := left[0].Lo + 0.5/looks*length
	for range looks {
		for at > left[0].Hi && len(left) > 1 {
			at += left[1].Lo - left[0].Hi
			left = left[1:]
		}
		from := m.middle(at)
		at += length / looks
		from = from.AddScaled((a.opening-b.opening)/2-from.Dot(m.s.in), m.s.in)
		if m.isFree(from, from.AddScaled(m.Diagonal, dir)) {
			free++
		}
	}
	return free
}

// standsElsewhere reports whether a neck stands on a plane across the channel that is none of its ends, or on a floor of its
// own: it is a wall of a slot that is shallower than the hollow it crosses or runs out into.
func (m *members) standsElsewhere() bool {
	return slices.ContainsFunc(slices.Concat(m.of[neck], m.of[neckRight]), func(p int32) bool {
		return slices.ContainsFunc(m.Patches[p].Arcs, func(x int32) bool {
			q := m.Arcs[x].Other(p)
			return m.Arcs[x].Convexity == graph.Concave && !m.in[q] && (m.isAcross(q) || m.Facing(q, m.s.up))
		})
	})
}

// isFlatEnded reports whether a plane across the channel stands on its floor: no cutter that turns leaves one at the
// end of a dovetail.
func (m *members) isFlatEnded() bool { return m.flatEnds() > 0 }

// flatEnds returns on how many ends of the floor a plane across the channel stands, 2 at most.
func (m *members) flatEnds() int {
	var looks []geom.Vec3
	for _, p := range m.of[floor] {
		for _, x := range m.Patches[p].Arcs {
			q := m.Arcs[x].Other(p)
			if n := m.Patches[q].Axis; m.Arcs[x].Convexity == graph.Concave && m.isAcross(q) &&
				!slices.ContainsFunc(looks, func(o geom.Vec3) bool { return o.Dot(n) > 0 }) {
				looks = append(looks, n)
			}
		}
	}
	return len(looks)
}

// isInPlan reports whether a channel is a pocket in the outline of a T: its section stands on one plane, and it is
// shallower from its open end than from where it is narrow, or it is open at both ends and shorter than it is narrow, or
// a bay in a plate.
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

// bayShare is how thick a plate is at most, as a share of its width and of its length, for what goes through it to be cut like
// its outline: a slide or a table whose T-slots ask for a cutter of their own is thicker along them.
const bayShare = 0.2

// isInPlate reports whether walls go through a plate, whose sides are planes across the channel.
func (m *members) isInPlate(walls []int32) bool {
	isSide := [2]bool{}
	for _, p := range walls {
		for _, x := range m.Patches[p].Arcs {
			q := m.Arcs[x].Other(p)
			if m.Arcs[x].Convexity != graph.Convex || !m.isAcross(q) ||
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
	// lipMax (rad, 25°) is how far the faces beside an opening may be from level on average.
	lipMax = 25 * math.Pi / 180

	// sameLip (rad, 2°) is how far they may be from each other to be one face, which is as level as the floor.
	sameLip = 2 * math.Pi / 180
)

// hasLips reports whether the faces beside the opening of a dovetail look where its floor looks: a passage of three
// walls that something cuts open is none. A wall that rises beside the opening, of a step, says nothing.
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

// lip returns the normals of the faces at the upper edges of a flank, by their lengths.
func (m *members) lip(p int32) (sum geom.Vec3) {
	n, run := m.Patches[p].Axis, m.s.run
	climb := n.Cross(run) // up along the flank
	if climb.Dot(m.s.up) < 0 {
		climb = climb.Neg()
	}
	top := m.Extent(p, m.s.up).Hi
	for _, x := range m.Patches[p].Arcs {
		a := &m.Arcs[x]
		if a.Convexity == graph.Convex && m.isAlong(a, run) && a.Mid.Dot(m.s.up) > top-m.Length {
			sin, cos := math.Sincos(a.Turn)
			sum = sum.AddScaled(a.Length*cos, n).AddScaled(a.Length*sin, climb)
		}
	}
	return sum
}
