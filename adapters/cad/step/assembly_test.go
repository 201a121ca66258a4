package step

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

var bg = context.Background()

// centroids returns the centroids of a model's solids, in order. It fails if a solid does not have the given volume.
func centroids(t *testing.T, m *brep.Model, volume float64) []geom.Vec3 {
	t.Helper()
	var out []geom.Vec3
	for i, s := range m.Solids {
		v, c := polyhedron(t, m, m.Shells[s.Shells[0]].Faces)
		if !near(v, volume, 1e-9) {
			t.Errorf("solid %d has volume %g, want %g", i, v, volume)
		}
		out = append(out, c)
	}
	return out
}

func expectAt(t *testing.T, name string, got []geom.Vec3, want ...geom.Vec3) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: solids at %v, want %v", name, got, want)
		return
	}
	for i := range got {
		if got[i].Dist(want[i]) > 1e-9 {
			t.Errorf("%s: solid %d at %v, want %v", name, i, got[i], want[i])
		}
	}
}

// TestAssemblyByRelationship places a box of centroid (0.5, 1, 1.5) rotated by 90° about z and moved by (10, 0, 0),
// with each order of the two representations that writers use.
func TestAssemblyByRelationship(t *testing.T) {
	want := geom.Vec3{X: 10 - 1, Y: 0.5, Z: 1.5}
	for _, c := range []struct {
		name                    string
		childFirst, ownPlaceFst bool
	}{
		{"component first", true, true},
		{"assembly first", false, false},
		{"component first, placements exchanged", true, false},
		{"assembly first, placements exchanged", false, true},
	} {
		w := &steptest.Text{}
		context := w.Context()
		child, childRep, origin := w.Component("box", context)
		target := w.Placement(geom.Vec3{X: 10}, unitZ, unitY)
		rep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", target, context)
		whole := w.Product("whole", rep)
		rep1, rep2 := childRep, rep
		if !c.childFirst {
			rep1, rep2 = rep2, rep1
		}
		t1, t2 := origin, target
		if !c.ownPlaceFst {
			t1, t2 = t2, t1
		}
		w.Use(whole, child, rep1, rep2, t1, t2)
		m := mustRead(t, w.File())
		checkEdges(t, m)
		expectAt(t, c.name, centroids(t, m, 6), want)
		if m.Name != "whole" {
			t.Errorf("%s: model is named %q", c.name, m.Name)
		}
	}
}

// TestSubAssemblyUsedTwice has two boxes in a sub-assembly that is used twice.
func TestSubAssemblyUsedTwice(t *testing.T) {
	w := &steptest.Text{}
	context := w.Context()
	box, boxRep, boxOrigin := w.Component("box", context)
	at := func(x, y float64) string { return w.Placement(geom.Vec3{X: x, Y: y}, unitZ, unitX) }
	p1, p2, sub := at(0, 0), at(5, 0), at(0, 0)
	subRep := w.Add("SHAPE_REPRESENTATION('',(%s,%s,%s),%s)", p1, p2, sub, context)
	subProduct := w.Product("sub", subRep)
	w.Use(subProduct, box, boxRep, subRep, boxOrigin, p1)
	w.Use(subProduct, box, boxRep, subRep, boxOrigin, p2)
	q1, q2 := at(0, 0), at(0, 100)
	topRep := w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", q1, q2, context)
	top := w.Product("top", topRep)
	w.Use(top, subProduct, subRep, topRep, sub, q1)
	w.Use(top, subProduct, subRep, topRep, sub, q2)
	m := mustRead(t, w.File())
	checkEdges(t, m)
	expectAt(t, "twice two", centroids(t, m, 6), geom.Vec3{X: 0.5, Y: 1, Z: 1.5}, geom.Vec3{X: 5.5, Y: 1,
		Z: 1.5},
		geom.Vec3{X: 0.5, Y: 101, Z: 1.5}, geom.Vec3{X: 5.5, Y: 101, Z: 1.5})
	if m.Name != "top" {
		t.Errorf("model is named %q", m.Name)
	}
}

// TestMixedUnits has an inch component in a mm assembly; each placement is in its own units.
func TestMixedUnits(t *testing.T) {
	w := &steptest.Text{}
	mm := w.Context()
	metre := w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.))")
	inch := w.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
		w.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(0.0254),%s)", metre))
	radian := w.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	inches := w.ContextOf(inch, radian)
	shape := w.Placement(geom.Vec3{X: 1}, unitZ, unitX) // inches
	childRep := w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s,%s),%s)",
		w.Box(geom.Vec3{X: 1}, geom.Vec3{X: 1, Y: 1, Z: 1}), shape, inches)
	child := w.Product("child", childRep)
	target := w.Placement(geom.Vec3{Y: 7}, unitZ, unitX)
	rep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", target, mm)
	w.Use(w.Product("whole", rep), child, childRep, rep, shape, target)
	m := mustRead(t, w.File())
	expectAt(t, "inch in mm", centroids(t, m, 25.4*25.4*25.4), geom.Vec3{X: 12.7, Y: 19.7, Z: 12.7})
	if said := hasWarning(m, "mixed_units"); said == nil || !strings.Contains(said.Message, mm) ||
		!strings.Contains(said.Message, inches) {
		t.Errorf("warnings %v, want one that names %s and %s", m.Warnings, mm, inches)
	}
}

