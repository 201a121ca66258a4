// Package access computes the positions at which a tool in its holder is free while a part is machined. Its inputs are
// the shadow of the part, the surrounding obstacles, and the remaining stock, all as exact areas of lines and arcs in
// the plane of a setup.
//
// Method: the underside of a tool is approximated by enclosing discs (steps.go). With its tip at a height, the center
// of a disc of radius r at h above the tip must keep r away from all material above that height plus h. Flutes keep
// away from the part and its stock to leave. Neck, shank and holder keep away from all stock, with Clearance if they
// are wider than the flutes. All keep away from jaws. Each constraint is one offset of an area (package arcpoly); their
// union is the forbidden area of the tip. Discs with the same section of the part are merged. For a flat end mill in a
// prismatic part one exact offset is left. Rounded corners are drawn too wide by less than a tenth of a mm.
//
// Areas from the mesh of the part are enlarged by its tolerance, along and across.
//
// Lengths are mm, areas lie in the frame of a setup. The Tag of a boundary segment is the patch of the part that the
// tool would touch there, graph.None for stock, jaws or the outer limit.
package access

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/parallel"
)

// Clearance (mm) is the distance that the body of a tool keeps from stock, and all of the tool from jaws.
const Clearance = 0.5

// fluteMargin (mm) is the distance by which the body of a tool, as wide as the flutes or thinner, may be nearer to
// stock than the flutes. A wall that the flutes have cut is equally far from both, except for the rounding of areas and
// paths. Without the margin, this rounding would seem to stop the tool, and the wall would not be finished. Or the
// stock and the part would alternate as limits, which divides paths into fragments. The body may not come nearer: the
// flutes have not passed such stock on the way down, and would hit it from below on the way up. The margin is twenty
// times the rounding, and far less than a collision.
const fluteMargin = 5e-4

// StockToLeave is what stays on the part for later.
type StockToLeave struct{ Radial, Axial float64 } // mm

// Site is a part as it is held in a setup, and what is round it. What depends on the part alone, several goroutines may
// ask for, and one at a time for the rest.
type Site struct {
	Stock *Stock

	part     *shadow.Shadow
	jaws     []geom.Box
	chord    float64 // mm, tolerance of the mesh
	growths  parallel.Memo[growth, *arcpoly.Area]
	bare     parallel.Memo[growth, *arcpoly.Area] // the same without tags
	sums     parallel.Memo[[2]*arcpoly.Area, *arcpoly.Area]
	barriers parallel.Memo[barrier, *arcpoly.Area]
	tools    parallel.Memo[leaving, steps]
	clips    parallel.Memo[clipped, *arcpoly.Area]
	grows    map[clippedGrowth]*arcpoly.Area // stock that is offset
	free     free                            // the last one
}

// growth is an area that is offset.
type growth struct {
	area *arcpoly.Area
	by   float64
}

// leaving is a tool that leaves something at walls.
type leaving struct {
	tool   *toolprofile.Assembly
	radial float64
}

// barrier is the key of an area that a tool must avoid because of the part.
type barrier struct {
	tool  *toolprofile.Assembly
	z     float64
	leave StockToLeave
	in    Window
}

// New looks at a part in the frame of a setup, which maps to the part's, among solid boxes in that frame. The mesh of
// the part is within chord (mm) of it.
func New(
	g *graph.Graph, samples *outline.Samples, frame geom.Frame, stock *Stock, solid []geom.Box, chord float64,
) (*Site, error) {
	part, err := shadow.New(g, samples, frame)
	if err != nil {
		return nil, err
	}
	return &Site{Stock: stock, part: part, jaws: solid, chord: chord}, nil
}

// Part returns the shadow of the part above a height, enlarged by the radial stock to leave of the flutes.
func (s *Site) Part(z, leave float64) (*arcpoly.Area, error) {
	exact, err := s.part.Exact(z)
	if err != nil {
		return nil, err
	}
	if exact, err = s.offset(exact, leave); err != nil {
		return nil, err
	}
	meshed, err := s.part.Wide(z, s.chord)
	if err != nil {
		return nil, err
	}
	if meshed.IsEmpty() {
		return exact, nil
	}
	if meshed, err = s.offset(meshed, leave); err != nil {
		return nil, err
	}
	return s.sum(exact, meshed)
}

// offset offsets a section.
func (s *Site) offset(a *arcpoly.Area, by float64) (*arcpoly.Area, error) {
	if by == 0 || a.IsEmpty() {
		return a, nil
	}
	return s.growths.Get(growth{a, by}, func() (*arcpoly.Area, error) { return a.Offset(by) })
}

func (s *Site) steps(tool *toolprofile.Assembly, leave StockToLeave) steps {
	key := leaving{tool, leave.Radial}
	list, _ := s.tools.Get(key, func() (steps, error) { return newSteps(tool, leave.Radial), nil })
	return list
}

