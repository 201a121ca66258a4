package heal

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// SplitTouching splits the edges in which a solid touches itself, which bound four faces or more. Afterward every edge
// bounds the two faces that enclose one wedge of material. The vertices at their ends are split likewise if their faces
// form several fans. It returns the edges that were split.
//
// Method: the faces around the edge are sorted by angle, and tangent faces by their curvature. In this order, faces at
// which material begins and ends alternate (K. Weiler's radial edge order) and are paired. If they do not alternate,
// bodies overlap: the faces are paired like brackets, which keeps every body closed. An edge with more faces of one
// kind than of the other stays unchanged.
func SplitTouching(m *brep.Model) []brep.EdgeID {
	var split []brep.EdgeID
	var ends []brep.VertexID
	for i := range m.Edges {
		e := &m.Edges[i]
		if len(e.Coedges) < 4 || e.Curve == nil || m.IsSheet(m.FaceOf(e.Coedges[0])) {
			continue
		}
		pairs := wedges(m, brep.EdgeID(i))
		if pairs == nil {
			continue
		}
		split = append(split, brep.EdgeID(i))
		ends = append(ends, e.Start, e.End)
		for k, pair := range pairs {
			id := brep.EdgeID(i)
			if k > 0 {
				id = brep.EdgeID(len(m.Edges))
				m.Edges = append(m.Edges, m.Edges[i])
			}
			m.Edges[id].Coedges = []brep.CoedgeID{pair[0], pair[1]}
			m.Coedges[pair[0]].Edge = id
			m.Coedges[pair[1]].Edge = id
		}
	}
	if len(split) > 0 {
		SplitVertices(m, ends)
	}
	return split
}

// wedges returns the uses of an edge in pairs that enclose material, nil when they do not pair up.
func wedges(m *brep.Model, id brep.EdgeID) [][2]brep.CoedgeID {
	e := &m.Edges[id]
	p, d := e.Curve.D1(e.Range.Mid())
	axis := d.Unit()
	if axis == (geom.Vec3{}) {
		return nil
	}
	frame := geom.NewFrame(p, axis, axis.Perp())
	reach := nearby * e.Curve.Bounds(e.Range).Size().Norm()
	uses := make([]use, len(e.Coedges))
	for i, c := range e.Coedges {
		f := &m.Faces[m.FaceOf(c)]
		uv, _ := f.Surface.Invert(p)
		n := f.Surface.Normal(uv.X, uv.Y)
		along := axis
		if m.Coedges[c].Reversed != f.Reversed {
			along = axis.Neg()
		}
		in := n.Cross(along) // into the face
		bend := normalCurvature(f.Surface.D2(uv.X, uv.Y), n, in)
		local := frame.LocalDir(in.AddScaled(0.5*reach*bend, n))
		uses[i] = use{c, math.Atan2(local.Y, local.X), m.Coedges[c].Reversed}
	}
	slices.SortStableFunc(uses, func(a, b use) int { return cmp.Compare(a.angle, b.angle) })
	return brackets(uses)
}

// nearby is the distance from an edge, as a fraction of its size, at which faces with a common start direction are
// compared.
const nearby = 1e-3

// use is a coedge with the angle at which its face leaves the edge.
type use struct {
	coedge brep.CoedgeID
	angle  float64
	begins bool // material follows in the direction of growing angle
}

// normalCurvature returns the curvature (1/mm) of the normal section along a unit tangent, positive when it
// bends toward the normal n; 0 at singular points.
func normalCurvature(d surface.Derivs, n, tangent geom.Vec3) float64 {
	e, f, g := d.Du.Norm2(), d.Du.Dot(d.Dv), d.Dv.Norm2()
	det := e*g - f*f
	if det <= 0 {
		return 0
	}
	p, q := tangent.Dot(d.Du), tangent.Dot(d.Dv)
	u, v := (g*p-f*q)/det, (e*q-f*p)/det
	k := u*u*n.Dot(d.Duu) + 2*u*v*n.Dot(d.Duv) + v*v*n.Dot(d.Dvv)
	if math.IsNaN(k) || math.IsInf(k, 0) {
		return 0
	}
	return k
}

