package planning

// Edges that are broken on request: sharp convex edges of the finished part. Chamfer mills of 90° leave a small chamfer
// there that is not drawn.
//
// An edge is broken in the first setup in which one of its faces is level, the other upright, and both are made. One
// mill breaks all edges of a setup: the one that reaches the greatest length of them. All others are named.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh/edgebreak"
)

const (
	sharpTurn = math.Pi / 3 // least angle between the normals at an edge that cuts a finger
	square    = math.Pi / 4 // half the angle of mills whose chamfer is as wide along both faces

	// LeastFlank is the least share of the flank, from the tip, between the tip of a mill and the edge that it breaks.
	LeastFlank = 0.12

	// narrow is the least width of faces next to broken edges, in widths of the chamfer.
	narrow = 2
)

// Why an edge is not broken, the nearest to being broken last.
const (
	edgeOblique = iota
	edgeUnmade
	edgeNoMill
	edgeNarrow
	edgeOutOfReach
)

var edgeReasons = [...]struct{ detail, remedy string }{
	{"in no setup is one of their faces level and the other upright", "A file."},
	{"in the setup in which they are level, their faces are not made yet", "A file."},
	{"no chamfer mill of 90° has a flank of that width", "A chamfer mill of 90° in the tool libraries."},
	{"a face next to them is too narrow for the chamfer", "A smaller breakEdges.width, or a file."},
	{"no chamfer mill of 90° reaches them past other material", "A longer or a thinner chamfer mill, or a file."},
}

// sharpEdge is a sharp convex edge as a side sees it.
type sharpEdge struct {
	arc   int // index in the list
	faces edgebreak.Edge
	wall  int32
	z     float64 // along the side
}

// breakEdges adds an operation to each setup that breaks edges, and names the edges that stay sharp.
func (p *planner) breakEdges(steps []setup) {
	width := p.in.Config.EdgeBreak()
	if width == 0 {
		return
	}
	arcs := p.sharpArcs()
	why, isBroken := make([]int, len(arcs)), make([]bool, len(arcs))
	var all []edgebreak.Edge
	st := p.begin()
	for i := range steps {
		p.again(st, &steps[i])
		s := steps[i].side
		var found []sharpEdge
		for k, x := range arcs {
			if e, ok := p.levelEdge(x, s); ok && !isBroken[k] {
				e.arc = k
				found = append(found, e)
			}
		}
		drop := func(reason int, test func(e *sharpEdge) bool) {
			var out []sharpEdge // with all edges of the wall at that height: the mill does not lift between them
			for j := range found {
				if e := &found[j]; test(e) {
					out = append(out, *e)
				}
			}
			found = slices.DeleteFunc(found, func(e sharpEdge) bool {
				is := slices.ContainsFunc(out, func(o sharpEdge) bool {
					return o.wall == e.wall && math.Abs(o.z-e.z) <= p.tol()
				})
				if is {
					why[e.arc] = max(why[e.arc], reason)
				}
				return is
			})
		}
		drop(edgeUnmade, func(e *sharpEdge) bool { return !p.isEdgeMade(st, s, arcs[e.arc], e, width) })
		for len(found) > 0 {
			before := len(found)
			tight := p.narrowEdges(all, found, width)
			drop(edgeNarrow, func(e *sharpEdge) bool { return slices.Contains(tight, e.arc) })
			if len(found) == before {
				break
			}
		}
		mill := p.edgeMill(s, found, width, i)
		if mill < 0 {
			drop(edgeNoMill, func(*sharpEdge) bool { return true })
			continue
		}
		drop(edgeOutOfReach, func(e *sharpEdge) bool { return !p.reachesEdge(s, e, &p.tools[mill], width) })
		if len(found) == 0 {
			continue
		}
		for j := range found {
			isBroken[found[j].arc] = true
			all = append(all, found[j].faces)
		}
		p.addBreak(&steps[i], i, mill, found, width)
	}
	p.nameSharp(arcs, isBroken, why)
}

// sharpArcs returns the sharp convex edges between wanted faces that are not both finished before.
func (p *planner) sharpArcs() (list []int32) {
	for i := range p.g.Arcs {
		a := &p.g.Arcs[i]
		isWanted := p.wanted[a.A] && p.wanted[a.B] && !(p.finished[a.A] && p.finished[a.B])
		if isWanted && a.Convexity == graph.Convex && a.Turn >= sharpTurn {
			list = append(list, int32(i))
		}
	}
	return list
}

// levelEdge returns an edge between a plane that faces a side and a wall upright to it; false for others.
func (p *planner) levelEdge(x int32, s side) (sharpEdge, bool) {
	a, dir := &p.g.Arcs[x], s.dir(p.frame)
	coedges := p.g.Model.Edges[a.Edge].Coedges
	faces := edgebreak.Edge{int(p.g.Model.FaceOf(coedges[0])), int(p.g.Model.FaceOf(coedges[1]))}
	level, wall := a.A, a.B
	if !p.isLevel(level, dir) {
		level, wall, faces[0], faces[1] = a.B, a.A, faces[1], faces[0]
	}
	sh := &p.g.Patches[wall].Shape
	upright := sh.Kind == surface.KindPlane && math.Abs(sh.Axis.Dot(dir)) <= graph.DirectionTolerance ||
		sh.Kind == surface.KindCylinder && sh.Axis.Cross(dir).Norm() <= graph.DirectionTolerance
	return sharpEdge{faces: faces, wall: wall, z: s.span(p.boxes[level]).Hi}, upright && p.isLevel(level, dir)
}

