// Package visibility is the primitive that determines the visibility of sample points of a body along directions.
package visibility

import (
	"fmt"
	"math"
	"math/bits"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/kernel/geom"
)

// Primitive is the visibility of sample points from infinitely far away. Its items are rays.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "visibility", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: func(in *Input) int { return len(in.Samples) * len(in.Directions) },
	Cost:  primitive.Cost{Seconds: 27e-9, Bytes: 1, Host: 0.5e-9},
}

// Input is a closed mesh, points from which parallel rays start, and the directions of the rays. A sample is visible
// along a direction when its ray meets no triangle through which it would enter the body: one whose outward normal
// makes an obtuse angle with the direction. A triangle seen edge-on blocks no ray. So a ray that starts on the surface,
// or a little off it, is never blocked by the facet it starts from.
//
// Samples with a normal that faces away from the direction, normal · direction < -Grazing, are not visible.
//
// Error bound: let R be half the diagonal of the box around all points and samples. A backend may move each point and
// each sample by up to Rounding·R before it decides; one point moves to the same position for all uses in one
// direction. Then it decides right, and a ray through an edge or a corner is blocked when one of the adjacent triangles
// blocks it. So no light leaks through a closed mesh. A result can differ from the exact one only where the ray passes
// within 2·Rounding·R of the outline of a triangle or starts that near to one. The cosine of a normal counts within
// 2^-21 of its value.
type Input struct {
	Points    []geom.Vec3 // mm
	Triangles [][3]int32  // counter-clockwise seen from outside of the material

	Origin  geom.Vec3    // mm
	Samples [][3]float32 // mm, relative to Origin: a point near the samples keeps their digits
	Normals [][3]float32 // unit normals at Samples; empty when no sample turns away
	Grazing float64      // cosine by which a sample may turn away, not negative

	Directions []geom.Vec3 // unit vectors, from the part to the eye

	checked bool // points, triangles and directions, by Check
}

// Rounding is the share of the half diagonal by which points and samples may move: three roundings
// to steps of 2^-23 of the half diagonal along the axes of the view.
const Rounding = 3.0 / (1 << 23)

// stepCount is the number of steps in the half diagonal in the views of the backends. Two are kept free, so that no
// rounding exceeds the 2^24 that float32 represents exactly.
const stepCount = 1<<24 - 2

// steps returns the points, and the origin of the samples, in steps from the middle of the box around all points
// and samples, and how many steps a mm has: 0 where everything is in one place.
func (in *Input) steps() (points []geom.Vec3, origin geom.Vec3, perMM float64) {
	box := geom.EmptyBox()
	for _, p := range in.Points {
		box = box.Add(p)
	}
	for _, s := range in.Samples {
		box = box.Add(in.Origin.Add(geom.Vec3{X: float64(s[0]), Y: float64(s[1]), Z: float64(s[2])}))
	}
	if scale := stepCount / (box.Diagonal() / 2); scale < math.Inf(1) {
		perMM = scale
	}
	center := box.Center()
	points = make([]geom.Vec3, len(in.Points))
	for i, p := range in.Points {
		points[i] = p.Sub(center).Scale(perMM)
	}
	return points, in.Origin.Sub(center).Scale(perMM), perMM
}

// Output has a row of bits per direction.
type Output struct {
	Rows [][]uint64 // [direction][sample / 64], bit sample % 64 is set when the sample is visible
}

// Visible reports whether a sample is visible along a direction.
func (o *Output) Visible(direction, sample int) bool {
	return o.Rows[direction][sample>>6]>>(sample&63)&1 != 0
}

// Count returns the number of samples in [from, to) that are visible along a direction.
func (o *Output) Count(direction, from, to int) int {
	n, row := 0, o.Rows[direction]
	for from < to {
		word, shift := row[from>>6], from&63
		here := min(to-from, 64-shift)
		n += bits.OnesCount64(word >> shift << (64 - here))
		from += here
	}
	return n
}

// newOutput returns rows with no bit set.
func newOutput(directions, samples int) Output {
	words := (samples + 63) / 64
	all := make([]uint64, directions*words)
	out := Output{Rows: make([][]uint64, directions)}
	for i := range out.Rows {
		out.Rows[i] = all[i*words : (i+1)*words : (i+1)*words]
	}
	return out
}

const (
	// farthest (mm) keeps squares of lengths finite in float32.
	farthest = 1e15

	// unitError is the maximum deviation of a direction's length from 1.
	unitError = 1e-9
)

// Check returns an error for points or samples that are not finite or farther than 10^15 mm out, for triangles with
// invalid point numbers and for directions that are not unit vectors. Degenerate triangles are accepted. A body that is
// sampled in several calls is validated once: in and its copies remember that points, triangles and directions are
// valid, so these must not change after Check.
func (in *Input) Check() error {
	if !in.checked {
		if err := in.checkBody(); err != nil {
			return err
		}
		in.checked = true
	}
	return in.checkSamples()
}

func (in *Input) checkBody() error {
	for i, p := range in.Points {
		if !within(p, farthest) {
			return fmt.Errorf("visibility: point %d is at (%g, %g, %g) mm", i, p.X, p.Y, p.Z)
		}
	}
	for i, t := range in.Triangles {
		if min(t[0], t[1], t[2]) < 0 || int(max(t[0], t[1], t[2])) >= len(in.Points) {
			return fmt.Errorf("visibility: triangle %d has the corners %v of %d points", i, t, len(in.Points))
		}
	}
	for i, d := range in.Directions {
		if !(math.Abs(d.Norm()-1) <= unitError) {
			return fmt.Errorf("visibility: direction %d, (%g, %g, %g), is not a unit vector", i, d.X, d.Y, d.Z)
		}
	}
	return nil
}

func (in *Input) checkSamples() error {
	if !within(in.Origin, farthest) {
		return fmt.Errorf("visibility: the origin is %v", in.Origin)
	}
	for i, s := range in.Samples {
		if !(max(abs(s[0]), abs(s[1]), abs(s[2])) <= farthest) {
			return fmt.Errorf("visibility: sample %d is at %v mm", i, s)
		}
	}
	if n := len(in.Normals); n != 0 && n != len(in.Samples) {
		return fmt.Errorf("visibility: %d normals for %d samples", n, len(in.Samples))
	}
	if !(in.Grazing >= 0) {
		return fmt.Errorf("visibility: samples may turn away by %g", in.Grazing)
	}
	return nil
}

func within(p geom.Vec3, reach float64) bool {
	return max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) <= reach
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
