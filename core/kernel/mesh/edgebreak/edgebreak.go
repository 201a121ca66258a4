// Package edgebreak computes the mesh of a part whose sharp edges are broken by flat chamfers.
//
// # Method
//
// Around a vertex of a broken edge, the triangles fall into sectors: faces between two edges that are broken or sharp.
// In each sector the vertex moves within the face, to the distance of the chamfer's width from its broken edges: to the
// intersection of the offsets of two broken edges, or along the sharp edge that bounds the sector. The gaps between the
// moved faces are closed by the chamfers, and by a polygon at vertices where more than two sectors come apart. So the
// triangles of the part keep their number and order, and a closed mesh stays closed.
//
// Points within a face that lie in the way of its corners move with the nearest edge.
//
// Where three broken edges meet, the polygon cuts the tip of the three chamfers off, which is less than a third of
// their width high. Faces narrower than the chamfers on them are not handled: their triangles turn over, which Break
// reports.
//
// Cost: linear in the triangles of the mesh.
package edgebreak

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Edge names the two regions that meet in an edge.
type Edge [2]int

const (
	// sharp is the cosine of the least turn of the normals at a sharp edge between two regions: 20°.
	sharp = 0.94
	// steep is the least sine of the angle between a broken edge and the sharp edge along which its end moves.
	steep = 0.3
	// reverse is the least sum of 1 and the cosine between the normals of two broken edges, so that the vertex
	// does not move far in a pointed face.
	reverse = 0.1
	// fade is the distance from a broken edge up to which points within a face move, in widths of the chamfer.
	fade = 4
)

// Break returns the mesh of a part without the material within a width (mm) of some convex edges, measured along their
// faces. Regions of the mesh keep their numbers; region len(m.Regions)+i is the chamfer of edges[i], and may be empty.
// Regions of the result have no vertices and normals. Narrow are indices of edges next to which a face is narrower than
// the chamfers, ascending. An error is for a mesh that is not closed at an edge.
func Break(m *mesh.Mesh, edges []Edge, width float64) (out *mesh.Mesh, narrow []int, err error) {
	b := &breaker{in: m, width: width, region: make([]int32, len(m.Triangles)), fill: make([][][3]int32, len(edges)),
		moved: map[[2]int32]int32{}, changed: map[int32][]int{}}
	b.out = &mesh.Mesh{Points: slices.Clone(m.Points), Triangles: slices.Clone(m.Triangles)}
	for i, r := range m.Regions {
		for t := r.Start; t < r.End; t++ {
			b.region[t] = int32(i)
		}
		b.out.Regions = append(b.out.Regions, mesh.Region{Start: r.Start, End: r.End})
	}
	b.find(edges)
	if err := b.fans(); err != nil {
		return nil, nil, err
	}
	for i := range b.order {
		b.move(&b.order[i])
	}
	for i := range b.order {
		b.close(&b.order[i])
	}
	for _, list := range b.fill {
		start := int32(len(b.out.Triangles))
		b.out.Triangles = append(b.out.Triangles, list...)
		b.out.Regions = append(b.out.Regions, mesh.Region{Start: start, End: int32(len(b.out.Triangles))})
	}
	b.follow()
	return b.out, b.turned(), nil
}

// breaker is the state of one mesh.
type breaker struct {
	in, out *mesh.Mesh
	width   float64
	region  []int32            // by triangle
	shared  []bool             // points of several regions
	sides   map[[2]int32]int32 // triangles by their sides between points of several regions
	broken  map[[2]int32]int   // sides of triangles on broken edges, with the index of the edge
	order   []fan              // of the vertices of broken edges
	fill    [][][3]int32       // by edge: the triangles of its chamfer
	changed map[int32][]int    // triangles with moved corners, and their edges
	moved   map[[2]int32]int32 // by triangle and vertex: the new point
}

// fan is the triangles around a vertex, counter-clockwise seen from outside.
type fan struct {
	at      int32
	spokes  []spoke
	corners []int32 // by spoke: the point that the vertex becomes in its triangle
}

// spoke is an edge from the vertex and the triangle on its left.
type spoke struct {
	to, triangle int32
	edge         int  // index of the broken edge, -1 of others
	parts        bool // it is broken or sharp
}

// find marks the sides of triangles on the edges.
func (b *breaker) find(edges []Edge) {
	index := map[Edge]int{}
	for i, e := range edges {
		index[e], index[Edge{e[1], e[0]}] = i, i
	}
	// Only points of several regions are on edges.
	first := make([]int32, len(b.in.Points))
	shared := make([]bool, len(b.in.Points))
	b.shared = shared
	for i := range first {
		first[i] = -1
	}
	for t, c := range b.in.Triangles {
		for _, v := range c {
			shared[v] = shared[v] || first[v] >= 0 && first[v] != b.region[t]
			first[v] = b.region[t]
		}
	}
	sides := map[[2]int32]int32{}
	for t, c := range b.in.Triangles {
		for k := range 3 {
			if u, v := c[k], c[(k+1)%3]; shared[u] && shared[v] {
				sides[[2]int32{u, v}] = int32(t)
			}
		}
	}
	b.sides, b.broken = sides, map[[2]int32]int{}
	for side, t := range sides {
		o, ok := sides[[2]int32{side[1], side[0]}]
		if !ok {
			continue
		}
		k, wanted := index[Edge{int(b.region[t]), int(b.region[o])}]
		n, other := b.normal(b.in, t), b.normal(b.in, o)
		along := b.in.Points[side[1]].Sub(b.in.Points[side[0]])
		if wanted && n.Dot(other) < sharp && n.Cross(other).Dot(along) > 0 {
			b.broken[side] = k
		}
	}
}

