package scallop

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Level passes where the tip surface is so steep that a cell spans more than a pass: slopes over acos(g/s).
//
// Method: the levels are isolines ½, 1½ … of the depth in passes, ∫dz/Δz from the top of the steep parts, where Δz is
// the drop from pass to pass that the metric asks for. The isolines of the map are a guess. Each of their points moves
// along the gradient until the exact tip is at the level: secants, which aim half of the bracket asked beside the root,
// and bisection where the surface jumps.

// depth is the number of passes from the top of the steep parts down, as a function of the height.
type depth struct {
	top    float64 // mm
	step   float64 // mm
	passes []float64
}

// at returns the passes down to a height.
func (d *depth) at(z float64) float64 {
	x := (d.top - z) / d.step
	i := min(max(int(math.Floor(x)), 0), len(d.passes)-2)
	return d.passes[i] + (x-float64(i))*(d.passes[i+1]-d.passes[i])
}

// height returns the height after some passes.
func (d *depth) height(passes float64) float64 {
	i, _ := slices.BinarySearch(d.passes, passes)
	i = min(max(i-1, 0), len(d.passes)-2)
	return d.top - d.step*(float64(i)+(passes-d.passes[i])/(d.passes[i+1]-d.passes[i]))
}

// steepParts returns the parts of the mask that get level passes. Slopes are those of the mean normal within ±s, and
// small parts belong to their surroundings.
func (t *tips) steepParts() []bool {
	w, h := t.Grid.Width, t.Grid.Height
	limit := t.Grid.Step / t.s // cosine of the slope
	r := max(int(t.s/t.Grid.Step), 1)
	steep, gentle := make([]bool, len(t.mask)), make([]bool, len(t.mask))
	wide := (w + 1) // of the sums of normals over the cells below and to the left
	sums := make([]geom.Vec3, wide*(h+1))
	for k, in := range t.mask {
		at := (k/w+1)*wide + k%w + 1
		sums[at] = sums[at-1].Add(sums[at-wide]).Sub(sums[at-wide-1])
		if in {
			sums[at] = sums[at].Add(geom.Vec3{X: -t.p[k], Y: -t.q[k], Z: 1}.Unit())
		}
	}
	for k, in := range t.mask {
		if in {
			i0, i1, j0, j1 := max(k%w-r, 0), min(k%w+r, w-1)+1, max(k/w-r, 0)*wide, (min(k/w+r, h-1)+1)*wide
			n := sums[j1+i1].Sub(sums[j1+i0]).Sub(sums[j0+i1]).Add(sums[j0+i0])
			steep[k] = n.Z < limit*n.Norm()
			gentle[k] = !steep[k]
		}
	}
	for _, set := range [2][2][]bool{{steep, gentle}, {gentle, steep}} {
		of, count := t.parts(set[0])
		area := make([]float64, count)
		for k, part := range of {
			if part >= 0 {
				area[part] += t.Grid.Step * t.Grid.Step * math.Sqrt(1+t.p[k]*t.p[k]+t.q[k]*t.q[k])
			}
		}
		for k, part := range of {
			if part >= 0 && area[part] < 9*t.s*t.s {
				set[0][k], set[1][k] = false, true
			}
		}
	}
	return steep
}

// waterline is a line of a steep part at a height.
type waterline struct {
	part   int32
	number int // of the level from the top
	line   []geom.Vec2
}

// waterlines returns the level passes of the steep parts, a list for each level of a part from its top down. The
// surface is on their right, for climb milling.
func (t *tips) waterlines(ctx context.Context, steep []bool) (levels [][][]geom.Vec3, err error) {
	if !slices.Contains(steep, true) {
		return nil, nil
	}
	of, _ := t.parts(steep)
	d := t.depthOf(steep)
	lines, numbers := t.isolines(t.depths(d, steep), t.mask, 0.5)
	var all []waterline
	for i := range lines {
		for _, l := range t.clip(lines[i:i+1], t.in(steep), 3*t.s, 2*t.s) {
			part := of[t.cell(l[0])]
			slices.Reverse(l)
			all = append(all, waterline{part, numbers[i], l})
		}
	}
	slices.SortStableFunc(all, func(a, b waterline) int { return cmp.Or(cmp.Compare(a.part, b.part), a.number-b.number) })
	places := make([][]geom.Vec3, len(all))
	for i, l := range all {
		places[i] = t.spaced(l.line)
		for k := range places[i] {
			places[i][k].Z = d.height(float64(l.number) + 0.5)
		}
	}
	if err := t.snap(ctx, places); err != nil {
		return nil, err
	}
	if err := t.fill(ctx, places); err != nil {
		return nil, err
	}
	for i := range all {
		passes := t.thinned(places[i : i+1])
		if i > 0 && all[i].part == all[i-1].part && all[i].number == all[i-1].number {
			levels[len(levels)-1] = append(levels[len(levels)-1], passes...)
		} else {
			levels = append(levels, passes)
		}
	}
	return levels, nil
}

// depths returns the passes down to each place of a set and up to two cells around it, +Inf elsewhere.
func (t *tips) depths(d *depth, set []bool) []float64 {
	out := endless(len(set))
	for k, in := range t.dilated(set, 2) {
		if in && t.mask[k] {
			out[k] = d.at(t.z[k])
		}
	}
	return out
}

// perPass is the number of heights of a depth for a pass on an upright surface.
const perPass = 4

