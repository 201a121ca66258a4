package datasheet

// Tolerance bands.
//
// A band is the permitted distance of the made surface from the nominal one: radial, across the direction, and axial,
// along it. Sizes across (diameters, widths) belong to two opposite sides, each with half of the size's deviation; a
// radius has its full deviation, as do depths and heights. A dimension counts as stated if the file ties it to a face
// of the feature and gives it limits. If the file states no limits, the general tolerance of ISO 2768-1 for the nominal
// size applies. It also applies to one band if only the other is stated.

import (
	"slices"
	"strings"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/limit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// stated is the set of the file's statements about patches.
type stated struct {
	dimensions map[int32][]*gdt.Dimension // by patch, in file order
	notes      map[int32][]*gdt.Note
}

func statedOn(g *graph.Graph) stated {
	s := stated{dimensions: make(map[int32][]*gdt.Dimension), notes: make(map[int32][]*gdt.Note)}
	patch := func(f gdt.Face) int32 {
		if f < 0 || int(f) >= len(g.PatchOf) {
			return graph.None
		}
		return g.PatchOf[f]
	}
	pmi := &g.Model.PMI
	for i := range pmi.Dimensions {
		d := &pmi.Dimensions[i]
		for _, f := range slices.Concat(d.Faces, d.To) {
			if q := patch(f); q != graph.None && !lastIs(s.dimensions[q], d) {
				s.dimensions[q] = append(s.dimensions[q], d)
			}
		}
	}
	for i := range pmi.Notes {
		n := &pmi.Notes[i]
		for _, f := range n.Faces {
			if q := patch(f); q != graph.None && !lastIs(s.notes[q], n) {
				s.notes[q] = append(s.notes[q], n)
			}
		}
	}
	return s
}

func lastIs[T any](list []*T, x *T) bool { return len(list) > 0 && list[len(list)-1] == x }

// band returns the tolerance band of a feature with its nominal sizes across and along the direction, mm.
func (p *partContext) band(s *featureMeasurer, radial, axial float64) feature.ToleranceBand {
	r, a := limit.Linear(p.opt.Class, radial)/2, limit.Linear(p.opt.Class, axial)
	b := feature.ToleranceBand{RadialLower: -r, RadialUpper: r, AxialLower: -a, AxialUpper: a,
		Source: feature.ToleranceGeneral}
	isRadial, isAxial := false, false
	for _, q := range s.patches {
		for _, d := range p.pmi.dimensions[q] {
			if d.Angle || d.Reference || d.Basic || !d.HasLower || !d.HasUpper {
				continue
			}
			share, across := p.senseOf(s, d)
			switch {
			case across && !isRadial:
				b.RadialLower, b.RadialUpper, isRadial = d.Lower*share, d.Upper*share, true
			case !across && share > 0 && !isAxial:
				b.AxialLower, b.AxialUpper, isAxial = d.Lower, d.Upper, true
			}
		}
	}
	if isRadial || isAxial {
		b.Source = feature.ToleranceFromPMI
	}
	return b
}

// senseOf returns the share of a dimension's deviation for one side of the feature, and whether the dimension is a size
// across the direction. The share is 0 if the dimension is not one of the feature's own sizes.
func (p *partContext) senseOf(s *featureMeasurer, d *gdt.Dimension) (share float64, across bool) {
	switch {
	case strings.Contains(d.Kind, "diameter"):
		return 0.5, true
	case strings.Contains(d.Kind, "radius"):
		return 1, true
	case d.Kind == "depth":
		return 1, false
	case len(d.To) == 0 || !p.within(s, d.Faces) || !p.within(s, d.To):
		return 0, false // between this feature and another one
	}
	q := p.g.PatchOf[d.To[0]]
	if p.g.Patches[q].Kind == surface.KindPlane && p.isLevel(q, s.dir) {
		return 1, false
	}
	return 0.5, true
}

// within reports whether all faces belong to the subject.
func (p *partContext) within(s *featureMeasurer, faces []gdt.Face) bool {
	for _, f := range faces {
		if f < 0 || int(f) >= len(p.g.PatchOf) || !s.has(p.g.PatchOf[f]) {
			return false
		}
	}
	return len(faces) > 0
}
