package pmi_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
)

// only returns the single dimension of a model.
func only(t *testing.T, m *brep.Model) gdt.Dimension {
	t.Helper()
	if len(m.PMI.Dimensions) != 1 {
		t.Fatalf("%d dimensions, want one", len(m.PMI.Dimensions))
	}
	return m.PMI.Dimensions[0]
}

func TestDimensionValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(f *fixture, dimension string)
		want  gdt.Dimension // values only
	}{
		{"nominal only", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm))
		}, gdt.Dimension{Nominal: 3, HasNominal: true}},
		{"plus and minus in inches", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 0.5, f.inch))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)",
				f.length(-0.01, f.inch), f.length(0.02, f.inch)), d)
		}, gdt.Dimension{Nominal: 12.7, HasNominal: true, Lower: -0.254, Upper: 0.508, HasLower: true,
			HasUpper: true}},
		{"units mixed", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 0.5, f.inch))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)",
				f.length(-0.1, f.mm), f.length(0.1, f.mm)), d)
		}, gdt.Dimension{Nominal: 12.7, HasNominal: true, Lower: -0.1, Upper: 0.1, HasLower: true,
			HasUpper: true}},
		{"bounds the wrong way round", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)",
				f.length(0.3, f.mm), f.length(-0.1, f.mm)), d)
		}, gdt.Dimension{Nominal: 3, HasNominal: true, Lower: -0.1, Upper: 0.3, HasLower: true,
			HasUpper: true}},
		{"± without signs", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm))
			b := f.length(0.2, f.mm)
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)", b, b), d)
		}, gdt.Dimension{Nominal: 3, HasNominal: true, Lower: -0.2, Upper: 0.2, HasLower: true,
			HasUpper: true}},
		{"limits about a nominal", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm), f.item("upper limit", 3.2, f.mm),
				f.item("lower limit", 2.9, f.mm))
		}, gdt.Dimension{Nominal: 3, HasNominal: true, Lower: -0.1, Upper: 0.2, HasLower: true,
			HasUpper: true}},
		{"limits alone", func(f *fixture, d string) {
			f.valued(d, f.item("upper limit", 3.2, f.mm), f.item("lower limit", 2.8, f.mm))
		}, gdt.Dimension{Nominal: 3, Lower: -0.2, Upper: 0.2, HasLower: true, HasUpper: true}},
		{"range", func(f *fixture, d string) {
			f.valued(d, f.Add("VALUE_RANGE('',SET_REPRESENTATION_ITEM((%s,%s)))", f.item("lower limit", 1, f.mm),
				f.item("upper limit", 3, f.mm)))
		}, gdt.Dimension{Nominal: 2, Lower: -1, Upper: 1, HasLower: true, HasUpper: true}},
		{"complex range", func(f *fixture, d string) {
			f.valued(d, f.Add("(COMPOUND_REPRESENTATION_ITEM(SET_REPRESENTATION_ITEM((%s,%s)))"+
				"REPRESENTATION_ITEM('')VALUE_RANGE())", f.item("lower limit", 1, f.mm),
				f.item("upper limit", 3, f.mm)))
		}, gdt.Dimension{Nominal: 2, Lower: -1, Upper: 1, HasLower: true, HasUpper: true}},
		{"one limit alone", func(f *fixture, d string) {
			f.valued(d, f.item("upper limit", 3.2, f.mm))
		}, gdt.Dimension{Nominal: 3.2, HasUpper: true}},
		{"maximum", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 0.2, f.mm, f.Add("TYPE_QUALIFIER('maximum')")))
		}, gdt.Dimension{Nominal: 0.2, HasNominal: true, HasUpper: true}},
		{"minimum", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 0.2, f.mm, f.Add("TYPE_QUALIFIER('MINIMUM')")))
		}, gdt.Dimension{Nominal: 0.2, HasNominal: true, HasLower: true}},
		{"simple measure item", func(f *fixture, d string) {
			f.valued(d, f.Add("MEASURE_REPRESENTATION_ITEM('nominal value',POSITIVE_LENGTH_MEASURE(2.),%s)", f.inch))
		}, gdt.Dimension{Nominal: 50.8, HasNominal: true}},
		{"fit", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 8, f.mm))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("LIMITS_AND_FITS('H','hole','7','')"), d)
		}, gdt.Dimension{Nominal: 8, HasNominal: true, Fit: "H7", Upper: 0.015, HasLower: true, HasUpper: true}},
		{"fit in inches", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 1, f.inch))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("LIMITS_AND_FITS('g6','shaft','','ISO 286')"), d)
		}, gdt.Dimension{Nominal: 25.4, HasNominal: true, Fit: "g6", Lower: -0.02, Upper: -0.007, HasLower: true,
			HasUpper: true}},
		{"fit that no table has", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 8, f.mm))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("LIMITS_AND_FITS('RC','','3','ANSI B4.1')"), d)
		}, gdt.Dimension{Nominal: 8, HasNominal: true, Fit: "RC3"}},
		{"fit of an angle", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 60, f.deg))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("LIMITS_AND_FITS('H','hole','7','')"), d)
		}, gdt.Dimension{Angle: true, Nominal: math.Pi / 3, HasNominal: true, Fit: "H7"}},
		{"angle in degrees", func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 60, f.deg))
			angle := f.Add("PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(0.5),%s)", f.deg)
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)", angle, angle), d)
		}, gdt.Dimension{Angle: true, Nominal: math.Pi / 3, HasNominal: true, Lower: -math.Pi / 360,
			Upper: math.Pi / 360, HasLower: true, HasUpper: true}},
		{"nothing", func(*fixture, string) {}, gdt.Dimension{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture()
			c.write(f, f.Add("DIMENSIONAL_SIZE(%s,'diameter')", f.aspect(1)))
			m := f.read(t)
			quiet(t, m)
			got := only(t, m)
			same := got.Angle == c.want.Angle && got.HasNominal == c.want.HasNominal && got.Fit == c.want.Fit &&
				got.HasLower == c.want.HasLower && got.HasUpper == c.want.HasUpper
			for _, v := range [][2]float64{{got.Nominal, c.want.Nominal}, {got.Lower, c.want.Lower},
				{got.Upper, c.want.Upper}} {
				const inDegrees = 1e-10 // rad, the precision of the factor in the file
				same = same && math.Abs(v[0]-v[1]) < inDegrees
			}
			if !same {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			wantFaces(t, c.name, got.Faces, 1)
		})
	}
}