func TestMappedItems(t *testing.T) {
	w := &steptest.Text{}
	context := w.Context()
	source := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}), context)
	origin := w.Placement(geom.Vec3{Z: 1}, unitZ, unitX)
	mapping := w.Add("REPRESENTATION_MAP(%s,%s)", origin, source)
	moved := w.Add("MAPPED_ITEM('',%s,%s)", mapping, w.Placement(geom.Vec3{X: 10}, unitZ, unitX))
	mirror := w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',%s,%s,%s,2.,%s)", w.Direction(unitX),
		w.Direction(geom.Vec3{Y: -1}), w.Point(geom.Vec3{Z: 100}), w.Direction(unitZ))
	plain := w.Add("REPRESENTATION_MAP(%s,%s)", w.Placement(geom.Vec3{}, unitZ, unitX), source)
	mirrored := w.Add("MAPPED_ITEM('',%s,%s)", plain, mirror)
	w.Product("one", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", moved, context))
	m := mustRead(t, w.File())
	expectAt(t, "moved", centroids(t, m, 6), geom.Vec3{X: 10.5, Y: 1, Z: 0.5})

	w.Product("two", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", mirrored, context))
	m = mustRead(t, w.File())
	checkEdges(t, m)
	if len(m.Solids) != 2 {
		t.Fatalf("%d solids, want 2", len(m.Solids))
	}
	v, c := polyhedron(t, m, m.Shells[1].Faces)
	if !near(v, 48, 1e-9) || c.Dist(geom.Vec3{X: 1, Y: -2, Z: 103}) > 1e-9 {
		t.Errorf("mirrored and doubled: volume %g at %v", v, c)
	}
}

func TestSolidReplica(t *testing.T) {
	w := &steptest.Text{}
	box := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	moved := w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,$,$)", w.Point(geom.Vec3{X: 4}))
	w.Part(box, w.Add("SOLID_REPLICA('',%s,%s)", box, moved))
	m := mustRead(t, w.File())
	expectAt(t, "replica", centroids(t, m, 6), geom.Vec3{X: 0.5, Y: 1, Z: 1.5}, geom.Vec3{X: 4.5, Y: 1, Z: 1.5})
}

func TestAssemblyCycle(t *testing.T) {
	w := &steptest.Text{}
	context := w.Context()
	box, boxRep, origin := w.Component("box", context)
	at := w.Placement(geom.Vec3{X: 3}, unitZ, unitX)
	rep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", at, context)
	whole := w.Product("whole", rep)
	w.Use(whole, box, boxRep, rep, origin, at)
	w.Use(box, whole, rep, boxRep, at, origin)
	m := mustRead(t, w.File())
	if len(m.Solids) == 0 || hasWarning(m, "assembly_cycle") == nil {
		t.Errorf("%d solids, warnings %v", len(m.Solids), m.Warnings)
	}
}

// TestExponentialAssembly nests assemblies of two. The 2^40 boxes must be rejected, not built.
func TestExponentialAssembly(t *testing.T) {
	w := &steptest.Text{}
	context := w.Context()
	child, childRep, origin := w.Component("box", context)
	for i := range 40 {
		a, b := w.Placement(geom.Vec3{}, unitZ, unitX), w.Placement(geom.Vec3{X: 9}, unitZ, unitX)
		rep := w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", a, b, context)
		parent := w.Product(fmt.Sprint("level ", i), rep)
		w.Use(parent, child, childRep, rep, origin, a)
		w.Use(parent, child, childRep, rep, origin, b)
		child, childRep, origin = parent, rep, a
	}
	text := w.File()
	for _, opts := range []Options{{MaxInstances: 100}, {MaxInstances: 1 << 12, MaxFaces: 100}} {
		_, err := Read(bg, strings.NewReader(text), int64(len(text)), opts)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != "too_complex" {
			t.Errorf("limits %+v: %v, want too_complex", opts, err)
		}
	}
}

// TestExponentialEmptyAssemblyEnds nests the same assemblies without a box. They must not grow without bound either.
func TestExponentialEmptyAssemblyEnds(t *testing.T) {
	w := &steptest.Text{}
	context := w.Context()
	origin := w.Placement(geom.Vec3{}, unitZ, unitX)
	childRep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", origin, context)
	child := w.Product("nothing", childRep)
	for i := range 40 {
		at := w.Placement(geom.Vec3{X: 9}, unitZ, unitX)
		rep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", at, context)
		parent := w.Product(fmt.Sprint("level ", i), rep)
		w.Use(parent, child, childRep, rep, origin, at)
		w.Use(parent, child, childRep, rep, origin, at)
		child, childRep, origin = parent, rep, at
	}
	text := w.File()
	_, err := Read(bg, strings.NewReader(text), int64(len(text)), Options{MaxInstances: 1000})
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != "too_complex" {
		t.Errorf("%v, want too_complex", err)
	}
}

func TestNoProductStructure(t *testing.T) {
	w := &steptest.Text{}
	w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.BoxShell("OPEN_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 1,
		Z: 1}, false))
	m := mustRead(t, w.File())
	if len(m.Solids) != 1 || len(m.Shells) != 2 || hasWarning(m, "no_product_structure") == nil ||
		hasWarning(m, "no_length_unit") == nil {
		t.Errorf("%d solids, %d shells, warnings %v", len(m.Solids), len(m.Shells), m.Warnings)
	}
}
