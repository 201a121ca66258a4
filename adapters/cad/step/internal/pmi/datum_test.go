package pmi_test

import (
	"strconv"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

func instanceOf(id int64) string { return "#" + strconv.FormatInt(id, 10) }

func oneDatum(t *testing.T, m *brep.Model) gdt.Datum {
	t.Helper()
	if len(m.PMI.Datums) != 1 {
		t.Fatalf("%d datums, want one", len(m.PMI.Datums))
	}
	return m.PMI.Datums[0]
}

func TestDatums(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(f *fixture)
		want  []gdt.Face
	}{
		{"by a feature", func(f *fixture) {
			d := f.Add("DATUM('','',%s,.F.,'A')", f.shape)
			feature := f.Add("DATUM_FEATURE('','',%s,.T.)", f.shape)
			f.tie(feature, 0)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", feature, d)
		}, []gdt.Face{0}},
		{"by a feature, the other way round", func(f *fixture) {
			d := f.Add("DATUM('','',%s,.F.,'A')", f.shape)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", d, f.aspect(1))
		}, []gdt.Face{1}},
		{"by itself", func(f *fixture) { f.tie(f.Add("DATUM('','',%s,.F.,'A')", f.shape), 2) }, []gdt.Face{2}},
		{"by two features", func(f *fixture) {
			d := f.Add("DATUM('','',%s,.F.,'A')", f.shape)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", f.aspect(5), d)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", f.aspect(4), d)
		}, []gdt.Face{4, 5}},
		{"by a dimensioned feature", func(f *fixture) {
			d := f.Add("DATUM('','',%s,.F.,'A')", f.shape)
			size := f.Add("DIMENSIONAL_SIZE_WITH_DATUM_FEATURE('','',%s,.T.,$,'diameter')", f.shape)
			f.tie(size, 3)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", size, d)
		}, []gdt.Face{3}},
		{"common", func(f *fixture) {
			f.tie(f.Add("COMMON_DATUM('','',%s,.F.,'A')", f.shape), 0, 1)
		}, []gdt.Face{0, 1}},
		{"complex", func(f *fixture) {
			f.tie(f.Add("(DATUM('A')SHAPE_ASPECT('','',%s,.F.))", f.shape), 4)
		}, []gdt.Face{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture()
			c.write(f)
			m := f.read(t)
			quiet(t, m)
			got := oneDatum(t, m)
			if got.Letter != "A" || len(got.Targets) != 0 || got.Source == 0 {
				t.Errorf("got %+v", got)
			}
			wantFaces(t, c.name, got.Faces, c.want...)
		})
	}
}

