package toolpath

import (
	"math"
	"slices"

	"millwright/core/feature/shadow"
	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
	"millwright/core/motion"
)

// target returns what is to be cleared at a height: all stock beside what stays on the part, or the floor there.
func (w *worker) target(z float64) (*arcpoly.Area, error) {
	if w.op.Floor {
		return w.floor(z)
	}
	stock, err := w.site.Stock.Above(z)
	if err != nil || stock.IsEmpty() {
		return nil, err
	}
	part, err := w.site.Part(z-w.op.LeaveAxial, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	return w.layer.target.get([2]*arcpoly.Area{stock, part}, func() (*arcpoly.Area, error) {
		target, err := stock.Minus(part)
		if err != nil || len(w.op.Beside) == 0 {
			return target, err
		}
		return at(target, w.patchesOf(w.op.Beside))
	})
}

// at returns the connected parts of an area that some patches bound; nil: any patches.
func at(a *arcpoly.Area, patches map[int32]bool) (*arcpoly.Area, error) {
	var kept []*arcpoly.Area
	for _, part := range a.Parts() {
		if slices.ContainsFunc(part.Loops(), func(l region.Loop) bool {
			return slices.ContainsFunc(l, func(p region.Piece) bool { return isWanted(p.Tag, patches) })
		}) {
			kept = append(kept, part)
		}
	}
	return arcpoly.Union(kept...)
}

// floor returns the floors of the operation's regions that lie at a height, beside what stays at walls.
func (w *worker) floor(z float64) (*arcpoly.Area, error) {
	floor, err := w.laid(w.floors(z))
	if err != nil {
		return nil, err
	}
	part, err := w.site.Part(z-w.op.LeaveAxial+geom.Resolution, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	return floor.Minus(part)
}

// floors lists the floors of the operation's regions that lie at a height.
func (w *worker) floors(z float64) (floors []int32) {
	wanted := w.patches()
	for p := range w.in.Graph.Patches {
		if wanted != nil && !wanted[int32(p)] || !w.in.Graph.Facing(int32(p), w.setup.Frame.Z) ||
			math.Abs(w.setup.Frame.Local(w.in.Graph.Patches[p].Origin).Z-z+w.op.LeaveAxial) > motion.Resolution {
			continue
		}
		floors = append(floors, int32(p))
	}
	return floors
}

func (w *worker) laid(patches []int32) (*arcpoly.Area, error) {
	return shadow.Flat(w.in.Samples.In(w.in.Graph, w.setup.Frame), patches)
}
