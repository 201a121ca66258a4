// Package adaptive clears one level of an area with a bounded engagement of the cutter (adaptive clearing).
//
// # Method
//
// The engagement is the front arc: the part of the front half of the cutter's circle that is in material. The cutter
// walks through the material in short steps. The direction of each step is the one at which the front arc is just
// below the bound; it is found by measuring the arc on a raster of distances to the cleared ground. A walk ends where
// no direction is allowed, or in air. Both are always safe: the disc around the end is cleared. The next walk begins
// at the upstream end of a front nearby. Peeled corners and trochoids in slots follow from these rules alone. The
// steps become arcs; each arc replaces steps that were measured, within a small part of the radius.
//
// Between walks the cutter links through cleared ground at the same height: on arcs and lines without corners, from one
// cut to the next or along a way found by a breadth-first search. Where there is no way, it retracts and enters again:
// in air outside the stock, in a hole that exists, in cleared ground, or by a helix.
//
// # Conventions
//
// Lengths are mm, angles rad. The spindle turns clockwise and the cut is a climb cut: the material is on the right of
// the direction of travel. The result depends on the input alone.
//
// # Bounds
//
// Positions are within slack of the allowed area: by exact tests, or by the error bound of the raster. Front arcs are
// measured at samples of the half circle, on the raster and, on ribs thinner than a cell, by exact distances. They are
// not proven. Fitted arcs are within tolerance of the steps and are not measured again. An independent measure of
// pockets with a target of 60 degrees found up to 0.07 % of the cut over 110 %, and no sample over 114 %.
//
// # Cost
//
// Memory is about 30 bytes a cell, with 12 to 16 cells a radius; levels with more than maxCells are divided into
// strips. Time is proportional to the length of the path and the inverse of the radius: 2.6 to 6.7 ms/m for a cutter of
// 20 mm and 9 to 15 ms/m for one of 10 mm, and twice that in combs of slots.
package adaptive

import (
	"context"
	"fmt"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Level is the work at one height.
type Level struct {
	Radius float64 // mm, of the cutter
	Arc    float64 // rad, target of the front arc: acos(1-ae/R) for a stepover ae, at most largestArc

	Allowed *arcpoly.Area // positions that the center of the cutter may take, of any number of parts
	Stock   *arcpoly.Area // material at this height, part included; everything else is air
	Target  *arcpoly.Area // material to remove, in Stock; more than that may go, wherever Allowed lets the cutter

	Start    geom.Vec2 // position before, for the choice of the first entry
	HasStart bool

	Entries     []geom.Vec2 // centers of holes, no narrower than the cutter, in which it may go down
	HelixRadius float64     // mm, radius of the path of an entry helix, at most Radius; 0: no entry in full material
}

// Kind is the kind of a move.
type Kind uint8

// The kinds of moves.
const (
	Cut     Kind = iota // in material, front arc bounded
	Link                // in cleared ground or air, at the height of the level
	Enter               // down at To
	Retract             // up at To; an Enter follows
)

// Move is one move; a line, unless Turn is set.
type Move struct {
	To     geom.Vec2
	Center geom.Vec2 // of an arc, of a cut or a link
	Turn   float64   // rad, of an arc, positive to the left; 0 for a line
	Kind   Kind
	Arc    float64 // rad, of a cut: the largest measured front arc along it
	Air    bool    // of an Enter: no material below, down to the height of the level
	Helix  float64 // mm, of an Enter in material: radius of the helix around To, a half to one HelixRadius
}

// Reason is a reason for material that stays.
type Reason uint8

// The reasons.
const (
	NoEntry Reason = iota + 1 // no place to go down
	Narrow                    // the bound on the front arc, or the width of the passage, excludes a cut
)

// Refusal is reachable material that stays.
type Refusal struct {
	Reason Reason
	At     geom.Vec2 // a point in it
	Size   float64   // mm²
}

// Result is the path over a level.
type Result struct {
	Moves   []Move  // the first is an Enter, unless there are none; ends of moves join
	Left    float64 // mm², reachable material of the target that stays, in cells of the raster
	Refused []Refusal
}

// Clear returns a path that removes the target as far as the bound on the front arc allows. The error is that of the
// context, of an input out of range, or of the operations on areas.
func Clear(ctx context.Context, l Level) (*Result, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	result := &Result{}
	if l.Allowed.IsEmpty() || l.Stock.IsEmpty() || l.Target.IsEmpty() {
		return result, ctx.Err()
	}
	strips, err := l.strips()
	if err != nil {
		return nil, err
	}
	for i := range strips {
		if err := strips[i].clear(ctx, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// clear appends the work on a level that one raster covers to a result.
func (l *Level) clear(ctx context.Context, result *Result) error {
	c, err := newClearing(ctx, l)
	if err != nil || c == nil {
		return err
	}
	c.replay(result.Moves)
	if err := c.run(ctx); err != nil {
		return err
	}
	moves := c.moves()
	if n := len(result.Moves); n > 0 && len(moves) > 0 {
		result.Moves = append(result.Moves, Move{To: result.Moves[n-1].To, Kind: Retract})
	}
	result.Moves = append(result.Moves, moves...)
	left, refused := c.remainder()
	result.Left += left
	result.Refused = append(result.Refused, refused...)
	return nil
}

// largestRadius (mm) and smallestRadius (mm) bound the cutters; areas resolve 1 µm.
const smallestRadius, largestRadius = 0.05, 1e3

// smallestArc and largestArc (rad) bound the target: stepovers of 0.4 % and of 130 % of the radius.
const smallestArc, largestArc = 0.09, 1.9

func (l *Level) validate() error {
	if !(l.Radius >= smallestRadius && l.Radius <= largestRadius) {
		return fmt.Errorf("adaptive: radius %g mm; it must be %g to %g mm", l.Radius, smallestRadius, largestRadius)
	}
	if !(l.Arc >= smallestArc && l.Arc <= largestArc) {
		return fmt.Errorf("adaptive: front arc %g rad; it must be %g to %g", l.Arc, smallestArc, largestArc)
	}
	if !(l.HelixRadius >= 0 && l.HelixRadius <= l.Radius) {
		return fmt.Errorf("adaptive: helix radius %g mm; it must be 0 to the radius of the cutter", l.HelixRadius)
	}
	return nil
}
