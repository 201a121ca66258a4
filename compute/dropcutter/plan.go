package dropcutter

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// plan is the work of a drop-cutter in the flat form for a device: the elements that raise cells, and for every tile of
// planTile × planTile cells, row by row, a list of the elements that reach it, the highest first. All lengths across
// are in columns and rows from the center of cell 0.
type plan struct {
	Across, Down int // tiles

	Facets  []flatFacet
	Sides   [][6]float64 // both ends, as in flatFacet
	Corners [][3]float64
	Spans   []planSpan // of the tool
	Kinks   []float64  // mm from its axis, where its slope may jump upward
	Radius  float64    // mm

	// The items that may raise cells of tile t are Items[Start[t]:Start[t+1]].
	Start []uint32
	Items []planItem
}

// planTile is the number of cells along each side of a tile.
const planTile = 16

// flatFacet is a facet, moved to where the tool touches it at one distance from its axis.
type flatFacet struct {
	Corner       [9]float64 // u, v (cells) and z (mm) of each corner
	Du, Dv, Lift float64    // cells and mm, of the move
}

// planSpan is a span of a tool's underside, as in package toolprofile; Slope is the slope of a line.
type planSpan struct{ From, To, FromHeight, Height, Radius, CenterX, Center, Slope float64 }

// planItem is a facet (kind 0), side (1) or corner (2), as number << 2 | kind, and a height in mm above which, but
// for rounding, it raises no cell.
type planItem struct {
	Code uint32
	Most float32
}

// newPlan prepares the work; in has been checked. ok is false for more than most items.
func newPlan(ctx context.Context, in *Input, most int) (p *plan, ok bool, err error) {
	g := in.Grid
	above, err := raster.NewScene(ctx, in.Mesh, in.Frame, g, primitive.OnCPU(1))
	if err != nil {
		return nil, false, err
	}
	s := scene{above}
	d := &dropper{scene: s, tool: newCutter(in.Tool), step: g.Step}
	d.reach = d.tool.radius/g.Step + margin
	d.sides, d.corners = s.ridges(g.Step)
	p = &plan{
		Across: (g.Width + planTile - 1) / planTile, Down: (g.Height + planTile - 1) / planTile,
		Kinks: d.tool.kinks, Radius: d.tool.radius,
	}
	for i := range d.tool.Underside {
		t := &d.tool.Underside[i]
		k := planSpan{t.From, t.To, t.FromHeight, t.Height, t.Radius, t.CenterX, t.Center, 0}
		if t.Radius == 0 {
			k.Slope = slopeAt(t, t.From)
		}
		p.Spans = append(p.Spans, k)
	}
	l := planner{plan: p, grid: g}
	if err := l.gather(ctx, d); err != nil {
		return nil, false, err
	}
	return p, l.bin(most), nil
}

// planner makes a plan.
type planner struct {
	*plan
	grid  grid.Grid
	items []planItem
	boxes [][4]float64 // of each item: least u, v and greatest u, v of the cells that it may raise
}

const (
	planFacet = iota
	planSide
	planCorner
)

// gather lists the elements that the tool can touch.
func (l *planner) gather(ctx context.Context, d *dropper) error {
	var radii []float64
	for i := range d.Triangles {
		const often = 1 << 14
		if i%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p := d.Triangle(i)
		gu, gv, slope, ok := d.gradient(&p)
		if !ok {
			continue
		}
		radii = d.tool.canReach(slope, radii[:0])
		for _, r := range radii {
			f := flatFacet{Du: -gu * r / d.step, Dv: -gv * r / d.step, Lift: -d.tool.At(r)}
			for k := range p {
				f.Corner[3*k], f.Corner[3*k+1], f.Corner[3*k+2] = p[k].U, p[k].V, p[k].Z
			}
			l.add(planFacet, len(l.Facets), margin, f.Lift, f.Du, f.Dv, p[:]...)
			l.Facets = append(l.Facets, f)
		}
	}
	for _, e := range d.sides {
		a, b := d.Points[e.a], d.Points[e.b]
		l.add(planSide, len(l.Sides), d.reach, 0, 0, 0, a, b)
		l.Sides = append(l.Sides, [6]float64{a.U, a.V, a.Z, b.U, b.V, b.Z})
	}
	for _, c := range d.corners {
		q := d.Points[c]
		l.add(planCorner, len(l.Corners), d.reach, 0, 0, 0, q)
		l.Corners = append(l.Corners, [3]float64{q.U, q.V, q.Z})
	}
	return nil
}

// add lists an item that raises cells around its points, moved and lifted.
func (l *planner) add(kind, number int, around, lift, du, dv float64, points ...raster.Point) {
	box := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	top := math.Inf(-1)
	for _, p := range points {
		box[0], box[1] = min(box[0], p.U+du-around), min(box[1], p.V+dv-around)
		box[2], box[3] = max(box[2], p.U+du+around), max(box[3], p.V+dv+around)
		top = max(top, p.Z)
	}
	if box[2] < 0 || box[3] < 0 || box[0] > float64(l.grid.Width-1) || box[1] > float64(l.grid.Height-1) {
		return
	}
	l.items = append(l.items, planItem{uint32(number)<<2 | uint32(kind), raster.Narrow(top+lift, true)})
	l.boxes = append(l.boxes, box)
}

// bin sorts the items by height into the tiles; false for more than most.
func (l *planner) bin(most int) bool {
	order := make([]int32, len(l.items))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(l.items[b].Most, l.items[a].Most), cmp.Compare(a, b))
	})
	l.Start = make([]uint32, l.Across*l.Down+1)
	total := 0
	for i := range l.boxes {
		l.visit(&l.boxes[i], func(t int) { l.Start[t+1]++; total++ })
		if total > most {
			return false
		}
	}
	for t := range l.Across * l.Down {
		l.Start[t+1] += l.Start[t]
	}
	next := slices.Clone(l.Start)
	l.Items = make([]planItem, total)
	for _, i := range order {
		l.visit(&l.boxes[i], func(t int) { l.Items[next[t]] = l.items[i]; next[t]++ })
	}
	return true
}

// visit calls f for the tiles of a box.
func (l *planner) visit(box *[4]float64, f func(tile int)) {
	first := func(x float64) int { return int(math.Ceil(max(x, 0))) / planTile }
	last := func(x float64, n int) int { return int(math.Floor(min(x, float64(n-1)))) / planTile }
	for j := first(box[1]); j <= last(box[3], l.grid.Height); j++ {
		for i := first(box[0]); i <= last(box[2], l.grid.Width); i++ {
			f(j*l.Across + i)
		}
	}
}
