package toolpath

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Sharp edges are broken by the flank of a chamfer mill of 90° along the walls below them. At the lower end of the
// chamfer the flank touches the wall. The path is the section of the part there, offset by the radius of the flank.
//
// The tip may not be where
//
//   - the flank below the chamfer meets the part,
//   - the flank and the flutes meet material higher than the edges,
//   - the flank between these heights meets material other than the strips along the edges,
//   - shank or holder meet stock, or anything of the tool jaws.
//
// All of these are areas, enlarged by the radius there. Of several radii of the flank the one is taken with which the
// most of the walls remains.

const (
	// edgeSlack (mm) is the permitted overlap of the tool with other material, for the rounding of areas. It is less
	// than the tolerance of a gouge.
	edgeSlack = 0.005
	// edgeStep (mm) is the distance of the sections above and below an edge from its height.
	edgeStep = 0.01
)

// edgeLevel is the edges of the operation at one height.
type edgeLevel struct {
	z     float64 // in the frame of the setup
	walls map[int32]bool
	part  *arcpoly.Area // its section just below the edges
	strip *arcpoly.Area // within the width of the chamfer from the edges
}

func (w *operationBuilder) breakEdges() error {
	levels := w.edgeLevels()
	for i := range levels {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.breakLevel(&levels[i]); err != nil {
			return err
		}
	}
	return nil
}

// edgeLevels sorts the edges by height, the highest first.
func (w *operationBuilder) edgeLevels() (levels []edgeLevel) {
	heights := w.in.Graph.HeightsAlong(w.setup.Frame.Z)
	ground := w.setup.Frame.Origin.Dot(w.setup.Frame.Z)
	for _, e := range w.op.Edges {
		level, wall := w.in.Graph.PatchOf[e[0]], w.in.Graph.PatchOf[e[1]]
		z := round(heights.Of(level).Hi - ground)
		k := slices.IndexFunc(levels, func(l edgeLevel) bool { return l.z == z })
		if k < 0 {
			k, levels = len(levels), append(levels, edgeLevel{z: z, walls: map[int32]bool{}})
		}
		levels[k].walls[wall] = true
	}
	slices.SortFunc(levels, func(a, b edgeLevel) int { return int(math.Copysign(1, b.z-a.z)) })
	return levels
}

// breakLevel breaks the edges at a height.
func (w *operationBuilder) breakLevel(e *edgeLevel) (err error) {
	if e.part, err = w.site.Part(e.z-edgeStep, 0); err != nil {
		return err
	}
	rims := chainsOf(e.part, e.walls, 0)
	if len(rims) == 0 {
		return nil
	}
	if e.strip, err = stripAlong(rims, w.op.Width+edgeSlack); err != nil {
		return err
	}
	var free *arcpoly.Area
	var chains []chain
	tip, flank, best := 0.0, 0.0, math.Inf(1)
	for _, share := range [...]float64{0.5, 0.4, 0.3, 0.6, 0.2, planning.LeastFlank} {
		blunt := w.tool.Tool.TipRadius()
		radius := blunt + share*(w.radius-blunt)
		if radius+w.op.Width > w.radius {
			continue
		}
		area, whole, err := w.freeAtEdges(e, radius)
		if err != nil {
			return err
		}
		found := chainsOf(area, e.walls, 0)
		if lost := round(whole - total(found)); lost < best-motionStep {
			best, flank, free, chains = lost, radius, area, found
			tip = e.z - w.op.Width - w.tool.Tool.ConeHeight(2*radius)
		}
	}
	l := &level{z: tip, air: w.op.Top + above, free: free}
	var cut [][]planar.Segment
	for len(chains) > 0 {
		k := nearestChain(chains, flat(w.at))
		chains[k].pieces = merged(chains[k].pieces)
		cut = append(cut, chains[k].pieces)
		if err := w.edge(l, chains[k]); err != nil {
			return err
		}
		chains = slices.Delete(chains, k, k+1)
	}
	return w.leftEdges(e, cut, flank+w.op.Width+2*edgeSlack)
}

// stripAlong returns the places within a width (mm) of chains, and not beyond their ends.
func stripAlong(chains []chain, width float64) (*arcpoly.Area, error) {
	paths := make([][]planar.Segment, len(chains))
	var beyond []*arcpoly.Area
	for i, c := range chains {
		paths[i] = c.pieces
		if c.closed {
			continue
		}
		last := &c.pieces[len(c.pieces)-1]
		for _, end := range [2]struct{ at, out geom.Vec2 }{
			{c.pieces[0].From, c.pieces[0].Tangent(0).Scale(-1)}, {last.To, last.Tangent(1)},
		} {
			out := end.out.Scale(2 * width)
			side := geom.Vec2{X: -out.Y, Y: out.X}
			a, b := end.at.Sub(side), end.at.Add(side)
			square, err := arcpoly.New(planar.Loop{planar.NewLine(a, a.Add(out)), planar.NewLine(a.Add(out), b.Add(out)),
				planar.NewLine(b.Add(out), b), planar.NewLine(b, a)})
			if err != nil {
				return nil, err
			}
			beyond = append(beyond, square)
		}
	}
	strip, err := sweep(width, paths)
	if err != nil {
		return nil, err
	}
	return strip.Minus(beyond...)
}

