package step

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// curvedOrders are the orders in which the ten control points may be listed, spelt out by their exponents.
var curvedOrders = map[string]string{
	"rows from a corner": "300 210 201 120 111 102 030 021 012 003",
	"rows from a side":   "300 210 120 030 201 111 021 102 012 003",
	"corners first":      "300 030 003 210 120 021 012 102 201 111",
	"outline first":      "300 210 120 030 021 012 003 102 201 111",
}

// controlNet is the control points of a curved triangle by their exponents.
type controlNet map[string]geom.Vec3

// octant is about the piece of a sphere of radius 6 between three half axes: sides that are circles to 3e-4
// of the radius, and a middle on the sphere.
func octant(a, b, c geom.Vec3) controlNet {
	const arc = 0.5522847498307936 // of the radius: the tangents of a quarter circle
	n := controlNet{"300": a, "030": b, "003": c}
	n["210"], n["120"] = a.Add(b.Scale(arc)), b.Add(a.Scale(arc))
	n["021"], n["012"] = b.Add(c.Scale(arc)), c.Add(b.Scale(arc))
	n["102"], n["201"] = c.Add(a.Scale(arc)), a.Add(c.Scale(arc))
	outline := a.Add(b).Add(c)
	for _, k := range strings.Fields("210 120 021 012 102 201") {
		outline = outline.Add(n[k].Scale(3))
	}
	middle := a.Add(b).Add(c).Unit().Scale(6 * 27) // 27 times the point at the middle
	n["111"] = middle.Sub(outline).Scale(1.0 / 6)
	return n
}

// flat is a flat triangle as a cubic.
func flat(a, b, c geom.Vec3) controlNet {
	n := controlNet{}
	for i := range 4 {
		for j := range 4 - i {
			k := 3 - i - j
			n[fmt.Sprintf("%d%d%d", i, j, k)] =
				a.Scale(float64(i) / 3).Add(b.Scale(float64(j) / 3)).Add(c.Scale(float64(k) / 3))
		}
	}
	return n
}

// writeCurved writes faces of one curved triangle each. If shared, they refer to one list of coordinates without
// repeated points.
func writeCurved(w *steptest.Text, order string, shared bool, nets ...controlNet) []string {
	var rows, lists []string
	number := map[geom.Vec3]int{}
	var numbers [][]string
	for _, n := range nets {
		var list []string
		for _, k := range strings.Fields(curvedOrders[order]) {
			p := n[k]
			at, known := number[p]
			if !known || !shared && len(list) == 0 {
				if !shared && len(list) == 0 {
					rows, number = nil, map[geom.Vec3]int{}
				}
				rows = append(rows, fmt.Sprintf("(%v,%v,%v)", p.X, p.Y, p.Z))
				at = len(rows)
				number[p] = at
			}
			list = append(list, fmt.Sprint(at))
		}
		numbers = append(numbers, list)
		if !shared {
			lists = append(lists, w.Add("COORDINATES_LIST('',%d,%s)", len(rows), steptest.List(rows...)))
		}
	}
	if shared {
		all := w.Add("COORDINATES_LIST('',%d,%s)", len(rows), steptest.List(rows...))
		for range nets {
			lists = append(lists, all)
		}
	}
	var faces []string
	for i, list := range numbers {
		faces = append(faces, w.Add("CUBIC_BEZIER_TRIANGULATED_FACE('curved',%s,%d,(),$,(%s))", lists[i], len(rows),
			steptest.List(list...)))
	}
	return faces
}

