package planning

// The pieces of soft jaws and plates.
//
// A jaw is a block with its pocket down to the seat, where the part lies on ledges. Its thickness is the depth of the
// part in it and a backing, within the box that the proof keeps clear of. The pattern of the screws of a vise is
// unknown, so jaws have no holes.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/fixture"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

const (
	jawMaterial = "aluminum 6061"
	noHoles     = "without the holes that fasten it"
	jawBacking  = 25.0 // mm of jaw behind the part
	jawLedge    = 4.0  // mm of floor beside the walls of a pocket: below the rest of the part is a gap for tools
	leastKept   = 0.75 // share of the grip that the reliefs of a pocket leave
	leastGap    = 10.0 // mm wide, of the gap below the part
	leastPiece  = 10.0 // mm²: smaller pieces next to a pocket break off
)

// HasPieces reports whether a device of some setups is made for the part.
func HasPieces(setups []Setup) bool {
	return slices.ContainsFunc(setups, func(s Setup) bool { return len(s.Clamping.Pieces) > 0 })
}

// designer designs the pieces of a device for a setup.
type designer interface {
	pieces(w *writer) ([]fixture.Piece, error)
}

// design adds the pieces of the device of a setup. Where a piece is not solid, the device has none, and a warning.
func (w *writer) design() {
	h := &w.step.clamping
	if h.design == nil {
		return
	}
	pieces, err := h.design.pieces(w)
	for i := range pieces {
		if err == nil {
			_, err = pieces[i].Solid()
		}
	}
	if err != nil {
		w.warn("device_not_drawn", "the device of setup %d has no files: %v", w.index+1, err)
		return
	}
	w.out.Clamping.Pieces = pieces
}

// blank returns a piece without layers that fills a box of the workpiece, and the box in the frame of the setup.
func (w *writer) blank(name string, box geom.Box) (fixture.Piece, geom.Box) {
	b := w.box(box)
	frame := geom.World
	frame.Origin = b.Min
	return fixture.Piece{Name: name, Material: jawMaterial, Frame: frame, Size: b.Size()}, b
}

// jawPieces makes the two jaws of a pocket.
type jawPieces struct {
	*formed
	noun string // "jaw" or "plate"
}

func (j *jawPieces) pieces(w *writer) (out []fixture.Piece, err error) {
	for k := range 2 {
		piece, box := w.blank(w.nameOf(sideOf(j.grip.axis, k == 1))+" "+j.noun, j.block(k))
		cut, err := w.pocketOf(j.formed, k)
		if err != nil {
			return nil, err
		}
		if n := j.kept(k, cut); float64(n) < leastKept*float64(j.least) {
			return nil, fmt.Errorf("the corners of its pocket leave %d of %d rows of the grip of the %s", n, j.least, piece.Name)
		}
		if j.seat {
			piece.Note = noHoles
		}
		full, err := arcpoly.New(rectangle(0, 0, piece.Size.X, piece.Size.Y))
		if err != nil {
			return nil, err
		}
		add := func(top float64, cut *arcpoly.Area) error {
			left, err := j.left(w, k, full, cut, box.Min)
			if err == nil && len(left) == 0 {
				err = fmt.Errorf("nothing is left of the %s", piece.Name)
			}
			piece.Layers = append(piece.Layers, fixture.NewLayer(top, left))
			return err
		}
		if j.seat {
			seat := w.z(j.grip.rest) - box.Min.Z
			relief, err := j.relief(k, cut)
			if err != nil {
				return nil, err
			}
			err = errors.Join(add(seat-min(baseGap, seat/2), nil), add(seat, relief))
			if err != nil {
				return nil, err
			}
		}
		if err := add(piece.Size.Z, cut); err != nil {
			return nil, err
		}
		out = append(out, piece)
	}
	return out, nil
}

// relief returns the area of the gap below the part: beside ledges, and nothing where it would be a narrow strip.
func (j *jawPieces) relief(jaw int, cut *arcpoly.Area) (*arcpoly.Area, error) {
	relief, err := cut.Offset(-jawLedge - j.mill())
	if err == nil {
		relief, err = relief.Offset(j.mill())
	}
	if err != nil {
		return nil, err
	}
	b := j.block(jaw)
	y := sideOf(j.grip.axis, jaw == 1).flip(along(b, j.grip.axis))
	block, err := arcpoly.New(rectangle(j.ends.Lo, y.Lo, j.ends.Hi, y.Hi))
	if err != nil {
		return nil, err
	}
	inner, err := arcpoly.Intersection(relief, block)
	if err == nil {
		inner, err = inner.Offset(-leastGap / 2)
	}
	if err != nil || inner.IsEmpty() {
		return nil, err
	}
	return relief, nil
}

// left returns the outlines of a blank without a pocket, in the frame of the piece, whose origin is a corner.
func (j *jawPieces) left(w *writer, jaw int, full, cut *arcpoly.Area, corner geom.Vec3) (out []planar.Loop, err error) {
	loops := mapped(cut.Loops(), func(at geom.Vec2) geom.Vec2 {
		var v geom.Vec3
		v.SetCoordinate(j.third, at.X)
		v.SetCoordinate(j.grip.axis, outward(jaw)*at.Y)
		l := w.out.Frame.Local(w.frame.Point(v)).Sub(corner)
		return geom.Vec2{X: l.X, Y: l.Y}
	})
	if cut, err = arcpoly.New(loops...); err != nil {
		return nil, err
	}
	left, err := full.Minus(cut)
	if err != nil {
		return nil, err
	}
	if left, err = withoutFins(left); err != nil {
		return nil, err
	}
	for _, part := range left.Parts() {
		if part.Size() >= leastPiece {
			out = append(out, part.Loops()...)
		}
	}
	return out, nil
}

// nameOf names the half of a device toward a side: the half at +y of the setup is fixed or, of devices that close along
// x, the half at −x.
func (w *writer) nameOf(to side) string {
	if w.isFixed(to) {
		return "fixed"
	}
	return "sliding"
}

func (w *writer) isFixed(to side) bool {
	d := w.out.Frame.LocalDir(to.dir(w.frame))
	return d.Y > d.X
}

// block returns the blank of a jaw, in the frame of the workpiece. It begins where the first row is gripped.
func (j *jawPieces) block(jaw int) (b geom.Box) {
	first, deepest := math.Inf(1), j.closed(jaw)
	for i := range j.rows {
		at := outward(jaw) * j.rows[i][jaw]
		if math.IsInf(at, 0) {
			continue
		}
		deepest = max(deepest, at)
		if j.isWall[i][jaw] {
			first = min(first, max(at, j.closed(jaw)))
		}
	}
	front := max(j.closed(jaw), first-closedGap)
	far := outward(jaw)*j.grip.planes.Mid() + j.grip.planes.Length()/2 + jawDepth
	back := min(max(deepest, j.beside[jaw][0], j.beside[jaw][1])+jawBacking, far)
	put(&b, j.grip.axis, sideOf(j.grip.axis, jaw == 1).flip(geom.Interval{Lo: front, Hi: back}))
	put(&b, j.third, j.ends)
	put(&b, j.side.axis(), j.side.flip(geom.Interval{Lo: j.low, Hi: j.grip.top}))
	return b
}
