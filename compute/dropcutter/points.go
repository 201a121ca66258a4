package dropcutter

// Dropping a tool at single points.
//
// Method: the elements that a tool can touch (ridges, their corners, and facets; see cpu.go) belong to triangles. The
// triangles are in a tree over the plane: in the order of a Morton curve through their midpoints, four to a leaf, each
// node with its box and its highest point. A query begins with the triangle that the query before has touched, and
// descends the tree, first into the node with the higher possible contact. It skips nodes below the best height found
// (branch and bound; Land and Doig, 1960), for a ball also by the planes of cover.go, and triangles below it by the
// tangent plane of the tool at that contact.
//
// Cost: O(n log n) to build the tree of n triangles. A query visits some hundred nodes, because the highest contact
// excludes most triangles under the tool, or some ten for a tip without contact. Limits: on the processor only.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// PointsInput is an Input with points (in the frame, mm) in place of a grid. The results keep the bound of Input with a
// step of 1 mm.
type PointsInput struct {
	Over *PreparedMesh
	At   []geom.Vec3 // Z: current tip height, the result without contact; -Inf requests the lowest height
	Tool toolprofile.Profile
}

// PreparedMesh is a mesh made ready for tools that come down on it along the axis of a frame. It is safe for concurrent
// use.
type PreparedMesh struct {
	mesh  *mesh.Mesh
	frame geom.Frame
	tree  *tree
}

// NewTerrain prepares a mesh, which may not change afterward: points and triangles only; it need not be closed. It
// rejects the same meshes as Input.Check.
func NewTerrain(ctx context.Context, m *mesh.Mesh, f geom.Frame, on primitive.CPU) (*PreparedMesh, error) {
	if m == nil {
		return nil, fmt.Errorf("drop-cutter: there is no mesh")
	}
	if err := raster.CheckView(m, f, origin); err != nil {
		return nil, fmt.Errorf("drop-cutter: %w", err)
	}
	t, err := newTree(ctx, m, f, on)
	if err != nil {
		return nil, err
	}
	return &PreparedMesh{m, f, t}, nil
}

// origin is a grid of one cell of 1 mm.
var origin = grid.Grid{Step: 1, Width: 1, Height: 1}

// AtPoints is the drop-cutter at single places, on the processor. Its items are places.
var AtPoints = &primitive.Primitive[PointsInput, PointsOutput]{
	Name: "drop-cutter-places", Check: (*PointsInput).Check, CPU: placesOnCPU,
	Items: func(in *PointsInput) int { return len(in.At) },
	Cost:  primitive.Cost{Seconds: 12e-6, Bytes: 24},
}

// PointsOutput is the required tip height (mm) at each point, at least the current one.
type PointsOutput struct{ Z []float64 }

// Bound returns δ and ε of Input in mm.
func (in *PointsInput) Bound() (lateral, vertical float64) {
	over := Input{Mesh: in.Over.mesh, Frame: in.Over.frame, Grid: origin, Tool: in.Tool}
	own, vertical := over.Bound()
	lateral = own
	for _, p := range in.At {
		lateral = max(lateral, own+roundDrop*(math.Abs(p.X)+math.Abs(p.Y)))
	}
	return lateral, vertical
}

// Check returns an error for an input that the primitive does not take.
func (in *PointsInput) Check() error {
	if in.Over == nil {
		return fmt.Errorf("drop-cutter: there is no mesh")
	}
	for i, p := range in.At {
		if !(math.Abs(p.X) <= farthest && math.Abs(p.Y) <= farthest && p.Z <= farthest) {
			return fmt.Errorf("drop-cutter: place %d is (%g, %g, %g)", i, p.X, p.Y, p.Z)
		}
	}
	return checkTool(in.Tool, origin.Step)
}

// farthest (mm) is beyond any machine; up to it float64 resolves far less than the slack.
const farthest = 1e6

func placesOnCPU(ctx context.Context, on primitive.CPU, in *PointsInput) (PointsOutput, error) {
	out := PointsOutput{Z: make([]float64, len(in.At))}
	if len(in.At) == 0 {
		return out, ctx.Err()
	}
	const batch = 256
	err := on.Each(ctx, (len(in.At)+batch-1)/batch, func() func(int) {
		d := &descent{tree: in.Over.tree, tool: newCutter(in.Tool)}
		return func(task int) {
			for i := task * batch; i < min((task+1)*batch, len(in.At)); i++ {
				out.Z[i] = d.drop(in.At[i])
			}
		}
	})
	if err != nil {
		return PointsOutput{}, err
	}
	return out, nil
}

// leafSize is the number of triangles in a leaf.
const leafSize = 4

