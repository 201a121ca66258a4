package datasheet

// What stands beyond the open sides of a pocket, and over its floor.

import (
	"slices"

	"millwright/core/feature/shadow"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
)

// overFloor (mm) is how far above the sill of an open side material has to rise to be in a tool's way.
const overFloor = 0.02

// beyond returns what rises over the sill of an outline beside its open sides.
func (p *part) beyond(s *subject, f *foot) beyond {
	return func(reach float64) (*arcpoly.Area, error) {
		around, err := p.around(s)
		if err != nil {
			return nil, err
		}
		var open []region.Piece
		for _, l := range f.Loops {
			for i := range l {
				if l[i].Open {
					open = append(open, l[i])
				}
			}
		}
		return around.Above(f.sill+overFloor, reach, open)
	}
}

func (p *part) around(s *subject) (*shadow.Around, error) {
	return p.arounds.Get(s.dir, func() (*shadow.Around, error) { return shadow.NewAround(s.view, s.extents), nil })
}

// over returns what stands over an outline, as walls do that lean over its base and bridges, nil for nothing.
func (p *part) over(s *subject, f *foot, base []int32) *arcpoly.Area {
	if len(base) == 0 {
		return nil
	}
	top := s.extents.Union(base).Hi + overFloor
	around, err := p.around(s)
	if err != nil {
		return nil
	}
	all := slices.Concat(f.Loops...)
	if !around.Overhangs(top, all) {
		return nil
	}
	plan, err := arcpoly.New(f.Loops...)
	if err != nil {
		return nil
	}
	above, err := around.Above(top, 0, all)
	if err == nil {
		above, err = arcpoly.Intersection(above, plan)
	}
	if err == nil && !above.IsEmpty() {
		above, err = above.Offset(-flush) // without slivers along walls
	}
	if err != nil {
		return nil
	}
	return above
}