// fans lists the triangles around the vertices of broken edges.
func (b *breaker) fans() error {
	var vertices []int32
	for side := range b.broken {
		vertices = append(vertices, side[0])
	}
	slices.Sort(vertices)
	vertices = slices.Compact(vertices)
	of := make(map[int32]map[int32]spoke, len(vertices))
	for _, v := range vertices {
		of[v] = map[int32]spoke{}
	}
	for t, c := range b.in.Triangles {
		for k, v := range c {
			if list := of[v]; list != nil {
				list[c[(k+1)%3]] = spoke{to: c[(k+1)%3], triangle: int32(t)}
			}
		}
	}
	for _, v := range vertices {
		for len(of[v]) > 0 { // a vertex has several fans where parts touch in it
			f := fan{at: v}
			at := int32(math.MaxInt32)
			for to := range of[v] {
				at = min(at, to)
			}
			for {
				s, ok := of[v][at]
				if !ok {
					break
				}
				delete(of[v], at)
				f.spokes = append(f.spokes, s)
				at = b.opposite(s.triangle, v)
			}
			if at != f.spokes[0].to {
				return fmt.Errorf("edgebreak: the mesh is not closed at point %d", v)
			}
			b.mark(&f)
			b.order = append(b.order, f)
		}
	}
	return nil
}

// opposite returns the corner of a triangle before v.
func (b *breaker) opposite(t, v int32) int32 {
	c := b.in.Triangles[t]
	return c[(slices.Index(c[:], v)+2)%3]
}

// mark finds the spokes that part sectors.
func (b *breaker) mark(f *fan) {
	for i := range f.spokes {
		s, before := &f.spokes[i], &f.spokes[(i+len(f.spokes)-1)%len(f.spokes)]
		k, ok := b.broken[[2]int32{f.at, s.to}]
		if s.edge = k; !ok {
			s.edge = -1
		}
		s.parts = ok || b.region[s.triangle] != b.region[before.triangle] &&
			b.normal(b.in, s.triangle).Dot(b.normal(b.in, before.triangle)) < sharp
	}
}

// sector is the triangles from one spoke that parts sectors to the next, counter-clockwise.
type sector struct {
	from, last, to int // spokes: its first, its last, and the one behind it
	id             int32
	// its point is on the spoke from or to, which is not broken
	onFrom, onTo bool
}

// move gives each sector of a fan its point.
func (b *breaker) move(f *fan) {
	sectors := f.sectors()
	for i := range sectors {
		s := &sectors[i]
		s.id = f.at
		if d := b.shift(f, s); d != (geom.Vec3{}) {
			s.id = int32(len(b.out.Points))
			b.out.Points = append(b.out.Points, b.in.Points[f.at].Add(d))
		}
	}
	f.corners = make([]int32, len(f.spokes))
	for i := range sectors {
		s := &sectors[i]
		before, after := &sectors[(i+len(sectors)-1)%len(sectors)], &sectors[(i+1)%len(sectors)]
		id := s.id
		switch { // sharp edges on which neighbors have moved cut the corner of a face off
		case id != f.at:
		case before.onTo:
			id = before.id
		case after.onFrom:
			id = after.id
		}
		for k := s.from; ; k = (k + 1) % len(f.spokes) {
			f.corners[k] = id
			if t := f.spokes[k].triangle; id != f.at {
				b.moved[[2]int32{t, f.at}] = id
				b.changed[t] = append(b.changed[t], f.edges()...)
				b.out.Triangles[t][slices.Index(b.in.Triangles[t][:], f.at)] = id
			}
			if k == s.last {
				break
			}
		}
	}
}

// sectors returns the sectors of a fan.
func (f *fan) sectors() (list []sector) {
	n := len(f.spokes)
	for i := range f.spokes {
		if !f.spokes[i].parts {
			continue
		}
		to := (i + 1) % n
		for !f.spokes[to].parts {
			to = (to + 1) % n
		}
		list = append(list, sector{from: i, last: (to + n - 1) % n, to: to})
	}
	return list
}

// edges returns the broken edges at a vertex.
func (f *fan) edges() (list []int) {
	for _, s := range f.spokes {
		if s.edge >= 0 {
			list = append(list, s.edge)
		}
	}
	return list
}