// extent is the box of a node in the plane and the highest point in it, mm.
type extent struct{ left, right, near, far, top float64 }

var nothing = extent{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (e extent) with(o extent) extent {
	return extent{
		min(e.left, o.left), max(e.right, o.right), min(e.near, o.near), max(e.far, o.far), max(e.top, o.top),
	}
}

// distanceBeside returns the square of the distance of two boxes, mm².
func (e *extent) distanceBeside(o *extent) float64 {
	dx, dy := max(e.left-o.right, o.left-e.right, 0), max(e.near-o.far, o.near-e.far, 0)
	return dx*dx + dy*dy
}

// contacts are the sides and corners of a triangle that a tool can touch, in addition to its inside. Each side and
// corner of the mesh belongs to one triangle.
type contacts struct{ side, corner [3]bool }

// tree is a mesh in the frame of the places: a complete binary tree whose node k has the children 2k+1 and 2k+2.
type tree struct {
	scene
	order  []int32  // triangles, by leaves
	own    []extent // of each triangle
	has    []contacts
	nodes  []extent
	covers []cover // of the nodes
	leaves int     // a power of two; the last may be empty
}

func newTree(ctx context.Context, m *mesh.Mesh, f geom.Frame, on primitive.CPU) (*tree, error) {
	above, err := raster.NewScene(ctx, m, f, origin, on)
	if err != nil {
		return nil, err
	}
	t := &tree{scene: scene{above}}
	t.hang()
	t.sort()
	t.leaves = 1
	for t.leaves*leafSize < len(t.order) {
		t.leaves *= 2
	}
	t.nodes, t.covers = make([]extent, 2*t.leaves-1), make([]cover, 2*t.leaves-1)
	for k := len(t.nodes) - 1; k >= 0; k-- {
		if k < t.leaves-1 {
			t.nodes[k] = t.nodes[2*k+1].with(t.nodes[2*k+2])
			t.coverChildren(k)
			continue
		}
		t.nodes[k] = nothing
		for _, own := range t.own[t.leaf(k):t.leaf(k+1)] {
			t.nodes[k] = t.nodes[k].with(own)
		}
		t.coverTriangles(k)
	}
	return t, ctx.Err()
}

// leaf returns the start of node k's triangles in the order; they end at the start of the next node's.
func (t *tree) leaf(k int) int { return min((k-t.leaves+1)*leafSize, len(t.order)) }

func (t *tree) extent(i int32) extent {
	p := t.Triangle(int(i))
	return extent{
		min(p[0].U, p[1].U, p[2].U), max(p[0].U, p[1].U, p[2].U), min(p[0].V, p[1].V, p[2].V),
		max(p[0].V, p[1].V, p[2].V),
		max(p[0].Z, p[1].Z, p[2].Z),
	}
}

// hang gives each side and corner that can be touched to the first of its triangles.
func (t *tree) hang() {
	sides, corners := t.ridges(1)
	t.has = make([]contacts, len(t.Triangles))
	for _, e := range sides {
		t.has[e.first/3].side[e.first%3] = true
	}
	loose := make([]bool, len(t.Points))
	for _, c := range corners {
		loose[c] = true
	}
	for i, v := range t.Triangles {
		for k := range v {
			t.has[i].corner[k], loose[v[k]] = loose[v[k]], false
		}
	}
}

// sort puts the triangles into the order of a Morton curve through their middles.
func (t *tree) sort() {
	all, own := nothing, make([]extent, len(t.Triangles))
	for i := range own {
		own[i] = t.extent(int32(i))
		all = all.with(own[i])
	}
	const cells = 1<<16 - 1
	number := func(lo, hi, x float64) uint64 {
		return uint64(cells * (x - lo) / max(hi-lo, math.SmallestNonzeroFloat64))
	}
	keys := make([]uint64, len(t.Triangles)) // places along the curve, and triangles
	for i := range keys {
		e := &own[i]
		u, v := number(all.left, all.right, (e.left+e.right)/2), number(all.near, all.far, (e.near+e.far)/2)
		keys[i] = (spread(u)|spread(v)<<1)<<32 | uint64(i)
	}
	slices.Sort(keys)
	t.order, t.own = make([]int32, len(keys)), make([]extent, len(keys))
	for k, key := range keys {
		i := int32(key & math.MaxUint32)
		t.order[k], t.own[k] = i, own[i]
	}
}

// spread puts a zero between the lowest 16 bits of x.
func spread(x uint64) uint64 {
	x &= 0xffff
	x = (x | x<<8) & 0x00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f
	x = (x | x<<2) & 0x33333333
	return (x | x<<1) & 0x55555555
}
