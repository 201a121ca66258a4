package datasheets

// Sections through a mesh, with the true normals of its surfaces, and the corners in them.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// side is a stretch of a section within one triangle, the free side on its left.
type side struct {
	from, to       geom.Vec2
	before, after  float64   // rad: where the surface looks at either end
	start, end     [2]int32  // the edges of the mesh that the ends lie on
	middle, normal geom.Vec3 // of the part
	region         int32
}

func (s *side) length() float64 { return s.from.Dist(s.to) }

// turn returns the turn of the surface along the side, positive toward the free side.
func (s *side) turn() float64 { return angleBetween(s.before, s.after) }

func angleBetween(a, b float64) float64 { return math.Remainder(b-a, 2*math.Pi) }

// normals finds the normals of a mesh by region and point.
type normals struct{ m *mesh.Mesh }

func (n normals) at(region, point int32) geom.Vec3 {
	r := &n.m.Regions[region]
	i, ok := slices.BinarySearch(r.Vertices, point)
	if !ok || i >= len(r.Normals) {
		return geom.Vec3{}
	}
	return r.Normals[i]
}

// section cuts the triangles of some regions, nil for all, with the plane at height z of a view.
func section(m *mesh.Mesh, regions []int, v *view, z float64) []side {
	var out []side
	cut := func(region int) {
		for t := m.Regions[region].Start; t < m.Regions[region].End; t++ {
			if s, ok := crossed(m, int32(region), m.Triangles[t], v, z); ok {
				out = append(out, s)
			}
		}
	}
	if regions == nil {
		for r := range m.Regions {
			cut(r)
		}
		return out
	}
	for _, r := range regions {
		cut(r)
	}
	return out
}

// crossed returns the intersection of a plane with a triangle.
func crossed(m *mesh.Mesh, region int32, t [3]int32, v *view, z float64) (side, bool) {
	var h [3]float64
	above := 0
	for k, p := range t {
		if h[k] = m.Points[p].Dot(v.z) - z; h[k] >= 0 {
			above++
		}
	}
	if above == 0 || above == 3 {
		return side{}, false
	}
	type end struct {
		at, n geom.Vec3
		on    [2]int32
	}
	var ends []end
	for k := range t {
		a, b := t[k], t[(k+1)%3]
		ha, hb := h[k], h[(k+1)%3]
		if (ha >= 0) == (hb >= 0) {
			continue
		}
		if a > b {
			a, b, ha, hb = b, a, hb, ha
		}
		s := ha / (ha - hb)
		nn := normals{m}
		n := nn.at(region, a).Scale(1 - s).Add(nn.at(region, b).Scale(s))
		ends = append(ends, end{m.Points[a].Lerp(m.Points[b], s), n, [2]int32{a, b}})
	}
	p, q := ends[0], ends[1]
	pa, pb, pc := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
	out := v.at(pb.Sub(pa).Cross(pc.Sub(pa)))
	d := v.at(q.at).Sub(v.at(p.at))
	if d.Cross(out) < 0 { // the free side, where the triangle looks, is to be on the left
		p, q = q, p
	}
	look := func(n geom.Vec3) float64 { f := v.at(n); return math.Atan2(f.Y, f.X) }
	return side{from: v.at(p.at), to: v.at(q.at), before: look(p.n), after: look(q.n), start: p.on, end: q.on,
		middle: p.at.Lerp(q.at, 0.5), normal: p.n.Add(q.n).Unit(), region: region}, true
}

// chains links sides where they share an edge of the mesh; closed ones come whole.
func chains(all []side) (out [][]side, closed []bool) {
	from := map[[2]int32]int{}
	isEnd := map[[2]int32]bool{}
	for i := range all {
		from[all[i].start] = i
		isEnd[all[i].end] = true
	}
	used := make([]bool, len(all))
	follow := func(i int) {
		var c []side
		first := i
		for {
			used[i] = true
			c = append(c, all[i])
			k, ok := from[all[i].end]
			if !ok || used[k] {
				out = append(out, c)
				closed = append(closed, ok && k == first)
				return
			}
			i = k
		}
	}
	for i := range all { // open ones from their beginnings
		if !used[i] && !isEnd[all[i].start] {
			follow(i)
		}
	}
	for i := range all {
		if !used[i] {
			follow(i)
		}
	}
	return out, closed
}

