package dropcutter

// Dropping a tool onto a mesh: out(c) = max over points p of the mesh of z(p) - h(|p - c|).
//
// Method: the contact is at a corner, along a side or inside a facet (Chuang, Chen, Yau, A reverse engineering approach
// to generating interference-free tool paths, Int. J. Adv. Manuf. Technol. 19, 2002; OpenCAMLib uses the same cases
// from cell to triangles). Here each triangle raises the cells that it can:
//
//   - A tool touches a facet of slope g always at the same distance r from its axis, straight uphill. So the contacts
//     inside a facet form the facet itself, moved by r downhill and lowered by h(r). It is rasterized (scan.go).
//   - A corner raises the cells within the radius of the tool by the inverted tool outline.
//   - A side raises the nearby cells. The contact depends only on the slope of the side and the distance of the axis,
//     in closed form except at a corner radius (tool.go).
//
// Facets come first. Then only ridges and their corners count (ridge.go). A cell is skipped if it is already as high as
// the highest point of the side, less the tool height above the point of the side nearest to the axis.
//
// Every proposed value belongs to a point of the mesh, so no value is too high by more than rounding.
//
// Cost: O(area of the sides' and corners' surroundings within the radius of the tool).

import (
	"context"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// scene is the mesh above the grid, with the elements that a tool can touch.
type scene struct{ *raster.Scene }

// dropper is a tool over a scene.
type dropper struct {
	scene
	tool    *cutter
	step    float64 // mm
	reach   float64 // cells
	sides   []edge
	corners []int32
}

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	g := in.Grid
	out := Output{Z: grid.NewMap(g.Len())}
	if g.Len() == 0 {
		return out, ctx.Err()
	}
	above, err := raster.NewScene(ctx, in.Mesh, in.Frame, g, on)
	if err != nil {
		return Output{}, err
	}
	s := scene{above}
	d := &dropper{scene: s, tool: newCutter(in.Tool), step: g.Step}
	d.reach = d.tool.radius/g.Step + margin
	d.sides, d.corners = s.ridges(g.Step)
	if err := d.run(ctx, out.Z, on); err != nil {
		return Output{}, err
	}
	return out, nil
}

func (d *dropper) run(ctx context.Context, z []float32, on primitive.CPU) error {
	facets, err := d.Bin(ctx, d.reach+1, on)
	if err != nil {
		return err
	}
	sides, err := raster.NewBins(ctx, len(d.sides), d.Height, on, func(i int) (int, int) {
		a, b := &d.Points[d.sides[i].a], &d.Points[d.sides[i].b]
		if max(a.U, b.U)+d.reach < 0 || min(a.U, b.U)-d.reach > float64(d.Width-1) {
			return 1, 0
		}
		return raster.RowsBetween(min(a.V, b.V)-d.reach, max(a.V, b.V)+d.reach)
	})
	if err != nil {
		return err
	}
	corners, err := raster.NewBins(ctx, len(d.corners), d.Height, on, func(i int) (int, int) {
		p := &d.Points[d.corners[i]]
		if p.U+d.reach < 0 || p.U-d.reach > float64(d.Width-1) {
			return 1, 0
		}
		return raster.RowsBetween(p.V-d.reach, p.V+d.reach)
	})
	if err != nil {
		return err
	}
	return on.Each(ctx, raster.Bands(d.Height), func() func(int) {
		var radii []float64
		return func(band int) {
			lo, hi := raster.BandOf(band, d.Height)
			t := raster.Target{Z: z, Width: d.Width, First: lo, Last: hi - 1, Slack: margin}
			for _, i := range facets.Of(band) {
				radii = d.facet(&t, int(i), radii)
			}
			for _, i := range corners.Of(band) {
				d.corner(&t, &d.Points[d.corners[i]])
			}
			for _, i := range sides.Of(band) {
				d.side(&t, &d.Points[d.sides[i].a], &d.Points[d.sides[i].b])
			}
		}
	})
}

// facet raises the cells over which the tool touches a triangle inside. It returns radii, its scratch.
func (d *dropper) facet(t *raster.Target, i int, radii []float64) []float64 {
	p := d.Triangle(i)
	gu, gv, slope, ok := d.gradient(&p)
	if !ok {
		return radii
	}
	radii = d.tool.canReach(slope, radii[:0])
	for _, r := range radii {
		t.Triangle(&p, -gu*r/d.step, -gv*r/d.step, -d.tool.At(r))
	}
	return radii
}

