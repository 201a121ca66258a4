package datasheet

// What stands beyond the open sides of a pocket.

import (
	"millwright/core/feature/shadow"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
)

// overFloor (mm) is how far above the sill of an open side material has to rise to be in a tool's way.
const overFloor = 0.02

// beyond returns what rises over the sill of an outline beside its open sides.
func (p *part) beyond(s *subject, f *foot) beyond {
	return func(reach float64) (*arcpoly.Area, error) {
		around, err := p.arounds.Get(s.dir, func() (*shadow.Around, error) {
			return shadow.NewAround(s.view, s.extents), nil
		})
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
