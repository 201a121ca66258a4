package step

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/service"
)

var bg = context.Background()

var (
	unitX = geom.Vec3{X: 1}
	unitY = geom.Vec3{Y: 1}
	unitZ = geom.Vec3{Z: 1}
)

// component writes a product with one box of 1×2×3 at the origin and returns its definition,
// representation and the placement among its items.
func (w *text) component(name, context string) (definition, rep, origin string) {
	origin = w.placement(geom.Vec3{}, unitZ, unitX)
	shape := w.add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s),%s)", w.box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2,
		Z: 3}), context)
	rep = w.add("SHAPE_REPRESENTATION('',(%s),%s)", origin, context)
	w.add("SHAPE_REPRESENTATION_RELATIONSHIP('','',%s,%s)", rep, shape)
	return w.product(name, rep), rep, origin
}

// use writes one occurrence of a child in a parent: rep1 and rep2 with the placements t1 and t2.
func (w *text) use(parent, child, rep1, rep2, t1, t2 string) {
	occurrence := w.add("NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',%s,%s,$)", parent, child)
	w.useOf(occurrence, rep1, rep2, t1, t2)
}

func (w *text) useOf(occurrence, rep1, rep2, t1, t2 string) {
	moved := w.add("ITEM_DEFINED_TRANSFORMATION('','',%s,%s)", t1, t2)
	relation := w.add("(REPRESENTATION_RELATIONSHIP('','',%s,%s)"+
		"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(%s)SHAPE_REPRESENTATION_RELATIONSHIP())", rep1, rep2,
		moved)
	w.add("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(%s,%s)", relation,
		w.add("PRODUCT_DEFINITION_SHAPE('','',%s)", occurrence))
}

// centroids returns where the solids of a model are, in order, and fails when one has not the volume.
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

// TestAssemblyByRelationship places a box of centroid (0.5, 1, 1.5) turned by 90° about z and moved by
// (10, 0, 0), in all the ways in which writers order the two representations.
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
		w := &text{}
		context := w.context()
		child, childRep, origin := w.component("box", context)
		target := w.placement(geom.Vec3{X: 10}, unitZ, unitY)
		rep := w.add("SHAPE_REPRESENTATION('',(%s),%s)", target, context)
		whole := w.product("whole", rep)
		rep1, rep2 := childRep, rep
		if !c.childFirst {
			rep1, rep2 = rep2, rep1
		}
		t1, t2 := origin, target
		if !c.ownPlaceFst {
			t1, t2 = t2, t1
		}
		w.use(whole, child, rep1, rep2, t1, t2)
		m := mustRead(t, w.file())
		checkEdges(t, m)
		expectAt(t, c.name, centroids(t, m, 6), want)
		if m.Name != "whole" {
			t.Errorf("%s: model is named %q", c.name, m.Name)
		}
	}
}

// TestSubAssemblyUsedTwice has two boxes in a sub-assembly that is used twice.
func TestSubAssemblyUsedTwice(t *testing.T) {
	w := &text{}
	context := w.context()
	box, boxRep, boxOrigin := w.component("box", context)
	at := func(x, y float64) string { return w.placement(geom.Vec3{X: x, Y: y}, unitZ, unitX) }
	p1, p2, sub := at(0, 0), at(5, 0), at(0, 0)
	subRep := w.add("SHAPE_REPRESENTATION('',(%s,%s,%s),%s)", p1, p2, sub, context)
	subProduct := w.product("sub", subRep)
	w.use(subProduct, box, boxRep, subRep, boxOrigin, p1)
	w.use(subProduct, box, boxRep, subRep, boxOrigin, p2)
	q1, q2 := at(0, 0), at(0, 100)
	topRep := w.add("SHAPE_REPRESENTATION('',(%s,%s),%s)", q1, q2, context)
	top := w.product("top", topRep)
	w.use(top, subProduct, subRep, topRep, sub, q1)
	w.use(top, subProduct, subRep, topRep, sub, q2)
	m := mustRead(t, w.file())
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
	w := &text{}
	mm := w.context()
	metre := w.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.))")
	inch := w.add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
		w.add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(0.0254),%s)", metre))
	radian := w.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	inches := w.contextOf(inch, radian)
	shape := w.placement(geom.Vec3{X: 1}, unitZ, unitX) // inches
	childRep := w.add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s,%s),%s)",
		w.box(geom.Vec3{X: 1}, geom.Vec3{X: 1, Y: 1, Z: 1}), shape, inches)
	child := w.product("child", childRep)
	target := w.placement(geom.Vec3{Y: 7}, unitZ, unitX)
	rep := w.add("SHAPE_REPRESENTATION('',(%s),%s)", target, mm)
	w.use(w.product("whole", rep), child, childRep, rep, shape, target)
	m := mustRead(t, w.file())
	expectAt(t, "inch in mm", centroids(t, m, 25.4*25.4*25.4), geom.Vec3{X: 12.7, Y: 19.7, Z: 12.7})
}