// brackets pairs uses at which material begins with uses at which it ends, starting where the depth is lowest. It
// returns nil if their numbers differ.
func brackets(uses []use) [][2]brep.CoedgeID {
	depth, lowest, start := 0, 0, 0
	for i, u := range uses {
		if u.begins {
			depth++
			continue
		}
		if depth--; depth < lowest {
			lowest, start = depth, i+1
		}
	}
	if depth != 0 {
		return nil
	}
	var open []brep.CoedgeID
	var pairs [][2]brep.CoedgeID
	for k := range uses {
		u := uses[(start+k)%len(uses)]
		if u.begins {
			open = append(open, u.coedge)
			continue
		}
		pairs = append(pairs, [2]brep.CoedgeID{open[len(open)-1], u.coedge})
		open = open[:len(open)-1]
	}
	return pairs
}

// SplitVertices gives each fan of faces around the vertices its own vertex; the first fan keeps the old one.
func SplitVertices(m *brep.Model, vertices []brep.VertexID) {
	slices.Sort(vertices)
	vertices = slices.Compact(vertices)
	index := make(map[brep.VertexID][]brep.CoedgeID, len(vertices)) // coedges that leave each vertex
	for _, v := range vertices {
		index[v] = nil
	}
	before := make(map[brep.CoedgeID]brep.CoedgeID) // by leaving coedge: the one that arrives
	for l := range m.Loops {
		coedges := m.Loops[l].Coedges
		for i, c := range coedges {
			v := m.CoedgeStart(c)
			if list, ok := index[v]; ok {
				index[v] = append(list, c)
				before[c] = coedges[(i+len(coedges)-1)%len(coedges)]
			}
		}
	}
	for _, v := range vertices {
		fans := fansAt(m, index[v], before)
		for _, fan := range fans[1:] {
			id := brep.VertexID(len(m.Vertices))
			m.Vertices = append(m.Vertices, m.Vertices[v])
			for _, e := range fan {
				move(&m.Edges[e], v, id)
			}
		}
	}
}

// fansAt groups the edges at a vertex by the faces that connect them.
func fansAt(m *brep.Model, leaving []brep.CoedgeID, before map[brep.CoedgeID]brep.CoedgeID) [][]brep.EdgeID {
	fanOf := map[brep.EdgeID]int{}
	var fans [][]brep.EdgeID
	for _, c := range leaving {
		a, b := m.Coedges[c].Edge, m.Coedges[before[c]].Edge
		fa, okA := fanOf[a]
		fb, okB := fanOf[b]
		switch {
		case okA && okB:
			if fa != fb { // two fans turn out to be one
				into, from := min(fa, fb), max(fa, fb)
				for _, e := range fans[from] {
					fanOf[e] = into
				}
				fans[into] = append(fans[into], fans[from]...)
				fans[from] = nil
			}
			continue
		case okA:
			fanOf[b] = fa
			fans[fa] = append(fans[fa], b)
		case okB:
			fanOf[a] = fb
			fans[fb] = append(fans[fb], a)
		default:
			fanOf[a], fanOf[b] = len(fans), len(fans)
			fans = append(fans, []brep.EdgeID{a, b})
		}
	}
	fans = slices.DeleteFunc(fans, func(f []brep.EdgeID) bool { return f == nil })
	if len(fans) == 0 {
		return [][]brep.EdgeID{nil}
	}
	return fans
}

// move hangs the ends of an edge at one vertex on another.
func move(e *brep.Edge, from, to brep.VertexID) {
	if e.Start == from {
		e.Start = to
	}
	if e.End == from {
		e.End = to
	}
}
