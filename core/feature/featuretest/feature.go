package featuretest

import (
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
)

// Only returns the features of one type.
func Only(res feature.Result, typ feature.Type) []feature.Feature {
	return slices.DeleteFunc(slices.Clone(res.Features), func(f feature.Feature) bool { return f.Type != typ })
}

// HoleText describes a hole in one line, lengths to a hundredth.
func HoleText(h *feature.HoleShape) string {
	s := fmt.Sprintf("%s D%.2f L%.2f %s", h.Kind, h.Diameter, h.Depth, h.Bottom)
	for i, where := range []string{"", " far"} {
		if c := []*feature.Counterbore{h.Counterbore, h.FarCounterbore}[i]; c != nil {
			s += fmt.Sprintf("%s cbore D%.2f L%.2f", where, c.Diameter, c.Depth)
		}
		if c := []*feature.Countersink{h.Countersink, h.FarCountersink}[i]; c != nil {
			s += fmt.Sprintf("%s sink D%.2f %.0f° L%.2f", where, c.Diameter, c.Angle*180/math.Pi, c.Depth)
		}
	}
	return s
}