func TestMappedItems(t *testing.T) {
	w := &text{}
	context := w.context()
	source := w.add("SHAPE_REPRESENTATION('',(%s),%s)", w.box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}), context)
	origin := w.placement(geom.Vec3{Z: 1}, unitZ, unitX)
	mapping := w.add("REPRESENTATION_MAP(%s,%s)", origin, source)
	moved := w.add("MAPPED_ITEM('',%s,%s)", mapping, w.placement(geom.Vec3{X: 10}, unitZ, unitX))
	mirror := w.add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',%s,%s,%s,2.,%s)", w.direction(unitX),
		w.direction(geom.Vec3{Y: -1}), w.point(geom.Vec3{Z: 100}), w.direction(unitZ))
	plain := w.add("REPRESENTATION_MAP(%s,%s)", w.placement(geom.Vec3{}, unitZ, unitX), source)
	mirrored := w.add("MAPPED_ITEM('',%s,%s)", plain, mirror)
	w.product("one", w.add("SHAPE_REPRESENTATION('',(%s),%s)", moved, context))
	m := mustRead(t, w.file())
	expectAt(t, "moved", centroids(t, m, 6), geom.Vec3{X: 10.5, Y: 1, Z: 0.5})

	w.product("two", w.add("SHAPE_REPRESENTATION('',(%s),%s)", mirrored, context))
	m = mustRead(t, w.file())
	checkEdges(t, m)
	if len(m.Solids) != 2 {
		t.Fatalf("%d solids, want 2", len(m.Solids))
	}
	v, c := polyhedron(t, m, m.Shells[1].Faces)
	if !near(v, 48, 1e-9) || c.Dist(geom.Vec3{X: 1, Y: -2, Z: 103}) > 1e-9 {
		t.Errorf("mirrored and doubled: volume %g at %v", v, c)
	}
}

func TestOperatorTransform(t *testing.T) {
	for _, c := range []struct {
		name  string
		axes  [3]geom.Vec3
		image [3]geom.Vec3 // of x, y, z
	}{
		{"nothing given", [3]geom.Vec3{}, [3]geom.Vec3{unitX, unitY, unitZ}},
		{"two axes in the plane", [3]geom.Vec3{unitY, unitX.Neg(), {}}, [3]geom.Vec3{unitY, unitX.Neg(), unitZ}},
		{"mirror in the plane", [3]geom.Vec3{unitX, unitY.Neg(), {}}, [3]geom.Vec3{unitX, unitY.Neg(), unitZ}},
		{"two axes in space", [3]geom.Vec3{unitY, unitZ, {}}, [3]geom.Vec3{unitY, unitZ, unitX}},
		{"mirror by the third axis", [3]geom.Vec3{unitX, unitY, unitZ.Neg()}, [3]geom.Vec3{unitX, unitY,
			unitZ.Neg()}},
		{"only the third", [3]geom.Vec3{{}, {}, unitX}, [3]geom.Vec3{unitY, unitZ, unitX}},
	} {
		m := operatorTransform(c.axes, geom.Vec3{X: 5}, 2)
		for i, d := range []geom.Vec3{unitX, unitY, unitZ} {
			got := m.Dir(d)
			if c.name == "only the third" && i < 2 {
				if math.Abs(got.Dot(unitX)) > 1e-12 || !near(got.Norm(), 2, 1e-12) {
					t.Errorf("%s: axis %d goes to %v", c.name, i, got)
				}
				continue
			}
			if got.Dist(c.image[i].Scale(2)) > 1e-12 {
				t.Errorf("%s: axis %d goes to %v, want %v", c.name, i, got, c.image[i].Scale(2))
			}
		}
		if m.Point(geom.Vec3{}) != (geom.Vec3{X: 5}) {
			t.Errorf("%s: origin goes to %v", c.name, m.Point(geom.Vec3{}))
		}
	}
}

