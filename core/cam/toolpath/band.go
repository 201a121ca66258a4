package toolpath

import (
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Depth bands: the heights that an operation clears, in the order of the work.
//
// A tool removes one axial depth in one pass. So the material is divided into bands of at most that depth. In each
// band the tool first clears the bottom, over the whole section at full depth. Then it clears the floors within the
// band, from the lowest up. There only the material over the floor is left. So each place is cut once in each band,
// and a floor adds no pass over the rest of the section.

// band is a layer of material that the tool removes in one pass at each place, mm.
type band struct {
	top, bottom float64
	floors      []float64 // within the band, ascending
}

// bands divides the material between two heights into bands of at most a depth; 0: one band. As few bands as possible
// are made. Where that leaves a choice, a band ends at a floor, below which the section is smaller, else all bands are
// equally deep.
func bands(top, bottom, depth float64, floors []float64) []band {
	within := slices.DeleteFunc(descending(slices.Clone(floors)), func(z float64) bool {
		return z <= bottom+motion.Resolution || z >= top-motion.Resolution
	})
	var out []band
	for {
		b := band{top: top, bottom: bottom}
		if depth > 0 && top-bottom > depth+motion.Resolution {
			count := float64(int((top-bottom)/depth + 1 - 1e-6))
			b.bottom = top - (top-bottom)/count
			for _, z := range within {
				if z <= b.bottom && z >= top-depth-motion.Resolution {
					b.bottom = z
				}
			}
		}
		for len(within) > 0 && within[0] > b.bottom-motion.Resolution {
			if within[0] > b.bottom+motion.Resolution {
				b.floors = slices.Insert(b.floors, 0, within[0])
			}
			within = within[1:]
		}
		out = append(out, b)
		if b.bottom <= bottom+motion.Resolution {
			return out
		}
		top = b.bottom
	}
}

// heights returns the heights of a band in the order of the work.
func (b *band) heights() []float64 { return append([]float64{b.bottom}, b.floors...) }

// deepLevel is the ratio of the depth of a level to the axial depth up to which one level with a smaller stepover
// replaces two: as much material is removed in a minute, and the longer cut saves a pass over the section.
const deepLevel = 1.5

// bands returns the bands of the operation's material.
func (w *operationBuilder) bands() []band {
	if w.op.Floor {
		return []band{{top: w.op.Top, bottom: w.op.Bottom}}
	}
	return bands(w.op.Top, w.op.Bottom, w.levelDepth(), w.floorHeights())
}

// levelDepth returns the largest depth of a level, mm.
func (w *operationBuilder) levelDepth() float64 {
	axial := w.op.Cutting.Axial.Value
	if !w.isBounded() {
		return axial
	}
	return max(axial, min(deepLevel*axial, w.tool.Tool.FluteLength))
}

// overWalls adds heights at the ends of the walls that the setup finishes later, if the part is wider below. Otherwise
// the stock to leave of the next height below would stay above these ends, where no operation removes it.
func (w *operationBuilder) overWalls(list []band) ([]band, error) {
	if w.op.Floor {
		return list, nil
	}
	part := func(z float64) (*arcpoly.Area, error) { return w.site.Part(z-w.op.LeaveAxial, w.op.LeaveRadial) }
	var heights, ends []float64
	for i := range list {
		heights = append(heights, list[i].heights()...)
	}
	heights = descending(heights)
	for i := range w.setup.Operations {
		o := &w.setup.Operations[i]
		next := slices.IndexFunc(heights, func(z float64) bool { return z < o.Bottom+motion.Resolution })
		if o.Strategy != planning.Contour || next < 0 || o.Bottom > w.op.Top-motion.Resolution ||
			o.Bottom-heights[next] < motion.Resolution {
			continue
		}
		here, err := part(o.Bottom)
		if err != nil {
			return nil, err
		}
		below, err := part(heights[next])
		if err != nil {
			return nil, err
		}
		if here == below {
			continue
		}
		wider, err := below.Minus(here)
		if err != nil {
			return nil, err
		}
		if wider, err = at(wider, w.patchesOf(o.Regions)); err != nil {
			return nil, err
		}
		if wider.Size() > trifle {
			ends = append(ends, o.Bottom)
		}
	}
	if len(ends) == 0 {
		return list, nil
	}
	return bands(w.op.Top, w.op.Bottom, w.levelDepth(), append(ends, w.floorHeights()...)), nil
}

// floorHeights returns the heights of the part's floors and of the summits of its slopes within the operation, with
// their stock to leave. Without a level at a summit, all between two levels would stay over it.
func (w *operationBuilder) floorHeights() (heights []float64) {
	add := func(z float64) {
		if z += w.op.LeaveAxial; z > w.op.Bottom+motion.Resolution && z < w.op.Top-motion.Resolution {
			heights = append(heights, z)
		}
	}
	for p := range w.in.Graph.Patches {
		if !w.in.Graph.Facing(int32(p), w.setup.Frame.Z) {
			continue
		}
		add(w.heightOf(int32(p)))
	}
	for _, z := range w.summits() {
		add(z)
	}
	return heights
}

// summits returns the heights of the slopes that some setup finishes and that no adjacent patch but a wall is higher
// than.
func (w *operationBuilder) summits() (heights []float64) {
	g := w.in.Graph
	along, ground := g.HeightsAlong(w.setup.Frame.Z), w.setup.Frame.Origin.Dot(w.setup.Frame.Z)
	for i := range w.in.Plan.Setups {
		for k := range w.in.Plan.Setups[i].Operations {
			o := &w.in.Plan.Setups[i].Operations[k]
			if o.Strategy != planning.Surface {
				continue
			}
			for p := range w.patchesOf(o.Regions) {
				top := along.Of(p).Hi
				if !slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
					q := g.Arcs[x].Other(p)
					return along.Of(q).Hi > top+motion.Resolution && g.Slopes(q, w.setup.Frame.Z).Hi > graph.DirectionTolerance
				}) {
					heights = append(heights, round(top-ground))
				}
			}
		}
	}
	slices.Sort(heights)
	return slices.Compact(heights)
}
