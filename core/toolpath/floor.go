package toolpath

import (
	"math"

	"millwright/core/feature/shadow"
	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/motion"
)

// floor returns the floors of the operation's regions that lie at a height, beside what stays at walls.
func (w *worker) floor(z float64) (*arcpoly.Area, error) {
	wanted := w.patches()
	var floors []int32
	for p := range w.in.Graph.Patches {
		if wanted != nil && !wanted[int32(p)] || !w.in.Graph.Facing(int32(p), w.setup.Frame.Z) ||
			math.Abs(w.setup.Frame.Local(w.in.Graph.Patches[p].Origin).Z-z+w.op.LeaveAxial) > motion.Resolution {
			continue
		}
		floors = append(floors, int32(p))
	}
	floor, err := shadow.Flat(w.in.Samples.In(w.in.Graph, w.setup.Frame), floors)
	if err != nil {
		return nil, err
	}
	part, err := w.site.Part(z-w.op.LeaveAxial+geom.Resolution, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	return floor.Minus(part)
}
