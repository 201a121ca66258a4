package scallop

import (
	"context"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Exact places along lines, with a bound on the moves between them.
//
// Let the tip positions a and b touch nothing, L apart. For a point q of the part and a ball of radius r of the tool
// with its centers a' and b', the squared distance of q from a point of the straight move is the mean of |a'-q|² and
// |b'-q|² less at most L²/4. So on any mesh the move cuts at most r - √(r² - L²/4), about L²/(8r). A bull nose is a
// union of balls of the corner's radius, a tapered ball of balls no smaller than its tip. Moves of
// L = √(8·r·tolerance/2) leave half of the tolerance for omitting points (Douglas and Peucker, 1973).

// pitch returns the largest distance of consecutive exact places, mm.
func (t *tips) pitch() float64 { return math.Sqrt(8 * t.Corner * t.Tolerance / 2) }

// halvings is the number of times that a move which is too long is halved before the tip surface counts as a wall.
const halvings = 6

// follow returns the places of the tip over lines in the plane, without those that straight moves do not need. A line
// that crosses a wall is divided there.
func (t *tips) follow(ctx context.Context, lines [][]geom.Vec2) ([][]geom.Vec3, error) {
	dense, err := t.dense(ctx, lines)
	return t.thinned(dense), err
}

// thinned returns lines of exact places without those that straight moves do not need. It divides lines at moves longer
// than the pitch.
func (t *tips) thinned(dense [][]geom.Vec3) (out [][]geom.Vec3) {
	for _, l := range dense {
		start := 0
		for i := 1; i <= len(l); i++ {
			if i == len(l) || !(l[i].Dist(l[i-1]) <= t.pitch()) {
				if i-start > 1 {
					out = append(out, thin(l[start:i], t.Tolerance/2))
				}
				start = i
			}
		}
	}
	return out
}

// dense returns exact places over each line, closer than the pitch except across walls.
func (t *tips) dense(ctx context.Context, lines [][]geom.Vec2) ([][]geom.Vec3, error) {
	places := make([][]geom.Vec3, len(lines))
	for i, l := range lines {
		places[i] = t.spaced(l)
	}
	if err := t.drop(ctx, places); err != nil {
		return nil, err
	}
	return places, t.fill(ctx, places)
}

// fill adds exact places between those that are further apart than the pitch, but not across walls.
func (t *tips) fill(ctx context.Context, places [][]geom.Vec3) error {
	pitch := t.pitch()
	for range halvings {
		var halves [][]geom.Vec3 // one list for each line
		missing := false
		for _, l := range places {
			var h []geom.Vec3
			for i := 1; i < len(l); i++ {
				if !(l[i].Dist(l[i-1]) <= pitch) {
					h = append(h, geom.Vec3{X: (l[i].X + l[i-1].X) / 2, Y: (l[i].Y + l[i-1].Y) / 2, Z: math.Inf(-1)})
					missing = true
				}
			}
			halves = append(halves, h)
		}
		if !missing {
			break
		}
		if err := t.drop(ctx, halves); err != nil {
			return err
		}
		for k, l := range places {
			if len(halves[k]) == 0 {
				continue
			}
			merged := make([]geom.Vec3, 0, len(l)+len(halves[k]))
			for i, at := range l {
				if i > 0 && !(at.Dist(l[i-1]) <= pitch) {
					merged = append(merged, halves[k][0])
					halves[k] = halves[k][1:]
				}
				merged = append(merged, at)
			}
			places[k] = merged
		}
	}
	return nil
}

// spaced returns points on a line at equal distances on the tip surface, by the slope of the map; Z is -Inf.
func (t *tips) spaced(l []geom.Vec2) []geom.Vec3 {
	at := make([]float64, len(l)) // mm on the surface
	for i := 1; i < len(l); i++ {
		at[i] = at[i-1] + t.onSurface(l[i-1], l[i])
	}
	const spare = 0.95 // of the pitch: the slope of the map is not exact
	n := max(int(math.Ceil(at[len(l)-1]/(spare*t.pitch()))), 1)
	out := make([]geom.Vec3, 0, n+1)
	k := 1
	for i := range n + 1 {
		want := at[len(l)-1] * float64(i) / float64(n)
		for k < len(l)-1 && at[k] < want {
			k++
		}
		share := 1.0
		if at[k] > at[k-1] {
			share = min((want-at[k-1])/(at[k]-at[k-1]), 1)
		}
		p := l[k-1].Lerp(l[k], share)
		out = append(out, geom.Vec3{X: p.X, Y: p.Y, Z: math.Inf(-1)})
	}
	if l[0] == last(l) {
		out[n] = out[0] // to the last bit
	}
	return out
}

// onSurface returns the length of a short line on the tip surface.
func (t *tips) onSurface(a, b geom.Vec2) float64 {
	d := b.Sub(a)
	rise := 0.0
	if k := t.cell(a.Lerp(b, 0.5)); k >= 0 {
		rise = t.p[k]*d.X + t.q[k]*d.Y
	}
	return math.Sqrt(d.Norm2() + rise*rise)
}

// drop sets the heights of places to the lowest heights of the tip.
func (t *tips) drop(ctx context.Context, places [][]geom.Vec3) error {
	var all []geom.Vec3
	for _, l := range places {
		all = append(all, l...)
	}
	z, err := t.lowest(ctx, all)
	if err != nil {
		return err
	}
	for _, l := range places {
		for i := range l {
			l[i].Z = z[i]
		}
		z = z[len(l):]
	}
	return nil
}

// lowest returns the lowest heights of the tip at places. The grown tool has its tip lower by the stock to leave.
func (t *tips) lowest(ctx context.Context, at []geom.Vec3) ([]float64, error) {
	z, err := t.Over.Clearance(ctx, t.tool, at)
	for i := range z {
		z[i] += t.Leave
	}
	return z, err
}

// thin omits points of a line that are no further than tolerance (mm) from the rest of it.
func thin(l []geom.Vec3, tolerance float64) []geom.Vec3 {
	keep := make([]bool, len(l))
	keep[0], keep[len(l)-1] = true, true
	open := [][2]int{{0, len(l) - 1}}
	for len(open) > 0 {
		a, b := open[len(open)-1][0], open[len(open)-1][1]
		open = open[:len(open)-1]
		worst, at := tolerance*tolerance, -1
		along := l[b].Sub(l[a])
		length2 := along.Norm2()
		for i := a + 1; i < b; i++ {
			off := l[i].Sub(l[a])
			if length2 > 0 {
				off = off.AddScaled(-min(max(off.Dot(along)/length2, 0), 1), along)
			}
			if d := off.Norm2(); d > worst {
				worst, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			open = append(open, [2]int{a, at}, [2]int{at, b})
		}
	}
	var out []geom.Vec3
	for i, k := range keep {
		if k {
			out = append(out, l[i])
		}
	}
	return out
}