func total(chains []chain) (length float64) {
	for _, c := range chains {
		length += lengthOf(c.pieces)
	}
	return length
}

// freeAtEdges returns where the tip may be while the flank touches walls with a radius (mm) at the lower end of the
// chamfers; its boundary along the walls has their tags. Whole is the length of that boundary, mm, as far as the walls
// alone stop the tool.
func (w *operationBuilder) freeAtEdges(e *edgeLevel, radius float64) (free *arcpoly.Area, whole float64, err error) {
	low := e.z - w.op.Width
	tip := low - w.tool.Tool.ConeHeight(2*radius)
	walls, err := w.site.Part(low, 0)
	if err != nil {
		return nil, 0, err
	}
	if walls, err = walls.Offset(radius); err != nil {
		return nil, 0, err
	}
	grown := chainsOf(walls, e.walls, 0)
	stops := []func() (*arcpoly.Area, error){
		func() (*arcpoly.Area, error) {
			return w.site.Gouging(w.flankBelow(radius), tip, access.StockToLeave{Radial: -edgeSlack}, access.Window{})
		},
		func() (*arcpoly.Area, error) {
			over := radius + w.op.Width
			return w.site.Gouging(w.flankAbove(over), e.z+edgeStep, access.StockToLeave{Radial: -edgeSlack}, access.Window{})
		},
		func() (*arcpoly.Area, error) {
			near, err := w.site.Part(low+edgeStep, 0)
			if err == nil {
				near, err = near.Minus(e.strip)
			}
			if err != nil {
				return nil, err
			}
			return near.Offset(radius + w.op.Width - edgeSlack)
		},
		func() (*arcpoly.Area, error) { return w.site.Blocked(w.assembly, tip, access.Window{}) },
	}
	areas := []*arcpoly.Area{walls}
	for _, stop := range stops {
		area, err := stop()
		if err != nil {
			return nil, 0, err
		}
		if area, err = bare(area); err != nil {
			return nil, 0, err
		}
		areas = append(areas, area)
	}
	if free, err = w.site.Around(w.margin()); err != nil {
		return nil, 0, err
	}
	free, err = free.Minus(areas...)
	return free, total(grown), err
}

// flankBelow returns the tool up to where its flank has a radius (mm), and no wider above.
func (w *operationBuilder) flankBelow(radius float64) *toolprofile.Assembly {
	a, top := &toolprofile.Assembly{}, w.tool.Tool.ConeHeight(2*radius)
	a.Line(w.tool.Tool.TipRadius(), 0, toolprofile.Cutting)
	a.Line(radius, top, toolprofile.Cutting)
	a.Line(radius, max(top, w.tool.Tool.FluteLength)+above, toolprofile.Cutting)
	return a
}

// flankAbove returns the flutes from where the flank has a radius (mm).
func (w *operationBuilder) flankAbove(radius float64) *toolprofile.Assembly {
	a := &toolprofile.Assembly{}
	low, top := w.tool.Tool.ConeHeight(2*radius), w.tool.Tool.ConeHeight(2*w.radius)
	a.Line(radius, 0, toolprofile.Cutting)
	a.Line(w.radius, top-low, toolprofile.Cutting)
	a.Line(w.radius, max(top, w.tool.Tool.FluteLength)-low+above, toolprofile.Cutting)
	return a
}

// leftEdges declares the edges that the paths do not pass within a distance, mm.
func (w *operationBuilder) leftEdges(e *edgeLevel, cut [][]planar.Segment, within float64) error {
	higher, err := w.site.Part(e.z+edgeStep, w.op.Width+edgeStep)
	if err != nil {
		return err
	}
	rest, err := arcpoly.Intersection(e.strip, e.part)
	if err != nil {
		return err
	}
	if rest, err = rest.Minus(higher); err != nil {
		return err
	}
	if len(cut) > 0 {
		passed, err := sweep(within, cut)
		if err != nil {
			return err
		}
		if rest, err = rest.Minus(passed); err != nil {
			return err
		}
	}
	if rest.Size() < trifle {
		return nil
	}
	l := leftover{reason: completeness.EdgeNotBroken, patches: map[int32]bool{}, area: rest.Size() / 2,
		bottom: e.z - w.op.Width, top: e.z,
		detail: fmt.Sprintf("the chamfer mill of %.4g mm does not get to all of its edge.", 2*w.radius)}
	for _, loop := range rest.Loops() {
		for i := range loop {
			if t := loop[i].Tag; t != graph.None && e.walls[t] {
				l.patches[t] = true
			}
		}
	}
	w.left.add(l)
	return nil
}
