// Package raycast is the primitive that tells what arbitrary rays meet.
package raycast

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"millwright/compute/bvh"
	"millwright/compute/primitive"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// Ray is the places origin + t·direction with TMin < t < TMax. Both ends may be infinite.
type Ray struct {
	Origin     geom.Vec3 // mm
	Direction  geom.Vec3 // of any length but none: t counts in its lengths
	TMin, TMax float64
}

// Primitive is ray casting. Its items are rays.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "raycast", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: func(in *Input) int { return len(in.Rays) },
	Cost:  primitive.Cost{Seconds: 710e-9, Bytes: 40},
}

// Input asks what arbitrary rays meet first. Parallel rays from the surface of a body are better left to
// package visibility, which is faster and leaves out the facets that rays start from.
//
// A ray meets a triangle from whichever side; one seen exactly edge-on it does not meet. It meets a triangle on
// its sides and corners too: so no ray slips through between two triangles that share a side.
//
// Error bound: with ε of Bound, a backend may move the corners of the triangles by up to ε before it decides, the
// same point always to the same place for one ray, and the ends of the ray and the place of the hit along it by up
// to ε. Then it decides right, whatever the shape of the triangles. So an answer can differ from the exact one only
// for a ray that passes within ε of an outline, and t where the triangle is steep.
type Input struct {
	Mesh *mesh.Mesh // points and triangles only; need not be closed
	// Tree is that of the mesh, which need not be given then: made once by bvh.New it serves many calls. Without
	// it a tree is built for this call.
	Tree *bvh.Tree
	Rays []Ray
	// Any asks for any hit in place of the nearest, as for shadows, which takes less time.
	Any bool
}

// Output has an entry per ray.
type Output struct {
	T        []float64 // of the hit, in lengths of the direction; +Inf without one
	Triangle []int32   // number of the triangle in the mesh; -1 without one
}

// newOutput returns an output in which no ray meets anything.
func newOutput(rays int) Output {
	out := Output{T: make([]float64, rays), Triangle: make([]int32, rays)}
	for i := range rays {
		out.T[i], out.Triangle[i] = math.Inf(1), -1
	}
	return out
}

const (
	// rayReach (mm) keeps squares of lengths finite in float32.
	rayReach = 1e15

	// shortestRay and longestRay bound the length of a direction, whose square is taken.
	shortestRay, longestRay = 1e-100, 1e100

	// roundRay is the rounding of places in float64, as a share of their distance from where they are measured.
	roundRay = 1.0 / (1 << 48)
)

// Bound returns ε in mm for a ray over a mesh within a box: bvh.LineRounding of half its diagonal (0.4 µm for a part
// of 200 mm), and what float64 loses of coordinates far out.
func (r *Ray) Bound(box geom.Box) float64 {
	if box.IsEmpty() {
		return 0
	}
	middle := box.Center()
	return bvh.LineRounding*box.Diagonal()/2 + roundRay*(r.Origin.Dist(middle)+middle.Norm())
}

// tree returns the tree of the input, which it builds where none is given; or ctx.Err() after the context ended. It
// refuses meshes with points that are not finite or farther than 10^15 mm out, and triangles that name missing
// points.
func (in *Input) tree(ctx context.Context) (*bvh.Tree, error) {
	if err := ctx.Err(); err != nil || in.Tree != nil {
		return in.Tree, err
	}
	return bvh.New(in.Mesh.Points, in.Mesh.Triangles, runtime.GOMAXPROCS(0))
}

// Check returns an error for rays that are not finite, start farther than 10^15 mm out or have no direction. The mesh
// is checked when its tree is built.
func (in *Input) Check() error {
	if in.Mesh == nil && in.Tree == nil {
		return fmt.Errorf("ray casting: there is no mesh")
	}
	for i := range in.Rays {
		r := &in.Rays[i]
		if !within(r.Origin, rayReach) {
			return fmt.Errorf("ray casting: ray %d starts at %v mm", i, r.Origin)
		}
		if n := r.Direction.Norm(); !(n >= shortestRay && n <= longestRay) {
			return fmt.Errorf("ray casting: ray %d has the direction %v", i, r.Direction)
		}
		if math.IsNaN(r.TMin) || math.IsNaN(r.TMax) {
			return fmt.Errorf("ray casting: ray %d runs from %g to %g", i, r.TMin, r.TMax)
		}
	}
	return nil
}

func within(p geom.Vec3, reach float64) bool {
	return max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) <= reach
}
