package recognize

// Outlines of plates.
//
// What runs all the way round a plate from its one side to the other is cut in one pass along its edge, so all of it is
// one profile: cut corners are no chamfers, notches no pockets, to be reached from the side. A plate is a twentieth as
// thick as it is wide at most, and what would bend under a cutter is one as long as it is wider than thick. So is
// other sheet (package sheetmetal) whose outline turns inwards, as at tabs, bays and their reliefs, but for slots with a round
// end, which a cutter as wide cuts in a pass of their own. A thicker part, or an outline of planes that are square to one
// another and have no notch, is left to the rules for those.
//
// Cost: one cut for every wall that is free, until an outline is found, for each direction.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// plateShare is the largest thickness of a plate as a share of its width: it is cut from sheet.
const plateShare = 0.05

// What is thinner than foil (mm) is cut from sheet as long as it is foilShare of its width at most: narrower, it is wire.
const (
	foil      = 1.0
	foilShare = 1.0 / 3
)

// plateOutline is the rule of an outline of a plate. Its planes are edges, which nobody mills flat one by one.
const plateOutline = "outline of a plate"

// plates finds the outlines of plates.
func (r *recognizer) plates() {
	for d, dir := range r.v.Dirs {
		if o := r.v.Find(dir.Neg()); o != graph.None && o < d {
			continue
		}
		w := r.wallsAlong(d)
		tried := make([]bool, len(r.g.Patches))
		for p, steep := range w.Steep {
			if !steep || tried[p] || !r.isPlateEdge(w, int32(p)) {
				continue
			}
			c, ok := w.ChainOf(int32(p), w.Z[p].Mid())
			if !ok {
				continue
			}
			for _, q := range c.Patches {
				tried[q] = true
			}
			if !c.IsClosed || c.Area <= 0 {
				continue
			}
			if edges := r.edgesOfPlate(w, c.Patches); len(edges) > 0 {
				d := r.sideOf(&outline{d: d, patches: edges})
				r.add(found{
					typ: feature.Profile, patches: edges, dir: r.v.Dirs[d], axis: &r.v.Dirs[d], z: r.g.ExtentOf(edges, r.v.Dirs[d]),
					rule: plateOutline,
					reasons: []string{fmt.Sprintf("%s round a plate from one side to the other, %s high.",
						count(len(edges), "upright face runs", "upright faces run"), mm(w.Z[p].Length()))},
				})
			}
		}
	}
}

// edgesOfPlate returns those of some walls in a ring that are one outline, if they are edges of a plate, of one height, round
// something thin, and more than the sides of a block.
func (r *recognizer) edgesOfPlate(w *section.Walls, ring []int32) []int32 {
	z := w.Z[ring[0]]
	box := geom.EmptyBox()
	frame := geom.NewFrame(geom.Vec3{}, w.Dir, geom.Vec3{})
	for _, p := range ring {
		if o := w.Z[p]; !r.isPlateEdge(w, p) || math.Abs(o.Lo-z.Lo) > r.g.Length || math.Abs(o.Hi-z.Hi) > r.g.Length {
			return nil
		}
		r.g.EachPoint(p, func(at, _ geom.Vec3) { box = box.Add(frame.Local(at)) })
	}
	size := box.Max.Sub(box.Min)
	width := min(size.X, size.Y)
	isThin := z.Length() <= plateShare*width || z.Length() <= min(foil, foilShare*width)
	if !isThin {
		if r.thickness == 0 || math.Abs(z.Length()-r.thickness) > r.g.Length {
			return nil
		}
		ring = r.withoutSlots(ring)
	}
	if !r.turnsInwards(ring) && (!isThin || r.areSquare(ring)) {
		return nil
	}
	return ring
}

// withoutSlots returns the walls of a ring without those of slots: planes that look at each other and go on smoothly in one
// round end.
func (r *recognizer) withoutSlots(ring []int32) []int32 {
	var slots []int32
	for _, p := range ring {
		if !r.isFillet(p) {
			continue
		}
		var flanks []int32
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			if q := a.Other(p); a.Convexity == graph.Smooth && r.g.Patches[q].Kind == surface.KindPlane {
				flanks = append(flanks, q)
			}
		}
		if len(flanks) == 2 && graph.Parallel(r.g.Patches[flanks[0]].Axis, r.g.Patches[flanks[1]].Axis) {
			slots = append(slots, p, flanks[0], flanks[1])
		}
	}
	slots = ascending(slots)
	return slices.DeleteFunc(slices.Clone(ring), func(p int32) bool {
		_, ok := slices.BinarySearch(slots, p)
		return ok
	})
}

// isPlateEdge reports whether a wall is free, upright, stands on nothing, and no groove cut it off what lies beyond.
func (r *recognizer) isPlateEdge(w *section.Walls, p int32) bool {
	return !r.taken[p] && r.isUpright(p, w.Dir) && !slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		a := &r.g.Arcs[x]
		f := r.owner[a.Other(p)]
		isFoot := a.Convexity == graph.Concave || a.Convexity == graph.Smooth && r.isFillet(a.Other(p))
		return isAcross(a, w.Dir) && (isFoot || f != graph.None && r.out[f].rule == turnedGroove)
	})
}

// turnsInwards reports whether some of a few walls are hollow or meet in an inner corner.
func (r *recognizer) turnsInwards(walls []int32) bool {
	return slices.ContainsFunc(walls, func(p int32) bool {
		return r.isFillet(p) || slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			return a.Convexity == graph.Concave && slices.Contains(walls, a.Other(p))
		})
	})
}
