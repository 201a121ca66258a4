package scallop

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	linkReach = 6 // steps s, up to which a link on the surface is tried
	// ringPoints is about the number of points of a closed pass that are tried as its start.
	ringPoints = 200
)

// link puts passes in the order of the nearest ends, and joins them on the surface where that is short.
func (t *tips) link(ctx context.Context, groups [][][]geom.Vec3) (ordered, links [][]geom.Vec3, err error) {
	ordered = t.ordered(groups)
	links = make([][]geom.Vec3, len(ordered))
	var lines [][]geom.Vec2
	var to []int // the pass of each line
	for i := 1; i < len(ordered); i++ {
		a, b := last(ordered[i-1]), ordered[i][0]
		l := []geom.Vec2{{X: a.X, Y: a.Y}, {X: b.X, Y: b.Y}}
		if a.Dist(b) < linkReach*t.s && t.isNear(l) {
			lines, to = append(lines, t.divided(l)), append(to, i)
		}
	}
	dense, err := t.dense(ctx, lines)
	if err != nil {
		return nil, nil, err
	}
	for k, l := range dense {
		i := to[k]
		l[0], l[len(l)-1] = last(ordered[i-1]), ordered[i][0]
		sum, longest := 0.0, 0.0
		for j := 1; j < len(l); j++ {
			d := l[j].Dist(l[j-1])
			sum, longest = sum+d, max(longest, d)
		}
		if longest <= t.pitch() && sum < 2*l[0].Dist(last(l))+t.s {
			links[i] = thin(l, t.Tolerance/2)
		}
	}
	return ordered, links, nil
}

// isNear reports whether a straight line is over cells near the region, where links may lead.
func (t *tips) isNear(l []geom.Vec2) bool {
	n := int(math.Ceil(length(l)/t.Grid.Step)) * 2
	for i := range n + 1 {
		if k := t.cell(l[0].Lerp(l[1], float64(i)/float64(max(n, 1)))); k < 0 || !t.near[k] {
			return false
		}
	}
	return true
}

// divided returns a straight line with a point for each cell.
func (t *tips) divided(l []geom.Vec2) []geom.Vec2 {
	n := max(int(math.Ceil(length(l)/t.Grid.Step)), 1)
	out := make([]geom.Vec2, n+1)
	for i := range out {
		out[i] = l[0].Lerp(l[1], float64(i)/float64(n))
	}
	return out
}

// ordered returns the passes, group by group, each after the one at whose end it starts nearest. Closed ones start
// anywhere; open ones may be reversed.
func (t *tips) ordered(groups [][][]geom.Vec3) (out [][]geom.Vec3) {
	for _, group := range groups {
		left := slices.Clone(group)
		for len(left) > 0 {
			pass, start := 0, 0
			if len(out) > 0 {
				pass, start = t.nearest(left, last(last(out)))
			}
			l := left[pass]
			switch {
			case l[0] == last(l):
				l = slices.Concat(l[start:], l[1:start+1])
			case start > 0:
				l = slices.Clone(l)
				slices.Reverse(l)
			}
			out = append(out, l)
			left = slices.Delete(left, pass, pass+1)
		}
	}
	return out
}

// nearest returns the pass with the nearest possible start, and the number of its point.
func (t *tips) nearest(passes [][]geom.Vec3, at geom.Vec3) (pass, start int) {
	best := math.Inf(1)
	for i, l := range passes {
		step := len(l) - 1 // the ends
		if l[0] == last(l) {
			step = 1 + len(l)/ringPoints
		} else if t.OneWay {
			step = len(l)
		}
		for k := 0; k < len(l); k += step {
			if d := l[k].Dist2(at); d < best {
				best, pass, start = d, i, k
			}
		}
	}
	return pass, start
}

func last[T any](l []T) T { return l[len(l)-1] }
