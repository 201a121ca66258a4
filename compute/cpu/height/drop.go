package height

// Dropping a tool onto a mesh: out(c) = max over points p of the mesh of z(p) - h(|p - c|).
//
// Method: the contact is at a corner, along a side or inside of a facet (Chuang, Chen, Yau, A reverse engineering
// approach to generating interference-free tool paths, Int. J. Adv. Manuf. Technol. 19, 2002; OpenCAMLib does the
// same from cell to triangles). Here each triangle raises the cells it can:
//
//   - A tool touches a facet of slope g always at the same distance r from its axis, straight uphill. So all
//     contacts inside of a facet are the facet itself, moved by r downhill and lowered by h(r): it is rasterised
//     (scan.go).
//   - A corner raises the cells within the radius of the tool by the outline upside down.
//   - A side raises the cells beside it. Where it is touched depends on its slope and the distance of the axis
//     only, in closed form but for a corner radius (tool.go).
//
// Facets come first. Then only ridges and their corners count (ridge.go), and a cell that is as high already as
// the highest point of a side, less the tool above the point of it nearest to the axis, is skipped.
//
// Every value proposed is that of a point of the mesh, so none is too high by more than rounding.
//
// Cost: O(area of the sides' and corners' surroundings within the radius of the tool).

import (
	"context"
	"math"

	"millwright/compute/kernel"
)

// dropper is a tool over a scene.
type dropper struct {
	*scene
	tool    *cutter
	step    float64 // mm
	reach   float64 // cells
	sides   []edge
	corners []int32
}

// Drop computes kernel.DropCutterOutput; in has been checked.
func Drop(ctx context.Context, in *kernel.DropCutterInput, each Each) (kernel.DropCutterOutput, error) {
	g := in.Grid
	out := kernel.DropCutterOutput{Z: newMap(g.Len())}
	if g.Len() == 0 {
		return out, ctx.Err()
	}
	s, err := newScene(ctx, in.Mesh, in.Frame, g, each)
	if err != nil {
		return kernel.DropCutterOutput{}, err
	}
	d := &dropper{scene: s, tool: newCutter(in.Tool), step: g.Step}
	d.reach = d.tool.radius/g.Step + kernel.Slack
	d.sides, d.corners = s.ridges(g.Step)
	if err := d.run(ctx, out.Z, each); err != nil {
		return kernel.DropCutterOutput{}, err
	}
	return out, nil
}

func (d *dropper) run(ctx context.Context, z []float32, each Each) error {
	facets, err := d.bin(ctx, d.reach+1, each)
	if err != nil {
		return err
	}
	sides, err := newBins(ctx, len(d.sides), d.height, each, func(i int) (int, int) {
		a, b := &d.points[d.sides[i].a], &d.points[d.sides[i].b]
		if max(a.u, b.u)+d.reach < 0 || min(a.u, b.u)-d.reach > float64(d.width-1) {
			return 1, 0
		}
		return rowsBetween(min(a.v, b.v)-d.reach, max(a.v, b.v)+d.reach)
	})
	if err != nil {
		return err
	}
	corners, err := newBins(ctx, len(d.corners), d.height, each, func(i int) (int, int) {
		p := &d.points[d.corners[i]]
		if p.u+d.reach < 0 || p.u-d.reach > float64(d.width-1) {
			return 1, 0
		}
		return rowsBetween(p.v-d.reach, p.v+d.reach)
	})
	if err != nil {
		return err
	}
	return each(ctx, bands(d.height), func() func(int) {
		var radii []float64
		return func(band int) {
			lo, hi := bandOf(band, d.height)
			t := target{z: z, width: d.width, first: lo, last: hi - 1, slack: kernel.Slack}
			for _, i := range facets.of(band) {
				radii = d.facet(&t, int(i), radii)
			}
			for _, i := range corners.of(band) {
				d.corner(&t, &d.points[d.corners[i]])
			}
			for _, i := range sides.of(band) {
				d.side(&t, &d.points[d.sides[i].a], &d.points[d.sides[i].b])
			}
		}
	})
}

