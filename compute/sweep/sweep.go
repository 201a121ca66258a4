// Package sweep is the primitive that removes the swept volume of a tool's moves from a stock.
package sweep

import (
	"fmt"
	"math"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// ArcMargin (mm) is the maximum distance of an arc's end from To: postprocessors print thousandths, also for the
	// center.
	ArcMargin = 0.02

	// Chord (mm) is the maximum chordal deviation. Chords approximate helices where the tool is not a cylinder, all
	// arcs seen by rays that are neither parallel nor perpendicular to the tool, concave arcs of profiles, and rounded
	// corners seen by such rays. On a graphics device they approximate all arcs and rounded corners. The value is a
	// tenth of the usual machine tolerance.
	Chord = 0.0005
)

// Input is a stock, a tool and its motion: the tool removes all material that any point of it passes. The bundles are
// three independent samples of the stock, and each is cut as exactly as the others.
//
// A ray ends where it meets the swept volume, up to the rounding of float32 (half a unit in the last place of the
// distance from the origin) and about 2⁻⁴⁵ of the coordinates involved. Where chords approximate curves, or where the
// tangent point of a ramp with a rounded corner is searched, the volume belongs to a tool at most Chord beside the true
// one. So the end of a ray that grazes the volume may have an error of the square root of Chord, as may any surface
// seen at a grazing angle.
//
// With zones, only the cutting zone of a tool removes material. For the others the output reports contacts, in the
// order in which the parts of a tool pass a height, so that a shank that follows its flutes down has no contact.
type Input struct {
	Stock *dexel.Stock
	Tool  toolprofile.Profile
	Zones []toolprofile.Zone // of each segment of Tool, never decreasing; nil: all of it cuts
	Frame geom.Frame         // maps the tool frame to part coordinates; geom.World for a machine of three axes
	Moves []motion.Segment   // of the tip in the tool frame, whose Z is the tool's axis and points to the spindle

	// Bundles are the bundles to cut; the others stay unchanged. Without undercuts, the bundle along the tool is
	// enough.
	Bundles Bundles

	// Keep is the target that no move may cut, in the lattice of Stock; nil: no target. Stretches of rays no longer
	// than Slack (mm) are not reported: where rays and surfaces coincide they are rounding.
	Keep  *dexel.Stock
	Slack float64

	shelves *[3]spanStore // of a Simulation: the other part of Stock; like Keep, it has been checked
}

// Bundles is a set of bundles, bit a for that along axis a; 0 is all.
type Bundles uint8

func (b Bundles) has(bundle int) bool { return b == 0 || b>>bundle&1 != 0 }

func (b Bundles) count() (n int) {
	for a := range 3 {
		if b.has(a) {
			n++
		}
	}
	return n
}

// Primitive is material removal. Its items are rays met, once for each move.
var Primitive = &primitive.Primitive[Input, Output]{
	Name: "sweep", Check: (*Input).Check, CPU: onCPU, GPU: onGPU,
	Items: (*Input).updates,
	Cost:  primitive.Cost{Seconds: 46e-9, Bytes: 24, Host: 38e-9},
}

// Output is the remaining stock and the removals. A move through air has removed 0.
type Output struct {
	Stock   *dexel.Stock
	Removed []float64 // mm³ per move, the mean of the bundles

	// Touched is the volume (mm³ per move) that each zone except the cutting one touches; nil for zones that the tool
	// does not have. Contacts of several chords or halves of a turn count for each.
	Touched [toolprofile.ZoneCount][]float64

	Gouges []Gouge // of moves that cut the target, by move and bundle

	// Updates counts the pairs of a ray and a move whose line meets the swept volume of the move, except those without
	// material that a backend detected. The chords of an arc and the halves of a turn count as moves.
	Updates int64

	shelves [3]spanStore
	gouges  map[[2]int]gouged // by move and bundle
}

// Check returns an error for a stock, tool, frame or move that the primitive does not take.
func (in *Input) Check() error {
	if in.shelves == nil {
		if err := checkStocks(in.Stock, in.Keep); err != nil {
			return err
		}
	}
	if err := in.Tool.Check(); err != nil {
		return err
	}
	if err := in.checkZones(); err != nil {
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

func checkStocks(stock, keep *dexel.Stock) error {
	if err := stock.Check(); err != nil || keep == nil {
		return err
	}
	if keep.Lattice != stock.Lattice {
		return fmt.Errorf("sweep: what is to be kept lies in another lattice than the stock")
	}
	return keep.Check()
}

func (in *Input) checkZones() error {
	if in.Zones != nil && len(in.Zones) != len(in.Tool) {
		return fmt.Errorf("sweep: %d zones of %d segments", len(in.Zones), len(in.Tool))
	}
	for i, z := range in.Zones {
		if z >= toolprofile.ZoneCount || i > 0 && z < in.Zones[i-1] {
			return fmt.Errorf("sweep: segment %d of the tool has the zone %s", i, z)
		}
	}
	if in.Bundles > 1<<3-1 || !(in.Slack >= 0) {
		return fmt.Errorf("sweep: bundles %b, slack %g mm", in.Bundles, in.Slack)
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
	if end := m.At(1); end.Dist(m.To) > ArcMargin {
		return fmt.Errorf("ends at %v, %g mm beside %v", end, end.Dist(m.To), m.To)
	}
	return nil
}

// updates estimates the number of rays that the moves intersect: the rays through the tool's shadow along it, and half
// as many for the two bundles that it cuts from the side. It is 0 for moves that intersect fewer rays than the stock
// has, because they are not worth the transfer of the stock to a device and back.
func (in *Input) updates() int {
	if in.Stock == nil || !(in.Stock.Lattice.Step > 0) {
		return 0 // a backend reports the error
	}
	const bundles = 1.5
	wide, cell := 2*in.cuttingRadius(), in.Stock.Lattice.Step*in.Stock.Lattice.Step
	met, way := 0.0, geom.EmptyBox()
	for i := range in.Moves {
		m := &in.Moves[i]
		met += bundles * (m.Length() + wide) * wide / cell
		way = way.Add(m.From).Add(m.To)
	}
	rays := 0.0
	for i := range in.Stock.Bundles {
		rays += float64(len(in.Stock.Bundles[i].Start))
	}
	if size := way.Max.Sub(way.Min); in.shelves != nil { // a Simulation transfers only the reach of the moves
		rays = min(rays, bundles*(size.X+wide)*(size.Y+wide)/cell)
	}
	if !(met >= rays) {
		return 0
	}
	return int(min(met, math.MaxInt32))
}
