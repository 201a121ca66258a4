package toolpath

import (
	"math"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// face mills the section of the stock flat, level by level, in alternating rows along its longer side that begin and
// end in the air. If an obstacle blocks the rows, the section is cleared by rings.
func (w *operationBuilder) face() error {
	before := w.op.Top
	for _, z := range w.levels() {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		stock, err := w.site.Stock.Above(z)
		if err != nil {
			return err
		}
		if stock.Size() < trifle {
			before = z
			continue
		}
		rows := w.rows(stock)
		free, err := w.site.Free(w.assembly, z, w.stockToLeave(), w.margin(), access.Window{})
		if err != nil {
			return err
		}
		isFree := true
		for i := range rows {
			isFree = isFree && within(free, &rows[i])
		}
		if !isFree {
			target, err := w.target(z)
			if err != nil {
				return err
			}
			if err := w.level(z, before, target); err != nil {
				return err
			}
			before = z
			continue
		}
		if err := w.mow(rows, z, before); err != nil {
			return err
		}
		before = z
	}
	return nil
}

// mow cuts rows that follow one another.
func (w *operationBuilder) mow(rows []planar.Segment, z, before float64) error {
	l := &level{z: z, air: before + above}
	if err := w.over(rows[0].From, z, l); err != nil {
		return err
	}
	w.line(lift(rows[0].From, z), motion.LeadIn, w.plungeFeed())
	for i, p := range rows {
		kind := motion.Cut
		if i%2 == 1 {
			kind = motion.Link
		}
		w.line(lift(p.To, z), kind, w.feed())
	}
	_, err := w.take(z, along([][]planar.Segment{rows}))
	return err
}

// rows returns the path over an area: rows a stepover apart, which begin and end clear of it, and the steps between
// them.
func (w *operationBuilder) rows(a *arcpoly.Area) []planar.Segment {
	lo, hi := a.Extent()
	u, v := geom.Vec2{X: 1}, geom.Vec2{Y: 1}
	if hi.Y-lo.Y > hi.X-lo.X {
		u, v = v, u
	}
	step := w.stepover()
	clear := w.radius + above
	from, to := lo.Dot(u)-clear, hi.Dot(u)+clear
	// The first row takes a stepover, and so does the last one at most; the flat of the tool covers the area between.
	first, last := lo.Dot(v)+step-w.radius, hi.Dot(v)-w.flat()+stray
	if first > last {
		first = (lo.Dot(v) + hi.Dot(v)) / 2
		last = first
	}
	n := int(math.Ceil((last - first) / step))
	var pieces []planar.Segment
	at := u.Scale(from).Add(v.Scale(first))
	for i := range n + 1 {
		across := first
		if n > 0 {
			across += (last - first) * float64(i) / float64(n)
		}
		if i > 0 {
			next := u.Scale(at.Dot(u)).Add(v.Scale(across))
			pieces = append(pieces, planar.NewLine(at, next))
			at = next
		}
		end := to
		if i%2 == 1 {
			end = from
		}
		next := u.Scale(end).Add(v.Scale(across))
		pieces = append(pieces, planar.NewLine(at, next))
		at = next
	}
	return pieces
}

// flat returns the radius (mm) of the tool's flat end, at least half of its radius.
func (w *operationBuilder) flat() float64 { return max(w.radius-w.tool.Tool.CornerRadius, w.radius/2) }

// shoulder returns the height (mm) above its tip at which the tool has its full width.
func (w *operationBuilder) shoulder() float64 {
	top, widest := 0.0, 0.0
	w.site.Cuts(w.assembly, func(radius, height float64) {
		if radius > widest {
			widest, top = radius, height
		}
	})
	return top
}