// facet raises the cells over which the tool touches a triangle inside. It returns radii, its scratch.
func (d *dropper) facet(t *target, i int, radii []float64) []float64 {
	p := d.scene.triangle(i)
	gu, gv, slope, ok := d.gradient(&p)
	if !ok {
		return radii
	}
	radii = d.tool.reaches(slope, radii[:0])
	for _, r := range radii {
		t.triangle(&p, -gu*r/d.step, -gv*r/d.step, -d.tool.At(r))
	}
	return radii
}

// gradient returns the direction uphill on a triangle and its slope, false where it is upright: its sides stand for it
// then.
func (d *dropper) gradient(p *[3]point) (gu, gv, slope float64, ok bool) {
	bu, bv, bz := (p[1].u-p[0].u)*d.step, (p[1].v-p[0].v)*d.step, p[1].z-p[0].z
	cu, cv, cz := (p[2].u-p[0].u)*d.step, (p[2].v-p[0].v)*d.step, p[2].z-p[0].z
	area := bu*cv - bv*cu
	if area == 0 {
		return 0, 0, 0, false
	}
	gu, gv = (bz*cv-bv*cz)/area, (bu*cz-bz*cu)/area
	if slope = math.Hypot(gu, gv); slope > 0 {
		gu, gv = gu/slope, gv/slope
	}
	return gu, gv, slope, slope <= math.MaxFloat64
}

// corner raises the cells over which the tool touches a point.
func (d *dropper) corner(t *target, p *point) {
	first, last := rowsBetween(p.v-d.reach, p.v+d.reach)
	rim := d.tool.radius * d.tool.radius
	for j := max(first, t.first); j <= min(last, t.last); j++ {
		dv := float64(j) - p.v
		half := math.Sqrt(max((d.reach-dv)*(d.reach+dv), 0))
		left, right := rowsBetween(p.u-half, p.u+half)
		left, right = max(left, 0), min(right, t.width-1)
		row := t.row(j)
		for i := left; i <= right; i++ {
			du := float64(i) - p.u
			d2 := (du*du + dv*dv) * d.step * d.step
			if d2 > rim || p.z-d.tool.above(d2) <= float64(row[i]) {
				continue
			}
			if z := p.z - d.tool.At(math.Sqrt(d2)); z > float64(row[i]) {
				row[i] = float32(z)
			}
		}
	}
}

// side raises the cells over which the tool touches a side between its ends.
func (d *dropper) side(t *target, a, b *point) {
	length := math.Hypot(b.u-a.u, b.v-a.v)
	tu, tv := (b.u-a.u)/length*d.step, (b.v-a.v)/length*d.step // mm along the side per column and row
	length *= d.step
	r := ridge{rise: (b.z - a.z) / length}
	most, rim := max(a.z, b.z), d.tool.radius*d.tool.radius
	first, last := rowsBetween(min(a.v, b.v)-d.reach, max(a.v, b.v)+d.reach)
	for j := max(first, t.first); j <= min(last, t.last); j++ {
		left, right := d.under(a, b, float64(j), t.width)
		row := t.row(j)
		along0, off0 := (float64(j)-a.v)*tv-a.u*tu, (float64(j)-a.v)*tu+a.u*tv
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
			r.z, r.off, r.back, r.ahead = a.z+r.rise*along, math.Abs(off), -along, length-along
			if z := d.tool.over(&r, kernel.Slack*d.step); z > float64(row[i]) {
				row[i] = float32(z)
			}
		}
	}
}

// under returns the columns of row y that may be within reach of the side from a to b.
func (d *dropper) under(a, b *point, y float64, width int) (left, right int) {
	lo, hi := within(a.v, b.v-a.v, y-d.reach, y+d.reach, 0, 1)
	if lo > hi {
		return 0, -1
	}
	ua, ub := a.u+lo*(b.u-a.u), a.u+hi*(b.u-a.u)
	off := max(min(a.v, b.v)-y, y-max(a.v, b.v), 0)
	half := math.Sqrt(max((d.reach-off)*(d.reach+off), 0))
	left, right = rowsBetween(min(ua, ub)-half, max(ua, ub)+half)
	return max(left, 0), min(right, width-1)
}