func (p *planner) isLevel(q int32, dir geom.Vec3) bool {
	sh := &p.g.Patches[q].Shape
	return sh.Kind == surface.KindPlane && sh.Axis.Dot(dir) > 0 && sh.Axis.Cross(dir).Norm() <= graph.DirectionTolerance
}

// isEdgeMade reports whether the faces of an edge are made from which the chamfer is cut.
func (p *planner) isEdgeMade(st *state, s side, x int32, e *sharpEdge, width float64) bool {
	made := func(q int32, low float64) bool {
		t := p.taskOf[q]
		if t < 0 || st.done[t] {
			return t >= 0
		}
		z := s.flip(st.made[t][s.axis()])
		return z.Lo <= low && z.Hi >= e.z-p.tol()
	}
	return made(p.g.Arcs[x].Other(e.wall), e.z) && made(e.wall, e.z-narrow*width)
}

// narrowEdges returns those of some edges next to which a face is too narrow, given the edges that are broken already.
func (p *planner) narrowEdges(before []edgebreak.Edge, found []sharpEdge, width float64) (arcs []int) {
	list := slices.Clone(before)
	for _, e := range found {
		list = append(list, e.faces)
	}
	_, tight, err := edgebreak.Break(p.g.Mesh, list, narrow*width)
	if err != nil {
		return nil // no program is proved on an open mesh
	}
	for _, k := range tight {
		if k -= len(before); k >= 0 {
			arcs = append(arcs, found[k].arc)
		}
	}
	return arcs
}

// edgeMill returns the mill that breaks the greatest length of some edges, of equal ones one that the setup uses, then
// the smallest; -1 without one.
func (p *planner) edgeMill(s side, found []sharpEdge, width float64, index int) int {
	fits := func(t *tool) bool {
		return math.Abs(geom.Radians(*t.TipAngleDeg)/2-square) <= geom.Radians(bevelMatch) &&
			p.flankAt(t)+width+tipMargin <= t.Diameter/2
	}
	best, most, isUsed := -1, 0.0, false
	for _, i := range slices.Backward(p.choose(fits, machining.ChamferMill)) {
		length := 0.0
		for k := range found {
			if p.reachesEdge(s, &found[k], &p.tools[i], width) {
				length += p.edgeLength(found[k].faces)
			}
		}
		uses := slices.ContainsFunc(p.plan.Setups[index].Operations, func(o Operation) bool { return o.Tool == i })
		if length = round(length); best < 0 || length > most || length == most && uses && !isUsed {
			best, most, isUsed = i, length, uses
		}
	}
	return best
}

func (p *planner) edgeLength(faces edgebreak.Edge) (length float64) {
	a, b := p.g.PatchOf[faces[0]], p.g.PatchOf[faces[1]]
	p.neighbors(a, func(x *graph.Adjacency, o int32) {
		if o == b && x.Convexity == graph.Convex {
			length += x.Length
		}
	})
	return length
}

// flankAt returns the least radius at which a mill's flank breaks an edge, mm.
func (p *planner) flankAt(t *tool) float64 {
	return t.TipRadius() + LeastFlank*(t.Diameter/2-t.TipRadius())
}

// reachesEdge reports whether nothing of a mill but its flutes meets the part where it breaks an edge.
func (p *planner) reachesEdge(s side, e *sharpEdge, t *tool, width float64) bool {
	at := place{side: s, patches: []int32{e.wall}, beside: p.flankAt(t)}
	at.bottom = e.z - width - t.ConeHeight(2*at.beside)
	return p.clears(&at, t)
}

// addBreak adds the operation to its setup.
func (p *planner) addBreak(step *setup, index, mill int, found []sharpEdge, width float64) {
	w := writer{planner: p, step: step, index: index, top: step.side.span(step.before).Hi, out: p.plan.Setups[index]}
	var edges []edgebreak.Edge
	var patches []int32
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range found {
		edges, patches = append(edges, e.faces), append(patches, p.g.PatchOf[e.faces[0]])
		low, high = min(low, e.z-width), max(high, e.z)
	}
	slices.SortFunc(edges, func(a, b edgebreak.Edge) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	edges = slices.Compact(edges)
	w.add(Operation{Strategy: BreakEdges, Features: p.featuresOf(patches), Tool: mill, Top: w.z(high), Bottom: w.z(low),
		Edges: edges, Width: width, Notes: []string{fmt.Sprintf("Breaks sharp edges, %.4g mm.", width)}},
		cutting.Chamfering, nil, 0, 0)
	p.plan.Setups[index] = w.out
}

// nameSharp names the edges that stay sharp, by the reason.
func (p *planner) nameSharp(arcs []int32, isBroken []bool, why []int) {
	for reason, words := range edgeReasons {
		count, length := 0, 0.0
		var patches []int32
		for k, x := range arcs {
			if a := &p.g.Arcs[x]; !isBroken[k] && why[k] == reason {
				count, length = count+1, length+a.Length
				patches = append(patches, a.A, a.B)
			}
		}
		if count == 0 {
			continue
		}
		slices.Sort(patches)
		u := refuse(completeness.EdgeNotBroken, "Sharp edges are not broken (%d, %.4g mm long in all): %s.", count,
			round(length), words.detail).with("%s", words.remedy)
		sharp := u.of(-1, p.faces(slices.Compact(patches)))
		sharp.length = length
		p.sharp = append(p.sharp, sharp)
	}
}
