// Package reach asks by brute force what tools can get at, to judge reasons of an account that say that nothing reaches
// some material. It shares no code with planning, access of tools, and the proof.
//
// # Method
//
// A tool comes along one of six directions, the axes of the workpiece both ways. It takes a point when there is a place
// of its axis from which its flutes cover the point and nothing of the tool in its holder meets the finished part. At a
// given place the highest tip from which the flutes cover the point is the best, as the outline of a tool does not
// become narrower upward: what is free there can also be left straight up. So the only unknown is the place, in a disc
// around the point, and the question is whether the largest slack over the disc is at least 0. The slack is the least
// distance between the part above each step of the outline and that step, seen along the tool; at a ball it is the
// distance from the sphere. It is exact: triangles are clipped at the height of a step (Sutherland and Hodgman, 1974),
// found by a tree of boxes.
//
// The largest slack is found by branch and bound over squares (Hansen and Jaumard, Lipschitz Optimization, 1995). A
// place is given by the way along the outline from the axis to the point, so the tool moves no farther than the place,
// and the slack grows by no more. A search ends with a place, with the proof that there is none, or when its places are
// used up: then the point is within the upper figure and not within the lower.
//
// # Limits
//
// Only the part is in the way: not jaws, table, or stock that no tool takes before. The machine's travels do not count.
// Kinds that are wider below (dovetail and slot mills, lollipops) and those that cut by a cone aside are not asked.
// Drills and reamers go down the axes of cylinders only, no deeper than their flutes.
//
// Lengths are mm.
package reach

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Part is what must not be met, in a frame along whose axes tools come.
type Part struct {
	frame geom.Frame
	tree  tree
	axes  []Axis
}

// Axis is that of a cylinder, where drills go down; in part coordinates.
type Axis struct{ At, Direction geom.Vec3 }

// NewPart takes a closed mesh.
func NewPart(m *mesh.Mesh, frame geom.Frame, axes []Axis) *Part {
	return &Part{frame: frame, tree: newTree(m, frame), axes: axes}
}

// directions are those that tools come from, as the axes of the frame.
var directions = [6]string{"+x", "−x", "+y", "−y", "+z", "−z"}

// view is a direction: heights are sign·p[axis].
type view struct {
	u, v, axis int
	sign       float64
}

func viewOf(direction int) view {
	axis := direction / 2
	w := view{u: (axis + 1) % 3, v: (axis + 2) % 3, axis: axis, sign: 1}
	if direction%2 == 1 {
		w.sign = -1
	}
	return w
}

// seen is a point as u, v and height.
func (w *view) seen(p point) point { return point{p[w.u], p[w.v], w.sign * p[w.axis]} }

// along tells which of the directions are among some in part coordinates.
func (p *Part) along(list []geom.Vec3) (out [len(directions)]bool) {
	const nearly = 0.999 // cosine
	for _, v := range list {
		d := p.frame.LocalDir(v)
		for i := range directions {
			w := viewOf(i)
			out[i] = out[i] || w.sign*(point{d.X, d.Y, d.Z})[w.axis] > nearly
		}
	}
	return out
}

// gauge is the set of tolerances between a tool and the part.
type gauge struct {
	slack float64 // that is demanded
	lift  float64 // of steps of the outline against the part
	gap   float64 // about neck, shank and holder where they are wider than the flutes
	outer bool    // curved outlines are drawn by steps around them
}

// exact (mm) is what meshes, rounded coordinates, and the search leave open.
const exact = 0.01

var (
	loose = gauge{slack: -exact, lift: exact}
	tight = gauge{slack: exact, lift: -exact, outer: true}
)

// Answer is what gets at a point.
type Answer struct {
	Upper bool // there may be a tool: none is proven not to be
	Lower bool // there is one
	Clear bool // there is one whose neck, shank and holder keep the gap
	By    []By // a tool for each direction from which one gets there; those of Lower, unless there are none
}

// By is a tool from a direction, indices into Tools and of the directions +x, −x, +y, −y, +z, −z.
type By struct{ Tool, Direction int }

// Query asks for points of one part. It tries first what got at the point before.
type Query struct {
	Part  *Part
	Tools []Tool
	Gap   float64 // mm
	last  [len(directions)][3]int
}

// Ask reports the tools that reach a point in part coordinates.
func (q *Query) Ask(at geom.Vec3) (out Answer) {
	p := local(q.Part.frame, at)
	var maybe []By
	for d := range directions {
		w := viewOf(d)
		if q.Part.tree.covered(&w, w.seen(p), exact) { // a tool that covers the point is above it, too
			continue
		}
		tool, got := q.search(p, d, loose, 0)
		out.Upper = out.Upper || got != none
		if got != found {
			continue
		}
		maybe = append(maybe, By{tool, d})
		if tool, got = q.search(p, d, tight, 1); got != found {
			continue
		}
		out.Lower, out.By = true, append(out.By, By{tool, d})
		wide := tight
		wide.gap = q.Gap
		if !out.Clear {
			_, got = q.search(p, d, wide, 2)
			out.Clear = got == found
		}
	}
	if !out.Lower {
		out.By = maybe
	}
	return out
}

// search tries the tools from a direction until one gets there, first the one that did so before.
func (q *Query) search(p point, direction int, g gauge, rank int) (tool int, best verdict) {
	last := &q.last[direction][rank]
	for i := range q.Tools {
		if i == 0 {
			i = *last
		} else if i <= *last {
			i--
		}
		got := q.try(p, i, direction, g)
		if best = max(best, got); got == found {
			*last = i
			return i, found
		}
	}
	return -1, best
}

func (q *Query) try(p point, tool, direction int, g gauge) verdict {
	view := viewOf(direction)
	s := search{tree: &q.Part.tree, view: view, tool: &q.Tools[tool], p: view.seen(p), gauge: g}
	if !s.tool.plunges {
		return s.anywhere()
	}
	const parallel = 1 - 1e-9 // cosine
	for _, a := range q.Part.axes {
		d := q.Part.frame.LocalDir(a.Direction)
		if along := (point{d.X, d.Y, d.Z})[view.axis]; along*along < parallel {
			continue
		}
		c := view.seen(local(q.Part.frame, a.At))
		if s.plunge(c[0], c[1]) {
			return found
		}
	}
	return none
}
