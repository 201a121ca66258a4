package toolpath

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
	"millwright/core/motion"
)

// floor returns the floors of the operation's regions that lie at a height, beside what stays at walls.
func (w *worker) floor(z float64) (*arcpoly.Area, error) {
	wanted := w.patches()
	var loops []region.Loop
	view := w.in.Samples.In(w.in.Graph, w.setup.Frame)
	origin := view.Point(w.setup.Frame.Origin)
	for p := range w.in.Graph.Patches {
		if wanted != nil && !wanted[int32(p)] || !w.in.Graph.Facing(int32(p), w.setup.Frame.Z) ||
			math.Abs(w.setup.Frame.Local(w.in.Graph.Patches[p].Origin).Z-z+w.op.LeaveAxial) > motion.Resolution {
			continue
		}
		for _, c := range view.Chains([]int32{int32(p)}) {
			l := view.Loop(c)
			for i := range l {
				q := &l[i]
				q.From, q.To, q.Center = q.From.Sub(origin), q.To.Sub(origin), q.Center.Sub(origin)
			}
			loops = append(loops, l)
		}
	}
	floor, err := arcpoly.New(loops...)
	if err != nil {
		return nil, err
	}
	part, err := w.site.Part(z-w.op.LeaveAxial+geom.Resolution, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	return floor.Minus(part)
}
