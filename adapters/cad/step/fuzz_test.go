package step

import (
	"context"
	"io"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/fuzztest"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// seeds are small files that between them use most of the entities.
func seeds() []string {
	var out []string
	add := func(build func(w *steptest.Text)) {
		w := &steptest.Text{}
		build(w)
		out = append(out, w.File())
	}
	add(func(w *steptest.Text) { w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})) })
	add(func(w *steptest.Text) { w.Part(steptest.Facets(w)) })
	add(func(w *steptest.Text) {
		context := w.Context()
		child, rep, origin := w.Component("box", context)
		at := w.Placement(geom.Vec3{X: 10}, unitZ, unitY)
		top := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", at, context)
		w.Use(w.Product("whole", top), child, rep, top, origin, at)
	})
	add(func(w *steptest.Text) {
		at := w.Placement(geom.Vec3{}, unitZ, unitX)
		v := w.Vertex(geom.Vec3{X: 2})
		var faces []string
		for _, s := range []string{"SPHERICAL_SURFACE('',%s,2.)", "TOROIDAL_SURFACE('',%s,5.,1.)",
			"DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.F.)", "CONICAL_SURFACE('',%s,1.,0.5)"} {
			edge := w.Add("EDGE_CURVE('',%s,%s,%s,.F.)", v, v, steptest.Circle(w))
			bound := w.Add("FACE_BOUND('',%s,.F.)",
				w.Add("EDGE_LOOP('',(%s))", w.Add("ORIENTED_EDGE('',*,*,%s,.F.)", edge)))
			faces = append(faces, w.Add("ADVANCED_FACE('',(%s),%s,.T.)", bound, w.Add(s, at)))
		}
		w.Part(w.Add("MANIFOLD_SOLID_BREP('',%s)", w.Add("CLOSED_SHELL('',%s)", steptest.List(faces...))))
	})
	add(func(w *steptest.Text) { // statements about a face
		shape := w.Add("PRODUCT_DEFINITION_SHAPE('','',$)")
		aspect := w.Add("SHAPE_ASPECT('','',%s,.T.)", shape)
		length := w.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.),%s)",
			w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))"))
		datum := w.Add("DATUM('','',%s,.F.,'A')", shape)
		reference := w.Add("DATUM_REFERENCE_COMPARTMENT('',$,%s,.F.,%s,"+
			"(SIMPLE_DATUM_REFERENCE_MODIFIER(.POINT.)))", shape, datum)
		w.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((%s))"+
			"POSITION_TOLERANCE())", length, aspect, w.Add("DATUM_SYSTEM('',$,%s,.F.,(%s))", shape, reference))
		size := w.Add("DIMENSIONAL_SIZE(%s,'diameter')", aspect)
		w.Add("DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(%s,%s)", size,
			w.Add("SHAPE_DIMENSION_REPRESENTATION('',(%s),$)", length))
		w.Add("PLUS_MINUS_TOLERANCE(%s,%s)", w.Add("TOLERANCE_VALUE(%s,%s)", length, length), size)
		w.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", aspect, datum)
		bore := w.Add("EXPLICIT_ROUND_HOLE('','',%s,$,%s,%s,$)", length, length,
			w.Add("LIMITS_AND_FITS('H','hole','7','')"))
		w.Add("COUNTERBORE_HOLE_OCCURRENCE('','',%s,.T.,%s)", shape,
			w.Add("COUNTERBORE_HOLE_DEFINITION('','',(%s),$,$,%s,$,.T.,$)", bore, length))
		w.Add("PROPERTY_DEFINITION_REPRESENTATION(%s,%s)", w.Add("PROPERTY_DEFINITION('note','',%s)", aspect),
			w.Add("REPRESENTATION('',(%s),$)", w.Add("DESCRIPTIVE_REPRESENTATION_ITEM('','M8x1.25-6H')")))
		solid := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
		w.Part(solid)
		id, err := strconv.Atoi(solid[1:])
		if err != nil {
			panic(err)
		}
		w.Add("GEOMETRIC_ITEM_SPECIFIC_USAGE('','',%s,$,#%d)", aspect, id-2) // its last face, before its shell
	})
	for _, s := range steptest.Surfaces {
		add(func(w *steptest.Text) {
			a, b := w.Vertex(geom.Vec3{X: 2}), w.Vertex(geom.Vec3{Y: 2})
			edge := w.Add("EDGE_CURVE('',%s,%s,%s,.T.)", a, b, steptest.Spline(w))
			bound := w.Add("FACE_BOUND('',%s,.F.)",
				w.Add("EDGE_LOOP('',(%s))", w.Add("ORIENTED_EDGE('',*,*,%s,.F.)", edge)))
			face := w.Add("ADVANCED_FACE('',(%s),%s,.T.)", bound, s.Write(w))
			w.Part(w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.Add("OPEN_SHELL('',(%s))", face)))
		})
	}
	return append(out, moreSeeds()...)
}

