package iges

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// TestCurveStatements reads curves with the oddities of real files, and checks their ends and their lengths.
func TestCurveStatements(t *testing.T) {
	quarter, half := math.Pi/2, math.Pi
	spline := func(props, knots, weights, ends string) string {
		return "2,2," + props + "," + knots + "," + weights + ",0.,0.,0.,1.,0.,0.,2.,0.,0." + ends
	}
	const plain, knots, ones = "0,0,1,0", "0.,0.,0.,1.,1.,1.", "1.,1.,1."
	for _, c := range []struct {
		name       string
		kind, form int
		parameters string
		start, end geom.Vec3
		length     float64
	}{
		{"100: the plane is at ZT", 100, 0, "7.,1.,2.,3.,2.,1.,4.", geom.Vec3{X: 3, Y: 2, Z: 7},
			geom.Vec3{X: 1, Y: 4, Z: 7},
			2 * quarter},
		{"100: counter-clockwise, so three quarters", 100, 0, "0.,0.,0.,0.,2.,2.,0.", geom.Vec3{Y: 2}, geom.Vec3{X: 2},
			6 * quarter},
		{"100: equal ends are a full circle", 100, 0, "0.,0.,0.,2.,0.,2.,0.", geom.Vec3{X: 2},
			geom.Vec3{X: 2}, 4 * half},
		{"104: the form says hyperbola, the coefficients circle", 104, 2, "1.,0.,1.,0.,0.,-4.,0.,2.,0.,0.,2.",
			geom.Vec3{X: 2},
			geom.Vec3{Y: 2}, 2 * quarter},
		{"104: coefficients as small as rounding", 104, 1, "1.E-12,0.,1.E-12,0.,0.,-4.E-12,0.,2.,0.,0.,2.",
			geom.Vec3{X: 2},
			geom.Vec3{Y: 2}, 2 * quarter},
		{"104: enormous coefficients", 104, 1, "1.E12,0.,1.E12,0.,0.,-4.E12,0.,2.,0.,0.,2.", geom.Vec3{X: 2},
			geom.Vec3{Y: 2}, 2 * quarter},
		{"104: negated coefficients", 104, 1, "-1.,0.,-1.,0.,0.,4.,0.,2.,0.,0.,2.", geom.Vec3{X: 2}, geom.Vec3{Y: 2},
			2 * quarter},
		{"104: a mixed term of rounding", 104, 0, "1.,1.E-15,1.,0.,0.,-4.,0.,2.,0.,0.,2.", geom.Vec3{X: 2},
			geom.Vec3{Y: 2},
			2 * quarter},
		{"104: a parabola with an x² of rounding", 104, 2, "1.,0.,1.E-13,0.,-1.,0.,0.,0.,0.,0.5,0.25", geom.Vec3{},
			geom.Vec3{X: 0.5, Y: 0.25}, (math.Sqrt2 + math.Asinh(1)) / 4},
		{"104: no second order is a line", 104, 3, "0.,0.,0.,1.,-1.,0.,2.,0.,0.,3.,3.", geom.Vec3{Z: 2},
			geom.Vec3{X: 3, Y: 3, Z: 2}, 3 * math.Sqrt2},
		{"106 form 1: points of a plane are lines here", 106, 1, "1,2,5.,0.,0.,3.,4.", geom.Vec3{Z: 5},
			geom.Vec3{X: 3, Y: 4, Z: 5}, 5},
		{"106 form 2", 106, 2, "2,2,0.,0.,0.,0.,3.,4.", geom.Vec3{}, geom.Vec3{Y: 3, Z: 4}, 5},
		{"106 form 63: closed", 106, 63, "1,5,0.,0.,0.,2.,0.,2.,2.,0.,2.,0.,0.", geom.Vec3{}, geom.Vec3{}, 8},
		{"106 form 11, said to be of form 12", 106, 12, "1,2,5.,0.,0.,3.,4.", geom.Vec3{Z: 5},
			geom.Vec3{X: 3, Y: 4, Z: 5}, 5},
		{"110", 110, 0, "0.,0.,0.,0.,3.,4.", geom.Vec3{}, geom.Vec3{Y: 3, Z: 4}, 5},
		{"110: the rest of the values left out", 110, 0, "3.,4.,0.,0.,0.,", geom.Vec3{X: 3, Y: 4}, geom.Vec3{}, 5},
		{"112: a line in one span of a cubic", 112, 0, "3,1,3,1,0.,2.,1.,2.,0.,0.,2.,0.,0.,0.,3.,0.,0.,0.",
			geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 5, Y: 2, Z: 3}, 4},
		{"126", 126, 0, spline(plain, knots, ones, ",0.,1.,0.,0.,1."), geom.Vec3{}, geom.Vec3{X: 2}, 2},
		{"126: every flag wrong", 126, 5, spline("1,1,0,1", knots, ones, ",0.,1.,0.,0.,1."), geom.Vec3{},
			geom.Vec3{X: 2}, 2},
		{"126: equal weights", 126, 0, spline("0,0,0,0", knots, "7.,7.,7.", ",0.,1.,0.,0.,1."), geom.Vec3{},
			geom.Vec3{X: 2}, 2},
		{"126: weights left out", 126, 0, spline(plain, knots, ",,", ",0.,1.,0.,0.,1."), geom.Vec3{},
			geom.Vec3{X: 2}, 2},
		{"126: part of the knots", 126, 0, spline(plain, knots, ones, ",0.25,0.5,0.,0.,1."), geom.Vec3{X: 0.5},
			geom.Vec3{X: 1}, 0.5},
		{"126: ends outside the knots", 126, 0, spline(plain, knots, ones, ",-0.5,1.000001,0.,0.,1."), geom.Vec3{},
			geom.Vec3{X: 2}, 2},
		{"126: ends and normal left out", 126, 0, spline(plain, knots, ones, ""), geom.Vec3{}, geom.Vec3{X: 2}, 2},
		{"126: knots that differ by rounding", 126, 0, spline(plain, "0.,0.,1.E-14,1.,1.,1.00000000000001", ones, ""),
			geom.Vec3{}, geom.Vec3{X: 2}, 2},
		{"126: a knot more often than the degree allows", 126, 0, "3,2,0,0,1,0,0.,0.,0.,0.,1.,1.,1.,1.,1.,1.,1.," +
			"0.,0.,0.,0.,0.,0.,1.,0.,0.,2.,0.,0.,0.,1.", geom.Vec3{}, geom.Vec3{X: 2}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			r, e := open(t, t, d, d.Add(c.kind, c.form, "%s", c.parameters))
			pieces, err := r.curve(e)
			if err != nil {
				t.Fatal(err)
			}
			length := 0.0
			for _, p := range pieces {
				length += curve.Length(p.c, p.iv)
			}
			a, b := pieces[0].start(), pieces[len(pieces)-1].end()
			const same = 1e-9 // mm
			if a.Dist(c.start) > same || b.Dist(c.end) > same || math.Abs(length-c.length) > 1e-6*c.length {
				t.Errorf("from %v to %v, %g long; want %v, %v, %g", a, b, length, c.start, c.end, c.length)
			}
		})
	}
}

