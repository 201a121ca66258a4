package pmi_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func listOf(ids []string) string { return steptest.List(ids...) }

// flatness states something about an aspect.
func (f *fixture) flatness(aspect string) {
	f.Add("FLATNESS_TOLERANCE('','',%s,%s)", f.length(1, f.mm), aspect)
}

func TestAspects(t *testing.T) {
	all := []gdt.Face{0, 1, 2, 3, 4, 5}
	for _, c := range []struct {
		name  string
		write func(f *fixture) string
		want  []gdt.Face
	}{
		{"single face", func(f *fixture) string { return f.aspect(3) }, []gdt.Face{3}},
		{"faces out of order, one twice", func(f *fixture) string { return f.aspect(5, 1, 3, 1) },
			[]gdt.Face{1, 3, 5}},
		{"set of items", func(f *fixture) string {
			a := f.aspect()
			f.Add("ITEM_IDENTIFIED_REPRESENTATION_USAGE('',$,%s,%s,SET_REPRESENTATION_ITEM((%s,%s)))",
				a, f.rep, f.faces[4], f.faces[2])
			return a
		}, []gdt.Face{2, 4}},
		{"list of items without its type", func(f *fixture) string {
			a := f.aspect()
			f.Add("ITEM_IDENTIFIED_REPRESENTATION_USAGE('',$,%s,%s,(%s,%s))", a, f.rep, f.faces[0], f.faces[1])
			return a
		}, []gdt.Face{0, 1}},
		{"shape of a property, as before AP242", func(f *fixture) string {
			a := f.aspect()
			f.Add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", f.Add("PROPERTY_DEFINITION('','',%s)", a),
				f.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", f.faces[3], f.faces[1], f.ctx))
			return a
		}, []gdt.Face{1, 3}},
		{"group of groups", func(f *fixture) string {
			inner := f.Add("COMPOSITE_SHAPE_ASPECT('','',%s,.T.)", f.shape)
			outer := f.Add("COMPOSITE_GROUP_SHAPE_ASPECT('','',%s,.T.)", f.shape)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", outer, inner)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", outer, f.aspect(0))
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", inner, f.aspect(2))
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", inner, f.aspect(4))
			return outer
		}, []gdt.Face{0, 2, 4}},
		{"group that contains itself", func(f *fixture) string {
			a, b := f.aspect(1), f.aspect(2)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", a, b)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", b, a)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", a, a)
			return a
		}, []gdt.Face{1, 2}},
		{"centre of symmetry", func(f *fixture) string {
			center := f.Add("CENTRE_OF_SYMMETRY('','',%s,.T.)", f.shape)
			f.Add("SHAPE_ASPECT_DERIVING_RELATIONSHIP('','',%s,%s)", center, f.aspect(4, 5))
			return center
		}, []gdt.Face{4, 5}},
		{"complex aspect", func(f *fixture) string {
			a := f.Add("(COMPOSITE_SHAPE_ASPECT()DATUM_FEATURE()SHAPE_ASPECT('','',%s,.T.))", f.shape)
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", a, f.aspect(3))
			f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", a,
				f.Add("DATUM('','',%s,.F.,'A')", f.shape)) // not a part of it
			return a
		}, []gdt.Face{3}},
		{"solid", func(f *fixture) string {
			a := f.aspect()
			f.Add("GEOMETRIC_ITEM_SPECIFIC_USAGE('','',%s,%s,%s)", a, f.rep, f.solid)
			return a
		}, all},
		{"curve", func(f *fixture) string {
			a := f.aspect()
			f.Add("GEOMETRIC_ITEM_SPECIFIC_USAGE('','',%s,%s,%s)", a, f.rep, f.Line(geom.Vec3{}, steptest.UnitX))
			return a
		}, nil},
		{"no item", func(f *fixture) string { return f.aspect() }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture()
			f.flatness(c.write(f))
			m := f.read(t)
			quiet(t, m)
			wantFaces(t, "flatness", oneTolerance(t, m).Faces, c.want...)
		})
	}
}

func TestAllAround(t *testing.T) {
	f := newFixture()
	around := f.Add("ALL_AROUND_SHAPE_ASPECT('','',%s,.F.)", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", around, f.aspect(2, 3, 4, 5))
	f.flatness(around)
	m := f.read(t)
	quiet(t, m)
	got := oneTolerance(t, m)
	if !got.AllAround || got.AllOver {
		t.Errorf("got %+v", got)
	}
	wantFaces(t, "all around", got.Faces, 2, 3, 4, 5)
}

// TestCircularEdgeGivesHoleWall states something about the edge of a hole.
func TestCircularEdgeGivesHoleWall(t *testing.T) {
	data, err := os.ReadFile("../../testdata/through_hole.step")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	plain := readText(t, text)
	edges := map[string]brep.EdgeID{}
	for i, e := range plain.Edges {
		edges[instanceOf(e.Source)] = brep.EdgeID(i)
	}
	stated := strings.Replace(text, "ENDSEC;\nEND-ISO", "#90001=PRODUCT_DEFINITION_SHAPE('','',$);\n"+
		"#90002=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));\n"+
		"#90003=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.),#90002);\n@ENDSEC;\nEND-ISO", 1)
	var added strings.Builder
	var order []brep.EdgeID
	id := 90010
	for _, line := range regexp.MustCompile(`(#\d+) ?= ?EDGE_CURVE`).FindAllStringSubmatch(text, -1) {
		aspect := instanceOf(int64(id))
		added.WriteString(aspect + "=SHAPE_ASPECT('','',#90001,.T.);\n" +
			instanceOf(int64(id+1)) + "=GEOMETRIC_ITEM_SPECIFIC_USAGE('',''," + aspect + ",$," + line[1] + ");\n" +
			instanceOf(int64(id+2)) + "=ROUNDNESS_TOLERANCE('','',#90003," + aspect + ");\n")
		order = append(order, edges[line[1]])
		id += 3
	}
	m := readText(t, strings.Replace(stated, "@", added.String(), 1))
	if len(m.PMI.Tolerances) != len(order) || len(order) == 0 {
		t.Fatalf("%d tolerances of %d edges", len(m.PMI.Tolerances), len(order))
	}
	rims := 0
	for i, e := range order {
		var round []gdt.Face
		for _, c := range m.Edges[e].Coedges {
			if f := m.FaceOf(c); m.Faces[f].Surface.Kind() == surface.KindCylinder {
				round = append(round, gdt.Face(f))
			}
		}
		if len(round) > 0 {
			rims++
			round = round[:1] // a seam has the same face twice
		}
		wantFaces(t, "edge "+instanceOf(m.Edges[e].Source), m.PMI.Tolerances[i].Faces, round...)
	}
	if rims == 0 || rims == len(order) {
		t.Errorf("%d of %d edges are rims; want some", rims, len(order))
	}
}
