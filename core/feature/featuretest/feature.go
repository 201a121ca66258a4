package featuretest

import (
	"fmt"
	"math"
	"slices"

	"millwright/core/feature"
)

// Only returns the features of one type.
func Only(res feature.Result, typ feature.Type) []feature.Feature {
	return slices.DeleteFunc(slices.Clone(res.Features), func(f feature.Feature) bool { return f.Type != typ })
}

// HoleText describes a hole in one line, lengths to a hundredth.
func HoleText(h *feature.HoleShape) string {
	s := fmt.Sprintf("%s D%.2f L%.2f %s", h.Kind, h.Diameter, h.Depth, h.Bottom)
	if c := h.Counterbore; c != nil {
		s += fmt.Sprintf(" cbore D%.2f L%.2f", c.Diameter, c.Depth)
	}
	if c := h.Countersink; c != nil {
		s += fmt.Sprintf(" sink D%.2f %.0f° L%.2f", c.Diameter, c.Angle*180/math.Pi, c.Depth)
	}
	return s
}