func TestDimensionRemarks(t *testing.T) {
	f := newFixture()
	d := f.Add("DIMENSIONAL_SIZE(%s,'Spherical_Diameter')", f.aspect(0))
	note := func(text string) string {
		return f.Add("DESCRIPTIVE_REPRESENTATION_ITEM('dimensional note','%s')", text)
	}
	f.valued(d, f.item("nominal value", 3, f.mm, f.Add("VALUE_FORMAT_TYPE_QUALIFIER('NR2 1.3')"),
		f.Add("TYPE_QUALIFIER('average')")), note("theoretical"),
		f.Add("COMPOUND_REPRESENTATION_ITEM('',SET_REPRESENTATION_ITEM((%s,%s)))", note("auxiliary"),
			note("controlled radius")))
	m := f.read(t)
	quiet(t, m)
	got := only(t, m)
	if got.Kind != "spherical diameter" || !got.Basic || !got.Reference || got.Decimals != 3 ||
		!slices.Equal(got.Modifiers, []string{"average", "controlled radius"}) {
		t.Errorf("got %+v", got)
	}
}

func TestDimensionForms(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		angle      bool
		write      func(f *fixture) string
		from, to   []gdt.Face
	}{
		{"size", "diameter", false, func(f *fixture) string {
			return f.Add("DIMENSIONAL_SIZE(%s,'diameter')", f.aspect(2, 3))
		}, []gdt.Face{2, 3}, nil},
		{"angular size", "angle", true, func(f *fixture) string {
			return f.Add("ANGULAR_SIZE(%s,'angle',.EQUAL.)", f.aspect(2, 3))
		}, []gdt.Face{2, 3}, nil},
		{"size along a path", "curve length", false, func(f *fixture) string {
			return f.Add("DIMENSIONAL_SIZE_WITH_PATH(%s,'curve length',$)", f.aspect(4))
		}, []gdt.Face{4}, nil},
		{"size of a datum feature", "diameter", false, func(f *fixture) string {
			f.Add("DIMENSIONAL_SIZE_WITH_DATUM_FEATURE('','',%s,.T.,$,'diameter')", f.shape)
			id := f.last()
			f.tie(id, 5)
			return id
		}, []gdt.Face{5}, nil},
		{"complex size", "opening", true, func(f *fixture) string {
			return f.Add("(ANGULAR_SIZE(.SMALL.)DIMENSIONAL_SIZE(%s,'opening'))", f.aspect(1))
		}, []gdt.Face{1}, nil},
		{"location", "linear distance", false, func(f *fixture) string {
			return f.Add("DIMENSIONAL_LOCATION('',$,%s,%s)", f.aspect(0), f.aspect(1))
		}, []gdt.Face{0}, []gdt.Face{1}},
		{"directed location", "linear distance", false, func(f *fixture) string {
			return f.Add("DIRECTED_DIMENSIONAL_LOCATION('linear distance',$,%s,%s)", f.aspect(1), f.aspect(0))
		}, []gdt.Face{1}, []gdt.Face{0}},
		{"angular location", "angle", true, func(f *fixture) string {
			return f.Add("ANGULAR_LOCATION('',$,%s,%s,.LARGE.)", f.aspect(1), f.aspect(4))
		}, []gdt.Face{1}, []gdt.Face{4}},
		{"complex location", "curved distance", false, func(f *fixture) string {
			return f.Add("(DIMENSIONAL_LOCATION()DIMENSIONAL_LOCATION_WITH_PATH($)"+
				"SHAPE_ASPECT_RELATIONSHIP('curved distance',$,%s,%s))", f.aspect(2), f.aspect(3))
		}, []gdt.Face{2}, []gdt.Face{3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture()
			c.write(f)
			m := f.read(t)
			quiet(t, m)
			got := only(t, m)
			if got.Kind != c.kind || got.Source == 0 || got.Decimals != brep.None {
				t.Errorf("got %+v, want a %s", got, c.kind)
			}
			if got.Angle != c.angle {
				t.Errorf("it is an angle: %v, want %v", got.Angle, c.angle)
			}
			wantFaces(t, "from", got.Faces, c.from...)
			wantFaces(t, "to", got.To, c.to...)
		})
	}
}

