package recognize_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"millwright/compute"
	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/feature/recognize"
)

// recognized runs the whole way from an exact solid to its features.
func recognized(t testing.TB, m *brep.Model) feature.Result {
	t.Helper()
	ctx := context.Background()
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		t.Fatalf("mesh of %s: %v", m.Name, err)
	}
	if rep := r.Mesh.Check(); !rep.Watertight {
		t.Fatalf("mesh of %s is not watertight: %+v", m.Name, rep)
	}
	res, err := recognize.Part(ctx, m, r.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatalf("recognition of %s: %v", m.Name, err)
	}
	return res.Result
}

// only returns the features of one type.
func only(res feature.Result, typ feature.Type) []feature.Feature {
	return slices.DeleteFunc(slices.Clone(res.Features), func(f feature.Feature) bool { return f.Type != typ })
}

// counts returns how many features of each type there are, as "Hole 2 Face 6".
func counts(res feature.Result) string {
	var out []string
	for _, typ := range []feature.Type{feature.Hole, feature.Pocket, feature.Boss, feature.Chamfer,
		feature.Face} {
		if n := len(only(res, typ)); n > 0 {
			out = append(out, fmt.Sprintf("%s %d", typ, n))
		}
	}
	return strings.Join(out, " ")
}

// holeText describes a hole in one line, lengths to a hundredth.
func holeText(h *feature.HoleShape) string {
	s := fmt.Sprintf("%s D%.2f L%.2f %s", h.Kind, h.Diameter, h.Depth, h.Bottom)
	if c := h.Counterbore; c != nil {
		s += fmt.Sprintf(" cbore D%.2f L%.2f", c.Diameter, c.Depth)
	}
	if c := h.Countersink; c != nil {
		s += fmt.Sprintf(" sink D%.2f %.0f° L%.2f", c.Diameter, c.Angle*180/math.Pi, c.Depth)
	}
	return s
}

func dump(res feature.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "directions %v\n", res.Directions)
	for _, f := range res.Features {
		fmt.Fprintf(&b, "%s %s dir %v regions %v", f.Type, f.Tag, f.Direction, f.Regions)
		if f.Hole != nil {
			fmt.Fprintf(&b, " %s", holeText(f.Hole))
			for _, s := range f.Hole.Segments {
				fmt.Fprintf(&b, " [%s %.2f..%.2f D%.2f-%.2f]", s.Shape, s.ZMin, s.ZMax, s.DiameterTop, s.DiameterBottom)
			}
		}
		if f.Pocket != nil {
			fmt.Fprintf(&b, " %+v", *f.Pocket)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