// TestSurfaceStatements reads surfaces that are faces by themselves, and measures them.
func TestSurfaceStatements(t *testing.T) {
	flat := func(props, weights, limits string) string {
		return "1,1,1,1," + props + ",0.,0.,4.,4.,0.,0.,3.,3.," + weights +
			",0.,0.,0.,4.,0.,0.,0.,3.,0.,4.,3.,0." + limits
	}
	const plain, ones, whole = "0,0,1,0,0", "1.,1.,1.,1.", ",0.,4.,0.,3."
	line := func(d *igestest.Deck, a, b geom.Vec3) int { return d.Add(110, 0, "%s,%s", v(a), v(b)) }
	zAxis := func(d *igestest.Deck) int { return line(d, geom.Vec3{}, geom.Vec3{Z: 1}) }
	add := func(kind, form int, parameters string) func(*igestest.Deck) {
		return func(d *igestest.Deck) { d.Add(kind, form, "%s", parameters) }
	}
	revolved := func(a, b geom.Vec3, angles string) func(*igestest.Deck) {
		return func(d *igestest.Deck) {
			axis := zAxis(d)
			d.Add(120, 0, "%d,%d,%s", axis, line(d, a, b), angles)
		}
	}
	ruled := func(form, turned int) func(*igestest.Deck) {
		return func(d *igestest.Deck) {
			a := line(d, geom.Vec3{}, geom.Vec3{X: 4})
			b := line(d, geom.Vec3{X: 4 * float64(turned), Y: 3}, geom.Vec3{X: 4 * float64(1-turned), Y: 3})
			d.Add(118, form, "%d,%d,%d,1", a, b, turned)
		}
	}
	for _, c := range []struct {
		name string
		add  func(d *igestest.Deck)
		area float64
	}{
		{"118 form 0: equal arc length", ruled(0, 0), 12},
		{"118 form 1: equal parameters", ruled(1, 0), 12},
		{"118 form 0, the second curve turned", ruled(0, 1), 12},
		{"118 form 1, the second curve turned", ruled(1, 1), 12},
		{"120: whole turn", revolved(geom.Vec3{X: 2}, geom.Vec3{X: 2, Z: 5}, "0.,6.283185307179586"), 20 * math.Pi},
		{"120: the end angle left out", revolved(geom.Vec3{X: 2}, geom.Vec3{X: 2, Z: 5}, "0.,"), 20 * math.Pi},
		{"120: from and to are angles from the generatrix",
			revolved(geom.Vec3{X: 2}, geom.Vec3{X: 2, Z: 5}, "1.,2."), 10},
		{"120: over the start of the turn", revolved(geom.Vec3{X: 2}, geom.Vec3{X: 2, Z: 5}, "6.,7."), 10},
		{"120: the generatrix touches the axis", revolved(geom.Vec3{}, geom.Vec3{X: 3, Z: 4}, "0.,6.283185307179586"),
			15 * math.Pi},
		{"122: the line ends at L and starts where the directrix does", func(d *igestest.Deck) {
			d.Add(122, 0, "%d,0.,3.,0.", line(d, geom.Vec3{}, geom.Vec3{X: 4}))
		}, 12},
		{"122: the directrix begins elsewhere", func(d *igestest.Deck) {
			d.Add(122, 0, "%d,9.,5.,0.", line(d, geom.Vec3{X: 9, Y: 2}, geom.Vec3{X: 13, Y: 2}))
		}, 12},
		{"114: a bilinear patch", add(114, 0, "3,1,1,1,0.,1.,0.,1.,0.,4.,"+strings.Repeat("0.,", 14)+"0.,0.,0.,0.,3.,"+
			strings.Repeat("0.,", 27)+strings.TrimSuffix(strings.Repeat("0.,", 48*3), ",")), 12},
		{"128", add(128, 0, flat(plain, ones, whole)), 12},
		{"128: every flag wrong", add(128, 0, flat("1,1,0,1,1", ones, whole)), 12},
		{"128: the form is only a hint", add(128, 5, flat(plain, ones, whole)), 12},
		{"128: equal weights", add(128, 0, flat(plain, "0.2,0.2,0.2,0.2", whole)), 12},
		{"128: weights left out", add(128, 0, flat(plain, ",,,", whole)), 12},
		{"128: a knot more often than the degree allows", add(128, 0, "2,1,1,1,0,0,1,0,0,0.,0.,4.,4.,4.,0.,0.,3.,3.,"+
			"1.,1.,1.,1.,1.,1.,0.,0.,0.,4.,0.,0.,4.,0.,0.,0.,3.,0.,4.,3.,0.,4.,3.,0.,0.,4.,0.,3."), 12},
		{"128: limits left out", add(128, 0, flat(plain, ones, "")), 12},
		{"128: limits outside the knots", add(128, 0, flat(plain, ones, ",-1.,5.,-1.,4.")), 12},
		{"128: limits inside the knots", add(128, 0, flat(plain, ones, ",1.,3.,1.,2.")), 2},
		{"140: on the side of the indicator", func(d *igestest.Deck) {
			base := d.Add(128, 0, "%s", flat(plain, ones, whole))
			d.Entries[len(d.Entries)-1].Status = "00010000"
			d.Add(140, 0, "0.,0.,-1.,2.,%d", base)
		}, 12},
		{"196 form 0: no directions", func(d *igestest.Deck) {
			d.Add(196, 0, "%d,2.", d.Add(116, 0, "0.,0.,0.,0"))
		}, 16 * math.Pi},
		{"198: torus", func(d *igestest.Deck) {
			at, z := d.Add(116, 0, "0.,0.,0.,0"), d.Add(123, 0, "0.,0.,5.")
			d.Add(198, 0, "%d,%d,5.,2.", at, z)
		}, 40 * math.Pi * math.Pi},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.add(d)
			m := mustRead(t, d)
			p, err := mass.Compute(t.Context(), m)
			if err != nil || len(m.Faces) != 1 || math.Abs(p.Area-c.area) > 1e-6*c.area {
				t.Errorf("%d faces, area %v, want %g; %v", len(m.Faces), p, c.area, err)
			}
		})
	}
}

