package planning

// The stock: how it lies in the part, and whether the machine takes it.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// above is the height of tools above all material in free travel, mm.
	above = 5.0

	// besideStock is the distance of a tool's axis outside the stock when it mills around it, mm: the radius of a
	// common end mill and some air. Larger cutters, for facing, need not leave it.
	besideStock = 12.0
)

// workpiece returns the frame with the axes of the part, or that of the direction with the most weight and of one
// perpendicular to it, if that faces more of the planes. Of frames that face as much, it is the one along which more
// directions lie, such as those of cross holes in a round part.
func workpiece(v *direction.Visibility) geom.Frame {
	const rounding = graph.AxisTolerance
	best := geom.World
	weight, count := alongAxes(v, best)
	z := geom.Vec3{}
	most := 0.0
	for i, d := range v.Dirs {
		if w := direction.RoundSignificant(v.Weight[i]); w > most {
			z, most = d, w
		}
	}
	if most == 0 {
		return best
	}
	for _, x := range append(slices.Clip(v.Dirs), geom.Vec3{}) { // the last: any perpendicular one
		if math.Abs(x.Dot(z)) > graph.DirectionTolerance {
			continue
		}
		f := geom.NewFrame(geom.Vec3{}, z, x)
		w, n := alongAxes(v, f)
		if w > weight*(1+rounding) || w >= weight*(1-rounding) && n > count {
			best, weight, count = f, w, n
		}
	}
	return best
}

// alongAxes returns the weight of the directions along the axes of a frame, and their number.
func alongAxes(v *direction.Visibility, f geom.Frame) (weight float64, count int) {
	for i, d := range v.Dirs {
		for s := side(0); s < sides; s++ {
			if axis := s.dir(f); d.Dot(axis) > 0 && d.Cross(axis).Norm() <= graph.DirectionTolerance {
				weight, count = weight+v.Weight[i], count+1
			}
		}
	}
	return weight, count
}

// place puts the part into its stock and sees from which sides the machine takes it.
func (p *planner) place() error {
	c := &p.in.Config
	grow := geom.Vec3(c.Stock.Allowance)
	switch c.Stock.Kind {
	case machining.StockCylinder:
		grow = p.bar(grow)
	case machining.StockNearNet:
		p.warn("stock_as_box", "a casting or forging is planned as the box around it, with the same allowance")
		fallthrough
	default:
		if size := c.Stock.Size; size != nil {
			grow = geom.Vec3(*size).Sub(p.part.Size()).Scale(0.5)
		}
		p.stock = geom.Box{Min: p.part.Min.Sub(grow), Max: p.part.Max.Add(grow)}
	}
	if size := c.Stock.Size; size != nil && min(grow.X, grow.Y, grow.Z) < -p.tol() {
		return fault.Errorf(fault.StockTooSmall, "The part of %s mm does not go into the stock of %s mm.",
			measures(p.part.Size()), measures(geom.Vec3(*size)))
	}
	p.trimStock()
	var tried []string
	any := false
	for s := side(0); s < sides; s++ {
		why := p.tooLarge(s)
		p.fits[s] = why == ""
		any = any || p.fits[s]
		if why != "" && s.sign() > 0 {
			tried = append(tried, why)
		}
	}
	if any {
		return nil
	}
	size, m := p.stock.Size(), c.Machine.Travel
	return fault.Errorf(fault.DoesNotFitMachine,
		"The stock of %s mm does not fit the travel of %s of %s mm in any position: %s.",
		measures(size), c.Machine.Name, measures(geom.Vec3(m)), strings.Join(tried, "; "))
}

