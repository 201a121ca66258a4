package recognize_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
)

// recognized returns the features of an exact solid.
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
	res, err := recognize.Recognize(ctx, m, r.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatalf("recognition of %s: %v", m.Name, err)
	}
	return res.Result
}

// counts returns the number of features of each type, as "Hole 2 Face 6".
func counts(res feature.Result) string {
	var out []string
	for _, typ := range []feature.Type{feature.Hole, feature.Pocket, feature.Boss, feature.Chamfer,
		feature.Face} {
		if n := len(featuretest.Only(res, typ)); n > 0 {
			out = append(out, fmt.Sprintf("%s %d", typ, n))
		}
	}
	return strings.Join(out, " ")
}

func dump(res feature.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "directions %v\n", res.Directions)
	for _, f := range res.Features {
		fmt.Fprintf(&b, "%s %s dir %v regions %v", f.Type, f.Tag, f.Direction, f.Regions)
		if f.Hole != nil {
			fmt.Fprintf(&b, " %s", featuretest.HoleText(f.Hole))
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
