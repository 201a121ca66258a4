package iges_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// part is the properties of a shape, measured by the kernel that wrote the files; see testdata/make_parts.cpp.
type part struct {
	File   string // name of the part
	Solids int
	Shells int
	Faces  int
	Volume float64 // mm³
	Area   float64 // mm²
	Bounds [6]float64
}

// forms are the files in which each part was written.
var forms = []struct{ name, suffix string }{
	{"step", ".step.gz"},
	{"surfaces", "_144.igs.gz"},
	{"solids", "_186.igs.gz"},
}

func parts(t *testing.T) []part {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []part
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestParts reads each part in all of its forms as the same solid.
func TestParts(t *testing.T) {
	for _, p := range parts(t) {
		for _, f := range forms {
			t.Run(p.File+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				m := readPart(t, filepath.Join("testdata", p.File+f.suffix))
				compare(t, m, &p)
			})
		}
	}
}

// TestPartKinds reads each part in all of its forms as the same kinds of faces, with the same radii and
// angles.
func TestPartKinds(t *testing.T) {
	for _, p := range parts(t) {
		t.Run(p.File, func(t *testing.T) {
			t.Parallel()
			want := kinds(readPart(t, filepath.Join("testdata", p.File+forms[0].suffix)))
			for _, f := range forms[1:] {
				got := kinds(readPart(t, filepath.Join("testdata", p.File+f.suffix)))
				for _, kind := range slices.Sorted(maps.Keys(got)) {
					if got[kind] != want[kind] {
						t.Errorf("%s: %d × %s, want %d", f.name, got[kind], kind, want[kind])
					}
				}
				for _, kind := range slices.Sorted(maps.Keys(want)) {
					if got[kind] == 0 {
						t.Errorf("%s: no %s, want %d", f.name, kind, want[kind])
					}
				}
			}
		})
	}
}

// kinds counts the kinds of faces, with their dimensions to 1e-3 mm and 1e-3°.
func kinds(m *brep.Model) map[string]int {
	count := map[string]int{}
	for i := range m.Faces {
		name := surface.ShapeKind(m.Faces[i].Surface)
		switch s := m.Faces[i].Surface.(type) {
		case surface.Cylinder:
			name += fmt.Sprintf(" R%.3f", s.Radius)
		case surface.Cone:
			name += fmt.Sprintf(" %.3f°", math.Abs(s.HalfAngle)*180/math.Pi)
		case surface.Sphere:
			name += fmt.Sprintf(" R%.3f", s.Radius)
		case surface.Torus:
			name += fmt.Sprintf(" R%.3f r%.3f", s.Major, s.Minor)
		}
		count[name]++
	}
	return count
}

func readPart(t *testing.T, path string) *brep.Model {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(t.Context(), bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Tolerances of the comparison with the figures of the other kernel.
const (
	sameMass = 1e-4 // relative, of volumes and areas
	sameSize = 1e-5 // of the diagonal, of the corners of the box
)

func compare(t *testing.T, m *brep.Model, want *part) {
	t.Helper()
	if len(m.Solids) != want.Solids || len(m.Shells) != want.Shells || len(m.Faces) != want.Faces {
		t.Errorf("%d solids, %d shells, %d faces, want %d, %d, %d",
			len(m.Solids), len(m.Shells), len(m.Faces), want.Solids, want.Shells, want.Faces)
	}
	if problems := brep.Check(m); len(problems) > 0 {
		t.Errorf("%d problems, the first: %s", len(problems), problems[0].Message)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(p.Volume/want.Volume-1) <= sameMass) {
		t.Errorf("volume %.9g mm³, want %.9g", p.Volume, want.Volume)
	}
	if !(math.Abs(p.Area/want.Area-1) <= sameMass) {
		t.Errorf("area %.9g mm², want %.9g", p.Area, want.Area)
	}
	lo := geom.Vec3{X: want.Bounds[0], Y: want.Bounds[1], Z: want.Bounds[2]}
	hi := geom.Vec3{X: want.Bounds[3], Y: want.Bounds[4], Z: want.Bounds[5]}
	place := sameSize * lo.Dist(hi)
	if !(p.Bounds.Min.Dist(lo) <= place && p.Bounds.Max.Dist(hi) <= place) {
		t.Errorf("bounds %v, want %v %v", p.Bounds, lo, hi)
	}
	res, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const sameMesh = 5e-3 // relative, of the volume of the mesh
	if off := math.Abs(res.Mesh.Volume()/want.Volume - 1); !res.Report.Watertight || !(off <= sameMesh) {
		t.Errorf("mesh: watertight %v, volume off by %.2g %%", res.Report.Watertight, 100*off)
	}
	if t.Failed() {
		for _, w := range append(m.Warnings, res.Warnings...) {
			t.Logf("%d × %s: %s", w.Count, w.Code, w.Message)
		}
	}
}