// gradient returns the uphill direction of a triangle and its slope, false if it is vertical: its sides replace it
// then. A triangle that is as narrow from above as rounding makes it counts as vertical, because its direction would be
// rounding too.
func (d *dropper) gradient(p *[3]raster.Point) (gu, gv, slope float64, ok bool) {
	bu, bv, bz := (p[1].U-p[0].U)*d.step, (p[1].V-p[0].V)*d.step, p[1].Z-p[0].Z
	cu, cv, cz := (p[2].U-p[0].U)*d.step, (p[2].V-p[0].V)*d.step, p[2].Z-p[0].Z
	area := bu*cv - bv*cu
	longest := math.Sqrt(max(bu*bu+bv*bv, cu*cu+cv*cv, (bu-cu)*(bu-cu)+(bv-cv)*(bv-cv)))
	if math.Abs(area) <= upright*d.step*longest {
		return 0, 0, 0, false
	}
	gu, gv = (bz*cv-bv*cz)/area, (bu*cz-bz*cu)/area
	if slope = math.Hypot(gu, gv); slope > 0 {
		gu, gv = gu/slope, gv/slope
	}
	return gu, gv, slope, true
}

// corner raises the cells over which the tool touches a point.
func (d *dropper) corner(t *raster.Target, p *raster.Point) {
	first, last := raster.RowsBetween(p.V-d.reach, p.V+d.reach)
	rim := d.tool.radius * d.tool.radius
	for j := max(first, t.First); j <= min(last, t.Last); j++ {
		dv := float64(j) - p.V
		half := math.Sqrt(max((d.reach-dv)*(d.reach+dv), 0))
		left, right := raster.RowsBetween(p.U-half, p.U+half)
		left, right = max(left, 0), min(right, t.Width-1)
		row := t.Row(j)
		for i := left; i <= right; i++ {
			du := float64(i) - p.U
			d2 := (du*du + dv*dv) * d.step * d.step
			if d2 > rim || p.Z-d.tool.above(d2) <= float64(row[i]) {
				continue
			}
			if z := p.Z - d.tool.At(math.Sqrt(d2)); z > float64(row[i]) {
				row[i] = float32(z)
			}
		}
	}
}

// side raises the cells over which the tool touches a side between its ends.
func (d *dropper) side(t *raster.Target, a, b *raster.Point) {
	length := math.Hypot(b.U-a.U, b.V-a.V)
	tu, tv := (b.U-a.U)/length*d.step, (b.V-a.V)/length*d.step // mm along the side per column and row
	length *= d.step
	r := ridge{rise: (b.Z - a.Z) / length}
	most, rim := max(a.Z, b.Z), d.tool.radius*d.tool.radius
	first, last := raster.RowsBetween(min(a.V, b.V)-d.reach, max(a.V, b.V)+d.reach)
	for j := max(first, t.First); j <= min(last, t.Last); j++ {
		left, right := d.under(a, b, float64(j), t.Width)
		row := t.Row(j)
		along0, off0 := (float64(j)-a.V)*tv-a.U*tu, (float64(j)-a.V)*tu+a.U*tv
		for i := left; i <= right; i++ {
			along, off := along0+float64(i)*tu, off0-float64(i)*tv
			beyond := 0.0 // mm along the side from its end to the point next to the axis
			if along < 0 {
				beyond = along
			} else if along > length {
				beyond = along - length
			}
			nearest := off*off + beyond*beyond
			if nearest > rim || most-d.tool.above(nearest) <= float64(row[i]) {
				continue
			}
			r.z, r.off, r.back, r.ahead = a.Z+r.rise*along, math.Abs(off), -along, length-along
			if z := d.tool.over(&r, margin*d.step); z > float64(row[i]) {
				row[i] = float32(z)
			}
		}
	}
}

// under returns the columns of row y that may be within reach of the side from a to b.
func (d *dropper) under(a, b *raster.Point, y float64, width int) (left, right int) {
	lo, hi := raster.Within(a.V, b.V-a.V, y-d.reach, y+d.reach, 0, 1)
	if lo > hi {
		return 0, -1
	}
	ua, ub := a.U+lo*(b.U-a.U), a.U+hi*(b.U-a.U)
	off := max(min(a.V, b.V)-y, y-max(a.V, b.V), 0)
	half := math.Sqrt(max((d.reach-off)*(d.reach+off), 0))
	left, right = raster.RowsBetween(min(ua, ub)-half, max(ua, ub)+half)
	return max(left, 0), min(right, width-1)
}
