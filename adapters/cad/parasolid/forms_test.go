package parasolid_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/parasolid"
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xttest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// read reads data and repairs the model, as the service does.
func read(t *testing.T, data []byte) *brep.Model {
	t.Helper()
	m, err := parasolid.Read(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := repair.Model(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// sameShape fails unless the model m is sound and closed, and has the volume, area and bounds of want.
func sameShape(t *testing.T, m, want *brep.Model, tol float64) {
	t.Helper()
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
	for _, w := range m.Warnings {
		switch w.Code {
		case "either_side", "recovered_surface", "recovered_curve", "touching_edge":
		default:
			t.Errorf("warning %s: %s", w.Code, w.Message)
		}
	}
	got, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := mass.Compute(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Solids) != len(want.Solids) || len(m.Faces) != len(want.Faces) ||
		math.Abs(got.Volume/ref.Volume-1) > tol || math.Abs(got.Area/ref.Area-1) > tol ||
		max(got.Bounds.Min.Dist(ref.Bounds.Min), got.Bounds.Max.Dist(ref.Bounds.Max)) > 1e-3 {
		t.Errorf("%d solids, %d faces, volume %.9g, area %.9g, bounds %v; want %d, %d, %.9g, %.9g, %v", len(m.Solids),
			len(m.Faces), got.Volume, got.Area, got.Bounds, len(want.Solids), len(want.Faces), ref.Volume,
			ref.Area, ref.Bounds)
	}
	if slices.ContainsFunc(got.Solids, func(s mass.Solid) bool { return len(s.InsideOut) > 0 }) {
		t.Error("a shell is inside out")
	}
	mesh, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !mesh.Report.Watertight {
		t.Errorf("the mesh is not watertight: %+v", mesh.Report)
	}
}

// encoded writes a model as a stream.
func encoded(m *brep.Model, o xttest.Options, f xttest.Form) []byte {
	var s xttest.Stream
	s.Body(m, o)
	return s.Encode(f)
}

// encodings are forms in which any part can be written.
var encodings = []xttest.Form{
	{Encoding: xttest.Text}, {Encoding: xttest.Neutral}, {Encoding: xttest.Bare},
	{Encoding: xttest.Text, Schema: 30000, Embedded: true}, {Encoding: xttest.Neutral, Schema: 26105, Embedded: true},
	{Encoding: xttest.Neutral, Schema: 30000}, {Encoding: xttest.Bare, Schema: 9008},
	{Encoding: xttest.Text, Schema: 11004},
}

func TestEncodings(t *testing.T) {
	plate := build.Plate(geom.Vec3{X: 40, Y: 30, Z: 10}, build.Style{Seams: build.Rings},
		build.Hole{Center: geom.Vec2{X: 20, Y: 15}, Profile: build.Through(8, 10)})
	for _, f := range encodings {
		t.Run(f.String(),
			func(t *testing.T) { sameShape(t, read(t, encoded(plate, xttest.Options{}, f)), plate, 1e-9) })
	}
}

// TestForms reads solids in all the forms in which seams, poles and closed faces are written.
func TestForms(t *testing.T) {
	forms, err := build.Forms()
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range forms {
		t.Run(name, func(t *testing.T) {
			data := encoded(m, xttest.Options{Rings: true},
				xttest.Form{Encoding: xttest.Neutral, Schema: 28101, Embedded: true})
			sameShape(t, read(t, data), m, 1e-7)
		})
	}
}

// TestCharts reads edges that are given as intersections: by their faces and a few points.
func TestCharts(t *testing.T) {
	forms, err := build.Forms()
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range forms {
		for _, points := range []int{5, 24} {
			t.Run(fmt.Sprint(name, points), func(t *testing.T) {
				data := encoded(m, xttest.Options{Charts: points}, xttest.Form{Encoding: xttest.Neutral})
				sameShape(t, read(t, data), m, 1e-6)
			})
		}
	}
}

// TestTolerantEdges reads edges that have only curves in the parameter planes of their faces.
func TestTolerantEdges(t *testing.T) {
	box := build.Box(geom.Vec3{X: 3, Y: 4, Z: 5})
	m := read(t, encoded(box, xttest.Options{Tolerant: true}, xttest.Form{Encoding: xttest.Text}))
	sameShape(t, m, box, 1e-9)
}

// support is the kind of surface that the ball of a blend rolls on.
type support int

const (
	onFaces  support = iota // two planes
	onCliff                 // a plane and the edge of the other plane
	onOffset                // two planes; the spine is the intersection of their offsets by the ball's radius
	onBounds                // two planes; its edges are where it touches them
	onParams                // two planes; its edges are given by its parameters
)

// rounded is a box with one edge rounded by a rolling ball of a given radius. The round has a rolling-ball surface.
func rounded(t testing.TB, radius float64, by support) (*xttest.Stream, *brep.Model) {
	t.Helper()
	a := geom.Vec2{X: 20, Y: 20 - radius}
	profile := []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 20}}, {P: a, Bulge: build.Bulge(math.Pi / 2)},
		{P: geom.Vec2{X: 20 - radius, Y: 20}}, {P: geom.Vec2{Y: 20}}}
	m := build.Prism("rounded", profile, 30, build.Style{})
	s := &xttest.Stream{}
	s.Body(m, xttest.Options{})
	var sides []*xttest.Node // as their faces are: in the order of the profile
	for _, n := range s.Nodes {
		if n.Kind == 50 || n.Kind == 51 {
			sides = append(sides, n)
		}
	}
	i := slices.IndexFunc(sides, func(n *xttest.Node) bool { return n.Kind == 51 })
	along := func(x, y float64) curve.Line {
		return curve.Line{Origin: geom.Vec3{X: x, Y: y}, Dir: geom.Vec3{Z: -1}}
	}
	blend := func(n *xttest.Node, kind byte, radius float64, spine *xttest.Node, on ...*xttest.Node) *xttest.Node {
		n.Kind = 56
		n.Values = xttest.Values{"sense": byte('+'), "blend_type": kind, "spine": spine, "surface": on,
			"range": []float64{-radius * 1e-3, -radius * 1e-3}, "thumb_weight": []float64{1, 1},
			"boundary": []*xttest.Node{nil, nil}}
		return n
	}
	first, second, kind := sides[i+1], sides[i-1], byte('R')
	spine := s.Curve(along(20-radius, 20-radius))
	switch by {
	case onCliff:
		edge := s.Curve(along(20, 20-radius))
		second, kind = blend(s.Add(56, nil), 'R', 0, edge, second, second), 'E'
	case onOffset:
		at := func(n *xttest.Node) *xttest.Node {
			return s.Add(60, xttest.Values{"sense": byte('+'), "surface": n, "offset": -radius * 1e-3})
		}
		points := []float64{20e-3 - radius*1e-3, 20e-3 - radius*1e-3, 0.04, 20e-3 - radius*1e-3,
			20e-3 - radius*1e-3, -0.01}
		chart := s.Add(40, xttest.Values{"base_parameter": 0.0, "base_scale": 1.0, "hvec": points})
		spine = s.Add(38,
			xttest.Values{"sense": byte('+'), "surface": []*xttest.Node{at(first), at(second)}, "chart": chart})
	}
	blend(sides[i], kind, radius, spine, first, second)
	if by == onBounds || by == onParams {
		giveContacts(s, sides[i], first, second, by)
	}
	return s, m
}

