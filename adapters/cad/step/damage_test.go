package step

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"millwright/adapters/cad/step/steptest"
	"millwright/core/brep"
	"millwright/core/brep/mass"
	"millwright/core/brep/repair"
	"millwright/core/geom"
)

// TestDamagedRecords breaks one record of two boxes at a time: what stands on it is lost or follows from the rest, and
// nothing else.
func TestDamagedRecords(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), w.Box(geom.Vec3{X: 5}, geom.Vec3{X: 2, Y: 1, Z: 1}))
	good := w.File()
	first := func(pattern, with string) func() string {
		at := regexp.MustCompile(pattern).FindStringIndex(good)
		if at == nil {
			t.Fatalf("no %s in the file", pattern)
		}
		return func() string { return good[:at[0]] + with + good[at[1]:] }
	}
	for name, c := range map[string]struct {
		text    func() string
		volume  float64
		warning string
	}{
		"a plane":                        {first(`=PLANE\(`, "=PLAIN("), 3, brep.LostFace},
		"a loop":                         {first(`=EDGE_LOOP\(`, "=EDGE_HOOP("), 3, brep.LostFace},
		"a face that is not there":       {first(`=CLOSED_SHELL\('',\(#\d+`, "=CLOSED_SHELL('',(#999999"), 3, brep.LostFace},
		"a reference of too many digits": {first(`=ADVANCED_FACE\('',\(#\d+`, "=ADVANCED_FACE('',(#99999999999999999999"), 3, brep.LostFace},
		"the curve of an edge":           {first(`=LINE\(`, "=LIME("), 3, madeEdge},
		"the curve, with a number over all bounds": {first(`=LINE\('',#\d+`, "=LINE('',#18446744073709551617"), 3, madeEdge},
		"a shell":                       {first(`=CLOSED_SHELL\(`, "=CLOTHED_SHELL("), 2, brep.LostShape},
		"an item of the representation": {first(`SHAPE_REPRESENTATION\('',\(#\d+`, "SHAPE_REPRESENTATION('',(#999999"), 2, brep.LostShape},
	} {
		m := mustRead(t, c.text())
		if err := repair.Model(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		p, err := mass.Of(t.Context(), m)
		if err != nil || math.Abs(p.Volume-c.volume) > 1e-9 || hasWarning(m, c.warning) == nil ||
			!strings.Contains(hasWarning(m, c.warning).Detail, "#") {
			t.Errorf("%s: volume %v, want %g; warnings %v; %v", name, p, c.volume, m.Warnings, err)
		}
	}
	all := strings.ReplaceAll(good, "=PLANE(", "=PLAIN(")
	if f := failure(t, all); !strings.Contains(f.Reason, "PLAIN") {
		t.Errorf("without any plane: %q", f.Reason)
	}
}
