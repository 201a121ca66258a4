package brep

import (
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// Defect is a defect that Check found. The model may still be usable.
type Defect struct {
	Shell         ShellID
	Face          FaceID // None if the defect does not concern a face; likewise below
	Edge          EdgeID
	Vertex        VertexID
	fault.Warning // of one case; its code is one of the Problem codes
}

// Problem codes.
const (
	BadReference      = "bad_reference" // an index points outside its array, or geometry is missing
	OpenLoop          = "open_loop"     // consecutive edges of a loop do not meet
	VertexOffEdge     = "loose_vertex"  // an edge ends away from its vertex
	FreeEdge          = "open_edge"     // an edge of a solid is used by one face only
	NonManifoldEdge   = "shared_edge"   // an edge of a solid is used more than twice
	InconsistentSense = "opposed_faces" // both uses of an edge have the same direction
	BadTopology       = "bad_topology"  // no solid has these numbers of faces, edges and vertices
)

// Check finds defects of topology, and gaps wider than the tolerances. The order of the result is the order of the
// model. Cost: O(n), except that the loops of faces on closed surfaces are projected.
func Check(m *Model) []Defect {
	c := checker{m: m}
	c.references()
	if len(c.found) > 0 {
		return c.found // further checks would use the invalid references
	}
	c.edges()
	c.loops()
	for i := range m.Shells {
		sh := ShellID(i)
		if m.Shells[sh].Solid == None {
			continue
		}
		if c.closed(sh) {
			c.euler(sh)
		}
	}
	return c.found
}

type checker struct {
	m     *Model
	found []Defect
}

func (c *checker) warn(code string, sh ShellID, f FaceID, e EdgeID, v VertexID, format string, args ...any) {
	c.found = append(c.found, Defect{sh, f, e, v, fault.Warnf(code, 1, format, args...)})
}

func (c *checker) bad(format string, args ...any) {
	c.warn(BadReference, None, None, None, None, format, args...)
}

// references checks that every index can be followed and that geometry is present and finite.
func (c *checker) references() {
	m := c.m
	for i, s := range m.Solids {
		if len(s.Shells) == 0 || !all(s.Shells, len(m.Shells)) {
			c.bad("Solid %d has no shell or one that does not exist.", i)
		}
	}
	for i, s := range m.Shells {
		if len(s.Faces) == 0 || !all(s.Faces, len(m.Faces)) {
			c.bad("Shell %d has no face or one that does not exist.", i)
		}
	}
	for i, f := range m.Faces {
		if f.Surface == nil || !in(f.Shell, len(m.Shells)) || !all(f.Loops, len(m.Loops)) {
			c.bad("Face %d lacks its surface or refers to what does not exist.", i)
		}
	}
	for i, l := range m.Loops {
		isVertex := len(l.Coedges) == 0
		if !in(l.Face, len(m.Faces)) || !all(l.Coedges, len(m.Coedges)) ||
			isVertex && !in(l.Vertex, len(m.Vertices)) {
			c.bad("Loop %d is empty or refers to what does not exist.", i)
		}
	}
	for i, ce := range m.Coedges {
		if !in(ce.Loop, len(m.Loops)) || !in(ce.Edge, len(m.Edges)) {
			c.bad("Coedge %d refers to what does not exist.", i)
		}
	}
	for i, e := range m.Edges {
		isPole := e.Curve == nil
		if !in(e.Start, len(m.Vertices)) || !in(e.End, len(m.Vertices)) || !all(e.Coedges, len(m.Coedges)) ||
			isPole && e.Start != e.End || !isPole && !(e.Range.Hi > e.Range.Lo && e.Range.IsFinite()) {
			c.bad("Edge %d lacks its curve or range or refers to what does not exist.", i)
		}
	}
	for i, v := range m.Vertices {
		if !v.Point.IsFinite() {
			c.bad("Vertex %d is not finite.", i)
		}
	}
}

func in[ID ~int32](id ID, n int) bool { return id >= 0 && int(id) < n }

func all[ID ~int32](ids []ID, n int) bool {
	for _, id := range ids {
		if !in(id, n) {
			return false
		}
	}
	return true
}

// edges checks that curves end at their vertices.
func (c *checker) edges() {
	for i := range c.m.Edges {
		e := &c.m.Edges[i]
		if e.Curve == nil || len(e.Coedges) == 0 {
			continue
		}
		c.end(EdgeID(i), e.Start, e.Range.Lo)
		c.end(EdgeID(i), e.End, e.Range.Hi)
	}
}

func (c *checker) end(i EdgeID, v VertexID, t float64) {
	e, w := &c.m.Edges[i], &c.m.Vertices[v]
	tol := math.Max(c.m.Tolerance.Length, math.Max(e.Tolerance, w.Tolerance))
	if d := e.Curve.At(t).Dist(w.Point); !(d <= tol) {
		sh, f := ShellID(None), FaceID(None)
		if len(e.Coedges) > 0 {
			f = c.m.FaceOf(e.Coedges[0])
			sh = c.m.Faces[f].Shell
		}
		c.warn(VertexOffEdge, sh, f, i, v, "The curve of %s ends %.3g mm from %s.", c.m.EdgeName(i), d,
			c.m.VertexName(v))
	}
}

// loops checks that consecutive coedges meet.
func (c *checker) loops() {
	for i := range c.m.Loops {
		l := &c.m.Loops[i]
		for k, ce := range l.Coedges {
			next := l.Coedges[(k+1)%len(l.Coedges)]
			v, w := c.m.CoedgeEnd(ce), c.m.CoedgeStart(next)
			if v == w {
				continue
			}
			a, b := &c.m.Vertices[v], &c.m.Vertices[w]
			tol := math.Max(c.m.Tolerance.Length, a.Tolerance+b.Tolerance)
			if d := a.Point.Dist(b.Point); d > tol {
				c.warn(OpenLoop, c.m.Faces[l.Face].Shell, l.Face, c.m.Coedges[ce].Edge, v,
					"A loop of %s has a gap of %.3g mm after %s.",
					c.m.FaceName(l.Face), d, c.m.EdgeName(c.m.Coedges[ce].Edge))
			}
		}
	}
}

// closed checks that every edge of a solid's shell is used twice, once in each direction, and reports whether the shell
// encloses a volume.
func (c *checker) closed(sh ShellID) bool {
	m := c.m
	before := len(c.found)
	for _, f := range m.Shells[sh].Faces {
		for _, l := range m.Faces[f].Loops {
			for _, ce := range m.Loops[l].Coedges {
				i := m.Coedges[ce].Edge
				e := &m.Edges[i]
				if e.Curve == nil || len(e.Coedges) == 0 || e.Coedges[0] != ce {
					continue
				}
				switch {
				case len(e.Coedges) == 1:
					c.warn(FreeEdge, sh, f, i, None, "%s of the solid bounds %s only.", c.m.EdgeName(i),
						c.m.FaceName(f))
				case len(e.Coedges) > 2:
					c.warn(NonManifoldEdge, sh, f, i, None, "%s of the solid bounds %d faces.", c.m.EdgeName(i),
						len(e.Coedges))
				case m.Coedges[ce].Reversed == m.Coedges[e.Coedges[1]].Reversed:
					c.warn(InconsistentSense, sh, f, i, None, "%s and %s use %s in the same direction: "+
						"one of them is flipped.",
						c.m.FaceName(f), c.m.FaceName(m.FaceOf(e.Coedges[1])), c.m.EdgeName(i))
				}
			}
		}
	}
	return len(c.found) == before
}

func (c *checker) euler(sh ShellID) {
	e := EulerOf(c.m, sh)
	if e.Components > 1 {
		c.warn(BadTopology, sh, None, None, None, "%s consists of %d pieces that share no edge.",
			c.m.ShellName(sh), e.Components)
	}
	if !e.Valid() {
		c.warn(BadTopology, sh, None, None, None,
			"%s with %d vertices, %d edges, %d faces and %d loops cannot close.",
			c.m.ShellName(sh), e.Vertices, e.Edges, e.Faces, e.Loops)
	}
}

// Euler counts the cells of a closed shell. They satisfy the Euler–Poincaré formula V − E + F − (L − F) − 2·(S − G) = 0
// with S components and G handles (Mäntylä, An Introduction to Solid Modeling, 1988). An edge without a curve counts as
// its vertex. A face that covers a whole torus adds a handle.
type Euler struct {
	Vertices, Edges, Faces, Loops int
	Handles                       int // of faces that cover a whole torus
	Components                    int // pieces that share no edge
}

// Characteristic is V − E + F − (L − F), less two for each face that adds a handle.
func (e Euler) Characteristic() int {
	return e.Vertices - e.Edges + 2*e.Faces - e.Loops - 2*e.Handles
}

// Genus is the number of handles (through holes) of all components together; meaningless unless Valid.
func (e Euler) Genus() int { return e.Components - e.Characteristic()/2 }

// Valid reports whether the genus is a whole number that is not negative.
func (e Euler) Valid() bool { return e.Characteristic()%2 == 0 && e.Genus() >= 0 }

// EulerOf counts the cells of a shell.
func EulerOf(m *Model, sh ShellID) Euler {
	faces := m.Shells[sh].Faces
	e := Euler{Faces: len(faces)}
	vertices := make(map[VertexID]bool)
	place := make(map[FaceID]int, len(faces))
	parent := make([]int, len(faces))
	for i, f := range faces {
		place[f], parent[i] = i, i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, f := range faces {
		e.Loops += len(m.Faces[f].Loops)
		if coversTorus(m, f) {
			e.Handles++
		}
		for _, l := range m.Faces[f].Loops {
			loop := &m.Loops[l]
			if len(loop.Coedges) == 0 {
				vertices[loop.Vertex] = true
			}
			for _, ce := range loop.Coedges {
				edge := &m.Edges[m.Coedges[ce].Edge]
				vertices[edge.Start], vertices[edge.End] = true, true
				if edge.Curve != nil && edge.Coedges[0] == ce {
					e.Edges++
				}
				for _, other := range edge.Coedges {
					if k, ok := place[m.FaceOf(other)]; ok {
						parent[root(k)] = root(i)
					}
				}
			}
		}
	}
	for i := range parent {
		if parent[i] == i {
			e.Components++
		}
	}
	e.Vertices = len(vertices)
	return e
}

// coversTorus reports whether a face of a doubly periodic surface covers all of it except holes. Then no loop of the
// face runs around the surface, and no loop has the face inside.
func coversTorus(m *Model, f FaceID) bool {
	face := &m.Faces[f]
	pu, pv := face.Surface.Periods()
	if pu == 0 || pv == 0 {
		return false
	}
	const (
		pieces = 16       // of an edge: enough to follow it around a period
		whole  = 1 - 1e-6 // share of the cell: no hole leaves so little
	)
	for _, l := range face.Loops {
		loop := &m.Loops[l]
		var start, uv geom.Vec2
		area, n := 0.0, 0
		for _, ce := range loop.Coedges {
			c := &m.Coedges[ce]
			e := &m.Edges[c.Edge]
			if e.Curve == nil {
				continue
			}
			for k := range pieces {
				s := float64(k) / pieces
				if c.Reversed {
					s = 1 - s
				}
				p := e.Curve.At(e.Range.At(s))
				if n == 0 {
					uv, _ = face.Surface.Invert(p)
					start = uv
				}
				last := uv
				uv, _ = face.Surface.InvertNear(p, uv)
				area += last.Sub(start).Cross(uv.Sub(start))
				n++
			}
		}
		if n == 0 {
			continue
		}
		back, _ := face.Surface.InvertNear(face.Surface.At(start.X, start.Y), uv)
		runsAround := math.Abs(back.X-start.X) > pu/2 || math.Abs(back.Y-start.Y) > pv/2
		fillsCell := math.Abs(area)/2 > whole*pu*pv // its seams, in any order of the file
		if runsAround || fillsCell || (area > 0) != face.Reversed {
			return false
		}
	}
	return true
}