// TestCurvedTriangles reads a ball of eight curved triangles and a tetrahedron of four flat ones, in all orders of the
// control points, with separate and with shared coordinates.
func TestCurvedTriangles(t *testing.T) {
	x, y, z := steptest.UnitX.Scale(6), steptest.UnitY.Scale(6), steptest.UnitZ.Scale(6)
	var ball []controlNet
	for i := range 8 {
		a, b, c := x.Scale(float64(1-i&1*2)), y.Scale(float64(1-i&2)), z.Scale(float64(1-i>>1&2))
		if a.Dot(b.Cross(c)) < 0 {
			b, c = c, b
		}
		ball = append(ball, octant(a, b, c))
	}
	o := geom.Vec3{}
	tetra := []controlNet{flat(o, y, x), flat(o, x, z), flat(o, z, y), flat(x, y, z)}
	for order := range curvedOrders {
		for _, shared := range []bool{true, false} {
			for _, c := range []struct {
				name    string
				nets    []controlNet
				volume  float64
				allowed float64 // of the volume
			}{
				{"ball", ball, 4 * math.Pi / 3 * 216, 0.03}, // the flat triangles are inside the ball
				{"tetrahedron", tetra, 36, 1e-12},
			} {
				w := &steptest.Text{}
				solid := w.Add("TESSELLATED_SOLID('',%s,$)", steptest.List(writeCurved(w, order, shared, c.nets...)...))
				m := mustRead(t, tessellatedPart(w, solid))
				p, err := mass.Compute(context.Background(), m)
				if err != nil || len(m.Solids) != 1 || len(m.Faces) != len(c.nets) ||
					math.Abs(p.Volume/c.volume-1) > c.allowed || m.Faces[0].Name != "curved" {
					t.Errorf("%s, %s, shared %v: %d solids, %d faces, volume %g, want %g; %v", c.name, order, shared,
						len(m.Solids), len(m.Faces), p.Volume, c.volume, err)
				}
				for _, problem := range brep.Check(m) {
					t.Errorf("%s, %s: %s", c.name, order, problem.Message)
				}
			}
		}
	}
}

// TestCurvedTriangleTurned checks that a triangle is flipped to agree with the normals of its control points.
func TestCurvedTriangleTurned(t *testing.T) {
	for _, up := range []float64{1, -1} {
		for _, one := range []bool{true, false} {
			w := &steptest.Text{}
			face := writeCurved(w, "rows from a corner", true, flat(geom.Vec3{}, steptest.UnitX, steptest.UnitY))[0]
			normals := []string{fmt.Sprintf("(0.,0.,%g)", up)}
			for len(normals) < 10 && !one {
				normals = append(normals, normals[0])
			}
			w.Product("part", w.Add("TESSELLATED_SHAPE_REPRESENTATION('',(%s),%s)", face, w.Context()))
			m := mustRead(t, strings.Replace(w.File(), "10,(),$", "10,"+steptest.List(normals...)+",$", 1))
			if len(m.Faces) != 1 {
				t.Fatalf("%d faces", len(m.Faces))
			}
			n := m.Faces[0].Surface.Normal(0.2, 0.2)
			if m.Faces[0].Reversed {
				n = n.Neg()
			}
			if n.Z*up <= 0 {
				t.Errorf("up %g, one normal %v: the face looks along %v", up, one, n)
			}
		}
	}
}

func TestBrokenCurvedTriangles(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"(1,2,3,4,5,6,7,8,9)", "ten numbers from 1 to 10"},
		{"(1,2,3,4,5,6,7,8,9,11)", "ten numbers from 1 to 10"},
		{"(0,2,3,4,5,6,7,8,9,10)", "ten numbers from 1 to 10"},
		{"$", "ten numbers"},
		{"'x'", "CUBIC_BEZIER_TRIANGULATED_FACE"},
	} {
		w := &steptest.Text{}
		face := writeCurved(w, "rows from a corner", true, flat(geom.Vec3{}, steptest.UnitX, steptest.UnitY))[0]
		text := tessellatedPart(w, face)
		at := strings.Index(text, "10,(),$,((")
		end := at + strings.Index(text[at:], "))") + 2
		f := failure(t, text[:at]+"10,(),$,("+c.rows+")"+text[end:])
		if f.Code != "unreadable_file" || !strings.Contains(f.Reason, c.want) {
			t.Errorf("%s: %s %q", c.rows, f.Code, f.Reason)
		}
	}
}
