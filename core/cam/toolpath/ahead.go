package toolpath

import (
	"context"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/parallel"
)

// Operations run in sequence, as each cuts the stock that earlier ones leave. But the limits that the part sets for a
// tool depend on the part alone. Their computation is most of the work for round parts and runs ahead, on all
// processors. The first user of a height, the operation or this code, computes its result or finds it, so the motion is
// the same.

// partLimit is a query of an operation for the limits that the part sets.
type partLimit struct {
	site  *access.Site
	tool  *toolprofile.Assembly
	z     float64
	leave access.StockToLeave
	in    access.Window
}

// ahead begins to find where the part stops the tools of all operations, in their order. The function that it returns
// ends that.
func ahead(ctx context.Context, in *Input, sites []*access.Site, assemblies []toolprofile.Assembly) (stop func()) {
	var list []partLimit
	for i := range in.Plan.Setups {
		setup := &in.Plan.Setups[i]
		for k := range setup.Operations {
			w := newWorker(ctx, in, setup, sites[i], &setup.Operations[k], assemblies)
			if len(w.op.Beside) > 0 {
				continue // where there is something to clear is known when the others have been
			}
			in := window(in, setup, w.op)
			for _, z := range w.heights() {
				list = append(list, partLimit{sites[i], &assemblies[w.op.Tool], z, w.stockToLeave(), in})
			}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// Users of a failed result get its error.
		_ = parallel.For(ctx, len(list), 1, func(i int) {
			w := &list[i]
			_, _ = w.site.Gouging(w.tool, w.z, w.leave, w.in)
		})
	}()
	return func() {
		cancel()
		<-ended
	}
}

// heights returns where the operation cuts level by level.
func (w *operationBuilder) heights() []float64 {
	switch w.op.Strategy {
	case planning.Pocket:
		var heights []float64
		for _, b := range w.bands() {
			heights = append(heights, b.heights()...)
		}
		return heights
	case planning.Face:
		return w.levels()
	case planning.Contour:
		heights := steps(w.op.Top, w.op.Bottom, w.op.Cutting.Axial.Value)
		for _, z := range w.summits() { // a slope in front ends below the top of its wall
			if z > w.op.Bottom+motion.Resolution && z < w.op.Top-motion.Resolution {
				heights = append(heights, z)
			}
		}
		heights = descending(heights)
		if w.in.Plan.Tools[w.op.Tool].Tool.CornerRadius > 0 {
			for i := range heights {
				// where a fillet ends level, a round corner would be kept far off it otherwise
				heights[i] += access.CornerFacetDrop
			}
		}
		return heights
	}
	return nil
}
