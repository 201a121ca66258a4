package scallop

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// tips is the tip surface over the grid.
type tips struct {
	*Input
	s      float64             // mm between passes on a plane
	tool   toolprofile.Profile // with the stock to leave, as is the cutter
	cutter toolprofile.Profile
	z      []float64 // mm, heights of the tip; -Inf where it meets nothing
	p, q   []float64 // their gradient
	mask   []bool    // places of the tip that finish the region; never in the outermost cells
	near   []bool    // places of the tip where links may lead
	curls  []curl
	form   []form // the metric
}

// newTips makes the map of the tip and chooses the places that finish the region.
func newTips(ctx context.Context, in *Input) (*tips, error) {
	t := &tips{Input: in, s: in.apart()}
	var err error
	if t.tool, err = grown(in.Tool, in.Leave); err != nil {
		return nil, err
	}
	if t.cutter, err = grown(in.Cutter, in.Leave); err != nil {
		return nil, err
	}
	z, err := in.Mill.Tips(ctx, in.Grid, in.Heights, t.cutter, nil)
	if err != nil {
		return nil, err
	}
	whole := z
	if in.hasBody() {
		if whole, err = in.Mill.Tips(ctx, in.Grid, in.Heights, t.tool, nil); err != nil {
			return nil, err
		}
	}
	n := in.Grid.Len()
	t.z = make([]float64, n)
	for k := range z {
		t.z[k] = float64(z[k])
	}
	t.p, t.q = t.gradients(t.z)
	if t.curls, err = t.curvatures(ctx); err != nil {
		return nil, err
	}
	t.choose(whole)
	return t, nil
}

// gradients returns the gradient of heights: central differences, and one-sided ones at walls.
func (t *tips) gradients(z []float64) (p, q []float64) {
	w, n := t.Grid.Width, t.Grid.Len()
	p, q = make([]float64, n), make([]float64, n)
	most := math.Tan(steepest)
	for k := range z {
		i, j := k%w, k/w
		p[k] = t.difference(z, k, 1, i > 0, i < w-1, most)
		q[k] = t.difference(z, k, w, j > 0, j < t.Grid.Height-1, most)
	}
	return p, q
}

// difference returns the slope at a cell along the cells that are by apart in the index.
func (t *tips) difference(z []float64, k, by int, hasBack, hasAhead bool, most float64) float64 {
	sum, n := 0.0, 0.0
	if hasBack {
		if d := (z[k] - z[k-by]) / t.Grid.Step; math.Abs(d) <= most {
			sum, n = sum+d, n+1
		}
	}
	if hasAhead {
		if d := (z[k+by] - z[k]) / t.Grid.Step; math.Abs(d) <= most {
			sum, n = sum+d, n+1
		}
	}
	return sum / max(n, 1)
}

// choose sets the mask: the places of the tip that touch the region, without walls, and without those that only roll
// round an edge. One cell more on all sides covers the unevenness of the border.
func (t *tips) choose(whole []float32) {
	w, h, g := t.Grid.Width, t.Grid.Height, t.Grid.Step
	n := t.Grid.Len()
	free := make([]bool, n)
	part := widened(t.Heights)
	for k, in := range t.Region {
		if !in {
			part[k] = math.NaN() // slopes at the border are those of the region
		}
	}
	partP, partQ := t.gradients(part)
	touch := make([]bool, n)
	for j := 1; j < h-1; j++ {
		for i := 1; i < w-1; i++ {
			k := j*w + i
			slope := math.Hypot(t.p[k], t.q[k])
			if !t.isFree(k) || math.IsInf(t.z[k], 0) || float64(whole[k]) > t.z[k]+t.Tolerance/4 ||
				slope > math.Tan(steepest) || t.overWall(k) {
				continue
			}
			free[k] = true
			c := t.contact(k)
			touch[k] = c >= 0 && t.Region[c] && !t.rolls(k, c, partP, partQ)
		}
	}
	t.mask = t.dilated(touch, 1)
	t.near = t.dilated(touch, int(t.s/g)+2)
	for k := range t.mask {
		t.mask[k] = t.mask[k] && free[k]
		t.near[k] = t.near[k] && free[k]
	}
}

// overWall reports whether the surface falls off as a wall next to a place of the tip.
func (t *tips) overWall(k int) bool {
	w, fall := t.Grid.Width, t.Grid.Step*math.Tan(steepest)
	for _, o := range around {
		if t.z[k]-t.z[k+o[1]*w+o[0]] > fall*math.Hypot(float64(o[0]), float64(o[1])) {
			return true
		}
	}
	return false
}