// moreSeeds contain inexact or unconnected data: triangles, single surfaces, copies, colors, other sections.
func moreSeeds() []string {
	var out []string
	for _, form := range tessellatedForms {
		w := &steptest.Text{}
		link := w.Add("CYLINDRICAL_SURFACE('',%s,2.)", w.Origin())
		faces := writeTessellatedBox(w, form)
		text := tessellatedPart(w, w.Add("TESSELLATED_SOLID('',%s,%s)", steptest.List(faces...), link))
		out = append(out, strings.Replace(text, ",$,", ","+link+",", 1))
		w = &steptest.Text{}
		out = append(out, tessellatedPart(w, writeTessellatedBox(w, form)...))
	}
	w := &steptest.Text{}
	curved := writeCurved(w, "rows from a corner", true, flat(geom.Vec3{}, unitX, unitZ),
		flat(geom.Vec3{}, unitZ, unitX))
	out = append(out, tessellatedPart(w, w.Add("TESSELLATED_SHELL('',%s,$)", steptest.List(curved...))))
	w = &steptest.Text{}
	out = append(out, surfacePart(w, looseSurfaces(w)...))
	for i := range looseSurfaces(&steptest.Text{}) {
		w := &steptest.Text{}
		out = append(out, surfacePart(w, looseSurfaces(w)[i]))
	}
	w = &steptest.Text{}
	box := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	move := w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,2.,%s)", w.Point(geom.Vec3{X: 4}),
		w.Direction(geom.Vec3{Z: -1}))
	fill := w.Add("FILL_AREA_STYLE('',(%s))", w.Add("FILL_AREA_STYLE_COLOUR('',%s)",
		w.Add("COLOUR_RGB('',1.,0.,0.5)")))
	side := w.Add("SURFACE_SIDE_STYLE('',(%s))", w.Add("SURFACE_STYLE_FILL_AREA(%s)", fill))
	style := w.Add("PRESENTATION_STYLE_BY_CONTEXT((%s),$)", w.Add("SURFACE_STYLE_USAGE(.BOTH.,%s)", side))
	w.Add("OVER_RIDING_STYLED_ITEM('',(%s),%s,$)", style, box)
	w.Add("DOCUMENT_FILE('x.stp','','',$,'',$)")
	w.Part(box, w.Add("SOLID_REPLICA('',%s,%s)", box, move))
	sections := "ENDSEC;\nANCHOR;\n<a>=#1;\nENDSEC;\nREFERENCE;\n#9=<b>;\nENDSEC;\nDATA('x',('y'));"
	return append(out, w.File(), strings.Replace(w.File(), "ENDSEC;\nDATA;", sections, 1))
}

// looseSurfaces are surfaces without a face, with and without bounds.
func looseSurfaces(w *steptest.Text) []string {
	plates := boxPlates(w)
	hole := segments(w, "BOUNDARY_CURVE", geom.Vec3{X: 0.25, Y: 0.5}, geom.Vec3{X: 0.75, Y: 0.5},
		geom.Vec3{X: 0.5, Y: 1})
	plates = append(plates, w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s),.T.)", plates[0], hole),
		w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s),.F.)", plates[0], hole),
		w.Add("RECTANGULAR_COMPOSITE_SURFACE('',((%s)))", w.Add("SURFACE_PATCH(%s,$,$,.T.,.F.)", plates[1])),
		w.Add("SURFACE_REPLICA('',%s,%s)", plates[2],
			w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,2.,$)", w.Point(geom.Vec3{X: 5}))))
	for _, s := range steptest.Surfaces {
		plates = append(plates, s.Write(w))
	}
	return plates
}

// FuzzRead reads any bytes: a model whose references are sound, or a *fault.Error, in bounded time.
func FuzzRead(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	const allowed = 256 << 20 // bytes
	f.Fuzz(func(t *testing.T, data string) {
		fuzztest.Read(t, data, allowed, func(ctx context.Context, src io.ReaderAt, size int64) (*brep.Model, error) {
			return Read(ctx, src, size, Options{MaxInstances: 1000, MaxFaces: 10000})
		})
	})
}
