package toolpath

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// target returns the area to clear at a height: all stock outside the part and its stock to leave, or the floor there.
func (w *operationBuilder) target(z float64) (*arcpoly.Area, error) {
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
		if err == nil {
			target, err = w.withoutBlur(target)
		}
		if err == nil {
			target, err = w.withoutSkin(target, z)
		}
		if err != nil || len(w.op.Beside) == 0 {
			return target, err
		}
		return w.besideOrOver(target, z)
	})
}

// withoutSkin returns an area at a height without the layer of axial stock that earlier operations of the setup leave,
// if this operation leaves less. Floors under that layer are finished by themselves, or as walls of other setups. Only
// corners are higher.
func (w *operationBuilder) withoutSkin(a *arcpoly.Area, z float64) (*arcpoly.Area, error) {
	skin := w.op.LeaveAxial
	for i := range w.setup.Operations {
		o := &w.setup.Operations[i]
		if o == w.op {
			break
		}
		skin = max(skin, o.LeaveAxial)
	}
	if skin == w.op.LeaveAxial || a.IsEmpty() {
		return a, nil
	}
	thick, err := w.site.Stock.Above(z - w.op.LeaveAxial + skin)
	if err != nil {
		return nil, err
	}
	return arcpoly.Intersection(a, thick)
}

// withoutBlur returns an area without strips that are so thin that they may be what earlier setups left only because of
// the cells in which they handed the stock on. What is there of them stays for the finishing of walls, or is found by
// the verification.
func (w *operationBuilder) withoutBlur(a *arcpoly.Area) (*arcpoly.Area, error) {
	blur := w.site.Stock.Blur()
	if blur == 0 || a.IsEmpty() {
		return a, nil
	}
	const half = 0.55 // of a cell, with the rounding of areas
	thick, err := opened(a, half*blur)
	if err != nil {
		return nil, err
	}
	return arcpoly.Intersection(a, thick)
}

// besideOrOver returns the connected parts of an area that the operation's faces bound, or that lie over their floors.
// A floor bounds material at its height if fillets rise from it.
func (w *operationBuilder) besideOrOver(a *arcpoly.Area, z float64) (*arcpoly.Area, error) {
	patches := w.patchesOf(w.op.Beside)
	for _, p := range slices.Collect(maps.Keys(patches)) {
		for _, x := range w.in.Graph.Patches[p].Arcs {
			q := w.in.Graph.Arcs[x].Other(p)
			if w.in.Graph.Facing(q, w.setup.Frame.Z) && math.Abs(w.heightOf(q)-z) <= motion.Resolution {
				patches[q] = true
			}
		}
	}
	var kept []*arcpoly.Area
	for _, part := range a.Parts() {
		if isBoundedBy(part, patches) {
			kept = append(kept, part)
			continue
		}
		floors, err := w.floorsUnder(part)
		if err != nil {
			return nil, err
		}
		if len(floors) > 0 {
			kept = append(kept, part)
		}
	}
	return arcpoly.Union(kept...)
}

// floor is a projected floor next to which the operation clears.
type floor struct {
	patch int32
	area  *arcpoly.Area
}

// layFloors lays the floors flat beside which the operation clears.
func (w *operationBuilder) layFloors() error {
	for p := range w.patchesOf(w.op.Beside) {
		if !w.in.Graph.Facing(p, w.setup.Frame.Z) {
			continue
		}
		area, err := w.laid([]int32{p})
		if err != nil {
			return err
		}
		w.beneath = append(w.beneath, floor{p, area})
	}
	slices.SortFunc(w.beneath, func(a, b floor) int { return cmp.Compare(a.patch, b.patch) })
	return nil
}

// floorsUnder lists those of these floors that an area lies over.
func (w *operationBuilder) floorsUnder(a *arcpoly.Area) (floors []int32, err error) {
	for _, f := range w.beneath {
		over, err := arcpoly.Intersection(a, f.area)
		if err != nil {
			return nil, err
		}
		if over.Size() >= trifle {
			floors = append(floors, f.patch)
		}
	}
	return floors, nil
}

// at returns the connected parts of an area that some patches bound; nil: any patches.
func at(a *arcpoly.Area, patches map[int32]bool) (*arcpoly.Area, error) {
	var kept []*arcpoly.Area
	for _, part := range a.Parts() {
		if isBoundedBy(part, patches) {
			kept = append(kept, part)
		}
	}
	return arcpoly.Union(kept...)
}

// isBoundedBy reports whether some patches bound an area; nil: any patches.
func isBoundedBy(a *arcpoly.Area, patches map[int32]bool) bool {
	return slices.ContainsFunc(a.Loops(), func(l planar.Loop) bool {
		return slices.ContainsFunc(l, func(p planar.Segment) bool { return isWanted(p.Tag, patches) })
	})
}

// floor returns the floors of the operation's regions at a height, without the stock to leave at walls. If an earlier
// operation of the setup has finished some of them, it returns the area with remaining stock.
func (w *operationBuilder) floor(z float64) (*arcpoly.Area, error) {
	floor, err := w.laid(w.floors(z))
	if err != nil {
		return nil, err
	}
	part, err := w.site.Part(z-w.op.LeaveAxial+geom.Resolution, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	if floor, err = floor.Minus(part); err != nil || !w.follows() {
		return floor, err
	}
	rest, err := w.uncut(z, w.op.LeaveRadial)
	if err != nil {
		return nil, err
	}
	return arcpoly.Intersection(floor, rest)
}

// floors lists the floors of the operation's regions that lie at a height.
func (w *operationBuilder) floors(z float64) (floors []int32) {
	wanted := w.patches()
	for p := range w.in.Graph.Patches {
		if wanted != nil && !wanted[int32(p)] || !w.in.Graph.Facing(int32(p), w.setup.Frame.Z) ||
			math.Abs(w.heightOf(int32(p))-z+w.op.LeaveAxial) > motion.Resolution {
			continue
		}
		floors = append(floors, int32(p))
	}
	return floors
}

// heightOf returns the height of a floor in the setup.
func (w *operationBuilder) heightOf(p int32) float64 {
	return w.setup.Frame.Local(w.in.Graph.Patches[p].Origin).Z
}

func (w *operationBuilder) laid(patches []int32) (*arcpoly.Area, error) {
	return shadow.ProjectedArea(w.in.Samples.In(w.in.Graph, w.setup.Frame), patches)
}
