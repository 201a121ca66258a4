// Package recognize finds the machining features of a part by rules on its graph and on what each
// direction sees.
package recognize

// Recognition of a whole part.
//
// The rules run in a fixed order, and a face belongs to the first feature that takes it: holes, then
// chamfers, bosses, pockets with a floor, passages, other hollows, and the planes that are left and
// open to their normal as faces to be milled flat. Bosses come before pockets because their walls
// would else be walls of the pocket they stand in. Holes and chamfers are decided on the graph alone,
// everything else with what each direction sees.
//
// Limits: one direction per feature; features that only exist through several setups, free-form
// regions, dovetails and T-slots have rules of their own elsewhere or none yet.

import (
	"context"
	"fmt"

	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/feature/hole"
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// facingShare is the share of a plane that must be seen from its normal to be milled flat: all of it,
// less what samples at its rim miss.
const facingShare = 0.98

// found is a feature in terms of the graph.
type found struct {
	typ     feature.Type
	patches []int32 // ascending
	dir     geom.Vec3
	axis    *geom.Vec3
	z       geom.Interval // mm along dir
	hole    *feature.HoleShape
	pocket  *feature.PocketShape
}

// recognizer holds one run.
type recognizer struct {
	g         *graph.Graph
	v         *direction.Sight
	taken     []bool // by patch
	isChamfer []bool // by patch
	out       []found
}

// Run is what recognition found on one part, with what it looked at.
type Run struct {
	Graph *graph.Graph
	Sight *direction.Sight
	feature.Result
}

// Part finds the candidate directions and the features of a part. msh must have one region per face
// of m, with normals; faces of sheets are left out. It returns the errors of vis and of ctx.
func Part(ctx context.Context, m *brep.Model, msh *mesh.Mesh, vis feature.Visibility) (*Run, error) {
	if len(msh.Regions) != len(m.Faces) {
		return nil, fmt.Errorf("recognition: mesh has %d regions for %d faces", len(msh.Regions), len(m.Faces))
	}
	g, err := graph.New(ctx, m, msh)
	if err != nil {
		return nil, err
	}
	r := recognizer{g: g, taken: make([]bool, len(g.Patches))}
	stacks := hole.Stacks(g)
	var asks []direction.Ask
	inHole := make([]bool, len(g.Patches))
	for i := range stacks {
		asks = append(asks, stacks[i].Asks(g)...)
		for _, p := range stacks[i].Patches {
			inHole[p] = true
		}
	}
	r.isChamfer = bevels{g}.chamfers(inHole)
	r.v, err = direction.Find(ctx, g, vis, asks, r.isChamfer)
	if err != nil {
		return nil, err
	}
	for i := range stacks {
		h := hole.Measure(g, &stacks[i], r.v)
		r.add(found{
			typ: feature.Hole, patches: stacks[i].Patches, dir: h.Dir, axis: &h.Axis, z: h.Z, hole: h.Shape,
		})
	}
	for i, is := range r.isChamfer {
		if is {
			if f, ok := r.chamfer(int32(i)); ok {
				r.add(f)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	basins := r.basins()
	r.bosses(basins)
	r.floorPockets(basins)
	r.passages()
	r.hollows()
	r.planes()
	return &Run{Graph: g, Sight: r.v, Result: r.result()}, nil
}

// add records a feature and takes its patches.
func (r *recognizer) add(f found) {
	for _, p := range f.patches {
		r.taken[p] = true
	}
	r.out = append(r.out, f)
}

// planes turns the planes that are left into faces where nothing of the part stands above them.
func (r *recognizer) planes() {
	for i := range r.g.Patches {
		p := &r.g.Patches[i]
		if r.taken[i] || p.Kind != surface.KindPlane {
			continue
		}
		if d := r.v.Find(p.Axis); d != graph.None && r.v.Share[d][i] >= facingShare {
			dir := r.v.Dirs[d]
			axis := direction.Tidy(p.Axis)
			z := r.g.Extent(int32(i), dir)
			r.add(found{typ: feature.Face, patches: []int32{int32(i)}, dir: dir, axis: &axis, z: z})
		}
	}
}
