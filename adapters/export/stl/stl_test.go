package stl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

type record struct {
	Normal  [3]float32
	Corners [3][3]float32
	Unused  uint16
}

// readBack decodes a binary STL file independently of the writer.
func readBack(t testing.TB, file []byte) []record {
	t.Helper()
	if len(file) < 84 {
		t.Fatalf("file of %d bytes is shorter than its header", len(file))
	}
	if bytes.HasPrefix(file, []byte("solid")) {
		t.Error("header begins with \"solid\": readers take the file for text")
	}
	records := make([]record, binary.LittleEndian.Uint32(file[80:]))
	if want := 84 + 50*len(records); len(file) != want {
		t.Fatalf("file has %d bytes, want %d for %d triangles", len(file), want, len(records))
	}
	if err := binary.Read(bytes.NewReader(file[84:]), binary.LittleEndian, records); err != nil {
		t.Fatal(err)
	}
	return records
}

func written(t testing.TB, m *mesh.Mesh) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWriteReadsBack(t *testing.T) {
	one := geom.Vec3{X: 1, Y: 1, Z: 1}
	needle := &mesh.Mesh{ // the corners are one point in float32
		Points:    []geom.Vec3{{X: 1000}, {X: 1000 + 1e-6}, {X: 1000, Y: 1e-60}},
		Triangles: [][3]int32{{0, 1, 2}},
	}
	for _, c := range []struct {
		name string
		mesh *mesh.Mesh
	}{
		{"no triangle", &mesh.Mesh{}},
		{"box", testmesh.Box(one.Neg(), one)},
		{"several blocks", testmesh.Sphere(one, 12.5, 40)},
		{"exactly one block", &mesh.Mesh{Points: make([]geom.Vec3, 3), Triangles: make([][3]int32, blockSize)}},
		{"degenerate after rounding", needle},
	} {
		records := readBack(t, written(t, c.mesh))
		if len(records) != len(c.mesh.Triangles) {
			t.Errorf("%s: %d triangles, want %d", c.name, len(records), len(c.mesh.Triangles))
			continue
		}
		for i, r := range records {
			for k, v := range c.mesh.Triangles[i] {
				p := c.mesh.Points[v]
				if want := [3]float32{float32(p.X), float32(p.Y), float32(p.Z)}; r.Corners[k] != want {
					t.Fatalf("%s: triangle %d corner %d is %v, want %v", c.name, i, k, r.Corners[k], want)
				}
			}
			n := c.mesh.Normal(i)
			if want := [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}; r.Normal != want || r.Unused != 0 {
				t.Fatalf("%s: triangle %d: normal %v, attribute %d, want %v, 0", c.name, i, r.Normal, r.Unused, want)
			}
		}
	}
}

func vec(c [3]float32) geom.Vec3 {
	return geom.Vec3{X: float64(c[0]), Y: float64(c[1]), Z: float64(c[2])}
}

func TestNormalsFollowTheCorners(t *testing.T) {
	for i, r := range readBack(t, written(t, testmesh.Sphere(geom.Vec3{X: 5}, 3, 12))) {
		a, b, c := vec(r.Corners[0]), vec(r.Corners[1]), vec(r.Corners[2])
		n := b.Sub(a).Cross(c.Sub(a)).Unit()
		if n.Dot(vec(r.Normal)) < 0.9999 {
			t.Errorf("triangle %d: normal %v, its corners say %v", i, r.Normal, n)
		}
	}
}

func TestFileKeepsTheVolume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(1e-3, 1e5)
		lo := geom.Vec3{X: rapid.Float64Range(-1e3, 1e3).Draw(t, "x"), Y: 7, Z: -3}
		d := geom.Vec3{X: size.Draw(t, "dx"), Y: size.Draw(t, "dy"), Z: size.Draw(t, "dz")}
		m := testmesh.Box(lo, lo.Add(d))
		var b bytes.Buffer
		if err := Write(&b, m); err != nil {
			t.Fatal(err)
		}
		var volume float64
		records := make([]record, len(m.Triangles))
		if err := binary.Read(bytes.NewReader(b.Bytes()[84:]), binary.LittleEndian, records); err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			p, q, s := vec(r.Corners[0]).Sub(lo), vec(r.Corners[1]).Sub(lo), vec(r.Corners[2]).Sub(lo)
			volume += p.Dot(q.Cross(s)) / 6
		}
		// Each coordinate is off by half a unit in the last place of float32.
		ulp := lo.Add(d).Norm()*0x1p-24 + lo.Norm()*0x1p-24
		want := d.X * d.Y * d.Z
		bound := 4*ulp*(d.X*d.Y+d.Y*d.Z+d.Z*d.X) + 1e-9*want
		if math.Abs(volume-want) > bound {
			t.Fatalf("volume %g, want %g ± %g", volume, want, bound)
		}
	})
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
	sphere := testmesh.Sphere(geom.Vec3{}, 1, 40)
	for _, room := range []int{0, 84, 60000} {
		if err := Write(&failing{left: room}, sphere); !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: error %v, want %v", room, err, errFull)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), -1e300} {
		m := testmesh.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
		m.Points[3].Y = bad
		if err := Write(&bytes.Buffer{}, m); err == nil || !strings.Contains(err.Error(), "point 3") {
			t.Errorf("coordinate %g: error %v, want one that names point 3", bad, err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	m := testmesh.Sphere(geom.Vec3{}, 10, 160)
	b.SetBytes(int64(50 * len(m.Triangles)))
	for b.Loop() {
		if err := Write(&bytes.Buffer{}, m); err != nil {
			b.Fatal(err)
		}
	}
}
