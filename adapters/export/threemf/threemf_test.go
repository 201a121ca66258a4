package threemf

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// document is the model of a file, decoded by an independent decoder.
type document struct {
	XMLName   xml.Name `xml:"http://schemas.microsoft.com/3dmanufacturing/core/2015/02 model"`
	Unit      string   `xml:"unit,attr"`
	Title     []string `xml:"metadata"`
	Materials struct {
		ID   int `xml:"id,attr"`
		Base []struct {
			Name  string `xml:"name,attr"`
			Color string `xml:"displaycolor,attr"`
		} `xml:"base"`
	} `xml:"resources>basematerials"`
	Objects []struct {
		ID       int    `xml:"id,attr"`
		Name     string `xml:"name,attr"`
		PID      int    `xml:"pid,attr"`
		Index    int    `xml:"pindex,attr"`
		Vertices []struct {
			X float32 `xml:"x,attr"`
			Y float32 `xml:"y,attr"`
			Z float32 `xml:"z,attr"`
		} `xml:"mesh>vertices>vertex"`
		Triangles []struct {
			V1  int32 `xml:"v1,attr"`
			V2  int32 `xml:"v2,attr"`
			V3  int32 `xml:"v3,attr"`
			PID int   `xml:"pid,attr"`
			P1  int   `xml:"p1,attr"`
		} `xml:"mesh>triangles>triangle"`
	} `xml:"resources>object"`
	Items []struct {
		Object int `xml:"objectid,attr"`
	} `xml:"build>item"`
}

// mesh returns the mesh of the file's only object, with the material of each triangle.
func (d *document) mesh(t *testing.T) (*mesh.Mesh, []int) {
	t.Helper()
	if len(d.Objects) != 1 || len(d.Items) != 1 || d.Items[0].Object != d.Objects[0].ID ||
		d.Objects[0].PID != d.Materials.ID || d.Unit != "millimeter" {
		t.Fatalf("%d objects, items %v, unit %q; want one of both, in millimetres", len(d.Objects), d.Items, d.Unit)
	}
	var m mesh.Mesh
	var materials []int
	for _, v := range d.Objects[0].Vertices {
		m.Points = append(m.Points, geom.Vec3{X: float64(v.X), Y: float64(v.Y), Z: float64(v.Z)})
	}
	for i, v := range d.Objects[0].Triangles {
		if v.PID != d.Materials.ID || v.P1 < 0 || v.P1 >= len(d.Materials.Base) {
			t.Fatalf("triangle %d has property %d of %d, want one of the materials", i, v.P1, v.PID)
		}
		m.Triangles, materials = append(m.Triangles, [3]int32{v.V1, v.V2, v.V3}), append(materials, v.P1)
	}
	return &m, materials
}