// bar makes the stock of a round bar along the axis with most round faces, the z axis of the frame where there are
// none. Tools go and clear as in the box around it. It returns the allowance, which follows from a fixed size.
func (p *planner) bar(grow geom.Vec3) geom.Vec3 {
	var round [3]float64
	for q := range p.g.Patches {
		sh := &p.g.Patches[q].Shape
		for a := range 3 {
			if sh.Kind == surface.KindCylinder && !sh.Hollow &&
				sh.Axis.Cross(side(4-2*a).dir(p.frame)).Norm() <= graph.DirectionTolerance {
				round[a] += p.g.Patches[q].Area
			}
		}
	}
	axis := 2
	for _, a := range [2]int{1, 0} {
		if round[a] > round[axis] {
			axis = a
		}
	}
	b, c := (axis+1)%3, (axis+2)%3
	mid, radius := p.part.Center(), 0.0
	for _, pt := range p.g.Mesh.Points {
		off := p.frame.Local(pt).Sub(mid)
		radius = max(radius, geom.Vec2{X: off.Coordinate(b), Y: off.Coordinate(c)}.Norm())
	}
	end := along(p.part, axis)
	if size := p.in.Config.Stock.Size; size != nil {
		grow.X, grow.Z = size.X/2-radius, (size.Z-end.Length())/2
		grow.Y = grow.X
	}
	put(&p.stock, axis, geom.Interval{Lo: end.Lo - grow.Z, Hi: end.Hi + grow.Z})
	for _, a := range [2]int{b, c} {
		m := mid.Coordinate(a)
		put(&p.stock, a, geom.Interval{Lo: m - radius - grow.X, Hi: m + radius + grow.X})
	}
	p.plan.Bar = &axis
	p.warn("stock_as_box", "a round bar of %.4g mm is cut as if the box around it were full", 2*(radius+grow.X))
	return grow
}

// tooLarge says why the stock does not go into the machine with a side up; "" where it does.
func (p *planner) tooLarge(s side) string {
	size, travel := p.stock.Size(), p.in.Config.Machine.Travel
	a, b := s.across()
	long, short := size.Coordinate(a)+2*besideStock, size.Coordinate(b)+2*besideStock
	if long < short {
		long, short = short, long
	}
	wide, deep := max(travel.X, travel.Y), min(travel.X, travel.Y)
	switch high := size.Coordinate(s.axis()) + 2*above; {
	case high > travel.Z:
		return fmt.Sprintf("with %s up it needs %s mm of height", s.axisName(), figure(high))
	case long > wide || short > deep:
		return fmt.Sprintf("with %s up it needs %s × %s mm with the tool at its side", s.axisName(), figure(long),
			figure(short))
	}
	return ""
}

func (s side) axisName() string { return "xyz"[s.axis() : s.axis()+1] }

func measures(v geom.Vec3) string { return figure(v.X) + " × " + figure(v.Y) + " × " + figure(v.Z) }

// figure writes a length with four figures, but all those before the point.
func figure(x float64) string {
	const thousand = 1000
	if x >= thousand {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

// warn adds a warning to the plan, each sentence once.
func (p *planner) warn(code, format string, args ...any) {
	w := fault.Warnf(code, 1, format, args...)
	for _, o := range p.plan.Warnings {
		if o == w {
			return
		}
	}
	p.plan.Warnings = append(p.plan.Warnings, w)
}

// noSetup says why nothing is made: every tool is too long for the machine, or nothing can be made with them.
func (p *planner) noSetup() error {
	if need := p.shortest(); need > p.in.Config.Machine.Travel.Z {
		return fault.Errorf(fault.DoesNotFitMachine,
			"The Z travel of %s is %s mm; the stock with the shortest end mill above it needs %s mm.",
			p.in.Config.Machine.Name, figure(p.in.Config.Machine.Travel.Z), figure(need))
	}
	return fault.Errorf(fault.NoSetup,
		"None of the %d features can be made along the axes of the stock with the %d tools that cut the material.",
		len(p.in.Run.Features), len(p.tools))
}

// shortest returns the height (mm) that the stock needs under the spindle in its lowest position with the mill that
// sticks out least.
func (p *planner) shortest() float64 {
	low, out := math.Inf(1), math.Inf(1)
	for s := side(0); s < sides; s += 2 {
		low = min(low, p.span(s).Length())
	}
	for _, i := range p.choose(func(*tool) bool { return true }, machining.FlatEndMill, machining.BullNoseEndMill) {
		out = min(out, p.tools[i].assembly.Stickout)
	}
	return low + 2*above + out
}
