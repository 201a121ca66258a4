package recognize

import (
	"context"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/helix"
	"millwright.dev/millwright/core/feature/recognize/internal/bentsheet"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/feature/recognize/internal/channel"
	"millwright.dev/millwright/core/feature/recognize/internal/hole"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/sheetmetal"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Facts of a part that all rules and all readings share.

// partContext is the set of facts of one part. Only its caches change after newPartContext.
type partContext struct {
	g         *graph.Graph
	v         *direction.Visibility
	threads   []helix.Thread
	stacks    []hole.Stack
	channels  []channel.Channel
	bevels    []bool    // by patch: in the place of a convex edge
	chamfered [][]int32 // groups of bevels that are one chamfer
	gussets   []bool    // by patch: the slope of a rib
	reliefs   []cornerRelief
	sheet     *bentsheet.Sheet // nil without sheet metal
	thickness float64          // mm, of a part that is one sheet, 0 for others

	loopsOf   [][]graph.BoundaryLoop // cache by patch
	sectionOf []*section.Walls       // cache by direction
}

// newPartContext returns the facts of a part. The error is that of vis or ctx.
func newPartContext(ctx context.Context, m *brep.Model, msh *mesh.Mesh, vis feature.Visibility) (*partContext, error) {
	g, err := graph.New(ctx, m, msh)
	if err != nil {
		return nil, err
	}
	pc := &partContext{g: g, loopsOf: make([][]graph.BoundaryLoop, len(g.Patches))}
	if pc.threads, err = helix.Find(ctx, g); err != nil {
		return nil, err
	}
	if pc.v, err = direction.Find(ctx, g, vis, pc.findOnGraph(), cutOff(pc)); err != nil {
		return nil, err
	}
	pc.sectionOf = make([]*section.Walls, len(pc.v.Dirs))
	pc.findSheet()
	return pc, nil
}

// findOnGraph finds the facts that need no direction, and returns the directions that they request.
func (pc *partContext) findOnGraph() (requests []direction.Request) {
	inside := make([]bool, len(pc.g.Patches))
	pc.stacks = hole.Stacks(pc.g)
	for i := range pc.stacks {
		requests = append(requests, pc.stacks[i].Requests(pc.g)...)
		for _, p := range pc.stacks[i].Patches {
			inside[p] = true
		}
	}
	pc.bevels = chamfer.Find(pc.g, inside)
	pc.chamfered = chamfer.Groups(pc.g, pc.bevels, pc.boundaryLoops)
	pc.gussets = make([]bool, len(pc.g.Patches))
	for p := range pc.gussets {
		pc.gussets[p] = isGusset(pc.g, int32(p))
	}
	pc.reliefs = findReliefs(pc.g)
	pc.channels = channel.Find(pc.g, inside)
	for _, c := range pc.channels {
		requests = append(requests, direction.Request{Dir: c.Dir, Patches: c.Open})
	}
	return slices.Concat(requests, passageRequests(pc), grooveRequests(pc), threadRequests(pc))
}

// findSheet finds the sheet metal of a part, which excludes the walls of holes and threads.
func (pc *partContext) findSheet() {
	var whole *sheetmetal.Sheet
	if s, ok := sheetmetal.Detect(pc.g); ok {
		whole, pc.thickness = &s, s.Thickness
	}
	v := newVerifier(pc, nil)
	holes(v.reading, v)
	outerThreads(v.reading, v)
	pc.sheet = bentsheet.Find(pc.g, v.taken(), whole)
}

// cutOff marks the patches that are chamfers by the graph. They may request directions like other sides.
func cutOff(pc *partContext) []bool {
	is := make([]bool, len(pc.bevels))
	for _, group := range pc.chamfered {
		for _, p := range group {
			is[p] = true
		}
	}
	return is
}

// boundaryLoops returns the boundaries of a planar patch.
func (pc *partContext) boundaryLoops(p int32) []graph.BoundaryLoop {
	if pc.loopsOf[p] == nil {
		pc.loopsOf[p] = pc.g.Rims(p)
	}
	return pc.loopsOf[p]
}

// sees reports whether direction d, None for a direction that was not kept, sees half of patch p.
func (pc *partContext) sees(d int, p int32) bool {
	return d != graph.None && pc.v.Share[d][p] >= direction.MinFloorVisibility
}

// opposite returns the opposite of direction d, None if it was not kept.
func (pc *partContext) opposite(d int) int { return pc.v.Find(pc.v.Dirs[d].Neg()) }

// isSecond reports whether the opposite of direction d comes before it. Vertical walls are those of either one.
func (pc *partContext) isSecond(d int) bool {
	o := pc.opposite(d)
	return o != graph.None && o < d
}

// mostSeen returns the first of the directions that satisfy fit and see most of some patches, within a tolerance, and
// the seen share. It returns None and 0 if none sees anything.
func mostSeen(pc *partContext, patches []int32, tolerance float64, fit func(dir geom.Vec3) bool,
) (best int, most float64) {
	best = graph.None
	for d, dir := range pc.v.Dirs {
		if share := pc.v.Seen(pc.g, d, patches); share > most+tolerance && fit(dir) {
			best, most = d, share
		}
	}
	return best, most
}

// wallsAlong returns the walls along direction d.
func (pc *partContext) wallsAlong(d int) *section.Walls {
	if pc.sectionOf[d] == nil {
		pc.sectionOf[d] = section.Along(pc.g, pc.v.Dirs[d])
	}
	return pc.sectionOf[d]
}
