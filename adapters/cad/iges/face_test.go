package iges

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

var corners = []geom.Vec3{{}, {X: 4}, {X: 4, Y: 3}, {Y: 3}}

// flatSpline adds the flat B-spline surface (128) over [0, 4] × [0, 3] with its parameters in mm.
func flatSpline(d *igestest.Deck, limits string) int {
	return d.Add(128, 0, "1,1,1,1,0,0,1,0,0,0.,0.,4.,4.,0.,0.,3.,3.,1.,1.,1.,1.,"+
		"0.,0.,0.,4.,0.,0.,0.,3.,0.,4.,3.,0.%s", limits)
}

// lines adds lines between the corners, from and to as in the pairs, and returns their list.
func lines(d *igestest.Deck, pairs ...[2]geom.Vec3) string {
	var out []string
	for _, p := range pairs {
		out = append(out, fmt.Sprint(d.Add(110, 0, "%s,%s", v(p[0]), v(p[1]))))
	}
	return strings.Join(out, ",")
}

// TestFaces reads faces with boundaries of every kind, right and wrong, and measures them.
func TestFaces(t *testing.T) {
	a, b, c, e := corners[0], corners[1], corners[2], corners[3]
	trimmedPlane := func(d *igestest.Deck, boundary int) {
		s := planeThrough(d, geom.Vec3{}, geom.World.Z)
		d.Add(144, 0, "%d,1,0,%d", s, bound(d, s, boundary))
	}
	hole := func(d *igestest.Deck, s int) int {
		return bound(d, s, d.Add(100, 0, "0.,2.,1.5,3.,1.5,3.,1.5"))
	}
	for _, row := range []struct {
		name  string
		add   func(d *igestest.Deck)
		area  float64
		edges int
		warns string
	}{
		{"rectangle", func(d *igestest.Deck) { trimmedPlane(d, polygon(d, corners...)) }, 12, 4, ""},
		{"rectangle the other way round",
			func(d *igestest.Deck) { trimmedPlane(d, polygon(d, e, c, b, a)) }, 12, 4, ""},
		{"pieces in the wrong order", func(d *igestest.Deck) {
			trimmedPlane(d, d.Add(102, 0, "4,%s", lines(d, [2]geom.Vec3{a, b}, [2]geom.Vec3{c, e}, [2]geom.Vec3{b, c},
				[2]geom.Vec3{e, a})))
		}, 12, 4, ""},
		{"pieces in the wrong direction", func(d *igestest.Deck) {
			trimmedPlane(d, d.Add(102, 0, "4,%s", lines(d, [2]geom.Vec3{b, a}, [2]geom.Vec3{b, c}, [2]geom.Vec3{e, c},
				[2]geom.Vec3{e, a})))
		}, 12, 4, ""},
		{"pieces without length", func(d *igestest.Deck) {
			trimmedPlane(d, d.Add(102, 0, "6,%s", lines(d, [2]geom.Vec3{a, b}, [2]geom.Vec3{b, b}, [2]geom.Vec3{b, c},
				[2]geom.Vec3{c, e}, [2]geom.Vec3{e, a}, [2]geom.Vec3{a, a})))
		}, 12, 4, ""},
		{"small gap", func(d *igestest.Deck) {
			trimmedPlane(d, polygonOf(d, [2]geom.Vec3{a, b}, [2]geom.Vec3{b.Add(geom.Vec3{Y: 0.01}), c},
				[2]geom.Vec3{c, e}, [2]geom.Vec3{e, a}))
		}, 12, 4, ""},
		{"piece missing", func(d *igestest.Deck) {
			trimmedPlane(d, polygonOf(d, [2]geom.Vec3{a, b}, [2]geom.Vec3{b, c}, [2]geom.Vec3{c, e}))
		}, 12, 4, "closed_boundary"},
		{"hole", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			outer := bound(d, s, polygon(d, corners...))
			d.Add(144, 0, "%d,1,1,%d,%d", s, outer, hole(d, s))
		}, 12 - math.Pi, 5, ""},
		{"fewer holes than counted", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			d.Add(144, 0, "%d,1,1,%d", s, bound(d, s, polygon(d, corners...)))
		}, 12, 4, "missing_boundary"},
		{"boundary of the surface itself", func(d *igestest.Deck) {
			d.Add(144, 0, "%d,0,0,0", flatSpline(d, ",0.,4.,0.,3."))
		}, 12, 4, ""},
		{"boundary of the surface itself, and a hole", func(d *igestest.Deck) {
			s := flatSpline(d, ",0.,4.,0.,3.")
			d.Add(144, 0, "%d,0,1,0,%d", s, hole(d, s))
		}, 12 - math.Pi, 5, ""},
		{"surface by itself", func(d *igestest.Deck) { flatSpline(d, ",0.,4.,0.,3.") }, 12, 4, ""},
		{"surface whose limits are left out", func(d *igestest.Deck) { flatSpline(d, "") }, 12, 4, ""},
		{"part of a surface", func(d *igestest.Deck) { flatSpline(d, ",1.,3.,0.,3.") }, 6, 4, ""},
		{"boundary in the parameter plane only", func(d *igestest.Deck) {
			s := flatSpline(d, ",0.,4.,0.,3.")
			d.Add(144, 0, "%d,1,0,%d", s, d.Add(142, 0, "0,%d,%d,0,1", s, polygon(d, corners...)))
		}, 12, 4, ""},
		{"whole sphere", func(d *igestest.Deck) {
			d.Add(196, 1, "%d,2.,%d,%d", pointAndAxes(d, a, geom.World.Z, geom.World.X)...)
		}, 16 * math.Pi, 0, ""},
		{"turned line", func(d *igestest.Deck) {
			axis := d.Add(110, 0, "0.,0.,0.,0.,0.,1.")
			d.Add(120, 0, "%d,%d,0.,6.283185307179586", axis, d.Add(110, 0, "2.,0.,0.,2.,0.,5."))
		}, 20 * math.Pi, 2, ""},
		{"line turned by half", func(d *igestest.Deck) {
			axis := d.Add(110, 0, "0.,0.,0.,0.,0.,1.")
			d.Add(120, 0, "%d,%d,1.,4.141592653589793", axis, d.Add(110, 0, "2.,0.,0.,2.,0.,5."))
		}, 10 * math.Pi, 4, ""},
		{"bounded plane", func(d *igestest.Deck) {
			d.Add(108, 1, "0.,0.,1.,0.,%d,0.,0.,0.,1.", polygon(d, corners...))
		}, 12, 4, ""},
		{"bounded surface", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			b := d.Add(141, 0, "0,1,%d,4,%s", s, senses(d, [2]geom.Vec3{a, b}, [2]geom.Vec3{b, c}, [2]geom.Vec3{c, e},
				[2]geom.Vec3{a, e}))
			d.Add(143, 0, "0,%d,1,%d", s, b)
		}, 12, 4, ""},
		{"moved face", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			bd := bound(d, s, polygon(d, corners...))
			turned := geom.Rotation(geom.Vec3{X: 1, Y: 1}, 0.7)
			turned.T = geom.Vec3{X: 5, Z: 9}
			d.Put(igestest.Entry{Type: 144, Parameters: fmt.Sprintf("%d,1,0,%d", s, bd),
				Transform: matrix(d, turned, 0)})
		}, 12, 4, ""},
		{"moved surface and curves", func(d *igestest.Deck) {
			shift := d.Add(124, 0, "1.,0.,0.,7.,0.,1.,0.,8.,0.,0.,1.,9.")
			s := d.Put(igestest.Entry{Type: 108, Parameters: "0.,0.,1.,0.,0,0.,0.,0.,1.", Transform: shift})
			chain := d.Put(igestest.Entry{Type: 102, Transform: shift,
				Parameters: "4," +
					lines(d, [2]geom.Vec3{a, b}, [2]geom.Vec3{b, c}, [2]geom.Vec3{c, e}, [2]geom.Vec3{e, a})})
			d.Add(144, 0, "%d,1,0,%d", s, bound(d, s, chain))
		}, 12, 4, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := &igestest.Deck{}
			row.add(d)
			m, err := readDeck(t, d)
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, w := range m.Warnings {
				codes = append(codes, w.Code)
			}
			if len(m.Faces) != 1 || len(m.Edges) != row.edges || strings.Join(codes, " ") != row.warns {
				t.Errorf("%d faces, %d edges, warnings %q; want 1, %d, %q", len(m.Faces), len(m.Edges),
					codes, row.edges, row.warns)
			}
			if problems := brep.Check(m); len(problems) > 0 {
				t.Errorf("%v", problems)
			}
			p, err := mass.Compute(t.Context(), m)
			const same = 5e-3 // relative: a gap is closed somehow
			if err != nil || math.Abs(p.Area/row.area-1) > same ||
				row.name != "small gap" && !isClose(p.Area, row.area) {
				t.Errorf("area %g mm², want %g; %v", p.Area, row.area, err)
			}
		})
	}
}

