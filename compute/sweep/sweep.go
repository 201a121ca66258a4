// Package sweep is the primitive that takes from a stock what a tool passes on its moves.
package sweep

import (
	"fmt"
	"math"

	"millwright/compute/primitive"
	"millwright/core/geom"
	"millwright/core/machining/profile"
	"millwright/core/motion"
	"millwright/core/stock/dexel"
)

const (
	// ArcSlack (mm) is how far the end of an arc may miss To: postprocessors print thousandths, of the centre too.
	ArcSlack = 0.02

	// Chord (mm) is how far chords may stray from what they stand for: helices, all arcs seen by rays that
	// are neither parallel nor perpendicular to the tool, hollow arcs of profiles, and rounded corners seen by
	// such rays; on a graphics device all arcs and rounded corners. It is a tenth of what machines hold.
	Chord = 0.0005
)

// Input is a stock, a tool and its motion: the tool removes all that any point of it passes. The bundles
// are three independent samples of the stock, and each is cut as exactly as the others.
//
// A ray ends where it meets the swept volume, up to the rounding of float32 (half a unit in the last place of
// the distance from the origin) and of some 2⁻⁴⁵ of the coordinates involved. Where chords stand for curves,
// or where the tangent point of a ramp with a rounded corner is searched, the volume is that of a tool which
// stands beside the true one by Chord at most. So a ray that grazes the volume may end off by the square
// root of that error, as may any surface seen at a grazing angle.
type Input struct {
	Stock *dexel.Stock
	Tool  profile.Profile
	Frame geom.Frame       // maps the tool frame to part coordinates; geom.World for a machine of three axes
	Moves []motion.Segment // of the tip in the tool frame, whose Z is the tool's axis and points to the spindle
}

// Primitive is material removal. Its items are rays met, once for each move.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "sweep", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: (*Input).updates,
	Cost:  primitive.Cost{Seconds: 46e-9, Bytes: 24},
}

// Output is what is left. A move that cuts air only has removed 0.
type Output struct {
	Stock   *dexel.Stock
	Removed []float64 // mm³ per move, the mean of the three bundles

	// Updates counts the pairs of a ray and a move whose line meets the swept volume of the move, so that its
	// spans were compared with it. The chords of a helix and the halves of an arc count as moves.
	Updates int64
}

// Check returns an error for a stock, tool, frame or move that the primitive does not take.
func (in *Input) Check() error {
	if err := in.Stock.Check(); err != nil {
		return err
	}
	if err := in.Tool.Check(); err != nil {
		return err
	}
	if r, h := in.Tool.MaxRadius(), in.Tool.Top(); max(r, h) > farthest {
		return fmt.Errorf("sweep: the tool is %g mm high and has a radius of %g mm", h, r)
	}
	f := in.Frame
	const orthonormal = 1e-9 // as frames come out of a chain of rotations
	for _, v := range []float64{
		f.X.Norm2() - 1, f.Y.Norm2() - 1, f.Z.Norm2() - 1, f.X.Dot(f.Y), f.Y.Dot(f.Z), f.Z.Dot(f.X),
		f.Origin.Norm2() * 0, // not a number where the origin is not finite
	} {
		if !(math.Abs(v) <= orthonormal) {
			return fmt.Errorf("sweep: the axes of the frame %v are not orthonormal", f)
		}
	}
	if !f.IsRightHanded() {
		return fmt.Errorf("sweep: the frame %v is left-handed", f)
	}
	for i := range in.Moves {
		if err := check(&in.Moves[i]); err != nil {
			return fmt.Errorf("sweep: move %d %w", i, err)
		}
	}
	return nil
}

// farthest (mm) is beyond any machine; up to it squares of coordinates keep the digits that matter.
const farthest = 1e9

func check(m *motion.Segment) error {
	const most = 1e6 // rad: more turns than any thread
	far := max(math.Abs(m.From.X), math.Abs(m.From.Y), math.Abs(m.From.Z),
		math.Abs(m.To.X), math.Abs(m.To.Y), math.Abs(m.To.Z))
	switch {
	case !(far <= farthest):
		return fmt.Errorf("leads from %v to %v", m.From, m.To)
	case m.Turn == 0:
		return nil
	case !(math.Abs(m.Turn) <= most) || !(max(math.Abs(m.Center.X), math.Abs(m.Center.Y)) <= farthest):
		return fmt.Errorf("turns by %g rad around %v", m.Turn, m.Center)
	}
	if end := m.At(1); end.Dist(m.To) > ArcSlack {
		return fmt.Errorf("ends at %v, %g mm beside %v", end, end.Dist(m.To), m.To)
	}
	return nil
}

// updates estimates the rays that the moves meet: those through the tool's shadow along it, half as many again for
// the two bundles that it cuts from the side. Moves that meet fewer rays than the stock has do not pay for taking
// the stock to a device and back: of those it is 0.
func (in *Input) updates() int {
	if in.Stock == nil || !(in.Stock.Lattice.Step > 0) {
		return 0 // a backend says what is wrong
	}
	const bundles = 1.5
	wide, cell := 2*in.Tool.MaxRadius(), in.Stock.Lattice.Step*in.Stock.Lattice.Step
	met := 0.0
	for i := range in.Moves {
		m := &in.Moves[i]
		met += bundles * (m.Length() + wide) * wide / cell
	}
	rays := 0
	for i := range in.Stock.Bundles {
		rays += len(in.Stock.Bundles[i].Start)
	}
	if !(met >= float64(rays)) {
		return 0
	}
	return int(min(met, math.MaxInt32))
}
