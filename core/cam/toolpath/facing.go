package toolpath

import (
	"math"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// face mills the section of the stock flat, level by level, in alternating rows along its longer side. If an obstacle
// blocks the rows, the section is cleared by rings.
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
		rows, err := w.rows(stock)
		if err != nil {
			return err
		}
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
	w.follow(rows, w.feed())
	_, err := w.take(z, along([][]planar.Segment{rows}))
	return err
}

// rows returns the path over an area: rows a stepover apart, and the steps between them. The first row begins in the
// air. Each row is as long as the area under it, and ends where a step to the next row takes no more than a stepover
// and leaves nothing behind the flat of the tool.
func (w *operationBuilder) rows(a *arcpoly.Area) ([]planar.Segment, error) {
	lo, hi := a.Extent()
	u, v := geom.Vec2{X: 1}, geom.Vec2{Y: 1}
	if hi.Y-lo.Y > hi.X-lo.X {
		u, v = v, u
	}
	step := w.stepover()
	// The first row takes a stepover, and so does the last one at most; the flat of the tool covers the area between.
	first, last := lo.Dot(v)+step-w.radius, hi.Dot(v)-w.flat()+stray
	if first > last {
		first = (lo.Dot(v) + hi.Dot(v)) / 2
		last = first
	}
	n := int(math.Ceil((last - first) / step))
	across, ranges := make([]float64, n+1), make([]geom.Interval, n+1)
	for i := range across {
		across[i] = first
		from := lo.Dot(v)
		if i > 0 {
			across[i] += (last - first) * float64(i) / float64(n)
			from = across[i-1]
		}
		var err error
		if ranges[i], err = extentBetween(a, u, v, from, across[i]+w.radius); err != nil {
			return nil, err
		}
	}
	beyond := max(w.radius-step, w.radius-w.flat()) + touch
	at := w.before(a, u.Scale(ranges[0].Lo-w.radius-above).Add(v.Scale(first)), u.Scale(ranges[0].Lo).Add(v.Scale(first)))
	var pieces []planar.Segment
	for i := range across {
		end := ranges[i]
		if i < n {
			end.Lo, end.Hi = min(end.Lo, ranges[i+1].Lo), max(end.Hi, ranges[i+1].Hi)
		}
		to := end.Hi + beyond
		if i%2 == 1 {
			to = end.Lo - beyond
		}
		for _, next := range [...]geom.Vec2{
			u.Scale(at.Dot(u)).Add(v.Scale(across[i])), u.Scale(to).Add(v.Scale(across[i])),
		} {
			if next != at {
				pieces, at = append(pieces, planar.NewLine(at, next)), next
			}
		}
	}
	return pieces, nil
}

// extentBetween returns the extent along u of an area between two coordinates along v.
func extentBetween(a *arcpoly.Area, u, v geom.Vec2, from, to float64) (geom.Interval, error) {
	lo, hi := a.Extent()
	in := access.NewWindow(u.Scale(lo.Dot(u)).Add(v.Scale(from)), u.Scale(hi.Dot(u)).Add(v.Scale(to)))
	part, err := in.Clip(a)
	if err != nil || part.IsEmpty() {
		return geom.Interval{Lo: lo.Dot(u), Hi: hi.Dot(u)}, err
	}
	lo, hi = part.Extent()
	return geom.Interval{Lo: lo.Dot(u), Hi: hi.Dot(u)}, nil
}

// before returns the last place on the way between two at which the tool is above (mm) from an area.
func (w *operationBuilder) before(a *arcpoly.Area, at, to geom.Vec2) geom.Vec2 {
	for {
		gap := -a.Distance(at) - w.radius - above
		if gap <= stray || gap >= at.Dist(to) {
			return at
		}
		at = at.Add(to.Sub(at).Scale(gap / at.Dist(to)))
	}
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
