package cad_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func readFile(t testing.TB, path string) *brep.Model {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(context.Background(), bytes.NewReader(data), int64(len(data)), path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// faceText describes the geometry of a face, lengths to 1e-5 mm.
func faceText(f *brep.Face, area float64) string {
	s := surface.ShapeKind(f.Surface)
	switch k := f.Surface.(type) {
	case surface.Cylinder:
		s += fmt.Sprintf(" R%.5f", k.Radius)
	case surface.Cone:
		s += fmt.Sprintf(" %.5f°", math.Abs(k.HalfAngle)*180/math.Pi)
	case surface.Sphere:
		s += fmt.Sprintf(" R%.5f", k.Radius)
	case surface.Torus:
		s += fmt.Sprintf(" R%.5f r%.5f", k.Major, k.Minor)
	}
	return fmt.Sprintf("%s area %.3g", s, area)
}

type described struct {
	faces, edges, features []string
	volume, area           float64
	solids                 int
}

// describe lists the properties of a part. Each list is sorted by text, since exchange may reorder faces.
func describe(t testing.TB, m *brep.Model) (d described) {
	t.Helper()
	ctx := context.Background()
	p, err := mass.Compute(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	d.solids, d.volume, d.area = len(m.Solids), p.Volume, p.Area
	for i := range m.Faces {
		d.faces = append(d.faces, faceText(&m.Faces[i], p.Faces[i].Area))
	}
	for i := range m.Edges {
		if c := m.Edges[i].Curve; c != nil {
			kind := c.Kind()
			if kind == curve.KindHyperbola || kind == curve.KindParabola {
				kind = curve.KindBSpline // not recovered
			}
			d.edges = append(d.edges, fmt.Sprintf("kind %d", kind))
		}
	}
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if rep := r.Mesh.Check(); d.solids > 0 && !rep.Watertight {
		t.Errorf("mesh is not watertight: %+v", rep)
	}
	res, err := recognize.Recognize(ctx, m, r.Mesh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Features {
		s := string(f.Type)
		if h := f.Hole; h != nil {
			s += fmt.Sprintf(" %s D%.3f L%.3f %s", h.Kind, h.Diameter, h.Depth, h.Bottom)
		}
		if k := f.Pocket; k != nil {
			s += fmt.Sprintf(" L%.3f open %v through %v", k.Depth, k.Open, k.Through)
		}
		d.features = append(d.features, s)
	}
	slices.Sort(d.faces)
	slices.Sort(d.edges)
	slices.Sort(d.features)
	return d
}

// TestNurbsConverted: a part whose surfaces and curves were all turned into B-splines is the same part:
// face by face, edge by edge and feature by feature.
func TestNurbsConverted(t *testing.T) {
	paths, err := filepath.Glob("testdata/nurbs/*.step.gz")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d converted parts, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".gz")
		t.Run(name, func(t *testing.T) {
			original := filepath.Join("step", "testdata", name)
			if name == "bracket.step" {
				original = filepath.Join("..", "..", "cmd", "millwright", "example", name)
			}
			want, got := describe(t, readFile(t, original)), describe(t, readFile(t, path))
			if got.solids != want.solids {
				t.Errorf("%d solids, want %d", got.solids, want.solids)
			}
			const share = 1e-6
			if math.Abs(got.volume-want.volume) > share*want.volume || math.Abs(got.area-want.area) > share*want.area {
				t.Errorf("volume %.9g, want %.9g; area %.9g, want %.9g", got.volume, want.volume, got.area, want.area)
			}
			for what, pair := range map[string][2][]string{
				"face": {got.faces, want.faces}, "edge": {got.edges, want.edges},
				"feature": {got.features, want.features},
			} {
				for _, d := range difference(pair[0], pair[1]) {
					t.Errorf("%s %s", what, d)
				}
			}
		})
	}
}

// difference returns the elements that only one of two sorted lists contains.
func difference(got, want []string) (out []string) {
	for len(got) > 0 || len(want) > 0 {
		switch {
		case len(want) == 0 || len(got) > 0 && got[0] < want[0]:
			out, got = append(out, "only converted: "+got[0]), got[1:]
		case len(got) == 0 || want[0] < got[0]:
			out, want = append(out, "only original: "+want[0]), want[1:]
		default:
			got, want = got[1:], want[1:]
		}
	}
	return out
}