// contact returns the cell in which the tool touches the part, -1 outside of the grid.
func (t *tips) contact(k int) int {
	p, q := t.p[k], t.q[k]
	slope := math.Hypot(p, q)
	if slope == 0 {
		return k
	}
	off := (t.Corner + t.Leave) / math.Sqrt(1+slope*slope)
	if slope > flat {
		off += (t.Radius - t.Corner) / slope
	}
	at := t.xy(k).Add(geom.Vec2{X: p * off, Y: q * off})
	return t.cell(at)
}

// flat is the slope below which a bull nose may touch anywhere under its flat.
const flat = 0.01

// hollow (share of the corner's curvature) is the curvature from which on a tip surface counts as hollow.
const hollow = 0.2

// rolling (rad) is the difference of the normals of tool and part from which on the tool touches an edge only.
const rolling = 12 * math.Pi / 180

// rolls reports whether the tool only rolls round an edge: the tip surface is not hollow, as at a crease, and the
// region has no such slope at the contact.
func (t *tips) rolls(k, contact int, p, q []float64) bool {
	if mean, half, _ := t.curls[k].split(); mean+half > hollow/t.Corner {
		return false
	}
	w, h := t.Grid.Width, t.Grid.Height
	i, j := contact%w, contact/w
	n := geom.Vec3{X: -t.p[k], Y: -t.q[k], Z: 1}.Unit()
	for v := max(j-1, 0); v <= min(j+1, h-1); v++ {
		for u := max(i-1, 0); u <= min(i+1, w-1); u++ {
			c := v*w + u
			if t.Region[c] && n.Angle(geom.Vec3{X: -p[c], Y: -q[c], Z: 1}) < rolling {
				return false
			}
		}
	}
	return true
}

// xy returns the center of a cell.
func (t *tips) xy(k int) geom.Vec2 {
	g := t.Grid
	return geom.Vec2{X: g.X + float64(k%g.Width)*g.Step, Y: g.Y + float64(k/g.Width)*g.Step}
}

// cell returns the cell of a point, -1 outside of the grid.
func (t *tips) cell(at geom.Vec2) int {
	g := t.Grid
	i, j := math.Round((at.X-g.X)/g.Step), math.Round((at.Y-g.Y)/g.Step)
	if !(i >= 0 && j >= 0 && i < float64(g.Width) && j < float64(g.Height)) {
		return -1
	}
	return int(j)*g.Width + int(i)
}

// dilated returns the cells within some steps to a side of those set.
func (t *tips) dilated(set []bool, steps int) []bool {
	w, h := t.Grid.Width, t.Grid.Height
	for range steps {
		next := slices.Clone(set)
		for j := 1; j < h-1; j++ {
			for k := j*w + 1; k < j*w+w-1; k++ {
				next[k] = set[k] || set[k-1] || set[k+1] || set[k-w] || set[k+w]
			}
		}
		set = next
	}
	return set
}

// around are the neighbors of a cell, as steps in X and Y, counterclockwise.
var around = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// parts numbers the connected parts of a set of cells, in the order of their first cells; -1 elsewhere.
func (t *tips) parts(set []bool) (of []int32, count int) {
	w, h := t.Grid.Width, t.Grid.Height
	of = make([]int32, len(set))
	for k := range of {
		of[k] = -1
	}
	var open []int
	for first := range set {
		if !set[first] || of[first] >= 0 {
			continue
		}
		of[first] = int32(count)
		for open = append(open[:0], first); len(open) > 0; {
			k := open[len(open)-1]
			open = open[:len(open)-1]
			i, j := k%w, k/w
			for _, o := range around {
				x, y := i+o[0], j+o[1]
				if c := y*w + x; x >= 0 && y >= 0 && x < w && y < h && set[c] && of[c] < 0 {
					of[c] = int32(count)
					open = append(open, c)
				}
			}
		}
		count++
	}
	return of, count
}

// uncut returns the cells of the region that keep more than the height asked where the tool was at all places near
// enough to a pass.
func (t *tips) uncut(ctx context.Context, psi []float64) ([]bool, error) {
	done := grid.NewMap(len(psi))
	for k, d := range psi {
		if t.mask[k] && d <= enough {
			done[k] = float32(-t.z[k])
		}
	}
	left, err := t.Mill.Tips(ctx, t.Grid, done, t.cutter, t.Region)
	if err != nil {
		return nil, err
	}
	p, q := t.gradients(widened(t.Heights))
	out := make([]bool, len(psi))
	for k := range out {
		if !t.Region[k] {
			continue
		}
		cos := 1 / math.Sqrt(1+p[k]*p[k]+q[k]*q[k])
		uneven := t.Grid.Step * t.Grid.Step / (4 * t.Corner * cos * cos) // of an envelope of places a cell apart
		out[k] = (float64(-left[k])-float64(t.Heights[k]))*cos > t.Scallop+uneven
	}
	return out, nil
}

func widened(z []float32) []float64 {
	out := make([]float64, len(z))
	for k := range z {
		out[k] = float64(z[k])
	}
	return out
}