// polygonOf adds the composite curve of lines.
func polygonOf(d *igestest.Deck, pairs ...[2]geom.Vec3) int {
	return d.Add(102, 0, "%d,%s", len(pairs), lines(d, pairs...))
}

// senses adds lines and returns them as the curves of a boundary (141), the last one reversed.
func senses(d *igestest.Deck, pairs ...[2]geom.Vec3) string {
	ids := strings.Split(lines(d, pairs...), ",")
	for i := range ids {
		sense := 1
		if i == len(ids)-1 {
			sense = 2
		}
		ids[i] = fmt.Sprintf("%s,%d,0", ids[i], sense)
	}
	return strings.Join(ids, ",")
}

func TestBadFaces(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(d *igestest.Deck)
		err  string
	}{
		{"surface that is not there", func(d *igestest.Deck) { d.Add(144, 0, "99,1,0,1") }, "refers to D99"},
		{"boundary that is none", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			d.Add(144, 0, "%d,1,0,%d", s, d.Add(116, 0, "0.,0.,0."))
		}, "is not a readable curve"},
		{"boundary that is not there", func(d *igestest.Deck) {
			d.Add(144, 0, "%d,1,0,98", planeThrough(d, geom.Vec3{}, geom.World.Z))
		}, "refers to D98"},
		{"boundary in the parameters of a plane", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			d.Add(144, 0, "%d,1,0,%d", s, d.Add(142, 0, "0,%d,%d,0,1", s, polygon(d, corners...)))
		}, "a surface that has no parameters"},
		{"more holes than there are", func(d *igestest.Deck) {
			s := planeThrough(d, geom.Vec3{}, geom.World.Z)
			d.Add(144, 0, "%d,1,1000,%d", s, bound(d, s, polygon(d, corners...)))
		}, "counts more items"},
	} {
		d := &igestest.Deck{}
		c.add(d)
		if _, err := readDeck(t, d); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		facet(d, corners...)
		m, err := readDeck(t, d)
		if err != nil || len(m.Faces) != 1 || len(m.Warnings) != 1 || m.Warnings[0].Code != brep.SkippedFace ||
			!strings.Contains(m.Warnings[0].Message, c.err) {
			t.Errorf("%s beside a good face: error %v, warnings %v", c.name, err, m.Warnings)
		}
	}
}