// giveContacts gives the edges at which the ball of a blend touches planes other curves than lines.
func giveContacts(s *xttest.Stream, blend, first, second *xttest.Node, by support) {
	for _, e := range slices.Clone(s.Nodes) {
		fin, ok := e.Values["fin"].(*xttest.Node)
		if e.Kind != 16 || !ok {
			continue
		}
		on := func(f *xttest.Node) *xttest.Node {
			return f.Values["loop"].(*xttest.Node).Values["face"].(*xttest.Node).Values["surface"].(*xttest.Node)
		}
		if on(fin) != blend {
			fin = fin.Values["other"].(*xttest.Node)
		}
		plane := on(fin.Values["other"].(*xttest.Node))
		if on(fin) != blend || plane != first && plane != second {
			continue
		}
		place := func(f *xttest.Node) geom.Vec3 {
			return f.Values["vertex"].(*xttest.Node).Values["point"].(*xttest.Node).Values["pvec"].(geom.Vec3)
		}
		from, to, k := place(fin.Values["other"].(*xttest.Node)), place(fin), 0
		if plane == first {
			k = 1
		}
		if by == onParams { // u is a length along the spine, v goes from the second plane to the first
			delete(e.Values, "curve")
			e.Values["tolerance"] = 1e-6
			fin.Values["curve"] = s.Flat(blend, geom.Vec2{X: -from.Z, Y: float64(k)},
				geom.Vec2{X: -to.Z, Y: float64(k)})
			continue
		}
		if fin.Values["sense"] == byte('-') {
			from, to = to, from
		}
		bound := s.Add(59, xttest.Values{"sense": byte('+'), "boundary": k, "blend": blend})
		chart := s.Add(40, xttest.Values{"base_parameter": 0.0, "base_scale": 1.0,
			"hvec": []float64{from.X, from.Y, from.Z, to.X, to.Y, to.Z}})
		e.Values["curve"] = s.Add(38,
			xttest.Values{"sense": byte('+'), "surface": []*xttest.Node{bound, plane}, "chart": chart})
	}
}

