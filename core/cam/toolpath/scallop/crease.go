package scallop

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Passes along concave creases, where the tool touches on both sides at once.
//
// Method: cells where the slope of the tip surface jumps up within a cell, in one of four directions, and nowhere more
// along that direction. Their points move to the intersection of the tangents on both sides, of the map and then of
// exact drops nearer and nearer, and are chained to the nearest one ahead.
//
// At a wall the tip surface jumps. The last place before it is found by bisection.
//
// Limits: the flat of a bull nose has no tangent that leads to
// the crease, which is missed by up to some tenths of a millimeter.

// sharp (rad) is the least turn of the tip surface across a crease.
const sharp = 12 * math.Pi / 180

// bent is a point of a crease.
type bent struct {
	at     geom.Vec2
	across geom.Vec2 // unit
	chosen bool      // it is in a line
}

// creases returns the lines of creases in the mask, over cells that are allowed.
func (t *tips) creases(ctx context.Context) ([][]geom.Vec2, error) {
	points := t.bends()
	if err := t.refine(ctx, points); err != nil {
		return nil, err
	}
	walls, err := t.atWalls(ctx)
	if err != nil {
		return nil, err
	}
	points = append(points, walls...)
	byCell := map[int][]int{}
	for i := range points {
		k := t.cell(points[i].at)
		byCell[k] = append(byCell[k], i)
	}
	var lines [][]geom.Vec2
	for i := range points {
		if points[i].chosen {
			continue
		}
		points[i].chosen = true
		along := geom.Vec2{X: -points[i].across.Y, Y: points[i].across.X}
		ahead := t.chase(points, byCell, i, along)
		back := t.chase(points, byCell, i, along.Scale(-1))
		line := make([]geom.Vec2, 0, len(back)+1+len(ahead))
		for j := len(back) - 1; j >= 0; j-- {
			line = append(line, back[j])
		}
		line = append(append(line, points[i].at), ahead...)
		if n := len(line); n > 4 && line[0].Dist(line[n-1]) < reach*t.Grid.Step {
			line = append(line, line[0])
		}
		lines = append(lines, line)
	}
	return t.clip(lines, t.isAllowed, 0, t.s/2), nil
}

