package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// maxCells is the number of cells from which on a level is divided into strips: about 100 MB.
const maxCells = 3 << 20

// mostStrips bounds the number of strips. Areas too large for it get larger strips.
const mostStrips = 256

// strips divides a level by its target, across the longer side, so that the rasters have at most maxCells cells.
func (l *Level) strips() ([]Level, error) {
	lo, hi, ok := l.window(l.Allowed)
	if !ok {
		return nil, nil
	}
	side := 4 * l.Radius // of the window and the raster around a target
	size := hi.Sub(lo)
	perMM := cellsPerRadius(l.Radius) / l.Radius
	along, across := max(size.X, size.Y)+side, min(size.X, size.Y)+side
	width := maxCells/(across*perMM*perMM) - 2*side
	n := 1
	if along*across*perMM*perMM > maxCells {
		n = mostStrips
		if most := along / mostStrips; width > most {
			n = int(math.Ceil(along / width))
		}
	}
	if n == 1 {
		return []Level{*l}, nil
	}
	t0, t1 := l.Target.Extent()
	var out []Level
	for k := range n {
		from, to := t0, t1
		if a, b := float64(k)/float64(n), float64(k+1)/float64(n); size.X >= size.Y {
			from.X, to.X = t0.X+a*(t1.X-t0.X), t0.X+b*(t1.X-t0.X)
		} else {
			from.Y, to.Y = t0.Y+a*(t1.Y-t0.Y), t0.Y+b*(t1.Y-t0.Y)
		}
		frame, err := rectangle(from, to)
		if err != nil {
			return nil, err
		}
		strip := *l
		if strip.Target, err = arcpoly.Intersection(l.Target, frame); err != nil {
			return nil, err
		}
		if !strip.Target.IsEmpty() {
			out = append(out, strip)
		}
	}
	return out, nil
}

// replay takes from the material the moves on earlier strips that are near. They stay at the begin of the path, for
// exact distances.
func (c *clearing) replay(moves []Move) {
	if len(moves) == 0 {
		return
	}
	lo, hi := c.origin, c.point(c.nx, c.ny)
	isJoined := false
	for i := range moves {
		m := &moves[i]
		if m.Kind == Enter && m.Helix > 0 {
			c.path = append(c.path, step{to: m.To, kind: Enter, helix: m.Helix})
			c.discs = append(c.discs, int32(len(c.path)-1))
			c.clearDisc(m.To, c.radius+m.Helix)
		}
		if m.Kind == Enter || m.Kind == Retract {
			isJoined = false
			continue
		}
		p := planar.Segment{From: moves[i-1].To, To: m.To, Center: m.Center, Turn: m.Turn}
		away := c.radius + p.Radius()
		if max(p.From.X, p.To.X) < lo.X-away || min(p.From.X, p.To.X) > hi.X+away ||
			max(p.From.Y, p.To.Y) < lo.Y-away || min(p.From.Y, p.To.Y) > hi.Y+away {
			isJoined = false
			continue
		}
		if !isJoined {
			c.clearDisc(p.From, c.radius)
			c.path = append(c.path, step{to: p.From, kind: Link})
			isJoined = true
		}
		n := int(max(p.Length()/(stepLength*c.radius), math.Abs(p.Turn)/0.1)) + 1
		for k := 1; k <= n; k++ {
			c.clearStep(c.end(), p.At(float64(k)/float64(n)), math.Pi)
			c.path = append(c.path, step{to: p.At(float64(k) / float64(n)), kind: Cut})
			c.trace()
		}
	}
	c.path = append(c.path, step{to: moves[len(moves)-1].To, kind: Retract})
	c.replayed = len(c.path)
}

// rectangle returns the area between two corners.
func rectangle(lo, hi geom.Vec2) (*arcpoly.Area, error) {
	p, q := geom.Vec2{X: hi.X, Y: lo.Y}, geom.Vec2{X: lo.X, Y: hi.Y}
	return arcpoly.New(planar.Loop{
		planar.NewLine(lo, p), planar.NewLine(p, hi), planar.NewLine(hi, q), planar.NewLine(q, lo),
	})
}
