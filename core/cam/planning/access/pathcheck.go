package access

import (
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// PathCheck tells of single pieces whether the tip may go along them at a height while it cuts. It is Free without the
// area of it, which takes long where many discs of a cone meet a part that changes with the height.
type PathCheck struct {
	lo, hi  geom.Vec2     // corners of the window
	blocked *arcpoly.Area // by stock and jaws
	near    []growth      // what the tip keeps away from, and how far
}

// PathCheck returns where the tip may be as Free does.
func (s *Site) PathCheck(
	tool *toolprofile.Assembly, z float64, leave StockToLeave, margin float64,
) (*PathCheck, error) {
	b := s.Stock.box
	w := &PathCheck{
		lo: geom.Vec2{X: b.Min.X - margin, Y: b.Min.Y - margin},
		hi: geom.Vec2{X: b.Max.X + margin, Y: b.Max.Y + margin},
	}
	var err error
	if w.blocked, err = s.Blocked(tool, z, Window{}); err != nil {
		return nil, err
	}
	list := s.steps(tool, leave).cutting
	err = s.sections(list, z-leave.Axial, func(radius float64, c, wider *shadow.SectionAbove) error {
		for i, a := range c.Faces {
			if !a.IsEmpty() && (wider == nil || a != wider.Faces[i]) {
				w.near = append(w.near, growth{a, max(radius+leave.Radial, 0)})
			}
		}
		return nil
	})
	return w, err
}

// Holds reports whether all of a segment is in the tip's free area, within a rounding of slack (mm).
func (w *PathCheck) Holds(p *planar.Segment, slack float64) bool {
	for i, u := range [2]geom.Vec2{{X: 1}, {Y: 1}} {
		from, to := planar.ExtentAlong([]planar.Segment{*p}, u)
		lo, hi := [2]float64{w.lo.X, w.lo.Y}[i], [2]float64{w.hi.X, w.hi.Y}[i]
		if from < lo-slack || to > hi+slack {
			return false
		}
	}
	for _, n := range w.near {
		if !n.area.IsApart(p, max(n.by-slack, 0)) {
			return false
		}
	}
	return w.blocked.IsApart(p, 0)
}
