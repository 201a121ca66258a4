package glb

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// readBack decodes a file with an independent library and checks the requirements of the format for every view and
// accessor.
func readBack(t tester, file []byte) *gltf.Document {
	t.Helper()
	var d gltf.Document
	if err := gltf.NewDecoder(bytes.NewReader(file)).Decode(&d); err != nil {
		t.Fatalf("not decodable: %v", err)
	}
	if len(file)%4 != 0 {
		t.Errorf("file length %d is no multiple of 4", len(file))
	}
	if len(d.Buffers) != 1 || len(d.Buffers[0].Data) != d.Buffers[0].ByteLength {
		t.Fatalf("buffers %+v, want one with its bytes", d.Buffers)
	}
	end := 0
	for i, v := range d.BufferViews {
		if v.ByteOffset != end || v.ByteOffset%4 != 0 || v.ByteLength == 0 {
			t.Errorf("view %d: %d bytes at %d, want some at %d, aligned", i, v.ByteLength, v.ByteOffset, end)
		}
		end = v.ByteOffset + v.ByteLength
	}
	if end != d.Buffers[0].ByteLength {
		t.Errorf("views end at %d of %d bytes", end, d.Buffers[0].ByteLength)
	}
	for i, a := range d.Accessors {
		v := d.BufferViews[*a.BufferView]
		size := a.ComponentType.ByteSize() * a.Type.Components()
		stride := size
		if a.Type == gltf.AccessorVec3 {
			stride = v.ByteStride
		}
		if a.Count == 0 || stride != size || a.ByteOffset+stride*(a.Count-1)+size > v.ByteLength {
			t.Errorf("accessor %d: %d × %d bytes at %d (stride %d), view of %d bytes",
				i, a.Count, size, a.ByteOffset, stride, v.ByteLength)
		}
		if (a.ByteOffset+v.ByteOffset)%a.ComponentType.ByteSize() != 0 {
			t.Errorf("accessor %d at %d is not aligned to its component", i, a.ByteOffset)
		}
	}
	return &d
}

// primitiveData is one primitive, decoded and checked.
type primitiveData struct {
	positions, normals [][3]float32
	indices            []uint32
}

func read(t tester, d *gltf.Document, p *gltf.Primitive) (r primitiveData) {
	t.Helper()
	var err error
	a := d.Accessors[p.Attributes[gltf.POSITION]]
	if r.positions, err = modeler.ReadPosition(d, a, nil); err != nil {
		t.Fatalf("positions: %v", err)
	}
	lo := [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
	hi := [3]float32{-math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32}
	for _, q := range r.positions {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], q[k]), max(hi[k], q[k])
		}
	}
	for k := range 3 {
		if float32(a.Min[k]) != lo[k] || float32(a.Max[k]) != hi[k] {
			t.Errorf("min %v max %v, the data has %v %v", a.Min, a.Max, lo, hi)
		}
	}
	if i, ok := p.Attributes[gltf.NORMAL]; ok {
		if r.normals, err = modeler.ReadNormal(d, d.Accessors[i], nil); err != nil {
			t.Fatalf("normals: %v", err)
		}
		if len(r.normals) != len(r.positions) {
			t.Errorf("%d normals for %d positions", len(r.normals), len(r.positions))
		}
		for k, n := range r.normals {
			if l := vec(n).Norm(); math.Abs(l-1) > 1e-6 {
				t.Errorf("normal %d has length %g", k, l)
			}
		}
	}
	if r.indices, err = modeler.ReadIndices(d, d.Accessors[*p.Indices], nil); err != nil {
		t.Fatalf("indices: %v", err)
	}
	for _, i := range r.indices {
		if int(i) >= len(r.positions) {
			t.Fatalf("index %d of %d positions", i, len(r.positions))
		}
	}
	return r
}

func vec(c [3]float32) geom.Vec3 {
	return geom.Vec3{X: float64(c[0]), Y: float64(c[1]), Z: float64(c[2])}
}