func TestUnreadableDimensions(t *testing.T) {
	for name, write := range map[string]func(f *fixture, d string){
		"no value among the items": func(f *fixture, d string) {
			f.valued(d, f.Add("DESCRIPTIVE_REPRESENTATION_ITEM('dimensional note','theoretical')"))
		},
		"value without unit": func(f *fixture, d string) {
			f.valued(d, f.Add("MEASURE_REPRESENTATION_ITEM('nominal value',LENGTH_MEASURE(2.),$)"))
		},
		"value of another quantity": func(f *fixture, d string) {
			unit := f.Add("(MASS_UNIT()NAMED_UNIT(*)SI_UNIT(.KILO.,.GRAM.))")
			f.valued(d, f.Add("MEASURE_REPRESENTATION_ITEM('nominal value',MASS_MEASURE(2.),%s)", unit))
		},
		"tolerance that is an angle": func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm))
			angle := f.item("", 1, f.deg)
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)", angle, angle), d)
		},
		"tolerance that is none": func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.shape, d)
		},
		"tolerance without bounds": func(f *fixture, d string) {
			f.valued(d, f.item("nominal value", 3, f.mm))
			f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE($,$)"), d)
		},
	} {
		f := newFixture()
		write(f, f.Add("DIMENSIONAL_SIZE(%s,'diameter')", f.aspect(1)))
		good := f.Add("DIMENSIONAL_SIZE(%s,'thickness')", f.aspect(0))
		f.valued(good, f.item("nominal value", 3, f.mm))
		m := f.read(t)
		if got := only(t, m); got.Kind != "thickness" {
			t.Errorf("%s: the other dimension is %+v", name, got)
		}
		if n := warned(m, "pmi_unreadable"); n != 1 {
			t.Errorf("%s: %d statements counted as unreadable, want 1", name, n)
		}
	}
}
