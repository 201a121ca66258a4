package scallop

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// rounds is the number of times that passes are added where ψ is over a half.
const rounds = 3

// cover returns lines whose distance from each place of the mask is at most about a half, and that distance ψ: +Inf
// where no line leads. Steep parts have level passes already.
func (t *tips) cover(ctx context.Context, steep []bool, level [][]geom.Vec3) (lines [][]geom.Vec2, psi []float64,
	err error) {
	gentle := make([]bool, len(t.mask))
	for k := range gentle {
		gentle[k] = t.mask[k] && !steep[k]
	}
	phi, err := t.fromSeeds(ctx, gentle)
	if err != nil {
		return nil, nil, err
	}
	lines, _ = t.isolines(phi, gentle, 0.5)
	psi = endless(len(phi))
	added := slices.Concat(lines, plan(level))
	for round := 0; ; round++ {
		if err := t.spread(ctx, t.mask, psi, t.seed(psi, added)); err != nil {
			return nil, nil, err
		}
		if round == rounds {
			break
		}
		if added = t.between(psi); round == 0 {
			missed, err := t.inMissed(ctx, psi)
			if err != nil {
				return nil, nil, err
			}
			added = append(added, missed...)
		}
		if len(added) == 0 {
			break
		}
		lines = append(lines, added...)
	}
	return lines, psi, nil
}

// plan returns lines as seen from above.
func plan(lines [][]geom.Vec3) [][]geom.Vec2 {
	out := make([][]geom.Vec2, len(lines))
	for i, l := range lines {
		for _, at := range l {
			out[i] = append(out[i], geom.Vec2{X: at.X, Y: at.Y})
		}
	}
	return out
}

// fromSeeds returns the distance from the first row of each connected part of a set. A line makes fewer ridges than the
// border, and shorter passes.
func (t *tips) fromSeeds(ctx context.Context, set []bool) ([]float64, error) {
	phi := endless(len(set))
	of, count := t.parts(set)
	row := make([]int, count)
	var seeds []int
	for k, part := range of {
		if part < 0 {
			continue
		}
		if row[part] == 0 { // the mask has no cells in row 0
			row[part] = k / t.Grid.Width
		}
		if row[part] == k/t.Grid.Width {
			phi[k] = 0
			seeds = append(seeds, k)
		}
	}
	return phi, t.spread(ctx, set, phi, seeds)
}

// between returns lines where passes are too far apart.
func (t *tips) between(psi []float64) [][]geom.Vec2 {
	far := make([]bool, len(psi))
	for k, d := range psi {
		far[k] = t.mask[k] && d > 0.5 && !math.IsInf(d, 1)
	}
	of, count := t.parts(far)
	bad := make([]bool, count)
	for k, part := range of {
		if part >= 0 && psi[k] > enough {
			bad[part] = true
		}
	}
	if !slices.Contains(bad, true) {
		return nil
	}
	for k, part := range of {
		far[k] = part >= 0 && bad[part]
	}
	lines, _ := t.isolines(psi, t.mask, 0.5)
	return t.clip(lines, t.in(t.dilated(far, 2)), 3*t.s, t.s/2)
}

// inMissed returns lines in the parts of the mask that no line has reached: steep ones that are too short for a level
// pass, and those too small for a half.
func (t *tips) inMissed(ctx context.Context, psi []float64) ([][]geom.Vec2, error) {
	missed := make([]bool, len(psi))
	for k, d := range psi {
		missed[k] = t.mask[k] && math.IsInf(d, 1)
	}
	if !slices.Contains(missed, true) {
		return nil, nil
	}
	phi, err := t.fromSeeds(ctx, missed)
	if err != nil {
		return nil, err
	}
	lines, _ := t.isolines(phi, missed, 0.5)
	of, count := t.parts(missed)
	top := make([]float64, count)
	for k, part := range of {
		if part >= 0 {
			top[part] = max(top[part], phi[k])
		}
	}
	for k, part := range of {
		if part >= 0 && top[part] <= 0.5 {
			phi[k] /= top[part]
		} else {
			phi[k] = math.Inf(1)
		}
	}
	const inside = 0.6 // of the way across
	small, _ := t.isolines(phi, missed, inside)
	return append(lines, small...), nil
}

// in returns whether points are in a set of cells.
func (t *tips) in(set []bool) func(geom.Vec2) bool {
	return func(at geom.Vec2) bool {
		k := t.cell(at)
		return k >= 0 && set[k]
	}
}

// isAllowed reports whether the tip may be at a point.
func (t *tips) isAllowed(at geom.Vec2) bool {
	k := t.cell(at)
	return k >= 0 && t.isFree(k)
}

// isFree reports whether the tip may be over a cell. The grown tool has its tip lower by the stock to leave.
func (t *tips) isFree(k int) bool { return t.Least == nil || t.z[k]+t.Leave >= float64(t.Least[k]) }

// clip cuts lines to where they are in. It keeps parts outside of less than gap (mm), and drops pieces shorter than
// least (mm).
func (t *tips) clip(lines [][]geom.Vec2, isIn func(geom.Vec2) bool, gap, least float64) (out [][]geom.Vec2) {
	for _, l := range lines {
		l = t.opened(l, isIn)
		var piece []geom.Vec2
		outside, inside := 0.0, 0 // mm since the last point inside, and the points up to it
		flush := func() {
			if piece = piece[:inside]; length(piece) >= least {
				out = append(out, piece)
			}
			piece, outside, inside = nil, 0, 0
		}
		for i, at := range l {
			in := isIn(at)
			if !in && piece == nil {
				continue
			}
			if !in && i > 0 {
				outside += at.Dist(l[i-1])
			}
			piece = append(piece, at)
			if in {
				outside, inside = 0, len(piece)
			} else if outside > gap {
				flush()
			}
		}
		flush()
	}
	return out
}

// opened returns a closed line from a point on that is not in, if there is one; other lines as they are.
func (t *tips) opened(l []geom.Vec2, isIn func(geom.Vec2) bool) []geom.Vec2 {
	if len(l) < 3 || l[0] != l[len(l)-1] {
		return l
	}
	i := slices.IndexFunc(l, func(at geom.Vec2) bool { return !isIn(at) })
	if i < 0 {
		return l
	}
	n := len(l) - 1
	return slices.Concat(l[i%n:n], l[:i%n], l[i%n:i%n+1])
}

func length(l []geom.Vec2) (sum float64) {
	for i := 1; i < len(l); i++ {
		sum += l[i].Dist(l[i-1])
	}
	return sum
}

func endless(n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = math.Inf(1)
	}
	return out
}