// readBack decodes a file independently of the writer, along the relations of its container.
func readBack(t *testing.T, file []byte) *document {
	t.Helper()
	container, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	decode := func(name string, to any) {
		part, err := container.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err == nil {
			err = xml.Unmarshal(content, to)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var types struct {
		Default []struct {
			Extension string `xml:"Extension,attr"`
			Type      string `xml:"ContentType,attr"`
		}
	}
	decode("[Content_Types].xml", &types)
	var relations struct {
		Relationship []struct {
			Target string `xml:"Target,attr"`
			Type   string `xml:"Type,attr"`
		}
	}
	decode("_rels/.rels", &relations)
	if len(types.Default) != 2 || len(relations.Relationship) != 1 || len(container.File) != 3 ||
		!strings.HasSuffix(relations.Relationship[0].Type, "/3dmodel") {
		t.Fatalf("types %v, relations %v of %d parts", types, relations, len(container.File))
	}
	var d document
	decode(strings.TrimPrefix(relations.Relationship[0].Target, "/"), &d)
	return &d
}

func written(t *testing.T, m *mesh.Mesh, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var twoMaterials = []Material{
	{"Hole", brep.Color{R: 1, G: 0.5}}, {`no "feature" <&>`, brep.Color{B: 1}},
}

func TestWriteReadsBack(t *testing.T) {
	one := geom.Vec3{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		name     string
		mesh     *mesh.Mesh
		ofRegion []int
	}{
		{"box", testmesh.Box(one.Neg(), one), []int{0, 1, 1, 0, 1, 0}},
		{"regions beyond the list", testmesh.Box(one.Neg(), one), []int{0}},
		{"several buffers", testmesh.Sphere(one, 1.0/3, 60), []int{0}},
		{"two bodies and a sheet", testmesh.WithSheet(testmesh.Join(testmesh.Box(one.Neg(), one),
			testmesh.Box(one.Scale(2), one.Scale(3e-7)))), nil},
		{"cone", testmesh.Cone(3, 1e5, 90), []int{1, 0}},
	} {
		got, materials := readBack(t, written(t, c.mesh,
			Options{Materials: twoMaterials, OfRegion: c.ofRegion})).mesh(t)
		want := slices.Clone(c.mesh.Points)
		for i, p := range want {
			want[i] = geom.Vec3{X: float64(float32(p.X)), Y: float64(float32(p.Y)), Z: float64(float32(p.Z))}
		}
		if !slices.Equal(got.Points, want) || !slices.Equal(got.Triangles, c.mesh.Triangles) {
			t.Errorf("%s: %d points and %d triangles, want %d and %d, the same", c.name,
				len(got.Points), len(got.Triangles), len(want), len(c.mesh.Triangles))
		}
		if r := got.Check(); !r.Watertight {
			t.Errorf("%s: %+v, want a manifold", c.name, r)
		}
		for i, r := range c.mesh.Regions {
			material := len(twoMaterials) - 1
			if i < len(c.ofRegion) {
				material = c.ofRegion[i]
			}
			for _, m := range materials[r.Start:r.End] {
				if m != material {
					t.Fatalf("%s: region %d has material %d, want %d", c.name, i, m, material)
				}
			}
		}
	}
}

func TestNamesAndColors(t *testing.T) {
	const name = `"a" < b & ü` + "\x01"
	box := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	d := readBack(t, written(t, box, Options{Name: name, Materials: twoMaterials}))
	shown := strings.ReplaceAll(name, "\x01", "\uFFFD") // invalid in XML
	if d.Objects[0].Name != shown || d.Title[0] != shown || d.Objects[0].Index != 1 {
		t.Errorf("object %q and title %q with material %d, want %q", d.Objects[0].Name, d.Title,
			d.Objects[0].Index, shown)
	}
	for i, color := range []string{"#ff8000", "#0000ff"} {
		if got := d.Materials.Base[i]; got.Name != twoMaterials[i].Name || got.Color != color {
			t.Errorf("material %d is %+v, want %q in %s", i, got, twoMaterials[i].Name, color)
		}
	}
}

func TestSameMeshGivesSameBytes(t *testing.T) {
	m, o := testmesh.Sphere(geom.Vec3{}, 12, 40), Options{Name: "ball", Materials: twoMaterials}
	if !bytes.Equal(written(t, m, o), written(t, m, o)) {
		t.Error("two files of one mesh differ")
	}
}

// TestCollapsedTrianglesOpenNoEdge merges two corners of a closed mesh: the triangles between are gone.
func TestCollapsedTrianglesOpenNoEdge(t *testing.T) {
	m := testmesh.Sphere(geom.Vec3{}, 12, 10)
	a, b := m.Triangles[50][0], m.Triangles[50][1]
	for i := range m.Triangles {
		for k, v := range m.Triangles[i] {
			if v == a {
				m.Triangles[i][k] = b
			}
		}
	}
	got, _ := readBack(t, written(t, m, Options{Materials: twoMaterials})).mesh(t)
	if r := got.Check(); !r.Watertight || len(got.Triangles) != len(m.Triangles)-2 {
		t.Errorf("%d of %d triangles, %+v; want two less and a manifold", len(got.Triangles), len(m.Triangles), r)
	}
}

func TestNumbersThatCannotBeWritten(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e39} {
		m := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
		m.Points[3].Y = x
		err := Write(io.Discard, m, Options{Materials: twoMaterials})
		if err == nil || !strings.Contains(err.Error(), "point 3") {
			t.Errorf("%g: error %v, want one that names the point", x, err)
		}
	}
}

// full takes so many bytes and no more.
type full int

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriterErrorIsReturned(t *testing.T) {
	m := testmesh.Sphere(geom.Vec3{}, 12, 40)
	size := len(written(t, m, Options{Materials: twoMaterials}))
	for _, room := range []int{0, 40, 400, 1000, size / 2, size - 1} {
		t.Run(strconv.Itoa(room), func(t *testing.T) {
			left := full(room)
			if err := Write(&left, m, Options{Materials: twoMaterials}); !errors.Is(err, errFull) {
				t.Errorf("error %v, want %v", err, errFull)
			}
		})
	}
}
