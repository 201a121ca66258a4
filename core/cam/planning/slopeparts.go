package planning

// Slopes that no single side makes: some turn away from every side, such as a round bar that lies. Others are partly
// covered by other material. Each side makes what its balls reach.
//
// Method: points on the slope, none for more than a small share of its area. A side reaches a point if the cell of its
// terrain is reached there. The points are counted by the set of sides that reach them, so that the share which some
// sides make together is a sum over at most 64 sets.

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/parallel"
)

const (
	leastPart  = 0.05  // share of a slope that is worth an operation of its own
	pointShare = 0.004 // of a slope that a point stands for at most
	pointSteps = 24    // halvings of a triangle at most
	facingAway = 1e-3  // cosine to a side beyond which a point is turned away from it
)

// set is a set of sides, as bits.
type set uint8

// byMany are the shares of a slope that sides reach, by the set of these sides.
type byMany [1 << sides]float64

// reached returns the share that some sides reach together.
func (b *byMany) reached(from set) float64 {
	sum := 0.0
	for of, share := range b {
		if set(of)&from != 0 {
			sum += share
		}
	}
	return sum
}

// slopesInPart finds the balls for slopes that no side makes whole.
func (p *planner) slopesInPart(ctx context.Context, at []int) error {
	var open []int32
	var before [][sides]*approach
	for q := range p.g.Patches {
		if at[q] >= 0 && p.isOpenSlope(int32(q), &p.tasks[at[q]]) {
			open = append(open, int32(q))
			before = append(before, p.tasks[at[q]].ways)
		}
	}
	var by [sides]*terrain
	err := parallel.Try(ctx, int(sides), 1, func() func(i int) error {
		return func(i int) error {
			s, err := side(i), error(nil)
			if !p.fits[s] || p.seen[s] == graph.None {
				return nil
			}
			var slopes []int32
			for _, q := range open {
				if p.isSlopeInPart(q, s) {
					slopes = append(slopes, q)
				}
			}
			by[s], err = p.balls(ctx, s, slopes, at)
			return err
		}
	})
	if err != nil {
		return err
	}
	for i, q := range open {
		p.shareSlope(q, &p.tasks[at[q]], &by, &before[i])
	}
	return nil
}

// isOpenSlope reports whether no side makes all of a patch, and none makes it as a floor, a wall or an edge.
func (p *planner) isOpenSlope(q int32, t *task) bool {
	for s := side(0); s < sides; s++ {
		if w := t.ways[s]; w != nil && (w.kind != slope || w.short == nil) {
			return false
		}
	}
	return true
}

// isSlopeInPart reports whether a side sees a part of a patch that slopes.
func (p *planner) isSlopeInPart(q int32, s side) bool {
	v := p.in.Run.Visibility.View(p.g, p.seen[s], q)
	return !p.isOfHole(q) && v.Relation == direction.Oblique && v.Share >= leastPart
}

// isOfHole reports whether a patch is of a hole.
func (p *planner) isOfHole(q int32) bool {
	return slices.ContainsFunc(p.owners[q], func(f int) bool { return p.in.Run.Features[f].Type == feature.Hole })
}

// shareSlope notes which shares of a slope the sides reach, if together they make all of it. Else it goes back to the
// ways that there were before.
func (p *planner) shareSlope(q int32, t *task, by *[sides]*terrain, before *[sides]*approach) {
	if !t.hasApproach() {
		return
	}
	shares, all := byMany{}, set(0)
	p.eachPoint(q, func(at, normal geom.Vec3, share float64) {
		from := set(0)
		for s, v := range by {
			if v != nil && t.ways[s] != nil && normal.Dot(side(s).dir(p.frame)) >= -facingAway && v.isReached(p, q, at) {
				from |= 1 << s
			}
		}
		shares[from] += share
		all |= from
	})
	reached := shares.reached(all)
	if reached >= fullSlope {
		t.shares = &shares
	}
	for s, w := range t.ways {
		switch {
		case w == nil:
		case t.shares != nil:
			w.short = nil
		case before[s] == nil:
			t.ways[s], t.why[s] = nil, refuse(completeness.NotAccessible,
				"Ball end mills reach %.0f %% of it from all sides together.", 100*reached).
				with("A longer or thinner ball end mill, or a machine with more axes.")
		default:
			t.ways[s] = before[s]
		}
	}
}

// eachPoint visits points of a patch with the normal there and the share of its area that they stand for.
func (p *planner) eachPoint(q int32, visit func(at, normal geom.Vec3, share float64)) {
	whole := p.g.Patches[q].Area
	p.g.EachTriangle(q, func(a, b, c geom.Vec3) bool {
		halved([3]geom.Vec3{a, b, c}, pointShare*whole, pointSteps, func(at, normal geom.Vec3, area float64) {
			visit(at, normal, area/whole)
		})
		return true
	})
}

// halved visits the centers of the parts of a triangle, none of which has more than an area (mm²) or is halved more
// often than some steps.
func halved(c [3]geom.Vec3, most float64, steps int, visit func(at, normal geom.Vec3, area float64)) {
	n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0]))
	area := n.Norm() / 2
	switch {
	case area == 0:
	case area <= most || steps == 0:
		visit(c[0].Add(c[1]).Add(c[2]).Scale(1.0/3), n.Scale(1/(2*area)), area)
	default:
		for c[0].Dist(c[1]) < max(c[1].Dist(c[2]), c[2].Dist(c[0])) { // the longest side first
			c = [3]geom.Vec3{c[1], c[2], c[0]}
		}
		m := c[0].Lerp(c[1], 0.5)
		halved([3]geom.Vec3{c[0], m, c[2]}, most, steps-1, visit)
		halved([3]geom.Vec3{m, c[1], c[2]}, most, steps-1, visit)
	}
}

// isReached reports whether the best ball for a slope reaches it at a point. Its cell and the eight around it count,
// since the cells of a steep slope are few.
func (v *terrain) isReached(p *planner, q int32, at geom.Vec3) bool {
	k := int32(0)
	for ; v.slopes[k] != q; k++ {
		if int(k)+1 == len(v.slopes) {
			return false
		}
	}
	view, _, _ := p.viewAlong(v.side, geom.Box{})
	l, cells := view.Local(at), v.best[k].cells
	x, y := int(math.Round((l.X-v.grid.X)/v.grid.Step)), int(math.Round((l.Y-v.grid.Y)/v.grid.Step))
	for j := max(y-1, 0); j <= min(y+1, v.grid.Height-1); j++ {
		for i := max(x-1, 0); i <= min(x+1, v.grid.Width-1); i++ {
			c := j*v.grid.Width + i
			if cells == nil || v.slope[c] != k || !cells[c] {
				continue
			}
			high := 2 * v.grid.Step / max(float64(v.normal[c][2]), mostSteep)
			if math.Abs(l.Z-float64(v.part[c])) <= grid.SameHeight+high {
				return true
			}
		}
	}
	return false
}