// depthOf returns the depth in passes of a set.
func (t *tips) depthOf(set []bool) *depth {
	top, bottom := math.Inf(-1), math.Inf(1)
	for k, in := range set {
		if in {
			top, bottom = max(top, t.z[k]), min(bottom, t.z[k])
		}
	}
	d := &depth{top: top, step: t.s / perPass}
	n := int((top-bottom)/d.step) + 1
	drops := make([][]float64, n)
	for k, in := range set {
		x, y := uphill(t.p[k], t.q[k])
		if slope := math.Hypot(t.p[k], t.q[k]); in && slope > 0 {
			bin := min(int((top-t.z[k])/d.step), n-1)
			drops[bin] = append(drops[bin], slope*t.Grid.Step/math.Sqrt(t.form[k].of(x, y)))
		}
	}
	d.passes = make([]float64, n+1)
	drop := t.s
	for i, list := range drops {
		if len(list) > 0 { // most of the cells set it: passes between levels serve the others
			slices.Sort(list)
			drop = list[len(list)/10]
		}
		d.passes[i+1] = d.passes[i] + d.step/drop
	}
	return d
}

// bracket is a point on its way to a level. Along a direction, the tip is at most at the level at low, above it at
// high.
type bracket struct {
	at          *geom.Vec3
	along       geom.Vec2
	low, high   float64 // mm from at
	under, over float64 // mm, heights at low and high less the level
}

// snap moves places along the gradient to where the exact tip is at their heights, on the low side. Places at which no
// tip within two cells is at the height, or only one outside of the cells allowed, go down or up to the surface.
func (t *tips) snap(ctx context.Context, places [][]geom.Vec3) error {
	var open []*bracket
	for _, l := range places {
		for i := range l {
			b := &bracket{at: &l[i]}
			if k := t.cell(geom.Vec2{X: l[i].X, Y: l[i].Y}); k >= 0 {
				b.along.X, b.along.Y = uphill(t.p[k], t.q[k])
			}
			open = append(open, b)
		}
	}
	for reach := t.Grid.Step / 8; reach <= 2*t.Grid.Step; reach *= 4 {
		for _, b := range open {
			b.low, b.high = -reach, reach
		}
		found, rest, err := t.bracketed(ctx, open)
		if err != nil {
			return err
		}
		if err := t.close(ctx, found); err != nil {
			return err
		}
		open = rest
	}
	for _, b := range open {
		b.at.Z = math.Inf(-1)
	}
	var missed [][]geom.Vec3
	for _, l := range places {
		for i := range l {
			if math.IsInf(l[i].Z, -1) {
				missed = append(missed, l[i:i+1])
			}
		}
	}
	return t.drop(ctx, missed)
}

// bracketed sets the heights at the ends of brackets, and tells those that hold their level from the rest.
func (t *tips) bracketed(ctx context.Context, list []*bracket) (found, rest []*bracket, err error) {
	under, err := t.above(ctx, list, func(b *bracket) float64 { return b.low })
	if err != nil {
		return nil, nil, err
	}
	over, err := t.above(ctx, list, func(b *bracket) float64 { return b.high })
	if err != nil {
		return nil, nil, err
	}
	for i, b := range list {
		b.under, b.over = under[i], over[i]
		if b.under <= 0 && b.over > 0 {
			found = append(found, b)
		} else {
			rest = append(rest, b)
		}
	}
	return found, rest, nil
}

// close narrows brackets to a quarter of the tolerance, and moves their places to the low sides. Where that is not
// allowed, the height becomes -Inf.
func (t *tips) close(ctx context.Context, all []*bracket) error {
	const secants = 4
	width := t.Tolerance / 4
	open := slices.Clone(all)
	for round := 0; ; round++ {
		open = slices.DeleteFunc(open, func(b *bracket) bool { return b.high-b.low <= width })
		if len(open) == 0 {
			break
		}
		aim := make(map[*bracket]float64, len(open))
		for _, b := range open {
			x := (b.low + b.high) / 2
			if round < secants {
				x = b.low + (b.high-b.low)*b.under/(b.under-b.over)
				x += width * (float64(round%2) - 0.5) * 0.9 // beside the root: first below, then above
				x = min(max(x, b.low+(b.high-b.low)/16), b.high-(b.high-b.low)/16)
			}
			aim[b] = x
		}
		z, err := t.above(ctx, open, func(b *bracket) float64 { return aim[b] })
		if err != nil {
			return err
		}
		for i, b := range open {
			if z[i] <= 0 {
				b.low, b.under = aim[b], z[i]
			} else {
				b.high, b.over = aim[b], z[i]
			}
		}
	}
	for _, b := range all {
		p := geom.Vec2{X: b.at.X, Y: b.at.Y}.Add(b.along.Scale(b.low))
		if t.isAllowed(p) {
			b.at.X, b.at.Y = p.X, p.Y
		} else {
			b.at.Z = math.Inf(-1)
		}
	}
	return nil
}

// above returns the heights (mm) of the exact tip above the levels of brackets, at places along their directions.
func (t *tips) above(ctx context.Context, list []*bracket, where func(*bracket) float64) ([]float64, error) {
	at := make([]geom.Vec3, len(list))
	for i, b := range list {
		x := where(b)
		at[i] = geom.Vec3{X: b.at.X + x*b.along.X, Y: b.at.Y + x*b.along.Y, Z: math.Inf(-1)}
	}
	z, err := t.lowest(ctx, at)
	for i := range z {
		z[i] -= list[i].at.Z
	}
	return z, err
}
