package mesh

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// stored is a mesh with the lines of its edges.
type stored struct {
	mesh  Mesh
	lines [][]geom.Vec3
}

func (s *stored) bytes() []byte {
	c := pack.NewWriter("mesh", 1)
	Serialize(c, &s.mesh)
	SerializeLines(c, &s.mesh, &s.lines)
	return c.Bytes()
}

func restored(data []byte) (*stored, error) {
	c, err := pack.NewReader(data, "mesh", 1)
	if err != nil {
		return nil, err
	}
	var s stored
	Serialize(c, &s.mesh)
	SerializeLines(c, &s.mesh, &s.lines)
	return &s, c.Close()
}

func drawStored(t *rapid.T) *stored {
	points := rapid.IntRange(1, 9).Draw(t, "points")
	vec := rapid.Custom(func(t *rapid.T) geom.Vec3 {
		x := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -0.6, 0.8, 1e-300})
		return geom.Vec3{X: x.Draw(t, "x"), Y: x.Draw(t, "y"), Z: x.Draw(t, "z")}
	})
	corner := rapid.Int32Range(0, int32(points-1))
	var s stored
	s.mesh.Points = rapid.SliceOfN(vec, points, points).Draw(t, "points")
	for range rapid.IntRange(0, 5).Draw(t, "regions") {
		r := Region{Start: int32(len(s.mesh.Triangles))}
		for range rapid.IntRange(0, 4).Draw(t, "triangles") {
			s.mesh.Triangles = append(s.mesh.Triangles, [3]int32{
				corner.Draw(t, "a"), corner.Draw(t, "b"), corner.Draw(t, "c"),
			})
		}
		r.End = int32(len(s.mesh.Triangles))
		r.Vertices = rapid.SliceOf(corner).Draw(t, "vertices")
		r.Normals = rapid.SliceOfN(vec, len(r.Vertices), len(r.Vertices)).Draw(t, "normals")
		if n := len(r.Normals); n > 0 && rapid.Bool().Draw(t, "plane") {
			for i := range n {
				r.Normals[i] = r.Normals[0]
			}
		}
		s.mesh.Regions = append(s.mesh.Regions, r)
	}
	s.lines = rapid.SliceOf(rapid.SliceOf(rapid.OneOf(vec, rapid.SampledFrom(s.mesh.Points)))).Draw(t, "lines")
	return &s
}

func TestMeshesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawStored(t)
		data := in.bytes()
		out, err := restored(data)
		if err != nil {
			t.Fatal(err)
		}
		// Bytes differ for -0 and 0, which DeepEqual does not, and DeepEqual differs for nil and empty.
		if !reflect.DeepEqual(in, out) || !bytes.Equal(data, out.bytes()) {
			t.Fatalf("%+v came back as %+v", in, out)
		}
	})
}

// TestReaderReportsWrongIndices checks that reading a mesh reports wrong indices, before any use.
func TestReaderReportsWrongIndices(t *testing.T) {
	points := []geom.Vec3{{}, {X: 1}, {Y: 1}}
	region := func(start, end int32, vertices ...int32) Mesh {
		return Mesh{Points: points, Triangles: [][3]int32{{0, 1, 2}}, Regions: []Region{{
			Start: start, End: end, Vertices: vertices, Normals: make([]geom.Vec3, len(vertices)),
		}}}
	}
	for _, c := range []struct {
		name string
		mesh Mesh
	}{
		{"corner", Mesh{Points: points, Triangles: [][3]int32{{0, 1, 3}}}},
		{"negative corner", Mesh{Points: points, Triangles: [][3]int32{{-1, 1, 2}}}},
		{"triangle of a region", region(0, 2)},
		{"turned region", region(1, 0)},
		{"vertex of a region", region(0, 1, 0, 7)},
	} {
		if _, err := restored((&stored{mesh: c.mesh}).bytes()); err == nil {
			t.Errorf("a wrong %s is not told", c.name)
		}
	}
	good := region(0, 1, 0, 1, 2)
	data := (&stored{mesh: good}).bytes()
	for n := range data {
		if _, err := restored(data[:n]); err == nil {
			t.Errorf("%d of %d bytes are read without a fault", n, len(data))
		}
	}
}

func FuzzCode(f *testing.F) {
	b := box(1, 2, 3)
	f.Add((&stored{mesh: *b, lines: [][]geom.Vec3{b.Points, {{X: 9}}, nil}}).bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := restored(data)
		if err != nil {
			return
		}
		again, err := restored(s.bytes())
		if err != nil || !bytes.Equal(s.bytes(), again.bytes()) {
			t.Errorf("what was read cannot be read again (%v)", err)
		}
	})
}
