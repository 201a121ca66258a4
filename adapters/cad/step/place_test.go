package step

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// boxesInBoxes is an inch assembly of a box at two places and of a sub-assembly with another box.
func boxesInBoxes() string {
	w := &steptest.Text{}
	radian := w.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	mm := w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
	inch := w.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
		w.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),%s)", mm))
	context := w.ContextOf(inch, radian)
	at := func(x, y float64) string { return w.Placement(geom.Vec3{X: x, Y: y}, unitZ, unitY) }
	box, boxRep, boxOrigin := w.Component("box", context)
	other, otherRep, otherOrigin := w.Component("other", context)
	inSub, sub := at(20, 0), at(0, 0)
	subRep := w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", inSub, sub, context)
	subProduct := w.Product("sub", subRep)
	w.Use(subProduct, other, otherRep, subRep, otherOrigin, inSub)
	p, q, r := at(0, 5), at(0, 50), at(0, 500)
	topRep := w.Add("SHAPE_REPRESENTATION('',(%s,%s,%s),%s)", p, q, r, context)
	top := w.Product("top", topRep)
	w.Use(top, box, boxRep, topRep, boxOrigin, p)
	w.Use(top, box, boxRep, topRep, boxOrigin, q)
	w.Use(top, subProduct, subRep, topRep, sub, r)
	return w.File()
}

// TestEachRecordOfAssembly breaks each record of an assembly around its shapes in turn. Components keep their places
// and units. They are left out with a warning if no other record determines their place.
func TestEachRecordOfAssembly(t *testing.T) {
	good := boxesInBoxes()
	want, wantVolume := placesOf(mustRead(t, good))
	left := 0
	shapes := regexp.MustCompile(
		`^(CARTESIAN|DIRECTION|VERTEX|EDGE|ORIENTED|LINE|VECTOR|PLANE|FACE|ADVANCED_FACE|CLOSED|MANI)`)
	for _, at := range regexp.MustCompile(`(?m)^#\d+=[^;]*;`).FindAllStringIndex(good, -1) {
		record := good[at[0]:at[1]]
		number, rest, _ := strings.Cut(record, "=")
		if shapes.MatchString(rest) {
			continue
		}
		for _, now := range []string{number + "=BROKEN();", ""} {
			m := mustRead(t, good[:at[0]]+now+good[at[1]:])
			got, volume := placesOf(m)
			switch {
			case len(got) < len(want) && hasWarning(m, brep.SkippedShape) != nil && strings.Contains(rest, "PLACEMENT"):
				left++
			case len(got) != len(want) || math.Abs(volume-wantVolume) > 1e-9*wantVolume:
				t.Errorf("%q for %s: %d solids of %g mm³, want %d of %g; %v", now, record, len(got), volume, len(want),
					wantVolume, m.Warnings)
			case slices.ContainsFunc(want, func(p geom.Vec3) bool { return !hasNear(got, p) }):
				t.Errorf("%q for %s: solids at %v, want %v; %v", now, record, got, want, m.Warnings)
			}
		}
	}
	if left != 14 { // seven placements that no other record determines
		t.Errorf("components were left out in %d cases, want 14", left)
	}
}

func hasNear(points []geom.Vec3, p geom.Vec3) bool {
	return slices.ContainsFunc(points, func(q geom.Vec3) bool { return q.Dist(p) < 1e-6 })
}

// placesOf returns the middles of solids, and their volume.
func placesOf(m *brep.Model) (at []geom.Vec3, volume float64) {
	for _, s := range m.Solids {
		box := geom.EmptyBox()
		for _, f := range m.Shells[s.Shells[0]].Faces {
			for _, l := range m.Faces[f].Loops {
				for _, c := range m.Loops[l].Coedges {
					box = box.Add(m.Vertices[m.CoedgeStart(c)].Point)
				}
			}
		}
		size := box.Max.Sub(box.Min)
		at = append(at, box.Center())
		volume += size.X * size.Y * size.Z
	}
	return at, volume
}