func TestDatumTargets(t *testing.T) {
	f := newFixture()
	d := f.Add("DATUM('','',%s,.F.,'B')", f.shape)
	placed := f.Add("PLACED_DATUM_TARGET_FEATURE('','Circle',%s,.T.,'1')", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", placed, d)
	f.Add("FEATURE_FOR_DATUM_TARGET_RELATIONSHIP('',$,%s,%s)", f.aspect(1), placed)
	inches := f.ContextOf(f.inch, f.deg)
	rep := f.Add("SHAPE_REPRESENTATION_WITH_PARAMETERS('',(%s,%s),%s)",
		f.Placement(geom.Vec3{X: 1, Y: 2, Z: 3}, steptest.UnitX, steptest.UnitY),
		f.item("target diameter", 0.5, f.inch), inches)
	f.Add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", f.Add("PROPERTY_DEFINITION('',$,%s)", placed), rep)
	area := f.Add("(DATUM_TARGET('2')SHAPE_ASPECT('','area',%s,.T.))", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", area, d)
	f.tie(area, 0)
	strip := f.Add("PLACED_DATUM_TARGET_FEATURE('','rectangle',%s,.T.,'3')", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", strip, d)
	f.Add("PROPERTY_DEFINITION_REPRESENTATION(%s,%s)", f.Add("PROPERTY_DEFINITION('',$,%s)", strip),
		f.Add("SHAPE_REPRESENTATION_WITH_PARAMETERS('',(%s,%s),%s)", f.item("target length", 4, f.mm),
			f.item("target width", 2, f.mm), f.ctx))
	m := f.read(t)
	quiet(t, m)
	got := oneDatum(t, m).Targets
	if len(got) != 3 {
		t.Fatalf("targets %+v", got)
	}
	if g := got[0]; g.Kind != "circle" || g.Name != "B1" || !g.HasFrame || !near(g.Length, 12.7) ||
		!near(g.Width, 12.7) || g.Frame.Z != steptest.UnitX || g.Frame.X != steptest.UnitY ||
		g.Frame.Origin.Sub(geom.Vec3{X: 25.4, Y: 50.8, Z: 76.2}).Norm() > 1e-12 {
		t.Errorf("circle %+v", g)
	}
	wantFaces(t, "circle", got[0].Faces, 1)
	if g := got[1]; g.Kind != "area" || g.Name != "B2" || g.HasFrame {
		t.Errorf("area %+v", g)
	}
	wantFaces(t, "area", got[1].Faces, 0)
	if g := got[2]; g.Length != 4 || g.Width != 2 || g.HasFrame {
		t.Errorf("rectangle %+v", g)
	}
}

// TestCopiesOfAProduct places a part with statements three times, once mirrored into place by a rotation.
func TestCopiesOfAProduct(t *testing.T) {
	f := newFixture()
	system := f.frame("AB", 0, 2)
	f.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((%s))POSITION_TOLERANCE())",
		f.length(1, f.mm), f.aspect(4, 5), system)
	d := f.Add("DIMENSIONAL_LOCATION('',$,%s,%s)", f.aspect(0), f.aspect(1))
	f.valued(d, f.item("nominal value", 3, f.mm))
	target := f.Add("PLACED_DATUM_TARGET_FEATURE('','point',%s,.T.,'1')", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", target, f.Add("DATUM('','',%s,.F.,'C')", f.shape))
	f.tie(target, 1)
	f.Add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", f.Add("PROPERTY_DEFINITION('',$,%s)", target),
		f.Add("SHAPE_REPRESENTATION_WITH_PARAMETERS('',(%s),%s)",
			f.Placement(geom.Vec3{X: 0.5, Y: 1, Z: 3}, steptest.UnitZ, steptest.UnitX), f.ctx))
	whole, copies := f.assemble(geom.Vec3{X: 10}, geom.Vec3{Y: 20}, geom.Vec3{Z: 30})
	_ = whole
	m := f.read(t)
	quiet(t, m)
	if n := len(m.Solids); n != len(copies) {
		t.Fatalf("%d solids, want %d", n, len(copies))
	}
	p := m.PMI
	if len(p.Datums) != 3*len(copies) || len(p.Tolerances) != len(copies) || len(p.Dimensions) != len(copies) {
		t.Fatalf("%d datums, %d tolerances, %d dimensions for %d copies", len(p.Datums), len(p.Tolerances),
			len(p.Dimensions), len(copies))
	}
	for i, at := range copies {
		first := gdt.Face(6 * i)
		wantFaces(t, "position", p.Tolerances[i].Faces, first+4, first+5)
		wantFaces(t, "distance from", p.Dimensions[i].Faces, first)
		wantFaces(t, "distance to", p.Dimensions[i].To, first+1)
		for j, ref := range p.Tolerances[i].Datums {
			datum := p.Datums[ref.Datums[0].Datum]
			if want := string(rune('A' + j)); datum.Letter != want {
				t.Errorf("copy %d: datum %d is %s, want %s", i, j, datum.Letter, want)
			}
			wantFaces(t, "datum "+datum.Letter, datum.Faces, first+gdt.Face(2*j))
		}
		point := p.Datums[3*i+2].Targets[0]
		if want := at.Add(geom.Vec3{X: 0.5, Y: 1, Z: 3}); point.Frame.Origin.Sub(want).Norm() > 1e-12 {
			t.Errorf("copy %d: the target is at %v, want %v", i, point.Frame.Origin, want)
		}
		wantFaces(t, "target", point.Faces, first+1)
	}
}

// assemble places the part at some points of an assembly.
func (f *fixture) assemble(at ...geom.Vec3) (whole string, copies []geom.Vec3) {
	origin := f.Placement(geom.Vec3{}, steptest.UnitZ, steptest.UnitX)
	var places []string
	for _, p := range at {
		places = append(places, f.Placement(p, steptest.UnitZ, steptest.UnitX))
	}
	rep := f.Add("SHAPE_REPRESENTATION('',%s,%s)", listOf(places), f.ctx)
	whole = f.Product("whole", rep)
	for _, place := range places {
		f.Use(whole, f.definition(), f.rep, rep, origin, place)
	}
	return whole, at
}
