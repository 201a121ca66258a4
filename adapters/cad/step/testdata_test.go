package step

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// expected is the result of another kernel for a file of testdata, see testdata/make_parts.cpp.
type expected struct {
	File     string
	Solids   int
	Shells   int
	Faces    int
	Volume   float64
	Area     float64
	Centroid [3]float64
	Bounds   [6]float64
}

func TestPartsMeasureAsExpected(t *testing.T) {
	const dir = "testdata"
	content, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []expected
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.step"))
	if err != nil || len(files) != len(all) {
		t.Fatalf("%d files and %d rows of figures, error %v", len(files), len(all), err)
	}
	for _, want := range all {
		t.Run(want.File, func(t *testing.T) {
			m, err := readFile(t, filepath.Join(dir, want.File))
			if want.Faces == 0 {
				if err == nil {
					t.Errorf("read a file without faces as %d faces", len(m.Faces))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			compare(t, m, &want)
		})
	}
}

func compare(t *testing.T, m *brep.Model, want *expected) {
	t.Helper()
	for _, w := range m.Warnings {
		t.Errorf("warning %s: %s", w.Code, w.Message)
	}
	if len(m.Solids) != want.Solids || len(m.Shells) != want.Shells || len(m.Faces) != want.Faces {
		t.Errorf("%d solids, %d shells, %d faces, want %d, %d, %d",
			len(m.Solids), len(m.Shells), len(m.Faces), want.Solids, want.Shells, want.Faces)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	const (
		relative = 1e-5 // of volumes and areas: the other kernel's integration is no better
		place    = 1e-4 // mm
	)
	if math.Abs(p.Volume-want.Volume) > relative*want.Volume {
		t.Errorf("volume %.9g mm³, want %.9g", p.Volume, want.Volume)
	}
	if math.Abs(p.Area-want.Area) > relative*want.Area {
		t.Errorf("area %.9g mm², want %.9g", p.Area, want.Area)
	}
	if c := vector(want.Centroid[:]); want.Solids > 0 && p.Centroid.Dist(c) > place {
		t.Errorf("centroid %v, want %v", p.Centroid, c)
	}
	lo, hi := vector(want.Bounds[:3]), vector(want.Bounds[3:])
	if p.Bounds.Min.Dist(lo) > place || p.Bounds.Max.Dist(hi) > place {
		t.Errorf("bounds %v, want %v %v", p.Bounds, lo, hi)
	}
}

func vector(c []float64) geom.Vec3 { return geom.Vec3{X: c[0], Y: c[1], Z: c[2]} }