// shift returns the displacement of the vertex in a sector.
func (b *breaker) shift(f *fan, s *sector) geom.Vec3 {
	along := func(i int) geom.Vec3 { return b.in.Points[f.spokes[i].to].Sub(b.in.Points[f.at]).Unit() }
	start, end := &f.spokes[s.from], &f.spokes[s.to]
	in := b.normal(b.in, start.triangle).Cross(along(s.from)).Unit()
	back := along(s.to).Cross(b.normal(b.in, f.spokes[s.last].triangle)).Unit()
	slide := func(n, t geom.Vec3) (geom.Vec3, bool) {
		if s := n.Dot(t); s >= steep {
			return t.Scale(b.width / s), true
		}
		return n.Scale(b.width), false
	}
	var d geom.Vec3
	switch {
	case s.from == s.to: // the edge ends within a face
	case start.edge >= 0 && end.edge >= 0:
		d = in.Add(back).Scale(b.width / max(1+in.Dot(back), reverse))
	case start.edge >= 0:
		d, s.onTo = slide(in, along(s.to))
	case end.edge >= 0:
		d, s.onFrom = slide(back, along(s.from))
	}
	return d
}

// close fills the gaps along the spokes of a fan, and at its vertex.
func (b *breaker) close(f *fan) {
	k := f.edges()[0]
	var loop []int32
	for i, s := range f.spokes {
		before := (i + len(f.spokes) - 1) % len(f.spokes)
		left, right := f.corners[i], f.corners[before]
		if left != right {
			loop = append(loop, right)
		}
		farLeft, farRight := b.corner(s.triangle, s.to), b.corner(f.spokes[before].triangle, s.to)
		if left == right || farLeft != farRight && s.to < f.at {
			continue // there is no gap, or the fan of the other end closes it
		}
		edge := k
		if s.edge >= 0 {
			edge = s.edge
		}
		b.add(edge, farLeft, left, right)
		b.add(edge, farLeft, right, farRight)
	}
	for i := 2; i < len(loop); i++ {
		b.add(k, loop[0], loop[i-1], loop[i])
	}
}

// corner returns the point of a corner of a triangle.
func (b *breaker) corner(t, v int32) int32 {
	if id, ok := b.moved[[2]int32{t, v}]; ok {
		return id
	}
	return v
}

// add appends a triangle to the chamfer of an edge, unless two of its corners are one.
func (b *breaker) add(edge int, p, q, r int32) {
	if p != q && q != r && r != p {
		b.fill[edge] = append(b.fill[edge], [3]int32{p, q, r})
	}
}

// follow moves the points within faces whose triangles have turned over: with the nearest broken edge of the face, and
// the less the farther they are from it.
func (b *breaker) follow() {
	regions := map[int32]bool{}
	for t := range b.changed {
		if b.isTurned(t) {
			regions[b.region[t]] = true
		}
	}
	if len(regions) == 0 {
		return
	}
	type rim struct{ from, to, fromMoved, toMoved geom.Vec3 }
	rims := map[int32][]rim{}
	for _, side := range slices.SortedFunc(maps.Keys(b.broken), func(p, q [2]int32) int {
		return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	}) {
		if t := b.sides[side]; regions[b.region[t]] {
			rims[b.region[t]] = append(rims[b.region[t]], rim{b.in.Points[side[0]], b.in.Points[side[1]],
				b.out.Points[b.corner(t, side[0])], b.out.Points[b.corner(t, side[1])]})
		}
	}
	for t, c := range b.in.Triangles {
		if !regions[b.region[t]] {
			continue
		}
		for _, v := range c {
			if b.shared[v] {
				continue
			}
			p, best := b.in.Points[v], fade*b.width
			for _, r := range rims[b.region[t]] {
				along := r.to.Sub(r.from)
				share := min(max(p.Sub(r.from).Dot(along)/along.Norm2(), 0), 1)
				if d := p.Dist(r.from.AddScaled(share, along)); d < best {
					best = d
					shift := r.fromMoved.Sub(r.from).Scale(1 - share).Add(r.toMoved.Sub(r.to).Scale(share))
					b.out.Points[v] = p.AddScaled(1-d/(fade*b.width), shift)
				}
			}
		}
	}
}

// isTurned reports whether a triangle has turned over.
func (b *breaker) isTurned(t int32) bool { return b.normal(b.in, t).Dot(b.normal(b.out, t)) < 0 }

// turned returns the edges next to which triangles have turned over.
func (b *breaker) turned() (narrow []int) {
	for t, list := range b.changed {
		if b.isTurned(t) {
			narrow = append(narrow, list...)
		}
	}
	slices.Sort(narrow)
	return slices.Compact(narrow)
}

// normal returns the unit normal of a triangle, zero without an area.
func (b *breaker) normal(m *mesh.Mesh, t int32) geom.Vec3 {
	c := m.Triangles[t]
	p := m.Points[c[0]]
	return m.Points[c[1]].Sub(p).Cross(m.Points[c[2]].Sub(p)).Unit()
}
