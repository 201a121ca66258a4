package planning

// The pieces of two plates on a base.
//
// Bolts go through the sliding plate into threads of the fixed one, which screws from below hold on the base. The bolts
// and screws themselves are standard parts.

import (
	"math"

	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Holes of metric screws, mm.
const (
	boltClearance, boltCore = 11.0, 8.5 // M10
	baseScrew               = "M8"
	screwClearance          = 9.0
	screwCore               = 6.8
	screwHead, screwSink    = 15.0, 9.0 // its counterbore
	screwDeep               = 16.0      // of its thread
	screwRoof               = 6.0       // of plate over the thread, at least
	screwInset              = 30.0      // from the ends of a plate: the bolts are nearer
)

// plateSet is two plates that are bolted together on a base.
type plateSet struct {
	formed
	isFlat bool     // the plates have no pocket
	middle float64  // height of the bolts along the side
	base   geom.Box // in the frame of the workpiece
}

func (s *plateSet) pieces(w *writer) ([]fixture.Piece, error) {
	var out []fixture.Piece
	if s.isFlat {
		for k := range 2 {
			piece, _ := w.blank(w.nameOf(sideOf(s.grip.axis, k == 1))+" plate", s.flatBlock(k))
			full := []planar.Loop{rectangle(0, 0, piece.Size.X, piece.Size.Y)}
			piece.Layers = []fixture.Layer{fixture.NewLayer(piece.Size.Z, full)}
			out = append(out, piece)
		}
	} else {
		var err error
		if out, err = (&jawPieces{&s.formed, "plate"}).pieces(w); err != nil {
			return nil, err
		}
	}
	base, _ := w.blank("base", s.base)
	full := []planar.Loop{rectangle(0, 0, base.Size.X, base.Size.Y)}
	base.Layers = []fixture.Layer{fixture.NewLayer(base.Size.Z, full)}
	for k := range out {
		s.drill(w, k, &out[k], &base)
	}
	return append(out, base), nil
}

// flatBlock returns a plate without a pocket, in the frame of the workpiece.
func (s *plateSet) flatBlock(jaw int) (b geom.Box) {
	face := outward(jaw)*s.grip.planes.Mid() + s.grip.planes.Length()/2
	put(&b, s.grip.axis, sideOf(s.grip.axis, jaw == 1).flip(geom.Interval{Lo: face, Hi: face + jawBacking}))
	put(&b, s.third, s.ends)
	put(&b, s.side.axis(), s.side.flip(geom.Interval{Lo: s.low, Hi: s.grip.top}))
	return b
}

// drill adds the holes of a plate, and those of the base below the fixed one.
func (s *plateSet) drill(w *writer, jaw int, p, base *fixture.Piece) {
	to := sideOf(s.grip.axis, jaw == 1)
	out := snapped(w.out.Frame.LocalDir(to.dir(w.frame)))
	up := geom.Vec3{Z: 1}
	// back returns a place of the back of the plate.
	back := func(along, height float64) geom.Vec3 {
		var v geom.Vec3
		v.SetCoordinate(s.third, along)
		v.SetCoordinate(s.side.axis(), s.side.sign()*height)
		v = w.out.Frame.Local(w.frame.Point(v)).Sub(p.Frame.Origin)
		for axis := range 2 {
			if d := out.Coordinate(axis); d != 0 {
				v.SetCoordinate(axis, max(d, 0)*p.Size.Coordinate(axis))
			}
		}
		return v
	}
	for _, along := range [2]float64{s.ends.Lo + plateBolt, s.ends.Hi - plateBolt} {
		h := fixture.Hole{At: back(along, s.middle), Dir: out.Neg(), Through: true}
		step := fixture.Step{Diameter: boltClearance, Depth: p.Layers[len(p.Layers)-1].Through(h.At, h.Dir)}
		if w.isFixed(to) {
			step.Diameter, h.Thread = boltCore, "M10"
		}
		h.Steps = []fixture.Step{step}
		p.Holes = append(p.Holes, h)
	}
	if !w.isFixed(to) {
		return
	}
	for _, along := range [2]float64{s.ends.Lo + screwInset, s.ends.Hi - screwInset} {
		at := back(along, s.low).AddScaled(-jawBacking/2, out)
		at.Z = 0
		deep := min(screwDeep, p.Size.Z-screwRoof)
		p.Holes = append(p.Holes, fixture.Hole{
			At: at, Dir: up, Steps: []fixture.Step{{Diameter: screwCore, Depth: deep}}, Thread: baseScrew,
		})
		below := at.Add(p.Frame.Origin).Sub(base.Frame.Origin)
		below.Z = 0
		base.Holes = append(base.Holes, fixture.Hole{At: below, Dir: up, Through: true, Steps: []fixture.Step{
			{Diameter: screwHead, Depth: screwSink}, {Diameter: screwClearance, Depth: base.Size.Z},
		}})
	}
}

// snapped returns the axis nearest to a direction, in its sense.
func snapped(d geom.Vec3) geom.Vec3 {
	return geom.Vec3{X: math.Round(d.X), Y: math.Round(d.Y), Z: math.Round(d.Z)}
}