// TestStructureStatements reads the statements around the geometry.
func TestStructureStatements(t *testing.T) {
	const part, blanked = "00010000", "01000000"
	for _, c := range []struct {
		name    string
		add     func(d *igestest.Deck)
		faces   int    // 0: the file fails
		warning string // its code, or a part of the failure
	}{
		{"402 form 1: group with back pointers", func(d *igestest.Deck) {
			d.Add(402, 1, "2,%d,%d", square(d, 0, part), square(d, 3, part))
		}, 2, ""},
		{"402 form 14: ordered group", func(d *igestest.Deck) {
			d.Add(402, 14, "1,%d", square(d, 0, "00020000"))
		}, 1, ""},
		{"402 form 15: ordered group without back pointers", func(d *igestest.Deck) {
			d.Add(402, 15, "2,%d,99", square(d, 0, "00000000"))
		}, 1, ""},
		{"404 and 410: drawings and views", func(d *igestest.Deck) {
			square(d, 0, "00000000")
			d.Add(410, 0, "1,1.")
			d.Add(404, 0, "0,0")
		}, 1, "annotation"},
		{"416: external reference, beside a face", func(d *igestest.Deck) {
			square(d, 0, "00000000")
			d.Add(416, 0, "8Hbolt.igs,4Hbolt")
		}, 1, "external_reference"},
		{"416: instances of an external reference only", func(d *igestest.Deck) {
			d.Add(408, 0, "%d,0.,0.,0.,1.", d.Add(416, 0, "8Hbolt.igs,4Hbolt"))
		}, 0, "bolt.igs"},
		{"128: weights left out", func(d *igestest.Deck) {
			d.Add(128, 0,
				"1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,,,,,0.,0.,0.,4.,0.,0.,0.,3.,0.,4.,3.,0.,0.,1.,0.,1.")
		}, 1, "missing_weights"},
		{"128: a knot written once too often", func(d *igestest.Deck) {
			d.Add(128, 0, "2,1,1,1,0,0,1,0,0,0.,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,1.,1.,"+
				"9.,9.,9.,0.,0.,0.,4.,0.,0.,9.,9.,9.,0.,3.,0.,4.,3.,0.,0.,1.,0.,1.")
		}, 1, "needless_knots"},
		{"430: instance of what is not there", func(d *igestest.Deck) { d.Add(430, 0, "77") }, 0, "D77"},
		{"180: constructive solids only", func(d *igestest.Deck) {
			a := d.Put(igestest.Entry{Type: 158, Status: part, Parameters: "2.,0.,0.,0."})
			b := d.Put(igestest.Entry{Type: 150, Status: part, Parameters: "1.,1.,1.,0.,0.,0.,1.,0.,0.,0.,0.,1."})
			d.Add(180, 0, "3,-%d,-%d,1", a, b)
		}, 0, "constructive solids"},
		{"a curve alone", func(d *igestest.Deck) { d.Add(110, 0, "0.,0.,0.,1.,0.,0.") }, 0, "only curves"},
		{"everything blanked", func(d *igestest.Deck) { square(d, 0, blanked) }, 1, "all_hidden"},
		{"everything in an instance blanked", func(d *igestest.Deck) {
			d.Add(408, 0, "%d,0.,0.,0.,1.", d.Add(308, 0, "0,4Hpart,1,%d", square(d, 0, "01020000")))
		}, 1, "all_hidden"},
		{"a blanked surface below a visible face", func(d *igestest.Deck) {
			d.Add(144, 0, "%d,0,0,0", bilinear(d, 0, "01010000"))
		}, 1, ""},
		{"a null pointer to the surface", func(d *igestest.Deck) { d.Add(144, 0, "0,0,0,0") }, 0, "lacks a reference"},
		{"a pointer behind the end", func(d *igestest.Deck) { d.Add(144, 0, "9999,0,0,0") }, 0, "D9999"},
		{"a pointer to the second line of an entry", func(d *igestest.Deck) {
			d.Add(144, 0, "%d,0,0,0", bilinear(d, 0, part)+1)
		}, 0, "D2"},
		{"a negative pointer where none belongs", func(d *igestest.Deck) {
			d.Add(144, 0, "-%d,0,0,0", bilinear(d, 0, part))
		}, 0, "D-1"},
		{"references forward", func(d *igestest.Deck) {
			d.Add(144, 0, "%d,0,0,0", d.Next()+2)
			bilinear(d, 0, part)
		}, 1, ""},
		{"a surface that is its own face", func(d *igestest.Deck) { d.Add(144, 0, "1,0,0,0") }, 0,
			"is not a readable surface"},
		{"124 form 10: the system of a node moves nothing", func(d *igestest.Deck) {
			node := d.Add(124, 10, "1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,1.,0.")
			d.Put(igestest.Entry{Type: 144, Transform: node, Parameters: fmt.Sprintf("%d,0,0,0", bilinear(d, 0, part))})
		}, 0, "node"},
		{"a matrix that is none", func(d *igestest.Deck) {
			d.Put(igestest.Entry{Type: 144, Transform: 77, Parameters: fmt.Sprintf("%d,0,0,0", bilinear(d, 0, part))})
		}, 0, "D77"},
		{"an unknown entity", func(d *igestest.Deck) {
			square(d, 0, "00000000")
			d.Add(599, 0, "1,2,3")
		}, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.add(d)
			m, err := readDeck(t, d)
			if c.faces == 0 {
				var f *fault.Error
				if !errors.As(err, &f) || !strings.Contains(f.Reason, c.warning) {
					t.Errorf("got %v, want a failure with %q", err, c.warning)
				}
				return
			}
			if err != nil || len(m.Faces) != c.faces || c.warning != "" && warned(m, c.warning) == 0 ||
				c.warning == "" && len(m.Warnings) > 0 {
				t.Fatalf("%v, %+v; want %d faces, warning %q", err, m, c.faces, c.warning)
			}
		})
	}
}

// TestNames checks that the name of a solid is that of its property (406 form 15), in any encoding, or else its label.
func TestNames(t *testing.T) {
	for _, c := range []struct{ name, property, label, want string }{
		{"property", "1,5Hbase ", "LABEL", "base "},
		{"label", "", "LABEL", "LABEL"},
		{"Latin-1", "1,4HSp\xE4n", "", "Spän"},
		{"UTF-8", "1,5HSpän", "", "Spän"},
		{"UTF-8, letters counted", "1,4HSpän", "", "Spän"},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			on := bilinear(d, 0, "00010000")
			rest := ""
			if c.property != "" {
				rest = fmt.Sprintf(",0,1,%d", d.Add(406, 15, "%s", c.property))
			}
			d.Put(igestest.Entry{Type: 144, Label: c.label, Parameters: fmt.Sprintf("%d,0,0,0%s", on, rest)})
			if got := mustRead(t, d).Faces[0].Name; got != c.want {
				t.Errorf("name %q, want %q", got, c.want)
			}
		})
	}
}
