package planning

// Walls that stand under other material in part: where no side makes one whole, a side that sees half of it or more
// makes what it sees. The toolpath follows the wall where nothing is above the tool.

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
)

// leastSeenOfWall is the share of a wall that a side must see to make what it sees.
const leastSeenOfWall = direction.MinFloorVisibility

// wallsInPart finds the tools for walls that no side makes otherwise.
func (p *planner) wallsInPart(at []int) {
	isMade := make([]bool, len(p.tasks))
	for t := range p.tasks {
		isMade[t] = p.tasks[t].hasApproach()
	}
	for s := side(0); s < sides; s++ {
		if !p.fits[s] || p.seen[s] == graph.None {
			continue
		}
		byFeature := map[int]*group{}
		for q := range p.g.Patches {
			if at[q] < 0 || isMade[at[q]] {
				continue
			}
			v := p.in.Run.Visibility.View(p.g, p.seen[s], int32(q))
			if v.Relation != direction.Parallel || v.Share < leastSeenOfWall || v.Share >= direction.MinWallVisibility {
				continue
			}
			f := p.owners[q][0]
			if byFeature[f] == nil {
				byFeature[f] = &group{side: s, feature: f}
			}
			byFeature[f].walls = append(byFeature[f].walls, int32(q))
		}
		for _, f := range slices.Sorted(maps.Keys(byFeature)) {
			g := byFeature[f]
			widest := p.widestBeside(g, at)
			p.giveWalls(g, nil, func(t *tool) bool { return t.Diameter <= widest }, at)
			for _, q := range g.walls {
				if w := p.tasks[at[q]].ways[s]; w != nil {
					w.short = cmp.Or(w.short, p.covered(q, s))
				}
			}
		}
	}
}

// widestBeside returns the diameter of the thinnest mill of the walls that the walls of a group meet: a thicker one
// would leave more in their corners, mm.
func (p *planner) widestBeside(g *group, at []int) float64 {
	widest := math.Inf(1)
	for _, q := range g.walls {
		p.neighbors(q, func(_ *graph.Adjacency, o int32) {
			if at[o] < 0 {
				return
			}
			if w := p.tasks[at[o]].ways[g.side]; w != nil && w.kind == wall {
				widest = min(widest, p.tools[w.tool].Diameter)
			}
		})
	}
	return widest
}

// covered says how much of a wall stands under other material as seen from a side; nil where that is little.
func (p *planner) covered(q int32, s side) *rejection {
	v := p.in.Run.Visibility.Share[p.seen[s]][q]
	if v >= direction.MinWallVisibility {
		return nil
	}
	return refuse(completeness.NotAccessible, "Other material covers %.0f %% of it as seen from %v of the workpiece.",
		100*(1-v), s).with("A setup from a side that sees the rest, or a machine with more axes.")
}
