// Package clearing compares the clearing of pockets, by package adaptive and by the roughing of programs, with the
// pocket and adaptive operations of FreeCAD. FreeCAD runs a script that is embedded here.
package clearing

import (
	"context"
	"syscall"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
)

// Clear clears a pocket by package adaptive, with a helix as wide as those of programs, and returns the moves and the
// seconds of processors that it took.
func (p *Pocket) Clear(ctx context.Context) (moves []Move, seconds float64, err error) {
	target, err := Area(p.Loops)
	if err != nil {
		return nil, 0, err
	}
	stock, err := target.Offset(p.Diameter)
	if err != nil {
		return nil, 0, err
	}
	start := processorSeconds()
	allowed, err := target.Offset(-p.Diameter / 2)
	if err != nil {
		return nil, 0, err
	}
	const widestHelix = 0.45 // of the diameter
	made, err := adaptive.Clear(ctx, adaptive.Level{
		Radius: p.Diameter / 2, Arc: p.Arc(), Allowed: allowed, Stock: stock, Target: target,
		HelixRadius: widestHelix * p.Diameter,
	})
	if err != nil {
		return nil, 0, err
	}
	seconds = processorSeconds() - start
	kinds := map[adaptive.Kind]Kind{adaptive.Cut: Cut, adaptive.Link: Link, adaptive.Enter: Enter}
	for _, m := range made.Moves {
		if kind, ok := kinds[m.Kind]; ok {
			moves = append(moves, Move{To: m.To, Center: m.Center, Turn: m.Turn, Kind: kind, Helix: m.Helix})
		}
	}
	return moves, seconds, nil
}

// processorSeconds returns the seconds that processors have worked for this process.
func processorSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