func written(t testing.TB, m *mesh.Mesh, opts Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func regionOf(t tester, p *gltf.Primitive) int {
	t.Helper()
	extras, ok := p.Extras.(map[string]any)
	if !ok {
		t.Fatalf("extras %v, want the region", p.Extras)
	}
	return int(extras["region"].(float64))
}

// children are the nodes below the root, which must turn and scale them as glTF wants.
func children(t tester, d *gltf.Document) (below []*gltf.Node) {
	t.Helper()
	if nodes := d.Scenes[*d.Scene].Nodes; len(nodes) != 1 {
		t.Fatalf("scene of nodes %v, want one root", nodes)
	}
	root := d.Nodes[d.Scenes[*d.Scene].Nodes[0]]
	turn, scale := root.RotationOrDefault(), root.ScaleOrDefault()
	axis, w := geom.Vec3{X: turn[0], Y: turn[1], Z: turn[2]}, turn[3]
	for part, want := range map[geom.Vec3]geom.Vec3{
		{Z: 1000}: {Y: 1}, {Y: 1000}: {Z: -1}, {X: 1000}: {X: 1},
	} {
		cross := axis.Cross(part).Scale(2)
		got := part.Add(cross.Scale(w)).Add(axis.Cross(cross)).Scale(scale[0])
		if got.Dist(want) > 1e-12 || scale[1] != scale[0] || scale[2] != scale[0] {
			t.Errorf("%v mm of the part is at %v m of the scene, want %v", part, got, want)
		}
	}
	for _, i := range root.Children {
		below = append(below, d.Nodes[i])
	}
	return below
}

// checkFaces compares every primitive of the first mesh with its region.
func checkFaces(t tester, d *gltf.Document, m *mesh.Mesh) {
	t.Helper()
	var want []int
	for i, r := range m.Regions {
		if r.Start < r.End {
			want = append(want, i)
		}
	}
	if got := len(d.Meshes[0].Primitives); got != len(want) {
		t.Fatalf("%d primitives, want %d", got, len(want))
	}
	for i, p := range d.Meshes[0].Primitives {
		if got := regionOf(t, p); got != want[i] || p.Mode != gltf.PrimitiveTriangles {
			t.Errorf("primitive %d: region %d mode %v, want region %d, triangles", i, got, p.Mode, want[i])
		}
		region := m.Regions[want[i]]
		r := read(t, d, p)
		if len(r.indices) != 3*int(region.End-region.Start) {
			t.Fatalf("region %d: %d indices for %d triangles", want[i], len(r.indices), region.End-region.Start)
		}
		for k, index := range r.indices {
			point := m.Points[m.Triangles[int(region.Start)+k/3][k%3]]
			if got := vec(r.positions[index]); got.Dist(point) > 1e-7*point.Norm() {
				t.Fatalf("region %d corner %d is %v, want %v mm", want[i], k, got, point)
			}
		}
		for k, n := range r.normals[:len(region.Normals)] {
			if vec(n).Dist(region.Normals[k]) > 1e-6 {
				t.Fatalf("region %d normal %d is %v, want %v", want[i], k, n, region.Normals[k])
			}
		}
	}
}

func TestWriteReadsBack(t *testing.T) {
	lo, hi := geom.Vec3{X: -20, Y: 3, Z: 0.5}, geom.Vec3{X: 40, Y: 15, Z: 12}
	grid := testmesh.Sphere(hi, 8, 20)
	for _, c := range []struct {
		name string
		mesh *mesh.Mesh
	}{
		{"box", testmesh.Box(lo, hi)},
		{"one smooth region", grid},
		{"a sheet between solids", testmesh.Join(testmesh.WithSheet(testmesh.Box(lo, hi)), grid)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := readBack(t, written(t, c.mesh, Options{Name: "flange"}))
			checkFaces(t, d, c.mesh)
			n := children(t, d)[0]
			if n.Name != "flange" || n.MatrixOrDefault() != gltf.DefaultMatrix {
				t.Errorf("node %+v, want the part's name and no transformation", n)
			}
			if len(d.BufferViews) != 3 || len(d.Meshes) != 1 {
				t.Errorf("%d views, %d meshes, want 3 and 1", len(d.BufferViews), len(d.Meshes))
			}
			extras, _ := json.Marshal(d.Asset.Extras)
			if want := `{"units":"mm","upAxis":"z"}`; string(extras) != want {
				t.Errorf("asset extras %s, want %s", extras, want)
			}
		})
	}
}

func TestFilesOfAnySizeAreAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &mesh.Mesh{}
		for range rapid.IntRange(1, 5).Draw(t, "parts") {
			n := rapid.IntRange(2, 9).Draw(t, "n")
			at := geom.Vec3{X: rapid.Float64Range(-1e4, 1e4).Draw(t, "x"), Y: 3, Z: -8}
			m = testmesh.Join(m, testmesh.Sphere(at, 5, n))
			if rapid.Bool().Draw(t, "sheet") {
				m = testmesh.WithSheet(m)
			}
		}
		name := rapid.StringN(0, 9, -1).Draw(t, "name")
		var edges [][]geom.Vec3
		for range rapid.IntRange(0, 3).Draw(t, "edges") {
			edges = append(edges, make([]geom.Vec3, rapid.IntRange(0, 5).Draw(t, "points")))
		}
		var b bytes.Buffer
		if err := Write(&b, m, Options{Name: name, Edges: edges}); err != nil {
			t.Fatal(err)
		}
		checkFaces(t, readBack(t, b.Bytes()), m)
	})
}

