package faceted

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// assembler makes the entities of a model of stitched triangles.
type assembler struct {
	*stitcher
	m     *brep.Model
	parts []component

	segments  []segment
	segmentOf []int32       // by corner: the segment that its side is a use of, or -1
	uses      []int32       // of all segments
	at        []junction    // by point
	vertex    []int32       // by point: its vertex in the model, or brep.None
	faceOf    []brep.FaceID // by face of the body
}

// junction is a point where segments end.
type junction struct {
	count int32    // segments
	first [2]int32 // the first two segments
}

func (j *junction) add(segment int32) {
	if j.count < 2 {
		j.first[j.count] = segment
	}
	j.count++
}

// segment is the straight piece between two points that bounds faces.
type segment struct {
	lo, hi int32 // points
	uses   []int32
	edge   brep.EdgeID
	upward bool // the edge runs from lo to hi
}

// listSegments finds the sides that bound faces.
func (a *assembler) listSegments() {
	a.segmentOf = slices.Repeat([]int32{-1}, len(a.twin))
	a.at = make([]junction, len(a.points))
	for c := range a.twin {
		if a.twin[c] < 0 {
			a.uses = append(a.uses, 0)
		}
	}
	free := a.uses
	a.eachSide(func(group []side) {
		n := 0
		for _, s := range group {
			if a.twin[s.corner] < 0 {
				free[n] = s.corner
				n++
			}
		}
		if n == 0 {
			return
		}
		uses := free[:n:n]
		free = free[n:]
		id := int32(len(a.segments))
		for _, c := range uses {
			a.segmentOf[c] = id
		}
		a.segments = append(a.segments, segment{lo: group[0].lo, hi: group[0].hi, uses: uses, edge: brep.None})
		a.at[group[0].lo].add(id)
		a.at[group[0].hi].add(id)
	})
}

