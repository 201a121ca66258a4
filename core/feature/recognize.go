package feature

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
	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// facingShare is the share of a plane that must be seen from its normal to be milled flat: all of it,
// less what samples at its rim miss.
const facingShare = 0.98

// found is a feature in terms of the graph.
type found struct {
	typ     Type
	patches []int32 // ascending
	dir     geom.Vec3
	axis    *geom.Vec3
	z       geom.Interval // mm along dir
	hole    *HoleShape
	pocket  *PocketShape
}

// recognizer holds one run.
type recognizer struct {
	g         *graph
	v         *sight
	taken     []bool // by patch
	isChamfer []bool // by patch
	out       []found
}

// Recognize finds the candidate directions and the features of a part. msh must have one region per
// face of m, with normals; faces of sheets are left out. It returns the errors of vis and of ctx.
func Recognize(ctx context.Context, m *brep.Model, msh *mesh.Mesh, vis Visibility) (Result, error) {
	if len(msh.Regions) != len(m.Faces) {
		return Result{}, fmt.Errorf("recognition: mesh has %d regions for %d faces", len(msh.Regions), len(m.Faces))
	}
	g, err := newGraph(ctx, m, msh)
	if err != nil {
		return Result{}, err
	}
	r := recognizer{g: g, taken: make([]bool, len(g.patches))}
	stacks := g.stacks()
	inHole := make([]bool, len(g.patches))
	for i := range stacks {
		for _, p := range stacks[i].patches {
			inHole[p] = true
		}
	}
	r.isChamfer = g.chamfers(inHole)
	r.v, err = g.directions(ctx, vis, stacks, r.isChamfer)
	if err != nil {
		return Result{}, err
	}
	for i := range stacks {
		r.add(g.hole(&stacks[i], r.v))
	}
	for i, is := range r.isChamfer {
		if is {
			if f, ok := g.chamfer(int32(i), r.v); ok {
				r.add(f)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	basins := r.basins()
	r.bosses(basins)
	r.floorPockets(basins)
	r.passages()
	r.hollows()
	r.planes()
	return r.result(), nil
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
	for i := range r.g.patches {
		p := &r.g.patches[i]
		if r.taken[i] || p.kind != surface.KindPlane {
			continue
		}
		if d := r.v.find(p.axis); d != none && r.v.share[d][i] >= facingShare {
			dir := r.v.dirs[d]
			axis := tidy(p.axis)
			r.add(found{typ: Face, patches: []int32{int32(i)}, dir: dir, axis: &axis, z: r.g.extent(int32(i), dir)})
		}
	}
}