func TestIndexWidthFollowsTheVertexCount(t *testing.T) {
	for _, c := range []struct {
		vertices int
		want     gltf.ComponentType
	}{{65534, gltf.ComponentUshort}, {65535, gltf.ComponentUshort}, {65536, gltf.ComponentUint}} {
		m := &mesh.Mesh{Points: make([]geom.Vec3, c.vertices)}
		r := mesh.Region{End: int32(c.vertices - 2)}
		for i := range c.vertices {
			m.Points[i] = geom.Vec3{X: float64(i), Y: float64(i * i % 1001)}
			r.Vertices = append(r.Vertices, int32(i))
			r.Normals = append(r.Normals, geom.Vec3{Z: 1})
			if i >= 2 {
				m.Triangles = append(m.Triangles, [3]int32{int32(i - 2), int32(i - 1), int32(i)})
			}
			if i >= 2 && m.Normal(i-2).Z < 0 {
				m.Triangles[i-2] = [3]int32{int32(i - 1), int32(i - 2), int32(i)}
			}
		}
		m.Regions = []mesh.Region{r}
		d := readBack(t, written(t, m, Options{}))
		if got := d.Accessors[*d.Meshes[0].Primitives[0].Indices].ComponentType; got != c.want {
			t.Errorf("%d vertices: index type %v, want %v", c.vertices, got, c.want)
		}
		checkFaces(t, d, m)
	}
}

func TestEdgesAreLines(t *testing.T) {
	lo, hi := geom.Vec3{}, geom.Vec3{X: 10, Y: 20, Z: 30}
	edges := append(testmesh.BoxEdges(lo, hi), nil, []geom.Vec3{hi},
		[]geom.Vec3{lo, {X: 1}, {X: 1, Y: 2}, {X: 1, Y: 2, Z: 3}})
	m := testmesh.Box(lo, hi)
	d := readBack(t, written(t, m, Options{Edges: edges}))
	checkFaces(t, d, m)
	if len(d.Meshes) != 2 || len(children(t, d)) != 2 {
		t.Fatalf("%d meshes, %d nodes, want the edges in a second one", len(d.Meshes), len(children(t, d)))
	}
	p := d.Meshes[1].Primitives[0]
	r := read(t, d, p)
	if p.Mode != gltf.PrimitiveLines || r.normals != nil || p.Extras != nil {
		t.Errorf("edge primitive %+v, want lines without normals and region", p)
	}
	length := 0.0
	for i := 0; i < len(r.indices); i += 2 {
		length += vec(r.positions[r.indices[i]]).Dist(vec(r.positions[r.indices[i+1]]))
	}
	if want := 240 + 6.0; math.Abs(length-want) > 1e-5 {
		t.Errorf("the lines add up to %g mm, want %g mm", length, want)
	}
	only := readBack(t, written(t, testmesh.WithSheet(&mesh.Mesh{}), Options{Edges: edges}))
	if len(only.Meshes) != 1 || len(only.Meshes[0].Primitives) != 1 {
		t.Errorf("a part of sheets only has %d meshes, want its edges", len(only.Meshes))
	}
}

func TestMaterialsFollowTheColors(t *testing.T) {
	m := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	blue, strange := &brep.Color{R: 0, G: 0.5, B: 1}, &brep.Color{R: -3, G: math.NaN(), B: 40}
	colors := []*brep.Color{blue, nil, {R: 0, G: 0.5, B: 1}, strange, strange}
	d := readBack(t, written(t, m, Options{Colors: colors}))
	var used []int
	for _, p := range d.Meshes[0].Primitives {
		used = append(used, *p.Material)
	}
	for i, want := range []int{0, 1, 0, 2, 2, 1} {
		if used[i] != want {
			t.Errorf("materials of the faces %v, want [0 1 0 2 2 1]", used)
			break
		}
	}
	if len(d.Materials) != 3 {
		t.Fatalf("%d materials, want 3", len(d.Materials))
	}
	for i, want := range [][4]float64{{0, 0.2140411, 1, 1}, {0.3931, 0.4201, 0.4621, 1}, {0, 0, 1, 1}} {
		got := d.Materials[i].PBRMetallicRoughness.BaseColorFactor
		for k := range 4 {
			if math.Abs(got[k]-want[k]) > 1e-3 {
				t.Errorf("material %d has the factor %v, want %v", i, *got, want)
				break
			}
		}
	}
}

func TestSameMeshSameBytes(t *testing.T) {
	box := testmesh.Box(geom.Vec3{X: 5}, geom.Vec3{X: 9, Y: 4, Z: 2})
	m := testmesh.Join(testmesh.Sphere(geom.Vec3{}, 3, 12), box)
	colors := []*brep.Color{{R: 1}, {G: 1}, {B: 1}}
	opts := Options{Name: "a", Colors: colors, Edges: [][]geom.Vec3{{{}, {X: 1}}}}
	if !bytes.Equal(written(t, m, opts), written(t, m, opts)) {
		t.Error("two files of one mesh differ")
	}
}

