package recognize

// Outlines of plates.
//
// The walls around a plate from one side to the other are cut in one pass along its edge and are one profile. Its cut
// corners are not chamfers, and its notches are not pockets to be cut from the side. The thickness of a plate is at
// most a twentieth of its width. Thinner sheet, which would bend under a cutter, may be narrower. Other sheet (package
// sheetmetal) counts if its outline turns inward, as at tabs and bays. Slots with a round end are separate, because a
// cutter of their width cuts them in a separate pass. Thicker parts, and rectangular outlines without a notch, are left
// to other rules.
//
// Cost: for each direction, one cut per free wall until an outline is found.

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// maxPlateRatio is the largest ratio of thickness to width of a plate.
const maxPlateRatio = 0.05

// A part thinner than maxSheetThickness (mm) is sheet if its thickness is at most maxSheetRatio of its width. Narrower
// parts are wire.
const (
	maxSheetThickness = 1.0
	maxSheetRatio     = 1.0 / 3
)

// plateOutline is the rule of an outline of a plate. Its planes are edges, which are not milled flat one by one.
const plateOutline = "outline of a plate"

// plates proposes the outlines of plates.
func plates(r *reading, v *verifier) {
	for d := range r.v.Dirs {
		if r.isSecond(d) {
			continue
		}
		w := r.wallsAlong(d)
		tried := make([]bool, len(r.g.Patches))
		for p, steep := range w.Steep {
			if !steep || tried[p] || !isPlateEdge(r, w, int32(p)) {
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
			if edges := edgesOfPlate(r, w, c.Patches); len(edges) > 0 {
				d := sideOf(r, &profileCandidate{d: d, patches: edges})
				f := r.along(feature.Profile, plateOutline, edges, r.v.Dirs[d])
				f.reasons = []string{fmt.Sprintf("%s round a plate from one side to the other, %s high.",
					count(len(edges), "upright face runs", "upright faces run"), mm(w.Z[p].Length()))}
				v.propose(f)
			}
		}
	}
}

// edgesOfPlate returns the walls of a ring that form one outline of a plate: of one height, around thin material, and
// more than the sides of a block. It returns nil if there is none.
func edgesOfPlate(r *reading, w *section.Walls, walls []int32) []int32 {
	z := w.Z[walls[0]]
	box := geom.EmptyBox()
	frame := geom.NewFrame(geom.Vec3{}, w.Dir, geom.Vec3{})
	for _, p := range walls {
		if o := w.Z[p]; !isPlateEdge(r, w, p) || math.Abs(o.Lo-z.Lo) > r.g.Length || math.Abs(o.Hi-z.Hi) > r.g.Length {
			return nil
		}
		r.g.EachPoint(p, func(at, _ geom.Vec3) { box = box.Add(frame.Local(at)) })
	}
	size := box.Max.Sub(box.Min)
	width := min(size.X, size.Y)
	isThin := z.Length() <= maxPlateRatio*width || z.Length() <= min(maxSheetThickness, maxSheetRatio*width)
	if !isThin {
		if r.thickness == 0 || math.Abs(z.Length()-r.thickness) > r.g.Length {
			return nil
		}
		walls = withoutSlots(r.partContext, walls)
	}
	if !turnInward(r.partContext, walls) && (!isThin || r.areSquare(walls)) {
		return nil
	}
	return walls
}

// withoutSlots returns the walls of a ring without those of slots: parallel planes that continue smoothly in one round
// end.
func withoutSlots(pc *partContext, walls []int32) []int32 {
	var slots []int32
	for _, p := range walls {
		if !pc.isFillet(p) {
			continue
		}
		flanks := pc.g.NeighborsWith(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && pc.g.IsPlane(q)
		})
		if len(flanks) == 2 && graph.Parallel(pc.g.Patches[flanks[0]].Axis, pc.g.Patches[flanks[1]].Axis) {
			slots = append(slots, p, flanks[0], flanks[1])
		}
	}
	slots = ascending(slots)
	return without(walls, func(p int32) bool { return contains(slots, p) })
}

// isPlateEdge reports whether a wall is free, vertical, rests on nothing and does not end at a turned groove.
func isPlateEdge(r *reading, w *section.Walls, p int32) bool {
	return !r.isTaken(p) && r.isVertical(p, w.Dir) && !r.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		f := r.ownerOf(q)
		isFoot := a.Convexity == graph.Concave || a.Convexity == graph.Smooth && r.isFillet(q)
		return isPerpendicular(a, w.Dir) && (isFoot || f != graph.None && r.features[f].rule == turnedGroove)
	})
}

// turnInward reports whether one of some walls is concave or two meet in an inner corner.
func turnInward(pc *partContext, walls []int32) bool {
	return slices.ContainsFunc(walls, func(p int32) bool {
		return pc.isFillet(p) || pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Concave && slices.Contains(walls, q)
		})
	})
}