// bends returns the points of creases by the map, one in a cell.
func (t *tips) bends() (out []bent) {
	w := t.Grid.Width
	wide := t.dilated(t.mask, 1)
	turn, side := make([]float64, len(wide)), make([]int, len(wide))
	for k, in := range wide {
		i, j := k%w, k/w
		if !in || i < 2 || j < 2 || i >= w-2 || j >= t.Grid.Height-2 {
			continue
		}
		for d, o := range around[:4] {
			if a := t.turn(k, o[1]*w+o[0], t.Grid.Step*math.Hypot(float64(o[0]), float64(o[1]))); a > turn[k] {
				turn[k], side[k] = a, d
			}
		}
	}
	taken := map[int]bool{}
	for k, a := range turn {
		o := around[side[k]]
		if by := o[1]*w + o[0]; a >= sharp && turn[k+by] <= a && turn[k-by] < a {
			across := geom.Vec2{X: float64(o[0]), Y: float64(o[1])}
			p := bent{at: t.xy(k), across: across.Scale(1 / across.Norm())}
			p.move([4]float64{t.z[k-2*by], t.z[k-by], t.z[k+by], t.z[k+2*by]}, t.Grid.Step*across.Norm())
			if cell := t.cell(p.at); !taken[cell] {
				taken[cell] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// turn returns the angle by which the tip surface turns up across a cell, 0 at a wall.
func (t *tips) turn(k, by int, apart float64) float64 {
	most := apart * math.Tan(steepest)
	for n := -2; n < 2; n++ {
		if !(math.Abs(t.z[k+(n+1)*by]-t.z[k+n*by]) < most) {
			return 0
		}
	}
	return math.Atan((t.z[k+2*by]-t.z[k+by])/apart) - math.Atan((t.z[k-by]-t.z[k-2*by])/apart)
}

// atWalls returns the points where the tool touches a wall beside the mask, a little before the contact: chords of a
// hollow wall may not touch it.
func (t *tips) atWalls(ctx context.Context) ([]bent, error) {
	g := t.Grid.Step
	var open []*bracket
	for k, in := range t.mask {
		for o := 0; in && o < len(around); o += 2 {
			u := geom.Vec2{X: float64(around[o][0]), Y: float64(around[o][1])}
			if t.z[k+around[o][1]*t.Grid.Width+around[o][0]]-t.z[k] > g*math.Tan(steepest) {
				at, rise := t.xy(k), max(t.p[k]*u.X+t.q[k]*u.Y, 0)*g
				level := t.z[k] + rise + g/4 + t.Leave // a little above the surface before the wall
				open = append(open, &bracket{at: &geom.Vec3{X: at.X, Y: at.Y, Z: level}, along: u, high: g})
			}
		}
	}
	found, _, err := t.bracketed(ctx, open)
	if err != nil {
		return nil, err
	}
	if err := t.close(ctx, found); err != nil {
		return nil, err
	}
	var out []bent
	for _, b := range found {
		if !math.IsInf(b.at.Z, -1) {
			back := t.Tolerance + g*g/(8*t.Corner)
			out = append(out, bent{geom.Vec2{X: b.at.X, Y: b.at.Y}.Add(b.along.Scale(-back)), b.along, false})
		}
	}
	return out, nil
}

// refine moves points across the crease to the intersection of the tangents on both sides.
func (t *tips) refine(ctx context.Context, points []bent) error {
	for d := t.Grid.Step / 2; d > t.Grid.Step/16; d /= 4 {
		at := make([]geom.Vec3, 0, 4*len(points))
		for _, p := range points {
			for _, off := range [4]float64{-2, -1, 1, 2} {
				q := p.at.Add(p.across.Scale(off * d))
				at = append(at, geom.Vec3{X: q.X, Y: q.Y, Z: math.Inf(-1)})
			}
		}
		z, err := t.lowest(ctx, at)
		if err != nil {
			return err
		}
		for i := range points {
			points[i].move([4]float64(z[4*i:]), d)
		}
	}
	return nil
}

// move moves a point to the intersection of the tangents through the heights 2d and d before it and d and 2d after it.
func (p *bent) move(z [4]float64, d float64) {
	left, right := (z[1]-z[0])/d, (z[3]-z[2])/d
	if right-left > sharp/2 {
		off := (z[1] - z[2] + (left+right)*d) / (right - left)
		p.at = p.at.Add(p.across.Scale(min(max(off, -2*d), 2*d)))
	}
}

// reach (cells) is the largest distance of consecutive points of a crease.
const reach = 2.5

// chase returns the points that continue a line from point i on in a direction.
func (t *tips) chase(points []bent, byCell map[int][]int, i int, along geom.Vec2) (line []geom.Vec2) {
	w := t.Grid.Width
	at := points[i].at
	for {
		best, next := reach*t.Grid.Step, -1
		k := t.cell(at)
		for j := -3; j <= 3; j++ {
			for i := -3; i <= 3; i++ {
				for _, q := range byCell[k+j*w+i] {
					if points[q].chosen {
						continue
					}
					d := points[q].at.Sub(at)
					n := d.Norm()
					if n < t.Grid.Step/2 { // the same place once more
						points[q].chosen = true
						continue
					}
					const straight = 0.5 // cosine of the turn
					if d.Dot(along) > straight*n && n < best {
						best, next = n, q
					}
				}
			}
		}
		if next < 0 {
			return line
		}
		points[next].chosen = true
		along = points[next].at.Sub(at).Scale(1 / best)
		at = points[next].at
		line = append(line, at)
	}
}