const (
	cornerTurn = 15 * math.Pi / 180 // where a wall turns so far there is a corner
	smoothKink = 2 * math.Pi / 180  // between two faces that are meant to be tangent
	leastTurn  = 1e-4               // of a side that is round
	speck      = 1e-6               // mm: shorter sides have no direction
)

// radii are what corners were found, mm.
type radii struct {
	least, most float64 // the smallest radius: within a corner, and over a stretch of it; both 0 for a sharp one
	ok          bool
}

func (r *radii) add(least, most float64) {
	if !r.ok || most < r.most {
		*r = radii{least, most, true}
	}
}

func (r *radii) join(o radii) {
	if o.ok {
		r.add(o.least, o.most)
	}
}

// isCircle reports whether all sides of a closed chain are equally round, but for those that are too short to tell.
func isCircle(c []side, sense float64) bool {
	const unlike = 1.3
	sum := 0.0
	for i := range c {
		sum += c[i].length()
	}
	radius := sum / (2 * math.Pi)
	for i := range c {
		t, l := sense*c[i].turn(), c[i].length()
		if l > radius*leastTurn*unlike && (l > unlike*radius*t || radius*t > unlike*l) {
			return false
		}
	}
	return true
}

// corners looks for the smallest corner in a chain to the side that sense, +1 or -1, says: hollow, round.
func corners(chain []side, closed bool, sense float64) (out radii) {
	return cornersOver(chain, closed, sense, cornerTurn)
}

// cornersOver takes the radius of a round corner over a turn, rad, at the least.
func cornersOver(chain []side, closed bool, sense, over float64) (out radii) {
	var c []side
	for _, s := range chain {
		if s.length() > speck {
			c = append(c, s)
		}
	}
	if len(c) == 0 {
		return out
	}
	start := 0
	kink := func(i int) float64 { // before side i
		if i == 0 && !closed {
			return 0
		}
		last := &c[(i+len(c)-1)%len(c)]
		turn := angleBetween(last.after, c[i].before)
		if math.Abs(turn) > math.Pi-smoothKink { // a cusp, of the free area or of the material
			turn = math.Copysign(turn, last.to.Sub(last.from).Cross(c[i].to.Sub(c[i].from)))
		}
		return sense * turn
	}
	isRound := func(i int) bool { return sense*c[i].turn() > leastTurn }
	whole := closed && isCircle(c, sense)
	for i := range c {
		if k := kink(i); k >= cornerTurn && sense > 0 { // a tool passes around a sharp convex one
			out.add(0, 0)
		}
		whole = whole && math.Abs(kink(i)) <= smoothKink
		if math.Abs(kink(i)) > smoothKink || !isRound(i) {
			start = i
		}
	}
	if whole || out.ok {
		return out // a full circle has no corner, and nothing is smaller than a sharp one
	}
	// Windows that begin and end with a round side.
	at := func(i int) int { return (start + i) % len(c) }
	for i := range c {
		if !isRound(at(i)) {
			continue
		}
		turn, length, least := 0.0, 0.0, math.Inf(1)
		for k := i; k < len(c); k++ {
			s := at(k)
			if kk := kink(s); k > i && (math.Abs(kk) > smoothKink || s == 0 && !closed) {
				break
			} else if k > i {
				turn += kk
			}
			if sense*c[s].turn() < -leastTurn {
				break
			}
			t := max(0, sense*c[s].turn())
			l := c[s].length()
			if t > leastTurn {
				l *= t / 2 / math.Sin(t/2)
				least = min(least, l/t)
			}
			turn, length = turn+t, length+l
			if turn >= over-1e-6 {
				out.add(least, length/turn)
				break
			}
		}
	}
	return out
}