func TestBlend(t *testing.T) {
	for _, by := range []support{onFaces, onCliff, onOffset, onBounds, onParams} {
		for _, radius := range []float64{0.2, 5, 15} {
			s, m := rounded(t, radius, by)
			got := read(t, s.Encode(xttest.Form{Encoding: xttest.Neutral}))
			sameShape(t, got, m, 1e-6)
		}
	}
}

// TestDome reads half a solid of revolution. Its profile is a closed spline that crosses the axis twice. Only the part
// of the spline between both crossings is revolved.
func TestDome(t *testing.T) {
	var points []geom.Vec3
	for _, p := range [][2]float64{{7, 0}, {7, 4}, {0, 4}, {-7, 4}, {-7, 0}, {-7, -4}, {0, -4}, {7, -4}, {7, 0}} {
		points = append(points, geom.Vec3{X: p[0], Z: p[1]})
	}
	const corner = 0.9 // more than the weight that makes it an ellipse
	all, err := curve.NewBSpline(2, []float64{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}, points,
		[]float64{1, corner, 1, corner, 1, corner, 1, corner, 1}, true)
	if err != nil {
		t.Fatal(err)
	}
	half, err := curve.NewTrimmed(all, geom.Interval{Lo: 3, Hi: 5}, false)
	if err != nil {
		t.Fatal(err)
	}
	dome, err := surface.NewRevolution(half, geom.Vec3{}, geom.Vec3{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := build.New("dome")
	low, high := b.Vertex(all.At(3)), b.Vertex(all.At(1))
	up, down := b.Edge(all, 3, 5, low, high), b.Edge(all, 1, 3, high, low)
	b.Face(dome, false, build.Chain(build.Fwd(up), build.Fwd(down)))
	b.Face(surface.Plane{Frame: geom.Frame{X: geom.Vec3{X: 1}, Y: geom.Vec3{Z: -1}, Z: geom.Vec3{Y: 1}}}, false,
		build.Chain(build.Rev(down), build.Rev(up)))
	b.Solid()
	m := read(t, encoded(b.Model(), xttest.Options{}, xttest.Form{Encoding: xttest.Neutral}))
	if _, v := m.Faces[0].Surface.Domain(); v != half.Domain() {
		t.Errorf("%v of the profile is turned, want %v", v, half.Domain())
	}
	sameShape(t, m, b.Model(), 1e-7)
}

// TestSheets reads a box as six sheets, which repair then joins.
func TestSheets(t *testing.T) {
	box := build.Box(geom.Vec3{X: 3, Y: 4, Z: 5})
	data := encoded(build.Exploded(box, false, nil), xttest.Options{}, xttest.Form{Encoding: xttest.Neutral})
	m, err := parasolid.Read(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil || len(m.Solids) != 0 || len(m.Shells) != 6 || len(brep.Check(m)) > 0 {
		t.Fatalf("%+v, error %v, problems %v", m, err, brep.Check(m))
	}
	if err := repair.Model(t.Context(), m); err != nil || len(m.Solids) != 1 {
		t.Errorf("%d solids when sewn, error %v", len(m.Solids), err)
	}
}

// TestRegions reads a body of two lumps, one with a cavity.
func TestRegions(t *testing.T) {
	want := build.Box(geom.Vec3{X: 10, Y: 10, Z: 10})
	cavity := build.Box(geom.Vec3{X: 2, Y: 3, Z: 4})
	for i := range cavity.Faces {
		cavity.Faces[i].Reversed = !cavity.Faces[i].Reversed
	}
	for i := range cavity.Loops {
		slices.Reverse(cavity.Loops[i].Coedges)
	}
	for i := range cavity.Coedges {
		cavity.Coedges[i].Reversed = !cavity.Coedges[i].Reversed
	}
	cavity.Solids = nil
	want.Append(cavity, geom.Translation(geom.Vec3{X: 1, Y: 1, Z: 1}))
	want.Solids[0].Shells = append(want.Solids[0].Shells, 1)
	want.Shells[1].Solid, want.Shells[1].IsVoid = 0, true
	want.Append(build.Sphere(2, build.Style{}), geom.Translation(geom.Vec3{X: 30}))
	m := read(t, encoded(want, xttest.Options{}, xttest.Form{Encoding: xttest.Bare}))
	sameShape(t, m, want, 1e-9)
	if len(m.Solids[0].Shells) != 2 || m.Shells[m.Solids[0].Shells[0]].IsVoid ||
		!m.Shells[m.Solids[0].Shells[1]].IsVoid {
		t.Errorf("shells %+v of %+v", m.Shells, m.Solids)
	}
}

// TestAssembly reads bodies placed by an assembly: one rotated, one mirrored, and one in a subassembly.
func TestAssembly(t *testing.T) {
	box := build.Box(geom.Vec3{X: 3, Y: 4, Z: 5})
	var s xttest.Stream
	root := s.Add(10, nil)
	inner := s.Add(10, nil)
	body := s.Body(box, xttest.Options{})
	place := func(in *xttest.Node, part *xttest.Node, next *xttest.Node, matrix []float64, to geom.Vec3) *xttest.Node {
		tr := s.Add(100, xttest.Values{"rotation_matrix": matrix, "translation_vector": to.Scale(1e-3), "scale": 1.0})
		return s.Add(11, xttest.Values{"part": part, "assembly": in, "next_in_part": next, "transform": tr})
	}
	turned := []float64{0, -1, 0, 1, 0, 0, 0, 0, 1} // x to y
	inner.Values["sub_instance"] = place(inner, body, nil, turned, geom.Vec3{X: 100})
	mirrored := []float64{-1, 0, 0, 0, 1, 0, 0, 0, 1}
	last := place(root, inner, nil, turned, geom.Vec3{Z: 50})
	root.Values["sub_instance"] = place(root, body, last, mirrored, geom.Vec3{})
	m := read(t, s.Encode(xttest.Form{Encoding: xttest.Text}))
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	want := []geom.Box{
		{Min: geom.Vec3{X: -3}, Max: geom.Vec3{Y: 4, Z: 5}},
		{Min: geom.Vec3{X: -3, Y: 96, Z: 50}, Max: geom.Vec3{Y: 100, Z: 55}},
	}
	if len(p.Solids) != len(want) || len(brep.Check(m)) > 0 {
		t.Fatalf("%d solids, problems %v", len(p.Solids), brep.Check(m))
	}
	for i, s := range p.Solids {
		if s.Bounds.Min.Dist(want[i].Min)+s.Bounds.Max.Dist(want[i].Max) > 1e-9 || math.Abs(s.Volume-60) > 1e-9 {
			t.Errorf("solid %d: volume %g, bounds %v, want %v", i, s.Volume, s.Bounds, want[i])
		}
	}
}

// TestBodies examines the bodies of a partition before it builds some of them.
func TestBodies(t *testing.T) {
	var s xttest.Stream
	world := s.Add(101, nil)
	big, small := s.Body(build.Box(geom.Vec3{X: 3, Y: 4, Z: 5}), xttest.Options{}),
		s.Body(build.Cylinder(2, 7, build.Style{Seams: build.Rings}), xttest.Options{Rings: true})
	world.Values["body"] = big
	big.Values["next"] = small
	identifier := s.Add(79, xttest.Values{"string": "SDL/TYSA_UNAME"})
	s.Add(81, xttest.Values{"owner": small, "definition": s.Add(80, xttest.Values{"identifier": identifier}),
		"fields": []*xttest.Node{s.Add(98, xttest.Values{"values": []int{'R', 'o', 'd', 0xE9}})}})
	small.Values["attributes"] = s.Nodes[len(s.Nodes)-1]
	part, err := parasolid.Open(t.Context(), s.Encode(xttest.Form{Encoding: xttest.Neutral}))
	if err != nil {
		t.Fatal(err)
	}
	bodies := part.Instances()
	if len(bodies) != 2 {
		t.Fatalf("%d bodies", len(bodies))
	}
	rod := bodies[1].Body
	if b := rod.Bounds(); rod.Name != "Rodé" || rod.Faces != 3 || rod.Kind != parasolid.Solid ||
		b.Min.Dist(geom.Vec3{X: -2, Y: -2})+b.Max.Dist(geom.Vec3{X: 2, Y: 2, Z: 7}) > 1e-9 {
		t.Errorf("body %+v, bounds %v", rod, b)
	}
	m, err := parasolid.Build(t.Context(), bodies[1:])
	if err != nil || len(m.Faces) != 3 || m.Solids[0].Name != "Rodé" {
		t.Errorf("model %+v, error %v", m, err)
	}
}

// TestForeignSurfaces reads a box with one face on a surface of a foreign kind. The edges determine that it is planar.
func TestForeignSurfaces(t *testing.T) {
	box := build.Box(geom.Vec3{X: 3, Y: 4, Z: 5})
	var s xttest.Stream
	s.Body(box, xttest.Options{})
	i := slices.IndexFunc(s.Nodes, func(n *xttest.Node) bool { return n.Kind == 50 })
	s.Nodes[i].Kind, s.Nodes[i].Values = 120, xttest.Values{"sense": byte('+'), "type": byte('I')}
	m := read(t, s.Encode(xttest.Form{Encoding: xttest.Neutral}))
	if !slices.ContainsFunc(m.Warnings, func(w fault.Warning) bool { return w.Code == salvage.MadeSurface }) {
		t.Errorf("warnings %+v", m.Warnings)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil || len(m.Solids) != 1 || math.Abs(p.Volume-60) > 1e-9 {
		t.Errorf("%d solids, %+v, error %v", len(m.Solids), p, err)
	}
}