// passes reports whether the same faces lie, on the same sides, at both of the only two segments at a point.
func (a *assembler) passes(p int32) bool {
	if a.at[p].count != 2 {
		return false
	}
	x, y := &a.segments[a.at[p].first[0]], &a.segments[a.at[p].first[1]]
	if len(x.uses) != len(y.uses) {
		return false
	}
	along := func(s *segment, towards bool) []int64 {
		out := make([]int64, len(s.uses))
		for i, c := range s.uses {
			out[i] = 2 * int64(a.face[c/3])
			if a.runsUp(c) == ((s.hi == p) == towards) {
				out[i]++
			}
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(along(x, true), along(y, false))
}

// chainEdges makes the edges, each with the vertices at its ends.
func (a *assembler) chainEdges() {
	a.listSegments()
	a.vertex = slices.Repeat([]int32{brep.None}, len(a.points))
	ends := make([]bool, len(a.points))
	for p := range a.at {
		ends[p] = a.at[p].count > 0 && !a.passes(int32(p))
	}
	for i := range a.segments {
		s := &a.segments[i]
		if ends[s.lo] && s.edge == brep.None {
			a.chain(int32(i), s.lo, ends)
		}
		if ends[s.hi] && s.edge == brep.None {
			a.chain(int32(i), s.hi, ends)
		}
	}
	for i := range a.segments { // closed chains without any end
		if s := &a.segments[i]; s.edge == brep.None {
			ends[s.lo] = true
			a.chain(int32(i), s.lo, ends)
		}
	}
}

// chain makes the edge that begins with a segment at a point.
func (a *assembler) chain(id, from int32, ends []bool) {
	edge := brep.EdgeID(len(a.m.Edges))
	ring := []geom.Vec3{a.points[from]}
	at := from
	for {
		s := &a.segments[id]
		s.edge, s.upward = edge, s.lo == at
		if at = s.hi; !s.upward {
			at = s.lo
		}
		ring = append(ring, a.points[at])
		if ends[at] {
			break
		}
		if id = a.at[at].first[0]; a.segments[id].edge == edge {
			id = a.at[at].first[1]
		}
	}
	e := brep.Edge{Start: a.vertexAt(from), End: a.vertexAt(at), Source: a.body.Source}
	if len(ring) == 2 {
		d := ring[1].Sub(ring[0])
		e.Curve, e.Range = curve.Line{Origin: ring[0], Dir: d.Unit()}, geom.Interval{Hi: d.Norm()}
	} else {
		line, err := curve.NewPolyline(ring)
		if err != nil {
			panic(fmt.Sprintf("faceted: %d finite points do not make a polyline: %v", len(ring), err))
		}
		e.Curve, e.Range = line, line.Domain()
	}
	a.m.Edges = append(a.m.Edges, e)
}

func (a *assembler) vertexAt(p int32) brep.VertexID {
	if a.vertex[p] == brep.None {
		a.vertex[p] = int32(len(a.m.Vertices))
		a.m.Vertices = append(a.m.Vertices, brep.Vertex{Point: a.points[p], Source: a.body.Source})
	}
	return brep.VertexID(a.vertex[p])
}

// next returns the side of the triangle that follows a side.
func next(corner int32) int32 { return corner - corner%3 + (corner+1)%3 }

// addFaces makes the faces with their loops.
func (a *assembler) addFaces() error {
	a.faceOf = slices.Repeat([]brep.FaceID{brep.None}, len(a.body.Faces))
	done := make([]bool, len(a.twin))
	for lo := 0; lo < len(a.tris); {
		hi := lo + 1
		for hi < len(a.tris) && a.face[hi] == a.face[lo] {
			hi++
		}
		source := &a.body.Faces[a.face[lo]]
		made, err := a.surfaceOf(source, lo, hi)
		if err != nil {
			return err
		}
		id := brep.FaceID(len(a.m.Faces))
		a.faceOf[a.face[lo]] = id
		a.m.Faces = append(a.m.Faces, brep.Face{Surface: made, Name: source.Name, Color: source.Color,
			Source: source.Source, Origin: int32(id)})
		for c := int32(3 * lo); c < int32(3*hi); c++ {
			if a.twin[c] < 0 && !done[c] {
				a.addLoop(id, c, done)
			}
		}
		lo = hi
	}
	return nil
}

// addLoop makes the loop that a side belongs to.
func (a *assembler) addLoop(f brep.FaceID, first int32, done []bool) {
	var ring []int32
	for c := first; !done[c]; {
		done[c] = true
		ring = append(ring, c)
		n := next(c)
		for a.twin[n] >= 0 {
			n = next(a.twin[n])
		}
		c = n
	}
	begin := slices.IndexFunc(ring, func(c int32) bool { return a.vertex[a.start(c)] != brep.None })
	id := brep.LoopID(len(a.m.Loops))
	loop := brep.Loop{Face: f, Vertex: brep.None, Source: a.m.Faces[f].Source}
	for i := range ring {
		c := ring[(begin+i)%len(ring)]
		if a.vertex[a.start(c)] == brep.None {
			continue // inside an edge
		}
		s := &a.segments[a.segmentOf[c]]
		loop.Coedges = append(loop.Coedges, brep.CoedgeID(len(a.m.Coedges)))
		a.m.Coedges = append(a.m.Coedges, brep.Coedge{Loop: id, Edge: s.edge, Reversed: a.runsUp(c) != s.upward})
	}
	a.m.Loops = append(a.m.Loops, loop)
	a.m.Faces[f].Loops = append(a.m.Faces[f].Loops, id)
}

// start is the point at which the side of a corner begins.
func (s *stitcher) start(corner int32) int32 { return s.tris[corner/3][corner%3] }

// addShells makes the shells and solids of the components.
func (a *assembler) addShells() {
	anyClosed := slices.ContainsFunc(a.parts, func(c component) bool { return c.closed })
	solidOf := make([]brep.SolidID, len(a.parts))
	shellOf := make([]brep.ShellID, len(a.parts))
	for i := range a.parts {
		c := &a.parts[i]
		shell := brep.Shell{Solid: brep.None, IsVoid: c.isHollow && a.body.Solid, Source: a.body.Source}
		for _, f := range c.faces {
			shell.Faces = append(shell.Faces, a.faceOf[f])
		}
		shellOf[i] = brep.ShellID(len(a.m.Shells))
		a.m.Shells = append(a.m.Shells, shell)
		if a.body.Solid && !shell.IsVoid && (c.closed || !anyClosed) {
			solidOf[i] = brep.SolidID(len(a.m.Solids))
			a.m.Solids = append(a.m.Solids, brep.Solid{Name: a.body.Name, Source: a.body.Source,
				Shells: []brep.ShellID{shellOf[i]}})
		}
	}
	for i := range a.parts {
		if c := &a.parts[i]; c.isHollow && a.body.Solid {
			s := &a.m.Solids[solidOf[c.parent]]
			s.Shells = append(s.Shells, shellOf[i])
		}
	}
}