func TestConeApexHasANormalForEachTriangle(t *testing.T) {
	m := testmesh.Cone(10, 8, 24)
	d := readBack(t, written(t, m, Options{}))
	checkFaces(t, d, m)
	r := read(t, d, d.Meshes[0].Primitives[0])
	if len(r.positions) != 25+24 {
		t.Fatalf("%d vertices, want the 25 of the region and one for each triangle", len(r.positions))
	}
	for i := 0; i < len(r.indices); i += 3 {
		plane := m.Normal(i / 3)
		for _, index := range r.indices[i : i+3] {
			if angle := vec(r.normals[index]).Angle(plane); angle > 0.2 {
				t.Errorf("triangle %d: a corner's normal is %g rad off its plane", i/3, angle)
			}
		}
	}
}

func TestZeroNormalIsReplaced(t *testing.T) {
	m := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	m.Regions[5].Normals[2] = geom.Vec3{}
	d := readBack(t, written(t, m, Options{}))
	if n := read(t, d, d.Meshes[0].Primitives[5]).normals[2]; n != [3]float32{0, 0, 1} {
		t.Errorf("normal %v, want that of the side", n)
	}
}

type failing struct{ left int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left < len(p) {
		return f.left, errFull
	}
	f.left -= len(p)
	return len(p), nil
}

func TestWriteReportsFailures(t *testing.T) {
	box := func() *mesh.Mesh { return testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}) }
	infinite, foreign, bare := box(), box(), box()
	infinite.Points[2].Z = math.Inf(-1)
	foreign.Triangles[11][1] = 0
	bare.Regions[3].Normals = nil
	for _, c := range []struct {
		name string
		mesh *mesh.Mesh
		want string
	}{
		{"nothing to show", &mesh.Mesh{}, "no triangles"},
		{"only a sheet", testmesh.WithSheet(&mesh.Mesh{}), "no triangles"},
		{"infinite coordinate", infinite, "point 2"},
		{"corner of another region", foreign, "triangle 11 uses point 0"},
		{"normals missing", bare, "region 3"},
	} {
		err := Write(&bytes.Buffer{}, c.mesh, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	sphere := testmesh.Sphere(geom.Vec3{}, 1, 80)
	for _, room := range []int{0, 100, 70000, 200000} {
		if err := Write(&failing{left: room}, sphere, Options{}); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: error %v, want %v", room, err, errFull)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	m := testmesh.Sphere(geom.Vec3{}, 10, 160)
	for b.Loop() {
		if err := Write(&bytes.Buffer{}, m, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestGroups(t *testing.T) {
	box := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	red := brep.Color{R: 1}
	groups := []Group{
		{Name: "two sides", Material: "side", Color: red, Regions: []int{1, 4}, Extras: map[string]int{"n": 1}},
		{Name: "one of them", Material: "top", Color: brep.Color{G: 1}, Regions: []int{4}},
		{Name: "nothing to see", Regions: []int{77}},
	}
	var file bytes.Buffer
	err := Write(&file, box, Options{
		Name: "box", Groups: groups, Edges: testmesh.BoxEdges(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}),
		Extras: map[string]string{"say": "hello"},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := readBack(t, file.Bytes())
	if len(children(t, d)) != 2 || d.Scenes[0].Extras.(map[string]any)["say"] != "hello" {
		t.Errorf("scene %+v", d.Scenes[0])
	}
	part := children(t, d)[0]
	regions := map[string]int{"box": 4, "two sides": 2, "one of them": 1, "nothing to see": 0}
	for _, i := range append([]int{d.Nodes[0].Children[0]}, part.Children...) {
		n := d.Nodes[i]
		want, known := regions[n.Name]
		delete(regions, n.Name)
		shown := 0
		if n.Mesh != nil {
			for _, p := range d.Meshes[*n.Mesh].Primitives {
				read(t, d, p)
				shown++
			}
		}
		if !known || shown != want || (n.Mesh == nil) != (want == 0) {
			t.Errorf("node %q shows %d regions, want %d", n.Name, shown, want)
		}
	}
	if len(regions) > 0 {
		t.Errorf("nodes missing: %v", regions)
	}
	if extras := d.Nodes[part.Children[0]].Extras.(map[string]any); extras["n"] != 1.0 {
		t.Errorf("extras of the first group %v", extras)
	}
	if m := d.Materials[*d.Meshes[*d.Nodes[part.Children[0]].Mesh].Primitives[0].Material]; m.Name != "side" ||
		m.PBRMetallicRoughness.BaseColorFactor[0] != 1 || m.PBRMetallicRoughness.BaseColorFactor[1] != 0 {
		t.Errorf("material of the first group %+v", m)
	}
}
