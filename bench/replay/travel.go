package replay

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// travel is a level line or arc.
type travel struct {
	from, to, center geom.Vec2
	turn             float64
}

func travelOf(from geom.Vec2, m Move) travel {
	return travel{from: from, to: flat(m.To), center: m.Center, turn: m.Turn}
}

// distance returns the distance of a point from the path.
func (w *travel) distance(p geom.Vec2) float64 {
	if w.turn == 0 {
		d := w.to.Sub(w.from)
		l := d.Dot(d)
		if l == 0 {
			return p.Sub(w.from).Norm()
		}
		t := min(max(p.Sub(w.from).Dot(d)/l, 0), 1)
		return p.Sub(w.from.Add(d.Scale(t))).Norm()
	}
	ends := min(p.Sub(w.from).Norm(), p.Sub(w.to).Norm())
	a, b := w.from.Sub(w.center), p.Sub(w.center)
	angle := math.Atan2(a.X*b.Y-a.Y*b.X, a.X*b.X+a.Y*b.Y)
	if w.turn < 0 {
		angle = -angle
	}
	if angle < 0 {
		angle += 2 * math.Pi
	}
	if angle <= math.Abs(w.turn) {
		return math.Abs(b.Norm() - a.Norm())
	}
	return ends
}

// bounds encloses the way.
func (w *travel) bounds() (lo, hi geom.Vec2) {
	lo = geom.Vec2{X: min(w.from.X, w.to.X), Y: min(w.from.Y, w.to.Y)}
	hi = geom.Vec2{X: max(w.from.X, w.to.X), Y: max(w.from.Y, w.to.Y)}
	if w.turn != 0 {
		r := w.from.Sub(w.center).Norm()
		lo = geom.Vec2{X: w.center.X - r, Y: w.center.Y - r}
		hi = geom.Vec2{X: w.center.X + r, Y: w.center.Y + r}
	}
	return lo, hi
}

// toBox returns the distance of the path from a rectangle seen from above, by points half a millimeter apart.
func (w *travel) toBox(b geom.Box) float64 {
	const apart = 0.5
	length := w.to.Sub(w.from).Norm()
	if w.turn != 0 {
		length = math.Abs(w.turn) * w.from.Sub(w.center).Norm()
	}
	n := int(math.Ceil(length / apart))
	best := math.Inf(1)
	m := Move{To: geom.Vec3{X: w.to.X, Y: w.to.Y}, Center: w.center, Turn: w.turn}
	for i := range n + 1 {
		p := along(w.from, m, float64(i)/float64(max(n, 1)))
		dx := max(b.Min.X-p.X, 0, p.X-b.Max.X)
		dy := max(b.Min.Y-p.Y, 0, p.Y-b.Max.Y)
		best = min(best, math.Hypot(dx, dy))
	}
	return best
}

// flat is a point seen from above.
func flat(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }
