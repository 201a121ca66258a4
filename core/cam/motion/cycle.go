package motion

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// CycleKind is the method by which a canned cycle makes its hole.
type CycleKind uint8

// The cycles, with their usual codes.
const (
	Drill     CycleKind = iota // in at the feed, out as a rapid (G81, G82 with a dwell)
	Peck                       // in steps of Peck, each time out to Retract (G83)
	ChipBreak                  // in steps of Peck, each time up by ChipBreakRetract (G73)
	Ream                       // in and out at the feed (G85)
	Tap                        // in with the spindle's turn, out against it (G84)
)

// ChipBreakRetract (mm) is the retract of a tool that breaks a chip, and the height above the last peck at which the
// feed starts again. It is LinuxCNC's value; on other controls it is a setting.
const ChipBreakRetract = 0.254

// Cycle is a canned cycle: the common parameters of its moves. Heights are in the frame of the setup.
type Cycle struct {
	Kind    CycleKind
	Retract float64 // mm, height from which the tool feeds
	Bottom  float64 // mm, height of the tip at the bottom
	Peck    float64 // mm, of Peck and ChipBreak
	Dwell   float64 // s, at the bottom, of Drill: not all controls have it in other cycles
	Pitch   float64 // mm, of Tap
}

// most is the maximum number of pecks of a hole: a cycle with more is an error, and would take too long to expand.
const most = 1000

// Check returns the error of an invalid cycle.
func (c *Cycle) Check() error {
	for _, v := range [...]float64{c.Retract, c.Bottom, c.Peck, c.Dwell, c.Pitch} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the cycle has a value that is not finite: %+v", *c)
		}
	}
	switch bites := (c.Retract - c.Bottom) / c.Peck; {
	case c.Kind > Tap:
		return fmt.Errorf("there is no cycle %d", c.Kind)
	case c.Bottom > c.Retract:
		return fmt.Errorf("the bottom of the cycle, %g mm, is above its retract plane, %g mm", c.Bottom, c.Retract)
	case c.Peck < 0 || c.Dwell < 0 || c.Pitch < 0:
		return fmt.Errorf("a cycle has a negative peck, dwell or pitch: %+v", *c)
	case c.Dwell > 0 && c.Kind != Drill:
		return fmt.Errorf("a cycle of kind %d has a dwell, which not all controls know", c.Kind)
	case c.Peck > 0 && bites > most:
		return fmt.Errorf("a cycle takes %.0f pecks, at most %d are allowed", bites, most)
	}
	return nil
}

// Expand appends the moves that a control makes of a canned cycle when the tip is at from, to dst.
func (c *Cycle) Expand(dst []Move, from geom.Vec3, m Move) []Move {
	x, y := m.To.X, m.To.Y
	rapid := func(z float64) {
		if dst[len(dst)-1].To.Z != z {
			dst = append(dst, Move{Kind: Rapid, To: geom.Vec3{X: x, Y: y, Z: z}})
		}
	}
	feed := func(z float64, kind Kind) {
		dst = append(dst, Move{Kind: kind, To: geom.Vec3{X: x, Y: y, Z: z}, Feed: m.Feed, Flags: m.Flags})
	}
	if from.Z < c.Retract { // a control rises before it goes sideways
		from.Z = c.Retract
		dst = append(dst, Move{Kind: Rapid, To: from})
	}
	dst = append(dst, Move{Kind: Rapid, To: geom.Vec3{X: x, Y: y, Z: from.Z}})
	rapid(c.Retract)
	if c.Peck > 0 && (c.Kind == Peck || c.Kind == ChipBreak) {
		for z := c.Retract - c.Peck; z > c.Bottom+Resolution/2; z -= c.Peck { // less is rounding, and no bite
			feed(z, Plunge)
			if c.Kind == Peck {
				rapid(c.Retract)
			}
			rapid(min(z+ChipBreakRetract, c.Retract))
		}
	}
	feed(c.Bottom, Plunge)
	if c.Dwell > 0 {
		dst = append(dst, Move{Kind: Dwell, To: dst[len(dst)-1].To, Seconds: c.Dwell})
	}
	if c.Kind == Ream || c.Kind == Tap {
		feed(c.Retract, LeadOut)
	}
	rapid(m.To.Z)
	return dst
}
