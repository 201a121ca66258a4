package step

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestDamagedRecords breaks one record of two boxes at a time. The items that depend on it are lost or follow from the
// rest; nothing else is lost.
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
		"a plane": {first(`=PLANE\(`, "=PLAIN("), 3, salvage.MadeSurface},
		"a loop":  {first(`=EDGE_LOOP\(`, "=EDGE_HOOP("), 3, salvage.MadeBound},
		"a face that is not there": {first(`=CLOSED_SHELL\('',\(#\d+`, "=CLOSED_SHELL('',(#999999"), 3,
			salvage.MadeShell},
		"a reference of too many digits": {first(`=ADVANCED_FACE\('',\(#\d+`,
			"=ADVANCED_FACE('',(#99999999999999999999"), 3, salvage.MadeBound},
		"the curve of an edge": {first(`=LINE\(`, "=LIME("), 3, salvage.MadeEdge},
		"the curve, with a number over all bounds": {first(`=LINE\('',#\d+`, "=LINE('',#18446744073709551617"), 3,
			salvage.MadeEdge},
		"the shell of a solid": {first(`=MANIFOLD_SOLID_BREP\('',#\d+`, "=MANIFOLD_SOLID_BREP('',#999999"), 3,
			salvage.MadeShell},
		"a solid": {first(`=MANIFOLD_SOLID_BREP\(`, "=MANYFOLD_SOLID_BREP("), 3,
			salvage.MadeSolid},
		"a shell": {first(`=CLOSED_SHELL\(`, "=CLOTHED_SHELL("), 3, salvage.MadeShell},
		"an item of the representation": {first(`SHAPE_REPRESENTATION\('',\(#\d+`, "SHAPE_REPRESENTATION('',(#999999"),
			3, salvage.MadeSolid},
	} {
		m := mustRead(t, c.text())
		if err := repair.Model(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		p, err := mass.Compute(t.Context(), m)
		if err != nil || math.Abs(p.Volume-c.volume) > 1e-9 || hasWarning(m, c.warning) == nil ||
			!strings.Contains(hasWarning(m, c.warning).Message, "#") {
			t.Errorf("%s: volume %v, want %g; warnings %v; %v", name, p, c.volume, m.Warnings, err)
		}
	}
	all := strings.ReplaceAll(good, "=ADVANCED_FACE(", "=ADVANCED_FACADE(")
	if f := failure(t, all); !strings.Contains(f.Reason, "FACADE") {
		t.Errorf("without any face: %q", f.Reason)
	}
}

// TestEachRecord breaks each record of parts in turn, in the shape and in the structure around it. The part must be
// unchanged, with a warning if the record matters, or rejected with a sentence. It may be rejected only if the other
// records do not determine the lost data, for example for a wall between two circles without a seam.
func TestEachRecord(t *testing.T) {
	for name, c := range map[string]struct {
		part    *brep.Model
		refused int // of the records, at most
	}{
		"plate with seams": {drilled(build.Style{}), 9},
		"plate of halves":  {drilled(build.Style{Seams: build.HalfFaces}), 9},
		"rounded prism":    {build.Prism("", build.Rounded(20, 10, 2), 5, build.Style{}), 9},
		"frustum":          {build.Frustum(3, 1, 5, build.Style{}), 9},
		"hemispheres":      {build.Hemispheres(2, build.Style{}), 9},
	} {
		w := &steptest.Text{}
		w.Part(w.Model(c.part)...)
		good := w.File()
		whole, err := volumeOf(t, good)
		if err != nil {
			t.Fatal(err)
		}
		refused, records := 0, regexp.MustCompile(`=[A-Z_0-9]+\(|=\(`).FindAllStringIndex(good, -1)
		for _, at := range records {
			record := good[at[0] : strings.Index(good[at[0]:], ";")+at[0]]
			got, err := volumeOf(t, good[:at[0]]+"=BROKEN("+good[at[1]:])
			switch {
			case err != nil:
				refused++
				t.Logf("%s without %s: %v", name, record, err)
			case math.Abs(got-whole) > 1e-6*whole:
				t.Errorf("%s without %s: volume %g, want %g", name, record, got, whole)
			}
		}
		if refused > c.refused {
			t.Errorf("%s: refused without %d of %d records, want at most %d", name, refused, len(records), c.refused)
		}
	}
}

func drilled(style build.Style) *brep.Model {
	return build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, style,
		build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 10)},
		build.Hole{Center: geom.Vec2{X: 10, Y: 20}, Profile: build.Blind(6, 5, 2)})
}

// volumeOf reads and repairs a file; it returns an error if the file gives no solid.
func volumeOf(t *testing.T, text string) (float64, error) {
	volume, _, err := partOf(t, text)
	return volume, err
}

// partOf is volumeOf, with the part.
func partOf(t *testing.T, text string) (float64, *brep.Model, error) {
	m, err := readText(text)
	if err != nil {
		return 0, nil, err
	}
	if err := repair.Model(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if len(m.Solids) == 0 {
		return 0, m, fmt.Errorf("no solid: %v", m.Warnings)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		return 0, m, err
	}
	return p.Volume, m, nil
}
