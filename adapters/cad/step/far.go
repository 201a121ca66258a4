package step

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// A reference to a wrong vertex, point or curve leaves a readable file with vertices far off their curves. The rest of
// the file shows the intended reference. A vertex that all its edges miss belongs to the intersection of the edges. An
// edge that alone misses a vertex ends at the common vertex of its neighbors in its loops. An edge that misses both
// vertices has another curve.

// far is the distance (mm) of a vertex from a curve above which neither rounding nor inaccuracy explains it. share is
// its ratio to the size.
func (d *draft) far(share float64) float64 {
	const tolerances = 10
	return max(tolerances*d.Tolerance, share*d.size())
}

// Shares of the size: sound parts have vertices up to a thousandth of it off a single curve.
const (
	farOff    = 1e-2 // of a single edge
	farOffAll = 1e-3 // of all edges at a vertex, which agree
)

// size is the diagonal of the bounding box of all vertices, mm; it is infinite without vertices.
func (d *draft) size() float64 {
	box := geom.EmptyBox()
	for _, v := range d.model.Vertices {
		box = box.Add(v.Point)
	}
	if box.IsEmpty() {
		return math.Inf(1)
	}
	return box.Diagonal()
}

// stray is a vertex with the edges that miss it.
type stray struct {
	vertex brep.VertexID
	edges  []int
}