func TestSolidReplica(t *testing.T) {
	w := &text{}
	box := w.box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	moved := w.add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,$,$)", w.point(geom.Vec3{X: 4}))
	w.part(box, w.add("SOLID_REPLICA('',%s,%s)", box, moved))
	m := mustRead(t, w.file())
	expectAt(t, "replica", centroids(t, m, 6), geom.Vec3{X: 0.5, Y: 1, Z: 1.5}, geom.Vec3{X: 4.5, Y: 1, Z: 1.5})
}

func TestAssemblyCycle(t *testing.T) {
	w := &text{}
	context := w.context()
	box, boxRep, origin := w.component("box", context)
	at := w.placement(geom.Vec3{X: 3}, unitZ, unitX)
	rep := w.add("SHAPE_REPRESENTATION('',(%s),%s)", at, context)
	whole := w.product("whole", rep)
	w.use(whole, box, boxRep, rep, origin, at)
	w.use(box, whole, rep, boxRep, at, origin)
	m := mustRead(t, w.file())
	if len(m.Solids) == 0 || hasWarning(m, "assembly_cycle") == nil {
		t.Errorf("%d solids, warnings %v", len(m.Solids), m.Warnings)
	}
}

// TestExponentialAssembly nests assemblies of two: 2^40 boxes must be refused, not built.
func TestExponentialAssembly(t *testing.T) {
	w := &text{}
	context := w.context()
	child, childRep, origin := w.component("box", context)
	for i := range 40 {
		a, b := w.placement(geom.Vec3{}, unitZ, unitX), w.placement(geom.Vec3{X: 9}, unitZ, unitX)
		rep := w.add("SHAPE_REPRESENTATION('',(%s,%s),%s)", a, b, context)
		parent := w.product(fmt.Sprint("level ", i), rep)
		w.use(parent, child, childRep, rep, origin, a)
		w.use(parent, child, childRep, rep, origin, b)
		child, childRep, origin = parent, rep, a
	}
	text := w.file()
	for _, opts := range []Options{{MaxInstances: 100}, {MaxInstances: 1 << 12, MaxFaces: 100}} {
		_, err := Read(bg, strings.NewReader(text), int64(len(text)), opts)
		var f *service.Failure
		if !errors.As(err, &f) || f.Code != "too_complex" {
			t.Errorf("limits %+v: %v, want too_complex", opts, err)
		}
	}
}

// TestExponentialAssemblyOfNothing is the same without a box: nothing is built, but never at an end.
func TestExponentialAssemblyOfNothing(t *testing.T) {
	w := &text{}
	context := w.context()
	origin := w.placement(geom.Vec3{}, unitZ, unitX)
	childRep := w.add("SHAPE_REPRESENTATION('',(%s),%s)", origin, context)
	child := w.product("nothing", childRep)
	for i := range 40 {
		at := w.placement(geom.Vec3{X: 9}, unitZ, unitX)
		rep := w.add("SHAPE_REPRESENTATION('',(%s),%s)", at, context)
		parent := w.product(fmt.Sprint("level ", i), rep)
		w.use(parent, child, childRep, rep, origin, at)
		w.use(parent, child, childRep, rep, origin, at)
		child, childRep, origin = parent, rep, at
	}
	text := w.file()
	_, err := Read(bg, strings.NewReader(text), int64(len(text)), Options{MaxInstances: 1000})
	var f *service.Failure
	if !errors.As(err, &f) || f.Code != "too_complex" {
		t.Errorf("%v, want too_complex", err)
	}
}

func TestNoProductStructure(t *testing.T) {
	w := &text{}
	w.box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
	w.add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.boxShell("OPEN_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 1,
		Z: 1}, false))
	m := mustRead(t, w.file())
	if len(m.Solids) != 1 || len(m.Shells) != 2 || hasWarning(m, "no_product_structure") == nil ||
		hasWarning(m, "no_length_unit") == nil {
		t.Errorf("%d solids, %d shells, warnings %v", len(m.Solids), len(m.Shells), m.Warnings)
	}
}
