package toolpath

import (
	"math"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// Channels are cut along their sides, one way and back, so that the cutter climbs along both. It comes down beside an
// open end and leaves at the other one. Levels go down as far as the flutes are high, and passes outward from the
// opening, each as deep as the radial depth. At the floor, passes closer together cover its middle too.

const (
	runOut = 1.0 // mm between the cutter beyond an open end and the part
	// centered (mm) is the largest distance of both sides from the cutter at which one pass makes both.
	centered = 0.005
	// floorPass is the largest distance between passes on the floor of a channel, of the diameter.
	floorPass = 0.8
)

// undercut cuts a channel.
func (w *operationBuilder) undercut() error {
	c := w.op.Channel
	for _, z := range w.undercutLevels(c.Height, w.op.Bottom) {
		for _, aside := range w.asides(c, z) {
			if err := w.ctx.Err(); err != nil {
				return err
			}
			done, err := w.sides(c, z, aside)
			if err != nil || !done {
				return err
			}
		}
	}
	return nil
}

// undercutLevels returns the heights of the tip in an undercut of some height (mm) over its bottom, from the top.
func (w *operationBuilder) undercutLevels(height, bottom float64) (list []float64) {
	flute := w.tool.Tool.FluteLength
	n := int(max(math.Ceil(height/flute-1e-6), 1))
	for k := n - 1; k >= 0; k-- {
		z := bottom
		if k > 0 {
			z += (height - flute) * float64(k) / float64(n-1)
		}
		list = append(list, z)
	}
	return list
}

// asides returns the distances of the passes at a height from the middle, ascending.
func (w *operationBuilder) asides(c *planning.Channel, z float64) (list []float64) {
	lean := math.Tan(geom.Radians(c.LeanDeg))
	most := c.Width/2 - (z-w.op.Bottom)*lean - w.radius
	if most < centered {
		return []float64{0}
	}
	step := w.radius // of a T-slot cutter, which takes all at once
	if c.LeanDeg > 0 {
		step = w.op.Cutting.Radial.Value
	}
	open := c.Opening/2 - w.radius // where it touches the opening
	first := min(max(open+step, 0), most)
	if z <= w.op.Bottom+motion.Resolution {
		for x := first - 2*w.radius*floorPass; x > -w.radius*floorPass; x -= 2 * w.radius * floorPass {
			list = append([]float64{max(x, 0)}, list...)
		}
	}
	n := max(int(math.Ceil((most-first)/step-1e-6)), 0)
	for k := range n + 1 {
		x := most
		if k < n {
			x = first + (most-first)*float64(k)/float64(n)
		}
		list = append(list, x)
	}
	return list
}

// sides cuts at a height at a distance (mm) from the middle, there on the right and back on the left. It returns false
// where stock is beside the end.
func (w *operationBuilder) sides(c *planning.Channel, z, aside float64) (done bool, err error) {
	run := c.Ends[1].Sub(c.Ends[0])
	run = run.Scale(1 / run.Norm())
	beyond := run.Scale(w.radius + runOut)
	from, to, right := c.Ends[0].Sub(beyond), c.Ends[1].Add(beyond), left(run).Scale(-aside)
	if w.isBegun && w.at.Z == z { // it is still beside this end
		w.line(lift(from.Add(right), z), motion.Link, w.linkFeed())
	} else if err := w.over(from.Add(right), z, nil); err != nil {
		return false, err
	}
	if w.at.Z > z+motion.Resolution {
		w.left.add(leftover{reason: completeness.NotAccessible, patches: w.patches(), bottom: w.op.Bottom, top: w.op.Top,
			detail: "stock stands where the cutter would come down beside the end of the channel."})
		return false, nil
	}
	w.line(lift(to.Add(right), z), motion.Cut, w.feed())
	if aside == 0 {
		w.up()
	} else {
		w.line(lift(to.Sub(right), z), motion.Link, w.linkFeed())
		w.line(lift(from.Sub(right), z), motion.Cut, w.feed())
	}
	return true, nil
}

// grooves cuts grooves in bores: level by level, by rings outward from the bore, each from the middle and back.
func (w *operationBuilder) grooves() error {
	for _, h := range tour(w.op.Holes, flat(w.at)) {
		most := h.Diameter/2 - w.radius
		for _, z := range w.undercutLevels(h.Top-h.Bottom, h.Bottom) {
			if flat(w.at) != h.At {
				if err := w.over(h.At, z, nil); err != nil {
					return err
				}
			}
			// The bore is open, also where a setup that has only faced it does not know of it.
			w.line(lift(h.At, z), motion.LeadIn, w.linkFeed())
			first := max(h.Bore/2-w.radius, 0)
			rings := max(math.Ceil((most-first)/w.op.Cutting.Radial.Value), 1)
			for k := 1.0; k <= rings; k++ {
				w.ringAt(h.At, z, first+(most-first)*k/rings)
			}
		}
		w.up()
	}
	return nil
}