// findFar finds vertices and edges that are far off, and corrects the ends of edges. It marks the vertices that it
// returns, and their edges, as unknown.
func (d *draft) findFar() []stray {
	limit := d.far(farOff)
	list, near := d.offEdges(limit), d.offEdges(d.far(farOffAll))
	if len(list) > mostOff {
		return nil
	}
	if len(near) > mostOff {
		near = nil
	}
	for _, i := range d.closedInOpen() {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	if len(list)+len(near) == 0 {
		return nil
	}
	at := map[brep.VertexID][]int{}
	for i, e := range d.model.Edges {
		at[e.Start] = append(at[e.Start], i)
		if e.End != e.Start {
			at[e.End] = append(at[e.End], i)
		}
	}
	var unreferenced []stray
	for _, i := range slices.Concat(list, near) {
		e := &d.model.Edges[i]
		for _, v := range []brep.VertexID{e.Start, e.End} {
			if d.pointFaults[v] == nil && (d.misses(v, at[v], limit) > 1 || d.isMissedByAll(v, at[v])) {
				unreferenced = append(unreferenced, stray{v, at[v]})
				d.pointFaults[v] = d.farFault(i)
			}
		}
	}
	for _, i := range list {
		e := &d.model.Edges[i]
		if d.pointFaults[e.Start] == nil && d.pointFaults[e.End] == nil && !d.reconnect(i, limit) && d.isInner(i) {
			d.edgeFaults[i] = d.farFault(i)
			d.unfit(i)
		}
	}
	for _, s := range unreferenced {
		for _, i := range s.edges {
			d.unfit(i)
			d.edgeFaults[i] = d.pointFaults[s.vertex]
		}
	}
	return unreferenced
}

// mostOff bounds the number of edges that are far off: a higher number is not damage.
const mostOff = 64

// offEdges lists the edges that miss their vertices by more than a limit, mm.
func (d *draft) offEdges(limit float64) (list []int) {
	for i, f := range d.fits {
		if f.gap > limit && d.edgeFaults[i] == nil && len(list) <= mostOff {
			list = append(list, i)
		}
	}
	return list
}

// closedInOpen lists the edges with the same start and end whose neighbors in a loop do not end there.
func (d *draft) closedInOpen() (list []int) {
	m := &d.model
	for _, l := range m.Loops {
		for k, c := range l.Coedges {
			id := m.Coedges[c].Edge
			e := &m.Edges[id]
			if e.Start != e.End || len(l.Coedges) < 2 || d.edgeFaults[id] != nil {
				continue
			}
			_, before := d.ends(l.Coedges[(k+len(l.Coedges)-1)%len(l.Coedges)])
			behind, _ := d.ends(l.Coedges[(k+1)%len(l.Coedges)])
			if (before != e.Start || behind != e.Start) && !slices.Contains(list, int(id)) {
				list = append(list, int(id))
			}
		}
	}
	return list
}

// keepFar keeps the vertices without another possible position where the file has them.
func (d *draft) keepFar(unreferenced []stray) {
	for _, s := range unreferenced {
		if d.pointFaults[s.vertex] != nil {
			delete(d.pointFaults, s.vertex)
			for _, i := range s.edges {
				d.unfit(i)
				d.fits[i], d.edgeFaults[i] = d.fitEdge(i)
			}
		}
	}
}

func (d *draft) farFault(edge int) error {
	if e := &d.model.Edges[edge]; e.Start == e.End && d.fits[edge].gap <= d.far(farOff) {
		return d.Fail(d.edges[edge].entity, "begins and ends in one vertex")
	}
	return d.Fail(d.edges[edge].entity, "has vertices that lie %.3g mm off its curve", d.fits[edge].gap)
}

// unfit undoes the fit of an edge.
func (d *draft) unfit(i int) {
	e := &d.model.Edges[i]
	if d.fits[i].reversed {
		e.Start, e.End = e.End, e.Start
	}
	e.Tolerance, d.fits[i] = 0, fitted{}
}

// curveOf returns the curve of an edge, also for an edge that became a point; nil if it has no curve.
func (d *draft) curveOf(i int) curve.Curve {
	if c := d.model.Edges[i].Curve; c != nil || d.edges[i].curve == part21.Missing {
		return c
	}
	base, _, err := d.Basis(d.edges[i].curve)
	if err != nil {
		return nil
	}
	c, err := d.Curve(base)
	if err != nil {
		return nil
	}
	return c
}

// isOff reports whether the curve of an edge misses a vertex.
func (d *draft) isOff(i int, v brep.VertexID, limit float64) bool {
	c := d.curveOf(i)
	if c == nil {
		return false
	}
	_, off := c.Invert(d.model.Vertices[v].Point)
	return off > limit
}

// misses counts the edges at a vertex that miss it; a single such edge has a wrong vertex or curve.
func (d *draft) misses(v brep.VertexID, edges []int, limit float64) (n int) {
	for _, i := range edges {
		if d.edgeFaults[i] == nil && d.isOff(i, v, limit) {
			n++
		}
	}
	return n
}

// isMissedByAll reports whether several edges at a vertex miss it. One edge may contain it, because the vertex may have
// moved along that edge.
func (d *draft) isMissedByAll(v brep.VertexID, edges []int) bool {
	n := d.misses(v, edges, d.far(farOffAll))
	return n > 1 && n+1 >= len(edges)
}

// reconnect corrects the ends of an edge that misses a vertex, or has the same start and end. The new ends are the
// vertices shared by its neighbors in all its loops, if they are on its curve. It returns false if the curve is wrong.
func (d *draft) reconnect(i int, limit float64) bool {
	e := &d.model.Edges[i]
	isStartOff, isEndOff := d.isOff(i, e.Start, limit), d.isOff(i, e.End, limit)
	if isStartOff && isEndOff {
		return e.Start == e.End && e.Curve == nil // a point, whose curve does not matter
	}
	for _, atStart := range []bool{true, false} {
		isOff, v := isStartOff, &e.Start
		if !atStart {
			isOff, v = isEndOff, &e.End
		}
		if !isOff && e.Start != e.End {
			continue
		}
		to, ok := d.between(i, atStart)
		switch {
		case isOff && (!ok || d.isOff(i, to, limit)):
			return false
		case !ok || d.isOff(i, to, limit) ||
			!isOff && d.model.Vertices[to].Point.Dist(d.model.Vertices[*v].Point) <= limit:
			continue
		}
		why := d.farFault(i)
		*v = to
		d.unfit(i)
		d.fits[i], d.edgeFaults[i] = d.fitEdge(i)
		salvage.Tell(d.Add, salvage.MadeVertex,
			fmt.Sprintf("An end of %s was put where its neighbours meet", d.Entity(d.edges[i].entity).Text), why)
		return true
	}
	return true
}

// isInner reports whether an edge has a face on both sides, which determine its curve.
func (d *draft) isInner(i int) bool {
	n := 0
	for _, c := range d.model.Coedges {
		if int(c.Edge) == i {
			n++
		}
	}
	return n == 2
}

// between returns the common vertex of the neighbors of an edge at its start or end, in all its loops.
func (d *draft) between(i int, atStart bool) (found brep.VertexID, ok bool) {
	m := &d.model
	found = brep.None
	for _, l := range m.Loops {
		for k, c := range l.Coedges {
			if int(m.Coedges[c].Edge) != i || len(l.Coedges) < 2 {
				continue
			}
			isForward := m.Coedges[c].Reversed == d.fits[i].reversed
			var v brep.VertexID
			if isForward == atStart {
				_, v = d.ends(l.Coedges[(k+len(l.Coedges)-1)%len(l.Coedges)])
			} else {
				v, _ = d.ends(l.Coedges[(k+1)%len(l.Coedges)])
			}
			if found != brep.None && v != found {
				return found, false
			}
			found = v
		}
	}
	return found, found != brep.None
}

// ends returns the vertices where a loop enters and leaves the edge of a coedge. It is valid before the coedges of
// edges that run against their curves are reversed.
func (d *draft) ends(c brep.CoedgeID) (from, to brep.VertexID) {
	use := &d.model.Coedges[c]
	e := &d.model.Edges[use.Edge]
	if use.Reversed != d.fits[use.Edge].reversed {
		return e.End, e.Start
	}
	return e.Start, e.End
}
