package toolpath

import (
	"cmp"
	"math"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Links between cuts: at the feed where the tip stays free, else over the stock: up, level and down, each as a rapid.

// up retracts the tip to the height above all material.
func (w *operationBuilder) up() {
	if w.isBegun && w.at.Z < w.safe {
		w.line(lift(flat(w.at), w.safe), motion.Rapid, 0)
	}
}

// over moves the tip above a point: at the height of the air over the level if the path is clear there, else above all
// material. It then descends as a rapid to above over the stock, fast to half of that, and at the feed of the plunge to
// touch over it, as raw stock may be higher than it is said to be; or to z if that is higher.
func (w *operationBuilder) over(p geom.Vec2, z float64, l *level) error {
	top, err := w.site.Top(w.assembly, p)
	if err != nil {
		return err
	}
	if err := w.rapidOver(p, max(top+above, z), l); err != nil {
		return err
	}
	if top, err = w.top(p); err == nil {
		w.line(lift(p, min(w.at.Z, max(top+above/2, z))), motion.LeadIn, w.linkFeed())
		w.line(lift(p, min(w.at.Z, max(top+touch, z))), motion.LeadIn, w.plungeFeed())
	}
	return err
}

// top returns the height (mm) down to which the flutes meet no more than a shaving over a place. Next to a cut wall
// that is the height of its foot.
func (w *operationBuilder) top(at geom.Vec2) (float64, error) {
	return w.site.Stock.Top(at, w.radius-shaving)
}

// rapidOver moves the tip over a point by rapids, and down to a height if it is above it.
func (w *operationBuilder) rapidOver(p geom.Vec2, to float64, l *level) error {
	if !w.isBegun {
		w.begin(lift(p, w.safe))
	}
	if l != nil && w.at.Z < l.air && flat(w.at) != p {
		sky, err := w.sky(l)
		if err != nil {
			return err
		}
		if l.air >= to && w.isPassage(sky, flat(w.at), p) {
			w.line(lift(flat(w.at), l.air), motion.Rapid, 0)
			w.line(lift(p, l.air), motion.Rapid, 0)
			w.line(lift(p, min(to, l.air)), motion.Rapid, 0)
			return nil
		}
	}
	if flat(w.at) != p {
		w.up()
		w.line(lift(p, w.at.Z), motion.Rapid, 0)
	}
	if w.at.Z > to {
		w.line(lift(p, to), motion.Rapid, 0)
	}
	return nil
}

// sky returns where the whole tool is in the air at the height of the air over a level.
func (w *operationBuilder) sky(l *level) (*arcpoly.Area, error) {
	if l.sky == nil {
		sky, err := w.site.Open(w.assembly, l.air, w.margin(), w.window)
		if err != nil {
			return nil, err
		}
		l.sky = &sky
	}
	return *l.sky, nil
}

// margin (mm) is the largest distance of the tip outside the box of the stock. It covers all queries here, but not more
// than the machine's travel if the tool can be clear of the stock within it.
func (w *operationBuilder) margin() float64 {
	margin := 4*w.radius + 10
	if t := w.in.Travel; t.X > 0 && t.Y > 0 {
		size := w.setup.Before.Size()
		margin = min(margin, (t.X-size.X)/2, (t.Y-size.Y)/2)
	}
	return max(margin, w.radius+1)
}

// straight reports whether the segment between two points stays in an area, within rounding.
func straight(a *arcpoly.Area, from, to geom.Vec2) bool {
	p := planar.NewLine(from, to)
	return within(a, &p)
}

// isPassage reports whether a level rapid stays in an area, on a control that leads both axes together and on one
// whose axes run as fast as each can until the first is there.
func (w *operationBuilder) isPassage(a *arcpoly.Area, from, to geom.Vec2) bool {
	knee := w.knee(from, to)
	return straight(a, from, to) && straight(a, from, knee) && straight(a, knee, to)
}

// knee returns where the first axis stops on a level rapid of axes that run as fast as each can.
func (w *operationBuilder) knee(from, to geom.Vec2) geom.Vec2 {
	d, fast := to.Sub(from), geom.Vec2{X: cmp.Or(w.in.RapidX, 1), Y: cmp.Or(w.in.RapidY, 1)}
	first := min(math.Abs(d.X)/fast.X, math.Abs(d.Y)/fast.Y)
	return from.Add(geom.Vec2{X: math.Copysign(first*fast.X, d.X), Y: math.Copysign(first*fast.Y, d.Y)})
}

// within reports whether a segment stays in an area, within rounding. Its steps are the distances to the boundary, so
// it cannot step over an obstacle wider than finest.
func within(a *arcpoly.Area, p *planar.Segment) bool {
	const finest = 0.02 // mm
	length := p.Length()
	for at := 0.0; ; {
		d := a.Distance(p.At(min(at/max(length, geom.Resolution), 1)))
		if d < -stray {
			return false
		}
		if at >= length {
			return true
		}
		at = min(at+max(d, finest), length)
	}
}

// turned returns a closed loop that begins at its point nearest to p.
func turned(l planar.Loop, p geom.Vec2) []planar.Segment {
	best, first := -1.0, 0
	var at geom.Vec2
	for i := range l {
		q, _ := l[i].Nearest(p)
		if d := q.Dist(p); best < 0 || d < best {
			best, first, at = d, i, q
		}
	}
	head, tail := split(l[first], at)
	var out []planar.Segment
	if tail.Length() > geom.Resolution {
		out = append(out, tail)
	}
	out = append(out, l[first+1:]...)
	out = append(out, l[:first]...)
	if head.Length() > geom.Resolution {
		out = append(out, head)
	}
	if len(out) == 0 {
		out = append(out, l...)
	}
	return out
}

// split cuts a piece at a place on it.
func split(p planar.Segment, at geom.Vec2) (head, tail planar.Segment) {
	head, tail = p, p
	head.To, tail.From = at, at
	if p.Turn != 0 {
		head.Turn = turnTo(&p, at)
		tail.Turn = p.Turn - head.Turn
	}
	return head, tail
}
