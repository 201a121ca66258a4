package access

import (
	"slices"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/shadow"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// stockWithin returns where discs that are wider the higher they are come too near to stock, for a tip in a window.
func (s *Site) stockWithin(z float64, discs []step, in Window) ([]*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	var last *arcpoly.Area
	for i := len(discs) - 1; i >= 0; i-- {
		a, err := s.Stock.Above(z + discs[i].height)
		if err != nil {
			return nil, err
		}
		if a.IsEmpty() || a == last {
			continue // the wider one is enough
		}
		last = a
		key := clippedGrowth{clipped{a, in}, discs[i].radius}
		grown, ok := s.grows[key]
		if !ok {
			if a, err = in.grow(key.by + besides).Clip(a); err == nil {
				grown, err = a.Offset(key.by)
			}
			if err != nil {
				return nil, err
			}
			if len(s.grows) >= growsMost || s.grows == nil {
				s.grows = map[clippedGrowth]*arcpoly.Area{}
			}
			s.grows[key] = grown
		}
		areas = append(areas, grown)
	}
	if s.Stock.base == nil {
		return areas, nil
	}
	hidden, err := s.partWithin(z, discs, in)
	return append(areas, hidden...), err
}

// clippedGrowth is the offset of the part of an area near a window.
type clippedGrowth struct {
	clipped
	by float64
}

// growsMost is the number of cached offsets of stock, which changes all the time.
const growsMost = 64

// partWithin returns the positions at which such discs come too near to the part, which is stock too: dexels miss
// sections of it that are thinner than the distance of their rays. As for stock, no segment is tagged.
func (s *Site) partWithin(z float64, discs []step, in Window) (areas []*arcpoly.Area, err error) {
	bare := func(a *arcpoly.Area, by float64) (*arcpoly.Area, error) {
		near, err := a.Offset(by)
		if err != nil {
			return nil, err
		}
		return untagged(near)
	}
	err = s.sections(discs, z, func(radius float64, c, wider *shadow.SectionAbove) error {
		for i, a := range c.Faces {
			if !c.IsCut[i] {
				continue
			}
			a, err := in.grow(radius + besides).Clip(a)
			if err != nil {
				return err
			}
			if a, err = bare(a, radius); err != nil {
				return err
			}
			areas = append(areas, a)
		}
		for k, a := range c.Whole {
			if a.IsEmpty() || wider != nil && a == wider.Whole[k] {
				continue
			}
			a, err := s.near(a, in, radius)
			if err != nil {
				return err
			}
			near, err := s.bare.Get(growth{a, radius}, func() (*arcpoly.Area, error) { return bare(a, radius) })
			if err != nil {
				return err
			}
			areas = append(areas, near)
		}
		return nil
	})
	return areas, err
}

// untagged returns an area without tags.
func untagged(a *arcpoly.Area) (*arcpoly.Area, error) {
	var bare []planar.Loop
	for _, l := range a.Loops() {
		l = slices.Clone(l)
		for i := range l {
			l[i].Tag = graph.None
		}
		bare = append(bare, l)
	}
	return arcpoly.New(bare...)
}

// jawsWithin returns where any disc of the tool is too near to a jaw.
func (s *Site) jawsWithin(tool *toolprofile.Assembly, z float64) (*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	list := s.steps(tool, StockToLeave{})
	for _, jaw := range s.jaws {
		widest := 0.0
		for _, k := range append(append([]step{}, list.cutting...), list.body...) {
			if z+k.height < jaw.Max.Z+Clearance {
				widest = max(widest, k.radius)
			}
		}
		if widest == 0 {
			continue
		}
		a, err := rectangle(jaw, 0)
		if err != nil {
			return nil, err
		}
		if a, err = a.Offset(widest + Clearance); err != nil {
			return nil, err
		}
		areas = append(areas, a)
	}
	return arcpoly.Union(areas...)
}