// Gouging returns the positions in a window at which the flutes, with the tip at a height, would cut into the part or
// its stock to leave.
func (s *Site) Gouging(tool *toolprofile.Assembly, z float64, leave StockToLeave, in Window) (*arcpoly.Area, error) {
	return s.barriers.Get(barrier{tool, z, leave, in}, func() (*arcpoly.Area, error) {
		var areas []*arcpoly.Area
		var strands [][]*arcpoly.Area // of faces that not all discs meet as a whole
		list := s.steps(tool, leave).cutting
		err := s.sections(list, z-leave.Axial, func(radius float64, c, wider *shadow.SectionAbove) error {
			by := radius + leave.Radial
			if wider == nil {
				for _, a := range c.Whole {
					a, err := s.near(a, in, by)
					if err != nil {
						return err
					}
					if a, err = s.offset(a, by); err != nil {
						return err
					}
					areas = append(areas, a)
				}
			}
			if strands == nil {
				strands = make([][]*arcpoly.Area, len(c.Faces))
			}
			for i, a := range c.Faces {
				if a.IsEmpty() || wider == nil && !c.IsCut[i] || wider != nil && a == wider.Faces[i] {
					continue
				}
				var err error
				if c.IsCut[i] { // nobody asks for it again
					if a, err = in.grow(by + besides).Clip(a); err == nil {
						a, err = a.Offset(by)
					}
				} else if a, err = s.near(a, in, by); err == nil {
					a, err = s.offset(a, by)
				}
				if err != nil {
					return err
				}
				strands[i] = append(strands[i], a)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, list := range strands {
			a, err := braid(list)
			if err != nil {
				return nil, err
			}
			areas = append(areas, a)
		}
		areas = slices.DeleteFunc(areas, (*arcpoly.Area).IsEmpty)
		if len(areas) == 2 {
			return s.sum(areas[0], areas[1])
		}
		return arcpoly.Union(areas...)
	})
}

// sections cuts the part for each of some discs that are wider the higher they are, with their tip at a height, from
// the widest one down, and shows each section with that of the wider disc, nil for the first.
func (s *Site) sections(discs []step, z float64, show func(radius float64, c, wider *shadow.SectionAbove) error) error {
	var wider *shadow.SectionAbove
	for _, k := range slices.Backward(discs) {
		c, err := s.part.SectionAbove(z+k.height, s.chord)
		if err != nil {
			return err
		}
		if err := show(k.radius, c, wider); err != nil {
			return err
		}
		wider = c
	}
	return nil
}

// braid joins areas in pairs, since consecutive areas are similar: their union is little larger than one of them.
func braid(list []*arcpoly.Area) (*arcpoly.Area, error) {
	for len(list) > 1 {
		joined := list[:0]
		for i := 0; i < len(list); i += 2 {
			a, err := arcpoly.Union(list[i:min(i+2, len(list))]...)
			if err != nil {
				return nil, err
			}
			joined = append(joined, a)
		}
		list = joined
	}
	return arcpoly.Union(list...)
}

// sum returns the union of two sections.
func (s *Site) sum(a, b *arcpoly.Area) (*arcpoly.Area, error) {
	return s.sums.Get([2]*arcpoly.Area{a, b}, func() (*arcpoly.Area, error) { return arcpoly.Union(a, b) })
}

// Depth returns how deep the flutes cut into the part for sure with the tip at a place, mm; 0 where they may not.
func (s *Site) Depth(tool *toolprofile.Assembly, tip geom.Vec3) (deep float64, err error) {
	s.Cuts(tool, func(radius, height float64) {
		for _, section := range []func() (*arcpoly.Area, error){
			func() (*arcpoly.Area, error) { return s.part.Exact(tip.Z + height) },
			func() (*arcpoly.Area, error) { return s.part.Meshed(tip.Z+height, s.chord) },
		} {
			a, wrong := section()
			if wrong != nil {
				err = wrong
			} else if !a.IsEmpty() {
				deep = max(deep, radius+a.Distance(geom.Vec2{X: tip.X, Y: tip.Y}))
			}
		}
	})
	return deep, err
}

// Blocked returns where in a window the tip may not be at a height because neck, shank or holder would meet stock, or
// anything of the tool jaws.
func (s *Site) Blocked(tool *toolprofile.Assembly, z float64, in Window) (*arcpoly.Area, error) {
	list := s.steps(tool, StockToLeave{})
	flutes := list.cutting[len(list.cutting)-1].radius
	discs := make([]step, len(list.body))
	for i, k := range list.body {
		discs[i] = step{k.radius + Clearance, k.height}
		if k.radius <= flutes { // the flutes have been where it follows
			discs[i].radius = flutes - fluteMargin
		}
	}
	areas, err := s.stockWithin(z, discs, in)
	if err != nil {
		return nil, err
	}
	jaws, err := s.jawsWithin(tool, z)
	if err != nil {
		return nil, err
	}
	return arcpoly.Union(append(areas, jaws)...)
}

// Forbidden returns where in a window the tip may not be at a height while it cuts.
func (s *Site) Forbidden(tool *toolprofile.Assembly, z float64, leave StockToLeave, in Window) (*arcpoly.Area, error) {
	gouging, err := s.Gouging(tool, z, leave, in)
	if err != nil {
		return nil, err
	}
	blocked, err := s.Blocked(tool, z, in)
	if err != nil || blocked.IsEmpty() {
		return gouging, err
	}
	return arcpoly.Union(gouging, blocked)
}

// Free returns where in a window the tip may be at a height while it cuts, no further than margin (mm) outside the box
// of the stock.
func (s *Site) Free(tool *toolprofile.Assembly, z float64, leave StockToLeave, margin float64,
	in Window,
) (*arcpoly.Area, error) {
	gouging, err := s.Gouging(tool, z, leave, in)
	if err != nil {
		return nil, err
	}
	forbidden, err := s.Forbidden(tool, z, leave, in)
	if err != nil {
		return nil, err
	}
	among := clippedGrowth{clipped{gouging, in}, margin}
	if s.free.area != nil && s.free.among == among && s.free.forbidden == forbidden {
		return s.free.area, nil
	}
	window, err := s.window(margin, in)
	if err != nil {
		return nil, err
	}
	area, err := window.Minus(forbidden)
	if err != nil {
		return nil, err
	}
	if s.free.among == among && isAbout(s.free.area, area) {
		area = s.free.area
	}
	s.free = free{area, forbidden, among}
	return area, nil
}

// Around returns the rectangle that the tip does not leave: margin (mm) outside the box of the stock.
func (s *Site) Around(margin float64) (*arcpoly.Area, error) { return rectangle(s.Stock.box, margin) }

// window returns the part of a window at most margin (mm) outside the box of the stock.
func (s *Site) window(margin float64, in Window) (*arcpoly.Area, error) {
	a, err := rectangle(s.Stock.box, margin)
	if err != nil {
		return nil, err
	}
	return in.Clip(a)
}

// Clear returns where in a window the tip may be at a height as far as the part alone stops the flutes, no further than
// margin (mm) outside the box of the stock.
func (s *Site) Clear(tool *toolprofile.Assembly, z float64, leave StockToLeave, margin float64,
	in Window,
) (*arcpoly.Area, error) {
	window, err := s.window(margin, in)
	if err != nil {
		return nil, err
	}
	gouging, err := s.Gouging(tool, z, leave, in)
	if err != nil {
		return nil, err
	}
	return window.Minus(gouging)
}

// Top returns the height (mm) from which on the tip may come down over a place as a rapid without that the flutes meet
// stock. It is at least that of the bottom of the stock.
func (s *Site) Top(tool *toolprofile.Assembly, at geom.Vec2) (float64, error) {
	list := s.steps(tool, StockToLeave{})
	return s.Stock.Top(at, list.cutting[len(list.cutting)-1].radius)
}

// Open returns where in a window the tip may be at a height without that anything of the tool is within Clearance of
// stock or jaws, as if its flutes were a cylinder: in the air, no further than margin (mm) outside the box of the
// stock.
func (s *Site) Open(tool *toolprofile.Assembly, z, margin float64, in Window) (*arcpoly.Area, error) {
	list := s.steps(tool, StockToLeave{})
	all := widening(append([]step{{list.cutting[len(list.cutting)-1].radius, 0}}, list.body...))
	for i := range all {
		all[i].radius += Clearance
	}
	areas, err := s.stockWithin(z, all, in)
	if err != nil {
		return nil, err
	}
	jaws, err := s.jawsWithin(tool, z)
	if err != nil {
		return nil, err
	}
	window, err := s.window(margin, in)
	if err != nil {
		return nil, err
	}
	return window.Minus(append(areas, jaws)...)
}

// Cuts calls visit with discs that the flutes of a tool fill for sure: with the tip at a height, the disc of a radius
// takes everything above that height plus its own.
func (s *Site) Cuts(tool *toolprofile.Assembly, visit func(radius, height float64)) {
	k := tool.Outline
	widest := 0.0
	for i := range k {
		if tool.Zones[i] != toolprofile.Cutting {
			break
		}
		n := 1
		if _, isArc := k[i].Center(); isArc || k[i].From.X != k[i].To.X && k[i].From.Y != k[i].To.Y {
			n = rounds
		}
		for j := 1; j <= n; j++ {
			if x, y := along(k[i], float64(j)/float64(n)); x > widest+geom.Resolution {
				widest = x
				visit(x, y)
			}
		}
	}
}

// rounds is the number of discs that approximate a round or sloping part of the flutes in stock removal.
const rounds = 4

func perp(v geom.Vec2) geom.Vec2 { return geom.Vec2{X: -v.Y, Y: v.X} }

// StockHeight returns the height (mm) above which everything is air.
func (s *Site) StockHeight() float64 {
	top := s.Stock.box.Max.Z
	for _, j := range s.jaws {
		top = math.Max(top, j.Max.Z)
	}
	return top
}
